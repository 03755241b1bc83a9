//! What expressions and functions read and write, as far as their text tells: which orders of evaluation can be seen.
//!
//! Variables are told apart by their names, everything behind pointers is one memory. Only variables whose address is taken
//! are part of that.

use std::collections::{BTreeMap, BTreeSet};

use crate::parts::{self, Subtree};
use crate::typed::{
    AddressBase, Arithmetic, AtomicOperation, Body, Callee, ConstantValue, Expression,
    ExpressionKind, FunctionId, Initial, LocalId, Lvalue, LvalueKind, Module, ObjectId, PieceValue,
    Statement, StatementKind, Update,
};

use crate::types::Type;

/// A variable of the function at hand, or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Root {
    Local(LocalId),
    Object(ObjectId),
}

/// What something does when it is evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about a piece of text"
)]
pub(super) struct Effects {
    reads: BTreeSet<Root>,
    writes: BTreeSet<Root>,
    reads_memory: bool,
    writes_memory: bool,
    /// It may wait for other threads or let them go on, or is indivisible.
    synchronises: bool,
    /// It may end the process or fail, or never end.
    stops: bool,
    /// It divides.
    divides: bool,
    /// Functions are called.
    pub(super) calls: bool,
    /// It has statements, which cannot be put in two places.
    pub(super) has_statements: bool,
}

/// What all functions do, with those that they call.
pub(super) struct Summaries {
    functions: BTreeMap<FunctionId, Effects>,
    recursive: BTreeSet<FunctionId>,
    address_taken: BTreeSet<ObjectId>,
    /// Functions that can be called through pointers.
    named: BTreeSet<FunctionId>,
}

/// Whether to read or to write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    Write,
}

impl Effects {
    /// Of one expression, in a function whose body this is.
    pub(super) fn of(module: &Module, summaries: &Summaries, expression: &Expression) -> Self {
        let mut walk = Walk::new(module);
        walk.expression(expression);
        walk.finish(summaries)
    }

    /// Of reading a place, whose operands are evaluated already.
    pub(super) fn of_reading(module: &Module, summaries: &Summaries, place: &Lvalue) -> Self {
        let mut walk = Walk::new(module);
        walk.place(place, Mode::Read);
        walk.finish(summaries)
    }

    fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.synchronises |= other.synchronises;
        self.stops |= other.stops;
        self.divides |= other.divides;
        self.calls |= other.calls;
    }

    /// Whether it can be seen which of the two comes first. Conflicts without calls are undefined, and found elsewhere.
    pub(super) fn conflict(&self, other: &Effects, summaries: &Summaries, body: &Body) -> bool {
        if !(self.calls || other.calls || self.synchronises && other.synchronises) {
            return false;
        }
        let is_exposed = |root: &Root| match root {
            Root::Local(local) => body.locals[*local].is_address_taken,
            Root::Object(object) => summaries.address_taken.contains(object),
        };
        let one_way = |one: &Effects, two: &Effects| {
            let touched = || two.reads.iter().chain(&two.writes);
            let shared = |root: &Root| matches!(root, Root::Object(_)) || is_exposed(root);
            touched().any(|root| one.writes.contains(root))
                || one.writes_memory
                    && (two.reads_memory || two.writes_memory || touched().any(is_exposed))
                || one.writes.iter().any(is_exposed) && (two.reads_memory || two.writes_memory)
                || one.synchronises
                    && (two.synchronises
                        || two.reads_memory
                        || two.writes_memory
                        || touched().any(shared))
                || one.stops
                    && (two.stops || two.synchronises || two.reads_memory || two.writes_memory)
        };
        one_way(self, other) || one_way(other, self)
    }

    /// Whether one may end the execution before the other traps.
    pub(super) fn traps_conflict(&self, other: &Effects) -> bool {
        let one_way = |one: &Effects, two: &Effects| one.calls && one.stops && two.divides;
        one_way(self, other) || one_way(other, self)
    }

    /// Of the parts of an expression that others may be evaluated between: arguments, calls, reads and writes.
    pub(super) fn of_parts(
        module: &Module,
        summaries: &Summaries,
        expression: &Expression,
    ) -> Vec<Self> {
        let mut found = Vec::new();
        let mut open = vec![Subtree::Value(expression)];
        while let Some(part) = open.pop() {
            match part {
                Subtree::Value(value) => {
                    let mut walk = Walk::new(module);
                    match &value.kind {
                        ExpressionKind::Call(callee, _) => walk.call(callee),
                        ExpressionKind::Load(place) => walk.access(place, Mode::Read),
                        ExpressionKind::Assign(place, _) => walk.access(place, Mode::Write),
                        ExpressionKind::Update { place, .. } => {
                            walk.access(place, Mode::Read);
                            walk.access(place, Mode::Write);
                        }
                        ExpressionKind::Atomic(_) => walk.expression(value),
                        _ => {}
                    }
                    found.push(walk.finish(summaries));
                    parts::of_expression(value, &mut |part| open.push(part));
                }
                Subtree::Lvalue(place) => parts::of_place(place, &mut |part| open.push(part)),
                Subtree::Statements(..) => {}
            }
        }
        found.retain(|it| *it != Effects::default());
        found
    }
}

