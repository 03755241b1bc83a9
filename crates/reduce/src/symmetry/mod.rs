//! One state for all that differ in names only: interchangeable threads, and objects that are made while the program runs.
//!
//! # What may be exchanged
//!
//! Threads whose names nobody holds, and those whose names only one thread holds, which will join them in a row and do nothing
//! else in between (see `joiners`). Objects whose names appear in pointers only.
//!
//! # Invariants
//!
//! - **(Y1)** The state that is chosen is the given one with other names ([`Renaming`]), but for the names of threads that a
//!   joiner holds: these stand for other threads of its row then. In the chosen state those that run come first in the row,
//!   so the joiner goes on only when all of them have ended, and then the order makes no difference.
//! - **(Y2)** No step looks at the names themselves. A step that does so is seen doing it (see `glimpses`), and the caller has to
//!   do without exchanges.
//! - **(Y3)** What is known of one thread may be true of any that it was exchanged with ([`Symmetry::mates`]).
//!
//! Which of the equal states is chosen is not important: to miss one costs states, and no verdict.

mod glimpses;
mod joiners;
mod keys;
mod objects;
mod owners;
mod reasons;

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::saved::{Saved, Sink, Source};
use raddle_ir::Program;
use raddle_ir::interpret::{
    Effect, Interpreter, ObjectNumber, Outcome, State, Successor, ThreadNumber,
};
use raddle_stepper::renaming::{
    Renaming, ThreadNames, formulas_look_at_objects, looks_at_threads, makes_threads,
    names_objects, threads_in, threads_near,
};

use crate::history::Configuration;

use joiners::Runs;
use owners::Owners;
use reasons::{Obstacle, Reasons};

pub use glimpses::shows_names;

/// For each thread that was exchanged, the threads with which it was.
pub type Mates = BTreeMap<ThreadNumber, BTreeSet<ThreadNumber>>;

/// Chooses states.
#[derive(Debug)]
pub struct Symmetry {
    exchanges_threads: bool,
    /// Also those that run from the start.
    exchanges_roots: bool,
    exchanges_objects: bool,
    owners: Owners,
    /// Threads that have started threads, which are named after them.
    starters: BTreeSet<ThreadNumber>,
    mates: Mates,
    /// The thread that held their names when they were exchanged. No other thread may ever come to hold one.
    holders: BTreeMap<ThreadNumber, BTreeSet<Option<ThreadNumber>>>,
    /// How often there were new ones.
    mates_changed: u64,
    runs: Runs,
    reasons: Reasons,
}

impl Symmetry {
    pub fn new(interpreter: &Interpreter<'_>) -> Self {
        let program = interpreter.program();
        // A thread that gets one of the freed blocks would see which of them it is.
        let are_names_free = !names_objects(program) && !interpreter.recycling().is_possible();
        Self {
            exchanges_threads: !looks_at_threads(program) && are_names_free,
            exchanges_roots: !makes_threads(program),
            exchanges_objects: !formulas_look_at_objects(program) && are_names_free,
            holders: BTreeMap::new(),
            owners: Owners::new(program),
            starters: BTreeSet::new(),
            mates: Mates::new(),
            mates_changed: 0,
            runs: Runs::default(),
            reasons: Reasons::default(),
        }
    }

    /// Whether threads can be exchanged at all.
    pub fn exchanges_threads(&self) -> bool {
        self.exchanges_threads
    }

    /// Why threads that run the same code are not the same up to names, as far as was seen; a clause for each reason.
    pub fn reasons(&self, program: &Program) -> Vec<String> {
        self.reasons.clauses(program)
    }

    /// Whether threads run the same code, and all that do begin with different values.
    pub fn begin_apart(&self) -> bool {
        self.reasons.begin_apart()
    }

    /// Which threads were exchanged with which.
    pub fn mates(&self) -> &Mates {
        &self.mates
    }

    /// How often threads were exchanged that had not been before, or while another thread held their names.
    pub fn mates_changed(&self) -> u64 {
        self.mates_changed
    }

    /// Takes note of a step; whether exchanges are still possible after it.
    pub fn admits(&mut self, program: &Program, before: &State, successor: &Successor) -> bool {
        let spawned = successor.effects.iter().filter_map(|it| {
            if let Effect::Spawn { thread } = it {
                Some(*thread)
            } else {
                None
            }
        });
        let spawned: Vec<ThreadNumber> = spawned.collect();
        if let Outcome::Next(after) = &successor.outcome {
            for child in &spawned {
                self.reasons.note_beginning(program, after, *child);
            }
        }
        if !spawned.is_empty() {
            // The name of the new thread follows from that of the old one, which may be another's.
            let starter = successor.step.thread;
            if self.mates.contains_key(&starter) {
                return false;
            }
            self.starters.insert(starter);
        }
        !shows_names(program, before, successor)
            && !self.finds_name(program, before, successor)
            && !ends_with_pointer(program, successor)
    }

