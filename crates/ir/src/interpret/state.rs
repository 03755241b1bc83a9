//! States of a program.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Index, Range};
use std::sync::Arc;

use raddle_base::fast_hasher;

use crate::action::Action;
use crate::program::{AtomicSetId, FunctionId, Global, LocationId, Program, RegisterId};
use crate::read_only::ReadOnly;
use crate::types::{MutexKind, Scalar, SyncType};

use crate::bytes::{Bytes, Cell};
use crate::entries::{self, Entries, Key};
use crate::places::Places;
use crate::watch::{Look, Watch};

/// What a register or an access yields: the bits of a scalar, or nothing defined.
///
/// An undefined value may be copied; to compute with it, to branch on it or to use it as an address is
/// undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Bits(u128),
    Undefined,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bits(bits) => write!(f, "{bits}"),
            Value::Undefined => f.write_str("undefined"),
        }
    }
}

/// The name of a thread. Roots count from 0; a spawned thread is named by its creator and the creator's own
/// count, so that creations of different threads commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadNumber(pub u64);

/// The high bits of a pointer. 0 is the null pointer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectNumber(pub u32);

/// A state of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Threads that run, and those that ended but were not joined.
    pub threads: Table<ThreadNumber, Thread>,
    /// Objects that live, and dead ones that a pointer still names.
    pub objects: Table<ObjectNumber, Object>,
    /// Which of them lie, or lay, at one address.
    pub places: Places,
    /// The process has ended, by an `EndProcess` or a failed assertion.
    pub has_ended: bool,
}

impl State {
    /// A hash of what is not the same as in a state that it came from. Equal states have equal hashes, and parts that were
    /// never touched are told by their addresses.
    pub fn hash_of_changes(&self, from: &State) -> u64 {
        let mut hasher = fast_hasher();
        // Who compares states inside of a computation compares what it did itself.
        let threads = self.threads.unobserved();
        threads.differences(from.threads.unobserved(), |number, thread, _| {
            (number, thread).hash(&mut hasher);
        });
        let objects = self.objects.unobserved();
        objects.differences(from.objects.unobserved(), |number, object, _| {
            (number, object).hash(&mut hasher);
        });
        self.places.hash(&mut hasher);
        hasher.finish()
    }

    /// By how much a hash of the state differs from that of another. Hashes are sums over parts, so what the differences on a way
    /// come to depends on nothing but where it begins and ends.
    pub fn change_of_hash(&self, from: &State) -> u64 {
        fn share<T: Hash>(part: Option<&T>, number: impl Hash) -> u64 {
            let mut hasher = fast_hasher();
            part.map_or(0, |it| {
                (number, it).hash(&mut hasher);
                hasher.finish()
            })
        }
        let mut change = 0_u64;
        let threads = self.threads.unobserved();
        threads.differences(from.threads.unobserved(), |number, is, was| {
            let more = share(is, number).wrapping_sub(share(was, number));
            change = change.wrapping_add(more);
        });
        let objects = self.objects.unobserved();
        objects.differences(from.objects.unobserved(), |number, is, was| {
            let more = share(is, number).wrapping_sub(share(was, number));
            change = change.wrapping_add(more);
        });
        if self.places != from.places {
            let more = share(Some(&self.places), 0).wrapping_sub(share(Some(&from.places), 0));
            change = change.wrapping_add(more);
        }
        change
    }

    /// The same state, at which somebody looks, or nobody.
    #[must_use]
    pub fn watched(mut self, watch: &Watch) -> Self {
        self.threads.watch = watch.clone();
        self.objects.watch = watch.clone();
        self
    }

    /// Who looks at it.
    pub fn watch(&self) -> &Watch {
        &self.threads.watch
    }

    /// Nobody will take a step any more, because the process or every thread has ended.
    pub fn is_over(&self) -> bool {
        self.has_ended || self.threads.values().all(|thread| thread.frames.is_empty())
    }
}

/// Named parts of a state. Copies share what they have in common until one of them is changed. Whoever looks at a part is
/// noted, see [`watch`](crate::watch).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table<K: Key, V> {
    entries: Entries<K, Arc<V>>,
    watch: Watch,
}

/// What a part of a state is named by.
pub trait Name: Key {
    /// The whole part is looked at or written.
    fn whole(self) -> Look;
    /// It is asked whether the part is there. `None` if that counts as known.
    fn presence(self) -> Option<Look>;
    /// It is asked which parts are there. `None` if that counts as known.
    fn all_names() -> Option<Look>;
}

impl Key for ThreadNumber {
    fn number(self) -> u64 {
        self.0
    }
}

impl Key for ObjectNumber {
    fn number(self) -> u64 {
        self.0.into()
    }
}

impl Name for ThreadNumber {
    fn whole(self) -> Look {
        Look::Thread(self)
    }

    fn presence(self) -> Option<Look> {
        None
    }

    fn all_names() -> Option<Look> {
        None
    }
}

impl Name for ObjectNumber {
    fn whole(self) -> Look {
        Look::Object(self)
    }

