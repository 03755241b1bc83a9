//! What is certain of the registers of every instance at every location, and of what it takes and gives.
//!
//! Here is the fixed point, action by action; `cells`: what lies in memory; `expressions`: what is certain of a value; `refine`: what a condition
//! tells; `syncs`: where there are no values at all.

mod cells;
mod expressions;
mod refine;
mod syncs;

use raddle_base::{Id, SideTable};
use raddle_ir::{
    Action, BinaryOp, EdgeId, Expression, LocationId, NamePlace, RegisterId, RmwOperation, Scalar,
};

use crate::automaton::continues;
use crate::call_graph::{InstanceId, ThreadId};
use crate::conflicts::Access;
use crate::escape::Escape;
use crate::initialized::Initialized;
use crate::numbers::{NumberFacts, compute};
use crate::points_to::PointsTo;
use crate::value::{ObjectId, Offset, Value};

use cells::Ranges;
use syncs::sync_places;

/// One fact a register.
pub(crate) type Frame = Vec<NumberFacts>;

pub(crate) struct Registers<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    frames: Vec<SideTable<LocationId, Option<Frame>>>,
    /// What an instance gives to its callers.
    returned: Vec<Option<NumberFacts>>,
    /// What is being returned.
    giving: Option<NumberFacts>,
    /// What a thread gives to who joins it.
    results: Vec<Option<NumberFacts>>,
    /// Where synchronisation objects may lie: they have no value.
    syncs: Vec<(ObjectId, Offset, u64)>,
    /// Objects to which some value may be written that was never set.
    undefined: Vec<bool>,
    initialized: Initialized,
    ranges: Ranges,
    /// How often a location was changed; many times means that its facts grow for ever.
    visits: Vec<SideTable<LocationId, u32>>,
    changed: bool,
}