impl Summaries {
    pub(super) fn new(module: &Module) -> Self {
        let mut own: BTreeMap<FunctionId, Effects> = BTreeMap::new();
        let mut called: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        let mut address_taken = BTreeSet::new();
        let mut named: BTreeSet<FunctionId> = BTreeSet::new();
        let mut indirect: Vec<FunctionId> = Vec::new();
        for (_, object) in module.objects.iter() {
            for piece in &object.initial {
                match piece.value {
                    ConstantValue::Address(AddressBase::Object(id), ..) => {
                        address_taken.insert(id);
                    }
                    ConstantValue::Address(AddressBase::Function(id), ..) => {
                        named.insert(id);
                    }
                    _ => {}
                }
            }
        }
        for (id, function) in module.functions.iter() {
            let Some(body) = &function.body else {
                continue;
            };
            let mut walk = Walk::new(module);
            walk.statements(&body.statements);
            address_taken.append(&mut walk.address_taken);
            named.append(&mut walk.named);
            if walk.calls_indirectly {
                indirect.push(id);
            }
            // Variables of a function are new in each call of it.
            walk.effects
                .reads
                .retain(|root| matches!(root, Root::Object(_)));
            walk.effects
                .writes
                .retain(|root| matches!(root, Root::Object(_)));
            own.insert(id, walk.effects);
            called.insert(id, walk.called);
        }
        for id in indirect {
            called.entry(id).or_default().extend(&named);
        }
        let mut functions = own;
        loop {
            let mut has_changed = false;
            for (id, callees) in &called {
                let mut sum = functions[id].clone();
                for callee in callees {
                    if let Some(effects) = functions.get(callee) {
                        sum.add(effects);
                    }
                }
                if sum != functions[id] {
                    functions.insert(*id, sum);
                    has_changed = true;
                }
            }
            if !has_changed {
                break;
            }
        }
        let recursive = called
            .keys()
            .copied()
            .filter(|id| reaches(&called, *id, *id))
            .collect();
        Self {
            functions,
            recursive,
            address_taken,
            named,
        }
    }

    /// Whether a function may call itself, also through others.
    pub(super) fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive.contains(&function)
    }

    /// What any function whose address is taken may do: which one is called through a pointer is not known.
    fn of_any(&self) -> Effects {
        let mut sum = Effects::default();
        for effects in self.named.iter().filter_map(|it| self.functions.get(it)) {
            sum.add(effects);
        }
        sum
    }
}

fn reaches(
    called: &BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    from: FunctionId,
    to: FunctionId,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut open: Vec<FunctionId> = vec![from];
    while let Some(id) = open.pop() {
        for callee in called.get(&id).into_iter().flatten() {
            if *callee == to {
                return true;
            }
            if seen.insert(*callee) {
                open.push(*callee);
            }
        }
    }
    false
}

/// Goes through a piece of text.
struct Walk<'m> {
    module: &'m Module,
    effects: Effects,
    called: BTreeSet<FunctionId>,
    calls_indirectly: bool,
    address_taken: BTreeSet<ObjectId>,
    named: BTreeSet<FunctionId>,
}

