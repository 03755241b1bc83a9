//! Leaves threads out that do nothing for the violation: all at once, then halves of them, and so on.

use std::collections::BTreeSet;

use raddle_ir::interpret::ThreadNumber;

use super::halves;
use crate::search::Search;

pub(super) fn drop(search: &mut Search<'_, '_>) -> bool {
    let mut has_changed = false;
    let all = others(search).len();
    for size in halves(all) {
        // From the last on: a thread that others were started by is left out after these.
        let mut end = others(search).len();
        while end > 0 && !search.is_spent() {
            let others = others(search);
            end = end.min(others.len());
            let begin = end.saturating_sub(size);
            let left_out: BTreeSet<_> = others[begin..end].iter().copied().collect();
            let guide = search
                .current()
                .keeping(|_, it| !left_out.contains(&it.thread()));
            has_changed |= search.attempt(&guide);
            end = begin;
        }
    }
    has_changed
}

/// The threads that take no part in the violation, in the order of their first steps.
fn others(search: &Search<'_, '_>) -> Vec<ThreadNumber> {
    let execution = search.current();
    let labels = execution.violation.labels.iter();
    let participants: BTreeSet<_> = labels.map(|it| it.thread).collect();
    let mut threads = execution.threads();
    threads.retain(|it| !participants.contains(it));
    threads
}
