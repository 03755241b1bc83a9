//! Where C leaves the order of evaluation open: both orders where it can be seen, undefined where there is none at all.
//!
//! Operands and arguments are evaluated one after the other, in every order; operands of operators among them count one by
//! one, but what is evaluated between an argument and the call is not tried. Where that could be seen too, there are too many
//! orders, or an operand cannot be put in two places, the order is from left to right, and a warning says so.

use std::rc::Rc;

use raddle_base::Span;
use raddle_diag::Diagnostic;
use raddle_ir::{Action, Expression, Scalar};

use crate::typed::{self, Body, Callee, ExpressionKind, Lvalue, LvalueKind, Module, Update};
use crate::types::Type;

use super::body::{FunctionLowering, Value, is_memory};
use super::effects::{Effects, Root, Summaries};

/// More operands than this have too many orders.
const MOST_OPERANDS: usize = 3;
/// Orders inside of orders: each level doubles the text at least.
const DEEPEST: u32 = 3;

/// A scalar variable or member: whose it is, from which bit on, and how many.
type Subtree = (Root, u64, u64);

impl FunctionLowering<'_, '_> {
    fn summaries(&mut self) -> Rc<Summaries> {
        let module = self.lowering.module;
        let known = self
            .lowering
            .summaries
            .get_or_insert_with(|| Rc::new(Summaries::new(module)));
        Rc::clone(known)
    }

    /// A value that was computed beforehand, because the order was open.
    pub(super) fn computed(&mut self, expression: &typed::Expression) -> Option<Value> {
        self.computed.remove(&identity(expression))
    }

    /// Before operands are evaluated from left to right: those whose order can be seen are, in every order.
    pub(super) fn in_open_order(&mut self, operands: &[&typed::Expression], span: Span) {
        if !self.has_places || operands.len() < 2 || operands.iter().all(|it| is_quiet(it)) {
            return;
        }
        if self.is_undefined(operands, span) {
            return;
        }
        let (module, body) = (self.lowering.module, self.source);
        let summaries = self.summaries();
        let conflicts = Conflicts::of(module, &summaries, body, operands);
        if conflicts.open.is_empty() {
            return;
        }
        // Operators do nothing themselves, so what they combine can be put in any order too, unless it counts when they trap.
        let mut leaves = Vec::new();
        for operand in operands {
            collect_leaves(operand, &mut leaves);
        }
        if leaves
            .iter()
            .any(|it| self.computed.contains_key(&identity(it)))
        {
            // They were put in every order already, as operands of an operator around this one.
            if conflicts.traps {
                self.note_order(span);
            }
            return;
        }
        let apart = Conflicts::of(module, &summaries, body, &leaves);
        let (operands, conflicts) = if conflicts.traps || self.are_too_many(&apart, &leaves) {
            if apart.open.len() > conflicts.open.len() {
                self.note_order(span);
            }
            (operands, conflicts)
        } else {
            (&leaves[..], apart)
        };
        if conflicts.open.is_empty() {
            return;
        }
        let is_recursive = self.id.is_some_and(|id| summaries.is_recursive(id));
        if self.are_too_many(&conflicts, operands) || is_recursive || self.order_depth >= DEEPEST {
            self.note_order(span);
            return;
        }
        let open: Vec<&typed::Expression> = conflicts.open.iter().map(|it| operands[*it]).collect();
        if can_be_interleaved(module, &summaries, body, &open) {
            self.note_order(span);
        }
        self.in_every_order(&open, span);
    }

    /// Whether the operands whose order is open are too many to try all orders, or one cannot be put in two places.
    fn are_too_many(&self, conflicts: &Conflicts, operands: &[&typed::Expression]) -> bool {
        let can_be_moved = |index: &usize| {
            let ty = &operands[*index].ty;
            let has_statements = conflicts.effects[*index].has_statements;
            !has_statements && !is_memory(ty) && self.lowering.scalar(ty).is_some()
        };
        conflicts.open.len() > MOST_OPERANDS || !conflicts.open.iter().all(can_be_moved)
    }

    fn in_every_order(&mut self, open: &[&typed::Expression], span: Span) {
        self.order_depth += 1;
        let mut targets = vec![None; open.len()];
        let end = self.new_location();
        let orders = permutations(open.len());
        for (number, order) in orders.iter().enumerate() {
            let next = self.new_location();
            if number + 1 < orders.len() {
                self.choose_or(next, span);
            }
            for &position in order {
                let value = self.value(open[position]);
                let scalar = self.scalar_of(&value);
                let target = *targets[position].get_or_insert_with(|| self.temporary(scalar));
                self.assign(target, value, span);
            }
            self.connect(Action::skip(), end, Some(span));
            self.here = next;
        }
        self.here = end;
        self.order_depth -= 1;
        for (operand, target) in open.iter().zip(targets) {
            if let Some(target) = target {
                self.compute_early(operand, Expression::Register(target).into());
            }
        }
    }

