//! What a computation looks at in states: whoever knows that can tell when it would do the same again.
//!
//! Tables of states take notes by themselves, so nobody who reads a state can forget to. Which threads there are, whether the
//! process has ended, which objects are dead and which share an address counts as known: it is not noted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;

use super::state::{ObjectNumber, ThreadNumber};

/// Everything that was looked at or written, named as in the state in which the computation began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    pub threads: BTreeSet<ThreadNumber>,
    /// With all their bytes.
    pub objects: BTreeSet<ObjectNumber>,
    /// Whether they are there and live, how large they are, what synchronisation they hold: all but their bytes.
    pub heads: BTreeSet<ObjectNumber>,
    /// Some of their bytes, from and to.
    pub cells: BTreeSet<(ObjectNumber, u64, u64)>,
    /// Whether something points to these objects, or is perhaps a pointer.
    pub object_names: BTreeSet<ObjectNumber>,
    /// Whether a value that may still be compared points to these objects.
    pub address_names: BTreeSet<ObjectNumber>,
    /// Whether something holds the name of these threads.
    pub thread_names: BTreeSet<ThreadNumber>,
    /// All of it.
    pub is_everything: bool,
}

impl Reads {
    /// Everything that another computation looked at too.
    pub fn add(&mut self, other: Reads) {
        self.threads.extend(other.threads);
        self.objects.extend(other.objects);
        self.heads.extend(other.heads);
        self.cells.extend(other.cells);
        self.object_names.extend(other.object_names);
        self.address_names.extend(other.address_names);
        self.thread_names.extend(other.thread_names);
        self.is_everything |= other.is_everything;
    }
}

thread_local! {
    static IS_OBSERVED: Cell<bool> = const { Cell::new(false) };
    static READS: RefCell<Reads> = RefCell::default();
}

/// Computes something and tells what it looked at.
pub fn observe<T>(compute: impl FnOnce() -> T) -> (T, Reads) {
    let before = (
        IS_OBSERVED.replace(true),
        READS.with_borrow_mut(std::mem::take),
    );
    let result = compute();
    IS_OBSERVED.set(before.0);
    let reads = READS.with_borrow_mut(|it| std::mem::replace(it, before.1));
    (result, reads)
}

/// Computes something that looks at no more than what is noted anyway, though it goes through more than that; the caller
/// says why.
pub fn unobserved<T>(compute: impl FnOnce() -> T) -> T {
    let before = IS_OBSERVED.replace(false);
    let result = compute();
    IS_OBSERVED.set(before);
    result
}

fn note(take: impl FnOnce(&mut Reads)) {
    if IS_OBSERVED.get() {
        READS.with_borrow_mut(take);
    }
}

pub(super) fn note_everything() {
    note(|reads| reads.is_everything = true);
}

pub fn note_thread(thread: ThreadNumber) {
    note(|reads| {
        reads.threads.insert(thread);
    });
}

pub(super) fn note_object(object: ObjectNumber) {
    note(|reads| {
        reads.objects.insert(object);
    });
}

/// That it is there, and what is remembered of it beside the state.
pub fn note_head(object: ObjectNumber) {
    note(|reads| {
        reads.heads.insert(object);
    });
}

pub(super) fn note_cells(object: ObjectNumber, bytes: &Range<usize>) {
    note(|reads| {
        reads
            .cells
            .insert((object, bytes.start as u64, bytes.end as u64));
    });
}

pub(super) fn note_object_name(object: ObjectNumber) {
    note(|reads| {
        reads.object_names.insert(object);
    });
}

pub(super) fn note_address_name(object: ObjectNumber) {
    note(|reads| {
        reads.address_names.insert(object);
    });
}

pub(super) fn note_thread_name(thread: ThreadNumber) {
    note(|reads| {
        reads.thread_names.insert(thread);
    });
}
