//! What is true of a small program, found by looking at all its states, and where an engine says otherwise.
//!
//! The enumeration is written without the engines: it walks over the interpreter's states and notes what it sees.

use std::collections::BTreeSet;

use raddle_certify::Audited;
use raddle_engine::{
    Answer, Budget, Condition, EndlessWait, Engine, EngineId, Proof, Reason, Reduction, Silent,
    Task, Trace, Verdict,
};
use raddle_ir::Program;
use raddle_ir::interpret::{Outcome, Property, Semantics, Stop};

use crate::bottoms::Waits;
use crate::decided::budget;
use crate::explore::explore_from;
use crate::shares::{name_of, reason_of};

/// Programs with more states are not worth the time.
pub const MAX_STATES: usize = 60_000;

/// What all executions of a program show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub violated: BTreeSet<Property>,
    /// Some execution comes to something unsupported or to a limit, and nothing is known of what follows.
    pub is_cut: bool,
    /// What ends executions: what is safe is so up to there, and says so.
    pub ended: BTreeSet<Property>,
    pub states: u64,
}

/// Everything that can happen, or `None` if it is more than `limit` states.
pub fn enumerate(program: &Program, semantics: &Semantics, limit: usize) -> Option<Seen> {
    let interpreter = raddle_stepper::definition(program, semantics.clone());
    let mut seen = Seen::default();
    let Ok(initial) = interpreter.initial_states() else {
        seen.is_cut = true;
        return Some(seen);
    };
    let mut waits = semantics
        .properties
        .contains(&Property::Deadlock)
        .then(Waits::default);
    let is_whole = explore_from(
        &interpreter,
        initial,
        limit,
        |interpreter, state, successors| {
            seen.states += 1;
            if let Some(waits) = &mut waits {
                waits.note(interpreter, state);
            }
            for violation in interpreter.judge(state) {
                seen.violated.insert(violation.property);
            }
            for successor in successors {
                for violation in &successor.violations {
                    seen.violated.insert(violation.property);
                }
                match &successor.outcome {
                    Outcome::Next(_) => {}
                    Outcome::Stopped(Stop::Violation(violation)) => {
                        seen.violated.insert(violation.property);
                        if violation.property.ends_executions() {
                            seen.ended.insert(violation.property);
                        }
                    }
                    Outcome::Stopped(
                        Stop::Unsupported { .. }
                        | Stop::ThreadLimit { .. }
                        | Stop::TooManyChoices { .. },
                    ) => seen.is_cut = true,
                }
            }
        },
    );
    if waits.is_some_and(|it| it.are_endless(program)) {
        seen.violated.insert(Property::Deadlock);
    }
    is_whole.then_some(seen)
}

/// How often an engine looks at its budget, that does not come to an end with every program, before it gives up.
const BOUNDED_LOOKS: u64 = 4_000;

/// What one engine makes of a program, with one worker and all the time it wants, if it comes to an end.
pub fn decide(engine: &mut dyn Engine, program: &Program, semantics: &Semantics) -> Answer {
    let task = Task::new(program, semantics.clone());
    let budget = match claim(engine) {
        Claim::Bounded => budget(BOUNDED_LOOKS),
        Claim::All | Claim::Most | Claim::Little => Budget::unlimited(),
    };
    raddle_engine::decide(engine, &task, &budget, &mut Silent)
}

/// What is wrong with a verdict, whatever its evidence.
pub fn problem(seen: &Seen, property: Property, verdict: &Verdict) -> Option<&'static str> {
    let is_violated = seen.violated.contains(&property);
    match verdict {
        Verdict::Safe(_) if is_violated => Some("missed violation"),
        Verdict::Safe(_) if seen.is_cut && property != Property::AtomicSets => {
            Some("safe although executions are cut")
        }
        // In which order units ran, and what happened before what, no state shows; the replay of the trace does.
        Verdict::Unsafe(trace)
            if !is_violated && property != Property::AtomicSets && !is_of_order(trace) =>
        {
            Some("false alarm")
        }
        Verdict::Unknown(Reason::PossibleEndlessWait(EndlessWait::NotConfirmed)) => {
            Some("somebody is taken to wait for ever who does not")
        }
        // What is lost on the heap, and invariants over what is not known in advance, are more than some can keep.
        Verdict::Unknown(Reason::UnsoundReduction {
            reduction,
            property,
        }) if reduction.is_sound_for(*property)
            && !matches!(property, Property::Memory | Property::Invariant) =>
        {
            Some("a sound reduction is not trusted")
        }
        Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
    }
}

