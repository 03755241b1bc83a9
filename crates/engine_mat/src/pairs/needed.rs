//! What is executed before an access in every execution, and so between which accesses the token can never go.

use std::collections::BTreeMap;

use super::Pass;
use super::system::{Access, System};

pub(super) struct Needed {
    /// By access, the accesses that have been executed whenever it is executed next.
    before: Vec<Words>,
    /// The number of the first access of each thread among all.
    offsets: Vec<usize>,
    reachable: Vec<Vec<Vec<bool>>>,
}

/// A set of accesses, one bit each.
type Words = Vec<u64>;

impl Needed {
    pub(super) fn of(system: &System) -> Self {
        let mut offsets = Vec::new();
        let mut total = 0;
        for thread in system.threads() {
            offsets.push(total);
            total += thread.length();
        }
        let mut needed = Self {
            before: vec![vec![0; total.div_ceil(64)]; total],
            offsets,
            reachable: system
                .threads()
                .iter()
                .map(super::Thread::reachable)
                .collect(),
        };
        let mut orders: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &(first, second) in system.orders() {
            let ways = orders.entry(needed.number(second)).or_default();
            ways.push(needed.number(first));
        }
        // From nothing up: stopping early would be right too.
        while needed.grow(system, &orders) {}
        needed
    }

    /// Whether `pass.to` may be next in its thread just after `pass.from`.
    pub(super) fn may_be_taken(&self, pass: Pass) -> bool {
        let Pass { from, to } = pass;
        let (sender, receiver) = (self.number(from), self.number(to));
        let is_over = contains(&self.before[sender], receiver);
        let later = &self.reachable[from.thread][from.index];
        let is_too_early = (from.index + 1..later.len()).any(|index| {
            later[index] && contains(&self.before[receiver], self.offsets[from.thread] + index)
        });
        !is_over && !is_too_early
    }

    fn number(&self, access: Access) -> usize {
        self.offsets[access.thread] + access.index
    }

    /// One round over all accesses; whether anything was added.
    fn grow(&mut self, system: &System, orders: &BTreeMap<usize, Vec<usize>>) -> bool {
        let mut has_grown = false;
        for (thread, it) in system.threads().iter().enumerate() {
            let offset = self.offsets[thread];
            for (index, predecessors) in it.predecessors().iter().enumerate() {
                let own: Vec<usize> = if it.starts().contains(&index) {
                    Vec::new()
                } else {
                    predecessors.iter().map(|index| offset + index).collect()
                };
                let other = orders.get(&(offset + index)).map_or(&[][..], Vec::as_slice);
                for ways in [own.as_slice(), other] {
                    let common = self.common(ways);
                    for (word, also) in self.before[offset + index].iter_mut().zip(common) {
                        has_grown |= also & !*word != 0;
                        *word |= also;
                    }
                }
            }
        }
        has_grown
    }

    /// What has been executed after any of these accesses, whichever it was.
    fn common(&self, ways: &[usize]) -> Words {
        let upto = |way: usize| {
            let mut upto = self.before[way].clone();
            upto[way / 64] |= 1 << (way % 64);
            upto
        };
        let Some((&first, rest)) = ways.split_first() else {
            return Words::new();
        };
        let mut common = upto(first);
        for &way in rest {
            for (word, also) in common.iter_mut().zip(upto(way)) {
                *word &= also;
            }
        }
        common
    }
}

fn contains(words: &Words, number: usize) -> bool {
    words[number / 64] >> (number % 64) & 1 != 0
}
