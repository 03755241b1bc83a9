//! Sections in which only one thing can happen, run in place.
//!
//! Most sections branch on what they read but choose nothing. No state inside them has to be kept, so none is copied.
//! Whatever is not so simple is left to the exploration of all ways, which gives the same answer.

use raddle_ir::action::Action;
use raddle_ir::program::{EdgeId, FunctionId};

use raddle_ir::in_place::{ActedEnd, Chosen};
use raddle_ir::interpret::aids::OnlyWay;
use raddle_ir::interpret::section::{is_complete, make_atomic};
use raddle_ir::interpret::{Effect, Interpreter, State, StepPart, ThreadNumber};

/// Longer sections may go round in circles.
const MAX_STEPS: usize = 2_000;

/// Runs a section whose begin was taken, if there is only one way through it and nothing remarkable on it.
pub(crate) fn only_way(
    interpreter: &Interpreter<'_>,
    mut state: State,
    thread: ThreadNumber,
) -> Option<OnlyWay> {
    let (mut parts, mut effects) = (Vec::new(), Vec::new());
    let (mut has_read, mut has_looked) = (false, false);
    while !is_complete(&state, thread) {
        if parts.len() >= MAX_STEPS {
            return None;
        }
        let (function, edge, others_wait) = only_edge(interpreter, &state, thread)?;
        has_looked |= others_wait && has_read;
        let chosen = Chosen {
            thread,
            function,
            edge,
            choice: None,
        };
        let known = effects.len();
        let acted = interpreter.perform(&mut state, chosen, None, &mut effects);
        if !matches!(acted.end, ActedEnd::Done) || acted.overflowed {
            return None;
        }
        let done = &mut effects[known..];
        make_atomic(done);
        has_read |= done
            .iter()
            .any(|effect| matches!(effect, Effect::Read { .. } | Effect::Measure { .. }));
        parts.push(StepPart {
            function,
            edge,
            choice: None,
        });
    }
    interpreter.tidy(&mut state);
    Some(OnlyWay {
        parts,
        effects,
        state,
        has_looked,
    })
}

/// The only edge that the thread can take, if that is plain to see, and whether there are others.
fn only_edge(
    interpreter: &Interpreter<'_>,
    state: &State,
    thread: ThreadNumber,
) -> Option<(FunctionId, EdgeId, bool)> {
    let program = interpreter.program();
    let frame = state.threads.get(&thread)?.frames.last()?;
    let outgoing = program.outgoing(frame.function, frame.location);
    if let [edge] = outgoing {
        let action = &program.edge(frame.function, *edge).action;
        return is_plain(action).then_some((frame.function, *edge, false));
    }
    let mut only = None;
    for &edge in outgoing {
        let Action::Assume { condition } = &program.edge(frame.function, edge).action else {
            return None;
        };
        let holds = interpreter.value_of(state, thread, condition)? != 0;
        if holds && only.replace(edge).is_some() {
            return None;
        }
    }
    only.map(|edge| (frame.function, edge, true))
}

/// Whether an action offers no choice and makes nothing whose name depends on what has gone.
fn is_plain(action: &Action) -> bool {
    match action {
        Action::Assign { .. }
        | Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Load { .. }
        | Action::Store { .. }
        | Action::ReadModifyWrite { .. }
        | Action::CompareExchange { .. }
        | Action::Size { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::AtomicBegin { .. }
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Fence { .. }
        | Action::Emit { .. } => true,
        Action::Havoc { .. }
        | Action::Allocate { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. }
        | Action::Sync { .. }
        | Action::Spawn { .. }
        | Action::Join { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::EndProcess { .. }
        | Action::Unsupported { .. } => false,
    }
}
