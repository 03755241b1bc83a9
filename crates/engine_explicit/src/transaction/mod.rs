//! All that one thread can do before another has to be scheduled, and with it the threads that it spawns (T5).
//!
//! Here is the exploration; `judging`: how steps move; `inner`: the states inside.
//!
//! # Source
//!
//! FQ §4.2 with its phases: right movers before the commit, left movers after it. With left movers only (SC §4), the commit
//! is the first step.
//!
//! # Definitions
//!
//! - The *phase* of an inner state, FQ's `p`: pre-commit ([`Phase::BeforeCommit`]), as long as only right movers were taken, or
//!   post-commit ([`Phase::AfterCommit`]). `phase_after` is the update of `p` in FQ's `Act#`, and the rules R1 and R2 of DR Table 3.
//! - A state is *external* (FQ's `N(t)`, DR's copy N) if others are scheduled there, and *passed* if not. What is external is stored.
//! - A *transaction* is a way from an external state to the next external one, SC's `N_i`; as far as it has come it is SC's `M_i`.
//!
//! # Invariants
//!
//! - **(T1)** Before the commit every step but the last was a right mover; a thread that blocks there is dropped: its steps
//!   can be moved away, to where it goes on.
//! - **(T2)** After the commit, a state is passed without scheduling others only if all steps that the thread can take are
//!   left movers, none of them stops the execution, and no other thread can enable more (leftness per location).
//! - **(T3)** Every passed state after the commit has a way to one that is not passed (condition C).
//! - **(T4)** The state before the end of the process is not passed: what others can still do ends there.
//! - **(T5)** With left movers only, threads that a transaction spawned go on in it to their first step that is no left mover:
//!   left movers of a new thread can be moved as far as its spawn. So the first state of a thread is not stored for its
//!   own sake (SC asks that threads begin with a visible step, WF-initVis). Not where switches are counted, since these
//!   would be more.
//!
//! # Deviations
//!
//! 1. FQ and DR write the phase into the program (`P#`, Table 3); here it is part of the inner state, and forgotten with it.
//! 2. FQ's step that fails the assertion `δ(t,l)` goes wrong. Here it weakens a guess, and what relied on that is explored again.
//! 3. (T4) and (T5) are ours; `docs/design/reduction.md` has the proofs.
//! 4. A transaction of more than `MOST_STATES` states is ended. To schedule others in more states than needed is always sound.
//!
//! # Tested by
//!
//! `crates/testkit/tests/random_programs.rs`, `figures.rs` and `shortest.rs`; the omissions `AllStepsMoveLeft`, `NobodyEnablesMore`,
//! `EndIsNotPassed` and `CyclesAreCut` of `cargo xtask mutants`.

mod inner;
mod judging;

use std::sync::Arc;

use raddle_base::{FastMap, FastSet};
use raddle_engine::{Budget, Reason};
use raddle_ir::Action;
use raddle_ir::entries::Entries;
use raddle_ir::interpret::{
    Blocked, Effect, Outcome, Step, StepPart, Stop, Successor, ThreadNumber, ThreadOptions,
    Violation,
};
use raddle_reduce::guesses::{Guess, Guesses};
use raddle_reduce::history::Configuration;
use raddle_reduce::judge::Moves;
use raddle_reduce::movers::Row;
use raddle_reduce::omission::Omission;
use raddle_reduce::predicates::Predicates;
use raddle_reduce::symmetry::Symmetry;
use raddle_stepper::loss::judge_memory_after;

use crate::lock_order::LockOrders;
use crate::measure::Places;
use crate::phase::Phase;
use crate::setting::Setting;
use crate::survey::{Recorder, Taken};
use crate::way::Way;

use inner::{Inner, Turn};
use judging::Judged;

/// How many steps are taken at most between two looks at the budget's memory.
const STEPS_BETWEEN_LOOKS: u64 = 1_000;

/// A transaction of more states is ended: others may show that it rests on a wrong guess, and some never end by themselves.
const MOST_STATES: usize = 2_000;

/// The same where there is one way only and other threads could be scheduled: where it is ended each of them may be at any place,
/// as when one thread starts thousands.
const MOST_IN_A_ROW: usize = 1 << 17;

