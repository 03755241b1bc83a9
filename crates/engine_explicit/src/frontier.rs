//! What is to be explored, and in which order.
//!
//! # Fewest switches first
//!
//! A shortest path over states and the threads that ran last, of which only the useful ones are kept. A path that reaches a state
//! with one switch more than another path has nothing that the other has not: whatever thread goes on, the other path pays at most
//! one switch for it. So a state has one number of switches, and the threads that can go on there without another one.
//! Each thread is explored once from each state, first the threads that go on, then, when no more of them can turn up, the
//! rest. What has to be explored again is put back with the switches that it takes.
//!
//! # Fewest preemptions first
//!
//! The same, where a switch from a thread that cannot go on costs nothing (\[Musuvathi07\]): whoever ran last is forgotten
//! (`Arrival::last`) where it cannot go on, and then anybody may go on for nothing. A path with one preemption more has
//! nothing that the other has not, for the same reason, and what is called switches below are preemptions.

use std::collections::{BTreeMap, VecDeque};

use raddle_base::saved;
use raddle_ir::interpret::ThreadNumber;

use crate::Order;
use crate::ids::{JobId, NodeId};
use crate::pairs::copied;

/// How many states are expanded breadth-first, unless the order is another one.
const EXPANDED_BREADTH_FIRST: u64 = 2_000;

/// How many states one worker expands before others help: a search that goes deep meets most of what is new early.
const EXPANDED_ALONE: u64 = 4_000;

/// A part of what can happen in a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The state is looked at, and all threads go on.
    Everybody,
    /// The state is looked at.
    Nobody,
    /// The thread goes on.
    One(ThreadNumber),
}

/// What to explore next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) id: JobId,
    pub(crate) node: NodeId,
    pub(crate) who: Who,
    /// The fewest switches on a known way to the state; everything in states with fewer has been explored. Zero if
    /// switches are not counted.
    pub(crate) switches: usize,
    /// How many there are once that thread has gone on.
    pub(crate) switches_after: usize,
}

impl Job {
    /// All that can happen in a state, where switches are not counted.
    pub(crate) fn everybody(node: NodeId) -> Self {
        Self {
            id: JobId::whole(node),
            node,
            who: Who::Everybody,
            switches: 0,
            switches_after: 0,
        }
    }
}

/// Which thread ran last on the way to a state, and how many switches there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) switches: usize,
    /// `None` in initial states: the first thread that runs makes no switch. And, where preemptions are counted, if that thread
    /// cannot go on.
    pub(crate) last: Option<ThreadNumber>,
}

impl Arrival {
    pub(crate) const INITIAL: Self = Self {
        switches: 0,
        last: None,
    };

    /// After a job.
    pub(crate) fn after(job: &Job) -> Self {
        Self {
            switches: job.switches_after,
            last: match job.who {
                Who::One(thread) => Some(thread),
                Who::Everybody | Who::Nobody => None,
            },
        }
    }
}

/// What another way to a state is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gain {
    Nothing,
    /// With as many switches this thread can go on.
    GoesOn(ThreadNumber),
    /// It takes fewer switches than all before, or with as many everybody can go on.
    Fewer,
}

#[derive(Debug)]
pub(crate) enum Frontier {
    FirstFound(FirstFound),
    FewestSwitches(FewestSwitches),
}

