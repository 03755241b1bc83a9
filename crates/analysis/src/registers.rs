//! What is certain of the registers of every instance at every location, and of what it takes and gives.

use raddle_base::{Id, SideTable};
use raddle_ir::arithmetic::signed_value;
use raddle_ir::{Action, BinaryOp, EdgeId, Expression, LocationId, RegisterId, Scalar, UnaryOp};

use crate::automaton::continues;
use crate::call_graph::{InstanceId, ThreadId};
use crate::conflicts::{Access, Deed};
use crate::escape::Escape;
use crate::initialized::Initialized;
use crate::numbers::{Known, compute};
use crate::points_to::{ObjectKind, PointsTo};
use crate::value::{ObjectId, Offset, Value};

/// One fact a register.
pub(crate) type Frame = Vec<Known>;

pub(crate) struct Registers<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    frames: Vec<SideTable<LocationId, Option<Frame>>>,
    /// What an instance gives to its callers.
    returned: Vec<Option<Known>>,
    /// What is being returned.
    giving: Option<Known>,
    /// What a thread gives to who joins it.
    results: Vec<Option<Known>>,
    /// Where synchronisation objects may lie: they have no value.
    syncs: Vec<(ObjectId, Offset, u64)>,
    /// Objects to which some value may be written that was never set.
    undefined: Vec<bool>,
    initialized: Initialized,
    /// How often a location was changed; many times means that its facts grow for ever.
    visits: Vec<SideTable<LocationId, u32>>,
    changed: bool,
}

/// After so many changes of a location its ranges are widened.
const PATIENCE: u32 = 3;
/// Rounds after which the search for a fixed point is given up.
const MAX_ROUNDS: usize = 200;

impl<'a, 'p> Registers<'a, 'p> {
    /// `None` if there is no end to it.
    pub(crate) fn new(
        points_to: &'a PointsTo<'p>,
        accesses: &[Access],
        escape: &Escape,
    ) -> Option<Self> {
        let program = points_to.program;
        let instances = points_to.graph.instances.values();
        let locations =
            |it: &crate::call_graph::Instance| &program.functions[it.function].locations;
        let mut this = Self {
            points_to,
            frames: instances
                .clone()
                .map(|it| SideTable::filled(locations(it), None))
                .collect(),
            returned: vec![None; points_to.graph.instances.len()],
            giving: None,
            results: vec![None; points_to.graph.threads.len()],
            syncs: sync_places(points_to, accesses),
            undefined: vec![false; points_to.objects.len()],
            initialized: Initialized::new(points_to, escape),
            visits: instances
                .map(|it| SideTable::filled(locations(it), 0))
                .collect(),
            changed: false,
        };
        for (index, root) in program.roots.iter().enumerate() {
            let entry = points_to.graph.threads[ThreadId::from_index(index)].entry;
            let arguments: Vec<Known> = root
                .arguments
                .iter()
                .map(|it| this.evaluate(entry, &[], it))
                .collect();
            this.enter(entry, &arguments);
        }
        for _ in 0..MAX_ROUNDS {
            this.changed = false;
            for instance in points_to.graph.instances.ids() {
                this.pass_over(instance);
            }
            if !this.changed {
                return Some(this);
            }
        }
        None
    }

    pub(crate) fn at(&self, instance: InstanceId, location: LocationId) -> Option<&Frame> {
        self.frames[instance.index()][location].as_ref()
    }

    fn enter(&mut self, instance: InstanceId, arguments: &[Known]) {
        let function = self.points_to.graph.instances[instance].function;
        let function = &self.points_to.program.functions[function];
        let mut frame = vec![Known::UNSET; function.registers.len()];
        for (at, argument) in arguments.iter().enumerate().take(function.parameters) {
            frame[at] = *argument;
        }
        self.arrive(instance, function.entry, &frame);
    }