/// What is known of a thread where its transactions begin.
pub(crate) struct First {
    pub(crate) successors: Vec<Successor>,
    /// What it looked at on ways that are blocked.
    pub(crate) blocked: Blocked,
}

/// What a transaction led to.
#[derive(Default)]
pub(crate) struct Results {
    /// States to store, each with the way to it.
    pub(crate) external: Vec<(Arc<Configuration>, Way)>,
    /// States on the way in which memory may be lost, if somebody wants them.
    pub(crate) visited: Vec<Arc<Configuration>>,
    pub(crate) found: Vec<SeenOnTheWay>,
    pub(crate) relied: FastSet<Guess>,
    pub(crate) steps: u64,
    pub(crate) observes_layout: bool,
    /// Some step starts a thread.
    pub(crate) starts_threads: bool,
    /// The first step for which interleavings are not all that can happen.
    pub(crate) weakness: Option<StepPart>,
    /// Some step would do otherwise if threads or objects had other names.
    pub(crate) shows_names: bool,
}

/// Something seen on the way.
pub(crate) struct SeenOnTheWay {
    /// The way to the state in which it was seen, from the beginning of the transaction.
    pub(crate) way: Way,
    /// The step that shows it; the state itself does if there is none.
    pub(crate) step: Option<Step>,
    pub(crate) what: Sight,
}

pub(crate) enum Sight {
    /// The execution goes on.
    Violation(Violation),
    Stop(Stop),
}

/// The transactions of one thread from one stored state.
#[expect(
    clippy::struct_excessive_bools,
    reason = "two are asked for by the caller, two are found on the way"
)]
pub(crate) struct Transaction<'a> {
    pub(crate) setting: &'a Setting<'a>,
    pub(crate) predicates: &'a Predicates,
    pub(crate) guesses: &'a mut Guesses,
    pub(crate) budget: &'a Budget,
    orders: &'a mut LockOrders,
    /// Takes notes of every step, if somebody wants them.
    pub(crate) recorder: Option<&'a mut Recorder>,
    /// Looks at every step, if states stand for others with other names.
    pub(crate) symmetry: Option<&'a mut Symmetry>,
    /// Counts every step, if somebody wants to know where.
    pub(crate) places: Option<&'a mut Places>,
    pub(crate) keeps_visited: bool,
    /// Whether somebody looks at the history of configurations though the reduction does not.
    pub(crate) keeps_history: bool,
    inner: Vec<Inner>,
    /// Those where ways can meet, by their hashes.
    known: FastMap<u64, Vec<usize>>,
    has_branched: bool,
    /// Some state had several after it.
    has_choices: bool,
    results: Results,
}

impl<'a> Transaction<'a> {
    pub(crate) fn new(
        setting: &'a Setting<'a>,
        budget: &'a Budget,
        predicates: &'a Predicates,
        guesses: &'a mut Guesses,
        orders: &'a mut LockOrders,
    ) -> Self {
        Self {
            setting,
            predicates,
            budget,
            guesses,
            orders,
            recorder: None,
            symmetry: None,
            keeps_history: false,
            places: None,
            keeps_visited: false,
            inner: Vec::new(),
            known: FastMap::default(),
            has_branched: false,
            has_choices: false,
            results: Results::default(),
        }
    }

    /// Explores all transactions of a thread that begin in a configuration; the first steps are known already.
    pub(crate) fn explore(
        mut self,
        start: &Arc<Configuration>,
        thread: ThreadNumber,
        first: First,
    ) -> Result<Results, Reason> {
        self.predicates.look_at(None);
        // Without grounds nobody asks what holds.
        if self.setting.style.grounds.is_some() {
            self.judge_for(start, thread).note(&first.blocked);
        }
        self.reach(Inner {
            configuration: Arc::clone(start),
            phase: Phase::Start,
            runner: thread,
            fresh: Entries::default(),
            parent: None,
            last: None,
            next: Vec::new(),
            is_external: false,
            hash: Some(0),
        });
        let first = self.judged(start, thread, first.successors);
        self.expand(0, first)?;
        let mut at = 1;
        while at < self.inner.len() {
            self.has_choices |= self.inner.len() > at + 1;
            self.note_branch(at);
            self.visit(at)?;
            at += 1;
        }
        self.cut_cycles();
        for at in 1..self.inner.len() {
            if self.inner[at].is_external {
                let way = self.way_to(at);
                self.note_end(at);
                self.results
                    .external
                    .push((Arc::clone(&self.inner[at].configuration), way));
            }
        }
        Ok(self.results)
    }

