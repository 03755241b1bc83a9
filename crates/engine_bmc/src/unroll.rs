//! The unrolling: step by step, one thread runs one block.

use std::rc::Rc;

use raddle_base::{Arena, Id};
use raddle_encode::names::ThreadIndex;
use raddle_encode::state::{Local, Shared, Whereabouts};
use raddle_encode::{Encoder, Met};
use raddle_engine::Reduction;
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::TermId;

use crate::elsewhere::Elsewhere;
use crate::looks::Looks;
use crate::movers::Movers;
use crate::pending::Outcome;

/// What one step adds.
pub(crate) struct Step {
    /// Somebody takes it to its end.
    pub(crate) is_taken: TermId,
    pub(crate) met: Vec<Met>,
}

/// A step while it is built, thread by thread. No thread moves before all have run: conditions of one ask where the others
/// are.
struct Turns {
    /// What is shared after it.
    after: Shared,
    met: Vec<Met>,
    /// Which threads are in the middle of a transaction, and when.
    open: Vec<(ThreadIndex, TermId)>,
    runners: Arena<ThreadIndex, TermId>,
    is_taken: Vec<TermId>,
    moved: Arena<ThreadIndex, Whereabouts>,
    begun: Vec<(ThreadIndex, Local)>,
}

/// Executions of at most so many blocks, as terms.
pub(crate) struct Unrolling<'p> {
    pub(crate) encoder: Encoder<'p>,
    pub(crate) movers: Movers<'p>,
    /// Others go on before a step that ends the execution (B4).
    pub(crate) ends_before_violations: bool,
    pub(crate) step: usize,
    /// Who runs in each step.
    pub(crate) runners: Vec<Arena<ThreadIndex, TermId>>,
    /// What states are looked at for, and what the looks need.
    pub(crate) looks: Looks,
    pub(crate) shared: Shared,
    pub(crate) whereabouts: Arena<ThreadIndex, Whereabouts>,
    /// Where all but the running thread are.
    pub(crate) elsewhere: Rc<[Elsewhere]>,
}

impl<'p> Unrolling<'p> {
    /// From the state that a program starts in; `None` if it starts with something that is not modelled here.
    pub(crate) fn new(
        interpreter: &Interpreter<'p>,
        initial: &State,
        reduction: Reduction,
    ) -> Option<Self> {
        let (mut encoder, beginning) = Encoder::new(interpreter, initial)?;
        let looks = Looks::new(interpreter.semantics(), reduction);
        encoder.wanted = looks.wanted();
        Some(Self {
            movers: Movers::new(interpreter, reduction),
            ends_before_violations: false,
            encoder,
            step: 0,
            runners: Vec::new(),
            looks,
            shared: beginning.shared,
            whereabouts: beginning.whereabouts,
            elsewhere: Rc::from([]),
        })
    }

    /// Begins with any of the states; `None` if they are too many. Gives what the values have to fulfil.
    pub(crate) fn begin_anywhere(
        &mut self,
        interpreter: &Interpreter<'_>,
        states: &[State],
    ) -> Option<TermId> {
        self.encoder
            .begin_anywhere(&mut self.shared, interpreter, states)
    }

    /// One more step: every thread runs a block, one of them is chosen.
    pub(crate) fn extend(&mut self) -> Step {
        let before = self.shared.clone();
        let whereabouts = self.whereabouts.clone();
        let count = whereabouts.len();
        let width = usize::BITS - count.leading_zeros();
        let scheduled = self.encoder.terms.fresh_variable("thread", width);
        let recorded = self.encoder.records.len();
        let mut turns = Turns {
            after: before.clone(),
            met: self.look_at_state(),
            open: self.open_transactions(),
            runners: Arena::new(),
            is_taken: Vec::new(),
            moved: Arena::new(),
            begun: Vec::new(),
        };
        for (thread, from) in whereabouts.iter() {
            // Some thread always runs: the last, if it is none of the others.
            let runs = if thread.index() + 1 < count {
                self.encoder
                    .terms
                    .equals_constant(scheduled, thread.index() as u128)
            } else {
                let another = self.encoder.terms.any(turns.runners.values().as_slice());
                self.encoder.terms.not(another)
            };
            self.run(&mut turns, (thread, runs), from, &before);
        }
        let shown = self.look_at_meetings(&before, &whereabouts, recorded);
        turns.met.extend(shown);
        self.whereabouts = turns.moved;
        while self.whereabouts.len() < self.encoder.instances.len() {
            self.whereabouts.push(Whereabouts::new());
        }
        for (thread, local) in turns.begun {
            self.begin(thread, &local);
        }
        self.shared = turns.after;
        self.runners.push(turns.runners);
        self.step += 1;
        Step {
            is_taken: self.encoder.terms.any(&turns.is_taken),
            met: turns.met,
        }
    }

