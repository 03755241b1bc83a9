//! What an engine has to show before it says that a thread waits for ever while others run.

use raddle_ir::interpret::stuck::TooManyStates;
use raddle_ir::interpret::{Interpreter, State, Violation};

use crate::{EndlessWait, Reason};

/// So many states are looked at, at most, to see that a thread waits in all that can come.
pub const MOST_STATES_OF_A_WAIT: usize = 50_000;

/// The violation in a state of which an engine takes it that a thread waits for ever from there on.
///
/// # Errors
///
/// If that cannot be shown on the program itself, with all its interleavings.
pub fn endless_wait(interpreter: &Interpreter<'_>, state: &State) -> Result<Violation, Reason> {
    match interpreter.waits_for_ever(state, MOST_STATES_OF_A_WAIT) {
        Ok(Some(violation)) => Ok(violation),
        Ok(None) => Err(Reason::PossibleEndlessWait(EndlessWait::NotConfirmed)),
        Err(TooManyStates { most }) => {
            Err(Reason::PossibleEndlessWait(EndlessWait::TooManyStates {
                most,
            }))
        }
    }
}
