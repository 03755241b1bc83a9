//! What the same violation is, and where it is looked for.

use raddle_engine::Trace;
use raddle_ir::interpret::{
    Interpreter, Outcome, Property, State, Step, Stop, Violation, happens_before, serializability,
};

use crate::Flaw;
use crate::execution::{ControlPlace, Item};
use crate::purse::Purse;

/// Where an execution shows a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// In its last step.
    LastStep,
    /// In its last state.
    LastState,
    /// In its last step and an earlier one, which nothing orders.
    Order,
    /// In all that can come after its last state.
    Future,
    /// In all of it.
    Whole,
}

/// The violation that has to be shown again.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    violation: Violation,
    shown: Shown,
    /// Where the participants stand in the end, if a state shows it.
    places: Vec<ControlPlace>,
    flaw: Flaw,
}

/// A replayed trace: what it shows and where, its steps, and its last state.
struct Replayed {
    shown: Shown,
    items: Vec<Item>,
    last: State,
}

impl Goal {
    /// What a trace shows, and its steps. `None` if that takes too much, or it shows nothing.
    pub(crate) fn of(
        interpreter: &Interpreter<'_>,
        start: &State,
        trace: &Trace,
        purse: &mut Purse<'_>,
        flaw: Flaw,
    ) -> Option<(Self, Vec<Item>)> {
        let replayed = replay(interpreter, start, trace, purse)?;
        let labels = trace.violation.labels.iter();
        let places = match replayed.shown {
            Shown::LastState | Shown::Future => labels
                .filter_map(|it| ControlPlace::of(&replayed.last, it.thread))
                .collect(),
            Shown::LastStep | Shown::Order | Shown::Whole => Vec::new(),
        };
        let goal = Self {
            violation: trace.violation.clone(),
            shown: replayed.shown,
            places,
            flaw,
        };
        Some((goal, replayed.items))
    }

    /// Whether the last step shows it.
    pub(crate) fn is_in_last_step(&self) -> bool {
        matches!(self.shown, Shown::LastStep | Shown::Order)
    }

    fn property(&self) -> Property {
        self.violation.property
    }

    /// What a step shows by itself.
    pub(crate) fn in_step(
        &self,
        violations: &[Violation],
        end: Option<&Stop>,
    ) -> Option<Violation> {
        if self.shown != Shown::LastStep {
            return None;
        }
        let end = match end {
            Some(Stop::Violation(violation)) => Some(violation),
            Some(
                Stop::Unsupported { .. } | Stop::ThreadLimit { .. } | Stop::TooManyChoices { .. },
            )
            | None => None,
        };
        self.among(violations.iter().chain(end))
    }

    /// Whether a state after a step to such a place may show it, so that it is worth a look.
    pub(crate) fn may_be_in(&self, state: &State, moved_to: Option<ControlPlace>) -> bool {
        match self.shown {
            Shown::LastStep | Shown::Order | Shown::Whole => false,
            Shown::LastState | Shown::Future if self.places.is_empty() => {
                self.property() == Property::Leak && state.is_over()
            }
            Shown::LastState | Shown::Future => {
                moved_to.is_some_and(|it| self.places.contains(&it)) && self.stand_there(state)
            }
        }
    }

    /// Whether participants stand at all the places.
    fn stand_there(&self, state: &State) -> bool {
        let mut open = self.places.clone();
        for thread in state.threads.keys() {
            let place = ControlPlace::of(state, *thread);
            if let Some(at) = open.iter().position(|it| Some(*it) == place) {
                open.swap_remove(at);
            }
        }
        open.is_empty()
    }

    /// What a state shows, in it or in what can come.
    pub(crate) fn in_state(
        &self,
        interpreter: &Interpreter<'_>,
        state: &State,
        purse: &mut Purse<'_>,
    ) -> Option<Violation> {
        match self.shown {
            Shown::LastStep | Shown::Order | Shown::Whole => return None,
            Shown::LastState | Shown::Future => {}
        }
        if !self.places.is_empty() && !self.stand_there(state) {
            return None;
        }
        purse.pay(state.threads.len())?;
        let found = interpreter.judge(state);
        self.among(&found).or_else(|| {
            (self.shown == Shown::Future)
                .then(|| in_future(interpreter, state, purse))
                .flatten()
                .filter(|it| self.is_same(it))
        })
    }

