//! A function under way: its registers, its locations, and where its locals live.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{SideTable, Span};
use raddle_ir::{
    Action, AllocateKind, AtomicSetId, BinaryOp, EndKind, Expression, Function, LocationId,
    Register, RegisterId, Scalar, Type as IrType, UnaryOp,
};

use crate::CommandLine;
use crate::typed::{Body, FunctionId, LabelId, LocalId};
use crate::types::{FunctionType, Length, Type};

use super::scalars;
use super::{Lowering, unique_name};

/// Deeper expressions are split, since programs nest them only so deep.
const DEEPEST: u32 = 40;

/// A pure expression and how deep it nests.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) expression: Expression,
    pub(super) depth: u32,
}

impl From<Expression> for Value {
    fn from(expression: Expression) -> Self {
        Self {
            expression,
            depth: 1,
        }
    }
}

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Storage {
    Register(RegisterId),
    /// In memory; the register holds its address. So do arrays of variable length, once they are met.
    Memory(RegisterId),
}

/// How a function gives its result back.
#[derive(Clone, Debug)]
pub(super) enum ReturnBy {
    Nothing,
    Register(Scalar),
    /// The caller's memory, whose address is the first parameter.
    Memory(RegisterId),
    /// The first function of the program: its result is the status of the process.
    ProcessStatus,
}

/// The targets of a `switch` under way.
pub(super) struct SwitchTargets {
    pub(super) cases: Vec<LocationId>,
    pub(super) default: LocationId,
}

pub(super) struct FunctionLowering<'l, 'm> {
    pub(super) lowering: &'l mut Lowering<'m>,
    pub(super) source: &'m Body,
    pub(super) function: Function,
    pub(super) here: LocationId,
    pub(super) locals: SideTable<LocalId, Option<Storage>>,
    pub(super) labels: SideTable<LabelId, Option<LocationId>>,
    pub(super) breaks: Vec<LocationId>,
    pub(super) continues: Vec<LocationId>,
    pub(super) switches: Vec<SwitchTargets>,
    pub(super) return_by: ReturnBy,
    /// The address of the arguments that have no parameter.
    pub(super) more_arguments: Option<RegisterId>,
    /// Whether code may run again in one call: inside a loop, or where there are labels.
    pub(super) may_repeat: bool,
    /// The whole function is one indivisible step.
    pub(super) is_section: bool,
    /// The body is a unit of work on these atomic sets.
    pub(super) units_of_work: Vec<Option<AtomicSetId>>,
    /// Text of our own library has no place that a user could look at.
    pub(super) has_places: bool,
    /// Objects that are made when the function begins: register, type, size.
    allocations: Vec<(RegisterId, Option<IrType>, u64)>,
    undefined: BTreeMap<Scalar, RegisterId>,
    /// Registers that the program assigns to, and may again while a value of theirs is in use.
    variables: BTreeSet<RegisterId>,
    names: BTreeSet<String>,
    next_temporary: u32,
}

/// Lowers `main` as the first function of the program.
pub(super) fn lower_main(lowering: &mut Lowering<'_>, main: FunctionId) -> Function {
    let module = lowering.module;
    let source = &module.functions[main];
    let body = source.body.as_ref().expect("main has a body");
    let mut lowered = FunctionLowering::new(lowering, body, &source.name);
    lowered.function.span = source.span;
    lowered.return_by = ReturnBy::ProcessStatus;
    lowered.forget_unknown_objects();
    lowered.call_constructors();
    lowered.begin_units(main);
    lowered.finish()
}

