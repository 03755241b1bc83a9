//! Edges that do nothing are left out, so that nobody has to take them.

use raddle_base::SideTable;
use raddle_ir::{Action, Function, LocationId};

/// Leaves out locations from which the only way on does nothing.
pub(super) fn skip_skips(function: &mut Function) {
    let skip = Action::skip();
    let mut ways: SideTable<LocationId, Vec<usize>> =
        SideTable::filled(&function.locations, Vec::new());
    let edges: Vec<(LocationId, LocationId, bool)> = function
        .edges
        .values()
        .map(|edge| (edge.from, edge.to, edge.action == skip))
        .collect();
    for (index, (from, _, _)) in edges.iter().enumerate() {
        ways[*from].push(index);
    }
    let exit = function.exit;
    let has_label = |location: LocationId| function.locations[location].label.is_some();
    let next = |location: LocationId| match ways[location][..] {
        [only] if edges[only].2 && edges[only].1 != exit && !has_label(location) => {
            Some(edges[only].1)
        }
        _ => None,
    };
    // An endless loop that does nothing stays: one of its locations is where a walk comes round.
    let limit = function.locations.len();
    let end_of = |start: LocationId| {
        let mut at = start;
        for _ in 0..limit {
            match next(at) {
                Some(further) if further != start => at = further,
                Some(_) | None => break,
            }
        }
        at
    };
    let mut ends: SideTable<LocationId, Option<LocationId>> =
        SideTable::filled(&function.locations, None);
    let mut resolve = |location: LocationId| {
        if let Some(known) = ends[location] {
            return known;
        }
        let end = end_of(location);
        let mut at = location;
        while at != end && ends[at].is_none() {
            ends[at] = Some(end);
            at = next(at).unwrap_or(end);
        }
        ends[end] = Some(end);
        end
    };
    for edge in function.edges.values_mut() {
        edge.to = resolve(edge.to);
    }
    function.entry = resolve(function.entry);
}
