//! Choices of which not all values are tried one by one: because there are too many, or because a few stand for all.

use raddle_ir::action::Action;
use raddle_ir::interpret::Semantics;
use raddle_ir::interpret::aids::WideChoices;
use raddle_ir::program::{EdgeId, FunctionId, GlobalId, Initial, Program};
use raddle_ir::types::{DataModel, Scalar};

use crate::classes::Classes;
use crate::samples::Samples;

/// Of choices of no more values than these, all are tried: they would seldom be fewer classes.
const FEW: u64 = 2;

/// Whether a program has a choice of more values than are tried one by one, at an edge or where it starts.
pub fn has_wide_choices(program: &Program, semantics: &Semantics) -> bool {
    has_choices_of_more(program, semantics.max_choices)
}

/// Whether a program has a choice of more than a few values.
pub(crate) fn has_choices(program: &Program) -> bool {
    has_choices_of_more(program, FEW)
}

fn has_choices_of_more(program: &Program, most: u64) -> bool {
    let most = u128::from(most);
    let mut functions = program.functions.values();
    let has_havoc = functions.any(|function| {
        function.edges.values().any(|edge| match edge.action {
            Action::Havoc { target } => function.registers[target].ty.mask(program.model) >= most,
            Action::Assign { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Sync { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => false,
        })
    });
    let initial = program.globals.values().flat_map(|it| &it.initial);
    let states = initial.fold(1_u128, |states, (_, initial)| match initial {
        Initial::Any(ty) => states.saturating_mul(ty.mask(program.model).saturating_add(1)),
        Initial::Scalar(..) | Initial::Address(_) | Initial::Sync(_) => states,
    });
    has_havoc || states > most
}

/// The values that are tried of wide choices.
#[derive(Debug)]
pub(crate) struct Wide {
    classes: Classes,
    samples: Samples,
    model: DataModel,
    are_preferred: bool,
}

impl Wide {
    /// For choices that have too many values to try all.
    pub(crate) fn new(program: &Program, semantics: &Semantics) -> Self {
        Self::above(semantics.max_choices, program, false)
    }

    /// For all choices of more than a few values.
    pub(crate) fn preferred(program: &Program, semantics: &Semantics) -> Self {
        Self::above(FEW.min(semantics.max_choices), program, true)
    }

    fn above(most: u64, program: &Program, are_preferred: bool) -> Self {
        Self {
            classes: Classes::new(program, most),
            samples: Samples::new(program),
            model: program.model,
            are_preferred,
        }
    }
}

impl WideChoices for Wide {
    fn of_havoc(&self, function: FunctionId, edge: EdgeId) -> Option<&[u128]> {
        self.classes.of_havoc(function, edge)
    }

    fn of_initial(&self, global: GlobalId, offset: u64) -> Option<&[u128]> {
        self.classes.of_initial(global, offset)
    }

    fn samples(&self, function: FunctionId, ty: Scalar) -> Vec<u128> {
        self.samples.values(function, ty, self.model)
    }

    fn are_unknown(&self) -> bool {
        self.classes.are_unknown()
    }

    fn are_preferred(&self) -> bool {
        self.are_preferred
    }
}
