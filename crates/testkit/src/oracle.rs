//! What is true of a small program, found by looking at all its states, and where an engine says otherwise.
//!
//! The enumeration is written without the engines: it walks over the interpreter's states and notes what it sees.

use std::collections::BTreeSet;

use raddle_certify::Audited;
use raddle_engine::{Answer, Budget, Engine, Reason, Reduction, Silent, Task, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Outcome, Property, Semantics, Stop};

use crate::explore::explore_from;

/// Programs with more states are not worth the time.
pub const MAX_STATES: usize = 60_000;

/// What all executions of a program show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub violated: BTreeSet<Property>,
    /// Some execution does something undefined or unsupported, and nothing is known of what follows.
    pub is_cut: bool,
    pub states: u64,
}

/// Everything that can happen, or `None` if it is more than `limit` states.
pub fn enumerate(program: &Program, semantics: &Semantics, limit: usize) -> Option<Seen> {
    let interpreter = Interpreter::new(program, semantics.clone());
    let mut seen = Seen::default();
    let Ok(initial) = interpreter.initial_states() else {
        seen.is_cut = true;
        return Some(seen);
    };
    let is_whole = explore_from(
        &interpreter,
        initial,
        limit,
        |interpreter, state, successors| {
            seen.states += 1;
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
                        seen.is_cut |= violation.property != Property::Assert;
                        seen.violated.insert(violation.property);
                    }
                    Outcome::Stopped(
                        Stop::Undefined { .. }
                        | Stop::Unsupported { .. }
                        | Stop::ThreadLimit { .. }
                        | Stop::TooManyChoices { .. },
                    ) => seen.is_cut = true,
                }
            }
        },
    );
    is_whole.then_some(seen)
}

/// What one engine makes of a program, with one worker and all the time it wants.
pub fn decide(engine: &mut dyn Engine, program: &Program, semantics: &Semantics) -> Answer {
    let task = Task {
        program,
        semantics: semantics.clone(),
        seed: 0,
        jobs: 1,
    };
    engine.decide(&task, &Budget::unlimited(), &mut Silent)
}

/// What is wrong with a verdict, whatever its evidence.
pub fn problem(seen: &Seen, property: Property, verdict: &Verdict) -> Option<&'static str> {
    let is_violated = seen.violated.contains(&property);
    match verdict {
        Verdict::Safe(_) if is_violated => Some("missed violation"),
        Verdict::Safe(_) if seen.is_cut && property != Property::AtomicSets => {
            Some("safe although executions are cut")
        }
        Verdict::Unsafe(_) if !is_violated => Some("false alarm"),
        // Of an engine that proves what it can and says nothing of the rest.
        Verdict::Unknown(
            Reason::NotDecidedByEngine
            | Reason::NotProved { .. }
            | Reason::UndefinedNotExcluded { .. },
        ) => None,
        Verdict::Unknown(_) if is_violated => Some("unknown although violated"),
        Verdict::Unknown(Reason::WeakerMemoryOrder { .. } | Reason::TryLock { .. }) => None,
        Verdict::Unknown(_) if !seen.is_cut => Some("unknown although nothing is cut"),
        Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
    }
}

/// Where an engine's answers and the enumeration part. Every trace is replayed.
pub fn disagreements(
    engine: &mut dyn Engine,
    program: &Program,
    semantics: &Semantics,
    seen: &Seen,
) -> Vec<String> {
    let answer = decide(engine, program, semantics);
    let mut found = Vec::new();
    for &property in &semantics.properties {
        let Some(verdict) = answer.verdicts.get(&property) else {
            found.push(format!("{property}: no verdict"));
            continue;
        };
        if let Some(problem) = problem(seen, property, verdict) {
            found.push(format!("{property}: {problem}"));
        }
        if let Err(rejected) = Audited::new(program, semantics, property, verdict.clone()) {
            found.push(format!("{property}: {rejected}"));
        }
    }
    found.extend(miscounted(engine, &answer, seen));
    found
}

/// Where any engine of the tool, with any of its reductions, and the enumeration part.
pub fn all_disagreements(program: &Program, semantics: &Semantics, seen: &Seen) -> Vec<String> {
    let mut found = Vec::new();
    for mut engine in raddle_driver::engines() {
        for problem in disagreements(engine.as_mut(), program, semantics, seen) {
            found.push(format!(
                "{} with reduction {}: {problem}",
                engine.name(),
                engine.reduction()
            ));
        }
    }
    found
}

/// An engine that leaves nothing out has to see every state, unless it stops early because all is decided.
fn miscounted(engine: &dyn Engine, answer: &Answer, seen: &Seen) -> Option<String> {
    let has_safe = answer
        .verdicts
        .values()
        .any(|it| matches!(it, Verdict::Safe(_)));
    match engine.reduction() {
        Reduction::None => {
            let states = *answer.counters.get("states")?;
            (has_safe && states != seen.states)
                .then(|| format!("{states} states stored, {} exist", seen.states))
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_engine::Proof;

    use super::*;
    use crate::run;
    use raddle_tasks::header::Header;

    /// Says that everything is safe.
    struct Optimist;

    impl Engine for Optimist {
        fn name(&self) -> &'static str {
            "optimist"
        }

        fn reduction(&self) -> Reduction {
            Reduction::None
        }

        fn decide(
            &mut self,
            task: &Task<'_>,
            _: &Budget,
            _: &mut dyn raddle_engine::Events,
        ) -> Answer {
            let safe = || Verdict::Safe(Proof::SearchExhausted(Reduction::None));
            Answer {
                verdicts: task
                    .semantics
                    .properties
                    .iter()
                    .map(|it| (*it, safe()))
                    .collect(),
                counters: [("states", 7)].into(),
                observes_layout: false,
            }
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
            disagreements(&mut Optimist, &program, &semantics, &seen),
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
        let unknown = Verdict::Unknown(Reason::NotDecidedByEngine);
        assert_eq!(problem(&safe, Property::Assert, &unknown), None);
        let cut = Seen {
            is_cut: true,
            ..Seen::default()
        };
        let proved = Verdict::Safe(Proof::SearchExhausted(Reduction::None));
        assert_eq!(
            problem(&cut, Property::Assert, &proved),
            Some("safe although executions are cut")
        );
    }

    #[test]
    fn a_program_with_too_many_states_is_left_alone() {
        assert_eq!(enumerate(&program(), &Semantics::default(), 3), None);
    }
}
