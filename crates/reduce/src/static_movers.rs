//! Which actions satisfy the conditions of the [table](crate::movers) in every state, by analyses before the search.
//!
//! Two accesses are kept apart if no two threads stand before them at the same time, or if both threads certainly hold one
//! lock there, at least one of them exclusively. Then neither can come directly after the other, so each commutes with
//! all that may. What is not understood satisfies nothing.

use std::collections::{BTreeMap, BTreeSet};

use raddle_analysis::call_graph::{InstanceId, ThreadId};
use raddle_analysis::conflicts::{Access, accesses};
use raddle_analysis::escape::Escape;
use raddle_analysis::locksets::{Held, Lock, Locksets, the_lock};
use raddle_analysis::parallel::Parallel;
use raddle_analysis::points_to::{ObjectKind, PointsTo};
use raddle_analysis::value::ObjectId;
use raddle_base::BitSet;
use raddle_ir::interpret::{Recycling, StepPart};
use raddle_ir::{Action, AllocateKind, Deed, EdgeId, FunctionId, LockMode, Program, SyncOperation};

use crate::movers::{Condition, Row, row_of, row_with_recycling};
use crate::moves::Moves;

/// More accesses to one object than this are not compared with one another.
const MAX_ACCESSES: usize = 2_000;

/// The conditions that hold at edges whenever they are taken.
#[derive(Clone, Debug, Default)]
pub struct StaticMovers {
    /// Of edges that touch memory; edges that are missing satisfy nothing.
    edges: BTreeMap<(FunctionId, EdgeId), Satisfied>,
    /// What others may reach that ends with frames and threads; nothing is known of a program that is not understood.
    exposed: Option<Exposed>,
}

/// What others may reach on the stack of a thread, or among its copies of thread-locals.
#[derive(Clone, Debug, Default)]
struct Exposed {
    /// Functions with such objects.
    functions: BTreeSet<FunctionId>,
    has_thread_locals: bool,
}

#[derive(Clone, Copy, Debug)]
struct Satisfied {
    is_exclusive: bool,
    is_untried: bool,
    has_one_mutex: bool,
}

impl Satisfied {
    fn and(self, other: Satisfied) -> Satisfied {
        Satisfied {
            is_exclusive: self.is_exclusive && other.is_exclusive,
            is_untried: self.is_untried && other.is_untried,
            has_one_mutex: self.has_one_mutex && other.has_one_mutex,
        }
    }
}

impl StaticMovers {
    pub fn new(program: &Program) -> Self {
        Survey::new(program).map_or_else(Self::default, |survey| survey.movers())
    }

    /// Whether a condition holds whenever this action is taken.
    pub(crate) fn satisfies(&self, part: &StepPart, condition: Condition) -> bool {
        let known = self.edges.get(&(part.function, part.edge));
        match condition {
            Condition::Exclusive | Condition::LivenessProtected => {
                known.is_some_and(|it| it.is_exclusive)
            }
            Condition::NobodyTries => known.is_some_and(|it| it.is_untried),
            Condition::OneMutex => known.is_some_and(|it| it.has_one_mutex),
            // Which thread, and how many come to a barrier, is not known in advance.
            Condition::SoleJoiner | Condition::RoundFits => false,
        }
    }

    /// How an action moves whenever it is taken; atomic sections and what ends with frames are not looked at.
    pub fn moves(
        &self,
        program: &Program,
        recycling: &Recycling,
        (function, edge): (FunctionId, EdgeId),
    ) -> Moves {
        let part = StepPart {
            function,
            edge,
            choice: None,
        };
        let action = &program.edge(function, edge).action;
        let row = if recycling.is_possible() {
            row_with_recycling(action)
        } else {
            row_of(action)
        };
        // Whether a guard blocks is judged of all edges of its location together.
        if row == Row::Assume {
            return Moves::BOTH;
        }
        let claim = if matches!(row, Row::SharedAccess | Row::AtomicAccess) {
            Row::ExclusiveAccess.claim()
        } else {
            row.claim()
        };
        let holds = claim
            .conditions
            .iter()
            .all(|condition| self.satisfies(&part, *condition));
        Moves {
            right: holds && claim.is_right,
            left: holds && claim.is_left,
        }
    }

