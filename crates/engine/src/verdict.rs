//! Verdicts and the evidence inside them.

use std::fmt;

use raddle_base::{Span, saved};
use raddle_ir::interpret::{Step, Violation};

use crate::Reason;

/// What an engine claims about one property of one program.
#[derive(Clone, Debug)]
#[must_use]
pub enum Verdict {
    /// No execution violates the property.
    Safe(Proof),
    /// This execution violates the property.
    Unsafe(Trace),
    /// The engine stopped without an answer. Never an error, never a proof.
    Unknown(Reason),
}

impl Verdict {
    /// As in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Why there is no violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The search ended. There is nothing small to check, and the report says so.
    SearchExhausted(Reduction),
    /// The search ended, where one state stood for several.
    SearchUpTo(UpTo),
    /// Happens-before orders all accesses that conflict, in every execution with sequentially consistent values of atomics: a search
    /// with clocks ended.
    HappensBefore(Reduction),
    /// The program has nothing that the property speaks about.
    NothingToCheck,
    /// An invariant of the program as a transition system excludes every violation. Somebody who does not trust the engine has
    /// checked that; the translation of the program is trusted.
    Invariant {
        /// How many conditions it is made of.
        conjuncts: usize,
        /// How many steps without a violation it takes for the next to be none.
        depth: usize,
    },
    /// A decision procedure whose abstraction covers every execution found no violation.
    OverApproximation {
        /// As in: proved by locksets.
        procedure: &'static str,
        /// Why, one reason for each thing that the property speaks about.
        reasons: Vec<ProofReason>,
    },
}

impl Proof {
    /// What a proof by an invariant says.
    pub const BY_INVARIANT: &'static str =
        "invariant of the program as a transition system checked";

    /// What a proof by happens-before says, with what it rests on.
    pub const BY_HAPPENS_BEFORE: &'static str =
        "search exhausted with happens-before, for sequentially consistent values of atomics";
}

/// In what states may differ that counted as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpTo {
    pub reduction: Reduction,
    /// In names of threads and objects only, so nothing was missed.
    pub names: bool,
    /// In whatever hashes do not show: the chance that some state was missed is at most one in two to this power.
    pub hashes: Option<u32>,
}

impl fmt::Display for UpTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("search exhausted")?;
        if self.names {
            f.write_str(" up to names of threads and objects")?;
        }
        if let Some(power) = self.hashes {
            let chance = 0.5_f64.powi(i32::try_from(power).unwrap_or(i32::MAX));
            write!(
                f,
                " by hashes of states, of which one was missed with a chance below {chance:.1e}"
            )?;
        }
        Ok(())
    }
}

/// One reason of a proof, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofReason {
    /// As in: `count` is guarded by `m`.
    pub text: String,
    /// Where the thing is declared.
    pub span: Option<Span>,
}

/// What an engine leaves out because it commutes with the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reduction {
    /// Every interleaving of every step.
    None,
    /// No switch before a step that only touches registers, memory of one thread or memory that nobody writes.
    Local,
    /// Transactions of right and left movers, by conditions that hold in every state.
    Static,
    /// Transactions of right and left movers, by conditions that are checked while exploring (FQ).
    Phase,
    /// Transactions of left movers only, which keeps races and deadlocks (SC).
    Optimistic,
    /// As `Phase`, and with accesses that move from some state on (DR).
    Dynamic,
}

impl Reduction {
    pub const ALL: [Reduction; 6] = [
        Reduction::None,
        Reduction::Local,
        Reduction::Static,
        Reduction::Phase,
        Reduction::Optimistic,
        Reduction::Dynamic,
    ];

    /// As in `--reduction none`.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::None => "none",
            Reduction::Local => "local",
            Reduction::Static => "static",
            Reduction::Phase => "phase",
            Reduction::Optimistic => "optimistic",
            Reduction::Dynamic => "dynamic",
        }
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An execution of the unreduced program and what it is claimed to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Which of the initial states, in the interpreter's order.
    pub initial: usize,
    pub steps: Vec<Step>,
    /// The numbers of the steps that begin a transaction, which goes on to the next one; empty if the engine has none.
    /// For people: no verdict depends on it.
    pub transactions: Vec<usize>,
    /// Shown by the last step, or by the state it leads to (the initial state if there is no step).
    pub violation: Violation,
}

impl Trace {
    /// How often another thread goes on.
    pub fn switches(&self) -> usize {
        self.steps
            .windows(2)
            .filter(|pair| pair[0].thread != pair[1].thread)
            .count()
    }
}

saved!(struct Trace { initial, steps, transactions, violation });
