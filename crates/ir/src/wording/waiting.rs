//! What a thread that cannot go on waits for, in words.

use crate::action::Action;
use crate::expression::Expression;

use crate::interpret::Interpreter;
use crate::interpret::Wait;
use crate::interpret::evaluate::Evaluator;
use crate::interpret::memory;
use crate::interpret::state::{ObjectNumber, State, Sync, ThreadNumber};

type Place = (ObjectNumber, u64);

/// What the only edge ahead of a blocked thread works on.
enum Ahead {
    /// A synchronisation object, and the mutex of a wait.
    Object(Place, Option<Place>),
    /// A thread that has to end.
    Join,
    /// Several edges, a section, or something without a place.
    Other,
}

impl Interpreter<'_> {
    /// What keeps a thread from going on, as in “`m`, held by `left`”; nothing if it can go on or has ended.
    /// If it stands before several ways, one entry for each that differs.
    pub fn waits(&self, state: &State, thread: ThreadNumber) -> Vec<String> {
        if state.has_ended {
            return Vec::new();
        }
        let steps = self.steps(state, thread);
        if !steps.successors.is_empty() {
            return Vec::new();
        }
        let ahead = self.ahead(state, thread);
        let mut waits: Vec<String> = steps
            .waits
            .iter()
            .map(|wait| self.wait_text(state, wait, &ahead))
            .collect();
        waits.sort();
        waits.dedup();
        waits
    }

    fn ahead(&self, state: &State, thread: ThreadNumber) -> Ahead {
        let Some(frame) = state.threads.get(&thread).and_then(|it| it.frames.last()) else {
            return Ahead::Other;
        };
        let &[edge] = self.program.outgoing(frame.function, frame.location) else {
            return Ahead::Other;
        };
        let place = |expression: &Expression| {
            let mut evaluator = Evaluator {
                program: self.program,
                state,
                thread: Some(thread),
                types: &self.program.functions[frame.function].registers,
                values: &frame.registers,
                overflowed: false,
                observes_layout: false,
            };
            let pointer = evaluator.bits(expression).ok()?;
            memory::locate(self.program, state, pointer, 1).ok()
        };
        match &self.program.edge(frame.function, edge).action {
            Action::Sync { object, mutex, .. } => {
                let mutex = mutex.as_ref().and_then(place);
                // A woken thread waits for its mutex only; its condition variable may be gone.
                match place(object).or(mutex) {
                    Some(object) => Ahead::Object(object, mutex),
                    None => Ahead::Other,
                }
            }
            Action::Join { .. } => Ahead::Join,
            Action::Assign { .. }
            | Action::Havoc { .. }
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
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Spawn { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => Ahead::Other,
        }
    }

    fn wait_text(&self, state: &State, wait: &Wait, ahead: &Ahead) -> String {
        let (holders, needs_anyone) = match wait {
            Wait::Assume => return "an assumption that does not hold".to_owned(),
            Wait::Others {
                holders,
                needs_anyone,
            } => (holders, *needs_anyone),
        };
        let quoted: Vec<String> = holders
            .iter()
            .map(|&holder| format!("`{}`", self.thread_name(state, holder)))
            .collect();
        let holders = quoted.join(", ");
        let mut parts = Vec::new();
        match ahead {
            Ahead::Object(place, mutex) => {
                if needs_anyone {
                    parts.push(self.event_text(state, *place));
                }
                if !holders.is_empty() {
                    let (object, offset) = mutex.unwrap_or(*place);
                    let lock = self.place_name(state, object, offset);
                    parts.push(format!("`{lock}`, held by {holders}"));
                }
            }
            Ahead::Join => parts.push(format!("thread {holders} to end")),
            Ahead::Other => {
                if !holders.is_empty() {
                    parts.push(format!("{holders} to act"));
                }
                if needs_anyone || holders.is_empty() {
                    parts.push("others to change what it reads".to_owned());
                }
            }
        }
        parts.join(", and for ")
    }

    /// What somebody has to do to a synchronisation object.
    fn event_text(&self, state: &State, (object, offset): Place) -> String {
        let name = self.place_name(state, object, offset);
        match state
            .objects
            .get(&object)
            .and_then(|it| it.syncs.get(&offset))
        {
            Some(Sync::Condition { .. }) => format!("a signal on `{name}`"),
            Some(Sync::Monitor { .. }) => format!("a notification on `{name}`"),
            Some(Sync::Semaphore { .. }) => format!("a post to `{name}`"),
            Some(Sync::Barrier { .. }) => format!("others to arrive at `{name}`"),
            Some(Sync::Mutex { .. } | Sync::ReadWriteLock { .. }) | None => format!("`{name}`"),
        }
    }

    /// What nobody does for whom a thread waits that needs anyone, as in “signal `c`”; one entry for each that differs.
    pub(crate) fn deeds_waited_for(&self, state: &State, thread: ThreadNumber) -> Vec<String> {
        let needs_anyone =
            |it: &Wait| matches!(it, Wait::Others { needs_anyone, .. } if *needs_anyone);
        if !self.steps(state, thread).waits.iter().any(needs_anyone) {
            return Vec::new();
        }
        let deed = match self.ahead(state, thread) {
            Ahead::Object(place, _) => self.deed_text(state, place),
            Ahead::Join | Ahead::Other => "change what is waited for".to_owned(),
        };
        vec![deed]
    }

    fn deed_text(&self, state: &State, (object, offset): Place) -> String {
        let name = self.place_name(state, object, offset);
        match state
            .objects
            .get(&object)
            .and_then(|it| it.syncs.get(&offset))
        {
            Some(Sync::Condition { .. }) => format!("signal `{name}`"),
            Some(Sync::Monitor { .. }) => format!("notify `{name}`"),
            Some(Sync::Semaphore { .. }) => format!("post to `{name}`"),
            Some(Sync::Barrier { .. }) => format!("arrive at `{name}`"),
            Some(Sync::Mutex { .. } | Sync::ReadWriteLock { .. }) | None => {
                format!("release `{name}`")
            }
        }
    }
}
