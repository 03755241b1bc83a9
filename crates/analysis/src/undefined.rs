//! Whether an execution may do something undefined, or misuse memory, locks or threads: there executions end, and
//! what would come after them is anybody's guess, so a proof has to exclude it.
//!
//! Limits of the interpreter, such as the number of threads or of choices, do not count: they end searches, not
//! executions. Recursion counts, because real stacks end.

use raddle_base::{Id as _, Span};
use raddle_ir::any_values::looked_at;
use raddle_ir::{
    Access as Kind, Action, AllocateKind, BinaryOp, Callee, EdgeId, EndKind, Expression,
    LocationId, NamePlace, RegisterId, Scalar, UnaryOp,
};

use crate::call_graph::InstanceId;
use crate::conflicts::Access;
use crate::ends::Ends;
use crate::escape::Escape;
use crate::locksets::Locksets;
use crate::numbers::{NumberFacts, offset_end};
use crate::parallel::Parallel;
use crate::points_to::{ObjectKind, PointsTo};
use crate::registers::Registers;
use crate::sync_places::Prologue;
use crate::units::are_nested;
use crate::value::{ObjectId, Offset, Value};

/// Something undefined that could not be excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possibility {
    pub what: String,
    pub span: Option<Span>,
    /// Besides, something may be reached that is not supported: nobody knows what it would do.
    pub reaches_unsupported: bool,
    /// Somebody may follow a pointer that was never set. Numbers that were never set are any numbers to the other analyses.
    pub follows_unset: bool,
}

/// Whether calls without end count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recursion {
    /// Real stacks end.
    IsUndefined,
    /// The stack is taken to have no end.
    IsFine,
}

/// The first thing that may be undefined in a program that is understood; `None` if nothing is.
pub fn first_possibility(
    points_to: &PointsTo<'_>,
    accesses: &[Access],
    parallel: &Parallel,
    recursion: Recursion,
) -> Option<Possibility> {
    let given = Given {
        points_to,
        accesses,
        locksets: &Locksets::new(points_to, accesses),
        parallel,
        escape: &Escape::new(points_to),
    };
    possibility(&given, recursion)
}

/// What the other analyses found.
pub(crate) struct Given<'a, 'p> {
    pub(crate) points_to: &'a PointsTo<'p>,
    pub(crate) accesses: &'a [Access],
    pub(crate) locksets: &'a Locksets,
    pub(crate) parallel: &'a Parallel,
    pub(crate) escape: &'a Escape,
}

/// The first thing that may be undefined; `None` if nothing is.
pub(crate) fn possibility(given: &Given<'_, '_>, recursion: Recursion) -> Option<Possibility> {
    let points_to = given.points_to;
    let has_unknown_values = points_to.program.has_unknown_values;
    let nowhere = |what: &str| Possibility {
        what: what.into(),
        span: None,
        reaches_unsupported: has_unknown_values
            || points_to.actions().any(|(_, _, action)| {
                matches!(action, Action::Unsupported { .. } | Action::AtomicEnd)
            }),
        follows_unset: true,
    };
    if recursion == Recursion::IsUndefined && points_to.graph.has_recursion() {
        return Some(nowhere("a function may call itself without end"));
    }
    let Some(registers) = Registers::new(points_to, given.accesses, given.escape) else {
        return Some(nowhere("the values of variables were not found out"));
    };
    let checker = Checker {
        given,
        points_to,
        registers: &registers,
        prologue: Prologue::new(points_to),
        units_are_nested: are_nested(points_to),
        ends: Ends::new(points_to.program),
    };
    let mut follows_unset = false;
    let mut possibilities = points_to.actions().filter_map(|(instance, edge, action)| {
        let function = points_to.graph.instances[instance].function;
        let known = points_to.program.edge(function, edge);
        let frame = registers.at(instance, known.from)?;
        let place = ProgramPoint {
            instance,
            edge,
            location: known.from,
            frame,
        };
        let what = checker.action(&place, action).err()?;
        follows_unset |= checker.follows_unset(&place, action);
        Some((what, known.span))
    });
    let (what, span) = possibilities.next()?;
    let is_unsupported = |what: &str| what == UNSUPPORTED || what == NO_SECTION;
    let mut reaches_unsupported = has_unknown_values || is_unsupported(what);
    for (what, _) in possibilities {
        reaches_unsupported |= is_unsupported(what);
    }
    Some(Possibility {
        what: what.into(),
        span,
        reaches_unsupported,
        follows_unset,
    })
}

