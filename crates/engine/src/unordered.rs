//! A search for accesses that nothing orders, where interleavings alone do not tell: every state is explored with the clocks that
//! go with it ([`happens_before`]).
//!
//! # Definitions
//!
//! - A step is *local* if it touches registers of its thread, or makes one plain access to memory, and leaves no object and no
//!   thread behind.
//!
//! # Invariants
//!
//! - **(U1)** Executions are those of the definition: whoever claims that something is safe has explored them before, so what ends
//!   an execution was judged there.
//! - **(U2)** With [`Schedule::AfterLocalSteps`] local steps are taken at once, behind the step of their thread before them. Take
//!   a shortest execution whose last step races. Without that step nothing in it races, so a local step in it can be
//!   moved before the steps of others that come between: if one of them touched the same bytes, one of both writing, it
//!   would have to happen before the local step, and nothing that others do leads to a plain access of a thread that
//!   has not waited meanwhile. Clocks stay the same. Now take the local steps that threads had still before them too, in
//!   the places where they are taken at once: the first of them that races is found; if none does, they are out of the way of
//!   the last step, which then races with what it raced with, or was among them itself. A step that may
//!   end the process is not local, since others would not come to what they did before it.
//! - **(U3)** Clocks are brought into their normal form only where a state is stored: what is asked of them does not depend on it.
//! - **(U4)** With the same schedule, atomic accesses are remembered only where some execution touches the same place plainly, as atomic accesses do not race
//!   with each other. Which places these are comes out on the way: the search begins with none, and begins anew when it has come
//!   across more; so the last time it has known them all from its first state on.
//!
//! # Tested by
//!
//! `crates/testkit/tests/happens_before.rs`, where both schedules are compared, and `tests/c/orders/`.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use raddle_base::{Budget, FastMap, FastSet, fast_hasher};
use raddle_ir::interpret::happens_before::{self, Clocks, Unclear};
use raddle_ir::interpret::{
    Effect, Interpreter, MemoryAccess, Outcome, State, Step, Successor, ThreadNumber,
};
use raddle_ir::{Action, Program};

use crate::plain_places::PlainPlaces;
use crate::{Counters, Events, Proof, Property, Reason, Reduction, Trace, Verdict};

/// How many states are expanded at most between two looks at the memory.
const EXPANDED_BETWEEN_LOOKS: usize = 500;

/// So many local steps are taken at once: some threads never do anything else.
const MOST_LOCAL_STEPS: usize = 1_000;

/// So many states are looked at at least before a search begins anew.
const FEWEST_BEFORE_ANEW: usize = 64;

/// Where other threads are scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// After every step.
    EveryStep,
    /// Where the thread that runs has no more local steps to take.
    AfterLocalSteps,
}

impl Schedule {
    fn reduction(self) -> Reduction {
        match self {
            Schedule::EveryStep => Reduction::None,
            Schedule::AfterLocalSteps => Reduction::Local,
        }
    }
}

/// What becomes of `race` if no two accesses meet in any state, but a search came across a weakness: whether happens-before
/// orders all of them. And how many states with clocks there were.
pub fn decide_unordered(
    interpreter: &Interpreter<'_>,
    weakness: &Reason,
    schedule: Schedule,
    budget: &Budget,
    events: &mut dyn Events,
) -> (Verdict, Counters) {
    if !interpreter.program().unraced.is_empty() {
        // Clocks do not know which lines the user leaves out.
        return (Verdict::Unknown(weakness.clone()), Counters::new());
    }
    let mut plain = PlainPlaces::default();
    let mut states = 0;
    let found = loop {
        let mut search = Search::new(interpreter, schedule, plain);
        let found = search.run(budget);
        let has_to_begin_anew = matches!(found, Ok(None)) && search.plain.has_grown();
        let Search {
            moments, origins, ..
        } = search;
        plain = search.plain.settled();
        states += moments.len() as u64;
        // To give so much memory back takes longer than there is time left.
        std::thread::spawn(move || drop((moments, origins)));
        if !has_to_begin_anew {
            break found;
        }
    };
    let counters = Counters::from([("clock_states", states)]);
    let verdict = match found {
        Ok(None) => Verdict::Safe(Proof::HappensBefore(schedule.reduction())),
        Ok(Some(trace)) => {
            events.violated(&trace);
            Verdict::Unsafe(trace)
        }
        Err(reason) => Verdict::Unknown(reason),
    };
    (verdict, counters)
}

/// A state with its clocks.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Moment {
    state: State,
    clocks: Clocks,
}

/// How a moment was first reached.
struct Origin {
    /// From which one, or which of the initial states.
    from: Result<usize, usize>,
    steps: Vec<Step>,
}

