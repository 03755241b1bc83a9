//! Sets of configurations: the automata that [`crate::post_star`] and [`crate::pre_star`] start from and give.
//!
//! An automaton accepts a configuration if it reads its stack, from the top down, on the way from the state of its
//! control state to a final one. The first states are those of the control states, in their order.

mod sums;

use raddle_base::{Arena, FastMap, Id, define_id};

use crate::pushdown::{ControlId, Pushdown, SymbolId};
use crate::semiring::Semiring;

pub use sums::Sums;

define_id!(
    /// A state of an automaton.
    StateId,
    "q"
);
define_id!(
    /// A transition of an automaton.
    TransitionId,
    "t"
);

/// The state of a control state.
pub fn state_of(control: ControlId) -> StateId {
    StateId::from_index(control.index())
}

/// A regular set of configurations to start from.
///
/// The weight of a configuration is that of its paths, read as in the automaton that comes out: from the bottom of the
/// stack to its top for [`crate::post_star`], from the top to the bottom for [`crate::pre_star`]. Runs then have this
/// weight before them (`post*`) or after them (`pre*`).
#[derive(Clone, Debug)]
pub struct Configurations<W> {
    controls: usize,
    pub(crate) is_final: Vec<bool>,
    pub(crate) transitions: Vec<(StateId, SymbolId, StateId, W)>,
}

impl<W: Clone> Configurations<W> {
    /// No configuration yet.
    pub fn none(system: &Pushdown<W>) -> Self {
        let controls = system.control_count();
        Self {
            controls,
            is_final: vec![false; controls],
            transitions: Vec::new(),
        }
    }

    /// One configuration, its stack from the top down, with this weight.
    pub fn one<S: Semiring<Weight = W>>(
        semiring: &S,
        system: &Pushdown<W>,
        control: ControlId,
        stack: &[SymbolId],
        weight: &W,
    ) -> Self {
        let mut all = Self::none(system);
        let mut state = state_of(control);
        for (depth, symbol) in stack.iter().enumerate() {
            let next = all.add_state();
            let weight = if depth == 0 {
                weight.clone()
            } else {
                semiring.one()
            };
            all.add_transition(state, *symbol, next, weight);
            state = next;
        }
        all.make_final(state);
        all
    }

    pub fn add_state(&mut self) -> StateId {
        self.is_final.push(false);
        StateId::from_index(self.is_final.len() - 1)
    }

    /// Panics if `to` is the state of a control state: saturation relies on there being no such transitions.
    pub fn add_transition(&mut self, from: StateId, symbol: SymbolId, to: StateId, weight: W) {
        let states = self.is_final.len();
        assert!(from.index() < states && to.index() < states, "its states");
        assert!(to.index() >= self.controls, "no way back to a control");
        self.transitions.push((from, symbol, to, weight));
    }

    pub fn make_final(&mut self, state: StateId) {
        self.is_final[state.index()] = true;
    }
}

/// In which order the weights along a path are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// What was pushed first comes first: `post*`.
    FromTheBottom,
    /// What is popped first comes first: `pre*`.
    FromTheTop,
}

/// Configurations with weights.
#[derive(Clone, Debug)]
pub struct Automaton<W> {
    controls: usize,
    is_final: Vec<bool>,
    transitions: Arena<TransitionId, Transition<W>>,
    index: FastMap<(StateId, Option<SymbolId>, StateId), TransitionId>,
    /// In the order in which they came about.
    leaving: Vec<Vec<TransitionId>>,
    reading: Reading,
}

#[derive(Clone, Debug)]
pub struct Transition<W> {
    pub from: StateId,
    /// `None` reads nothing. Such transitions leave control states only, and all that they allow with a transition
    /// after them is a transition itself.
    pub label: Option<SymbolId>,
    pub to: StateId,
    pub weight: W,
}

impl<W: Clone> Automaton<W> {
    pub(crate) fn new(controls: usize, is_final: Vec<bool>, reading: Reading) -> Self {
        Self {
            controls,
            transitions: Arena::new(),
            index: FastMap::default(),
            leaving: vec![Vec::new(); is_final.len()],
            is_final,
            reading,
        }
    }

    pub fn state_count(&self) -> usize {
        self.is_final.len()
    }

    pub fn transitions(&self) -> &Arena<TransitionId, Transition<W>> {
        &self.transitions
    }

    pub fn is_final(&self, state: StateId) -> bool {
        self.is_final[state.index()]
    }

    pub fn leaving(&self, state: StateId) -> &[TransitionId] {
        &self.leaving[state.index()]
    }

