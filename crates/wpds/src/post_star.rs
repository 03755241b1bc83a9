//! What is reached: `post*` by saturation.
//!
//! # Source
//!
//! \[Schwoon02\]; with weights \[Reps05\].
//!
//! # Definitions
//!
//! In the automaton of `post*`, a path from a control state reads a stack from the top down, and weights are multiplied
//! from the bottom up: what lies at the bottom of a stack was reached first. For each control state and symbol that a
//! rule pushes there is one state between: ways to it are what has become of the call by now, and ways from it are the
//! callers. A pop leads there without reading anything, and goes on with what the callers do next.
//!
//! # Invariants
//!
//! - **(P1)** In the end the weight of a configuration is the sum over all runs to it.
//!
//! # Deviations
//!
//! 1. The order in which transitions are looked at can be chosen; the result does not depend on it.
//!
//! # Tested by
//!
//! `crates/wpds/tests/against_all_runs.rs` and `runs.rs`.

use raddle_base::{FastMap, Id, components};

use crate::automaton::{Automaton, Configurations, Reading, StateId, TransitionId, state_of};
use crate::pushdown::{ControlId, Pushdown, Replaced, RuleId, SymbolId};
use crate::saturation::{Added, Saturation};
use crate::semiring::Semiring;

/// All configurations that are reached, and how.
#[derive(Clone, Debug)]
pub struct PostStar<W> {
    pub automaton: Automaton<W>,
    /// By transition.
    pub(crate) origins: Vec<Origin>,
}

/// How a transition came about, on one of the shortest ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) cause: Cause,
    /// The number of rules on that way.
    pub(crate) length: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// It was there at the start.
    Start,
    /// A rule replaced the top of the stack that the other transition read. For a push, this is the lower symbol.
    Rule(RuleId, TransitionId),
    /// A rule pushed this; which one, the transition after it knows.
    Pushed,
    /// A pop led into the middle of a path: the silent transition, and the one after it.
    Popped(TransitionId, TransitionId),
}

/// In which order transitions are looked at. It makes no difference to weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Those that are reached by the shortest runs first: [`PostStar::run_to_control`] gives a shortest run.
    ShortestRuns,
    /// Control states first that nothing leads back to, as those of the first phase of several: what follows them is
    /// looked at when they are done, which counts where weights are large.
    Controls,
}

/// The configurations reached from those of `start`, each with the sum of the weights of all runs to it.
pub fn post_star<S: Semiring>(
    semiring: &S,
    system: &Pushdown<S::Weight>,
    start: &Configurations<S::Weight>,
) -> Result<PostStar<S::Weight>, S::Error> {
    post_star_in_order(semiring, system, start, Order::ShortestRuns)
}

/// As [`post_star`], in another order.
pub fn post_star_in_order<S: Semiring>(
    semiring: &S,
    system: &Pushdown<S::Weight>,
    start: &Configurations<S::Weight>,
    order: Order,
) -> Result<PostStar<S::Weight>, S::Error> {
    let controls = system.control_count();
    let automaton = Automaton::new(controls, start.is_final.clone(), Reading::FromTheBottom);
    let mut run = PostRun {
        saturation: Saturation::new(semiring, automaton),
        group: match order {
            Order::ShortestRuns => vec![0; controls],
            Order::Controls => order_of_controls(system),
        },
        now: 0,
        origins: Vec::new(),
        is_looked_at: Vec::new(),
        between: FastMap::default(),
        silent_into: vec![Vec::new(); start.is_final.len()],
    };
    for (from, symbol, to, weight) in &start.transitions {
        let origin = Origin {
            cause: Cause::Start,
            length: 0,
        };
        run.add((*from, Some(*symbol), *to), weight.clone(), origin)?;
    }
    while let Some((id, news)) = run.saturation.next() {
        run.is_looked_at[id.index()] = true;
        let transition = &run.saturation.automaton.transitions()[id];
        let (from, label, to) = (transition.from, transition.label, transition.to);
        run.now = run.group_of(from);
        match label {
            None => run.go_on_after_pop(id, from, to, &news)?,
            Some(top) if from.index() < controls => {
                let control = ControlId::from_index(from.index());
                for rule in system.rules_at(control, top) {
                    run.apply(system, *rule, id, to, &news)?;
                }
            }
            Some(label) => run.return_to(id, from, label, to, &news)?,
        }
    }
    Ok(PostStar {
        automaton: run.saturation.automaton,
        origins: run.origins,
    })
}

/// A number for each control state, such that none leads to one with a smaller number unless it leads back too.
fn order_of_controls<W>(system: &Pushdown<W>) -> Vec<u64> {
    let mut graph = vec![Vec::new(); system.control_count()];
    for rule in system.rules().values() {
        graph[rule.from.index()].push(rule.to.index());
    }
    let mut order = vec![0; graph.len()];
    for (place, members) in (0..).zip(components(&graph).into_iter().rev()) {
        for control in members {
            order[control] = place;
        }
    }
    order
}