    fn presence(self) -> Option<Look> {
        Some(Look::Head(self))
    }

    fn all_names() -> Option<Look> {
        Some(Look::Everything)
    }
}

impl<K: Key, V> Default for Table<K, V> {
    fn default() -> Self {
        Self {
            entries: Entries::default(),
            watch: Watch::default(),
        }
    }
}

impl<K: Name, V: Clone> Table<K, V> {
    /// The parts, for whoever looks at none that is not noted anyway.
    pub fn unobserved(&self) -> &Entries<K, Arc<V>> {
        &self.entries
    }

    pub fn get(&self, name: &K) -> Option<&Arc<V>> {
        self.watch.look(name.whole());
        self.entries.get(name)
    }

    pub fn contains_key(&self, name: &K) -> bool {
        if let Some(look) = name.presence() {
            self.watch.look(look);
        }
        self.entries.contains_key(name)
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> + Clone {
        if let Some(look) = K::all_names() {
            self.watch.look(look);
        }
        self.entries.keys()
    }

    pub fn len(&self) -> usize {
        if let Some(look) = K::all_names() {
            self.watch.look(look);
        }
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn values(&self) -> impl Iterator<Item = &Arc<V>> + Clone {
        self.watch.look(Look::Everything);
        self.entries.values()
    }

    pub fn iter(&self) -> entries::Iter<'_, K, Arc<V>> {
        self.watch.look(Look::Everything);
        self.entries.iter()
    }

    pub fn first_key_value(&self) -> Option<(&K, &Arc<V>)> {
        self.watch.look(Look::Everything);
        self.entries.first_key_value()
    }

    /// To change it in place.
    pub fn get_mut(&mut self, name: &K) -> Option<&mut Arc<V>> {
        self.watch.look(name.whole());
        self.entries.get_mut(name)
    }

    /// To change all of them in place.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Arc<V>> {
        self.watch.look(Look::Everything);
        self.entries.values_mut()
    }

    pub fn insert(&mut self, name: K, part: Arc<V>) -> Option<Arc<V>> {
        self.watch.look(name.whole());
        self.entries.insert(name, part)
    }

    pub fn remove(&mut self, name: &K) -> Option<Arc<V>> {
        self.watch.look(name.whole());
        self.entries.remove(name)
    }

    pub fn retain(&mut self, is_kept: impl FnMut(&K, &mut Arc<V>) -> bool) {
        self.watch.look(Look::Everything);
        self.entries.retain(is_kept);
    }

    pub fn clear(&mut self) {
        self.watch.look(Look::Everything);
        self.entries.clear();
    }
}

impl Table<ObjectNumber, Object> {
    /// An object without its bytes.
    pub fn head(&self, name: ObjectNumber) -> Option<Head<'_>> {
        self.watch.look(Look::Head(name));
        self.entries.get(&name).map(|it| Head(it))
    }

    /// Some bytes of an object that has them.
    pub(crate) fn cells(&self, name: ObjectNumber, bytes: Range<usize>) -> Cow<'_, [Cell]> {
        self.watch.look(Look::cells(name, &bytes));
        self.entries[&name].bytes.get(bytes)
    }

    /// Changes some bytes of an object that has them, from one on.
    pub(super) fn write_cells(&mut self, name: ObjectNumber, first: usize, cells: &[Cell]) {
        let written = first..first + cells.len();
        self.watch.look(Look::cells(name, &written));
        let object = self
            .entries
            .get_mut(&name)
            .expect("the caller knows that it is there");
        Arc::make_mut(object).bytes.write(first, cells);
    }
}

/// An object without its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a>(&'a Object);

impl<'a> Head<'a> {
    pub fn is_live(self) -> bool {
        self.0.is_live
    }

    pub fn storage(self) -> Storage {
        self.0.storage
    }

    pub fn size(self) -> u64 {
        self.0.bytes.len() as u64
    }

    pub fn origin(self) -> &'a Origin {
        &self.0.origin
    }

    pub fn syncs(self) -> &'a BTreeMap<u64, Sync> {
        &self.0.syncs
    }
}

impl<K: Name, V: Clone> Index<&K> for Table<K, V> {
    type Output = Arc<V>;

    fn index(&self, name: &K) -> &Arc<V> {
        self.watch.look(name.whole());
        &self.entries[name]
    }
}

impl<K: Key, V> FromIterator<(K, Arc<V>)> for Table<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, Arc<V>)>>(parts: I) -> Self {
        Self {
            entries: parts.into_iter().collect(),
            watch: Watch::default(),
        }
    }
}

