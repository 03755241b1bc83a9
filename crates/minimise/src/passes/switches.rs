//! Moves what one thread does together, so that there are fewer switches: all of a thread, then single blocks.

use raddle_ir::interpret::ThreadNumber;

use crate::execution::{Execution, Guide, Item};
use crate::search::Search;

pub(super) fn join(search: &mut Search<'_, '_>) -> bool {
    let mut has_changed = false;
    for thread in search.current().threads() {
        has_changed |= together(search, thread);
    }
    has_changed | one_by_one(search)
}

/// All that a thread does, where it begins or where it ends.
fn together(search: &mut Search<'_, '_>, thread: ThreadNumber) -> bool {
    let blocks = blocks(search.current());
    let is_mine = |it: &&(usize, usize)| search.current().items[it.0].thread() == thread;
    let mine: Vec<_> = blocks.iter().filter(is_mine).copied().collect();
    // Two blocks are moved together below.
    let [first, _, .., last] = mine[..] else {
        return false;
    };
    if mine.len() < 3 {
        return false;
    }
    let all: Vec<Item> = mine
        .iter()
        .flat_map(|it| search.current().items[it.0..it.1].to_vec())
        .collect();
    for at in [last.0, first.0] {
        let mut items = Vec::new();
        for (index, item) in search.current().items.iter().enumerate() {
            if index == at {
                items.extend(all.iter().cloned());
            }
            if item.thread() != thread {
                items.push(item.clone());
            }
        }
        let initial = search.current().initial;
        if search.attempt(&Guide { initial, items }) {
            return true;
        }
    }
    false
}

/// Each block to the next one of its thread, or the next one to it.
fn one_by_one(search: &mut Search<'_, '_>) -> bool {
    let mut has_changed = false;
    let mut at = 0;
    loop {
        let blocks = blocks(search.current());
        if at >= blocks.len() || search.is_spent() {
            return has_changed;
        }
        let items = &search.current().items;
        let thread = items[blocks[at].0].thread();
        let is_mine = |it: &&(usize, usize)| items[it.0].thread() == thread;
        let Some(&next) = blocks[at + 1..].iter().find(is_mine) else {
            at += 1;
            continue;
        };
        let later = moved(search.current(), blocks[at], next.0);
        let sooner = moved(search.current(), next, blocks[at].1);
        if search.attempt(&later) || search.attempt(&sooner) {
            has_changed = true;
            // Those before may go together now.
            at = at.saturating_sub(2);
        } else {
            at += 1;
        }
    }
}

/// A block of steps, before another step.
fn moved(execution: &Execution, (begin, end): (usize, usize), to: usize) -> Guide {
    let all = &execution.items;
    let items = if to <= begin {
        [&all[..to], &all[begin..end], &all[to..begin], &all[end..]].concat()
    } else {
        [&all[..begin], &all[end..to], &all[begin..end], &all[to..]].concat()
    };
    Guide {
        initial: execution.initial,
        items,
    }
}

/// The steps from where to where one thread goes on.
fn blocks(execution: &Execution) -> Vec<(usize, usize)> {
    let mut blocks: Vec<(usize, usize)> = Vec::new();
    for (at, item) in execution.items.iter().enumerate() {
        match blocks.last_mut() {
            Some(last) if execution.items[last.0].thread() == item.thread() => last.1 = at + 1,
            _ => blocks.push((at, at + 1)),
        }
    }
    blocks
}
