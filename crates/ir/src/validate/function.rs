//! Rules on the shape of functions.

use raddle_base::SideTable;

use super::Report;
use super::action;
use super::expression::Scope;
use crate::program::{Function, FunctionId, ProgramDraft};

pub(super) fn check(
    draft: &ProgramDraft,
    _id: FunctionId,
    function: &Function,
    report: &mut Report,
) {
    let name = &function.name;
    if function.parameters > function.registers.len() {
        let message = format!("`{name}` has more parameters than registers");
        report.add("V15", function.span, message);
    } else if function
        .parameter_ids()
        .any(|register| function.registers[register].is_temporary)
    {
        let message = format!("a parameter of `{name}` is a temporary");
        report.add("V15", function.span, message);
    }
    check_edges(function, report);
    let scope = Scope {
        draft,
        registers: &function.registers,
        visible: function.registers.len(),
    };
    for edge in function.edges.values() {
        if let Err((rule, message)) = action::check(&scope, function, &edge.action) {
            let message = format!("in `{name}`: {message}");
            report.add(rule, edge.span.or(function.span), message);
        }
    }
}

fn check_edges(function: &Function, report: &mut Report) {
    let name = &function.name;
    let ends = [function.entry, function.exit];
    let has_ends = ends.iter().all(|&end| function.locations.contains(end));
    if !has_ends || function.entry == function.exit {
        let message = format!(
            "the entry and the exit of `{name}` are not two of its locations; an empty body is `skip`"
        );
        report.add("V16", function.span, message);
        return;
    }
    let mut has_edge = SideTable::filled(&function.locations, false);
    for edge in function.edges.values() {
        if !function.locations.contains(edge.from) || !function.locations.contains(edge.to) {
            let message = format!("an edge of `{name}` ends outside its locations");
            report.add("V16", edge.span, message);
            return;
        }
        has_edge[edge.from] = true;
        if edge.from == function.exit {
            let message = format!("an edge leaves the exit of `{name}`");
            report.add("V17", edge.span, message);
        }
        if edge.action.leaves_function() && edge.to != function.exit {
            let message =
                format!("an edge of `{name}` leaves the function but does not lead to its exit");
            report.add("V17", edge.span, message);
        }
    }
    let mut successors = SideTable::filled(&function.locations, Vec::new());
    for edge in function.edges.values() {
        successors[edge.from].push(edge.to);
    }
    let mut is_seen = SideTable::filled(&function.locations, false);
    let mut stack = vec![function.entry];
    while let Some(location) = stack.pop() {
        if std::mem::replace(&mut is_seen[location], true) {
            continue;
        }
        stack.extend(&successors[location]);
        if location != function.exit && !has_edge[location] {
            let place = &function.locations[location];
            let label = match &place.label {
                Some(label) => format!("the location `{label}`"),
                None => "a location".to_owned(),
            };
            let message =
                format!("no edge leaves {label} of `{name}`; lead on to the exit or loop");
            report.add("V18", place.span.or(function.span), message);
        }
    }
}
