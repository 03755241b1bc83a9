//! Which edges move, always or under a condition, as far as a reduction says.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_engine::Reduction;
use raddle_ir::interpret::{Interpreter, Recycling};
use raddle_ir::{Action, EdgeId, FunctionId, Program};
use raddle_reduce::dynamic::{DynamicMovers, Strength};
use raddle_reduce::static_movers::StaticMovers;

/// Which edges move, as far as a reduction says.
pub(crate) struct Movers<'p> {
    program: &'p Program,
    recycling: Arc<Recycling>,
    pub(crate) statics: Option<StaticMovers>,
    pub(crate) dynamics: Option<DynamicMovers<'p>>,
    pub(crate) reduction: Reduction,
    /// Edges that change what invariants look at: others see that at once.
    pub(crate) seen_at_once: BTreeSet<(FunctionId, EdgeId)>,
}

impl<'p> Movers<'p> {
    pub(crate) fn new(interpreter: &Interpreter<'p>, reduction: Reduction) -> Self {
        let program = interpreter.program();
        let strength = match reduction {
            Reduction::None | Reduction::Local | Reduction::Static => None,
            Reduction::Phase | Reduction::Optimistic => Some(Strength::Phase),
            Reduction::Dynamic => Some(Strength::Dynamic),
        };
        let dynamics = strength.map(|it| DynamicMovers::new(program, it));
        let statics = match &dynamics {
            Some(dynamics) => Some(dynamics.statics()),
            None if reduction == Reduction::None => None,
            None => Some(StaticMovers::new(program)),
        };
        Self {
            program,
            recycling: Arc::clone(interpreter.recycling()),
            statics,
            dynamics,
            reduction,
            seen_at_once: BTreeSet::new(),
        }
    }

    /// These edges move no more.
    pub(crate) fn never_move(&mut self, edges: BTreeSet<(FunctionId, EdgeId)>) {
        self.seen_at_once = edges;
    }

    /// Whether the edge is a right and a left mover in every state.
    pub(crate) fn always(&self, function: FunctionId, edge: EdgeId) -> (bool, bool) {
        let Some(statics) = &self.statics else {
            return (false, false);
        };
        if self.seen_at_once.contains(&(function, edge)) {
            return (false, false);
        }
        let moves = statics.moves(self.program, &self.recycling, (function, edge));
        let is_meant = self.reduction != Reduction::Local
            || is_local(&self.program.edge(function, edge).action);
        (
            moves.right && self.reduction.has_right_movers(),
            moves.left && is_meant,
        )
    }
}

/// Whether an action touches nothing but registers and memory.
fn is_local(action: &Action) -> bool {
    matches!(
        action,
        Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
    )
}
