//! The search: every thread's transactions from every stored state.
//!
//! Here is the loop; `preserved`: which properties it can decide; `sightings`: what it sees on its way; `answer`: what
//! it says at the end.

mod answer;
mod preserved;
mod sightings;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_base::FastSet;
use raddle_engine::{Answer, Budget, Events, Proof, Reason, Reduction, Task, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Property, ThreadNumber};
use raddle_reduce::dynamic::{DynamicMovers, Strength};
use raddle_reduce::guesses::{Guess, Guesses};
use raddle_reduce::history::Configuration;
use raddle_reduce::omission::Omission;
use raddle_reduce::predicates::Predicates;
use raddle_reduce::static_movers::StaticMovers;
use raddle_reduce::watched::Watched;

use crate::frontier::{Arrival, Frontier, Gain, Job, Who};
use crate::lock_order::LockOrders;
use crate::reliances::Reliances;
use crate::shortest::Shortest;
use crate::store::{Origin, Store, Stored};
use crate::style::Style;
use crate::survey::{Recorder, Survey};
use crate::transaction::{First, Found, Results, Setting, Sight, Transaction};
use crate::{ExplicitEngine, Inference};

use answer::drop_in_background;
use preserved::is_preserved;
use sightings::Place;

/// How many states are expanded at most between two looks at the memory and two progress events.
const EXPANDED_BETWEEN_LOOKS: u64 = 200;

struct Search<'p> {
    engine: ExplicitEngine,
    program: &'p Program,
    interpreter: Interpreter<'p>,
    style: Style,
    /// With the reduction that takes nothing else for granted.
    statics: Option<StaticMovers>,
    /// With the reduction that asks what others may still do.
    dynamics: Option<DynamicMovers<'p>>,
    predicates: Predicates,
    watched: Watched,
    /// The properties still open: neither violated nor beyond this engine.
    open: Vec<Property>,
    verdicts: BTreeMap<Property, Verdict>,
    guesses: Guesses,
    store: Store,
    reliances: Reliances,
    frontier: Frontier,
    shortest: Shortest,
    counts: Counts,
    cut: Option<Reason>,
    observes_layout: bool,
    orders: LockOrders,
    /// Everything is explored, whatever becomes of the properties.
    is_survey: bool,
    /// Takes notes.
    recorder: Option<Recorder>,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    steps: u64,
    transactions: u64,
    expanded: u64,
    again: u64,
}

