//! New actions at places of a program, and old executions on the new program.

use std::collections::{BTreeMap, BTreeSet};

use raddle_engine::Trace;
use raddle_ir::interpret::{Outcome, Property, Semantics, Step, StepPart, Stop, ThreadNumber};
use raddle_ir::{
    Action, EdgeId, FunctionId, Location, LocationId, Program, ProgramDraft, validate,
};

use super::schedule::Place;

/// Actions that come before everything that leaves a place.
#[derive(Clone, Debug)]
pub(super) struct Plant {
    pub(super) place: Place,
    pub(super) actions: Vec<Action>,
    /// Which of them is an assume; if its condition does not hold, those after it are passed by.
    pub(super) guard: Option<usize>,
}

/// A program with plants in it, and what became of its edges.
pub(super) struct Spliced<'p> {
    original: &'p Program,
    pub(super) program: Program,
    /// The edges of functions with plants; the others have kept their numbers.
    edges: BTreeMap<(FunctionId, EdgeId), EdgeId>,
    /// The new edges at each place.
    planted: BTreeMap<Place, Vec<EdgeId>>,
}

impl<'p> Spliced<'p> {
    /// `draft` is the original, with whatever items the actions need; `None` if the result is no program.
    pub(super) fn new(
        original: &'p Program,
        mut draft: ProgramDraft,
        plants: &[Plant],
    ) -> Option<Self> {
        for plant in plants {
            insert(&mut draft, plant);
        }
        let program = validate(draft).ok()?;
        let mut spliced = Self {
            original,
            program,
            edges: BTreeMap::new(),
            planted: BTreeMap::new(),
        };
        let mut functions: Vec<FunctionId> = plants.iter().map(|it| it.place.0).collect();
        functions.dedup();
        for function in functions {
            let lengths = plants
                .iter()
                .filter(|it| it.place.0 == function)
                .map(|it| (it.place.1, it.actions.len()))
                .collect();
            spliced.find_edges(function, &lengths);
        }
        Some(spliced)
    }

    /// Goes through the old and the new function side by side: locations keep the order of their edges.
    fn find_edges(&mut self, function: FunctionId, lengths: &BTreeMap<LocationId, usize>) {
        let entry = |program: &Program| program.functions[function].entry;
        let mut open = vec![(entry(self.original), entry(&self.program))];
        let mut seen = BTreeSet::new();
        while let Some((old, mut new)) = open.pop() {
            if !seen.insert(old) {
                continue;
            }
            if let Some(&length) = lengths.get(&old) {
                let planted = self.planted.entry((function, old)).or_default();
                for _ in 0..length {
                    let edge = self.program.outgoing(function, new)[0];
                    planted.push(edge);
                    new = self.program.edge(function, edge).to;
                }
            }
            let old_edges = self.original.outgoing(function, old);
            let new_edges = self.program.outgoing(function, new);
            for (&old, &new) in old_edges.iter().zip(new_edges) {
                self.edges.insert((function, old), new);
                let to = |program: &Program, edge| program.edge(function, edge).to;
                open.push((to(self.original, old), to(&self.program, new)));
            }
        }
    }

    /// The same steps in the new program, each after whatever is planted where it begins.
    pub(super) fn steps<'s>(&self, steps: impl Iterator<Item = &'s Step>) -> Vec<Step> {
        let mut found = Vec::new();
        for step in steps {
            if let Some(first) = step.parts.first() {
                found.extend(self.plant_steps(step.thread, self.place(first)));
            }
            found.push(Step {
                thread: step.thread,
                parts: self.parts(&step.parts),
            });
        }
        found
    }

    /// What is planted at a place, step by step.
    pub(super) fn plant_steps(&self, thread: ThreadNumber, place: Place) -> Vec<Step> {
        self.plant_parts(place)
            .map(|part| Step {
                thread,
                parts: vec![part],
            })
            .collect()
    }

    /// The parts of one step, with what is planted between them.
    pub(super) fn parts(&self, parts: &[StepPart]) -> Vec<StepPart> {
        let mut found = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                found.extend(self.plant_parts(self.place(part)));
            }
            let edge = self.edges.get(&(part.function, part.edge));
            found.push(StepPart {
                edge: *edge.unwrap_or(&part.edge),
                ..part.clone()
            });
        }
        found
    }

    pub(super) fn plant_parts(&self, place: Place) -> impl Iterator<Item = StepPart> {
        let edges = self.planted.get(&place).into_iter().flatten();
        edges.map(move |&edge| StepPart {
            function: place.0,
            edge,
            choice: None,
        })
    }

    fn place(&self, part: &StepPart) -> Place {
        let edge = self.original.edge(part.function, part.edge);
        (part.function, edge.from)
    }
}

/// Splits the place: whatever left it leaves the end of the new actions.
fn insert(draft: &mut ProgramDraft, plant: &Plant) {
    let (function, place) = plant.place;
    let function = &mut draft.functions[function];
    let span = function.locations[place].span;
    let behind = function.locations.push(Location::default());
    for edge in function.edges.values_mut() {
        if edge.from == place {
            edge.from = behind;
        }
    }
    let mut here = place;
    for (index, action) in plant.actions.iter().enumerate() {
        let next = if index + 1 == plant.actions.len() {
            behind
        } else {
            function.locations.push(Location::default())
        };
        function.connect(here, action.clone(), next, span);
        if let Action::Assume { condition } = action
            && plant.guard == Some(index)
        {
            let condition = condition.clone().not();
            function.connect(here, Action::Assume { condition }, behind, span);
        }
        here = next;
    }
}

/// The steps as a trace, if the program can take them and the last one, or the state after it, violates the property.
pub(super) fn shown(
    program: &Program,
    semantics: &Semantics,
    property: Property,
    initial: usize,
    steps: Vec<Step>,
) -> Option<Trace> {
    let interpreter = raddle_stepper::definition(program, semantics.clone());
    let mut state = interpreter
        .initial_states()
        .ok()?
        .into_iter()
        .nth(initial)?;
    let mut violations = Vec::new();
    let mut has_stopped = false;
    for (index, step) in steps.iter().enumerate() {
        let successor = interpreter.take(&state, step)?;
        let is_last = index + 1 == steps.len();
        if is_last {
            violations = successor.violations;
        }
        match successor.outcome {
            Outcome::Next(next) => state = next,
            Outcome::Stopped(Stop::Violation(violation)) if is_last => {
                has_stopped = true;
                violations.push(violation);
            }
            Outcome::Stopped(_) => return None,
        }
    }
    if !has_stopped {
        violations.extend(interpreter.judge(&state));
    }
    let violation = violations.into_iter().find(|it| it.property == property)?;
    Some(Trace {
        initial,
        steps,
        transactions: Vec::new(),
        violation,
    })
}