impl<'a, K: Name, V: Clone> IntoIterator for &'a Table<K, V> {
    type Item = (&'a K, &'a Arc<V>);
    type IntoIter = entries::Iter<'a, K, Arc<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Key + fmt::Debug, V: fmt::Debug> fmt::Debug for Table<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.fmt(f)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread {
    /// The function it began with.
    pub function: FunctionId,
    pub creator: Option<ThreadNumber>,
    /// How many-th child of its creator it is, from 0; the number of a root.
    pub child: u32,
    /// The running frame is the last. Empty: the thread has ended.
    pub frames: Vec<Frame>,
    /// What a join receives, once the thread has ended, and its type.
    pub result: Value,
    pub result_type: Option<Scalar>,
    /// What it waited for has come; it has not gone on yet.
    pub woken: Option<Woken>,
    pub is_detached: bool,
    /// Its copies of thread-local globals, in the order of the globals.
    pub locals: Vec<ObjectNumber>,
    /// Units of work it is in, outermost first.
    pub units: Vec<Option<AtomicSetId>>,
    /// Within how many nested atomic sections it is; 0 between steps.
    pub atomic_depth: u32,
}

/// What came to a thread that waited. It belongs to the thread, because the object it waited on may be gone
/// before it goes on: POSIX allows to destroy a condition variable or a barrier as soon as nobody is blocked on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Woken {
    Signalled {
        /// The condition variable, as a pointer.
        condition: u128,
        mutex: u128,
        /// The time limit may have passed all the same: no other thread missed the signal for it.
        may_time_out: bool,
    },
    Released {
        /// The barrier, as a pointer.
        barrier: u128,
        is_serial: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    pub function: FunctionId,
    pub location: LocationId,
    pub registers: Registers,
    /// Objects that end with the frame.
    pub stack_objects: Vec<ObjectNumber>,
    /// Where the caller wants the result.
    pub target: Option<RegisterId>,
}

/// Values of the registers of a frame.
pub type Registers = Vec<Value>;

/// Who made an object and how long it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    Global,
    ThreadLocal,
    Heap,
    Stack,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    pub storage: Storage,
    /// Dead objects keep no bytes; they are kept as long as something points to them.
    pub is_live: bool,
    /// `None` where undefined.
    pub bytes: Bytes,
    /// Synchronisation objects by their byte offset.
    pub syncs: BTreeMap<u64, Sync>,
    /// For names of places: which type it was made with.
    pub origin: Origin,
}

/// Where an object comes from, for reports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    Global(crate::program::GlobalId),
    /// The edge that allocated it.
    Edge(FunctionId, crate::program::EdgeId),
}

impl Origin {
    /// The global, if nothing is known of it.
    pub fn opaque<'p>(&self, program: &'p Program) -> Option<&'p Global> {
        match self {
            Origin::Global(global) => Some(&program.globals[*global]).filter(|it| it.is_opaque),
            Origin::Edge(..) => None,
        }
    }

    /// Where nobody may write to what comes from there.
    pub fn read_only<'p>(&self, program: &'p Program) -> &'p ReadOnly {
        match self {
            Origin::Global(global) => &program.globals[*global].read_only,
            Origin::Edge(function, edge) => {
                let Action::Allocate { read_only, .. } = &program.edge(*function, *edge).action
                else {
                    unreachable!("only allocations make objects")
                };
                read_only
            }
        }
    }
}

/// The state of a synchronisation object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sync {
    Mutex {
        kind: MutexKind,
        owner: Option<ThreadNumber>,
        /// How often the owner holds it; 0 iff there is none.
        count: u32,
    },
    ReadWriteLock {
        writer: Option<ThreadNumber>,
        /// Readers with how often they hold it.
        readers: BTreeMap<ThreadNumber, u32>,
    },
    Condition {
        /// The wait set: each with its mutex.
        waiting: BTreeMap<ThreadNumber, u128>,
    },
    Semaphore {
        value: u32,
    },
    Barrier {
        needed: u32,
        arrived: BTreeSet<ThreadNumber>,
    },
    Monitor {
        owner: Option<ThreadNumber>,
        count: u32,
        /// The wait set: each with the count it will take up again.
        waiting: BTreeMap<ThreadNumber, u32>,
        notified: BTreeMap<ThreadNumber, u32>,
    },
}

impl Sync {
    pub fn sync_type(&self) -> SyncType {
        match self {
            Sync::Mutex { kind, .. } => SyncType::Mutex(*kind),
            Sync::ReadWriteLock { .. } => SyncType::ReadWriteLock,
            Sync::Condition { .. } => SyncType::Condition,
            Sync::Semaphore { .. } => SyncType::Semaphore,
            Sync::Barrier { .. } => SyncType::Barrier,
            Sync::Monitor { .. } => SyncType::Monitor,
        }
    }

    /// The threads it names.
    pub fn threads(&self) -> impl Iterator<Item = ThreadNumber> {
        let named: Vec<ThreadNumber> = match self {
            Sync::Mutex { owner, .. } => owner.iter().copied().collect(),
            Sync::ReadWriteLock { writer, readers } => {
                writer.iter().chain(readers.keys()).copied().collect()
            }
            Sync::Condition { waiting } => waiting.keys().copied().collect(),
            Sync::Semaphore { .. } => Vec::new(),
            Sync::Barrier { arrived, .. } => arrived.iter().copied().collect(),
            Sync::Monitor {
                owner,
                waiting,
                notified,
                ..
            } => owner
                .iter()
                .chain(waiting.keys())
                .chain(notified.keys())
                .copied()
                .collect(),
        };
        named.into_iter()
    }
}
