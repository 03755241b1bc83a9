//! Questions to the solver, for deeper and deeper unrollings.

use std::collections::BTreeMap;

use raddle_base::{Arena, Span};
use raddle_encode::encoder::{Beginning, ComesBack, Encoder};
use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::{Hazard, Met};
use raddle_engine::{
    Answer, Bound, Budget, Counters, Events, Proof, Property, Reason, Reduction, Task, Trace,
    Verdict,
};
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::{self as logic, CaDiCal, Model, Solver, TermId};

use crate::order::Order;
use crate::pairs::{all_pairs, kept_pairs};
use crate::race::Race;
use crate::shape::Shape;
use crate::system::{access, system};
use crate::threads::Threads;
use crate::tokens::{NodePass, constraints};
use crate::trace::{Goal, trace};
use crate::unrolled::{Doors, FoundFault, NodeIndex, Unrolled};
use crate::{ContextBounds, MatEngine, PairChoice};

/// How often threads are unrolled to find out what they share.
const MOST_ROUNDS: usize = 40;

/// Formulas with more passes are not built.
const MOST_PASSES: usize = 2_000_000;

pub(crate) fn decide(
    engine: &MatEngine,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Answer {
    let mut answer = Answer::default();
    let interpreter = raddle_stepper::definition(task.program, task.semantics.clone());
    let initial = interpreter.initial_states();
    for &property in &task.semantics.properties {
        let verdict = match &initial {
            Ok(initial) => {
                let asked = (property, initial.as_slice());
                decide_one(engine, &interpreter, asked, &mut answer, budget, events)
            }
            Err(stop) => Verdict::Unknown(Reason::from_stop(stop, None)),
        };
        answer.verdicts.insert(property, verdict);
    }
    answer
}

/// Decides one property: what is asked for decides what is unrolled.
fn decide_one(
    engine: &MatEngine,
    interpreter: &Interpreter<'_>,
    (property, initial): (Property, &[State]),
    answer: &mut Answer,
    budget: &Budget,
    events: &mut dyn Events,
) -> Verdict {
    let mut search = match Search::new(engine, interpreter, (property, initial), budget) {
        Ok(search) => search,
        Err(reason) => return Verdict::Unknown(reason),
    };
    search.counters.clone_from(&answer.counters);
    let verdict = match search.run(budget, events) {
        Ok(verdict) => verdict,
        Err(reason) => Verdict::Unknown(reason),
    };
    answer.observes_layout |= search.encoder.observes_layout;
    answer.counters = search.counters;
    verdict
}

pub(crate) struct Search<'a, 'p> {
    engine: &'a MatEngine,
    property: Property,
    interpreter: &'a Interpreter<'p>,
    initial: &'a [State],
    pub(crate) encoder: Encoder<'p>,
    beginning: Beginning,
    begins: TermId,
    pub(crate) shape: Shape,
    counters: Counters,
    /// Why it cannot be safe.
    cut: Option<Reason>,
}

/// A formula and what is known of it.
struct AskedFormula {
    unrolled: Unrolled,
    solver: Solver<CaDiCal>,
    race: Option<Race>,
}

impl<'a, 'p> Search<'a, 'p> {
    pub(crate) fn new(
        engine: &'a MatEngine,
        interpreter: &'a Interpreter<'p>,
        (property, initial): (Property, &'a [State]),
        budget: &Budget,
    ) -> Result<Self, Reason> {
        let not_modelled = || Reason::Unsupported {
            what: "what the program starts with, in this engine".into(),
            span: None,
        };
        let first = initial.first().ok_or_else(not_modelled)?;
        let (mut encoder, mut beginning) =
            Encoder::new(interpreter, first).ok_or_else(not_modelled)?;
        let begins = encoder.begin_anywhere(&mut beginning.shared, interpreter, initial);
        encoder.budget = budget.clone();
        if encoder.comes_back == ComesBack::AtAllocation || encoder.doubts_numbers {
            // What others free is not known where memory is made.
            encoder.comes_back = ComesBack::AtFree;
        }
        Ok(Self {
            engine,
            property,
            interpreter,
            initial,
            encoder,
            beginning,
            begins: begins.ok_or_else(not_modelled)?,
            shape: Shape::default(),
            counters: Counters::new(),
            cut: None,
        })
    }

    fn run(&mut self, budget: &Budget, events: &mut dyn Events) -> Result<Verdict, Reason> {
        let mut depth = 1;
        loop {
            budget.check()?;
            let unrolled = self.unroll(depth)?;
            events.progress(&self.counters);
            let mut question = self.question(&unrolled, depth)?;
            if let Some(trace) = self.violation(&mut question, budget)? {
                events.violated(&trace);
                self.count(&question);
                return Ok(Verdict::Unsafe(trace));
            }
            let goes_on = self.any(&question.unrolled.cuts.clone());
            let goes_on = self.ask(&mut question, goes_on, budget)?.is_some();
            if !goes_on || self.cut.is_none() {
                self.look_for_hazards(&mut question, budget)?;
            }
            self.count(&question);
            if !goes_on {
                return Ok(self.verdict());
            }
            depth *= 2;
        }
    }

    /// Unrolls until nothing new is found out about what threads share.
    pub(crate) fn unroll(&mut self, depth: u32) -> Result<Unrolled, Reason> {
        for _ in 0..MOST_ROUNDS {
            let unrolled = self.unroll_once(depth, None)?;
            let mut learned = self.shape.clone();
            learned.learn(&mut self.encoder, &unrolled);
            if learned == self.shape {
                return Ok(unrolled);
            }
            self.shape = learned;
        }
        Err(Reason::Unsupported {
            what: "memory whose use by several threads could not be found out".into(),
            span: None,
        })
    }

    fn unroll_once(&mut self, depth: u32, doors: Option<&Doors>) -> Result<Unrolled, Reason> {
        let how = (depth, self.property == Property::Race);
        let threads = Threads::new(&mut self.encoder, &self.shape, how, doors);
        let unrolled = threads.run(&self.beginning);
        match self.encoder.exhausted {
            Some(exhausted) => Err(exhausted.into()),
            None => Ok(unrolled),
        }
    }

    /// The formula of an unrolling.
    fn question(&mut self, unrolled: &Unrolled, depth: u32) -> Result<AskedFormula, Reason> {
        let passes = self.passes(unrolled)?;
        let (mut unrolled, passes) = self.unroll_with(unrolled, &passes, depth)?;
        self.doubt_names(&mut unrolled);
        let bounds = &self.engine.context_bounds;
        let program = self.encoder.program;
        let names: Arena<ThreadIndex, String> = self
            .encoder
            .instances
            .values()
            .map(|it| program.functions[it.function].name.clone())
            .collect();
        let limits = |thread: ThreadIndex| bounds.of(&names[thread]);
        let constraints = constraints(&mut self.encoder, &self.shape, &unrolled, &passes, limits)?;
        let mut solver = Solver::with(CaDiCal::new());
        solver.assert(&self.encoder.terms, self.begins);
        for constraint in constraints.conditions {
            solver.assert(&self.encoder.terms, constraint);
        }
        for (condition, one, other) in constraints.same {
            solver.assert_same(&self.encoder.terms, condition, one, other);
        }
        let race = (self.property == Property::Race)
            .then(|| Race::new(&mut self.encoder.terms, &unrolled));
        for constraint in race.iter().flat_map(|it| &it.constraints) {
            solver.assert(&self.encoder.terms, *constraint);
        }
        let number = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
        self.counters.insert("depth", u64::from(depth));
        self.counters.insert("nodes", number(unrolled.nodes.len()));
        self.counters.insert("pairs", number(passes.len()));
        self.counters.insert("slots", number(self.shape.slots()));
        Ok(AskedFormula {
            unrolled,
            solver,
            race,
        })
    }

    /// Unrolls once more, now that it is known where the token comes and goes: elsewhere threads go on with what they have.
    fn unroll_with(
        &mut self,
        known: &Unrolled,
        passes: &[NodePass],
        depth: u32,
    ) -> Result<(Unrolled, Vec<NodePass>), Reason> {
        let key = |at: NodeIndex| (known.nodes[at].thread, known.nodes[at].at.clone());
        let doors = Doors {
            sending: passes.iter().map(|it| key(it.0)).collect(),
            receiving: passes.iter().map(|it| key(it.1)).collect(),
            cuts: known.cut_places.clone(),
        };
        let mut unrolled = self.unroll_once(depth, Some(&doors))?;
        // With more precise values a thread may get past where it was given up before: then it comes to places for which no passes were
        // chosen.
        if !unrolled.is_within(known) {
            unrolled = self.unroll_once(depth, None)?;
        }
        let nodes = unrolled.nodes.iter();
        let numbers: BTreeMap<(ThreadIndex, UnrolledPoint), NodeIndex> = nodes
            .map(|(number, it)| ((it.thread, it.at.clone()), number))
            .collect();
        // Places that no thread comes to any more have no passes.
        let renumbered = passes
            .iter()
            .filter_map(|(from, to)| Some((*numbers.get(&key(*from))?, *numbers.get(&key(*to))?)));
        let renumbered = renumbered.collect();
        Ok((unrolled, renumbered))
    }

    /// Numbers that are handed over may be names only where that is known.
    fn doubt_names(&mut self, unrolled: &mut Unrolled) {
        for node in unrolled.nodes.values() {
            let values = self.shape.values(&mut self.encoder, &node.passage.shared);
            if self.shape.hides_a_name(&mut self.encoder, &values) {
                let what = "a number that depends on the names of threads and objects".to_owned();
                unrolled.found.push(FoundFault {
                    met: Met {
                        condition: node.passage.passes,
                        hazard: Hazard::Unsupported(what),
                        place: Some(node.place),
                        after: 0,
                    },
                    thread: node.thread,
                    clock: node.passage.clock,
                    step: usize::MAX,
                });
            }
        }
    }

    fn passes(&mut self, unrolled: &Unrolled) -> Result<Vec<NodePass>, Reason> {
        let order = Order::new(unrolled);
        let nodes = &unrolled.nodes;
        let number: BTreeMap<_, NodeIndex> =
            nodes.iter().map(|(at, it)| (access(it), at)).collect();
        if nodes.len().saturating_mul(nodes.len()) > 4 * MOST_PASSES {
            let accesses = nodes.len();
            return Err(Reason::BoundReached(Bound::Accesses { accesses }));
        }
        // All pairs are listed before any is left out, and looked at once more for those that are kept.
        let pairs = u64::try_from(nodes.len().saturating_mul(nodes.len())).unwrap_or(u64::MAX);
        let bytes = u64::try_from(size_of::<crate::pairs::Pass>()).unwrap_or(u64::MAX);
        let budget = self.encoder.budget.clone();
        budget.check()?;
        budget.check_memory(pairs.saturating_mul(bytes))?;
        let system = system(unrolled, &order);
        let possible = |pass: &crate::pairs::Pass| {
            let (from, to) = (number[&pass.from], number[&pass.to]);
            order.can_pass(from, to).then_some((from, to))
        };
        let all: Vec<NodePass> = all_pairs(&system).filter_map(|it| possible(&it)).collect();
        let count = u64::try_from(all.len()).unwrap_or(u64::MAX);
        self.counters.insert("all pairs", count);
        let passes = if self.engine.pairs == PairChoice::All {
            all
        } else {
            let kept = kept_pairs(&system);
            let mats = u64::try_from(kept.mats.len()).unwrap_or(u64::MAX);
            self.counters.insert("mats", mats);
            kept.passes.keys().filter_map(possible).collect()
        };
        budget.check()?;
        if passes.len() > MOST_PASSES {
            let accesses = nodes.len();
            return Err(Reason::BoundReached(Bound::Accesses { accesses }));
        }
        Ok(passes)
    }

    fn any(&mut self, conditions: &[TermId]) -> TermId {
        self.encoder.terms.any(conditions)
    }

    /// An execution that violates the property.
    fn violation(
        &mut self,
        question: &mut AskedFormula,
        budget: &Budget,
    ) -> Result<Option<Trace>, Reason> {
        let wanted = Hazard::Violation(self.property);
        let is_it = |it: &FoundFault| it.met.hazard == wanted;
        let conditions: Vec<TermId> = question
            .unrolled
            .found
            .iter()
            .filter(|it| is_it(it))
            .map(|it| it.met.condition)
            .collect();
        let violated = match &question.race {
            Some(race) => race.condition,
            None => self.any(&conditions),
        };
        let Some(mut model) = self.ask(question, violated, budget)? else {
            return Ok(None);
        };
        let terms = &self.encoder.terms;
        let mut found = question.unrolled.found.iter().filter(|it| is_it(it));
        let goal = if let Some(race) = &question.race {
            let mut meets = race.meets().iter();
            let met = meets.find(|it| model.holds(terms, it.1));
            met.map(|it| Goal::Node(&question.unrolled.nodes[it.0]))
        } else {
            let found = found.find(|it| model.holds(terms, it.met.condition));
            found.map(Goal::Edge)
        };
        let Some(goal) = goal else {
            return Ok(None);
        };
        let trace = trace(
            &self.encoder,
            &question.unrolled,
            (self.interpreter, self.initial),
            &mut model,
            (goal, self.property),
        );
        if trace.is_none() {
            let span = match goal {
                Goal::Edge(found) => self.span(&found.met),
                Goal::Node(_) => None,
            };
            self.cut.get_or_insert(Reason::Unsupported {
                what: "a violation that could not be repeated".into(),
                span,
            });
        }
        Ok(trace)
    }

    fn look_for_hazards(
        &mut self,
        question: &mut AskedFormula,
        budget: &Budget,
    ) -> Result<(), Reason> {
        if self.cut.is_some() {
            return Ok(());
        }
        let limit = self.encoder.semantics.max_threads;
        let found: Vec<(TermId, Reason)> = question
            .unrolled
            .found
            .iter()
            .filter_map(|it| {
                let reason = it.met.hazard.reason(self.span(&it.met), limit)?;
                Some((it.met.condition, reason))
            })
            .collect();
        let conditions: Vec<TermId> = found.iter().map(|it| it.0).collect();
        let is_cut = self.any(&conditions);
        if let Some(mut model) = self.ask(question, is_cut, budget)? {
            let terms = &self.encoder.terms;
            let first = found.into_iter().find(|it| model.holds(terms, it.0));
            self.cut = first.map(|it| it.1);
        }
        Ok(())
    }

    fn span(&self, met: &Met) -> Option<Span> {
        let (function, edge) = met.place?;
        self.encoder.program.edge(function, edge).span
    }

    fn ask(
        &self,
        question: &mut AskedFormula,
        assumed: TermId,
        budget: &Budget,
    ) -> Result<Option<Model>, Reason> {
        let terms = &self.encoder.terms;
        if terms.is_false(assumed) {
            return Ok(None);
        }
        match question.solver.check(terms, &[assumed], budget) {
            Ok(logic::Answer::Satisfiable(model)) => Ok(Some(model)),
            Ok(logic::Answer::Unsatisfiable(_)) => Ok(None),
            Ok(logic::Answer::Interrupted(_)) => {
                budget.check()?;
                Err(Reason::OutOfTime)
            }
            Err(error) => Err(Reason::Unsupported {
                what: format!("an answer of the solver that could not be checked ({error})"),
                span: None,
            }),
        }
    }

    fn count(&mut self, question: &AskedFormula) {
        let spent = question.solver.counters();
        let number = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
        let calls = self.counters.entry("solver calls").or_default();
        *calls += number(spent.calls);
        self.counters.insert("clauses", number(spent.clauses));
        self.counters
            .insert("terms", number(self.encoder.terms.len()));
    }

    /// Nothing was found, and no execution is longer.
    fn verdict(&self) -> Verdict {
        let bound = || {
            let most = self.engine.context_bounds.most()?;
            Some(Reason::BoundReached(Bound::Contexts { most }))
        };
        match self.cut.clone().or_else(bound) {
            Some(reason) => Verdict::Unknown(reason),
            None => Verdict::Safe(Proof::SearchExhausted(Reduction::None)),
        }
    }
}

impl ContextBounds {
    /// The largest of the bounds, if there is one.
    fn most(&self) -> Option<u64> {
        let named = self.named.iter().map(|it| it.most);
        named.chain(self.all).max()
    }
}
