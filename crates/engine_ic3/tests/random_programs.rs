//! What the engine says of random programs is what the reference engine says; what it finds passes the certifier.

use raddle_certify::Audited;
use raddle_engine::{Answer, Budget, Engine, Property, Semantics, Silent, Task, Verdict, decide};
use raddle_engine_ic3::Ic3Engine;
use raddle_engine_reference::ReferenceEngine;
use raddle_generate::{Profile, generate};
use raddle_ir::Program;

const PROGRAMS: u64 = 60;
const LOOKS: u64 = 20_000;

fn semantics() -> Semantics {
    let all = Property::ALL.into_iter();
    Semantics {
        properties: all.filter(|it| Ic3Engine::default().decides(*it)).collect(),
        ..Semantics::default()
    }
}

fn ask(engine: &mut dyn Engine, program: &Program) -> Answer {
    let budget = Budget::unlimited().with_looks(LOOKS);
    decide(
        engine,
        &Task::new(program, semantics()),
        &budget,
        &mut Silent,
    )
}

#[test]
fn what_it_says_is_what_the_enumeration_says() {
    let [mut proved, mut found, mut unknown] = [0; 3];
    for seed in 0..PROGRAMS {
        let program = generate(seed, &Profile::default());
        let answer = ask(&mut Ic3Engine::default(), &program);
        let reference = ask(&mut ReferenceEngine, &program);
        for (property, verdict) in answer.verdicts {
            let truth = reference.verdicts[&property].word();
            let text = || raddle_ir::print::print(&program);
            match &verdict {
                Verdict::Safe(_) => {
                    proved += 1;
                    assert_ne!(truth, "unsafe", "{property} of program {seed}\n{}", text());
                }
                Verdict::Unsafe(_) => {
                    found += 1;
                    assert_ne!(truth, "safe", "{property} of program {seed}\n{}", text());
                    let audited = Audited::new(&program, &semantics(), property, verdict);
                    assert!(audited.is_ok(), "{property} of program {seed}\n{}", text());
                }
                Verdict::Unknown(_) => unknown += 1,
            }
        }
    }
    println!("{proved} proved, {found} found, {unknown} unknown");
    assert!(
        proved > PROGRAMS && found > PROGRAMS / 4,
        "{proved}, {found}, {unknown}"
    );
}
