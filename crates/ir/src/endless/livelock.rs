//! Livelocks: threads run, and none of them can ever go on.
//!
//! A set of states that lead to one another and to nothing else is a livelock if in it
//!
//! - the process does not end, no step stops the execution, and nobody stands at an assume that does not hold;
//! - no memory changes but what is a thread's own: locals of its frames and thread-local globals that no other looks at;
//! - nobody writes output;
//! - every thread has ended, waits, or *spins*, and one does. A thread spins if a branch that it comes to depends on a value
//!   that it loads on its way round, and has another side, to which it never comes. A side that leads to nothing but a
//!   failure is none.
//!
//! Where memory does not change, nobody notices what the others do, so each thread is looked at alone: whoever comes back from
//! everywhere that it gets to, does so among all others, whatever these do meanwhile.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::action::{Action, Callee};
use crate::expression::Expression;
use crate::program::{EdgeId, FunctionId, RegisterId};

use super::spinning::Spinning;
use super::stuck::Leave;
use crate::interpret::Wait;
use crate::interpret::state::{Object, ObjectNumber, State, Storage, Thread, ThreadNumber};
use crate::interpret::{
    Effect, Interpreter, MemoryAccess, Outcome, Property, Successor, ThreadOptions, Violation,
};

type Place = (FunctionId, EdgeId);

/// All that a thread can do while the others stand still.
#[derive(Default)]
struct Round {
    /// The edges that it takes, and the objects that are read on each.
    taken: BTreeMap<Place, BTreeSet<ObjectNumber>>,
    /// Its own memory that changes.
    changed: BTreeSet<ObjectNumber>,
    accessed: BTreeSet<ObjectNumber>,
}

impl Round {
    /// Takes note of what a thread looks at, on ways that it can take and on those that it cannot.
    fn look(&mut self, options: &ThreadOptions) {
        let steps = options.successors.iter().flat_map(|it| &it.accesses);
        let object = |it: &MemoryAccess| it.object;
        self.accessed.extend(steps.map(object));
        self.accessed
            .extend(options.blocked.accesses.iter().map(object));
        self.accessed
            .extend(options.blocked_reads.iter().map(object));
        self.accessed
            .extend(options.blocked.objects.iter().map(|it| it.0));
    }

    /// The functions that a call may lead to on the way round.
    fn called(&self, callee: &Callee) -> BTreeSet<FunctionId> {
        match callee {
            Callee::Direct(function) => BTreeSet::from([*function]),
            Callee::Indirect(_) => self.taken.keys().map(|it| it.0).collect(),
        }
    }

    fn take(&mut self, successor: &Successor) {
        let read = |effect: &Effect| match effect {
            Effect::Read { object, .. } | Effect::Synchronize { object, .. } => Some(*object),
            Effect::Write { .. }
            | Effect::Allocate { .. }
            | Effect::Measure { .. }
            | Effect::Free { .. }
            | Effect::Spawn { .. }
            | Effect::UnitBegin { .. }
            | Effect::UnitEnd { .. }
            | Effect::Emit { .. }
            | Effect::Set { .. }
            | Effect::ObserveLayout
            | Effect::End { .. } => None,
        };
        for part in &successor.step.parts {
            let objects = self.taken.entry((part.function, part.edge)).or_default();
            objects.extend(successor.effects.iter().filter_map(read));
        }
    }
}