impl<'m> Walk<'m> {
    fn new(module: &'m Module) -> Self {
        Self {
            module,
            effects: Effects::default(),
            called: BTreeSet::new(),
            calls_indirectly: false,
            address_taken: BTreeSet::new(),
            named: BTreeSet::new(),
        }
    }

    fn finish(mut self, summaries: &Summaries) -> Effects {
        for callee in &self.called {
            if let Some(effects) = summaries.functions.get(callee) {
                self.effects.add(effects);
            }
        }
        if self.calls_indirectly {
            self.effects.add(&summaries.of_any());
        }
        self.effects
    }

    fn memory(&mut self, mode: Mode) {
        match mode {
            Mode::Read => self.effects.reads_memory = true,
            Mode::Write => self.effects.writes_memory = true,
        }
    }

    fn root(&mut self, root: Root, mode: Mode) {
        match mode {
            Mode::Read => self.effects.reads.insert(root),
            Mode::Write => self.effects.writes.insert(root),
        };
    }

    fn is_atomic(&self, place: &Lvalue) -> bool {
        place.ty.is_atomic || place.ty.is_volatile && self.module.volatile_is_atomic
    }

    fn place(&mut self, place: &Lvalue, mode: Mode) {
        self.effects.synchronises |= self.is_atomic(place);
        match &place.kind {
            LvalueKind::Local(local) => self.root(Root::Local(*local), mode),
            LvalueKind::Object(object) => self.root(Root::Object(*object), mode),
            LvalueKind::Dereference(pointer) => {
                if let Some(array) = indexed(pointer) {
                    self.place(array, mode);
                    self.indices(pointer);
                } else {
                    self.memory(mode);
                    self.expression(pointer);
                }
            }
            LvalueKind::Field(record, ..) => self.place(record, mode),
            LvalueKind::CompoundLiteral(_, initial) => self.initial(initial),
            LvalueKind::Value(record, _) => self.expression(record),
        }
    }

    /// The access to a place alone, without what is evaluated to find it.
    fn access(&mut self, place: &Lvalue, mode: Mode) {
        self.effects.synchronises |= self.is_atomic(place);
        match &place.kind {
            LvalueKind::Local(local) => self.root(Root::Local(*local), mode),
            LvalueKind::Object(object) => self.root(Root::Object(*object), mode),
            LvalueKind::Dereference(pointer) => match indexed(pointer) {
                Some(array) => self.access(array, mode),
                None => self.memory(mode),
            },
            LvalueKind::Field(record, ..) => self.access(record, mode),
            LvalueKind::CompoundLiteral(..) | LvalueKind::Value(..) => {}
        }
    }

    /// What is evaluated to find a place; its address may be used anywhere.
    fn address(&mut self, place: &Lvalue) {
        match &place.kind {
            LvalueKind::Local(_) => {}
            LvalueKind::Object(object) => {
                self.address_taken.insert(*object);
            }
            LvalueKind::Dereference(pointer) => self.expression(pointer),
            LvalueKind::Field(record, ..) => self.address(record),
            LvalueKind::CompoundLiteral(_, initial) => self.initial(initial),
            LvalueKind::Value(record, _) => self.expression(record),
        }
    }

    /// The indices in `a[i][j]`.
    fn indices(&mut self, pointer: &Expression) {
        match &pointer.kind {
            ExpressionKind::PointerAdd {
                pointer,
                index,
                size,
                ..
            } => {
                self.indices(pointer);
                self.expression(index);
                self.expression(size);
            }
            ExpressionKind::Cast(inner) => self.indices(inner),
            ExpressionKind::AddressOf(place) => {
                if let LvalueKind::Dereference(inner) = &place.kind {
                    self.indices(inner);
                }
            }
            _ => {}
        }
    }

    fn initial(&mut self, initial: &Initial) {
        for piece in &initial.pieces {
            if let PieceValue::Expression(value) = &piece.value {
                self.expression(value);
            }
        }
    }

    fn call(&mut self, callee: &Callee) {
        self.effects.calls = true;
        match callee {
            Callee::Direct(id) => {
                self.called.insert(*id);
                let function = &self.module.functions[*id];
                if function.body.is_none() {
                    self.without_body(&function.name);
                }
            }
            Callee::Indirect(pointer, _) => {
                self.calls_indirectly = true;
                self.expression(pointer);
            }
        }
    }

