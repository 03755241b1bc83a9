//! The search: every thread's transactions from every stored state.
//!
//! Here is the loop; `expand`: what can happen in one state; `side_by_side`: in many states, by a `crew` of workers, of which each is a `worker`;
//! `exchanges`: up to names; `checkpoint`: how it goes on later; `sightings`: what it sees on its way; `endless`: which threads
//! wait for ever in the end, by a `walk`; `outlook`: how far it has come; `answer`: what it says at the end.

mod answer;
mod checkpoint;
mod crew;
mod endless;
mod exchanges;
mod expand;
mod outlook;
mod side_by_side;
mod sightings;
mod walk;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use raddle_engine::{Answer, Budget, Events, Looks, Reason, Reduction, Task, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Property};
use raddle_reduce::dynamic::{DynamicMovers, Strength};
use raddle_reduce::guesses::{Guess, Guesses};
use raddle_reduce::history::Configuration;
use raddle_reduce::omission::Omission;
use raddle_reduce::predicates::Predicates;
use raddle_reduce::static_movers::StaticMovers;
use raddle_reduce::watched::Watched;

use crate::estimate::Estimate;
use crate::frontier::{Arrival, Frontier, Job};
use crate::lock_order::LockOrders;
use crate::measure::{Meter, Phase};
use crate::memo::{Memo, Standings};
use crate::parts::Parts;
use crate::reliances::Reliances;
use crate::shortest::Shortest;
use crate::store::{Link, Loaded, Store, Stored};
use crate::style::Style;
use crate::survey::{Recorder, Survey};
use crate::tree::Root;
use crate::{ExplicitEngine, Inference, Order};

use answer::drop_in_background;
use checkpoint::Saver;
use crew::Crew;
use endless::Followed;
use exchanges::Exchanges;
use expand::Runner;

/// How many states are expanded at most between two looks at the memory and two progress events.
const EXPANDED_BETWEEN_LOOKS: u64 = 200;

/// The same for several workers: a round of theirs may be shorter than such a look takes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// How many are thought of at least when memory is looked at, and how many new ones each may lead to.
const EXPANDED_LOOKED_AHEAD: usize = 256;
const REACHED_BY_ONE: usize = 8;

/// And between two looks at the clock; transactions look at it themselves.
const EXPANDED_BETWEEN_GLANCES: u64 = 20;

pub(crate) use checkpoint::remove_checkpoints;

struct Search<'p> {
    engine: ExplicitEngine,
    workers: usize,
    /// When several workers last looked at the memory.
    looked: Instant,
    /// How many states each worker has explored beside others.
    expanded_by: Vec<u64>,
    /// If it is to go on later.
    saver: Option<Saver>,
    program: &'p Program,
    interpreter: Interpreter<'p>,
    style: Style,
    /// With the reduction that takes nothing else for granted.
    statics: Option<StaticMovers>,
    /// With the reduction that asks what others may still do.
    dynamics: Option<DynamicMovers<'p>>,
    predicates: Predicates,
    watched: Watched,
    /// The properties still open: not violated.
    open: Vec<Property>,
    verdicts: BTreeMap<Property, Verdict>,
    guesses: Guesses,
    parts: Parts<'p>,
    memo: Memo,
    standings: Standings,
    store: Store,
    reliances: Reliances,
    /// What was reached and is not stored yet, and where that leads; kept for their memory.
    pending: Vec<(Root, Link)>,
    reached: Vec<(Stored, Link)>,
    loaded: Loaded,
    runners: Vec<Runner>,
    frontier: Frontier,
    /// What an expansion leads to, if the search does not go on with it.
    following: Option<Followed>,
    /// When to look for who waits for ever in what was explored so far.
    looks: Looks,
    shortest: Shortest,
    counts: Counts,
    estimate: Estimate,
    meter: Meter,
    cut: Option<Reason>,
    observes_layout: bool,
    orders: LockOrders,
    links: Links,
    /// If states stand for others with other names.
    exchanges: Option<Exchanges>,
    /// Whether memory may be lost.
    uses_heap: bool,
    /// Everything is explored, whatever becomes of the properties.
    is_survey: bool,
    /// Takes notes.
    recorder: Option<Recorder>,
}

/// Whether it is remembered how states were reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    Kept,
    /// As long as there are few.
    OfFew,
    /// They were many, and then a violation was found.
    Missed,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    steps: u64,
    transactions: u64,
    /// Of these.
    worked_out: u64,
    expanded: u64,
    again: u64,
}

