//! Units of work where nobody marks one: functions that take a lock.

use raddle_base::Id;
use raddle_ir::{
    Action, Callee, Direction, EdgeId, Function, FunctionId, Location, Occasion, ProgramDraft,
};

/// Makes a unit of work on all sets of each function that takes a lock by itself.
pub(super) fn mark(draft: &mut ProgramDraft) {
    let takers = takers(draft);
    for (function, takes) in draft.functions.values_mut().zip(takers) {
        // A function that nobody wrote in the sources is part of its caller.
        if takes && function.span.is_some() {
            make_unit(function);
        }
    }
}

/// Which functions take a lock, by themselves or in a function of a library.
fn takers(draft: &ProgramDraft) -> Vec<bool> {
    let mut takes: Vec<bool> = draft
        .functions
        .values()
        .map(|function| function.edges.values().any(|it| is_acquire(&it.action)))
        .collect();
    loop {
        let mut has_changed = false;
        for (id, function) in draft.functions.iter() {
            let calls_taker = function.edges.values().any(|edge| {
                callee(&edge.action).is_some_and(|callee| {
                    takes[callee.index()] && draft.functions[callee].span.is_none()
                })
            });
            if calls_taker && !takes[id.index()] {
                takes[id.index()] = true;
                has_changed = true;
            }
        }
        if !has_changed {
            return takes;
        }
    }
}

/// Who calls through a pointer says nothing of locks.
fn callee(action: &Action) -> Option<FunctionId> {
    let Action::Call {
        callee: Callee::Direct(callee),
        ..
    } = action
    else {
        return None;
    };
    Some(*callee)
}

/// Whether it takes a lock, or tries to; the end of a wait only takes it again.
fn is_acquire(action: &Action) -> bool {
    action.lock_effect().is_some_and(|(effect, _)| {
        effect.direction == Direction::Acquire && effect.occasion == Occasion::Asked
    })
}

/// Begins the unit at the entry and ends it on every way out. The end of the process ends everything.
fn make_unit(function: &mut Function) {
    let entry = function.locations.push(Location::default());
    let edges: Vec<EdgeId> = function.edges.ids().collect();
    let begin = Action::UnitBegin { set: None };
    function.connect(entry, begin, function.entry, function.span);
    function.entry = entry;
    for id in edges {
        let edge = function.edges[id].clone();
        if edge.to != function.exit || matches!(edge.action, Action::EndProcess { .. }) {
            continue;
        }
        let middle = function.locations.push(Location::default());
        let end = Action::UnitEnd { set: None };
        let (first, second) = if edge.action.leaves_function() {
            (end, edge.action)
        } else {
            (edge.action, end)
        };
        function.edges[id].action = first;
        function.edges[id].to = middle;
        function.connect(middle, second, function.exit, edge.span);
    }
}
