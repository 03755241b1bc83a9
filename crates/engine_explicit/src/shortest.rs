//! How few switches of thread the violations take that were found, and whether there may be fewer; and how far a search by
//! preemptions has come.

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_base::Exhausted;
use raddle_diag::Diagnostic;
use raddle_engine::{Bound, Note, Reason};
use raddle_ir::interpret::Property;

use crate::Order;
use crate::frontier::Job;

/// What is known while the answer is to be the violation with the fewest switches.
#[derive(Debug)]
pub(crate) struct Shortest {
    order: Order,
    found: BTreeMap<Property, usize>,
    /// Everything in states that take fewer switches has been explored.
    explored: usize,
    /// Whether it was looked for threads that wait for ever though others run.
    pub(crate) knows_endless_waits: bool,
}

impl Shortest {
    pub(crate) fn new(order: Order) -> Self {
        Self {
            order,
            found: BTreeMap::new(),
            explored: 0,
            knows_endless_waits: false,
        }
    }

    /// The search goes on with a state of so many switches, and none with fewer is left.
    pub(crate) fn goes_on(&mut self, switches: usize) {
        self.explored = switches;
    }

    /// Whether a job has no more preemptions than are allowed. Those with fewer came before.
    pub(crate) fn admit(&self, job: &Job) -> Result<(), Reason> {
        match self.order {
            Order::FewestPreemptions { most } if job.switches_after > most => {
                Err(bound(most, None))
            }
            Order::FewestPreemptions { .. } | Order::FirstFound | Order::FewestSwitches => Ok(()),
        }
    }

    /// What a search by preemptions can say that had to end: which executions it has examined, if any.
    pub(crate) fn examined(&self, interrupted: &Reason) -> Option<Reason> {
        if !matches!(self.order, Order::FewestPreemptions { .. }) {
            return None;
        }
        if matches!(interrupted, Reason::BoundReached(_)) {
            return Some(interrupted.clone());
        }
        let limits = [Exhausted::Time, Exhausted::Memory, Exhausted::Cancelled];
        let spent = limits
            .into_iter()
            .find(|it| Reason::from(*it) == *interrupted)?;
        Some(bound(self.explored.checked_sub(1)?, Some(spent)))
    }

    pub(crate) fn found(&mut self, property: Property, switches: usize) {
        if self.order == Order::FewestSwitches {
            self.found.insert(property, switches);
        }
    }

    /// Whether a violation with so many switches is better than the one that is known.
    pub(crate) fn is_better(&self, property: Property, switches: usize) -> bool {
        self.found.get(&property).is_some_and(|it| switches < *it)
    }

    /// Whether none of the violations can have fewer.
    pub(crate) fn is_done(&self) -> bool {
        self.found.values().all(|it| *it <= self.explored)
    }

    /// Warnings of those that may not be the shortest, because the search had to end.
    pub(crate) fn warnings(&self, interrupted: &Reason) -> Vec<Note> {
        self.found
            .iter()
            .filter(|(_, switches)| **switches > self.explored)
            .map(|(property, switches)| {
                let diagnostic = Diagnostic::warning(
                    "shortest",
                    format!("a shorter counterexample of `{property}` may exist: {interrupted}"),
                )
                .note(self.known(*switches));
                Note::new(diagnostic, interrupted.remedy())
            })
            .collect()
    }

    fn known(&self, switches: usize) -> String {
        let noun = if switches == 1 { "switch" } else { "switches" };
        let mut text = format!("the one that was found takes {switches} {noun} of thread");
        if self.explored > 0 {
            let _ = write!(text, "; none takes fewer than {}", self.explored);
        }
        text
    }
}

fn bound(most: usize, spent: Option<Exhausted>) -> Reason {
    Reason::BoundReached(Bound::Preemptions { most, spent })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_is_the_shortest_when_everything_with_fewer_switches_is_explored() {
        let mut shortest = Shortest::new(Order::FewestSwitches);
        shortest.found(Property::Assert, 3);
        shortest.goes_on(2);
        assert!(!shortest.is_done());
        assert!(shortest.is_better(Property::Assert, 2));
        assert!(!shortest.is_better(Property::Assert, 3));
        shortest.goes_on(3);
        assert!(shortest.is_done());
    }

    #[test]
    fn whoever_ends_too_early_says_how_far_it_came() {
        let mut shortest = Shortest::new(Order::FewestSwitches);
        shortest.found(Property::Assert, 3);
        shortest.found(Property::Race, 1);
        let warnings = shortest.warnings(&Reason::OutOfTime);
        assert_eq!(
            warnings[1].diagnostic.notes,
            ["the one that was found takes 1 switch of thread"]
        );
        shortest.goes_on(2);
        let warnings = shortest.warnings(&Reason::OutOfTime);
        let messages: Vec<&str> = warnings
            .iter()
            .map(|it| it.diagnostic.message.as_str())
            .collect();
        assert_eq!(
            messages,
            ["a shorter counterexample of `assert` may exist: the time limit was reached"]
        );
        assert_eq!(
            warnings[0].diagnostic.notes,
            ["the one that was found takes 3 switches of thread; none takes fewer than 2"]
        );
    }

    #[test]
    fn nobody_waits_for_fewer_if_the_first_will_do() {
        let mut shortest = Shortest::new(Order::FirstFound);
        shortest.found(Property::Assert, 3);
        assert!(shortest.is_done());
        assert!(!shortest.is_better(Property::Assert, 0));
    }
}
