//! Escape: which objects only the thread that made them can reach.

use std::collections::BTreeSet;

use raddle_ir::Action;

use crate::points_to::{ObjectKind, PointsTo};
use crate::value::{ObjectId, ValueSet};

/// The objects that more than one thread may reach: globals, what threads are given when they start and give when
/// they end, and what can be reached from there.
#[derive(Clone, Debug)]
pub struct Escape {
    shared: BTreeSet<ObjectId>,
}

impl Escape {
    pub fn new(points_to: &PointsTo<'_>) -> Self {
        let mut shared = BTreeSet::new();
        let mut todo: Vec<ObjectId> = points_to
            .objects
            .iter()
            .filter(|(_, object)| matches!(object.kind, ObjectKind::Global(_)))
            .map(|(id, _)| id)
            .collect();
        let give = |values: &ValueSet, todo: &mut Vec<ObjectId>| {
            todo.extend(values.addresses().map(|(object, _)| object));
        };
        for (instance, _, action) in points_to.actions() {
            if let Action::Spawn { arguments, .. } = action {
                for argument in arguments {
                    give(&points_to.values(instance, argument), &mut todo);
                }
            }
        }
        for thread in points_to.graph.threads.ids() {
            give(points_to.result(thread), &mut todo);
        }
        while let Some(object) = todo.pop() {
            if shared.insert(object) {
                for values in points_to.contents(object) {
                    give(values, &mut todo);
                }
            }
        }
        Self { shared }
    }

    /// Whether every object of the kind stays with the thread that made it.
    pub fn is_local(&self, object: ObjectId) -> bool {
        !self.shared.contains(&object)
    }
}
