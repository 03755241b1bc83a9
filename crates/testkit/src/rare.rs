//! Assertions planted on what only few executions show: a reduction that loses executions loses these first.
//!
//! What a thread sees of itself (where it stands, what its registers hold) is what assertions over registers can speak
//! of, and every reduction claims to keep them. So wherever the enumeration found a thread, an assertion that denies just that is
//! violated, and an engine that calls it safe is wrong. The more often the running thread has to change before it is
//! seen, the likelier is it that a wrong mover hides it.

use std::collections::{BTreeMap, HashMap, VecDeque};

use raddle_engine::{Condition, Engine, Verdict};
use raddle_ir::interpret::{Interpreter, Outcome, Property, Semantics, State, ThreadNumber, Value};
use raddle_ir::{
    Action, BinaryOp, Expression, FunctionId, Location, LocationId, Program, RegisterId, Scalar,
    validate,
};

use crate::oracle::decide;

/// Where a thread stands, and what the registers of its running function hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct View {
    function: FunctionId,
    location: LocationId,
    /// Those with a value that an assertion can name.
    registers: Vec<(RegisterId, u128)>,
}

/// The views of threads that take the most switches to see, the hardest first; none if there are more states than `limit`.
pub fn rarest(program: &Program, semantics: &Semantics, limit: usize, count: usize) -> Vec<View> {
    let interpreter = raddle_stepper::definition(program, semantics.clone());
    let Some(graph) = Graph::of(&interpreter, limit) else {
        return Vec::new();
    };
    let mut rank: BTreeMap<View, u32> = BTreeMap::new();
    for (state, switches) in graph.states.iter().zip(graph.fewest_switches()) {
        for view in views(program, state) {
            let known = rank.entry(view).or_insert(switches);
            *known = switches.min(*known);
        }
    }
    let mut ranked: Vec<(View, u32)> = rank.into_iter().filter(|(_, it)| *it > 0).collect();
    ranked.sort_by_key(|(_, switches)| std::cmp::Reverse(*switches));
    ranked
        .into_iter()
        .map(|(view, _)| view)
        .take(count)
        .collect()
}

/// The program with an assertion that the view is never seen.
pub fn deny(program: &Program, view: &View) -> Option<Program> {
    let mut draft = program.clone().into_draft();
    let function = &mut draft.functions[view.function];
    let same = |&(register, bits): &(RegisterId, u128)| {
        let constant = Expression::Constant(bits, function.registers[register].ty);
        Expression::binary(BinaryOp::Equal, Expression::Register(register), constant)
    };
    let is_seen = view
        .registers
        .iter()
        .map(same)
        .reduce(|all, next| Expression::binary(BinaryOp::And, all, next))
        .unwrap_or_else(|| Expression::bool(true));
    let behind = function.locations.push(Location::default());
    for edge in function.edges.values_mut() {
        if edge.from == view.location {
            edge.from = behind;
        }
    }
    let assertion = Action::Assert {
        condition: is_seen.not(),
        message: None,
    };
    function.connect(view.location, assertion, behind, None);
    validate(draft).ok()
}

/// The program with what is hardest to see denied, one thing at a time: every one of them violates an assertion.
pub fn planted(
    program: &Program,
    semantics: &Semantics,
    limit: usize,
    count: usize,
) -> Vec<Program> {
    rarest(program, semantics, limit, count)
        .iter()
        .filter_map(|view| deny(program, view))
        .collect()
}

/// Whether an engine calls a program safe whose assertion is violated.
pub fn is_missed(engine: &mut dyn Engine, planted: &Program, semantics: &Semantics) -> bool {
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..semantics.clone()
    };
    let answer = decide(engine, planted, &semantics);
    let verdict = answer.verdicts.get(&Property::Assert);
    // What is planted may look at a value that was never set: then executions end there, and safe is what comes before.
    let looks = |it: &Condition| it.property() == Some(Property::Uninitialized);
    matches!(verdict, Some(Verdict::Safe(_))) && !answer.conditions.iter().any(looks)
}

/// The engines with their reductions that miss something of what is hardest to see.
pub fn missed(program: &Program, semantics: &Semantics, limit: usize, count: usize) -> Vec<String> {
    missed_by(raddle_driver::engines, program, semantics, (limit, count))
}

/// The same of these engines.
pub fn missed_by(
    engines: impl Fn() -> Vec<Box<dyn Engine>>,
    program: &Program,
    semantics: &Semantics,
    (limit, count): (usize, usize),
) -> Vec<String> {
    let program = remembering(program.clone());
    let mut found = Vec::new();
    for planted in planted(&program, semantics, limit, count) {
        for mut engine in engines() {
            if is_missed(engine.as_mut(), &planted, semantics) {
                found.push(format!(
                    "{} with reduction {}: assert: a planted violation is missed in\n{}",
                    engine.name(),
                    engine.reduction(),
                    raddle_ir::print::print(&planted)
                ));
            }
        }
    }
    found
}

