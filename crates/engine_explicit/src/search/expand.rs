//! What can happen in one state: what it shows by itself (races, deadlocks, leaks at the end), and the transactions of its threads.
//!
//! Whatever is known from a state with the same parts is taken from there ([`memo`](crate::memo)); the rest is worked out.

use std::sync::Arc;

use raddle_engine::{Budget, Events, Reason};
use raddle_ir::interpret::{Property, Stop, Successor, ThreadNumber, ThreadOptions};
use raddle_reduce::history::Configuration;
use raddle_stepper::reads::Notes;

use crate::Order;
use crate::frontier::{Arrival, Gain, Job, Who};
use crate::ids::{Changes, EntryId, NodeId, PartId, RelianceId, Slot, StandingId, WayId};
use crate::links::Link;
use crate::lock_order::LockOrders;
use crate::measure::Activity;
use crate::memo::{New, changes};
use crate::reliances::Reliances;
use crate::store::{Loaded, Stored};
use crate::transaction::{First, Results, SeenOnTheWay, Sight, Transaction};
use crate::tree::Root;

use super::Search;
use super::beliefs::Beliefs;
use super::sightings::Sighting;

/// How many times what is known is used between two looks whether it is true, while debugging.
const HITS_BETWEEN_CHECKS: u64 = 8;

/// A thread whose transactions are to be explored.
pub(super) struct Runner {
    thread: ThreadNumber,
    slot: Slot,
    known: Option<EntryId>,
    /// What it can do, if that is not known.
    worked_out: Option<Box<WorkedOut>>,
}

struct WorkedOut {
    options: ThreadOptions,
    standing: StandingId,
    /// What was looked at to know it, and what is looked at in the states that it leads to.
    notes: Notes,
}

/// What is kept from one expansion to the next, for its memory.
#[derive(Default)]
pub(super) struct Buffers {
    /// What was reached and is not stored yet, and where that leads.
    pub(super) pending: Vec<(Root, Link)>,
    reached: Vec<(Stored, Link)>,
    pub(super) loaded: Loaded,
    runners: Vec<Runner>,
}

/// A stored state with what was put together of it.
struct Opened {
    loaded: Loaded,
    configuration: Option<Arc<Configuration>>,
}

impl Opened {
    fn vector(&self) -> &[PartId] {
        self.loaded.vector()
    }
}

