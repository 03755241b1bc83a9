//! What each action adds to what may be held.

use std::collections::BTreeMap;

use raddle_base::Id;
use raddle_ir::{
    Action, AllocateKind, Callee, EdgeId, Expression, FunctionId, NamePlace, RegisterId,
    RmwOperation,
};

use crate::call_graph::{InstanceId, ThreadId, TooLarge};
use crate::evaluate::number;
use crate::value::{Offset, Value, ValueSet};

use super::{Object, ObjectKind, PointsTo};

impl PointsTo<'_> {
    pub(super) fn apply(&mut self, instance: InstanceId, edge: EdgeId) -> Result<(), TooLarge> {
        let program = self.program;
        let function = self.graph.instances[instance].function;
        let types = &program.functions[function].registers;
        let plain = |register: RegisterId| number(types[register].ty, program.model);
        match &program.edge(function, edge).action {
            Action::Assign { target, value } => {
                let values = self.values(instance, value);
                self.set(instance, *target, &values);
            }
            Action::Havoc { target } => self.set(instance, *target, &plain(*target)),
            Action::Load {
                target,
                address,
                ty,
                access: _,
            } => {
                let values = self.load(instance, address, *ty);
                self.set(instance, *target, &values);
            }
            Action::Store {
                address, value, ty, ..
            } => {
                let values = self.values(instance, value);
                self.store(instance, address, *ty, &values);
            }
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                order: _,
            } => {
                let before = self.load(instance, address, *ty);
                let after = if *operation == RmwOperation::Exchange {
                    self.values(instance, operand)
                } else {
                    number(*ty, program.model)
                };
                self.set_optional(instance, *target, &before);
                self.store(instance, address, *ty, &after);
            }
            Action::CompareExchange {
                previous,
                success,
                address,
                expected: _,
                desired,
                ty,
                order: _,
                failure: _,
            } => {
                let before = self.load(instance, address, *ty);
                let after = self.values(instance, desired);
                self.set_optional(instance, *previous, &before);
                self.set_optional(instance, *success, &ValueSet::of(Value::Small));
                self.store(instance, address, *ty, &after);
            }
            Action::Allocate {
                target,
                size,
                is_zeroed,
                kind,
                ty: _,
                read_only: _,
            } => self.allocate(instance, edge, *target, size, *is_zeroed, *kind),
            Action::Size { target, .. } => self.set(instance, *target, &plain(*target)),
            Action::Sync { result, .. } => {
                if let Some(result) = result {
                    self.set(instance, *result, &plain(*result));
                }
            }
            Action::Call {
                target,
                callee,
                arguments,
            } => {
                for function in self.targets(instance, callee, arguments, *target) {
                    let callee = self.graph.call(instance, edge, function)?;
                    self.pass(instance, callee, arguments);
                    let values = self.returned[callee.index()].clone();
                    self.set_optional(instance, *target, &values);
                }
            }
            Action::Return { value } => {
                let thread = self.graph.instances[instance].thread;
                if let Some(value) = value {
                    let values = self.values(instance, value);
                    self.changed |= self.returned[instance.index()].add(&values);
                    if self.graph.threads[thread].entry == instance {
                        self.changed |= self.results[thread.index()].add(&values);
                    }
                }
            }
            Action::Spawn {
                target,
                place,
                callee,
                arguments,
            } => {
                for function in self.targets(instance, callee, arguments, None) {
                    let thread = self.graph.spawn(instance, edge, function)?;
                    let entry = self.graph.threads[thread].entry;
                    self.pass(instance, entry, arguments);
                    let name = ValueSet::of(Value::Thread(thread));
                    self.set_optional(instance, *target, &name);
                    if let Some(NamePlace { address, ty }) = place {
                        self.store(instance, address, *ty, &name);
                    }
                }
            }
            Action::Join {
                thread: name,
                target: Some(target),
            } => {
                let mut values = ValueSet::default();
                for thread in self.joinable(instance, name) {
                    values.add(self.result(thread));
                }
                self.set(instance, *target, &values);
            }
            Action::ExitThread { value } => {
                let thread = self.graph.instances[instance].thread;
                if let Some(value) = value {
                    let values = self.values(instance, value);
                    self.changed |= self.results[thread.index()].add(&values);
                }
            }
            Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Join { target: None, .. }
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
        Ok(())
    }

    /// The threads whose name an expression may be.
    fn joinable(&self, instance: InstanceId, name: &Expression) -> Vec<ThreadId> {
        let mut found = Vec::new();
        for value in self.values(instance, name).iter() {
            match value {
                Value::Thread(thread) => found.push(thread),
                Value::Null
                | Value::Small
                | Value::Number
                | Value::Address(..)
                | Value::Function(_) => {
                    return self.graph.threads.ids().collect();
                }
            }
        }
        found
    }

    fn allocate(
        &mut self,
        instance: InstanceId,
        edge: EdgeId,
        target: RegisterId,
        size: &Expression,
        is_zeroed: bool,
        kind: AllocateKind,
    ) {
        let kind = ObjectKind::Allocated(kind, instance, edge);
        let object = self.object(kind).unwrap_or_else(|| {
            let size = match size {
                Expression::Constant(bits, _) => u64::try_from(*bits).ok(),
                Expression::Register(_)
                | Expression::Global(_)
                | Expression::Function(_)
                | Expression::CurrentThread
                | Expression::Unary(..)
                | Expression::Binary(..)
                | Expression::Cast(..)
                | Expression::Select(..) => None,
            };
            let object = self.objects.push(Object {
                kind,
                size,
                is_zeroed,
                cells: BTreeMap::new(),
            });
            self.by_kind.insert(kind, object);
            object
        });
        let address = Value::Address(object, Offset::exactly(0));
        self.set(instance, target, &ValueSet::of(address));
    }

    /// The functions that may be called. Who takes or gives other types is not called at all.
    fn targets(
        &self,
        instance: InstanceId,
        callee: &Callee,
        arguments: &[Expression],
        target: Option<RegisterId>,
    ) -> Vec<FunctionId> {
        let address = match callee {
            Callee::Direct(function) => return vec![*function],
            Callee::Indirect(address) => address,
        };
        let model = self.program.model;
        let caller = self.graph.instances[instance].function;
        let registers = &self.program.functions[caller].registers;
        let is_called = |function: &FunctionId| {
            let function = &self.program.functions[*function];
            let takes = function
                .parameter_ids()
                .map(|it| function.registers[it].ty)
                .eq(arguments.iter().map(|it| it.scalar(registers, model)));
            takes && target.is_none_or(|it| function.result == Some(registers[it].ty))
        };
        let values = self.values(instance, address);
        values.functions().filter(is_called).collect()
    }

    /// Hands arguments over.
    fn pass(&mut self, caller: InstanceId, callee: InstanceId, arguments: &[Expression]) {
        self.make_room();
        let function = self.graph.instances[callee].function;
        let parameters = self.program.functions[function].parameters;
        for (at, argument) in arguments.iter().enumerate().take(parameters) {
            let values = self.values(caller, argument);
            self.set(callee, RegisterId::from_index(at), &values);
        }
    }
}
