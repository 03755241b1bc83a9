//! Locals that end before their frame does: whether anything could still lead to them.
//!
//! An end is harmless if it ends what this frame made, and if no register that is used afterwards may hold an address of
//! it. Addresses that are kept in memory, returned or handed to other threads are not trusted anyway (see `undefined`),
//! and those in frames of functions that were called are gone when the frame that made the object goes on.

use std::collections::BTreeMap;

use raddle_base::{BitSet, Id};
use raddle_ir::{
    Action, AllocateKind, EdgeId, Expression, Function, FunctionId, LocationId, Program, RegisterId,
};

use crate::call_graph::InstanceId;
use crate::points_to::{ObjectKind, PointsTo};
use crate::value::ObjectId;

/// Of functions that end locals: at each location, the registers that may still be used.
pub(crate) struct Ends {
    used: BTreeMap<FunctionId, Vec<BitSet<RegisterId>>>,
}

impl Ends {
    pub(crate) fn new(program: &Program) -> Self {
        let functions = program.functions.iter();
        let used = functions
            .filter(|(_, function)| function.edges.values().any(|it| ends_local(&it.action)))
            .map(|(id, function)| (id, used_later(function)))
            .collect();
        Self { used }
    }

    /// Whether an end ends what this frame made and lives, and nothing leads there afterwards.
    pub(crate) fn is_harmless(
        &self,
        points_to: &PointsTo<'_>,
        instance: InstanceId,
        edge: EdgeId,
        address: &Expression,
    ) -> bool {
        let id = points_to.graph.instances[instance].function;
        let function = &points_to.program.functions[id];
        let (Expression::Register(owner), Some(used)) = (address, self.used.get(&id)) else {
            return false;
        };
        if !is_made_here(function, *owner) {
            return false;
        }
        let ended = points_to.values(instance, address);
        let is_own = |kind: ObjectKind| matches!(kind, ObjectKind::Allocated(AllocateKind::Stack, maker, _) if maker == instance);
        if !ended
            .addresses()
            .all(|(object, _)| is_own(points_to.objects[object].kind))
        {
            return false;
        }
        let after: LocationId = function.edges[edge].to;
        // The owner itself counts: so nobody ends it twice.
        !used[after.index()].iter().any(|register| {
            let held = points_to.values(instance, &Expression::Register(register));
            held.addresses()
                .any(|(object, _)| ended.addresses().any(|(it, _)| it == object))
        })
    }

    /// Whether nothing leads to an earlier object of the same allocation when a new one is made.
    pub(crate) fn is_made_alone(
        &self,
        points_to: &PointsTo<'_>,
        instance: InstanceId,
        edge: EdgeId,
        object: ObjectId,
    ) -> bool {
        let id = points_to.graph.instances[instance].function;
        let Some(used) = self.used.get(&id) else {
            return false;
        };
        let edge = &points_to.program.functions[id].edges[edge];
        let is_new = |register| edge.action.written_registers().any(|it| it == register);
        !used[edge.to.index()].iter().any(|register| {
            let held = points_to.values(instance, &Expression::Register(register));
            !is_new(register) && held.addresses().any(|(it, _)| it == object)
        })
    }
}

fn ends_local(action: &Action) -> bool {
    matches!(
        action,
        Action::Free {
            kind: AllocateKind::Stack,
            ..
        }
    )
}

/// Whether a register holds nothing but addresses of what the frame made on its stack.
fn is_made_here(function: &Function, register: RegisterId) -> bool {
    let mut writers = function
        .edges
        .values()
        .filter(|edge| edge.action.written_registers().any(|it| it == register));
    register.index() >= function.parameters
        && writers.all(|edge| {
            matches!(
                edge.action,
                Action::Allocate {
                    kind: AllocateKind::Stack,
                    ..
                }
            )
        })
}

/// At each location, the registers that may be read before they are written again.
fn used_later(function: &Function) -> Vec<BitSet<RegisterId>> {
    let mut used = vec![BitSet::new(); function.locations.len()];
    loop {
        let mut changed = false;
        // Edges are numbered from the entry, so most uses come after what they use.
        for edge in function
            .edges
            .values()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
        {
            let mut here = used[edge.to.index()].clone();
            for register in edge.action.written_registers() {
                here.remove(register);
            }
            for expression in edge.action.expressions() {
                add_registers(expression, &mut here);
            }
            changed |= used[edge.from.index()].union_with(&here);
        }
        if !changed {
            return used;
        }
    }
}

fn add_registers(expression: &Expression, found: &mut BitSet<RegisterId>) {
    match expression {
        Expression::Register(register) => {
            found.insert(*register);
        }
        Expression::Constant(..)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => {}
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            add_registers(operand, found);
        }
        Expression::Binary(_, left, right) => {
            add_registers(left, found);
            add_registers(right, found);
        }
        Expression::Select(condition, then, otherwise) => {
            add_registers(condition, found);
            add_registers(then, found);
            add_registers(otherwise, found);
        }
    }
}
