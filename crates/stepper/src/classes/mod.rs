//! Values of an undetermined register of which every other value is an image.
//!
//! Instead of all values it is enough to try one of each class, if nothing that the program does
//! tells two values of a class apart. For every register at every location, and for every cell of a global, `flow` says
//! which values are told apart (a [`partition::Partition`]), such that
//!
//! - whether an action is possible, fails or overflows, which address it accesses, and what it does with
//!   synchronisation objects, threads and formulas follows from the classes of the values that it reads, and
//! - so does the class of each value that it writes.
//!
//! Then two states that differ only within classes stay so, step by step, and no property tells one from the other.
//! So each execution has one like it in which every undetermined value is the one that was picked of its class.
//!
//! One thing about a value counts although nobody reads it: an object is lost if no number looks like a pointer to it.
//! So of each class a value is picked that cannot look so (`calm`), because a value that does could hide a loss.
//!
//! - `segments`: functions of a value that are constant on intervals; `partition`: which values are told apart;
//! - `demand`: what expressions tell apart; `cells`: memory; `guards`: values that are possible after an action;
//! - `flow`: actions, calls and threads; `calm`: numbers that look like no pointer.

mod calm;
mod cells;
mod demand;
mod flow;
mod guards;
mod partition;
mod segments;

use std::collections::BTreeMap;

use raddle_ir::action::Action;
use raddle_ir::program::{EdgeId, FunctionId, GlobalId, Initial, Program};
use raddle_ir::types::{DataModel, Scalar};

use calm::calm_value;
use flow::Flow;
use partition::Partition;

/// More values than these are not tried.
const MOST: usize = 1024;

/// One value of each class, smallest first, for each undetermined value that has few classes and many values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    havocs: BTreeMap<(FunctionId, EdgeId), Vec<u128>>,
    initial: BTreeMap<(GlobalId, u64), Vec<u128>>,
    /// It was too much work to find out what the program tells apart; so there are none.
    are_unknown: bool,
}

impl Classes {
    /// For havocs of more values than `most`, and for all cells that may start with any value.
    pub(crate) fn new(program: &Program, most: u64) -> Self {
        let has_more = |ty: Scalar| ty.mask(program.model) >= u128::from(most);
        let mut havocs = Vec::new();
        for (id, function) in program.functions.iter() {
            for (edge_id, edge) in function.edges.iter() {
                if let Action::Havoc { target } = edge.action
                    && has_more(function.registers[target].ty)
                {
                    havocs.push((id, edge_id, edge.to, target));
                }
            }
        }
        let initial: Vec<(GlobalId, u64, Scalar)> = program
            .globals
            .iter()
            .flat_map(|(id, global)| global.initial.iter().map(move |it| (id, it)))
            .filter_map(|(id, (offset, initial))| match initial {
                // Several small ones are too many together.
                Initial::Any(ty) => Some((id, *offset, *ty)),
                Initial::Scalar(..) | Initial::Address(_) | Initial::Sync(_) => None,
            })
            .collect();
        if havocs.is_empty() && initial.is_empty() {
            return Self::default();
        }
        // Whatever is asked for: who replays an execution may ask for more, and has to know it by the same values.
        let are_names_seen = program.uses_heap();
        let Some(flow) = Flow::solve(program, are_names_seen) else {
            return Self {
                are_unknown: true,
                ..Self::default()
            };
        };
        let picked = |told: &Partition, ty: Scalar| {
            pick(told, ty.mask(program.model), program.model, are_names_seen)
        };
        let havocs = havocs.into_iter().filter_map(|(id, edge, to, target)| {
            let ty = program.functions[id].registers[target].ty;
            Some(((id, edge), picked(&flow.told(id, to, target), ty)?))
        });
        let initial = initial.into_iter().filter_map(|(id, offset, ty)| {
            let told = flow.cells.told(flow.cells.initial_place(id, offset));
            Some(((id, offset), picked(&told, ty)?))
        });
        Self {
            havocs: havocs.collect(),
            initial: initial.collect(),
            are_unknown: false,
        }
    }

    /// Whether it was too much work to find out what the program tells apart.
    pub(crate) fn are_unknown(&self) -> bool {
        self.are_unknown
    }

    /// The values that stand for all of a havoc.
    pub(crate) fn of_havoc(&self, function: FunctionId, edge: EdgeId) -> Option<&[u128]> {
        self.havocs.get(&(function, edge)).map(Vec::as_slice)
    }

    /// The values that stand for all with which a cell may start.
    pub(crate) fn of_initial(&self, global: GlobalId, offset: u64) -> Option<&[u128]> {
        self.initial.get(&(global, offset)).map(Vec::as_slice)
    }
}

/// One value of each class, or `None` if there are too many, or none of a class is calm and all have to be.
fn pick(
    told: &Partition,
    greatest: u128,
    model: DataModel,
    must_be_calm: bool,
) -> Option<Vec<u128>> {
    let mut values = Vec::new();
    for (first, last, modulus) in told.intervals(greatest) {
        let room = MOST - values.len();
        let others = last - first;
        let limit = room as u128;
        if modulus == 0 || others < modulus {
            // Every class has one value.
            if others >= limit {
                return None;
            }
            values.extend(first..=last);
            continue;
        }
        if modulus > limit {
            return None;
        }
        for remainder in 0..modulus {
            let interval = (first + remainder, last);
            let calm = calm_value(interval, modulus, first > greatest >> 1, model);
            if calm.is_none() && must_be_calm {
                return None;
            }
            values.push(calm.unwrap_or(first + remainder));
        }
    }
    values.sort_unstable();
    Some(values)
}