    fn arrive(&mut self, instance: InstanceId, location: LocationId, frame: &Frame) {
        let function = self.points_to.graph.instances[instance].function;
        if location == self.points_to.program.functions[function].exit {
            // Who comes to the end without a word returns nothing.
            let given = self.giving.take().unwrap_or(Known::UNSET);
            self.changed |= add(&mut self.returned[instance.index()], given);
            let thread = self.points_to.graph.instances[instance].thread;
            if self.points_to.graph.threads[thread].entry == instance {
                self.changed |= add(&mut self.results[thread.index()], given);
            }
        }
        let types = &self.points_to.program.functions[function].registers;
        let known = &mut self.frames[instance.index()][location];
        let Some(known) = known else {
            *known = Some(frame.clone());
            self.changed = true;
            return;
        };
        let visits = &mut self.visits[instance.index()][location];
        let mut changed = false;
        for ((fact, more), register) in known.iter_mut().zip(frame).zip(types.values()) {
            let joined = if *visits > PATIENCE {
                fact.widen(*more, register.ty)
            } else {
                fact.join(*more)
            };
            changed |= joined != *fact;
            *fact = joined;
        }
        if changed {
            *visits += 1;
            self.changed = true;
        }
    }

    fn pass_over(&mut self, instance: InstanceId) {
        let program = self.points_to.program;
        let function = self.points_to.graph.instances[instance].function;
        for index in 0..self.points_to.automata[function].edges.len() {
            let edge = self.points_to.automata[function].edges[index];
            let from = program.edge(function, edge).from;
            if let Some(frame) = self.at(instance, from).cloned() {
                self.take(instance, edge, &frame);
            }
        }
    }