struct Search<'a> {
    interpreter: &'a Interpreter<'a>,
    schedule: Schedule,
    moments: Vec<Arc<Moment>>,
    origins: Vec<Origin>,
    /// Their numbers by their hashes.
    seen: FastMap<u64, Vec<usize>>,
    /// Hashes of states are of what differs from this one.
    first: Option<State>,
    plain: PlainPlaces,
}

/// A thread on its way from a moment to the next one that is stored.
struct Way {
    state: State,
    clocks: Clocks,
    successors: Vec<Successor>,
    taken: Vec<Step>,
}

impl<'a> Search<'a> {
    fn new(interpreter: &'a Interpreter<'a>, schedule: Schedule, plain: PlainPlaces) -> Self {
        Self {
            interpreter,
            schedule,
            moments: Vec::new(),
            origins: Vec::new(),
            seen: FastMap::default(),
            first: None,
            plain,
        }
    }

    /// Breadth first, so that the first trace has the fewest transactions. If more places turn out to be touched plainly than were
    /// known, it ends soon without a race, and says nothing (U4).
    fn run(&mut self, budget: &Budget) -> Result<Option<Trace>, Reason> {
        let initial = self.interpreter.numbered_initial_states();
        let initial = initial.unwrap_or_default();
        self.first = initial.first().map(|(_, state)| state.clone());
        for (number, state) in initial {
            let clocks = Clocks::new(&state);
            let origin = Origin {
                from: Err(number),
                steps: Vec::new(),
            };
            self.reach(Moment { state, clocks }, origin);
        }
        let (mut at, mut end) = (0, usize::MAX);
        while at < self.moments.len().min(end) {
            if at.is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
                budget.check()?;
            }
            let moment = Arc::clone(&self.moments[at]);
            let threads: Vec<ThreadNumber> = moment.state.threads.keys().copied().collect();
            for thread in threads.into_iter().filter(|_| !moment.state.has_ended) {
                if let Some(steps) = self.expand(at, &moment, thread, budget)? {
                    return self.trace(at, steps).map(Some);
                }
            }
            at += 1;
            if self.plain.has_grown() && end == usize::MAX {
                // More may come to light soon: so it seldom begins anew.
                end = 2 * at.max(FEWEST_BEFORE_ANEW);
            }
        }
        Ok(None)
    }

    /// Takes the steps of a thread; those that lead to a race, if some do.
    fn expand(
        &mut self,
        at: usize,
        moment: &Moment,
        thread: ThreadNumber,
        budget: &Budget,
    ) -> Result<Option<Vec<Step>>, Reason> {
        let mut open = vec![Way {
            state: moment.state.clone(),
            clocks: moment.clocks.clone(),
            successors: self.interpreter.thread_successors(&moment.state, thread),
            taken: Vec::new(),
        }];
        // Several ways may come to one state, and go on together then.
        let mut met: FastSet<Moment> = FastSet::default();
        let mut is_branching = false;
        while let Some(way) = open.pop() {
            budget.check_time()?;
            is_branching |= way.successors.len() > 1;
            let Way {
                state: before,
                clocks,
                successors,
                taken,
            } = way;
            // Most have one, for which nothing has to be copied.
            let last = successors.len().saturating_sub(1);
            let (mut clocks, mut taken) = (Some(clocks), Some(taken));
            for (number, successor) in successors.into_iter().enumerate() {
                let is_last = number == last;
                let mut steps = given(&mut taken, is_last);
                steps.push(successor.step.clone());
                let mut clocks = given(&mut clocks, is_last);
                let has_race = self.take(&before, &mut clocks, &successor);
                if has_race.map_err(|why| self.unclear(&before, &successor.step, why))? {
                    return Ok(Some(steps));
                }
                let Outcome::Next(state) = successor.outcome else {
                    continue;
                };
                let successors = self.local_steps(&state, thread, steps.len());
                if successors.is_empty() {
                    let from = Ok(at);
                    self.reach(Moment { state, clocks }, Origin { from, steps });
                    continue;
                }
                if is_branching && !met.insert(settled(&state, &clocks)) {
                    continue;
                }
                open.push(Way {
                    state,
                    clocks,
                    successors,
                    taken: steps,
                });
            }
        }
        Ok(None)
    }

    /// Takes note of a step in clocks; whether it races.
    fn take(
        &mut self,
        before: &State,
        clocks: &mut Clocks,
        successor: &Successor,
    ) -> Result<bool, Unclear> {
        let told = happens_before::events(self.interpreter, before, successor)?;
        let remembers_all = self.schedule == Schedule::EveryStep;
        for part in told.parts.iter().filter(|_| !remembers_all) {
            self.plain.note(before, part);
        }
        let plain = &self.plain;
        let remembers = |access: &MemoryAccess| remembers_all || plain.has_any_of(before, access);
        let mut has_race = false;
        for part in &told.parts {
            let race = clocks.step_remembering(successor.step.thread, part, remembers)?;
            has_race |= race.is_some();
        }
        Ok(has_race)
    }

    fn unclear(&self, before: &State, step: &Step, why: Unclear) -> Reason {
        let (what, span) = self.interpreter.tell_unclear(before, step, why);
        Reason::UnclearOrder { what, span }
    }

    /// What the thread can do next if that is to be done at once (U2).
    fn local_steps(&self, state: &State, thread: ThreadNumber, taken: usize) -> Vec<Successor> {
        if self.schedule == Schedule::EveryStep || state.has_ended || taken >= MOST_LOCAL_STEPS {
            return Vec::new();
        }
        let options = self.interpreter.thread_options(state, thread);
        let program = self.interpreter.program();
        let is_local = |it: &Successor| is_local(program, state, it);
        if options.waits_for_others || !options.successors.iter().all(is_local) {
            return Vec::new();
        }
        options.successors
    }

    fn reach(&mut self, mut moment: Moment, origin: Origin) {
        moment.clocks.settle(&moment.state);
        let mut hasher = fast_hasher();
        let first = self.first.as_ref().unwrap_or(&moment.state);
        moment.state.hash_of_changes(first).hash(&mut hasher);
        moment.clocks.hash(&mut hasher);
        let known = self.seen.entry(hasher.finish()).or_default();
        if known.iter().any(|it| *self.moments[*it] == moment) {
            return;
        }
        known.push(self.moments.len());
        self.moments.push(Arc::new(moment));
        self.origins.push(origin);
    }

    /// The execution that takes these steps from a moment, with what the definition says of it.
    fn trace(&self, at: usize, last: Vec<Step>) -> Result<Trace, Reason> {
        let mut parts = vec![last];
        let mut at = at;
        let initial = loop {
            let origin = &self.origins[at];
            parts.push(origin.steps.clone());
            match origin.from {
                Ok(from) => at = from,
                Err(initial) => break initial,
            }
        };
        let steps: Vec<Step> = parts.into_iter().rev().flatten().collect();
        let start = self.interpreter.initial_state(initial);
        let start = start.ok_or(Reason::NotDecidedByEngine)?;
        let found = happens_before::violation(self.interpreter, &start, &steps);
        let violation = found.map_err(|it| {
            let before = self.after(&start, &steps[..it.step]);
            self.unclear(&before, &steps[it.step], it.why)
        })?;
        Ok(Trace {
            initial,
            steps,
            transactions: Vec::new(),
            violation: violation.ok_or(Reason::NotDecidedByEngine)?,
        })
    }

    /// The state after these steps.
    fn after(&self, start: &State, steps: &[Step]) -> State {
        let mut state = start.clone();
        for step in steps {
            let successor = self.interpreter.take(&state, step);
            if let Some(Outcome::Next(next)) = successor.map(|it| it.outcome) {
                state = next;
            }
        }
        state
    }
}

