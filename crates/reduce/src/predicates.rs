//! Predicates of exclusive access that the user wrote, checked while exploring.
//!
//! # Source
//!
//! FQ §4.1, `E(t,x)`: disjoint (i), and neither given nor taken by others (ii). SC §5 and §6, `e_i^x`: others may give exclusive access,
//! but not take it (WF-endExcl), and a step that gives it, also to its own thread, is not invisible; disjoint in every state; held
//! at every access.
//!
//! # Definitions
//!
//! A predicate says for one cell, or for each of a row of cells, of which thread it is true in a state. A thread of which it is true
//! *has exclusive access*. What each reduction demands of it is [`Demand`]; how it can fail to be one is [`Fault`].
//!
//! A predicate that does not keep to this is given up, with the reason; the cells it spoke of are then like all others.
//!
//! # Invariants
//!
//! - **(P1)** With `optimistic`, a step that makes a predicate true for anybody, or changes what predicates read, begins a
//!   transaction. So wherever a predicate is broken, one thread is in the middle of a transaction and another breaks it
//!   with its very next step; both are looked at in every inner state.
//! - **(P2)** With right movers two threads can be in the middle of transactions that nobody sees together. There a
//!   predicate has to be one by its form (`own`).
//!
//! # Deviations
//!
//! 1. FQ §4.1 takes (i) and (ii) for granted and asserts the rest; SC asks the user for a new guess where a predicate fails. Here all of it is
//!    checked, and a predicate that fails costs states and no verdict.
//! 2. Of SC's two ways for a transition to be invisible only (ii-b) is used, and made stricter: a step that changes a cell that predicates
//!    read is visible too (P1).
//!
//! # Tested by
//!
//! `crates/reduce/tests/exclusive.rs`; the omission `GivingIsNotLeft` of `cargo xtask mutants`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use raddle_base::{FastSet, Span, saved};
use raddle_ir::interpret::{Interpreter, ObjectNumber, State, ThreadNumber};
use raddle_ir::{EdgeId, Exclusive, FunctionId, Program};

use crate::guesses::{Guess, Guesses};
use crate::own::{Reads, is_own};
use crate::watched::object_of;

/// What a reduction asks of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Only its own thread changes it (FQ).
    Owned,
    /// Others may give, by steps that begin a transaction, but not take (SC).
    NotTaken,
}

/// Why a predicate was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A thread accessed the cell without it.
    Access(ThreadNumber),
    /// Two threads had it at once.
    Shared(ThreadNumber, ThreadNumber),
    /// A thread gave it to another.
    Given { by: ThreadNumber, to: ThreadNumber },
    /// A thread took it from another.
    Taken {
        by: ThreadNumber,
        from: ThreadNumber,
    },
    /// It does not say which lock or which thread it belongs to, so that others might give or take it.
    NotOwn,
}

/// A predicate that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub fault: Fault,
    /// The step that showed it.
    pub place: Option<(FunctionId, EdgeId)>,
    /// What it speaks of.
    pub name: String,
    /// The threads of the fault by name, in its order.
    pub threads: Vec<String>,
    /// Where it is written.
    pub span: Option<Span>,
}

/// The user's predicates and what became of them.
#[derive(Debug, Default)]
pub struct Predicates {
    /// With the object and the offset of the first cell.
    known: Vec<UsedPredicate>,
    demand: Option<Demand>,
    faults: RefCell<BTreeMap<usize, Broken>>,
    /// The step that is looked at.
    place: Cell<Option<(FunctionId, EdgeId)>>,
}

#[derive(Debug)]
struct UsedPredicate {
    exclusive: Exclusive,
    reads: Reads,
    object: ObjectNumber,
    offset: u64,
    size: u64,
}

