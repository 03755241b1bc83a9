//! One look at all steps of a program, with every slot written as its shape asks for.

use std::collections::BTreeMap;

use raddle_encode::hazard::Hazard;
use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::state::Shared;
use raddle_ir::{EdgeId, FunctionId};
use raddle_logic::{TermId, VariableId};

use crate::coding::{Coding, Written};
use crate::shape::Looked;
use crate::slot::Slot;

/// A slot as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Coded {
    pub(crate) coding: Coding,
    pub(crate) variables: Vec<TermId>,
    /// What they stand for.
    pub(crate) current: TermId,
}

/// Something that goes wrong on a step, where the condition holds.
#[derive(Clone, Debug)]
pub(crate) struct Occasion {
    pub(crate) condition: TermId,
    pub(crate) what: What,
    pub(crate) thread: ThreadIndex,
    pub(crate) place: (FunctionId, EdgeId),
    /// How many edges were recorded before it.
    pub(crate) after: usize,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Met(Hazard),
    /// A limit of flat programs.
    Limit(&'static str),
}

/// A way from place to place, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) thread: ThreadIndex,
    pub(crate) from: usize,
    pub(crate) edge: (FunctionId, EdgeId),
    /// 0 where the thread ends.
    pub(crate) to: usize,
}

/// By thread and the number of the place.
pub(crate) type Offers = BTreeMap<(ThreadIndex, usize), Vec<VariableId>>;

/// All steps, as far as they were looked at.
pub(crate) struct Pass {
    pub(crate) coded: BTreeMap<Slot, Coded>,
    pub(crate) written: Written,
    pub(crate) looked: Looked,
    /// What threads share before a step, and after it.
    pub(crate) before: Shared,
    pub(crate) after: Shared,
    /// What slots of single threads become, where the conditions hold.
    pub(crate) updates: BTreeMap<Slot, Vec<(TermId, TermId)>>,
    /// Where nobody reads them any more.
    pub(crate) cleared: BTreeMap<Slot, Vec<TermId>>,
    /// Steps that come to their end.
    pub(crate) arrived: Vec<TermId>,
    pub(crate) occasions: Vec<Occasion>,
    pub(crate) moves: Vec<Move>,
    /// Who runs, and which thread that is.
    pub(crate) scheduled: TermId,
    pub(crate) runs: Vec<TermId>,
    /// The inputs that matter where a thread stands at a place.
    pub(crate) offers: Offers,
    /// Nothing grows any more.
    pub(crate) is_final: bool,
}

impl Pass {
    pub(crate) fn current(&self, slot: &Slot) -> Option<TermId> {
        self.coded.get(slot).map(|it| it.current)
    }
}

/// A place of a thread, with what is known whenever it is there.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) place: raddle_encode::place::UnrolledPoint,
    pub(crate) units: Option<Vec<Option<raddle_ir::AtomicSetId>>>,
    /// What ends with each frame.
    pub(crate) stack_objects: Vec<Vec<ObjectName>>,
}
