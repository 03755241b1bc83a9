//! Where locals and what is computed on the way live: in registers, or in memory that begins with the function.

use raddle_base::Span;
use raddle_ir::{Expression, ReadOnly, Register, RegisterId, Scalar, Type as IrType};

use crate::lower::unique_name;
use crate::typed::LocalId;
use crate::types::{Length, Qualified, Type};

use super::{FunctionLowering, Made};

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) enum Storage {
    Register(RegisterId),
    /// In memory; the register holds its address: of what comes and goes with its block, while it lives, and of arrays of
    /// variable length, once they are met.
    Memory(RegisterId),
}

impl FunctionLowering<'_, '_> {
    /// Where a local lives; made when it is first met.
    pub(in crate::lower) fn storage(&mut self, local: LocalId) -> Storage {
        if let Some(storage) = self.locals[local] {
            return storage;
        }
        let source = &self.source.locals[local];
        let is_variable = matches!(source.ty.ty, Type::Array(_, Length::Variable(_)))
            || has_variable_length(&source.ty.ty);
        let scalar = self.lowering.scalar(&source.ty.ty);
        let storage = match scalar {
            Some(scalar) if !source.is_address_taken => {
                let register = self.named_register(&source.name, scalar, source.span);
                self.function.registers[register].is_temporary = source.is_hidden;
                self.variables.insert(register);
                Storage::Register(register)
            }
            _ if is_variable || self.lifetimes.is_made(local) => {
                let register = self.named_register(&source.name, Scalar::Pointer, source.span);
                // Between two lives it points nowhere.
                self.function.registers[register].is_temporary = true;
                self.variables.insert(register);
                Storage::Memory(register)
            }
            _ => {
                let register = self.stack_local(&source.name, &source.ty);
                self.function.registers[register].span = source.span.filter(|_| self.has_places);
                Storage::Memory(register)
            }
        };
        self.locals[local] = Some(storage);
        storage
    }

    /// Memory that is made when the function begins and lives as long; the register holds its address.
    pub(in crate::lower) fn stack_object(&mut self, name: &str, ty: &Type) -> RegisterId {
        self.stack_memory(name, ty, ReadOnly::NOTHING)
    }

    /// As [`Self::stack_object`], of what the program declares.
    pub(super) fn stack_local(&mut self, name: &str, ty: &Qualified) -> RegisterId {
        let read_only = self.lowering.read_only(ty);
        self.stack_memory(name, &ty.ty, read_only)
    }

    fn stack_memory(&mut self, name: &str, ty: &Type, read_only: ReadOnly) -> RegisterId {
        let size = self.lowering.size(ty);
        let shown = self.shown_type(ty);
        let register = self.named_register(name, Scalar::Pointer, None);
        self.allocations.push(Made {
            register,
            ty: shown,
            size,
            read_only,
        });
        register
    }

    /// The type that an object on the stack is made with.
    pub(super) fn shown_type(&mut self, ty: &Type) -> Option<IrType> {
        let shown = self.lowering.ir_type(ty);
        // A lock on the stack is none before somebody makes it one.
        let model = self.lowering.model();
        let has_locks = !shown
            .sync_cells(&self.lowering.draft.structs, model)
            .is_empty();
        Some(shown).filter(|_| !has_locks)
    }

    /// Memory without a type, as [`Self::stack_object`].
    pub(in crate::lower) fn stack_bytes(&mut self, name: &str, size: u64) -> RegisterId {
        let register = self.named_register(name, Scalar::Pointer, None);
        self.allocations.push(Made {
            register,
            ty: None,
            size,
            read_only: ReadOnly::NOTHING,
        });
        register
    }

    pub(in crate::lower) fn named_register(
        &mut self,
        wanted: &str,
        ty: Scalar,
        span: Option<Span>,
    ) -> RegisterId {
        // Parameters that nobody uses need no name in C.
        let wanted = if wanted.is_empty() { "unnamed" } else { wanted };
        let name = unique_name(&mut self.names, wanted);
        let span = span.filter(|_| self.has_places);
        self.function.registers.push(Register {
            name,
            ty,
            is_temporary: false,
            span,
        })
    }

    pub(in crate::lower) fn temporary(&mut self, ty: Scalar) -> RegisterId {
        let number = self.next_temporary;
        self.next_temporary += 1;
        let register = self.named_register(&format!("t{number}"), ty, None);
        self.function.registers[register].is_temporary = true;
        register
    }

    /// A register for the address of something that comes and goes.
    pub(in crate::lower) fn temporary_named(&mut self, name: &str) -> RegisterId {
        let register = self.named_register(name, Scalar::Pointer, None);
        self.function.registers[register].is_temporary = true;
        register
    }

    /// A value that was never set.
    pub(in crate::lower) fn undefined(&mut self, ty: Scalar) -> Expression {
        if let Some(known) = self.undefined.get(&ty) {
            return Expression::Register(*known);
        }
        let register = self.temporary(ty);
        self.undefined.insert(ty, register);
        Expression::Register(register)
    }
}

fn has_variable_length(ty: &Type) -> bool {
    match ty {
        Type::Array(element, length) => {
            matches!(length, Length::Variable(_)) || has_variable_length(&element.ty)
        }
        Type::Void
        | Type::Bool
        | Type::Integer(_)
        | Type::Enumeration(_)
        | Type::Float(_)
        | Type::Pointer(_)
        | Type::Function(_)
        | Type::Record(_)
        | Type::Unmodelled(_) => false,
    }
}
