//! Leaves rounds of loops out: what a thread does between two times at one place.

use std::collections::BTreeMap;

use raddle_ir::interpret::ThreadNumber;

use super::halves;
use crate::execution::ControlPlace;
use crate::search::Search;

/// After so many attempts in vain the rounds of a loop are taken to be needed.
const MOST_IN_VAIN: usize = 24;

pub(super) fn leave_out(search: &mut Search<'_, '_>) -> bool {
    let mut has_changed = false;
    let mut threads = search.current().threads();
    threads.sort_by_key(|it| std::cmp::Reverse(search.current().steps_of(*it).len()));
    for thread in threads {
        for place in loops(search, thread) {
            has_changed |= leave_rounds_out(search, thread, place);
        }
    }
    has_changed
}

/// Leaves as many rounds as possible out that begin at a place.
fn leave_rounds_out(
    search: &mut Search<'_, '_>,
    thread: ThreadNumber,
    place: ControlPlace,
) -> bool {
    let (mut has_changed, mut in_vain) = (false, 0);
    let all = visits(search, thread, place).len().saturating_sub(1);
    for size in halves(all) {
        let mut begin = 0;
        loop {
            let visits = visits(search, thread, place);
            if begin + size >= visits.len() || in_vain == MOST_IN_VAIN || search.is_spent() {
                break;
            }
            let (first, last) = (visits[begin], visits[begin + size]);
            let guide = search
                .current()
                .keeping(|at, it| it.thread() != thread || at < first || at >= last);
            if search.attempt(&guide) {
                has_changed = true;
            } else {
                begin += size;
                in_vain += 1;
            }
        }
    }
    has_changed
}

/// The steps of a thread from a place.
fn visits(search: &Search<'_, '_>, thread: ThreadNumber, place: ControlPlace) -> Vec<usize> {
    let all = search.current().items.iter().enumerate();
    all.filter(|(_, it)| it.thread() == thread && it.place == place)
        .map(|(at, _)| at)
        .collect()
}

/// Places that a thread comes to several times; of those in one loop the first.
fn loops(search: &Search<'_, '_>, thread: ThreadNumber) -> Vec<ControlPlace> {
    let mut visits: BTreeMap<ControlPlace, Vec<usize>> = BTreeMap::new();
    for at in search.current().steps_of(thread) {
        let place = search.current().items[at].place;
        visits.entry(place).or_default().push(at);
    }
    let mut several: Vec<(ControlPlace, Vec<usize>)> =
        visits.into_iter().filter(|it| it.1.len() > 1).collect();
    several.sort_by_key(|it| it.1[0]);
    let mut heads: Vec<(ControlPlace, Vec<usize>)> = Vec::new();
    for (place, visits) in several {
        let is_inside = |head: &(ControlPlace, Vec<usize>)| {
            let rounds = head.1.len();
            (rounds == visits.len() || rounds == visits.len() + 1)
                && head.1.iter().zip(&visits).all(|(a, b)| a < b)
                && head.1[1..].iter().zip(&visits).all(|(a, b)| a > b)
        };
        if !heads.iter().any(is_inside) {
            heads.push((place, visits));
        }
    }
    heads.into_iter().map(|it| it.0).collect()
}
