//! May happen in parallel: which other threads may be alive while a thread stands at a location.
//!
//! The facts are closed under one argument over time. When `c` starts `b`, then `b` meets `c` and all whom `c`
//! meets there; `c` meets `b` from then on; and everybody else who is alive meets `c` and is met by `c`, so it meets
//! `b` from then on too. A thread is met no more when it was certainly joined: the name that is joined can only be
//! that of a thread of which there is one.

use raddle_base::{BitSet, Id};
use raddle_ir::{Action, EdgeId, Expression, LocationId};

use crate::call_graph::{InstanceId, Origin, ThreadId};
use crate::flow::{Facts, Problem, solve};
use crate::points_to::PointsTo;
use crate::value::Value;

type Threads = BitSet<ThreadId>;

/// Who may be alive, besides the thread itself.
#[derive(Clone, Debug)]
pub struct Parallel {
    facts: Facts<Threads>,
}

impl Parallel {
    pub fn new(points_to: &PointsTo<'_>) -> Self {
        let count = points_to.graph.threads.len();
        let mut meeting = Meeting {
            points_to,
            beginnings: vec![None; count],
            joined_by: vec![vec![Threads::new(); count]; count],
            ends: vec![Threads::new(); count],
        };
        let roots: Threads = points_to
            .graph
            .threads
            .iter()
            .filter(|(_, it)| matches!(it.origin, Origin::Root(_)))
            .map(|(id, _)| id)
            .collect();
        for root in roots.iter() {
            let mut others = roots.clone();
            others.remove(root);
            meeting.beginnings[root.index()] = Some(others);
        }
        loop {
            let facts = solve(points_to, &meeting);
            if !meeting.grow(&facts) {
                return Self { facts };
            }
        }
    }

    /// Who may be alive while the thread stands there; `None` where no thread arrives.
    pub fn at(&self, instance: InstanceId, location: LocationId) -> Option<&Threads> {
        self.facts.at(instance, location)
    }
}

struct Meeting<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    /// Who may be alive when a thread begins; `None` if it was not found to begin.
    beginnings: Vec<Option<Threads>>,
    /// `joined_by[x][y]`: whom `y` may start while `x` is alive.
    joined_by: Vec<Vec<Threads>>,
    /// Who may be alive when a thread ends.
    ends: Vec<Threads>,
}

impl Meeting<'_, '_> {
    /// Takes over what the facts tell of starts and ends; whether anything was new.
    fn grow(&mut self, facts: &Facts<Threads>) -> bool {
        let graph = &self.points_to.graph;
        let program = self.points_to.program;
        let mut changed = false;
        for (instance, edge, child) in graph.spawns() {
            let spawner = &graph.instances[instance];
            let from = program.edge(spawner.function, edge).from;
            let Some(others) = facts.at(instance, from) else {
                continue;
            };
            let beginning = self.beginnings[child.index()].get_or_insert_with(|| {
                changed = true;
                Threads::new()
            });
            changed |= beginning.union_with(others);
            changed |= beginning.insert(spawner.thread);
            for other in others.iter() {
                changed |= self.joined_by[other.index()][spawner.thread.index()].insert(child);
            }
        }
        for (id, instance) in graph.instances.iter() {
            let thread = instance.thread;
            let function = &program.functions[instance.function];
            let mut ends: Vec<LocationId> = self.points_to.automata[instance.function]
                .edges
                .iter()
                .map(|edge| &function.edges[*edge])
                .filter(|edge| matches!(edge.action, Action::ExitThread { .. }))
                .map(|edge| edge.from)
                .collect();
            if graph.threads[thread].entry == id {
                ends.push(function.exit);
            }
            for location in ends {
                if let Some(others) = facts.at(id, location) {
                    changed |= self.ends[thread.index()].union_with(others);
                }
            }
        }
        changed
    }

    /// The one thread that a name can only be that of.
    fn certainly_joined(&self, instance: InstanceId, name: &Expression) -> Option<ThreadId> {
        let graph = &self.points_to.graph;
        let joiner = graph.instances[instance].thread;
        let mut found = None;
        for value in self.points_to.values(instance, name).iter() {
            match value {
                Value::Thread(thread) if found.is_none_or(|it| it == thread) => {
                    found = Some(thread);
                }
                // A small number can only name the one root, which waits for itself for ever.
                Value::Null | Value::Small
                    if self.points_to.program.roots.len() == 1
                        && graph.threads[joiner].origin == Origin::Root(0) => {}
                Value::Null
                | Value::Small
                | Value::Thread(_)
                | Value::Number
                | Value::Address(..)
                | Value::Function(_) => return None,
            }
        }
        found.filter(|it| graph.is_single(&self.points_to.automata, *it))
    }

    /// Whether a thread is over once `above`, which started it or somebody who did, was joined.
    fn is_over_with(&self, thread: ThreadId, above: ThreadId) -> bool {
        let graph = &self.points_to.graph;
        let mut at = thread;
        while at != above {
            let is_single = graph.is_single(&self.points_to.automata, at);
            if !is_single || self.ends[above.index()].contains(at) {
                return false;
            }
            let Origin::Spawn(instance, _) = graph.threads[at].origin else {
                return false;
            };
            at = graph.instances[instance].thread;
        }
        true
    }
}

impl Problem for Meeting<'_, '_> {
    type Fact = Threads;

    fn beginning(&self, thread: ThreadId) -> Option<Threads> {
        self.beginnings[thread.index()].clone()
    }

    fn after(&self, instance: InstanceId, edge: EdgeId, before: &Threads) -> Threads {
        let graph = &self.points_to.graph;
        let function = graph.instances[instance].function;
        let mut others = before.clone();
        let action = &self.points_to.program.edge(function, edge).action;
        if let Action::Spawn { .. } = action {
            for child in graph.spawned(instance, edge) {
                others.insert(child);
            }
        }
        if let Action::Join { thread, .. } = action
            && let Some(joined) = self.certainly_joined(instance, thread)
        {
            let gone: Vec<ThreadId> = others
                .iter()
                .filter(|it| self.is_over_with(*it, joined))
                .collect();
            for thread in gone {
                others.remove(thread);
            }
        }
        others
    }

    fn merge(&self, instance: InstanceId, known: &mut Threads, more: &Threads) -> bool {
        let thread = self.points_to.graph.instances[instance].thread;
        let mut changed = known.union_with(more);
        loop {
            let mut started = Threads::new();
            for other in known.iter() {
                started.union_with(&self.joined_by[thread.index()][other.index()]);
            }
            if !known.union_with(&started) {
                return changed;
            }
            changed = true;
        }
    }
}
