//! What `post*` and `pre*` share: an automaton whose transitions and weights grow until nothing is new.
//!
//! What is handed on when a transition is looked at is what its weight gained since it was looked at last. That is
//! enough, because sums are idempotent and products distribute over them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use raddle_base::Id;

use crate::automaton::{Automaton, StateId, Transition, TransitionId};
use crate::pushdown::SymbolId;
use crate::semiring::Semiring;

/// What comes first is looked at first.
pub(crate) type Rank = (u64, u64);

/// An automaton that grows.
pub(crate) struct Saturation<'a, S: Semiring> {
    pub(crate) semiring: &'a S,
    pub(crate) automaton: Automaton<S::Weight>,
    /// By transition: what its weight gained and nobody has looked at.
    news: Vec<Option<S::Weight>>,
    /// Transitions with news, the least rank first, then the oldest.
    queue: BinaryHeap<Reverse<(Rank, TransitionId)>>,
}

/// What adding came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// A transition that was not there.
    New(TransitionId),
    /// One that was there, with this weight or another one.
    Known(TransitionId),
    /// Nothing: the weight is zero.
    Nothing,
}

impl<'a, S: Semiring> Saturation<'a, S> {
    pub(crate) fn new(semiring: &'a S, automaton: Automaton<S::Weight>) -> Self {
        Self {
            semiring,
            automaton,
            news: Vec::new(),
            queue: BinaryHeap::new(),
        }
    }

    /// Combines the weight into the transition.
    pub(crate) fn add(
        &mut self,
        (from, label, to): (StateId, Option<SymbolId>, StateId),
        weight: S::Weight,
        rank: Rank,
    ) -> Result<Added, S::Error> {
        if self.semiring.is_zero(&weight) {
            return Ok(Added::Nothing);
        }
        let Some(id) = self.automaton.transition(from, label, to) else {
            self.news.push(Some(weight.clone()));
            let id = self.automaton.add_transition(Transition {
                from,
                label,
                to,
                weight,
            });
            self.queue.push(Reverse((rank, id)));
            return Ok(Added::New(id));
        };
        let old = &self.automaton.transitions()[id].weight;
        let sum = self.semiring.combine(old, &weight)?;
        if sum != *old {
            let weight = self.semiring.news(old, &weight)?;
            self.automaton.set_weight(id, sum);
            let news = if let Some(waiting) = self.news[id.index()].take() {
                self.semiring.combine(&waiting, &weight)?
            } else {
                self.queue.push(Reverse((rank, id)));
                weight
            };
            self.news[id.index()] = Some(news);
        }
        Ok(Added::Known(id))
    }

    /// A transition that waits is looked at earlier.
    pub(crate) fn hurry(&mut self, transition: TransitionId, rank: Rank) {
        self.queue.push(Reverse((rank, transition)));
    }

    /// The next transition with news, and the news.
    pub(crate) fn next(&mut self) -> Option<(TransitionId, S::Weight)> {
        while let Some(Reverse((_, id))) = self.queue.pop() {
            if let Some(news) = self.news[id.index()].take() {
                return Some((id, news));
            }
        }
        None
    }

    pub(crate) fn weight(&self, transition: TransitionId) -> &S::Weight {
        &self.automaton.transitions()[transition].weight
    }
}