/// Where a thread stands, and what is certain of its registers.
pub(crate) struct ProgramPoint<'a> {
    pub(crate) instance: InstanceId,
    pub(crate) edge: EdgeId,
    pub(crate) location: LocationId,
    pub(crate) frame: &'a [NumberFacts],
}

pub(crate) struct Checker<'a, 'p> {
    pub(crate) given: &'a Given<'a, 'p>,
    pub(crate) points_to: &'a PointsTo<'p>,
    pub(crate) registers: &'a Registers<'a, 'p>,
    pub(crate) prologue: Prologue,
    units_are_nested: bool,
    ends: Ends,
}

/// What may go wrong, as in: a pointer may be null.
pub(crate) type Checked = Result<(), &'static str>;

pub(crate) fn ensure(is_fine: bool, what: &'static str) -> Checked {
    if is_fine { Ok(()) } else { Err(what) }
}

const UNSUPPORTED: &str = "something may be reached that is not supported";
const NO_SECTION: &str = "an atomic section may end that never began";
const UNSET: &str = "a value may be used that was never set";
const OUTSIDE: &str = "an access may leave its object";

impl Checker<'_, '_> {
    fn action(&self, place: &ProgramPoint<'_>, action: &Action) -> Checked {
        let model = self.points_to.program.model;
        let mut operands = action.operands(model).into_iter();
        if operands.any(|it| self.points_to.may_be_opaque(place.instance, it.address)) {
            return Err(UNSUPPORTED);
        }
        match action {
            Action::Assign { value, .. } => self.sound(place, value),
            Action::Havoc { .. } | Action::AtomicBegin { .. } | Action::UnitBegin { .. } => Ok(()),
            Action::Assume { condition } | Action::Assert { condition, .. } => {
                self.defined(place, condition)
            }
            Action::Load { address, ty, .. } => self.located(place, address, ty.size(model)),
            Action::Store {
                address,
                value,
                ty,
                access,
            } => {
                match access {
                    Kind::Initial => self.located(place, address, ty.size(model))?,
                    Kind::Plain | Kind::Atomic(_) => {
                        self.writable(place, address, ty.size(model))?;
                    }
                }
                self.sound(place, value)
            }
            Action::ReadModifyWrite {
                address,
                operand,
                ty,
                ..
            } => {
                self.writable(place, address, ty.size(model))?;
                self.defined(place, operand)?;
                ensure(
                    self.registers
                        .loaded((place.instance, place.location), address, *ty)
                        .is_defined,
                    UNSET,
                )
            }
            Action::CompareExchange {
                address,
                expected,
                desired,
                ty,
                ..
            } => {
                self.writable(place, address, ty.size(model))?;
                self.defined(place, expected)?;
                self.defined(place, desired)?;
                ensure(
                    self.registers
                        .loaded((place.instance, place.location), address, *ty)
                        .is_defined,
                    UNSET,
                )
            }
            Action::Allocate { size, .. } => {
                self.defined(place, size)?;
                let size = self.registers.evaluate(place.instance, place.frame, size);
                ensure(
                    size.is_within(0, MAX_OBJECT_BYTES.min(offset_end(model) - 1)),
                    "an object may be too large",
                )
            }
            Action::Size { address, .. } => {
                self.located(place, address, 0)?;
                let range = self.offset_range(place, address);
                ensure(
                    range == Some((0, 0)),
                    "a pointer may not point to the beginning of an object",
                )
            }
            Action::Free {
                address,
                kind: AllocateKind::Stack,
            } => {
                self.defined(place, address)?;
                ensure(
                    self.ends
                        .is_harmless(self.points_to, place.instance, place.edge, address),
                    "a local may be used after its block was left",
                )
            }
            Action::Free {
                kind: AllocateKind::Heap,
                ..
            } => Err("memory may be freed that must not be, or used after it"),
            Action::Init { object, sync } => self.init(place, object, sync),
            Action::Destroy { .. } => {
                Err("a synchronisation object may be destroyed while it is used")
            }
            Action::Sync {
                operation,
                object,
                mutex,
                ..
            } => self.synchronize(place, *operation, object, mutex.as_ref()),
            Action::Call {
                callee, arguments, ..
            } => self.begun(place, callee, arguments),
            Action::Spawn {
                callee,
                arguments,
                place: stored,
                ..
            } => {
                if let Some(NamePlace { address, ty }) = stored {
                    self.writable(place, address, ty.size(model))?;
                }
                self.begun(place, callee, arguments)
            }
            Action::Return { value } | Action::ExitThread { value } => {
                value.as_ref().map_or(Ok(()), |it| self.sound(place, it))
            }
            Action::Join { thread, target } => {
                self.defined(place, thread)?;
                ensure(
                    target.is_none_or(|it| self.gives(place, thread, it)),
                    "the result of a thread may be of another type",
                )?;
                ensure(
                    self.joins_once(place, thread),
                    "a thread may be joined that was joined before",
                )
            }
            Action::Detach { thread } => {
                self.defined(place, thread)?;
                ensure(
                    self.joins_once(place, thread),
                    "a thread may be detached that was joined or detached before",
                )
            }
            Action::EndProcess { kind } => match kind {
                EndKind::Exit(status) => self.defined(place, status),
                EndKind::Abort => Ok(()),
            },
            Action::AtomicEnd => ensure(
                self.given
                    .locksets
                    .at(place.instance, place.location)
                    .is_some_and(|it| it.is_atomic),
                NO_SECTION,
            ),
            Action::UnitEnd { .. } => ensure(
                self.units_are_nested,
                "a unit of work may end that is not the innermost",
            ),
            Action::Fence { .. } => Ok(()),
            Action::Emit { arguments, .. } => {
                arguments.iter().try_for_each(|it| self.defined(place, it))
            }
            Action::Unsupported { .. } => Err(UNSUPPORTED),
        }
    }