    fn take(&mut self, instance: InstanceId, edge: EdgeId, before: &Frame) {
        let program = self.points_to.program;
        let graph = &self.points_to.graph;
        let function = graph.instances[instance].function;
        let thread = graph.instances[instance].thread;
        let types = &program.functions[function].registers;
        let taken = program.edge(function, edge);
        let mut frame = before.clone();
        let mut set = |register: RegisterId, known: Known| frame[register.index()] = known;
        match &taken.action {
            Action::Assign { target, value } => {
                set(*target, self.evaluate(instance, before, value));
            }
            Action::Havoc { target } | Action::Size { target, .. } => {
                set(*target, Known::any(types[*target].ty));
            }
            Action::Load {
                target,
                address,
                ty,
                ..
            } => set(*target, self.loaded((instance, taken.from), address, *ty)),
            Action::ReadModifyWrite {
                target,
                address,
                operand,
                ty,
                ..
            } => {
                if let Some(target) = target {
                    set(*target, self.loaded((instance, taken.from), address, *ty));
                }
                let stored = self.evaluate(instance, before, operand);
                self.store(instance, address, stored);
            }
            Action::CompareExchange {
                previous,
                success,
                address,
                desired,
                ty,
                ..
            } => {
                if let Some(previous) = previous {
                    set(*previous, self.loaded((instance, taken.from), address, *ty));
                }
                if let Some(success) = success {
                    set(*success, Known::any(types[*success].ty));
                }
                let stored = self.evaluate(instance, before, desired);
                self.store(instance, address, stored);
            }
            Action::Store { address, value, .. } => {
                let stored = self.evaluate(instance, before, value);
                self.store(instance, address, stored);
            }
            Action::Allocate { target, .. } => set(*target, Known::address()),
            Action::Sync {
                result: Some(result),
                ..
            } => set(*result, Known::any(types[*result].ty)),
            Action::Call {
                target, arguments, ..
            } => {
                let arguments: Vec<Known> = arguments
                    .iter()
                    .map(|it| self.evaluate(instance, before, it))
                    .collect();
                for callee in graph.callees(instance, edge) {
                    self.enter(callee, &arguments);
                    let exit = program.functions[graph.instances[callee].function].exit;
                    if self.at(callee, exit).is_some() {
                        let mut after = before.clone();
                        if let Some(target) = target {
                            let given = self.returned[callee.index()];
                            after[target.index()] = given.unwrap_or(Known::UNSET);
                        }
                        self.arrive(instance, taken.to, &after);
                    }
                }
                return;
            }
            Action::Spawn {
                target, arguments, ..
            } => {
                let arguments: Vec<Known> = arguments
                    .iter()
                    .map(|it| self.evaluate(instance, before, it))
                    .collect();
                if let Some(target) = target {
                    set(*target, Known::any(types[*target].ty));
                }
                for child in graph.spawned(instance, edge) {
                    self.enter(graph.threads[child].entry, &arguments);
                }
            }
            Action::Join {
                target: Some(target),
                ..
            } => {
                // Some thread may give nothing.
                let all = self.results.iter().map(|it| it.unwrap_or(Known::UNSET));
                set(*target, all.reduce(Known::join).unwrap_or(Known::UNSET));
            }
            Action::Return { value } | Action::ExitThread { value } => {
                let known = value
                    .as_ref()
                    .map_or(Known::UNSET, |it| self.evaluate(instance, before, it));
                if matches!(taken.action, Action::ExitThread { .. }) {
                    self.changed |= add(&mut self.results[thread.index()], known);
                } else {
                    self.giving = Some(known);
                }
            }
            Action::Assume { condition } | Action::Assert { condition, .. } => {
                if !self.refine(instance, &mut frame, condition, true, 0) {
                    return;
                }
            }
            Action::Sync { result: None, .. }
            | Action::Join { target: None, .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Detach { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => {}
        }
        if continues(&taken.action) {
            // Temporaries that nobody reads any more lose their values.
            for register in program.dead_temporaries(function, taken.to) {
                frame[register.index()] = Known::UNSET;
            }
            self.arrive(instance, taken.to, &frame);
        }
    }

    /// What a cell holds, whoever wrote it.
    pub(crate) fn loaded(
        &self,
        place: (InstanceId, LocationId),
        address: &Expression,
        ty: Scalar,
    ) -> Known {
        let (instance, _) = place;
        let mut known = Known::any(ty);
        let addresses = self.points_to.values(instance, address);
        let size = ty.size(self.points_to.program.model);
        known.is_defined = addresses.addresses().all(|(object, offset)| {
            !self.undefined[object.index()]
                && (self.points_to.is_zeroed(object)
                    || self.initialized.is_written(place, object, offset, size))
                && !self.syncs.iter().any(|(other, at, made)| {
                    *other == object && at.may_overlap(*made, offset, size)
                })
        });
        if ty == Scalar::Pointer {
            let values = self.points_to.load(instance, address, ty);
            known.is_not_null = !values.contains(Value::Null);
        }
        known
    }

    fn store(&mut self, instance: InstanceId, address: &Expression, stored: Known) {
        if stored.is_defined {
            return;
        }
        let objects: Vec<ObjectId> = self
            .points_to
            .values(instance, address)
            .addresses()
            .map(|(object, _)| object)
            .collect();
        for object in objects {
            let known = &mut self.undefined[object.index()];
            self.changed |= !*known;
            *known = true;
        }
    }

    /// What is certain of a value.
    pub(crate) fn evaluate(
        &self,
        instance: InstanceId,
        frame: &[Known],
        expression: &Expression,
    ) -> Known {
        let model = self.points_to.program.model;
        let scalar = |it: &Expression| self.scalar(instance, it);
        let value = |it: &Expression| self.evaluate(instance, frame, it);
        match expression {
            Expression::Constant(bits, Scalar::Int(int)) => {
                if int.bits > 64 {
                    return Known::any(Scalar::Int(*int));
                }
                Known::exactly(signed_value(*bits, *int))
            }
            Expression::Constant(bits, ty) => Known {
                is_not_null: *bits != 0,
                ..Known::any(*ty)
            },
            Expression::Register(register) => {
                frame.get(register.index()).copied().unwrap_or(Known::UNSET)
            }
            Expression::Global(_) | Expression::Function(_) => Known::address(),
            Expression::CurrentThread => Known::any(Scalar::Thread),
            Expression::Unary(UnaryOp::Settle, operand) => {
                let mut known = Known::any(scalar(operand));
                known.is_defined = true;
                known
            }
            Expression::Unary(UnaryOp::Not, operand) if scalar(operand) == Scalar::BOOL => {
                let known = value(operand);
                if known.low > known.high {
                    return Known::any(Scalar::BOOL);
                }
                Known::within(1 - known.high, 1 - known.low)
            }
            Expression::Unary(_, operand) => Known::any(scalar(operand)),
            // A pointer keeps its object, so one that is not null stays so.
            Expression::Binary(BinaryOp::Offset, base, _) => Known {
                is_defined: true,
                ..value(base)
            },
            Expression::Binary(op, left, right) => match scalar(left) {
                Scalar::Int(int) if op.is_comparison() => {
                    compare(*op, value(left), value(right), int.bits)
                }
                Scalar::Int(int) => {
                    let right = if matches!(scalar(right), Scalar::Int(it) if it.bits <= 64) {
                        value(right)
                    } else {
                        Known::any(scalar(right))
                    };
                    compute(*op, value(left), right, int)
                }
                ty @ (Scalar::Float(_) | Scalar::Pointer | Scalar::Thread) => {
                    if op.is_comparison() {
                        Known::any(Scalar::BOOL)
                    } else if *op == BinaryOp::Distance {
                        Known::any(Scalar::Int(model.signed_word()))
                    } else {
                        Known::any(ty)
                    }
                }
            },
            Expression::Cast(to, operand) => {
                let known = value(operand);
                let any = Known::any(*to);
                let is_within = known.is_within(any.low, any.high);
                let cast = match (scalar(operand), to) {
                    (Scalar::Int(from), Scalar::Int(to))
                        if is_within && from.bits <= 64 && to.bits <= 64 =>
                    {
                        known
                    }
                    (Scalar::Pointer, Scalar::Pointer) => known,
                    (Scalar::Pointer, Scalar::Int(int))
                        if u32::from(int.bits) >= model.pointer_bits() =>
                    {
                        Known {
                            is_not_null: known.is_not_null,
                            ..any
                        }
                    }
                    (_, _) => any,
                };
                Known {
                    is_defined: known.is_defined,
                    ..cast
                }
            }
            Expression::Select(_, then, otherwise) => value(then).join(value(otherwise)),
        }
    }

    pub(crate) fn scalar(&self, instance: InstanceId, expression: &Expression) -> Scalar {
        let function = self.points_to.graph.instances[instance].function;
        let registers = &self.points_to.program.functions[function].registers;
        expression.scalar(registers, self.points_to.program.model)
    }

    /// Takes over what a condition tells if it has the given truth; whether it can have it.
    fn refine(
        &self,
        instance: InstanceId,
        frame: &mut Frame,
        condition: &Expression,
        truth: bool,
        depth: u32,
    ) -> bool {
        let known = self.evaluate(instance, frame, condition);
        if known.is_defined && !known.contains(i128::from(truth)) {
            return false;
        }
        if depth > 20 {
            return true;
        }
        match condition {
            Expression::Unary(UnaryOp::Not, inner) => {
                return self.refine(instance, frame, inner, !truth, depth + 1);
            }
            Expression::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right)
                if truth == (*op == BinaryOp::And)
                    && self.scalar(instance, left) == Scalar::BOOL =>
            {
                return self.refine(instance, frame, left, truth, depth + 1)
                    && self.refine(instance, frame, right, truth, depth + 1);
            }
            // Written by front ends for `and` that looks at its right side only if it must, and for `or`.
            Expression::Select(first, then, otherwise) => {
                if let Expression::Constant(bits, Scalar::BOOL) = **otherwise
                    && (bits == 1) != truth
                {
                    return self.refine(instance, frame, first, true, depth + 1)
                        && self.refine(instance, frame, then, truth, depth + 1);
                }
                if let Expression::Constant(bits, Scalar::BOOL) = **then
                    && (bits == 1) != truth
                {
                    return self.refine(instance, frame, first, false, depth + 1)
                        && self.refine(instance, frame, otherwise, truth, depth + 1);
                }
            }
            Expression::Binary(op, left, right) if op.is_comparison() => {
                let op = if truth { *op } else { negated(*op) };
                self.bound(instance, frame, left, op, right);
                self.bound(instance, frame, right, mirrored(op), left);
            }
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..) => {}
        }
        true
    }

