//! After all states were stored: threads that wait for ever though others run (Lemma 9 of `docs/design/reduction.md`).
//!
//! Only states count in which some thread may be stuck, and of these only those from which no way leads out: to a state in which
//! no thread is, to the end of the process, to a step that stops. They are found by a walk over what was stored, which explores
//! each of them once more; what is left is mostly nothing. Then it is worked out which threads wait all the time.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_base::FastMap;
use raddle_diag::Diagnostic;
use raddle_engine::{Budget, EndlessWait, Events, Reason, Verdict, endless_wait};
use raddle_ir::interpret::stuck::{Halt, Onward, Pause, may_be_stuck, stuck_over};
use raddle_ir::interpret::{Property, ThreadNumber, Wait};
use raddle_reduce::omission::Omission;

use crate::Order;
use crate::frontier::Job;
use crate::memo::StandingId;
use crate::store::NodeId;

use super::sightings::Place;
use super::{EXPANDED_BETWEEN_LOOKS, Links, Search};

/// What an expansion leads to, for a walk that follows it instead of the search.
#[derive(Debug, Default)]
pub(super) struct Followed {
    pub(super) next: Vec<NodeId>,
    /// If that is asked, and states stand for others: how threads are called in each of them.
    pub(super) names: Vec<BTreeMap<ThreadNumber, ThreadNumber>>,
    pub(super) asks_names: bool,
    /// Some step stops the execution.
    pub(super) stops: bool,
    /// All threads that have not ended.
    pub(super) running: Vec<(ThreadNumber, StandingId)>,
}

/// A walk over states in which some thread may be stuck, component by component.
#[derive(Default)]
struct Walk {
    /// Of each state, by its number.
    marks: Vec<Mark>,
    /// Those that are not decided, each after one from which it can be reached.
    undecided: Vec<NodeId>,
    path: Vec<Bend>,
    /// From these no way leads out, what can be reached first.
    closed: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Unseen,
    /// Its place among those that are undecided.
    Undecided(usize),
    /// No thread is stuck in all that may come.
    Open,
    Closed,
}

/// A state on the path.
struct Bend {
    next: Vec<NodeId>,
    place: usize,
    /// The first undecided one that it leads to.
    low: usize,
}

impl Walk {
    fn mark(&mut self, node: NodeId) -> &mut Mark {
        let at = node as usize;
        if self.marks.len() <= at {
            self.marks.resize(at + 1, Mark::Unseen);
        }
        &mut self.marks[at]
    }

    fn enter(&mut self, node: NodeId, next: Vec<NodeId>) {
        let place = self.undecided.len();
        *self.mark(node) = Mark::Undecided(place);
        self.undecided.push(node);
        self.path.push(Bend {
            next,
            place,
            low: place,
        });
    }

    /// A way out was found from the end of the path. Every undecided state leads to one on the path, and so to its end.
    fn leads_out(&mut self) {
        self.path.clear();
        for node in std::mem::take(&mut self.undecided) {
            *self.mark(node) = Mark::Open;
        }
    }

    /// Everything after the end of the path was seen.
    fn leave(&mut self) {
        let Some(bend) = self.path.pop() else { return };
        if bend.low < bend.place {
            if let Some(before) = self.path.last_mut() {
                before.low = before.low.min(bend.low);
            }
            return;
        }
        // From these no way leads elsewhere but to what is closed.
        for node in self.undecided.split_off(bend.place) {
            *self.mark(node) = Mark::Closed;
            self.closed.push(node);
        }
    }
}

