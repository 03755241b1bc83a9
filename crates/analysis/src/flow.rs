//! Facts that hold at the locations of one thread's instances, carried along edges, into calls and back.

use raddle_base::{Id, SideTable};
use raddle_ir::{Action, EdgeId, LocationId};

use crate::automaton::continues;
use crate::call_graph::{InstanceId, ThreadId};
use crate::points_to::PointsTo;

/// What is carried along.
pub trait Problem {
    type Fact: Clone;

    /// What holds where the thread begins; `None` if it does not begin at all.
    fn beginning(&self, thread: ThreadId) -> Option<Self::Fact>;

    /// What holds after an action that is no call, if `before` holds before it.
    fn after(&self, instance: InstanceId, edge: EdgeId, before: &Self::Fact) -> Self::Fact;

    /// Weakens `known` so that `more` fits it too; whether that changed it.
    fn merge(&self, instance: InstanceId, known: &mut Self::Fact, more: &Self::Fact) -> bool;
}

/// What holds on arrival at each location; nothing where no thread arrives.
#[derive(Clone, Debug)]
pub struct Facts<F> {
    facts: Vec<SideTable<LocationId, Option<F>>>,
}

impl<F> Facts<F> {
    pub fn at(&self, instance: InstanceId, location: LocationId) -> Option<&F> {
        self.facts[instance.index()][location].as_ref()
    }
}

/// The facts that hold along all ways.
pub fn solve<P: Problem>(points_to: &PointsTo<'_>, problem: &P) -> Facts<P::Fact> {
    let program = points_to.program;
    let facts = points_to
        .graph
        .instances
        .values()
        .map(|it| SideTable::filled(&program.functions[it.function].locations, None))
        .collect();
    let mut flow = Flow {
        points_to,
        problem,
        facts: Facts { facts },
        todo: Vec::new(),
    };
    for (thread, known) in points_to.graph.threads.iter() {
        if let Some(fact) = problem.beginning(thread) {
            let function = points_to.graph.instances[known.entry].function;
            flow.arrive(known.entry, program.functions[function].entry, &fact);
        }
    }
    while let Some((instance, location)) = flow.todo.pop() {
        flow.leave(instance, location);
    }
    flow.facts
}

struct Flow<'a, 'p, P: Problem> {
    points_to: &'a PointsTo<'p>,
    problem: &'a P,
    facts: Facts<P::Fact>,
    todo: Vec<(InstanceId, LocationId)>,
}

impl<P: Problem> Flow<'_, '_, P> {
    fn arrive(&mut self, instance: InstanceId, location: LocationId, fact: &P::Fact) {
        let known = &mut self.facts.facts[instance.index()][location];
        let is_new = if let Some(known) = known {
            self.problem.merge(instance, known, fact)
        } else {
            // Merged with itself, so that a problem may complete it.
            let mut first = fact.clone();
            self.problem.merge(instance, &mut first, fact);
            *known = Some(first);
            true
        };
        if is_new {
            self.todo.push((instance, location));
        }
    }

    fn leave(&mut self, instance: InstanceId, location: LocationId) {
        let program = self.points_to.program;
        let graph = &self.points_to.graph;
        let known = &graph.instances[instance];
        let Some(fact) = self.facts.facts[instance.index()][location].clone() else {
            return;
        };
        if location == program.functions[known.function].exit {
            for &(caller, edge) in &known.callers {
                // A call that was not reached returns nowhere.
                let call = program.edge(graph.instances[caller].function, edge);
                if self.facts.at(caller, call.from).is_some() {
                    self.arrive(caller, call.to, &fact);
                }
            }
        }
        let automaton = &self.points_to.automata[known.function];
        for &edge in program.outgoing(known.function, location) {
            if !automaton.has(edge) {
                continue;
            }
            let taken = program.edge(known.function, edge);
            if matches!(taken.action, Action::Call { .. }) {
                for callee in graph.callees(instance, edge) {
                    let function = graph.instances[callee].function;
                    let function = &program.functions[function];
                    self.arrive(callee, function.entry, &fact);
                    // Who calls it for the second time returns with what is known already.
                    if let Some(returned) = self.facts.at(callee, function.exit).cloned() {
                        self.arrive(instance, taken.to, &returned);
                    }
                }
            } else if continues(&taken.action) {
                let after = self.problem.after(instance, edge, &fact);
                self.arrive(instance, taken.to, &after);
            }
        }
    }
}