    /// Goes on from an inner state, unless it is the end of the transaction.
    fn visit(&mut self, at: usize) -> Result<(), Reason> {
        self.budget.check_time()?;
        let configuration = Arc::clone(&self.inner[at].configuration);
        for violation in self.judged_memory(at) {
            self.see(at, None, Sight::Violation(violation));
        }
        let runner = self.inner[at].runner;
        let goes_on = configuration
            .state
            .threads
            .get(&runner)
            .is_some_and(|thread| !thread.frames.is_empty());
        if !goes_on || self.setting.style.grounds.is_none() || self.is_too_long(at) {
            self.end(at);
            return Ok(());
        }
        self.check_others(&configuration, runner);
        let options = self
            .setting
            .interpreter
            .thread_options(&configuration.state, runner);
        let ends = options.successors.iter().any(|it| self.ends_process(it));
        if ends && !self.setting.omits(Omission::EndIsNotPassed) {
            self.end(at);
            return Ok(());
        }
        self.predicates.look_at(None);
        self.judge_for(&configuration, runner)
            .note(&options.blocked);
        let waits = self.waits(&options);
        let judged = self.judged(&configuration, runner, options.successors);
        let all_move_left =
            judged.iter().all(|it| it.moves.left) || self.setting.omits(Omission::AllStepsMoveLeft);
        if self.inner[at].phase == Phase::AfterCommit && (waits || !all_move_left) {
            self.end(at);
            return Ok(());
        }
        self.expand(at, judged)
    }

    /// Whether the transaction is ended at an inner state, whatever the thread could do there.
    fn is_too_long(&self, at: usize) -> bool {
        let state = &self.inner[at].configuration.state;
        let may_go_on = !self.has_choices && state.threads.len() > 1;
        at >= if may_go_on {
            MOST_IN_A_ROW
        } else {
            MOST_STATES
        }
    }

    /// Violations of the memory of an inner state. If memory may be lost there, depending on what the transaction
    /// does not look at, the state is kept.
    fn judged_memory(&mut self, at: usize) -> Vec<Violation> {
        let configuration = &self.inner[at].configuration;
        let state = &configuration.state;
        let Some((before, _)) = self.inner[at].parent else {
            return self.setting.interpreter.judge_memory(state);
        };
        // What was lost there has been seen.
        let before = &self.inner[before].configuration.state;
        let start = &self.inner[0].configuration.state;
        let (violations, may_be_lost) =
            judge_memory_after(&self.setting.interpreter, start, before, state);
        if self.keeps_visited && may_be_lost {
            self.results.visited.push(Arc::clone(configuration));
        }
        violations
    }

    /// Whether the thread is blocked, or another can enable more of its steps.
    fn waits(&self, options: &ThreadOptions) -> bool {
        if options.waits_for_others {
            return !self.setting.omits(Omission::NobodyEnablesMore);
        }
        // A guard that blocks is no left mover, whatever the others at its location are.
        let (_, guards_move_left) = self.setting.engine.flaw.table.sides(Row::Assume);
        options.successors.is_empty() && !guards_move_left
    }

    /// The thread comes to the end of its transaction; threads that it spawned go on, if there are any (T5).
    fn end(&mut self, at: usize) {
        let inner = &self.inner[at];
        let takes_over = inner.phase == Phase::AfterCommit
            && self.setting.style.has_spawned
            && !inner.configuration.state.has_ended;
        let first = inner.fresh.first_key_value().filter(|_| takes_over);
        let Some((&turn, &runner)) = first else {
            self.inner[at].is_external = true;
            return;
        };
        let mut fresh = inner.fresh.clone();
        fresh.remove(&turn);
        let handed_over = Inner {
            configuration: Arc::clone(&inner.configuration),
            phase: Phase::AfterCommit,
            runner,
            fresh,
            parent: Some((at, None)),
            last: None,
            next: Vec::new(),
            is_external: false,
            hash: None,
        };
        self.note_end(at);
        let next = self.reach(handed_over);
        self.inner[at].next.push(next);
    }

