//! Cells that invariants look at: what changes them is seen at once, so it never moves (SC §4).

use raddle_base::Id;
use raddle_ir::interpret::ObjectNumber;
use raddle_ir::{Atom, Expression, GlobalId, Program};

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
        let mut ranges = Vec::new();
        for invariant in &program.invariants {
            for atom in &invariant.formula.atoms {
                let (address, size) = match atom {
                    Atom::Cell { address, ty } => (address, ty.size(program.model)),
                    Atom::Owner { lock } => (lock, 1),
                    Atom::At { .. } | Atom::Index(_) => return None,
                };
                let (global, offset) = constant_place(address)?;
                if program.globals[global].is_thread_local {
                    return None;
                }
                ranges.push((object_of(global), offset, offset + size));
            }
        }
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

/// The global and the constant offset of an address.
pub(crate) fn constant_place(address: &Expression) -> Option<(GlobalId, u64)> {
    if let Expression::Global(global) = address {
        return Some((*global, 0));
    }
    let Expression::Binary(raddle_ir::BinaryOp::Offset, base, offset) = address else {
        return None;
    };
    let Expression::Constant(bits, _) = &**offset else {
        return None;
    };
    let (global, before) = constant_place(base)?;
    Some((global, before.checked_add(u64::try_from(*bits).ok()?)?))
}
