//! Where other threads may be, as conditions of movers ask about it.

use std::rc::Rc;

use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::Local;
use raddle_encode::word::Word;
use raddle_ir::FunctionId;
use raddle_logic::TermId;
use raddle_reduce::dynamic::Other;

/// A frame of a thread, with what it holds.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) thread: ThreadIndex,
    pub(crate) function: FunctionId,
    pub(crate) registers: Rc<[Word]>,
}

/// Where another thread may be.
pub(crate) type Elsewhere = Other<TermId, View>;

/// How a thread stands at a place.
pub(crate) fn standing(
    thread: ThreadIndex,
    function: FunctionId,
    place: &UnrolledPoint,
    local: &Local,
) -> Elsewhere {
    let frames = place.frames().zip(&local.frames);
    Other {
        is_there: local.guard,
        function,
        frames: frames
            .map(|((function, at), frame)| {
                let view = View {
                    thread,
                    function,
                    registers: frame.registers.clone().into(),
                };
                (view, function, at)
            })
            .collect(),
    }
}
