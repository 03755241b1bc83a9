//! Values that nobody set, for whoever does not ask for `uninitialized`: who looks at one sees any value of its type.
//!
//! # Definitions
//!
//! To *look* at a value is to compute with it, to branch on it, to follow it, or to give it away; to copy it is not
//! (`docs/SOUNDNESS.md`). Where a location is left with a look at a register that may be unset, a choice is written before it:
//! if the register is not set, it gets any value, and keeps it.
//!
//! # Invariants
//!
//! - **(A1)** An execution in which every value was set goes the same way as before, with steps between that do nothing.
//! - **(A2)** A program with such choices has no such looks any more, so that to do it again changes nothing.
//! - **(A3)** What is not found here is a look at an unset value as before, which ends the execution: `uninitialized` is violated, and
//!   nobody may rest on that it is not. So to miss one costs an answer, and never makes a wrong one.
//!
//! Found are looks at integers in registers, and at those that were read from a local variable of which somebody took the address.
//! Not found are parts of structs and arrays, memory of the heap, pointers, and floating-point numbers.
//!
//! # Tested by
//!
//! `tests/c/uninitialized/`.

use raddle_base::{Arena, Id};

use crate::action::{Action, AllocateKind, NamePlace};
use crate::expression::{BinaryOp, Expression, UnaryOp};
use crate::program::{
    Edge, EdgeId, Function, Location, LocationId, Program, ProgramDraft, Register, RegisterId,
};
use crate::types::{DataModel, IntType, Scalar, Type};
use crate::validate::validate;

/// The program with such choices.
#[must_use]
pub fn with_any_values(program: Program) -> Program {
    // What is not known is no choice, and formulas speak of locations as they are.
    if program.has_unknown_values
        || !program.invariants.is_empty()
        || !program.exclusives.is_empty()
    {
        return program;
    }
    let looks: Vec<Vec<UnsetLook>> = program
        .functions
        .values()
        .map(|it| looks(it, program.model))
        .collect();
    if looks.iter().all(Vec::is_empty) {
        return program;
    }
    let mut draft = ProgramDraft::clone(&program);
    for (function, looks) in draft.functions.values_mut().zip(looks) {
        for look in looks {
            choose_before(function, look);
        }
    }
    validate(draft).unwrap_or(program)
}

/// Registers that may be unset and are looked at where a location is left.
struct UnsetLook {
    location: LocationId,
    registers: Vec<RegisterId>,
}

/// What is certain on arrival at a location.
#[derive(Clone, PartialEq, Eq)]
struct Certain {
    /// Of each register: it was set.
    set: Vec<bool>,
    /// Of each register that holds the address of a local variable: the variable was set. Of others it does not matter.
    set_behind: Vec<bool>,
}

impl Certain {
    /// On entry, parameters are taken to be set: what is passed on unset is not found here.
    fn at_entry(function: &Function) -> Self {
        let count = function.registers.len();
        Self {
            set: (0..count).map(|it| it < function.parameters).collect(),
            set_behind: vec![true; count],
        }
    }

    /// What is certain whichever way is taken; whether that is less than before.
    fn meet(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (mine, theirs) in [
            (&mut self.set, &other.set),
            (&mut self.set_behind, &other.set_behind),
        ] {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine &= theirs;
            }
        }
        *self != before
    }

    fn is_set(&self, expression: &Expression) -> bool {
        let mut all = true;
        copied(expression, &mut |it| all &= self.set[it.index()]);
        all
    }

    /// After an edge, before which all that it looks at was settled.
    fn after(&mut self, action: &Action, model: DataModel) {
        let mut is_set = true;
        if let Action::Assign { value, .. } = action {
            is_set = self.is_set(value);
        } else if let Action::Load {
            address: Expression::Register(address),
            ..
        } = action
        {
            is_set = self.set_behind[address.index()];
        } else if let Action::Store {
            address: Expression::Register(address),
            value,
            ..
        } = action
        {
            self.set_behind[address.index()] = self.is_set(value);
        } else if let Action::Spawn {
            place:
                Some(NamePlace {
                    address: Expression::Register(address),
                    ..
                }),
            ..
        } = action
        {
            self.set_behind[address.index()] = true;
        } else if let Action::Assume { condition } = action
            && let Some(register) = said_to_be_set(condition)
        {
            self.set[register.index()] = true;
        }
        for register in looked_at(action) {
            self.set[register.index()] = true;
        }
        for register in action.written_registers() {
            self.set[register.index()] = is_set;
            self.set_behind[register.index()] = true;
        }
        if let Action::Allocate {
            target,
            size: Expression::Constant(size, _),
            is_zeroed: false,
            kind: AllocateKind::Stack,
            ty: Some(Type::Scalar(scalar)),
            ..
        } = action
            && *size == u128::from(scalar.size(model))
        {
            self.set_behind[target.index()] = false;
        }
    }
}

