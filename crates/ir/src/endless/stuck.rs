//! Threads that wait for ever though others run: for something that nobody will do, whatever comes.
//!
//! Who waits for *anyone* to act may be helped by whoever still runs, so one state does not show that it is stuck; all states
//! that can come after it do. The thread is stuck if it waits in every one of them, and in none of them
//!
//! - the process is over, or a step stops the execution: then nobody is stuck any more, or nothing is known;
//! - a thread stands at an assume that does not hold: executions that fail an assume do not count.
//!
//! That a wait ends for no reason is not promised, so such steps do not count; a time-out is promised, so it is a step like
//! any other.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use crate::interpret::Wait;
use crate::interpret::state::{State, ThreadNumber};
use crate::interpret::{Interpreter, Outcome, Successor, Violation};

/// A thread that has not ended, with what each of its ways waits for if it cannot take a step.
pub type Halt<W = Vec<Wait>> = (ThreadNumber, Option<W>);

/// In whom a thread may hope that waits for anyone to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hope {
    /// In every thread that runs and is not stuck itself.
    InWhoeverRuns,
    /// In nobody: it is known that the others do not do what it waits for.
    InNobody,
}

/// The largest set among `candidates` of threads that wait for ever: for one another, for threads that have ended, or for
/// anyone though there is no hope. `running` are all threads that have not ended.
pub fn stuck_among<W: AsRef<[Wait]>>(
    running: &[Halt<W>],
    candidates: &[ThreadNumber],
    hope: Hope,
) -> Vec<ThreadNumber> {
    let waits = |thread: &ThreadNumber| {
        let (_, waits) = running.iter().find(|(it, _)| it == thread)?;
        waits.as_ref().map(AsRef::as_ref)
    };
    let waits_for_others = |it: &&ThreadNumber| {
        waits(it).is_some_and(|waits| waits.iter().any(|it| *it != Wait::Assume))
    };
    let mut stuck: Vec<ThreadNumber> = candidates
        .iter()
        .filter(waits_for_others)
        .copied()
        .collect();
    loop {
        let never_acts = |thread: &ThreadNumber| {
            stuck.contains(thread) || running.iter().all(|(it, _)| it != thread)
        };
        let is_hopeless =
            hope == Hope::InNobody || running.iter().all(|(thread, _)| never_acts(thread));
        let is_for_ever = |wait: &Wait| match wait {
            Wait::Assume => true,
            Wait::Others {
                holders,
                needs_anyone,
            } => holders.iter().any(never_acts) || *needs_anyone && is_hopeless,
        };
        let still: Vec<ThreadNumber> = stuck
            .iter()
            .filter(|it| waits(it).is_some_and(|waits| waits.iter().all(is_for_ever)))
            .copied()
            .collect();
        if still.len() == stuck.len() {
            return stuck;
        }
        stuck = still;
    }
}

/// Whether threads that stand so may be in a state in which one of them is stuck though others run.
pub fn may_be_stuck<W: AsRef<[Wait]>>(running: &[Halt<W>]) -> bool {
    let waits = || running.iter().filter_map(|(_, waits)| waits.as_ref());
    let needs_anyone = |it: &Wait| matches!(it, Wait::Others { needs_anyone, .. } if *needs_anyone);
    let fails_an_assume = |it: &W| it.as_ref().iter().all(|it| *it == Wait::Assume);
    waits().any(|it| it.as_ref().iter().any(needs_anyone))
        && !waits().any(fails_an_assume)
        && !stuck_among(running, &threads(running), Hope::InNobody).is_empty()
}

fn threads<W>(running: &[Halt<W>]) -> Vec<ThreadNumber> {
    running.iter().map(|(thread, _)| *thread).collect()
}

/// Asked again and again, with the number of states that were looked at, whether to look at more.
pub type Leave<'a, E> = dyn FnMut(usize) -> Result<(), E> + 'a;

/// A state in which a thread may be stuck, or that may belong to a livelock, and where it leads.
#[derive(Clone, Debug)]
pub struct Pause<W, N> {
    pub running: Vec<Halt<W>>,
    /// Whether every thread waits or may spin, and one may.
    pub may_be_livelock: bool,
    /// Every state that comes next.
    pub next: Vec<N>,
}

/// One of some states that comes next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Onward {
    /// Which.
    pub place: usize,
    /// How threads are called there that have another name than here.
    pub names: BTreeMap<ThreadNumber, ThreadNumber>,
}

impl Onward {
    /// Where everybody keeps its name.
    pub fn to(place: usize) -> Self {
        let names = BTreeMap::new();
        Self { place, names }
    }
}

