//! A state in the middle of a block, as conditions of movers ask about it.

use std::rc::Rc;

use raddle_base::Id;
use raddle_encode::guard::assuming;
use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::pointees::{Reach, pointees};
use raddle_encode::state::Shared;
use raddle_encode::sync::{State, THREAD_BITS};
use raddle_encode::values::Evaluation;
use raddle_encode::word::Word;
use raddle_ir::{Expression, RegisterId, Scalar};
use raddle_logic::TermId;
use raddle_reduce::dynamic::Surroundings;

use crate::elsewhere::{Elsewhere, View};
use crate::unroll::Unrolling;

/// Pairs of addresses that are told apart case by case.
const MOST_PAIRS: usize = 256;

pub(crate) struct Moment<'a, 'p> {
    pub(crate) unrolling: &'a mut Unrolling<'p>,
    pub(crate) shared: &'a Shared,
    pub(crate) thread: ThreadIndex,
    /// Under which condition the thread is here.
    pub(crate) guard: TermId,
    pub(crate) others: &'a Rc<[Elsewhere]>,
}

impl Moment<'_, '_> {
    /// What comes of an evaluation, and whether nothing goes wrong.
    fn evaluated(
        &mut self,
        view: &View,
        registers: &[Word],
        evaluate: impl FnOnce(&mut Evaluation<'_>) -> Word,
    ) -> (TermId, TermId) {
        let program = self.unrolling.encoder.program;
        let instance = self.unrolling.encoder.instances[view.thread].clone();
        let guard = self.unrolling.encoder.terms.truth(true);
        let mut evaluation = Evaluation {
            terms: &mut self.unrolling.encoder.terms,
            program,
            types: &program.functions[view.function].registers,
            registers,
            thread: instance.number,
            locals: &instance.locals,
            names: &mut self.unrolling.encoder.names,
            guard,
            hazards: Vec::new(),
            overflows: Vec::new(),
            observes_layout: false,
            doubts_numbers: false,
            touched: Vec::new(),
        };
        let word = evaluate(&mut evaluation);
        let is_fine = evaluation.guard;
        let is_sound = self.unrolling.encoder.terms.and(is_fine, word.is_defined);
        (word.bits, is_sound)
    }

    /// The addresses that a pointer may be, if they can be counted.
    fn addresses(&self, pointer: TermId) -> Option<Vec<(ObjectName, u64)>> {
        let model = self.unrolling.encoder.program.model;
        let found = pointees(&self.unrolling.encoder.terms, pointer, model)?;
        found
            .into_iter()
            .map(|(object, reach)| match reach {
                Reach::At(offset) => Some((object, offset)),
                Reach::Anywhere { .. } => None,
            })
            .collect()
    }
}

impl Surroundings for Moment<'_, '_> {
    type Truth = TermId;
    type Word = TermId;
    type Frame = View;

    fn truth(&mut self, value: bool) -> TermId {
        self.unrolling.encoder.terms.truth(value)
    }

    fn and(&mut self, one: TermId, other: TermId) -> TermId {
        self.unrolling.encoder.terms.and(one, other)
    }

    fn or(&mut self, one: TermId, other: TermId) -> TermId {
        self.unrolling.encoder.terms.or(one, other)
    }

    fn not(&mut self, truth: TermId) -> TermId {
        self.unrolling.encoder.terms.not(truth)
    }

    fn is_true(&self, truth: TermId) -> bool {
        self.unrolling.encoder.terms.is_true(truth)
    }

    fn is_false(&self, truth: TermId) -> bool {
        self.unrolling.encoder.terms.is_false(truth)
    }

    fn constant(&mut self, bits: u128, ty: Scalar) -> TermId {
        let width = self.unrolling.encoder.width(ty);
        self.unrolling.encoder.terms.constant(bits, width)
    }

    fn evaluate(
        &mut self,
        view: &View,
        expression: &Expression,
        filled: &[(RegisterId, TermId)],
    ) -> Option<(TermId, TermId)> {
        if filled.is_empty() {
            let registers = Rc::clone(&view.registers);
            return Some(self.evaluated(view, &registers, |it| it.value(expression)));
        }
        let mut registers = view.registers.to_vec();
        for (register, bits) in filled {
            registers[register.index()] = Word::defined(&mut self.unrolling.encoder.terms, *bits);
        }
        Some(self.evaluated(view, &registers, |it| it.value(expression)))
    }

