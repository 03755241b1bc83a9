//! Threads that join others in a row.
//!
//! A thread that holds the names of threads can tell them apart, and does so when it joins them one after the other: it goes on past
//! the first as soon as that one has ended. But if it does nothing in between that another thread can see, it is as if it waited
//! for all of them together, and then which is which makes no difference.
//!
//! What a thread will do is found out by letting it go on by itself, as if all others had ended. This is what it does in
//! every execution if
//!
//! - it has no choice, and looks at nothing but its registers and memory that is private to it;
//! - before its first join in the row it writes to no other memory either, and shows such memory to nobody: it may start threads;
//! - in the row it only reads and computes, and no object ends. The results of the threads are not for it, and nobody else
//!   loses something with them: they are no pointers (see [`Symmetry::admits`](super::Symmetry::admits));
//! - nobody waits for it: it holds no lock. Else whether there is a deadlock may depend on whom it waits for.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_base::FastMap;
use raddle_ir::Action;
use raddle_ir::interpret::{
    Effect, Interpreter, Object, ObjectNumber, Outcome, State, Successor, Thread, ThreadNumber,
    Value,
};
use raddle_stepper::renaming::ThreadNames;

use crate::history::Configuration;
use crate::keys::held_locks;

use super::owners::Owners;

/// How far ahead is looked.
const MOST_STEPS: usize = 2_000;
/// How many answers are kept.
const MOST_RUNS: usize = 1 << 12;

/// What a joiner will do follows from this.
type JoinersOf = (
    ThreadNumber,
    Arc<Thread>,
    Vec<(ObjectNumber, Arc<Object>)>,
    Vec<(ThreadNumber, bool)>,
);

/// What joiners will do.
#[derive(Debug, Default)]
pub(super) struct Runs {
    known: FastMap<JoinersOf, Vec<ThreadNumber>>,
}

impl Runs {
    /// The threads that this one will join in a row, in order.
    pub(super) fn row(
        &mut self,
        interpreter: &Interpreter<'_>,
        owners: &Owners,
        configuration: &Configuration,
        joiner: ThreadNumber,
    ) -> Vec<ThreadNumber> {
        let state = &configuration.state;
        if !held_locks(state, joiner).is_empty() {
            return Vec::new();
        }
        let Some(thread) = state.threads.unobserved().get(&joiner) else {
            return Vec::new();
        };
        let objects = state.objects.unobserved().iter();
        let own = Own {
            owners,
            configuration,
            joiner,
        };
        let known = (
            joiner,
            Arc::clone(thread),
            objects
                .filter(|(number, _)| own.has(**number))
                .map(|(number, object)| (*number, Arc::clone(object)))
                .collect(),
            state
                .threads
                .unobserved()
                .iter()
                .map(|(number, it)| (*number, it.is_detached))
                .collect(),
        );
        if let Some(row) = self.known.get(&known) {
            return row.clone();
        }
        if self.known.len() >= MOST_RUNS {
            self.known.clear();
        }
        let row = look_ahead(interpreter, own);
        self.known.insert(known, row.clone());
        row
    }
}

/// What only the joiner can reach.
#[derive(Clone, Copy)]
struct Own<'a> {
    owners: &'a Owners,
    configuration: &'a Configuration,
    joiner: ThreadNumber,
}

impl Own<'_> {
    fn has(self, object: ObjectNumber) -> bool {
        self.owners.owner(self.configuration, object) == Some(self.joiner)
    }
}

