//! One step of a thread: an edge, or a whole atomic section, by each of the ways that leave a place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared};
use raddle_encode::sync::State;
use raddle_encode::taking::{Advanced, Request, Taken, Ways};
use raddle_encode::touch::{Atomicity, Mode, Standing, Touch};
use raddle_ir::{Action, ActionGroup, EdgeId, FunctionId, Occasion, SyncType};
use raddle_logic::TermId;

use crate::deeds::{Deed, Lock, Stepped, Way};
use crate::threads::Threads;

/// A loop in an atomic section is followed so far.
const MOST_ROUNDS_IN_SECTION: u32 = 40;

/// In the middle of an atomic section, or before it.
pub(crate) struct Inner {
    pub(crate) local: Local,
    pub(crate) shared: Shared,
    begun: Vec<(ThreadIndex, Local, Shared)>,
    starts: bool,
    acquired: BTreeSet<Lock>,
    released: BTreeSet<Lock>,
}

impl Threads<'_, '_> {
    /// Takes every way that leaves a place.
    pub(crate) fn step(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        (local, shared): (&Local, &Shared),
    ) -> Stepped {
        let mut stepped = Stepped::default();
        let always = self.encoder.terms.truth(true);
        let first = Inner {
            local: Local {
                guard: always,
                ..local.clone()
            },
            shared: shared.clone(),
            begun: Vec::new(),
            starts: false,
            acquired: BTreeSet::new(),
            released: BTreeSet::new(),
        };
        let mut pending: BTreeMap<(UnrolledPoint, u32), Inner> =
            BTreeMap::from([((place.clone(), 0), first)]);
        while let Some(((place, depth), at)) = pending.pop_first() {
            if self.encoder.poll_budget() {
                break;
            }
            self.unrolled.visited.insert((thread, place.clone()));
            let is_loop = self.encoder.places.is_head(&place);
            let standing = if depth > 0 {
                Standing::Section
            } else {
                Standing::First
            };
            // No deadlocks are looked for, which alone ask what was chosen.
            let Ways { ways, chosen: _ } = (self.encoder).ways(thread, &place, &at.local, standing);
            for way in ways {
                if self.encoder.terms.is_false(way.guard) {
                    continue;
                }
                let at_edge = (place.top().function, way.edge);
                if depth > 0 && is_loop && place.round() > MOST_ROUNDS_IN_SECTION {
                    let what = "a loop in an atomic section that goes on for long";
                    stepped.met.push(self.give_up(way.guard, what, at_edge));
                    continue;
                }
                if let Some(what) = self.not_modelled(at_edge, depth) {
                    stepped.met.push(self.give_up(way.guard, what, at_edge));
                    continue;
                }
                let request = Request {
                    step: 0,
                    thread,
                    place: &place,
                    way,
                    local: &at.local,
                    standing,
                };
                self.take(request, depth, &at, (&mut pending, &mut stepped));
            }
        }
        stepped
    }

    fn take(
        &mut self,
        request: Request<'_>,
        depth: u32,
        at: &Inner,
        (pending, stepped): (&mut BTreeMap<(UnrolledPoint, u32), Inner>, &mut Stepped),
    ) {
        let (thread, edge) = (request.thread, request.way.edge);
        let function = request.place.top().function;
        let addressed = self.addressed(thread, (request.place, edge), request.way.guard, at);
        stepped.touches.extend(addressed);
        let mut shared = at.shared.clone();
        let inner = self.encoder.depth_after(request.place, edge, depth);
        // A thread that an assertion stops is met there; it needs no place of its own.
        let Taken {
            advanced,
            failing: _,
            begun,
            met,
            accesses,
            choices: _,
        } = self.encoder.take(request, &mut shared);
        stepped.met.extend(met);
        stepped.touches.extend(accesses.iter().map(|it| it.touch));
        stepped.accesses.extend(accesses);
        let action = &self.encoder.program.edge(function, edge).action;
        // Whether they are possible depends on others.
        if matches!(action, Action::Join { .. }) {
            stepped.deeds.insert(Deed::Wait);
        } else if matches!(action, Action::Detach { .. }) {
            stepped.deeds.insert(Deed::Detach);
        }
        let Some(advanced) = advanced else {
            return;
        };
        stepped.touches.extend(self.lives(&at.shared, &shared));
        let changed = (&at.shared, &shared);
        stepped
            .deeds
            .extend(self.deeds(request, &advanced, changed));
        let mut next = Inner {
            local: at.local.clone(),
            begun: at.begun.clone(),
            starts: at.starts || advanced.started.is_some(),
            acquired: at.acquired.clone(),
            released: at.released.clone(),
            shared,
        };
        if let Some((started, local)) = begun {
            next.begun.push((started, local, next.shared.clone()));
        }
        self.note_locks(
            thread,
            (function, edge),
            (&at.shared, advanced.guard),
            &mut next,
        );
        match advanced.next {
            Some((place, local)) if inner > 0 => {
                next.local = local;
                if let Some(known) = pending.get_mut(&(place.clone(), inner)) {
                    known.join(self, next);
                } else {
                    pending.insert((place, inner), next);
                }
            }
            arrived => stepped.ways.push(Way {
                guard: advanced.guard,
                next: arrived,
                shared: next.shared,
                begun: next.begun,
                starts: next.starts,
                acquired: next.acquired,
                released: next.released,
            }),
        }
    }

