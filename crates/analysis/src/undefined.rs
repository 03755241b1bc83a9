//! Whether an execution may do something undefined, or misuse memory, locks or threads: there executions end, and
//! what would come after them is anybody's guess, so a proof has to exclude it. Besides, whether signed numbers may
//! overflow and assertions fail.
//!
//! Every action is looked at for every property, and what cannot be excluded is a [`Doubt`](crate::doubts::Doubt). The analyses behind it take
//! it for granted that nothing undefined has happened before, so a property without doubts holds as long as no earlier
//! step violates one that is doubted: no step is the first violation of a property that nobody doubts.
//!
//! Limits of the interpreter, such as the number of threads or of choices, do not count: they end searches, not
//! executions. Recursion counts, because real stacks end.

use raddle_base::{Id as _, Span};
use raddle_ir::any_values::looked_at;
use raddle_ir::interpret::Property;
use raddle_ir::{
    Access as Kind, Action, AllocateKind, BinaryOp, Callee, EdgeId, EndKind, Expression, IntType,
    LocationId, NamePlace, RegisterId, Scalar, UnaryOp,
};

use crate::call_graph::InstanceId;
use crate::conflicts::Access;
use crate::doubts::{Doubted, Doubts};
use crate::ends::Ends;
use crate::escape::Escape;
use crate::given::Given;
use crate::locksets::Locksets;
use crate::numbers::{NumberFacts, bounds, exact_range, offset_end};
use crate::parallel::Parallel;
use crate::points_to::{ObjectKind, PointsTo};
use crate::registers::{Registers, Standing};
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
    let Some(doubts) = doubts(given) else {
        return Some(nowhere("the values of variables were not found out"));
    };
    let mut ending = doubts.all().filter(|it| it.ends_executions());
    let first = ending.next()?;
    Some(Possibility {
        what: first.what.into(),
        span: first.span,
        reaches_unsupported: has_unknown_values || doubts.reach_unsupported(),
        follows_unset: doubts.follow_unset,
    })
}

/// All that may go wrong at some action; `None` if the values of variables were not found out.
pub(crate) fn doubts(given: &Given<'_, '_>) -> Option<Doubts> {
    let points_to = given.points_to;
    let registers = Registers::new(given)?;
    let checker = Checker {
        given,
        points_to,
        registers: &registers,
        prologue: Prologue::new(points_to),
        units_are_nested: are_nested(points_to),
        ends: Ends::new(points_to.program),
    };
    let mut doubts = Doubts::default();
    doubts.invariants = registers.invariants();
    for (instance, edge, action) in points_to.actions() {
        let function = points_to.graph.instances[instance].function;
        let known = points_to.program.edge(function, edge);
        let Some(standing) = registers.at(instance, known.from) else {
            continue;
        };
        let place = ProgramPoint {
            instance,
            edge,
            location: known.from,
            standing,
        };
        doubts.stand_at(known.span);
        checker.action(&place, action, &mut doubts);
        doubts.follow_unset |= checker.follows_unset(&place, action);
    }
    Some(doubts)
}

/// Where a thread stands, and what is certain of its registers.
pub(crate) struct ProgramPoint<'a> {
    pub(crate) instance: InstanceId,
    pub(crate) edge: EdgeId,
    pub(crate) location: LocationId,
    pub(crate) standing: &'a Standing,
}

pub(crate) struct Checker<'a, 'p> {
    pub(crate) given: &'a Given<'a, 'p>,
    pub(crate) points_to: &'a PointsTo<'p>,
    pub(crate) registers: &'a Registers<'a, 'p>,
    pub(crate) prologue: Prologue,
    units_are_nested: bool,
    ends: Ends,
}

const UNSUPPORTED: &str = "something may be reached that is not supported";
const NO_SECTION: &str = "an atomic section may end that never began";
const NOT_INNERMOST: &str = "a unit of work may end that is not the innermost";
const TOO_LARGE: &str = "a signed number may not fit its type";
const UNSET: &str = "a value may be used that was never set";
const OUTSIDE: &str = "an access may leave its object";

