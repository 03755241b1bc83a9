//! The symbolic decision procedure (AS §8, Alg. 2): one `post*` for each party, with sets of tuples of lock histories
//! as weights, and one check whether some of them are compatible.
//!
//! What a process can do on one side of an automaton does not depend on the other parties, so it is computed once and
//! used for every automaton with the same side.

use std::collections::BTreeMap;

use raddle_base::{Budget, Exhausted, FastMap, FastSet, Id};
use raddle_logic::bdd::{Bdd, Bdds, Capacity, TableFull, VariableSet};
use raddle_wpds::automaton::state_of;
use raddle_wpds::relations::{Relations, RelationsError, Series, Shape};
use raddle_wpds::semiring::Reachability;
use raddle_wpds::{
    Configurations, Order, Pushdown, Replaced, Rule, Semiring, post_star_in_order, pre_star,
};

use crate::history::LockHistory;
use crate::phases::{PhaseAutomaton, Side};
use crate::product::{Indexed, Move, Tuple};
use crate::reach::{Step, TooMany, explore};
use crate::system::{ControlId, Label, Process, Push, SymbolId};

/// Why there is no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    TableFull,
    Exhausted(Exhausted),
    TooMany,
}

impl From<TableFull> for Failure {
    fn from(TableFull: TableFull) -> Self {
        Failure::TableFull
    }
}

impl From<RelationsError> for Failure {
    fn from(error: RelationsError) -> Self {
        match error {
            RelationsError::TableFull => Failure::TableFull,
            RelationsError::Budget(exhausted) => Failure::Exhausted(exhausted),
        }
    }
}

impl From<TooMany> for Failure {
    fn from(TooMany: TooMany) -> Self {
        Failure::TooMany
    }
}

/// Where the bits of a lock history lie: lock by lock, which gives the smallest diagrams.
#[derive(Clone, Copy, Debug)]
struct Bits {
    locks: usize,
}

impl Bits {
    fn count(self) -> usize {
        self.locks * self.of_lock()
    }

    /// Of one lock: held throughout, used, its acquisition history, its release history.
    fn of_lock(self) -> usize {
        2 + 2 * self.locks
    }

    fn throughout(self, lock: usize) -> usize {
        lock * self.of_lock()
    }

    fn used(self, lock: usize) -> usize {
        lock * self.of_lock() + 1
    }

    /// Whether `other` is in the acquisition history of `lock`.
    fn acquisition(self, lock: usize, other: usize) -> usize {
        lock * self.of_lock() + 2 + other
    }

    /// Whether `other` is in the release history of `lock`.
    fn release(self, lock: usize, other: usize) -> usize {
        lock * self.of_lock() + 2 + self.locks + other
    }
}

/// Decides automata over processes that share locks.
pub struct Symbolic<'p> {
    processes: Vec<Indexed<'p>>,
    locks: usize,
    bits: Bits,
    relations: Relations,
    acquire: Vec<Series>,
    release: Vec<Series>,
    next_phase: Series,
    /// By component and number of parties: what makes the histories of the phase compatible.
    conditions: BTreeMap<(usize, usize), Vec<Bdd>>,
    /// The variables of the component before the first phase.
    beginning: VariableSet,
    sides: BTreeMap<(usize, Side), Option<Bdd>>,
    /// How many `post*` were computed.
    pub saturations: u64,
    /// The most nodes that the weights of one side took.
    pub largest: usize,
}

/// The parties of an automaton are not more than this.
pub const MOST_PARTIES: usize = 3;