impl Frontier {
    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::FirstFound => Frontier::FirstFound(FirstFound::default()),
            Order::FewestSwitches | Order::FewestPreemptions { .. } => {
                Frontier::FewestSwitches(FewestSwitches::default())
            }
        }
    }

    /// The fewest switches on a known way to a state; zero if switches are not counted.
    pub(crate) fn switches(&self, node: NodeId) -> usize {
        match self {
            Frontier::FirstFound(_) => 0,
            Frontier::FewestSwitches(it) => {
                let reached = it.reached.get(node.index());
                reached.map_or(usize::MAX, |it| it.switches)
            }
        }
    }

    /// Takes in a state that was stored, with the threads that may go on there.
    pub(crate) fn add(
        &mut self,
        node: NodeId,
        arrival: Arrival,
        threads: impl FnOnce() -> Vec<ThreadNumber>,
    ) {
        match self {
            Frontier::FirstFound(it) => it.waiting.push_back(node),
            Frontier::FewestSwitches(it) => it.add(node, &threads(), arrival),
        }
    }

    /// Takes note that a stored state was reached again.
    pub(crate) fn reach_again(&mut self, node: NodeId, arrival: Arrival) -> Gain {
        match self {
            Frontier::FirstFound(_) => Gain::Nothing,
            Frontier::FewestSwitches(it) => it.reach_again(node, arrival),
        }
    }

    /// Puts back what rested on guesses that got weaker.
    pub(crate) fn put_back(&mut self, job: JobId) {
        match self {
            Frontier::FirstFound(it) => it.put_back(job),
            Frontier::FewestSwitches(it) => it.put_back(job),
        }
    }

    /// How many states wait for several workers, once the search goes deep, or at once.
    pub(crate) fn shared(&self, at_once: bool) -> usize {
        match self {
            Frontier::FirstFound(it) if at_once || it.taken >= EXPANDED_ALONE => it.waiting.len(),
            Frontier::FirstFound(_) | Frontier::FewestSwitches(_) => 0,
        }
    }

    /// How many bytes more there will be at once if so many states come in.
    pub(crate) fn growth(&self, more: usize) -> usize {
        match self {
            Frontier::FirstFound(FirstFound { waiting, .. }) => {
                let size = size_of::<NodeId>();
                copied(waiting.len(), waiting.capacity(), more, size)
            }
            // It keeps more of each state than that.
            Frontier::FewestSwitches(_) => 0,
        }
    }

    /// So many jobs, or fewer, the latest first.
    pub(crate) fn take(&mut self, most: usize) -> Vec<Job> {
        (0..most).map_while(|_| self.next()).collect()
    }

    /// The states that wait to be explored, or parts of which do.
    pub(crate) fn waiting(&self) -> Vec<NodeId> {
        match self {
            Frontier::FirstFound(it) => it.waiting.iter().copied().collect(),
            Frontier::FewestSwitches(it) => {
                let jobs = it.waiting.values().flatten();
                jobs.map(|job| it.jobs[job.0].node).collect()
            }
        }
    }

    /// How much waits: states, or parts of them where switches are counted.
    pub(crate) fn len(&self) -> usize {
        match self {
            Frontier::FirstFound(it) => it.waiting.len(),
            Frontier::FewestSwitches(it) => it.waiting.values().map(VecDeque::len).sum(),
        }
    }

    /// The state that comes next, if nothing else comes in between.
    pub(crate) fn ahead(&self) -> Option<NodeId> {
        match self {
            Frontier::FirstFound(it) => it.ahead(),
            Frontier::FewestSwitches(it) => {
                let mut waiting = it.waiting.values();
                let job = waiting.find_map(VecDeque::front)?;
                Some(it.jobs[job.0].node)
            }
        }
    }

    pub(crate) fn next(&mut self) -> Option<Job> {
        match self {
            Frontier::FirstFound(it) => it.next(),
            Frontier::FewestSwitches(it) => it.next(),
        }
    }
}

/// Breadth-first while that is cheap, because it finds short executions; then depth-first, which finds long ones. A state
/// is one job.
#[derive(Debug, Default)]
pub(crate) struct FirstFound {
    waiting: VecDeque<NodeId>,
    taken: u64,
}

impl FirstFound {
    fn put_back(&mut self, job: JobId) {
        let node = NodeId::at(job.0);
        self.waiting.push_back(node);
    }

    fn ahead(&self) -> Option<NodeId> {
        let next = if self.taken < EXPANDED_BREADTH_FIRST {
            self.waiting.front()
        } else {
            self.waiting.back()
        };
        next.copied()
    }

    fn next(&mut self) -> Option<Job> {
        let node = if self.taken < EXPANDED_BREADTH_FIRST {
            self.waiting.pop_front()
        } else {
            self.waiting.pop_back()
        }?;
        self.taken += 1;
        Some(Job::everybody(node))
    }
}

/// Fewest switches first. A state is several jobs: to look at it, and one for each thread.
#[derive(Debug, Default)]
pub(crate) struct FewestSwitches {
    reached: Vec<Reached>,
    jobs: Vec<ThreadJob>,
    /// By switches, and by whether the thread is another one than before.
    waiting: BTreeMap<Rank, VecDeque<JobId>>,
}