/// Calls `visit` on registers whose value an expression only passes on.
fn copied(expression: &Expression, visit: &mut impl FnMut(RegisterId)) {
    match expression {
        Expression::Register(register) => visit(*register),
        Expression::Cast(_, operand) => copied(operand, visit),
        Expression::Select(_, then, otherwise) => {
            copied(then, visit);
            copied(otherwise, visit);
        }
        Expression::Constant(..)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Binary(..) => {}
    }
}

/// Calls `visit` on registers that an expression looks at before it passes something on.
fn looked_at_in(expression: &Expression, visit: &mut impl FnMut(RegisterId)) {
    match expression {
        Expression::Cast(_, operand) => looked_at_in(operand, visit),
        Expression::Select(condition, then, otherwise) => {
            looked_at_whole(condition, visit);
            looked_at_in(then, visit);
            looked_at_in(otherwise, visit);
        }
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Binary(..) => looked_at_operands(expression, visit),
    }
}

/// The same for an expression whose value is looked at.
fn looked_at_whole(expression: &Expression, visit: &mut impl FnMut(RegisterId)) {
    copied(expression, visit);
    looked_at_in(expression, visit);
}

/// The same for the operands of an operator; some of them take what was never set.
fn looked_at_operands(expression: &Expression, visit: &mut impl FnMut(RegisterId)) {
    if let Expression::Unary(op, operand) = expression {
        if matches!(op, UnaryOp::Settle | UnaryOp::IsSet) {
            looked_at_in(operand, visit);
        } else {
            looked_at_whole(operand, visit);
        }
    } else if let Expression::Binary(_, left, right) = expression {
        looked_at_whole(left, visit);
        looked_at_whole(right, visit);
    }
}

