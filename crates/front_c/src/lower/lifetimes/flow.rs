//! Where the addresses of locals may get to: a check that errs on the side of "anywhere".
//!
//! An address goes on through copies in locals that nobody has the address of, and through functions that hand it back.
//! Once it is in memory, everybody may have it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::lower::scalars;
use crate::lower::verifier::is_assumption;
use crate::parts;
use crate::typed::{
    AtomicOperation, Body, Callee, Expression, ExpressionKind, FunctionId, Initial, LocalId,
    Lvalue, LvalueKind, Module, PieceValue, Statement, StatementKind, Update,
};

/// What a value may hold the address of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// The local itself.
    Address(LocalId),
    /// Whatever the local holds.
    Value(LocalId),
}

type Origins = BTreeSet<Origin>;

/// What a function does with an address that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ObjectFate {
    /// Somebody may have it when the function has returned.
    is_kept: bool,
    /// The caller gets it back.
    is_returned: bool,
}

impl ObjectFate {
    const ANY: ObjectFate = ObjectFate {
        is_kept: true,
        is_returned: true,
    };
    const FORGOTTEN: ObjectFate = ObjectFate {
        is_kept: false,
        is_returned: false,
    };
}

/// How far calls are followed.
const DEEPEST_CALLS: usize = 50;

/// What is known of the functions of a module, found out when it is asked for.
#[derive(Default)]
pub(in crate::lower) struct Fates {
    known: RefCell<BTreeMap<(FunctionId, usize), ObjectFate>>,
    under_way: RefCell<Vec<FunctionId>>,
    flows: RefCell<BTreeMap<FunctionId, Rc<Flow>>>,
}

impl Fates {
    /// Whether the address of a parameter that is a record outlives the call.
    pub(in crate::lower) fn outlives_call(
        &self,
        module: &Module,
        function: FunctionId,
        index: usize,
    ) -> bool {
        let Some(body) = &module.functions[function].body else {
            return true;
        };
        let Some(parameter) = body.parameters.get(index) else {
            return false;
        };
        let flow = self.flow(module, function, body);
        let fate = flow.fate(self, module, Origin::Address(*parameter));
        fate.is_kept || fate.is_returned
    }

    fn flow(&self, module: &Module, function: FunctionId, body: &Body) -> Rc<Flow> {
        if let Some(known) = self.flows.borrow().get(&function) {
            return Rc::clone(known);
        }
        self.under_way.borrow_mut().push(function);
        let flow = Rc::new(Flow::new(self, module, body));
        self.under_way.borrow_mut().pop();
        self.flows.borrow_mut().insert(function, Rc::clone(&flow));
        flow
    }

    /// What becomes of an argument.
    fn of_argument(&self, module: &Module, function: FunctionId, index: usize) -> ObjectFate {
        let source = &module.functions[function];
        let Some(body) = &source.body else {
            return of_undefined(&source.name, index);
        };
        let Some(&parameter) = body.parameters.get(index) else {
            let only_reads = source.is_library && source.name.ends_with("printf");
            return if only_reads {
                ObjectFate::FORGOTTEN
            } else {
                ObjectFate::ANY
            };
        };
        if let Some(known) = self.known.borrow().get(&(function, index)) {
            return *known;
        }
        let is_known_too_late = {
            let under_way = self.under_way.borrow();
            under_way.contains(&function) || under_way.len() > DEEPEST_CALLS
        };
        if is_known_too_late || !is_in_register(module, body, parameter) {
            return ObjectFate::ANY;
        }
        let flow = self.flow(module, function, body);
        self.under_way.borrow_mut().push(function);
        let fate = flow.fate(self, module, Origin::Value(parameter));
        self.under_way.borrow_mut().pop();
        self.known.borrow_mut().insert((function, index), fate);
        fate
    }
}

/// Functions that are actions: of those that work on locks nobody keeps the address.
fn of_undefined(name: &str, index: usize) -> ObjectFate {
    const WORKING: &[&str] = &[
        "__raddle_sync_",
        "__raddle_init_",
        "__raddle_destroy_",
        "__raddle_free",
        "__raddle_object_size",
        "pthread_mutex_",
        "pthread_rwlock_",
        "pthread_cond_",
        "pthread_barrier_",
        "pthread_join",
        "sem_",
        "mtx_",
        "cnd_",
    ];
    let takes_name = name == "pthread_create" && index < 2;
    let works_on_it = WORKING.iter().any(|it| name.starts_with(it));
    if takes_name || works_on_it || is_assumption(name) {
        ObjectFate::FORGOTTEN
    } else {
        ObjectFate::ANY
    }
}