/// After so many changes of a location its ranges grow by leaps.
const PATIENCE: u32 = 3;
/// After so many they are widened.
const MAX_LEAPS: u32 = 8;
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
            ranges: Ranges::new(program),
            visits: instances
                .map(|it| SideTable::filled(locations(it), 0))
                .collect(),
            changed: false,
        };
        for (index, root) in program.roots.iter().enumerate() {
            let entry = points_to.graph.threads[ThreadId::from_index(index)].entry;
            let arguments: Vec<NumberFacts> = root
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

    fn enter(&mut self, instance: InstanceId, arguments: &[NumberFacts]) {
        let function = self.points_to.graph.instances[instance].function;
        let function = &self.points_to.program.functions[function];
        let mut frame = vec![NumberFacts::UNSET; function.registers.len()];
        for (at, argument) in arguments.iter().enumerate().take(function.parameters) {
            frame[at] = *argument;
        }
        self.arrive(instance, function.entry, &frame);
    }

    fn arrive(&mut self, instance: InstanceId, location: LocationId, frame: &Frame) {
        let function = self.points_to.graph.instances[instance].function;
        if location == self.points_to.program.functions[function].exit {
            // Who comes to the end without a word returns nothing.
            let given = self.giving.take().unwrap_or(NumberFacts::UNSET);
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
            let joined = if *visits > MAX_LEAPS {
                fact.widen(*more, register.ty)
            } else if *visits > PATIENCE {
                self.ranges.landings().leap(*fact, *more, register.ty)
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
        let mut set = |register: RegisterId, known: NumberFacts| frame[register.index()] = known;
        match &taken.action {
            Action::Assign { target, value } => {
                set(*target, self.evaluate(instance, before, value));
            }
            Action::Havoc { target } | Action::Size { target, .. } => {
                set(*target, NumberFacts::any(types[*target].ty));
            }
            Action::Load {
                target,
                address,
                ty,
                ..
            } => set(*target, self.loaded((instance, taken.from), address, *ty)),
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                ..
            } => {
                let old = self.loaded((instance, taken.from), address, *ty);
                if let Some(target) = target {
                    set(*target, old);
                }
                let operand = self.evaluate(instance, before, operand);
                let stored = combined(*operation, old, operand, *ty);
                self.store(instance, address, *ty, stored);
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
                    set(*success, NumberFacts::any(types[*success].ty));
                }
                let stored = self.evaluate(instance, before, desired);
                self.store(instance, address, *ty, stored);
            }
            Action::Store {
                address, value, ty, ..
            } => {
                let stored = self.evaluate(instance, before, value);
                self.store(instance, address, *ty, stored);
            }
            Action::Allocate { target, .. } => set(*target, NumberFacts::address()),
            Action::Sync {
                result: Some(result),
                ..
            } => set(*result, NumberFacts::any(types[*result].ty)),
            Action::Call {
                target, arguments, ..
            } => {
                let arguments: Vec<NumberFacts> = arguments
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
                            after[target.index()] = given.unwrap_or(NumberFacts::UNSET);
                        }
                        self.arrive(instance, taken.to, &after);
                    }
                }
                return;
            }
            Action::Spawn {
                target,
                place,
                arguments,
                ..
            } => {
                let arguments: Vec<NumberFacts> = arguments
                    .iter()
                    .map(|it| self.evaluate(instance, before, it))
                    .collect();
                if let Some(target) = target {
                    set(*target, NumberFacts::any(types[*target].ty));
                }
                if let Some(NamePlace { address, ty }) = place {
                    self.store(instance, address, *ty, NumberFacts::any(*ty));
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
                let all = self
                    .results
                    .iter()
                    .map(|it| it.unwrap_or(NumberFacts::UNSET));
                set(
                    *target,
                    all.reduce(NumberFacts::join).unwrap_or(NumberFacts::UNSET),
                );
            }
            Action::Return { value } | Action::ExitThread { value } => {
                let known = value
                    .as_ref()
                    .map_or(NumberFacts::UNSET, |it| self.evaluate(instance, before, it));
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
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => {}
        }
        if continues(&taken.action) {
            // Temporaries that nobody reads any more lose their values.
            for register in program.dead_temporaries(function, taken.to) {
                frame[register.index()] = NumberFacts::UNSET;
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
    ) -> NumberFacts {
        let (instance, _) = place;
        let addresses = self.points_to.values(instance, address);
        let mut known = match ty {
            Scalar::Int(int) => addresses
                .addresses()
                .map(|(object, offset)| self.ranges.load(self.points_to, object, offset, int))
                .reduce(NumberFacts::join)
                .unwrap_or(NumberFacts::any(ty)),
            Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => NumberFacts::any(ty),
        };
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

    fn store(
        &mut self,
        instance: InstanceId,
        address: &Expression,
        ty: Scalar,
        stored: NumberFacts,
    ) {
        let points_to = self.points_to;
        for (object, offset) in points_to.values(instance, address).addresses() {
            self.changed |= self.ranges.store(object, offset, ty, stored);
            if !stored.is_defined {
                let known = &mut self.undefined[object.index()];
                self.changed |= !*known;
                *known = true;
            }
        }
    }
}

/// What an action that reads and writes in one writes.
fn combined(
    operation: RmwOperation,
    old: NumberFacts,
    operand: NumberFacts,
    ty: Scalar,
) -> NumberFacts {
    let Scalar::Int(int) = ty else {
        return operand;
    };
    let range = match operation {
        RmwOperation::Exchange => operand,
        RmwOperation::Add => compute(BinaryOp::AddWrapping, old, operand, int),
        RmwOperation::Subtract => compute(BinaryOp::SubtractWrapping, old, operand, int),
        RmwOperation::And => compute(BinaryOp::And, old, operand, int),
        RmwOperation::Or
        | RmwOperation::Xor
        | RmwOperation::Nand
        | RmwOperation::Min
        | RmwOperation::Max => NumberFacts::any(ty),
    };
    NumberFacts {
        is_defined: operand.is_defined,
        ..range
    }
}

/// Joins; bounds that move go to the end at once.
fn add(known: &mut Option<NumberFacts>, more: NumberFacts) -> bool {
    let joined = known.map_or(more, |it| it.widen(more, Scalar::Pointer));
    let is_new = *known != Some(joined);
    *known = Some(joined);
    is_new
}
