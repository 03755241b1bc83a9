//! Cells that invariants look at: what changes them is seen at once, so it never moves (SC §4).

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
