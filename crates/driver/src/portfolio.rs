//! Engines side by side within one budget: the first certified answer to each property wins.
//!
//! - `explicit` begins. `bmc` and `sample` join it when so many states have been found, when so much time has passed, or when
//!   `explicit` has ended and left something open: most programs are small, and a report on one that is decided before
//!   that does not depend on which thread is faster.
//! - `sample` looks with all its power for a moment, then with a small share of the time; where all others have ended it looks no longer
//!   than that moment.
//! - `pushdown` decides what nobody else does, and begins at once.
//! - An engine ends as soon as nothing that it can decide is open. A verdict of both has to be the same.
//! - What a search has left undecided although it looked at every execution is not open either: the program does something
//!   undefined, say, and whoever else searches comes to it too. So the run ends, and nobody waits for its time to be over.
//! - With one worker the engines take turns.
//! - `bmc` spends equal times on its parts, because none of them may come to an end.
//! - `explicit` stops at three quarters of the memory: it fills what it gets, and nothing would be left for `bmc`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use raddle_base::{Budget, SourceMap, Turn};
use raddle_engine::{Engine, EngineId, Events, Task, decide};
use raddle_engine_sample::{Pace, SampleEngine};
use raddle_engine_wpds::given::resolve::Given;
use raddle_ir::interpret::Property;

use crate::audit::Auditor;
use crate::conditions::Terms;
use crate::ledger::Ledger;
use crate::plan::{Decider, EngineRun};
use crate::profile::RunProfile;
use crate::relay::{Ahead, Gate, Opened, Relay};
use crate::{EngineChoice, Options, STACK_BYTES};

/// How long `sample` looks with all its power at most, and what part of the time that there is.
const BURST: Duration = Duration::from_millis(300);
const BURSTS: u32 = 10;

/// What is to be decided, and where it is noted.
pub(crate) struct Job<'a> {
    /// With all properties.
    pub(crate) task: Task<'a>,
    pub(crate) sources: &'a SourceMap,
    pub(crate) options: &'a Options,
    /// Those that the options name.
    pub(crate) automata: &'a [Given],
    pub(crate) ledger: &'a Ledger,
}

/// What each engine would do.
pub(crate) struct Plans {
    pub(crate) explicit: Vec<EngineRun>,
    pub(crate) bmc: Vec<EngineRun>,
    pub(crate) sample: Vec<EngineRun>,
    pub(crate) pushdown: Vec<EngineRun>,
}