/// What ends executions though a safe verdict does not rest on that.
pub fn forgotten(
    seen: &Seen,
    property: Property,
    verdict: &Verdict,
    conditions: &[Condition],
) -> Option<String> {
    let is_proved = matches!(verdict, Verdict::Safe(proof) if *proof != Proof::NothingToCheck);
    let is_named = |it: &Property| conditions.iter().any(|named| named.property() == Some(*it));
    let mut ended = seen.ended.iter();
    let forgotten = ended.find(|it| !is_named(it))?;
    (is_proved && property != Property::AtomicSets)
        .then(|| format!("safe, but not only as long as no `{forgotten}` violation happens"))
}

/// Whether a race is between steps that were taken, not between accesses that threads stand before.
pub fn is_of_order(trace: &Trace) -> bool {
    let violation = &trace.violation;
    violation.property == Property::Race && violation.labels.iter().all(|it| it.step.is_some())
}

/// Why nothing that executions do explains that a verdict is unknown.
pub fn unexplained(seen: &Seen, property: Property, verdict: &Verdict) -> Option<&'static str> {
    let Verdict::Unknown(reason) = verdict else {
        return None;
    };
    match reason {
        Reason::NotDecidedByEngine if property == Property::AtomicSets => None,
        // Who does not trust itself says so, and what to use instead.
        Reason::UnsoundReduction { .. } => None,
        Reason::PossibleEndlessWait(EndlessWait::OnlyHashes) => None,
        _ if seen.violated.contains(&property) => Some("unknown although violated"),
        Reason::WeakerMemoryOrder { .. } | Reason::TryLock { .. } | Reason::UnclearOrder { .. } => {
            None
        }
        // Who waits where an execution ends might wait for ever if it did not.
        _ if property == Property::Deadlock && !seen.ended.is_empty() => None,
        _ if !seen.is_cut => Some("unknown although nothing is cut"),
        _ => None,
    }
}

/// Who may leave something unknown that it might have decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// Decides everything that is not cut.
    All,
    /// Decides nearly everything: what it leaves out is counted.
    Most,
    /// Proves what it can and says nothing of the rest.
    Little,
    /// The same, and it may go on for ever.
    Bounded,
}

fn claim(engine: &dyn Engine) -> Claim {
    match (engine.id(), engine.reduction()) {
        (
            EngineId::Bmc | EngineId::Pushdown | EngineId::Token | EngineId::Sample | EngineId::Ic3,
            _,
        ) => Claim::Bounded,
        (EngineId::Static, _) => Claim::Little,
        (EngineId::Reference | EngineId::Explicit, Reduction::None) => Claim::All,
        (
            EngineId::Reference | EngineId::Explicit,
            Reduction::Local
            | Reduction::Static
            | Reduction::Phase
            | Reduction::Optimistic
            | Reduction::Dynamic,
        ) => Claim::Most,
    }
}

/// Where answers and the enumeration part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Never right.
    pub disagreements: Vec<String>,
    /// What a reduction leaves unknown though nothing explains it. A few may.
    pub unexplained: Vec<String>,
    /// Every verdict that was asked for.
    pub answers: Vec<Answered>,
}

/// Whether an engine decided a property, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// As in headers.
    pub engine: String,
    pub property: Property,
    pub unknown: Option<String>,
}

/// Of this many programs at most may a reduction leave something unknown that nothing explains.
pub const MAX_UNEXPLAINED_PERCENT: usize = 5;

