//! One state after the other.

use raddle_engine::{Budget, Events, Reason};

use super::{EXPANDED_BETWEEN_LOOKS, Explorer, Search};

/// How many states are expanded at most between two looks at the clock; transactions look at it themselves.
const EXPANDED_BETWEEN_GLANCES: u64 = 20;

pub(super) struct OneByOne;

impl<'p> Explorer<'p> for OneByOne {
    fn explore_more(
        &mut self,
        search: &mut Search<'p>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason> {
        let expanded = search.progress.counts.expanded;
        if expanded.is_multiple_of(EXPANDED_BETWEEN_LOOKS) {
            search.look_around(budget, events)?;
        }
        let is_early = expanded < EXPANDED_BETWEEN_LOOKS;
        if is_early || expanded.is_multiple_of(EXPANDED_BETWEEN_GLANCES) {
            budget.check_time()?;
        }
        let Some(job) = search.progress.frontier.next() else {
            return Ok(false);
        };
        search.progress.shortest.goes_on(job.switches);
        if search.is_done() {
            return Ok(false);
        }
        search.do_job(&job, budget, events)
    }
}
