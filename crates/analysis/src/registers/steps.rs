//! What each action does to what is certain.

use raddle_base::Id;
use raddle_ir::{
    Action, BinaryOp, EdgeId, Expression, LocationId, NamePlace, RegisterId, RmwOperation, Scalar,
};

use crate::automaton::continues;
use crate::call_graph::InstanceId;
use crate::numbers::{NumberFacts, bounds, compute};
use crate::value::{ObjectId, Offset, Value};

use super::differences::{less, turned};
use super::handed::first_value;
use super::standing::Form;
use super::{Registers, Standing, add};

/// A tracked cell that an action writes, or may write.
struct Write {
    cell: usize,
    value: NumberFacts,
    form: Option<Form>,
    is_certain: bool,
}

/// Where a thread stands.
type Place = (InstanceId, LocationId);

impl Registers<'_, '_> {
    pub(super) fn take(&mut self, instance: InstanceId, edge: EdgeId, before: &Standing) {
        let program = self.points_to.program;
        let function = self.points_to.graph.instances[instance].function;
        let taken = program.edge(function, edge);
        if let Action::Call {
            target, arguments, ..
        } = &taken.action
        {
            self.call((instance, edge), *target, arguments, before);
            return;
        }
        let mut after = before.clone();
        let Some(writes) = self.act((instance, edge), before, &mut after) else {
            return;
        };
        for write in writes {
            self.apply(&mut after, &write);
        }
        if let Action::Store {
            value: Expression::Register(register),
            address,
            ..
        } = &taken.action
            && let Some(cell) = self.the_cell(instance, address)
            && after.form(*register).is_none()
        {
            let known = after.registers[register.index()];
            after.set(*register, known, after.form_of_cell(cell));
        }
        self.leave_behind(&taken.action, (instance, taken.to), &after);
        if let Action::Spawn { arguments, .. } = &taken.action {
            let arguments = self.evaluate_all(instance, before, arguments);
            for child in self.points_to.graph.spawned(instance, edge) {
                let entry = self.points_to.graph.threads[child].entry;
                self.begin(entry, &arguments, after.cells.clone());
            }
        }
        if continues(&taken.action) {
            // Temporaries that nobody reads any more lose their values.
            for register in program.dead_temporaries(function, taken.to) {
                after.set(*register, NumberFacts::UNSET, None);
            }
            self.walk_to((instance, taken.to), after);
        }
    }

    fn evaluate_all(
        &self,
        instance: InstanceId,
        before: &Standing,
        expressions: &[Expression],
    ) -> Vec<NumberFacts> {
        let values = expressions.iter();
        values
            .map(|it| self.evaluate(instance, before, it))
            .collect()
    }

    fn call(
        &mut self,
        (instance, edge): (InstanceId, EdgeId),
        target: Option<RegisterId>,
        arguments: &[Expression],
        before: &Standing,
    ) {
        let program = self.points_to.program;
        let graph = &self.points_to.graph;
        let to = program.edge(graph.instances[instance].function, edge).to;
        let arguments = self.evaluate_all(instance, before, arguments);
        for callee in graph.callees(instance, edge) {
            let function = &program.functions[graph.instances[callee].function];
            let registers = self.parameters(callee, &arguments);
            let begun = Standing::new(registers, before.cells.clone());
            self.walk_to((callee, function.entry), begun);
            let Some(left) = self.at(callee, function.exit) else {
                continue;
            };
            let mut after = Standing::new(before.registers.clone(), left.cells.clone());
            if let Some(target) = target {
                let given = self.returned[callee.index()];
                after.set(target, given.unwrap_or(NumberFacts::UNSET), None);
            }
            self.walk_to((instance, to), after);
        }
    }