/// Lowers a function that somebody calls; one without a body is unsupported when it is reached.
pub(super) fn lower_function(lowering: &mut Lowering<'_>, id: FunctionId) -> Function {
    let module = lowering.module;
    let source = &module.functions[id];
    let Some(body) = &source.body else {
        return lower_undefined(lowering, id);
    };
    let mut lowered = FunctionLowering::new(lowering, body, &source.name);
    lowered.function.span = source.span.filter(|_| !source.is_library);
    lowered.has_places = !source.is_library;
    lowered.declare_result(&source.ty);
    lowered.take_parameters(&body.parameters, &source.ty);
    if source.ty.is_variadic {
        lowered.more_arguments = Some(lowered.parameter("more arguments", Scalar::Pointer));
    }
    lowered.is_section = super::verifier::is_section(&source.name);
    if lowered.is_section {
        lowered.then(Action::AtomicBegin, source.span);
    }
    lowered.begin_units(id);
    lowered.move_parameters(&body.parameters);
    lowered.finish()
}

/// A function that is only declared: its parameters, and no way on.
fn lower_undefined(lowering: &mut Lowering<'_>, id: FunctionId) -> Function {
    let module = lowering.module;
    let source = &module.functions[id];
    let mut function = Function::new(&*source.name);
    let scalars: Vec<Option<Scalar>> = source
        .ty
        .parameters
        .iter()
        .map(|parameter| lowering.passed_as(&source.ty, &parameter.ty))
        .collect();
    let returns_memory = is_memory(&source.ty.result);
    let result = lowering.scalar(&source.ty.result);
    let mut add = |name: String, ty: Scalar| {
        function.registers.push(Register {
            name,
            ty,
            is_temporary: false,
            span: None,
        });
        function.parameters += 1;
    };
    if returns_memory {
        add("result".into(), Scalar::Pointer);
    }
    for (index, scalar) in scalars.into_iter().enumerate() {
        add(
            format!("parameter {index}"),
            scalar.unwrap_or(Scalar::Pointer),
        );
    }
    if source.ty.is_variadic {
        add("more arguments".into(), Scalar::Pointer);
    }
    function.result = result;
    let what = format!("a call of `{}`, which is not defined,", source.name);
    let after = function.locations.push(raddle_ir::Location::default());
    let (entry, exit) = (function.entry, function.exit);
    function.connect(entry, Action::Unsupported { what }, after, None);
    let value = result.map(scalars::zero);
    function.connect(after, Action::Return { value }, exit, None);
    function
}

impl Lowering<'_> {
    /// How an argument travels: of a function without a prototype, promoted. `None` for memory.
    pub(super) fn passed_as(&self, ty: &FunctionType, parameter: &Type) -> Option<Scalar> {
        let scalar = self.scalar(parameter)?;
        Some(match scalar {
            Scalar::Int(int) if !ty.has_prototype && int.bits < 32 => scalars::INT,
            Scalar::Float(_) if !ty.has_prototype => Scalar::Float(raddle_ir::FloatType::F64),
            Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => scalar,
        })
    }
}

/// Whether values of a type are passed as the address of a copy.
pub(super) fn is_memory(ty: &Type) -> bool {
    matches!(ty, Type::Record(_) | Type::Unmodelled(_))
}

impl<'l, 'm> FunctionLowering<'l, 'm> {
    fn new(lowering: &'l mut Lowering<'m>, source: &'m Body, name: &str) -> Self {
        let mut function = Function::new(name);
        let here = function.locations.push(raddle_ir::Location::default());
        Self {
            lowering,
            source,
            function,
            here,
            locals: SideTable::filled(&source.locals, None),
            labels: SideTable::filled(&source.labels, None),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            return_by: ReturnBy::Nothing,
            more_arguments: None,
            may_repeat: !source.labels.is_empty(),
            is_section: false,
            units_of_work: Vec::new(),
            has_places: true,
            allocations: Vec::new(),
            undefined: BTreeMap::new(),
            variables: BTreeSet::new(),
            names: BTreeSet::new(),
            next_temporary: 0,
        }
    }

