//! Sums over all stacks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use raddle_base::{FastMap, Id, components};

use super::{Automaton, StateId, state_of};
use crate::pushdown::ControlId;
use crate::semiring::Semiring;

/// For each state the sum of the weights of all its ways to a final one.
#[derive(Clone, Debug)]
pub struct Sums<'a, W> {
    automaton: &'a Automaton<W>,
    /// Of states that a transition leads to; `None` is zero.
    from: Vec<Option<W>>,
    is_entered: Vec<bool>,
}

impl<'a, W: Clone + PartialEq> Sums<'a, W> {
    pub(super) fn new<S: Semiring<Weight = W>>(
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
        // States nearer to the end first: a sum is handed on when nothing but a loop can add to it.
        let graph: Vec<Vec<usize>> = (0..states)
            .map(|state| {
                let leaving = automaton.leaving[state].iter();
                leaving
                    .map(|id| automaton.transitions[*id].to.index())
                    .collect()
            })
            .collect();
        let mut rank = vec![0; states];
        for (place, members) in components(&graph).into_iter().enumerate() {
            for state in members {
                rank[state] = place;
            }
        }
        let mut queue = BinaryHeap::new();
        for state in (0..states).filter(|it| automaton.is_final[*it] && sums.is_entered[*it]) {
            sums.from[state] = Some(semiring.one());
            news[state] = Some(semiring.one());
            queue.push(Reverse((rank[state], state)));
        }
        while let Some(Reverse((_, state))) = queue.pop() {
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
                    queue.push(Reverse((rank[before], before)));
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
