//! Engines side by side within one budget: the first certified answer to each property wins.
//!
//! - `explicit` begins. `bmc` joins it when so many states have been found, when so much time has passed, or when
//!   `explicit` has ended and left something open: most programs are small, and a report on one that is decided before
//!   that does not depend on which thread is faster.
//! - `pushdown` decides what nobody else does, and begins at once.
//! - An engine ends as soon as nothing that it can decide is open. A verdict of both has to be the same.
//! - What a search has left undecided although it looked at every execution is not open either: the program does something
//!   undefined, say, and whoever else searches comes to it too. So the run ends, and nobody waits for its time to be over.
//! - With one worker the engines take turns.
//! - `bmc` spends equal times on its parts, because none of them may come to an end.
//! - `explicit` stops at three quarters of the memory: it fills what it gets, and nothing would be left for `bmc`.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use raddle_base::{Budget, Turn};
use raddle_engine::{Counters, EngineId, Events, Outlook, Trace};
use raddle_ir::interpret::Property;

use crate::STACK_BYTES;
use crate::plan::EngineRun;
use crate::runs::Job;

/// How many states `explicit` finds alone.
const STATES_ALONE: u64 = 2_000;
/// How long it searches alone at most.
const TIME_ALONE: Duration = Duration::from_millis(500);

/// What each engine would do.
pub(crate) struct Plans {
    pub(crate) explicit: Vec<EngineRun>,
    pub(crate) bmc: Vec<EngineRun>,
    pub(crate) pushdown: Vec<EngineRun>,
}

/// Decides what is open in all plans; the caller's events come from his own thread.
pub(crate) fn run(job: &Job<'_>, plans: Plans, budget: &Budget, caller: &mut dyn Events) {
    let plans = [
        (EngineId::Explicit, plans.explicit),
        (EngineId::Bmc, plans.bmc),
        (EngineId::Pushdown, plans.pushdown),
    ];
    let mut plans: Vec<(EngineId, Vec<EngineRun>)> = plans
        .into_iter()
        .filter(|(_, parts)| !parts.is_empty())
        .collect();
    if plans.len() < 2 {
        let alone = plans.pop().map(|(_, parts)| parts).unwrap_or_default();
        job.run_all(alone, budget, caller);
        return;
    }
    let lanes = lanes(job, plans, budget);
    let gate = &Gate::default();
    let (sender, receiver) = mpsc::channel();
    let budgets: &Vec<Budget> = &lanes.iter().map(|it| it.budget.clone()).collect();
    thread::scope(|scope| {
        let mut lanes = lanes.into_iter();
        let first = lanes.next().expect("there are at least two");
        let others: Vec<_> = lanes
            .map(|lane| {
                let mut relay = Relay(sender.clone());
                thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        // Nobody waits for an engine that has panicked.
                        let _guard = CancelledByPanic(budgets);
                        if lane.engine == EngineId::Bmc {
                            gate.wait();
                        }
                        lane.run(job, &mut relay);
                    })
                    .expect("the system gives a thread its stack lazily")
            })
            .collect();
        drop(sender);
        let opened = Opened(gate);
        let mut ahead = Ahead {
            gate,
            caller,
            news: &receiver,
        };
        first.run(job, &mut ahead);
        drop(opened);
        for news in &receiver {
            news.tell(caller);
        }
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// One for each plan, known to those who note what is found.
fn lanes(job: &Job<'_>, plans: Vec<(EngineId, Vec<EngineRun>)>, budget: &Budget) -> Vec<Lane> {
    let turns: Vec<Option<Turn>> = if job.task.jobs == 1 {
        Turn::all(plans.len()).into_iter().map(Some).collect()
    } else {
        vec![None; plans.len()]
    };
    let mut lanes = Vec::new();
    for ((engine, parts), turn) in plans.into_iter().zip(turns) {
        let mut share = budget.part();
        if engine == EngineId::Explicit
            && let Some(bytes) = budget.memory_limit()
        {
            share = share.with_memory_limit(bytes / 4 * 3);
        }
        let lane = Lane::new(engine, parts, share, turn);
        let budget = lane.budget.clone();
        job.ledger
            .register_engine(engine, lane.properties(), budget);
        for part in &lane.parts {
            job.ledger.announce(part.decider);
        }
        lanes.push(lane);
    }
    lanes
}

/// The runs of one engine.
struct Lane {
    engine: EngineId,
    parts: Vec<EngineRun>,
    budget: Budget,
    turn: Option<Turn>,
}

impl Lane {
    fn new(engine: EngineId, parts: Vec<EngineRun>, budget: Budget, turn: Option<Turn>) -> Self {
        let budget = match &turn {
            Some(turn) => budget.with_turn(turn.clone()),
            None => budget,
        };
        Self {
            engine,
            parts,
            budget,
            turn,
        }
    }

    fn properties(&self) -> Vec<Property> {
        let parts = self.parts.iter();
        parts.flat_map(|it| it.properties.clone()).collect()
    }

    fn run(self, job: &Job<'_>, caller: &mut dyn Events) {
        let _left = self.turn.clone().map(|turn| {
            turn.enter();
            Left(turn)
        });
        if self.engine == EngineId::Bmc {
            self.run_evenly(job, caller);
        } else {
            job.run_all(self.parts, &self.budget, caller);
        }
    }

    /// Each part takes as long as each other that is still open.
    fn run_evenly(mut self, job: &Job<'_>, caller: &mut dyn Events) {
        while !self.parts.is_empty() {
            let is_open = |part: &EngineRun| {
                let mut properties = part.properties.iter();
                properties.any(|it| job.ledger.is_open(*it))
            };
            let open = self.parts.iter().filter(|it| is_open(it)).count();
            let budget = match (self.budget.time_left(), u32::try_from(open)) {
                (Some(time), Ok(open @ 2..)) => self.budget.part().with_timeout(time / open),
                _ => self.budget.clone(),
            };
            let part = vec![self.parts.remove(0)];
            job.run_all(part, &budget, caller);
        }
    }
}

/// Whoever has ended, however he did, keeps nobody waiting.
struct Left(Turn);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.leave();
    }
}