impl Search<'_> {
    /// Looks for threads that wait for ever though others run, once everything was explored. Whether that was the last word:
    /// else there is more to explore.
    pub(super) fn look_for_endless_waits(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> bool {
        let is_asked = self.open.contains(&Property::Deadlock) && !self.has_to_begin_anew();
        if !is_asked {
            return true;
        }
        self.shortest.knows_endless_waits = true;
        if !self.may_wait_for_anyone() {
            return true;
        }
        if self.engine.flaw.omits(Omission::EndlessWaitsAreLookedFor) {
            return true;
        }
        if self.engine.hash_compact {
            self.leave_undecided(Reason::PossibleEndlessWait(EndlessWait::OnlyHashes));
            return true;
        }
        // That a wait ends for no reason is not promised.
        let impatient = self.interpreter.clone();
        let is_patient = !impatient.semantics().has_spurious_wakeups
            || self.engine.flaw.omits(Omission::NobodyWakesForNoReason);
        if !is_patient {
            self.interpreter = impatient.patient();
            self.memo.forget();
        }
        let counts = self.counts;
        let found = self.endless_waits(budget, events);
        self.counts = counts;
        self.following = None;
        if !is_patient {
            self.interpreter = impatient;
            self.memo.forget();
        }
        let changes = self.guesses.take_changes();
        if !changes.is_empty() {
            // What was explored rested on more than holds.
            self.weaken(&changes);
            return false;
        }
        match found {
            Ok(nodes) => self.show_endless_wait(&nodes, events),
            Err(reason) => self.leave_undecided(reason),
        }
        true
    }

    /// Whether some thread was seen to wait for any other one to act.
    fn may_wait_for_anyone(&self) -> bool {
        // What was seen before a checkpoint is not known any more.
        self.standings.has_wait_for_anyone() || self.has_gone_on()
    }

    fn leave_undecided(&mut self, reason: Reason) {
        self.open.retain(|it| *it != Property::Deadlock);
        self.verdicts
            .insert(Property::Deadlock, Verdict::Unknown(reason));
    }

    /// The states in which threads wait for ever, and how many do, what can be reached first.
    fn endless_waits(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<Vec<(NodeId, usize)>, Reason> {
        let closed = self.closed_states(budget, events)?;
        if closed.is_empty() {
            return Ok(Vec::new());
        }
        let places: FastMap<NodeId, usize> = closed.iter().copied().zip(0..).collect();
        let mut pauses = Vec::new();
        // Threads wait in few ways.
        let mut shared: FastMap<StandingId, Option<Arc<[Wait]>>> = FastMap::default();
        for &node in &closed {
            let mut followed = self.follow_all(node, true, budget, events)?;
            let halt = |&(thread, standing): &(ThreadNumber, StandingId)| {
                let waits = shared.entry(standing).or_insert_with(|| {
                    let waits = self.standings.get(standing).waits.as_deref();
                    waits.map(Arc::<[Wait]>::from)
                });
                (thread, waits.clone())
            };
            let running = followed.running.iter().map(halt).collect();
            followed.names.resize(followed.next.len(), BTreeMap::new());
            let next = followed.next.iter().zip(followed.names);
            let onward = |(node, names): (&NodeId, _)| {
                let place = *places.get(node)?;
                Some(Onward { place, names })
            };
            pauses.push(Pause {
                running,
                next: next.map(onward).collect(),
            });
        }
        let stuck = stuck_over(&pauses).into_iter();
        let counts = closed.into_iter().zip(stuck.map(|threads| threads.len()));
        Ok(counts.filter(|(_, count)| *count > 0).collect())
    }

    /// The states in which some thread may be stuck and from which no way leads out, what can be reached first.
    fn closed_states(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<Vec<NodeId>, Reason> {
        let mut walk = Walk::default();
        for node in 0..self.store.numbers() {
            let node = NodeId::try_from(node).expect("fewer than 2^32 states");
            if !self.store.holds(node) || *walk.mark(node) != Mark::Unseen {
                continue;
            }
            self.visit(node, &mut walk, budget, events)?;
            while let Some(bend) = walk.path.last_mut() {
                match bend.next.pop() {
                    Some(next) => self.visit(next, &mut walk, budget, events)?,
                    None => walk.leave(),
                }
            }
        }
        Ok(walk.closed)
    }

    /// Goes on to a state from the end of the path.
    fn visit(
        &mut self,
        node: NodeId,
        walk: &mut Walk,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<(), Reason> {
        match *walk.mark(node) {
            Mark::Closed => {}
            Mark::Open => walk.leads_out(),
            Mark::Undecided(place) => {
                if let Some(bend) = walk.path.last_mut() {
                    bend.low = bend.low.min(place);
                }
            }
            Mark::Unseen => {
                let followed = self.follow_all(node, false, budget, events)?;
                if followed.stops || !may_be_stuck(&self.halts(&followed.running)) {
                    *walk.mark(node) = Mark::Open;
                    walk.leads_out();
                } else {
                    walk.enter(node, followed.next);
                }
            }
        }
        Ok(())
    }

    /// What these threads wait for.
    fn halts(&self, running: &[(ThreadNumber, StandingId)]) -> Vec<Halt<&[Wait]>> {
        let halt = |&(thread, standing): &(ThreadNumber, StandingId)| {
            (thread, self.standings.get(standing).waits.as_deref())
        };
        running.iter().map(halt).collect()
    }

    /// Where a stored state leads to. Nothing is followed if no thread may be stuck there.
    fn follow_all(
        &mut self,
        node: NodeId,
        asks_names: bool,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<Followed, Reason> {
        self.counts.expanded += 1;
        if self.counts.expanded.is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
            self.check(budget)?;
        }
        self.following = Some(Followed {
            asks_names,
            ..Followed::default()
        });
        self.expand(&Job::everybody(node), budget, events)?;
        Ok(self.following.take().unwrap_or_default())
    }

    /// Tells a walk over stored states which threads run in the state that it asks for; whether it needs to know no more, because no
    /// thread is stuck there. Without such a walk nobody is told, and the expansion goes on.
    pub(super) fn tell_follower(&mut self, running: Vec<(ThreadNumber, StandingId)>) -> bool {
        let may_be = may_be_stuck(&self.halts(&running));
        match &mut self.following {
            None => false,
            Some(followed) => {
                followed.running = running;
                !may_be
            }
        }
    }

    /// Where switches are counted: a violation was found at once, so it was not looked for another kind of it.
    pub(super) fn unknown_endless_waits(&self) -> Option<Diagnostic> {
        let is_shown = matches!(
            self.verdicts.get(&Property::Deadlock),
            Some(Verdict::Unsafe(_))
        );
        let counts = self.engine.order == Order::FewestSwitches;
        if !counts || !is_shown || self.shortest.knows_endless_waits || !self.may_wait_for_anyone()
        {
            return None;
        }
        let message = "a shorter counterexample of `deadlock` may exist: a thread that waits for ever while others run \
                       was not looked for";
        Some(Diagnostic::warning("shortest", message))
    }

    /// Shows the execution to a state in which threads wait for ever: a short one if possible, to where all of them wait.
    fn show_endless_wait(&mut self, nodes: &[(NodeId, usize)], events: &mut dyn Events) {
        let Some(&(last, _)) = nodes.first() else {
            return;
        };
        if self.exchanges.is_some() {
            // The wait is there; a search without exchanges will find it under its own name.
            self.give_up_exchanges();
            return;
        }
        if !self.store.has_links() {
            self.links = Links::Missed;
            return;
        }
        let rank = |&&(node, count): &&(NodeId, usize)| {
            let switches = self.frontier.switches(node);
            (switches, Reverse(count), self.store.depth(node), node)
        };
        let first = nodes.iter().min_by_key(rank).map_or(last, |it| it.0);
        // Fewer states come after the other one, so that they may be looked at if those after the first are too many.
        let mut why = None;
        for node in [first, last] {
            let state = self.state_of(node);
            match endless_wait(&self.interpreter, &state) {
                Ok(violation) => {
                    let place = Place {
                        node,
                        way: None,
                        step: None,
                        switches: self.frontier.switches(node),
                    };
                    self.violated(&violation, &place, events);
                    return;
                }
                Err(reason) => why = Some(reason),
            }
        }
        if let Some(reason) = why {
            self.leave_undecided(reason);
        }
    }
}
