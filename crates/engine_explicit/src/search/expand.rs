//! What can happen in one state: what it shows by itself, and the transactions of its threads.
//!
//! Whatever is known from a state with the same parts is taken from there ([`memo`](crate::memo)); the rest is worked out.

use std::sync::Arc;

use raddle_engine::{Budget, Events, Reason};
use raddle_ir::interpret::reads::{Reads, observe};
use raddle_ir::interpret::{Property, State, Successor, ThreadNumber, ThreadOptions};
use raddle_reduce::history::Configuration;

use crate::Order;
use crate::frontier::{Arrival, Gain, Job, Who};
use crate::lock_order::LockOrders;
use crate::measure::Phase;
use crate::memo::{Changes, EntryId, New, StandingId, changes, is_deadlocked};
use crate::parts::{PartId, Slot};
use crate::reliances::{Reliance, Reliances};
use crate::store::{Link, Loaded, NodeId, Stored, WayId};
use crate::transaction::{First, Found, Results, Setting, Sight, Transaction};

use super::Search;
use super::sightings::Place;

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
    reads: Reads,
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
    ) -> Result<Reliance, Reason> {
        let mut opened = Opened {
            loaded: std::mem::take(&mut self.loaded),
            configuration: None,
        };
        self.meter.begin(Phase::Loading);
        self.store.load(job.node, &mut opened.loaded);
        let mut runners = std::mem::take(&mut self.runners);
        self.meter.begin(Phase::LookingUp);
        self.find_runners(job, &mut opened, &mut runners);
        self.meter.begin(Phase::Judging);
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
            let successors: Vec<Successor> = self.interpreter.successors(state);
            for violation in self.interpreter.judge_with(state, &successors) {
                self.violated(&violation, &Place::at(job), events);
            }
        }
        let mut relied = Reliances::NOTHING;
        if job.who == Who::Nobody {
            runners.clear();
        }
        let forgotten = self.memo.forgotten();
        for mut runner in runners.drain(..) {
            if self.memo.forgotten() != forgotten {
                runner.known = None;
            }
            let rests_on = match runner.known {
                Some(entry) if !self.loses_memory(entry, &opened) => {
                    debug_assert!(
                        !self.memo.hits.is_multiple_of(HITS_BETWEEN_CHECKS)
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
            relied = self.reliances.union(relied, rests_on);
        }
        self.store_pending(Arrival::after(job));
        self.meter.begin(Phase::Rest);
        (self.loaded, self.runners) = (opened.loaded, runners);
        Ok(relied)
    }

    /// The threads that are asked for, with what is known of them.
    fn find_runners(&mut self, job: &Job, opened: &mut Opened, runners: &mut Vec<Runner>) {
        let is_asked = |thread: ThreadNumber| match job.who {
            Who::Everybody | Who::Nobody => true,
            Who::One(one) => thread == one,
        };
        let is_known = self.recorder.is_none();
        runners.clear();
        for &(thread, slot) in self.parts.threads(opened.vector()) {
            let part = opened.vector()[slot as usize];
            if !is_asked(thread) || !self.parts.is_running(slot, part) {
                continue;
            }
            let known = self.memo.find(&self.parts, opened.vector(), slot);
            runners.push(Runner {
                thread,
                slot,
                known: known.filter(|_| is_known),
                worked_out: None,
            });
        }
        for runner in runners {
            if runner.known.is_none() {
                runner.worked_out = Some(Box::new(self.options(runner.thread, opened)));
            }
        }
    }

    fn configuration(&mut self, opened: &mut Opened) -> Arc<Configuration> {
        if let Some(known) = &opened.configuration {
            return Arc::clone(known);
        }
        let before = self.meter.begin(Phase::PuttingTogether);
        let configuration = Arc::new(self.parts.decode(opened.loaded.vector()));
        self.meter.resume(before);
        opened.configuration = Some(Arc::clone(&configuration));
        configuration
    }

    fn options(&mut self, thread: ThreadNumber, opened: &mut Opened) -> WorkedOut {
        let before = self.meter.begin(Phase::WorkingOut);
        let configuration = self.configuration(opened);
        let state = &configuration.state;
        let ((options, standing), reads) = observe(|| {
            let options = self.interpreter.thread_options(state, thread);
            let standing = self.interpreter.standing(state, thread, &options);
            (options, standing)
        });
        let standing = self.standings.number(standing);
        self.meter.resume(before);
        // A thread that joins a root, which no value names, has computed the name.
        let roots = self.program.roots.len() as u64;
        if options.blocked.joined.iter().any(|it| it.0 < roots) {
            self.give_up_exchanges();
        }
        WorkedOut {
            options,
            standing,
            reads,
        }
    }

    fn is_open(&self, property: Property) -> bool {
        self.open.contains(&property)
    }

    /// What the threads stand before, and what they wait for.
    fn standings_of(&self, runners: &[Runner]) -> Vec<(ThreadNumber, StandingId)> {
        let standing = |runner: &Runner| match (&runner.worked_out, runner.known) {
            (Some(it), _) => it.standing,
            (None, Some(entry)) => self.memo.entry(entry).standing,
            (None, None) => unreachable!("what is not known was worked out"),
        };
        runners.iter().map(|it| (it.thread, standing(it))).collect()
    }

    /// The state that is stored under a number.
    pub(super) fn state_of(&mut self, node: NodeId) -> State {
        let mut loaded = Loaded::default();
        self.store.load(node, &mut loaded);
        self.parts.decode(loaded.vector()).state
    }

    /// Whether the state itself may show a violation that is looked for.
    fn may_be_violated(&mut self, job: &Job, runners: &[Runner], opened: &Opened) -> bool {
        // Lost memory and broken invariants are seen on the way to a state, unless it is where a program starts.
        if self.engine.order == Order::FewestSwitches || self.store.is_initial(job.node) {
            return true;
        }
        let (race, deadlock) = (
            self.is_open(Property::Race),
            self.is_open(Property::Deadlock),
        );
        if !race && !deadlock {
            return self.is_open(Property::Leak) && self.parts.is_over(opened.vector());
        }
        let standings = self.standings_of(runners);
        if race {
            for (at, (_, one)) in standings.iter().enumerate() {
                for (_, other) in &standings[at + 1..] {
                    if self.standings.race(*one, *other) {
                        return true;
                    }
                }
            }
        }
        deadlock && is_deadlocked(&standings, &self.standings).unwrap_or(true)
            || self.is_open(Property::Leak) && self.parts.is_over(opened.vector())
    }

    /// Whether memory is lost on the way of transactions that are known.
    fn loses_memory(&self, entry: EntryId, opened: &Opened) -> bool {
        let visited = &self.memo.entry(entry).visited;
        self.is_open(Property::Memory) && self.parts.lose_memory(opened.vector(), visited)
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
        let worked_out = self.options(runner.thread, opened);
        let has_steps = !worked_out.options.successors.is_empty();
        let first = First {
            successors: worked_out.options.successors,
            blocked: worked_out.options.blocked,
        };
        let (mut guesses, mut orders) = (self.guesses.clone(), LockOrders::default());
        let transaction = Transaction::new(self.setting(budget), &mut guesses, &mut orders);
        let Ok(results) = transaction.explore(&before, runner.thread, first) else {
            // Time is over.
            return true;
        };
        let external: Vec<(Changes, WayId)> = results
            .external
            .into_iter()
            .map(|(configuration, way)| {
                let from = Some((&*before, opened.vector()));
                let after = self.parts.encode(&configuration, from);
                let way = self.store.number_of_way(way);
                (changes(opened.vector(), &after), way)
            })
            .collect();
        let reliance = self.reliances.number(results.relied);
        let is_memory = |it: &Found| matches!(&it.what, Sight::Violation(it) if it.property == Property::Memory);
        let entry = self.memo.entry(entry);
        *entry.external == *external
            && entry.steps == results.steps
            && entry.observes_layout == results.observes_layout
            && entry.has_steps == has_steps
            && entry.reliance == reliance
            && entry.standing == worked_out.standing
            && results.found.iter().all(is_memory)
            && guesses.have_changed() == self.guesses.have_changed()
    }

    fn setting<'s>(&'s self, budget: &'s Budget) -> Setting<'s> {
        Setting {
            interpreter: &self.interpreter,
            style: self.style,
            cut: self.engine.cut,
            flaw: &self.engine.flaw,
            statics: self.statics.as_ref(),
            dynamics: self.dynamics.as_ref(),
            predicates: &self.predicates,
            watched: &self.watched,
            budget,
            keeps_history: self.exchanges.is_some(),
        }
    }

    /// Takes over what is known of the transactions of a thread; what they rest on.
    fn repeat(&mut self, entry: EntryId, job: &Job, opened: &mut Opened) -> Reliance {
        self.meter.begin(Phase::Repeating);
        let entry = self.memo.entry(entry);
        self.counts.transactions += u64::from(entry.has_steps);
        self.counts.steps += entry.steps;
        self.observes_layout |= entry.observes_layout;
        if self.exchanges.is_some() {
            let reliance = entry.reliance;
            let external = entry.external.clone();
            self.reach_up_to_names(&external, job, opened.vector());
            return reliance;
        }
        for (changes, way) in &entry.external {
            let root = self.store.changed(&mut opened.loaded, changes);
            self.pending.push((root, Link::transaction(job.node, *way)));
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
    ) -> Result<Reliance, Reason> {
        // The time began to count when the search asked what the thread can do.
        self.meter.resume(Phase::WorkingOut);
        let thread = runner.thread;
        let WorkedOut {
            options,
            standing,
            mut reads,
        } = match runner.worked_out {
            Some(it) => *it,
            None => self.options(thread, opened),
        };
        let has_steps = !options.successors.is_empty();
        self.counts.transactions += u64::from(has_steps);
        self.counts.worked_out += u64::from(has_steps);
        let configuration = self.configuration(opened);
        let results = if has_steps || !options.blocked.is_empty() {
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
                keeps_history: self.exchanges.is_some(),
            };
            let mut transaction = Transaction::new(setting, &mut self.guesses, &mut self.orders);
            transaction.recorder = self.recorder.as_mut();
            transaction.symmetry = self.exchanges.as_mut().map(|it| &mut it.symmetry);
            transaction.places = self.meter.places();
            transaction.keeps_visited = self.uses_heap;
            let first = First {
                successors: options.successors,
                blocked: options.blocked,
            };
            let (results, more) = observe(|| transaction.explore(&configuration, thread, first));
            reads.add(more);
            results?
        } else {
            Results::default()
        };
        self.meter.begin(Phase::Encoding);
        let reliance = self.reliances.number(results.relied.iter().copied());
        let is_new = self.recorder.is_none() && results.found.is_empty();
        let mut new = New {
            reads,
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
        if self.guesses.have_changed() {
            self.memo.forget();
        } else if is_new && let Some(slots) = self.parts.slots_of(&new.reads, opened.vector()) {
            new.slots = slots;
            self.memo
                .add(&self.parts, opened.vector(), runner.slot, new);
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
                    &self.parts.encode(it, Some((configuration, vector))),
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
        self.counts.steps += results.steps;
        self.observes_layout |= results.observes_layout;
        if results.shows_names {
            self.give_up_exchanges();
        }
        for Found { way, step, what } in results.found {
            let place = Place {
                node: job.node,
                way: Some(way),
                step,
                switches: job.switches_after,
            };
            if let Some(followed) = &mut self.following {
                // The search has seen it, and knows the better way to it.
                followed.stops |= matches!(what, Sight::Stop(_));
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
            let after = self.parts.encode(&configuration, from);
            let changes = changes(opened.vector(), &after);
            new.external.push((changes, self.store.number_of_way(way)));
        }
        if self.exchanges.is_some() {
            self.reach_up_to_names(&new.external, job, opened.vector());
            return;
        }
        self.meter.begin(Phase::Storing);
        self.store.make_room(&self.parts);
        self.store.load(job.node, &mut opened.loaded);
        for (changes, way) in &new.external {
            let root = self.store.changed(&mut opened.loaded, changes);
            self.pending.push((root, Link::transaction(job.node, *way)));
        }
    }

    /// Stores what was reached.
    fn store_pending(&mut self, arrival: Arrival) {
        self.meter.begin(Phase::Storing);
        let mut reached = std::mem::take(&mut self.reached);
        let stored = |stored, link| reached.push((stored, link));
        self.store.insert_roots(&self.pending, stored);
        self.pending.clear();
        for (stored, link) in reached.drain(..) {
            self.reach(stored, link, arrival);
        }
        self.reached = reached;
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
                let (store, parts) = (&self.store, &self.parts);
                self.frontier.add(node, arrival, || {
                    let mut loaded = Loaded::default();
                    store.load(node, &mut loaded);
                    let threads = parts.threads(loaded.vector());
                    threads.iter().map(|(thread, _)| *thread).collect()
                });
            }
            Stored::Known(node) => match self.frontier.reach_again(node, arrival) {
                Gain::Nothing => {}
                Gain::GoesOn(thread) => self.store.add_origin(node, thread, link),
                Gain::Fewer => self.store.set_origin(node, link),
            },
        }
    }
}