/// The register of which a condition says that it was set, as the choices here do.
fn said_to_be_set(condition: &Expression) -> Option<RegisterId> {
    let Expression::Binary(BinaryOp::NotEqual, left, right) = condition else {
        return None;
    };
    match (&**left, &**right) {
        (Expression::Unary(UnaryOp::IsSet, operand), Expression::Constant(0, _)) => match **operand
        {
            Expression::Register(register) => Some(register),
            Expression::Constant(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => None,
        },
        (_, _) => None,
    }
}

/// The registers that an action looks at.
pub fn looked_at(action: &Action) -> Vec<RegisterId> {
    let passed_on: Vec<&Expression> = match action {
        Action::Assign { value, .. } | Action::Store { value, .. } => vec![value],
        Action::Call { arguments, .. } | Action::Spawn { arguments, .. } => {
            arguments.iter().collect()
        }
        Action::Return { value } | Action::ExitThread { value } => value.iter().collect(),
        Action::Havoc { .. }
        | Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Load { .. }
        | Action::ReadModifyWrite { .. }
        | Action::CompareExchange { .. }
        | Action::Fence { .. }
        | Action::Allocate { .. }
        | Action::Size { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. }
        | Action::Sync { .. }
        | Action::Join { .. }
        | Action::Detach { .. }
        | Action::EndProcess { .. }
        | Action::AtomicBegin { .. }
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Emit { .. }
        | Action::Unsupported { .. } => Vec::new(),
    };
    let mut found = Vec::new();
    let mut visit = |it| found.push(it);
    for expression in action.expressions() {
        if passed_on.iter().any(|it| std::ptr::eq(*it, expression)) {
            looked_at_in(expression, &mut visit);
        } else {
            looked_at_whole(expression, &mut visit);
        }
    }
    found
}

/// Where a function may look at unset registers for which there are choices.
fn looks(function: &Function, model: DataModel) -> Vec<UnsetLook> {
    let mut outgoing: Arena<LocationId, Vec<EdgeId>> =
        function.locations.values().map(|_| Vec::new()).collect();
    for (id, edge) in function.edges.iter() {
        outgoing[edge.from].push(id);
    }
    let mut certain: Arena<LocationId, Option<Certain>> =
        function.locations.values().map(|_| None).collect();
    certain[function.entry] = Some(Certain::at_entry(function));
    let mut open = vec![function.entry];
    while let Some(location) = open.pop() {
        let Some(here) = certain[location].clone() else {
            continue;
        };
        for edge in outgoing[location].iter().map(|it| &function.edges[*it]) {
            let mut after = here.clone();
            after.after(&edge.action, model);
            let is_less = match &mut certain[edge.to] {
                Some(known) => known.meet(&after),
                none => {
                    *none = Some(after);
                    true
                }
            };
            if is_less {
                open.push(edge.to);
            }
        }
    }
    let mut found = Vec::new();
    for (location, certain) in certain.iter() {
        let Some(certain) = certain else { continue };
        let mut registers: Vec<RegisterId> = outgoing[location]
            .iter()
            .flat_map(|it| looked_at(&function.edges[*it].action))
            .filter(|it| !certain.set[it.index()] && has_choices(&function.registers[*it]))
            .collect();
        registers.sort();
        registers.dedup();
        if !registers.is_empty() {
            found.push(UnsetLook {
                location,
                registers,
            });
        }
    }
    found
}

/// Truth values, which are bytes in C, are one or the other or no value of their type; where a pointer leads that nobody
/// set, nobody knows.
fn has_choices(register: &Register) -> bool {
    matches!(register.ty, Scalar::Int(int) if int.bits > 1 && int != IntType::unsigned(8))
}

/// Writes the choices before all edges that leave a location.
fn choose_before(function: &mut Function, look: UnsetLook) {
    let span = function
        .edges
        .values()
        .find(|it| it.from == look.location)
        .and_then(|it| it.span);
    let mut push_location = || function.locations.push(Location { label: None, span });
    let ends: Vec<(LocationId, LocationId)> = look
        .registers
        .iter()
        .map(|_| (push_location(), push_location()))
        .collect();
    let Some(&(_, settled)) = ends.last() else {
        return;
    };
    for edge in function.edges.values_mut() {
        if edge.from == look.location {
            edge.from = settled;
        }
    }
    let mut from = look.location;
    for (register, (unset, to)) in look.registers.into_iter().zip(ends) {
        let ty = function.registers[register].ty;
        let is = |op| {
            let is_set = Expression::Unary(UnaryOp::IsSet, Expression::Register(register).into());
            Action::Assume {
                condition: Expression::binary(op, is_set, Expression::Constant(0, ty)),
            }
        };
        let mut push = |from, action, to| {
            function.edges.push(Edge {
                from,
                action,
                to,
                span,
            });
        };
        push(from, is(BinaryOp::NotEqual), to);
        push(from, is(BinaryOp::Equal), unset);
        push(unset, Action::Havoc { target: register }, to);
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Expression as E;
    use crate::program::{FunctionId, Root};
    use crate::types::DataModel;

    /// A program that branches on a register that nobody sets, and computes with it afterwards.
    fn program() -> Program {
        let mut function = Function::new("main");
        let ty = Scalar::Int(IntType::signed(32));
        let register = function.registers.push(Register {
            name: "x".to_owned(),
            ty,
            is_temporary: false,
            span: None,
        });
        let is_zero = E::binary(BinaryOp::Equal, E::Register(register), E::Constant(0, ty));
        for condition in [is_zero.clone(), is_zero.not()] {
            function.edges.push(Edge {
                from: function.entry,
                action: Action::Assume { condition },
                to: function.exit,
                span: None,
            });
        }
        let mut draft = ProgramDraft::new(DataModel::Lp64);
        let function: FunctionId = draft.functions.push(function);
        draft.roots.push(Root {
            name: "main".to_owned(),
            index: None,
            function,
            arguments: Vec::new(),
            span: None,
        });
        validate(draft).expect("it is a program")
    }

    fn havocs(program: &Program) -> usize {
        let edges = program.functions.values().flat_map(|it| it.edges.values());
        edges
            .filter(|it| matches!(it.action, Action::Havoc { .. }))
            .count()
    }

    #[test]
    fn a_look_is_a_choice_once() {
        let before = program();
        assert_eq!(havocs(&before), 0);
        let once = with_any_values(before);
        assert_eq!(havocs(&once), 1);
        assert!(with_any_values(once.clone()).is_same_as(&once));
    }
}