/// Whether nobody has the address of the local, and it holds one value.
pub(super) fn is_in_register(module: &Module, body: &Body, local: LocalId) -> bool {
    let source = &body.locals[local];
    !source.is_address_taken && scalars::scalar(module, &source.ty.ty).is_some()
}

/// Where addresses go in one function.
#[derive(Debug, Default)]
pub(super) struct Flow {
    copied: BTreeMap<Origin, BTreeSet<LocalId>>,
    /// Written to memory, or given to whoever is not known.
    kept: Origins,
    returned: Origins,
    passed: BTreeSet<(Origin, FunctionId, usize)>,
    /// Locals in registers that get something else than what is computed from numbers.
    given_more: BTreeSet<LocalId>,
}

impl Flow {
    pub(super) fn new(fates: &Fates, module: &Module, body: &Body) -> Self {
        let mut reader = Reader {
            fates,
            module,
            body,
            flow: Flow::default(),
        };
        reader.statements(&body.statements);
        reader.flow
    }

    /// Whether a local in a register may hold an address, of whatever type it is.
    pub(super) fn may_be_address(&self, local: LocalId) -> bool {
        self.given_more.contains(&local)
    }

    /// Everything that may hold what the origin does; the locals among it.
    fn reached(&self, origin: Origin) -> (Origins, BTreeSet<LocalId>) {
        let mut reached = Origins::from([origin]);
        let mut locals = BTreeSet::new();
        let mut open = vec![origin];
        while let Some(next) = open.pop() {
            for &local in self.copied.get(&next).into_iter().flatten() {
                locals.insert(local);
                if reached.insert(Origin::Value(local)) {
                    open.push(Origin::Value(local));
                }
            }
        }
        (reached, locals)
    }

    /// Whether others than locals for which `is_within` holds may have the address of a local.
    pub(super) fn escapes(
        &self,
        fates: &Fates,
        module: &Module,
        local: LocalId,
        is_within: impl Fn(LocalId) -> bool,
    ) -> bool {
        let (reached, locals) = self.reached(Origin::Address(local));
        !locals.into_iter().all(is_within) || self.is_kept(fates, module, &reached)
    }

    fn is_kept(&self, fates: &Fates, module: &Module, reached: &Origins) -> bool {
        !self.kept.is_disjoint(reached)
            || self.passed.iter().any(|(origin, function, index)| {
                reached.contains(origin) && fates.of_argument(module, *function, *index).is_kept
            })
    }

    fn fate(&self, fates: &Fates, module: &Module, origin: Origin) -> ObjectFate {
        let (reached, _) = self.reached(origin);
        ObjectFate {
            is_kept: self.is_kept(fates, module, &reached),
            is_returned: !self.returned.is_disjoint(&reached),
        }
    }
}

/// Goes through a function.
struct Reader<'m> {
    fates: &'m Fates,
    module: &'m Module,
    body: &'m Body,
    flow: Flow,
}