    /// Whether the action may look at a pointer that was never set, or at a number that is part of an address, whatever else may go
    /// wrong with it.
    fn follows_unset(&self, place: &ProgramPoint<'_>, action: &Action) -> bool {
        let program = self.points_to.program;
        let function = self.points_to.graph.instances[place.instance].function;
        let is_unset = |it: RegisterId| {
            let known = place.frame.get(it.index());
            known.is_none_or(|it| !it.is_defined)
        };
        let is_number = |it: Scalar| matches!(it, Scalar::Int(_) | Scalar::Float(_));
        if let Action::ReadModifyWrite { address, ty, .. }
        | Action::CompareExchange { address, ty, .. } = action
            && !is_number(*ty)
        {
            let here = (place.instance, place.location);
            if !self.registers.loaded(here, address, *ty).is_defined {
                return true;
            }
        }
        let registers = &program.functions[function].registers;
        let mut looked_at = looked_at(action).into_iter();
        let mut follows = looked_at.any(|it| !is_number(registers[it].ty) && is_unset(it));
        for operand in action.operands(program.model) {
            (operand.address).for_each_register(&mut |it| follows |= is_unset(it));
        }
        follows
    }

    /// A function that is called, or that a thread begins with.
    fn begun(
        &self,
        place: &ProgramPoint<'_>,
        callee: &Callee,
        arguments: &[Expression],
    ) -> Checked {
        for argument in arguments {
            self.sound(place, argument)?;
        }
        match callee {
            Callee::Direct(_) => Ok(()),
            Callee::Indirect(address) => self.called(place, address),
        }
    }

    /// The expression has a value, and it was set.
    pub(crate) fn defined(&self, place: &ProgramPoint<'_>, expression: &Expression) -> Checked {
        self.sound(place, expression)?;
        ensure(self.known(place, expression).is_defined, UNSET)
    }

