//! What parts may name.

use raddle_ir::Program;
use raddle_ir::interpret::Recycling;
use raddle_ir::interpret::pointers::Names;

use super::{ChunkNames, ChunkPart, HeadPart, ThreadPart};

pub(super) fn names_of_thread(
    program: &Program,
    recycling: &Recycling,
    part: &ThreadPart,
) -> Names {
    Names::in_thread(program, recycling, &part.thread)
}

pub(super) fn names_of_head(program: &Program, recycling: &Recycling, part: &HeadPart) -> Names {
    Names::in_object(program, recycling, &part.object)
}

pub(super) fn names_of_chunk(
    program: &Program,
    recycling: &Recycling,
    chunk: &ChunkPart,
) -> ChunkNames {
    let first = chunk.iter(0..chunk.len().min(bytes_of_a_name(program) - 1));
    ChunkNames {
        inside: Names::in_bytes(program, recycling, chunk),
        may_begin_before: Names::may_end_in(program, &first.collect()),
    }
}

pub(super) fn bytes_of_a_name(program: &Program) -> usize {
    usize::try_from(program.model.pointer_bytes()).expect("4 or 8")
}