    /// What this engine leaves to others.
    fn not_modelled(
        &self,
        (function, edge): (FunctionId, EdgeId),
        depth: u32,
    ) -> Option<&'static str> {
        let action = &self.encoder.program.edge(function, edge).action;
        if *action == Action::AtomicEnd && depth == 0 {
            return Some("the end of an atomic section that never began");
        }
        let Action::Sync { operation, .. } = action else {
            return None;
        };
        match operation.family() {
            SyncType::Monitor => Some("a monitor, in this engine"),
            SyncType::Mutex(_)
            | SyncType::ReadWriteLock
            | SyncType::Condition
            | SyncType::Semaphore
            | SyncType::Barrier => None,
        }
    }

    /// Objects that are made, or whose lives end.
    fn lives(&self, before: &Shared, after: &Shared) -> Vec<Touch> {
        let mut found = Vec::new();
        for (number, object) in &after.memory.objects {
            let known = before.memory.objects.get(number);
            let is_kept =
                known.is_some_and(|it| Arc::ptr_eq(it, object) || it.is_live == object.is_live);
            let is_local = || {
                let mut instances = self.encoder.instances.values();
                instances.any(|it| it.local_objects.contains(number))
            };
            // Copies of thread-locals come and go with their threads, which others see anyway.
            if !is_kept && !is_local() {
                found.push(Touch {
                    object: *number,
                    offset: 0,
                    size: object.size().max(1),
                    mode: Mode::Write,
                    atomicity: Atomicity::Atomic,
                });
            }
        }
        found
    }

    /// What an edge did to threads.
    fn deeds(
        &self,
        request: Request<'_>,
        advanced: &Advanced,
        (before, after): (&Shared, &Shared),
    ) -> Vec<Deed> {
        let edge = (request.place.top().function, request.way.edge);
        let action = &self.encoder.program.edge(edge.0, edge.1).action;
        let mut deeds: Vec<Deed> = advanced.started.map(Deed::Start).into_iter().collect();
        if matches!(action, Action::EndProcess { .. }) {
            deeds.push(Deed::EndProcess);
        } else if advanced.next.is_none() {
            deeds.push(Deed::End);
        }
        deeds.extend(self.joined(edge, before, after));
        deeds
    }

    /// The threads that a join may be for.
    fn joined(
        &self,
        (function, edge): (FunctionId, EdgeId),
        before: &Shared,
        after: &Shared,
    ) -> Vec<Deed> {
        let action = &self.encoder.program.edge(function, edge).action;
        if !matches!(action, Action::Join { .. }) {
            return Vec::new();
        }
        let links = before.links.iter().zip(after.links.values());
        let changed = links.filter(|((_, before), after)| before.exists != after.exists);
        changed.map(|((thread, _), _)| Deed::Join(thread)).collect()
    }

    /// Which mutexes the thread certainly holds from now on, and which perhaps no more.
    fn note_locks(
        &mut self,
        thread: ThreadIndex,
        (function, edge): (FunctionId, EdgeId),
        (before, guard): (&Shared, TermId),
        next: &mut Inner,
    ) {
        let action = &self.encoder.program.edge(function, edge).action;
        if action.group() != ActionGroup::Synchronisation {
            return;
        }
        let takes = action.lock_effect().is_some_and(|(effect, _)| {
            effect.certainly_takes() && effect.occasion != Occasion::TimedWait
        });
        for (number, object) in &next.shared.memory.objects {
            let known = before.memory.objects.get(number);
            if known.is_some_and(|it| Arc::ptr_eq(it, object)) {
                continue;
            }
            for (offset, sync) in &object.syncs {
                let was = known.and_then(|it| it.syncs.get(offset));
                let State::Mutex { owner, .. } = sync.state else {
                    continue;
                };
                if was == Some(sync) {
                    continue;
                }
                let lock = (*number, *offset);
                next.released.insert(lock);
                next.acquired.remove(&lock);
                let owner =
                    raddle_encode::guard::assuming(&mut self.encoder.terms, owner, &[guard]);
                let own = Some(thread.in_terms());
                let is_plain = sync.ty == raddle_ir::SyncType::Mutex(raddle_ir::MutexKind::Plain);
                if takes && is_plain && self.encoder.terms.constant_value(owner) == own {
                    next.acquired.insert(lock);
                }
            }
        }
    }
}

impl Inner {
    /// Ways within a section meet.
    fn join(&mut self, threads: &mut Threads<'_, '_>, other: Inner) {
        let terms = &mut threads.encoder.terms;
        self.shared.merge(terms, other.local.guard, &other.shared);
        self.local.join(terms, &other.local);
        self.begun.extend(other.begun);
        self.starts |= other.starts;
        self.acquired.retain(|it| other.acquired.contains(it));
        self.released.extend(other.released);
    }
}
