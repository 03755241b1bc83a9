//! Programs whose inputs nobody can enumerate: the bounded engine decides all of them, as their headers say.

use std::time::Duration;

use raddle_certify::Audited;
use raddle_engine::{Budget, Reduction, Silent, Task};
use raddle_engine_bmc::BmcEngine;
use raddle_ir::DataModel;
use raddle_ir::interpret::Semantics;
use raddle_testkit::against_gcc::compiler;
use raddle_testkit::header::Expected;
use raddle_testkit::{run, walk};

/// Where they lie.
const FOLDER: &str = "tests/c/arithmetic/";

/// The solver may be built without optimisation.
const TIMEOUT: Duration = Duration::from_mins(3);

#[test]
fn the_bounded_engine_decides_programs_whose_inputs_cannot_be_enumerated() {
    if !compiler::models_for_tests().contains(&DataModel::Lp64) {
        return;
    }
    let programs = walk::programs(&walk::repository_root()).expect("they can be read");
    let arithmetic: Vec<_> = programs
        .iter()
        .filter(|it| it.name.starts_with(FOLDER))
        .collect();
    assert!(!arithmetic.is_empty(), "{FOLDER} holds programs");
    let mut problems = Vec::new();
    for it in arithmetic {
        let header = it.header().expect("the header is right");
        let program = run::load(&it.source, &header).expect("it is a program");
        let semantics = Semantics {
            properties: header.truth.keys().copied().collect(),
            ..Semantics::default()
        };
        let task = Task::new(&program, semantics.clone());
        let budget = Budget::unlimited().with_timeout(TIMEOUT);
        let answer = raddle_engine::decide(
            &mut BmcEngine::new(Reduction::Static),
            &task,
            &budget,
            &mut Silent,
        );
        for (property, truth) in &header.truth {
            let name = &it.name;
            let Some(verdict) = answer.verdicts.get(property) else {
                problems.push(format!("{name}: nothing is said of {property}"));
                continue;
            };
            let wanted = Expected::from(*truth).word();
            if verdict.word() != wanted {
                problems.push(format!(
                    "{name}: {property} is {wanted}, not {}: {verdict:?}",
                    verdict.word()
                ));
            }
            if let Err(rejected) = Audited::new(&program, &semantics, *property, verdict.clone()) {
                problems.push(format!("{name}: {property}: {rejected}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