impl<'p> Symbolic<'p> {
    /// For automata with at most so many phases and parties.
    pub fn new(
        processes: &[&'p Process],
        locks: usize,
        phases: usize,
        parties: usize,
        capacity: Capacity,
        budget: &Budget,
    ) -> Result<Self, Failure> {
        let bits = Bits { locks };
        let shape = Shape {
            // Without a lock there is nothing to tell, but something must be told.
            bits: bits.count().max(1),
            theta: phases.max(1),
            copies: parties.max(1),
        };
        let relations = Relations::new(capacity, shape, budget.clone())?;
        let acquire = (0..locks)
            .map(|lock| relations.function(|before| acquired(relations.bdds(), bits, lock, before)))
            .collect::<Result<_, _>>()?;
        let release = (0..locks)
            .map(|lock| relations.function(|before| released(relations.bdds(), bits, lock, before)))
            .collect::<Result<_, _>>()?;
        let next_phase = relations.phase(|before| begun(relations.bdds(), bits, locks, before))?;
        let beginning: Vec<_> = (0..shape.bits)
            .map(|bit| relations.variable(0, 0, bit))
            .collect();
        let beginning = relations.bdds().variable_set(&beginning)?;
        Ok(Self {
            processes: processes.iter().map(|it| Indexed::new(it)).collect(),
            locks,
            bits,
            relations,
            acquire,
            release,
            next_phase,
            conditions: BTreeMap::new(),
            beginning,
            sides: BTreeMap::new(),
            saturations: 0,
            largest: 0,
        })
    }

    /// Whether the processes, one for each party, have an execution that the automaton accepts; if so, tuples of the
    /// parties that are compatible.
    pub fn decide(
        &mut self,
        automaton: &PhaseAutomaton,
        parties: &[usize],
    ) -> Result<Option<Vec<Tuple>>, Failure> {
        let phases = automaton.phases.len();
        let mut all = self.relations.bdds().constant(true);
        for (party, process) in parties.iter().enumerate() {
            let Some(tuples) = self.side(*process, &automaton.side(party))? else {
                return Ok(None);
            };
            let tuples = self.relations.in_copy(
                &self.relations.monomial(phases - 1, tuples),
                phases - 1,
                party,
            )?;
            all = self.relations.bdds().and(&all, &tuples)?;
        }
        // One condition after the other: together they would be much larger than what they leave of the tuples.
        for phase in 0..phases {
            for condition in self.conditions(phase + 1, parties.len())? {
                all = self.relations.bdds().and(&all, &condition)?;
            }
        }
        let Some(values) = self.relations.bdds().satisfying(&all) else {
            return Ok(None);
        };
        let tuple = |party: usize| -> Tuple {
            let history = |component: usize| {
                let has = |bit: usize| {
                    let variable = self.relations.variable(party, component, bit);
                    values[variable.index()].unwrap_or(false)
                };
                self.history(has)
            };
            (1..=phases).map(history).collect()
        };
        Ok(Some((0..parties.len()).map(tuple).collect()))
    }

    fn history(&self, has: impl Fn(usize) -> bool) -> LockHistory {
        let set = |bit: &dyn Fn(usize) -> usize| {
            (0..self.locks)
                .filter(|lock| has(bit(*lock)))
                .fold(0, |set, lock| set | 1 << lock)
        };
        let bits = self.bits;
        LockHistory {
            release: (0..self.locks)
                .map(|lock| set(&|other| bits.release(lock, other)))
                .collect(),
            used: set(&|lock| bits.used(lock)),
            acquisition: (0..self.locks)
                .map(|lock| set(&|other| bits.acquisition(lock, other)))
                .collect(),
            throughout: set(&|lock| bits.throughout(lock)),
        }
    }

    /// The tuples of all runs of a process on one side of an automaton; `None` if there is no run.
    fn side(&mut self, process: usize, side: &Side) -> Result<Option<Bdd>, Failure> {
        let key = (process, side.clone());
        if let Some(known) = self.sides.get(&key) {
            return Ok(known.clone());
        }
        let found = if self.has_run(process, side)? {
            Some(self.saturate(process, side)?)
        } else {
            None
        };
        self.sides.insert(key, found.clone());
        Ok(found)
    }

    /// Whether the process gets to the last phase at all, locks left aside.
    fn has_run(&self, process: usize, side: &Side) -> Result<bool, Failure> {
        let indexed = &self.processes[process];
        let (control, symbol) = indexed.process.start;
        let (_, found) = explore(
            ((control, 0), symbol),
            MOST_HEADS,
            |(control, phase): &(ControlId, usize), symbol| {
                let moves = indexed.moves(side, *phase, *control, symbol).into_iter();
                let steps = moves.map(|(made, to, push)| Step {
                    to: (to, phase + usize::from(!matches!(made, Move::Stay(_)))),
                    push,
                    label: (),
                });
                Ok::<_, TooMany>(steps.collect())
            },
            |(_, phase)| *phase == side.phases.len(),
        )?;
        Ok(found.is_some())
    }

    /// `post*` of the process with the side, and the sum over all configurations in the last phase.
    fn saturate(&mut self, process: usize, side: &Side) -> Result<Bdd, Failure> {
        self.saturations += 1;
        let phases = side.phases.len();
        let indexed = &self.processes[process];
        let mut system: Pushdown<Series> = Pushdown::new();
        let symbols: Vec<_> = (0..indexed.process.symbols)
            .map(|_| system.add_symbol())
            .collect();
        let last = system.add_control();
        // What can be reached without regard to locks is what needs rules.
        let (control, symbol) = indexed.process.start;
        let mut controls = BTreeMap::from([((control, 0), system.add_control())]);
        let start = controls[&(control, 0)];
        let relations = &self.relations;
        explore(
            (Some((control, 0)), symbol),
            MOST_HEADS,
            |state: &Option<(ControlId, usize)>, symbol| {
                let Some((control, phase)) = *state else {
                    return Ok(Vec::new());
                };
                let mut steps = Vec::new();
                for (made, to, push) in indexed.moves(side, phase, control, symbol) {
                    let (to, weight) = match made {
                        Move::Stay(rule) => {
                            let weight = match indexed.process.rules[rule].label {
                                Label::Acquire(lock) => self.acquire[lock.index()].clone(),
                                Label::Release(lock) => self.release[lock.index()].clone(),
                                Label::Silent
                                | Label::Begin
                                | Label::End
                                | Label::Access(_)
                                | Label::Event(_) => relations.one(),
                            };
                            (Some((to, phase)), weight)
                        }
                        Move::Own(_) | Move::Guess if phase + 1 == phases => {
                            (None, relations.one())
                        }
                        Move::Own(_) | Move::Guess => {
                            (Some((to, phase + 1)), self.next_phase.clone())
                        }
                    };
                    let target = match to {
                        None => last,
                        Some(state) => *controls
                            .entry(state)
                            .or_insert_with(|| system.add_control()),
                    };
                    system.add_rule(Rule {
                        from: controls[&(control, phase)],
                        top: symbols[symbol.index()],
                        to: target,
                        stack: replaced(&symbols, push),
                        weight,
                    });
                    steps.push(Step {
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
        let nothing = vec![false; relations.shape().bits];
        let beginning = relations.test_state(&nothing)?;
        let stack = [symbols[symbol.index()]];
        let start = Configurations::one(relations, &system, start, &stack, &beginning);
        let reached = post_star_in_order(relations, &system, &start, Order::Controls)?;
        let sum = reached
            .automaton
            .sums(relations)?
            .of_control(relations, last)?;
        self.largest = self.largest.max(sum.node_count());
        let tuples = relations.coefficient(&sum, phases - 1);
        Ok(relations.bdds().exists(&tuples, &self.beginning)?)
    }

    /// That the histories of the parties in this component are compatible (AS Def. 4, §9), condition by condition.
    fn conditions(&mut self, component: usize, parties: usize) -> Result<Vec<Bdd>, Failure> {
        if let Some(known) = self.conditions.get(&(component, parties)) {
            return Ok(known.clone());
        }
        let bdds = self.relations.bdds();
        let bits = self.bits;
        let bit =
            |party: usize, bit: usize| bdds.literal(self.relations.variable(party, component, bit));
        let mut wrong = Vec::new();
        let both = |first: &Bdd, second: &Bdd| bdds.and(first, second);
        for lock in 0..self.locks {
            for first in 0..parties {
                for second in (0..parties).filter(|it| *it != first) {
                    let held = |party, taken| {
                        bdds.or(&bit(party, bits.throughout(lock)), &bit(party, taken))
                    };
                    let at_first = |party| held(party, bits.release(lock, lock));
                    let at_last = |party| held(party, bits.acquisition(lock, lock));
                    if first < second {
                        wrong.push(both(&at_first(first)?, &at_first(second)?)?);
                        wrong.push(both(&at_last(first)?, &at_last(second)?)?);
                    }
                    let takes = bdds.or(
                        &bit(first, bits.used(lock)),
                        &bit(first, bits.acquisition(lock, lock)),
                    )?;
                    wrong.push(both(&takes, &bit(second, bits.throughout(lock)))?);
                }
            }
        }
        for circle in circles(self.locks, parties) {
            for part in [Bits::acquisition, Bits::release] {
                let mut all = bdds.constant(true);
                for (index, (party, lock)) in circle.iter().enumerate() {
                    let (_, next) = circle[(index + 1) % circle.len()];
                    all = both(&all, &bit(*party, part(bits, *lock, next)))?;
                }
                wrong.push(all);
            }
        }
        let conditions = wrong
            .iter()
            .map(|it| bdds.not(it))
            .collect::<Result<Vec<_>, _>>()?;
        self.conditions
            .insert((component, parties), conditions.clone());
        Ok(conditions)
    }
}

const MOST_HEADS: usize = 1_000_000;

/// The system without rules that lead nowhere: from which no stack leads to the control state.
fn useful(system: &Pushdown<Series>, last: raddle_wpds::ControlId) -> Pushdown<Series> {
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

/// Circles of different parties and different locks, each from its first party on.
fn circles(locks: usize, parties: usize) -> Vec<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    let mut open: Vec<Vec<(usize, usize)>> = (0..parties)
        .flat_map(|party| (0..locks).map(move |lock| vec![(party, lock)]))
        .collect();
    while let Some(circle) = open.pop() {
        if circle.len() > 1 {
            found.push(circle.clone());
        }
        let first = circle[0].0;
        for party in first + 1..parties {
            for lock in 0..locks {
                if circle.iter().all(|(of, it)| *of != party && *it != lock) {
                    let mut longer = circle.clone();
                    longer.push((party, lock));
                    open.push(longer);
                }
            }
        }
    }
    found
}

/// `post_eta` of AS Fig. 3 for taking a lock.
fn acquired(bdds: &Bdds, bits: Bits, lock: usize, before: &[Bdd]) -> Result<Vec<Bdd>, TableFull> {
    let mut after = before.to_vec();
    for other in 0..bits.locks {
        after[bits.acquisition(lock, other)] = bdds.constant(other == lock);
        if other != lock {
            let is_taken = &before[bits.acquisition(other, other)];
            let bit = bits.acquisition(other, lock);
            after[bit] = bdds.or(&before[bit], is_taken)?;
        }
    }
    Ok(after)
}

/// `post_eta` of AS Fig. 3 for releasing a lock: one that was taken in this phase, or one that was held before.
fn released(bdds: &Bdds, bits: Bits, lock: usize, before: &[Bdd]) -> Result<Vec<Bdd>, TableFull> {
    let mut after = before.to_vec();
    let was_taken = &before[bits.acquisition(lock, lock)];
    after[bits.used(lock)] = bdds.or(&before[bits.used(lock)], was_taken)?;
    after[bits.throughout(lock)] = bdds.constant(false);
    for other in 0..bits.locks {
        after[bits.acquisition(lock, other)] = bdds.constant(false);
        let earlier = if other == lock {
            bdds.constant(true)
        } else {
            bdds.or(
                &before[bits.used(other)],
                &before[bits.release(other, other)],
            )?
        };
        let bit = bits.release(lock, other);
        after[bit] = bdds.if_then_else(was_taken, &before[bit], &earlier)?;
    }
    Ok(after)
}

/// `ptrans` of AS §7.1.
fn begun(bdds: &Bdds, bits: Bits, locks: usize, before: &[Bdd]) -> Result<Vec<Bdd>, TableFull> {
    let mut after = vec![bdds.constant(false); before.len()];
    for lock in 0..locks {
        let is_taken = &before[bits.acquisition(lock, lock)];
        after[bits.throughout(lock)] = bdds.or(&before[bits.throughout(lock)], is_taken)?;
    }
    Ok(after)
}

/// So that a table is not larger than it needs to be.
pub fn capacities(most_nodes: usize) -> impl Iterator<Item = Capacity> {
    (17..)
        .step_by(2)
        .map(|shift| 1_usize << shift)
        .take_while(move |nodes| *nodes / 4 < most_nodes)
        .map(move |nodes| Capacity {
            nodes: nodes.min(most_nodes),
            results: (nodes / 2).min(most_nodes),
        })
}