struct CancelledByPanic<'a>(&'a [Budget]);

impl Drop for CancelledByPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.iter().for_each(Budget::cancel);
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

/// Watches how far `explicit` has come, and tells now and then what the others have decided meanwhile.
struct Ahead<'a> {
    gate: &'a Gate,
    caller: &'a mut dyn Events,
    news: &'a Receiver<News>,
}

impl Events for Ahead<'_> {
    fn progress(&mut self, counters: &Counters) {
        let states = counters.get("states").copied().unwrap_or_default();
        if states >= STATES_ALONE {
            self.gate.open();
        }
        for news in self.news.try_iter() {
            // Its own progress is the one that is shown as long as it runs.
            if !matches!(news, News::Progress(_)) {
                news.tell(self.caller);
            }
        }
        self.caller.progress(counters);
    }

    fn outlook(&mut self, outlook: &dyn Fn() -> Outlook) {
        self.caller.outlook(outlook);
    }

    fn violated(&mut self, trace: &Trace) {
        self.caller.violated(trace);
    }

    fn decided(&mut self, property: Property, word: &'static str) {
        self.caller.decided(property, word);
    }
}

enum News {
    Progress(Counters),
    Violated(Box<Trace>),
    Decided(Property, &'static str),
}

impl News {
    fn tell(self, caller: &mut dyn Events) {
        match self {
            News::Progress(counters) => caller.progress(&counters),
            News::Violated(trace) => caller.violated(&trace),
            News::Decided(property, word) => caller.decided(property, word),
        }
    }
}

/// Tells the caller's thread, who listens while his own engine tells how far it has come, and when it has ended.
struct Relay(Sender<News>);

impl Events for Relay {
    fn progress(&mut self, counters: &Counters) {
        // Nobody listens any more if the caller has panicked.
        let _ = self.0.send(News::Progress(counters.clone()));
    }

    fn violated(&mut self, trace: &Trace) {
        let _ = self.0.send(News::Violated(Box::new(trace.clone())));
    }

    fn decided(&mut self, property: Property, word: &'static str) {
        let _ = self.0.send(News::Decided(property, word));
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::SourceMap;
    use raddle_engine::Task;

    use super::*;
    use crate::ledger::Ledger;
    use crate::plan::{apart, plan, plan_of_bmc};
    use crate::{Options, Outcome};

    #[test]
    fn runs_are_listed_as_they_were_planned_whoever_counts_first() {
        let mut sources = SourceMap::new();
        sources.add("program.rad", "thread t { skip }\n");
        let options = Options {
            properties: Some(vec![Property::Assert, Property::Leak]),
            ..Options::default()
        };
        let loaded = crate::load(&sources, &options).expect("it is a program");
        let ledger = Ledger::default();
        let properties = [Property::Assert, Property::Leak];
        let job = Job {
            task: Task::new(
                &loaded.program,
                loaded.semantics(&options, properties.to_vec()),
            ),
            sources: &sources,
            options: &options,
            automata: &[],
            ledger: &ledger,
        };
        let (_, explicit) = apart(plan(&options, &properties));
        let bmc = plan_of_bmc(&options, &properties);
        let plans = vec![(EngineId::Explicit, explicit), (EngineId::Bmc, bmc)];
        let planned: Vec<_> = plans
            .iter()
            .flat_map(|(_, parts)| parts.iter().map(|it| it.decider))
            .collect();
        assert!(planned.len() >= 4, "{planned:?}");
        let lanes = lanes(&job, plans, &Budget::unlimited());
        assert_eq!(lanes.len(), 2);
        for decider in planned.iter().rev() {
            ledger.record_counters(*decider, &Counters::from([("states", 1)]));
        }
        let report = ledger.finished(&options, Duration::ZERO);
        let Outcome::Checked(checked) = report.outcome else {
            panic!("nothing was refused");
        };
        let listed: Vec<_> = checked
            .other_runs
            .iter()
            .map(|it| (it.engine, it.reduction))
            .collect();
        let others: Vec<_> = planned[1..]
            .iter()
            .map(|it| (it.engine, it.reduction))
            .collect();
        assert_eq!(listed, others);
    }
}
