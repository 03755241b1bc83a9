//! The search: every thread's transactions from every stored state.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use raddle_base::{FastMap, FastSet, Span};
use raddle_diag::Diagnostic;
use raddle_engine::{
    Answer, Budget, Counters, Events, Proof, Reason, Reduction, Task, Trace, Verdict, weakness,
};
use raddle_ir::interpret::{Interpreter, Property, State, Step, Stop, ThreadNumber, Violation};
use raddle_ir::{Action, AllocateKind, Program};
use raddle_reduce::guesses::{Guess, Guesses};
use raddle_reduce::history::Configuration;
use raddle_reduce::omission::Omission;
use raddle_reduce::predicates::Predicates;
use raddle_reduce::static_movers::StaticMovers;
use raddle_reduce::watched::Watched;

use crate::lock_order::LockOrders;
use crate::store::{NodeId, Origin, Store};
use crate::style::Style;
use crate::survey::{Recorder, Survey};
use crate::transaction::{First, Found, Results, Setting, Sight, Transaction, Way};
use crate::{ExplicitEngine, Inference, broken_predicates};

/// How many states are expanded at most between two looks at the memory and two progress events.
const EXPANDED_BETWEEN_LOOKS: u64 = 200;

/// How many states are expanded breadth-first.
const EXPANDED_BREADTH_FIRST: u64 = 2_000;

/// A set of guesses that the transactions from a state rested on.
type Reliance = u32;