impl Predicates {
    /// None are used without a demand.
    pub fn new(program: &Program, demand: Option<Demand>) -> Self {
        let known = program.exclusives.iter().filter_map(|exclusive| {
            let (global, offset) = exclusive.address.constant_place()?;
            Some(UsedPredicate {
                reads: Reads::of(program, &exclusive.condition),
                exclusive: exclusive.clone(),
                object: object_of(global),
                offset,
                size: exclusive.ty.size(program.model),
            })
        });
        let known: Vec<UsedPredicate> = known.collect();
        let is_refused =
            |it: &UsedPredicate| demand == Some(Demand::Owned) && !is_own(&it.exclusive.condition);
        let refused = known.iter().enumerate().filter(|(_, it)| is_refused(it));
        let faults = refused
            .map(|(number, it)| (number, it.refused(program)))
            .collect();
        Self {
            known,
            demand,
            faults: RefCell::new(faults),
            place: Cell::default(),
        }
    }

    /// Takes for granted that these were given up.
    pub fn remember(&self, faults: BTreeMap<usize, Broken>) {
        *self.faults.borrow_mut() = faults;
    }

    /// Why predicates were given up, in the order of the program.
    pub fn faults(&self) -> BTreeMap<usize, Broken> {
        self.faults.borrow().clone()
    }

    /// Whether some predicate may still be relied on.
    pub fn are_used(&self, guesses: &Guesses) -> bool {
        self.demand.is_some() && (0..self.known.len()).any(|it| self.is_used(it, guesses))
    }

    fn is_used(&self, number: usize, guesses: &Guesses) -> bool {
        guesses.holds(Guess::Predicate(number))
            && self
                .faults
                .borrow()
                .get(&number)
                .is_none_or(|it| it.fault != Fault::NotOwn)
    }

    /// Says which step comes next, for those that it breaks.
    pub fn look_at(&self, place: Option<(FunctionId, EdgeId)>) {
        self.place.set(place);
    }

    fn give_up(
        &self,
        (number, index): (usize, u64),
        fault: Fault,
        interpreter: &Interpreter<'_>,
        state: &State,
        guesses: &mut Guesses,
    ) {
        self.faults.borrow_mut().entry(number).or_insert_with(|| {
            let known = &self.known[number];
            let threads = match fault {
                Fault::Access(thread) => vec![thread],
                Fault::Shared(one, other) => vec![one, other],
                Fault::Given { by, to: other } | Fault::Taken { by, from: other } => {
                    vec![by, other]
                }
                Fault::NotOwn => Vec::new(),
            };
            let stride = known.exclusive.elements.as_ref().map_or(0, |it| it.stride);
            let offset = known.offset + index * stride;
            Broken {
                fault,
                place: self.place.get(),
                name: interpreter.place_name(state, known.object, offset),
                threads: threads
                    .into_iter()
                    .map(|it| interpreter.thread_name(state, it))
                    .collect(),
                span: known.exclusive.span,
            }
        });
        guesses.refute(Guess::Predicate(number));
    }

    /// If a predicate speaks of these bytes: whether the thread has exclusive access before and after its step.
    pub(crate) fn covers(
        &self,
        interpreter: &Interpreter<'_>,
        (before, after): (&State, &State),
        (object, offset, size): (ObjectNumber, u64, u64),
        thread: ThreadNumber,
        guesses: &mut Guesses,
        relied: &mut FastSet<Guess>,
    ) -> Option<bool> {
        self.demand?;
        let mut answer = None;
        for (number, known) in self.known.iter().enumerate() {
            if !known.overlaps(object, offset, size) {
                continue;
            }
            relied.insert(Guess::Predicate(number));
            if !self.is_used(number, guesses) {
                continue;
            }
            let has = |state: &State, index| {
                interpreter.has_exclusive_access(state, &known.exclusive, index, thread)
                    == Some(true)
            };
            // An access to more than the predicate speaks of is not one that it allows.
            let index = known.element(object, offset, size);
            match index.filter(|index| has(before, *index)) {
                None => {
                    let place = (number, index.unwrap_or(0));
                    let fault = Fault::Access(thread);
                    self.give_up(place, fault, interpreter, before, guesses);
                }
                Some(index) => {
                    let moves = self.demand == Some(Demand::NotTaken) || has(after, index);
                    answer = Some(answer.unwrap_or(true) && moves);
                }
            }
        }
        answer
    }

