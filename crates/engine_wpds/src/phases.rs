//! Phase automata: finite automata over the steps of several parties whose only loops stay in a state.
//!
//! # Source
//!
//! AS Def. 3: indexed phase automata, IPA.
//!
//! # Definitions
//!
//! An automaton with `n` transitions has `n + 1` *phases*. In each phase the parties do what they like, but for the
//! letters that are refused there; then one party takes the one step that leads on (AS: the phase transition). The last phase
//! accepts.
//!
//! # Invariants
//!
//! - **(I1)** There is exactly one transition from each phase but the last, so an accepting run makes `n` of them (AS Property 1).
//!
//! # Deviations
//!
//! 1. AS names the letters on which a state loops; here everything is allowed in a phase but what is refused.
//! 2. Two things are said directly that AS §2.1 says by further phases: that an access lies in a unit of work, which the
//!    control state of a process shows; and that two accesses lie in the same one, because between them the end of the
//!    unit is refused. So both units are exact, and no bracket costs a phase.
//!
//! # Tested by
//!
//! `crates/testkit/tests/pushdown.rs` and `automata.rs`.

use crate::system::{AccessKind, CellId, Control, EventId, Label, is_beside};

/// Steps that an automaton speaks about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Letter {
    Begin,
    End,
    Access {
        /// Any of these; not empty.
        cells: Vec<CellId>,
        /// Reads or writes; `None` is any access.
        kind: Option<AccessKind>,
        /// Only inside a unit of work.
        is_in_unit: bool,
        /// Only while this process may be alive.
        beside: Option<usize>,
    },
    Event(EventId),
}

impl Letter {
    /// Whether a step with this label, taken in this control state, is one of those meant.
    pub fn matches(&self, label: Label, control: &Control) -> bool {
        match (self, label) {
            (Letter::Begin, Label::Begin) | (Letter::End, Label::End) => true,
            (
                Letter::Access {
                    cells,
                    kind,
                    is_in_unit,
                    beside,
                },
                Label::Access(access),
            ) => {
                cells.contains(&access.cell)
                    && kind.is_none_or(|kind| access.kind.is(kind))
                    && (!is_in_unit || control.is_in_unit)
                    && beside.is_none_or(|it| is_beside(access.beside, it))
            }
            (Letter::Event(event), Label::Event(happened)) => *event == happened,
            (
                Letter::Begin | Letter::End | Letter::Access { .. } | Letter::Event(_),
                Label::Silent
                | Label::Acquire(_)
                | Label::Release(_)
                | Label::Begin
                | Label::End
                | Label::Access(_)
                | Label::Event(_),
            ) => false,
        }
    }
}

/// A phase and the step that ends it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phase {
    /// What nobody does before the step: the party and the letter.
    pub refused: Vec<(usize, Letter)>,
    /// Who takes the step, by its number among the parties.
    pub party: usize,
    pub letter: Letter,
}

/// All phases but the last, in which everything is allowed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhaseAutomaton {
    /// As in reports.
    pub name: String,
    pub parties: usize,
    pub phases: Vec<Phase>,
}

/// What one party sees of an automaton: its own steps, and that others take theirs (AS §7.1).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    pub phases: Vec<SidePhase>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SidePhase {
    pub refused: Vec<Letter>,
    /// The step that ends the phase; `None` if another party takes it.
    pub own: Option<Letter>,
}

impl PhaseAutomaton {
    pub fn side(&self, party: usize) -> Side {
        let phases = self.phases.iter().map(|phase| SidePhase {
            refused: phase
                .refused
                .iter()
                .filter(|(of, _)| *of == party)
                .map(|(_, letter)| letter.clone())
                .collect(),
            own: (phase.party == party).then(|| phase.letter.clone()),
        });
        Side {
            phases: phases.collect(),
        }
    }
}

impl Side {
    /// Whether a step is a letter of some phase, its own or refused.
    pub fn mentions(&self, label: Label, control: &Control) -> bool {
        self.phases.iter().any(|phase| {
            let letters = phase.refused.iter().chain(&phase.own);
            letters.into_iter().any(|it| it.matches(label, control))
        })
    }

    /// Whether a step is allowed in a phase. In the last one everything is.
    pub fn allows(&self, phase: usize, label: Label, control: &Control) -> bool {
        self.phases.get(phase).is_none_or(|it| {
            !it.refused
                .iter()
                .any(|letter| letter.matches(label, control))
        })
    }
}
