//! What of a program decides whether an engine's claim can be believed.

use raddle_ir::Program;

use crate::Reason;
use crate::weakness::weakness;

/// The facts that the door asks for. By default those of a program that has nothing against any claim.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub struct Facts {
    /// Memory may be lost.
    pub uses_heap: bool,
    /// What some invariant reads depends on the state, so that it is not known in advance which steps change it.
    pub has_moving_invariants: bool,
    /// Something for `atomic-sets` to speak about.
    pub has_atomic_sets: bool,
    /// The user does not want to hear of some races.
    pub ignores_races: bool,
    /// The first action for which interleavings are not all that can happen.
    pub weakness: Option<Reason>,
}

impl Facts {
    pub fn of(program: &Program) -> Self {
        Self {
            uses_heap: program.uses_heap(),
            has_moving_invariants: program.cells_of_invariants().is_none(),
            has_atomic_sets: !program.atomic_sets.is_empty(),
            ignores_races: !program.unraced.is_empty(),
            weakness: weakness(program),
        }
    }
}
