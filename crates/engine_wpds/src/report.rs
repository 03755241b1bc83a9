//! Executions of the abstraction, for people.

use raddle_base::Id;
use raddle_engine::{AbstractRole, AbstractStep};

use crate::abstraction::{Abstraction, Known};
use crate::interleave::Turn;
use crate::system::{AccessKind, Label};

/// The turns that mean something in the program.
pub(crate) fn steps(
    known: &Known<'_, '_>,
    abstraction: &Abstraction,
    parties: [usize; 2],
    turns: &[Turn],
) -> Vec<AbstractStep> {
    let program = known.points_to.program;
    let mut steps = Vec::new();
    for turn in turns {
        let thread = &abstraction.threads[parties[turn.party]];
        let rule = &thread.process().rules[turn.rule];
        let place = thread.edge(turn.rule).map(|(instance, edge)| {
            let function = known.points_to.graph.instances[instance].function;
            (function, edge)
        });
        let (text, role) = match rule.label {
            Label::Silent => match place {
                None => continue,
                Some((function, edge)) => (
                    raddle_ir::print::print_action(
                        program,
                        function,
                        &program.edge(function, edge).action,
                    ),
                    AbstractRole::Other,
                ),
            },
            Label::Acquire(lock) => {
                let name = &abstraction.locks.locks[lock].name;
                (format!("acquire `{name}`"), AbstractRole::Lock)
            }
            Label::Release(lock) => {
                let name = &abstraction.locks.locks[lock].name;
                (format!("release `{name}`"), AbstractRole::Lock)
            }
            Label::Begin => ("a unit of work begins".to_owned(), AbstractRole::Unit),
            Label::End => ("a unit of work ends".to_owned(), AbstractRole::Unit),
            Label::Access(access) => {
                let name = &abstraction.cells[access.cell].name;
                let text = match access.kind {
                    AccessKind::Read => format!("read `{name}`"),
                    AccessKind::Write => format!("write `{name}`"),
                    AccessKind::Update => format!("read and write `{name}`"),
                };
                let role = if turn.is_transition {
                    AbstractRole::Marked
                } else {
                    AbstractRole::Other
                };
                (text, role)
            }
        };
        let name = &thread.process().name;
        let process = if parties[0] == parties[1] {
            format!("{name} #{}", turn.party + 1)
        } else {
            name.clone()
        };
        steps.push(AbstractStep {
            process,
            text,
            span: place.and_then(|(function, edge)| program.functions[function].edges[edge].span),
            role,
        });
        debug_assert!(
            thread.id.index() == parties[turn.party],
            "threads are in order"
        );
    }
    steps
}
