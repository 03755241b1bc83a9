//! Threads of which one works at a time, for callers that allow one worker only.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a thread works before another one does.
const SLICE: Duration = Duration::from_millis(100);
/// How often a thread that waits looks whether it still has to.
const LOOK: Duration = Duration::from_millis(10);

#[derive(Debug)]
struct Turns {
    state: Mutex<State>,
    has_changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Who has something to do.
    is_busy: Vec<bool>,
    whose: usize,
    since: Instant,
}

/// One of the threads. Until it enters, and after it has left, nobody waits for it.
#[derive(Clone, Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    own: usize,
}

impl Turn {
    /// For so many threads, none of which has entered.
    pub fn all(count: usize) -> Vec<Turn> {
        let turns = Arc::new(Turns {
            state: Mutex::new(State {
                is_busy: vec![false; count],
                whose: 0,
                since: Instant::now(),
            }),
            has_changed: Condvar::new(),
        });
        (0..count)
            .map(|own| Turn {
                turns: Arc::clone(&turns),
                own,
            })
            .collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let state = self.turns.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the thread takes turns with the others.
    pub fn enter(&self) {
        let mut state = self.state();
        state.is_busy[self.own] = true;
        if !state.is_busy[state.whose] {
            // Whoever had the turn has left when nobody else was there, or never came.
            state.whose = self.own;
            state.since = Instant::now();
        }
    }

    /// The thread works no more.
    pub fn leave(&self) {
        let mut state = self.state();
        state.is_busy[self.own] = false;
        if state.whose == self.own {
            self.pass_on(&mut state);
        }
    }

    /// Returns when it is the thread's turn, or when waiting makes no sense any more.
    pub(crate) fn wait(&self, is_over: impl Fn() -> bool) {
        let mut state = self.state();
        loop {
            let others = state.is_busy.iter().enumerate();
            let is_alone = !others.clone().any(|(it, busy)| *busy && it != self.own);
            let is_own = state.whose == self.own;
            if is_alone || is_own && state.since.elapsed() < SLICE {
                return;
            }
            if is_own {
                self.pass_on(&mut state);
            }
            if is_over() {
                return;
            }
            let waited = self.turns.has_changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// To the next thread that has something to do.
    fn pass_on(&self, state: &mut State) {
        let count = state.is_busy.len();
        let next = (1..count)
            .map(|step| (self.own + step) % count)
            .find(|it| state.is_busy[*it]);
        if let Some(next) = next {
            state.whose = next;
            state.since = Instant::now();
            self.turns.has_changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Budget;

    #[test]
    fn one_thread_works_at_a_time_and_each_has_its_turn() {
        let at_work = AtomicUsize::new(0);
        let changes = AtomicUsize::new(0);
        let last = AtomicUsize::new(usize::MAX);
        let (at_work, changes, last) = (&at_work, &changes, &last);
        std::thread::scope(|scope| {
            let turns = Turn::all(2);
            turns.iter().for_each(Turn::enter);
            for turn in turns {
                scope.spawn(move || {
                    let own = turn.own;
                    let budget = Budget::unlimited().with_turn(turn.clone());
                    while changes.load(Ordering::Relaxed) < 4 {
                        budget.check_time().expect("it has no limit");
                        assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0);
                        if last.swap(own, Ordering::SeqCst) != own {
                            changes.fetch_add(1, Ordering::SeqCst);
                        }
                        at_work.fetch_sub(1, Ordering::SeqCst);
                    }
                    turn.leave();
                });
            }
        });
    }

    #[test]
    fn two_that_enter_when_the_first_has_left_do_not_wait_for_each_other() {
        let turns = Turn::all(3);
        turns[0].enter();
        turns[0].leave();
        turns[1].enter();
        turns[2].enter();
        let begin = Instant::now();
        let is_late = || begin.elapsed() > Duration::from_secs(20);
        turns[1].wait(is_late);
        assert!(!is_late());
    }

    #[test]
    fn nobody_waits_for_a_thread_that_has_left_or_beyond_his_time() {
        let turns = Turn::all(2);
        turns[0].enter();
        turns[1].enter();
        let late = Budget::unlimited()
            .with_timeout(Duration::from_millis(1))
            .with_turn(turns[1].clone());
        assert!(late.check_time().is_err());
        turns[0].leave();
        let alone = Budget::unlimited().with_turn(turns[1].clone());
        assert_eq!(alone.check_time(), Ok(()));
    }
}
