//! Which names made objects get: those that their maker could have given them, in the order in which they are met from the
//! threads and the globals.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use raddle_ir::Program;
use raddle_ir::arithmetic::split_pointer;
use raddle_ir::interpret::{ObjectNumber, State, Sync, ThreadNumber};
use raddle_stepper::renaming::{Renaming, ThreadNames, lane_of, lane_of_thread, names_of};

/// Adds names for objects to those for threads.
pub(super) fn number(program: &Program, state: &State, renaming: &mut Renaming) {
    let made = program.model.made_objects();
    let objects = state.objects.unobserved();
    if objects.range(ObjectNumber(made.start)..).next().is_none() {
        return;
    }
    let seen = NamesSeen::of(program, state, renaming);
    let new_lanes = lanes(program, renaming);
    let mut next: BTreeMap<u32, Range<u32>> = BTreeMap::new();
    for object in &seen.order {
        if seen.is_pinned(*object) || !objects.contains_key(object) {
            continue;
        }
        let lane = lane_of(program, *object).expect("others are pinned");
        let lane = new_lanes.get(&lane.start).cloned().unwrap_or(lane);
        let numbers = next.entry(lane.start).or_insert(lane);
        // There is room: an object with a number of the lane gets one of it.
        if let Some(number) = numbers.find(|it| !seen.is_taken(ObjectNumber(*it))) {
            renaming.objects.insert(*object, ObjectNumber(number));
        }
    }
    if renaming.objects.len() + seen.pinned_there(state) != made_objects(program, state) {
        // Some lane is full of numbers that no object can have.
        renaming.objects.clear();
    }
}

fn made_objects(program: &Program, state: &State) -> usize {
    let made = program.model.made_objects();
    let objects = state.objects.unobserved().range(ObjectNumber(made.start)..);
    objects.count()
}

/// Which lanes become which, by the names of threads that change.
fn lanes(program: &Program, renaming: &Renaming) -> BTreeMap<u32, Range<u32>> {
    let lane = |thread: &ThreadNumber| lane_of_thread(program, *thread);
    let threads = renaming.threads.iter();
    threads
        .filter_map(|(from, to)| Some((lane(from)?.start, lane(to)?)))
        .collect()
}

/// All made objects that a state speaks of.
struct NamesSeen {
    /// As they are met.
    order: Vec<ObjectNumber>,
    /// Those that keep their names: something looks like them that may be no pointer.
    pinned: BTreeSet<ObjectNumber>,
    /// Names that may mean something else than an object that is there.
    taken: BTreeSet<ObjectNumber>,
}

impl NamesSeen {
    fn of(program: &Program, state: &State, renaming: &Renaming) -> Self {
        let made = program.model.made_objects();
        let objects = state.objects.unobserved();
        // Small negative numbers are no pointers, though they look like ones to this object.
        let mut pinned = BTreeSet::from([ObjectNumber(made.end - 1)]);
        let mut order = Vec::new();
        let mut met = BTreeSet::new();
        let mut queue = VecDeque::new();
        let mut named: BTreeSet<ObjectNumber> = BTreeSet::new();
        let mut meet = |object: ObjectNumber, queue: &mut VecDeque<ObjectNumber>| {
            if program.model.is_made(object.0) && met.insert(object) {
                order.push(object);
                queue.push_back(object);
            }
        };
        let threads = state.threads.unobserved();
        let by_new_name: BTreeMap<ThreadNumber, ThreadNumber> = threads
            .keys()
            .map(|it| (renaming.thread(*it), *it))
            .collect();
        for thread in by_new_name.values() {
            let names = ThreadNames::of(program, &threads[thread]);
            for object in names.pointers {
                named.insert(object);
                meet(object, &mut queue);
            }
            pinned.extend(names.numbers);
        }
        // Globals first, then what can be reached, then the rest.
        let globals = objects.range(..ObjectNumber(made.start));
        let rest = objects.range(ObjectNumber(made.start)..);
        let mut unread: VecDeque<ObjectNumber> = globals.map(|(number, _)| *number).collect();
        let mut rest = rest.map(|(number, _)| *number);
        let size = usize::try_from(program.model.pointer_bytes()).expect("4 or 8");
        loop {
            let Some(number) = unread.pop_front().or_else(|| queue.pop_front()) else {
                let Some(number) = rest.next() else { break };
                meet(number, &mut queue);
                continue;
            };
            let Some(object) = objects.get(&number) else {
                continue;
            };
            for sync in object.syncs.values() {
                if let Sync::Condition { waiting } = sync {
                    for mutex in waiting.values() {
                        let (mutex, _) = split_pointer(*mutex, program.model);
                        named.insert(ObjectNumber(mutex));
                        meet(ObjectNumber(mutex), &mut queue);
                    }
                }
            }
            let mut last: Option<(usize, ObjectNumber)> = None;
            for (offset, name) in names_of(program, &object.bytes) {
                named.insert(name);
                if let Some((before, other)) = last
                    && offset < before + size
                {
                    // One of them is not there on purpose.
                    pinned.extend([other, name]);
                }
                last = Some((offset, name));
                meet(name, &mut queue);
            }
        }
        pinned.extend(
            objects
                .range(ObjectNumber(made.start)..)
                .map(|(number, _)| *number)
                .filter(|it| lane_of(program, *it).is_none()),
        );
        let gone = named.into_iter().filter(|it| !objects.contains_key(it));
        let taken = pinned.iter().copied().chain(gone).collect();
        Self {
            order,
            pinned,
            taken,
        }
    }

    fn is_pinned(&self, object: ObjectNumber) -> bool {
        self.pinned.contains(&object)
    }

    fn is_taken(&self, number: ObjectNumber) -> bool {
        self.taken.contains(&number)
    }

    fn pinned_there(&self, state: &State) -> usize {
        let objects = state.objects.unobserved();
        let pinned = self.pinned.iter();
        pinned.filter(|it| objects.contains_key(it)).count()
    }
}