    pub(crate) fn known(&self, place: &ProgramPoint<'_>, expression: &Expression) -> NumberFacts {
        self.registers
            .evaluate(place.instance, place.frame, expression)
    }

    /// Nothing goes wrong in the expression, though its value may be one that was never set.
    fn sound(&self, place: &ProgramPoint<'_>, expression: &Expression) -> Checked {
        match expression {
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => Ok(()),
            Expression::Unary(UnaryOp::Settle | UnaryOp::IsSet, operand) => {
                self.sound(place, operand)
            }
            Expression::Unary(_, operand) => self.defined(place, operand),
            Expression::Binary(op, left, right) => {
                self.defined(place, left)?;
                self.defined(place, right)?;
                self.operation(place, *op, left, right)
            }
            Expression::Cast(to, operand) => {
                let from = self.registers.scalar(place.instance, operand);
                let is_cut = matches!((from, to), (Scalar::Float(_), Scalar::Int(_)));
                ensure(!is_cut, "a float may not fit the integer it becomes")?;
                self.sound(place, operand)
            }
            Expression::Select(condition, then, otherwise) => {
                self.defined(place, condition)?;
                self.sound(place, then)?;
                self.sound(place, otherwise)
            }
        }
    }

    fn operation(
        &self,
        place: &ProgramPoint<'_>,
        op: BinaryOp,
        left: &Expression,
        right: &Expression,
    ) -> Checked {
        let ty = self.registers.scalar(place.instance, left);
        let right_known = self.known(place, right);
        match (op, ty) {
            (BinaryOp::Divide | BinaryOp::Remainder, Scalar::Int(int)) => {
                ensure(!right_known.contains(0), "a divisor may be zero")?;
                let least = -1_i128 << (int.bits - 1);
                let is_least_by_minus_one = int.is_signed
                    && right_known.contains(-1)
                    && self.known(place, left).contains(least);
                ensure(!is_least_by_minus_one, "a quotient may not fit its type")
            }
            (BinaryOp::ShiftLeft | BinaryOp::ShiftRight, Scalar::Int(int)) => ensure(
                right_known.is_within(0, i128::from(int.bits) - 1),
                "a shift may be wider than its operand",
            ),
            (BinaryOp::Offset, _) => {
                let whole = Expression::Binary(op, left.clone().into(), right.clone().into());
                ensure(
                    self.offset_range(place, &whole).is_some(),
                    "pointer arithmetic may leave its object",
                )
            }
            (BinaryOp::Distance, _) => {
                let objects = |it: &Expression| -> Option<Vec<ObjectId>> {
                    let values = self.points_to.values(place.instance, it);
                    let all: Vec<ObjectId> = values.addresses().map(|(it, _)| it).collect();
                    (all.len() == values.iter().count()).then_some(all)
                };
                let is_one = match (objects(left), objects(right)) {
                    (Some(mine), Some(theirs)) => {
                        let mut all: Vec<ObjectId> = mine.into_iter().chain(theirs).collect();
                        all.dedup();
                        all.len() == 1 && self.points_to.is_single(all[0])
                    }
                    (_, _) => false,
                };
                ensure(
                    is_one,
                    "pointers may be subtracted that point into two objects",
                )
            }
            (_, _) => Ok(()),
        }
    }

    /// The offsets that a pointer may have, if they stay offsets.
    fn offset_range(&self, place: &ProgramPoint<'_>, address: &Expression) -> Option<(i128, i128)> {
        match address {
            Expression::Binary(BinaryOp::Offset, base, amount) => {
                let (low, high) = self.offset_range(place, base)?;
                let amount = self.known(place, amount);
                if amount.low > amount.high {
                    return None;
                }
                let low = low.checked_add(amount.low)?;
                let high = high.checked_add(amount.high)?;
                let end = offset_end(self.points_to.program.model);
                (low >= 0 && high < end).then_some((low, high))
            }
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => {
                let values = self.points_to.values(place.instance, address);
                let mut range: Option<(i128, i128)> = None;
                for value in values.iter() {
                    let at = match value {
                        Value::Address(_, offset) => i128::from(offset.exact()?),
                        Value::Function(_) | Value::Null => 0,
                        Value::Small | Value::Number | Value::Thread(_) => return None,
                    };
                    range = Some(range.map_or((at, at), |(low, high)| (low.min(at), high.max(at))));
                }
                range
            }
        }
    }

