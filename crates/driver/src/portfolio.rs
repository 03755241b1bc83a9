//! Two engines side by side within one budget: the first certified answer to each property wins.
//!
//! - `explicit` begins. `bmc` joins it when so many states have been found, when so much time has passed, or when
//!   `explicit` has ended and left something open: most programs are small, and a report on one that is decided before
//!   that does not depend on which thread is faster.
//! - An engine ends as soon as nothing that it can decide is open. A verdict of both has to be the same.
//! - With one worker the engines take turns.
//! - `explicit` stops at three quarters of the memory: it fills what it gets, and nothing would be left for `bmc`.

use std::sync::mpsc::{self, Sender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use raddle_base::{Budget, Turn};
use raddle_engine::{Counters, Events, Trace};
use raddle_ir::interpret::Property;

use crate::plan::Part;
use crate::runs::{Job, Ran};
use crate::{EngineChoice, STACK_BYTES};

/// How many states `explicit` finds alone.
const STATES_ALONE: u64 = 2_000;
/// How long it searches alone at most.
const TIME_ALONE: Duration = Duration::from_millis(500);

/// Decides what is open in both plans; the caller's events come from his own thread.
pub(crate) fn run(
    job: &Job<'_>,
    parts: Vec<Part>,
    parts_of_bmc: Vec<Part>,
    budget: &Budget,
    caller: &mut dyn Events,
) -> Vec<Ran> {
    let mut turns = if job.task.jobs == 1 {
        Turn::all(2).into_iter().map(Some).collect()
    } else {
        vec![None, None]
    };
    let of_bmc = Lane::new(parts_of_bmc, budget.part(), turns.pop().flatten());
    let mut share = budget.part();
    if let Some(bytes) = budget.memory_limit() {
        share = share.with_memory_limit(bytes / 4 * 3);
    }
    let of_explicit = Lane::new(parts, share, turns.pop().flatten());
    for (lane, engine) in [
        (&of_explicit, EngineChoice::Explicit),
        (&of_bmc, EngineChoice::Bmc),
    ] {
        let budget = lane.budget.clone();
        let findings = job.findings;
        findings.has_started(engine.name(), lane.properties(), budget);
    }
    let gate = &Gate::default();
    let (sender, receiver) = mpsc::channel();
    // Nobody waits for an engine that has panicked.
    let other_budget = of_explicit.budget.clone();
    thread::scope(|scope| {
        let bmc = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, move || {
                let _guard = CancelledByPanic(other_budget);
                gate.wait();
                of_bmc.run(job, &mut Relay(sender))
            })
            .expect("the system gives a thread its stack lazily");
        let opened = Opened(gate);
        let mut runs = of_explicit.run(job, &mut Ahead { gate, caller });
        drop(opened);
        for news in receiver {
            match news {
                News::Progress(counters) => caller.progress(&counters),
                News::Violated(trace) => caller.violated(&trace),
            }
        }
        match bmc.join() {
            Ok(others) => runs.extend(others),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        runs
    })
}

/// The runs of one engine.
struct Lane {
    parts: Vec<Part>,
    budget: Budget,
    turn: Option<Turn>,
}

impl Lane {
    fn new(parts: Vec<Part>, budget: Budget, turn: Option<Turn>) -> Self {
        let budget = match &turn {
            Some(turn) => budget.with_turn(turn.clone()),
            None => budget,
        };
        Self {
            parts,
            budget,
            turn,
        }
    }

    fn properties(&self) -> Vec<Property> {
        let parts = self.parts.iter();
        parts.flat_map(|it| it.properties.clone()).collect()
    }

    fn run(self, job: &Job<'_>, caller: &mut dyn Events) -> Vec<Ran> {
        let _left = self.turn.as_ref().map(|turn| {
            turn.enter();
            Left(turn)
        });
        job.run_all(self.parts, &self.budget, caller)
    }
}

/// Whoever has ended, however he did, keeps nobody waiting.
struct Left<'a>(&'a Turn);

impl Drop for Left<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

struct CancelledByPanic(Budget);

impl Drop for CancelledByPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.cancel();
        }
    }
}

/// Where `bmc` waits.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    has_changed: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.has_changed.notify_all();
    }

    fn wait(&self) {
        let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        // Who waited too long goes on too.
        drop(
            self.has_changed
                .wait_timeout_while(is_open, TIME_ALONE, |it| !*it),
        );
    }
}

/// Opens the gate at last.
struct Opened<'a>(&'a Gate);

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        self.0.open();
    }
}

/// Watches how far `explicit` has come.
struct Ahead<'a> {
    gate: &'a Gate,
    caller: &'a mut dyn Events,
}

impl Events for Ahead<'_> {
    fn progress(&mut self, counters: &Counters) {
        let states = counters.get("states").copied().unwrap_or_default();
        if states >= STATES_ALONE {
            self.gate.open();
        }
        self.caller.progress(counters);
    }

    fn violated(&mut self, trace: &Trace) {
        self.caller.violated(trace);
    }
}

enum News {
    Progress(Counters),
    Violated(Box<Trace>),
}

/// Tells the caller's thread, who listens when `explicit` has ended.
struct Relay(Sender<News>);

impl Events for Relay {
    fn progress(&mut self, counters: &Counters) {
        // Nobody listens any more if the caller has panicked.
        let _ = self.0.send(News::Progress(counters.clone()));
    }

    fn violated(&mut self, trace: &Trace) {
        let _ = self.0.send(News::Violated(Box::new(trace.clone())));
    }
}
