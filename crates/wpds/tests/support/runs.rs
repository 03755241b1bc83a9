//! What is reached, configuration by configuration.

use std::collections::{BTreeMap, VecDeque};

use raddle_wpds::{Configuration, Pushdown, Semiring};

/// Configurations with the sum of the weights of runs to them.
pub(crate) struct Reached<W> {
    pub(crate) weights: BTreeMap<Configuration, W>,
    /// Whether these are all: no stack was too deep.
    pub(crate) is_all: bool,
}

/// Follows all runs through stacks of at most this depth, as long as they add something.
pub(crate) fn reached<S: Semiring>(
    semiring: &S,
    system: &Pushdown<S::Weight>,
    start: &[(Configuration, S::Weight)],
    deepest: usize,
) -> Reached<S::Weight> {
    let mut weights: BTreeMap<Configuration, S::Weight> = BTreeMap::new();
    let mut queue: VecDeque<(Configuration, S::Weight)> = start.iter().cloned().collect();
    let mut is_all = true;
    while let Some((configuration, weight)) = queue.pop_front() {
        if configuration.stack.len() > deepest {
            is_all = false;
            continue;
        }
        let old = weights.get(&configuration).cloned();
        let old = old.unwrap_or_else(|| semiring.zero());
        let sum = semiring.combine(&old, &weight).unwrap();
        if sum == old {
            continue;
        }
        weights.insert(configuration.clone(), sum);
        for (id, rule) in system.rules().iter() {
            if let Some(next) = system.apply(id, &configuration) {
                let longer = semiring.extend(&weight, &rule.weight).unwrap();
                queue.push_back((next, longer));
            }
        }
    }
    Reached { weights, is_all }
}
