//! A program and its flat one, walked side by side.

#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use raddle_base::{Budget, Id};
use raddle_flat::{Flat, Limits, Meaning, flatten};
use raddle_ir::interpret::{
    Interpreter, Outcome, Property, Semantics, State, Step, Stop, Successor,
};
use raddle_ir::{Action, Program};
use raddle_logic::{Evaluation, TargetId, VariableId};

/// States in which more inputs would have to be tried are too much work.
const MOST_INPUTS: usize = 1_500;

pub(crate) enum Compared {
    Skipped(String),
    Matched(Matched),
}

/// What was seen.
#[derive(Default)]
pub(crate) struct Matched {
    pub(crate) nodes: usize,
    pub(crate) hazards: BTreeSet<String>,
    pub(crate) violations: BTreeSet<Property>,
}

type Path = Vec<(Vec<u128>, Vec<u128>)>;

pub(crate) fn semantics() -> Semantics {
    Semantics {
        properties: vec![
            Property::Assert,
            Property::Memory,
            Property::Overflow,
            Property::LockMisuse,
            Property::Uninitialized,
            Property::Undefined,
        ],
        ..Semantics::default()
    }
}

/// Walks as far as so many pairs of states.
pub(crate) fn compare(program: &Program, limits: &Limits, most: usize) -> Result<Compared, String> {
    compare_with(program, (limits, most), &mut |_| {})
}