    /// Whether a thread comes to hold the name of an exchanged one, and did not when that was exchanged: the name was hidden.
    fn finds_name(&self, program: &Program, before: &State, successor: &Successor) -> bool {
        let Outcome::Next(after) = &successor.outcome else {
            return false;
        };
        let mut spawned = BTreeSet::new();
        let mut written: BTreeSet<ThreadNumber> = BTreeSet::new();
        for effect in &successor.effects {
            if let Effect::Spawn { thread } = effect {
                spawned.insert(*thread);
            }
            if let Effect::Write {
                object, offset, ty, ..
            } = effect
            {
                let size = ty.size(program.model);
                let names = |state: &State| threads_near(program, state, *object, *offset, size);
                written.extend(names(after).difference(&names(before)));
            }
        }
        let held = |state: &State, thread: &ThreadNumber| {
            let thread = state.threads.unobserved().get(thread);
            thread.map_or_else(BTreeSet::new, |it| ThreadNames::of(program, it).threads)
        };
        let finder = successor.step.thread;
        let mut found = held(after, &finder);
        for name in held(before, &finder) {
            found.remove(&name);
        }
        found.extend(written);
        let is_hidden = |name: &ThreadNumber, finder: Option<ThreadNumber>| {
            let Some(holders) = self.holders.get(name) else {
                return false;
            };
            let is_known =
                finder.is_some() && !holders.contains(&None) && holders.contains(&finder);
            !is_known && !spawned.contains(name)
        };
        let mut children = spawned.iter();
        found.iter().any(|it| is_hidden(it, Some(finder)))
            || children.any(|child| held(after, child).iter().any(|it| is_hidden(it, None)))
    }

    /// The configuration that stands for this one and all that differ from it in names, and what it calls everything.
    pub fn canonical(
        &mut self,
        interpreter: &Interpreter<'_>,
        configuration: &Configuration,
    ) -> (Configuration, Renaming) {
        let program = interpreter.program();
        let state = &configuration.state;
        let mut renaming = Renaming::default();
        if self.exchanges_threads && state.threads.unobserved().len() > 1 {
            // Those that begin later are seen when they are started.
            for (number, thread) in state.threads.unobserved() {
                if thread.creator.is_none() {
                    self.reasons.note_beginning(program, state, *number);
                }
            }
            for (holder, group) in self.groups(interpreter, configuration) {
                self.sort(program, state, (holder, &group), &mut renaming);
            }
        }
        if self.exchanges_objects {
            objects::number(program, state, &mut renaming);
        }
        if renaming.is_identity() {
            return (configuration.clone(), Renaming::default());
        }
        let private = configuration.private.unobserved().iter();
        let renamed = Configuration {
            state: renaming.state(program, state),
            private: private
                .map(|(object, owner)| (renaming.object(*object), renaming.thread(*owner)))
                .collect(),
            made: configuration.made.clone(),
        };
        (renamed, renaming)
    }

    /// Puts the threads of a group in order: those that run before those that have ended.
    fn sort(
        &mut self,
        program: &Program,
        state: &State,
        (holder, group): (Option<ThreadNumber>, &[ThreadNumber]),
        renaming: &mut Renaming,
    ) {
        let threads = state.threads.unobserved();
        let mut sorted: Vec<(bool, u64, usize)> = (0..)
            .zip(group)
            .map(|(at, thread)| {
                let has_ended = threads[thread].frames.is_empty();
                (has_ended, keys::key(program, state, *thread), at)
            })
            .collect();
        sorted.sort_unstable();
        let is_moved = |(to, (_, _, from)): (usize, &(bool, u64, usize))| to != *from;
        if !sorted.iter().enumerate().any(is_moved) {
            return;
        }
        self.note_mates(group);
        for thread in group {
            let holders = self.holders.entry(*thread).or_default();
            self.mates_changed += u64::from(holders.insert(holder));
        }
        // Nor may another thread come to hold the name of the joiner.
        if let Some(joiner) = holder.filter(|it| !self.holders.contains_key(it)) {
            self.holders.insert(joiner, BTreeSet::new());
            self.mates_changed += 1;
        }
        for (to, (_, _, from)) in sorted.iter().enumerate() {
            renaming.threads.insert(group[*from], group[to]);
        }
    }

    fn note_mates(&mut self, group: &[ThreadNumber]) {
        let is_known = |it: &ThreadNumber| {
            let known = self.mates.get(it);
            known.is_some_and(|known| group.iter().all(|mate| known.contains(mate)))
        };
        if group.iter().all(is_known) {
            return;
        }
        self.mates_changed += 1;
        let mut all: BTreeSet<ThreadNumber> = group.iter().copied().collect();
        for thread in group {
            all.extend(self.mates.get(thread).into_iter().flatten());
        }
        for thread in all.clone() {
            self.mates.insert(thread, all.clone());
        }
    }