    /// Lowers the statements; then everything that begins with the function is put before them.
    fn finish(mut self) -> Function {
        let first = self.function.entry;
        let source = self.source;
        self.statements(&source.statements);
        self.return_nothing();
        let start = self.pass_command_line(first_of_body(&self.function));
        let mut from = first;
        for (register, ty, size) in std::mem::take(&mut self.allocations) {
            let to = self.new_location();
            let span = self.function.registers[register].span;
            let word = Scalar::Int(self.lowering.model().unsigned_word());
            self.function.connect(
                from,
                Action::Allocate {
                    target: register,
                    size: Expression::Constant(u128::from(size), word),
                    ty,
                    is_zeroed: false,
                    kind: AllocateKind::Stack,
                },
                to,
                span,
            );
            from = to;
        }
        self.function.connect(from, Action::skip(), start, None);
        skip_skips(&mut self.function);
        self.function
    }

    fn begin_units(&mut self, function: FunctionId) {
        let units = self.lowering.units_of_work.get(&function);
        self.units_of_work = units.cloned().unwrap_or_default();
        let span = self.function.span;
        for set in self.units_of_work.clone() {
            self.then(Action::UnitBegin { set }, span);
        }
    }

    fn declare_result(&mut self, ty: &FunctionType) {
        if is_memory(&ty.result) {
            let register = self.parameter("result", Scalar::Pointer);
            self.return_by = ReturnBy::Memory(register);
        } else if let Some(scalar) = self.lowering.scalar(&ty.result) {
            self.function.result = Some(scalar);
            self.return_by = ReturnBy::Register(scalar);
        }
    }

    /// The next parameter.
    fn parameter(&mut self, name: &str, ty: Scalar) -> RegisterId {
        debug_assert_eq!(self.function.registers.len(), self.function.parameters);
        self.function.parameters += 1;
        self.named_register(name, ty, None)
    }

    /// Parameters in registers; of those passed as memory, the address.
    fn take_parameters(&mut self, parameters: &[LocalId], ty: &FunctionType) {
        for &local in parameters {
            let source = &self.source.locals[local];
            let storage = match self.lowering.passed_as(ty, &source.ty.ty) {
                Some(scalar) => {
                    let register = self.parameter(&source.name, scalar);
                    self.variables.insert(register);
                    Storage::Register(register)
                }
                None => Storage::Memory(self.parameter(&source.name, Scalar::Pointer)),
            };
            self.locals[local] = Some(storage);
        }
    }

    /// Parameters that were promoted get their own type back; those whose address is taken move to memory.
    fn move_parameters(&mut self, parameters: &[LocalId]) {
        for &local in parameters {
            let source = &self.source.locals[local];
            let (Some(Storage::Register(register)), Some(scalar)) =
                (self.locals[local], self.lowering.scalar(&source.ty.ty))
            else {
                continue;
            };
            let passed = self.function.registers[register].ty;
            let is_bool = matches!(source.ty.ty, Type::Bool);
            let value = Expression::Register(register).into();
            let value = if passed == scalar {
                value
            } else {
                self.convert(value, scalar, is_bool)
            };
            if source.is_address_taken {
                let address = self.stack_object(&source.name, &source.ty.ty);
                self.then(
                    Action::Store {
                        address: Expression::Register(address),
                        value: value.expression,
                        ty: scalar,
                        access: raddle_ir::Access::Plain,
                    },
                    source.span,
                );
                self.locals[local] = Some(Storage::Memory(address));
            } else if passed != scalar {
                let narrow = self.named_register(&source.name, scalar, source.span);
                self.variables.insert(narrow);
                self.assign(narrow, value, source.span);
                self.locals[local] = Some(Storage::Register(narrow));
            }
        }
    }

