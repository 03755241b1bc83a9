//! Stops threads sooner: what one does last may not matter any more.

use super::halves;
use crate::search::Search;

/// Of so few steps every end is tried.
const FEW: usize = 16;

pub(super) fn cut(search: &mut Search<'_, '_>) -> bool {
    let mut has_changed = false;
    let mut threads = search.current().threads();
    threads.retain(|it| search.last_thread() != Some(*it));
    // Who has done most has most to leave out.
    threads.sort_by_key(|it| std::cmp::Reverse(search.current().steps_of(*it).len()));
    for thread in threads {
        let all = search.current().steps_of(thread).len();
        for size in sizes(all) {
            loop {
                let steps = search.current().steps_of(thread);
                if steps.len() < size || search.is_spent() {
                    break;
                }
                let first = steps[steps.len() - size];
                let guide = search
                    .current()
                    .keeping(|at, it| at < first || it.thread() != thread);
                if !search.attempt(&guide) {
                    break;
                }
                has_changed = true;
            }
        }
    }
    has_changed
}

/// How much is left out at once.
fn sizes(steps: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = halves(steps).filter(|it| *it > FEW).collect();
    sizes.extend((1..=FEW.min(steps)).rev());
    sizes
}
