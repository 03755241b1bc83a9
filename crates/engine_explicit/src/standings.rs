//! What threads stand before in states: what a thread is about to access, and what it waits for. Races and deadlocks depend on no more.

use raddle_base::{FastMap, FastSet};
use raddle_ir::interpret::{MemoryAccess, Standing, ThreadNumber, Wait};

use crate::ids::StandingId;

/// The standings of threads in states (what a thread is about to access, and what it waits for), each stored once under a number; and
/// for pairs of them that were asked about, whether two threads with these standings race.
#[derive(Debug, Default)]
pub(crate) struct Standings {
    numbers: FastMap<Standing, StandingId>,
    known: Vec<Standing>,
    races: FastMap<(StandingId, StandingId), bool>,
    /// Races of which all is told: how both threads stand, and where.
    told: FastSet<[(StandingId, Spot); 2]>,
}

/// Where a thread is, with all calls that it is in; of two hardly ever the same.
pub(crate) type Spot = u64;

impl Standings {
    pub(crate) fn number(&mut self, standing: Standing) -> StandingId {
        if let Some(&known) = self.numbers.get(&standing) {
            return known;
        }
        let number = StandingId::at(self.known.len());
        self.known.push(standing.clone());
        self.numbers.insert(standing, number);
        number
    }

    pub(crate) fn get(&self, number: StandingId) -> &Standing {
        &self.known[number.index()]
    }

    /// Whether some thread was seen to wait for any other one to act.
    pub(crate) fn has_wait_for_anyone(&self) -> bool {
        let needs_anyone =
            |it: &Wait| matches!(it, Wait::Others { needs_anyone, .. } if *needs_anyone);
        let mut waits = self.known.iter().filter_map(|it| it.waits.as_ref());
        waits.any(|it| it.iter().any(needs_anyone))
    }

    /// Whether a thread was seen where it may spin.
    pub(crate) fn has_spinner(&self) -> bool {
        self.known.iter().any(|it| it.may_spin)
    }

    /// Whether two threads with these standings race, if that was asked before.
    fn known_race(&self, one: StandingId, other: StandingId) -> Option<bool> {
        let has_accesses = |it: StandingId| !self.get(it).accesses.is_empty();
        if !has_accesses(one) || !has_accesses(other) {
            return Some(false);
        }
        self.races.get(&(one, other)).copied()
    }

    /// Whether two of these threads race, if it is known of all of them.
    pub(crate) fn known_races(&self, threads: &[(ThreadNumber, StandingId)]) -> Option<bool> {
        let mut all = pairs(threads);
        let first = all.find_map(|(one, other)| match self.known_race(one, other) {
            Some(false) => None,
            known => Some(known),
        });
        first.unwrap_or(Some(false))
    }

    /// Whether two of these threads, as they stand at their spots, may race in a way that was not told.
    pub(crate) fn has_untold_race(&self, threads: &[(StandingId, Spot)]) -> bool {
        spotted_pairs(threads).any(|pair| {
            let [one, other] = pair;
            self.known_race(one.0, other.0).unwrap_or(true) && !self.told.contains(&pair)
        })
    }

    /// All races of two of these threads are told.
    pub(crate) fn note_told(&mut self, threads: &[(StandingId, Spot)]) {
        for pair in spotted_pairs(threads) {
            let [one, other] = pair;
            if self.race(one.0, other.0) {
                self.told.insert(pair);
            }
        }
    }

    /// Whether two of these threads race.
    pub(crate) fn races(&mut self, threads: &[(ThreadNumber, StandingId)]) -> bool {
        pairs(threads).any(|(one, other)| self.race(one, other))
    }

    /// Whether two threads with these standings race.
    fn race(&mut self, one: StandingId, other: StandingId) -> bool {
        let standings = &self.known;
        let accesses = |it: StandingId| -> &[MemoryAccess] { &standings[it.index()].accesses };
        let (mine, theirs) = (accesses(one), accesses(other));
        if mine.is_empty() || theirs.is_empty() {
            return false;
        }
        *self.races.entry((one, other)).or_insert_with(|| {
            mine.iter()
                .any(|it| theirs.iter().any(|them| it.races_with(them)))
        })
    }
}

/// Any two of some threads, as they stand at their spots.
fn spotted_pairs(threads: &[(StandingId, Spot)]) -> impl Iterator<Item = [(StandingId, Spot); 2]> {
    let ones = threads.iter().enumerate();
    ones.flat_map(|(at, one)| threads[at + 1..].iter().map(|it| [*one, *it]))
}

/// Any two of some threads, as they stand.
fn pairs(threads: &[(ThreadNumber, StandingId)]) -> impl Iterator<Item = (StandingId, StandingId)> {
    let ones = threads.iter().enumerate();
    ones.flat_map(|(at, one)| threads[at + 1..].iter().map(|it| (one.1, it.1)))
}

/// Whether some of the threads, all that have not ended, wait for each other for ever; `None` if there are too many to tell
/// fast. See [`Interpreter::judge`](raddle_ir::interpret::Interpreter::judge), which says the same with more words.
pub(crate) fn is_deadlocked(
    running: &[(ThreadNumber, StandingId)],
    standings: &Standings,
) -> Option<bool> {
    let waits = |at: usize| standings.get(running[at].1).waits.as_deref();
    let mut stuck = 0_u64;
    for at in 0..running.len() {
        if waits(at).is_some_and(|it| it.iter().any(|it| *it != Wait::Assume)) {
            stuck |= 1_u64.checked_shl(u32::try_from(at).ok()?)?;
        }
    }
    if running.len() > 64 {
        return (stuck == 0).then_some(false);
    }
    while stuck != 0 {
        let never_acts = |thread: &ThreadNumber| {
            let known = running.iter().position(|(it, _)| it == thread);
            known.is_none_or(|at| stuck >> at & 1 == 1)
        };
        let is_for_ever = |wait: &Wait| match wait {
            Wait::Assume => true,
            Wait::Others {
                holders,
                needs_anyone,
            } => {
                holders.iter().any(never_acts)
                    || *needs_anyone && running.iter().all(|(it, _)| never_acts(it))
            }
        };
        let still = (0..running.len())
            .filter(|at| stuck >> at & 1 == 1)
            .filter(|at| waits(*at).is_some_and(|it| it.iter().all(is_for_ever)))
            .fold(0, |mask, at| mask | 1 << at);
        if still == stuck {
            break;
        }
        stuck = still;
    }
    Some(stuck != 0)
}
