//! From a program to processes that share locks, with what an atomic set or an automaton speaks about.
//!
//! Every execution of the program, up to the first undefined thing, is one of the processes: calls and returns are
//! kept, branches are taken either way, and what is not understood of locks is forgotten. There is one process for
//! each abstract thread; where there may be several threads of the kind, several copies of the process run. No more
//! copies are needed than an automaton has parties, for whoever else there is may stay where it began, holding nothing.
//!
//! - [`focus`]: what is shown; `cells`: memory locations; [`locks`]: which locks are kept; `process`: control flow.

mod cells;
pub mod focus;
pub mod locks;
mod process;

use raddle_analysis::call_graph::{InstanceId, Origin, ThreadId};
use raddle_analysis::conflicts::Access;
use raddle_analysis::locksets::Lock;
use raddle_analysis::parallel::Parallel;
use raddle_analysis::points_to::PointsTo;
use raddle_base::{Arena, Id, Span};
use raddle_ir::EdgeId;

use crate::history::MOST_LOCKS;
use crate::reentrant::{Bracket, Problem, RawProcess, Reduced, reduce};
use crate::system::{CellId, Label, LockId, Process, RuleId};

pub use cells::Cell;
use focus::Focus;
use locks::LockTable;

/// What analyses know of the program.
pub struct ProgramFacts<'a, 'p> {
    pub points_to: &'a PointsTo<'p>,
    pub accesses: &'a [Access],
    pub parallel: &'a Parallel,
}

/// Processes, and what they stand for.
#[derive(Clone, Debug)]
pub struct Abstraction {
    pub focus: Focus,
    pub cells: Arena<CellId, Cell>,
    pub locks: LockTable,
    /// By the index of the thread.
    pub threads: Vec<Thread>,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub id: ThreadId,
    /// There is at most one of the kind.
    pub is_single: bool,
    pub reduced: Reduced,
    edges: Vec<Option<(InstanceId, EdgeId)>>,
}

impl Thread {
    pub fn process(&self) -> &Process {
        &self.reduced.process
    }

    /// The edge of the program that a rule stands for.
    pub fn edge(&self, rule: RuleId) -> Option<(InstanceId, EdgeId)> {
        self.edges[self.reduced.origins[rule.index()]?]
    }
}

/// Why there is no abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Units of work begin and end in different calls, or cross one another.
    UnitsNotNested,
    TooLarge,
}

/// The processes of a program, with what is to be shown of it.
pub fn abstract_program(
    known: &ProgramFacts<'_, '_>,
    focus: &Focus,
) -> Result<Abstraction, Failed> {
    let points_to = known.points_to;
    let cells = cells::cells_of(points_to, known.accesses, &focus.members);
    let mut locks = LockTable::default();
    let is_reached = |instance: InstanceId, edge: EdgeId| {
        let function = points_to.graph.instances[instance].function;
        let location = points_to.program.edge(function, edge).from;
        known.parallel.at(instance, location).is_some()
    };
    // Each round forgets a lock or lets its holder take it again, so there are not many.
    loop {
        locks.rebuild(points_to, known.accesses, &is_reached);
        let mut threads = Vec::new();
        let mut problem = None;
        for (id, thread) in points_to.graph.threads.iter() {
            let name = name_of(points_to, id, thread.entry);
            let built = process::build(known, focus, &cells, &locks, id, name);
            match reduce(&built.raw) {
                Ok(reduced) => threads.push(Thread {
                    id,
                    is_single: points_to.graph.is_single(&points_to.automata, id),
                    reduced,
                    edges: built.edges,
                }),
                Err(found) => {
                    problem = Some((found, built));
                    break;
                }
            }
        }
        let Some((problem, built)) = problem else {
            if locks.locks.len() > MOST_LOCKS {
                for lock in surplus(&locks, &threads) {
                    locks.forget(points_to, lock, "histories are kept of 32 locks only", None);
                }
                continue;
            }
            return Ok(Abstraction {
                focus: focus.clone(),
                cells,
                locks,
                threads,
            });
        };
        repair(known, &mut locks, problem, &built.raw, &built.edges)?;
    }
}

/// The locks beyond those of which histories are kept: others are held at more accesses.
fn surplus(locks: &LockTable, threads: &[Thread]) -> Vec<Lock> {
    let accesses_under = |lock: LockId| {
        let of_thread = |thread: &Thread| {
            let process = thread.process();
            let rules = process.rules.values();
            rules
                .filter(|rule| matches!(rule.label, Label::Access(_)))
                .filter(|rule| process.controls[rule.from].held.contains(&lock))
                .count()
        };
        threads.iter().map(of_thread).sum::<usize>()
    };
    let mut all: Vec<(usize, LockId)> = locks
        .locks
        .ids()
        .map(|lock| (accesses_under(lock), lock))
        .collect();
    all.sort_by_key(|(accesses, lock)| (std::cmp::Reverse(*accesses), *lock));
    let beyond = all.into_iter().skip(MOST_LOCKS);
    beyond.map(|(_, lock)| locks.locks[lock].lock).collect()
}

/// Changes what is kept of a lock so that the problem goes away.
fn repair(
    known: &ProgramFacts<'_, '_>,
    locks: &mut LockTable,
    problem: Problem,
    raw: &RawProcess,
    edges: &[Option<(InstanceId, EdgeId)>],
) -> Result<(), Failed> {
    let points_to = known.points_to;
    let span = |rule: usize| -> Option<Span> {
        let (instance, edge) = (*edges.get(rule)?)?;
        let function = points_to.graph.instances[instance].function;
        points_to.program.edge(function, edge).span
    };
    debug_assert!(!raw.rules.is_empty(), "a problem is met at a rule");
    let mut forget = |lock: LockId, why, span| {
        let lock = locks.locks[lock].lock;
        locks.forget(points_to, lock, why, span);
    };
    match problem {
        Problem::NotInnermost(lock, rule) => {
            let why = "it is released while a lock taken later is held";
            forget(lock, why, span(rule));
        }
        Problem::NotHeld(lock, rule) => {
            let why = "it may be released by a thread that does not hold it";
            forget(lock, why, span(rule));
        }
        Problem::TakenTwice(lock, rule) => {
            locks.taken_twice(points_to, known.accesses, lock, span(rule));
        }
        Problem::NotBalanced(Bracket::Lock(lock)) => {
            let why = "it may be taken again, and is not taken and released in the same call";
            forget(lock, why, None);
        }
        Problem::NotBalanced(Bracket::Unit) => return Err(Failed::UnitsNotNested),
        Problem::TooLarge => return Err(Failed::TooLarge),
    }
    Ok(())
}

/// As in `main` or `worker[1]`.
fn name_of(points_to: &PointsTo<'_>, thread: ThreadId, entry: InstanceId) -> String {
    match points_to.graph.threads[thread].origin {
        Origin::Root(index) => points_to.program.roots[index].display_name(),
        Origin::Spawn(..) => {
            let function = points_to.graph.instances[entry].function;
            points_to.program.functions[function].name.clone()
        }
    }
}
