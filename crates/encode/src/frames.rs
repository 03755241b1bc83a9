//! Calls and returns: frames come and go, and registers that are not read any more are forgotten.

use raddle_base::Id;
use raddle_ir::{Callee, Expression, FunctionId, LocationId, RegisterId, Scalar};

use crate::encoder::Encoder;
use crate::hazard::Hazard;
use crate::place::{MOST_FRAMES, Returned, UnrolledPoint};
use crate::state::{Frame, Local};
use crate::taking::{Onward, Taking};
use crate::word::Word;

impl Encoder<'_> {
    pub(crate) fn call(
        &mut self,
        taking: &mut Taking<'_>,
        target: Option<RegisterId>,
        callee: &Callee,
        arguments: &[Expression],
    ) -> Option<Onward> {
        let program = self.program;
        let callee = self.callee(taking, callee, arguments, target)?;
        let mut registers: Vec<Word> = self.evaluate(taking, |it| {
            arguments
                .iter()
                .map(|argument| it.value(argument))
                .collect()
        });
        if taking.place.depth() >= MOST_FRAMES {
            let never = self.terms.truth(false);
            let what = "calls deeper than this engine follows them".to_owned();
            self.require(taking, never, Hazard::Unsupported(what));
        }
        if self.terms.is_false(taking.local.guard) {
            return None;
        }
        let declared = program.functions[callee].registers.values();
        for register in declared.skip(registers.len()) {
            let width = self.width(register.ty);
            registers.push(Word::undefined(&mut self.terms, width));
        }
        let caller = taking.place.top().function;
        let to = program.edge(caller, taking.edge).to;
        let frame = taking.local.frames.last_mut().expect("runs");
        self.clear_frame(frame, caller, to);
        taking.local.frames.push(Frame {
            registers,
            stack_objects: Vec::new(),
        });
        let next = self.places.call(taking.place, taking.edge, target, callee);
        self.arrive_at(taking, next, None)
    }

    /// Comes to a place; where functions end there, to where their callers go on.
    pub(crate) fn arrive_at(
        &mut self,
        taking: &mut Taking<'_>,
        mut next: UnrolledPoint,
        mut result: Option<(Scalar, Word)>,
    ) -> Option<Onward> {
        let guard = taking.local.guard;
        self.clear_dead(&mut taking.local, &next);
        while self.places.is_exit(&next) {
            let frame = taking.local.frames.pop().expect("runs");
            for object in frame.stack_objects {
                taking.shared.memory.kill(&mut self.terms, guard, object);
            }
            match self.places.back(&next) {
                Returned::To(caller, target) => {
                    if let Some(target) = target {
                        let width = self.width(
                            self.program.functions[caller.top().function].registers[target].ty,
                        );
                        let word = match result {
                            Some((_, word)) => word,
                            None => Word::undefined(&mut self.terms, width),
                        };
                        taking.set(target, word);
                    }
                    next = caller;
                    result = None;
                    self.clear_dead(&mut taking.local, &next);
                }
                Returned::Nowhere => return self.end_thread(taking, result),
            }
        }
        Some(Onward::To(next))
    }

    /// Forgets, on arrival at a place, the registers that are not read from it on, as the interpreter does.
    pub fn clear_dead(&mut self, local: &mut Local, place: &UnrolledPoint) {
        let spot = place.top();
        let frame = local.frames.last_mut().expect("runs");
        self.clear_frame(frame, spot.function, spot.location);
    }

    pub fn clear_frame(&mut self, frame: &mut Frame, function: FunctionId, location: LocationId) {
        let program = self.program;
        for register in program.dead_temporaries(function, location) {
            let width = self.width(program.functions[function].registers[*register].ty);
            frame.registers[register.index()] = Word::undefined(&mut self.terms, width);
        }
    }
}
