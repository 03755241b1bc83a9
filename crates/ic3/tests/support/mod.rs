//! Random small transition systems, and the truth about them by enumeration.

use std::collections::{BTreeSet, VecDeque};

use raddle_base::Random;
use raddle_logic::{StateVariable, Target, TermId, Terms, TransitionSystem};

/// The most bits of a state.
const MOST_BITS: u32 = 12;

/// A system with a few variables, of which each step changes some, and one or two targets.
pub(crate) fn random_system(seed: u64) -> TransitionSystem {
    let mut random = Random::new(seed);
    let mut terms = Terms::new();
    let mut state = Vec::new();
    let mut bits = 0;
    let variables = random.between(2, 4);
    for number in 0..variables {
        let width = u32::try_from(random.between(1, 4)).expect("small");
        if bits + width <= MOST_BITS {
            bits += width;
            state.push(terms.variable(&format!("x{number}"), width));
        }
    }
    let inputs: Vec<TermId> = (0..random.between(1, 2))
        .map(|number| terms.variable(&format!("i{number}"), 2))
        .collect();
    let all: Vec<TermId> = state.iter().chain(&inputs).copied().collect();
    let mut make = Maker {
        terms: &mut terms,
        random: &mut random,
    };
    let next: Vec<TermId> = state
        .iter()
        .map(|&it| {
            let width = make.terms.width(it);
            let guard = make.condition(&all, 1);
            let changed = make.word(&all, width, 2);
            make.terms.if_then_else(guard, changed, it)
        })
        .collect();
    let begin: Vec<TermId> = state
        .iter()
        .filter_map(|&it| {
            let width = make.terms.width(it);
            let value = make.random.below(1 << width) as u128;
            make.random
                .chance(85)
                .then(|| make.terms.equals_constant(it, value))
        })
        .collect();
    let initial = make.terms.all(&begin);
    let constraint = if make.random.chance(40) {
        make.condition(&all, 1)
    } else {
        make.terms.truth(true)
    };
    let targets = (0..make.random.between(1, 2))
        .map(|number| {
            let exact: Vec<TermId> = state
                .iter()
                .map(|&it| {
                    let value = make.random.below(1 << make.terms.width(it)) as u128;
                    make.terms.equals_constant(it, value)
                })
                .take(3)
                .collect();
            let mut condition = make.terms.all(&exact);
            if make.random.chance(30) {
                let also = make.condition(&all, 1);
                condition = make.terms.and(condition, also);
            }
            Target {
                name: format!("target {number}"),
                condition,
            }
        })
        .collect();
    let variable = |term| terms.as_variable(term).expect("it is one");
    TransitionSystem {
        state: state
            .iter()
            .zip(next)
            .map(|(&current, next)| StateVariable {
                variable: variable(current),
                current,
                next,
            })
            .collect(),
        inputs: inputs.iter().map(|&it| variable(it)).collect(),
        initial,
        constraint,
        targets,
        terms,
    }
}

struct Maker<'a> {
    terms: &'a mut Terms,
    random: &'a mut Random,
}

impl Maker<'_> {
    fn word(&mut self, all: &[TermId], width: u32, depth: usize) -> TermId {
        if depth == 0 || self.random.chance(25) {
            if self.random.chance(30) {
                let value = self.random.below(1 << width) as u128;
                return self.terms.constant(value, width);
            }
            let variable = *self.random.pick(all);
            return self.terms.resize(variable, width, false);
        }
        let left = self.word(all, width, depth - 1);
        let right = self.word(all, width, depth - 1);
        match self.random.below(5) {
            0 => self.terms.add(left, right),
            1 => self.terms.subtract(left, right),
            2 => self.terms.xor(left, right),
            3 => self.terms.and(left, right),
            _ => {
                let condition = self.condition(all, depth - 1);
                self.terms.if_then_else(condition, left, right)
            }
        }
    }

    fn condition(&mut self, all: &[TermId], depth: usize) -> TermId {
        let width = u32::try_from(self.random.between(1, 3)).expect("small");
        let left = self.word(all, width, depth);
        let right = self.word(all, width, depth);
        match self.random.below(3) {
            0 => self.terms.equal(left, right),
            1 => self.terms.differ(left, right),
            _ => self.terms.less_equal_unsigned(left, right),
        }
    }
}

/// Whether a target is reachable, by visiting every state.
pub(crate) fn is_reachable(system: &TransitionSystem) -> bool {
    let of_state: Vec<u32> = system
        .state
        .iter()
        .map(|it| system.terms.width(it.current))
        .collect();
    let of_input: Vec<u32> = system
        .inputs
        .iter()
        .map(|&it| system.terms.width(system.terms.variable_term(it)))
        .collect();
    let inputs = valuations(&of_input);
    let begin = valuations(&of_state);
    let begin = begin.into_iter().filter(|it| system.is_initial(it));
    let mut pending: VecDeque<Vec<u128>> = begin.collect();
    let mut seen: BTreeSet<Vec<u128>> = pending.iter().cloned().collect();
    while let Some(state) = pending.pop_front() {
        for input in &inputs {
            let Some((after, reached)) = system.step(&state, input) else {
                continue;
            };
            if reached.is_some() {
                return true;
            }
            if seen.insert(after.clone()) {
                pending.push_back(after);
            }
        }
    }
    false
}

/// All values of variables of these widths.
fn valuations(widths: &[u32]) -> Vec<Vec<u128>> {
    let mut found = vec![Vec::new()];
    for &width in widths {
        let longer = found.iter().flat_map(|prefix: &Vec<u128>| {
            (0..1_u128 << width).map(move |value| [&prefix[..], &[value]].concat())
        });
        found = longer.collect();
    }
    found
}
