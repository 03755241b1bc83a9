//! Which values may be addresses on the heap: whatever comes from an allocation, through registers, calls and memory.
//!
//! All of memory is two cells, one for pointers and one for numbers as wide as pointers. Narrower cells hold no address.
//! What is written as a pointer is read as a number only where a program says so (`Views`).

use raddle_base::{BitSet, Id};

use crate::action::{Action, AllocateKind, Callee};
use crate::expression::{BinaryOp, Expression};
use crate::program::{Function, FunctionId, Program, RegisterId};
use crate::types::Scalar;

/// What may be an address on the heap, wherever a program is.
#[derive(Clone, Debug)]
pub(super) struct Taint {
    registers: Vec<BitSet<RegisterId>>,
    results: Vec<bool>,
    /// What some thread ends with.
    ended: bool,
    memory: Cells,
    /// Numbers are read where pointers were written.
    pub(super) is_merged: bool,
}

/// The two cells that memory is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cells {
    pub(super) pointers: bool,
    pub(super) numbers: bool,
}

impl Cells {
    /// Whether what is meant is so of a cell of this type. What was written as a number may be read as a pointer.
    pub(super) fn of(self, ty: Scalar, program: &Program) -> bool {
        match ty {
            Scalar::Pointer => self.pointers || self.numbers,
            Scalar::Int(_) => self.numbers && is_wide(ty, program),
            Scalar::Float(_) | Scalar::Thread => false,
        }
    }

    /// Adds a cell of this type; whether it is new.
    pub(super) fn add(&mut self, ty: Scalar, program: &Program) -> bool {
        let before = *self;
        match ty {
            Scalar::Pointer => self.pointers = true,
            Scalar::Int(_) => self.numbers |= is_wide(ty, program),
            Scalar::Float(_) | Scalar::Thread => {}
        }
        *self != before
    }
}

fn is_wide(ty: Scalar, program: &Program) -> bool {
    ty.bits(program.model) >= program.model.pointer_bits()
}

/// Calls `visit` on the registers that the value of an expression is made of: not those that only decide or are compared.
pub(super) fn for_each_source(expression: &Expression, visit: &mut impl FnMut(RegisterId)) {
    match expression {
        Expression::Register(register) => visit(*register),
        Expression::Constant(..)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => {}
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            for_each_source(operand, visit);
        }
        // How far two pointers are apart is no address.
        Expression::Binary(op, ..) if op.is_comparison() || *op == BinaryOp::Distance => {}
        Expression::Binary(_, left, right) => {
            for_each_source(left, visit);
            for_each_source(right, visit);
        }
        Expression::Select(_, then, otherwise) => {
            for_each_source(then, visit);
            for_each_source(otherwise, visit);
        }
    }
}

impl Taint {
    pub(super) fn new(program: &Program, is_merged: bool) -> Self {
        let functions = program.functions.len();
        let mut taint = Self {
            registers: (0..functions).map(|_| BitSet::new()).collect(),
            results: vec![false; functions],
            ended: false,
            memory: Cells::default(),
            is_merged,
        };
        while program
            .functions
            .iter()
            .fold(false, |changed, (id, function)| {
                taint.pass(program, id, function) | changed
            })
        {}
        taint
    }

    /// Whether the value of an expression in a function may be such an address.
    pub(super) fn is_address(&self, function: FunctionId, expression: &Expression) -> bool {
        let mut found = false;
        for_each_source(expression, &mut |register| {
            found |= self.registers[function.index()].contains(register);
        });
        found
    }

    /// Whether a cell of this type may hold one.
    pub(super) fn in_memory(&self, ty: Scalar, program: &Program) -> bool {
        let mut memory = self.memory;
        memory.numbers |= self.is_merged && memory.pointers;
        memory.of(ty, program)
    }

    /// Whether memory may hold one at all.
    pub(super) fn is_in_memory(&self) -> bool {
        self.memory.pointers || self.memory.numbers
    }

    fn pass(&mut self, program: &Program, id: FunctionId, function: &Function) -> bool {
        let mut changed = false;
        for edge in function.edges.values() {
            changed |= self.edge(program, id, &edge.action);
        }
        changed
    }

    fn set(
        &mut self,
        function: FunctionId,
        register: Option<RegisterId>,
        is_address: bool,
    ) -> bool {
        let registers = &mut self.registers[function.index()];
        is_address && register.is_some_and(|register| registers.insert(register))
    }

    fn arguments(
        &mut self,
        program: &Program,
        id: FunctionId,
        callee: &Callee,
        arguments: &[Expression],
    ) -> bool {
        let mut changed = false;
        for called in called_by(program, callee) {
            let parameters = program.functions[called].parameter_ids();
            for (parameter, argument) in parameters.zip(arguments) {
                let is_address = self.is_address(id, argument);
                changed |= self.set(called, Some(parameter), is_address);
            }
        }
        changed
    }

    fn edge(&mut self, program: &Program, id: FunctionId, action: &Action) -> bool {
        match action {
            Action::Assign { target, value } => {
                let is_address = self.is_address(id, value);
                self.set(id, Some(*target), is_address)
            }
            Action::Load { target, ty, .. } => {
                let is_address = self.in_memory(*ty, program);
                self.set(id, Some(*target), is_address)
            }
            Action::Store { value, ty, .. } => {
                self.is_address(id, value) && self.memory.add(*ty, program)
            }
            Action::ReadModifyWrite {
                target,
                operand,
                ty,
                ..
            } => {
                let is_stored = self.is_address(id, operand) && self.memory.add(*ty, program);
                let is_address = self.in_memory(*ty, program);
                self.set(id, *target, is_address) | is_stored
            }
            Action::CompareExchange {
                previous,
                expected,
                desired,
                ty,
                ..
            } => {
                // Who expects an address there has read one there, perhaps by another type.
                let is_known = self.is_address(id, desired) || self.is_address(id, expected);
                let is_stored = is_known && self.memory.add(*ty, program);
                let is_address = self.in_memory(*ty, program);
                self.set(id, *previous, is_address) | is_stored
            }
            Action::Allocate { target, kind, .. } => {
                self.set(id, Some(*target), *kind == AllocateKind::Heap)
            }
            Action::Call {
                target,
                callee,
                arguments,
            } => {
                let changed = self.arguments(program, id, callee, arguments);
                let is_address =
                    called_by(program, callee).any(|called| self.results[called.index()]);
                self.set(id, *target, is_address) | changed
            }
            Action::Spawn {
                callee, arguments, ..
            } => self.arguments(program, id, callee, arguments),
            Action::Join { target, .. } => {
                let is_address = self.ended;
                self.set(id, *target, is_address)
            }
            Action::Return { value } => {
                let is_address = value.as_ref().is_some_and(|it| self.is_address(id, it));
                let is_new = is_address && !self.results[id.index()];
                self.results[id.index()] |= is_address;
                // Any function may be a thread's first.
                self.ended |= is_address;
                is_new
            }
            Action::ExitThread { value } => {
                let is_address = value.as_ref().is_some_and(|it| self.is_address(id, it));
                let is_new = is_address && !self.ended;
                self.ended |= is_address;
                is_new
            }
            Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Sync { .. }
            | Action::Detach { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => false,
        }
    }
}

/// The functions that a call may call.
pub(super) fn called_by<'a>(
    program: &'a Program,
    callee: &Callee,
) -> impl Iterator<Item = FunctionId> + use<'a> {
    let direct = match callee {
        Callee::Direct(function) => Some(*function),
        Callee::Indirect(_) => None,
    };
    program
        .functions
        .ids()
        .filter(move |it| direct.is_none_or(|direct| direct == *it))
}
