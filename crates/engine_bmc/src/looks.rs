//! What states are looked at for, and what is noted for the looks while a step is built.

use raddle_base::Arena;
use raddle_encode::names::ThreadIndex;
use raddle_encode::state::Whereabouts;
use raddle_encode::touch::{Access, Chosen, Wanted};
use raddle_engine::{Property, Reduction, Semantics};
use raddle_logic::TermId;

/// What states are looked at for, and what was noted of the step that is being built.
pub(crate) struct Looks {
    properties: Vec<Property>,
    pub(crate) reduction: Reduction,
    /// What all threads stand before.
    pub(crate) accesses: Vec<Access>,
    /// What the running thread chose for its first step.
    pub(crate) choices: Vec<Chosen>,
    /// Under which conditions the running thread gets through its first step.
    pub(crate) firsts: Vec<TermId>,
    /// Whether each thread can move, or goes wrong.
    pub(crate) moves: Arena<ThreadIndex, TermId>,
    /// Where threads stand, and where invariants are broken there.
    pub(crate) standing: Arena<ThreadIndex, Whereabouts>,
    pub(crate) broken: Option<TermId>,
}

impl Looks {
    pub(crate) fn new(semantics: &Semantics, reduction: Reduction) -> Self {
        Self {
            properties: semantics.properties.clone(),
            reduction,
            accesses: Vec::new(),
            choices: Vec::new(),
            firsts: Vec::new(),
            moves: Arena::new(),
            standing: Arena::new(),
            broken: None,
        }
    }

    /// Whether a property is asked for.
    pub(crate) fn has(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }

    /// What has to be noted of edges.
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            accesses: self.has(Property::Race),
            choices: self.has(Property::Deadlock),
        }
    }

    pub(crate) fn note_accesses(&mut self, accesses: Vec<Access>) {
        self.accesses.extend(accesses);
    }

    pub(crate) fn note_choices(&mut self, choices: impl IntoIterator<Item = Chosen>) {
        self.choices.extend(choices);
    }

    /// The running thread gets through its first step where the guard holds.
    pub(crate) fn note_first(&mut self, guard: TermId) {
        if self.has(Property::Deadlock) {
            self.firsts.push(guard);
        }
    }
}
