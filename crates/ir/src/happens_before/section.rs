//! What an atomic section has to do with order: what its parts have, one after the other, with nobody in between.

use crate::action::{Access, Action};
use crate::interpret::section::{is_complete, make_atomic};
use crate::interpret::step::Advanced;
use crate::interpret::{Interpreter, MemoryAccess, Outcome, State, Successor};

use super::{AtomicCell, Event, Observed, Told, Unclear, made, spawned};

/// So many edges are taken in one section to find all ways through it.
const MOST_EDGES: usize = 10_000;

/// # Errors
///
/// If different ways through the section come to the state after it, and order different things.
pub(super) fn events(
    interpreter: &Interpreter<'_>,
    before: &State,
    successor: &Successor,
) -> Result<Told, Unclear> {
    let program = interpreter.program;
    let begin = &successor.step.parts[0];
    let begin = &program.edge(begin.function, begin.edge).action;
    let is_as_written = matches!(
        begin,
        Action::AtomicBegin {
            is_as_written: true
        }
    );
    let mut is_plain = true;
    for part in &successor.step.parts {
        let edge = program.edge(part.function, part.edge);
        // Of several ways through a section to one state only one is told.
        let is_only = program.outgoing(part.function, edge.from).len() == 1;
        is_plain &= is_only && touches_only(&edge.action);
    }
    let after = match &successor.outcome {
        Outcome::Next(after) if !is_plain => after,
        Outcome::Next(_) | Outcome::Stopped(_) => {
            // A new thread runs when the section is over, so it knows all of it.
            let mut events = made(&successor.effects);
            events.extend(successor.accesses.iter().cloned().map(Event::Access));
            events.extend(overwritten(&successor.accesses));
            events.extend(spawned(&successor.effects));
            return Ok(Told {
                parts: vec![events],
                is_doubtful: !is_plain,
            });
        }
    };
    Ok(Told {
        parts: of_all_ways(interpreter, before, successor, after)?,
        is_doubtful: !is_as_written,
    })
}

/// What all ways through a section to the state after it have to do with order.
fn of_all_ways(
    interpreter: &Interpreter<'_>,
    before: &State,
    successor: &Successor,
    after: &State,
) -> Result<Vec<Vec<Event>>, Unclear> {
    let (thread, begin) = (successor.step.thread, &successor.step.parts[0]);
    let mut told: Option<Vec<Vec<Event>>> = None;
    let mut open = vec![(before.clone(), Vec::new())];
    let mut left = MOST_EDGES;
    while let Some((state, events)) = open.pop() {
        let frame = state.threads.get(&thread).and_then(|it| it.frames.last());
        let frame = frame.ok_or(Unclear::Section)?;
        let leaves = interpreter.program.outgoing(frame.function, frame.location);
        for &edge in leaves {
            if events.is_empty() && edge != begin.edge {
                // That is another step.
                continue;
            }
            for mut advance in interpreter.advance(&state, thread, edge) {
                left = left.checked_sub(1).ok_or(Unclear::Section)?;
                let Advanced::Next(next) = advance.result else {
                    continue;
                };
                make_atomic(&mut advance.effects);
                let accesses =
                    MemoryAccess::of_effects(&advance.effects, interpreter.program.model);
                let observed = Observed {
                    interpreter,
                    before: &state,
                    after: Some(&next),
                    thread,
                    part: &advance.part,
                    effects: &advance.effects,
                    accesses: &accesses,
                };
                let mut events: Vec<Vec<Event>> = events.clone();
                events.push(observed.events());
                let part = &advance.part;
                let action = &interpreter.program.edge(part.function, part.edge).action;
                if action.order().is_none() {
                    events.push(overwritten(&accesses).collect());
                }
                if !is_complete(&next, thread) {
                    open.push((next, events));
                } else if next == *after {
                    let events = as_one(events);
                    if told.as_ref().is_some_and(|it| *it != events) {
                        return Err(Unclear::Section);
                    }
                    told = Some(events);
                }
            }
        }
    }
    told.ok_or(Unclear::Section)
}

/// What plain accesses write.
fn overwritten(accesses: &[MemoryAccess]) -> impl Iterator<Item = Event> {
    let written = accesses.iter().filter(|it| it.is_write);
    written.map(|it| {
        Event::Overwrite(AtomicCell {
            object: it.object,
            offset: it.offset,
            size: it.size,
        })
    })
}

/// Nobody comes between the parts: who reads a cell and then writes it goes on with what it has read from, and new threads run
/// when the section is over.
fn as_one(parts: Vec<Vec<Event>>) -> Vec<Vec<Event>> {
    let mut read = Vec::new();
    let mut starts = Vec::new();
    let mut told = Vec::new();
    for part in parts {
        let mut events = Vec::new();
        for mut event in part {
            match &mut event {
                Event::Read { cell, .. } => read.push(*cell),
                Event::Write {
                    cell, continues, ..
                } => *continues |= read.contains(cell),
                Event::Spawn(_) => {
                    starts.push(event);
                    continue;
                }
                Event::Make(_)
                | Event::Remake(_)
                | Event::Acquire { .. }
                | Event::Join(_)
                | Event::Access(_)
                | Event::Overwrite(_)
                | Event::Fence { .. }
                | Event::Release { .. }
                | Event::Wake(_)
                | Event::Meet(_) => {}
            }
            events.push(event);
        }
        if !events.is_empty() {
            told.push(events);
        }
    }
    if !starts.is_empty() {
        told.push(starts);
    }
    told
}

/// Whether an action only touches memory, starts threads, or does what nobody else sees.
fn touches_only(action: &Action) -> bool {
    match action {
        Action::Load { access, .. } | Action::Store { access, .. } => {
            !matches!(access, Access::Atomic(_))
        }
        Action::Assign { .. }
        | Action::Spawn { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::AtomicBegin { .. }
        | Action::AtomicEnd => true,
        Action::ReadModifyWrite { .. }
        | Action::CompareExchange { .. }
        | Action::Fence { .. }
        | Action::Sync { .. }
        | Action::Join { .. }
        | Action::Havoc { .. }
        | Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Allocate { .. }
        | Action::Size { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::EndProcess { .. }
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Emit { .. }
        | Action::Unsupported { .. } => false,
    }
}
