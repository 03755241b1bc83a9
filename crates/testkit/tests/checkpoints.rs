//! A search that is interrupted goes on later as if nothing had happened.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use raddle_engine::{
    Answer, Budget, Counters, Events, Note, Reduction, Semantics, Silent, Task, Trace, Verdict,
};
use raddle_engine_explicit::{Checkpoint, ExplicitEngine};
use raddle_generate::{Profile, generate};
use raddle_ir::Program;
use raddle_testkit::oracle::enumerate;
use raddle_testkit::seeds::seeds;

/// Smaller programs are not interrupted; larger ones take too long.
const STATES: std::ops::Range<usize> = 400..20_000;

/// A folder of its own for everyone who asks.
fn folder() -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("raddle-checkpoints-{}-{number}", std::process::id());
    std::env::temp_dir().join(name)
}

/// Cancels the run when progress was told so many times.
struct Impatient<'a> {
    budget: &'a Budget,
    left: u32,
}

impl Events for Impatient<'_> {
    fn progress(&mut self, _: &Counters) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.budget.cancel();
        }
    }

    fn violated(&mut self, _: &Trace) {}
}

fn engine(reduction: Reduction, symmetry: bool) -> ExplicitEngine {
    ExplicitEngine {
        symmetry,
        ..ExplicitEngine::new(reduction)
    }
}

fn decide(
    engine: &ExplicitEngine,
    program: &Program,
    jobs: usize,
    budget: &Budget,
    events: &mut dyn Events,
) -> Answer {
    let task = Task {
        program,
        semantics: Semantics::default(),
        seed: 0,
        jobs,
    };
    raddle_engine::decide(&mut engine.clone(), &task, budget, events)
}

fn shown(answer: &Answer, jobs: usize) -> String {
    let mut counters = answer.counters.clone();
    let layout = answer.observes_layout;
    if jobs > 1 {
        // How full tables are depends on which inner nodes workers find at the same time, and which execution is found first
        // on what is known of transactions, which is not saved.
        counters.remove("store_bytes");
        let words: Vec<&str> = answer.verdicts.values().map(Verdict::word).collect();
        return format!("{words:?} {counters:?} {layout}");
    }
    format!("{:?} {counters:?} {layout}", answer.verdicts)
}

/// How often it was interrupted.
fn goes_on(engine: &ExplicitEngine, program: &Program, jobs: usize, context: &str) -> u32 {
    let undisturbed = decide(engine, program, jobs, &Budget::unlimited(), &mut Silent);
    let folder = folder();
    let saving = ExplicitEngine {
        checkpoint: Some(Checkpoint {
            folder: folder.clone(),
            every: Duration::from_secs(1_000),
        }),
        ..engine.clone()
    };
    let mut interruptions = 0;
    let last = loop {
        let budget = Budget::unlimited();
        let mut events = Impatient {
            budget: &budget,
            left: 2 + interruptions % 3,
        };
        let answer = decide(&saving, program, jobs, &budget, &mut events);
        let left = std::fs::read_dir(&folder).map_or(0, Iterator::count);
        let is_interrupted = events.left == 0 && left > 0;
        if !is_interrupted || interruptions > 100 {
            break answer;
        }
        let states = |it: &Answer| it.counters["states"];
        assert!(states(&answer) <= states(&undisturbed), "{context}");
        interruptions += 1;
        // The last one is not disturbed.
        if interruptions == 6 {
            break decide(&saving, program, jobs, &Budget::unlimited(), &mut Silent);
        }
    };
    assert_eq!(shown(&last, jobs), shown(&undisturbed, jobs), "{context}");
    let _ = std::fs::remove_dir_all(&folder);
    interruptions
}

#[test]
fn a_search_that_is_interrupted_goes_on_as_if_it_were_not() {
    let semantics = Semantics::default();
    let (mut interruptions, mut of_several) = (0, 0);
    for seed in seeds(60) {
        let program = generate(seed, &Profile::default());
        let seen = enumerate(&program, &semantics, STATES.end);
        if seen.is_none_or(|it| it.states < STATES.start as u64) {
            continue;
        }
        for reduction in Reduction::ALL {
            for symmetry in [false, true] {
                let engine = engine(reduction, symmetry);
                let context = format!("seed {seed}, {reduction}, symmetry {symmetry}");
                interruptions += goes_on(&engine, &program, 1, &context);
            }
        }
        let several = ExplicitEngine {
            shares_at_once: true,
            ..engine(Reduction::None, false)
        };
        let context = format!("seed {seed}, 2 workers");
        of_several += goes_on(&several, &program, 2, &context);
    }
    assert!(
        interruptions > 50 && of_several > 10 || seeds(60).count() < 60,
        "{interruptions} and {of_several}"
    );
}

#[test]
fn a_checkpoint_that_is_damaged_or_of_another_program_is_not_used() {
    let large = |seed: &u64| {
        let program = generate(*seed, &Profile::default());
        enumerate(&program, &Semantics::default(), STATES.end)
            .is_some_and(|it| it.states > STATES.start as u64)
    };
    let mut seeds = (1..).filter(large);
    let programs = [(); 2].map(|()| {
        let seed = seeds.next().expect("there are such programs");
        generate(seed, &Profile::default())
    });
    let engine = engine(Reduction::None, false);
    let folder = folder();
    let saving = ExplicitEngine {
        checkpoint: Some(Checkpoint {
            folder: folder.clone(),
            every: Duration::from_secs(1_000),
        }),
        ..engine.clone()
    };
    let interrupt = |program: &Program| {
        let budget = Budget::unlimited();
        let mut events = Impatient {
            budget: &budget,
            left: 2,
        };
        decide(&saving, program, 1, &budget, &mut events)
    };
    let files = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        entries
            .map(|it| it.expect("it can be read").path())
            .collect()
    };
    let undisturbed = programs.each_ref().map(|it| {
        shown(
            &decide(&engine, it, 1, &Budget::unlimited(), &mut Silent),
            1,
        )
    });
    let _ = interrupt(&programs[0]);
    let [file] = &files(&folder)[..] else {
        panic!("one file is left")
    };
    let answer = decide(&saving, &programs[1], 1, &Budget::unlimited(), &mut Silent);
    assert_eq!(shown(&answer, 1), undisturbed[1]);
    assert_eq!(answer.notes, []);
    let mut bytes = std::fs::read(file).expect("it can be read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(file, bytes).expect("it can be written");
    let answer = decide(&saving, &programs[0], 1, &Budget::unlimited(), &mut Silent);
    assert_eq!(shown(&answer, 1), undisturbed[0]);
    let is_told = |it: &Note| it.diagnostic.message.contains("could not be read");
    assert!(answer.notes.iter().any(is_told), "{:?}", answer.notes);
    let _ = std::fs::remove_dir_all(&folder);
}
