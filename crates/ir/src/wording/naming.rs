//! What people call threads, places and locks.

use crate::action::Action;
use crate::program::{EdgeId, FunctionId};

use crate::interpret::state::{Frame, ObjectNumber, Origin, State, Storage, Sync, ThreadNumber};
use crate::interpret::{Interpreter, Property, Violation, ViolationLabel};
use crate::numbering::thread_path;

/// How a label says what a thread does.
#[derive(Clone, Debug)]
pub(crate) enum NamedDeed {
    Done(String),
    Does(String),
}

/// What of a thread's place can be shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisibleEdge {
    pub(crate) edge: (FunctionId, EdgeId),
    /// The function that the edge calls and that the thread is in.
    pub(crate) callee: Option<FunctionId>,
}

impl Interpreter<'_> {
    /// As in `worker[1]`, or `deposit (main.1)` for the first thread that `main` created.
    pub fn thread_name(&self, state: &State, thread: ThreadNumber) -> String {
        let nobody = || format!("thread {}", thread.0);
        let Some(path) = thread_path(self.program, thread) else {
            return nobody();
        };
        let Some((root, children)) = path.split_first() else {
            return nobody();
        };
        let mut name = usize::try_from(*root)
            .ok()
            .and_then(|root| self.program.roots.get(root))
            .map_or_else(nobody, crate::Root::display_name);
        if children.is_empty() {
            return name;
        }
        for child in children {
            name = format!("{name}.{}", child + 1);
        }
        match state.threads.get(&thread) {
            Some(thread) => format!("{} ({name})", self.program.functions[thread.function].name),
            None => name,
        }
    }

    /// As in `balance`, `list.head` or `node+8`: what people call a byte.
    pub fn place_name(&self, state: &State, object: ObjectNumber, offset: u64) -> String {
        let path = |ty: &crate::Type| ty.path_to(offset, &self.program.structs, self.program.model);
        let Some(known) = state.objects.get(&object) else {
            return "memory that is gone".into();
        };
        match known.origin {
            Origin::Global(global) => {
                let global = &self.program.globals[global];
                format!("{}{}", global.name, path(&global.ty))
            }
            Origin::Edge(function, edge) => {
                let function = &self.program.functions[function];
                let Action::Allocate { target, ty, .. } = &function.edges[edge].action else {
                    unreachable!("objects come from allocations")
                };
                let owner = &function.registers[*target].name;
                let part = match ty {
                    Some(ty) => path(ty),
                    None if offset == 0 => String::new(),
                    None => format!("+{offset}"),
                };
                let word = match known.storage {
                    Storage::Stack => "local",
                    Storage::Heap | Storage::Global | Storage::ThreadLocal => "memory",
                };
                format!("{word} of {}::{owner}{part}", function.name)
            }
        }
    }

    /// Names of the locks a thread holds, sorted.
    pub fn locks_held(&self, state: &State, thread: ThreadNumber) -> Vec<String> {
        let mut names: Vec<String> = state
            .objects
            .iter()
            .flat_map(|(number, object)| object.syncs.iter().map(move |it| (number, it)))
            .filter(|(_, (_, sync))| match sync {
                Sync::Mutex { owner, .. } | Sync::Monitor { owner, .. } => *owner == Some(thread),
                Sync::ReadWriteLock { writer, readers } => {
                    *writer == Some(thread) || readers.contains_key(&thread)
                }
                Sync::Condition { .. } | Sync::Semaphore { .. } | Sync::Barrier { .. } => false,
            })
            .map(|(number, (offset, _))| self.place_name(state, *number, *offset))
            .collect();
        names.sort();
        names
    }

    /// Says who does something at an edge, and which locks it holds: `NamedDeed::Done("read")` is
    /// “read by thread `withdraw`, holding no lock”, `NamedDeed::Does("waits")` is “thread `left` waits here, holding `m`”.
    pub(crate) fn label(
        &self,
        state: &State,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
        deed: NamedDeed,
    ) -> ViolationLabel {
        let visible = self.visible_edge(state, thread, place);
        let locks = self.locks_held(state, thread);
        let holding = if locks.is_empty() {
            "no lock".to_owned()
        } else {
            let quoted: Vec<String> = locks.iter().map(|it| format!("`{it}`")).collect();
            quoted.join(", ")
        };
        let name = self.thread_name(state, thread);
        let text = match (deed, visible.callee) {
            (NamedDeed::Done(what), None) => {
                format!("{what} by thread `{name}`, holding {holding}")
            }
            (NamedDeed::Done(what), Some(callee)) => {
                let callee = &self.program.functions[callee].name;
                format!("{what} in `{callee}` by thread `{name}`, holding {holding}")
            }
            (NamedDeed::Does(what), None) => {
                format!("thread `{name}` {what} here, holding {holding}")
            }
            (NamedDeed::Does(what), Some(callee)) => {
                let callee = &self.program.functions[callee].name;
                format!("thread `{name}` {what} in `{callee}`, called here, holding {holding}")
            }
        };
        let (function, edge) = visible.edge;
        ViolationLabel {
            thread,
            function,
            edge,
            step: None,
            text,
        }
    }

    /// The edge itself if it has a place in the sources; else the call by which the thread got into code that has
    /// none, such as that of a library.
    pub(crate) fn visible_edge(
        &self,
        state: &State,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
    ) -> VisibleEdge {
        let itself = VisibleEdge {
            edge: place,
            callee: None,
        };
        if self.program.edge(place.0, place.1).span.is_some() {
            return itself;
        }
        let Some(thread) = state.threads.get(&thread) else {
            return itself;
        };
        // Who has called stands where the call leads to.
        let call_of = |frame: &Frame| {
            let edges = self.program.functions[frame.function].edges.iter();
            edges
                .filter(|(_, edge)| edge.to == frame.location && edge.span.is_some())
                .find(|(_, edge)| matches!(edge.action, Action::Call { .. }))
                .map(|(id, _)| (frame.function, id))
        };
        thread
            .frames
            .windows(2)
            .rev()
            .find_map(|pair| {
                Some(VisibleEdge {
                    edge: call_of(&pair[0])?,
                    callee: Some(pair[1].function),
                })
            })
            .unwrap_or(itself)
    }

    pub(crate) fn violation_at(
        &self,
        state: &State,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
        property: Property,
        message: String,
        deed: NamedDeed,
    ) -> Violation {
        Violation {
            property,
            message,
            labels: vec![self.label(state, thread, place, deed)],
            span: None,
        }
    }
}
