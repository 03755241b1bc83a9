//! What one edge does, as terms: the meaning that the interpreter gives it.

use std::sync::Arc;

use raddle_base::Id;
use raddle_engine::Property;
use raddle_ir::interpret::Storage;
use raddle_ir::{
    Access, Action, AllocateKind, Callee, EdgeId, Expression, FunctionId, LocationId, RegisterId,
    RmwOperation, Scalar, SyncInit, Type,
};
use raddle_logic::TermId;

use crate::block::{Advanced, MOST_FRAMES, is_too_far};
use crate::hazard::Hazard;
use crate::memory::{Memory, Object, Target};
use crate::place::{Place, Returned};
use crate::state::{Frame, Local, Shared};
use crate::sync::{self, Sync};
use crate::unroll::{Choice, Unrolling};
use crate::values::Evaluation;
use crate::word::Word;

/// Larger objects are not unrolled.
const MOST_BYTES: u128 = 1 << 16;

/// An edge while it is taken.
pub(crate) struct Taking<'a> {
    pub(crate) thread: usize,
    pub(crate) shared: &'a mut Shared,
    pub(crate) place: &'a Place,
    pub(crate) edge: EdgeId,
    pub(crate) local: Local,
    pub(crate) choice: Choice,
    /// The thread that it starts.
    pub(crate) started: Option<usize>,
}