struct PostRun<'a, S: Semiring> {
    saturation: Saturation<'a, S>,
    /// By control state: those with a smaller number are looked at first.
    group: Vec<u64>,
    /// The number of what is looked at.
    now: u64,
    origins: Vec<Origin>,
    is_looked_at: Vec<bool>,
    /// The state between a call and its callers.
    between: FastMap<(ControlId, SymbolId), StateId>,
    /// By state: silent transitions that lead to it.
    silent_into: Vec<Vec<TransitionId>>,
}

impl<S: Semiring> PostRun<'_, S> {
    fn add(
        &mut self,
        (from, label, to): (StateId, Option<SymbolId>, StateId),
        weight: S::Weight,
        origin: Origin,
    ) -> Result<(), S::Error> {
        let rank = (self.group_of(from), origin.length);
        match self.saturation.add((from, label, to), weight, rank)? {
            Added::New(id) => {
                self.origins.push(origin);
                self.is_looked_at.push(false);
                if label.is_none() {
                    self.silent_into[to.index()].push(id);
                }
            }
            // The shortest way counts, as in Knuth's generalisation of Dijkstra's algorithm. Those that are looked at
            // are not touched any more. Lengths never grow along causes, and shrink from rule to rule: no cause leads
            // back to itself.
            Added::Known(id) => {
                let known = &mut self.origins[id.index()];
                if origin.length < known.length && !self.is_looked_at[id.index()] {
                    *known = origin;
                    self.saturation.hurry(id, rank);
                }
            }
            Added::Nothing => {}
        }
        Ok(())
    }

    /// What leaves the state of no control state goes with what led to it.
    fn group_of(&self, from: StateId) -> u64 {
        self.group.get(from.index()).copied().unwrap_or(self.now)
    }

    /// A rule at the top of the stacks that begin with a transition to `to`.
    fn apply(
        &mut self,
        system: &Pushdown<S::Weight>,
        id: RuleId,
        read: TransitionId,
        to: StateId,
        news: &S::Weight,
    ) -> Result<(), S::Error> {
        let rule = &system.rules()[id];
        let weight = self.saturation.semiring.extend(news, &rule.weight)?;
        let origin = Origin {
            cause: Cause::Rule(id, read),
            length: self.length(read).saturating_add(1),
        };
        let target = state_of(rule.to);
        match rule.stack {
            Replaced::Pop => self.add((target, None, to), weight, origin),
            Replaced::Step(symbol) => self.add((target, Some(symbol), to), weight, origin),
            Replaced::Push { top, below } => {
                if self.saturation.semiring.is_zero(&weight) {
                    return Ok(());
                }
                let between = self.state_between(rule.to, top);
                let pushed = Origin {
                    cause: Cause::Pushed,
                    length: 0,
                };
                let entry = self.saturation.semiring.entry(&weight)?;
                self.add((target, Some(top), between), entry, pushed)?;
                self.add((between, Some(below), to), weight, origin)
            }
        }
    }

    /// A call is over: its callers go on.
    fn go_on_after_pop(
        &mut self,
        silent: TransitionId,
        from: StateId,
        to: StateId,
        news: &S::Weight,
    ) -> Result<(), S::Error> {
        // Nothing is added here to what leaves `to`, which is no control state.
        for place in 0..self.saturation.automaton.leaving(to).len() {
            let next = self.saturation.automaton.leaving(to)[place];
            let below = &self.saturation.automaton.transitions()[next];
            let (label, target) = (below.label, below.to);
            let weight = self.saturation.semiring.extend(&below.weight, news)?;
            self.add((from, label, target), weight, self.popped(silent, next))?;
        }
        Ok(())
    }

    /// A caller is new: it goes on where its call is over already.
    fn return_to(
        &mut self,
        below: TransitionId,
        between: StateId,
        label: SymbolId,
        to: StateId,
        news: &S::Weight,
    ) -> Result<(), S::Error> {
        for place in 0..self.silent_into[between.index()].len() {
            let silent = self.silent_into[between.index()][place];
            let from = self.saturation.automaton.transitions()[silent].from;
            let over = self.saturation.weight(silent);
            let weight = self.saturation.semiring.extend(news, over)?;
            self.add((from, Some(label), to), weight, self.popped(silent, below))?;
        }
        Ok(())
    }

    fn popped(&self, silent: TransitionId, below: TransitionId) -> Origin {
        Origin {
            cause: Cause::Popped(silent, below),
            length: self.length(silent).saturating_add(self.length(below)),
        }
    }

    fn length(&self, transition: TransitionId) -> u64 {
        self.origins[transition.index()].length
    }

    fn state_between(&mut self, control: ControlId, symbol: SymbolId) -> StateId {
        if let Some(state) = self.between.get(&(control, symbol)) {
            return *state;
        }
        let state = self.saturation.automaton.add_state();
        self.silent_into.push(Vec::new());
        self.between.insert((control, symbol), state);
        state
    }
}