impl Reader<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Declare(local, Some(initial)) => self.initial(*local, initial),
                StatementKind::Return(Some(value)) => {
                    let given = self.value(value);
                    self.flow.returned.extend(given);
                }
                StatementKind::Expression(_)
                | StatementKind::Declare(_, None)
                | StatementKind::AllocateVariable(..)
                | StatementKind::Cleanup(..)
                | StatementKind::Block(_)
                | StatementKind::If { .. }
                | StatementKind::Loop { .. }
                | StatementKind::DoWhile { .. }
                | StatementKind::Switch { .. }
                | StatementKind::Case(_)
                | StatementKind::Default
                | StatementKind::Label(_)
                | StatementKind::Goto(_)
                | StatementKind::GotoComputed(_)
                | StatementKind::Break
                | StatementKind::Continue
                | StatementKind::Return(None)
                | StatementKind::Unsupported(_) => {
                    let mut open = Vec::new();
                    parts::of_statement(statement, &mut |part| open.push(part));
                    for part in open {
                        self.part(part);
                    }
                    for block in parts::blocks(statement) {
                        self.statements(block);
                    }
                }
            }
        }
    }

    fn part(&mut self, part: parts::Subtree<'_>) -> Origins {
        match part {
            parts::Subtree::Value(value) => self.value(value),
            parts::Subtree::Lvalue(place) => self.address(place),
            parts::Subtree::Statements(statements, last) => {
                self.statements(statements);
                last.map_or_else(Origins::new, |last| self.value(last))
            }
        }
    }

    /// What a value may hold the address of.
    fn value(&mut self, expression: &Expression) -> Origins {
        let mut of_parts = Vec::new();
        match &expression.kind {
            ExpressionKind::Load(place) => {
                self.address(place);
                return self
                    .register(place)
                    .map(Origin::Value)
                    .into_iter()
                    .collect();
            }
            ExpressionKind::Assign(place, value) => {
                self.address(place);
                self.note_given(self.register(place), value);
                let value = self.value(value);
                self.write(place, &value);
                return value;
            }
            ExpressionKind::Update { place, update, .. } => {
                self.address(place);
                let operands = match update {
                    Update::Arithmetic { operand, .. } => vec![operand],
                    Update::Pointer { index, size, .. } => vec![index, size],
                };
                for operand in operands {
                    self.note_given(self.register(place), operand);
                    let value = self.value(operand);
                    self.write(place, &value);
                }
                return self
                    .register(place)
                    .map(Origin::Value)
                    .into_iter()
                    .collect();
            }
            ExpressionKind::Call(callee, arguments) => return self.call(callee, arguments),
            ExpressionKind::Atomic(access) => {
                for order in access.computed.iter() {
                    self.value(order);
                }
                self.value(&access.pointer);
                let written = match &access.operation {
                    AtomicOperation::Load | AtomicOperation::Fence => Vec::new(),
                    AtomicOperation::Store(value) | AtomicOperation::Exchange(value) => vec![value],
                    AtomicOperation::Fetch { operand, .. } => vec![operand],
                    AtomicOperation::CompareExchange {
                        expected, desired, ..
                    } => {
                        // If it fails, what is expected becomes what was found in memory.
                        self.address(expected);
                        self.flow.given_more.extend(self.register(expected));
                        vec![desired]
                    }
                    AtomicOperation::CompareAndSwap {
                        expected, desired, ..
                    } => vec![expected, desired],
                };
                for value in written {
                    let value = self.value(value);
                    self.flow.kept.extend(value);
                }
                return Origins::new();
            }
            ExpressionKind::OverflowArithmetic {
                left,
                right,
                result,
                ..
            } => {
                for operand in [left, right] {
                    let value = self.value(operand);
                    self.flow.kept.extend(value);
                }
                if let Some(result) = result {
                    self.address(result);
                    for operand in [left, right] {
                        self.note_given(self.register(result), operand);
                    }
                }
                return Origins::new();
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::AddressOf(_)
            | ExpressionKind::FunctionAddress(_)
            | ExpressionKind::LabelAddress(_)
            | ExpressionKind::Negate(_)
            | ExpressionKind::BitNot(_)
            | ExpressionKind::LogicalNot(_)
            | ExpressionKind::Arithmetic(..)
            | ExpressionKind::Compare(..)
            | ExpressionKind::LogicalAnd(..)
            | ExpressionKind::LogicalOr(..)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::Elvis(..)
            | ExpressionKind::Comma(..)
            | ExpressionKind::PointerAdd { .. }
            | ExpressionKind::PointerDifference { .. }
            | ExpressionKind::Cast(_)
            | ExpressionKind::Statements(..)
            | ExpressionKind::VaStart(_)
            | ExpressionKind::VaArg(_)
            | ExpressionKind::VaCopy(..)
            | ExpressionKind::Alloca(_)
            | ExpressionKind::Unreachable
            | ExpressionKind::Unsupported(_) => {
                parts::of_expression(expression, &mut |part| of_parts.push(part));
            }
        }
        let mut found = Origins::new();
        for part in of_parts {
            found.extend(self.part(part));
        }
        if tells_nothing(&expression.kind) {
            found.clear();
        }
        found
    }

    /// What the address of a place may be the address of.
    fn address(&mut self, place: &Lvalue) -> Origins {
        match &place.kind {
            LvalueKind::Local(local) => Origins::from([Origin::Address(*local)]),
            LvalueKind::Object(_) => Origins::new(),
            LvalueKind::Dereference(pointer) => self.value(pointer),
            LvalueKind::Field(record, ..) => self.address(record),
            LvalueKind::CompoundLiteral(local, initial) => {
                self.initial(*local, initial);
                Origins::from([Origin::Address(*local)])
            }
            LvalueKind::Value(record, local) => {
                self.value(record);
                Origins::from([Origin::Address(*local)])
            }
        }
    }

    /// The local that a place is, if nobody has its address.
    fn register(&self, place: &Lvalue) -> Option<LocalId> {
        match place.kind {
            LvalueKind::Local(local) | LvalueKind::CompoundLiteral(local, _) => {
                Some(local).filter(|it| is_in_register(self.module, self.body, *it))
            }
            LvalueKind::Object(_)
            | LvalueKind::Dereference(_)
            | LvalueKind::Field(..)
            | LvalueKind::Value(..) => None,
        }
    }

    fn write(&mut self, place: &Lvalue, value: &Origins) {
        match self.register(place) {
            Some(local) => self.copy(local, value),
            None => self.flow.kept.extend(value),
        }
    }

    fn note_given(&mut self, local: Option<LocalId>, value: &Expression) {
        if let Some(local) = local
            && !self.is_number(local, value)
        {
            self.flow.given_more.insert(local);
        }
    }

    /// Whether a value comes from numbers alone, and from what the local holds.
    fn is_number(&self, local: LocalId, value: &Expression) -> bool {
        let model = self.module.model;
        let scalar = scalars::scalar(self.module, &value.ty);
        if scalar.is_some_and(|it| it.size(model) < model.pointer_bytes()) {
            return true;
        }
        match &value.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::PointerDifference { .. } => true,
            ExpressionKind::Load(place) => self.register(place) == Some(local),
            ExpressionKind::Negate(operand)
            | ExpressionKind::BitNot(operand)
            | ExpressionKind::Cast(operand) => self.is_number(local, operand),
            ExpressionKind::Arithmetic(_, left, right) => {
                self.is_number(local, left) && self.is_number(local, right)
            }
            ExpressionKind::Conditional(_, then, otherwise) => {
                self.is_number(local, then) && self.is_number(local, otherwise)
            }
            ExpressionKind::AddressOf(_)
            | ExpressionKind::FunctionAddress(_)
            | ExpressionKind::LabelAddress(_)
            | ExpressionKind::LogicalNot(_)
            | ExpressionKind::Compare(..)
            | ExpressionKind::LogicalAnd(..)
            | ExpressionKind::LogicalOr(..)
            | ExpressionKind::Elvis(..)
            | ExpressionKind::Comma(..)
            | ExpressionKind::PointerAdd { .. }
            | ExpressionKind::Assign(..)
            | ExpressionKind::Update { .. }
            | ExpressionKind::Call(..)
            | ExpressionKind::Statements(..)
            | ExpressionKind::VaStart(_)
            | ExpressionKind::VaArg(_)
            | ExpressionKind::VaCopy(..)
            | ExpressionKind::Alloca(_)
            | ExpressionKind::OverflowArithmetic { .. }
            | ExpressionKind::Atomic(_)
            | ExpressionKind::Unreachable
            | ExpressionKind::Unsupported(_) => false,
        }
    }

    fn copy(&mut self, to: LocalId, value: &Origins) {
        for origin in value {
            self.flow.copied.entry(*origin).or_default().insert(to);
        }
    }

    fn initial(&mut self, local: LocalId, initial: &Initial) {
        let is_register = is_in_register(self.module, self.body, local);
        for piece in &initial.pieces {
            let PieceValue::Expression(value) = &piece.value else {
                continue;
            };
            self.note_given(Some(local).filter(|_| is_register), value);
            let value = self.value(value);
            if is_register {
                self.copy(local, &value);
            } else {
                self.flow.kept.extend(value);
            }
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Expression]) -> Origins {
        let mut result = Origins::new();
        match callee {
            Callee::Direct(function) => {
                for (index, argument) in arguments.iter().enumerate() {
                    let value = self.value(argument);
                    if value.is_empty() {
                        continue;
                    }
                    for origin in &value {
                        self.flow.passed.insert((*origin, *function, index));
                    }
                    if self
                        .fates
                        .of_argument(self.module, *function, index)
                        .is_returned
                    {
                        result.extend(value);
                    }
                }
            }
            Callee::Indirect(pointer, _) => {
                self.value(pointer);
                for argument in arguments {
                    let value = self.value(argument);
                    self.flow.kept.extend(value.iter().copied());
                    result.extend(value);
                }
            }
        }
        result
    }
}

/// Whether the value does not depend on which addresses its parts are, or may be read from memory only.
fn tells_nothing(kind: &ExpressionKind) -> bool {
    matches!(
        kind,
        ExpressionKind::LogicalNot(_)
            | ExpressionKind::Compare(..)
            | ExpressionKind::LogicalAnd(..)
            | ExpressionKind::LogicalOr(..)
            | ExpressionKind::PointerDifference { .. }
            | ExpressionKind::VaStart(_)
            | ExpressionKind::VaArg(_)
            | ExpressionKind::VaCopy(..)
            | ExpressionKind::Alloca(_)
    )
}
