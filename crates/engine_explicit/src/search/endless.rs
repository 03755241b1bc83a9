//! After all states were stored: threads that wait for ever though others run (Lemma 9 of `docs/design/reduction.md`), and
//! livelocks (Lemma 10).
//!
//! Only states count in which some thread may be stuck, or every thread waits or may spin, and of these only those from which no
//! way leads out: to a state in which neither is so, to the end of the process, to a step that stops. They are found by a walk
//! over what was stored, which explores each of them once more; what is left is mostly nothing. Then it is worked out which
//! threads wait all the time, and which sets of states are closed.
//!
//! The same is done now and then while there is more to explore. A state that waits to be explored is a way out then, and what
//! is found counts if the interpreter confirms it; that nothing is found says nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_base::FastMap;
use raddle_diag::Diagnostic;
use raddle_engine::{Budget, EndlessWait, Events, Reason, Verdict, endless_wait, livelock};
use raddle_ir::interpret::closed::closed_sets;
use raddle_ir::interpret::stuck::{Halt, Onward, Pause, may_be_livelock, may_be_stuck, stuck_over};
use raddle_ir::interpret::{Property, ThreadNumber, Violation, Wait};
use raddle_reduce::omission::Omission;

use crate::frontier::Job;
use crate::ids::{NodeId, StandingId};
use crate::links::Origin;
use crate::{Inference, Order};

use super::findings::LinkPolicy;
use super::sightings::Sighting;
use super::walk::{Walk, WayOut};
use super::{EXPANDED_BETWEEN_LOOKS, Search};

/// What an expansion leads to, for a walk that follows it instead of the search.
#[derive(Debug, Default)]
pub(super) struct Followed {
    pub(super) next: Vec<NodeId>,
    /// If that is asked, and states stand for others: how threads are called in each of them.
    pub(super) names: Vec<BTreeMap<ThreadNumber, ThreadNumber>>,
    pub(super) asks_names: bool,
    /// Some step stops the execution.
    pub(super) stops: bool,
    /// And nobody knows what would come then.
    pub(super) ends: bool,
    /// All threads that have not ended.
    pub(super) running: Vec<(ThreadNumber, StandingId)>,
}

/// What the walk has found.
#[derive(Debug, Default)]
struct Endless {
    /// The states in which threads wait for ever, and how many do, what can be reached first.
    waits: Vec<(NodeId, usize)>,
    /// One of each closed set of states that may be a livelock.
    livelocks: Vec<NodeId>,
    /// All states that may belong to one.
    spinning: Vec<NodeId>,
    /// A thread may wait, or all may spin, where a violation ends the execution: without it, that might go on for ever.
    may_be_saved_by_an_end: bool,
}

