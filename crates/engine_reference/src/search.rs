//! The search: states in the order of their distance from an initial one.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use raddle_base::Span;
use raddle_diag::Diagnostic;
use raddle_engine::{
    Answer, Budget, Claims, Condition, Counters, EndlessWait, Events, Looks, Proof, Reason,
    Reduction, Task, Trace, Verdict, Weaknesses, condition, endless_wait,
};
use raddle_ir::Program;
use raddle_ir::interpret::closed::closed_sets;
use raddle_ir::interpret::stuck::{Onward, Pause, stuck_over};
use raddle_ir::interpret::{
    Effect, Interpreter, Outcome, Property, State, Step, Stop, Successor, Violation, Wait,
};

/// How many states are expanded, or discovered, at most between two looks at the memory and two progress events.
const EXPANDED_BETWEEN_LOOKS: usize = 500;
const DISCOVERED_BETWEEN_LOOKS: usize = 1_000;

/// How a state was first reached; enough to reach it again.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Initial {
        /// Its number among the initial states.
        number: usize,
    },
    Step {
        from: usize,
        /// Which of the successors of `from`.
        successor: usize,
    },
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub(crate) struct Search<'p> {
    program: &'p Program,
    interpreter: Interpreter<'p>,
    /// Some choice has too many values, so that values are tried that stand for others.
    has_wide_choices: bool,
    /// The properties still open: not violated.
    open: Vec<Property>,
    verdicts: BTreeMap<Property, Verdict>,
    /// All states, each with its number.
    seen: HashMap<Hashed, usize>,
    /// One for each state seen, in order of discovery; the index is the state's number.
    origins: Vec<Origin>,
    frontier: VecDeque<(usize, Arc<State>)>,
    /// States in which a thread may be stuck though others run, or all may spin, by their numbers, with the numbers of what
    /// comes next.
    pauses: BTreeMap<usize, Pause<Vec<Wait>, usize>>,
    /// When to look at them while there is more to explore.
    looks: Looks,
    transitions: u64,
    /// Executions that end at something that is not modelled: safe becomes unknown for every property.
    cut: Option<Reason>,
    /// What ended executions: safe is what holds up to there.
    conditions: Vec<Condition>,
    /// A thread may wait, or all may spin, where a violation ends the execution: without it, that might go on for ever.
    may_be_saved_by_an_end: bool,
    /// Only a few values of some choice were tried.
    skips_values: bool,
    observes_layout: bool,
    weaknesses: Weaknesses<'p>,
    /// The first that was come across.
    weakness: Option<Reason>,
}

/// What a proof rests on besides the definition.
fn classes_note() -> Diagnostic {
    Diagnostic::warning(
        "value-classes",
        "a value has too many possibilities to try all; those were tried that stand for the others",
    )
    .note(
        "`safe` rests on the analysis of what the program tells apart, not on the definition alone",
    )
}

impl<'p> Search<'p> {
    pub(crate) fn new(task: &Task<'p>) -> Self {
        Self {
            program: task.program,
            has_wide_choices: raddle_stepper::has_wide_choices(task.program, &task.semantics),
            interpreter: raddle_stepper::definition(task.program, task.semantics.clone()),
            open: task.semantics.properties.clone(),
            verdicts: BTreeMap::new(),
            seen: HashMap::new(),
            origins: Vec::new(),
            frontier: VecDeque::new(),
            pauses: BTreeMap::new(),
            looks: Looks::default(),
            transitions: 0,
            cut: None,
            conditions: Vec::new(),
            may_be_saved_by_an_end: false,
            skips_values: false,
            observes_layout: false,
            weaknesses: Weaknesses::new(task.program),
            weakness: None,
        }
    }