/// The same with something changed in the flat program.
pub(crate) fn compare_with(
    program: &Program,
    (limits, most): (&Limits, usize),
    change: &mut dyn FnMut(&mut Flat<'_>),
) -> Result<Compared, String> {
    let skipped = |why: &str| Ok(Compared::Skipped(why.to_owned()));
    for function in program.functions.values() {
        for edge in function.edges.values() {
            let Action::Havoc { target } = &edge.action else {
                continue;
            };
            let width = function.registers[*target].ty.bits(program.model);
            if width > 8 {
                return skipped("a wide choice");
            }
        }
    }
    let interpreter = raddle_stepper::definition(program, semantics());
    let Ok(initial) = interpreter.initial_states() else {
        return skipped("no initial state");
    };
    let mut flat = match flatten(&interpreter, &initial, limits, &Budget::unlimited()) {
        Ok(flat) => flat,
        Err(reason) => return skipped(&reason.to_string()),
    };
    if let Some(rule) = flat.system.broken_rule() {
        return Err(rule);
    }
    change(&mut flat);
    let mut walk = Walk {
        interpreter: &interpreter,
        flat: &flat,
        initial: &initial,
        matched: Matched::default(),
        pending: VecDeque::new(),
        seen: HashSet::new(),
    };
    for state in &initial {
        let first = flat.first_state(&interpreter, state);
        if !flat.system.is_initial(&first) {
            return Err("no execution of the flat program begins like the program".into());
        }
        walk.visit(state.clone(), first, Vec::new());
    }
    while let Some((state, of_flat, path)) = walk.pending.pop_front() {
        walk.matched.nodes += 1;
        if walk.matched.nodes > most {
            break;
        }
        if !walk.node(&state, &of_flat, &path)? {
            return skipped("too many inputs");
        }
    }
    Ok(Compared::Matched(walk.matched))
}

/// What executions of a program violate, by enumeration; none if they are too many or are cut somewhere.
pub(crate) fn violated_by_program(program: &Program, most: usize) -> Option<BTreeSet<Property>> {
    let interpreter = raddle_stepper::definition(program, semantics());
    let mut pending: Vec<State> = interpreter.initial_states().ok()?;
    let mut seen: HashSet<State> = pending.iter().cloned().collect();
    let mut violated = BTreeSet::new();
    while let Some(state) = pending.pop() {
        for successor in interpreter.successors(&state) {
            violated.extend(successor.violations.iter().map(|it| it.property));
            match successor.outcome {
                Outcome::Next(next) => {
                    if seen.insert(next.clone()) {
                        pending.push(next);
                    }
                }
                Outcome::Stopped(Stop::Violation(violation)) => {
                    violated.insert(violation.property);
                }
                Outcome::Stopped(_) => return None,
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(violated)
}

/// What paths of the flat program violate, and how many states there are; none if they are too many, or come to a hazard.
pub(crate) fn violated_by_flat(
    program: &Program,
    limits: &Limits,
    most: usize,
) -> Result<Option<(BTreeSet<Property>, usize)>, String> {
    let interpreter = raddle_stepper::definition(program, semantics());
    let Ok(initial) = interpreter.initial_states() else {
        return Ok(None);
    };
    let Ok(flat) = flatten(&interpreter, &initial, limits, &Budget::unlimited()) else {
        return Ok(None);
    };
    let walk = Walk {
        interpreter: &interpreter,
        flat: &flat,
        initial: &initial,
        matched: Matched::default(),
        pending: VecDeque::new(),
        seen: HashSet::new(),
    };
    let mut pending: Vec<(Vec<u128>, Path)> = Vec::new();
    let mut seen: HashSet<Vec<u128>> = HashSet::new();
    for state in &initial {
        let first = flat.first_state(&interpreter, state);
        seen.insert(first.clone());
        pending.push((first, Vec::new()));
    }
    let mut violated = BTreeSet::new();
    while let Some((state, path)) = pending.pop() {
        for thread in 0..flat.thread_count() {
            let Some(all) = walk.inputs(&state, thread) else {
                return Ok(None);
            };
            for inputs in all {
                let Some((after, _)) = flat.system.step(&state, &inputs) else {
                    continue;
                };
                let reached = walk.reached(&state, &inputs);
                let mut longer = path.clone();
                longer.push((state.clone(), inputs));
                for target in reached {
                    let Meaning::Violation { property, .. } = flat.meaning(target) else {
                        return Ok(None);
                    };
                    if violated.insert(*property) {
                        let trace = flat.execution(&interpreter, &initial, &longer, target);
                        trace.ok_or_else(|| format!("the program does not violate {property}"))?;
                    }
                }
                if seen.insert(after.clone()) {
                    pending.push((after, longer));
                }
            }
        }
        if seen.len() > most {
            return Ok(None);
        }
    }
    Ok(Some((violated, seen.len())))
}

struct Walk<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    flat: &'a Flat<'p>,
    initial: &'a [State],
    matched: Matched,
    pending: VecDeque<(State, Vec<u128>, Path)>,
    seen: HashSet<(State, Vec<u128>)>,
}

impl Walk<'_, '_> {
    fn visit(&mut self, state: State, of_flat: Vec<u128>, path: Path) {
        if self.seen.insert((state.clone(), of_flat.clone())) {
            self.pending.push_back((state, of_flat, path));
        }
    }

    /// Compares the steps that leave a pair of states; whether that could be done.
    fn node(&mut self, state: &State, of_flat: &[u128], path: &Path) -> Result<bool, String> {
        let mut steps: BTreeMap<String, BTreeSet<Property>> = BTreeMap::new();
        let mut stepping: HashSet<Step> = HashSet::new();
        let mut has_hazard = false;
        for thread in 0..self.flat.thread_count() {
            let Some(all) = self.inputs(of_flat, thread) else {
                return Ok(false);
            };
            for inputs in all {
                let Some((after, _)) = self.flat.system.step(of_flat, &inputs) else {
                    continue;
                };
                let reached = self.reached(of_flat, &inputs);
                let mut longer = path.clone();
                longer.push((of_flat.to_vec(), inputs));
                let mut goes_on = true;
                let mut violated = BTreeSet::new();
                for target in reached {
                    match self.flat.meaning(target) {
                        Meaning::Hazard { reason, .. } => {
                            has_hazard = true;
                            goes_on = false;
                            self.matched.hazards.insert(reason.to_string());
                        }
                        Meaning::Violation { property, .. } => {
                            goes_on &= *property == Property::Overflow;
                            let trace = (self.flat).execution(
                                self.interpreter,
                                self.initial,
                                &longer,
                                target,
                            );
                            let Some(trace) = trace else {
                                if has_hazard {
                                    continue;
                                }
                                let can = self.interpreter.successors(state);
                                let can: Vec<String> = can
                                    .iter()
                                    .map(|it| format!("{:?}: {:?}", it.step, outcome_of(it)))
                                    .collect();
                                return Err(format!(
                                    "the program does not violate {property} as its flat one does, after {} steps; it can: {can:#?}",
                                    longer.len()
                                ));
                            };
                            violated.insert(*property);
                            let mut last = trace
                                .steps
                                .last()
                                .cloned()
                                .ok_or("a violation without a step")?;
                            if property.ends_executions() || *property == Property::Assert {
                                forget_choice(&mut last);
                            }
                            let key = format!("{last:?}");
                            steps.entry(key).or_default().insert(*property);
                        }
                    }
                }
                self.matched.violations.extend(&violated);
                if !goes_on {
                    continue;
                }
                if is_over(self.flat, &after) && violated.contains(&Property::Overflow) {
                    continue;
                }
                let followed = self.flat.follow(self.interpreter, self.initial, &longer);
                let Some((taken, next)) = followed else {
                    return Err(format!(
                        "the program does not step as its flat one, after {} steps",
                        longer.len()
                    ));
                };
                let last = taken.last().ok_or("a step without an edge")?;
                if taken.len() != longer.len() {
                    return Err("a step of the flat program that is none of the program".into());
                }
                steps.entry(format!("{last:?}")).or_default();
                stepping.insert(last.clone());
                if next.has_ended != is_over(self.flat, &after) {
                    return Err("one has ended and the other has not".into());
                }
                self.visit(next, after, longer);
            }
        }
        if !has_hazard {
            self.expect(state, &steps, &stepping)?;
        }
        Ok(true)
    }

    /// All that the program can do is among the steps of the flat one.
    fn expect(
        &self,
        state: &State,
        steps: &BTreeMap<String, BTreeSet<Property>>,
        stepping: &HashSet<Step>,
    ) -> Result<(), String> {
        for successor in self.interpreter.successors(state) {
            let mut step = successor.step.clone();
            if matches!(successor.outcome, Outcome::Stopped(_)) {
                forget_choice(&mut step);
            }
            let key = format!("{step:?}");
            if !steps.contains_key(&key) && self.is_same_anyway(&successor, stepping) {
                continue;
            }
            let Some(violated) = steps.get(&key) else {
                return Err(format!(
                    "the flat program misses a step: {key} leads to {}",
                    outcome_of(&successor)
                ));
            };
            for violation in &successor.violations {
                if !violated.contains(&violation.property) {
                    return Err(format!("the flat program misses: {}", violation.message));
                }
            }
            match &successor.outcome {
                Outcome::Next(_) if stepping.contains(&successor.step) => {}
                Outcome::Next(_) => return Err(format!("the flat program stops: {key}")),
                Outcome::Stopped(Stop::Violation(violation)) => {
                    if !violated.contains(&violation.property) {
                        return Err(format!("the flat program misses: {}", violation.message));
                    }
                }
                Outcome::Stopped(stop) => {
                    return Err(format!("the flat program misses a hazard: {stop:?}"));
                }
            }
        }
        Ok(())
    }

    /// Whether it only chooses another value for what nobody reads.
    fn is_same_anyway(&self, successor: &Successor, stepping: &HashSet<Step>) -> bool {
        let [part] = successor.step.parts.as_slice() else {
            return false;
        };
        let edge = self.interpreter.program().edge(part.function, part.edge);
        let is_other = |it: &&Step| {
            it.thread == successor.step.thread
                && it.parts.len() == 1
                && (it.parts[0].function, it.parts[0].edge) == (part.function, part.edge)
        };
        let others = stepping.iter().filter(is_other).count();
        matches!(edge.action, Action::Havoc { .. }) && others == 1
    }

    fn reached(&self, state: &[u128], inputs: &[u128]) -> Vec<TargetId> {
        let system = &self.flat.system;
        let mut assignment = system.assignment(state);
        for (variable, value) in system.inputs.iter().zip(inputs) {
            assignment.set(*variable, *value);
        }
        let mut values = Evaluation::new(assignment);
        let targets = system.targets.iter().enumerate();
        targets
            .filter(|(_, target)| values.holds(&system.terms, target.condition))
            .map(|(at, _)| TargetId::from_index(at))
            .collect()
    }

    /// All inputs that make a difference where a thread runs; none if they are too many.
    fn inputs(&self, state: &[u128], thread: usize) -> Option<Vec<Vec<u128>>> {
        let system = &self.flat.system;
        let matter: &[VariableId] = self.flat.choices(state, thread);
        let mut all = vec![Vec::new()];
        for input in &system.inputs {
            let width = system.terms.width(system.terms.variable_term(*input));
            let values: Vec<u128> = if system.terms.variable_name(*input).starts_with("who runs") {
                vec![thread as u128]
            } else if !matter.contains(input) {
                vec![0]
            } else if width == 16 {
                (0..=self.flat.thread_count() as u128).collect()
            } else {
                (0..1 << width).collect()
            };
            if all.len() * values.len() > MOST_INPUTS {
                return None;
            }
            all = all
                .iter()
                .flat_map(|before: &Vec<u128>| {
                    values.iter().map(move |value| {
                        let mut longer = before.clone();
                        longer.push(*value);
                        longer
                    })
                })
                .collect();
        }
        Some(all)
    }
}

/// What was chosen on an edge that fails does not matter any more.
fn forget_choice(step: &mut Step) {
    if let Some(last) = step.parts.last_mut() {
        last.choice = None;
    }
}

/// What becomes of a step, in short.
fn outcome_of(successor: &Successor) -> String {
    let violations = successor.violations.iter().map(|it| it.property);
    let violations: Vec<Property> = violations.collect();
    match &successor.outcome {
        Outcome::Next(_) => format!("{violations:?}"),
        Outcome::Stopped(stop) => format!("{violations:?}, {stop:?}"),
    }
}

fn is_over(flat: &Flat<'_>, state: &[u128]) -> bool {
    let variables = flat.system.state.iter().zip(state);
    let mut over = variables
        .filter(|(it, _)| flat.system.terms.variable_name(it.variable) == "the process has ended");
    over.any(|(_, value)| *value == 1)
}
