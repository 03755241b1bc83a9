//! A SAT solver that is obviously right: it tries both values of one variable after the other.

use raddle_base::Budget;
use raddle_logic::sat::{Literal, Outcome, Sat};

#[derive(Default)]
pub(crate) struct Reference {
    variables: i32,
    clauses: Vec<Vec<Literal>>,
    model: Option<Vec<Option<bool>>>,
    assumptions: Vec<Literal>,
}

impl Reference {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Whether the clauses can hold together with these literals.
    pub(crate) fn is_satisfiable(&self, assumptions: &[Literal]) -> bool {
        self.search(assumptions).is_some()
    }

    fn search(&self, assumptions: &[Literal]) -> Option<Vec<Option<bool>>> {
        let mut values = vec![None; usize::try_from(self.variables).expect("a small number") + 1];
        for &literal in assumptions {
            if value(&values, literal) == Some(false) {
                return None;
            }
            set(&mut values, literal);
        }
        self.extend(values)
    }

    fn extend(&self, mut values: Vec<Option<bool>>) -> Option<Vec<Option<bool>>> {
        // A clause with one literal left forces it.
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for clause in &self.clauses {
                if clause.iter().any(|&it| value(&values, it) == Some(true)) {
                    continue;
                }
                let mut open = clause.iter().filter(|&&it| value(&values, it).is_none());
                match (open.next(), open.next()) {
                    (None, _) => return None,
                    (Some(&only), None) => {
                        set(&mut values, only);
                        has_changed = true;
                    }
                    (Some(_), Some(_)) => {}
                }
            }
        }
        let Some(free) = (1..values.len()).find(|&index| values[index].is_none()) else {
            return Some(values);
        };
        [false, true].into_iter().find_map(|guess| {
            let mut values = values.clone();
            values[free] = Some(guess);
            self.extend(values)
        })
    }
}

fn value(values: &[Option<bool>], literal: Literal) -> Option<bool> {
    let index = usize::try_from(literal.number().abs()).expect("a small number");
    values[index].map(|value| value == (literal.number() > 0))
}

fn set(values: &mut [Option<bool>], literal: Literal) {
    let index = usize::try_from(literal.number().abs()).expect("a small number");
    values[index] = Some(literal.number() > 0);
}

impl Sat for Reference {
    fn new_variable(&mut self) -> Literal {
        self.variables += 1;
        Literal::positive(self.variables)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.model = None;
        self.clauses.push(clause.to_vec());
    }

    fn solve(&mut self, assumptions: &[Literal], _budget: &Budget) -> Outcome {
        self.assumptions = assumptions.to_vec();
        self.model = self.search(assumptions);
        if self.model.is_some() {
            Outcome::Satisfiable
        } else {
            Outcome::Unsatisfiable
        }
    }

    fn value(&mut self, literal: Literal) -> Option<bool> {
        value(self.model.as_ref()?, literal)
    }

    fn failed_assumptions(&mut self) -> Vec<Literal> {
        if self.is_satisfiable(&[]) {
            self.assumptions.clone()
        } else {
            Vec::new()
        }
    }

    fn conflicts(&self) -> u64 {
        0
    }
}
