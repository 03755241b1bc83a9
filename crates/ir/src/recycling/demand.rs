//! Which values may still come to be compared with another address: the others need not be told apart from new ones.
//!
//! Backwards over the code, as liveness is computed, but what counts as a use is that the value gets to where equality of
//! addresses shows: into a comparison or a compare-and-exchange with another address, into a number that is computed from
//! it and another address, as their difference, into output, or to where a number becomes a pointer. An access does not count, nor a comparison with null or with the address of a variable.

use raddle_base::{BitSet, Id};

use super::parts::Parts;
use super::taint::{Cells, Taint, called_by, for_each_source};
use crate::action::{Action, Callee};
use crate::expression::{BinaryOp, Expression, UnaryOp};
use crate::formula::Atom;
use crate::program::{Edge, FunctionId, LocationId, Program, RegisterId};
use crate::types::Scalar;

/// What counts where.
#[derive(Clone, Debug, Default)]
pub(super) struct Demand {
    /// By function and location: the registers whose values may still be compared.
    live: Vec<Vec<BitSet<RegisterId>>>,
    /// By function: what it gives.
    results: Vec<bool>,
    /// What a thread ends with.
    pub(super) ended: bool,
    /// What memory holds.
    pub(super) memory: Cells,
    /// Something is compared at all.
    pub(super) is_any: bool,
    /// Among what is compared are numbers that addresses were mixed into: no word names them any more.
    pub(super) hides: bool,
}

impl Demand {
    pub(super) fn new(program: &Program, taint: &Taint, parts: &Parts) -> Self {
        let functions = program.functions.values();
        let mut demand = Self {
            live: functions
                .map(|it| vec![BitSet::new(); it.locations.len()])
                .collect(),
            results: vec![false; program.functions.len()],
            ..Self::default()
        };
        demand.formulas(program, taint);
        if parts.is_any() && taint.is_in_memory() {
            demand.memory.pointers = true;
            demand.is_any = true;
        }
        while program.functions.ids().fold(false, |changed, function| {
            demand.pass(program, taint, function) | changed
        }) {}
        demand
    }

    pub(super) fn is_live(
        &self,
        function: FunctionId,
        location: LocationId,
        register: RegisterId,
    ) -> bool {
        self.live[function.index()][location.index()].contains(register)
    }

    /// Formulas look at memory whenever they like.
    fn formulas(&mut self, program: &Program, taint: &Taint) {
        let exclusives = program.exclusives.iter().map(|it| &it.condition);
        let invariants = program.invariants.iter().map(|it| &it.formula);
        for atom in exclusives.chain(invariants).flat_map(|it| &it.atoms) {
            if let Atom::Cell { ty, .. } = atom
                && taint.in_memory(*ty, program)
            {
                self.memory.add(*ty, program);
                self.is_any = true;
            }
        }
    }

    /// Goes over a function once, from its end; whether something is new.
    fn pass(&mut self, program: &Program, taint: &Taint, function: FunctionId) -> bool {
        let mut changed = false;
        // Edges are numbered from the entry, so most uses come after what they use.
        let edges = program.functions[function].edges.values();
        for edge in edges.collect::<Vec<_>>().into_iter().rev() {
            let mut here = self.live[function.index()][edge.to.index()].clone();
            let wanted: Vec<RegisterId> = edge
                .action
                .written_registers()
                .filter(|it| here.contains(*it))
                .collect();
            for register in edge.action.written_registers() {
                here.remove(register);
            }
            changed |= self.flow(program, taint, function, edge, &wanted, &mut here);
            let before = &mut self.live[function.index()][edge.from.index()];
            changed |= before.union_with(&here);
        }
        changed
    }

    /// What an edge needs so that what is wanted after it can be had; whether a fact about the whole program is new.
    fn flow(
        &mut self,
        program: &Program,
        taint: &Taint,
        function: FunctionId,
        edge: &Edge,
        wanted: &[RegisterId],
        here: &mut BitSet<RegisterId>,
    ) -> bool {
        let mut sinks = Sinks {
            program,
            taint,
            function,
            here,
            has_compared: false,
            hides: false,
        };
        for expression in edge.action.expressions() {
            sinks.compared_in(expression);
        }
        let before = (self.memory, self.ended, self.is_any, self.hides);
        let mut is_new_result = false;
        match &edge.action {
            Action::Assign { value, .. } if !wanted.is_empty() => sinks.need(value),
            Action::Load { ty, .. } if !wanted.is_empty() => {
                self.memory.add(*ty, program);
            }
            Action::Store { value, ty, .. } => {
                if self.memory.of(*ty, program) {
                    sinks.need(value);
                }
            }
            Action::ReadModifyWrite { operand, ty, .. } => {
                if !wanted.is_empty() {
                    self.memory.add(*ty, program);
                }
                if self.memory.of(*ty, program) {
                    sinks.need(operand);
                }
            }
            Action::CompareExchange {
                expected,
                desired,
                ty,
                ..
            } => {
                let compares =
                    taint.is_address(function, expected) && taint.in_memory(*ty, program);
                if compares {
                    sinks.need(expected);
                    sinks.has_compared = true;
                }
                if compares || !wanted.is_empty() {
                    self.memory.add(*ty, program);
                }
                if self.memory.of(*ty, program) {
                    sinks.need(desired);
                }
            }
            Action::Emit { arguments, .. } => {
                for argument in arguments {
                    if taint.is_address(function, argument) {
                        sinks.need(argument);
                        sinks.has_compared = true;
                    }
                }
            }
            Action::Call {
                callee, arguments, ..
            } => {
                if !wanted.is_empty() {
                    for called in called_by(program, callee) {
                        let result = &mut self.results[called.index()];
                        is_new_result |= !std::mem::replace(result, true);
                    }
                }
                self.arguments(callee, arguments, &mut sinks);
            }
            Action::Spawn {
                callee, arguments, ..
            } => self.arguments(callee, arguments, &mut sinks),
            Action::Join { .. } => self.ended |= !wanted.is_empty(),
            Action::Return { value: Some(value) } => {
                if self.results[function.index()] || self.ended {
                    sinks.need(value);
                }
            }
            Action::ExitThread { value: Some(value) } => {
                if self.ended {
                    sinks.need(value);
                }
            }
            Action::Assign { .. }
            | Action::Load { .. }
            | Action::Return { value: None }
            | Action::ExitThread { value: None }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Allocate { .. }
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
            | Action::Unsupported { .. } => {}
        }
        self.is_any |= sinks.has_compared;
        self.hides |= sinks.hides;
        // What is asked for as a number may have been written as a pointer, and the other way round.
        if taint.is_merged && (self.memory.pointers || self.memory.numbers) {
            self.memory.pointers = true;
            self.memory.numbers = true;
        }
        is_new_result || before != (self.memory, self.ended, self.is_any, self.hides)
    }

