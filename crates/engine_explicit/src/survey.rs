//! What a search shows about how the steps of a program move, where transactions begin, commit and end.
//!
//! A first search finds the guesses that hold; a second one begins with them and takes notes. Should a guess break all the
//! same, the second begins anew.

use std::collections::{BTreeMap, BTreeSet};

use raddle_engine::{Counters, Reason};
use raddle_ir::interpret::{Effect, Interpreter, Outcome, State, Successor, ThreadNumber};
use raddle_ir::{Action, EdgeId, FunctionId};
use raddle_reduce::guesses::{Guess, Guesses};
use raddle_reduce::history::{Configuration, heap_site};
use raddle_reduce::judge::Moves;
use raddle_reduce::keys::{LockKey, ObjectKey, global_lock, held_locks};
use raddle_reduce::movers::{Row, row_of};

use crate::phase::Phase;
use crate::ways::Ways;

/// An edge of a function.
pub type Place = (FunctionId, EdgeId);

/// What a search showed.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Of the edges that were taken.
    pub steps: BTreeMap<Place, Conduct>,
    /// The most transactions that commit in a call of each function that ran; `None` is without bound.
    pub transactions: BTreeMap<FunctionId, Option<u64>>,
    /// What holds of the program; for as much of it as was seen.
    pub guesses: Guesses,
    /// Names of the threads that ran.
    pub threads: BTreeMap<ThreadNumber, String>,
    /// Why not all executions were seen.
    pub unfinished: Option<Reason>,
    pub counters: Counters,
}

/// How a step behaved in all its visits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Which ways it moved while there were other threads.
    pub moves: BTreeSet<Class>,
    /// Which ways it moved while there was no other thread.
    pub moves_alone: BTreeSet<Class>,
    pub marks: BTreeSet<Mark>,
    /// What it touched that others could reach too.
    pub touched: BTreeMap<Touch, Holding>,
}

impl Conduct {
    pub fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }
}

/// Something that a step did in some visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A transaction began with it.
    Begins,
    /// A transaction committed with it.
    Commits,
    /// A transaction ended behind it.
    Ends,
    /// It ended its thread.
    EndsThread,
    /// It touched memory that no other thread could reach.
    Private,
}

/// How a step moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Both,
    Right,
    Left,
    Neither,
}

impl Class {
    pub(crate) fn of(moves: Moves) -> Self {
        match (moves.right, moves.left) {
            (true, true) => Class::Both,
            (true, false) => Class::Right,
            (false, true) => Class::Left,
            (false, false) => Class::Neither,
        }
    }
}

/// Something that a step touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    pub object: ObjectKey,
    pub offset: u64,
    pub size: u64,
    pub kind: TouchKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TouchKind {
    Read,
    Write,
    /// An operation on a synchronisation object.
    Sync,
    /// The end of an object.
    End,
}

/// Which threads touched it, and under which locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// Those held in all visits; for a write, exclusively.
    pub locks: BTreeSet<LockKey>,
    pub threads: BTreeSet<ThreadNumber>,
}

/// Takes notes while transactions are explored.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) steps: BTreeMap<Place, Conduct>,
    pub(crate) ways: Ways,
    pub(crate) threads: BTreeMap<ThreadNumber, String>,
}

/// A step of a transaction.
pub(crate) struct Taken<'a> {
    pub(crate) before: &'a Configuration,
    pub(crate) successor: &'a Successor,
    pub(crate) moves: Moves,
    pub(crate) phases: (Phase, Phase),
}