    /// Whether this is the state of a control state.
    pub fn is_control(&self, state: StateId) -> bool {
        state.index() < self.controls
    }

    pub fn transition(
        &self,
        from: StateId,
        label: Option<SymbolId>,
        to: StateId,
    ) -> Option<TransitionId> {
        self.index.get(&(from, label, to)).copied()
    }

    pub(crate) fn add_state(&mut self) -> StateId {
        self.is_final.push(false);
        self.leaving.push(Vec::new());
        StateId::from_index(self.is_final.len() - 1)
    }

    pub(crate) fn add_transition(&mut self, transition: Transition<W>) -> TransitionId {
        let Transition {
            from, label, to, ..
        } = transition;
        let id = self.transitions.push(transition);
        self.index.insert((from, label, to), id);
        self.leaving[from.index()].push(id);
        id
    }

    pub(crate) fn set_weight(&mut self, transition: TransitionId, weight: W) {
        self.transitions[transition].weight = weight;
    }

    /// Whether the configuration with this stack, from the top down, is in the set.
    pub fn accepts(&self, control: ControlId, stack: &[SymbolId]) -> bool {
        let mut reached = vec![state_of(control)];
        for symbol in stack {
            let mut next = Vec::new();
            let mut seen = vec![false; self.state_count()];
            for state in reached {
                for id in self.leaving(state) {
                    let transition = &self.transitions[*id];
                    let to = transition.to.index();
                    if transition.label == Some(*symbol) && !seen[to] {
                        seen[to] = true;
                        next.push(transition.to);
                    }
                }
            }
            reached = next;
        }
        let nothing_more = |state: &StateId| {
            let silent = |id: &TransitionId| {
                let transition = &self.transitions[*id];
                transition.label.is_none() && self.is_final(transition.to)
            };
            self.is_final(*state) || stack.is_empty() && self.leaving(*state).iter().any(silent)
        };
        reached.iter().any(nothing_more)
    }

    /// The weight of the configuration with this stack, from the top down.
    pub fn weight<S: Semiring<Weight = W>>(
        &self,
        semiring: &S,
        control: ControlId,
        stack: &[SymbolId],
    ) -> Result<W, S::Error> {
        let start = state_of(control);
        let mut reached = vec![(start, semiring.one())];
        for symbol in stack {
            let mut next: Vec<(StateId, W)> = Vec::new();
            let mut place: Vec<Option<usize>> = vec![None; self.state_count()];
            for (state, so_far) in reached {
                for id in self.leaving(state) {
                    let transition = &self.transitions[*id];
                    if transition.label != Some(*symbol) {
                        continue;
                    }
                    let longer = self.above(semiring, &so_far, &transition.weight)?;
                    if let Some(at) = place[transition.to.index()] {
                        next[at].1 = semiring.combine(&next[at].1, &longer)?;
                    } else {
                        place[transition.to.index()] = Some(next.len());
                        next.push((transition.to, longer));
                    }
                }
            }
            reached = next;
        }
        let mut sum = semiring.zero();
        for (state, weight) in reached {
            if self.is_final(state) {
                sum = semiring.combine(&sum, &weight)?;
            }
        }
        if stack.is_empty() {
            sum = semiring.combine(&sum, &self.silent(semiring, start)?)?;
        }
        Ok(sum)
    }

    /// The weights of a path and of the transition after it, below it on the stack.
    fn above<S: Semiring<Weight = W>>(
        &self,
        semiring: &S,
        above: &W,
        below: &W,
    ) -> Result<W, S::Error> {
        match self.reading {
            Reading::FromTheBottom => semiring.extend(below, above),
            Reading::FromTheTop => semiring.extend(above, below),
        }
    }

    /// The weight of the empty stack through transitions that read nothing.
    fn silent<S: Semiring<Weight = W>>(&self, semiring: &S, state: StateId) -> Result<W, S::Error> {
        let mut sum = semiring.zero();
        for id in self.leaving(state) {
            let transition = &self.transitions[*id];
            if transition.label.is_none() && self.is_final(transition.to) {
                sum = semiring.combine(&sum, &transition.weight)?;
            }
        }
        Ok(sum)
    }
}

impl<W: Clone + PartialEq> Automaton<W> {
    /// Prepares sums over all stacks: `A({⟨p, u⟩ | u ∈ Γ*})` of AS Algorithm 2.
    pub fn sums<S: Semiring<Weight = W>>(&self, semiring: &S) -> Result<Sums<'_, W>, S::Error> {
        Sums::new(semiring, self)
    }
}