impl Search<'_> {
    /// Explores a part of what can happen in a stored state; what it rested on.
    pub(super) fn expand(
        &mut self,
        job: &Job,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<RelianceId, Reason> {
        let mut opened = Opened {
            loaded: std::mem::take(&mut self.buffers.loaded),
            configuration: None,
        };
        self.progress.meter.begin(Activity::Loading);
        self.knowledge.store.load(job.node, &mut opened.loaded);
        let mut runners = std::mem::take(&mut self.buffers.runners);
        self.progress.meter.begin(Activity::LookingUp);
        self.find_runners(job, &mut opened, &mut runners);
        self.progress.meter.begin(Activity::Judging);
        if self.following.is_some() {
            let running = self.standings_of(&runners);
            if self.tell_follower(running) {
                runners.clear();
            }
        } else if matches!(job.who, Who::Everybody | Who::Nobody)
            && self.may_be_violated(job, &runners, &opened)
        {
            let configuration = self.configuration(&mut opened);
            let state = &configuration.state;
            let successors: Vec<Successor> = self.setting.interpreter.successors(state);
            for violation in self.setting.interpreter.judge_with(state, &successors) {
                self.violated(&violation, &Sighting::at(job), events);
            }
            if self.findings.more.are_sought() {
                let standings = self.standings_of(&runners);
                self.knowledge
                    .note_told_races(opened.loaded.vector(), &standings);
            }
        }
        let mut relied = Reliances::NOTHING;
        if job.who == Who::Nobody {
            runners.clear();
        }
        let forgotten = self.knowledge.memo.forgotten();
        for mut runner in runners.drain(..) {
            if self.knowledge.memo.forgotten() != forgotten {
                runner.known = None;
            }
            let rests_on = match runner.known {
                Some(entry) if !self.loses_memory(entry, &opened) => {
                    debug_assert!(
                        self.setting.engine.flaw.unnoted.is_some()
                            || !self.knowledge.memo.hits.is_multiple_of(HITS_BETWEEN_CHECKS)
                            || self.check_entry(entry, &runner, &mut opened, budget),
                        "transactions do the same wherever all that they looked at is the same"
                    );
                    self.repeat(entry, job, &mut opened)
                }
                Some(_) | None => {
                    // Room may be made for more parts, and then roots are others.
                    self.store_pending(Arrival::after(job));
                    self.work_out(runner, job, &mut opened, budget, events)?
                }
            };
            relied = self.knowledge.reliances.union(relied, rests_on);
        }
        self.store_pending(Arrival::after(job));
        self.progress.meter.begin(Activity::Rest);
        (self.buffers.loaded, self.buffers.runners) = (opened.loaded, runners);
        Ok(relied)
    }

    /// The threads that are asked for, with what is known of them.
    fn find_runners(&mut self, job: &Job, opened: &mut Opened, runners: &mut Vec<Runner>) {
        let is_asked = |thread: ThreadNumber| match job.who {
            Who::Everybody | Who::Nobody => true,
            Who::One(one) => thread == one,
        };
        let is_known = self.beliefs.recorder.is_none();
        runners.clear();
        for &(thread, slot) in self.knowledge.parts.threads(opened.vector()) {
            let part = opened.vector()[slot.index()];
            if !is_asked(thread) || !self.knowledge.parts.is_running(slot, part) {
                continue;
            }
            let known = self
                .knowledge
                .memo
                .find(&self.knowledge.parts, opened.vector(), slot);
            runners.push(Runner {
                thread,
                slot,
                known: known.filter(|_| is_known),
                worked_out: None,
            });
        }
        for runner in runners {
            if runner.known.is_none() {
                runner.worked_out = Some(Box::new(self.work_out_options(runner.thread, opened)));
            }
        }
    }

    fn configuration(&mut self, opened: &mut Opened) -> Arc<Configuration> {
        if let Some(known) = &opened.configuration {
            return Arc::clone(known);
        }
        let before = self.progress.meter.begin(Activity::PuttingTogether);
        let configuration = Arc::new(self.knowledge.parts.decode(opened.loaded.vector()));
        self.progress.meter.resume(before);
        opened.configuration = Some(Arc::clone(&configuration));
        configuration
    }

    /// The steps that a thread can take from the state, by the interpreter; `notes` hears of every part that is looked at.
    fn work_out_options(&mut self, thread: ThreadNumber, opened: &mut Opened) -> WorkedOut {
        let before = self.progress.meter.begin(Activity::WorkingOut);
        let configuration = self.configuration(opened);
        let notes = Notes::forgetting(self.setting.engine.flaw.unnoted);
        let state = configuration.state.clone().watched(&notes.watch());
        let options = self.setting.interpreter.thread_options(&state, thread);
        let standing = self.setting.interpreter.standing(&state, thread, &options);
        let standing = self.knowledge.standings.number(standing);
        self.progress.meter.resume(before);
        // A thread that joins a root, which no value names, has computed the name.
        let roots = self.setting.program.roots.len() as u64;
        if options.blocked.joined.iter().any(|it| it.0 < roots) {
            self.give_up_exchanges();
        }
        WorkedOut {
            options,
            standing,
            notes,
        }
    }

    /// What the threads stand before, and what they wait for.
    fn standings_of(&self, runners: &[Runner]) -> Vec<(ThreadNumber, StandingId)> {
        let standing = |runner: &Runner| match (&runner.worked_out, runner.known) {
            (Some(it), _) => it.standing,
            (None, Some(entry)) => self.knowledge.memo.entry(entry).standing,
            (None, None) => unreachable!("what is not known was worked out"),
        };
        runners.iter().map(|it| (it.thread, standing(it))).collect()
    }

    /// Whether the state itself may show a violation that is looked for.
    fn may_be_violated(&mut self, job: &Job, runners: &[Runner], opened: &Opened) -> bool {
        // Lost memory and broken invariants are seen on the way to a state, unless it is where a program starts.
        if self.setting.engine.order.counts() || self.knowledge.store.is_initial(job.node) {
            return true;
        }
        let open = &self.findings.open;
        let is_asked = |it: &Property| open.contains(it);
        let seeks_more = self.findings.more.are_sought();
        let asks_races = is_asked(&Property::Race) || seeks_more;
        let standings = if asks_races || is_asked(&Property::Deadlock) {
            self.standings_of(runners)
        } else {
            Vec::new()
        };
        let mut races = asks_races && self.knowledge.standings.races(&standings);
        if races && seeks_more {
            races = self.knowledge.has_untold_race(opened.vector(), &standings);
        }
        self.knowledge
            .may_be_violated(open, races, opened.vector(), &standings)
    }

    /// Whether memory is lost on the way of transactions that are known.
    fn loses_memory(&self, entry: EntryId, opened: &Opened) -> bool {
        self.findings.is_open(Property::Memory)
            && self.knowledge.loses_memory(entry, opened.vector())
    }

    /// Whether the transactions of a thread really come to what is known of them; for tests.
    fn check_entry(
        &mut self,
        entry: EntryId,
        runner: &Runner,
        opened: &mut Opened,
        budget: &Budget,
    ) -> bool {
        let before = self.configuration(opened);
        let worked_out = self.work_out_options(runner.thread, opened);
        let has_steps = !worked_out.options.successors.is_empty();
        let first = First {
            successors: worked_out.options.successors,
            blocked: worked_out.options.blocked,
        };
        let (mut guesses, mut orders) = (self.beliefs.guesses.clone(), LockOrders::default());
        let (setting, predicates) = (&self.setting, &self.beliefs.predicates);
        let mut transaction =
            Transaction::new(setting, budget, predicates, &mut guesses, &mut orders);
        transaction.keeps_history = self.beliefs.exchanges.is_some();
        let Ok(results) = transaction.explore(&before, runner.thread, first) else {
            // Time is over.
            return true;
        };
        let external: Vec<(Changes, WayId)> = results
            .external
            .into_iter()
            .map(|(configuration, way)| {
                let from = Some((&*before, opened.vector()));
                let after = self.knowledge.parts.encode(&configuration, from);
                let way = self.knowledge.store.number_of_way(way);
                (changes(opened.vector(), &after), way)
            })
            .collect();
        let reliance = self.knowledge.reliances.number(results.relied);
        let is_memory = |it: &SeenOnTheWay| matches!(&it.what, Sight::Violation(it) if it.property == Property::Memory);
        let entry = self.knowledge.memo.entry(entry);
        *entry.external == *external
            && entry.steps == results.steps
            && entry.observes_layout == results.observes_layout
            && entry.has_steps == has_steps
            && entry.reliance == reliance
            && entry.standing == worked_out.standing
            && results.found.iter().all(is_memory)
            && guesses.have_changed() == self.beliefs.guesses.have_changed()
    }

    /// Takes over what is known of the transactions of a thread; what they rest on.
    fn repeat(&mut self, entry: EntryId, job: &Job, opened: &mut Opened) -> RelianceId {
        self.progress.meter.begin(Activity::Repeating);
        let entry = self.knowledge.memo.entry(entry);
        self.progress.counts.transactions += u64::from(entry.has_steps);
        self.progress.counts.steps += entry.steps;
        self.findings.observes_layout |= entry.observes_layout;
        if self.beliefs.exchanges.is_some() {
            let reliance = entry.reliance;
            let external = entry.external.clone();
            self.reach_up_to_names(&external, job, opened.vector());
            return reliance;
        }
        for (changes, way) in &entry.external {
            let root = self.knowledge.store.changed(&mut opened.loaded, changes);
            self.buffers
                .pending
                .push((root, Link::transaction(job.node, *way)));
        }
        entry.reliance
    }

    /// Explores the transactions of a thread, and takes note of what they come to; what they rest on.
    fn work_out(
        &mut self,
        runner: Runner,
        job: &Job,
        opened: &mut Opened,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<RelianceId, Reason> {
        // The time began to count when the search asked what the thread can do.
        self.progress.meter.resume(Activity::WorkingOut);
        let thread = runner.thread;
        let WorkedOut {
            options,
            standing,
            notes,
        } = match runner.worked_out {
            Some(it) => *it,
            None => self.work_out_options(thread, opened),
        };
        let has_steps = !options.successors.is_empty();
        self.progress.counts.transactions += u64::from(has_steps);
        self.progress.counts.worked_out += u64::from(has_steps);
        let configuration = self.configuration(opened);
        let results = if has_steps || !options.blocked.is_empty() {
            let Beliefs {
                guesses,
                predicates,
                exchanges,
                orders,
                recorder,
            } = &mut self.beliefs;
            let mut transaction =
                Transaction::new(&self.setting, budget, predicates, guesses, orders);
            transaction.keeps_history = exchanges.is_some();
            transaction.recorder = recorder.as_mut();
            transaction.symmetry = exchanges.as_mut().map(|it| &mut it.symmetry);
            transaction.places = self.progress.meter.places();
            transaction.keeps_visited = self.setting.uses_heap;
            let first = First {
                successors: options.successors,
                blocked: options.blocked,
            };
            let watched = Arc::new(Configuration::clone(&configuration).watched(&notes.watch()));
            transaction.explore(&watched, thread, first)?
        } else {
            Results::default()
        };
        self.progress.meter.begin(Activity::Encoding);
        let reliance = self
            .knowledge
            .reliances
            .number(results.relied.iter().copied());
        let is_new = self.beliefs.recorder.is_none() && results.found.is_empty();
        let mut new = New {
            reads: notes.take(),
            slots: Vec::new(),
            steps: results.steps,
            external: Vec::new(),
            visited: self.visited(&results, &configuration, opened.vector()),
            observes_layout: results.observes_layout,
            has_steps,
            reliance,
            standing,
        };
        self.take(job, results, &mut new, opened, events);
        if self.beliefs.guesses.have_changed() {
            self.knowledge.memo.forget();
        } else if is_new
            && let Some(slots) = self.knowledge.parts.slots_of(&new.reads, opened.vector())
        {
            new.slots = slots;
            self.knowledge
                .memo
                .add(&self.knowledge.parts, opened.vector(), runner.slot, new);
        }
        Ok(reliance)
    }

    /// The states on the way in which memory may have been lost.
    fn visited(
        &mut self,
        results: &Results,
        configuration: &Configuration,
        vector: &[PartId],
    ) -> Vec<Changes> {
        // Whether there is anything to lose depends on more than what the transactions looked at.
        let visited = results.visited.iter();
        visited
            .map(|it| {
                changes(
                    vector,
                    &self
                        .knowledge
                        .parts
                        .encode(it, Some((configuration, vector))),
                )
            })
            .collect()
    }

    /// Takes over what the transactions of one thread led to.
    fn take(
        &mut self,
        job: &Job,
        results: Results,
        new: &mut New,
        opened: &mut Opened,
        events: &mut dyn Events,
    ) {
        self.progress.counts.steps += results.steps;
        self.findings.observes_layout |= results.observes_layout;
        self.findings.starts_threads |= results.starts_threads;
        if self.findings.weakness.is_none() {
            self.findings.weakness.clone_from(&results.weakness);
        }
        if results.shows_names {
            self.give_up_exchanges();
        }
        for SeenOnTheWay { way, step, what } in results.found {
            let place = Sighting {
                node: job.node,
                way: Some(way),
                step,
                switches: job.switches_after,
            };
            if let Some(followed) = &mut self.following {
                // The search has seen it, and knows the better way to it.
                followed.stops |= matches!(what, Sight::Stop(_));
                followed.ends |= matches!(what, Sight::Stop(Stop::Violation(it)) if it.property.ends_executions());
                continue;
            }
            match what {
                Sight::Violation(violation) => self.violated(&violation, &place, events),
                Sight::Stop(stop) => self.stopped(&stop, &place, events),
            }
        }
        let before = self.configuration(opened);
        for (configuration, way) in results.external {
            let from = Some((&*before, opened.vector()));
            let after = self.knowledge.parts.encode(&configuration, from);
            let changes = changes(opened.vector(), &after);
            new.external
                .push((changes, self.knowledge.store.number_of_way(way)));
        }
        if self.beliefs.exchanges.is_some() {
            self.reach_up_to_names(&new.external, job, opened.vector());
            return;
        }
        self.progress.meter.begin(Activity::Storing);
        self.knowledge.store.make_room(&self.knowledge.parts);
        self.knowledge.store.load(job.node, &mut opened.loaded);
        for (changes, way) in &new.external {
            let root = self.knowledge.store.changed(&mut opened.loaded, changes);
            self.buffers
                .pending
                .push((root, Link::transaction(job.node, *way)));
        }
    }

    /// Stores what was reached.
    fn store_pending(&mut self, arrival: Arrival) {
        self.progress.meter.begin(Activity::Storing);
        let mut reached = std::mem::take(&mut self.buffers.reached);
        let stored = |stored, link| reached.push((stored, link));
        self.knowledge
            .store
            .insert_roots(&self.buffers.pending, stored);
        self.buffers.pending.clear();
        for (stored, link) in reached.drain(..) {
            self.reach(stored, link, arrival);
        }
        self.buffers.reached = reached;
    }

    /// Takes note that a state was reached, for the first time or again.
    pub(super) fn reach(&mut self, stored: Stored, link: Link, arrival: Arrival) {
        if let Some(followed) = &mut self.following {
            let (Stored::New(node) | Stored::Known(node)) = stored;
            followed.next.push(node);
            if matches!(stored, Stored::Known(_)) {
                return;
            }
        }
        match stored {
            Stored::New(node) => {
                let arrival = self.arrived(node, arrival);
                let threads = || self.knowledge.threads_of(node);
                self.progress.frontier.add(node, arrival, threads);
            }
            Stored::Known(node) => {
                let arrival = self.arrived(node, arrival);
                match self.progress.frontier.reach_again(node, arrival) {
                    Gain::Nothing => {}
                    Gain::GoesOn(thread) => self.knowledge.store.add_origin(node, thread, link),
                    Gain::Fewer => self.knowledge.store.set_origin(node, link),
                }
            }
        }
    }

    /// Where preemptions are counted, whoever comes after a thread that cannot go on preempts nobody.
    fn arrived(&mut self, node: NodeId, arrival: Arrival) -> Arrival {
        let Order::FewestPreemptions { .. } = self.setting.engine.order else {
            return arrival;
        };
        let is_late = self.progress.frontier.switches(node) < arrival.switches;
        let goes_on = |it: &ThreadNumber| is_late || self.can_go_on(node, *it);
        Arrival {
            last: arrival.last.filter(goes_on),
            ..arrival
        }
    }

    fn can_go_on(&mut self, node: NodeId, thread: ThreadNumber) -> bool {
        let mut loaded = Loaded::default();
        self.knowledge.store.load(node, &mut loaded);
        let (parts, vector) = (&mut self.knowledge.parts, loaded.vector());
        let mut threads = parts.threads(vector).iter();
        let Some(&(_, slot)) = threads.find(|it| it.0 == thread) else {
            return false;
        };
        if !parts.is_running(slot, vector[slot.index()]) {
            return false;
        }
        let configuration = parts.decode(vector);
        let options = (self.setting.interpreter).thread_options(&configuration.state, thread);
        !options.successors.is_empty()
    }
}
