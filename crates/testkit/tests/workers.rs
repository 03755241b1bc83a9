//! Several workers say what one says.

use raddle_engine::{
    Answer, Budget, Claims, Counters, Engine, EngineId, Events, Property, Reason, Reduction,
    Silent, Task, Verdict,
};
use raddle_engine_explicit::ExplicitEngine;
use raddle_generate::{Profile, generate};
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_testkit::oracle::{compared, enumerate};
use raddle_testkit::seeds::seeds;

/// Programs with more states are left to the other tests.
const MAX_STATES: usize = 4_000;

/// An engine with more workers than the task says, which share the work from the first state on.
struct Workers {
    engine: ExplicitEngine,
    workers: usize,
}

impl Workers {
    fn new(reduction: Reduction, workers: usize) -> Self {
        Self {
            engine: ExplicitEngine {
                shares_at_once: workers > 1,
                ..ExplicitEngine::new(reduction)
            },
            workers,
        }
    }

    fn answer(&mut self, program: &Program, semantics: &Semantics) -> Answer {
        let task = Task::new(program, semantics.clone());
        raddle_engine::decide(self, &task, &Budget::unlimited(), &mut Silent)
    }
}

impl Engine for Workers {
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
        let task = Task {
            jobs: self.workers,
            ..task.clone()
        };
        self.engine.claim(&task, budget, events)
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

const REDUCTIONS: [Reduction; 4] = [
    Reduction::None,
    Reduction::Phase,
    Reduction::Optimistic,
    Reduction::Dynamic,
];

#[test]
fn several_workers_agree_with_all_executions_and_with_one() {
    let semantics = Semantics::default();
    let mut compared_counters = 0;
    for seed in seeds(150) {
        let program = generate(seed, &Profile::default());
        let Some(seen) = enumerate(&program, &semantics, MAX_STATES) else {
            continue;
        };
        for reduction in REDUCTIONS {
            let mut several = Workers::new(reduction, 3);
            let found = compared(&mut several, &program, &semantics, &seen);
            assert_eq!(found.disagreements, [""; 0], "seed {seed}, {reduction}");
            if reduction == Reduction::None {
                let several = several.answer(&program, &semantics);
                let one = Workers::new(reduction, 1).answer(&program, &semantics);
                // A search that is over early has seen other states.
                let is_whole = |it: &Answer| {
                    let mut verdicts = it.verdicts.values();
                    verdicts.any(|it| !matches!(it, Verdict::Unsafe(_)))
                };
                if is_whole(&one) && is_whole(&several) {
                    compared_counters += 1;
                    for counter in ["states", "transitions", "transactions"] {
                        assert_eq!(
                            several.counters[counter], one.counters[counter],
                            "seed {seed}, {counter}"
                        );
                    }
                }
            }
        }
    }
    assert!(compared_counters > 0 || seeds(150).count() < 100);
}

/// In which order states are found depends on who is faster, and so do executions that are shown and how many states were
/// seen when nothing was open any more; verdicts do not.
#[test]
fn who_is_faster_makes_no_difference_to_verdicts() {
    let semantics = Semantics::default();
    for seed in seeds(150) {
        let program = generate(seed, &Profile::default());
        if enumerate(&program, &semantics, MAX_STATES).is_none() {
            continue;
        }
        for reduction in REDUCTIONS {
            let answers = [2, 4, 4].map(|workers| {
                let answer = Workers::new(reduction, workers).answer(&program, &semantics);
                let verdicts = answer.verdicts.values();
                verdicts.map(Verdict::word).collect::<Vec<&str>>()
            });
            assert_eq!(answers[0], answers[1], "seed {seed}, {reduction}");
            assert_eq!(answers[1], answers[2], "seed {seed}, {reduction}");
        }
    }
}

#[test]
fn who_forgets_how_states_were_reached_finds_out_again() {
    let semantics = Semantics::default();
    let mut violated = 0;
    for seed in seeds(150) {
        let program = generate(seed, &Profile::default());
        if enumerate(&program, &semantics, MAX_STATES).is_none() {
            continue;
        }
        for workers in [1, 2] {
            let mut remembers = Workers::new(Reduction::None, workers);
            let mut forgets = Workers::new(Reduction::None, workers);
            forgets.engine.most_links = 0;
            let [one, other] = [&mut remembers, &mut forgets].map(|it| {
                let answer = it.answer(&program, &semantics);
                let words: Vec<&str> = answer.verdicts.values().map(Verdict::word).collect();
                if workers == 1 {
                    format!("{:?}", answer.verdicts)
                } else {
                    words.join(" ")
                }
            });
            violated += usize::from(one.to_lowercase().contains("unsafe"));
            assert_eq!(one, other, "seed {seed}, {workers} workers");
        }
    }
    assert!(violated > 0 || seeds(150).count() < 100);
}
