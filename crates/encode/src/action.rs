//! What one edge does, as terms: the meaning that the interpreter gives it.

use raddle_engine::Property;
use raddle_ir::interpret::APPROXIMATE;
use raddle_ir::{Access, Action, Expression, RmwOperation, Scalar};
use raddle_logic::TermId;

use crate::encoder::{Choice, Encoder};
use crate::hazard::Hazard;
use crate::lifetime::touch_whole;
use crate::memory::Target;
use crate::sync;
use crate::taking::{Onward, Taking};
use crate::touch::{Atomicity, Mode};
use crate::values::Evaluation;
use crate::word::Word;

impl Encoder<'_> {
    /// Does what the action of an edge says; `None` if no execution gets through.
    pub(crate) fn act(&mut self, taking: &mut Taking<'_>) -> Option<Onward> {
        let program = self.program;
        let (place, edge) = (taking.place, taking.edge);
        let function = place.top().function;
        let action = &program.edge(function, edge).action;
        let mut result = None;
        match action {
            Action::Assign { target, value } => {
                let word = self.evaluate(taking, |it| it.value(value));
                taking.set(*target, word);
            }
            Action::Havoc { .. } if program.functions[function].is_approximate => {
                let never = self.terms.truth(false);
                self.require(taking, never, Hazard::Unsupported(APPROXIMATE.to_owned()));
            }
            Action::Havoc { target } => {
                let width = self.width(program.functions[function].registers[*target].ty);
                let bits = self.chosen("value", width);
                taking.choice = Choice::Value(bits);
                let word = Word::defined(&mut self.terms, bits);
                taking.set(*target, word);
            }
            Action::Assume { condition } => {
                let holds = self.evaluate(taking, |it| it.bits(condition));
                self.narrow(taking, holds);
            }
            Action::Assert { condition, .. } => {
                let failing = self.evaluate(taking, |it| {
                    let holds = it.bits(condition);
                    let refused = it.terms.not(holds);
                    let failing = it.terms.and(it.guard, refused);
                    it.require(holds, || Hazard::Violation(Property::Assert));
                    failing
                });
                taking.noted.failing = Some(failing);
            }
            Action::Load {
                target,
                address,
                ty,
                access,
            } => {
                let memory = taking.shared.memory.clone();
                let atomicity = Atomicity::from(*access);
                let size = ty.size(program.model);
                let word = self.evaluate(taking, |it| {
                    let pointer = it.bits(address);
                    let targets = memory.locate(it, pointer, size);
                    let always = it.terms.truth(true);
                    it.touch(&targets, size, always, (Mode::Read, atomicity));
                    let word = memory.load(it, &targets, *ty);
                    word.given(it.terms, it.guard)
                });
                taking.set(*target, word);
            }
            Action::Store {
                address,
                value,
                ty,
                access,
            } => {
                let atomicity = Atomicity::from(*access);
                self.change(taking, address, (*ty, *access), |it, targets, _| {
                    let word = it.value(value);
                    let (always, size) = (it.terms.truth(true), ty.size(program.model));
                    it.touch(targets, size, always, (Mode::Write, atomicity));
                    word
                });
            }
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                order,
            } => {
                let access = Access::Atomic(*order);
                let mut old = None;
                self.change(taking, address, (*ty, access), |it, targets, before| {
                    let operand = it.bits(operand);
                    old = Some(before);
                    let (always, size) = (it.terms.truth(true), ty.size(program.model));
                    it.touch(targets, size, always, (Mode::Write, Atomicity::Atomic));
                    if *operation != RmwOperation::Exchange {
                        it.require(before.is_defined, || Hazard::unset(program));
                    }
                    let new = modified(it, *operation, before.bits, operand, *ty);
                    Word::defined(it.terms, new)
                });
                if let (Some(target), Some(old)) = (target, old) {
                    taking.set(*target, old);
                }
            }
            Action::CompareExchange {
                previous,
                success,
                address,
                expected,
                desired,
                ty,
                order,
                failure: _,
            } => {
                let access = Access::Atomic(*order);
                let mut seen = None;
                self.change(taking, address, (*ty, access), |it, targets, before| {
                    let expected = it.bits(expected);
                    let desired = it.bits(desired);
                    let (always, size) = (it.terms.truth(true), ty.size(program.model));
                    it.touch(targets, size, always, (Mode::Read, Atomicity::Atomic));
                    it.require(before.is_defined, || Hazard::unset(program));
                    it.doubt_if_mixed(before.bits, expected);
                    let is_same = it.terms.equal(before.bits, expected);
                    it.touch(targets, size, is_same, (Mode::Write, Atomicity::Atomic));
                    seen = Some((before.bits, is_same));
                    let new = it.terms.if_then_else(is_same, desired, before.bits);
                    Word::defined(it.terms, new)
                });
                if let Some((old, is_same)) = seen {
                    self.set_number(taking, *previous, old);
                    self.set_number(taking, *success, is_same);
                }
            }
            Action::Allocate {
                target,
                size,
                ty,
                is_zeroed,
                kind,
                read_only,
            } => {
                let how = (*kind, read_only);
                self.allocate(taking, *target, size, ty.as_ref(), *is_zeroed, how);
            }
            Action::Size { target, address } => {
                let memory = taking.shared.memory.clone();
                let bits = self.evaluate(taking, |it| {
                    let pointer = it.bits(address);
                    let targets = memory.locate(it, pointer, 0);
                    let mut result = it.terms.constant(0, 64);
                    let mut at_start = Vec::new();
                    for target in targets.iter().filter(|it| it.offset == 0) {
                        let size = memory.objects[&target.object].size();
                        let size = it.terms.constant(u128::from(size), 64);
                        result = it.terms.if_then_else(target.condition, size, result);
                        at_start.push(target.condition);
                    }
                    let is_start = it.terms.any(&at_start);
                    it.require(is_start, || Hazard::Violation(Property::Memory));
                    touch_whole(it, &memory, &targets, Mode::Read);
                    result
                });
                self.set_number(taking, Some(*target), bits);
            }
            Action::Free { address, kind } => self.free(taking, address, *kind),
            Action::Init { object, sync } => self.init(taking, object, sync),
            Action::Destroy { object, sync } => {
                let targets = self.syncs(taking, object, *sync);
                self.touch_syncs(taking, &targets, Atomicity::Plain);
                for target in targets {
                    let found = target.sync(taking.shared);
                    let in_use = sync::in_use(&mut self.terms, &found);
                    let misused = self.terms.and(target.condition, in_use);
                    let fine = self.terms.not(misused);
                    self.require(taking, fine, Hazard::Violation(Property::LockMisuse));
                    let guard = self.terms.and(taking.local.guard, target.condition);
                    let kept = self.terms.not(guard);
                    let gone = found.only_if(&mut self.terms, kept);
                    target.put(taking.shared, gone);
                }
            }
            Action::Sync {
                operation,
                object,
                mutex,
                result,
            } => {
                let bits = self.synchronize(taking, *operation, object, mutex.as_ref());
                self.set_number(taking, *result, bits);
            }
            Action::Call {
                target,
                callee,
                arguments,
            } => return self.call(taking, *target, callee, arguments),
            Action::Return { value } => {
                if let Some(value) = value {
                    let ty = value.scalar(&program.functions[function].registers, program.model);
                    let word = self.evaluate(taking, |it| it.value(value));
                    result = Some((ty, word));
                }
            }
            Action::Spawn {
                target,
                place,
                callee,
                arguments,
            } => self.spawn(taking, *target, place.as_ref(), (callee, arguments)),
            Action::Join { thread, target } => self.join_thread(taking, thread, *target),
            Action::Detach { thread } => self.detach(taking, thread),
            Action::ExitThread { value } => {
                if let Some(value) = value {
                    let ty = value.scalar(&program.functions[function].registers, program.model);
                    let word = self.evaluate(taking, |it| it.value(value));
                    result = Some((ty, word));
                }
                let guard = taking.local.guard;
                for object in taking.local.frames.iter().flat_map(|it| &it.stack_objects) {
                    taking.shared.memory.kill(&mut self.terms, guard, *object);
                }
                return self.end_thread(taking, result);
            }
            Action::EndProcess { kind } => {
                if let raddle_ir::EndKind::Exit(status) = kind {
                    self.evaluate(taking, |it| it.bits(status));
                }
                let guard = taking.local.guard;
                let ended = self.terms.or(taking.shared.has_ended, guard);
                taking.shared.has_ended = ended;
                if *kind == raddle_ir::EndKind::Abort {
                    // A process that aborts is not asked for what it did not free.
                    taking.shared.memory.kill_heap(&mut self.terms, guard);
                }
                return (!self.terms.is_false(guard)).then_some(Onward::End);
            }
            Action::AtomicBegin { .. } | Action::AtomicEnd => {}
            Action::UnitBegin { set } => {
                if let Some(units) = &mut taking.local.units {
                    units.push(*set);
                }
            }
            Action::UnitEnd { set } => {
                let units = taking.local.units.as_mut();
                if units.and_then(Vec::pop) != Some(*set) {
                    let what = "the end of a unit of work that is not the innermost".to_owned();
                    let never = self.terms.truth(false);
                    self.require(taking, never, Hazard::Unsupported(what));
                }
            }
            Action::Fence { .. } => {}
            Action::Emit { arguments, .. } => {
                self.evaluate(taking, |it| {
                    for argument in arguments {
                        let shown = it.bits(argument);
                        it.show(shown);
                    }
                });
            }
            Action::Unsupported { what } => {
                let never = self.terms.truth(false);
                self.require(taking, never, Hazard::Unsupported(what.clone()));
            }
        }
        if self.terms.is_false(taking.local.guard) {
            return None;
        }
        let next = self.places.after(place, program.edge(function, edge).to);
        self.arrive_at(taking, next, result)
    }

    /// Writes a new value to a cell, given the old one.
    fn change(
        &mut self,
        taking: &mut Taking<'_>,
        address: &Expression,
        (ty, access): (Scalar, Access),
        new: impl FnOnce(&mut Evaluation<'_>, &[Target], Word) -> Word,
    ) {
        let mut memory = std::mem::take(&mut taking.shared.memory);
        let size = ty.size(self.program.model);
        self.evaluate(taking, |it| {
            let pointer = it.bits(address);
            let targets = match access {
                Access::Initial => memory.locate(it, pointer, size),
                Access::Plain | Access::Atomic(_) => memory.locate_to_write(it, pointer, size),
            };
            let before = memory.load(it, &targets, ty);
            let word = new(it, &targets, before);
            memory.store(it, &targets, ty, word);
        });
        taking.shared.memory = memory;
    }
}

/// The new value of a cell under an atomic read-modify-write.
fn modified(
    evaluation: &mut Evaluation<'_>,
    operation: RmwOperation,
    old: TermId,
    operand: TermId,
    ty: Scalar,
) -> TermId {
    let Scalar::Int(int) = ty else {
        return operand;
    };
    if operation != RmwOperation::Exchange {
        evaluation.doubt_if_name(old);
        evaluation.doubt_if_name(operand);
    }
    let terms = &mut *evaluation.terms;
    match operation {
        RmwOperation::Exchange => operand,
        RmwOperation::Add => terms.add(old, operand),
        RmwOperation::Subtract => terms.subtract(old, operand),
        RmwOperation::And => terms.and(old, operand),
        RmwOperation::Or => terms.or(old, operand),
        RmwOperation::Xor => terms.xor(old, operand),
        RmwOperation::Nand => {
            let both = terms.and(old, operand);
            terms.not(both)
        }
        RmwOperation::Min => terms.minimum(old, operand, int.is_signed),
        RmwOperation::Max => terms.maximum(old, operand, int.is_signed),
    }
}
