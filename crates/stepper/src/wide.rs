//! Choices of more values than are tried one by one.

use raddle_ir::action::Action;
use raddle_ir::interpret::Semantics;
use raddle_ir::interpret::aids::WideChoices;
use raddle_ir::program::{EdgeId, FunctionId, GlobalId, Initial, Program};
use raddle_ir::types::{DataModel, Scalar};

use crate::classes::Classes;
use crate::samples::Samples;

/// Whether a program has a choice of more values than are tried one by one, at an edge or where it starts.
pub fn has_wide_choices(program: &Program, semantics: &Semantics) -> bool {
    let most = u128::from(semantics.max_choices);
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
}

impl Wide {
    pub(crate) fn new(program: &Program, semantics: &Semantics) -> Self {
        Self {
            classes: Classes::new(program, semantics),
            samples: Samples::new(program),
            model: program.model,
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
}
