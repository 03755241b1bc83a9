//! One execution under a strategy, and what it seems to show.
//!
//! # Definitions
//!
//! - The *window* is how many started threads may be ready while another one is started: who would start one more is held back until
//!   the others wait or have ended. So threads that a loop starts come one by one, and a bug of two of them costs two of them.

use raddle_base::{Budget, Exhausted};
use raddle_ir::action::Action;
use raddle_ir::effect::SyncEffect;
use raddle_ir::interpret::{
    Effect, Ending, Interpreter, MemoryAccess, ObjectNumber, Property, State, StepPart, Stop,
    ThreadNumber,
};
use raddle_ir::program::Program;
use raddle_stepper::walk::{Tried, Walk};

use crate::confirm::Suspicion;
use crate::distinct::Signature;
use crate::inputs::Chooser;
use crate::orders::Orders;
use crate::points::Points;
use crate::record::Record;
use crate::strategy::{Kind, Place, Point, Strategy};
use crate::threads::{Awaited, Threads};

/// How many steps are taken between two looks at the clock.
const STEPS_BETWEEN_LOOKS: usize = 50;
/// Who goes on at so many points in a row is taken to go round in circles.
const MOST_IN_A_ROW: u64 = 50;
/// So many races of an execution are looked into.
const MOST_RACES: usize = 4;
/// So many things that an execution seems to show are noted.
const MOST_SUSPICIONS: usize = 16;

/// What is kept from one execution to the next, for its memory.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) record: Record,
    pub(crate) orders: Orders,
    pub(crate) signature: Signature,
    pub(crate) suspicions: Vec<Suspicion>,
}

/// How an execution is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) steps: usize,
    pub(crate) window: usize,
    /// The process is ended only when nobody else can go on.
    pub(crate) ends_late: bool,
}

/// How an execution ended.
#[derive(Debug)]
pub(crate) enum End {
    /// The process or all threads have ended, a step failed, or nobody can go on.
    Over,
    /// At something that is not modelled, or a limit of the model.
    Cut,
    /// There were too many steps.
    Steps,
    Spent(Exhausted),
}

pub(crate) struct Ran {
    pub(crate) end: End,
    pub(crate) threads: usize,
    /// Where the strategy was asked, or could have been.
    pub(crate) points: u64,
}

pub(crate) struct Execution<'a, 'p> {
    pub(crate) interpreter: &'a Interpreter<'p>,
    /// The properties that are of interest.
    pub(crate) open: &'a [Property],
    pub(crate) points: &'a mut Points,
    pub(crate) chooser: Chooser<'a, 'p>,
    pub(crate) strategy: &'a mut dyn Strategy,
    pub(crate) limits: Limits,
    pub(crate) notes: &'a mut Notes,
    pub(crate) walk: Walk<'a>,
    pub(crate) threads: Threads,
}

