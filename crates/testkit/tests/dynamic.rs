//! The side conditions of dynamic movers: on the programs about them, each one left out hides a failing assertion.

use raddle_engine::{Budget, Engine, Property, Reduction, Semantics, Silent, Task, Verdict};
use raddle_engine_explicit::{ExplicitEngine, Flaw};
use raddle_ir::Program;
use raddle_reduce::dynamic::Clause;
use raddle_tasks::header::Truth;
use raddle_testkit::{run, walk};

/// The programs in which an assertion fails, with their names.
fn failing_programs() -> Vec<(String, Program)> {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    programs
        .into_iter()
        .filter(|test| test.name.contains("tests/rad/dynamic"))
        .filter_map(|test| {
            let header = test.header().expect("it has a header");
            let fails = header.truth.get(&Property::Assert) == Some(&Truth::Unsafe);
            fails.then(|| {
                let program = run::load(&test.source, &header).expect("it is a program");
                (test.name, program)
            })
        })
        .collect()
}

/// Whether the engine calls the assertions safe.
fn is_called_safe(program: &Program, clause: Option<Clause>) -> bool {
    let mut engine = ExplicitEngine {
        flaw: Flaw {
            clause,
            ..Flaw::default()
        },
        ..ExplicitEngine::new(Reduction::Dynamic)
    };
    let task = Task {
        program,
        semantics: Semantics {
            properties: vec![Property::Assert],
            ..Semantics::default()
        },
        seed: 0,
        jobs: 1,
    };
    let answer = engine.decide(&task, &Budget::unlimited(), &mut Silent);
    matches!(answer.verdicts[&Property::Assert], Verdict::Safe(_))
}

#[test]
fn every_side_condition_is_needed_for_some_program() {
    let programs = failing_programs();
    assert!(programs.len() >= 20, "only {} programs", programs.len());
    for (name, program) in &programs {
        assert!(!is_called_safe(program, None), "{name} is called safe");
    }
    let mut missing = Vec::new();
    for clause in Clause::ALL {
        let fooled: Vec<&str> = programs
            .iter()
            .filter(|(_, program)| is_called_safe(program, Some(clause)))
            .map(|(name, _)| name.as_str())
            .collect();
        println!("{clause:?}: {fooled:?}");
        if fooled.is_empty() {
            missing.push(clause);
        }
    }
    assert!(missing.is_empty(), "nothing needs {missing:?}");
}