    fn load(&mut self, address: TermId, ty: Scalar) -> Option<(TermId, TermId)> {
        let size = ty.size(self.unrolling.encoder.program.model);
        let memory = self.shared.memory.clone();
        // Nothing of the frame matters.
        let view = View {
            thread: self.thread,
            function: self.unrolling.encoder.instances[self.thread].function,
            registers: Rc::from([]),
        };
        Some(self.evaluated(&view, &[], |it| {
            let targets = memory.locate(it, address, size);
            memory.load(it, &targets, ty)
        }))
    }

    fn are_apart(
        &mut self,
        (one, size): (TermId, Option<u64>),
        (other, other_size): (TermId, Option<u64>),
    ) -> TermId {
        let model = self.unrolling.encoder.program.model;
        let overlap = |(object, offset): (ObjectName, u64), (another, start): (ObjectName, u64)| {
            object == another
                && match (size, other_size) {
                    (Some(size), Some(other_size)) => {
                        offset < start + other_size && start < offset + size
                    }
                    _ => true,
                }
        };
        if let (Some(ones), Some(others)) = (self.addresses(one), self.addresses(other))
            && ones.len() * others.len() <= MOST_PAIRS
        {
            let mut together = Vec::new();
            for a in &ones {
                for b in &others {
                    if overlap(*a, *b) {
                        let terms = &mut self.unrolling.encoder.terms;
                        let here = a.0.pointer(a.1, model);
                        let there = b.0.pointer(b.1, model);
                        let is_here = terms.equals_constant(one, here);
                        let is_there = terms.equals_constant(other, there);
                        together.push(terms.and(is_here, is_there));
                    }
                }
            }
            let overlaps = self.unrolling.encoder.terms.any(&together);
            return self.unrolling.encoder.terms.not(overlaps);
        }
        let terms = &mut self.unrolling.encoder.terms;
        let width = terms.width(one);
        let (Some(size), Some(other_size)) = (size, other_size) else {
            return terms.truth(false);
        };
        // Neither begins within the other.
        let ahead = terms.subtract(other, one);
        let behind = terms.subtract(one, other);
        let size = terms.constant(u128::from(size), width);
        let other_size = terms.constant(u128::from(other_size), width);
        let is_after = terms.less_equal_unsigned(size, ahead);
        let is_before = terms.less_equal_unsigned(other_size, behind);
        terms.and(is_after, is_before)
    }

    fn differs(&mut self, address: TermId, ty: Scalar, value: TermId) -> TermId {
        let Some((held, is_sound)) = self.load(address, ty) else {
            return self.truth(false);
        };
        let differs = self.unrolling.encoder.terms.differ(held, value);
        self.unrolling.encoder.terms.and(is_sound, differs)
    }

    fn holds(&mut self, lock: TermId) -> TermId {
        let model = self.unrolling.encoder.program.model;
        let mut held = Vec::new();
        let pointees = pointees(&self.unrolling.encoder.terms, lock, model).unwrap_or_default();
        let places = pointees.into_iter().flat_map(|(number, reach)| {
            let object = self.shared.memory.objects.get(&number);
            object.into_iter().flat_map(move |object| {
                let syncs = object.syncs.iter();
                let reached = syncs.filter(move |(offset, _)| reach.covers(**offset));
                reached.map(move |(offset, sync)| (number, *offset, object, sync))
            })
        });
        for (number, offset, object, sync) in places {
            let owner = match &sync.state {
                State::Mutex { owner, .. } => *owner,
                State::ReadWriteLock { writer, .. } => *writer,
                State::Monitor(monitor) => monitor.owner,
                State::Condition { .. }
                | State::Semaphore { .. }
                | State::Barrier { .. }
                | State::Other => continue,
            };
            let terms = &mut self.unrolling.encoder.terms;
            let address = number.pointer(offset, model);
            let own = terms.constant(self.thread.in_terms(), THREAD_BITS);
            let conditions = [
                terms.equals_constant(lock, address),
                object.is_live,
                sync.exists,
                terms.equal(owner, own),
            ];
            held.push(terms.all(&conditions));
        }
        self.unrolling.encoder.terms.any(&held)
    }

    fn given(&mut self, truth: TermId, condition: TermId) -> TermId {
        assuming(
            &mut self.unrolling.encoder.terms,
            truth,
            &[self.guard, condition],
        )
    }

    fn others(&mut self) -> Rc<[Elsewhere]> {
        Rc::clone(self.others)
    }
}