fn look_ahead(interpreter: &Interpreter<'_>, own: Own<'_>) -> Vec<ThreadNumber> {
    let joiner = own.joiner;
    let mut state = alone(&own.configuration.state, joiner);
    let mut row = Vec::new();
    for _ in 0..MOST_STEPS {
        let options = interpreter.thread_options(&state, joiner);
        let [successor] = &options.successors[..] else {
            break;
        };
        if options.waits_for_others || !is_unseen(own, successor, &row) {
            break;
        }
        let Outcome::Next(next) = &successor.outcome else {
            break;
        };
        let goes_on = |it: &Arc<Thread>| !it.frames.is_empty();
        let is_over = !next.threads.get(&joiner).is_some_and(goes_on);
        if next.has_ended || is_over || shows_own(interpreter, own, next) {
            break;
        }
        let now = next.threads.unobserved();
        let before = state.threads.unobserved().keys();
        let gone: Vec<ThreadNumber> = before.filter(|it| !now.contains_key(it)).copied().collect();
        if !gone.is_empty() && !is_join(interpreter, successor) {
            break;
        }
        let is_in_row = !row.is_empty() || !gone.is_empty();
        // A frame that ends takes its objects with it.
        let keeps_all = || {
            state.objects.unobserved() == next.objects.unobserved()
                && keeps_pointers(interpreter, &state, next, joiner)
        };
        if is_in_row && !keeps_all() {
            break;
        }
        row.extend(gone);
        state = alone(next, joiner);
    }
    row
}

/// The state as if all others had ended.
fn alone(state: &State, joiner: ThreadNumber) -> State {
    let threads = state.threads.unobserved().iter();
    let threads = threads.map(|(number, thread)| {
        if *number == joiner || thread.frames.is_empty() {
            return (*number, Arc::clone(thread));
        }
        let ended = Thread {
            frames: Vec::new(),
            result: Value::Undefined,
            result_type: None,
            woken: None,
            ..(**thread).clone()
        };
        (*number, Arc::new(ended))
    });
    State {
        threads: threads.collect(),
        ..state.clone()
    }
}

/// Whether nobody else can see the step, nor have to do with what it does.
fn is_unseen(own: Own<'_>, successor: &Successor, row: &[ThreadNumber]) -> bool {
    let is_own = |object: &ObjectNumber| own.has(*object);
    let is_in_row = !row.is_empty();
    successor.violations.is_empty()
        && successor.step.parts.len() == 1
        && successor.effects.iter().all(|effect| match effect {
            Effect::Read { object, .. } => is_own(object),
            Effect::Write { object, .. } => is_own(object) && !is_in_row,
            Effect::Spawn { .. } => !is_in_row,
            Effect::Set { .. } => true,
            Effect::Synchronize { .. }
            | Effect::Allocate { .. }
            | Effect::Measure { .. }
            | Effect::Free { .. }
            | Effect::UnitBegin { .. }
            | Effect::UnitEnd { .. }
            | Effect::Emit { .. }
            | Effect::ObserveLayout
            | Effect::End { .. } => false,
        })
}

/// Whether another thread gets hold of memory that is private to the joiner, or of the name of a thread.
fn shows_own(interpreter: &Interpreter<'_>, own: Own<'_>, next: &State) -> bool {
    let known = own.configuration.state.threads.unobserved();
    let threads = next.threads.unobserved().iter();
    let mut new = threads.filter(|(number, _)| !known.contains_key(number));
    new.any(|(_, thread)| {
        let names = ThreadNames::of(interpreter.program(), thread);
        let mut pointers = names.pointers.iter();
        pointers.any(|it| own.has(*it)) || names.threads.iter().any(|it| known.contains_key(it))
    })
}

/// A join whose result nobody wants.
fn is_join(interpreter: &Interpreter<'_>, successor: &Successor) -> bool {
    successor.step.parts.iter().all(|part| {
        let edge = interpreter.program().edge(part.function, part.edge);
        matches!(edge.action, Action::Join { target: None, .. })
    })
}

/// Whether the joiner still points to what it pointed to: else memory may be lost while others run.
fn keeps_pointers(
    interpreter: &Interpreter<'_>,
    before: &State,
    after: &State,
    joiner: ThreadNumber,
) -> bool {
    let pointers = |state: &State| -> BTreeSet<ObjectNumber> {
        let thread = &state.threads.unobserved()[&joiner];
        let names = ThreadNames::of(interpreter.program(), thread);
        names.pointers.into_iter().chain(names.numbers).collect()
    };
    pointers(after).is_superset(&pointers(before))
}