type Rank = (usize, bool);

#[derive(Debug)]
struct Reached {
    switches: usize,
    /// The threads that can go on without another switch.
    last: Last,
    jobs: std::ops::Range<usize>,
}

#[derive(Debug)]
enum Last {
    Anyone,
    These(Vec<ThreadNumber>),
}

impl Last {
    fn new(last: Option<ThreadNumber>) -> Self {
        last.map_or(Last::Anyone, |it| Last::These(vec![it]))
    }

    fn contains(&self, thread: ThreadNumber) -> bool {
        match self {
            Last::Anyone => true,
            Last::These(threads) => threads.contains(&thread),
        }
    }
}

#[derive(Debug)]
struct ThreadJob {
    node: NodeId,
    /// `None`: to look at the state.
    thread: Option<ThreadNumber>,
    /// With which rank it was explored, by the guesses of today.
    explored: Option<Rank>,
}

impl FewestSwitches {
    fn add(&mut self, node: NodeId, threads: &[ThreadNumber], arrival: Arrival) {
        let stored = self.reached.len();
        assert_eq!(node.index(), stored, "states are stored in their order");
        let first = self.jobs.len();
        for thread in std::iter::once(None).chain(threads.iter().map(|it| Some(*it))) {
            self.jobs.push(ThreadJob {
                node,
                thread,
                explored: None,
            });
        }
        self.reached.push(Reached {
            switches: arrival.switches,
            last: Last::new(arrival.last),
            jobs: first..self.jobs.len(),
        });
        self.put_in(node);
    }

    fn reach_again(&mut self, node: NodeId, arrival: Arrival) -> Gain {
        let reached = &mut self.reached[node.index()];
        let frees_all = arrival.last.is_none() && matches!(reached.last, Last::These(_));
        let is_fewer = arrival.switches < reached.switches
            || arrival.switches == reached.switches && frees_all;
        let gain = if is_fewer {
            reached.switches = arrival.switches;
            reached.last = Last::new(arrival.last);
            Gain::Fewer
        } else if arrival.switches == reached.switches
            && let (Last::These(threads), Some(thread)) = (&mut reached.last, arrival.last)
            && !threads.contains(&thread)
        {
            threads.push(thread);
            Gain::GoesOn(thread)
        } else {
            Gain::Nothing
        };
        if gain != Gain::Nothing {
            self.put_in(node);
        }
        gain
    }

    /// Queues whatever of a state has not been explored with as few switches as it takes now.
    fn put_in(&mut self, node: NodeId) {
        for job in self.reached[node.index()].jobs.clone().map(JobId) {
            let rank = self.rank(job);
            if self.jobs[job.0].explored.is_none_or(|it| it > rank) {
                self.waiting.entry(rank).or_default().push_back(job);
            }
        }
    }

    fn put_back(&mut self, job: JobId) {
        self.jobs[job.0].explored = None;
        let rank = self.rank(job);
        self.waiting.entry(rank).or_default().push_back(job);
    }

    fn rank(&self, job: JobId) -> Rank {
        let ThreadJob { node, thread, .. } = self.jobs[job.0];
        let reached = &self.reached[node.index()];
        let is_another = thread.is_some_and(|it| !reached.last.contains(it));
        (reached.switches, is_another)
    }

    fn next(&mut self) -> Option<Job> {
        loop {
            let mut entry = self.waiting.first_entry()?;
            let rank = *entry.key();
            let Some(id) = entry.get_mut().pop_front() else {
                entry.remove();
                continue;
            };
            // It may have been queued more than once.
            if self.rank(id) != rank || self.jobs[id.0].explored.is_some_and(|it| it <= rank) {
                continue;
            }
            let part = &mut self.jobs[id.0];
            part.explored = Some(rank);
            let (switches, is_another) = rank;
            return Some(Job {
                id,
                node: part.node,
                who: part.thread.map_or(Who::Nobody, Who::One),
                switches,
                switches_after: switches + usize::from(is_another),
            });
        }
    }
}

saved!(struct FirstFound { waiting, taken });
