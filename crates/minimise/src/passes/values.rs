//! Smaller inputs: values that were chosen, and the initial state.

use crate::attempt::with_choice;
use crate::execution::Guide;
use crate::search::Search;
use crate::weight::{ChosenValue, value};

/// All inputs zero, or one.
pub(super) fn at_once(search: &mut Search<'_, '_>) -> bool {
    let mut has_changed = false;
    for small in [0, 1] {
        let program = search.program();
        let execution = search.current();
        let mut guide = execution.keeping(|_, _| true);
        let mut differs = false;
        for item in &mut guide.items {
            for part in 0..item.step.parts.len() {
                if value(program, &item.step.parts[part]).is_some_and(|it| it.weight() > small) {
                    *item = with_choice(item, part, small);
                    differs = true;
                }
            }
        }
        if differs && search.attempt(&guide) {
            has_changed = true;
        }
    }
    has_changed
}

/// Each input by itself.
pub(super) fn one_by_one(search: &mut Search<'_, '_>) -> bool {
    let mut has_changed = first_states(search);
    let mut at = 0;
    while at < search.current().items.len() && !search.is_spent() {
        let mut part = 0;
        while let Some(it) = search.current().items.get(at)
            && part < it.step.parts.len()
        {
            while smaller(search, at, part) {
                has_changed = true;
            }
            part += 1;
        }
        at += 1;
    }
    has_changed
}

/// Initial states before the one it begins with.
fn first_states(search: &mut Search<'_, '_>) -> bool {
    let mut has_changed = false;
    loop {
        let initial = search.current().initial;
        let smaller = [0, initial / 2, initial.saturating_sub(1)].into_iter();
        let is_found = smaller.filter(|it| *it < initial).any(|initial| {
            let items = search.current().items.clone();
            search.attempt(&Guide { initial, items })
        });
        if !is_found {
            return has_changed;
        }
        has_changed = true;
    }
}

/// A smaller value for one input.
fn smaller(search: &mut Search<'_, '_>, at: usize, part: usize) -> bool {
    let items = &search.current().items;
    let chosen = items
        .get(at)
        .and_then(|it| it.step.parts.get(part))
        .and_then(|it| value(search.program(), it));
    // Nothing is simpler than zero.
    let Some(chosen) = chosen.filter(|it| it.bits != 0) else {
        return false;
    };
    candidates(chosen).into_iter().any(|bits| {
        let mut guide = search.current().keeping(|_, _| true);
        guide.items[at] = with_choice(&guide.items[at], part, bits);
        search.attempt(&guide)
    })
}

/// Zero, one, minus one, half as much and one less with either sign, the other sign. Those that weigh more may still make the
/// execution shorter: whether 255 is large or minus one the program knows.
fn candidates(chosen: ChosenValue) -> Vec<u128> {
    let ChosenValue { bits, greatest } = chosen;
    let negated = |it: u128| greatest.wrapping_sub(it).wrapping_add(1) & greatest;
    let negative = negated(bits);
    let all = [
        0,
        1,
        greatest,
        bits / 2,
        negated(negative / 2),
        negative,
        bits.saturating_sub(1),
        negated(negative.saturating_sub(1)),
    ];
    let mut candidates = Vec::new();
    for it in all {
        if it != bits && !candidates.contains(&it) {
            candidates.push(it);
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplest_is_tried_first_and_halves_both_ways() {
        let tried = |bits| {
            let greatest = 255;
            candidates(ChosenValue { bits, greatest })
        };
        assert_eq!(tried(100), [0, 1, 255, 50, 178, 156, 99, 101]);
        assert_eq!(tried(156), [0, 1, 255, 78, 206, 100, 155, 157]);
        assert_eq!(tried(255), [0, 1, 127, 254]);
    }
}
