//! Between which accesses the token has to be able to go.
//!
//! Threads are unrolled one by one. Who holds the token executes its accesses; after an access it may pass the token
//! on, and the thread that receives it goes on before one of its own accesses. If the token may go from every access
//! to every access of other threads, all interleavings are there, each class of equivalent ones many times. Here
//! passes are left out so that every class is still there.
//!
//! **What is kept.** An execution's accesses are ordered by their threads and by what follows what ([`System`]). The
//! *past* of an access `e` is everything below `e` in this order, and `e`. A set of passes is *adequate* if for every
//! execution and every access `e` of it, some schedule that uses these passes only executes exactly the past of `e`
//! and ends with `e`. That is all that a question about one thread needs: an assertion that fails after `e`, a loop
//! that is cut there, something undefined. Threads may stop anywhere in such a schedule, nobody waits for them.
//!
//! Adequacy for whole runs, where all threads end, is the special case in which somebody joins all threads.
//! The argument is in `docs/design/token-passing.md`.

mod system;

use std::collections::BTreeMap;

pub use system::{Access, System, Thread};

/// The token goes from after `from` to before `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pass {
    pub from: Access,
    pub to: Access,
}

/// From every access to every access of other threads.
pub fn all_pairs(system: &System) -> impl Iterator<Item = Pass> + '_ {
    system.accesses().flat_map(move |from| {
        system
            .accesses()
            .filter(move |to| to.thread != from.thread)
            .map(move |to| Pass { from, to })
    })
}

/// The passes that are kept, with the reason.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    pub passes: BTreeMap<Pass, Reason>,
}

/// Why a pass is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nobody looked closer.
    Any,
}

/// An adequate set of passes.
pub fn kept_pairs(system: &System) -> Pairs {
    Pairs {
        passes: all_pairs(system).map(|pass| (pass, Reason::Any)).collect(),
    }
}
