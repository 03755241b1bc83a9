//! A model as an execution: edges in the order of the clock.

use raddle_encode::Record;
use raddle_encode::encoder::Encoder;
use raddle_encode::names::ThreadIndex;
use raddle_encode::trace::InModel;
use raddle_engine::{Property, Trace};
use raddle_ir::Action;
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::Model;

use crate::unrolled::{FoundFault, Mark, Node, Unrolled};

/// What a trace leads to.
#[derive(Clone, Copy)]
pub(crate) enum Goal<'a> {
    /// An edge that goes wrong.
    Edge(&'a FoundFault),
    /// A thread that stands before a node.
    Node(&'a Node),
}

/// The execution that a model stands for; `None` if the interpreter does not go the same way.
pub(crate) fn trace(
    encoder: &Encoder<'_>,
    unrolled: &Unrolled,
    (interpreter, initial): (&Interpreter<'_>, &[State]),
    model: &mut Model,
    (goal, property): (Goal<'_>, Property),
) -> Option<Trace> {
    let mut walk = encoder.walk(
        interpreter,
        initial,
        &mut InModel {
            terms: &encoder.terms,
            model,
        },
    )?;
    let (clock, thread) = match goal {
        Goal::Edge(found) => (found.clock, found.thread),
        Goal::Node(node) => (node.passage.clock, node.thread),
    };
    let limit = (model.value(&encoder.terms, clock), thread);
    let mut taken: Vec<(u128, ThreadIndex, usize)> = Vec::new();
    for (at, (record, mark)) in encoder.records.iter().zip(&unrolled.marks).enumerate() {
        if !model.holds(&encoder.terms, record.condition)
            || !belongs(encoder, goal, model, (at, record, mark))
        {
            continue;
        }
        let clock = model.value(&encoder.terms, mark.clock);
        // A thread that fails does so before the token goes on. The threads that started it have records of the same time.
        if (clock, record.thread) <= limit {
            taken.push((clock, record.thread, at));
        }
    }
    // A thread that starts another has the smaller number.
    taken.sort_unstable();
    let mut runs = None;
    for (clock, thread, at) in taken {
        if runs.replace((clock, thread)) != Some((clock, thread)) {
            walk.begin_block();
        }
        let mut values = InModel {
            terms: &encoder.terms,
            model,
        };
        encoder.follow(&mut walk, &mut values, &encoder.records[at])?;
    }
    if let Goal::Edge(found) = goal
        && !walk.has_stopped()
    {
        if runs != Some(limit) {
            walk.begin_block();
        }
        walk.fail(found.thread, found.met.place?)?;
    }
    walk.trace(property, matches!(goal, Goal::Node(_)))
}

/// Whether an edge that is taken belongs to the execution: steps that do not come to their end do not, but the one that
/// goes wrong.
fn belongs(
    encoder: &Encoder<'_>,
    goal: Goal<'_>,
    model: &mut Model,
    (at, record, mark): (usize, &Record, &Mark),
) -> bool {
    // The thread that started this one has the token at the same time, and may have ended the process since.
    let (function, edge) = record.place;
    let action = &encoder.program.edge(function, edge).action;
    if matches!(action, Action::EndProcess { .. }) {
        return false;
    }
    match goal {
        Goal::Edge(found) => {
            if record.thread == found.thread && at >= found.met.after {
                return false;
            }
            mark.step == found.step || model.holds(&encoder.terms, mark.completes)
        }
        Goal::Node(node) => {
            let is_before = record.thread != node.thread || at < node.records;
            is_before && model.holds(&encoder.terms, mark.completes)
        }
    }
}
