//! Which threads can go on, as far as is known: who waits is asked again only when what it waits for was touched.
//!
//! # Invariants
//!
//! - Threads have numbers of their own, in the order in which they came: a name may be given twice in one execution.
//! - A thread that is not ready waits, is held back, or has ended: it is never lost. Whoever finds nobody ready asks all who wait once more
//!   ([`Threads::wake_all`]), so a wake-up that was missed costs nothing but time.

use raddle_base::FastMap;
use raddle_ir::interpret::{ObjectNumber, ThreadNumber};

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Awaited {
    Object(ObjectNumber),
    Thread(ThreadNumber),
    /// A change of memory.
    Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Ready,
    Waiting,
    /// Would start another thread, and there are enough.
    Held,
    Ended,
}

#[derive(Debug, Default)]
pub(crate) struct Threads {
    names: Vec<ThreadNumber>,
    status: Vec<Status>,
    /// Which thread has a name now.
    named: FastMap<ThreadNumber, usize>,
    /// Those that are ready, in no order, and where each of them is.
    ready: Vec<usize>,
    places: Vec<usize>,
    waiting: FastMap<Awaited, Vec<usize>>,
    held: Vec<usize>,
    /// Those that would end the process.
    last: Vec<usize>,
    roots: usize,
    /// How many started threads are ready.
    active: usize,
    /// Changes whenever it changes who is ready.
    version: u64,
}

impl Threads {
    pub(crate) fn new(roots: impl Iterator<Item = ThreadNumber>) -> Self {
        let mut threads = Self::default();
        for name in roots {
            threads.roots += 1;
            threads.came(name);
        }
        threads
    }

    pub(crate) fn came(&mut self, name: ThreadNumber) -> usize {
        let thread = self.names.len();
        self.names.push(name);
        self.status.push(Status::Waiting);
        self.places.push(usize::MAX);
        self.named.insert(name, thread);
        self.make_ready(thread);
        thread
    }

    pub(crate) fn count(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn name(&self, thread: usize) -> ThreadNumber {
        self.names[thread]
    }

    pub(crate) fn named(&self, name: ThreadNumber) -> Option<usize> {
        self.named.get(&name).copied()
    }

    pub(crate) fn ready(&self) -> &[usize] {
        &self.ready
    }

    pub(crate) fn is_ready(&self, thread: usize) -> bool {
        self.status[thread] == Status::Ready
    }

    pub(crate) fn has_ended(&self, thread: usize) -> bool {
        self.status[thread] == Status::Ended
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// How many threads that others have started are ready.
    pub(crate) fn active(&self) -> usize {
        self.active
    }

    /// How many of them besides this thread.
    pub(crate) fn active_beside(&self, thread: usize) -> usize {
        let counts = thread >= self.roots && self.status[thread] == Status::Ready;
        self.active - usize::from(counts)
    }

    pub(crate) fn someone_waits(&self) -> bool {
        self.status
            .iter()
            .any(|it| matches!(it, Status::Waiting | Status::Held))
    }

    pub(crate) fn waits(&mut self, thread: usize, awaited: impl IntoIterator<Item = Awaited>) {
        self.leave_ready(thread, Status::Waiting);
        for it in awaited {
            self.waiting.entry(it).or_default().push(thread);
        }
    }

    pub(crate) fn hold(&mut self, thread: usize) {
        self.leave_ready(thread, Status::Held);
        self.held.push(thread);
    }

    /// The thread goes on when nobody else can.
    pub(crate) fn hold_to_the_last(&mut self, thread: usize) {
        self.leave_ready(thread, Status::Held);
        self.last.push(thread);
    }

    /// Lets those go on that are to come last; whether there were any.
    pub(crate) fn release_last(&mut self) -> bool {
        let last = std::mem::take(&mut self.last);
        for &thread in &last {
            self.make_ready(thread);
        }
        !last.is_empty()
    }

    pub(crate) fn ended(&mut self, thread: usize) {
        self.leave_ready(thread, Status::Ended);
        self.wake(Awaited::Thread(self.names[thread]));
    }

    pub(crate) fn wake(&mut self, awaited: Awaited) {
        if self.waiting.is_empty() {
            return;
        }
        for thread in self.waiting.remove(&awaited).unwrap_or_default() {
            if self.status[thread] == Status::Waiting {
                self.make_ready(thread);
            }
        }
    }

    /// Lets those go on that were held back; whether there were any.
    pub(crate) fn release_held(&mut self) -> bool {
        let held = std::mem::take(&mut self.held);
        for &thread in &held {
            self.make_ready(thread);
        }
        !held.is_empty()
    }

    /// Asks all again who wait.
    pub(crate) fn wake_all(&mut self) {
        self.waiting.clear();
        for thread in 0..self.status.len() {
            if self.status[thread] == Status::Waiting {
                self.make_ready(thread);
            }
        }
    }

    fn make_ready(&mut self, thread: usize) {
        self.status[thread] = Status::Ready;
        self.places[thread] = self.ready.len();
        self.ready.push(thread);
        self.active += usize::from(thread >= self.roots);
        self.version += 1;
    }

    fn leave_ready(&mut self, thread: usize, to: Status) {
        if self.status[thread] == Status::Ready {
            let place = self.places[thread];
            self.ready.swap_remove(place);
            if let Some(&moved) = self.ready.get(place) {
                self.places[moved] = place;
            }
            self.active -= usize::from(thread >= self.roots);
            self.version += 1;
        }
        self.status[thread] = to;
    }
}
