//! How long systems of the size of the pushdown engine's take. Measured by hand, in release:
//! `cargo test --release -p raddle-wpds --test measure -- --ignored --nocapture`.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::time::Instant;

use raddle_base::Budget;
use raddle_bdd::{Bdd, Bdds, Capacity, TableFull};
use raddle_wpds::{
    Configurations, ControlId, Order, Pushdown, Relations, Replaced, Rule, Semiring, Series, Shape,
    SymbolId, post_star_in_order,
};

use support::Random;

/// Where the parts of a lock history of `locks` locks are (AS Fig. 3). `R` and `A` are the diagonals of the histories.
#[derive(Clone, Copy)]
struct History {
    locks: usize,
}

impl History {
    fn bits(self) -> usize {
        2 * self.locks + 2 * self.locks * self.locks
    }

    /// One lock after the other: held throughout, used, its histories. Other orders of bits gave larger diagrams.
    fn block(self, lock: usize) -> usize {
        lock * (2 + 2 * self.locks)
    }

    fn held(self, lock: usize) -> usize {
        self.block(lock)
    }

    fn used(self, lock: usize) -> usize {
        self.block(lock) + 1
    }

    fn acquired(self, lock: usize, after: usize) -> usize {
        self.block(lock) + 2 + after
    }

    fn released(self, lock: usize, before: usize) -> usize {
        self.block(lock) + 2 + self.locks + before
    }

    fn acquire(self, bdds: &Bdds, old: &[Bdd], lock: usize) -> Result<Vec<Bdd>, TableFull> {
        let mut new = old.to_vec();
        for other in 0..self.locks {
            new[self.acquired(lock, other)] = bdds.constant(other == lock);
            if other != lock {
                let at = self.acquired(other, lock);
                new[at] = bdds.or(&old[at], &old[self.acquired(other, other)])?;
            }
        }
        Ok(new)
    }

    fn release(self, bdds: &Bdds, old: &[Bdd], lock: usize) -> Result<Vec<Bdd>, TableFull> {
        let mut new = old.to_vec();
        let is_acquired = &old[self.acquired(lock, lock)];
        let none = bdds.constant(false);
        new[self.used(lock)] = bdds.or(&old[self.used(lock)], is_acquired)?;
        new[self.held(lock)] = bdds.and(&old[self.held(lock)], is_acquired)?;
        for other in 0..self.locks {
            new[self.acquired(lock, other)] = none.clone();
            let before = bdds.or(&old[self.used(other)], &old[self.released(other, other)])?;
            let before = if other == lock {
                bdds.constant(true)
            } else {
                before
            };
            let at = self.released(lock, other);
            new[at] = bdds.if_then_else(is_acquired, &old[at], &before)?;
        }
        Ok(new)
    }

    fn next_phase(self, bdds: &Bdds, old: &[Bdd]) -> Result<Vec<Bdd>, TableFull> {
        let mut new = vec![bdds.constant(false); old.len()];
        for lock in 0..self.locks {
            let acquired = &old[self.acquired(lock, lock)];
            new[self.held(lock)] = bdds.or(&old[self.held(lock)], acquired)?;
        }
        Ok(new)
    }
}

struct Weights {
    acquire: Vec<Series>,
    release: Vec<Series>,
    phase: Series,
    nothing: Series,
}

/// A main procedure that calls itself and procedures that each hold a lock while they call later ones; every rule in
/// every phase, phases of other processes anywhere, own ones at every third place.
struct Program<'a> {
    system: Pushdown<Series>,
    phases: Vec<ControlId>,
    weights: &'a Weights,
    accesses: Vec<SymbolId>,
}

