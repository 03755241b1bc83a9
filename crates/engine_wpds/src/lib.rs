//! The pushdown engine: atomic-set serializability, decided for an abstraction of the program (AS).
//!
//! Data is forgotten; calls, locks and units of work are kept. What remains are processes that are pushdown systems
//! and share locks, for which it is decidable whether units of work can be interleaved in one of the problematic ways.
//!
//! - [`abstraction`]: from a program to processes;
//! - [`system`]: processes; [`reentrant`]: their reentrant locks and units, reduced to the outermost;
//! - [`phases`]: automata over interleavings; [`patterns`]: those of the paper, and what every circle of units contains;
//!   [`given`]: those of a user;
//! - [`history`]: what of a stretch of a process decides whether it can be interleaved; [`interleave`]: how;
//! - [`product`]: processes with automata, one by one; [`sided`]: as weighted pushdown systems;
//! - [`minimal`]: the decision procedure with least [`stretch`]es as weights; [`symbolic`]: with decision diagrams;
//! - [`execution`]: what processes that share locks do, step by step; [`confirm`]: what the program itself does.
//!
//! # Source
//!
//! AS as a whole; \[Kidd08\] for reentrant locks. Weighted pushdown systems themselves are in the crate `wpds`.
//!
//! # Definitions
//!
//! | AS | here |
//! |---|---|
//! | PDS (Def. 1), multi-PDS (Def. 2) | [`system::Process`]; a slice of processes and the number of locks they share |
//! | reentrant and non-reentrant semantics (§3.1.1, §3.1.2) | `testkit::processes`, for tests; [`execution`] |
//! | language strength reduction (§3.1.2) | [`reentrant`] |
//! | indexed phase automaton, IPA (Def. 3); phase transition | [`phases::PhaseAutomaton`]; [`phases::Phase`] with the step that ends it |
//! | the fourteen access patterns (§2.1) | [`patterns::PatternSet`] |
//! | lock history `(R, RH, U, AH, A, HT)` (§6) | [`history::LockHistory`]; `R` and `A` are read off `RH` and `AH` (Remark 4) |
//! | `η`, `post_η` (Fig. 3) | [`history::LockHistory::step`]; put together from parts, [`stretch::Stretch`] |
//! | `Compat(LH_1, …, LH_N)` (Def. 4, conditions 1 to 5; §9) | [`history::are_compatible`]; as decision diagrams, `Symbolic::conditions` |
//! | path incompatibility (§5), the decomposition theorem (Thm. 1) | [`interleave`], which makes the interleaving |
//! | `P^A`, a PDS with an IPA, and its guesses (§7.1); `ptrans` | [`product::Indexed::moves`]; [`history::LockHistory::next_phase`] |
//! | Algorithm 1 | [`product::tuples`] and [`product::are_all_compatible`]; the definition that tests compare with |
//! | semiring, WPDS, multi-arity relations (Def. 5 to 8) | `wpds::semiring`, `wpds::pushdown`, `wpds::relations` |
//! | Algorithm 2 | [`symbolic`]; with other weights, [`minimal`] |
//!
//! # Invariants
//!
//! - **(A1)** Every execution of the program, up to the first undefined thing, is one of the processes ([`abstraction`]). So what no
//!   interleaving of the processes does, the program does not do.
//! - **(A2)** What processes can do is not called a violation before the program itself has done it ([`confirm`]), and `certify` has
//!   replayed it.
//!
//! # Deviations
//!
//! 1. Algorithm 1 is not used to decide. [`minimal`] is Algorithm 2 with antichains of least stretches as weights; where there are
//!    too many of these, [`symbolic`], which is the paper's.
//! 2. AS takes the fourteen patterns, and that a unit that writes one location writes all. Here all thirty-two are looked for, and units in
//!    circles of three and more ([`patterns`]); `PatternSet` chooses.
//! 3. What lies in a unit of work, and in the same one as before, is asked of the control state and of a refused end instead of by
//!    further phases ([`phases`]); once the last phase is reached nobody needs to go on ([`product`]).
//! 4. AS models Java; locks here may be anything that the program computes. What is not understood of them is forgotten, which
//!    allows more interleavings, never fewer ([`reentrant`], [`abstraction::locks`]).
//!
//! # Tested by
//!
//! `crates/testkit/tests/pushdown.rs`: both procedures and Algorithm 1 against all interleavings of small systems;
//! `atomic_sets.rs` and `automata.rs` there: the engine against all executions of random programs; `tests/` of this crate for histories,
//! stretches and patterns.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod abstraction;
mod asking;
pub mod confirm;
pub mod execution;
pub mod given;
pub mod history;
pub mod interleave;
pub mod minimal;
pub mod partial;
pub mod patterns;
pub mod phases;
pub mod product;
pub mod reach;
pub mod reentrant;
mod report;
mod search;
pub mod sided;
pub mod stretch;
pub mod symbolic;
pub mod system;

use raddle_diag::Diagnostic;
use raddle_engine::{
    Answer, Budget, Claims, Counters, Engine, EngineId, Events, Note, Proof, Property, Reason,
    Reduction, Task, Undefined, Verdict,
};

use given::decide::decide_given;
use given::resolve::Given;
use patterns::PatternSet;
use search::{SetQuestion, Whole, decide_set};