impl Unrolling<'_> {
    /// Takes an edge; `None` if no execution gets through.
    pub(crate) fn take(
        &mut self,
        thread: usize,
        shared: &mut Shared,
        place: &Place,
        edge: EdgeId,
        local: Local,
    ) -> Option<Advanced> {
        let program = self.program;
        let function = place.top().function;
        let mut taking = Taking {
            thread,
            shared,
            place,
            edge,
            local,
            choice: Choice::Nothing,
            started: None,
        };
        if is_too_far(place) {
            let guard = taking.local.guard;
            let what = "loops and calls deeper than this engine follows them".to_owned();
            self.meet(guard, Hazard::Unsupported(what), (function, edge));
            return None;
        }
        let action = &program.edge(function, edge).action;
        let mut result = None;
        match action {
            Action::Assign { target, value } => {
                let word = self.evaluate(&mut taking, |it| it.value(value));
                taking.set(*target, word);
            }
            Action::Havoc { target } => {
                let width = self.width(program.functions[function].registers[*target].ty);
                let bits = self.terms.fresh_variable("value", width);
                taking.choice = Choice::Value(bits);
                let word = Word::defined(&mut self.terms, bits);
                taking.set(*target, word);
            }
            Action::Assume { condition } => {
                let holds = self.evaluate(&mut taking, |it| it.bits(condition));
                self.narrow(&mut taking, holds);
            }
            Action::Assert { condition, .. } => {
                let failing = self.evaluate(&mut taking, |it| {
                    let holds = it.bits(condition);
                    let refused = it.terms.not(holds);
                    let failing = it.terms.and(it.guard, refused);
                    it.require(holds, || Hazard::Violation(Property::Assert));
                    failing
                });
                self.failing = Some(failing);
            }
            Action::Load {
                target,
                address,
                ty,
                access,
            } => {
                let memory = taking.shared.memory.clone();
                let is_atomic = *access != Access::Plain;
                let size = ty.size(program.model);
                let word = self.evaluate(&mut taking, |it| {
                    let pointer = it.bits(address);
                    let targets = memory.locate(it, pointer, size);
                    let always = it.terms.truth(true);
                    it.touch(&targets, size, always, (false, is_atomic));
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
                let is_atomic = *access != Access::Plain;
                self.change(&mut taking, address, *ty, |it, targets, _| {
                    let word = it.value(value);
                    let (always, size) = (it.terms.truth(true), ty.size(program.model));
                    it.touch(targets, size, always, (true, is_atomic));
                    word
                });
            }
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                ..
            } => {
                let mut old = None;
                self.change(&mut taking, address, *ty, |it, targets, before| {
                    let operand = it.bits(operand);
                    old = Some(before);
                    let (always, size) = (it.terms.truth(true), ty.size(program.model));
                    it.touch(targets, size, always, (true, true));
                    if *operation != RmwOperation::Exchange {
                        it.require(before.is_defined, never_set);
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
                ..
            } => {
                let mut seen = None;
                self.change(&mut taking, address, *ty, |it, targets, before| {
                    let expected = it.bits(expected);
                    let desired = it.bits(desired);
                    let (always, size) = (it.terms.truth(true), ty.size(program.model));
                    it.touch(targets, size, always, (false, true));
                    it.require(before.is_defined, never_set);
                    it.doubt_if_mixed(before.bits, expected);
                    let is_same = it.terms.equal(before.bits, expected);
                    it.touch(targets, size, is_same, (true, true));
                    seen = Some((before.bits, is_same));
                    let new = it.terms.if_then_else(is_same, desired, before.bits);
                    Word::defined(it.terms, new)
                });
                if let Some((old, is_same)) = seen {
                    self.set_number(&mut taking, *previous, old);
                    self.set_number(&mut taking, *success, is_same);
                }
            }
            Action::Allocate {
                target,
                size,
                ty,
                is_zeroed,
                kind,
            } => self.allocate(&mut taking, *target, size, ty.as_ref(), *is_zeroed, *kind),
            Action::Size { target, address } => {
                let memory = taking.shared.memory.clone();
                let bits = self.evaluate(&mut taking, |it| {
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
                    touch_whole(it, &memory, &targets, false);
                    result
                });
                self.set_number(&mut taking, Some(*target), bits);
            }
            Action::Free { address } => self.free(&mut taking, address),
            Action::Init { object, sync } => self.init(&mut taking, object, sync),
            Action::Destroy { object, sync } => {
                let targets = self.syncs(&mut taking, object, *sync);
                self.touch_syncs(&mut taking, &targets, false);
                for target in targets {
                    let found = target.sync(taking.shared);
                    let in_use = sync::in_use(&mut self.terms, &found);
                    let misused = self.terms.and(target.condition, in_use);
                    let fine = self.terms.not(misused);
                    self.require(&mut taking, fine, Hazard::Violation(Property::LockMisuse));
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
                let bits = self.synchronize(&mut taking, *operation, object, mutex.as_ref());
                self.set_number(&mut taking, *result, bits);
            }
            Action::Call {
                target,
                callee,
                arguments,
            } => return self.call(taking, *target, callee, arguments),
            Action::Return { value } => {
                if let Some(value) = value {
                    let ty = value.scalar(&program.functions[function].registers, program.model);
                    let word = self.evaluate(&mut taking, |it| it.value(value));
                    result = Some((ty, word));
                }
            }
            Action::Spawn {
                target,
                callee,
                arguments,
            } => self.spawn(&mut taking, *target, callee, arguments),
            Action::Join { thread, target } => self.join_thread(&mut taking, thread, *target),
            Action::Detach { thread } => self.detach(&mut taking, thread),
            Action::ExitThread { value } => {
                if let Some(value) = value {
                    let ty = value.scalar(&program.functions[function].registers, program.model);
                    let word = self.evaluate(&mut taking, |it| it.value(value));
                    result = Some((ty, word));
                }
                let guard = taking.local.guard;
                for object in taking.local.frames.iter().flat_map(|it| &it.stack_objects) {
                    taking.shared.memory.kill(&mut self.terms, guard, *object);
                }
                return self.end_thread(&mut taking, result);
            }
            Action::EndProcess { kind } => {
                if let raddle_ir::EndKind::Exit(status) = kind {
                    self.evaluate(&mut taking, |it| it.bits(status));
                }
                let guard = taking.local.guard;
                let ended = self.terms.or(taking.shared.has_ended, guard);
                taking.shared.has_ended = ended;
                if *kind == raddle_ir::EndKind::Abort {
                    // Who aborts is not asked for what it did not free.
                    taking.shared.memory.kill_heap(&mut self.terms, guard);
                }
                return Some(Advanced {
                    guard,
                    next: None,
                    choice: Choice::Nothing,
                    started: None,
                })
                .filter(|_| !self.terms.is_false(guard));
            }
            Action::AtomicBegin | Action::AtomicEnd => {}
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
                    self.require(&mut taking, never, Hazard::Unsupported(what));
                }
            }
            Action::Emit { arguments, .. } => {
                self.evaluate(&mut taking, |it| {
                    for argument in arguments {
                        it.bits(argument);
                    }
                });
            }
            Action::Unsupported { what } => {
                let never = self.terms.truth(false);
                self.require(&mut taking, never, Hazard::Unsupported(what.clone()));
            }
        }
        if self.terms.is_false(taking.local.guard) {
            return None;
        }
        let next = self.places.after(place, program.edge(function, edge).to);
        self.arrive_at(taking, next, result)
    }

    /// Comes to a place; where functions end there, to where their callers go on.
    fn arrive_at(
        &mut self,
        mut taking: Taking<'_>,
        mut next: Place,
        mut result: Option<(Scalar, Word)>,
    ) -> Option<Advanced> {
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
                Returned::Nowhere => return self.end_thread(&mut taking, result),
            }
        }
        Some(Advanced {
            guard,
            choice: taking.choice,
            started: taking.started,
            next: Some((next, taking.local)),
        })
    }

    /// Forgets, on arrival at a place, what nobody reads from it on, as the interpreter does.
    fn clear_dead(&mut self, local: &mut Local, place: &Place) {
        let spot = place.top();
        let frame = local.frames.last_mut().expect("runs");
        self.clear_frame(frame, spot.function, spot.location);
    }

    fn clear_frame(&mut self, frame: &mut Frame, function: FunctionId, location: LocationId) {
        let program = self.program;
        for register in program.dead_temporaries(function, location) {
            let width = self.width(program.functions[function].registers[*register].ty);
            frame.registers[register.index()] = Word::undefined(&mut self.terms, width);
        }
    }

    /// The thread has come to its end.
    fn end_thread(
        &mut self,
        taking: &mut Taking<'_>,
        result: Option<(Scalar, Word)>,
    ) -> Option<Advanced> {
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
        // Nobody will ask for a thread that was detached.
        let forgotten = self.terms.and(guard, link.is_detached);
        let kept = self.terms.not(forgotten);
        link.exists = self.terms.and(link.exists, kept);
        *self.link(taking.shared, taking.thread) = link;
        Some(Advanced {
            guard,
            choice: taking.choice,
            started: taking.started,
            next: None,
        })
    }

    /// Evaluates something of an action; executions in which that goes wrong end here.
    pub(crate) fn evaluate<T>(
        &mut self,
        taking: &mut Taking<'_>,
        with: impl FnOnce(&mut Evaluation<'_>) -> T,
    ) -> T {
        let function = taking.place.top().function;
        let instance = &self.instances[taking.thread];
        let mut evaluation = Evaluation {
            terms: &mut self.terms,
            program: self.program,
            types: &self.program.functions[function].registers,
            registers: &taking.local.frames.last().expect("runs").registers,
            thread: instance.number,
            locals: &instance.locals,
            names: &mut self.names,
            guard: taking.local.guard,
            hazards: Vec::new(),
            overflows: Vec::new(),
            touched: Vec::new(),
            observes_layout: false,
        };
        let value = with(&mut evaluation);
        let Evaluation {
            guard,
            hazards,
            overflows,
            touched,
            observes_layout,
            ..
        } = evaluation;
        self.observes_layout |= observes_layout;
        self.note_accesses(taking.thread, touched);
        for overflow in overflows {
            let hazard = Hazard::Violation(Property::Overflow);
            self.meet(overflow, hazard, (function, taking.edge));
        }
        for (condition, hazard) in hazards {
            self.meet(condition, hazard, (function, taking.edge));
        }
        taking.local.guard = guard;
        value
    }

    /// Only executions in which something holds get on; the others are blocked.
    pub(crate) fn narrow(&mut self, taking: &mut Taking<'_>, condition: TermId) {
        taking.local.guard = self.terms.and(taking.local.guard, condition);
    }

    pub(crate) fn require(&mut self, taking: &mut Taking<'_>, is_fine: TermId, hazard: Hazard) {
        self.evaluate(taking, |it| it.require(is_fine, || hazard));
    }

    pub(crate) fn set_number(
        &mut self,
        taking: &mut Taking<'_>,
        target: Option<RegisterId>,
        bits: TermId,
    ) {
        if let Some(target) = target {
            let function = taking.place.top().function;
            let width = self.width(self.program.functions[function].registers[target].ty);
            let bits = self.terms.resize(bits, width, false);
            let word = Word::defined(&mut self.terms, bits);
            taking.set(target, word);
        }
    }

    /// Writes a new value to a cell, given the old one.
    fn change(
        &mut self,
        taking: &mut Taking<'_>,
        address: &Expression,
        ty: Scalar,
        new: impl FnOnce(&mut Evaluation<'_>, &[Target], Word) -> Word,
    ) {
        let mut memory = std::mem::take(&mut taking.shared.memory);
        let size = ty.size(self.program.model);
        self.evaluate(taking, |it| {
            let pointer = it.bits(address);
            let targets = memory.locate(it, pointer, size);
            let before = memory.load(it, &targets, ty);
            let word = new(it, &targets, before);
            memory.store(it, &targets, ty, word);
        });
        taking.shared.memory = memory;
    }

    fn allocate(
        &mut self,
        taking: &mut Taking<'_>,
        target: RegisterId,
        size: &Expression,
        ty: Option<&Type>,
        is_zeroed: bool,
        kind: AllocateKind,
    ) {
        let program = self.program;
        let size = self.evaluate(taking, |it| {
            let size = it.bits(size);
            let known = it.terms.constant_value(size);
            if known.is_none_or(|it| it > MOST_BYTES) {
                it.give_up("an object whose size is large or not known in advance");
            }
            known
        });
        let guard = taking.local.guard;
        let Some(size) = size.filter(|_| !self.terms.is_false(guard)) else {
            return;
        };
        let Some(number) = self.object_at(taking.thread, taking.place, taking.edge) else {
            let what = "more objects than pointers can name".to_owned();
            let never = self.terms.truth(false);
            self.require(taking, never, Hazard::Unsupported(what));
            return;
        };
        let storage = match kind {
            AllocateKind::Heap => Storage::Heap,
            AllocateKind::Stack => Storage::Stack,
        };
        let length = usize::try_from(size).expect("small");
        let mut bytes = vec![is_zeroed.then_some(0_u8); length];
        let always = self.terms.truth(true);
        let fits = |ty: &&Type| {
            let needed = program.size_of(ty);
            needed.is_some_and(|needed| u128::from(needed) <= size)
        };
        let mut syncs = std::collections::BTreeMap::new();
        if let Some(ty) = ty.filter(fits) {
            for (offset, sync) in ty.sync_cells(&program.structs, program.model) {
                let begin = usize::try_from(offset).expect("small");
                let end = begin + usize::try_from(sync.size(program.model)).expect("small");
                bytes[begin..end].fill(None);
                let nothing = self.terms.constant(0, sync::COUNT_BITS);
                syncs.insert(offset, Sync::plain(&mut self.terms, sync, nothing));
            }
        }
        let mut object = Object::new(number, storage, always, Arc::from(bytes));
        object.syncs = syncs;
        taking.shared.memory.make(&mut self.terms, guard, object);
        if storage == Storage::Stack {
            let frame = taking.local.frames.last_mut().expect("runs");
            frame.stack_objects.push(number);
        }
        let model = program.model;
        let address = raddle_ir::arithmetic::join_pointer(number, 0, model);
        let bits = self.terms.constant(address, model.pointer_bits());
        let word = Word::defined(&mut self.terms, bits);
        taking.set(target, word);
    }

    fn free(&mut self, taking: &mut Taking<'_>, address: &Expression) {
        let mut memory = std::mem::take(&mut taking.shared.memory);
        self.evaluate(taking, |it| {
            let pointer = it.bits(address);
            let is_null = it.terms.equals_constant(pointer, 0);
            let before = it.guard;
            let is_real = it.terms.not(is_null);
            it.guard = it.terms.and(before, is_real);
            let targets = if it.terms.is_false(it.guard) {
                Vec::new()
            } else {
                memory.locate(it, pointer, 0)
            };
            let of_heap: Vec<_> = targets
                .iter()
                .filter(|it| it.offset == 0 && memory.objects[&it.object].storage == Storage::Heap)
                .copied()
                .collect();
            let conditions: Vec<TermId> = of_heap.iter().map(|it| it.condition).collect();
            let can_be_freed = it.terms.any(&conditions);
            it.require(can_be_freed, || Hazard::Violation(Property::Memory));
            touch_whole(it, &memory, &of_heap, true);
            for target in of_heap {
                let condition = it.terms.and(it.guard, target.condition);
                memory.kill(it.terms, condition, target.object);
            }
            let spared = it.terms.and(before, is_null);
            it.guard = it.terms.or(it.guard, spared);
        });
        taking.shared.memory = memory;
    }

    fn init(&mut self, taking: &mut Taking<'_>, object: &Expression, init: &SyncInit) {
        let model = self.program.model;
        let size = init.sync_type().size(model);
        let memory = taking.shared.memory.clone();
        let (targets, value) = self.evaluate(taking, |it| {
            let pointer = it.bits(object);
            let targets = memory.locate(it, pointer, size);
            let value = match init {
                SyncInit::Semaphore(value) | SyncInit::Barrier(value) => {
                    let bits = it.bits(value);
                    let is_signed = matches!(
                        value.scalar(it.types, model),
                        Scalar::Int(int) if int.is_signed
                    );
                    let wide = it.terms.resize(bits, 128, is_signed);
                    let limit = it.terms.constant(1 << 32, 128);
                    let fits = it.terms.less_unsigned(wide, limit);
                    it.require(fits, || Hazard::Violation(Property::LockMisuse));
                    if matches!(init, SyncInit::Barrier(_)) {
                        let is_for_nobody = it.terms.equals_constant(bits, 0);
                        let is_fine = it.terms.not(is_for_nobody);
                        it.require(is_fine, || Hazard::Violation(Property::LockMisuse));
                    }
                    it.terms.resize(bits, sync::COUNT_BITS, false)
                }
                SyncInit::Mutex(_)
                | SyncInit::ReadWriteLock
                | SyncInit::Condition
                | SyncInit::Monitor => it.terms.constant(0, sync::COUNT_BITS),
            };
            (targets, value)
        });
        for target in targets.iter().copied() {
            let overlapping: Vec<(u64, Sync)> = taking.shared.memory.objects[&target.object]
                .syncs
                .iter()
                .filter(|(at, it)| {
                    **at < target.offset + size && target.offset < **at + it.size(model)
                })
                .map(|(at, it)| (*at, it.clone()))
                .collect();
            if let Some((_, found)) = overlapping.iter().find(|(at, _)| *at == target.offset) {
                let in_use = sync::in_use(&mut self.terms, found);
                let in_use = self.terms.and(found.exists, in_use);
                let misused = self.terms.and(target.condition, in_use);
                let fine = self.terms.not(misused);
                self.require(taking, fine, Hazard::Violation(Property::LockMisuse));
            }
            let guard = self.terms.and(taking.local.guard, target.condition);
            let kept = self.terms.not(guard);
            let made = Sync::made(&mut self.terms, init, value);
            let object = taking.shared.memory.object_mut(target.object);
            for (at, found) in overlapping {
                let left = found.only_if(&mut self.terms, kept);
                object.syncs.insert(at, left);
            }
            let merged = match object.syncs.get(&target.offset) {
                Some(found) => Sync::merged(&mut self.terms, guard, &made, found),
                None => made.only_if(&mut self.terms, guard),
            };
            object.syncs.insert(target.offset, merged);
            object.forget(&mut self.terms, guard, target.offset, size);
        }
        self.evaluate(taking, |it| {
            let always = it.terms.truth(true);
            it.touch(&targets, size, always, (true, false));
        });
    }

    fn call(
        &mut self,
        mut taking: Taking<'_>,
        target: Option<RegisterId>,
        callee: &Callee,
        arguments: &[Expression],
    ) -> Option<Advanced> {
        let program = self.program;
        let callee = self.callee(&mut taking, callee, arguments, target)?;
        let mut registers: Vec<Word> = self.evaluate(&mut taking, |it| {
            arguments
                .iter()
                .map(|argument| it.value(argument))
                .collect()
        });
        if taking.place.depth() >= MOST_FRAMES {
            let never = self.terms.truth(false);
            let what = "calls deeper than this engine follows them".to_owned();
            self.require(&mut taking, never, Hazard::Unsupported(what));
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

    fn spawn(
        &mut self,
        taking: &mut Taking<'_>,
        target: Option<RegisterId>,
        callee: &Callee,
        arguments: &[Expression],
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
        taking.started = Some(thread);
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
        self.begun.push((
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
    }

    /// The threads that a name may mean, each with the condition; elsewhere something is wrong.
    pub(crate) fn joinable(
        &mut self,
        taking: &mut Taking<'_>,
        thread: &Expression,
    ) -> Vec<(usize, TermId)> {
        let bits = self.evaluate(taking, |it| it.bits(thread));
        let mut found = Vec::new();
        for number in 0..taking.shared.links.len() {
            let link = taking.shared.links[number].clone();
            let is_this = self
                .terms
                .equals_constant(bits, self.instances[number].number);
            let is_kept = self.terms.not(link.is_detached);
            let condition = self.terms.all(&[is_this, link.exists, is_kept]);
            if !self.terms.is_false(condition) {
                found.push((number, condition));
            }
        }
        let conditions: Vec<TermId> = found.iter().map(|it| it.1).collect();
        let is_one = self.terms.any(&conditions);
        self.require(taking, is_one, Hazard::Violation(Property::LockMisuse));
        found
    }

    fn join_thread(
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
                if is_other || link.has_mixed_results {
                    let fine = self.terms.not(condition);
                    let what = "the result of a thread is joined as another type".to_owned();
                    self.require(taking, fine, Hazard::Undefined(what));
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

    fn detach(&mut self, taking: &mut Taking<'_>, thread: &Expression) {
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
}

impl Taking<'_> {
    pub(crate) fn set(&mut self, register: RegisterId, word: Word) {
        let frame = self.local.frames.last_mut().expect("runs");
        frame.registers[register.index()] = word;
    }
}

/// Whoever frees an object, or asks for its size, touches all of it.
fn touch_whole(it: &mut Evaluation<'_>, memory: &Memory, targets: &[Target], is_write: bool) {
    for target in targets.iter().filter(|it| it.offset == 0) {
        let size = memory.objects[&target.object].size();
        let always = it.terms.truth(true);
        it.touch(&[*target], size, always, (is_write, false));
    }
}

fn never_set() -> Hazard {
    Hazard::Undefined("a value is used that was never set".into())
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