    /// A thread runs a block, if it is the one that is chosen.
    fn run(
        &mut self,
        turns: &mut Turns,
        (thread, runs): (ThreadIndex, TermId),
        from: &Whereabouts,
        before: &Shared,
    ) {
        turns.runners.push(runs);
        let others: Vec<TermId> = turns
            .open
            .iter()
            .filter(|(other, _)| *other != thread)
            .map(|(_, is_open)| *is_open)
            .collect();
        let must_wait = self.encoder.terms.any(&others);
        let may_run = self.encoder.terms.not(must_wait);
        let acts = self.encoder.terms.and(runs, may_run);
        let records = self.encoder.records.len();
        let Outcome {
            shared,
            exits,
            is_over,
            begun,
            met,
        } = self.block(thread, from, before);
        self.note_moves(&met);
        for met in met {
            let condition = self.encoder.terms.and(acts, met.condition);
            turns.met.push(Met { condition, ..met });
        }
        for record in &mut self.encoder.records[records..] {
            record.condition = self.encoder.terms.and(runs, record.condition);
        }
        let arrived: Vec<TermId> = exits
            .values()
            .map(|local| local.guard)
            .chain([is_over])
            .collect();
        let completes = self.encoder.terms.any(&arrived);
        turns.is_taken.push(self.encoder.terms.and(acts, completes));
        turns.after.merge(&mut self.encoder.terms, runs, &shared);
        let moved = self.moved(runs, from, exits);
        turns.moved.push(moved);
        for (started, local) in begun {
            let guard = self.encoder.terms.and(runs, local.guard);
            turns.begun.push((started, Local { guard, ..local }));
        }
    }

    /// Where a thread is after the step: where it was, or where its block led.
    fn moved(&mut self, runs: TermId, from: &Whereabouts, exits: Whereabouts) -> Whereabouts {
        let rests = self.encoder.terms.not(runs);
        let mut next = Whereabouts::new();
        for (place, local) in from {
            let guard = self.encoder.terms.and(rests, local.guard);
            if !self.encoder.terms.is_false(guard) {
                let local = local.clone();
                next.insert(place.clone(), Local { guard, ..local });
            }
        }
        for (place, local) in exits {
            let local = Local {
                guard: self.encoder.terms.and(runs, local.guard),
                ..local
            };
            if let Some(known) = next.get_mut(&place) {
                known.join(&mut self.encoder.terms, &local);
            } else {
                next.insert(place, local);
            }
        }
        next
    }

    /// Which threads are in the middle of a transaction, and when (DR §5: states that cut loops expose).
    fn open_transactions(&mut self) -> Vec<(ThreadIndex, TermId)> {
        let mut found = Vec::new();
        for (thread, places) in self.whereabouts.iter() {
            let open: Vec<TermId> = places
                .values()
                .map(|local| self.encoder.terms.and(local.guard, local.is_open))
                .collect();
            let is_open = self.encoder.terms.any(&open);
            if !self.encoder.terms.is_false(is_open) {
                found.push((thread, is_open));
            }
        }
        found
    }

    /// A thread begins where the guard holds.
    fn begin(&mut self, thread: ThreadIndex, local: &Local) {
        let place = self
            .encoder
            .places
            .start(self.encoder.instances[thread].function);
        let begun = &mut self.whereabouts[thread];
        if let Some(known) = begun.get_mut(&place) {
            known.join(&mut self.encoder.terms, local);
        } else {
            begun.insert(place, local.clone());
        }
    }
}
