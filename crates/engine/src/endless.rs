//! What an engine has to show before it says that a thread waits for ever while others run, or that none can go on.

use std::time::Instant;

use raddle_base::Budget;
use raddle_ir::interpret::{Interpreter, State, Violation};

use crate::{EndlessWait, Reason};

/// So many states are looked at, at most, to see that a thread waits in all that can come.
pub const MOST_STATES_OF_A_WAIT: usize = 500_000;

/// How many are looked at between two looks at the memory.
const LOOKED_AT_BETWEEN_LOOKS: usize = 500;

/// The violation that all that can come after a state shows: nobody can ever go on, or a thread waits for ever.
///
/// # Errors
///
/// If there is too much to look at, or the budget is spent.
pub fn endless_wait(
    interpreter: &Interpreter<'_>,
    state: &State,
    budget: &Budget,
) -> Result<Option<Violation>, Reason> {
    match livelock(interpreter, state, budget)? {
        Some(livelock) => Ok(Some(livelock)),
        None => interpreter.waits_for_ever(state, &mut |looked| leave(looked, budget)),
    }
}

/// The livelock that a state belongs to.
///
/// # Errors
///
/// If there is too much to look at, or the budget is spent.
pub fn livelock(
    interpreter: &Interpreter<'_>,
    state: &State,
    budget: &Budget,
) -> Result<Option<Violation>, Reason> {
    interpreter.livelock(state, &mut |looked| leave(looked, budget))
}

fn leave(looked: usize, budget: &Budget) -> Result<(), Reason> {
    if looked > MOST_STATES_OF_A_WAIT {
        let most = MOST_STATES_OF_A_WAIT;
        return Err(Reason::PossibleEndlessWait(EndlessWait::TooManyStates {
            most,
        }));
    }
    if looked.is_multiple_of(LOOKED_AT_BETWEEN_LOOKS) {
        budget.check()?;
    }
    Ok(budget.check_time()?)
}

/// When to look for endless waits in what was explored so far: seldom enough that it costs less than the search, and once
/// more before time is over.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    /// Not before there are so many states.
    next: usize,
    begin: Instant,
    has_taken_last: bool,
}

/// Whoever has fewer states is soon done.
const FIRST_LOOK: usize = 1 << 8;
/// By how much the states grow from one look to the next.
const GROWTH: usize = 16;
/// The last look has this part of the time.
const LAST_PART: u32 = 8;

impl Default for Looks {
    fn default() -> Self {
        Self {
            next: FIRST_LOOK,
            begin: Instant::now(),
            has_taken_last: false,
        }
    }
}

impl Looks {
    /// Whether it is time for a look, and there will be another one only much later.
    pub fn is_due(&mut self, states: usize, budget: &Budget) -> bool {
        let is_late = budget
            .time_left()
            .is_some_and(|left| left * LAST_PART < self.begin.elapsed());
        let is_last = is_late && !std::mem::replace(&mut self.has_taken_last, is_late);
        let is_due = states >= self.next || is_last;
        while states >= self.next {
            self.next = self.next.saturating_mul(GROWTH);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn looks_become_seldom() {
        let (mut looks, budget) = (Looks::default(), Budget::unlimited());
        let is_due = |it: &usize| looks.is_due(*it, &budget);
        let due: Vec<usize> = (0..100_000).filter(is_due).collect();
        assert_eq!(due, [256, 4096, 65_536]);
    }

    #[test]
    fn there_is_a_last_look_before_time_is_over() {
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(1));
        let mut looks = Looks::default();
        std::thread::sleep(Duration::from_millis(2));
        assert!(looks.is_due(1, &budget));
        assert!(!looks.is_due(1, &budget));
    }
}
