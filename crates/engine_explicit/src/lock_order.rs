//! In which order threads take locks, and where two of them might wait for each other.
//!
//! Only a warning: something else, such as a lock around both, may keep the threads apart. Attempts that do not wait are
//! no part of an order. (FQ §7 proposes to assert such an order, because with right movers deadlocks are not seen.)

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::saved;
use raddle_diag::Diagnostic;
use raddle_ir::interpret::{
    Effect, Interpreter, Object, ObjectNumber, State, Storage, Successor, ThreadNumber,
};
use raddle_ir::{Action, EdgeId, FunctionId, Program, SyncOperation};
use raddle_reduce::guesses::{Guess, Guesses};
use raddle_reduce::history::heap_site;
use raddle_reduce::keys::{ObjectKey, held_locks};
use raddle_reduce::movers::{Row, row_of};

/// A lock that has one name in all states.
type Lock = (ObjectKey, u64);

/// How many locks a circle may have.
const LONGEST_CIRCLE: usize = 4;
/// How many threads are remembered for one order of two locks: as many as can take part in one circle.
const MOST_THREADS: usize = LONGEST_CIRCLE;
/// How many circles are told.
const MOST_TOLD: usize = 10;
/// How many ways are tried in search of them.
const MOST_TRIED: usize = 100_000;

/// A thread takes one lock while it holds another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LockOrder {
    held: Lock,
    acquired: Lock,
    /// Not only for reading.
    is_held_exclusively: bool,
    is_acquired_exclusively: bool,
}

/// Where it was seen.
#[derive(Clone, Debug)]
struct Seen {
    place: (FunctionId, EdgeId),
    thread: String,
    held: String,
    acquired: String,
}

/// All orders that were seen.
#[derive(Default)]
pub(crate) struct LockOrders {
    known: BTreeMap<LockOrder, BTreeMap<ThreadNumber, Seen>>,
}

impl LockOrders {
    /// Takes note of a step, if it takes a lock.
    pub(crate) fn step(
        &mut self,
        interpreter: &Interpreter<'_>,
        before: &State,
        successor: &Successor,
    ) {
        let [part] = &successor.step.parts[..] else {
            return;
        };
        let edge = interpreter.program().edge(part.function, part.edge);
        let Action::Sync { operation, .. } = edge.action else {
            return;
        };
        if row_of(&edge.action) != Row::Acquire {
            return;
        }
        let thread = successor.step.thread;
        let acquired = successor.effects.iter().find_map(|effect| {
            if let Effect::Synchronize { object, offset, .. } = effect {
                Some((*object, *offset))
            } else {
                None
            }
        });
        let held = held_locks(before, thread);
        let Some((object, offset)) = acquired.filter(|_| !held.is_empty()) else {
            return;
        };
        if held
            .iter()
            .any(|it| (it.object, it.offset) == (object, offset))
        {
            // Who holds it already does not wait.
            return;
        }
        let Some(key) = lock(before, object, offset) else {
            return;
        };
        for other in &held {
            let Some(held_key) = lock(before, other.object, other.offset) else {
                continue;
            };
            let order = LockOrder {
                held: held_key,
                acquired: key,
                is_held_exclusively: other.is_exclusive,
                is_acquired_exclusively: operation != SyncOperation::ReadAcquire,
            };
            let seen = self.known.entry(order).or_default();
            if held_key != key && !seen.contains_key(&thread) && seen.len() < MOST_THREADS {
                let name = |object, offset| interpreter.place_name(before, object, offset);
                let it = Seen {
                    place: (part.function, part.edge),
                    thread: interpreter.thread_name(before, thread),
                    held: name(other.object, other.offset),
                    acquired: name(object, offset),
                };
                seen.insert(thread, it);
            }
        }
    }

