//! A SAT solver that writes down why the clauses cannot hold together, for a checker that does not trust it.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use cadical_sys::ProofTracer;
use raddle_base::{Budget, FastMap};

use crate::cadical::CaDiCal;
use crate::sat::{Literal, Outcome, Sat};

/// Asked once, about clauses that are all there, with nothing assumed. Keeps what it was told, and the refutation.
pub struct Proving {
    solver: CaDiCal,
    clauses: Vec<Vec<i32>>,
    log: Rc<RefCell<Vec<Entry>>>,
}

/// What the solver reports, with its own numbers of clauses.
enum Entry {
    Original(i64),
    Derived {
        id: i64,
        clause: Vec<i32>,
        antecedents: Vec<i64>,
    },
    Deleted(i64),
}

struct Tracer(Rc<RefCell<Vec<Entry>>>);

impl Default for Proving {
    fn default() -> Self {
        Self::new()
    }
}

impl Proving {
    pub fn new() -> Self {
        let log = Rc::new(RefCell::new(Vec::new()));
        Self {
            solver: CaDiCal::traced(Tracer(Rc::clone(&log))),
            clauses: Vec::new(),
            log,
        }
    }

    /// All that was added, in the order in which it was.
    pub fn clauses(&self) -> &[Vec<i32>] {
        &self.clauses
    }

    /// The refutation in the format LRAT: the clauses that were added are numbered from 1 on.
    pub fn refutation(&self) -> String {
        let log = self.log.borrow();
        let mut numbers: FastMap<i64, usize> = FastMap::default();
        for entry in log.iter() {
            if let Entry::Original(id) = entry {
                let number = numbers.len() + 1;
                numbers.entry(*id).or_insert(number);
            }
        }
        let mut next = self.clauses.len();
        let mut text = String::new();
        for entry in log.iter() {
            match entry {
                Entry::Original(_) => {}
                Entry::Derived {
                    id,
                    clause,
                    antecedents,
                } => {
                    next += 1;
                    write!(text, "{next} ").expect("a string takes all");
                    for literal in clause {
                        write!(text, "{literal} ").expect("a string takes all");
                    }
                    text.push_str("0 ");
                    for antecedent in antecedents {
                        // One that is not known has number 0, which ends the hints too early: the checker refuses.
                        let number = numbers.get(antecedent).copied().unwrap_or(0);
                        write!(text, "{number} ").expect("a string takes all");
                    }
                    text.push_str("0\n");
                    numbers.insert(*id, next);
                }
                Entry::Deleted(id) => {
                    if let Some(number) = numbers.get(id) {
                        writeln!(text, "{next} d {number} 0").expect("a string takes all");
                    }
                }
            }
        }
        text
    }
}

impl Sat for Proving {
    fn new_variable(&mut self) -> Literal {
        self.solver.new_variable()
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.clauses
            .push(clause.iter().map(|it| it.number()).collect());
        self.solver.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> Outcome {
        self.solver.solve(assumptions, budget)
    }

    fn value(&mut self, literal: Literal) -> Option<bool> {
        self.solver.value(literal)
    }

    fn failed_assumptions(&mut self) -> Vec<Literal> {
        self.solver.failed_assumptions()
    }

    fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }
}

impl ProofTracer for Tracer {
    fn add_original_clause(&mut self, id: i64, _: bool, _: &[i32], is_restored: bool) {
        if !is_restored {
            self.0.borrow_mut().push(Entry::Original(id));
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _: bool,
        _: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        self.0.borrow_mut().push(Entry::Derived {
            id,
            clause: clause.to_vec(),
            antecedents: antecedents.to_vec(),
        });
    }

    fn delete_clause(&mut self, id: i64, _: bool, _: &[i32]) {
        self.0.borrow_mut().push(Entry::Deleted(id));
    }

    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}

    fn strengthen(&mut self, _: i64) {}

    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}

    fn add_assumption(&mut self, _: i32) {}

    fn add_constraint(&mut self, _: &[i32]) {}

    fn reset_assumptions(&mut self) {}

    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}

    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}

    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}

    fn conclude_unknown(&mut self, _: &[i32]) {}
}
