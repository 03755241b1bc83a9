//! A process with one side of an automaton, as a weighted pushdown system: what both decision procedures work on.

use std::collections::BTreeMap;

use raddle_base::{Exhausted, FastMap, FastSet, Id};
use raddle_wpds::automaton::state_of;
use raddle_wpds::semiring::Reachability;
use raddle_wpds::{
    Configurations, Order, PostStar, Pushdown, Replaced, Rule, Semiring, post_star_in_order,
    pre_star,
};

use crate::phases::{PhaseAutomaton, Side};
use crate::product::{Indexed, Move, Point, Tuple};
use crate::reach::{ReachStep, TooMany, explore};
use crate::system::{Label, Push, SymbolId};

/// Why there is no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    TableFull,
    Exhausted(Exhausted),
    TooMany,
    /// Of the least stretches of one side.
    TooManyStretches,
}

impl From<TooMany> for Failure {
    fn from(TooMany: TooMany) -> Self {
        Failure::TooMany
    }
}

/// Decides automata over processes that share locks.
pub trait Procedure {
    /// Whether the processes, one for each party, have an execution that the automaton accepts; if so, tuples of the
    /// parties that are compatible, each of a run.
    fn decide(
        &mut self,
        automaton: &PhaseAutomaton,
        parties: &[usize],
    ) -> Result<Option<Vec<Tuple>>, Failure>;
}

/// More heads than this are not looked at one by one.
const MOST_HEADS: usize = 1_000_000;

/// What has a weight.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Weighed {
    /// A step within a phase.
    Rule(Label),
    /// What leads to the next phase.
    NextPhase,
    /// What leads to the last phase, in which nobody needs to go on.
    Last,
}

/// A process with one side of an automaton.
pub(crate) struct Sided<W> {
    system: Pushdown<W>,
    start: (raddle_wpds::ControlId, raddle_wpds::SymbolId),
    /// Where the last phase is reached.
    pub(crate) last: raddle_wpds::ControlId,
}

impl<W: Clone> Sided<W> {
    /// Rules for what can be reached without regard to locks, and leads to the last phase.
    pub(crate) fn new(
        indexed: &Indexed<'_>,
        side: &Side,
        mut weight: impl FnMut(Weighed) -> W,
    ) -> Result<Self, TooMany> {
        let phases = side.phases.len();
        let mut system: Pushdown<W> = Pushdown::new();
        let symbols: Vec<_> = (0..indexed.process.symbols)
            .map(|_| system.add_symbol())
            .collect();
        let last = system.add_control();
        let symbol = indexed.process.start.1;
        let beginning = Point::start(indexed.process);
        let mut controls = BTreeMap::from([(beginning, system.add_control())]);
        let start = (controls[&beginning], symbols[symbol.index()]);
        explore(
            (Some(beginning), symbol),
            MOST_HEADS,
            |state: &Option<Point>, symbol| {
                let Some(at) = *state else {
                    return Ok(Vec::new());
                };
                let mut steps = Vec::new();
                for (made, to, push) in indexed.moves(side, at, symbol) {
                    let (to, weighed) = match made {
                        Move::Stay(rule) => {
                            let label = indexed.process.rules[rule].label;
                            (Some(to), Weighed::Rule(label))
                        }
                        Move::Own(_) | Move::Guess if to.phase == phases => (None, Weighed::Last),
                        Move::Own(_) | Move::Guess => (Some(to), Weighed::NextPhase),
                    };
                    let target = match to {
                        None => last,
                        Some(state) => *controls
                            .entry(state)
                            .or_insert_with(|| system.add_control()),
                    };
                    system.add_rule(Rule {
                        from: controls[&at],
                        top: symbols[symbol.index()],
                        to: target,
                        stack: replaced(&symbols, push),
                        weight: weight(weighed),
                    });
                    steps.push(ReachStep {
                        to,
                        push,
                        label: (),
                    });
                }
                Ok::<_, TooMany>(steps)
            },
            |_| false,
        )?;
        let system = useful(&system, last);
        Ok(Self {
            system,
            start,
            last,
        })
    }

    /// `post*` from the start of the process.
    pub(crate) fn reached<S: Semiring<Weight = W>>(
        &self,
        semiring: &S,
        beginning: &W,
    ) -> Result<PostStar<W>, S::Error> {
        let (control, symbol) = self.start;
        let start = Configurations::one(semiring, &self.system, control, &[symbol], beginning);
        post_star_in_order(semiring, &self.system, &start, Order::Controls)
    }
}

/// Whether a process gets to the last phase at all, locks left aside.
pub(crate) fn has_run(indexed: &Indexed<'_>, side: &Side) -> Result<bool, TooMany> {
    let (_, found) = explore(
        (Point::start(indexed.process), indexed.process.start.1),
        MOST_HEADS,
        |at: &Point, symbol| {
            let moves = indexed.moves(side, *at, symbol).into_iter();
            let steps = moves.map(|(_, to, push)| ReachStep {
                to,
                push,
                label: (),
            });
            Ok::<_, TooMany>(steps.collect())
        },
        |at| at.phase == side.phases.len(),
    )?;
    Ok(found.is_some())
}

/// The system without rules that lead nowhere: from which no stack leads to the control state.
fn useful<W: Clone>(system: &Pushdown<W>, last: raddle_wpds::ControlId) -> Pushdown<W> {
    let plain = system.map_weights(|_, _| true);
    let mut wanted = Configurations::none(&plain);
    let below = wanted.add_state();
    let last = state_of(last);
    for symbol in plain.symbols() {
        wanted.add_transition(last, symbol, below, true);
        wanted.add_transition(below, symbol, below, true);
    }
    wanted.make_final(last);
    wanted.make_final(below);
    let Ok(reaching) = pre_star(&Reachability, &plain, &wanted);
    // Of a pop nothing is known but that it leads to its control state.
    let mut leads = vec![false; reaching.state_count()];
    let mut work: Vec<_> = [last, below].to_vec();
    let mut into: FastMap<_, Vec<_>> = FastMap::default();
    for transition in reaching.transitions().values() {
        into.entry(transition.to).or_default().push(transition.from);
    }
    while let Some(state) = work.pop() {
        if !std::mem::replace(&mut leads[state.index()], true) {
            work.extend(into.get(&state).into_iter().flatten());
        }
    }
    let mut heads = FastSet::default();
    for transition in reaching.transitions().values() {
        if leads[transition.to.index()] {
            heads.extend(transition.label.map(|symbol| (transition.from, symbol)));
        }
    }
    system.filtered(|rule| {
        let is_useful = |control, symbol| heads.contains(&(state_of(control), symbol));
        is_useful(rule.from, rule.top)
            && match rule.stack {
                Replaced::Pop => true,
                Replaced::Step(top) | Replaced::Push { top, .. } => is_useful(rule.to, top),
            }
    })
}

fn replaced(symbols: &[raddle_wpds::SymbolId], push: Push) -> Replaced {
    let symbol = |it: SymbolId| symbols[it.index()];
    match push {
        Push::Pop => Replaced::Pop,
        Push::Step(top) => Replaced::Step(symbol(top)),
        Push::Two(top, below) => Replaced::Push {
            top: symbol(top),
            below: symbol(below),
        },
    }
}