/// Where an engine's answers and the enumeration part. Every trace is replayed.
pub fn compared(
    engine: &mut dyn Engine,
    program: &Program,
    semantics: &Semantics,
    seen: &Seen,
) -> Compared {
    let answer = decide(engine, program, semantics);
    let mut found = Compared::default();
    for &property in &semantics.properties {
        let Some(verdict) = answer.verdicts.get(&property) else {
            found.disagreements.push(format!("{property}: no verdict"));
            continue;
        };
        if engine.decides(property) {
            found.answers.push(Answered {
                engine: name_of(engine),
                property,
                unknown: reason_of(verdict),
            });
        }
        if let Some(problem) = problem(seen, property, verdict) {
            found.disagreements.push(format!("{property}: {problem}"));
        }
        if let Some(why) = forgotten(seen, property, verdict, &answer.conditions) {
            found.disagreements.push(format!("{property}: {why}"));
        }
        if let Some(why) = unexplained(seen, property, verdict) {
            match claim(engine) {
                Claim::All => found.disagreements.push(format!("{property}: {why}")),
                Claim::Most => found.unexplained.push(format!("{property}: {why}")),
                Claim::Little | Claim::Bounded => {}
            }
        }
        if let Err(rejected) = Audited::new(program, semantics, property, verdict.clone()) {
            found.disagreements.push(format!("{property}: {rejected}"));
        }
    }
    found
        .disagreements
        .extend(miscounted(engine, program, semantics, &answer, seen));
    found
}

/// Where any engine of the tool, with any of its reductions, and the enumeration part.
pub fn all_compared(program: &Program, semantics: &Semantics, seen: &Seen) -> Compared {
    compared_with(raddle_driver::engines(), program, semantics, seen)
}

/// Where any of these engines and the enumeration part.
pub fn compared_with(
    engines: Vec<Box<dyn Engine>>,
    program: &Program,
    semantics: &Semantics,
    seen: &Seen,
) -> Compared {
    let mut all = Compared::default();
    for mut engine in engines {
        let found = compared(engine.as_mut(), program, semantics, seen);
        let named = |it: String| {
            format!(
                "{} with reduction {}: {it}",
                engine.name(),
                engine.reduction()
            )
        };
        all.answers.extend(found.answers);
        all.disagreements
            .extend(found.disagreements.into_iter().map(named));
        all.unexplained
            .extend(found.unexplained.into_iter().map(named));
    }
    all
}

/// The same without what may happen.
pub fn all_disagreements(program: &Program, semantics: &Semantics, seen: &Seen) -> Vec<String> {
    all_compared(program, semantics, seen).disagreements
}

/// An engine that leaves nothing out has to see every state, unless it stops early because all is decided; others
/// store no more than there are. Where one value stands for many, `explicit` sees the states of that one.
fn miscounted(
    engine: &dyn Engine,
    program: &Program,
    semantics: &Semantics,
    answer: &Answer,
    seen: &Seen,
) -> Option<String> {
    let has_safe = answer
        .verdicts
        .values()
        .any(|it| matches!(it, Verdict::Safe(_)));
    let states = *answer.counters.get("states")?;
    let is_wrong = match engine.reduction() {
        Reduction::None => {
            let tries_few = engine.id() == EngineId::Explicit && states < seen.states;
            has_safe
                && states != seen.states
                && !(tries_few && tried_states(program, semantics, seen.states) == Some(states))
        }
        Reduction::Local
        | Reduction::Static
        | Reduction::Phase
        | Reduction::Optimistic
        | Reduction::Dynamic => states > seen.states,
    };
    is_wrong.then(|| format!("{states} states stored, {} exist", seen.states))
}

/// How many states there are if one value of each class is tried, and no more than exist.
fn tried_states(program: &Program, semantics: &Semantics, exist: u64) -> Option<u64> {
    let interpreter = raddle_stepper::stepper(program, semantics.clone());
    let initial = interpreter.initial_states().ok()?;
    let limit = usize::try_from(exist).ok()?;
    let mut states = 0;
    let is_whole = explore_from(&interpreter, initial, limit, |_, _, _| states += 1);
    is_whole.then_some(states)
}

#[cfg(test)]
mod tests {
    use raddle_engine::{Claims, Proof};

    use super::*;
    use crate::run;
    use raddle_tasks::header::Header;

    /// Says that everything is safe.
    struct Optimist;

    impl Engine for Optimist {
        fn id(&self) -> EngineId {
            EngineId::Reference
        }

        fn reduction(&self) -> Reduction {
            Reduction::None
        }

        fn decides(&self, _: Property) -> bool {
            true
        }

