//! Sections in which only one thing can happen, run in place.
//!
//! Most sections branch on what they read but choose nothing. No state inside them has to be kept, so none is copied.
//! Whatever is not so simple is left to the exploration of all ways, which gives the same answer.

use crate::action::Action;
use crate::program::{EdgeId, FunctionId};

use super::act::Progress;
use super::evaluate::Evaluator;
use super::run::{Names, Run};
use super::section::{is_complete, make_atomic};
use super::state::{State, ThreadNumber};
use super::{Effect, Interpreter, Part, memory};

/// Longer sections may go round in circles.
const MAX_STEPS: usize = 2_000;

/// The only way through a section.
pub(super) struct Straight {
    pub(super) parts: Vec<Part>,
    pub(super) effects: Vec<Effect>,
    pub(super) state: State,
    /// Some branch was not taken because of what was read before.
    pub(super) has_looked: bool,
}

impl Interpreter<'_> {
    /// Runs a section whose begin was taken, if there is only one way through it and nothing remarkable on it.
    pub(super) fn run_straight(&self, mut state: State, thread: ThreadNumber) -> Option<Straight> {
        let (mut parts, mut effects) = (Vec::new(), Vec::new());
        let (mut has_read, mut has_looked) = (false, false);
        while !is_complete(&state, thread) {
            if parts.len() >= MAX_STEPS {
                return None;
            }
            let (function, edge, others_wait) = self.only_edge(&state, thread)?;
            has_looked |= others_wait && has_read;
            let mut run = Run {
                interpreter: self,
                state: &mut state,
                thread,
                function,
                edge,
                choice: None,
                effects: Vec::new(),
                overflowed: false,
                names: Names::Canonical,
            };
            let is_done = matches!(run.perform(), Progress::Done);
            let (mut done, overflowed) = (run.effects, run.overflowed);
            if !is_done || overflowed {
                return None;
            }
            make_atomic(&mut done);
            has_read |= done
                .iter()
                .any(|effect| matches!(effect, Effect::Read { .. } | Effect::Measure { .. }));
            effects.extend(done);
            parts.push(Part {
                function,
                edge,
                choice: None,
            });
        }
        memory::forget_dead(self.program, &mut state, |state, number| {
            self.recycling.keeps_address(state, number)
        });
        self.recycling.tidy(self.program, &mut state);
        Some(Straight {
            parts,
            effects,
            state,
            has_looked,
        })
    }

    /// The only edge that the thread can take, if that is plain to see, and whether there are others.
    fn only_edge(&self, state: &State, thread: ThreadNumber) -> Option<(FunctionId, EdgeId, bool)> {
        let frame = state.threads.get(&thread)?.frames.last()?;
        let outgoing = self.program.outgoing(frame.function, frame.location);
        if let [edge] = outgoing {
            let action = &self.program.edge(frame.function, *edge).action;
            return is_plain(action).then_some((frame.function, *edge, false));
        }
        let mut only = None;
        for &edge in outgoing {
            let Action::Assume { condition } = &self.program.edge(frame.function, edge).action
            else {
                return None;
            };
            let mut evaluator = Evaluator {
                program: self.program,
                state,
                thread: Some(thread),
                types: &self.program.functions[frame.function].registers,
                values: &frame.registers,
                overflowed: false,
                observes_layout: false,
            };
            let holds = evaluator.bits(condition).ok()? != 0;
            if evaluator.overflowed || holds && only.replace(edge).is_some() {
                return None;
            }
        }
        only.map(|edge| (frame.function, edge, true))
    }
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
        | Action::AtomicBegin
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
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