    /// A function that has no text, by its name.
    fn without_body(&mut self, name: &str) {
        let is_free = name.starts_with("__raddle_any")
            || name.starts_with("__raddle_allocate")
            || super::verifier::is_nondeterministic(name);
        if is_free {
            return;
        }
        if super::is_known_name(name) || name.starts_with("__raddle_") {
            self.effects.synchronises = true;
        }
        self.effects.stops = true;
    }

    /// A division by a number that is written there does not trap, unless that is 0 or -1.
    fn operator(&mut self, operator: Arithmetic, right: &Expression) {
        let is_harmless = match &right.kind {
            ExpressionKind::Integer(bits) => *bits != 0 && *bits <= MOST_HARMLESS,
            _ => matches!(right.ty, Type::Float(_)),
        };
        self.effects.divides |=
            matches!(operator, Arithmetic::Divide | Arithmetic::Remainder) && !is_harmless;
    }

    fn expressions<'e>(&mut self, expressions: impl IntoIterator<Item = &'e Expression>) {
        for expression in expressions {
            self.expression(expression);
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::LabelAddress(_)
            | ExpressionKind::Unreachable
            | ExpressionKind::Unsupported(_) => {}
            ExpressionKind::FunctionAddress(function) => {
                self.named.insert(*function);
            }
            ExpressionKind::Load(place) => self.place(place, Mode::Read),
            ExpressionKind::AddressOf(place) => self.address(place),
            ExpressionKind::Negate(operand)
            | ExpressionKind::BitNot(operand)
            | ExpressionKind::LogicalNot(operand)
            | ExpressionKind::Cast(operand)
            | ExpressionKind::Alloca(operand) => self.expression(operand),
            ExpressionKind::Arithmetic(operator, left, right) => {
                self.operator(*operator, right);
                self.expressions([&**left, &**right]);
            }
            ExpressionKind::Compare(_, left, right)
            | ExpressionKind::LogicalAnd(left, right)
            | ExpressionKind::LogicalOr(left, right)
            | ExpressionKind::Elvis(left, right)
            | ExpressionKind::Comma(left, right) => self.expressions([&**left, &**right]),
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.expressions([&**condition, &**then, &**otherwise]);
            }
            ExpressionKind::PointerAdd {
                pointer,
                index,
                size,
                ..
            } => self.expressions([&**pointer, &**index, &**size]),
            ExpressionKind::PointerDifference { left, right, size } => {
                self.expressions([&**left, &**right, &**size]);
            }
            ExpressionKind::Assign(place, value) => {
                self.place(place, Mode::Write);
                self.expression(value);
            }
            ExpressionKind::Update { place, update, .. } => {
                self.place(place, Mode::Read);
                self.place(place, Mode::Write);
                match update {
                    Update::Arithmetic {
                        operator, operand, ..
                    } => {
                        self.operator(*operator, operand);
                        self.expression(operand);
                    }
                    Update::Pointer { index, size, .. } => self.expressions([&**index, &**size]),
                }
            }
            ExpressionKind::Call(callee, arguments) => {
                self.expressions(arguments);
                self.call(callee);
            }
            ExpressionKind::Statements(statements, last) => {
                self.effects.has_statements = true;
                self.statements(statements);
                self.expressions(last.as_deref());
            }
            ExpressionKind::VaStart(list) | ExpressionKind::VaArg(list) => {
                self.expression(list);
                self.memory(Mode::Read);
                self.memory(Mode::Write);
            }
            ExpressionKind::VaCopy(to, from) => {
                self.expressions([&**to, &**from]);
                self.memory(Mode::Read);
                self.memory(Mode::Write);
            }
            ExpressionKind::OverflowArithmetic {
                left,
                right,
                result,
                ..
            } => {
                self.expressions([&**left, &**right]);
                if let Some(result) = result {
                    self.place(result, Mode::Write);
                }
            }
            ExpressionKind::Atomic(access) => {
                self.effects.synchronises = true;
                self.memory(Mode::Read);
                self.memory(Mode::Write);
                self.expressions(access.computed.iter());
                self.expression(&access.pointer);
                match &access.operation {
                    AtomicOperation::Load | AtomicOperation::Fence => {}
                    AtomicOperation::Store(value)
                    | AtomicOperation::Exchange(value)
                    | AtomicOperation::Fetch { operand: value, .. } => self.expression(value),
                    AtomicOperation::CompareExchange {
                        expected, desired, ..
                    } => {
                        self.place(expected, Mode::Read);
                        self.place(expected, Mode::Write);
                        self.expression(desired);
                    }
                    AtomicOperation::CompareAndSwap {
                        expected, desired, ..
                    } => self.expressions([expected, desired]),
                }
            }
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Expression(value)
                | StatementKind::AllocateVariable(_, value)
                | StatementKind::Cleanup(_, value)
                | StatementKind::GotoComputed(value) => self.expression(value),
                StatementKind::Declare(_, initial) => {
                    if let Some(initial) = initial {
                        self.initial(initial);
                    }
                }
                StatementKind::Block(inner) => self.statements(inner),
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.expression(condition);
                    self.statements(then);
                    self.statements(otherwise);
                }
                StatementKind::Loop {
                    condition,
                    next,
                    body,
                } => {
                    self.expressions(condition.iter().chain(next));
                    self.statements(body);
                    self.effects.stops |= is_endless(condition.as_ref(), body);
                }
                StatementKind::DoWhile { body, condition } => {
                    self.statements(body);
                    self.expression(condition);
                    self.effects.stops |= is_endless(Some(condition), body);
                }
                StatementKind::Switch { value, body, .. } => {
                    self.expression(value);
                    self.statements(body);
                }
                StatementKind::Return(value) => self.expressions(value),
                StatementKind::Unsupported(_) => self.effects.stops = true,
                StatementKind::Case(_)
                | StatementKind::Default
                | StatementKind::Label(_)
                | StatementKind::Goto(_)
                | StatementKind::Break
                | StatementKind::Continue => {}
            }
        }
    }
}