    /// Where a local lives; made when it is first met.
    pub(super) fn storage(&mut self, local: LocalId) -> Storage {
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
            _ if is_variable => {
                let register = self.named_register(&source.name, Scalar::Pointer, source.span);
                self.variables.insert(register);
                Storage::Memory(register)
            }
            _ => {
                let register = self.stack_object(&source.name, &source.ty.ty);
                self.function.registers[register].span = source.span.filter(|_| self.has_places);
                Storage::Memory(register)
            }
        };
        self.locals[local] = Some(storage);
        storage
    }

    /// Memory that is made when the function begins and lives as long; the register holds its address.
    pub(super) fn stack_object(&mut self, name: &str, ty: &Type) -> RegisterId {
        let size = self.lowering.size(ty);
        let shown = self.lowering.ir_type(ty);
        let register = self.named_register(name, Scalar::Pointer, None);
        // A lock on the stack is none before somebody makes it one.
        let model = self.lowering.model();
        let has_locks = !shown
            .sync_cells(&self.lowering.draft.structs, model)
            .is_empty();
        let shown = Some(shown).filter(|_| !has_locks);
        self.allocations.push((register, shown, size));
        register
    }

    /// Memory without a type, as [`Self::stack_object`].
    pub(super) fn stack_bytes(&mut self, name: &str, size: u64) -> RegisterId {
        let register = self.named_register(name, Scalar::Pointer, None);
        self.allocations.push((register, None, size));
        register
    }

    pub(super) fn named_register(
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

    pub(super) fn temporary(&mut self, ty: Scalar) -> RegisterId {
        let number = self.next_temporary;
        self.next_temporary += 1;
        let register = self.named_register(&format!("t{number}"), ty, None);
        self.function.registers[register].is_temporary = true;
        register
    }

    /// A value that was never set.
    pub(super) fn undefined(&mut self, ty: Scalar) -> Expression {
        if let Some(known) = self.undefined.get(&ty) {
            return Expression::Register(*known);
        }
        let register = self.temporary(ty);
        self.undefined.insert(ty, register);
        Expression::Register(register)
    }

    pub(super) fn new_location(&mut self) -> LocationId {
        self.function.locations.push(raddle_ir::Location::default())
    }

    /// Does one thing and goes on after it.
    pub(super) fn then(&mut self, action: Action, span: impl Into<Option<Span>>) {
        let next = self.new_location();
        self.connect(action, next, span.into());
        self.here = next;
    }

    pub(super) fn connect(&mut self, action: Action, to: LocationId, span: Option<Span>) {
        let here = self.here;
        let span = span.filter(|_| self.has_places);
        self.function.connect(here, action, to, span);
    }

    pub(super) fn jump(&mut self, to: LocationId, span: Option<Span>) {
        self.connect(Action::skip(), to, span);
        self.here = self.new_location();
    }

    /// Goes on at one of two locations.
    pub(super) fn branch(&mut self, condition: Value, yes: LocationId, no: LocationId, span: Span) {
        match condition.expression {
            Expression::Constant(bits, _) => {
                let to = if bits == 0 { no } else { yes };
                self.connect(Action::skip(), to, Some(span));
            }
            condition => {
                let opposite = negated(condition.clone());
                self.connect(Action::Assume { condition }, yes, Some(span));
                self.connect(
                    Action::Assume {
                        condition: opposite,
                    },
                    no,
                    Some(span),
                );
            }
        }
    }

    pub(super) fn unsupported(&mut self, what: impl Into<String>, span: impl Into<Option<Span>>) {
        self.then(Action::Unsupported { what: what.into() }, span);
    }

    pub(super) fn assign(
        &mut self,
        target: RegisterId,
        value: Value,
        span: impl Into<Option<Span>>,
    ) {
        self.then(
            Action::Assign {
                target,
                value: value.expression,
            },
            span,
        );
    }

    pub(super) fn scalar_of(&self, value: &Value) -> Scalar {
        value
            .expression
            .scalar(&self.function.registers, self.lowering.model())
    }

    /// The value in a register, so that nothing later changes it and nothing nests on it.
    pub(super) fn in_temporary(&mut self, value: Value, span: Span) -> Value {
        match value.expression {
            Expression::Constant(..) | Expression::Global(_) | Expression::Function(_) => {
                return value;
            }
            Expression::Register(register) if !self.variables.contains(&register) => return value,
            _ => {}
        }
        let register = self.temporary(self.scalar_of(&value));
        self.assign(register, value, span);
        Expression::Register(register).into()
    }

    fn shallow(&mut self, value: Value, span: Span) -> Value {
        if value.depth > DEEPEST {
            self.in_temporary(value, span)
        } else {
            value
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        let left = self.shallow(left, span);
        let right = self.shallow(right, span);
        Value {
            depth: left.depth.max(right.depth) + 1,
            expression: Expression::binary(op, left.expression, right.expression),
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: Value, span: Span) -> Value {
        let operand = self.shallow(operand, span);
        Value {
            depth: operand.depth + 1,
            expression: Expression::Unary(op, Box::new(operand.expression)),
        }
    }

    pub(super) fn select(
        &mut self,
        condition: Value,
        then: Value,
        otherwise: Value,
        span: Span,
    ) -> Value {
        let condition = self.shallow(condition, span);
        let then = self.shallow(then, span);
        let otherwise = self.shallow(otherwise, span);
        Value {
            depth: condition.depth.max(then.depth).max(otherwise.depth) + 1,
            expression: Expression::Select(
                Box::new(condition.expression),
                Box::new(then.expression),
                Box::new(otherwise.expression),
            ),
        }
    }

    pub(super) fn convert(&mut self, value: Value, to: Scalar, to_bool: bool) -> Value {
        let from = self.scalar_of(&value);
        let model = self.lowering.model();
        Value {
            depth: value.depth + 2,
            expression: scalars::convert(value.expression, from, to, to_bool, model),
        }
    }

    /// An address so many bytes on.
    pub(super) fn displaced(&mut self, address: Value, bytes: u64, span: Span) -> Value {
        let address = self.shallow(address, span);
        Value {
            depth: address.depth + 1,
            expression: Expression::at_offset(address.expression, bytes, self.lowering.model()),
        }
    }

    /// Objects that nobody defines hold something that is not known.
    fn forget_unknown_objects(&mut self) {
        let module = self.lowering.module;
        for object in self.lowering.features.unknown_objects.clone() {
            let source = &module.objects[object];
            let span = source.span.or(self.function.span);
            if let (true, Some(span)) = (source.size > 0, span) {
                let address = Expression::Global(self.lowering.object(object)).into();
                self.forget(address, &source.ty.ty, span);
            }
        }
    }

    /// Functions that run before `main`.
    fn call_constructors(&mut self) {
        let constructors: Vec<FunctionId> = self
            .lowering
            .module
            .functions
            .iter()
            .filter(|(_, function)| function.is_constructor && function.body.is_some())
            .map(|(id, _)| id)
            .collect();
        for constructor in constructors {
            let callee = self.lowering.function(constructor);
            self.then(
                Action::Call {
                    target: None,
                    callee: raddle_ir::Callee::Direct(callee),
                    arguments: Vec::new(),
                },
                None,
            );
        }
    }

    /// Gives `main` its arguments, those that it looks at, and goes on at `body`. Where that begins.
    fn pass_command_line(&mut self, body: LocationId) -> LocationId {
        let source = self.source;
        if !matches!(self.return_by, ReturnBy::ProcessStatus) {
            return body;
        }
        let begin = self.new_location();
        self.here = begin;
        for (index, &local) in source.parameters.iter().enumerate() {
            let Some(storage) = self.locals[local] else {
                continue;
            };
            let span = source.locals[local].span;
            let Some(scalar) = self.lowering.scalar(&source.locals[local].ty.ty) else {
                continue;
            };
            let value = match (index, self.lowering.options.command_line) {
                (0, CommandLine::Empty) => Expression::Constant(1, scalar),
                (1, CommandLine::Empty) => Expression::Global(self.lowering.argument_vector()),
                (0, CommandLine::Any) => self.any_count(scalar, span),
                // Whoever looks at an argument, or at the environment, sees what nobody knows.
                _ => self.undefined(scalar),
            };
            match storage {
                Storage::Register(register) => self.assign(register, value.into(), span),
                Storage::Memory(address) => self.then(
                    Action::Store {
                        address: Expression::Register(address),
                        value,
                        ty: scalar,
                        access: raddle_ir::Access::Plain,
                    },
                    span,
                ),
            }
        }
        self.connect(Action::skip(), body, None);
        begin
    }

    /// Any number that is not negative.
    fn any_count(&mut self, scalar: Scalar, span: Option<Span>) -> Expression {
        let target = self.temporary(scalar);
        self.then(Action::Havoc { target }, span);
        let count = Expression::Register(target);
        let condition =
            Expression::binary(BinaryOp::GreaterEqual, count.clone(), scalars::zero(scalar));
        self.then(Action::Assume { condition }, span);
        count
    }

    /// Ends the process as `exit` does.
    pub(super) fn end_process(&mut self, status: Value, span: Option<Span>) {
        // Whoever registered functions to be called at the end has them called.
        if let Some(exit) = self.lowering.exit_with_handlers() {
            self.then(
                Action::Call {
                    target: None,
                    callee: raddle_ir::Callee::Direct(exit),
                    arguments: vec![status.expression.clone()],
                },
                span,
            );
        }
        let exit = self.function.exit;
        self.connect(
            Action::EndProcess {
                kind: EndKind::Exit(status.expression),
            },
            exit,
            span,
        );
        self.here = self.new_location();
    }
}

/// Where the body begins: the location made first after entry and exit.
fn first_of_body(function: &Function) -> LocationId {
    function
        .locations
        .ids()
        .nth(2)
        .expect("made with the function")
}

/// Leaves out locations from which the only way on does nothing.
fn skip_skips(function: &mut Function) {
    let skip = Action::skip();
    let mut ways: SideTable<LocationId, Vec<usize>> =
        SideTable::filled(&function.locations, Vec::new());
    let edges: Vec<(LocationId, LocationId, bool)> = function
        .edges
        .values()
        .map(|edge| (edge.from, edge.to, edge.action == skip))
        .collect();
    for (index, (from, _, _)) in edges.iter().enumerate() {
        ways[*from].push(index);
    }
    let exit = function.exit;
    let has_label = |location: LocationId| function.locations[location].label.is_some();
    let next = |location: LocationId| match ways[location][..] {
        [only] if edges[only].2 && edges[only].1 != exit && !has_label(location) => {
            Some(edges[only].1)
        }
        _ => None,
    };
    // An endless loop that does nothing stays: one of its locations is where a walk comes round.
    let limit = function.locations.len();
    let end_of = |start: LocationId| {
        let mut at = start;
        for _ in 0..limit {
            match next(at) {
                Some(further) if further != start => at = further,
                Some(_) | None => break,
            }
        }
        at
    };
    let mut ends: SideTable<LocationId, Option<LocationId>> =
        SideTable::filled(&function.locations, None);
    let mut resolve = |location: LocationId| {
        if let Some(known) = ends[location] {
            return known;
        }
        let end = end_of(location);
        let mut at = location;
        while at != end && ends[at].is_none() {
            ends[at] = Some(end);
            at = next(at).unwrap_or(end);
        }
        ends[end] = Some(end);
        end
    };
    for edge in function.edges.values_mut() {
        edge.to = resolve(edge.to);
    }
    function.entry = resolve(function.entry);
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

/// The opposite of a condition.
pub(super) fn negated(condition: Expression) -> Expression {
    let opposite = |op: BinaryOp| match op {
        BinaryOp::Equal => Some(BinaryOp::NotEqual),
        BinaryOp::NotEqual => Some(BinaryOp::Equal),
        // Not of comparisons by size: floats that are no numbers are neither less nor greater.
        _ => None,
    };
    match condition {
        Expression::Unary(UnaryOp::Not, inner) => *inner,
        Expression::Binary(op, left, right) if opposite(op).is_some() => {
            Expression::Binary(opposite(op).expect("just seen"), left, right)
        }
        Expression::Constant(bits, ty) => Expression::Constant(bits ^ 1, ty),
        other => other.not(),
    }
}
