//! The search: every thread's transactions from every stored state.
//!
//! Here is the loop. What a search is made of: `knowledge` of states; `beliefs`, which may turn out wrong; `progress`; `findings`. `expand`: what
//! can happen in one state. States are explored one by one, or `side_by_side`, many at a time by a `crew` of workers, of which each is a `worker`.
//! `exchanges`: states up to names; `checkpoint`: how it goes on later; `sightings`: what it sees on its way; `more_races`: of races not only the first; `endless`: which threads
//! wait for ever in the end, by a `walk`; `outlook`: how far it has come; `answer`: what it says at the end.

mod answer;
mod beliefs;
mod checkpoint;
mod crew;
mod endless;
mod exchanges;
mod expand;
mod findings;
mod knowledge;
mod more_races;
mod outlook;
mod progress;
mod side_by_side;
mod sightings;
mod walk;
mod worker;

use std::collections::BTreeSet;

use raddle_engine::{Budget, Claims, Events, Reason, Task};
use raddle_reduce::guesses::{Guess, Guesses};
use raddle_reduce::history::Configuration;
use raddle_reduce::omission::Omission;

use crate::frontier::{Arrival, Frontier, Job};
use crate::links::Link;
use crate::measure::{Activity, Meter};
use crate::setting::Setting;
use crate::survey::{Recorder, Survey};
use crate::{ExplicitEngine, Inference};

use answer::drop_in_background;
use beliefs::Beliefs;
use checkpoint::Saver;
use endless::Followed;
use exchanges::Exchanges;
use expand::Buffers;
use findings::{Findings, LinkPolicy};
use knowledge::Knowledge;
use progress::Progress;
use side_by_side::SideBySide;

/// How many states are expanded at most between two looks at the memory and two progress events.
const EXPANDED_BETWEEN_LOOKS: u64 = 200;

/// How many at most between two looks at the clock; transactions look at it themselves.
const EXPANDED_BETWEEN_GLANCES: u64 = 20;

/// How many are thought of at least when memory is looked at, and how many new ones each may lead to.
const EXPANDED_LOOKED_AHEAD: usize = 256;
const REACHED_BY_ONE: usize = 8;

pub(crate) use checkpoint::remove_checkpoints;

struct Search<'p> {
    setting: Setting<'p>,
    knowledge: Knowledge<'p>,
    beliefs: Beliefs,
    progress: Progress,
    findings: Findings,
    buffers: Buffers,
    /// What an expansion leads to, if the search does not go on with it.
    following: Option<Followed>,
}

/// Takes states that wait and explores them.
trait Explorer<'p> {
    /// Explores one state or some; whether the search can go on and more may wait.
    fn explore_more(
        &mut self,
        search: &mut Search<'p>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason>;
}

/// One state after the other.
struct OneByOne;

impl<'p> Explorer<'p> for OneByOne {
    fn explore_more(
        &mut self,
        search: &mut Search<'p>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason> {
        let expanded = search.progress.counts.expanded;
        if expanded.is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
            search.look_around(budget, events)?;
        }
        let is_early = expanded < EXPANDED_BETWEEN_LOOKS;
        if is_early || expanded.is_multiple_of(EXPANDED_BETWEEN_GLANCES) {
            budget.check_time()?;
        }
        let Some(job) = search.progress.frontier.next() else {
            return Ok(false);
        };
        search.progress.shortest.goes_on(job.switches);
        if search.is_done() {
            return Ok(false);
        }
        search.progress.shortest.admit(&job)?;
        search.do_job(&job, budget, events)
    }
}