impl Interpreter<'_> {
    /// Whether a thread that stands so may be in a loop that changes no memory.
    pub(crate) fn may_spin(&self, thread: &Thread) -> bool {
        self.spinning().may_spin(thread)
    }

    fn spinning(&self) -> &Spinning {
        self.spinning.get_or_init(|| Spinning::new(self.program))
    }

    /// The livelock that this state belongs to, if there is one: of a closed set every state does.
    ///
    /// # Errors
    ///
    /// If there is no leave to look at so much.
    pub fn livelock<E>(
        &self,
        state: &State,
        leave: &mut Leave<'_, E>,
    ) -> Result<Option<Violation>, E> {
        let patient = self.patient();
        let mut looked = 0;
        let mut rounds: Vec<Round> = Vec::new();
        let mut spinning = Vec::new();
        if state.has_ended {
            return Ok(None);
        }
        for (&number, thread) in &state.threads {
            if thread.frames.is_empty() {
                continue;
            }
            let options = patient.thread_options(state, number);
            if options.successors.is_empty() {
                if options.waits.iter().all(|it| *it == Wait::Assume) {
                    return Ok(None);
                }
                let mut round = Round::default();
                round.look(&options);
                rounds.push(round);
            } else {
                if !patient.may_spin(thread) {
                    return Ok(None);
                }
                let Some(round) = patient.round(state, number, &mut looked, leave)? else {
                    return Ok(None);
                };
                if !patient.is_spin(state, &round) {
                    return Ok(None);
                }
                spinning.push(number);
                rounds.push(round);
            }
        }
        let looks_at_others = |at: usize| {
            let others = || rounds.iter().enumerate().filter(|it| it.0 != at);
            others().any(|(_, other)| !rounds[at].changed.is_disjoint(&other.accessed))
        };
        if spinning.is_empty() || (0..rounds.len()).any(looks_at_others) {
            return Ok(None);
        }
        Ok(Some(patient.livelock_of(state, &spinning)))
    }

    /// What a thread does while the others stand still, if it never changes what they see and always comes back.
    fn round<E>(
        &self,
        start: &State,
        thread: ThreadNumber,
        looked: &mut usize,
        leave: &mut Leave<'_, E>,
    ) -> Result<Option<Round>, E> {
        let mut round = Round::default();
        let start = Arc::new(start.clone());
        let mut numbers = HashMap::from([(Arc::clone(&start), 0)]);
        let mut before: Vec<Vec<usize>> = vec![Vec::new()];
        let mut open = vec![Arc::clone(&start)];
        while let Some(state) = open.pop() {
            *looked += 1;
            leave(*looked)?;
            let from = numbers[&state];
            let options = self.thread_options(&state, thread);
            round.look(&options);
            for successor in options.successors {
                if successor.effects.iter().any(is_outward) {
                    return Ok(None);
                }
                round.take(&successor);
                let next = match successor.outcome {
                    Outcome::Next(next) => Arc::new(next),
                    Outcome::Stopped(_) => return Ok(None),
                };
                let Some(changed) = changes(&start, &next, thread) else {
                    return Ok(None);
                };
                round.changed.extend(changed);
                let number = *numbers.entry(Arc::clone(&next)).or_insert_with(|| {
                    before.push(Vec::new());
                    open.push(next);
                    before.len() - 1
                });
                before[number].push(from);
            }
        }
        Ok(comes_back(&before).then_some(round))
    }

    /// Whether a branch depends on something loaded, and has another side.
    fn is_spin(&self, state: &State, round: &Round) -> bool {
        let learnt = self.learnt(state, round);
        let mut branches = round.taken.keys();
        branches.any(|&(function, edge)| {
            let from = self.program.edge(function, edge).from;
            let mut sides = self.program.outgoing(function, from).iter();
            sides.any(|&side| {
                let action = &self.program.edge(function, side).action;
                matches!(action, Action::Assume { condition } if mentions(condition, function, &learnt))
                    && !round.taken.contains_key(&(function, side))
                    && self.spinning().leads_on(self.program, function, side)
            })
        })
    }

    /// The registers whose values depend on memory that does not change, whatever way is taken.
    fn learnt(&self, state: &State, round: &Round) -> BTreeSet<(FunctionId, RegisterId)> {
        let mut learnt = BTreeSet::new();
        let mut keeps_learnt = false;
        loop {
            let before = (learnt.len(), keeps_learnt);
            for (&(function, edge), objects) in &round.taken {
                let is_kept = |it: &ObjectNumber| {
                    state.objects.contains_key(it) && !round.changed.contains(it)
                };
                let loads = keeps_learnt || objects.iter().any(is_kept);
                let from = |it: &Expression| mentions(it, function, &learnt);
                let mut targets: Vec<(FunctionId, RegisterId)> = Vec::new();
                match &self.program.edge(function, edge).action {
                    Action::Load { target, .. } if loads => targets.push((function, *target)),
                    Action::ReadModifyWrite { target, .. } if loads => {
                        targets.extend(target.map(|it| (function, it)));
                    }
                    Action::CompareExchange {
                        previous, success, ..
                    } if loads => {
                        let both = previous.iter().chain(success);
                        targets.extend(both.map(|it| (function, *it)));
                    }
                    Action::Sync { result, .. } => targets.extend(result.map(|it| (function, it))),
                    Action::Assign { target, value } if from(value) => {
                        targets.push((function, *target));
                    }
                    Action::Store { value, .. } => keeps_learnt |= from(value),
                    Action::Call {
                        callee, arguments, ..
                    } => {
                        for callee in round.called(callee) {
                            let parameters = self.program.functions[callee].parameter_ids();
                            let known = parameters.zip(arguments).filter(|it| from(it.1));
                            targets.extend(known.map(|it| (callee, it.0)));
                        }
                    }
                    Action::Return { value } if value.as_ref().is_some_and(from) => {
                        targets.extend(self.results_of(function, round));
                    }
                    Action::Load { .. }
                    | Action::ReadModifyWrite { .. }
                    | Action::CompareExchange { .. }
                    | Action::Assign { .. }
                    | Action::Return { .. }
                    | Action::Havoc { .. }
                    | Action::Assume { .. }
                    | Action::Assert { .. }
                    | Action::Allocate { .. }
                    | Action::Size { .. }
                    | Action::Free { .. }
                    | Action::Init { .. }
                    | Action::Destroy { .. }
                    | Action::Spawn { .. }
                    | Action::Join { .. }
                    | Action::Detach { .. }
                    | Action::ExitThread { .. }
                    | Action::EndProcess { .. }
                    | Action::AtomicBegin { .. }
                    | Action::AtomicEnd
                    | Action::UnitBegin { .. }
                    | Action::UnitEnd { .. }
                    | Action::Fence { .. }
                    | Action::Emit { .. }
                    | Action::Unsupported { .. } => {}
                }
                learnt.extend(targets);
            }
            if (learnt.len(), keeps_learnt) == before {
                return learnt;
            }
        }
    }

    /// Where the result of a function goes on the way round.
    fn results_of(&self, function: FunctionId, round: &Round) -> Vec<(FunctionId, RegisterId)> {
        let mut targets = Vec::new();
        for &(caller, edge) in round.taken.keys() {
            if let Action::Call {
                target: Some(target),
                callee,
                ..
            } = &self.program.edge(caller, edge).action
                && round.called(callee).contains(&function)
            {
                targets.push((caller, *target));
            }
        }
        targets
    }

    fn livelock_of(&self, state: &State, spinning: &[ThreadNumber]) -> Violation {
        let running = state.threads.iter().filter(|it| !it.1.frames.is_empty());
        let running: Vec<ThreadNumber> = running.map(|it| *it.0).collect();
        let deed = |thread: ThreadNumber| {
            if spinning.contains(&thread) {
                "spins".to_owned()
            } else {
                format!("waits for {}", self.waits(state, thread).join(" or "))
            }
        };
        Violation {
            property: Property::Deadlock,
            message: "livelock: no thread can ever go on".to_owned(),
            labels: self.where_they_stand(state, &running, deed),
            span: None,
        }
    }
}

