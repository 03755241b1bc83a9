//! Guessed invariants: what the states of some executions have in common, as far as it is inductive.
//!
//! # Source
//!
//! \[Flanagan01\] for keeping what is inductive together; linear relations modulo a power of two by elimination.
//!
//! # Definitions
//!
//! A *mode* is a value of a narrow state variable, such as a place of a thread or an owner of a lock; a *word* is a wide
//! one. Candidates are about words (constants, equalities, orders, bounds, linear relations that may count modes), about
//! two modes that never meet, and about words while a mode lasts.
//!
//! # Invariants
//!
//! The conjunction of what is given back holds where executions begin and is kept by every possible step: the last
//! question of [`inductive`] says so, and the check of the certificate asks again.
//!
//! # Deviations
//!
//! Candidates are dropped together, all that a model violates.
//!
//! # Tested by
//!
//! `tests/guessed.rs`, `tests/random_systems.rs`.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Budget, Exhausted, FastSet};
use raddle_logic::blast::Blaster;
use raddle_logic::{Literal, Substitution, TermId, TransitionSystem};

use crate::context::Context;
use crate::linear::relations;
use crate::samples::samples;

/// A variable this wide or narrower has modes.
const WIDEST_MODE: u32 = 8;

/// The most candidates that are tried together.
const MOST_CANDIDATES: usize = 4000;

/// The most words that a linear relation adds, and the largest factor of one: a solver has a hard time with more.
const MOST_WORDS: usize = 4;
const LARGEST_FACTOR: u128 = 8;

/// The most samples that linear relations are computed from.
const MOST_ROWS: usize = 600;

/// How often each round of dropping looks at the budget before what it has is given up: sums of words can make a question
/// endless.
const MOST_LOOKS: u64 = 10_000;

/// Conditions on states that are inductive together; none if that takes too long. Linear relations come last, so that the
/// others are not lost with them.
pub fn guess(
    system: &mut TransitionSystem,
    seed: u64,
    budget: &Budget,
) -> Result<Vec<TermId>, Exhausted> {
    let states = samples(system, seed, budget)?;
    if states.is_empty() {
        return Ok(Vec::new());
    }
    let candidates = Guesses::new(system, &states).all();
    let mut kept = Vec::new();
    for round in [candidates.plain, candidates.linear] {
        let tried = [kept.clone(), round].concat();
        let part = budget.part().with_looks(MOST_LOOKS);
        match inductive(system, &tried, &part) {
            Ok(found) => kept = found,
            Err(_) => budget.check()?,
        }
    }
    Ok(kept)
}

/// What holds in all samples.
struct Candidates {
    plain: Vec<TermId>,
    linear: Vec<TermId>,
}

/// Makes candidates that hold in all samples.
struct Guesses<'a> {
    system: &'a mut TransitionSystem,
    states: &'a [Vec<u128>],
    found: Vec<TermId>,
}

/// A narrow variable and one of its values.
type Mode = (usize, u128);

impl<'a> Guesses<'a> {
    fn new(system: &'a mut TransitionSystem, states: &'a [Vec<u128>]) -> Self {
        Self {
            system,
            states,
            found: Vec::new(),
        }
    }

    fn all(mut self) -> Candidates {
        let width = |it: usize| self.system.terms.width(self.system.state[it].current);
        let all = 0..self.system.state.len();
        let (narrow, words): (Vec<usize>, Vec<usize>) =
            all.partition(|&it| width(it) <= WIDEST_MODE);
        let mut modes: BTreeMap<Mode, Vec<usize>> = BTreeMap::new();
        for (number, state) in self.states.iter().enumerate() {
            for &variable in &narrow {
                let mode = (variable, state[variable]);
                modes.entry(mode).or_default().push(number);
            }
        }
        let everywhere: Vec<usize> = (0..self.states.len()).collect();
        self.absent_modes(&narrow, &modes);
        self.about_words(&words, &everywhere, None);
        self.separate_modes(&modes);
        for (&mode, numbers) in &modes {
            if numbers.len() < self.states.len() {
                self.about_words(&words, numbers, Some(mode));
            }
        }
        let mut seen = FastSet::default();
        let plain = self.taken(&mut seen);
        self.relations(&words, &modes);
        let linear = self.taken(&mut seen);
        Candidates { plain, linear }
    }

    /// What was found since, without what was seen before.
    fn taken(&mut self, seen: &mut FastSet<TermId>) -> Vec<TermId> {
        let mut found = std::mem::take(&mut self.found);
        let terms = &self.system.terms;
        found.retain(|&it| !terms.is_true(it) && seen.insert(it));
        found.truncate(MOST_CANDIDATES);
        found
    }

