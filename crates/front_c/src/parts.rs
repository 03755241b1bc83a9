//! What expressions and statements are made of.

use std::collections::BTreeSet;

use crate::typed::{
    AtomicOperation, Callee, Expression, ExpressionKind, Initial, LocalId, Lvalue, LvalueKind,
    PieceValue, Statement, StatementKind, Update,
};

/// A part that is evaluated as a part of the whole.
#[derive(Clone, Copy)]
pub(crate) enum Subtree<'t> {
    Value(&'t Expression),
    Lvalue(&'t Lvalue),
    /// `({ … })`, and what it gives.
    Statements(&'t [Statement], Option<&'t Expression>),
}

/// The parts of an expression, not those of its parts.
pub(crate) fn of_expression<'t>(expression: &'t Expression, visit: &mut dyn FnMut(Subtree<'t>)) {
    match &expression.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::FunctionAddress(_)
        | ExpressionKind::LabelAddress(_)
        | ExpressionKind::Unreachable
        | ExpressionKind::Unsupported(_) => {}
        ExpressionKind::Load(place) | ExpressionKind::AddressOf(place) => {
            visit(Subtree::Lvalue(place));
        }
        ExpressionKind::Negate(operand)
        | ExpressionKind::BitNot(operand)
        | ExpressionKind::LogicalNot(operand)
        | ExpressionKind::Cast(operand)
        | ExpressionKind::VaStart(operand)
        | ExpressionKind::VaArg(operand)
        | ExpressionKind::Alloca(operand) => visit(Subtree::Value(operand)),
        ExpressionKind::Arithmetic(_, left, right)
        | ExpressionKind::Compare(_, left, right)
        | ExpressionKind::LogicalAnd(left, right)
        | ExpressionKind::LogicalOr(left, right)
        | ExpressionKind::Elvis(left, right)
        | ExpressionKind::Comma(left, right)
        | ExpressionKind::VaCopy(left, right) => {
            visit(Subtree::Value(left));
            visit(Subtree::Value(right));
        }
        ExpressionKind::Conditional(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                visit(Subtree::Value(part));
            }
        }
        ExpressionKind::PointerAdd {
            pointer: left,
            index: right,
            size,
            is_subtract: _,
        }
        | ExpressionKind::PointerDifference { left, right, size } => {
            for part in [left, right, size] {
                visit(Subtree::Value(part));
            }
        }
        ExpressionKind::Assign(place, value) => {
            visit(Subtree::Lvalue(place));
            visit(Subtree::Value(value));
        }
        ExpressionKind::Update { place, update, .. } => {
            visit(Subtree::Lvalue(place));
            match update {
                Update::Arithmetic { operand, .. } => visit(Subtree::Value(operand)),
                Update::Pointer { index, size, .. } => {
                    visit(Subtree::Value(index));
                    visit(Subtree::Value(size));
                }
            }
        }
        ExpressionKind::Call(callee, arguments) => {
            if let Callee::Indirect(pointer, _) = callee {
                visit(Subtree::Value(pointer));
            }
            for argument in arguments {
                visit(Subtree::Value(argument));
            }
        }
        ExpressionKind::Statements(statements, last) => {
            visit(Subtree::Statements(statements, last.as_deref()));
        }
        ExpressionKind::OverflowArithmetic {
            left,
            right,
            result,
            ..
        } => {
            visit(Subtree::Value(left));
            visit(Subtree::Value(right));
            if let Some(result) = result {
                visit(Subtree::Lvalue(result));
            }
        }
        ExpressionKind::Atomic(access) => {
            for order in access.computed.iter() {
                visit(Subtree::Value(order));
            }
            visit(Subtree::Value(&access.pointer));
            match &access.operation {
                AtomicOperation::Load | AtomicOperation::Fence => {}
                AtomicOperation::Store(value) | AtomicOperation::Exchange(value) => {
                    visit(Subtree::Value(value));
                }
                AtomicOperation::Fetch { operand, .. } => visit(Subtree::Value(operand)),
                AtomicOperation::CompareExchange {
                    expected, desired, ..
                } => {
                    visit(Subtree::Lvalue(expected));
                    visit(Subtree::Value(desired));
                }
                AtomicOperation::CompareAndSwap {
                    expected, desired, ..
                } => {
                    visit(Subtree::Value(expected));
                    visit(Subtree::Value(desired));
                }
            }
        }
    }
}