/// Whether a step is noticed outside, or does more than a round may.
fn is_outward(effect: &Effect) -> bool {
    match effect {
        Effect::Emit { .. } | Effect::Spawn { .. } | Effect::End { .. } | Effect::ObserveLayout => {
            true
        }
        Effect::Read { .. }
        | Effect::Write { .. }
        | Effect::Synchronize { .. }
        | Effect::Allocate { .. }
        | Effect::Measure { .. }
        | Effect::Free { .. }
        | Effect::UnitBegin { .. }
        | Effect::UnitEnd { .. }
        | Effect::Set { .. } => false,
    }
}

/// What a thread has changed of its own memory between two states; `None` if it has changed anything else, or has ended.
fn changes(start: &State, now: &State, thread: ThreadNumber) -> Option<Vec<ObjectNumber>> {
    if now.has_ended || start.places != now.places || start.threads.len() != now.threads.len() {
        return None;
    }
    for (number, content) in &now.threads {
        let known = start.threads.get(number)?;
        if *number == thread {
            if content.frames.is_empty() {
                return None;
            }
        } else if !Arc::ptr_eq(content, known) && content != known {
            return None;
        }
    }
    let own = &start.threads[&thread];
    let is_own = |number: &ObjectNumber, object: &Object| match object.storage {
        Storage::Stack => {
            let mut frames = own.frames.iter();
            !object.is_live || frames.any(|it| it.stack_objects.contains(number))
        }
        Storage::ThreadLocal => own.locals.contains(number),
        Storage::Global | Storage::Heap => false,
    };
    let mut changed = Vec::new();
    for (number, object) in &start.objects {
        let later = now.objects.get(number);
        if later.is_some_and(|later| Arc::ptr_eq(later, object) || later == object) {
            continue;
        }
        if !is_own(number, object) {
            return None;
        }
        changed.push(*number);
    }
    let mut new = now
        .objects
        .iter()
        .filter(|it| !start.objects.contains_key(it.0));
    new.all(|(_, object)| object.storage == Storage::Stack)
        .then_some(changed)
}

/// Whether the first state can be reached from all, by what comes before each.
fn comes_back(before: &[Vec<usize>]) -> bool {
    let mut seen = vec![false; before.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(&before[at]);
        }
    }
    seen.into_iter().all(|it| it)
}

fn mentions(
    expression: &Expression,
    function: FunctionId,
    registers: &BTreeSet<(FunctionId, RegisterId)>,
) -> bool {
    let mut found = false;
    expression.for_each_register(&mut |it| found |= registers.contains(&(function, it)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_comes_back_if_it_does_so_from_everywhere() {
        assert!(comes_back(&[vec![1], vec![0]]));
        assert!(!comes_back(&[vec![0], vec![0, 1]]));
    }
}
