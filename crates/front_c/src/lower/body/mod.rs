//! A function under way: how it begins and ends, and its locations.
//!
//! - `parameters`: how arguments and results travel; `locals`: where locals live, and registers;
//! - `scopes`: how the lives of locals begin and end, whichever way execution goes;
//! - `pure`: expressions that need no action; `process`: what is around `main`; `skips`: edges that do nothing.

mod locals;
mod parameters;
mod process;
mod pure;
mod scopes;
mod skips;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_base::{SideTable, Span};
use raddle_ir::{
    Access, Action, AllocateKind, AtomicSetId, Expression, Function, LocationId, ReadOnly,
    RegisterId, Scalar, Type as IrType,
};

use crate::typed::{self, Body, FunctionId, LabelId, LocalId};

use super::Lowering;
use super::computed_orders::ComputedValues;
use super::jumps::Jumps;
use super::lifetimes::Lifetimes;

use parameters::lower_undefined;
use skips::skip_skips;

pub(super) use locals::Storage;
pub(super) use parameters::is_memory;
pub(super) use pure::{Value, negated};
pub(super) use scopes::Exit;

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
    pub(super) breaks: Vec<Exit>,
    pub(super) continues: Vec<Exit>,
    pub(super) switches: Vec<SwitchTargets>,
    pub(super) return_by: ReturnBy,
    /// The address of the arguments that have no parameter.
    pub(super) more_arguments: Option<RegisterId>,
    pub(super) lifetimes: Lifetimes,
    /// Locals that began with the blocks around, the outermost first, and end with them.
    pub(super) alive: Vec<LocalId>,
    /// Calls that are due when what stands for them ends.
    pub(super) cleanups: BTreeMap<LocalId, Rc<typed::Expression>>,
    /// Whether code may run again in one call: inside a loop, or where there are labels.
    pub(super) may_repeat: bool,
    /// The whole function is one indivisible step.
    pub(super) is_section: bool,
    /// The body is a unit of work on these atomic sets.
    pub(super) units_of_work: Vec<Option<AtomicSetId>>,
    /// Text of our own library has no place that a user could look at.
    pub(super) has_places: bool,
    /// Objects that are made when the function begins.
    allocations: Vec<Made>,
    /// What a plain store is now: initial, while something that is read-only gets its first value.
    pub(super) plain_store: Access,
    undefined: BTreeMap<Scalar, RegisterId>,
    /// Registers that the program assigns to, and may again while a value of theirs is in use.
    variables: BTreeSet<RegisterId>,
    names: BTreeSet<String>,
    next_temporary: u32,
    /// The function itself.
    pub(super) id: Option<FunctionId>,
    /// Values that were computed before their turn, by the identity of their expressions.
    pub(super) computed: BTreeMap<usize, Value>,
    /// The memory orders of the atomic access at hand that are computed.
    pub(super) computed_orders: ComputedValues,
    /// In how many operands with an open order this is.
    pub(super) order_depth: u32,
    /// How much of the stack was used when the function began, if that is counted.
    pub(super) stack_before: Option<RegisterId>,
    /// Where jumps lead in this function.
    pub(super) jumps: Option<Jumps>,
}

/// An object that is made when its function begins.
struct Made {
    register: RegisterId,
    ty: Option<IrType>,
    size: u64,
    read_only: ReadOnly,
}

/// What our text calls where it knows a number only approximately.
const APPROXIMATE: &str = "__raddle_approximate";

/// Lowers `main` as the first function of the program.
pub(super) fn lower_main(lowering: &mut Lowering<'_>, main: FunctionId) -> Function {
    let module = lowering.module;
    let source = &module.functions[main];
    let body = source.body.as_ref().expect("main has a body");
    // Who runs after `main` has returned finds none of what it declared (C11 5.1.2.2.3).
    let ends_first = lowering.features.uses_handlers;
    let mut lowered = FunctionLowering::new(lowering, body, &source.name, ends_first);
    lowered.function.span = source.span;
    lowered.id = Some(main);
    lowered.return_by = ReturnBy::ProcessStatus;
    lowered.give_up_unknown_objects();
    lowered.begin_process();
    if let (Some(what), Some(span)) = (&source.unsupported, source.span) {
        lowered.unsupported(format!("`main`, which has {what},"), span);
    }
    lowered.begin_units(main);
    lowered.finish()
}