/// Divisors up to this are positive in every type.
const MOST_HARMLESS: u128 = i8::MAX as u128;

/// Whether a loop has no way out: C lets such a one run for ever, if its condition is a constant (C11 6.8.5).
fn is_endless(condition: Option<&Expression>, body: &[Statement]) -> bool {
    let goes_on = match condition.map(|it| &it.kind) {
        None => true,
        Some(ExpressionKind::Integer(bits)) => *bits != 0,
        Some(_) => false,
    };
    goes_on && !may_leave(body, true)
}

/// Whether a statement among these may leave the loop around them; a `break` does unless it belongs to another one.
fn may_leave(statements: &[Statement], breaks: bool) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Break => breaks,
        StatementKind::Return(_) | StatementKind::Goto(_) | StatementKind::GotoComputed(_) => true,
        StatementKind::Loop { .. }
        | StatementKind::DoWhile { .. }
        | StatementKind::Switch { .. } => {
            let inner = parts::blocks(statement);
            inner.into_iter().any(|it| may_leave(it, false))
        }
        StatementKind::Block(_) | StatementKind::If { .. } => {
            let inner = parts::blocks(statement);
            inner.into_iter().any(|it| may_leave(it, breaks))
        }
        StatementKind::Expression(_)
        | StatementKind::Declare(..)
        | StatementKind::AllocateVariable(..)
        | StatementKind::Cleanup(..)
        | StatementKind::Case(_)
        | StatementKind::Default
        | StatementKind::Label(_)
        | StatementKind::Continue
        | StatementKind::Unsupported(_) => false,
    })
}

/// The array of a variable that `a[i]` is an element of.
fn indexed(pointer: &Expression) -> Option<&Lvalue> {
    match &pointer.kind {
        ExpressionKind::PointerAdd { pointer, .. } => indexed(pointer),
        ExpressionKind::Cast(inner) => indexed(inner),
        ExpressionKind::AddressOf(place) => {
            let mut place = place;
            loop {
                match &place.kind {
                    LvalueKind::Local(_) | LvalueKind::Object(_) => return Some(place),
                    LvalueKind::Field(record, ..) => place = record,
                    LvalueKind::Dereference(inner) => return indexed(inner),
                    LvalueKind::CompoundLiteral(..) | LvalueKind::Value(..) => return None,
                }
            }
        }
        _ => None,
    }
}
