//! Threads begin, end and are waited for, as terms.

use raddle_engine::Property;
use raddle_ir::{Callee, Expression, NamePlace, RegisterId, Scalar};
use raddle_logic::TermId;

use crate::encoder::Encoder;
use crate::hazard::Hazard;
use crate::memory::Target;
use crate::names::ThreadIndex;
use crate::state::{Frame, Local};
use crate::taking::{Onward, Taking};
use crate::touch::{Atomicity, Mode};
use crate::word::Word;

impl Encoder<'_> {
    pub fn spawn(
        &mut self,
        taking: &mut Taking<'_>,
        target: Option<RegisterId>,
        place: Option<&NamePlace>,
        (callee, arguments): (&Callee, &[Expression]),
    ) {
        let program = self.program;
        let never = self.terms.truth(false);
        let Some(callee) = self.callee(taking, callee, arguments, None) else {
            taking.local.guard = never;
            return;
        };
        let mut registers: Vec<Word> = self.evaluate(taking, |it| {
            arguments
                .iter()
                .map(|argument| it.value(argument))
                .collect()
        });
        for register in program.functions[callee]
            .registers
            .values()
            .skip(registers.len())
        {
            let width = self.width(register.ty);
            registers.push(Word::undefined(&mut self.terms, width));
        }
        let cells = place.map(|place| self.name_cells(taking, place));
        let begins_at_exit = {
            let function = &program.functions[callee];
            function.entry == function.exit
        };
        if begins_at_exit {
            let what = "a thread that does nothing".to_owned();
            self.require(taking, never, Hazard::Unsupported(what));
            return;
        }
        let Some(thread) = self.thread_at(taking.thread, taking.place, taking.edge, callee) else {
            self.require(taking, never, Hazard::ThreadLimit);
            return;
        };
        let guard = taking.local.guard;
        self.make_locals(taking.shared, guard, thread);
        let exists = self.link(taking.shared, thread).exists;
        let exists = self.terms.or(exists, guard);
        self.link(taking.shared, thread).exists = exists;
        let mut frame = Frame {
            registers,
            stack_objects: Vec::new(),
        };
        self.clear_frame(&mut frame, callee, program.functions[callee].entry);
        let is_open = self.terms.truth(false);
        taking.noted.begun = Some((
            thread,
            Local {
                guard,
                is_open,
                frames: vec![frame],
                units: Some(Vec::new()),
            },
        ));
        let number = self.instances[thread].number;
        let width = self.width(Scalar::Thread);
        let bits = self.terms.constant(number, width);
        self.set_number(taking, target, bits);
        if let (Some(place), Some(cells)) = (place, cells) {
            let word = Word::defined(&mut self.terms, bits);
            let mut memory = std::mem::take(&mut taking.shared.memory);
            let size = place.ty.size(program.model);
            self.evaluate(taking, |it| {
                let always = it.terms.truth(true);
                it.touch(&cells, size, always, (Mode::Write, Atomicity::Plain));
                memory.store(it, &cells, place.ty, word);
            });
            taking.shared.memory = memory;
        }
    }

    /// The cells that the name of a new thread may be stored to.
    fn name_cells(&mut self, taking: &mut Taking<'_>, place: &NamePlace) -> Vec<Target> {
        let memory = std::mem::take(&mut taking.shared.memory);
        let size = place.ty.size(self.program.model);
        let cells = self.evaluate(taking, |it| {
            let pointer = it.bits(&place.address);
            memory.locate_to_write(it, pointer, size)
        });
        taking.shared.memory = memory;
        cells
    }

    /// The threads that a name may mean, each with the condition; elsewhere something is wrong.
    pub fn joinable(
        &mut self,
        taking: &mut Taking<'_>,
        thread: &Expression,
    ) -> Vec<(ThreadIndex, TermId)> {
        let name = self.evaluate(taking, |it| it.value(thread));
        let bits = name.bits;
        let mut found = Vec::new();
        for number in taking.shared.links.ids() {
            let link = taking.shared.links[number].clone();
            let is_this = self
                .terms
                .equals_constant(bits, self.instances[number].number);
            let is_kept = self.terms.not(link.is_detached);
            let condition = self
                .terms
                .all(&[name.is_defined, is_this, link.exists, is_kept]);
            if !self.terms.is_false(condition) {
                found.push((number, condition));
            }
        }
        let conditions: Vec<TermId> = found.iter().map(|it| it.1).collect();
        let is_one = self.terms.any(&conditions);
        self.require(taking, is_one, Hazard::Violation(Property::LockMisuse));
        found
    }

    pub fn join_thread(
        &mut self,
        taking: &mut Taking<'_>,
        thread: &Expression,
        target: Option<RegisterId>,
    ) {
        let found = self.joinable(taking, thread);
        let mut ready = Vec::new();
        for (number, condition) in &found {
            let ended = taking.shared.links[*number].has_ended;
            ready.push(self.terms.and(*condition, ended));
        }
        let is_ready = self.terms.any(&ready);
        self.narrow(taking, is_ready);
        let mut word = None;
        for (number, condition) in found {
            let link = taking.shared.links[number].clone();
            if let Some(target) = target {
                let function = taking.place.top().function;
                let wanted = self.program.functions[function].registers[target].ty;
                let is_other = link.result.is_some_and(|(ty, _)| ty != wanted);
                if link.has_mixed_results {
                    // Nobody keeps which of them it is.
                    let fine = self.terms.not(condition);
                    let what = "the result of a thread that may be of several types".to_owned();
                    self.require(taking, fine, Hazard::Unsupported(what));
                } else if is_other {
                    let fine = self.terms.not(condition);
                    self.require(taking, fine, Hazard::Violation(Property::Undefined));
                }
                let width = self.width(wanted);
                let given = match link.result {
                    Some((ty, word)) if ty == wanted => word,
                    Some(_) | None => Word::undefined(&mut self.terms, width),
                };
                word = Some(match word {
                    None => given,
                    Some(other) => Word::choose(&mut self.terms, condition, given, other),
                });
            }
            let taken = self.terms.and(taking.local.guard, condition);
            let kept = self.terms.not(taken);
            let exists = self.terms.and(link.exists, kept);
            taking.shared.links[number].exists = exists;
        }
        if let (Some(target), Some(word)) = (target, word) {
            taking.set(target, word);
        }
    }

    pub fn detach(&mut self, taking: &mut Taking<'_>, thread: &Expression) {
        for (number, condition) in self.joinable(taking, thread) {
            let taken = self.terms.and(taking.local.guard, condition);
            let link = taking.shared.links[number].clone();
            let is_detached = self.terms.or(link.is_detached, taken);
            let forgotten = self.terms.and(taken, link.has_ended);
            let kept = self.terms.not(forgotten);
            let exists = self.terms.and(link.exists, kept);
            let link = &mut taking.shared.links[number];
            (link.is_detached, link.exists) = (is_detached, exists);
        }
    }

    /// The thread has come to its end.
    pub(crate) fn end_thread(
        &mut self,
        taking: &mut Taking<'_>,
        result: Option<(Scalar, Word)>,
    ) -> Option<Onward> {
        let guard = taking.local.guard;
        if self.terms.is_false(guard) {
            return None;
        }
        for object in self.instances[taking.thread].local_objects.clone() {
            taking.shared.memory.kill(&mut self.terms, guard, object);
        }
        let mut link = self.link(taking.shared, taking.thread).clone();
        link.has_ended = self.terms.or(link.has_ended, guard);
        link.result = match (link.result, result) {
            (Some((ty, known)), Some((other, word))) if ty == other => {
                Some((ty, Word::choose(&mut self.terms, guard, word, known)))
            }
            (Some(known), Some(_)) => {
                link.has_mixed_results = true;
                Some(known)
            }
            (None, Some(new)) => Some(new),
            (Some((ty, known)), None) => {
                let width = self.width(ty);
                let unset = Word::undefined(&mut self.terms, width);
                Some((ty, Word::choose(&mut self.terms, guard, unset, known)))
            }
            (None, None) => None,
        };
        // No thread will ask for one that was detached.
        let forgotten = self.terms.and(guard, link.is_detached);
        let kept = self.terms.not(forgotten);
        link.exists = self.terms.and(link.exists, kept);
        *self.link(taking.shared, taking.thread) = link;
        Some(Onward::End)
    }
}
