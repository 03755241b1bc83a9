//! Where temporaries lose their values.

use raddle_base::SideTable;

use crate::program::{EdgeId, Function, LocationId, RegisterId};

/// The temporaries that may hold a value when control arrives at a location and that nobody reads any more.
///
/// The usual backward analysis, one temporary at a time: temporaries live for a few edges only, so this
/// takes time in the sum of their lives rather than in locations times registers.
pub(super) fn dead_temporaries(
    function: &Function,
    outgoing: &SideTable<LocationId, Vec<EdgeId>>,
) -> SideTable<LocationId, Vec<RegisterId>> {
    let is_temporary = |register: RegisterId| function.registers[register].is_temporary;
    let mut incoming = SideTable::filled(&function.locations, Vec::new());
    let mut reads = SideTable::filled(&function.registers, Vec::new());
    for location in function.locations.ids() {
        for &id in &outgoing[location] {
            let edge = &function.edges[id];
            incoming[edge.to].push(id);
            for expression in edge.action.expressions() {
                expression.for_each_register(&mut |register| {
                    if is_temporary(register) {
                        reads[register].push(edge.from);
                    }
                });
            }
        }
    }
    let mut live: SideTable<LocationId, Vec<RegisterId>> =
        SideTable::filled(&function.locations, Vec::new());
    for register in function.registers.ids() {
        let mut work = std::mem::take(&mut reads[register]);
        while let Some(location) = work.pop() {
            if live[location].last() == Some(&register) {
                continue;
            }
            live[location].push(register);
            for &edge in &incoming[location] {
                let edge = &function.edges[edge];
                if edge.action.written_registers().all(|it| it != register) {
                    work.push(edge.from);
                }
            }
        }
    }
    let mut dead = SideTable::filled(&function.locations, Vec::new());
    for location in function.locations.ids() {
        let mut candidates: Vec<RegisterId> = Vec::new();
        for &edge in &incoming[location] {
            let edge = &function.edges[edge];
            candidates.extend(&live[edge.from]);
            candidates.extend(
                edge.action
                    .written_registers()
                    .filter(|&it| is_temporary(it)),
            );
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|it| live[location].binary_search(it).is_err());
        dead[location] = candidates;
    }
    dead
}