    /// The address is that of some object, not null.
    fn is_address(&self, place: &ProgramPoint<'_>, address: &Expression) -> bool {
        match address {
            Expression::Binary(BinaryOp::Offset, base, _) => self.is_address(place, base),
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => {
                let values = self.points_to.values(place.instance, address);
                values.iter().all(|value| match value {
                    Value::Address(..) => true,
                    Value::Null => self.known(place, address).is_not_null,
                    Value::Small | Value::Number | Value::Function(_) | Value::Thread(_) => false,
                })
            }
        }
    }

    /// There are `size` bytes of living objects behind the address.
    pub(crate) fn located(
        &self,
        place: &ProgramPoint<'_>,
        address: &Expression,
        size: u64,
    ) -> Checked {
        self.defined(place, address)?;
        ensure(
            self.is_address(place, address),
            "a pointer may be followed that is null or no pointer",
        )?;
        let (_, high) = self.offset_range(place, address).ok_or(OUTSIDE)?;
        for (object, _) in self.points_to.values(place.instance, address).addresses() {
            let known = self.points_to.objects[object].size.ok_or(OUTSIDE)?;
            ensure(high + i128::from(size) <= i128::from(known), OUTSIDE)?;
            ensure(
                self.is_alive(place, object),
                "an object may be used that lives no more",
            )?;
        }
        Ok(())
    }

    /// As [`Self::located`], and nothing there is read-only.
    pub(crate) fn writable(
        &self,
        place: &ProgramPoint<'_>,
        address: &Expression,
        size: u64,
    ) -> Checked {
        self.located(place, address, size)?;
        let values = self.points_to.values(place.instance, address);
        ensure(
            !values
                .addresses()
                .any(|(it, offset)| self.may_be_read_only(it, offset, size)),
            "something may be written that is read-only",
        )
    }

    fn may_be_read_only(&self, object: ObjectId, offset: Offset, size: u64) -> bool {
        let read_only = self.points_to.read_only(object);
        match offset.exact() {
            Some(offset) => read_only.touches(offset, size),
            None => !read_only.is_nothing(),
        }
    }

    fn is_alive(&self, place: &ProgramPoint<'_>, object: ObjectId) -> bool {
        match self.points_to.objects[object].kind {
            ObjectKind::Global(_) => true,
            ObjectKind::ThreadLocal(_, owner) => {
                self.given.escape.is_local(object)
                    && self.points_to.graph.instances[place.instance].thread == owner
            }
            // Whoever frees something is not trusted at all.
            ObjectKind::Allocated(AllocateKind::Heap, ..) => true,
            // An address that is neither kept nor returned does not outlive its frame.
            ObjectKind::Allocated(AllocateKind::Stack, instance, _) => {
                self.given.escape.is_local(object)
                    && !self.points_to.is_kept(object)
                    && !self
                        .points_to
                        .returned(instance)
                        .addresses()
                        .any(|(it, _)| it == object)
            }
        }
    }

    /// Only functions that take what they are given are called.
    fn called(&self, place: &ProgramPoint<'_>, address: &Expression) -> Checked {
        self.defined(place, address)?;
        let values = self.points_to.values(place.instance, address);
        let callees = self
            .points_to
            .graph
            .callees(place.instance, place.edge)
            .len()
            + self
                .points_to
                .graph
                .spawned(place.instance, place.edge)
                .len();
        let is_function = |value: Value| match value {
            Value::Function(_) => true,
            Value::Null => self.known(place, address).is_not_null,
            Value::Small | Value::Number | Value::Address(..) | Value::Thread(_) => false,
        };
        ensure(
            values.iter().all(is_function) && values.functions().count() == callees,
            "a pointer may be called that is no such function",
        )
    }
}

/// Larger objects are a limit of the interpreter.
const MAX_OBJECT_BYTES: i128 = 1 << 26;
