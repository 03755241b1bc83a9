//! Which way a step moves, by the guesses as they stand: the rows of the [table](crate::movers) on real steps.
//!
//! - `footprint`: what a step touches that others may touch too;
//! - `notes`: what it shows about guesses;
//! - `rows`: the claim of its row, with the conditions by name and the refinements.
//!
//! # Source
//!
//! FQ §4.2 reads the right condition after an action and the left condition before it; SC §5 has left movers only, which it calls
//! invisible transitions. `E(t,x)` is put together here; its disjuncts are listed in `lib.rs`.
//!
//! # Definitions
//!
//! A step *moves right* or *left* if it does so by its row, with all conditions of the row. A step of a thread that is alone moves
//! both ways, but for what it begins or ends, and for the end of a wait: that it ends for no reason is not promised, so the state
//! before it may be a deadlock and is not passed. A step that stops the execution does not move, nor does one that ends the
//! thread move right.
//!
//! # Invariants
//!
//! - **(J1)** Guesses are weakened first by what the step does, then asked: no step is judged by a guess that it breaks itself.
//! - **(J2)** What the answer rests on is noted in `relied`, so that the search explores again what relied on it when it is weakened later.
//!
//! # Deviations
//!
//! 1. FQ's and SC's actions are judged by the text of the program; here each step is judged in its state, so that one edge may move in
//!    one state and not in another.
//!
//! # Tested by
//!
//! `crates/reduce/tests/commute.rs` (the rows), `crates/testkit/tests/random_programs.rs` (the verdicts), and `cargo xtask mutants`, which
//! leaves out every [`Omission`].

mod footprint;
mod notes;
mod rows;

use raddle_base::FastSet;
use raddle_ir::interpret::{
    Effect, Interpreter, ObjectNumber, Outcome, State, StepPart, Successor, ThreadNumber,
};
use raddle_ir::{Action, SyncOperation};

use crate::dynamic::{DynamicMovers, Present};
use crate::guesses::{Guess, Guesses};
use crate::history::Configuration;
use crate::keys::{HeldLock, held_locks};
use crate::movers::{Condition, Row, row_of, row_with_recycling};
use crate::omission::Omission;
use crate::predicates::Predicates;
use crate::static_movers::StaticMovers;
use crate::table::Table;
use crate::watched::Watched;

use footprint::{Cell, Footprint, Operand};

pub use crate::moves::Moves;

/// What steps may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grounds {
    /// Registers, memory of one thread, memory that no thread writes.
    Local,
    /// Locks and other synchronisation too.
    Synchronisation,
}

/// Judges the steps of one thread in one configuration.
pub struct Judge<'a> {
    pub interpreter: &'a Interpreter<'a>,
    pub table: &'a Table,
    /// For tests.
    pub omission: Option<Omission>,
    pub grounds: Grounds,
    /// What holds in every state, if nothing else may be taken for granted: then there are no guesses.
    pub statics: Option<&'a StaticMovers>,
    /// What holds from some state on, if that may be asked for.
    pub dynamics: Option<&'a DynamicMovers<'a>>,
    pub predicates: &'a Predicates,
    pub watched: &'a Watched,
    pub before: &'a Configuration,
    pub thread: ThreadNumber,
    pub guesses: &'a mut Guesses,
    /// What answers rest on.
    pub relied: &'a mut FastSet<Guess>,
}

/// A step as the table sees it.
struct Seen<'s> {
    first: &'s StepPart,
    /// Of its actions.
    rows: &'s [Row],
    /// Of its first action.
    operation: Option<SyncOperation>,
    footprint: Footprint,
    held: Vec<HeldLock>,
    after: &'s State,
    /// Nothing that it touches is in the way of others.
    is_exclusive: bool,
}