    fn variable(&self, index: usize) -> TermId {
        self.system.state[index].current
    }

    fn mode(&mut self, (variable, value): Mode) -> TermId {
        let term = self.variable(variable);
        self.system.terms.equals_constant(term, value)
    }

    /// The condition, while the mode lasts if one is given.
    fn add(&mut self, mode: Option<Mode>, condition: TermId) {
        let condition = match mode {
            Some(mode) => {
                let mode = self.mode(mode);
                self.system.terms.implies(mode, condition)
            }
            None => condition,
        };
        self.found.push(condition);
    }

    /// Narrow variables have no other values than those that were seen.
    fn absent_modes(&mut self, narrow: &[usize], modes: &BTreeMap<Mode, Vec<usize>>) {
        for &variable in narrow {
            let of_it = modes.keys().filter(|it| it.0 == variable);
            let seen: Vec<Mode> = of_it.copied().collect();
            let alternatives: Vec<TermId> = seen.into_iter().map(|it| self.mode(it)).collect();
            let some = self.system.terms.any(&alternatives);
            self.add(None, some);
        }
    }

    /// Two modes that never meet.
    fn separate_modes(&mut self, modes: &BTreeMap<Mode, Vec<usize>>) {
        let mut met: BTreeSet<(Mode, Mode)> = BTreeSet::new();
        let variables: BTreeSet<usize> = modes.keys().map(|it| it.0).collect();
        for state in self.states {
            for &one in &variables {
                for &other in variables.range(one + 1..) {
                    met.insert(((one, state[one]), (other, state[other])));
                }
            }
        }
        for &one in modes.keys() {
            for &other in modes.keys() {
                if one.0 < other.0 && !met.contains(&(one, other)) {
                    let [a, b] = [one, other].map(|it| self.mode(it));
                    let both = self.system.terms.and(a, b);
                    let never = self.system.terms.not(both);
                    self.add(None, never);
                }
            }
        }
    }

    /// Constants, bounds, equalities and orders of words in some of the samples.
    fn about_words(&mut self, words: &[usize], numbers: &[usize], mode: Option<Mode>) {
        let states = self.states;
        let values = |word: usize| numbers.iter().map(move |&it| states[it][word]);
        for (position, &word) in words.iter().enumerate() {
            let term = self.variable(word);
            let least = values(word).min().unwrap_or(0);
            let greatest = values(word).max().unwrap_or(0);
            if least == greatest {
                let same = self.system.terms.equals_constant(term, least);
                self.add(mode, same);
                continue;
            }
            let width = self.system.terms.width(term);
            for (bound, is_lower) in [(least, true), (greatest, false)] {
                let bound = self.system.terms.constant(bound, width);
                let (small, large) = if is_lower {
                    (bound, term)
                } else {
                    (term, bound)
                };
                let holds = self.system.terms.less_equal_unsigned(small, large);
                self.add(mode, holds);
            }
            for &other in &words[position + 1..] {
                if self.system.terms.width(self.variable(other)) == width {
                    self.about_two(word, other, numbers, mode);
                }
            }
        }
    }

    fn about_two(&mut self, one: usize, other: usize, numbers: &[usize], mode: Option<Mode>) {
        let states = self.states;
        let pairs = || {
            numbers
                .iter()
                .map(|&it| (states[it][one], states[it][other]))
        };
        let [a, b] = [one, other].map(|it| self.variable(it));
        let terms = &mut self.system.terms;
        let is_below = pairs().all(|(a, b)| a <= b);
        let is_above = pairs().all(|(a, b)| a >= b);
        let holds = match (is_below, is_above) {
            (true, true) => terms.equal(a, b),
            (true, false) => terms.less_equal_unsigned(a, b),
            (false, true) => terms.less_equal_unsigned(b, a),
            (false, false) => {
                let (first, second) = pairs().next().unwrap_or((0, 0));
                let difference = first.wrapping_sub(second);
                if !pairs().all(|(a, b)| a.wrapping_sub(b) == difference) {
                    return;
                }
                let width = terms.width(a);
                let difference = terms.constant(difference & (u128::MAX >> (128 - width)), width);
                let sum = terms.add(b, difference);
                terms.equal(a, sum)
            }
        };
        self.add(mode, holds);
    }

