//! Stepping fast: what the definition in [`raddle_ir::interpret`] does, with less work. It is lent to the definition
//! ([`aids`](raddle_ir::interpret::aids)), so all who step use one interface, and the definition alone still says what is right.
//!
//! - [`stepper`]: an interpreter that is lent everything; [`definition`]: one that is lent nothing, unless a choice has too many
//!   values;
//! - `classes`: values that stand for all others; `samples`: values that are tried where no such are
//!   known;
//! - `straight`: sections with one way through; `joins`: where ways of one thread meet;
//! - [`loss`]: whether a step may have lost memory, told from what it changed;
//! - [`reads`]: what a computation looks at in states;
//! - [`renaming`]: states with other names for threads and objects;
//! - [`walk`]: one execution, in place, step by step; [`execute`](mod@execute): one whole execution.
//!
//! # Invariants
//!
//! - (S1) In every state, the steps of a thread are those of the definition, with the same effects and the same states after
//!   them. Two things are told differently: a state that two ways through a section lead to may be told twice, and where a
//!   section has only one way through, what was read before a branch that is not taken is told as an access of its step only,
//!   not as something that a blocked way has looked at.
//! - (S2) Where values of a choice are known that stand for all, some execution with one of these violates a property iff some
//!   execution does. Where none are known, all are tried, and where those are too many, the execution stops at the choice, as in the
//!   definition, beside samples.
//! - (S3) The definition tries all values unless they are too many. An initial state is called the same by both.
//!
//! # Tested by
//!
//! `crates/testkit/tests/stepping.rs` (S1), `crates/generate/tests/classes.rs` (S2, S3), `crates/generate/tests/execute.rs`
//! (`execute`), and `crates/testkit/tests/symmetry.rs` (`renaming`).
#![warn(clippy::wildcard_enum_match_arm)]

mod classes;
pub mod execute;
mod joins;
pub mod loss;
pub mod reads;
pub mod renaming;
pub mod samples;
mod scheduler;
mod straight;
pub mod walk;
mod wide;

use std::sync::Arc;

use raddle_ir::Program;
use raddle_ir::interpret::aids::{OnlyWay, Shortcuts};
use raddle_ir::interpret::{Interpreter, Semantics, State, ThreadNumber};

use joins::Joins;

pub use wide::has_wide_choices;

/// An interpreter that steps fast, and tries values that stand for others wherever it knows such.
pub fn stepper(program: &Program, semantics: Semantics) -> Interpreter<'_> {
    let wide = wide::has_choices(program).then(|| wide::Wide::preferred(program, &semantics));
    let definition = Interpreter::new(program, semantics).taking(shortcuts(program));
    match wide {
        Some(wide) => definition.trying(Arc::new(wide)),
        None => definition,
    }
}

/// An interpreter that steps fast and tries all values, unless they are too many.
pub fn quick_definition(program: &Program, semantics: Semantics) -> Interpreter<'_> {
    definition(program, semantics).taking(shortcuts(program))
}

/// The shortcuts that an interpreter of the program may take.
pub fn shortcuts(program: &Program) -> Arc<dyn Shortcuts> {
    Arc::new(Ways {
        joins: Joins::new(program),
    })
}

/// The definition. Only where a choice has too many values, those are tried that stand for others: without them it could say
/// nothing about the program.
pub fn definition(program: &Program, semantics: Semantics) -> Interpreter<'_> {
    if !has_wide_choices(program, &semantics) {
        return Interpreter::new(program, semantics);
    }
    let wide = Arc::new(wide::Wide::new(program, &semantics));
    Interpreter::new(program, semantics).trying(wide)
}

/// Shortcuts of a program.
#[derive(Debug)]
struct Ways {
    joins: Joins,
}

impl Shortcuts for Ways {
    fn only_way(
        &self,
        interpreter: &Interpreter<'_>,
        begun: State,
        thread: ThreadNumber,
    ) -> Option<OnlyWay> {
        straight::only_way(interpreter, begun, thread)
    }

    fn ways_meet(&self, state: &State, thread: ThreadNumber) -> bool {
        self.joins.ways_meet(state, thread)
    }
}
