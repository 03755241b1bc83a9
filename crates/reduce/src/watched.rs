//! Cells that invariants look at: what changes them is seen at once, so it never moves.
//!
//! # Source
//!
//! SC §4, after the hypotheses: another property than the discipline can be checked in the reduced
//! system if no step that is passed there hides a violation of it.
//!
//! # Definitions
//!
//! A byte is *watched* if some invariant of the program reads it. An invariant whose cells depend on the state cannot be watched.
//!
//! # Invariants
//!
//! - **(W1)** A step that touches a watched byte is no mover, unless its thread is alone; then the states in between are judged as
//!   well.
//!
//! # Deviations
//!
//! 1. SC asks that an action that is passed does not repair a violation. Here it does not touch what the invariant reads at all.
//!
//! # Tested by
//!
//! The programs `invariant-*.rad` in `tests/rad/properties`; the omission `InvariantsAreWatched` of `cargo xtask mutants`.

use raddle_base::Id;
use raddle_ir::interpret::ObjectNumber;
use raddle_ir::{GlobalId, Member, Program};

/// The bytes that the invariants of a program read.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Object, first byte, byte after the last.
    ranges: Vec<(ObjectNumber, u64, u64)>,
}

impl Watched {
    /// Watches nothing.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Watches what the invariants read; `None` if that depends on the state.
    pub fn invariants(program: &Program) -> Option<Self> {
        let cells = program.cells_of_invariants()?;
        let range = |it: Member| (object_of(it.global), it.offset, it.offset + it.size);
        let ranges = cells.into_iter().map(range).collect();
        Some(Self { ranges })
    }

    pub fn covers(&self, object: ObjectNumber, offset: u64, size: u64) -> bool {
        self.ranges
            .iter()
            .any(|&(watched, from, to)| watched == object && offset < to && from < offset + size)
    }
}

/// Globals are the first objects.
pub fn object_of(global: GlobalId) -> ObjectNumber {
    ObjectNumber(u32::try_from(global.index() + 1).expect("validated: numbers fit"))
}
