//! What a state is seen by: truth values of it, before and after a step.
//!
//! Both abstractions are sets of labels. With the bits of all state variables no two states look the same. With fewer
//! labels a step of the abstraction leads from what some state looks like to what its successor looks like, so the
//! question for an abstract step is the question for a step between two states of which only the labels are told:
//! implicit abstraction needs no other copy of the state.

use raddle_base::{Arena, FastMap};
use raddle_logic::{Operation, Substitution, Term, TermId, TransitionSystem};

use crate::cube::{Cube, LabelId};

/// A truth value of the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    /// Over state variables.
    pub(crate) current: TermId,
    /// What it is after a step, over state variables and inputs.
    pub(crate) next: TermId,
}

/// The labels of a search. They only become more.
pub(crate) struct Labels {
    all: Arena<LabelId, Label>,
    known: FastMap<TermId, LabelId>,
    /// State variables become what they are after a step.
    after: Substitution,
}

impl Labels {
    pub(crate) fn new(system: &TransitionSystem) -> Self {
        let mut after = Substitution::new();
        for it in &system.state {
            after.replace(&system.terms, it.variable, it.next);
        }
        Self {
            all: Arena::new(),
            known: FastMap::default(),
            after,
        }
    }

    /// Adds a label, unless it or its negation is one, or it is always the same. Whether it was new.
    pub(crate) fn add(&mut self, system: &mut TransitionSystem, condition: TermId) -> bool {
        let condition = positive(system, condition);
        if system.terms.constant_value(condition).is_some() || self.knows(system, condition) {
            return false;
        }
        let next = self.after(system, condition);
        let label = self.all.push(Label {
            current: condition,
            next,
        });
        self.known.insert(condition, label);
        true
    }

    pub(crate) fn knows(&self, system: &TransitionSystem, condition: TermId) -> bool {
        self.known.contains_key(&positive(system, condition))
    }

    /// What a term over the state is worth after a step.
    pub(crate) fn after(&mut self, system: &mut TransitionSystem, term: TermId) -> TermId {
        system.terms.substitute(&mut self.after, term)
    }

    pub(crate) fn label(&self, id: LabelId) -> Label {
        self.all[id]
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = LabelId> + use<> {
        self.all.ids()
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The literals of a cube as terms over the state.
    pub(crate) fn terms_of(&self, system: &mut TransitionSystem, cube: &Cube) -> Vec<TermId> {
        let mut found = Vec::with_capacity(cube.len());
        for literal in cube.literals() {
            let condition = self.all[literal.label].current;
            found.push(if literal.is_true {
                condition
            } else {
                system.terms.not(condition)
            });
        }
        found
    }

    /// The clause that excludes a cube, as a term over the state.
    pub(crate) fn clause(&self, system: &mut TransitionSystem, cube: &Cube) -> TermId {
        let literals = self.terms_of(system, cube);
        let all = system.terms.all(&literals);
        system.terms.not(all)
    }
}

/// The condition without its negation.
fn positive(system: &TransitionSystem, condition: TermId) -> TermId {
    match system.terms.term(condition) {
        Term::Apply(Operation::Not, arguments) => arguments[0],
        Term::Constant(_) | Term::Variable(_) | Term::Apply(..) => condition,
    }
}

/// All bits of the state.
pub(crate) fn bits(system: &mut TransitionSystem) -> Vec<TermId> {
    let words: Vec<TermId> = system.state.iter().map(|it| it.current).collect();
    words
        .into_iter()
        .flat_map(|word| bits_of(system, word))
        .collect()
}

/// The bits of one term, lowest first.
pub(crate) fn bits_of(system: &mut TransitionSystem, word: TermId) -> Vec<TermId> {
    let width = system.terms.width(word);
    (0..width)
        .map(|bit| system.terms.extract(word, bit, 1))
        .collect()
}