/// What the engine claims of a task: `ExplicitEngine::claim` is only this.
pub(crate) fn decide(
    engine: &ExplicitEngine,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Claims {
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
    if !search.beliefs.guesses.take_changes().is_empty() {
        // What rested on them has not been explored again.
        search.progress.shortest.goes_on(0);
    }
    if let Some(profile) = search.profile() {
        events.profile(profile);
    }
    let weakness = search.weakness();
    let answer = search.answer(interrupted.as_ref());
    Claims::of_search(answer, weakness)
}

/// Explores everything twice: to find what holds, and to take notes of what that makes of the steps.
pub(crate) fn survey(
    engine: &ExplicitEngine,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Survey {
    let mut search = Search::new(engine, task);
    search.setting.is_survey = true;
    // Should there be no time for more, this is what is known.
    search.beliefs.recorder = Some(Recorder::default());
    if let Err(reason) = search.explore(budget, events) {
        return search.into_survey(Some(reason));
    }
    let guesses = std::mem::take(&mut search.beliefs.guesses);
    let engine = ExplicitEngine {
        inference: Inference::Restart,
        ..engine.clone()
    };
    let mut again = Search::new(&engine, task);
    again.setting.is_survey = true;
    again.beliefs.recorder = Some(Recorder::default());
    again.beliefs.guesses = guesses;
    again.beliefs.predicates = std::mem::take(&mut search.beliefs.predicates);
    drop_in_background(search.knowledge.store);
    let interrupted = again.explore(budget, events).err();
    again.into_survey(interrupted)
}

impl<'p> Search<'p> {
    fn new(engine: &ExplicitEngine, task: &Task<'p>) -> Self {
        let mut meter = Meter::new(engine.measures);
        meter.begin(Activity::Preparing);
        let setting = Setting::new(engine, task);
        let saver = Saver::new(engine, task, setting.workers);
        Self {
            knowledge: Knowledge::new(&setting),
            beliefs: Beliefs::new(&setting),
            progress: Progress::new(engine.order, saver, meter),
            findings: Findings::new(&setting, &task.semantics.properties),
            buffers: Buffers::default(),
            following: None,
            setting,
        }
    }

    /// Something was learnt on the way that one has to know from the start.
    fn has_to_begin_anew(&self) -> bool {
        self.findings.links == LinkPolicy::Missed
            || self
                .beliefs
                .exchanges
                .as_ref()
                .is_some_and(Exchanges::are_over)
    }

    /// A search that knows what this one has found out.
    fn anew(mut self, task: &Task<'p>) -> Self {
        if self.findings.links == LinkPolicy::Missed {
            // How a state was reached is not in its hash either.
            self.setting.engine.hash_compact = false;
        }
        let mut anew = Self::new(&self.setting.engine, task);
        anew.progress.saver = self.progress.saver.take();
        anew.progress.meter = std::mem::take(&mut self.progress.meter);
        (anew.findings.open, anew.findings.verdicts) = (self.findings.open, self.findings.verdicts);
        anew.findings.more = self.findings.more;
        // It will come to the same violation again, and know how.
        anew.findings.links = if self.findings.links == LinkPolicy::Missed {
            LinkPolicy::Kept
        } else {
            self.findings.links
        };
        anew.beliefs.exchanges = self.beliefs.exchanges.take().and_then(Exchanges::anew);
        if let Some(exchanges) = &anew.beliefs.exchanges {
            anew.beliefs.guesses = Guesses::among(exchanges.symmetry.mates().clone());
        }
        anew
    }

    /// Ends when no property is open, or no state is left and no guess has changed since its last use.
    fn explore(&mut self, budget: &Budget, events: &mut dyn Events) -> Result<(), Reason> {
        if !self.has_begun() {
            self.progress.meter.begin(Activity::Starting);
            if !self.begin() {
                return Ok(());
            }
        }
        self.progress.meter.begin(Activity::Rest);
        if self.setting.workers == 1 {
            return self.explore_with(&mut OneByOne, budget, events);
        }
        std::thread::scope(|scope| self.explore_with(&mut SideBySide::new(scope), budget, events))
    }

    fn explore_with(
        &mut self,
        explorer: &mut impl Explorer<'p>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<(), Reason> {
        while explorer.explore_more(self, budget, events)? {}
        Ok(())
    }

    /// What is done every now and then between two states.
    fn look_around(&mut self, budget: &Budget, events: &mut dyn Events) -> Result<(), Reason> {
        self.save_memory();
        self.save_now_and_then();
        self.tell(events);
        self.check(budget)?;
        self.glance_at_endless_waits(budget, events)
    }

    /// Whether there is time, and memory for what comes until the next look.
    fn check(&mut self, budget: &Budget) -> Result<(), Reason> {
        let more = if self.setting.workers == 1 {
            EXPANDED_LOOKED_AHEAD * REACHED_BY_ONE
        } else {
            2 * self.room_for_a_round()
        };
        budget.check_time()?;
        let mut fits = budget.check_memory(self.growth(more) as u64);
        if fits.is_err() && self.knowledge.store.grow_slowly() {
            fits = budget.check_memory(self.growth(more) as u64);
        }
        Ok(fits?)
    }

    /// How many bytes more there will be at once if so many states come in.
    fn growth(&self, more: usize) -> usize {
        let numbers = self.knowledge.store.growth_of_numbers(more);
        self.knowledge.store.growth(more)
            + self.progress.frontier.growth(more)
            + self.knowledge.reliances.growth(numbers)
    }

    /// Of many states it is forgotten how they were reached: should one of them violate something, which is rare after so
    /// many, the search begins anew and remembers.
    fn save_memory(&mut self) {
        if self.findings.links == LinkPolicy::OfFew
            && self.knowledge.store.len() > self.setting.engine.most_links
        {
            self.knowledge.store.drop_links();
        }
    }

    /// Explores a part of what can happen in a state, and what has to be explored again; whether the search can go on.
    fn do_job(
        &mut self,
        job: &Job,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason> {
        self.progress.counts.expanded += 1;
        let again = self.progress.meter.explores_again(job.id);
        self.set_in_the_middle(true);
        let relied = self.expand(job, budget, events)?;
        self.knowledge.store.release(job.node);
        self.set_in_the_middle(false);
        self.progress.meter.record_again(again);
        self.knowledge.reliances.note(job.id, relied);
        let changes = self.beliefs.guesses.take_changes();
        Ok(changes.is_empty() || self.weaken(&changes))
    }

    fn is_done(&self) -> bool {
        self.has_to_begin_anew()
            || self.findings.open.is_empty()
                && !self.setting.is_survey
                && self.progress.shortest.is_done()
                && !self.seeks_more_races()
    }

    /// Stores the initial states; whether there is anything to explore.
    fn begin(&mut self) -> bool {
        if self.is_done() {
            return false;
        }
        if let Some(recorder) = &mut self.beliefs.recorder {
            // What was noted before rested on other guesses.
            *recorder = Recorder::default();
        }
        match self.setting.interpreter.numbered_initial_states() {
            Ok(states) => {
                for (number, state) in states {
                    let number = u32::try_from(number).expect("fewer states than may be tried");
                    let configuration = Configuration::initial(self.setting.program, state);
                    let vector = self.knowledge.parts.encode(&configuration, None);
                    self.knowledge.store.make_room(&self.knowledge.parts);
                    let link = Link::initial(number);
                    let stored = self.knowledge.store.insert(&vector, link);
                    self.reach(stored, link, Arrival::INITIAL);
                }
                true
            }
            Err(stop) => {
                self.findings.cut_short(&stop);
                false
            }
        }
    }

    /// Explores again whatever rested on guesses that got weaker; whether the search can go on.
    fn weaken(&mut self, changes: &BTreeSet<Guess>) -> bool {
        self.progress.counts.again += 1;
        if self.setting.omits(Omission::WeakenedIsExploredAgain) {
            return true;
        }
        // Of a state that is known by its hash it cannot be told what rested on what.
        let inference = if self.setting.engine.hash_compact {
            Inference::Restart
        } else {
            self.setting.engine.inference
        };
        match inference {
            Inference::Again => {
                for job in self.knowledge.reliances.forget(changes) {
                    self.progress.meter.puts_back(job);
                    self.progress.frontier.put_back(job);
                }
                true
            }
            Inference::Restart => {
                self.knowledge.forget_states(&self.setting);
                self.progress.frontier = Frontier::new(self.setting.engine.order);
                self.progress.shortest.goes_on(0);
                self.begin()
            }
        }
    }
}