/// The program with registers that keep what they hold, so that views show more of what has happened.
pub fn remembering(program: Program) -> Program {
    let mut draft = program.into_draft();
    for function in draft.functions.values_mut() {
        for register in function.registers.values_mut() {
            register.is_temporary = false;
        }
    }
    validate(draft).expect("how long a register keeps its value is nobody's concern")
}

/// What the threads of a state see.
fn views<'s>(program: &'s Program, state: &'s State) -> impl Iterator<Item = View> + 's {
    let running = state.threads.values().filter(|_| !state.has_ended);
    running
        .filter_map(|thread| thread.frames.last())
        .map(|frame| {
            let function = &program.functions[frame.function];
            let named = function.registers.iter().zip(&frame.registers);
            let registers = named
                .filter_map(|((register, declared), value)| match (declared.ty, value) {
                    (Scalar::Int(_), Value::Bits(bits)) => Some((register, *bits)),
                    (Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread, _) => {
                        None
                    }
                })
                .collect();
            View {
                function: frame.function,
                location: frame.location,
                registers,
            }
        })
}

/// All states with the steps between them.
struct Graph {
    states: Vec<State>,
    initial: usize,
    next: Vec<Vec<(ThreadNumber, usize)>>,
}

impl Graph {
    fn of(interpreter: &Interpreter<'_>, limit: usize) -> Option<Self> {
        let mut states = interpreter.initial_states().ok()?;
        let initial = states.len();
        let mut numbers: HashMap<State, usize> = states.iter().cloned().zip(0..).collect();
        let mut next = Vec::new();
        while next.len() < states.len() {
            if states.len() > limit {
                return None;
            }
            let mut steps = Vec::new();
            for successor in interpreter.successors(&states[next.len()]) {
                if let Outcome::Next(state) = successor.outcome {
                    let number = *numbers.entry(state).or_insert_with_key(|state| {
                        states.push(state.clone());
                        states.len() - 1
                    });
                    steps.push((successor.step.thread, number));
                }
            }
            next.push(steps);
        }
        Some(Self {
            states,
            initial,
            next,
        })
    }

    /// How often the running thread has to change before each state is reached.
    fn fewest_switches(&self) -> Vec<u32> {
        let mut fewest = vec![u32::MAX; self.states.len()];
        let mut known: HashMap<(usize, Option<ThreadNumber>), u32> = HashMap::new();
        let mut open: VecDeque<(usize, Option<ThreadNumber>, u32)> =
            (0..self.initial).map(|at| (at, None, 0)).collect();
        while let Some((at, last, switches)) = open.pop_front() {
            if known.get(&(at, last)).is_some_and(|it| *it <= switches) {
                continue;
            }
            known.insert((at, last), switches);
            fewest[at] = fewest[at].min(switches);
            for &(thread, to) in &self.next[at] {
                if last.is_none_or(|it| it == thread) {
                    open.push_front((to, Some(thread), switches));
                } else {
                    open.push_back((to, Some(thread), switches + 1));
                }
            }
        }
        fewest
    }
}

#[cfg(test)]
mod tests {
    use raddle_tasks::header::Header;

    use super::*;
    use crate::oracle::enumerate;
    use crate::run;

    /// The second write is seen between the writes of the other thread only.
    const PROGRAM: &str = "\
var x: u8
thread writer {
    x = 1
    x = 2
}
thread reader {
    let a = x
    let b = x
    let c = a + b
}
";

    #[test]
    fn what_needs_the_most_switches_is_seen_and_can_be_denied() {
        let program = run::load(PROGRAM, &Header::default()).expect("it is a program");
        let semantics = Semantics::default();
        let views = rarest(&program, &semantics, 1_000, 1);
        let bits: Vec<u128> = views[0].registers.iter().map(|it| it.1).collect();
        assert_eq!(bits, [1, 2], "{views:?}");
        let denied = deny(&program, &views[0]).expect("it is a program");
        let seen = enumerate(&denied, &semantics, 1_000).expect("it is small");
        assert!(seen.violated.contains(&Property::Assert));
    }

    #[test]
    fn whatever_is_denied_can_be_seen() {
        let semantics = Semantics::default();
        let profile = raddle_generate::Profile::default();
        for seed in 1..20 {
            let program = raddle_generate::generate(seed, &profile);
            for view in rarest(&program, &semantics, 2_000, 4) {
                let denied = deny(&program, &view).expect("it is a program");
                let seen = enumerate(&denied, &semantics, 20_000);
                assert!(
                    seen.is_none_or(|it| it.violated.contains(&Property::Assert)),
                    "seed {seed}: {view:?}"
                );
            }
        }
    }
}
