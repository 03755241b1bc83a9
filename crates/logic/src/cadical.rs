//! `CaDiCaL` as a [`Sat`] solver.
//!
//! It cannot be sent to another thread: each worker makes its own. It stops when the budget says so, which it asks
//! between conflicts.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cadical_sys::{ProofTracer, Status, Terminator};
use raddle_base::{Budget, Exhausted};

use crate::sat::{Literal, Outcome, Sat};

/// How many questions after the clock go by before the resident memory is read, which costs a system call.
const POLLS_BETWEEN_MEMORY_CHECKS: u32 = 16;

pub struct CaDiCal {
    solver: cadical_sys::CaDiCal,
    watch: Rc<Watch>,
    last: Last,
    /// Of the last call of `solve`.
    assumptions: Vec<Literal>,
}

/// What may be asked about the last call of `solve`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Satisfiable,
    Unsatisfiable,
    Nothing,
}

/// The budget of the call under way.
struct Watch {
    budget: RefCell<Budget>,
    polls: Cell<u32>,
    exhausted: Cell<Option<Exhausted>>,
}

struct Poll(Rc<Watch>);

impl Terminator for Poll {
    fn terminated(&mut self) -> bool {
        let watch = &self.0;
        let polls = watch.polls.get().wrapping_add(1);
        watch.polls.set(polls);
        let budget = watch.budget.borrow();
        let checked = if polls.is_multiple_of(POLLS_BETWEEN_MEMORY_CHECKS) {
            budget.check()
        } else {
            budget.check_time()
        };
        if let Err(exhausted) = checked {
            watch.exhausted.set(Some(exhausted));
        }
        checked.is_err()
    }
}

impl Default for CaDiCal {
    fn default() -> Self {
        Self::new()
    }
}

impl CaDiCal {
    pub fn new() -> Self {
        let watch = Rc::new(Watch {
            budget: RefCell::new(Budget::unlimited()),
            polls: Cell::new(0),
            exhausted: Cell::new(None),
        });
        let mut solver = cadical_sys::CaDiCal::new();
        solver.connect_terminator(Poll(Rc::clone(&watch)));
        Self {
            solver,
            watch,
            last: Last::Nothing,
            assumptions: Vec::new(),
        }
    }

    /// Tells every clause that it derives, and from which others.
    pub(crate) fn traced(tracer: impl ProofTracer + 'static) -> Self {
        let mut this = Self::new();
        this.solver.connect_proof_tracer1(tracer, true, false);
        this
    }

    /// Searches only, without simplifying its clauses in between. For many questions about clauses that grow, where the
    /// simplification of what was there before costs more than the search; slower on one hard question.
    pub fn without_inprocessing() -> Self {
        let mut this = Self::new();
        let is_known = this.solver.set("inprocessing", 0);
        debug_assert!(is_known, "the solver has this option");
        this
    }
}

impl Sat for CaDiCal {
    fn new_variable(&mut self) -> Literal {
        // Declared, so that the solver cannot take the number for a variable of its own.
        self.last = Last::Nothing;
        Literal::positive(self.solver.declare_one_more_variable())
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.last = Last::Nothing;
        for literal in clause {
            self.solver.add(literal.number());
        }
        self.solver.add(0);
    }

    fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> Outcome {
        self.last = Last::Nothing;
        if let Err(exhausted) = budget.check() {
            return Outcome::Interrupted(exhausted);
        }
        *self.watch.budget.borrow_mut() = budget.clone();
        self.watch.exhausted.set(None);
        self.assumptions.clear();
        self.assumptions.extend(assumptions);
        for literal in assumptions {
            self.solver.assume(literal.number());
        }
        match self.solver.solve() {
            Status::SATISFIABLE => {
                self.last = Last::Satisfiable;
                Outcome::Satisfiable
            }
            Status::UNSATISFIABLE => {
                self.last = Last::Unsatisfiable;
                Outcome::Unsatisfiable
            }
            // The solver has no limit of its own, so it gave up because the watch told it to.
            Status::UNKNOWN => {
                Outcome::Interrupted(self.watch.exhausted.get().unwrap_or(Exhausted::Time))
            }
        }
    }

    fn value(&mut self, literal: Literal) -> Option<bool> {
        (self.last == Last::Satisfiable)
            .then(|| self.solver.val(literal.number()) == literal.number())
    }

    fn failed_assumptions(&mut self) -> Vec<Literal> {
        if self.last != Last::Unsatisfiable {
            return Vec::new();
        }
        let solver = &mut self.solver;
        self.assumptions
            .iter()
            .copied()
            .filter(|literal| solver.failed(literal.number()))
            .collect()
    }

    fn conflicts(&self) -> u64 {
        u64::try_from(self.solver.get_statistic_value("conflicts")).unwrap_or(0)
    }
}