    fn arguments(&self, callee: &Callee, arguments: &[Expression], sinks: &mut Sinks<'_>) {
        let program = sinks.program;
        for called in called_by(program, callee) {
            let entry = program.functions[called].entry;
            for (parameter, argument) in program.functions[called].parameter_ids().zip(arguments) {
                if self.is_live(called, entry, parameter) {
                    sinks.need(argument);
                }
            }
        }
    }
}

/// Collects the registers whose values are needed before an edge.
struct Sinks<'a> {
    program: &'a Program,
    taint: &'a Taint,
    function: FunctionId,
    here: &'a mut BitSet<RegisterId>,
    has_compared: bool,
    hides: bool,
}

impl Sinks<'_> {
    fn need(&mut self, expression: &Expression) {
        self.hides |= self.is_mixed(expression);
        for_each_source(expression, &mut |register| {
            self.here.insert(register);
        });
    }

    /// Whether an address gets into a number that does not name it any more.
    fn is_mixed(&self, expression: &Expression) -> bool {
        let is_address = |it: &Expression| self.taint.is_address(self.function, it);
        match expression {
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => false,
            Expression::Unary(UnaryOp::Settle | UnaryOp::IsSet, operand) => self.is_mixed(operand),
            Expression::Unary(
                UnaryOp::Negate | UnaryOp::NegateWrapping | UnaryOp::Not,
                operand,
            ) => is_address(operand) || self.is_mixed(operand),
            Expression::Cast(_, operand) => self.is_mixed(operand),
            Expression::Binary(op, ..) if op.is_comparison() || *op == BinaryOp::Distance => false,
            Expression::Binary(op, left, right) => {
                let mixes = match (is_address(left), is_address(right)) {
                    (false, false) => false,
                    (true, true) => *op != BinaryOp::Offset,
                    (true, false) => !keeps_name(*op, right),
                    (false, true) => !keeps_name(*op, left),
                };
                mixes || self.is_mixed(left) || self.is_mixed(right)
            }
            Expression::Select(_, then, otherwise) => {
                self.is_mixed(then) || self.is_mixed(otherwise)
            }
        }
    }

    /// What is compared inside of an expression, and what numbers become pointers there.
    fn compared_in(&mut self, expression: &Expression) {
        let is_address = |it: &Expression| self.taint.is_address(self.function, it);
        match expression {
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => {}
            Expression::Unary(_, operand) => self.compared_in(operand),
            Expression::Cast(to, operand) => {
                let registers = &self.program.functions[self.function].registers;
                let from = operand.scalar(registers, self.program.model);
                let becomes_pointer = *to == Scalar::Pointer && from != Scalar::Pointer;
                if becomes_pointer && is_address(operand) {
                    self.need(operand);
                    self.has_compared = true;
                }
                self.compared_in(operand);
            }
            Expression::Binary(op, left, right) => {
                let shows_equality =
                    *op != BinaryOp::Distance && is_address(left) && is_address(right);
                // An index that was made of an address leads to the same element again.
                if *op == BinaryOp::Offset && is_address(right) {
                    self.need(right);
                    self.has_compared = true;
                }
                if shows_equality {
                    self.need(left);
                    self.need(right);
                    self.has_compared = true;
                }
                self.compared_in(left);
                self.compared_in(right);
            }
            Expression::Select(condition, then, otherwise) => {
                self.compared_in(condition);
                self.compared_in(then);
                self.compared_in(otherwise);
            }
        }
    }
}

/// Whether a word still names the object after this was done with it: only the lowest bits change, where the offset is.
fn keeps_name(op: BinaryOp, other: &Expression) -> bool {
    let Expression::Constant(constant, Scalar::Int(int)) = other else {
        return op == BinaryOp::Offset;
    };
    let (constant, mask) = (*constant, u128::MAX >> (128 - u32::from(int.bits)));
    let is_small = |bits: u128| bits < 1 << 12;
    match op {
        BinaryOp::Offset => true,
        BinaryOp::Or | BinaryOp::Xor => is_small(constant),
        BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::AddWrapping
        | BinaryOp::SubtractWrapping
        // What is left of the lowest bits alone says nothing about the object.
        | BinaryOp::And => is_small(constant) || is_small(!constant & mask),
        BinaryOp::Multiply
        | BinaryOp::MultiplyWrapping
        | BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::ShiftLeftWrapping
        | BinaryOp::ShiftRightWrapping
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual
        | BinaryOp::Distance => false,
    }
}
