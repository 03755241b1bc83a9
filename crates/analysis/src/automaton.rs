//! What the shape of a control-flow automaton tells: which edges can be taken at all, and which more than once.

use std::ops::Index;

use raddle_base::{Id, SideTable};
use raddle_ir::{Action, EdgeId, Expression, Function, FunctionId, LocationId, Program};

/// The automata of all functions of a program.
#[derive(Clone, Debug)]
pub struct Automata {
    automata: Vec<Automaton>,
}

impl Automata {
    pub fn new(program: &Program) -> Self {
        Self {
            automata: program
                .functions
                .iter()
                .map(|(id, function)| Automaton::new(program, id, function))
                .collect(),
        }
    }
}

impl Index<FunctionId> for Automata {
    type Output = Automaton;

    fn index(&self, function: FunctionId) -> &Automaton {
        &self.automata[function.index()]
    }
}

#[derive(Clone, Debug)]
pub struct Automaton {
    /// The edges that some way from the entry takes, in order.
    pub edges: Vec<EdgeId>,
    /// Whether the edge begins and ends on a common cycle.
    in_cycle: SideTable<EdgeId, bool>,
}

impl Automaton {
    fn new(program: &Program, id: FunctionId, function: &Function) -> Self {
        let leaving = |location: LocationId| {
            program
                .outgoing(id, location)
                .iter()
                .copied()
                .filter(|edge| may_pass(&function.edges[*edge].action))
        };
        let mut is_reached = SideTable::filled(&function.locations, false);
        let mut todo = vec![function.entry];
        is_reached[function.entry] = true;
        let mut edges = Vec::new();
        while let Some(location) = todo.pop() {
            for edge in leaving(location) {
                edges.push(edge);
                let to = function.edges[edge].to;
                if continues(&function.edges[edge].action) && !is_reached[to] {
                    is_reached[to] = true;
                    todo.push(to);
                }
            }
        }
        edges.sort_unstable();
        let component = components(function, &edges);
        let mut in_cycle = SideTable::filled(&function.edges, false);
        for &edge in &edges {
            let known = &function.edges[edge];
            in_cycle[edge] = component[known.from] == component[known.to];
        }
        Self { edges, in_cycle }
    }

    /// Whether some way from the entry takes the edge.
    pub fn has(&self, edge: EdgeId) -> bool {
        self.edges.binary_search(&edge).is_ok()
    }

    /// Whether one frame may take the edge more than once.
    pub fn is_in_cycle(&self, edge: EdgeId) -> bool {
        self.in_cycle[edge]
    }
}

/// Whether a thread can get past the action at all, as far as its text tells.
fn may_pass(action: &Action) -> bool {
    !matches!(
        action,
        Action::Assume {
            condition: Expression::Constant(0, _)
        }
    )
}

/// Whether the frame goes on where the edge leads.
pub(crate) fn continues(action: &Action) -> bool {
    !matches!(
        action,
        Action::ExitThread { .. } | Action::EndProcess { .. } | Action::Unsupported { .. }
    )
}

/// The strongly connected components, by the two passes of Kosaraju and Sharir, without recursion.
fn components(function: &Function, edges: &[EdgeId]) -> SideTable<LocationId, usize> {
    let mut forward = SideTable::filled(&function.locations, Vec::new());
    let mut backward = SideTable::filled(&function.locations, Vec::new());
    for &edge in edges {
        let known = &function.edges[edge];
        forward[known.from].push(known.to);
        backward[known.to].push(known.from);
    }
    let mut is_visited = SideTable::filled(&function.locations, false);
    let mut finished = Vec::new();
    for start in function.locations.ids() {
        if is_visited[start] {
            continue;
        }
        is_visited[start] = true;
        let mut path = vec![(start, 0)];
        while let Some((location, next)) = path.pop() {
            if let Some(&to) = forward[location].get(next) {
                path.push((location, next + 1));
                if !is_visited[to] {
                    is_visited[to] = true;
                    path.push((to, 0));
                }
            } else {
                finished.push(location);
            }
        }
    }
    let mut component: SideTable<LocationId, Option<usize>> =
        SideTable::filled(&function.locations, None);
    for (number, &start) in finished.iter().rev().enumerate() {
        let mut todo = vec![start];
        while let Some(location) = todo.pop() {
            if component[location].is_none() {
                component[location] = Some(number);
                todo.extend(backward[location].iter().copied());
            }
        }
    }
    let mut found = SideTable::filled(&function.locations, 0);
    for location in function.locations.ids() {
        found[location] = component[location].expect("every location was finished");
    }
    found
}