/// Who is stuck in which of some states. `None` comes next: a state in which nobody is.
///
/// The largest solution of: who is stuck in a state is stuck in every one that comes next.
pub fn stuck_over<W: AsRef<[Wait]>>(pauses: &[Pause<W, Option<Onward>>]) -> Vec<Vec<ThreadNumber>> {
    let candidates = |it: &Pause<W, _>| {
        if may_be_stuck(&it.running) {
            threads(&it.running)
        } else {
            Vec::new()
        }
    };
    let mut stuck: Vec<Vec<ThreadNumber>> = pauses.iter().map(candidates).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); pauses.len()];
    for (at, pause) in pauses.iter().enumerate() {
        for next in pause.next.iter().flatten() {
            before[next.place].push(at);
        }
    }
    // States to look at, the last first: what comes next was mostly found later.
    let mut open: Vec<usize> = (0..pauses.len()).collect();
    let mut is_open = vec![true; pauses.len()];
    while let Some(at) = open.pop() {
        is_open[at] = false;
        let pause = &pauses[at];
        let goes_on = |thread: &ThreadNumber| {
            pause.next.iter().all(|next| {
                let next = next.as_ref();
                next.is_some_and(|Onward { place, names }| {
                    stuck[*place].contains(names.get(thread).unwrap_or(thread))
                })
            })
        };
        let candidates: Vec<ThreadNumber> =
            stuck[at].iter().filter(|it| goes_on(it)).copied().collect();
        let still = stuck_among(&pause.running, &candidates, Hope::InNobody);
        if still.len() == stuck[at].len() {
            continue;
        }
        stuck[at] = still;
        for &earlier in &before[at] {
            if !std::mem::replace(&mut is_open[earlier], true) {
                open.push(earlier);
            }
        }
    }
    stuck
}

/// Whether threads that wait so, or may spin, may be all of a livelock.
pub fn may_be_livelock<'w>(running: impl Iterator<Item = (Option<&'w [Wait]>, bool)>) -> bool {
    let mut has_spinner = false;
    for (waits, may_spin) in running {
        let is_held = match waits {
            Some(waits) => waits.iter().any(|it| *it != Wait::Assume),
            None => may_spin,
        };
        if !is_held {
            return false;
        }
        has_spinner |= waits.is_none();
    }
    has_spinner
}

