//! The symbolic decision procedure: one `post*` for each party, with sets of tuples of lock histories as weights, and one check
//! whether some of them are compatible.
//!
//! # Source
//!
//! AS §8, Algorithm 2.
//!
//! # Definitions
//!
//! A set of tuples is a relation between lock histories, as a decision diagram (`wpds::relations`, AS Def. 7 and 8). The bits of a
//! history lie lock by lock.
//!
//! # Invariants
//!
//! - **(Z1)** What a process can do on one side of an automaton does not depend on the other parties, so it is computed once and
//!   used for every automaton with the same side.
//!
//! # Deviations
//!
//! 1. AS checks compatibility by one operation on diagrams. Here the conditions are met one after the other, because together they would
//!    be much larger than what they leave of the tuples.
//! 2. It is asked only where [`minimal`](crate::minimal) has too many stretches.
//!
//! # Tested by
//!
//! `crates/testkit/tests/pushdown.rs`.

use std::collections::BTreeMap;

use raddle_base::{Budget, Id};
use raddle_bdd::{Bdd, Bdds, Capacity, TableFull, VariableSet};
use raddle_wpds::Semiring;
use raddle_wpds::relations::{Relations, RelationsError, Series, Shape};

use crate::history::LockHistory;
use crate::phases::{PhaseAutomaton, Side};
use crate::product::{Indexed, Tuple};
use crate::sided::{Failure, Procedure, Sided, Weighed, has_run};
use crate::system::{Label, Process};

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
        let found = if has_run(&self.processes[process], side)? {
            Some(self.saturate(process, side)?)
        } else {
            None
        };
        self.sides.insert(key, found.clone());
        Ok(found)
    }

    /// `post*` of the process with the side, and the sum over all configurations in the last phase.
    fn saturate(&mut self, process: usize, side: &Side) -> Result<Bdd, Failure> {
        self.saturations += 1;
        let phases = side.phases.len();
        let indexed = &self.processes[process];
        let relations = &self.relations;
        let sided = Sided::new(indexed, side, |weighed| match weighed {
            Weighed::Rule(Label::Acquire(lock)) => self.acquire[lock.index()].clone(),
            Weighed::Rule(Label::Release(lock)) => self.release[lock.index()].clone(),
            Weighed::Rule(
                Label::Silent | Label::Begin | Label::End | Label::Access(_) | Label::Event(_),
            )
            | Weighed::Last => relations.one(),
            Weighed::NextPhase => self.next_phase.clone(),
        })?;
        let nothing = vec![false; relations.shape().bits];
        let beginning = relations.test_state(&nothing)?;
        let reached = sided.reached(relations, &beginning)?;
        let sum = reached
            .automaton
            .sums(relations)?
            .of_control(relations, sided.last)?;
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
                        // The first two conditions of AS Def. 4.
                        wrong.push(both(&at_first(first)?, &at_first(second)?)?);
                        wrong.push(both(&at_last(first)?, &at_last(second)?)?);
                    }
                    // The fifth.
                    let takes = bdds.or(
                        &bit(first, bits.used(lock)),
                        &bit(first, bits.acquisition(lock, lock)),
                    )?;
                    wrong.push(both(&takes, &bit(second, bits.throughout(lock)))?);
                }
            }
        }
        // The third and the fourth.
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

impl Procedure for Symbolic<'_> {
    fn decide(
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