/// Decides `atomic-sets` and no other property.
#[derive(Clone, Debug, Default)]
pub struct PushdownEngine {
    pub patterns: PatternSet,
    pub undefined: Undefined,
    /// What must not happen besides; part of what is said of `atomic-sets`.
    pub automata: Vec<Given>,
    pub limits: Limits,
}

/// What may be held of what processes can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// More stretches of one side than this are not told one by one, but by decision diagrams.
    pub stretches: usize,
    /// Of decision diagrams, some 40 bytes each with what is remembered of them.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            stretches: 20_000,
            nodes: 1 << 24,
        }
    }
}

impl Engine for PushdownEngine {
    fn id(&self) -> EngineId {
        EngineId::Pushdown
    }

    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    fn decides(&self, property: Property) -> bool {
        property == Property::AtomicSets
    }

    fn is_asked_more(&self, property: Property) -> bool {
        property == Property::AtomicSets && !self.automata.is_empty()
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims {
        let mut answer = Answer::default();
        if task.semantics.properties.contains(&Property::AtomicSets) {
            let (counters, notes) = (&mut answer.counters, &mut answer.notes);
            let verdict = self.sets(task, budget, events, counters, notes);
            answer.verdicts.insert(Property::AtomicSets, verdict);
        }
        Claims::new(answer)
    }
}

impl PushdownEngine {
    /// One set after the other, then the automata: one violation is enough, and one without an answer leaves all
    /// without.
    fn sets(
        &self,
        task: &Task<'_>,
        budget: &Budget,
        events: &mut dyn Events,
        counters: &mut Counters,
        notes: &mut Vec<Note>,
    ) -> Verdict {
        let program = task.program;
        let whole = Whole::new(program, self.undefined);
        let question = SetQuestion {
            patterns: self.patterns,
            undefined: self.undefined,
            limits: self.limits,
            semantics: &task.semantics,
            budget,
        };
        let mut unknown = None;
        let mut proofs: Vec<Proof> = Vec::new();
        for set in program.atomic_sets.ids() {
            events.progress(counters);
            if let Err(exhausted) = budget.check() {
                return Verdict::Unknown(unknown.unwrap_or_else(|| exhausted.into()));
            }
            let outcome = decide_set(&whole, set, &question, counters);
            let admitted = admitted_note(&program.atomic_sets[set].name, &outcome);
            notes.extend(admitted.map(Note::from));
            match outcome.verdict {
                Verdict::Unsafe(trace) => {
                    events.violated(&trace);
                    return Verdict::Unsafe(trace);
                }
                Verdict::Unknown(reason) => {
                    unknown.get_or_insert(reason);
                    notes.extend(
                        outcome
                            .partial
                            .iter()
                            .map(|writer| note_of(&program.atomic_sets[set].name, writer).into()),
                    );
                }
                Verdict::Safe(proof) => proofs.push(proof),
            }
        }
        for given in &self.automata {
            events.progress(counters);
            if let Err(exhausted) = budget.check() {
                return Verdict::Unknown(unknown.unwrap_or_else(|| exhausted.into()));
            }
            match decide_given(&whole, given, &question, counters) {
                Verdict::Safe(proof) => proofs.push(proof),
                Verdict::Unknown(reason) => {
                    unknown.get_or_insert(reason);
                }
                Verdict::Unsafe(trace) => return Verdict::Unsafe(trace),
            }
        }
        match (unknown, together(proofs)) {
            (None, Some(proof)) => Verdict::Safe(proof),
            (unknown, _) => Verdict::Unknown(unknown.unwrap_or(Reason::NotDecidedByEngine)),
        }
    }
}

/// Which patterns locks and calls do not exclude, if the set is not safe all the same.
fn admitted_note(set: &str, outcome: &search::Outcome) -> Option<Diagnostic> {
    if outcome.admitted.is_empty() || matches!(outcome.verdict, Verdict::Safe(_)) {
        return None;
    }
    let count = outcome.admitted.len();
    let word = if count == 1 { "pattern" } else { "patterns" };
    let mut note = Diagnostic::warning(
        "atomic-sets",
        format!("locks and calls admit {count} problematic {word} of accesses to `{set}`"),
    );
    note.notes.extend(outcome.admitted.iter().cloned());
    Some(note)
}

fn note_of(set: &str, writer: &partial::PartialWriter) -> Diagnostic {
    let note = Diagnostic::warning(
        "atomic-sets",
        format!(
            "a unit of work of `{}` may write `{}` and not `{}`, which are both in `{set}`",
            writer.thread, writer.written, writer.missing
        ),
    );
    match writer.span {
        Some(span) => note.at(span, "the unit begins here"),
        None => note,
    }
}

/// One proof of all: by the abstraction only if every set was proved by it.
fn together(proofs: Vec<Proof>) -> Option<Proof> {
    let mut sum: Option<Proof> = None;
    for proof in proofs {
        sum = Some(match (sum, proof) {
            (
                Some(Proof::OverApproximation {
                    procedure,
                    mut reasons,
                }),
                Proof::OverApproximation { reasons: more, .. },
            ) => {
                reasons.extend(more);
                Proof::OverApproximation { procedure, reasons }
            }
            (None | Some(Proof::OverApproximation { .. }), proof) => proof,
            (Some(search), _) => search,
        });
    }
    sum
}