impl Judge<'_> {
    /// How a step moves; the configuration after it, unless it stops.
    pub fn judge(&mut self, successor: &Successor) -> (Moves, Option<Configuration>) {
        let Outcome::Next(state) = &successor.outcome else {
            self.note_stop(successor);
            let is_passed = self.omits(Omission::StopsDoNotMove);
            return (Moves::BOTH.only_if(is_passed), None);
        };
        let program = self.interpreter.program();
        let after = self
            .before
            .after(program, self.thread, successor, state.clone());
        let rows: Vec<Row> = successor
            .step
            .parts
            .iter()
            .map(|part| self.row_of(&program.edge(part.function, part.edge).action))
            .collect();
        let footprint = self.footprint(successor, &rows, &after.state);
        if self.statics.is_none() {
            if successor.effects.contains(&Effect::ObserveLayout) {
                self.refute(Guess::Hidden);
            }
            self.note_threads(&rows, &after.state);
            self.note_sites(successor, &after.state);
            self.note_lost_locks(successor, &rows);
        }
        let mut moves = if self.rely_on_being_alone() {
            // No other thread can touch anything, so nothing is learned about which threads touch what.
            self.alone(&rows)
        } else {
            self.among_others(successor, &rows, footprint, &after.state)
        };
        if self.follows_a_number(successor) {
            moves = Moves::NEITHER;
        }
        if has_ended(&after.state, self.thread) && !self.omits(Omission::LastStepIsNotRight) {
            moves.right = false;
        }
        if self.grounds == Grounds::Local && !rows::is_local(rows[0]) {
            moves = Moves::NEITHER;
        }
        let gives = self.predicates.check_step(
            self.interpreter,
            &self.before.state,
            &after.state,
            self.thread,
            self.guesses,
        );
        moves.left &= !gives || self.omits(Omission::GivingIsNotLeft);
        (moves, Some(after))
    }

    fn row_of(&self, action: &Action) -> Row {
        if self.interpreter.recycling().is_possible() && !self.omits(Omission::AddressesComeBack) {
            row_with_recycling(action)
        } else {
            row_of(action)
        }
    }

    /// Where a number becomes a pointer, it points to the object that lives there now; that is not the same before and after
    /// memory is made there.
    fn follows_a_number(&self, successor: &Successor) -> bool {
        self.interpreter.recycling().is_possible()
            && successor.effects.contains(&Effect::ObserveLayout)
            && !self.omits(Omission::NumbersLeadToTheLiving)
    }

    fn among_others(
        &mut self,
        successor: &Successor,
        rows: &[Row],
        mut footprint: Footprint,
        after: &State,
    ) -> Moves {
        let held = held_locks(&self.before.state, self.thread);
        let is_exclusive = if self.statics.is_none() {
            self.keep_shared(&mut footprint);
            self.access(&footprint, &held, after)
        } else {
            self.is_always_exclusive(successor, &footprint)
        };
        let seen = Seen {
            first: &successor.step.parts[0],
            rows,
            operation: self.operation(successor),
            footprint,
            held,
            after,
            is_exclusive,
        };
        if self.statics.is_none() {
            self.note_operations(&seen);
        }
        self.by_table(&seen)
    }

    pub(super) fn omits(&self, omission: Omission) -> bool {
        self.omission == Some(omission)
    }

    fn rely(&mut self, guess: Guess) -> bool {
        self.relied.insert(guess);
        self.guesses.holds(guess)
    }

    /// The guess was wrong.
    fn refute(&mut self, guess: Guess) {
        let kept = match self.omission {
            Some(Omission::AloneByJoins) => guess == Guess::Alone,
            Some(Omission::PointersAreNotInvented) => guess == Guess::Hidden,
            Some(Omission::OneObjectOfASite) => matches!(guess, Guess::OnlyOne(_)),
            Some(_) | None => false,
        };
        if !kept {
            self.guesses.refute(guess);
        }
    }

    /// Whether every other thread there ever was has been joined; takes note of what the answer rests on.
    fn rely_on_being_alone(&mut self) -> bool {
        self.statics.is_none() && self.before.state.threads.len() == 1 && self.rely(Guess::Alone)
    }

    /// Whether nothing that a step touches is ever in the way of others, as far as is known in advance.
    fn is_always_exclusive(&self, successor: &Successor, footprint: &Footprint) -> bool {
        let Some(statics) = self.statics else {
            return false;
        };
        let is_watched = |cell: &Cell| {
            !self.omits(Omission::InvariantsAreWatched)
                && self.watched.covers(cell.object, cell.offset, cell.size)
        };
        let frees = |effect: &Effect| matches!(effect, Effect::Free { .. });
        let touches_memory = !footprint.lives.is_empty() || successor.effects.iter().any(frees);
        let is_made_here = |object: &ObjectNumber| !self.before.state.objects.contains_key(object);
        let only_makes = footprint.lives.iter().all(is_made_here) && footprint.ended.is_empty();
        (statics.are_locals_kept() || footprint.ended.is_empty())
            && !footprint.cells.iter().any(is_watched)
            && (!touches_memory
                || only_makes
                || statics.satisfies(&successor.step.parts[0], Condition::Exclusive))
    }

    /// Whether an access moves from now on, whatever is guessed (DR §4.1).
    fn moves_from_now_on(&self, seen: &Seen<'_>) -> bool {
        let Some(dynamics) = self.dynamics else {
            return false;
        };
        // What is known of the future does not know of addresses that come back.
        if self.interpreter.recycling().is_possible() {
            return false;
        }
        let is_watched = |cell: &Cell| self.watched.covers(cell.object, cell.offset, cell.size);
        if seen.footprint.cells.iter().any(is_watched) {
            return false;
        }
        let mut present = Present {
            interpreter: self.interpreter,
            state: &self.before.state,
            thread: self.thread,
        };
        let Some(frame) = present.running() else {
            return false;
        };
        let place = (seen.first.function, seen.first.edge);
        dynamics.condition(&mut present, &frame, place)
    }

    fn operation(&self, successor: &Successor) -> Option<SyncOperation> {
        let part = &successor.step.parts[0];
        let edge = self.interpreter.program().edge(part.function, part.edge);
        if let Action::Sync { operation, .. } = edge.action {
            Some(operation)
        } else {
            None
        }
    }
}

impl Seen<'_> {
    /// One action, if it is no section.
    fn row(&self) -> Row {
        match self.rows {
            [row] => *row,
            _ => Row::Section,
        }
    }

    /// The first synchronisation object that it works on.
    fn operand(&self) -> Option<&Operand> {
        self.footprint.syncs.first()
    }
}

fn has_ended(state: &State, thread: ThreadNumber) -> bool {
    !state.has_ended
        && state
            .threads
            .get(&thread)
            .is_none_or(|it| it.frames.is_empty())
}
