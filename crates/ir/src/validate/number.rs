//! Canonical numbers of locations and edges, and the facts that follow.

use std::collections::BTreeSet;

use raddle_base::{Arena, Id, SideTable};

use super::Report;
use super::expression::constant_address;
use super::liveness::dead_temporaries;
use crate::expression::Expression;
use crate::formula::{Atom, Formula};
use crate::program::{EdgeId, Function, FunctionFacts, LocationId, ProgramDraft};

/// Numbers the locations of every function anew and computes its facts.
pub(super) fn renumber(draft: &mut ProgramDraft, report: &mut Report) -> Vec<FunctionFacts> {
    let mut facts = Vec::new();
    let mut renamings = Vec::new();
    rename_registers(draft);
    for function in draft.functions.values_mut() {
        renamings.push(renumber_function(function));
        let outgoing = outgoing_edges(function);
        let dead = dead_temporaries(function, &outgoing);
        facts.push(FunctionFacts { outgoing, dead });
    }
    let formulas = draft
        .invariants
        .iter_mut()
        .map(|it| (&mut it.formula, it.span))
        .chain(
            draft
                .exclusives
                .iter_mut()
                .map(|it| (&mut it.condition, it.span)),
        );
    for (formula, span) in formulas {
        if !renumber_formula(formula, &renamings) {
            let message = "a formula names a location that its function never reaches";
            report.add("V39", span, message);
        }
    }
    for exclusive in &mut draft.exclusives {
        let Some((base, offset)) = constant_address(&exclusive.address) else {
            continue;
        };
        let offset = u64::try_from(offset).expect("an exclusive cell lies inside its global");
        exclusive.address = Expression::at_offset(base.clone(), offset, draft.model);
    }
    facts
}

/// A register that is called as a global or function is would hide it in the text form.
fn rename_registers(draft: &mut ProgramDraft) {
    let globals = draft.globals.values().map(|it| it.name.clone());
    let functions = draft.functions.values().map(|it| it.name.clone());
    let hidden: BTreeSet<String> = globals.chain(functions).collect();
    for function in draft.functions.values_mut() {
        let names = function.registers.values().map(|it| it.name.clone());
        let mut taken: BTreeSet<String> = names.collect();
        for register in function.registers.values_mut() {
            if hidden.contains(&register.name) {
                let name = (2..=u64::MAX)
                    .map(|number| format!("{}_{number}", register.name))
                    .find(|name| !hidden.contains(name) && !taken.contains(name))
                    .expect("there are more numbers than names");
                taken.insert(name.clone());
                register.name = name;
            }
        }
    }
}

/// The new number of each location; `None` if it is dropped.
type Renaming = SideTable<LocationId, Option<LocationId>>;

fn renumber_function(function: &mut Function) -> Renaming {
    let outgoing = outgoing_edges(function);
    let mut order = Vec::new();
    let mut is_seen = SideTable::filled(&function.locations, false);
    // The exit comes last, and nothing leaves it.
    is_seen[function.exit] = true;
    is_seen[function.entry] = true;
    order.push(function.entry);
    let mut stack = vec![(function.entry, 0)];
    while let Some((location, next)) = stack.pop() {
        let Some(&edge) = outgoing[location].get(next) else {
            continue;
        };
        stack.push((location, next + 1));
        let to = function.edges[edge].to;
        if !std::mem::replace(&mut is_seen[to], true) {
            order.push(to);
            stack.push((to, 0));
        }
    }
    order.push(function.exit);

    let mut renaming = SideTable::filled(&function.locations, None);
    let mut locations = Arena::new();
    for &old in &order {
        renaming[old] = Some(locations.push(function.locations[old].clone()));
    }
    let mut edges = Arena::new();
    for &old in &order {
        for &edge in &outgoing[old] {
            let mut edge = function.edges[edge].clone();
            edge.from = renaming[edge.from].expect("an edge of a reached location");
            edge.to = renaming[edge.to].expect("an edge from a reached location");
            edges.push(edge);
        }
    }
    function.entry = LocationId::from_index(0);
    function.exit = LocationId::from_index(order.len() - 1);
    locations[function.exit].label = None;
    function.locations = locations;
    function.edges = edges;
    renaming
}

fn outgoing_edges(function: &Function) -> SideTable<LocationId, Vec<EdgeId>> {
    let mut outgoing = SideTable::filled(&function.locations, Vec::new());
    for (id, edge) in function.edges.iter() {
        outgoing[edge.from].push(id);
    }
    outgoing
}

/// Whether all its program points are still there.
fn renumber_formula(formula: &mut Formula, renamings: &[Renaming]) -> bool {
    for (at, register) in formula.registers.values_mut().enumerate() {
        register.name = format!("atom{at}");
        register.is_temporary = false;
    }
    formula.atoms.iter_mut().all(|atom| match atom {
        Atom::At { function, location } => match renamings[function.index()][*location] {
            Some(new) => {
                *location = new;
                true
            }
            None => false,
        },
        Atom::Cell { .. } | Atom::Owner { .. } | Atom::Index(_) => true,
    })
}
