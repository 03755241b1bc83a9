//! What violations that a state shows by itself are called: their messages and labels.

use std::collections::BTreeSet;

use crate::interpret::state::{ObjectNumber, Origin, State, ThreadNumber};
use crate::interpret::{Interpreter, MemoryAccess, Property, Violation, ViolationLabel, Wait};
use crate::program::{EdgeId, FunctionId};
use crate::wording::naming::NamedDeed;

impl Interpreter<'_> {
    pub(crate) fn race_between(
        &self,
        state: &State,
        first: (ThreadNumber, &MemoryAccess, (FunctionId, EdgeId)),
        second: (ThreadNumber, &MemoryAccess, (FunctionId, EdgeId)),
    ) -> Violation {
        let offset = first.1.offset.max(second.1.offset);
        let name = self.place_name(state, first.1.object, offset);
        let (a, b) = (first.1.word(), second.1.word());
        let message = if a == b {
            format!("`{name}` is {a} by two threads at the same time")
        } else {
            format!("`{name}` is written and read at the same time")
        };
        let label = |(thread, access, place): (ThreadNumber, &MemoryAccess, _)| {
            self.label(
                state,
                thread,
                place,
                NamedDeed::Done(access.word().to_owned()),
            )
        };
        Violation {
            property: Property::Race,
            message,
            labels: vec![label(first), label(second)],
            span: None,
        }
    }

    /// These threads wait for ever, whatever the others do.
    pub(crate) fn endless_wait(&self, state: &State, stuck: &[ThreadNumber]) -> Violation {
        let mut deeds: Vec<String> = stuck
            .iter()
            .flat_map(|thread| self.deeds_waited_for(state, *thread))
            .collect();
        deeds.sort();
        deeds.dedup();
        let deed = |thread| format!("waits for {}", self.waits(state, thread).join(" or "));
        Violation {
            property: Property::Deadlock,
            message: format!(
                "{}: nobody will {}",
                self.who_waits_for_ever(state, stuck),
                deeds.join(", nor ")
            ),
            labels: self.where_they_stand(state, stuck, deed),
            span: None,
        }
    }

    pub(crate) fn who_waits_for_ever(&self, state: &State, stuck: &[ThreadNumber]) -> String {
        let names: Vec<String> = stuck
            .iter()
            .map(|&thread| format!("`{}`", self.thread_name(state, thread)))
            .collect();
        match &names[..] {
            [one] => format!("thread {one} waits for ever"),
            _ => format!("threads {} wait for ever", names.join(", ")),
        }
    }

    pub(crate) fn where_they_stand(
        &self,
        state: &State,
        stuck: &[ThreadNumber],
        deed: impl Fn(ThreadNumber) -> String,
    ) -> Vec<ViolationLabel> {
        let label = |&thread: &ThreadNumber| {
            let frame = state.threads[&thread].frames.last()?;
            let edge = *self
                .program
                .outgoing(frame.function, frame.location)
                .first()?;
            let place = (frame.function, edge);
            Some(self.label(state, thread, place, NamedDeed::Does(deed(thread))))
        };
        stuck.iter().filter_map(label).collect()
    }

    /// As in: waits for thread `u`, which has ended.
    pub(crate) fn what_it_waits_for(&self, state: &State, waits: &[Wait]) -> String {
        let holders: BTreeSet<ThreadNumber> = waits
            .iter()
            .flat_map(|wait| match wait {
                Wait::Assume => &[][..],
                Wait::Others { holders, .. } => holders,
            })
            .copied()
            .collect();
        let named: Vec<String> = holders
            .iter()
            .map(|holder| {
                let has_ended = state
                    .threads
                    .get(holder)
                    .is_none_or(|thread| thread.frames.is_empty());
                let ended = if has_ended { ", which has ended," } else { "" };
                format!("thread `{}`{ended}", self.thread_name(state, *holder))
            })
            .collect();
        if named.is_empty() {
            "waits".into()
        } else {
            format!("waits for {}", named.join(" and "))
        }
    }

    pub(crate) fn of_object(
        &self,
        state: &State,
        number: ObjectNumber,
        property: Property,
        message: &str,
    ) -> Violation {
        let span = match state.objects[&number].origin {
            Origin::Edge(function, edge) => self.program.edge(function, edge).span,
            Origin::Global(global) => self.program.globals[global].span,
        };
        Violation {
            property,
            message: message.into(),
            labels: Vec::new(),
            span: span.map(|span| (span, "allocated here".into())),
        }
    }
}