/// What the last one may keep, and others get a copy of.
fn given<T: Clone + Default>(kept: &mut Option<T>, is_last: bool) -> T {
    let given = if is_last { kept.take() } else { kept.clone() };
    given.unwrap_or_default()
}

fn settled(state: &State, clocks: &Clocks) -> Moment {
    let mut clocks = clocks.clone();
    clocks.settle(state);
    Moment {
        state: state.clone(),
        clocks,
    }
}

/// Whether a step touches registers of its thread only, or makes one plain access (U2).
fn is_local(program: &Program, before: &State, successor: &Successor) -> bool {
    let [part] = &successor.step.parts[..] else {
        return false;
    };
    let Outcome::Next(after) = &successor.outcome else {
        return false;
    };
    let thread = successor.step.thread;
    let frames = |state: &State| state.threads.get(&thread).map_or(0, |it| it.frames.len());
    let leaves_nothing = || {
        let frame = before.threads.get(&thread).and_then(|it| it.frames.last());
        frame.is_some_and(|it| it.stack_objects.is_empty()) && frames(after) > 0
    };
    let is_private = successor.effects.iter().all(|effect| {
        matches!(
            effect,
            Effect::Set { .. }
                | Effect::Emit { .. }
                | Effect::ObserveLayout
                | Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Read {
                    is_atomic: false,
                    ..
                }
                | Effect::Write {
                    is_atomic: false,
                    ..
                }
        )
    });
    is_private
        && match &program.edge(part.function, part.edge).action {
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Fence { .. }
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Emit { .. }
            | Action::Load { .. }
            | Action::Store { .. } => leaves_nothing() || frames(after) == frames(before),
            Action::Call { .. } | Action::Return { .. } => leaves_nothing(),
            Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Sync { .. }
            | Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::Unsupported { .. } => false,
        }
}

/// Whether a search was for accesses that meet in a state, and found none.
pub(crate) fn is_of_meetings(property: Property, verdict: &Verdict) -> bool {
    property == Property::Race
        && matches!(
            verdict,
            Verdict::Safe(Proof::SearchExhausted(_) | Proof::SearchUpTo(_))
        )
}