/// Lowers a function that somebody calls; one without a body is unsupported when it is reached.
pub(super) fn lower_function(lowering: &mut Lowering<'_>, id: FunctionId) -> Function {
    let module = lowering.module;
    let source = &module.functions[id];
    let Some(body) = source
        .body
        .as_ref()
        .filter(|_| source.unsupported.is_none() && !lowering.returns_anything(id))
    else {
        return lower_undefined(lowering, id);
    };
    if lowering.is_refused(id) {
        lowering.miss_function(id, None);
    }
    let mut lowered = FunctionLowering::new(lowering, body, &source.name, false);
    lowered.function.span = source.span.filter(|_| !source.is_library);
    lowered.id = Some(id);
    lowered.has_places = !source.is_library;
    lowered.function.is_approximate = source.is_library && source.name == APPROXIMATE;
    lowered.declare_result(&source.ty);
    lowered.take_parameters(&body.parameters, &source.ty);
    if source.ty.is_variadic {
        lowered.more_arguments = Some(lowered.parameter("more arguments", Scalar::Pointer));
    }
    lowered.is_section = super::verifier::is_section(&source.name);
    if lowered.is_section {
        lowered.then(
            Action::AtomicBegin {
                is_as_written: false,
            },
            source.span,
        );
    }
    lowered.begin_units(id);
    lowered.move_parameters(&body.parameters);
    if let Some(nonnull) = &source.nonnull {
        lowered.no_null_arguments(nonnull, &body.parameters);
    }
    lowered.finish()
}

impl<'l, 'm> FunctionLowering<'l, 'm> {
    /// `ends_first`: the locals end before the function does.
    fn new(lowering: &'l mut Lowering<'m>, source: &'m Body, name: &str, ends_first: bool) -> Self {
        let lifetimes = Lifetimes::new(lowering, source, ends_first);
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
            lifetimes,
            alive: Vec::new(),
            cleanups: BTreeMap::new(),
            may_repeat: !source.labels.is_empty(),
            is_section: false,
            units_of_work: Vec::new(),
            has_places: true,
            allocations: Vec::new(),
            plain_store: Access::Plain,
            undefined: BTreeMap::new(),
            variables: BTreeSet::new(),
            names: BTreeSet::new(),
            next_temporary: 0,
            id: None,
            computed: BTreeMap::new(),
            computed_orders: ComputedValues::default(),
            order_depth: 0,
            stack_before: None,
            jumps: None,
        }
    }

    /// Lowers the statements; then everything that begins with the function is put before them.
    fn finish(mut self) -> Function {
        let first = self.function.entry;
        let source = self.source;
        self.begin_jumps();
        let owned = self.lifetimes.of_block(&source.statements, None);
        self.in_scope(owned, self.function.span, |this| {
            this.statements(&source.statements);
        });
        self.return_nothing();
        self.finish_jumps();
        let start = self.pass_command_line(first_of_body(&self.function));
        let bytes = self.allocations.iter().map(|it| it.size);
        let bytes = bytes.fold(0_u64, u64::saturating_add);
        let mut from = self.enter_stack(first, bytes);
        for made in std::mem::take(&mut self.allocations) {
            let to = self.new_location();
            let span = self.function.registers[made.register].span;
            let word = Scalar::Int(self.lowering.model().unsigned_word());
            self.function.connect(
                from,
                Action::Allocate {
                    target: made.register,
                    size: Expression::Constant(u128::from(made.size), word),
                    ty: made.ty,
                    is_zeroed: false,
                    kind: AllocateKind::Stack,
                    read_only: made.read_only,
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

    pub(super) fn new_location(&mut self) -> LocationId {
        self.function.locations.push(raddle_ir::Location::default())
    }

    /// Does one thing and goes on after it.
    pub(super) fn then(&mut self, action: Action, span: impl Into<Option<Span>>) {
        let next = self.new_location();
        self.connect_in_each_order(action, next, span.into());
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
        let span = span.into();
        self.then(
            Action::Assign {
                target,
                value: value.expression,
            },
            span,
        );
        self.note_change(target, span);
    }

    /// A register that is assigned to more than once.
    pub(super) fn note_variable(&mut self, register: RegisterId) {
        self.variables.insert(register);
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