struct Search<'p> {
    engine: ExplicitEngine,
    program: &'p Program,
    interpreter: Interpreter<'p>,
    style: Style,
    /// With the reduction that takes nothing else for granted.
    statics: Option<StaticMovers>,
    predicates: Predicates,
    watched: Watched,
    /// The properties still open: neither violated nor beyond this engine.
    open: Vec<Property>,
    verdicts: BTreeMap<Property, Verdict>,
    guesses: Guesses,
    store: Store,
    /// For each stored state, what its transactions rested on; `None` before they were explored.
    reliances: Vec<Option<Reliance>>,
    /// The sets themselves, each once.
    sets: Vec<Vec<Guess>>,
    numbers: FastMap<Vec<Guess>, Reliance>,
    frontier: VecDeque<NodeId>,
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
        let style = Style::of(engine.reduction);
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
            predicates: Predicates::new(program, style.demand),
            watched: watched
                .filter(|_| open.contains(&Property::Invariant))
                .unwrap_or_default(),
            open,
            verdicts,
            guesses: Guesses::default(),
            store: Store::default(),
            reliances: Vec::new(),
            sets: Vec::new(),
            numbers: FastMap::default(),
            frontier: VecDeque::new(),
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
        while let Some(node) = self.next() {
            if self.is_done() {
                return Ok(());
            }
            if self.counts.expanded.is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
                events.progress(&self.counters());
                budget.check()?;
            }
            budget.check_time()?;
            self.counts.expanded += 1;
            let relied = self.expand(node, budget, events)?;
            self.rest(node, relied);
            let changes = self.guesses.take_changes();
            if !changes.is_empty() && !self.weaken(&changes) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The state to go on with: breadth-first while that is cheap, because it finds short executions; then depth-first,
    /// which finds long ones.
    fn next(&mut self) -> Option<NodeId> {
        if self.counts.expanded < EXPANDED_BREADTH_FIRST {
            self.frontier.pop_front()
        } else {
            self.frontier.pop_back()
        }
    }

    fn is_done(&self) -> bool {
        self.open.is_empty() && !self.is_survey
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
                    self.store(Arc::new(configuration), || Origin::Initial { number });
                }
                true
            }
            Err(stop) => {
                self.cut = Some(Reason::from_stop(&stop, None));
                false
            }
        }
    }

    fn store(&mut self, configuration: Arc<Configuration>, origin: impl FnOnce() -> Origin) {
        if let Some(node) = self.store.insert(configuration, origin) {
            self.reliances.push(None);
            self.frontier.push_back(node);
        }
    }

    /// Explores the transactions of all threads from a stored state; what they rested on.
    fn expand(
        &mut self,
        node: NodeId,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<FastSet<Guess>, Reason> {
        let configuration = Arc::clone(self.store.configuration(node));
        let state = &configuration.state;
        let mut relied = FastSet::default();
        let mut successors = Vec::new();
        let mut by_thread: BTreeMap<ThreadNumber, First> = BTreeMap::new();
        for &thread in state.threads.keys().filter(|_| !state.has_ended) {
            let options = self.interpreter.thread_options(state, thread);
            successors.extend(options.successors);
            if !options.blocked.is_empty() {
                by_thread.entry(thread).or_default().blocked = options.blocked;
            }
        }
        for violation in self.interpreter.judge_with(state, &successors) {
            self.violated(&violation, &Place::at(node), events);
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
                predicates: &self.predicates,
                watched: &self.watched,
                budget,
            };
            let mut transaction = Transaction::new(setting, &mut self.guesses, &mut self.orders);
            transaction.recorder = self.recorder.as_mut();
            let results = transaction.explore(&configuration, thread, first)?;
            self.take(node, results, &mut relied, events);
        }
        Ok(relied)
    }

    /// Takes over what the transactions of one thread led to.
    fn take(
        &mut self,
        node: NodeId,
        results: Results,
        relied: &mut FastSet<Guess>,
        events: &mut dyn Events,
    ) {
        self.counts.steps += results.steps;
        self.observes_layout |= results.observes_layout;
        relied.extend(results.relied);
        for Found { way, step, what } in results.found {
            let place = Place {
                node,
                way: Some(way),
                step,
            };
            match what {
                Sight::Violation(violation) => self.violated(&violation, &place, events),
                Sight::Stop(stop) => self.stopped(&stop, &place, events),
            }
        }
        for (configuration, way) in results.external {
            self.store(configuration, || Origin::Transaction { from: node, way });
        }
    }

    /// Notes what the transactions from a state rested on.
    fn rest(&mut self, node: NodeId, relied: FastSet<Guess>) {
        let mut relied: Vec<Guess> = relied.into_iter().collect();
        relied.sort_unstable();
        let number = if let Some(&known) = self.numbers.get(&relied) {
            known
        } else {
            let number = u32::try_from(self.sets.len()).expect("fewer sets than states");
            self.sets.push(relied.clone());
            self.numbers.insert(relied, number);
            number
        };
        self.reliances[node] = Some(number);
    }

    /// Explores again whatever rested on guesses that got weaker; whether the search can go on.
    fn weaken(&mut self, changes: &BTreeSet<Guess>) -> bool {
        self.counts.again += 1;
        if self.engine.flaw.omits(Omission::WeakenedIsExploredAgain) {
            return true;
        }
        match self.engine.inference {
            Inference::Again => {
                let is_touched: Vec<bool> = self
                    .sets
                    .iter()
                    .map(|set| set.iter().any(|guess| changes.contains(guess)))
                    .collect();
                for (node, reliance) in self.reliances.iter_mut().enumerate() {
                    if reliance.is_some_and(|it| is_touched[it as usize]) {
                        *reliance = None;
                        self.frontier.push_back(node);
                    }
                }
                true
            }
            Inference::Restart => {
                self.store = Store::default();
                self.reliances.clear();
                self.frontier.clear();
                self.begin()
            }
        }
    }

    /// An execution ends.
    fn stopped(&mut self, stop: &Stop, place: &Place, events: &mut dyn Events) {
        let span = match stop {
            Stop::Violation(violation) => {
                self.violated(violation, place, events);
                if violation.property == Property::Assert {
                    // A failed assertion ends the process: all that can happen has happened.
                    return;
                }
                self.span_of(violation)
            }
            Stop::Undefined { .. }
            | Stop::Unsupported { .. }
            | Stop::ThreadLimit { .. }
            | Stop::TooManyChoices { .. } => None,
        };
        if self.cut.is_none() {
            self.cut = Some(Reason::from_stop(stop, span));
        }
    }

    /// The first violation of an open property closes it.
    fn violated(&mut self, violation: &Violation, place: &Place, events: &mut dyn Events) {
        let Some(at) = self.open.iter().position(|it| *it == violation.property) else {
            return;
        };
        self.open.remove(at);
        let trace = self.trace_to(place, violation);
        events.violated(&trace);
        self.verdicts
            .insert(violation.property, Verdict::Unsafe(trace));
    }

    /// The execution that leads to a place, step by step.
    fn trace_to(&self, place: &Place, violation: &Violation) -> Trace {
        let mut ways = Vec::new();
        let mut at = place.node;
        let initial = loop {
            match self.store.origin(at) {
                Origin::Initial { number } => break *number,
                Origin::Transaction { from, way } => {
                    ways.push(way);
                    at = *from;
                }
            }
        };
        ways.reverse();
        ways.extend(&place.way);
        let mut state: State = self
            .interpreter
            .initial_states()
            .ok()
            .and_then(|states| states.into_iter().nth(initial))
            .expect("the search began in this initial state");
        let mut steps = Vec::new();
        for way in ways {
            state = way.follow(&self.interpreter, state, &mut steps);
        }
        steps.extend(place.step.clone());
        Trace {
            initial,
            steps,
            violation: violation.clone(),
        }
    }

    fn span_of(&self, violation: &Violation) -> Option<Span> {
        match violation.labels.first() {
            Some(label) => self.program.edge(label.function, label.edge).span,
            None => violation.span.as_ref().map(|(span, _)| *span),
        }
    }

    fn answer(mut self, interrupted: Option<&Reason>) -> Answer {
        let counters = self.counters();
        for property in std::mem::take(&mut self.open) {
            let verdict = match (interrupted, &self.cut) {
                (Some(reason), _) | (None, Some(reason)) => Verdict::Unknown(reason.clone()),
                (None, None) => match weakness(self.program) {
                    Some(reason) if property == Property::Race => Verdict::Unknown(reason),
                    Some(_) | None => Verdict::Safe(Proof::SearchExhausted(self.engine.reduction)),
                },
            };
            self.verdicts.insert(property, verdict);
        }
        let verdicts = std::mem::take(&mut self.verdicts);
        let observes_layout = self.observes_layout;
        let notes = self.notes();
        drop_in_background(self.store);
        Answer {
            verdicts,
            counters,
            observes_layout,
            notes,
        }
    }

    /// What is worth knowing though no verdict depends on it.
    fn notes(&self) -> Vec<Diagnostic> {
        let mut notes =
            broken_predicates::warnings(self.program, &self.predicates, self.engine.reduction);
        // Nobody has looked at where objects are made if nothing is judged.
        let guesses = self.style.grounds.map(|_| &self.guesses);
        notes.extend(self.orders.warnings(self.program, guesses));
        notes
    }

    fn into_survey(mut self, interrupted: Option<Reason>) -> Survey {
        let counters = self.counters();
        let recorder = self.recorder.take().unwrap_or_default();
        drop_in_background(self.store);
        Survey {
            transactions: recorder.ways.transactions(),
            steps: recorder.steps,
            threads: recorder.threads,
            guesses: self.guesses,
            unfinished: interrupted.or(self.cut),
            counters,
        }
    }

    fn counters(&self) -> Counters {
        let mut counters = Counters::from([
            (
                "states",
                u64::try_from(self.store.len()).unwrap_or(u64::MAX),
            ),
            ("transitions", self.counts.steps),
            ("transactions", self.counts.transactions),
            ("refinements", self.counts.again),
        ]);
        if !self.program.exclusives.is_empty() {
            let given_up = u64::try_from(self.predicates.faults().len()).unwrap_or(u64::MAX);
            counters.insert("predicates_given_up", given_up);
        }
        counters
    }
}