    pub(crate) fn run(mut self, budget: &Budget, events: &mut dyn Events) -> Claims {
        let interrupted = self.explore(budget, events).err();
        if interrupted.is_none()
            && self.open.contains(&Property::Deadlock)
            && let Err(reason) = self.look_for_endless_waits(budget, events)
        {
            self.open.retain(|it| *it != Property::Deadlock);
            self.verdicts
                .insert(Property::Deadlock, Verdict::Unknown(reason));
        }
        if self.open.contains(&Property::Deadlock)
            && self.may_be_saved_by_an_end
            && let Some(reason) = self.conditions.first().and_then(Condition::reason)
        {
            self.open.retain(|it| *it != Property::Deadlock);
            self.verdicts
                .insert(Property::Deadlock, Verdict::Unknown(reason));
        }
        let counters = self.counters();
        for property in std::mem::take(&mut self.open) {
            let verdict = match (&interrupted, &self.cut) {
                (Some(reason), _) | (None, Some(reason)) => Verdict::Unknown(reason.clone()),
                (None, None) => Verdict::Safe(Proof::SearchExhausted(Reduction::None)),
            };
            self.verdicts.insert(property, verdict);
        }
        let verdicts = std::mem::take(&mut self.verdicts);
        let is_safe = |it: &Verdict| matches!(it, Verdict::Safe(_));
        let rests_on_classes = self.has_wide_choices && verdicts.values().any(is_safe);
        drop_in_background((self.seen, self.frontier));
        let answer = Answer {
            verdicts,
            counters,
            conditions: self.conditions,
            is_exhaustive: interrupted.is_none() && !self.skips_values,
            observes_layout: self.observes_layout,
            notes: rests_on_classes
                .then(|| classes_note().into())
                .into_iter()
                .collect(),
            ..Answer::default()
        };
        Claims::of_search(answer, self.weakness)
    }