        fn claim(
            &mut self,
            task: &Task<'_>,
            _: &Budget,
            _: &mut dyn raddle_engine::Events,
        ) -> Claims {
            let safe = || Verdict::Safe(Proof::SearchExhausted(Reduction::None));
            Claims::new(Answer {
                verdicts: task
                    .semantics
                    .properties
                    .iter()
                    .map(|it| (*it, safe()))
                    .collect(),
                counters: [("states", 7)].into(),
                ..Answer::default()
            })
        }
    }

    fn program() -> Program {
        let text = "var x: u8\nthread t[2] {\n    let a = x\n    x = a + 1\n    assert a == 0\n}\n";
        run::load(text, &Header::default()).expect("it is a program")
    }

    #[test]
    fn an_engine_that_misses_violations_and_states_is_noticed() {
        let (program, semantics) = (program(), Semantics::default());
        let seen = enumerate(&program, &semantics, 1_000).expect("it is small");
        let expected = BTreeSet::from([Property::Assert, Property::Race]);
        assert_eq!(seen.violated, expected);
        assert!(!seen.is_cut);
        assert_eq!(
            compared(&mut Optimist, &program, &semantics, &seen).disagreements,
            [
                "assert: missed violation".to_owned(),
                "race: missed violation".to_owned(),
                format!("7 states stored, {} exist", seen.states),
            ]
        );
    }

    #[test]
    fn a_false_alarm_and_an_unknown_without_cause_are_noticed() {
        let (program, semantics) = (program(), Semantics::default());
        let answer = raddle_driver::engines()
            .iter_mut()
            .map(|engine| decide(engine.as_mut(), &program, &semantics))
            .next()
            .expect("there is an engine");
        let alarm = &answer.verdicts[&Property::Assert];
        let safe = Seen::default();
        assert_eq!(problem(&safe, Property::Assert, alarm), Some("false alarm"));
        let unknown = Verdict::Unknown(Reason::OutOfTime);
        assert_eq!(problem(&safe, Property::Assert, &unknown), None);
        assert_eq!(
            unexplained(&safe, Property::Assert, &unknown),
            Some("unknown although nothing is cut")
        );
        let cut = Seen {
            is_cut: true,
            ..Seen::default()
        };
        let proved = Verdict::Safe(Proof::SearchExhausted(Reduction::None));
        assert_eq!(
            problem(&cut, Property::Assert, &proved),
            Some("safe although executions are cut")
        );
        assert_eq!(unexplained(&cut, Property::Assert, &unknown), None);
    }

    /// Knows nothing, and has stored more than there is.
    struct Doubter(Reduction);

    impl Engine for Doubter {
        fn id(&self) -> EngineId {
            EngineId::Explicit
        }

        fn reduction(&self) -> Reduction {
            self.0
        }

        fn decides(&self, _: Property) -> bool {
            true
        }

        fn claim(
            &mut self,
            task: &Task<'_>,
            _: &Budget,
            _: &mut dyn raddle_engine::Events,
        ) -> Claims {
            let unknown = || Verdict::Unknown(Reason::OutOfTime);
            Claims::new(Answer {
                verdicts: task
                    .semantics
                    .properties
                    .iter()
                    .map(|it| (*it, unknown()))
                    .collect(),
                counters: [("states", 1_000)].into(),
                ..Answer::default()
            })
        }
    }

    #[test]
    fn what_a_reduction_leaves_unknown_is_counted_and_what_it_stores_is_bounded() {
        let program = program();
        let semantics = Semantics {
            properties: vec![Property::Assert, Property::Deadlock],
            ..Semantics::default()
        };
        let seen = enumerate(&program, &semantics, 1_000).expect("it is small");
        let reduced = compared(
            &mut Doubter(Reduction::Optimistic),
            &program,
            &semantics,
            &seen,
        );
        assert_eq!(
            reduced.unexplained,
            [
                "assert: unknown although violated",
                "deadlock: unknown although nothing is cut",
            ]
        );
        assert_eq!(
            reduced.disagreements,
            [format!("1000 states stored, {} exist", seen.states)]
        );
        let whole = compared(&mut Doubter(Reduction::None), &program, &semantics, &seen);
        assert_eq!(whole.disagreements, reduced.unexplained);
    }

    #[test]
    fn a_program_with_too_many_states_is_left_alone() {
        assert_eq!(enumerate(&program(), &Semantics::default(), 3), None);
    }
}