impl Checker<'_, '_> {
    fn action(&self, place: &ProgramPoint<'_>, action: &Action, doubts: &mut Doubts) {
        let model = self.points_to.program.model;
        let mut operands = action.operands(model).into_iter();
        if operands.any(|it| self.points_to.may_be_opaque(place.instance, it.address)) {
            doubts.add(Doubted::Unsupported, UNSUPPORTED);
        }
        match action {
            Action::Assign { value, .. } => self.sound(place, value, doubts),
            Action::Havoc { .. }
            | Action::AtomicBegin { .. }
            | Action::UnitBegin { .. }
            | Action::Fence { .. } => {}
            Action::Assume { condition } => self.defined(place, condition, doubts),
            Action::Assert { condition, .. } => {
                self.defined(place, condition, doubts);
                let holds = !self.known(place, condition).contains(0);
                doubts.ensure(holds, Property::Assert, "an assertion may fail");
            }
            Action::Load { address, ty, .. } => {
                self.located(place, address, ty.size(model), doubts);
            }
            Action::Store {
                address,
                value,
                ty,
                access,
            } => {
                match access {
                    Kind::Initial => self.located(place, address, ty.size(model), doubts),
                    Kind::Plain | Kind::Atomic(_) => {
                        self.writable(place, address, ty.size(model), doubts);
                    }
                }
                self.sound(place, value, doubts);
            }
            Action::ReadModifyWrite {
                address,
                operand,
                ty,
                ..
            } => {
                self.writable(place, address, ty.size(model), doubts);
                self.defined(place, operand, doubts);
                self.set_before(place, address, *ty, doubts);
            }
            Action::CompareExchange {
                address,
                expected,
                desired,
                ty,
                ..
            } => {
                self.writable(place, address, ty.size(model), doubts);
                self.defined(place, expected, doubts);
                self.defined(place, desired, doubts);
                self.set_before(place, address, *ty, doubts);
            }
            Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. } => self.life(place, action, doubts),
            Action::Sync {
                operation,
                object,
                mutex,
                ..
            } => self.synchronize(place, *operation, object, mutex.as_ref(), doubts),
            Action::Call {
                callee, arguments, ..
            } => self.begun(place, callee, arguments, doubts),
            Action::Spawn {
                callee,
                arguments,
                place: stored,
                ..
            } => {
                if let Some(NamePlace { address, ty }) = stored {
                    self.writable(place, address, ty.size(model), doubts);
                }
                self.begun(place, callee, arguments, doubts);
            }
            Action::Return { value } | Action::ExitThread { value } => {
                if let Some(value) = value {
                    self.sound(place, value, doubts);
                }
            }
            Action::Join { thread, target } => {
                self.named(place, thread, doubts);
                doubts.ensure(
                    target.is_none_or(|it| self.gives(place, thread, it)),
                    Property::Undefined,
                    "the result of a thread may be of another type",
                );
                doubts.ensure(
                    self.joins_once(place, thread),
                    Property::LockMisuse,
                    "a thread may be joined that was joined before",
                );
            }
            Action::Detach { thread } => {
                self.named(place, thread, doubts);
                doubts.ensure(
                    self.joins_once(place, thread),
                    Property::LockMisuse,
                    "a thread may be detached that was joined or detached before",
                );
            }
            Action::EndProcess { kind } => match kind {
                EndKind::Exit(status) => self.defined(place, status, doubts),
                EndKind::Abort => {}
            },
            Action::AtomicEnd => {
                let locksets = self.given.locksets.at(place.instance, place.location);
                if !locksets.is_some_and(|it| it.is_atomic) {
                    doubts.add(Doubted::Unsupported, NO_SECTION);
                }
            }
            Action::UnitEnd { .. } => {
                if !self.units_are_nested {
                    doubts.add(Doubted::Unsupported, NOT_INNERMOST);
                }
            }
            Action::Emit { arguments, .. } => {
                for argument in arguments {
                    self.defined(place, argument, doubts);
                }
            }
            Action::Unsupported { .. } => doubts.add(Doubted::Unsupported, UNSUPPORTED),
        }
    }

    /// The name of a thread to join or detach was set: one that was not is the name of nobody.
    fn named(&self, place: &ProgramPoint<'_>, name: &Expression, doubts: &mut Doubts) {
        self.sound(place, name, doubts);
        let is_set = self.known(place, name).is_defined;
        doubts.ensure(
            is_set,
            Property::LockMisuse,
            "a thread may be joined or detached whose name was never set",
        );
    }

    /// An action that makes an object or ends one, or asks for its size.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all others are looked at elsewhere"
    )]
    fn life(&self, place: &ProgramPoint<'_>, action: &Action, doubts: &mut Doubts) {
        let model = self.points_to.program.model;
        match action {
            Action::Allocate { size, .. } => {
                self.defined(place, size, doubts);
                let size = self
                    .registers
                    .evaluate(place.instance, place.standing, size);
                doubts.ensure(
                    size.is_within(0, MAX_OBJECT_BYTES.min(offset_end(model) - 1)),
                    Property::Memory,
                    "an object may be too large",
                );
            }
            Action::Size { address, .. } => {
                self.located(place, address, 0, doubts);
                doubts.ensure(
                    self.offset_range(place, address) == Some((0, 0)),
                    Property::Memory,
                    "a pointer may not point to the beginning of an object",
                );
            }
            Action::Free {
                address,
                kind: AllocateKind::Stack,
            } => {
                self.defined(place, address, doubts);
                let is_harmless =
                    (self.ends).is_harmless(self.points_to, place.instance, place.edge, address);
                doubts.ensure(
                    is_harmless,
                    Property::Memory,
                    "a local may be used after its block was left",
                );
            }
            Action::Free {
                address,
                kind: AllocateKind::Heap,
            } => {
                self.defined(place, address, doubts);
                doubts.ensure(
                    false,
                    Property::Memory,
                    "memory may be freed that must not be, or used after it",
                );
            }
            Action::Init { object, sync } => self.init(place, object, sync, doubts),
            Action::Destroy { object, .. } => {
                self.located(place, object, 0, doubts);
                doubts.ensure(
                    false,
                    Property::LockMisuse,
                    "a synchronisation object may be destroyed while it is used",
                );
            }
            _ => {}
        }
    }

    /// What an action reads and writes in one was set before.
    fn set_before(
        &self,
        place: &ProgramPoint<'_>,
        address: &Expression,
        ty: Scalar,
        doubts: &mut Doubts,
    ) {
        let here = (place.instance, place.location);
        let is_set = self.registers.loaded(here, address, ty).is_defined;
        doubts.ensure(is_set, Property::Uninitialized, UNSET);
    }

    /// Whether the action may look at a pointer that was never set, or at a number that is part of an address, whatever else may go
    /// wrong with it.
    fn follows_unset(&self, place: &ProgramPoint<'_>, action: &Action) -> bool {
        let program = self.points_to.program;
        let function = self.points_to.graph.instances[place.instance].function;
        let is_unset = |it: RegisterId| {
            let known = place.standing.registers.get(it.index());
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
        doubts: &mut Doubts,
    ) {
        for argument in arguments {
            self.sound(place, argument, doubts);
        }
        match callee {
            Callee::Direct(_) => {}
            Callee::Indirect(address) => self.called(place, address, doubts),
        }
    }

    /// The expression has a value, and it was set.
    pub(crate) fn defined(
        &self,
        place: &ProgramPoint<'_>,
        expression: &Expression,
        doubts: &mut Doubts,
    ) {
        self.sound(place, expression, doubts);
        let is_set = self.known(place, expression).is_defined;
        doubts.ensure(is_set, Property::Uninitialized, UNSET);
    }

    pub(crate) fn known(&self, place: &ProgramPoint<'_>, expression: &Expression) -> NumberFacts {
        self.registers
            .evaluate(place.instance, place.standing, expression)
    }

    /// Nothing goes wrong in the expression, though its value may be one that was never set.
    fn sound(&self, place: &ProgramPoint<'_>, expression: &Expression, doubts: &mut Doubts) {
        match expression {
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => {}
            Expression::Unary(UnaryOp::Settle | UnaryOp::IsSet, operand) => {
                self.sound(place, operand, doubts);
            }
            Expression::Unary(op, operand) => {
                self.defined(place, operand, doubts);
                if let (UnaryOp::Negate, Scalar::Int(int)) =
                    (op, self.registers.scalar(place.instance, operand))
                    && int.is_signed
                {
                    let known = self.known(place, operand);
                    let fits = known.low <= known.high && known.low > int.min();
                    doubts.ensure(fits, Property::Overflow, TOO_LARGE);
                }
            }
            Expression::Binary(op, left, right) => {
                self.defined(place, left, doubts);
                self.defined(place, right, doubts);
                self.operation(place, *op, (left, right), doubts);
            }
            Expression::Cast(to, operand) => {
                let from = self.registers.scalar(place.instance, operand);
                let is_cut = matches!((from, to), (Scalar::Float(_), Scalar::Int(_)));
                doubts.ensure(
                    !is_cut,
                    Property::Undefined,
                    "a float may not fit the integer it becomes",
                );
                self.sound(place, operand, doubts);
            }
            Expression::Select(condition, then, otherwise) => {
                self.defined(place, condition, doubts);
                self.sound(place, then, doubts);
                self.sound(place, otherwise, doubts);
            }
        }
    }

    fn operation(
        &self,
        place: &ProgramPoint<'_>,
        op: BinaryOp,
        (left, right): (&Expression, &Expression),
        doubts: &mut Doubts,
    ) {
        let ty = self.registers.scalar(place.instance, left);
        let right_known = self.known(place, right);
        match (op, ty) {
            (BinaryOp::Divide | BinaryOp::Remainder, Scalar::Int(int)) => {
                doubts.ensure(
                    !right_known.contains(0),
                    Property::Undefined,
                    "a divisor may be zero",
                );
                let least = -1_i128 << (int.bits - 1);
                let is_least_by_minus_one = int.is_signed
                    && right_known.contains(-1)
                    && self.known(place, left).contains(least);
                let fits = !is_least_by_minus_one;
                let what = "a quotient may not fit its type";
                doubts.ensure(fits, Property::Undefined, what);
                doubts.ensure(fits, Property::Overflow, what);
            }
            (BinaryOp::ShiftLeft | BinaryOp::ShiftRight, Scalar::Int(int)) => {
                doubts.ensure(
                    right_known.is_within(0, i128::from(int.bits) - 1),
                    Property::Undefined,
                    "a shift may be wider than its operand",
                );
                let may_lose = op == BinaryOp::ShiftLeft && int.is_signed;
                let fits = !may_lose || {
                    exact_range(op, self.known(place, left), right_known)
                        .is_some_and(|it| is_of_type(it, int))
                };
                doubts.ensure(fits, Property::Overflow, TOO_LARGE);
            }
            (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, Scalar::Int(int))
                if int.is_signed =>
            {
                let range = exact_range(op, self.known(place, left), right_known);
                let fits = range.is_some_and(|it| is_of_type(it, int));
                doubts.ensure(fits, Property::Overflow, TOO_LARGE);
            }
            (BinaryOp::Offset, _) => {
                let whole = Expression::Binary(op, left.clone().into(), right.clone().into());
                doubts.ensure(
                    self.offset_range(place, &whole).is_some(),
                    Property::Memory,
                    "pointer arithmetic may leave its object",
                );
            }
            (BinaryOp::Distance, _) => doubts.ensure(
                self.are_of_one_object(place, left, right),
                Property::Undefined,
                "pointers may be subtracted that point into two objects",
            ),
            (_, _) => {}
        }
    }

    fn are_of_one_object(
        &self,
        place: &ProgramPoint<'_>,
        left: &Expression,
        right: &Expression,
    ) -> bool {
        let objects = |it: &Expression| -> Option<Vec<ObjectId>> {
            let values = self.points_to.values(place.instance, it);
            let all: Vec<ObjectId> = values.addresses().map(|(it, _)| it).collect();
            (all.len() == values.iter().count()).then_some(all)
        };
        let (Some(mine), Some(theirs)) = (objects(left), objects(right)) else {
            return false;
        };
        let mut all: Vec<ObjectId> = mine.into_iter().chain(theirs).collect();
        all.dedup();
        all.len() == 1 && self.points_to.is_single(all[0])
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
                let end = offset_end(self.points_to.program.model);
                let known = self.known(place, address);
                let is_known = known.is_within(0, end - 1);
                self.named_offsets(place, address)
                    .or_else(|| is_known.then_some((known.low, known.high)))
            }
        }
    }

    /// The offsets of the parts that a pointer may point to, if they are few.
    fn named_offsets(
        &self,
        place: &ProgramPoint<'_>,
        address: &Expression,
    ) -> Option<(i128, i128)> {
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
        doubts: &mut Doubts,
    ) {
        self.defined(place, address, doubts);
        doubts.ensure(
            self.is_address(place, address),
            Property::Memory,
            "a pointer may be followed that is null or no pointer",
        );
        let high = self.offset_range(place, address).map(|(_, high)| high);
        for (object, _) in self.points_to.values(place.instance, address).addresses() {
            let known = self.points_to.objects[object].size;
            let is_inside = high
                .zip(known)
                .is_some_and(|(high, known)| high + i128::from(size) <= i128::from(known));
            doubts.ensure(is_inside, Property::Memory, OUTSIDE);
            doubts.ensure(
                self.is_alive(place, object),
                Property::Memory,
                "an object may be used that lives no more",
            );
        }
    }

    /// As [`Self::located`], and nothing there is read-only.
    pub(crate) fn writable(
        &self,
        place: &ProgramPoint<'_>,
        address: &Expression,
        size: u64,
        doubts: &mut Doubts,
    ) {
        self.located(place, address, size, doubts);
        let values = self.points_to.values(place.instance, address);
        let may_be_kept = values
            .addresses()
            .any(|(it, offset)| self.may_be_read_only(it, offset, size));
        doubts.ensure(
            !may_be_kept,
            Property::Memory,
            "something may be written that is read-only",
        );
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
    fn called(&self, place: &ProgramPoint<'_>, address: &Expression, doubts: &mut Doubts) {
        self.defined(place, address, doubts);
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
        let is_fine = values.iter().all(is_function) && values.functions().count() == callees;
        let what = "a pointer may be called that is no such function";
        doubts.ensure(is_fine, Property::Memory, what);
        doubts.ensure(is_fine, Property::Undefined, what);
    }
}

fn is_of_type((low, high): (i128, i128), int: IntType) -> bool {
    let (least, greatest) = bounds(Scalar::Int(int));
    low >= least && high <= greatest
}

/// Larger objects are a limit of the interpreter.
const MAX_OBJECT_BYTES: i128 = 1 << 26;
