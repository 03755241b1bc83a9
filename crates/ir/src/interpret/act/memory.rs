//! Actions on memory: cells changed in one step, objects made, measured and freed.

use std::sync::Arc;

use crate::action::{Access, AllocateKind, RmwOperation};
use crate::arithmetic;
use crate::expression::Expression;
use crate::interpret::Effect;
use crate::interpret::fault::{Fault, Unset};
use crate::interpret::memory;
use crate::interpret::run::{NewNames, Run};
use crate::interpret::state::{Head, ObjectNumber, Origin, Storage, Value};
use crate::numbering;
use crate::program::RegisterId;
use crate::recycling;
use crate::types::{Scalar, Type};

impl Run<'_> {
    pub(super) fn load(
        &mut self,
        target: RegisterId,
        address: &Expression,
        ty: Scalar,
        access: Access,
    ) -> Result<(), Fault> {
        let (object, offset) = self.locate(address, ty)?;
        let value = self.read(object, offset, ty, access.is_atomic())?;
        self.set(target, value);
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        address: &Expression,
        value: &Expression,
        ty: Scalar,
        access: Access,
    ) -> Result<(), Fault> {
        let (object, offset) = match access {
            Access::Initial => self.locate(address, ty)?,
            Access::Plain | Access::Atomic(_) => self.locate_to_write(address, ty)?,
        };
        let value = self.value(value)?;
        self.write(object, offset, ty, value, access.is_atomic());
        Ok(())
    }

    /// The size of the object behind an address.
    pub(super) fn measure(
        &mut self,
        target: RegisterId,
        address: &Expression,
    ) -> Result<(), Fault> {
        let pointer = self.bits(address)?;
        let size = self.size(pointer)?;
        self.set_number(Some(target), u128::from(size));
        Ok(())
    }

    /// Frees what an address leads to; the null pointer leads to nothing.
    pub(super) fn free_at(
        &mut self,
        address: &Expression,
        kind: AllocateKind,
    ) -> Result<(), Fault> {
        let pointer = self.bits(address)?;
        if pointer != 0 {
            self.free(pointer, kind)?;
        }
        Ok(())
    }

    pub(super) fn read_modify_write(
        &mut self,
        target: Option<RegisterId>,
        operation: RmwOperation,
        address: &Expression,
        operand: &Expression,
        ty: Scalar,
    ) -> Result<(), Fault> {
        let (object, offset) = self.locate_to_write(address, ty)?;
        let operand = self.bits(operand)?;
        let old = self.read(object, offset, ty, true)?;
        let new = match (old, operation) {
            (_, RmwOperation::Exchange) => operand,
            (Value::Bits(old), _) => arithmetic::read_modify_write(operation, old, operand, ty),
            (Value::Undefined, _) => return Err(Fault::Uninitialized(Unset::Cell(object))),
        };
        self.write(object, offset, ty, Value::Bits(new), true);
        if let Some(target) = target {
            self.set(target, old);
        }
        Ok(())
    }

    pub(super) fn compare_exchange(
        &mut self,
        (previous, success): (Option<RegisterId>, Option<RegisterId>),
        address: &Expression,
        expected: &Expression,
        desired: &Expression,
        ty: Scalar,
    ) -> Result<(), Fault> {
        let (object, offset) = self.locate_to_write(address, ty)?;
        let (expected, desired) = (self.bits(expected)?, self.bits(desired)?);
        let Value::Bits(old) = self.read(object, offset, ty, true)? else {
            return Err(Fault::Uninitialized(Unset::Cell(object)));
        };
        let (places, model) = (&self.state.places, self.interpreter.program.model);
        let is_same = recycling::compared(places, old, ty, model)
            == recycling::compared(places, expected, ty, model);
        if is_same {
            self.write(object, offset, ty, Value::Bits(desired), true);
        }
        self.set_number(previous, old);
        self.set_number(success, u128::from(is_same));
        Ok(())
    }

    /// Makes an object; the target points to it.
    pub(super) fn allocate(
        &mut self,
        target: RegisterId,
        size: &Expression,
        ty: Option<&Type>,
        is_zeroed: bool,
        kind: AllocateKind,
    ) -> Result<(), Fault> {
        let program = self.interpreter.program;
        let model = program.model;
        let size = self.number(size)?;
        let limit = memory::MAX_OBJECT_BYTES.min(arithmetic::largest_object(model.offset_bits()));
        let size = u64::try_from(size)
            .ok()
            .filter(|&size| size <= limit)
            .ok_or_else(|| Fault::Unsupported(format!("an object of {size} bytes")))?;
        let storage = match kind {
            AllocateKind::Heap => Storage::Heap,
            AllocateKind::Stack => Storage::Stack,
        };
        let number = self.fresh_object_number(size)?;
        let ty = ty.filter(|ty| program.size_of(ty).is_some_and(|needed| needed <= size));
        let origin = Origin::Edge(self.function, self.edge);
        let byte = is_zeroed.then_some(0);
        let object = memory::new_object(program, storage, origin, size, ty, byte);
        self.state.objects.insert(number, Arc::new(object));
        let home = self
            .choice
            .and_then(|it| u32::try_from(it).ok())
            .map(ObjectNumber);
        if let Some(home) = home {
            self.state.places.take(number, home);
        }
        self.effects.push(Effect::Allocate {
            object: number,
            size,
            home,
        });
        if storage == Storage::Stack {
            self.frame_mut().stack_objects.push(number);
        }
        self.set(target, Value::Bits(numbering::pointer_to(number, 0, model)));
        Ok(())
    }

    /// The size of the object that begins where the pointer points.
    pub(super) fn size(&mut self, pointer: u128) -> Result<u64, Fault> {
        let (object, offset) = memory::locate(self.interpreter.program, self.state, pointer, 0)?;
        if offset != 0 {
            let problem = "the size of an object is asked through a pointer into its middle";
            return Err(Fault::Memory(problem.into()));
        }
        let size = self.state.objects.head(object).map_or(0, Head::size);
        self.effects.push(Effect::Measure {
            object,
            size,
            is_atomic: false,
        });
        Ok(size)
    }

    pub(super) fn free(&mut self, pointer: u128, kind: AllocateKind) -> Result<(), Fault> {
        let program = self.interpreter.program;
        let (number, offset) = arithmetic::split_pointer(pointer, program.model);
        let number = ObjectNumber(number);
        let is_own = match kind {
            AllocateKind::Heap => true,
            AllocateKind::Stack => self.frame_mut().stack_objects.contains(&number),
        };
        let problem = match (self.state.objects.get(&number), kind) {
            (None, _) => Some("something is freed that is no object"),
            (Some(object), AllocateKind::Heap) if object.storage != Storage::Heap => {
                Some("something is freed that was not allocated")
            }
            (Some(object), _) if !object.is_live => Some("memory is freed twice"),
            (Some(_), _) if !is_own => Some("something is ended that is no local of the frame"),
            (Some(_), _) if offset != 0 => {
                Some("memory is freed through a pointer into its middle")
            }
            (Some(_), _) => None,
        };
        if let Some(problem) = problem {
            return Err(Fault::Memory(problem.into()));
        }
        if kind == AllocateKind::Stack {
            let objects = &mut self.frame_mut().stack_objects;
            objects.retain(|object| *object != number);
        }
        let size = self.state.objects[&number].bytes.len() as u64;
        memory::kill(self.state, number);
        let may_come_back = kind == AllocateKind::Heap && self.interpreter.recycling.is_possible();
        if may_come_back && matches!(self.names, NewNames::Canonical) {
            let room = recycling::room(size, program.model);
            self.state.places.free(number, room);
        }
        self.effects.push(Effect::Free {
            object: number,
            size,
            is_atomic: false,
        });
        Ok(())
    }
}
