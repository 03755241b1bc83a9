//! Executions one after the other, until enough is known.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use raddle_base::{Budget, Exhausted, FastMap, Random};
use raddle_engine::{Counters, Depth, Events, RaceKey, Sampled, Task, Trace};
use raddle_ir::interpret::{Interpreter, Property, Semantics, State};
use raddle_ir::program::{EdgeId, FunctionId};
use raddle_stepper::walk::Walk;

use crate::confirm::{Suspicion, confirmed};
use crate::distinct::Sights;
use crate::execution::{End, Execution, Limits, Notes};
use crate::inputs::{Chooser, Inputs, Style};
use crate::points::Points;
use crate::strategy::{Strategy, StrategyName};
use crate::threads::Threads;
use crate::{Flaw, Pace, SampleEngine};

/// How many executions between two looks at the memory and two progress events.
const RUNS_BETWEEN_LOOKS: u64 = 64;

/// An execution is cut after so many steps at first, and at most.
const FIRST_STEPS: usize = 2_000;
const MOST_STEPS: usize = 16_000_000;

/// Up to so many steps, several executions in a row have to be cut before longer ones are let run: short ones show bugs best.
const SHORT_STEPS: usize = 32_000;

/// Executions that bring nothing new are enough after so many, and so many more for each one that is known.
const STALE: u64 = 1_000;
const STALE_FOR_EACH: u64 = 10;

/// What two edges seem to race is looked into so often.
const ATTEMPTS: u32 = 3;

/// The strategies that take turns where none is named.
const MIX: [StrategyName; 11] = [
    StrategyName::Preemptions(1),
    StrategyName::Random,
    StrategyName::Stalls(1),
    StrategyName::Pct(2),
    StrategyName::Preemptions(2),
    StrategyName::Pos,
    StrategyName::Stalls(2),
    StrategyName::Random,
    StrategyName::Stalls(1),
    StrategyName::Pct(3),
    StrategyName::Preemptions(3),
];

/// How many threads are let in at a time, in turn.
const WINDOWS: [usize; 6] = [2, usize::MAX, 3, 2, usize::MAX, 8];

/// How often no thread is preempted, before anything else: what is learnt then makes the rest cheaper.
const WARM_UP: u64 = 2;

/// A share of the time that has passed, for what runs beside others.
const SHARE: u32 = 5;
/// A burst has at least so many steps, should others keep the machine busy, but takes no more than so many times as long.
const BURST_STEPS: u64 = 300_000;
const HELD_UP: u32 = 8;
const NAP: Duration = Duration::from_millis(5);

pub(crate) struct Campaign<'a, 'p> {
    task: &'a Task<'p>,
    settings: &'a SampleEngine,
    interpreter: Interpreter<'p>,
    /// Waits end by signals only: where nobody wakes for no reason, a lost signal shows.
    patient: Interpreter<'p>,
    /// With their numbers in traces, which are those of the definition: here fewer values are tried.
    initial: Vec<(usize, State)>,
    strategies: Vec<Box<dyn Strategy>>,
    points: Points,
    inputs: Inputs<'p>,
    notes: Notes,
    sights: Sights,
    /// The most points of an execution, by the window.
    longest: FastMap<usize, u64>,
    most_threads: usize,
    limit: usize,
    cut_in_a_row: u32,
    steps: u64,
    /// The properties not violated so far, and the first violation of the others.
    open: Vec<Property>,
    found: BTreeMap<Property, Trace>,
    told: Vec<(Property, RaceKey)>,
    /// New objects get other names than in traces, which is faster: nobody has to look through memory for names that are free.
    /// Traces have no names of objects in them, and whatever is found is replayed; where that fails once, names are those
    /// of the definition from then on.
    names_in_a_row: bool,
    /// How often two edges seemed to race and did not.
    attempts: FastMap<[(FunctionId, EdgeId); 2], u32>,
}

impl<'a, 'p> Campaign<'a, 'p> {
    /// None if the program has no initial state that can be enumerated.
    pub(crate) fn new(settings: &'a SampleEngine, task: &'a Task<'p>) -> Option<Self> {
        let semantics = task.semantics.clone();
        let patient = Semantics {
            has_spurious_wakeups: false,
            ..semantics.clone()
        };
        let interpreter = raddle_stepper::stepper(task.program, semantics);
        // Which freed address comes back is a choice that only these names have.
        let names_in_a_row = !interpreter.recycling().is_possible();
        let strategies = if settings.strategy == StrategyName::Auto {
            MIX.map(StrategyName::strategy).into()
        } else {
            vec![settings.strategy.strategy()]
        };
        Some(Self {
            initial: interpreter.numbered_initial_states().ok()?,
            patient: raddle_stepper::stepper(task.program, patient),
            interpreter,
            strategies,
            points: Points::new(task.program),
            inputs: Inputs::new(task.program),
            notes: Notes::default(),
            sights: Sights::default(),
            longest: FastMap::default(),
            most_threads: 1,
            limit: FIRST_STEPS,
            cut_in_a_row: 0,
            steps: 0,
            open: task.semantics.properties.clone(),
            found: BTreeMap::new(),
            told: Vec::new(),
            names_in_a_row,
            attempts: FastMap::default(),
            task,
            settings,
        })
    }