/// Decides what is open in all plans; the caller's events come from his own thread.
pub(crate) fn run(job: &Job<'_>, plans: Plans, budget: &Budget, caller: &mut dyn Events) {
    let plans = [
        (EngineId::Explicit, plans.explicit),
        (EngineId::Bmc, plans.bmc),
        (EngineId::Pushdown, plans.pushdown),
        (EngineId::Sample, plans.sample),
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
                        if matches!(lane.engine, EngineId::Bmc | EngineId::Sample) {
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
    let others = plans.iter().filter(|it| it.0 != EngineId::Sample).count();
    let others = Others {
        at_work: Arc::new(AtomicUsize::new(others)),
        have_ended: Arc::new(AtomicBool::new(false)),
    };
    for ((engine, parts), turn) in plans.into_iter().zip(turns) {
        let mut share = budget.part();
        if engine == EngineId::Explicit
            && let Some(bytes) = budget.memory_limit()
        {
            share = share.with_memory_limit(bytes / 4 * 3);
        }
        let lane = Lane::new(engine, parts, share, turn, others.clone());
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
    others: Others,
}

/// Those beside `sample`.
#[derive(Clone)]
struct Others {
    at_work: Arc<AtomicUsize>,
    have_ended: Arc<AtomicBool>,
}

/// One of them has ended, however it did.
struct Ended(Others);

impl Drop for Ended {
    fn drop(&mut self) {
        if self.0.at_work.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.have_ended.store(true, Ordering::Relaxed);
        }
    }
}

impl Lane {
    fn new(
        engine: EngineId,
        parts: Vec<EngineRun>,
        budget: Budget,
        turn: Option<Turn>,
        others: Others,
    ) -> Self {
        let budget = match &turn {
            Some(turn) => budget.with_turn(turn.clone()),
            None => budget,
        };
        Self {
            engine,
            parts,
            budget,
            turn,
            others,
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
        if self.engine == EngineId::Sample {
            self.run_beside(job, caller);
            return;
        }
        let _ended = Ended(self.others.clone());
        if self.engine == EngineId::Bmc {
            self.run_evenly(job, caller);
        } else {
            job.run_all(self.parts, &self.budget, caller);
        }
    }

    fn run_beside(self, job: &Job<'_>, caller: &mut dyn Events) {
        let tenth = self.budget.time_left().map(|it| it / BURSTS);
        let burst = tenth.map_or(BURST, |it| it.min(BURST));
        let have_ended = Arc::clone(&self.others.have_ended);
        let pace = Pace::new(burst, self.turn.is_some(), have_ended);
        for part in self.parts {
            let mut engine = SampleEngine {
                pace: Some(pace.clone()),
                ..SampleEngine::default()
            };
            job.run_part(part, &mut engine, &self.budget, caller);
        }
    }

    /// Each part takes as long as each other that is still open.
    fn run_evenly(mut self, job: &Job<'_>, caller: &mut dyn Events) {
        while !self.parts.is_empty() {
            let is_open = |part: &EngineRun| {
                let mut properties = part.properties.iter();
                properties.any(|it| job.ledger.is_open(self.engine, *it))
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

impl Job<'_> {
    /// Notes what an engine finds.
    pub(crate) fn auditor<'b>(
        &'b self,
        decider: Decider,
        budget: &'b Budget,
        caller: &'b mut dyn Events,
    ) -> Auditor<'b> {
        Auditor {
            program: self.task.program,
            sources: self.sources,
            semantics: &self.task.semantics,
            decider,
            ledger: self.ledger,
            terms: self.terms(),
            minimising_replays: self.options.minimising_replays,
            replays_for_more: self.options.minimising_replays,
            budget,
            caller,
            profile: None,
        }
    }

    /// Which conditions verdicts may rest on.
    fn terms(&self) -> Terms {
        Terms::new(self.options.is_strict, &self.task.semantics.properties)
    }

    /// Runs the parts, each on those of its properties that are open when it begins.
    pub(crate) fn run_all(&self, parts: Vec<EngineRun>, budget: &Budget, caller: &mut dyn Events) {
        for part in parts {
            let mut engine = part.decider.engine(self.options, self.automata);
            self.run_part(part, engine.as_mut(), budget, caller);
        }
    }

    fn run_part(
        &self,
        part: EngineRun,
        engine: &mut dyn Engine,
        budget: &Budget,
        caller: &mut dyn Events,
    ) {
        let EngineRun {
            decider,
            properties,
        } = part;
        let open: Vec<Property> = properties
            .into_iter()
            .filter(|it| self.ledger.is_open(decider.engine, *it))
            .collect();
        if open.is_empty() || self.ledger.rejected().is_some() {
            return;
        }
        let mut task = self.task.clone();
        // Engines side by side have one core each, and one that is alone takes more if it is told to.
        task.jobs = match (self.options.engine, self.options.jobs) {
            (EngineChoice::Auto, _) | (_, None) => 1,
            (_, Some(jobs)) => jobs.get(),
        };
        task.semantics.properties = open;
        let mut auditor = self.auditor(decider, budget, caller);
        let begin = Instant::now();
        let answer = decide(engine, &task, budget, &mut auditor);
        let profile = RunProfile {
            counters: answer.counters.clone(),
            inside: auditor.profile.take(),
            ..RunProfile::new(decider, begin.elapsed())
        };
        self.ledger.record_profile(profile);
        // What has been decided is not lost if a later run must end early.
        auditor.answered(&answer);
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use raddle_engine::Counters;

    use super::*;
    use crate::Outcome;
    use crate::plan::{apart, plan, plan_of_bmc};

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