    /// Groups of threads that can be exchanged, each in the order in which they are to be sorted, and the thread that holds their names.
    fn groups(
        &mut self,
        interpreter: &Interpreter<'_>,
        configuration: &Configuration,
    ) -> Vec<(Option<ThreadNumber>, Vec<ThreadNumber>)> {
        let program = interpreter.program();
        let state = &configuration.state;
        let threads = state.threads.unobserved();
        let holders = self.holders(program, configuration);
        let creators: BTreeSet<ThreadNumber> =
            threads.values().filter_map(|it| it.creator).collect();
        // The name of a detached thread is free when it ends, and others may get it.
        let can_move = |it: &ThreadNumber| {
            !self.starters.contains(it)
                && !creators.contains(it)
                && !threads[it].is_detached
                && !self.owners.has_globals(*it)
                && (self.exchanges_roots || threads[it].creator.is_some())
        };
        let mut nobodys = Vec::new();
        let mut of_joiner: BTreeMap<ThreadNumber, BTreeSet<ThreadNumber>> = BTreeMap::new();
        let mut obstacles = Vec::new();
        for (number, thread) in threads {
            if !can_move(number) {
                let starts = self.starters.contains(number).then_some(Obstacle::Starts);
                let detached = thread.is_detached.then_some(Obstacle::Detached);
                obstacles.extend(starts.or(detached).map(|it| (thread.function, it)));
                continue;
            }
            match holders.get(number) {
                None => nobodys.push(*number),
                Some(Holder::Thread(holder)) if holder != number => {
                    of_joiner.entry(*holder).or_default().insert(*number);
                }
                Some(Holder::Object(object)) => {
                    let origin = state.objects.unobserved()[object].origin.clone();
                    obstacles.push((thread.function, Obstacle::Shared(origin)));
                }
                Some(Holder::Thread(_) | Holder::Several) => {
                    obstacles.push((thread.function, Obstacle::HeldBySeveral));
                }
            }
        }
        let mut groups = vec![(None, nobodys)];
        for (joiner, held) in of_joiner {
            let is_named = holders.contains_key(&joiner);
            if held.len() > 1 && !is_named {
                let owners = &self.owners;
                let mut row = self.runs.row(interpreter, owners, configuration, joiner);
                // To join any other thread is seen by others.
                let others = row.iter().position(|it| !held.contains(it));
                row.truncate(others.unwrap_or(row.len()));
                if row.len() < 2 {
                    let joiner = threads[&joiner].function;
                    let apart = held.iter().map(|it| threads[it].function);
                    obstacles.extend(apart.map(|it| (it, Obstacle::NoRow(joiner))));
                }
                groups.push((Some(joiner), row));
            }
        }
        groups.retain(|(_, it)| it.len() > 1);
        for (function, obstacle) in obstacles {
            self.reasons.note(function, obstacle);
        }
        groups
    }

    /// Which thread holds which names.
    fn holders(
        &self,
        program: &Program,
        configuration: &Configuration,
    ) -> BTreeMap<ThreadNumber, Holder> {
        let mut holders = BTreeMap::new();
        let mut note = |named: BTreeSet<ThreadNumber>, holder: Holder| {
            for thread in named {
                let known = holders.entry(thread).or_insert(holder);
                if *known != holder {
                    *known = Holder::Several;
                }
            }
        };
        for (number, thread) in configuration.state.threads.unobserved() {
            let named = ThreadNames::of(program, thread).threads;
            note(named, Holder::Thread(*number));
        }
        for (number, object) in configuration.state.objects.unobserved() {
            let owner = self.owners.owner(configuration, *number);
            let holder = owner.map_or(Holder::Object(*number), Holder::Thread);
            note(threads_in(program, object), holder);
        }
        holders
    }
}

/// Whether a thread ends with a pointer as its result, which is lost when it is joined, or not, if it is not.
fn ends_with_pointer(program: &Program, successor: &Successor) -> bool {
    let Outcome::Next(after) = &successor.outcome else {
        return false;
    };
    let Some(thread) = after.threads.unobserved().get(&successor.step.thread) else {
        return false;
    };
    if !thread.frames.is_empty() {
        return false;
    }
    let names = ThreadNames::of(program, thread);
    let mut objects = names.pointers.iter().chain(&names.numbers);
    objects.any(|it| program.model.is_made(it.0))
}

/// Which thread holds the name of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    /// In its registers, or in memory that only it can reach.
    Thread(ThreadNumber),
    /// Memory that several threads may reach.
    Object(ObjectNumber),
    Several,
}

/// What was found out about threads, to go on with later.
impl Symmetry {
    pub fn save(&self, sink: &mut Sink) {
        self.starters.save(sink);
        self.holders.save(sink);
        self.mates.save(sink);
        self.mates_changed.save(sink);
    }

    /// # Errors
    ///
    /// If the bytes are not those that were written.
    pub fn load(interpreter: &Interpreter<'_>, source: &mut Source) -> std::io::Result<Self> {
        Ok(Self {
            starters: Saved::load(source)?,
            holders: Saved::load(source)?,
            mates: Saved::load(source)?,
            mates_changed: Saved::load(source)?,
            ..Self::new(interpreter)
        })
    }
}
