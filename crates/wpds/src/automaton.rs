//! Sets of configurations: the automata that [`crate::post_star`] and [`crate::pre_star`] start from and give.
//!
//! An automaton accepts a configuration if it reads its stack, from the top down, on the way from the state of its
//! control state to a final one. The first states are those of the control states, in their order.

use raddle_base::{Arena, FastMap, Id, define_id};

use crate::pushdown::{ControlId, Pushdown, SymbolId};
use crate::semiring::Semiring;

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

/// For each state the sum of the weights of all its ways to a final one.
#[derive(Clone, Debug)]
pub struct Sums<'a, W> {
    automaton: &'a Automaton<W>,
    /// Of states that a transition leads to; `None` is zero.
    from: Vec<Option<W>>,
    is_entered: Vec<bool>,
}

impl<'a, W: Clone + PartialEq> Sums<'a, W> {
    fn new<S: Semiring<Weight = W>>(
        semiring: &S,
        automaton: &'a Automaton<W>,
    ) -> Result<Self, S::Error> {
        let states = automaton.state_count();
        let mut sums = Sums {
            automaton,
            from: vec![None; states],
            is_entered: vec![false; states],
        };
        for transition in automaton.transitions.values() {
            sums.is_entered[transition.to.index()] = true;
        }
        let mut entering: Vec<Vec<(StateId, W)>> = vec![Vec::new(); states];
        for state in (0..states).filter(|it| sums.is_entered[*it]) {
            let state = StateId::from_index(state);
            for (to, weight) in sums.leaving_by_target(semiring, [state])? {
                entering[to.index()].push((state, weight));
            }
        }
        // What was added to the sum of a state since it was handed on to the states before it.
        let mut news: Vec<Option<W>> = vec![None; states];
        let mut queue = std::collections::VecDeque::new();
        for state in (0..states).filter(|it| automaton.is_final[*it] && sums.is_entered[*it]) {
            sums.from[state] = Some(semiring.one());
            news[state] = Some(semiring.one());
            queue.push_back(state);
        }
        while let Some(state) = queue.pop_front() {
            let Some(new) = news[state].take() else {
                continue;
            };
            for (before, weight) in &entering[state] {
                let before = before.index();
                let longer = automaton.above(semiring, weight, &new)?;
                if semiring.is_zero(&longer) {
                    continue;
                }
                let sum = match &sums.from[before] {
                    Some(old) => semiring.combine(old, &longer)?,
                    None => longer.clone(),
                };
                if sums.from[before].as_ref() == Some(&sum) {
                    continue;
                }
                sums.from[before] = Some(sum);
                news[before] = Some(if let Some(waiting) = news[before].take() {
                    semiring.combine(&waiting, &longer)?
                } else {
                    queue.push_back(before);
                    longer
                });
            }
        }
        Ok(sums)
    }

    /// The sum over all configurations with this control state.
    pub fn of_control<S: Semiring<Weight = W>>(
        &self,
        semiring: &S,
        control: ControlId,
    ) -> Result<W, S::Error> {
        self.of_controls(semiring, [control])
    }

    /// The sum over all configurations with one of these control states. Cheaper than the sum of the sums.
    pub fn of_controls<S: Semiring<Weight = W>>(
        &self,
        semiring: &S,
        controls: impl IntoIterator<Item = ControlId>,
    ) -> Result<W, S::Error> {
        let mut sum = semiring.zero();
        let mut others = Vec::new();
        for control in controls {
            let state = state_of(control);
            if self.is_entered[state.index()] {
                if let Some(known) = &self.from[state.index()] {
                    sum = semiring.combine(&sum, known)?;
                }
                continue;
            }
            if self.automaton.is_final(state) {
                sum = semiring.combine(&sum, &semiring.one())?;
            }
            sum = semiring.combine(&sum, &self.automaton.silent(semiring, state)?)?;
            others.push(state);
        }
        for (to, weight) in self.leaving_by_target(semiring, others)? {
            if let Some(rest) = &self.from[to.index()] {
                let longer = self.automaton.above(semiring, &weight, rest)?;
                sum = semiring.combine(&sum, &longer)?;
            }
        }
        Ok(sum)
    }

    /// The transitions that read something, those with the same target combined.
    fn leaving_by_target<S: Semiring<Weight = W>>(
        &self,
        semiring: &S,
        states: impl IntoIterator<Item = StateId>,
    ) -> Result<Vec<(StateId, W)>, S::Error> {
        let mut place: FastMap<StateId, usize> = FastMap::default();
        let mut targets: Vec<(StateId, W)> = Vec::new();
        for state in states {
            for id in self.automaton.leaving(state) {
                let transition = &self.automaton.transitions[*id];
                if transition.label.is_none() {
                    continue;
                }
                if let Some(at) = place.get(&transition.to) {
                    let sum = semiring.combine(&targets[*at].1, &transition.weight)?;
                    targets[*at].1 = sum;
                } else {
                    place.insert(transition.to, targets.len());
                    targets.push((transition.to, transition.weight.clone()));
                }
            }
        }
        Ok(targets)
    }
}