pub(crate) fn decide(
    engine: ExplicitEngine,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Answer {
    let mut search = Search::new(engine, task);
    let interrupted = search.explore(budget, events).err();
    if !search.guesses.take_changes().is_empty() {
        // What rested on them has not been explored again.
        search.shortest.goes_on(0);
    }
    search.answer(interrupted.as_ref())
}

/// Explores everything twice: to find what holds, and to take notes of what that makes of the steps.
pub(crate) fn survey(
    engine: ExplicitEngine,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Survey {
    let mut search = Search::new(engine, task);
    search.is_survey = true;
    // Should there be no time for more, this is what is known.
    search.recorder = Some(Recorder::default());
    if let Err(reason) = search.explore(budget, events) {
        return search.into_survey(Some(reason));
    }
    let guesses = std::mem::take(&mut search.guesses);
    let mut again = Search::new(
        ExplicitEngine {
            inference: Inference::Restart,
            ..engine
        },
        task,
    );
    again.is_survey = true;
    again.recorder = Some(Recorder::default());
    again.guesses = guesses;
    again.predicates = std::mem::take(&mut search.predicates);
    drop_in_background(search.store);
    let interrupted = again.explore(budget, events).err();
    again.into_survey(interrupted)
}

impl<'p> Search<'p> {
    fn new(engine: ExplicitEngine, task: &Task<'p>) -> Self {
        let program = task.program;
        let style = Style::new(engine.reduction, engine.order);
        let watched = Watched::invariants(program);
        let mut verdicts = BTreeMap::new();
        let mut open = Vec::new();
        for &property in &task.semantics.properties {
            if property == Property::AtomicSets {
                let verdict = if program.atomic_sets.is_empty() {
                    Verdict::Safe(Proof::NothingToCheck)
                } else {
                    Verdict::Unknown(Reason::NotDecidedByEngine)
                };
                verdicts.insert(property, verdict);
            } else if is_preserved(engine.reduction, property, program, watched.is_some()) {
                open.push(property);
            } else {
                let reason = Reason::UnsoundReduction {
                    reduction: engine.reduction,
                    property,
                };
                verdicts.insert(property, Verdict::Unknown(reason));
            }
        }
        Self {
            engine,
            program,
            interpreter: Interpreter::new(program, task.semantics.clone()),
            style,
            statics: (engine.reduction == Reduction::Static).then(|| StaticMovers::new(program)),
            dynamics: (engine.reduction == Reduction::Dynamic).then(|| {
                let left_out = engine.flaw.clause;
                DynamicMovers::leaving_out(program, Strength::Dynamic, left_out)
            }),
            predicates: Predicates::new(program, style.demand),
            watched: watched
                .filter(|_| open.contains(&Property::Invariant))
                .unwrap_or_default(),
            open,
            verdicts,
            guesses: Guesses::default(),
            store: Store::default(),
            reliances: Reliances::default(),
            frontier: Frontier::new(engine.order),
            shortest: Shortest::new(engine.order),
            counts: Counts::default(),
            cut: None,
            observes_layout: false,
            orders: LockOrders::default(),
            is_survey: false,
            recorder: None,
        }
    }

    /// Ends when no property is open, or no state is left and no guess has changed since its last use.
    fn explore(&mut self, budget: &Budget, events: &mut dyn Events) -> Result<(), Reason> {
        if !self.begin() {
            return Ok(());
        }
        while let Some(job) = self.frontier.next() {
            self.shortest.goes_on(job.switches);
            if self.is_done() {
                return Ok(());
            }
            if self.counts.expanded.is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
                events.progress(&self.counters());
                budget.check()?;
            }
            budget.check_time()?;
            self.counts.expanded += 1;
            let relied = self.expand(&job, budget, events)?;
            self.reliances.rest(job.id, relied);
            let changes = self.guesses.take_changes();
            if !changes.is_empty() && !self.weaken(&changes) {
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.open.is_empty() && !self.is_survey && self.shortest.is_done()
    }

    /// Stores the initial states; whether there is anything to explore.
    fn begin(&mut self) -> bool {
        if self.is_done() {
            return false;
        }
        if let Some(recorder) = &mut self.recorder {
            // What was noted before rested on other guesses.
            *recorder = Recorder::default();
        }
        match self.interpreter.initial_states() {
            Ok(states) => {
                for (number, state) in states.into_iter().enumerate() {
                    let configuration = Configuration::initial(self.program, state);
                    let origin = Origin::Initial { number };
                    self.store(&Arc::new(configuration), origin, Arrival::INITIAL);
                }
                true
            }
            Err(stop) => {
                self.cut = Some(Reason::from_stop(&stop, None));
                false
            }
        }
    }

    fn store(&mut self, configuration: &Arc<Configuration>, origin: Origin, arrival: Arrival) {
        match self.store.insert(Arc::clone(configuration), origin) {
            Stored::New(node) => self.frontier.add(node, &configuration.state, arrival),
            Stored::Known(node, origin) => match self.frontier.reach_again(node, arrival) {
                Gain::Nothing => {}
                Gain::GoesOn(thread) => self.store.add_origin(node, thread, origin),
                Gain::Fewer => self.store.set_origin(node, origin),
            },
        }
    }

    /// Explores a part of what can happen in a stored state; what it rested on.
    fn expand(
        &mut self,
        job: &Job,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<FastSet<Guess>, Reason> {
        let configuration = Arc::clone(self.store.configuration(job.node));
        let state = &configuration.state;
        let mut relied = FastSet::default();
        let mut successors = Vec::new();
        let mut by_thread: BTreeMap<ThreadNumber, First> = BTreeMap::new();
        let is_asked = |thread: &ThreadNumber| match job.who {
            Who::Everybody | Who::Nobody => true,
            Who::One(one) => *thread == one,
        };
        let threads = state.threads.keys().copied().filter(|_| !state.has_ended);
        for thread in threads.filter(is_asked) {
            let options = self.interpreter.thread_options(state, thread);
            successors.extend(options.successors);
            if !options.blocked.is_empty() {
                by_thread.entry(thread).or_default().blocked = options.blocked;
            }
        }
        if matches!(job.who, Who::Everybody | Who::Nobody) {
            for violation in self.interpreter.judge_with(state, &successors) {
                self.violated(&violation, &Place::at(job), events);
            }
        }
        if job.who == Who::Nobody {
            return Ok(relied);
        }
        for successor in successors {
            let thread = successor.step.thread;
            by_thread
                .entry(thread)
                .or_default()
                .successors
                .push(successor);
        }
        for (thread, first) in by_thread {
            self.counts.transactions += u64::from(!first.successors.is_empty());
            let setting = Setting {
                interpreter: &self.interpreter,
                style: self.style,
                cut: self.engine.cut,
                flaw: &self.engine.flaw,
                statics: self.statics.as_ref(),
                dynamics: self.dynamics.as_ref(),
                predicates: &self.predicates,
                watched: &self.watched,
                budget,
            };
            let mut transaction = Transaction::new(setting, &mut self.guesses, &mut self.orders);
            transaction.recorder = self.recorder.as_mut();
            let results = transaction.explore(&configuration, thread, first)?;
            self.take(job, results, &mut relied, events);
        }
        Ok(relied)
    }

    /// Takes over what the transactions of one thread led to.
    fn take(
        &mut self,
        job: &Job,
        results: Results,
        relied: &mut FastSet<Guess>,
        events: &mut dyn Events,
    ) {
        self.counts.steps += results.steps;
        self.observes_layout |= results.observes_layout;
        relied.extend(results.relied);
        for Found { way, step, what } in results.found {
            let place = Place {
                node: job.node,
                way: Some(way),
                step,
                switches: job.switches_after,
            };
            match what {
                Sight::Violation(violation) => self.violated(&violation, &place, events),
                Sight::Stop(stop) => self.stopped(&stop, &place, events),
            }
        }
        for (configuration, way) in results.external {
            let from = job.node;
            let origin = Origin::Transaction { from, way };
            self.store(&configuration, origin, Arrival::after(job));
        }
    }

    /// Explores again whatever rested on guesses that got weaker; whether the search can go on.
    fn weaken(&mut self, changes: &BTreeSet<Guess>) -> bool {
        self.counts.again += 1;
        if self.engine.flaw.omits(Omission::WeakenedIsExploredAgain) {
            return true;
        }
        match self.engine.inference {
            Inference::Again => {
                for job in self.reliances.forget(changes) {
                    self.frontier.put_back(job);
                }
                true
            }
            Inference::Restart => {
                self.store = Store::default();
                self.reliances.clear();
                self.frontier = Frontier::new(self.engine.order);
                self.shortest.goes_on(0);
                self.begin()
            }
        }
    }
}
