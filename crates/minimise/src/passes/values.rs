//! Smaller inputs: values that were chosen, and the initial state.

use crate::attempt::with_choice;
use crate::execution::Guide;
use crate::search::{Search, Value, value};

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
    let Some(chosen) = chosen else {
        return false;
    };
    candidates(chosen).into_iter().any(|bits| {
        let mut guide = search.current().keeping(|_, _| true);
        guide.items[at] = with_choice(&guide.items[at], part, bits);
        search.attempt(&guide)
    })
}

/// Values of less weight: zero, one, minus one, half as much, the other sign, one less.
fn candidates(chosen: Value) -> Vec<u128> {
    let Value { bits, greatest } = chosen;
    let negative = greatest.wrapping_sub(bits).wrapping_add(1) & greatest;
    let towards_zero = if bits <= negative {
        [bits / 2, bits.saturating_sub(1)]
    } else {
        // As a negative number.
        [greatest - negative / 2 + 1, bits.saturating_add(1)]
    };
    let mut smaller = vec![
        0,
        1,
        greatest,
        towards_zero[0] & greatest,
        negative,
        towards_zero[1] & greatest,
    ];
    smaller.retain(|&bits| Value { bits, greatest }.weight() < chosen.weight());
    let mut known = Vec::new();
    smaller.retain(|it| {
        let is_new = !known.contains(it);
        known.push(*it);
        is_new
    });
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_is_smaller_and_simplest_first() {
        let tried = |bits| {
            let greatest = 255;
            candidates(Value { bits, greatest })
        };
        assert_eq!(tried(0), [0; 0]);
        assert_eq!(tried(1), [0]);
        assert_eq!(tried(100), [0, 1, 255, 50, 99]);
        assert_eq!(tried(156), [0, 1, 255, 206, 100, 157]);
        assert_eq!(tried(255), [0, 1]);
    }
}