    /// Whether a step of a thread makes a predicate true for anybody, or changes what predicates read. Gives up
    /// predicates that it shows to be none.
    pub fn check_step(
        &self,
        interpreter: &Interpreter<'_>,
        before: &State,
        after: &State,
        thread: ThreadNumber,
        guesses: &mut Guesses,
    ) -> bool {
        let Some(demand) = self.demand else {
            return false;
        };
        let mut gives = false;
        for (number, known) in self.known.iter().enumerate() {
            if !self.is_used(number, guesses) {
                continue;
            }
            gives |= known.reads.differ(before, after);
            for index in 0..known.count() {
                if !guesses.holds(Guess::Predicate(number)) {
                    break;
                }
                let has = |state: &State, whose| {
                    interpreter.has_exclusive_access(state, &known.exclusive, index, whose)
                        == Some(true)
                };
                for state in [before, after] {
                    let mut owners = state.threads.keys().filter(|&&it| has(state, it));
                    if let (Some(&first), Some(&second)) = (owners.next(), owners.next()) {
                        let fault = Fault::Shared(first, second);
                        self.give_up((number, index), fault, interpreter, state, guesses);
                    }
                }
                for &other in after.threads.keys() {
                    let (had, has_now) = (has(before, other), has(after, other));
                    if had == has_now {
                        continue;
                    }
                    if other == thread {
                        gives |= has_now;
                        continue;
                    }
                    let fault = if had {
                        Fault::Taken {
                            by: thread,
                            from: other,
                        }
                    } else {
                        Fault::Given {
                            by: thread,
                            to: other,
                        }
                    };
                    if had || demand == Demand::Owned {
                        self.give_up((number, index), fault, interpreter, after, guesses);
                    } else {
                        gives = true;
                    }
                }
            }
        }
        gives
    }
}

impl UsedPredicate {
    /// What is said of it where its form does not do.
    fn refused(&self, program: &Program) -> Broken {
        let global = self
            .exclusive
            .address
            .constant_place()
            .map(|(global, _)| global);
        Broken {
            fault: Fault::NotOwn,
            place: None,
            name: global.map_or_else(String::new, |it| program.globals[it].name.clone()),
            threads: Vec::new(),
            span: self.exclusive.span,
        }
    }

    fn count(&self) -> u64 {
        self.exclusive.elements.as_ref().map_or(1, |it| it.count)
    }

    /// Whether some of the bytes lie in some element.
    fn overlaps(&self, object: ObjectNumber, offset: u64, size: u64) -> bool {
        let stride = self.exclusive.elements.as_ref().map_or(1, |it| it.stride);
        let end = self
            .offset
            .saturating_add(stride.saturating_mul(self.count() - 1))
            .saturating_add(self.size);
        if object != self.object || offset >= end || offset.saturating_add(size) <= self.offset {
            return false;
        }
        (0..self.count()).any(|index| {
            let start = self.offset.saturating_add(index.saturating_mul(stride));
            offset < start.saturating_add(self.size) && start < offset.saturating_add(size)
        })
    }

    /// The element in which the bytes lie.
    fn element(&self, object: ObjectNumber, offset: u64, size: u64) -> Option<u64> {
        let stride = self.exclusive.elements.as_ref().map_or(1, |it| it.stride);
        let from = offset.checked_sub(self.offset)?;
        let index = if self.count() == 1 { 0 } else { from / stride };
        let start = index * stride;
        (object == self.object && index < self.count() && from >= start)
            .then_some(())
            .filter(|()| from + size <= start + self.size)
            .map(|()| index)
    }
}

saved!(enum Fault {
    Access(thread),
    Shared(one, other),
    Given { by, to },
    Taken { by, from },
    NotOwn,
});
saved!(struct Broken { fault, place, name, threads, span });