    /// No other thread can reach what is on the stack of a thread, or its copies of thread-locals.
    pub fn are_locals_kept(&self) -> bool {
        let is_empty = |it: &Exposed| it.functions.is_empty() && !it.has_thread_locals;
        self.exposed.as_ref().is_some_and(is_empty)
    }

    /// No other thread can reach what a call of the function has on the stack.
    pub fn keeps_locals_of(&self, function: FunctionId) -> bool {
        let is_missing = |it: &Exposed| !it.functions.contains(&function);
        self.exposed.as_ref().is_some_and(is_missing)
    }

    /// No other thread can reach a thread's copies of thread-locals.
    pub fn keeps_thread_locals(&self) -> bool {
        self.exposed
            .as_ref()
            .is_some_and(|it| !it.has_thread_locals)
    }
}

/// What is known of all states.
#[derive(Clone, Debug)]
pub(crate) struct Survey<'p> {
    pub(crate) points_to: PointsTo<'p>,
    accesses: Vec<Access>,
    locksets: Locksets,
    parallel: Parallel,
    pub(crate) escape: Escape,
}

impl<'p> Survey<'p> {
    /// `None` of a program that is too large, or not understood.
    pub(crate) fn new(program: &'p Program) -> Option<Self> {
        let points_to = PointsTo::new(program).ok()?;
        if points_to.not_understood().is_some() {
            return None;
        }
        let accesses = accesses(&points_to);
        Some(Self {
            locksets: Locksets::new(&points_to, &accesses),
            parallel: Parallel::new(&points_to),
            escape: Escape::new(&points_to),
            accesses,
            points_to,
        })
    }

    pub(crate) fn movers(&self) -> StaticMovers {
        let mut by_object: BTreeMap<ObjectId, Vec<&Access>> = BTreeMap::new();
        for access in self.accesses.iter().filter(|it| self.is_reached(it)) {
            by_object.entry(access.object).or_default().push(access);
        }
        let mut edges: BTreeMap<(FunctionId, EdgeId), Satisfied> = BTreeMap::new();
        for (&object, uses) in &by_object {
            let (is_small, is_kept) = (uses.len() <= MAX_ACCESSES, self.is_kept(object));
            let has_one_mutex = is_small && self.has_one_mutex(uses);
            for one in uses {
                let satisfied = Satisfied {
                    is_exclusive: is_small
                        && is_kept
                        && uses.iter().all(|other| self.are_apart(one, other)),
                    is_untried: is_small && !uses.iter().any(|other| self.is_attempt(other)),
                    has_one_mutex: has_one_mutex || !self.is_to_wait_set(one),
                };
                let function = self.points_to.graph.instances[one.instance].function;
                edges
                    .entry((function, one.edge))
                    .and_modify(|known| *known = known.and(satisfied))
                    .or_insert(satisfied);
            }
        }
        StaticMovers {
            edges,
            exposed: Some(self.exposed()),
        }
    }

    fn exposed(&self) -> Exposed {
        let mut exposed = Exposed::default();
        for (id, object) in self.points_to.objects.iter() {
            match object.kind {
                ObjectKind::Global(_) => {}
                ObjectKind::ThreadLocal(..) => exposed.has_thread_locals |= !self.is_kept(id),
                ObjectKind::Allocated(_, instance, _) => {
                    if !self.is_kept(id) {
                        let instances = &self.points_to.graph.instances;
                        exposed.functions.insert(instances[instance].function);
                    }
                }
            }
        }
        exposed
    }

    fn is_reached(&self, access: &Access) -> bool {
        self.place(access).is_some()
    }

