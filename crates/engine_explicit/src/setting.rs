//! What stays the same throughout a search: the question, and the means to answer it.

use raddle_engine::{Property, Reduction, Task, Weaknesses};
use raddle_ir::Program;
use raddle_ir::interpret::Interpreter;
use raddle_reduce::dynamic::{DynamicMovers, Strength};
use raddle_reduce::omission::Omission;
use raddle_reduce::static_movers::StaticMovers;
use raddle_reduce::watched::Watched;

use crate::style::Style;
use crate::{ExplicitEngine, Inference, Order};

pub(crate) struct Setting<'p> {
    pub(crate) engine: ExplicitEngine,
    pub(crate) workers: usize,
    pub(crate) program: &'p Program,
    /// The definition, lent what makes it fast (`stepper`): its steps are those of `ir/src/interpret/step.rs`.
    pub(crate) interpreter: Interpreter<'p>,
    pub(crate) style: Style,
    /// With the reduction that takes nothing else for granted.
    pub(crate) statics: Option<StaticMovers>,
    /// With the reduction that asks what others may still do.
    pub(crate) dynamics: Option<DynamicMovers<'p>>,
    pub(crate) watched: Watched,
    pub(crate) weaknesses: Weaknesses<'p>,
    /// Whether memory may be lost.
    pub(crate) uses_heap: bool,
    /// Everything is explored, whatever becomes of the properties.
    pub(crate) is_survey: bool,
}

impl<'p> Setting<'p> {
    pub(crate) fn new(engine: &ExplicitEngine, task: &Task<'p>) -> Self {
        let program = task.program;
        let has_invariants = task.semantics.properties.contains(&Property::Invariant);
        let watched = Watched::invariants(program).filter(|_| has_invariants);
        Self {
            engine: engine.clone(),
            workers: workers(engine, task),
            program,
            interpreter: raddle_stepper::stepper(program, task.semantics.clone()),
            style: Style::new(engine.reduction, engine.order),
            statics: (engine.reduction == Reduction::Static).then(|| StaticMovers::new(program)),
            dynamics: (engine.reduction == Reduction::Dynamic).then(|| {
                let left_out = engine.flaw.clause;
                DynamicMovers::leaving_out(program, Strength::Dynamic, left_out)
            }),
            watched: watched.unwrap_or_default(),
            weaknesses: Weaknesses::new(program),
            uses_heap: program.uses_heap(),
            is_survey: false,
        }
    }
}

impl Setting<'_> {
    /// Whether a side condition is left out, in a test of the tests.
    pub(crate) fn omits(&self, omission: Omission) -> bool {
        self.engine.flaw.omits(omission)
    }
}

/// A search that counts switches, or begins anew after every wrong guess, takes states one by one.
fn workers(engine: &ExplicitEngine, task: &Task<'_>) -> usize {
    match (engine.order, engine.inference) {
        (Order::FirstFound, Inference::Again) if engine.symmetry || engine.hash_compact => 1,
        (Order::FirstFound, Inference::Again) => task.jobs.max(1),
        (Order::FewestSwitches | Order::FewestPreemptions { .. }, _) | (_, Inference::Restart) => 1,
    }
}