    /// `left op right` holds: what that tells of a register on the left.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
    fn bound(
        &self,
        instance: InstanceId,
        frame: &mut Frame,
        left: &Expression,
        op: BinaryOp,
        right: &Expression,
    ) {
        let other = self.evaluate(instance, frame, right);
        let (register, is_cast) = match left {
            Expression::Register(register) => (*register, false),
            // A number that was widened is the same number.
            Expression::Cast(Scalar::Int(to), inner) => {
                match (&**inner, self.scalar(instance, inner)) {
                    (Expression::Register(register), Scalar::Int(from))
                        if to.bits > from.bits && (to.is_signed || !from.is_signed) =>
                    {
                        (*register, true)
                    }
                    (_, _) => return,
                }
            }
            Expression::Constant(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => return,
        };
        let known = &mut frame[register.index()];
        match self.scalar(instance, left) {
            Scalar::Int(int) if int.bits <= 64 && other.low <= other.high => {
                let (mut low, mut high) = (known.low, known.high);
                match op {
                    BinaryOp::Less => high = high.min(other.high - 1),
                    BinaryOp::LessEqual => high = high.min(other.high),
                    BinaryOp::Greater => low = low.max(other.low + 1),
                    BinaryOp::GreaterEqual => low = low.max(other.low),
                    BinaryOp::Equal => {
                        low = low.max(other.low);
                        high = high.min(other.high);
                    }
                    BinaryOp::NotEqual if other.low == other.high => {
                        if low == other.low {
                            low += 1;
                        } else if high == other.low {
                            high -= 1;
                        }
                    }
                    _ => {}
                }
                // An empty range would mean that nobody gets here; that is told elsewhere.
                if low <= high {
                    (known.low, known.high) = (low, high);
                }
            }
            Scalar::Pointer if !is_cast => {
                let is_null = matches!(right, Expression::Constant(0, Scalar::Pointer));
                if op == BinaryOp::NotEqual && is_null
                    || op == BinaryOp::Equal && other.is_not_null && other.is_defined
                {
                    known.is_not_null = true;
                }
            }
            Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => {}
        }
    }
}

/// Joins; bounds that move go to the end at once.
fn add(known: &mut Option<Known>, more: Known) -> bool {
    let joined = known.map_or(more, |it| it.widen(more, Scalar::Pointer));
    let is_new = *known != Some(joined);
    *known = Some(joined);
    is_new
}

/// Where synchronisation objects are declared, allocated or made.
fn sync_places(points_to: &PointsTo<'_>, accesses: &[Access]) -> Vec<(ObjectId, Offset, u64)> {
    let program = points_to.program;
    let mut found: Vec<(ObjectId, Offset, u64)> = accesses
        .iter()
        .filter(|it| it.deed == Deed::Init)
        .map(|it| (it.object, it.offset, it.size))
        .collect();
    for (id, object) in points_to.objects.iter() {
        let ty = match object.kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                Some(&program.globals[global].ty)
            }
            ObjectKind::Allocated(_, instance, edge) => {
                let function = points_to.graph.instances[instance].function;
                let action = &program.edge(function, edge).action;
                if let Action::Allocate { ty, .. } = action {
                    ty.as_ref()
                } else {
                    None
                }
            }
        };
        let Some(ty) = ty else { continue };
        let cells = ty.sync_cells(&program.structs, program.model);
        if cells.len() > MAX_SYNCS {
            // Too many to tell apart: they may lie anywhere.
            found.push((id, Offset::ANY, 1));
        } else {
            found.extend(
                cells
                    .into_iter()
                    .map(|(offset, sync)| (id, Offset::exactly(offset), sync.size(program.model))),
            );
        }
    }
    found
}