    /// Words that are sums of multiples of other words, of modes (1 while they last) and of 1.
    fn relations(&mut self, words: &[usize], modes: &BTreeMap<Mode, Vec<usize>>) {
        let width = |this: &Self, it: usize| this.system.terms.width(this.variable(it));
        let widths: BTreeSet<u32> = words.iter().map(|&it| width(self, it)).collect();
        let modes: Vec<Mode> = modes.keys().copied().collect();
        let every = self.states.len().div_ceil(MOST_ROWS);
        for of in widths {
            let words: Vec<usize> = (words.iter().copied())
                .filter(|&it| width(self, it) == of)
                .collect();
            let row = |state: &Vec<u128>| {
                let is_in = |&(variable, value): &Mode| u128::from(state[variable] == value);
                let of_modes = modes.iter().map(is_in);
                let of_words = words.iter().map(|&it| state[it]);
                std::iter::once(1).chain(of_modes).chain(of_words).collect()
            };
            let rows: Vec<Vec<u128>> = self.states.iter().step_by(every).map(row).collect();
            for relation in relations(rows, of) {
                let Some(word) = relation.column.checked_sub(1 + modes.len()) else {
                    continue;
                };
                let of_words = |it: &&(usize, u128)| it.0 > modes.len();
                let mut factors = relation.multiples.iter().filter(of_words);
                if factors.clone().count() > MOST_WORDS || !factors.all(|it| is_small(it.1, of)) {
                    continue;
                }
                let mut sum = self.system.terms.constant(0, of);
                for (column, factor) in relation.multiples {
                    let factor = self.system.terms.constant(factor, of);
                    let value = if column == 0 {
                        factor
                    } else if let Some(&mode) = modes.get(column - 1) {
                        let lasts = self.mode(mode);
                        let zero = self.system.terms.constant(0, of);
                        self.system.terms.if_then_else(lasts, factor, zero)
                    } else {
                        let other = self.variable(words[column - 1 - modes.len()]);
                        self.system.terms.multiply(other, factor)
                    };
                    sum = self.system.terms.add(sum, value);
                }
                let word = self.variable(words[word]);
                let holds = self.system.terms.equal(word, sum);
                self.add(None, holds);
            }
        }
    }
}

/// Whether a number modulo a power of two is near zero.
fn is_small(factor: u128, width: u32) -> bool {
    let negated = factor.wrapping_neg() & (u128::MAX >> (128 - width));
    factor.min(negated) <= LARGEST_FACTOR
}

/// The candidates that are left when those are dropped, again and again, that do not hold where executions begin or are
/// not kept by a step from where all others hold.
fn inductive(
    system: &mut TransitionSystem,
    candidates: &[TermId],
    budget: &Budget,
) -> Result<Vec<TermId>, Exhausted> {
    let mut blaster = Blaster::new();
    let mut after = Substitution::new();
    for it in &system.state {
        after.replace(&system.terms, it.variable, it.next);
    }
    let next: Vec<TermId> = candidates
        .iter()
        .map(|&it| system.terms.substitute(&mut after, it))
        .collect();
    let system = &*system;
    let terms = &system.terms;

    let mut beginning = Context::new();
    let begins = beginning.literal(&mut blaster, terms, system.initial, budget)?;
    beginning.add_clause(&[begins]);
    let mut current = Vec::new();
    for &candidate in candidates {
        current.push(beginning.literal(&mut blaster, terms, candidate, budget)?);
    }
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    drop_violated(&mut beginning, &mut left, |_| Vec::new(), &current, budget)?;

    let mut steps = Context::new();
    let possible = steps.literal(&mut blaster, terms, system.constraint, budget)?;
    steps.add_clause(&[possible]);
    let mut held = vec![None; candidates.len()];
    let mut kept = vec![None; candidates.len()];
    for &index in &left {
        held[index] = Some(steps.literal(&mut blaster, terms, candidates[index], budget)?);
        kept[index] = Some(steps.literal(&mut blaster, terms, next[index], budget)?);
    }
    let given = |left: &[usize]| left.iter().filter_map(|&it| held[it]).collect();
    // Those that were dropped before are asked about no more.
    let kept: Vec<Literal> = kept.into_iter().map(|it| it.unwrap_or(possible)).collect();
    drop_violated(&mut steps, &mut left, given, &kept, budget)?;
    Ok(left.into_iter().map(|it| candidates[it]).collect())
}

/// Drops candidates while one of `wanted` can be false, with what is given by those that are left.
fn drop_violated(
    context: &mut Context,
    left: &mut Vec<usize>,
    given: impl Fn(&[usize]) -> Vec<Literal>,
    wanted: &[Literal],
    budget: &Budget,
) -> Result<(), Exhausted> {
    while !left.is_empty() {
        let violated: Vec<Literal> = left.iter().map(|&it| !wanted[it]).collect();
        let switch = context.add_temporary(&violated);
        let mut assumed = given(left);
        assumed.push(switch);
        if !context.is_satisfiable(&assumed, budget)? {
            return Ok(());
        }
        left.retain(|&it| context.holds(wanted[it]));
        context.retire(switch);
    }
    Ok(())
}
