//! The unrolling: step by step, one thread runs one block.

use std::rc::Rc;

use raddle_encode::state::{Local, Shared, Whereabouts};
use raddle_encode::{Encoder, Met};
use raddle_engine::{Property, Reduction};
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::TermId;

use crate::looks::Looks;
use crate::moving::Movers;
use crate::world::Elsewhere;

/// What one step adds.
pub(crate) struct Step {
    /// Somebody takes it to its end.
    pub(crate) is_taken: TermId,
    pub(crate) met: Vec<Met>,
}

/// Executions of at most so many blocks, as terms.
pub(crate) struct Unrolling<'p> {
    pub(crate) encoder: Encoder<'p>,
    pub(crate) movers: Movers<'p>,
    pub(crate) step: usize,
    /// Who runs in each step.
    pub(crate) runners: Vec<Vec<TermId>>,
    /// What states are looked at for, and what the looks need.
    pub(crate) looks: Looks,
    pub(crate) shared: Shared,
    pub(crate) whereabouts: Vec<Whereabouts>,
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
        encoder.notes.wanted.accesses = looks.has(Property::Race);
        encoder.notes.wanted.choices = looks.has(Property::Deadlock);
        Some(Self {
            movers: Movers::new(interpreter, reduction),
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
        let mut runners: Vec<TermId> = Vec::new();
        let mut is_taken = Vec::new();
        let mut after = before.clone();
        let recorded = self.encoder.records.len();
        let mut found = self.look_at_state();
        let mut begun = Vec::new();
        // Nobody moves before all have run: conditions of one ask where the others are.
        let mut moved = Vec::new();
        let open = self.open_transactions();
        for (thread, from) in whereabouts.iter().enumerate() {
            // Somebody always runs: the last, if it is none of the others.
            let runs = if thread + 1 < count {
                self.encoder
                    .terms
                    .equals_constant(scheduled, thread as u128)
            } else {
                let another = self.encoder.terms.any(&runners);
                self.encoder.terms.not(another)
            };
            runners.push(runs);
            let others: Vec<TermId> = open
                .iter()
                .filter(|(other, _)| *other != thread)
                .map(|(_, is_open)| *is_open)
                .collect();
            let must_wait = self.encoder.terms.any(&others);
            let may_run = self.encoder.terms.not(must_wait);
            let acts = self.encoder.terms.and(runs, may_run);
            let records = self.encoder.records.len();
            let outcome = self.block(thread, from, &before);
            self.note_moves();
            for met in std::mem::take(&mut self.encoder.met) {
                let condition = self.encoder.terms.and(acts, met.condition);
                found.push(Met { condition, ..met });
            }
            for record in &mut self.encoder.records[records..] {
                record.condition = self.encoder.terms.and(runs, record.condition);
            }
            let arrived: Vec<TermId> = outcome
                .exits
                .values()
                .map(|local| local.guard)
                .chain([outcome.is_over])
                .collect();
            let completes = self.encoder.terms.any(&arrived);
            is_taken.push(self.encoder.terms.and(acts, completes));
            after.merge(&mut self.encoder.terms, runs, &outcome.shared);
            let rests = self.encoder.terms.not(runs);
            let mut next = Whereabouts::new();
            for (place, local) in from {
                let guard = self.encoder.terms.and(rests, local.guard);
                if !self.encoder.terms.is_false(guard) {
                    let local = local.clone();
                    next.insert(place.clone(), Local { guard, ..local });
                }
            }
            for (place, local) in outcome.exits {
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
            moved.push(next);
            for (started, local) in std::mem::take(&mut self.encoder.begun) {
                let guard = self.encoder.terms.and(runs, local.guard);
                begun.push((started, Local { guard, ..local }));
            }
        }
        found.extend(self.look_at_meetings(&before, &whereabouts, recorded));
        for (thread, next) in moved.into_iter().enumerate() {
            self.whereabouts[thread] = next;
        }
        self.whereabouts
            .resize(self.encoder.instances.len(), Whereabouts::new());
        for (thread, local) in begun {
            self.begin(thread, &local);
        }
        self.shared = after;
        self.runners.push(runners);
        self.step += 1;
        Step {
            is_taken: self.encoder.terms.any(&is_taken),
            met: found,
        }
    }

    /// Which threads are in the middle of a transaction, and when (DR §5: states that cut loops expose).
    fn open_transactions(&mut self) -> Vec<(usize, TermId)> {
        let mut found = Vec::new();
        for (thread, places) in self.whereabouts.iter().enumerate() {
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
    fn begin(&mut self, thread: usize, local: &Local) {
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
