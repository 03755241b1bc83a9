//! One state may stand for all that differ from it in names only: no verdict changes.

use raddle_engine::{
    Budget, Claims, Counters, Engine, EngineId, Events, Property, Reason, Reduction, Task, Verdict,
};
use raddle_engine_explicit::ExplicitEngine;
use raddle_generate::{Profile, generate};
use raddle_ir::interpret::Semantics;
use raddle_ir::{Action, Callee, Program, validate};
use raddle_testkit::oracle::{compared, enumerate};
use raddle_testkit::seeds::seeds;

/// Programs with more states are left to the other tests.
const MAX_STATES: usize = 4_000;

/// A search up to names; how many states it stored is not how many there are.
struct UpToNames {
    engine: ExplicitEngine,
    states: u64,
}

impl UpToNames {
    fn new(reduction: Reduction) -> Self {
        Self {
            engine: ExplicitEngine {
                symmetry: true,
                ..ExplicitEngine::new(reduction)
            },
            states: 0,
        }
    }
}

impl Engine for UpToNames {
    fn id(&self) -> EngineId {
        self.engine.id()
    }

    fn reduction(&self) -> Reduction {
        self.engine.reduction()
    }

    fn decides(&self, property: Property) -> bool {
        self.engine.decides(property)
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims {
        let mut claims = self.engine.claim(task, budget, events);
        self.states = claims.counters_mut().remove("states").unwrap_or_default();
        claims
    }

    fn decide_unordered(
        &mut self,
        task: &Task<'_>,
        weakness: &Reason,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> (Verdict, Counters) {
        self.engine.decide_unordered(task, weakness, budget, events)
    }
}

/// The same program, with threads that all do what one of them did.
fn twins(program: &Program, seed: u64) -> Option<Program> {
    let mut draft = program.clone().into_draft();
    let functions: Vec<_> = draft.functions.ids().collect();
    let roots = draft.roots.len();
    if roots > 1 {
        let copied = draft.roots[usize::try_from(seed).ok()? % roots].clone();
        for root in &mut draft.roots {
            root.function = copied.function;
            root.arguments.clone_from(&copied.arguments);
        }
    } else {
        let copied = *functions.get(1)?;
        for function in draft.functions.values_mut() {
            for edge in function.edges.values_mut() {
                if let Action::Spawn {
                    callee: Callee::Direct(callee),
                    arguments,
                    ..
                } = &mut edge.action
                    && arguments.is_empty()
                {
                    *callee = copied;
                }
            }
        }
    }
    validate(draft).ok()
}

const REDUCTIONS: [Reduction; 6] = Reduction::ALL;

#[test]
fn exchanged_threads_agree_with_all_executions() {
    let semantics = Semantics::default();
    let (mut fewer, mut violated) = (0, 0);
    for seed in seeds(300) {
        let program = generate(seed, &Profile::default());
        let programs = [twins(&program, seed), Some(program)];
        for (program, which) in programs.into_iter().flatten().zip(["twins", "as it is"]) {
            let Some(seen) = enumerate(&program, &semantics, MAX_STATES) else {
                continue;
            };
            for reduction in REDUCTIONS {
                let mut engine = UpToNames::new(reduction);
                let found = compared(&mut engine, &program, &semantics, &seen);
                assert_eq!(
                    found.disagreements, [""; 0],
                    "seed {seed}, {which}, {reduction}"
                );
                if reduction == Reduction::None {
                    fewer += usize::from(engine.states < seen.states);
                    let task = Task::new(&program, semantics.clone());
                    let answer = raddle_engine::decide(
                        &mut engine,
                        &task,
                        &Budget::unlimited(),
                        &mut raddle_engine::Silent,
                    );
                    let mut verdicts = answer.verdicts.values();
                    violated += usize::from(verdicts.any(|it| matches!(it, Verdict::Unsafe(_))));
                }
            }
        }
    }
    assert!(fewer > 100 || seeds(300).count() < 300, "{fewer}");
    assert!(violated > 100 || seeds(300).count() < 300, "{violated}");
}
