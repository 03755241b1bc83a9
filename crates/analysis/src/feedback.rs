//! Feedback sets: locations that every cycle of a function goes through, and an order of the locations in which only edges to them
//! lead back.
//!
//! # Source
//!
//! DR Def. 2, the location feedback set (LFS); \[Bourdoncle93\] for a way to find one.
//!
//! # Definitions
//!
//! - A *feedback set* has a location of every cycle of the graph.
//! - A *weak topological order* nests the cycles: a component has a head, and whoever takes the heads out of all components is left
//!   without cycles.
//!
//! # Invariants
//!
//! (O1) and (O2) of [`Order`].
//!
//! # Deviations
//!
//! 1. DR estimates a small set by a depth-first search (DR §7); here it is the set of all heads, because the encoding goes by the order
//!    as well.
//!
//! # Tested by
//!
//! The tests below.

use raddle_base::{Id, components};
use raddle_ir::{Function, LocationId};

/// A weak topological order of the locations of a function.
///
/// # Invariants
///
/// - **(O1)** An edge leads to a higher position, or to the head of a component that both its ends are in.
/// - **(O2)** The locations of a component have positions in a row, its head the lowest.
#[derive(Clone, Debug)]
pub struct Order {
    positions: Vec<u32>,
    heads: Vec<Vec<LocationId>>,
}

enum Task {
    Place(usize, Vec<LocationId>),
    Arrange(Vec<usize>, Vec<LocationId>),
}

impl Order {
    pub fn new(function: &Function) -> Self {
        let count = function.locations.len();
        let mut next = vec![Vec::new(); count];
        for edge in function.edges.values() {
            next[edge.from.index()].push(edge.to.index());
        }
        let mut order = Self {
            positions: vec![0; count],
            heads: vec![Vec::new(); count],
        };
        // The entry comes first, so that it is the head of whatever cycle it is in.
        let mut all: Vec<usize> = (0..count).collect();
        all.swap(0, function.entry.index());
        let mut placed = 0;
        let mut tasks = vec![Task::Arrange(all, Vec::new())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Place(location, heads) => {
                    order.positions[location] = placed;
                    order.heads[location] = heads;
                    placed += 1;
                }
                Task::Arrange(members, heads) => arrange(&next, &members, &heads, &mut tasks),
            }
        }
        order
    }

    /// Edges lead to higher positions, except those to heads of components around them.
    pub fn position(&self, location: LocationId) -> u32 {
        self.positions[location.index()]
    }

    /// The heads of the components that a location is in, the outermost first.
    pub fn heads(&self, location: LocationId) -> &[LocationId] {
        &self.heads[location.index()]
    }

    pub fn is_head(&self, location: LocationId) -> bool {
        self.heads(location).last() == Some(&location)
    }
}

/// Leaves it to later tasks to place some locations, component by component.
fn arrange(next: &[Vec<usize>], members: &[usize], heads: &[LocationId], tasks: &mut Vec<Task>) {
    let mut numbers = vec![usize::MAX; next.len()];
    for (at, &member) in members.iter().enumerate() {
        numbers[member] = at;
    }
    let graph: Vec<Vec<usize>> = members
        .iter()
        .map(|&member| {
            let inside = next[member].iter().map(|&it| numbers[it]);
            inside.filter(|it| *it != usize::MAX).collect()
        })
        .collect();
    // The last task is done first, and the components come from the end.
    for component in components(&graph) {
        let is_cycle = component.len() > 1 || graph[component[0]].contains(&component[0]);
        if !is_cycle {
            tasks.push(Task::Place(members[component[0]], heads.to_vec()));
            continue;
        }
        // The first that was found is where one comes in.
        let head = component[0];
        let mut heads = heads.to_vec();
        heads.push(LocationId::from_index(members[head]));
        let rest: Vec<usize> = component
            .iter()
            .filter(|it| **it != head)
            .map(|it| members[*it])
            .collect();
        tasks.push(Task::Arrange(rest, heads.clone()));
        tasks.push(Task::Place(members[head], heads));
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::{Action, Location};

    use super::*;

    /// A function with these edges; locations 0 and 1 are its entry and its exit.
    fn function(locations: usize, edges: &[(usize, usize)]) -> Function {
        let mut function = Function::new("f");
        while function.locations.len() < locations {
            function.locations.push(Location::default());
        }
        for &(from, to) in edges {
            let [from, to] = [from, to].map(LocationId::from_index);
            function.connect(from, Action::skip(), to, None);
        }
        function
    }

    fn check(function: &Function) -> Order {
        let order = Order::new(function);
        for edge in function.edges.values() {
            let leads_on = order.position(edge.from) < order.position(edge.to);
            let leads_back = order.is_head(edge.to) && order.heads(edge.from).contains(&edge.to);
            assert!(leads_on || leads_back, "{:?} → {:?}", edge.from, edge.to);
        }
        order
    }

    /// The locations that cut every cycle.
    fn heads(order: &Order, locations: usize) -> Vec<LocationId> {
        let all = (0..locations).map(LocationId::from_index);
        all.filter(|it| order.is_head(*it)).collect()
    }

    #[test]
    fn nested_loops_have_nested_heads() {
        // 0 → 2 → 3 → 4 → 3, 4 → 2, 2 → 1
        let order = check(&function(
            5,
            &[(0, 2), (2, 3), (3, 4), (4, 3), (4, 2), (2, 1)],
        ));
        let [outer, inner] = [2, 3].map(LocationId::from_index);
        assert_eq!(order.heads(LocationId::from_index(4)), [outer, inner]);
        assert_eq!(heads(&order, 5), [outer, inner]);
        assert!(order.heads(LocationId::from_index(1)).is_empty());
    }

    #[test]
    fn a_cycle_with_two_entries_and_a_loop_at_one_location_are_cut() {
        let order = check(&function(
            5,
            &[(0, 2), (0, 3), (2, 3), (3, 2), (3, 4), (4, 4), (4, 1)],
        ));
        assert_eq!(heads(&order, 5).len(), 2);
        assert!(order.is_head(LocationId::from_index(4)));
    }
}