    /// The registers after an action that is no call, and what it writes; `None` if nobody gets past it.
    fn act(
        &mut self,
        (instance, edge): (InstanceId, EdgeId),
        before: &Standing,
        after: &mut Standing,
    ) -> Option<Vec<Write>> {
        let program = self.points_to.program;
        let graph = &self.points_to.graph;
        let function = graph.instances[instance].function;
        let thread = graph.instances[instance].thread;
        let types = &program.functions[function].registers;
        let taken = program.edge(function, edge);
        let here = (instance, taken.from);
        let mut writes = Vec::new();
        match &taken.action {
            Action::Assign { target, value } => {
                let known = self.evaluate(instance, before, value);
                after.set(*target, known, self.form_of(instance, before, value));
            }
            Action::Havoc { target } | Action::Size { target, .. } => {
                after.set(*target, NumberFacts::any(types[*target].ty), None);
            }
            Action::Load {
                target,
                address,
                ty,
                ..
            } => {
                let cell = self.the_cell(instance, address);
                let form = cell.and_then(|it| before.form_of_cell(it));
                after.set(*target, self.loaded(here, address, *ty), form);
            }
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                ..
            } => {
                let old = self.loaded(here, address, *ty);
                if let Some(target) = target {
                    after.set(*target, old, None);
                }
                let operand = self.evaluate(instance, before, operand);
                let stored = combined(*operation, old, operand, *ty);
                writes = self.store(instance, address, *ty, stored, true);
                let form = self.form_after(instance, address, (*operation, operand, stored));
                note_form(&mut writes, form);
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
                    after.set(*previous, self.loaded(here, address, *ty), None);
                }
                if let Some(success) = success {
                    after.set(*success, NumberFacts::any(types[*success].ty), None);
                }
                let stored = self.evaluate(instance, before, desired);
                writes = self.store(instance, address, *ty, stored, false);
            }
            Action::Store {
                address, value, ty, ..
            } => {
                let stored = self.evaluate(instance, before, value);
                writes = self.store(instance, address, *ty, stored, true);
                note_form(&mut writes, self.form_of(instance, before, value));
            }
            Action::Allocate { target, kind, .. } => {
                after.set(*target, NumberFacts::address(), None);
                let made = crate::points_to::ObjectKind::Allocated(*kind, instance, edge);
                if let Some(object) = self.points_to.object(made) {
                    writes = self.made(object);
                }
            }
            Action::Sync {
                result: Some(result),
                ..
            } => after.set(*result, NumberFacts::any(types[*result].ty), None),
            Action::Spawn { target, place, .. } => {
                if let Some(target) = target {
                    after.set(*target, NumberFacts::any(types[*target].ty), None);
                }
                if let Some(NamePlace { address, ty }) = place {
                    writes = self.store(instance, address, *ty, NumberFacts::any(*ty), true);
                }
            }
            Action::Join {
                target: Some(target),
                ..
            } => {
                // Some thread may give nothing.
                let all = self.results.iter();
                let all = all.map(|it| it.unwrap_or(NumberFacts::UNSET));
                let given = all.reduce(NumberFacts::join);
                after.set(*target, given.unwrap_or(NumberFacts::UNSET), None);
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
                if !self.refine(instance, after, condition, true, 0) {
                    return None;
                }
                after.share();
            }
            Action::Call { .. } => unreachable!("a call is taken elsewhere"),
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
        Some(writes)
    }

    /// The cells of an object that was just made.
    fn made(&self, object: ObjectId) -> Vec<Write> {
        let cells = self.tracked.of(object);
        let first = |cell: usize| Write {
            cell,
            value: first_value(self.points_to, &self.tracked.cells[cell]),
            form: None,
            is_certain: true,
        };
        cells.map(first).collect()
    }

    /// Goes to a place. What is not kept there is handed on; what was not kept before is what was handed on.
    pub(super) fn walk_to(&mut self, place: Place, mut with: Standing) {
        for cell in 0..with.cells.len() {
            let is_kept = self.tracked.is_kept(place, cell);
            match (with.cells[cell], is_kept) {
                (Some(_), true) | (None, false) => {}
                (Some(known), false) => {
                    self.hand_on(cell, known);
                    with.forget_cell(cell);
                }
                (None, true) => with.cells[cell] = Some(self.handed.get(cell)),
            }
        }
        self.arrive(place.0, place.1, &with);
    }

    /// Does a write. Where it may change a cell or a pair of which nothing is certain, what it makes of it is handed on.
    fn apply(&mut self, after: &mut Standing, write: &Write) {
        let pairs: Vec<_> = self.tracked.pairs().collect();
        for (one, other, pair) in pairs {
            if one != write.cell && other != write.cell {
                continue;
            }
            let made = self.difference_after(after, write, (one, other, pair));
            match &mut after.cells[pair] {
                known if write.is_certain => *known = Some(made),
                Some(known) => *known = known.join(made),
                None => self.hand_on(pair, made),
            }
        }
        let by = write.form.filter(|it| it.cell == write.cell);
        after.move_forms(write.cell, by.map(|it| it.more));
        match &mut after.cells[write.cell] {
            known if write.is_certain => *known = Some(write.value),
            Some(known) => *known = known.join(write.value),
            None => self.hand_on(write.cell, write.value),
        }
    }

    /// The difference of a pair, one of which is written.
    fn difference_after(
        &self,
        before: &Standing,
        write: &Write,
        (one, other, pair): (usize, usize, usize),
    ) -> NumberFacts {
        let any = NumberFacts::any(self.tracked.ty(pair));
        let is_first = one == write.cell;
        let beside = if is_first { other } else { one };
        let made = match write.form {
            Some(Form { cell, more }) if cell == write.cell => {
                let more = if is_first { more } else { -more };
                return before.cells[pair].map_or(any, |it| clamped(it.moved(more), any));
            }
            Some(Form { cell, more }) if cell == beside => NumberFacts::exactly(more),
            Some(_) | None => match before.cells[beside] {
                Some(known) => less(write.value, known),
                None => any,
            },
        };
        if is_first { made } else { turned(made) }
    }

    /// What a cell is after an action that reads and writes in one, beside what it was.
    fn form_after(
        &self,
        instance: InstanceId,
        address: &Expression,
        (operation, operand, stored): (RmwOperation, NumberFacts, NumberFacts),
    ) -> Option<Form> {
        let cell = self.the_cell(instance, address)?;
        let (least, greatest) = bounds(self.tracked.ty(cell));
        let may_wrap = stored.low <= least || stored.high >= greatest;
        if operand.low != operand.high || may_wrap {
            return None;
        }
        let more = match operation {
            RmwOperation::Add => operand.low,
            RmwOperation::Subtract => -operand.low,
            RmwOperation::Exchange
            | RmwOperation::And
            | RmwOperation::Or
            | RmwOperation::Xor
            | RmwOperation::Nand
            | RmwOperation::Min
            | RmwOperation::Max => return None,
        };
        Some(Form { cell, more })
    }

    fn hand_on(&mut self, cell: usize, value: NumberFacts) {
        let ty = self.tracked.ty(cell);
        self.changed |= (self.handed).add(cell, value, ty, self.ranges.landings());
    }

    /// Hands on all cells that are kept.
    pub(super) fn hand_on_all(&mut self, standing: &Standing) {
        for (cell, known) in standing.cells.iter().enumerate() {
            if let Some(known) = known {
                self.hand_on(cell, *known);
            }
        }
    }

    /// Hands on what others may come to keep after the action: what it lets go of a guard of, or everything where another
    /// thread begins or this one ends.
    fn leave_behind(&mut self, action: &Action, to: Place, after: &Standing) {
        if matches!(action, Action::Spawn { .. } | Action::ExitThread { .. }) {
            self.hand_on_all(after);
            return;
        }
        for (cell, known) in after.cells.iter().enumerate() {
            if let Some(known) = known
                && (self.tracked).may_give_back(self.points_to, action, to, cell)
            {
                self.hand_on(cell, *known);
            }
        }
    }

    /// The tracked cell behind an address, if it is certainly that one.
    fn the_cell(&self, instance: InstanceId, address: &Expression) -> Option<usize> {
        let values = self.points_to.values(instance, address);
        let mut addresses = values.addresses();
        let (object, offset) = addresses.next()?;
        match addresses.next() {
            None => self.tracked.at(object, offset),
            Some(_) => None,
        }
    }

    /// What a cell holds, whoever wrote it.
    pub(crate) fn loaded(&self, place: Place, address: &Expression, ty: Scalar) -> NumberFacts {
        let (instance, location) = place;
        let addresses = self.points_to.values(instance, address);
        let standing = self.at(instance, location);
        let each = addresses.addresses().map(|(object, offset)| {
            let mut known = self.held(place, object, offset, ty);
            let kept = self.tracked.at(object, offset);
            if let (Some(cell), Some(standing)) = (kept, standing) {
                known = self.told_by_cells(standing, cell, known);
            }
            let size = ty.size(self.points_to.program.model);
            known.is_defined &= self.syncs_at(object, offset, size) == 0;
            known
        });
        let known = each.reduce(NumberFacts::join);
        let mut known = known.unwrap_or(NumberFacts::any(ty));
        if ty == Scalar::Pointer {
            let values = self.points_to.load(instance, address, ty);
            known.is_not_null |= !values.contains(Value::Null);
        }
        known
    }

    /// What is known of a cell, with what is known of it here and of those beside it.
    fn told_by_cells(&self, with: &Standing, cell: usize, known: NumberFacts) -> NumberFacts {
        let Some(kept) = with.cells[cell] else {
            return known;
        };
        let mut known = known.meet(kept);
        for (one, other, pair) in self.tracked.pairs() {
            let beside = match cell {
                it if it == one => other,
                it if it == other => one,
                _ => continue,
            };
            let (Some(apart), Some(beside)) = (with.cells[pair], with.cells[beside]) else {
                continue;
            };
            let apart = if cell == one { apart } else { turned(apart) };
            if apart.low <= apart.high && beside.low <= beside.high && known.is_defined {
                let low = beside.low.saturating_add(apart.low);
                let high = beside.high.saturating_add(apart.high);
                known = known.meet(NumberFacts {
                    is_not_null: false,
                    ..NumberFacts::within(low, high)
                });
            }
        }
        known
    }

    /// What lies somewhere in memory at any time.
    fn held(&self, place: Place, object: ObjectId, offset: Offset, ty: Scalar) -> NumberFacts {
        let mut known = match ty {
            Scalar::Int(int) => self.ranges.load(self.points_to, object, offset, int),
            Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => NumberFacts::any(ty),
        };
        let size = ty.size(self.points_to.program.model);
        known.is_defined = !self.undefined[object.index()]
            && (self.points_to.is_zeroed(object)
                || self.initialized.is_written(place, object, offset, size));
        known
    }

    fn store(
        &mut self,
        instance: InstanceId,
        address: &Expression,
        ty: Scalar,
        stored: NumberFacts,
        is_certain: bool,
    ) -> Vec<Write> {
        let points_to = self.points_to;
        let addresses: Vec<_> = points_to.values(instance, address).addresses().collect();
        for (object, offset) in &addresses {
            self.changed |= self.ranges.store(*object, *offset, ty, stored);
            if !stored.is_defined {
                let known = &mut self.undefined[object.index()];
                self.changed |= !*known;
                *known = true;
            }
        }
        let is_certain = is_certain && addresses.len() == 1;
        let cells = addresses
            .iter()
            .filter_map(|(object, offset)| self.tracked.at(*object, *offset));
        let write = |cell| Write {
            cell,
            value: stored,
            form: None,
            is_certain,
        };
        cells.map(write).collect()
    }
}

fn note_form(writes: &mut [Write], form: Option<Form>) {
    for write in writes.iter_mut().filter(|it| it.is_certain) {
        write.form = form;
    }
}

/// A range, as far as it lies in the other.
fn clamped(known: NumberFacts, any: NumberFacts) -> NumberFacts {
    NumberFacts {
        low: known.low.max(any.low),
        high: known.high.min(any.high),
        ..known
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
        return match operation {
            RmwOperation::Exchange => operand,
            RmwOperation::Add
            | RmwOperation::Subtract
            | RmwOperation::And
            | RmwOperation::Or
            | RmwOperation::Xor
            | RmwOperation::Nand
            | RmwOperation::Min
            | RmwOperation::Max => NumberFacts::any(ty),
        };
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
