//! Between which accesses the token has to be able to go.
//!
//! # Source
//!
//! MAT §4 to §6: mutually atomic transactions and the token-passing pairs `TP` that they leave. For three and more threads, for what
//! follows one way only, and for threads that start and join others the passes are ours; the proofs are in
//! `docs/design/token-passing.md`.
//!
//! # Definitions
//!
//! Threads are unrolled one by one. The thread that holds the token executes its accesses; after an access it may pass the token
//! on, and the thread that receives it goes on before one of its own accesses. If the token may go from every access
//! to every access of other threads, all interleavings are there, each class of equivalent ones many times. Here
//! passes are left out so that every class is still there.
//!
//! An execution's accesses are ordered by their threads and by what follows what ([`System`]). The
//! *past* of an access `e` is everything below `e` in this order, and `e`. A set of passes is *adequate* if for every
//! execution and every access `e` of it, some schedule that uses these passes only executes exactly the past of `e`
//! and ends with `e`.
//!
//! | MAT | here |
//! |---|---|
//! | control state pair, access `a_i ∈ A_i` (§3.1) | [`Access`], a thread and a number |
//! | conflicting pairs `C_ij`, dependency relation `D` | [`System::is_conflict`]; what follows what, [`System::followers`], which may be one way only |
//! | mutually atomic transactions (Def. 1) | [`Mat`], two [`Transaction`]s |
//! | `GenMAT` (Algorithm 1); thread priority | [`mats()`]; the *leader* is the thread with the priority |
//! | `TP(α) = {(l_i, f_j), (l_j, f_i)}`, `TP_ij` (§4) | [`Mat::passes`]; [`Pass`], [`Pairs`] |
//! | `CSP(σ)`, the switches of a schedule | the passes that it uses |
//! | adequate (§4), for whole runs | adequate, as above, for the past of every access; whole runs with [`Ends::Dependent`] (Lemma 7) |
//! | optimal: no two equivalent schedules (Theorem 2) | holds for two straight threads; else schedules are few, and some redundant |
//! | `GenExtraTP`, `eTP_ij` (§6.1) | not used, see the first deviation; `switches` instead |
//! | OLD, all pairs (§4, step 4) | [`all_pairs`] |
//! | context bounds (§4, step 7) | `ContextBounds` of the engine |
//!
//! # Invariants
//!
//! - **(A1)** [`kept_pairs`] is adequate for any number of threads, with branches, locks, starts and joins.
//!
//! What an encoding has to do for it:
//!
//! - The thread that is not started by another begins with the token. A thread that holds no token stops where it is
//!   for good; it may stop after any access, and no other thread waits for it. Nothing may be asked of the others at the end.
//! - Questions are about one thread: after its access `e`, or while `e` is executed, an assertion fails, a loop is cut,
//!   something is not modelled. Whatever the answer depends on is in the past of `e`.
//! - A race of `x` and `y` can be such a question too. Where `x` comes up its thread may *claim* the bytes instead and
//!   stop there for good; it passes the token on as if it had executed `x`. It is a race if a thread that holds the
//!   token later stands before an access that conflicts with the claim. No further passes are needed for it.
//! - To ask instead whether two threads stand before their accesses at the end is a question about two threads, and
//!   needs [`PairQuestion::Standing`].
//! - Accesses that end the whole process follow nothing and nothing follows them: no pass leaves them.
//! - Joining waits for an access that ends the thread joined, so the end of a thread is an access, and so is starting
//!   a thread. An access that waits (lock, join, a condition) is executed when it no longer waits.
//!
//! # Deviations
//!
//! 1. For three and more threads MAT takes `TP` of every two threads and adds `eTP`, by `GenExtraTP` (§6.1, Theorem 4). As it is printed,
//!    this is not adequate: it loses whole runs of 61 of 2,000 random programs, of `W(y) W(z)`, `R(z) W(z)`, `W(y) R(z) W(z)` for
//!    one. So it is not used. `switches` keeps other passes, with a proof, and fewer of them. The printed construction is in
//!    `crates/engine_mat/tests/printed.rs`.
//! 2. MAT speaks of whole runs, in which every thread ends. Here a thread may stop anywhere, and the past of each access is kept.
//! 3. MAT's dependencies are symmetric. A lock follows an unlock and not the other way round, so what follows has a direction here.
//! 4. Branches are not taken apart path by path (MAT §2.2): see `mats`.
//!
//! # Tested by
//!
//! `crates/engine_mat/tests`: `adequacy.rs` enumerates all schedules of small random programs, `numbers.rs` has the counts of MAT
//! Fig. 1 and Table 1, `races.rs` the claims, `printed.rs` what `eTP` loses.

mod components;
mod mats;
mod needed;
pub mod report;
mod switches;
mod system;

use std::collections::BTreeMap;

use components::Components;
use needed::Needed;

pub use mats::{Ends, Mat, Transaction, mats};
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

/// The passes that are kept, with the reason, and the transactions of components of two threads.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    pub passes: BTreeMap<Pass, Reason>,
    pub mats: Vec<Mat>,
}

/// Why a pass is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Because of the mutually atomic transactions with this number.
    Mat(usize),
    /// Because of what follows the access from which the token goes, and the one before that to which it comes
    /// (`None` where the thread starts).
    Switch {
        follower: Access,
        since: Option<Access>,
    },
    /// Because a thread may stop there, before a conflict.
    Standing,
    /// Because a thread is started or joined.
    Order,
}

/// What schedules with the passes that are kept have to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairQuestion {
    /// The past of every access.
    Past,
    /// That, and the past of every two places before which two threads may stand at the same time, if what they would
    /// execute next is a conflict.
    Standing,
}

/// An adequate set of passes, for questions about one thread.
pub fn kept_pairs(system: &System) -> Pairs {
    kept_pairs_for(system, PairQuestion::Past)
}

pub fn kept_pairs_for(system: &System, question: PairQuestion) -> Pairs {
    let mut pairs = Components::of(system).pairs(question);
    let needed = Needed::of(system);
    pairs.passes.retain(|&pass, _| needed.may_be_taken(pass));
    pairs
}
