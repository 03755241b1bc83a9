//! Parts as bytes, for checkpoints.

use std::sync::Arc;

use raddle_base::saved::{Saved, Sink, Source};
use raddle_base::{FastMap, saved};
use raddle_ir::Program;
use raddle_ir::interpret::Recycling;

use super::naming::{names_of_chunk, names_of_head, names_of_thread};
use super::pool::Pool;
use super::{HeadPart, Kind, Parts, ThreadPart, ThreadSlots, WorldPart};
use crate::ids::Slot;

saved!(
    enum Kind {
        World,
        Thread(thread),
        Head(object),
        Chunk(object, at),
    }
);
saved!(struct WorldPart { threads, has_ended, dead, places, made });
saved!(struct ThreadPart { thread, held });
saved!(struct HeadPart { object, size, is_cut, owner });

/// Parts as bytes: what is worked out for each is worked out again.
impl<'p> Parts<'p> {
    pub(crate) fn save(&self, sink: &mut Sink) {
        self.slots.save(sink);
        self.worlds.save(sink);
        for slot in 0..self.slots.len() {
            self.threads[slot].save(sink);
            self.heads[slot].save(sink);
            self.chunks[slot].save(sink);
        }
    }

    pub(crate) fn load(
        program: &'p Program,
        recycling: &Arc<Recycling>,
        source: &mut Source,
    ) -> std::io::Result<Self> {
        let slots: Vec<Kind> = Vec::load(source)?;
        let by_kind: FastMap<Kind, Slot> = slots.iter().copied().zip((0..).map(Slot)).collect();
        let thread_slots = |world: &WorldPart| -> ThreadSlots {
            let threads = world.threads.iter();
            threads
                .map(|it| (*it, by_kind[&Kind::Thread(*it)]))
                .collect()
        };
        let worlds = Pool::load(source, thread_slots)?;
        let mut parts = Self {
            worlds,
            threads: Vec::new(),
            heads: Vec::new(),
            chunks: Vec::new(),
            ..Self::new(program, recycling)
        };
        for _ in &slots {
            let threads = Pool::load(source, |it| names_of_thread(program, recycling, it))?;
            parts.threads.push(threads);
            let heads = Pool::load(source, |it| names_of_head(program, recycling, it))?;
            parts.heads.push(heads);
            let chunks = Pool::load(source, |it| names_of_chunk(program, recycling, it))?;
            parts.chunks.push(chunks);
        }
        (parts.slots, parts.by_kind) = (slots, by_kind);
        Ok(parts)
    }
}