    /// The next time that an expression is evaluated, it has this value.
    pub(super) fn compute_early(&mut self, expression: &typed::Expression, value: Value) {
        self.computed.insert(identity(expression), value);
    }

    /// What is evaluated from left to right because nothing else is tried.
    pub(super) fn note_open_order(&mut self, operands: &[&typed::Expression], span: Span) {
        if !self.has_places || operands.len() < 2 || operands.iter().all(|it| is_quiet(it)) {
            return;
        }
        let (module, body) = (self.lowering.module, self.source);
        let summaries = self.summaries();
        let conflicts = Conflicts::of(module, &summaries, body, operands);
        if !conflicts.open.is_empty() {
            self.note_order(span);
        }
    }

    /// Goes on here, or at another location, whichever may happen.
    pub(super) fn choose_or(&mut self, other: raddle_ir::LocationId, span: Span) {
        let bit = self.temporary(Scalar::BOOL);
        self.then(Action::Havoc { target: bit }, span);
        let here = self.new_location();
        self.branch(Expression::Register(bit).into(), other, here, span);
        self.here = here;
    }

    /// What is written to a place, and what it takes to find the place.
    pub(super) fn in_open_order_with_place(
        &mut self,
        place: &Lvalue,
        value: &typed::Expression,
        span: Span,
    ) {
        if let Some(target) = part(place)
            && trailing_writes(value).iter().any(|it| overlap(it, &target))
        {
            self.undefined_order(span);
            return;
        }
        let mut operands = operands_of(place);
        match &value.kind {
            // Of a record that is copied, what it takes to find it.
            ExpressionKind::Load(source) if is_memory(&value.ty) => {
                operands.extend(operands_of(source));
            }
            _ => operands.push(value),
        }
        self.in_open_order(&operands, span);
    }

    /// Whether it can be seen if a place is read before or after an operand is evaluated.
    pub(super) fn is_read_in_open_order(
        &mut self,
        place: &Lvalue,
        operand: &typed::Expression,
        span: Span,
    ) -> bool {
        if !self.has_places || is_quiet(operand) || place.ty.is_atomic {
            return false;
        }
        let (module, body) = (self.lowering.module, self.source);
        let summaries = self.summaries();
        let read = Effects::of_reading(module, &summaries, place);
        let other = Effects::of(module, &summaries, operand);
        if !read.conflict(&other, &summaries, body) {
            return false;
        }
        let mut leaves = Vec::new();
        collect_leaves(operand, &mut leaves);
        let is_computed = |it: &typed::Expression| self.computed.contains_key(&identity(it));
        if is_computed(operand) || leaves.into_iter().any(is_computed) {
            // It was put in every order with what it takes to find the place.
            self.note_order(span);
            return false;
        }
        let is_recursive = self.id.is_some_and(|id| summaries.is_recursive(id));
        if other.has_statements || is_recursive || self.order_depth >= DEEPEST {
            self.note_order(span);
            return false;
        }
        true
    }

    fn is_undefined(&mut self, operands: &[&typed::Expression], span: Span) -> bool {
        let parts: Vec<Direct> = operands
            .iter()
            .map(|operand| {
                let mut direct = Direct::default();
                direct.expression(operand);
                direct
            })
            .collect();
        for (number, one) in parts.iter().enumerate() {
            for other in &parts[number + 1..] {
                if one.conflicts(other) || other.conflicts(one) {
                    self.undefined_order(span);
                    return true;
                }
            }
        }
        false
    }

    fn undefined_order(&mut self, span: Span) {
        if self.has_places {
            let what = "a variable that is changed and used without an order between the two";
            self.unsupported(what, span);
        }
    }

    fn note_order(&mut self, span: Span) {
        let warning = Diagnostic::warning(
            "evaluation-order",
            "the verdict rests on an order of evaluation that C leaves open: from left to right",
        )
        .at(span, "these operands are evaluated from left to right")
        .help("write them as statements of their own");
        let warnings = &mut self.lowering.warnings;
        if !warnings.iter().any(|known| known.diagnostic == warning) {
            warnings.push(warning.into());
        }
    }
}

/// Operands that conflict with one another.
struct Conflicts {
    effects: Vec<Effects>,
    /// Which of the operands conflict with others.
    open: Vec<usize>,
    /// One may end the execution, another one trap.
    traps: bool,
}

