//! Which registers somebody may still read.

use std::collections::BTreeSet;

use raddle_base::{Arena, SideTable};
use raddle_ir::{Function, FunctionId, LocationId, Program, RegisterId};
use raddle_reduce::dynamic::At;

/// The registers that are live at each location of a function.
type Live = SideTable<LocationId, BTreeSet<RegisterId>>;

pub(crate) struct Liveness<'p> {
    program: &'p Program,
    live: Arena<FunctionId, Live>,
}

impl<'p> Liveness<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut live = Arena::new();
        for function in program.functions.values() {
            live.push(live_in(function));
        }
        Self { program, live }
    }

    /// What a frame that stands there may still read.
    pub(crate) fn at(&self, function: FunctionId, at: At) -> BTreeSet<RegisterId> {
        match at {
            At::Location(location) => self.live[function][location].clone(),
            At::Call(edge) => {
                let edge = self.program.edge(function, edge);
                let mut live = self.live[function][edge.to].clone();
                for written in edge.action.written_registers() {
                    live.remove(&written);
                }
                live
            }
        }
    }
}

fn live_in(function: &Function) -> Live {
    let mut live: Live = SideTable::filled(&function.locations, BTreeSet::new());
    let mut changes = true;
    while changes {
        changes = false;
        for edge in function.edges.values().rev() {
            let mut before = live[edge.to].clone();
            for written in edge.action.written_registers() {
                before.remove(&written);
            }
            for expression in edge.action.expressions() {
                expression.for_each_register(&mut |it| {
                    before.insert(it);
                });
            }
            let known = &mut live[edge.from];
            if !before.is_subset(known) {
                known.extend(before);
                changes = true;
            }
        }
    }
    live
}