impl Search<'_> {
    /// Looks for threads that wait for ever though others run, once everything was explored. Whether that was the last word:
    /// else there is more to explore.
    pub(super) fn look_for_endless_waits(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> bool {
        let is_asked =
            self.findings.open.contains(&Property::Deadlock) && !self.has_to_begin_anew();
        if !is_asked {
            return true;
        }
        self.progress.shortest.knows_endless_waits = true;
        if !self.may_be_endless() {
            return true;
        }
        if self.setting.omits(Omission::EndlessWaitsAreLookedFor) {
            return true;
        }
        if self.setting.engine.hash_compact {
            self.leave_undecided(Reason::PossibleEndlessWait(EndlessWait::OnlyHashes));
            return true;
        }
        let found = self.endless_patiently(budget, events);
        let changes = self.beliefs.guesses.take_changes();
        if !changes.is_empty() {
            // What was explored rested on more than holds.
            self.weaken(&changes);
            return false;
        }
        let shown = found.and_then(|found| {
            self.show_endless(&found, budget, events)?;
            Ok(found.may_be_saved_by_an_end)
        });
        match shown {
            Err(reason) => self.leave_undecided(reason),
            Ok(is_saved_by_an_end) => {
                let is_open = self.findings.is_open(Property::Deadlock);
                if let Some(reason) = self.findings.first_end()
                    && is_open
                    && is_saved_by_an_end
                {
                    self.leave_undecided(reason);
                }
            }
        }
        true
    }

    /// Looks for them in what was explored so far, if it is time for that. What is not found may still be there.
    pub(super) fn glance_at_endless_waits(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<(), Reason> {
        let is_asked = self.findings.open.contains(&Property::Deadlock)
            && !self.has_to_begin_anew()
            && !self.setting.is_survey
            && !self.setting.engine.hash_compact
            && self.setting.engine.order == Order::FirstFound
            && self.setting.engine.inference == Inference::Again;
        if !is_asked
            || !self
                .progress
                .looks
                .is_due(self.knowledge.store.len(), budget)
            || !self.may_be_endless()
            || self.setting.omits(Omission::EndlessWaitsAreLookedFor)
        {
            return Ok(());
        }
        let found = self.endless_patiently(budget, events)?;
        let changes = self.beliefs.guesses.take_changes();
        if !changes.is_empty() {
            self.weaken(&changes);
        }
        match self.show_endless(&found, budget, events) {
            // Not all that can come is stored, or it is too much; in the end it will be asked again.
            Ok(()) | Err(Reason::PossibleEndlessWait(_)) => Ok(()),
            Err(spent) => Err(spent),
        }
    }

    /// That a wait ends for no reason is not promised: whatever is found holds without that.
    fn endless_patiently(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<Endless, Reason> {
        let impatient = self.setting.interpreter.clone();
        let may_wake =
            impatient.semantics().has_spurious_wakeups && impatient.program().waits_for_signals();
        let is_patient = !may_wake || self.setting.omits(Omission::NobodyWakesForNoReason);
        if !is_patient {
            self.setting.interpreter = impatient.patient();
            self.knowledge.memo.forget();
        }
        let counts = self.progress.counts;
        let found = self.endless(is_patient, budget, events);
        self.progress.counts = counts;
        self.following = None;
        if !is_patient {
            self.setting.interpreter = impatient;
            self.knowledge.memo.forget();
        }
        found
    }

    /// Whether some thread was seen to wait for any other one to act, or where it may spin.
    pub(super) fn may_be_endless(&self) -> bool {
        // What was seen before a checkpoint is not known any more.
        self.knowledge.standings.has_wait_for_anyone()
            || self.knowledge.standings.has_spinner()
            || self.has_gone_on()
    }

    fn leave_undecided(&mut self, reason: Reason) {
        let verdict = Verdict::Unknown(reason);
        self.findings.close(Property::Deadlock, verdict);
    }

    /// Where threads may wait for ever, or spin. The search was patient if it knows no way on which a thread wakes for no reason.
    fn endless(
        &mut self,
        was_patient: bool,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<Endless, Reason> {
        let Walk {
            closed,
            may_be_saved_by_an_end,
            ..
        } = self.closed_states(was_patient, budget, events)?;
        if closed.is_empty() {
            return Ok(Endless {
                may_be_saved_by_an_end,
                ..Endless::default()
            });
        }
        let places: FastMap<NodeId, usize> = closed.iter().copied().zip(0..).collect();
        let mut pauses = Vec::new();
        // Threads wait in few ways.
        let mut shared: FastMap<StandingId, Option<Arc<[Wait]>>> = FastMap::default();
        for &node in &closed {
            let mut followed = self.follow_all(node, true, budget, events)?;
            let halt = |&(thread, standing): &(ThreadNumber, StandingId)| {
                let waits = shared.entry(standing).or_insert_with(|| {
                    let waits = self.knowledge.standings.get(standing).waits.as_deref();
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
                may_be_livelock: self.may_be_livelock(&followed.running),
                next: next.map(onward).collect(),
            });
        }
        let livelocks = closed_sets(&pauses).into_iter();
        let livelocks = livelocks.map(|place| closed[place]).collect();
        let spinning = closed.iter().zip(&pauses).filter(|it| it.1.may_be_livelock);
        let spinning = spinning.map(|it| *it.0).collect();
        let stuck = stuck_over(&pauses).into_iter();
        let counts = closed.into_iter().zip(stuck.map(|threads| threads.len()));
        Ok(Endless {
            waits: counts.filter(|(_, count)| *count > 0).collect(),
            livelocks,
            spinning,
            may_be_saved_by_an_end,
        })
    }

    /// The states in which some thread may be stuck, or all may spin, and from which no way leads out, what can be reached first.
    ///
    /// Most states are not explored again: if a state has a way out, then so has the one from which the search came to it. That
    /// one was mostly stored before, so the walk begins with what was stored last.
    fn closed_states(
        &mut self,
        was_patient: bool,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<Walk, Reason> {
        // Where executions end with a violation, every state is asked who would wait there.
        let knows_ways =
            was_patient && self.knowledge.store.has_links() && self.findings.first_end().is_none();
        let mut walk = Walk::default();
        for node in self.progress.frontier.waiting() {
            *walk.mark(node) = WayOut::Open;
        }
        for node in (0..self.knowledge.store.numbers()).rev() {
            let node = NodeId::at(node);
            if !self.knowledge.store.holds(node) {
                continue;
            }
            if *walk.mark(node) == WayOut::Unseen {
                self.visit(node, &mut walk, budget, events)?;
            }
            while let Some(bend) = walk.path.last_mut() {
                match bend.next.pop() {
                    Some(next) => self.visit(next, &mut walk, budget, events)?,
                    None => walk.leave(),
                }
            }
            if knows_ways
                && *walk.mark(node) == WayOut::Open
                && let Origin::Transaction { from, .. } = self.knowledge.store.origin(node, None)
                && *walk.mark(from) == WayOut::Unseen
            {
                *walk.mark(from) = WayOut::Open;
            }
        }
        Ok(walk)
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
            WayOut::Closed => {}
            WayOut::Open => walk.leads_out(),
            WayOut::Undecided(place) => {
                if let Some(bend) = walk.path.last_mut() {
                    bend.low = bend.low.min(place);
                }
            }
            WayOut::Unseen => {
                let followed = self.follow_all(node, false, budget, events)?;
                walk.may_be_saved_by_an_end |=
                    followed.ends && self.may_come_to_nothing(&followed.running);
                if followed.stops || !self.may_come_to_nothing(&followed.running) {
                    *walk.mark(node) = WayOut::Open;
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
            (
                thread,
                self.knowledge.standings.get(standing).waits.as_deref(),
            )
        };
        running.iter().map(halt).collect()
    }

    /// Whether one of these threads may be stuck, or all may spin.
    fn may_come_to_nothing(&self, running: &[(ThreadNumber, StandingId)]) -> bool {
        may_be_stuck(&self.halts(running)) || self.may_be_livelock(running)
    }

    fn may_be_livelock(&self, running: &[(ThreadNumber, StandingId)]) -> bool {
        let standings = running.iter().map(|it| self.knowledge.standings.get(it.1));
        may_be_livelock(standings.map(|it| (it.waits.as_deref(), it.may_spin)))
            && !self.setting.omits(Omission::LivelocksAreLookedFor)
    }

    /// Where a stored state leads to. Nothing is followed if no thread may be stuck there, nor all spin.
    fn follow_all(
        &mut self,
        node: NodeId,
        asks_names: bool,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<Followed, Reason> {
        self.progress.counts.expanded += 1;
        if self
            .progress
            .counts
            .expanded
            .is_multiple_of(EXPANDED_BETWEEN_LOOKS)
        {
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
    /// thread is stuck there, nor do all spin. Without such a walk nobody is told, and the expansion goes on.
    pub(super) fn tell_follower(&mut self, running: Vec<(ThreadNumber, StandingId)>) -> bool {
        let may_be = self.may_come_to_nothing(&running);
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
            self.findings.verdicts.get(&Property::Deadlock),
            Some(Verdict::Unsafe(_))
        );
        let counts = self.setting.engine.order == Order::FewestSwitches;
        if !counts
            || !is_shown
            || self.progress.shortest.knows_endless_waits
            || !self.may_be_endless()
        {
            return None;
        }
        let message = "a shorter counterexample of `deadlock` may exist: a thread that waits for ever while others run \
                       was not looked for";
        Some(Diagnostic::warning("shortest", message))
    }

    /// Shows the execution to a state in which threads wait for ever, or to a livelock, if the interpreter confirms it.
    fn show_endless(
        &mut self,
        found: &Endless,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<(), Reason> {
        let livelock = self.livelock(found, budget)?;
        let waits = self.best_waits(&found.waits);
        // Where both are true, a livelock says more.
        let switches = |it: NodeId| self.progress.frontier.switches(it);
        if let Some((node, violation)) = livelock
            && waits.is_none_or(|it| switches(node) <= switches(it[0]))
        {
            self.show_at(node, &violation, events);
            return Ok(());
        }
        let mut tried = Ok(());
        for node in waits.into_iter().flatten() {
            let state = self.knowledge.state_of(node);
            tried = match endless_wait(&self.setting.interpreter, &state, budget) {
                Ok(Some(violation)) => {
                    self.show_at(node, &violation, events);
                    return Ok(());
                }
                Ok(None) => Err(Reason::PossibleEndlessWait(EndlessWait::NotConfirmed)),
                Err(reason) => Err(reason),
            };
        }
        tried
    }

    /// A state of a livelock, if there is one.
    fn livelock(
        &mut self,
        found: &Endless,
        budget: &Budget,
    ) -> Result<Option<(NodeId, Violation)>, Reason> {
        let mut candidates = self.soonest(&found.livelocks);
        if self.setting.engine.order == Order::FewestSwitches {
            // If there is one at all, another of its states may be reached with fewer switches.
            let is_any = self.first_livelock(&candidates, budget)?.is_some();
            candidates = self.soonest(if is_any { &found.spinning } else { &[] });
        }
        self.first_livelock(&candidates, budget)
    }

    fn first_livelock(
        &mut self,
        candidates: &[NodeId],
        budget: &Budget,
    ) -> Result<Option<(NodeId, Violation)>, Reason> {
        for &node in candidates {
            let state = self.knowledge.state_of(node);
            if let Some(violation) = livelock(&self.setting.interpreter, &state, budget)? {
                return Ok(Some((node, violation)));
            }
        }
        Ok(None)
    }

    /// The same states, what is soon reached first.
    fn soonest(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut nodes = nodes.to_vec();
        let rank = |&node: &NodeId| {
            (
                self.progress.frontier.switches(node),
                self.knowledge.store.depth(node),
                node,
            )
        };
        nodes.sort_by_key(rank);
        nodes
    }

    /// Of states in which threads wait for ever: one that is soon reached and where all of them wait, and the last one. Fewer
    /// states come after that, so that they may be looked at if those after the first are too many.
    fn best_waits(&self, nodes: &[(NodeId, usize)]) -> Option<[NodeId; 2]> {
        let (last, _) = nodes.first()?;
        let rank = |&&(node, count): &&(NodeId, usize)| {
            let switches = self.progress.frontier.switches(node);
            (
                switches,
                Reverse(count),
                self.knowledge.store.depth(node),
                node,
            )
        };
        let first = nodes.iter().min_by_key(rank).map_or(*last, |it| it.0);
        Some([first, *last])
    }

    fn show_at(&mut self, node: NodeId, violation: &Violation, events: &mut dyn Events) {
        if self.beliefs.exchanges.is_some() {
            // The wait is there; a search without exchanges will find it under its own name.
            self.give_up_exchanges();
            return;
        }
        if !self.knowledge.store.has_links() {
            self.findings.links = LinkPolicy::Missed;
            return;
        }
        let place = Sighting {
            node,
            way: None,
            step: None,
            switches: self.progress.frontier.switches(node),
        };
        self.violated(violation, &place, events);
    }
}
