//! What threads share, and what each has to itself, at one depth of the unrolling.

use std::collections::BTreeMap;

use raddle_base::Arena;
use raddle_ir::{AtomicSetId, FunctionId, Scalar};
use raddle_logic::{TermId, Terms};

use crate::guard::either;
use crate::memory::Memory;
use crate::names::{ObjectName, ThreadIndex};
use crate::place::UnrolledPoint;
use crate::word::Word;

/// A thread that some executions start: by this root, or at this place of its creator.
#[derive(Clone, Debug)]
pub struct Instance {
    pub function: FunctionId,
    /// Its name in values.
    pub number: u128,
    /// The addresses of its copies of thread-locals.
    pub locals: Vec<u128>,
    /// The objects themselves.
    pub local_objects: Vec<ObjectName>,
}

/// What others see and change of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// It was started, and neither joined nor forgotten.
    pub exists: TermId,
    pub has_ended: TermId,
    pub is_detached: TermId,
    /// What a join receives.
    pub result: Option<(Scalar, Word)>,
    /// Ends of the thread differ in the type of what they give.
    pub has_mixed_results: bool,
    pub woken: Woken,
}

/// Whether what a thread waited for has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Woken {
    pub is_signalled: TermId,
    pub is_released: TermId,
    /// The condition variable or the barrier, as a pointer.
    pub condition: TermId,
    pub mutex: TermId,
    pub may_time_out: TermId,
    /// Of those that a barrier released.
    pub is_serial: TermId,
}

impl Link {
    pub fn new(terms: &mut Terms, exists: TermId, pointer_bits: u32) -> Self {
        let never = terms.truth(false);
        let null = terms.constant(0, pointer_bits);
        Self {
            exists,
            has_ended: never,
            is_detached: never,
            result: None,
            has_mixed_results: false,
            woken: Woken {
                is_signalled: never,
                is_released: never,
                condition: null,
                mutex: null,
                may_time_out: never,
                is_serial: never,
            },
        }
    }

    fn merged(terms: &mut Terms, condition: TermId, then: &Link, otherwise: &Link) -> Link {
        if then == otherwise {
            return then.clone();
        }
        let mut choose = |one: TermId, other: TermId| terms.if_then_else(condition, one, other);
        let exists = choose(then.exists, otherwise.exists);
        let has_ended = choose(then.has_ended, otherwise.has_ended);
        let is_detached = choose(then.is_detached, otherwise.is_detached);
        let (one, other) = (then.woken, otherwise.woken);
        let woken = Woken {
            is_signalled: choose(one.is_signalled, other.is_signalled),
            is_released: choose(one.is_released, other.is_released),
            is_serial: choose(one.is_serial, other.is_serial),
            condition: choose(one.condition, other.condition),
            mutex: choose(one.mutex, other.mutex),
            may_time_out: choose(one.may_time_out, other.may_time_out),
        };
        let mut has_mixed_results = then.has_mixed_results || otherwise.has_mixed_results;
        let result = match (then.result, otherwise.result) {
            (Some((ty, one)), Some((other_type, other))) if ty == other_type => {
                Some((ty, Word::choose(terms, condition, one, other)))
            }
            (Some(_), Some(_)) => {
                has_mixed_results = true;
                otherwise.result
            }
            (one, other) => one.or(other),
        };
        Link {
            exists,
            has_ended,
            is_detached,
            result,
            has_mixed_results,
            woken,
        }
    }
}

/// Registers of the running functions of a thread, the outermost first, and the objects that end with each.
#[derive(Clone, Debug)]
pub struct Frame {
    pub registers: Vec<Word>,
    pub stack_objects: Vec<ObjectName>,
}

/// A thread at one of the places where it may be.
#[derive(Clone, Debug)]
pub struct Local {
    /// Under which condition it is there.
    pub guard: TermId,
    pub frames: Vec<Frame>,
    /// It is in the middle of a transaction that has not committed, where a loop was cut: no other thread may run.
    pub is_open: TermId,
    /// The units of work it is in; `None` if that depends on the way here.
    pub units: Option<Vec<Option<AtomicSetId>>>,
}

impl Local {
    /// Ways that lead to one place meet there; at most one of the two guards holds.
    pub fn join(&mut self, terms: &mut Terms, other: &Local) {
        for (frame, others) in self.frames.iter_mut().zip(&other.frames) {
            for (word, other_word) in frame.registers.iter_mut().zip(&others.registers) {
                *word = Word::choose(terms, other.guard, *other_word, *word);
            }
            for object in &others.stack_objects {
                if !frame.stack_objects.contains(object) {
                    frame.stack_objects.push(*object);
                }
            }
        }
        self.is_open = terms.if_then_else(other.guard, other.is_open, self.is_open);
        if self.units != other.units {
            self.units = None;
        }
        self.guard = either(terms, self.guard, other.guard);
    }
}

/// What threads share.
#[derive(Clone, Debug)]
pub struct Shared {
    pub memory: Memory,
    pub links: Arena<ThreadIndex, Link>,
    /// The process has ended.
    pub has_ended: TermId,
}

impl Shared {
    /// What is shared after a choice.
    pub fn merge(&mut self, terms: &mut Terms, condition: TermId, then: &Shared) {
        self.memory.merge(terms, condition, &then.memory);
        for (thread, link) in then.links.iter() {
            if self.links.contains(thread) {
                let known = &mut self.links[thread];
                *known = Link::merged(terms, condition, link, known);
            } else {
                let mut link = link.clone();
                link.exists = terms.and(condition, link.exists);
                self.links.push(link);
            }
        }
        self.has_ended = terms.if_then_else(condition, then.has_ended, self.has_ended);
    }
}

/// Where one thread may be.
pub type Whereabouts = BTreeMap<UnrolledPoint, Local>;
