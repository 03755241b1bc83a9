//! Executions of the abstraction, for people.

use std::collections::BTreeMap;

use raddle_analysis::locksets::Lock;
use raddle_base::Id;
use raddle_engine::{AbstractRole, AbstractStep};
use raddle_ir::{GlobalId, Program};

use crate::abstraction::focus::Event;
use crate::abstraction::locks::Forgotten;
use crate::abstraction::{Abstraction, ProgramFacts};
use crate::interleave::Turn;
use crate::system::{AccessKind, Label};

/// The turns that mean something in the program.
pub(crate) fn steps(
    known: &ProgramFacts<'_, '_>,
    abstraction: &Abstraction,
    parties: &[usize],
    turns: &[Turn],
) -> Vec<AbstractStep> {
    let focus = &abstraction.focus;
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
            Label::Begin => (
                "a unit of work begins".to_owned(),
                marked(turn, AbstractRole::Unit),
            ),
            Label::End => (
                "a unit of work ends".to_owned(),
                marked(turn, AbstractRole::Unit),
            ),
            Label::Event(event) => (
                event_text(program, focus.events[event]),
                marked(turn, AbstractRole::Other),
            ),
            Label::Access(access) => {
                let name = &abstraction.cells[access.cell].name;
                let text = match access.kind {
                    AccessKind::Read => format!("read `{name}`"),
                    AccessKind::Write => format!("write `{name}`"),
                    AccessKind::Update => format!("read and write `{name}`"),
                };
                (text, marked(turn, AbstractRole::Other))
            }
        };
        let name = &thread.process().name;
        let is_one_of_several = parties
            .iter()
            .enumerate()
            .any(|(party, thread)| party != turn.party && *thread == parties[turn.party]);
        let process = if is_one_of_several {
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

/// What makes up the violation is marked, whatever it is.
fn marked(turn: &Turn, otherwise: AbstractRole) -> AbstractRole {
    if turn.is_transition {
        AbstractRole::Marked
    } else {
        otherwise
    }
}

fn event_text(program: &Program, event: Event) -> String {
    let lock = |global: GlobalId, offset: u64| {
        let global = &program.globals[global];
        let path = global.ty.path_to(offset, &program.structs, program.model);
        format!("{}{path}", global.name)
    };
    match event {
        Event::Enter(function) => format!("enter `{}`", program.functions[function].name),
        Event::Leave(function) => format!("leave `{}`", program.functions[function].name),
        Event::Take(global, offset) => format!("lock `{}`", lock(global, offset)),
        Event::Give(global, offset) => format!("unlock `{}`", lock(global, offset)),
    }
}

/// The first lock that the abstraction leaves aside, with the reason; empty if there is none.
pub(crate) fn forgotten(abstraction: &Abstraction) -> String {
    let locks = &abstraction.locks;
    let first = |of: &BTreeMap<Lock, Forgotten>| of.values().min_by_key(|it| &it.name).cloned();
    match first(&locks.forgotten).or_else(|| first(&locks.without_readers)) {
        Some(it) => format!(" (the lock `{}` was left aside: {})", it.name, it.why),
        None => String::new(),
    }
}
