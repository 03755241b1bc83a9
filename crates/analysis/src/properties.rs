//! What a whole program keeps to, without search: everything that could not be excluded, by property.

use raddle_ir::interpret::Property;
use raddle_ir::{Action, AllocateKind, Program};

use crate::conflicts::accesses;
use crate::doubts::{Doubted, Doubts};
use crate::escape::Escape;
use crate::given::Given;
use crate::locksets::Locksets;
use crate::names;
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use crate::races::Obstacle;
use crate::undefined::doubts;

/// The properties that can be proved so.
pub const PROVABLE: [Property; 7] = [
    Property::Assert,
    Property::Memory,
    Property::Leak,
    Property::Overflow,
    Property::LockMisuse,
    Property::Uninitialized,
    Property::Undefined,
];

/// All doubts about the properties of [`PROVABLE`]: one without doubts holds as long as none is violated that ends executions
/// and is doubted.
///
/// # Errors
///
/// What keeps the analyses from understanding the program.
pub fn doubts_of(program: &Program) -> Result<Doubts, Obstacle> {
    let points_to = PointsTo::new(program).map_err(|_| Obstacle::TooLarge)?;
    if let Some((instance, edge)) = points_to.not_understood() {
        let function = points_to.graph.instances[instance].function;
        let edge = program.edge(function, edge);
        return Err(Obstacle::NotUnderstood {
            what: names::of_obstacle(&edge.action),
            span: edge.span,
        });
    }
    let accesses = accesses(&points_to);
    let given = Given {
        points_to: &points_to,
        accesses: &accesses,
        locksets: &Locksets::new(&points_to, &accesses),
        parallel: &Parallel::new(&points_to),
        escape: &Escape::new(&points_to),
    };
    let Some(mut doubts) = doubts(&given) else {
        return Err(Obstacle::NotUnderstood {
            what: "the values of variables, which go on changing".to_owned(),
            span: None,
        });
    };
    of_all_together(&points_to, &mut doubts);
    Ok(doubts)
}

/// What no single action is to blame for.
fn of_all_together(points_to: &PointsTo<'_>, doubts: &mut Doubts) {
    doubts.stand_at(None);
    doubts.ensure(
        !points_to.graph.has_recursion(),
        Property::Memory,
        "a function may call itself without end",
    );
    if points_to.program.has_unknown_values && doubts.of(Property::Uninitialized).is_some() {
        doubts.add(
            Doubted::Unsupported,
            "a value may be used that is not known",
        );
    }
    for (instance, edge, action) in points_to.actions() {
        let Action::Allocate {
            kind: AllocateKind::Heap,
            ..
        } = action
        else {
            continue;
        };
        let function = points_to.graph.instances[instance].function;
        doubts.stand_at(points_to.program.edge(function, edge).span);
        doubts.ensure(false, Property::Memory, "memory may be lost");
        doubts.ensure(false, Property::Leak, "memory may not be freed in the end");
    }
}