    /// Takes note that a thread's part in a transaction ends.
    fn note_end(&mut self, at: usize) {
        let inner = &self.inner[at];
        if let Some(recorder) = &mut self.recorder {
            let state = &inner.configuration.state;
            recorder.end(state, inner.runner, inner.phase, inner.last);
        }
    }

    /// Takes the steps of the thread from an inner state.
    fn expand(&mut self, at: usize, judged: Vec<Judged>) -> Result<(), Reason> {
        for (choice, judged) in judged.into_iter().enumerate() {
            let Judged {
                successor,
                moves,
                after,
            } = judged;
            self.results.steps += 1;
            if let Some(places) = &mut self.places {
                places.step(&successor.step);
            }
            if self.results.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
                self.budget.check()?;
            }
            self.results.observes_layout |= successor.effects.contains(&Effect::ObserveLayout);
            let is_start = |it: &Effect| matches!(it, Effect::Spawn { .. });
            self.results.starts_threads |= successor.effects.iter().any(is_start);
            let before = &self.inner[at].configuration;
            if self.results.weakness.is_none() {
                let weaknesses = &self.setting.weaknesses;
                let weak = weaknesses.of_step(&before.state, &successor.step);
                self.results.weakness = weak.cloned();
            }
            if let Some(symmetry) = &mut self.symmetry {
                let program = self.setting.interpreter.program();
                self.results.shows_names |= !symmetry.admits(program, &before.state, &successor);
            }
            self.orders
                .step(&self.setting.interpreter, &before.state, &successor);
            let phase = self.phase_after(at, moves);
            if let Some(recorder) = &mut self.recorder {
                let taken = Taken {
                    before,
                    successor: &successor,
                    moves,
                    phases: (self.inner[at].phase, phase),
                };
                recorder.step(&self.setting.interpreter, self.guesses, &taken);
            }
            for violation in &successor.violations {
                let sight = Sight::Violation(violation.clone());
                self.see(at, Some(&successor.step), sight);
            }
            if let Outcome::Stopped(stop) = successor.outcome {
                self.see(at, Some(&successor.step), Sight::Stop(stop));
                continue;
            }
            let after = after.expect("a step that does not stop leads somewhere");
            let choice = u32::try_from(choice).expect("fewer than 2^32 successors");
            let mut fresh = self.inner[at].fresh.clone();
            for effect in &successor.effects {
                if let Effect::Spawn { thread } = effect {
                    fresh.insert(Turn::after(&fresh), *thread);
                }
            }
            let next = self.reach(Inner {
                configuration: Arc::new(after),
                phase,
                runner: self.inner[at].runner,
                fresh,
                parent: Some((at, Some(choice))),
                last: successor
                    .step
                    .parts
                    .last()
                    .map(|part| (part.function, part.edge)),
                next: Vec::new(),
                is_external: false,
                hash: None,
            });
            self.inner[at].next.push(next);
        }
        Ok(())
    }

    fn phase_after(&self, at: usize, moves: Moves) -> Phase {
        match self.inner[at].phase {
            Phase::Start | Phase::BeforeCommit
                if self.setting.style.has_right_movers && moves.right =>
            {
                Phase::BeforeCommit
            }
            Phase::Start | Phase::BeforeCommit | Phase::AfterCommit => Phase::AfterCommit,
        }
    }

    fn ends_process(&self, successor: &Successor) -> bool {
        successor.step.parts.iter().any(|part| {
            let edge = self
                .setting
                .interpreter
                .program()
                .edge(part.function, part.edge);
            matches!(edge.action, Action::EndProcess { .. })
        })
    }

    fn see(&mut self, at: usize, step: Option<&Step>, what: Sight) {
        let way = self.way_to(at);
        self.results.found.push(SeenOnTheWay {
            way,
            step: step.cloned(),
            what,
        });
    }
}