pub(crate) fn of_place<'t>(place: &'t Lvalue, visit: &mut dyn FnMut(Subtree<'t>)) {
    match &place.kind {
        LvalueKind::Local(_) | LvalueKind::Object(_) => {}
        LvalueKind::Dereference(pointer) => visit(Subtree::Value(pointer)),
        LvalueKind::Field(record, ..) => visit(Subtree::Lvalue(record)),
        LvalueKind::CompoundLiteral(_, initial) => of_initial(initial, visit),
        LvalueKind::Value(record, _) => visit(Subtree::Value(record)),
    }
}

pub(crate) fn of_initial<'t>(initial: &'t Initial, visit: &mut dyn FnMut(Subtree<'t>)) {
    for piece in &initial.pieces {
        match &piece.value {
            PieceValue::Expression(value) => visit(Subtree::Value(value)),
            PieceValue::Bytes(_) => {}
        }
    }
}

/// The expressions that stand in a statement itself.
pub(crate) fn of_statement<'t>(statement: &'t Statement, visit: &mut dyn FnMut(Subtree<'t>)) {
    match &statement.kind {
        StatementKind::Expression(value)
        | StatementKind::AllocateVariable(_, value)
        | StatementKind::Cleanup(_, value)
        | StatementKind::GotoComputed(value)
        | StatementKind::Return(Some(value))
        | StatementKind::If {
            condition: value, ..
        }
        | StatementKind::DoWhile {
            condition: value, ..
        }
        | StatementKind::Switch { value, .. } => visit(Subtree::Value(value)),
        StatementKind::Declare(_, initial) => {
            if let Some(initial) = initial {
                of_initial(initial, visit);
            }
        }
        StatementKind::Loop {
            condition, next, ..
        } => {
            for value in condition.iter().chain(next) {
                visit(Subtree::Value(value));
            }
        }
        StatementKind::Block(_)
        | StatementKind::Case(_)
        | StatementKind::Default
        | StatementKind::Label(_)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(None)
        | StatementKind::Unsupported(_) => {}
    }
}

/// The blocks of a statement, each of which is a scope.
pub(crate) fn blocks(statement: &Statement) -> Vec<&[Statement]> {
    match &statement.kind {
        StatementKind::Block(body)
        | StatementKind::Loop { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. } => vec![body],
        StatementKind::If {
            then, otherwise, ..
        } => vec![then, otherwise],
        StatementKind::Expression(_)
        | StatementKind::Declare(..)
        | StatementKind::AllocateVariable(..)
        | StatementKind::Cleanup(..)
        | StatementKind::Case(_)
        | StatementKind::Default
        | StatementKind::Label(_)
        | StatementKind::Goto(_)
        | StatementKind::GotoComputed(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(_)
        | StatementKind::Unsupported(_) => Vec::new(),
    }
}

/// Whether a statement is a block of its own, as `if` and loops are, with the literals in what controls it.
pub(crate) fn has_controls(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::If { .. }
            | StatementKind::Loop { .. }
            | StatementKind::DoWhile { .. }
            | StatementKind::Switch { .. }
    )
}

/// The statement expressions in a statement, wherever they are.
pub(crate) fn statement_expressions<'t>(
    statement: &'t Statement,
    found: &mut Vec<(&'t [Statement], Option<&'t Expression>)>,
) {
    let mut open = Vec::new();
    of_statement(statement, &mut |part| open.push(part));
    while let Some(part) = open.pop() {
        match part {
            Subtree::Value(value) => of_expression(value, &mut |part| open.push(part)),
            Subtree::Lvalue(place) => of_place(place, &mut |part| open.push(part)),
            Subtree::Statements(statements, last) => {
                found.push((statements, last));
                open.extend(last.map(Subtree::Value));
            }
        }
    }
}

