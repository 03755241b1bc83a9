//! Whether units of work begin and end in blocks: within one call, the innermost first.

use std::collections::BTreeSet;

use raddle_base::SideTable;
use raddle_ir::{Action, AtomicSetId, FunctionId};

use crate::automaton::continues;
use crate::points_to::PointsTo;

/// Whether they do in every function that some thread may run. Then no unit ends that is not the innermost.
pub(crate) fn are_nested(points_to: &PointsTo<'_>) -> bool {
    let functions: BTreeSet<FunctionId> = points_to
        .graph
        .instances
        .values()
        .map(|it| it.function)
        .collect();
    functions
        .into_iter()
        .all(|function| are_nested_in(points_to, function))
}

/// Every way to a location has the same units open, and none is open at the exit.
fn are_nested_in(points_to: &PointsTo<'_>, id: FunctionId) -> bool {
    let program = points_to.program;
    let function = &program.functions[id];
    let mut open: SideTable<_, Option<Vec<Option<AtomicSetId>>>> =
        SideTable::filled(&function.locations, None);
    open[function.entry] = Some(Vec::new());
    let mut todo = vec![function.entry];
    while let Some(location) = todo.pop() {
        let before = open[location].clone().unwrap_or_default();
        for &edge in program.outgoing(id, location) {
            if !points_to.automata[id].has(edge) {
                continue;
            }
            let taken = program.edge(id, edge);
            let mut after = before.clone();
            if let Action::UnitBegin { set } = taken.action {
                after.push(set);
            }
            if let Action::UnitEnd { set } = taken.action
                && after.pop() != Some(set)
            {
                return false;
            }
            if !continues(&taken.action) {
                continue;
            }
            match &open[taken.to] {
                Some(known) if *known != after => return false,
                Some(_) => {}
                None => {
                    open[taken.to] = Some(after);
                    todo.push(taken.to);
                }
            }
        }
    }
    open[function.exit].as_ref().is_none_or(Vec::is_empty)
}