impl Recorder {
    pub(crate) fn step(
        &mut self,
        interpreter: &Interpreter<'_>,
        guesses: &Guesses,
        taken: &Taken<'_>,
    ) {
        let Taken {
            before,
            successor,
            moves,
            phases,
        } = *taken;
        let Outcome::Next(after) = &successor.outcome else {
            return;
        };
        let thread = successor.step.thread;
        self.threads
            .entry(thread)
            .or_insert_with(|| interpreter.thread_name(&before.state, thread));
        let frames_after = after.threads.get(&thread).map_or(&[][..], |it| &it.frames);
        if let Some(thread) = before.state.threads.get(&thread) {
            self.ways.step(&thread.frames, frames_after, phases);
        }
        let is_alone = before.state.threads.len() == 1 && guesses.holds(Guess::Alone);
        let seen = if is_alone {
            Touched::default()
        } else {
            touched(interpreter, guesses, before, successor)
        };
        let parts = &successor.step.parts;
        for (number, part) in parts.iter().enumerate() {
            let conduct = self.steps.entry((part.function, part.edge)).or_default();
            if is_alone {
                conduct.moves_alone.insert(Class::of(moves));
            } else {
                conduct.moves.insert(Class::of(moves));
            }
            let is_last = number + 1 == parts.len();
            let marks = [
                (Mark::Begins, number == 0 && phases.0 == Phase::Start),
                (
                    Mark::Commits,
                    number == 0 && phases.0 != Phase::AfterCommit && phases.1 == Phase::AfterCommit,
                ),
                (
                    Mark::EndsThread,
                    is_last && frames_after.is_empty() && !after.has_ended,
                ),
                (Mark::Private, seen.is_private),
            ];
            let set = marks.into_iter().filter(|(_, is)| *is);
            conduct.marks.extend(set.map(|(mark, _)| mark));
            let action = &interpreter.program().edge(part.function, part.edge).action;
            for (touch, locks) in &seen.shared {
                // Of a section it does not show which part touched what.
                if parts.len() > 1 && !may_touch(action, touch.kind) {
                    continue;
                }
                let holding = conduct.touched.entry(*touch).or_insert_with(|| Holding {
                    locks: locks.clone(),
                    threads: BTreeSet::new(),
                });
                holding.locks.retain(|it| locks.contains(it));
                holding.threads.insert(thread);
            }
        }
    }

    /// A transaction ended in a state, after a step.
    pub(crate) fn end(
        &mut self,
        state: &State,
        thread: ThreadNumber,
        phase: Phase,
        last: Option<Place>,
    ) {
        if let Some(content) = state.threads.get(&thread) {
            self.ways.end(&content.frames, phase);
        }
        if let Some(conduct) = last.and_then(|it| self.steps.get_mut(&it)) {
            conduct.marks.insert(Mark::Ends);
        }
    }
}

/// Whether the action can be what touched something in this way.
fn may_touch(action: &Action, kind: TouchKind) -> bool {
    let row = row_of(action);
    let touches_nothing = [Row::Register, Row::Assume, Row::Section, Row::Unsupported];
    if matches!(action, Action::Load { .. }) {
        kind == TouchKind::Read
    } else if matches!(action, Action::Store { .. } | Action::Spawn { .. }) {
        kind == TouchKind::Write
    } else {
        !touches_nothing.contains(&row)
    }
}

/// What one step touched.
#[derive(Default)]
struct Touched {
    is_private: bool,
    shared: Vec<(Touch, BTreeSet<LockKey>)>,
}

fn touched(
    interpreter: &Interpreter<'_>,
    guesses: &Guesses,
    before: &Configuration,
    successor: &Successor,
) -> Touched {
    let model = interpreter.program().model;
    let thread = successor.step.thread;
    let held = held_locks(&before.state, thread);
    let mut seen = Touched::default();
    for effect in &successor.effects {
        let (object, offset, size, kind) = match effect {
            Effect::Read {
                object, offset, ty, ..
            } => (*object, *offset, ty.size(model), TouchKind::Read),
            Effect::Write {
                object, offset, ty, ..
            } => (*object, *offset, ty.size(model), TouchKind::Write),
            Effect::Synchronize {
                object,
                offset,
                size,
                ..
            } => (*object, *offset, *size, TouchKind::Sync),
            Effect::Free { object, size, .. } => (*object, 0, *size, TouchKind::End),
            Effect::Allocate { .. }
            | Effect::Measure { .. }
            | Effect::Spawn { .. }
            | Effect::UnitBegin { .. }
            | Effect::UnitEnd { .. }
            | Effect::Emit { .. }
            | Effect::Set { .. }
            | Effect::ObserveLayout
            | Effect::End { .. } => continue,
        };
        let Some(content) = before.state.objects.get(&object) else {
            // It was made by the step itself.
            continue;
        };
        if before.private.get(&object) == Some(&thread) && guesses.holds(Guess::Hidden) {
            seen.is_private = true;
            continue;
        }
        let mut locks = BTreeSet::new();
        for lock in &held {
            let is_enough = lock.is_exclusive || kind == TouchKind::Read;
            let Some(owner) = before.state.objects.get(&lock.object).filter(|_| is_enough) else {
                continue;
            };
            if lock.object == object {
                locks.insert(LockKey::Relative(lock.offset));
            }
            if let Some(global) = global_lock(owner) {
                locks.insert(LockKey::Global(global, lock.offset));
            }
            if let Some(site) = heap_site(owner)
                && guesses.holds(Guess::OnlyOne(site))
            {
                locks.insert(LockKey::Made(site, lock.offset));
            }
        }
        let touch = Touch {
            object: ObjectKey::of(content),
            offset,
            size,
            kind,
        };
        seen.shared.push((touch, locks));
    }
    seen
}