    /// What an execution shows that ends here.
    pub(crate) fn in_end(
        &self,
        interpreter: &Interpreter<'_>,
        start: &State,
        items: &[Item],
        state: &State,
        purse: &mut Purse<'_>,
    ) -> Option<Violation> {
        let steps = || -> Vec<Step> { items.iter().map(|it| (*it.step).clone()).collect() };
        match self.shown {
            Shown::LastStep => None,
            Shown::LastState | Shown::Future => self.in_state(interpreter, state, purse),
            Shown::Order => {
                purse.pay(items.len())?;
                let found = happens_before::violation(interpreter, start, &steps()).ok()?;
                self.among(&found)
            }
            Shown::Whole => {
                purse.pay(items.len())?;
                self.among(&serializability::violations(interpreter, start, &steps()))
            }
        }
    }

    fn among<'v>(&self, found: impl IntoIterator<Item = &'v Violation>) -> Option<Violation> {
        found.into_iter().find(|it| self.is_same(it)).cloned()
    }

    /// The same but for numbers.
    fn is_same(&self, found: &Violation) -> bool {
        let claimed = &self.violation;
        if self.flaw == Flaw::AnyViolation {
            return found.property == claimed.property;
        }
        found.property == claimed.property
            && found.span == claimed.span
            && found.labels.len() == claimed.labels.len()
            && found.labels.iter().zip(&claimed.labels).all(|(a, b)| {
                (a.function, a.edge, a.step.is_some()) == (b.function, b.edge, b.step.is_some())
                    && is_alike(&a.text, &b.text)
            })
            && is_alike(&found.message, &claimed.message)
    }
}

/// The same words but for numbers.
pub(crate) fn is_alike(a: &str, b: &str) -> bool {
    let without_numbers = |text: &str| -> String {
        let mut kept = String::with_capacity(text.len());
        for letter in text.chars() {
            if !letter.is_ascii_digit() {
                kept.push(letter);
            } else if !kept.ends_with('0') {
                kept.push('0');
            }
        }
        kept
    };
    a == b || without_numbers(a) == without_numbers(b)
}

/// What all that can come after a state shows, as far as that may be looked at.
fn in_future(
    interpreter: &Interpreter<'_>,
    state: &State,
    purse: &mut Purse<'_>,
) -> Option<Violation> {
    let mut known = 0;
    let mut leave = |looked: usize| {
        // Each of two looks counts from the beginning.
        let more = looked.checked_sub(known).unwrap_or(looked);
        known = looked;
        purse.pay(more).ok_or(())
    };
    match interpreter.livelock(state, &mut leave) {
        Ok(None) => interpreter.waits_for_ever(state, &mut leave).ok()?,
        Ok(found) => found,
        Err(()) => None,
    }
}

fn replay(
    interpreter: &Interpreter<'_>,
    start: &State,
    trace: &Trace,
    purse: &mut Purse<'_>,
) -> Option<Replayed> {
    let claimed = &trace.violation;
    let mut begins = trace.transactions.iter().copied().peekable();
    let mut state = start.clone();
    let mut items = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        purse.pay(1)?;
        let place = ControlPlace::of(&state, step.thread)?;
        let successor = interpreter.take(&state, step)?;
        let is_first = begins.next_if_eq(&at).is_some();
        items.push(Item::new(&successor, place, is_first));
        let is_last = at + 1 == trace.steps.len();
        let shows = |end: Option<&Violation>| {
            let mut found = successor.violations.iter().chain(end);
            is_last && found.any(|it| it == claimed)
        };
        let (next, end) = match &successor.outcome {
            Outcome::Next(next) => (Some(next), None),
            Outcome::Stopped(Stop::Violation(violation)) => (None, Some(violation)),
            Outcome::Stopped(_) => (None, None),
        };
        if shows(end) {
            return Some(Replayed {
                shown: Shown::LastStep,
                items,
                last: state,
            });
        }
        state = next?.clone();
    }
    let shown = if claimed.property == Property::AtomicSets {
        Shown::Whole
    } else if interpreter.judge(&state).contains(claimed) {
        Shown::LastState
    } else if claimed.property == Property::Race {
        Shown::Order
    } else if claimed.property == Property::Deadlock {
        in_future(interpreter, &state, purse)
            .filter(|it| it == claimed)
            .map(|_| Shown::Future)?
    } else {
        return None;
    };
    Some(Replayed {
        shown,
        items,
        last: state,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_make_no_difference_and_names_do() {
        assert!(is_alike(
            "`a[17]` by `main.3 (w)`",
            "`a[0]` by `main.12 (w)`"
        ));
        assert!(!is_alike("`a[1]`", "`b[1]`"));
        assert!(!is_alike("`a`", "`a[1]`"));
    }
}