/// Where something was seen.
struct Place {
    node: NodeId,
    /// A way from there.
    way: Option<Way>,
    /// And a last step.
    step: Option<Step>,
}

impl Place {
    fn at(node: NodeId) -> Self {
        Self {
            node,
            way: None,
            step: None,
        }
    }
}

/// Whether the search sees a violation of the property if there is one.
fn is_preserved(
    reduction: Reduction,
    property: Property,
    program: &Program,
    can_watch: bool,
) -> bool {
    if !reduction.is_sound_for(property) {
        return false;
    }
    let has_right_movers = Style::of(reduction).has_right_movers;
    match property {
        // Memory may be lost only while two threads are both in the middle of transactions that they never finish.
        Property::Memory => !has_right_movers || !uses_heap(program),
        Property::Invariant => reduction == Reduction::None || can_watch,
        Property::Assert
        | Property::Overflow
        | Property::LockMisuse
        | Property::Race
        | Property::Deadlock
        | Property::Leak
        | Property::AtomicSets => true,
    }
}

fn uses_heap(program: &Program) -> bool {
    program.functions.values().any(|function| {
        function.edges.values().any(|edge| {
            matches!(
                edge.action,
                Action::Allocate {
                    kind: AllocateKind::Heap,
                    ..
                }
            )
        })
    })
}

/// Giving back the memory of millions of states takes seconds, which a run with a time limit does not have.
fn drop_in_background(garbage: impl Send + 'static) {
    std::thread::spawn(move || drop(garbage));
}
