//! Objects are made and freed, and synchronisation objects are set up in them.

use std::sync::Arc;

use raddle_engine::Property;
use raddle_ir::interpret::{Storage, room};
use raddle_ir::{AllocateKind, Expression, ReadOnly, RegisterId, Scalar, SyncInit, Type};
use raddle_logic::TermId;

use crate::encoder::{ComesBack, Encoder};
use crate::hazard::Hazard;
use crate::memory::{Memory, Target};
use crate::names::ObjectName;
use crate::object::Object;
use crate::sync::{self, Sync};
use crate::taking::Taking;
use crate::touch::{Atomicity, Mode};
use crate::values::Evaluation;
use crate::word::Word;

/// Larger objects are not unrolled.
const MOST_BYTES: u128 = 1 << 16;

impl Encoder<'_> {
    pub fn allocate(
        &mut self,
        taking: &mut Taking<'_>,
        target: RegisterId,
        size: &Expression,
        ty: Option<&Type>,
        is_zeroed: bool,
        (kind, read_only): (AllocateKind, &ReadOnly),
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
        if kind == AllocateKind::Heap && self.comes_back == ComesBack::AtAllocation {
            let size = u64::try_from(size).expect("small");
            let may_lie_there = taking.shared.memory.has_freed(&mut self.terms, size);
            self.doubt_address(taking, may_lie_there);
        }
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
        object.read_only = read_only.clone();
        taking.shared.memory.make(&mut self.terms, guard, object);
        if storage == Storage::Stack {
            let frame = taking.local.frames.last_mut().expect("runs");
            frame.stack_objects.push(number);
        }
        let model = program.model;
        let address = number.pointer(0, model);
        let bits = self.terms.constant(address, model.pointer_bits());
        let word = Word::defined(&mut self.terms, bits);
        taking.set(target, word);
    }

    pub fn free(&mut self, taking: &mut Taking<'_>, address: &Expression, kind: AllocateKind) {
        let mut memory = std::mem::take(&mut taking.shared.memory);
        let frame = taking.local.frames.last().expect("runs");
        let own: Vec<ObjectName> = frame.stack_objects.clone();
        let mut ended = Vec::new();
        let comes_back = match kind {
            AllocateKind::Heap => self.comes_back,
            AllocateKind::Stack => ComesBack::Never,
        };
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
            let is_of_kind = |number: ObjectName| match kind {
                AllocateKind::Heap => memory.objects[&number].storage == Storage::Heap,
                AllocateKind::Stack => own.contains(&number),
            };
            ended = targets
                .iter()
                .filter(|it| it.offset == 0 && is_of_kind(it.object))
                .copied()
                .collect();
            let conditions: Vec<TermId> = ended.iter().map(|it| it.condition).collect();
            let can_be_freed = it.terms.any(&conditions);
            it.require(can_be_freed, || Hazard::Violation(Property::Memory));
            touch_whole(it, &memory, &ended, Mode::Write);
            for target in &ended {
                let condition = it.terms.and(it.guard, target.condition);
                memory.kill(it.terms, condition, target.object);
                if comes_back != ComesBack::Never {
                    let size = memory.objects[&target.object].size();
                    memory.note_freed(it.terms, condition, room(size, it.program.model));
                }
            }
            let spared = it.terms.and(before, is_null);
            it.guard = it.terms.or(it.guard, spared);
        });
        taking.shared.memory = memory;
        if let (AllocateKind::Stack, [only]) = (kind, &*ended) {
            // Nothing is left of it that could end with the frame.
            let frame = taking.local.frames.last_mut().expect("runs");
            frame.stack_objects.retain(|it| *it != only.object);
        }
        if comes_back == ComesBack::AtFree {
            let is_freed = taking.shared.memory.has_freed(&mut self.terms, 0);
            self.doubt_address(taking, is_freed);
        }
    }

    /// New memory may lie where freed memory lay, which is not followed.
    fn doubt_address(&mut self, taking: &mut Taking<'_>, condition: TermId) {
        let condition = self.terms.and(taking.local.guard, condition);
        if self.terms.is_false(condition) {
            return;
        }
        let what = "new memory at the address of freed memory".to_owned();
        self.meet(taking, condition, Hazard::Unsupported(what));
    }

    pub fn init(&mut self, taking: &mut Taking<'_>, object: &Expression, init: &SyncInit) {
        let model = self.program.model;
        let size = init.sync_type().size(model);
        let memory = taking.shared.memory.clone();
        let (targets, value) = self.evaluate(taking, |it| {
            let pointer = it.bits(object);
            let targets = memory.locate_to_write(it, pointer, size);
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
                let in_use = if matches!(found.state, sync::State::Semaphore { .. }) {
                    // It has to be destroyed before.
                    self.terms.truth(true)
                } else {
                    sync::in_use(&mut self.terms, found)
                };
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
            it.touch(&targets, size, always, (Mode::Write, Atomicity::Plain));
        });
    }
}

/// A thread that frees an object, or asks for its size, touches all of it.
pub(crate) fn touch_whole(
    it: &mut Evaluation<'_>,
    memory: &Memory,
    targets: &[Target],
    mode: Mode,
) {
    for target in targets.iter().filter(|it| it.offset == 0) {
        let size = memory.objects[&target.object].size();
        let always = it.terms.truth(true);
        it.touch(&[*target], size, always, (mode, Atomicity::Plain));
    }
}