    /// A warning for each circle of locks that different threads close.
    pub(crate) fn warnings(&self, program: &Program, guesses: Option<&Guesses>) -> Vec<Diagnostic> {
        let has_one_name = |(key, _): &Lock| match key {
            ObjectKey::Global(_) => true,
            ObjectKey::Made(site) => {
                let (function, _) = *site;
                // The stack of a function that one thread runs, or a place on the heap that makes one object.
                let runs = program.roots.iter().filter(|it| it.function == function);
                is_on_stack(program, *site) && runs.count() == 1
                    || !is_on_stack(program, *site)
                        && guesses.is_some_and(|it| it.holds(Guess::OnlyOne(*site)))
            }
        };
        let orders: Vec<TakenInOrder<'_>> = self
            .known
            .iter()
            .filter(|(order, _)| has_one_name(&order.held) && has_one_name(&order.acquired))
            .flat_map(|(order, seen)| {
                seen.iter().map(|(thread, seen)| TakenInOrder {
                    order: *order,
                    thread: *thread,
                    seen,
                })
            })
            .collect();
        let mut circles = Circles {
            orders: &orders,
            tried: 0,
            told: BTreeMap::new(),
        };
        for at in 0..orders.len() {
            circles.follow(&mut vec![at]);
        }
        circles
            .told
            .values()
            .take(MOST_TOLD)
            .map(|circle| warning(program, circle))
            .collect()
    }
}

struct TakenInOrder<'a> {
    order: LockOrder,
    thread: ThreadNumber,
    seen: &'a Seen,
}

struct Circles<'a> {
    orders: &'a [TakenInOrder<'a>],
    tried: usize,
    /// Each set of locks once.
    told: BTreeMap<BTreeSet<Lock>, Vec<&'a Seen>>,
}

impl Circles<'_> {
    fn follow(&mut self, way: &mut Vec<usize>) {
        self.tried += 1;
        let orders = self.orders;
        let (Some(&first), Some(&last)) = (way.first(), way.last()) else {
            return;
        };
        if self.tried > MOST_TRIED {
            return;
        }
        // Each waits for what the next one holds.
        let waits_for = |one: usize, other: usize| {
            let (one, other) = (&orders[one], &orders[other]);
            one.order.acquired == other.order.held
                && (one.order.is_acquired_exclusively || other.order.is_held_exclusively)
        };
        if way.len() > 1 && waits_for(last, first) {
            let locks: BTreeSet<Lock> = way.iter().map(|at| orders[*at].order.held).collect();
            // A circle of two says more than one of three around it.
            if !self.told.keys().any(|known| known.is_subset(&locks)) {
                let seen = way.iter().map(|at| orders[*at].seen).collect();
                self.told.insert(locks, seen);
            }
            return;
        }
        if way.len() == LONGEST_CIRCLE {
            return;
        }
        // Every circle is found from its first order.
        for next in first + 1..orders.len() {
            let is_new = |at: &usize| {
                orders[*at].thread != orders[next].thread
                    && orders[*at].order.held != orders[next].order.held
            };
            if waits_for(last, next) && way.iter().all(is_new) {
                way.push(next);
                self.follow(way);
                way.pop();
            }
        }
    }
}

fn warning(program: &Program, circle: &[&Seen]) -> Diagnostic {
    let names: Vec<String> = circle.iter().map(|it| format!("`{}`", it.held)).collect();
    let message = match &names[..] {
        [one, other] => format!("locks {one} and {other} are taken in both orders"),
        [others @ .., last] => format!(
            "locks {} and {last} are taken in a circle",
            others.join(", ")
        ),
        [] => String::new(),
    };
    let mut diagnostic = Diagnostic::warning("lock-order", message);
    for seen in circle {
        let (function, edge) = seen.place;
        let text = format!(
            "thread `{}` takes `{}` while it holds `{}`",
            seen.thread, seen.acquired, seen.held
        );
        diagnostic = match program.edge(function, edge).span {
            Some(span) => diagnostic.at(span, text),
            None => diagnostic.note(format!("in `{}`: {text}", program.functions[function].name)),
        };
    }
    diagnostic
        .note("it is no deadlock as long as something else keeps the threads apart")
        .help("take the locks in one order everywhere")
}

/// The lock, unless each thread has a copy of its own.
fn lock(state: &State, object: ObjectNumber, offset: u64) -> Option<Lock> {
    let content: &Object = state.objects.get(&object)?;
    let is_shared = match content.storage {
        Storage::Global | Storage::Stack => true,
        Storage::Heap => heap_site(content).is_some(),
        Storage::ThreadLocal => false,
    };
    is_shared.then(|| (ObjectKey::of(content), offset))
}

fn is_on_stack(program: &Program, (function, edge): (FunctionId, EdgeId)) -> bool {
    matches!(
        program.edge(function, edge).action,
        Action::Allocate {
            kind: raddle_ir::AllocateKind::Stack,
            ..
        }
    )
}

saved!(struct LockOrder { held, acquired, is_held_exclusively, is_acquired_exclusively });
saved!(struct Seen { place, thread, held, acquired });
saved!(struct LockOrders { known });