    /// Until the budget is spent or enough was tried.
    pub(crate) fn run(&mut self, budget: &Budget, events: &mut dyn Events) {
        let begin = Instant::now();
        let mut own = Duration::ZERO;
        for number in 0.. {
            let is_enough = self.settings.schedules.is_some_and(|it| number >= it);
            let is_done = self.open.is_empty() && !self.settings.goes_on;
            if is_enough || is_done || self.is_stale() || self.steps >= self.settings.most_steps {
                return;
            }
            if number % RUNS_BETWEEN_LOOKS == 0 {
                events.progress(&self.counters());
                if budget.check().is_err() {
                    return;
                }
            }
            if let Some(pace) = &self.settings.pace
                && !keeps_pace(pace, begin, (own, self.steps), budget)
            {
                return;
            }
            let before = Instant::now();
            match self.one(number, budget) {
                None | Some(End::Spent(_)) => return,
                Some(End::Over | End::Cut | End::Steps) => {}
            }
            self.confirm(events);
            own += before.elapsed();
        }
    }

    fn is_stale(&self) -> bool {
        !self.settings.goes_on
            && self.settings.schedules.is_none()
            && self.sights.stale >= STALE + STALE_FOR_EACH * self.sights.distinct
    }

    /// One execution; none if there is none left to choose.
    fn one(&mut self, number: u64, budget: &Budget) -> Option<End> {
        let mut random = Random::new(self.task.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // The first numbers of seeds that differ in few bits are mixed once more.
        let mut random = Random::new(random.next_number());
        let is_mixed = self.settings.strategy == StrategyName::Auto;
        let round = usize::try_from(number).unwrap_or(usize::MAX);
        let mut warm_up = StrategyName::Preemptions(0).strategy();
        let which = round % self.strategies.len();
        let never_switches = self.settings.flaw == Flaw::NoSwitches;
        let strategy = if never_switches || is_mixed && number < WARM_UP {
            &mut warm_up
        } else {
            &mut self.strategies[which]
        };
        // Where the process ends before most of it has happened, little is seen.
        let ends_late = match self.settings.strategy {
            StrategyName::Pct(_) | StrategyName::Systematic(_) => false,
            StrategyName::Auto
            | StrategyName::Random
            | StrategyName::Pos
            | StrategyName::Stalls(_)
            | StrategyName::Preemptions(_) => number % 8 != 7,
        };
        let window = if is_mixed {
            WINDOWS[round / MIX.len() % WINDOWS.len()]
        } else {
            usize::MAX
        };
        let style = if strategy.fixes_inputs() || number < WARM_UP {
            Style::First
        } else if round / 4 % 3 == 2 {
            Style::Any
        } else {
            Style::Small
        };
        let longest = self.longest.get(&window).copied().unwrap_or(100);
        if !strategy.begin(random.clone(), longest) {
            return None;
        }
        random.next_number();
        let is_patient = random.below(8) != 0;
        self.points.of_all_accesses = is_mixed && number % 16 == 15;
        let first = if style == Style::First || number < 4 {
            0
        } else {
            random.below(self.initial.len())
        };
        let (initial, start) = self.initial[first].clone();
        self.notes.record.clear();
        self.notes.record.initial = initial;
        self.notes.orders.clear();
        self.notes.signature.clear();
        self.notes.suspicions.clear();
        let interpreter = if is_patient {
            &self.patient
        } else {
            &self.interpreter
        };
        let mut execution = Execution {
            interpreter,
            open: if self.settings.goes_on {
                &self.task.semantics.properties
            } else {
                &self.open
            },
            points: &mut self.points,
            chooser: Chooser {
                inputs: &mut self.inputs,
                random,
                style,
                last: FastMap::default(),
            },
            strategy: strategy.as_mut(),
            limits: Limits {
                steps: self.limit,
                window,
                ends_late,
            },
            notes: &mut self.notes,
            threads: Threads::new(start.threads.unobserved().keys().copied()),
            walk: if self.names_in_a_row {
                Walk::with_names_in_a_row(interpreter, start)
            } else {
                Walk::new(interpreter, start)
            },
        };
        let ran = execution.run(budget);
        self.steps += self.notes.record.len() as u64;
        if let End::Spent(spent) = ran.end {
            return Some(End::Spent(spent));
        }
        self.most_threads = self.most_threads.max(ran.threads);
        let longest = self.longest.entry(window).or_default();
        *longest = (*longest).max(ran.points);
        self.sights.add(self.notes.signature.value());
        self.raise_limit(&ran.end);
        Some(ran.end)
    }

    /// Where most executions are cut, longer ones are let run.
    fn raise_limit(&mut self, end: &End) {
        match end {
            End::Steps => self.cut_in_a_row += 1,
            End::Over | End::Cut | End::Spent(_) => self.cut_in_a_row = 0,
        }
        let (patience, factor) = if self.limit < SHORT_STEPS {
            (4, 2)
        } else {
            (2, 4)
        };
        if self.cut_in_a_row >= patience {
            self.cut_in_a_row = 0;
            self.limit = (self.limit * factor).min(MOST_STEPS);
        }
    }

    /// What the last execution seems to show becomes a violation, if it is one.
    fn confirm(&mut self, events: &mut dyn Events) {
        for suspicion in std::mem::take(&mut self.notes.suspicions) {
            let is_open = self.open.contains(&suspicion.property);
            if !is_open && !self.settings.goes_on || !self.is_worth_an_attempt(suspicion) {
                continue;
            }
            let begins = |it: &&(usize, State)| it.0 == self.notes.record.initial;
            let Some((_, start)) = self.initial.iter().find(begins) else {
                continue;
            };
            let traces = confirmed(&self.interpreter, start, &self.notes.record, suspicion);
            if traces.is_empty() {
                self.names_in_a_row = false;
                self.attempted(suspicion);
            }
            for mut trace in traces {
                if self.settings.flaw == Flaw::EarlyEnds {
                    trace.steps.pop();
                }
                self.tell(trace, events);
            }
        }
    }

    fn tell(&mut self, trace: Trace, events: &mut dyn Events) {
        let property = trace.violation.property;
        if self.open.contains(&property) {
            self.open.retain(|it| *it != property);
            let key = RaceKey::of(self.task.program, &trace.violation);
            self.told.push((property, key));
            events.violated(&trace);
            self.found.insert(property, trace);
        } else if self.settings.goes_on {
            let key = (property, RaceKey::of(self.task.program, &trace.violation));
            if !self.told.contains(&key) {
                self.told.push(key);
                events.also_violated(&trace);
            }
        }
    }

    fn edges(&self, suspicion: Suspicion) -> Option<[(FunctionId, EdgeId); 2]> {
        let edge = |index: usize| {
            let step = self.notes.record.step(index);
            (step.parts[0].function, step.parts[0].edge)
        };
        let mut edges = [edge(suspicion.earlier?), edge(suspicion.steps - 1)];
        edges.sort_unstable();
        Some(edges)
    }

    fn is_worth_an_attempt(&self, suspicion: Suspicion) -> bool {
        let attempts = self.edges(suspicion).and_then(|it| self.attempts.get(&it));
        attempts.is_none_or(|it| *it < ATTEMPTS)
    }

    /// Two edges are left alone after so many attempts, or once their race was told.
    fn attempted(&mut self, suspicion: Suspicion) {
        if let Some(edges) = self.edges(suspicion) {
            *self.attempts.entry(edges).or_default() += 1;
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        Counters::from([
            ("schedules", self.sights.all),
            ("distinct", self.sights.distinct),
            ("seen_once", self.sights.once),
            ("steps", self.steps),
        ])
    }

    pub(crate) fn found(&self) -> &BTreeMap<Property, Trace> {
        &self.found
    }

    /// What can be said of what was not found.
    pub(crate) fn sampled(&self) -> Sampled {
        let depth = if let StrategyName::Pct(depth) = self.settings.strategy {
            Some(Depth {
                depth,
                threads: self.most_threads as u64,
                points: self.longest.values().copied().max().unwrap_or(1).max(1),
            })
        } else {
            None
        };
        Sampled {
            schedules: self.sights.all,
            distinct: self.sights.distinct,
            once: self.sights.once,
            depth,
        }
    }
}

/// Waits until it has taken no more than its share of the time; false if it is to end.
fn keeps_pace(pace: &Pace, begin: Instant, (own, steps): (Duration, u64), budget: &Budget) -> bool {
    let is_held_up = steps < BURST_STEPS && own <= pace.burst * HELD_UP;
    if own <= pace.burst || is_held_up {
        return true;
    }
    loop {
        if pace.is_alone() {
            return false;
        }
        if pace.takes_turns || own * SHARE <= begin.elapsed() {
            return true;
        }
        match budget.check_time() {
            Ok(()) => std::thread::sleep(NAP),
            Err(Exhausted::Time | Exhausted::Memory | Exhausted::Cancelled) => return false,
        }
    }
}