pub(crate) fn decide(
    engine: &ExplicitEngine,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Answer {
    let mut search = Search::new(engine, task);
    search.go_on_from_checkpoint(events);
    let mut interrupted = search.explore(budget, events).err();
    while interrupted.is_none() {
        if search.look_for_endless_waits(budget, events) {
            if !search.has_to_begin_anew() {
                break;
            }
            search = search.anew(task);
        }
        interrupted = search.explore(budget, events).err();
    }
    search.save_at_the_end(interrupted.as_ref());
    if !search.guesses.take_changes().is_empty() {
        // What rested on them has not been explored again.
        search.shortest.goes_on(0);
    }
    if let Some(profile) = search.profile() {
        events.profile(profile);
    }
    search.answer(interrupted.as_ref())
}

/// Explores everything twice: to find what holds, and to take notes of what that makes of the steps.
pub(crate) fn survey(
    engine: &ExplicitEngine,
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
    let engine = ExplicitEngine {
        inference: Inference::Restart,
        ..engine.clone()
    };
    let mut again = Search::new(&engine, task);
    again.is_survey = true;
    again.recorder = Some(Recorder::default());
    again.guesses = guesses;
    again.predicates = std::mem::take(&mut search.predicates);
    drop_in_background(search.store);
    let interrupted = again.explore(budget, events).err();
    again.into_survey(interrupted)
}

fn empty_store(engine: &ExplicitEngine, workers: usize) -> Store {
    if engine.hash_compact {
        Store::of_hashes()
    } else if engine.shares_at_once {
        Store::new(workers > 1).never_packs_anew()
    } else {
        Store::new(workers > 1)
    }
}

impl<'p> Search<'p> {
    fn new(engine: &ExplicitEngine, task: &Task<'p>) -> Self {
        let program = task.program;
        let style = Style::new(engine.reduction, engine.order);
        let watched = Watched::invariants(program);
        let open = task.semantics.properties.clone();
        // A search that counts switches, or begins anew after every wrong guess, takes states one by one.
        let workers = match (engine.order, engine.inference) {
            (Order::FirstFound, Inference::Again) if engine.symmetry || engine.hash_compact => 1,
            (Order::FirstFound, Inference::Again) => task.jobs.max(1),
            (Order::FewestSwitches, _) | (_, Inference::Restart) => 1,
        };
        let mut meter = Meter::new(engine.measures);
        meter.begin(Phase::Preparing);
        let interpreter = Interpreter::new(program, task.semantics.clone());
        Self {
            saver: Saver::new(engine, task, workers),
            engine: engine.clone(),
            workers,
            looked: Instant::now(),
            expanded_by: Vec::new(),
            program,
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
            verdicts: BTreeMap::new(),
            guesses: Guesses::default(),
            parts: Parts::new(program, interpreter.recycling()),
            memo: Memo::default(),
            standings: Standings::default(),
            store: empty_store(engine, workers),
            reliances: Reliances::default(),
            pending: Vec::new(),
            reached: Vec::new(),
            loaded: Loaded::default(),
            runners: Vec::new(),
            frontier: Frontier::new(engine.order),
            following: None,
            looks: Looks::default(),
            shortest: Shortest::new(engine.order),
            counts: Counts::default(),
            estimate: Estimate::default(),
            meter,
            cut: None,
            observes_layout: false,
            orders: LockOrders::default(),
            // Which way a transaction took depends on guesses, so it cannot be found again.
            links: if style.grounds.is_some() || engine.order == Order::FewestSwitches {
                Links::Kept
            } else {
                Links::OfFew
            },
            exchanges: engine.symmetry.then(|| Exchanges::new(&interpreter)),
            uses_heap: program.uses_heap(),
            is_survey: false,
            recorder: None,
            interpreter,
        }
    }

    /// Something was learnt on the way that one has to know from the start.
    fn has_to_begin_anew(&self) -> bool {
        self.links == Links::Missed || self.exchanges.as_ref().is_some_and(Exchanges::are_over)
    }

    /// A search that knows what this one has found out.
    fn anew(mut self, task: &Task<'p>) -> Self {
        if self.links == Links::Missed {
            // How a state was reached is not in its hash either.
            self.engine.hash_compact = false;
        }
        let mut anew = Self::new(&self.engine, task);
        anew.saver = self.saver.take();
        anew.meter = std::mem::take(&mut self.meter);
        (anew.open, anew.verdicts) = (self.open, self.verdicts);
        // It will come to the same violation again, and know how.
        anew.links = if self.links == Links::Missed {
            Links::Kept
        } else {
            self.links
        };
        anew.exchanges = self.exchanges.take().and_then(Exchanges::anew);
        if let Some(exchanges) = &anew.exchanges {
            anew.guesses = Guesses::among(exchanges.symmetry.mates().clone());
        }
        anew
    }

    /// Ends when no property is open, or no state is left and no guess has changed since its last use.
    fn explore(&mut self, budget: &Budget, events: &mut dyn Events) -> Result<(), Reason> {
        std::thread::scope(|scope| self.explore_with(&mut Crew::new(scope), budget, events))
    }

    fn explore_with<'scope>(
        &mut self,
        crew: &mut Crew<'scope, '_, 'p>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<(), Reason>
    where
        'p: 'scope,
    {
        if !self.has_begun() {
            self.meter.begin(Phase::Starting);
            if !self.begin() {
                return Ok(());
            }
        }
        self.meter.begin(Phase::Rest);
        loop {
            if self.can_share_work() {
                if self.is_done() {
                    return Ok(());
                }
                if self.is_time_to_look() {
                    self.looked = Instant::now();
                    self.save_memory();
                    self.save_now_and_then();
                    self.tell(events);
                    self.check(budget)?;
                    self.glance_at_endless_waits(budget, events)?;
                }
                budget.check_time()?;
                if !self.expand_side_by_side(crew, budget, events)? {
                    return Ok(());
                }
                continue;
            }
            if self.counts.expanded.is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
                self.save_memory();
                self.save_now_and_then();
                self.tell(events);
                self.check(budget)?;
                self.glance_at_endless_waits(budget, events)?;
            }
            let expanded = self.counts.expanded;
            let is_early = expanded < EXPANDED_BETWEEN_LOOKS;
            if is_early || expanded.is_multiple_of(EXPANDED_BETWEEN_GLANCES) {
                budget.check_time()?;
            }
            let Some(job) = self.frontier.next() else {
                return Ok(());
            };
            self.shortest.goes_on(job.switches);
            if self.is_done() {
                return Ok(());
            }
            if !self.do_job(&job, budget, events)? {
                return Ok(());
            }
        }
    }

    /// Whether several workers have not looked at the memory for long, or are about to take more of it at once.
    fn is_time_to_look(&self) -> bool {
        self.engine.shares_at_once
            || self.looked.elapsed() > BETWEEN_LOOKS
            || self.store.growth(self.room_for_a_round()) > 0
    }

    /// Whether there is time, and memory for what comes until the next look.
    fn check(&mut self, budget: &Budget) -> Result<(), Reason> {
        let more = if self.workers == 1 {
            EXPANDED_LOOKED_AHEAD * REACHED_BY_ONE
        } else {
            2 * self.room_for_a_round()
        };
        budget.check_time()?;
        let mut fits = budget.check_memory(self.growth(more) as u64);
        if fits.is_err() && self.store.grow_slowly() {
            fits = budget.check_memory(self.growth(more) as u64);
        }
        Ok(fits?)
    }

    /// How many bytes more there will be at once if so many states come in.
    fn growth(&self, more: usize) -> usize {
        let numbers = self.store.growth_of_numbers(more);
        self.store.growth(more) + self.frontier.growth(more) + self.reliances.growth(numbers)
    }

    /// Of many states it is forgotten how they were reached: should one of them violate something, which is rare after so
    /// many, the search begins anew and remembers.
    fn save_memory(&mut self) {
        if self.links == Links::OfFew && self.store.len() > self.engine.most_links {
            self.store.drop_links();
        }
    }

    /// Explores a part of what can happen in a state, and what has to be explored again; whether the search can go on.
    fn do_job(
        &mut self,
        job: &Job,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason> {
        self.counts.expanded += 1;
        let again = self.meter.explores_again(job.id);
        self.set_in_the_middle(true);
        let relied = self.expand(job, budget, events)?;
        self.store.release(job.node);
        self.set_in_the_middle(false);
        self.meter.record_again(again);
        self.reliances.rest(job.id, relied);
        let changes = self.guesses.take_changes();
        Ok(changes.is_empty() || self.weaken(&changes))
    }

    fn is_done(&self) -> bool {
        self.has_to_begin_anew()
            || self.open.is_empty() && !self.is_survey && self.shortest.is_done()
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
                for (number, state) in (0..).zip(states) {
                    let configuration = Configuration::initial(self.program, state);
                    let vector = self.parts.encode(&configuration, None);
                    self.store.make_room(&self.parts);
                    let link = Link::initial(number);
                    let stored = self.store.insert(&vector, link);
                    self.reach(stored, link, Arrival::INITIAL);
                }
                true
            }
            Err(stop) => {
                self.cut = Some(Reason::from_stop(&stop, None));
                false
            }
        }
    }

    /// Explores again whatever rested on guesses that got weaker; whether the search can go on.
    fn weaken(&mut self, changes: &BTreeSet<Guess>) -> bool {
        self.counts.again += 1;
        if self.engine.flaw.omits(Omission::WeakenedIsExploredAgain) {
            return true;
        }
        // Of a state that is known by its hash it cannot be told what rested on what.
        let inference = if self.engine.hash_compact {
            Inference::Restart
        } else {
            self.engine.inference
        };
        match inference {
            Inference::Again => {
                for job in self.reliances.forget(changes) {
                    self.meter.puts_back(job);
                    self.frontier.put_back(job);
                }
                true
            }
            Inference::Restart => {
                self.memo.forget();
                self.store = empty_store(&self.engine, self.workers);
                self.reliances.clear();
                self.frontier = Frontier::new(self.engine.order);
                self.shortest.goes_on(0);
                self.begin()
            }
        }
    }
}
