//! How much of a search is done, as far as that can be told from how many states wait.
//!
//! How many states there are is not known before all are found. The share of new ones among those that are reached tells
//! nothing: in a search that goes deep it is the same from the beginning to the end. But if what waits has become less for
//! long and all the time, it may go on like this, and then the search is over when nothing is left. If it has not, there is
//! no estimate.
//!
//! A search that goes deep takes some states from the end and puts others there, so only the lowest numbers of a while are looked at.

/// So many samples are spread over the whole search, or half of them.
const MOST_SAMPLES: usize = 128;
/// How many expanded states are between two samples in the beginning.
const SMALLEST_GAP: u64 = 200;
/// What waits must have become less so many times in a row.
const GROUPS: usize = 6;

/// The last part of a search, over which what waits must have become less.
struct Window {
    /// One in so many of the expanded states.
    part: u64,
    /// By so many percent.
    fall: u64,
}

/// A long slow fall, or a short steep one.
const WINDOWS: [Window; 2] = [Window { part: 2, fall: 10 }, Window { part: 4, fall: 50 }];

#[derive(Debug)]
pub(crate) struct Estimate {
    samples: Vec<Sample>,
    gap: u64,
    /// Since the last sample.
    lowest: u64,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    /// How many states were expanded.
    expanded: u64,
    /// The fewest that waited since the sample before.
    lowest: u64,
}

impl Default for Estimate {
    fn default() -> Self {
        Self {
            samples: Vec::new(),
            gap: SMALLEST_GAP,
            lowest: u64::MAX,
        }
    }
}

impl Estimate {
    /// Takes note of how many states wait.
    pub(crate) fn note(&mut self, expanded: u64, waiting: u64) {
        self.lowest = self.lowest.min(waiting);
        let last = self.samples.last();
        if last.is_some_and(|it| expanded < it.expanded.saturating_add(self.gap)) {
            return;
        }
        let lowest = std::mem::replace(&mut self.lowest, u64::MAX);
        self.samples.push(Sample { expanded, lowest });
        if self.samples.len() == MOST_SAMPLES {
            self.thin_out();
        }
    }

    /// Makes one sample of two.
    fn thin_out(&mut self) {
        let pairs = self.samples.chunks(2);
        let both = pairs.filter_map(|pair| {
            Some(Sample {
                expanded: pair.last()?.expanded,
                lowest: lowest(pair)?,
            })
        });
        self.samples = both.collect();
        self.gap *= 2;
    }

    /// How much of the work is done, if there is a reason to say so.
    pub(crate) fn percent_done(&self) -> Option<u8> {
        WINDOWS.iter().find_map(|it| self.extrapolate(it))
    }

    fn extrapolate(&self, window: &Window) -> Option<u8> {
        let now = self.samples.last()?.expanded;
        let begin = now - now / window.part;
        let before = self.samples.partition_point(|it| it.expanded < begin);
        let recent = &self.samples[before..];
        let size = recent.len() / GROUPS;
        if size == 0 {
            return None;
        }
        let recent = &recent[recent.len() - size * GROUPS..];
        let lows: Vec<u64> = recent.chunks(size).filter_map(lowest).collect();
        let (&first, &last) = (lows.first()?, lows.last()?);
        let is_steady = lows.is_sorted_by(|one, next| one > next);
        if !is_steady || first - last < first * window.fall / 100 {
            return None;
        }
        // From the first group to the last.
        let groups = GROUPS as u64;
        let distance = (now - recent.first()?.expanded) * (groups - 1) / groups;
        let left = last.saturating_mul(distance) / (first - last);
        let percent = now.saturating_mul(100) / now.saturating_add(left).max(1);
        // What waits is still to be explored.
        u8::try_from(percent.min(99)).ok()
    }
}

fn lowest(samples: &[Sample]) -> Option<u64> {
    samples.iter().map(|it| it.lowest).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search over so many states, of which as many wait as the function says.
    fn after(expanded: u64, waiting: impl Fn(u64) -> u64) -> Option<u8> {
        let mut estimate = Estimate::default();
        for at in (0..=expanded).step_by(200) {
            estimate.note(at, waiting(at));
        }
        estimate.percent_done()
    }

    #[test]
    fn what_becomes_less_at_the_same_rate_is_told_exactly() {
        for done in [30, 50, 70, 90] {
            let percent = after(done * 10_000, |at| 5_000 - at / 200).expect("it falls steadily");
            assert!(
                u64::from(percent).abs_diff(done) <= 3,
                "{percent} instead of {done}"
            );
        }
    }

    #[test]
    fn nothing_is_told_while_more_and_more_waits_or_always_the_same() {
        assert_eq!(after(100_000, |at| at), None);
        assert_eq!(after(100_000, |_| 700), None);
        assert_eq!(after(0, |_| 1), None);
    }

    #[test]
    fn ups_and_downs_are_no_fall() {
        assert_eq!(after(100_000, |at| 500 + (at / 10_000 % 2) * 100), None);
    }

    #[test]
    fn what_goes_up_and_down_on_its_way_to_the_end_is_told() {
        let rough = |at: u64| 5_000 - at / 200 + (at / 200 % 10) * 40;
        let percent = after(600_000, rough).expect("its lowest numbers fall steadily");
        assert!((50..=70).contains(&percent), "{percent}");
    }

    #[test]
    fn a_steep_fall_after_a_long_rise_is_told() {
        let hill = |at: u64| at.min((1_000_000 - at) * 2);
        let percent = after(950_000, hill).expect("it falls by more than half");
        assert!(percent > 85, "{percent}");
    }

    #[test]
    fn nobody_says_that_all_is_done_before_it_is() {
        assert_eq!(after(999_800, |at| 5_000 - at / 200), Some(99));
    }
}