/// More synchronisation objects in one object than this are not told apart.
const MAX_SYNCS: usize = 64;

#[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
fn compare(op: BinaryOp, left: Known, right: Known, bits: u8) -> Known {
    if bits > 64 || left.low > left.high || right.low > right.high {
        return Known::any(Scalar::BOOL);
    }
    let apart = left.high < right.low || right.high < left.low;
    let is_same = left.low == left.high && left == right;
    let truth = match op {
        BinaryOp::Less => decided(left.high < right.low, left.low >= right.high),
        BinaryOp::LessEqual => decided(left.high <= right.low, left.low > right.high),
        BinaryOp::Greater => decided(left.low > right.high, left.high <= right.low),
        BinaryOp::GreaterEqual => decided(left.low >= right.high, left.high < right.low),
        BinaryOp::Equal => decided(is_same, apart),
        BinaryOp::NotEqual => decided(apart, is_same),
        _ => None,
    };
    truth.map_or(Known::any(Scalar::BOOL), |it| {
        Known::exactly(i128::from(it))
    })
}

fn decided(is_true: bool, is_false: bool) -> Option<bool> {
    if is_true {
        Some(true)
    } else if is_false {
        Some(false)
    } else {
        None
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
fn negated(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        other => other,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons get here")]
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}