impl Interpreter<'_> {
    /// The same program, in which no wait ends for no reason.
    #[must_use]
    pub fn patient(&self) -> Self {
        let mut patient = self.clone();
        patient.semantics.has_spurious_wakeups = false;
        patient
    }

    /// What threads wait for in a state in which one of them may be stuck though others run, or none may be able to go on,
    /// and what comes next; `successors` are all those of the state.
    pub fn pause(
        &self,
        state: &State,
        successors: &[Successor],
    ) -> Option<Pause<Vec<Wait>, State>> {
        if state.is_over() {
            return None;
        }
        if self.may_wake_for_no_reason(state) {
            let patient = self.patient();
            return patient.pause_of(state, &patient.successors(state));
        }
        self.pause_of(state, successors)
    }

    fn pause_of(&self, state: &State, successors: &[Successor]) -> Option<Pause<Vec<Wait>, State>> {
        let mut blocked = self.blocked_threads(state, successors);
        let threads = || state.threads.iter().filter(|it| !it.1.frames.is_empty());
        let running: Vec<Halt> = threads()
            .map(|(number, _)| (*number, blocked.remove(number).map(|steps| steps.waits)))
            .collect();
        let spinners = threads().map(|it| self.may_spin(it.1));
        let waits = running.iter().map(|it| it.1.as_deref());
        let may_be_livelock = may_be_livelock(waits.zip(spinners));
        if !may_be_livelock && !may_be_stuck(&running) {
            return None;
        }
        let next: Option<Vec<State>> = successors
            .iter()
            .map(|it| match &it.outcome {
                Outcome::Next(next) => Some(next.clone()),
                Outcome::Stopped(_) => None,
            })
            .collect();
        Some(Pause {
            running,
            may_be_livelock,
            next: next?,
        })
    }

    /// The threads that wait for ever from this state on, if there are some, by a look at all states that can come after it.
    ///
    /// # Errors
    ///
    /// If there is no leave to look at so many.
    pub fn waits_for_ever<E>(
        &self,
        state: &State,
        leave: &mut Leave<'_, E>,
    ) -> Result<Option<Violation>, E> {
        let patient = self.patient();
        let start = Arc::new(state.clone());
        let mut seen = HashSet::from([Arc::clone(&start)]);
        let mut open = vec![start];
        let mut halts: BTreeSet<Vec<Halt>> = BTreeSet::new();
        let mut stuck: Option<Vec<ThreadNumber>> = None;
        while let Some(state) = open.pop() {
            let Some(pause) = patient.pause(&state, &patient.successors(&state)) else {
                return Ok(None);
            };
            let candidates = stuck.unwrap_or_else(|| threads(&pause.running));
            let still = stuck_among(&pause.running, &candidates, Hope::InNobody);
            if still.is_empty() {
                return Ok(None);
            }
            stuck = Some(still);
            halts.insert(pause.running);
            for next in pause.next.into_iter().map(Arc::new) {
                if seen.insert(Arc::clone(&next)) {
                    open.push(next);
                }
            }
            leave(seen.len())?;
        }
        let mut stuck = stuck.unwrap_or_default();
        loop {
            let before = stuck.len();
            for running in &halts {
                stuck = stuck_among(running, &stuck, Hope::InNobody);
            }
            if stuck.is_empty() {
                return Ok(None);
            }
            if stuck.len() == before {
                return Ok(Some(patient.endless_wait(state, &stuck)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: ThreadNumber = ThreadNumber(1);
    const TWO: ThreadNumber = ThreadNumber(2);
    const THREE: ThreadNumber = ThreadNumber(3);

    fn runs(thread: ThreadNumber) -> Halt {
        (thread, None)
    }

    fn waits(thread: ThreadNumber, waits: Vec<Wait>) -> Halt {
        (thread, Some(waits))
    }

    #[test]
    fn who_waits_for_anyone_hopes_for_whoever_runs() {
        let running = [waits(ONE, vec![Wait::anyone()]), runs(TWO)];
        assert_eq!(stuck_among(&running, &[ONE, TWO], Hope::InWhoeverRuns), []);
        assert_eq!(stuck_among(&running, &[ONE, TWO], Hope::InNobody), [ONE]);
        assert!(may_be_stuck(&running));
    }

    #[test]
    fn who_waits_for_a_thread_that_runs_is_not_stuck_whatever_is_known() {
        let running = [waits(ONE, vec![Wait::each(vec![TWO])]), runs(TWO)];
        assert_eq!(stuck_among(&running, &[ONE], Hope::InNobody), []);
        assert!(!may_be_stuck(&running));
    }

    #[test]
    fn who_waits_for_a_thread_that_is_stuck_is_stuck_too() {
        let running = [
            waits(ONE, vec![Wait::anyone()]),
            waits(TWO, vec![Wait::each(vec![ONE])]),
            runs(THREE),
        ];
        let all = [ONE, TWO, THREE];
        assert_eq!(stuck_among(&running, &all, Hope::InNobody), [ONE, TWO]);
        assert_eq!(stuck_among(&running, &[TWO], Hope::InNobody), []);
    }

    #[test]
    fn a_failed_assume_makes_the_execution_one_that_does_not_count() {
        let running = [
            waits(ONE, vec![Wait::anyone()]),
            waits(TWO, vec![Wait::Assume]),
        ];
        assert!(!may_be_stuck(&running));
    }

    #[test]
    fn who_is_stuck_stays_stuck_and_a_way_out_is_one_for_all_before_it() {
        let running = vec![waits(ONE, vec![Wait::anyone()]), runs(TWO)];
        let pause = |next: Vec<Option<usize>>| Pause {
            running: running.clone(),
            may_be_livelock: false,
            next: next.into_iter().map(|it| it.map(Onward::to)).collect(),
        };
        let pauses = [
            pause(vec![Some(1), Some(2)]),
            pause(vec![Some(1)]),
            pause(vec![Some(1), None]),
        ];
        assert_eq!(stuck_over(&pauses), [vec![], vec![ONE], vec![]]);
    }

    #[test]
    fn in_a_livelock_everybody_waits_or_spins_and_one_spins() {
        let waits = [Wait::anyone()];
        let (waits, fails) = (Some(&waits[..]), Some(&[Wait::Assume][..]));
        assert!(may_be_livelock([(None, true), (waits, false)].into_iter()));
        assert!(!may_be_livelock([(waits, true)].into_iter()));
        assert!(!may_be_livelock([(None, true), (None, false)].into_iter()));
        assert!(!may_be_livelock([(None, true), (fails, true)].into_iter()));
    }

    #[test]
    fn a_thread_is_followed_where_it_has_another_name() {
        let pause = |names: &[(ThreadNumber, ThreadNumber)]| Pause {
            running: vec![waits(ONE, vec![Wait::anyone()]), runs(TWO)],
            may_be_livelock: false,
            next: vec![Some(Onward {
                place: 0,
                names: names.iter().copied().collect(),
            })],
        };
        assert_eq!(stuck_over(&[pause(&[])]), [vec![ONE]]);
        // Whoever waits here runs there, and the other way round.
        assert_eq!(stuck_over(&[pause(&[(ONE, TWO), (TWO, ONE)])]), [vec![]]);
    }
}