    /// Ends when no property is open or no state is left.
    fn explore(&mut self, budget: &Budget, events: &mut dyn Events) -> Result<(), Reason> {
        if self.open.is_empty() {
            return Ok(());
        }
        let initial = match self.interpreter.initial_states() {
            Ok(states) => states,
            Err(stop) => {
                self.cut_short(&stop);
                return Ok(());
            }
        };
        for (number, state) in initial.into_iter().enumerate() {
            self.reach(state, Origin::Initial { number });
        }
        let mut expanded = 0_usize;
        let mut discovered = 0_usize;
        while let Some((number, state)) = self.frontier.pop_front() {
            if self.open.is_empty() {
                return Ok(());
            }
            if expanded.is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
                events.progress(&self.counters());
                budget.check()?;
                self.glance_at_endless_waits(budget, events)?;
            }
            budget.check_time()?;
            expanded += 1;
            let successors = self.interpreter.successors(&state);
            for violation in self.interpreter.judge_with(&state, &successors) {
                self.violated(&violation, number, None, events);
            }
            let pause = if self.open.contains(&Property::Deadlock) {
                self.may_be_saved_by_an_end |= self.is_saved_by_an_end(&state, &successors);
                self.interpreter.pause(&state, &successors)
            } else {
                None
            };
            for (index, successor) in successors.into_iter().enumerate() {
                if self.weakness.is_none() {
                    let weak = self.weaknesses.of_step(&state, &successor.step);
                    self.weakness = weak.and_then(|it| self.weaknesses.reason(it));
                }
                self.follow(number, index, successor, events);
                // A few states may have very many successors.
                if self.origins.len() >= discovered + DISCOVERED_BETWEEN_LOOKS {
                    discovered = self.origins.len();
                    events.progress(&self.counters());
                    budget.check()?;
                }
            }
            if let Some(pause) = pause {
                self.note_pause(number, pause);
            }
        }
        Ok(())
    }

    /// Looks for them in what was explored so far, if it is time for that. What is not found may still be there.
    fn glance_at_endless_waits(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<(), Reason> {
        if !self.open.contains(&Property::Deadlock)
            || !self.looks.is_due(self.origins.len(), budget)
        {
            return Ok(());
        }
        match self.look_for_endless_waits(budget, events) {
            Ok(()) | Err(Reason::PossibleEndlessWait(_)) => Ok(()),
            Err(spent) => Err(spent),
        }
    }

    /// Whether a violation ends executions in a state in which a thread may be stuck, or all may spin, if those who would violate
    /// something stay where they are.
    fn is_saved_by_an_end(&self, state: &State, successors: &[Successor]) -> bool {
        let ends = |it: &Successor| matches!(&it.outcome, Outcome::Stopped(Stop::Violation(it)) if it.property.ends_executions());
        if !successors.iter().any(ends) {
            return false;
        }
        let mut staying = successors.to_vec();
        for successor in staying.iter_mut().filter(|it| ends(it)) {
            successor.outcome = Outcome::Next(state.clone());
        }
        self.interpreter.pause(state, &staying).is_some()
    }

    /// A thread may be stuck in a state of which all successors were followed, or it may belong to a livelock.
    fn note_pause(&mut self, number: usize, pause: Pause<Vec<Wait>, State>) {
        let number_of = |state| self.seen[&Hashed::new(Arc::new(state))];
        let noted = Pause {
            running: pause.running,
            may_be_livelock: pause.may_be_livelock,
            next: pause.next.into_iter().map(number_of).collect(),
        };
        self.pauses.insert(number, noted);
    }

    /// Whether a thread waits for ever in one of the states that were explored, whatever the others do, or none can go on.
    /// The first in the order of discovery is shown.
    fn look_for_endless_waits(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<(), Reason> {
        let places: BTreeMap<usize, usize> = self.pauses.keys().copied().zip(0..).collect();
        let onward = |it: &usize| places.get(it).copied().map(Onward::to);
        let pauses: Vec<Pause<&[Wait], Option<Onward>>> = self
            .pauses
            .values()
            .map(|pause| Pause {
                running: (pause.running.iter())
                    .map(|(thread, waits)| (*thread, waits.as_deref()))
                    .collect(),
                may_be_livelock: pause.may_be_livelock,
                next: pause.next.iter().map(onward).collect(),
            })
            .collect();
        let stuck = stuck_over(&pauses);
        let mut livelocks = closed_sets(&pauses);
        livelocks.sort_unstable();
        let numbers: Vec<usize> = places.into_keys().collect();
        let first = stuck.iter().position(|threads| !threads.is_empty());
        // Where both are true, a livelock says more.
        for place in livelocks.into_iter().chain(first) {
            let (_, _, state) = self.way_to(numbers[place]);
            match endless_wait(&self.interpreter, &state, budget)? {
                Some(violation) => {
                    self.violated(&violation, numbers[place], None, events);
                    return Ok(());
                }
                None if Some(place) == first => {
                    let why = EndlessWait::NotConfirmed;
                    return Err(Reason::PossibleEndlessWait(why));
                }
                // That everybody waits or may spin shows no more than that there may be a livelock.
                None => {}
            }
        }
        Ok(())
    }

    fn follow(&mut self, from: usize, index: usize, successor: Successor, events: &mut dyn Events) {
        self.transitions += 1;
        self.observes_layout |= successor.effects.contains(&Effect::ObserveLayout);
        for violation in &successor.violations {
            self.violated(violation, from, Some(&successor.step), events);
        }
        match successor.outcome {
            Outcome::Next(state) => {
                let origin = Origin::Step {
                    from,
                    successor: index,
                };
                self.reach(state, origin);
            }
            Outcome::Stopped(stop) => self.stopped(&stop, from, &successor.step, events),
        }
    }

    fn reach(&mut self, state: State, origin: Origin) {
        let state = Arc::new(state);
        let number = self.origins.len();
        if let Entry::Vacant(place) = self.seen.entry(Hashed::new(Arc::clone(&state))) {
            place.insert(number);
            self.frontier.push_back((number, state));
            self.origins.push(origin);
        }
    }

    /// An execution ends in state `from`, at `step`.
    fn stopped(&mut self, stop: &Stop, from: usize, step: &Step, events: &mut dyn Events) {
        match stop {
            Stop::Violation(violation) => {
                self.violated(violation, from, Some(step), events);
                // A failed assertion ends the process: all that can happen has happened.
                if violation.property.ends_executions() {
                    let met = Condition::met(violation, self.span_of(violation));
                    condition::add(&mut self.conditions, met);
                }
            }
            Stop::Unsupported { .. } | Stop::ThreadLimit { .. } | Stop::TooManyChoices { .. } => {
                self.cut_short(stop);
            }
        }
    }

    /// An execution does not go on; the first that did not is the one to tell of.
    fn cut_short(&mut self, stop: &Stop) {
        self.skips_values |= matches!(stop, Stop::TooManyChoices { .. });
        if self.cut.is_none() {
            self.cut = Some(Reason::from_stop(stop, None));
        }
    }

    /// The first violation of an open property closes it; breadth-first order makes its trace a shortest one.
    fn violated(
        &mut self,
        violation: &Violation,
        state: usize,
        last: Option<&Step>,
        events: &mut dyn Events,
    ) {
        let Some(at) = self.open.iter().position(|it| *it == violation.property) else {
            return;
        };
        self.open.remove(at);
        let trace = self.trace_to(state, last, violation);
        events.violated(&trace);
        self.verdicts
            .insert(violation.property, Verdict::Unsafe(trace));
    }

    fn trace_to(&self, state: usize, last: Option<&Step>, violation: &Violation) -> Trace {
        let (initial, mut steps, _) = self.way_to(state);
        steps.extend(last.cloned());
        Trace {
            initial,
            steps,
            transactions: Vec::new(),
            violation: violation.clone(),
        }
    }

    /// How a state was first reached: from which initial state, by which steps; and the state itself.
    fn way_to(&self, state: usize) -> (usize, Vec<Step>, State) {
        let mut choices = Vec::new();
        let mut at = state;
        let initial = loop {
            match self.origins[at] {
                Origin::Initial { number } => break number,
                Origin::Step { from, successor } => {
                    choices.push(successor);
                    at = from;
                }
            }
        };
        let mut current = self
            .interpreter
            .initial_states()
            .ok()
            .and_then(|states| states.into_iter().nth(initial))
            .expect("the search began in this initial state");
        let mut steps = Vec::new();
        for &choice in choices.iter().rev() {
            let successor = self
                .interpreter
                .successors(&current)
                .into_iter()
                .nth(choice)
                .expect("the interpreter gives the same successors again");
            steps.push(successor.step);
            current = match successor.outcome {
                Outcome::Next(state) => state,
                Outcome::Stopped(_) => unreachable!("only steps with a next state lead to a state"),
            };
        }
        (initial, steps, current)
    }

    fn span_of(&self, violation: &Violation) -> Option<Span> {
        match violation.labels.first() {
            Some(label) => self.program.edge(label.function, label.edge).span,
            None => violation.span.as_ref().map(|(span, _)| *span),
        }
    }

    fn counters(&self) -> Counters {
        let states = u64::try_from(self.origins.len()).unwrap_or(u64::MAX);
        Counters::from([("states", states), ("transitions", self.transitions)])
    }
}

/// A state with its hash, so that a growing table need not look at millions of states again.
struct Hashed {
    hash: u64,
    state: Arc<State>,
}

impl Hashed {
    fn new(state: Arc<State>) -> Self {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        Self {
            hash: hasher.finish(),
            state,
        }
    }
}

impl Hash for Hashed {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.hash.hash(hasher);
    }
}

impl PartialEq for Hashed {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.state == other.state
    }
}

impl Eq for Hashed {}

/// Giving back the memory of millions of states takes seconds, which a run with a time limit does not have.
fn drop_in_background(garbage: impl Send + 'static) {
    std::thread::spawn(move || drop(garbage));
}