    fn place(&self, access: &Access) -> Option<(&Held, &BitSet<ThreadId>)> {
        let function = self.points_to.graph.instances[access.instance].function;
        let from = self.points_to.program.edge(function, access.edge).from;
        Some((
            self.locksets.at(access.instance, from)?,
            self.parallel.at(access.instance, from)?,
        ))
    }

    fn action(&self, instance: InstanceId, edge: EdgeId) -> &Action {
        let function = self.points_to.graph.instances[instance].function;
        &self.points_to.program.edge(function, edge).action
    }

    fn is_attempt(&self, access: &Access) -> bool {
        let row = row_of(self.action(access.instance, access.edge));
        matches!(row, Row::Attempt | Row::WaitEndTimed)
    }

    /// Whether the object cannot end while another thread may reach it, but for actions that say so.
    pub(crate) fn is_kept(&self, object: ObjectId) -> bool {
        if self.escape.is_local(object) {
            return true;
        }
        match self.points_to.objects[object].kind {
            ObjectKind::Global(_) => true,
            ObjectKind::ThreadLocal(..) => false,
            ObjectKind::Allocated(kind, ..) => kind == AllocateKind::Heap,
        }
    }

    /// Whether the two do not conflict, or never stand side by side.
    pub(crate) fn are_apart(&self, one: &Access, other: &Access) -> bool {
        let both_synchronize = one.deed == Deed::Synchronize && other.deed == Deed::Synchronize;
        if both_synchronize || !one.conflicts_with(other) || self.escape.is_local(one.object) {
            return true;
        }
        let graph = &self.points_to.graph;
        if one.thread == other.thread && graph.is_single(&self.points_to.automata, one.thread) {
            return true;
        }
        let (Some((held, others)), Some((held_there, others_there))) =
            (self.place(one), self.place(other))
        else {
            return true;
        };
        let may_meet = others.contains(other.thread) && others_there.contains(one.thread);
        !may_meet || held.common(held_there).next().is_some()
    }

    /// Whether the access is to a condition variable, whose wait set it looks at or changes.
    fn is_to_wait_set(&self, access: &Access) -> bool {
        let Action::Sync {
            operation:
                SyncOperation::WaitBegin
                | SyncOperation::WaitEnd
                | SyncOperation::WaitEndTimed
                | SyncOperation::Signal
                | SyncOperation::Broadcast,
            object,
            ..
        } = self.action(access.instance, access.edge)
        else {
            return false;
        };
        self.points_to
            .values(access.instance, object)
            .addresses()
            .any(|it| it == (access.object, access.offset))
    }

    /// Whether all threads that look at or change the wait set hold a common lock then.
    fn has_one_mutex(&self, uses: &[&Access]) -> bool {
        let mut common: Option<BTreeSet<Lock>> = None;
        for access in uses.iter().filter(|it| self.is_to_wait_set(it)) {
            let locks = self.locks_around(access);
            common = Some(match common {
                None => locks,
                Some(known) => known.intersection(&locks).copied().collect(),
            });
        }
        common.is_none_or(|it| !it.is_empty())
    }

    /// What is certainly held when a wait set changes. A thread that stops waiting has its mutex only afterwards.
    fn locks_around(&self, access: &Access) -> BTreeSet<Lock> {
        if let Action::Sync {
            operation: SyncOperation::WaitEnd | SyncOperation::WaitEndTimed,
            mutex,
            ..
        } = self.action(access.instance, access.edge)
        {
            let locks = mutex.iter();
            return locks
                .filter_map(|it| the_lock(&self.points_to, access.instance, it))
                .collect();
        }
        let Some((held, _)) = self.place(access) else {
            return BTreeSet::new();
        };
        let exclusive = held
            .locks
            .iter()
            .filter(|(_, it)| it.0 == LockMode::Exclusive);
        exclusive.map(|(lock, _)| *lock).collect()
    }
}