impl Conflicts {
    fn of(
        module: &Module,
        summaries: &Summaries,
        body: &Body,
        operands: &[&typed::Expression],
    ) -> Self {
        let effects: Vec<Effects> = operands
            .iter()
            .map(|operand| Effects::of(module, summaries, operand))
            .collect();
        let others = |one: usize| (0..effects.len()).filter(move |other| one != *other);
        let conflict = |one: usize, other: usize| {
            effects[one].conflict(&effects[other], summaries, body)
                || effects[one].traps_conflict(&effects[other])
        };
        let open = (0..effects.len())
            .filter(|&one| others(one).any(|other| conflict(one, other)))
            .collect();
        let traps = (0..effects.len())
            .any(|one| others(one).any(|other| effects[one].traps_conflict(&effects[other])));
        Self {
            effects,
            open,
            traps,
        }
    }
}

/// The operands of operators, and of operators among them: what is evaluated by itself.
fn collect_leaves<'e>(expression: &'e typed::Expression, leaves: &mut Vec<&'e typed::Expression>) {
    match &expression.kind {
        ExpressionKind::Negate(operand)
        | ExpressionKind::BitNot(operand)
        | ExpressionKind::Cast(operand) => collect_leaves(operand, leaves),
        ExpressionKind::Arithmetic(_, left, right)
        | ExpressionKind::Compare(_, left, right)
        | ExpressionKind::PointerAdd {
            pointer: left,
            index: right,
            ..
        }
        | ExpressionKind::PointerDifference { left, right, .. } => {
            collect_leaves(left, leaves);
            collect_leaves(right, leaves);
        }
        _ => leaves.push(expression),
    }
}

/// Whether parts of an operand may conflict with another one each, so that it matters if that is evaluated between them.
fn can_be_interleaved(
    module: &Module,
    summaries: &Summaries,
    body: &Body,
    open: &[&typed::Expression],
) -> bool {
    open.iter().enumerate().any(|(number, operand)| {
        let parts = Effects::of_parts(module, summaries, operand);
        let others = open
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number);
        parts.len() > 1
            && others.into_iter().any(|(_, other)| {
                let other = Effects::of(module, summaries, other);
                let conflicting = |it: &&Effects| it.conflict(&other, summaries, body);
                parts.iter().filter(conflicting).count() > 1
            })
    })
}

/// The expressions that have to be evaluated to find a place.
pub(super) fn operands_of(place: &Lvalue) -> Vec<&typed::Expression> {
    match &place.kind {
        LvalueKind::Local(_)
        | LvalueKind::Object(_)
        | LvalueKind::CompoundLiteral(..)
        | LvalueKind::Value(..) => Vec::new(),
        LvalueKind::Dereference(pointer) => vec![pointer],
        LvalueKind::Field(record, ..) => operands_of(record),
    }
}

/// An expression is one thing, wherever it is used: the tree stays where it is.
fn identity(expression: &typed::Expression) -> usize {
    std::ptr::from_ref(expression).addr()
}

/// Whether an expression has no effect, at first glance.
pub(super) fn is_quiet(expression: &typed::Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::FunctionAddress(_)
        | ExpressionKind::LabelAddress(_) => true,
        ExpressionKind::Cast(inner) | ExpressionKind::Negate(inner) => is_quiet(inner),
        ExpressionKind::Load(place) | ExpressionKind::AddressOf(place) => {
            matches!(place.kind, LvalueKind::Local(_) | LvalueKind::Object(_))
                && !place.ty.is_atomic
                && !place.ty.is_volatile
        }
        _ => false,
    }
}

/// All orders of so many things, from left to right first.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for first in 0..count {
        for rest in permutations(count - 1) {
            let mut order = vec![first];
            order.extend(rest.into_iter().map(|it| it + usize::from(it >= first)));
            found.push(order);
        }
    }
    found
}

/// The variable or member that a place is, if that can be told.
fn part(place: &Lvalue) -> Option<Subtree> {
    let bits = |ty: &Type| match ty {
        Type::Record(_)
        | Type::Array(..)
        | Type::Unmodelled(_)
        | Type::Void
        | Type::Function(_) => None,
        Type::Bool
        | Type::Integer(_)
        | Type::Enumeration(_)
        | Type::Float(_)
        | Type::Pointer(_) => Some(8),
    };
    match &place.kind {
        LvalueKind::Local(local) => bits(&place.ty.ty).map(|size| (Root::Local(*local), 0, size)),
        LvalueKind::Object(object) => {
            bits(&place.ty.ty).map(|size| (Root::Object(*object), 0, size))
        }
        LvalueKind::Field(record, offset, field) => {
            let (root, start) = start(record)?;
            match field {
                Some(field) => Some((root, start + field.first, u64::from(field.width))),
                None => bits(&place.ty.ty).map(|size| (root, start + offset * 8, size)),
            }
        }
        LvalueKind::Dereference(_) | LvalueKind::CompoundLiteral(..) | LvalueKind::Value(..) => {
            None
        }
    }
}