/// Compound literals whose life is that of the block around a part.
pub(crate) fn literals(part: Subtree<'_>, found: &mut Vec<LocalId>) {
    match part {
        Subtree::Value(value) => of_expression(value, &mut |part| literals(part, found)),
        Subtree::Lvalue(place) => {
            if let LvalueKind::CompoundLiteral(local, _) = place.kind {
                found.push(local);
            }
            of_place(place, &mut |part| literals(part, found));
        }
        Subtree::Statements(..) => {}
    }
}

/// Records that are no variables: they end with the full expression.
pub(crate) fn temporaries(part: Subtree<'_>, found: &mut Vec<LocalId>) {
    match part {
        Subtree::Value(value) => of_expression(value, &mut |part| temporaries(part, found)),
        Subtree::Lvalue(place) => {
            if let LvalueKind::Value(_, local) = place.kind {
                found.push(local);
            }
            of_place(place, &mut |part| temporaries(part, found));
        }
        Subtree::Statements(_, last) => {
            if let Some(last) = last {
                temporaries(Subtree::Value(last), found);
            }
        }
    }
}

/// The locals whose address is taken: the address of a local or of a part of it is among these values.
pub(crate) fn address_taken(statements: &[Statement]) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    note_addresses(Subtree::Statements(statements, None), &mut found);
    found
}

fn note_addresses(part: Subtree<'_>, found: &mut BTreeSet<LocalId>) {
    match part {
        Subtree::Value(value) => {
            if let ExpressionKind::AddressOf(place) = &value.kind {
                found.extend(local_of(place));
            }
            of_expression(value, &mut |part| note_addresses(part, found));
        }
        Subtree::Lvalue(place) => of_place(place, &mut |part| note_addresses(part, found)),
        Subtree::Statements(statements, last) => {
            for statement in statements {
                of_statement(statement, &mut |part| note_addresses(part, found));
                for block in blocks(statement) {
                    note_addresses(Subtree::Statements(block, None), found);
                }
            }
            if let Some(last) = last {
                note_addresses(Subtree::Value(last), found);
            }
        }
    }
}

/// The first value of a local that keeps it: it is declared with it, and besides only read, as a whole.
pub(crate) fn kept_initial(statements: &[Statement], local: LocalId) -> Option<&Initial> {
    let declared = declared_initial(statements, local)?;
    only_read(Subtree::Statements(statements, None), local).then_some(declared)
}

/// What a local is declared with, where nobody can come to it but through the declaration: in no `switch`.
fn declared_initial(statements: &[Statement], local: LocalId) -> Option<&Initial> {
    statements
        .iter()
        .find_map(|statement| match &statement.kind {
            StatementKind::Declare(declared, initial) if *declared == local => initial.as_ref(),
            StatementKind::Switch { .. } => None,
            _ => blocks(statement)
                .into_iter()
                .find_map(|block| declared_initial(block, local)),
        })
}

fn only_read(part: Subtree<'_>, local: LocalId) -> bool {
    let mut is_so = true;
    let mut visit = |part: Subtree<'_>| is_so &= only_read(part, local);
    match part {
        Subtree::Value(value) => {
            let is_read = matches!(&value.kind, ExpressionKind::Load(place)
                if matches!(place.kind, LvalueKind::Local(read) if read == local));
            if !is_read {
                of_expression(value, &mut visit);
            }
        }
        Subtree::Lvalue(place) => {
            of_place(place, &mut visit);
            is_so &= local_of(place) != Some(local);
        }
        Subtree::Statements(statements, last) => {
            for statement in statements {
                of_statement(statement, &mut visit);
                for block in blocks(statement) {
                    visit(Subtree::Statements(block, None));
                }
            }
            if let Some(last) = last {
                visit(Subtree::Value(last));
            }
        }
    }
    is_so
}

/// The local that a place is a part of.
fn local_of(place: &Lvalue) -> Option<LocalId> {
    match &place.kind {
        LvalueKind::Local(local)
        | LvalueKind::CompoundLiteral(local, _)
        | LvalueKind::Value(_, local) => Some(*local),
        LvalueKind::Field(record, ..) => local_of(record),
        LvalueKind::Object(_) | LvalueKind::Dereference(_) => None,
    }
}
