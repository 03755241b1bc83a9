//! The only way from an engine's claim to a report: traces are replayed on the unreduced program by the
//! reference interpreter. Knows no engine.
//!
//! Proofs without a bound over transition systems are checked by [`certificate`], down to refutations that [`lrat`]
//! follows step by step.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod certificate;
pub mod lrat;
mod replay;

use std::fmt;

use raddle_engine::{Budget, Proof, Reason, Trace, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};

pub use replay::{Mismatch, replay};

/// How far a verdict is backed by code other than the engine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The evidence was checked by code that shares nothing with the engine but the definition of what programs mean.
    Checked,
    /// There is no evidence to check. The report says so.
    Trusted,
}

impl Standing {
    /// As in reports.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Checked => "checked",
            Standing::Trusted => "trusted",
        }
    }
}

/// A verdict on a property with its standing. Reports accept nothing else.
#[derive(Clone, Debug)]
#[must_use]
pub struct Audited {
    property: Property,
    verdict: Verdict,
    standing: Standing,
}

impl Audited {
    /// Checks the evidence inside a verdict on `property` of `program`.
    ///
    /// # Errors
    ///
    /// If the evidence does not support the verdict. Evidence that is too large to be checked makes it unknown.
    pub fn new(
        program: &Program,
        semantics: &Semantics,
        property: Property,
        verdict: Verdict,
    ) -> Result<Self, Rejected> {
        Self::within(program, semantics, property, verdict, &Budget::unlimited())
    }

    /// The same, and evidence that cannot be checked within the budget makes the verdict unknown.
    ///
    /// # Errors
    ///
    /// If the evidence does not support the verdict.
    pub fn within(
        program: &Program,
        semantics: &Semantics,
        property: Property,
        verdict: Verdict,
        budget: &Budget,
    ) -> Result<Self, Rejected> {
        let standing = match &verdict {
            Verdict::Unsafe(trace) => match check(program, semantics, property, trace, budget) {
                Ok(()) => Standing::Checked,
                Err(Mismatch::Undecided(reason)) => return Ok(Self::unknown(property, reason)),
                Err(mismatch) => {
                    return Err(Rejected {
                        property,
                        verdict: Box::new(verdict),
                        mismatch,
                    });
                }
            },
            Verdict::Safe(
                Proof::SearchExhausted(_)
                | Proof::SearchUpTo(_)
                | Proof::HappensBefore(_)
                | Proof::Invariant { .. }
                | Proof::NothingToCheck
                | Proof::OverApproximation { .. },
            )
            | Verdict::Unknown(_) => Standing::Trusted,
        };
        Ok(Self {
            property,
            verdict,
            standing,
        })
    }

    /// No answer needs no evidence.
    pub fn unknown(property: Property, reason: Reason) -> Self {
        Self {
            property,
            verdict: Verdict::Unknown(reason),
            standing: Standing::Trusted,
        }
    }

    pub fn property(&self) -> Property {
        self.property
    }

    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    pub fn standing(&self) -> Standing {
        self.standing
    }
}

fn check(
    program: &Program,
    semantics: &Semantics,
    property: Property,
    trace: &Trace,
    budget: &Budget,
) -> Result<(), Mismatch> {
    if trace.violation.property != property {
        return Err(Mismatch::OtherProperty {
            claimed: trace.violation.property,
        });
    }
    replay::replay_within(program, semantics, trace, budget)
}

/// An engine claimed something that its evidence does not support: a bug of ours, reported as such, never as a
/// verdict.
#[derive(Clone, Debug)]
pub struct Rejected {
    pub property: Property,
    pub verdict: Box<Verdict>,
    pub mismatch: Mismatch,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the trace claimed against `{}` does not replay: {}",
            self.property, self.mismatch
        )
    }
}

impl std::error::Error for Rejected {}