impl<'p> Execution<'_, 'p> {
    pub(crate) fn run(&mut self, budget: &Budget) -> Ran {
        for thread in 0..self.threads.count() {
            let kind = self.kind(self.threads.name(thread));
            self.strategy.thread_came(thread, kind);
            self.notes.orders.came(thread, None);
        }
        let mut number = 0;
        let end = self.go(&mut number, budget);
        Ran {
            end,
            threads: self.threads.count(),
            points: number,
        }
    }

    fn asks(&self, property: Property) -> bool {
        self.open.contains(&property)
    }

    fn suspect(&mut self, property: Property, steps: usize, earlier: Option<usize>) {
        let suspicions = &mut self.notes.suspicions;
        if self.open.contains(&property) && suspicions.len() < MOST_SUSPICIONS {
            suspicions.push(Suspicion {
                property,
                steps,
                earlier,
            });
        }
    }

    fn go(&mut self, number: &mut u64, budget: &Budget) -> End {
        let mut current: Option<usize> = None;
        // Another thread was started, which may run first.
        let mut has_started = false;
        let mut in_a_row = 0;
        let mut has_rescued = false;
        loop {
            if self.notes.record.len() >= self.limits.steps {
                self.look_at_the_end();
                return End::Steps;
            }
            if self.notes.record.len().is_multiple_of(STEPS_BETWEEN_LOOKS)
                && let Err(spent) = budget.check_time()
            {
                return End::Spent(spent);
            }
            if self.threads.active() < self.limits.window {
                self.threads.release_held();
            }
            if self.threads.ready().is_empty()
                && !self.threads.release_held()
                && !self.threads.release_last()
            {
                if has_rescued || !self.threads.someone_waits() {
                    self.look_at_the_end();
                    return End::Over;
                }
                has_rescued = true;
                self.threads.wake_all();
            }
            let ready = |it: &usize| self.threads.is_ready(*it);
            let thread = match current.filter(ready) {
                Some(thread) if !has_started && !self.is_point(thread) => thread,
                current_ready => {
                    *number += 1;
                    if current_ready.is_some() {
                        in_a_row += 1;
                    }
                    let spins = in_a_row > MOST_IN_A_ROW;
                    if let [only] = self.threads.ready() {
                        *only
                    } else {
                        let next = self.strategy.choose(Point {
                            number: *number,
                            current: current_ready,
                            place: current_ready.and_then(|it| self.location(it)),
                            ready: self.threads.ready(),
                            version: self.threads.version(),
                            spins,
                        });
                        if Some(next) != current || spins {
                            in_a_row = 0;
                        }
                        next
                    }
                }
            };
            current = Some(thread);
            has_started = false;
            if self.is_held_back(thread) {
                self.threads.hold(thread);
                continue;
            }
            if self.limits.ends_late && self.threads.ready().len() > 1 && self.place(thread).ends()
            {
                self.threads.hold_to_the_last(thread);
                continue;
            }
            match self.step(thread) {
                Tried::Stepped => {
                    has_rescued = false;
                    self.stepped(thread);
                    has_started = self.has_started();
                    self.stand(thread);
                }
                Tried::Blocked => self.wait(thread),
                Tried::Ended(ending) => {
                    self.note_step(thread);
                    self.ended(ending);
                    return End::Over;
                }
                Tried::Stopped(stop) => {
                    self.note_step(thread);
                    return self.stopped(&stop);
                }
            }
        }
    }

    fn program(&self) -> &'p Program {
        self.interpreter.program()
    }

    fn state(&self) -> &State {
        self.walk.state()
    }

    /// The place at which a thread stands.
    fn location(&self, thread: usize) -> Option<Place> {
        let name = self.threads.name(thread);
        let threads = self.state().threads.unobserved();
        let frame = threads.get(&name).and_then(|it| it.frames.last())?;
        Some((frame.function, frame.location))
    }

    /// What it stands before.
    fn place(&self, thread: usize) -> crate::points::PointMarks {
        let location = self.location(thread);
        location.map_or_else(Default::default, |(function, at)| {
            self.points.at(function, at)
        })
    }

    /// The function that a thread began with.
    fn kind(&self, name: ThreadNumber) -> Kind {
        let threads = self.state().threads.unobserved();
        let thread = threads.get(&name).expect("it has just come");
        thread.function
    }

    fn is_point(&self, thread: usize) -> bool {
        self.points.is_point(self.place(thread))
    }

    /// Whether a thread would start another one though enough of them are at work.
    fn is_held_back(&self, thread: usize) -> bool {
        self.threads.active_beside(thread) >= self.limits.window
            && self.threads.ready().len() > 1
            && self.place(thread).spawns()
    }

    fn step(&mut self, thread: usize) -> Tried {
        let name = self.threads.name(thread);
        let place = self.place(thread);
        if place.chooses() {
            self.prepare_choices(name);
        }
        if place.ends() {
            self.look_before_the_end();
        }
        if self.asks(Property::Race) || self.strategy.looks_at_steps() {
            self.learn_by_joining(thread);
        }
        self.walk.step_of(name, &mut self.chooser)
    }

    fn prepare_choices(&mut self, name: ThreadNumber) {
        let state = self.walk.state();
        let Some(frame) = state.threads[&name].frames.last() else {
            return;
        };
        let function = frame.function;
        for &edge in self
            .interpreter
            .program()
            .outgoing(function, frame.location)
        {
            if matches!(
                self.interpreter.program().edge(function, edge).action,
                Action::Havoc { .. }
            ) {
                let place = (function, edge);
                (self.chooser.inputs).prepare(self.interpreter, state, name, place);
            }
        }
    }

    /// Who joins another thread learns all that it did. Whom is known only before.
    fn learn_by_joining(&mut self, thread: usize) {
        let name = self.threads.name(thread);
        let state = self.walk.state();
        let Some(frame) = state
            .threads
            .unobserved()
            .get(&name)
            .and_then(|it| it.frames.last())
        else {
            return;
        };
        let program = self.interpreter.program();
        let [edge] = program.outgoing(frame.function, frame.location) else {
            return;
        };
        let Action::Join { thread: joined, .. } = &program.edge(frame.function, *edge).action
        else {
            return;
        };
        if let Some(joined) = self.joined(name, joined)
            && self.threads.has_ended(joined)
        {
            self.notes.orders.joins(thread, joined);
        }
    }

    fn joined(&self, name: ThreadNumber, joined: &raddle_ir::Expression) -> Option<usize> {
        let word = self.interpreter.value_of(self.state(), name, joined)?;
        let number = if word == self.program().model.main_thread() {
            0
        } else {
            u64::try_from(word).ok()?
        };
        self.threads.named(ThreadNumber(number))
    }

    fn note_step(&mut self, thread: usize) {
        let name = self.threads.name(thread);
        self.notes.record.push(name, self.walk.parts());
    }

    fn has_started(&self) -> bool {
        let effects = self.walk.effects().iter();
        effects.rev().any(|it| matches!(it, Effect::Spawn { .. }))
    }

    /// What a step that was taken means for everybody.
    fn stepped(&mut self, thread: usize) {
        self.note_step(thread);
        let steps = self.notes.record.len();
        if self.walk.take_overflow().is_some() {
            self.suspect(Property::Overflow, steps, None);
        }
        let has_several = self.threads.count() > 1;
        let effects = self.walk.effects().to_vec();
        if has_several {
            self.wake_by(&effects);
            self.order(thread, steps - 1, &effects);
        }
        for effect in &effects {
            if let Effect::Spawn { thread: name } = effect {
                let started = self.threads.came(*name);
                let kind = self.kind(*name);
                self.strategy.thread_came(started, kind);
                self.notes.orders.came(started, Some(thread));
            }
        }
        let name = self.threads.name(thread);
        let threads = self.walk.state().threads.unobserved();
        if threads.get(&name).is_none_or(|it| it.frames.is_empty()) {
            self.notes.orders.ended(thread);
            self.threads.ended(thread);
        }
        let may_break =
            |it: &Effect| matches!(it, Effect::Write { .. } | Effect::Synchronize { .. });
        if self.asks(Property::Invariant)
            && effects.iter().any(may_break)
            && !self.interpreter.broken_invariants(self.state()).is_empty()
        {
            self.suspect(Property::Invariant, steps, None);
        }
    }

    fn wake_by(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Synchronize { object, .. } | Effect::Free { object, .. } => {
                    self.threads.wake(Awaited::Object(*object));
                    self.threads.wake(Awaited::Change);
                }
                Effect::Write { .. } => self.threads.wake(Awaited::Change),
                Effect::Read { .. }
                | Effect::Allocate { .. }
                | Effect::Measure { .. }
                | Effect::Spawn { .. }
                | Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Emit { .. }
                | Effect::Set { .. }
                | Effect::ObserveLayout
                | Effect::End { .. } => {}
            }
        }
    }

    /// What a step tells, learns and touches.
    fn order(&mut self, thread: usize, step: usize, effects: &[Effect]) {
        let part = self.walk.parts()[0].clone();
        let place = (part.function, part.edge);
        let program = self.interpreter.program();
        let action = &program.edge(part.function, part.edge).action;
        let (learns, tells) = directions(action);
        if let Some(choice) = part.choice {
            (self.notes.signature).add(thread, (place, choice), None);
        }
        for effect in effects {
            if let Effect::Allocate { object, .. } = effect {
                self.notes.orders.made(*object);
            }
            if let Effect::Read {
                object,
                offset,
                is_atomic: true,
                ..
            }
            | Effect::Synchronize {
                object,
                offset,
                is_atomic: true,
                ..
            } = effect
                && learns
            {
                self.notes.orders.learns(thread, (*object, *offset));
            }
        }
        let accesses = MemoryAccess::of_effects(effects, program.model);
        let asks_for_races = self.asks(Property::Race);
        let mut races = Vec::new();
        for access in &accesses {
            let points = &mut *self.points;
            self.notes
                .orders
                .accessed((thread, step), place, access, &mut |it| {
                    points.learn(program, part.function, part.edge);
                    points.learn(program, it.earlier.function, it.earlier.edge);
                    if asks_for_races && it.is_race && races.is_empty() {
                        races.push(it.earlier.step);
                    }
                });
        }
        for effect in effects {
            if let Effect::Write {
                object,
                offset,
                is_atomic: true,
                ..
            }
            | Effect::Synchronize {
                object,
                offset,
                is_atomic: true,
                ..
            } = effect
                && tells
            {
                self.notes.orders.tells(thread, (*object, *offset));
            }
        }
        if self.points.is_point(
            self.points
                .at(part.function, program.edge(part.function, part.edge).from),
        ) {
            for access in &accesses {
                let cell = (access.object, access.offset);
                (self.notes.signature).add(thread, place, Some((cell, access.is_write)));
            }
            if self.strategy.looks_at_steps() {
                let mut objects = accesses.iter().map(|it| it.object);
                self.strategy.stepped(thread, &mut objects);
            }
        }
        if let Some(earlier) = races.first() {
            // What comes after some races may depend on them.
            let known = self.notes.suspicions.iter();
            if known.filter(|it| it.earlier.is_some()).count() < MOST_RACES {
                self.suspect(Property::Race, step + 1, Some(*earlier));
            }
        }
    }

    /// Tells the strategy what a thread stands before.
    fn stand(&mut self, thread: usize) {
        if !self.strategy.looks_at_steps() || !self.is_point(thread) {
            return;
        }
        let name = self.threads.name(thread);
        let object = self.operands(name).first().copied();
        self.strategy.stands(thread, object);
    }

    fn operands(&self, name: ThreadNumber) -> Vec<ObjectNumber> {
        let state = self.walk.state();
        let frame = state.threads.get(&name).and_then(|it| it.frames.last());
        let Some(frame) = frame else {
            return Vec::new();
        };
        let edges = self.program().outgoing(frame.function, frame.location);
        let mut objects = Vec::new();
        for &edge in edges {
            let part = StepPart {
                function: frame.function,
                edge,
                choice: None,
            };
            let touched = self.interpreter.pointed_to(state, name, &part);
            objects.extend(touched.into_iter().map(|(object, _)| object));
        }
        objects
    }

    /// A thread cannot go on now.
    fn wait(&mut self, thread: usize) {
        let name = self.threads.name(thread);
        let state = self.walk.state();
        let Some(frame) = state.threads.get(&name).and_then(|it| it.frames.last()) else {
            self.threads.ended(thread);
            return;
        };
        let mut awaited: Vec<Awaited> = Vec::new();
        for &edge in self.program().outgoing(frame.function, frame.location) {
            let action = &self.program().edge(frame.function, edge).action;
            if let Action::Join { thread: joined, .. } = action {
                let joined = self.joined(name, joined);
                awaited.extend(joined.map(|it| Awaited::Thread(self.threads.name(it))));
            } else if let Action::Sync { .. } = action {
                let objects = self.operands(name).into_iter();
                awaited.extend(objects.map(Awaited::Object));
            } else if !matches!(action, Action::Assume { .. }) {
                // What a plain assumption is about, nothing that others do changes.
                awaited.push(Awaited::Change);
            }
        }
        self.threads.waits(thread, awaited);
    }

    /// Memory that nothing leads to any more, and threads that wait for ever, are looked for where the process is about to end.
    fn look_before_the_end(&mut self) {
        let steps = self.notes.record.len();
        if self.asks(Property::Memory) && !self.interpreter.judge_memory(self.state()).is_empty() {
            self.suspect(Property::Memory, steps, None);
        }
        if self.asks(Property::Deadlock) && self.threads.someone_waits() {
            self.suspect(Property::Deadlock, steps, None);
        }
    }

    /// The same where nobody goes on.
    fn look_at_the_end(&mut self) {
        let steps = self.notes.record.len();
        self.look_before_the_end();
        if self.asks(Property::Leak) && self.state().is_over() {
            self.suspect(Property::Leak, steps, None);
        }
    }

    fn ended(&mut self, _ending: Ending) {
        if self.asks(Property::Leak) {
            self.suspect(Property::Leak, self.notes.record.len(), None);
        }
    }

    fn stopped(&mut self, stop: &Stop) -> End {
        match stop {
            Stop::Violation(violation) => {
                let steps = self.notes.record.len();
                self.suspect(violation.property, steps, None);
                End::Over
            }
            Stop::Unsupported { .. } | Stop::ThreadLimit { .. } | Stop::TooManyChoices { .. } => {
                End::Cut
            }
        }
    }
}

/// Whether a step learns what others have told, and tells them.
fn directions(action: &Action) -> (bool, bool) {
    let Action::Sync { operation, .. } = action else {
        return (true, true);
    };
    match operation.effect() {
        SyncEffect::Lock(lock) if lock.gives_back() => (false, true),
        SyncEffect::Lock(_) | SyncEffect::Down(_) | SyncEffect::Leave => (true, false),
        SyncEffect::Wake | SyncEffect::Post | SyncEffect::Arrive => (false, true),
        SyncEffect::Look => (false, false),
    }
}