impl Program<'_> {
    fn rule(&mut self, top: SymbolId, stack: Replaced, weight: &Series) {
        for phase in self.phases.clone() {
            self.system.add_rule(Rule {
                from: phase,
                top,
                to: phase,
                stack,
                weight: weight.clone(),
            });
        }
    }

    fn build(&mut self, random: &mut Random, locks: usize) -> SymbolId {
        let nothing = self.weights.nothing.clone();
        let entries: Vec<SymbolId> = (0..=locks).map(|_| self.system.add_symbol()).collect();
        for procedure in 0..=locks {
            let mut at = entries[procedure];
            let mut step = |program: &mut Self, stack: Option<SymbolId>, weight: &Series| {
                let next = program.system.add_symbol();
                let replaced = match stack {
                    Some(top) => Replaced::Push { top, below: next },
                    None => Replaced::Step(next),
                };
                program.rule(at, replaced, weight);
                at = next;
                next
            };
            if procedure > 0 {
                let acquire = self.weights.acquire[procedure - 1].clone();
                step(self, None, &acquire);
            }
            for _ in 0..3 {
                let access = step(self, None, &nothing);
                self.accesses.push(access);
                let later = procedure + 1..=locks;
                if !later.is_empty() {
                    let callee = procedure + 1 + random.below(later.count());
                    let before = step(self, Some(entries[callee]), &nothing);
                    let after = step(self, None, &nothing);
                    // A branch around the next call.
                    self.rule(before, Replaced::Step(after), &nothing);
                }
            }
            let last = step(self, None, &nothing);
            if procedure == 0 {
                step(self, Some(entries[0]), &nothing);
            } else {
                let release = self.weights.release[procedure - 1].clone();
                step(self, None, &release);
            }
            let _ = last;
            self.rule(at, Replaced::Pop, &nothing);
        }
        for (place, top) in self.system.symbols().enumerate() {
            for phase in 1..self.phases.len() {
                let is_own = phase % 2 == 1;
                if is_own && !(self.accesses.contains(&top) && place % 3 == phase % 3) {
                    continue;
                }
                self.system.add_rule(Rule {
                    from: self.phases[phase - 1],
                    top,
                    to: self.phases[phase],
                    stack: Replaced::Step(top),
                    weight: self.weights.phase.clone(),
                });
            }
        }
        entries[0]
    }
}

#[test]
#[ignore = "a measurement"]
fn systems_of_the_size_of_the_engines() {
    for locks in [2, 4, 6, 8] {
        for theta in [5, 7] {
            let history = History { locks };
            let begin = Instant::now();
            let capacity = Capacity {
                nodes: 1 << 23,
                results: 1 << 20,
            };
            let shape = Shape {
                bits: history.bits(),
                theta,
                copies: 2,
            };
            let relations = Relations::new(capacity, shape, Budget::unlimited()).unwrap();
            let bdds = relations.bdds();
            let function = |lock, is_acquire| {
                let step = |it: &[Bdd]| {
                    if is_acquire {
                        history.acquire(bdds, it, lock)
                    } else {
                        history.release(bdds, it, lock)
                    }
                };
                relations.function(step).unwrap()
            };
            let weights = Weights {
                acquire: (0..locks).map(|it| function(it, true)).collect(),
                release: (0..locks).map(|it| function(it, false)).collect(),
                phase: relations.phase(|it| history.next_phase(bdds, it)).unwrap(),
                nothing: relations.one(),
            };
            let table = begin.elapsed();
            let begin = Instant::now();
            let mut program = Program {
                system: Pushdown::new(),
                phases: Vec::new(),
                weights: &weights,
                accesses: Vec::new(),
            };
            program.phases = (0..theta).map(|_| program.system.add_control()).collect();
            let main = program.build(&mut Random::new(1), locks);
            let start = relations.test_state(&vec![false; history.bits()]).unwrap();
            let system = &program.system;
            let from = Configurations::one(&relations, system, program.phases[0], &[main], &start);
            let reached = match post_star_in_order(&relations, system, &from, Order::Controls) {
                Ok(reached) => reached,
                Err(error) => {
                    println!(
                        "{locks} locks, {theta} phases: {error}, {:?}",
                        begin.elapsed()
                    );
                    continue;
                }
            };
            let saturated = begin.elapsed();
            let begin = Instant::now();
            let Ok(sums) = reached.automaton.sums(&relations) else {
                println!("{locks} locks, {theta} phases: no sums, {saturated:?} for post*");
                continue;
            };
            let last = *program.phases.last().unwrap();
            let sum = sums.of_control(&relations, last).unwrap();
            println!(
                "{locks} locks, {theta} phases, {} rules: {} transitions; table {table:?}, post* {saturated:?}, sums {:?}; \
                 {} nodes in the answer, {} in the largest weight, {} in use",
                system.rules().len(),
                reached.automaton.transitions().len(),
                begin.elapsed(),
                sum.node_count(),
                (reached.automaton.transitions().values())
                    .map(|it| it.weight.node_count())
                    .max()
                    .unwrap(),
                bdds.nodes_in_use(),
            );
        }
    }
}
