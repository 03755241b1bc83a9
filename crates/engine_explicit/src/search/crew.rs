//! The worker pool of a search. Workers stay until the search is over: making a thread takes longer than many a round.
//!
//! The thread of the search is the first worker. For a round the search lends what it knows to all workers, and gets it back when
//! each of them has dropped its share.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::worker::{Done, Tools, View};

use crate::ids::NodeId;

/// How long a worker without work looks for some before it sleeps. A thread that sleeps takes long to wake; but a thread that stays
/// awake takes a core from the worker that it waits for, where there are fewer cores than workers.
const AWAKE: Duration = Duration::from_micros(100);
/// How often it looks between two looks at the clock.
const LOOKS: usize = 32;

/// Where a worker begins, and what it looks at.
type Round<'p> = (Arc<View<'p>>, Vec<NodeId>);

/// Another worker, as the search sees it.
struct Other<'p> {
    rounds: Sender<Round<'p>>,
    done: Receiver<Done>,
}

/// All workers.
pub(super) struct Crew<'scope, 'env, 'p> {
    scope: &'scope Scope<'scope, 'env>,
    mine: Tools,
    /// Empty before the first round.
    others: Vec<Other<'p>>,
}

impl<'scope, 'env, 'p: 'scope> Crew<'scope, 'env, 'p> {
    pub(super) fn new(scope: &'scope Scope<'scope, 'env>) -> Self {
        Self {
            scope,
            mine: Tools::default(),
            others: Vec::new(),
        }
    }

    /// Explores states, as far as they are known, and those that they lead to. Each worker begins with one of the `hands`.
    pub(super) fn explore(&mut self, view: &Arc<View<'p>>, hands: Vec<Vec<NodeId>>) -> Vec<Done> {
        while self.others.len() + 1 < hands.len() {
            self.others.push(hire(self.scope));
        }
        let mut hands = hands.into_iter();
        let mine = hands.next().unwrap_or_default();
        for (other, hand) in self.others.iter().zip(hands) {
            let sent = other.rounds.send((Arc::clone(view), hand));
            sent.expect("no worker panics");
        }
        let mut done = vec![view.go_deep(mine, &mut self.mine)];
        for other in &self.others {
            done.push(receive(&other.done).expect("no worker panics"));
        }
        done
    }
}

/// Starts a worker, which waits for rounds until the search drops the sender.
fn hire<'scope, 'p: 'scope>(scope: &'scope Scope<'scope, '_>) -> Other<'p> {
    let (rounds, next) = channel::<Round<'p>>();
    let (finish, done) = channel();
    scope.spawn(move || {
        let mut tools = Tools::default();
        while let Some((view, hand)) = receive(&next) {
            let done = view.go_deep(hand, &mut tools);
            // The search takes back what it has lent as soon as it hears of it.
            drop(view);
            if finish.send(done).is_err() {
                break;
            }
        }
    });
    Other { rounds, done }
}

/// What comes next; `None` if nothing will.
fn receive<T>(from: &Receiver<T>) -> Option<T> {
    let begin = Instant::now();
    while begin.elapsed() < AWAKE {
        for _ in 0..LOOKS {
            match from.try_recv() {
                Ok(it) => return Some(it),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => std::hint::spin_loop(),
            }
        }
    }
    from.recv().ok()
}