/// Where a record begins, in bits.
fn start(place: &Lvalue) -> Option<(Root, u64)> {
    match &place.kind {
        LvalueKind::Local(local) => Some((Root::Local(*local), 0)),
        LvalueKind::Object(object) => Some((Root::Object(*object), 0)),
        LvalueKind::Field(record, offset, None) => {
            let (root, before) = start(record)?;
            Some((root, before + offset * 8))
        }
        LvalueKind::Field(_, _, Some(_))
        | LvalueKind::Dereference(_)
        | LvalueKind::CompoundLiteral(..)
        | LvalueKind::Value(..) => None,
    }
}

fn overlap(one: &Subtree, two: &Subtree) -> bool {
    one.0 == two.0 && one.1 < two.1 + two.2 && two.1 < one.1 + one.2
}

/// What an expression reads and writes itself, not in functions that it calls, whenever it is evaluated.
#[derive(Default)]
struct Direct {
    reads: Vec<Subtree>,
    writes: Vec<Subtree>,
}

impl Direct {
    fn conflicts(&self, other: &Direct) -> bool {
        self.writes.iter().any(|written| {
            let mut touched = other.reads.iter().chain(&other.writes);
            touched.any(|it| overlap(it, written))
        })
    }

    fn place(&mut self, place: &Lvalue) {
        for operand in operands_of(place) {
            self.expression(operand);
        }
    }

    fn expression(&mut self, expression: &typed::Expression) {
        match &expression.kind {
            ExpressionKind::Load(place) => {
                self.place(place);
                self.reads.extend(part(place));
            }
            ExpressionKind::AddressOf(place) => self.place(place),
            ExpressionKind::Negate(operand)
            | ExpressionKind::BitNot(operand)
            | ExpressionKind::LogicalNot(operand)
            | ExpressionKind::Cast(operand)
            | ExpressionKind::Alloca(operand)
            // What stands behind is evaluated only if.
            | ExpressionKind::LogicalAnd(operand, _)
            | ExpressionKind::LogicalOr(operand, _)
            | ExpressionKind::Conditional(operand, ..)
            | ExpressionKind::Elvis(operand, _) => self.expression(operand),
            ExpressionKind::Arithmetic(_, left, right)
            | ExpressionKind::Compare(_, left, right)
            | ExpressionKind::Comma(left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::PointerAdd { pointer, index, .. } => {
                self.expression(pointer);
                self.expression(index);
            }
            ExpressionKind::PointerDifference { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Assign(place, value) => {
                self.place(place);
                self.expression(value);
                self.writes.extend(part(place));
            }
            ExpressionKind::Update { place, update, .. } => {
                self.place(place);
                if let Update::Arithmetic { operand, .. } = update {
                    self.expression(operand);
                }
                self.writes.extend(part(place));
            }
            ExpressionKind::Call(callee, arguments) => {
                if let Callee::Indirect(pointer, _) = callee {
                    self.expression(pointer);
                }
                for argument in arguments {
                    self.expression(argument);
                }
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::FunctionAddress(_)
            | ExpressionKind::LabelAddress(_)
            | ExpressionKind::Statements(..)
            | ExpressionKind::VaStart(_)
            | ExpressionKind::VaArg(_)
            | ExpressionKind::VaCopy(..)
            | ExpressionKind::OverflowArithmetic { .. }
            | ExpressionKind::Atomic(_)
            | ExpressionKind::Unreachable
            | ExpressionKind::Unsupported(_) => {}
        }
    }
}

/// What is written by an expression, maybe only after its value is known: not before a comma, nor for a call.
fn trailing_writes(expression: &typed::Expression) -> Vec<Subtree> {
    match &expression.kind {
        ExpressionKind::Assign(place, value) => {
            let mut found = trailing_writes(value);
            found.extend(part(place));
            found
        }
        ExpressionKind::Update { place, update, .. } => {
            let mut found = match update {
                Update::Arithmetic { operand, .. } => trailing_writes(operand),
                Update::Pointer { .. } => Vec::new(),
            };
            found.extend(part(place));
            found
        }
        ExpressionKind::Negate(operand)
        | ExpressionKind::BitNot(operand)
        | ExpressionKind::LogicalNot(operand)
        | ExpressionKind::Cast(operand)
        | ExpressionKind::Comma(_, operand) => trailing_writes(operand),
        ExpressionKind::Arithmetic(_, left, right)
        | ExpressionKind::Compare(_, left, right)
        | ExpressionKind::PointerAdd {
            pointer: left,
            index: right,
            ..
        } => {
            let mut found = trailing_writes(left);
            found.extend(trailing_writes(right));
            found
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::permutations;

    #[test]
    fn orders_begin_with_that_from_left_to_right() {
        assert_eq!(permutations(2), [[0, 1], [1, 0]]);
        let all = permutations(3);
        assert_eq!(all.len(), 6);
        assert_eq!(all[0], [0, 1, 2]);
        let mut sorted = all.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 6);
    }
}
