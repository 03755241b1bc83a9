//! What processes are to show of the program, besides their locks.

use raddle_analysis::call_graph::InstanceId;
use raddle_analysis::points_to::{ObjectKind, PointsTo};
use raddle_analysis::value::Offset;
use raddle_base::Arena;
use raddle_ir::effect::LockOutcome;
use raddle_ir::{
    Action, AtomicSetId, Direction, FunctionId, GlobalId, Initial, Member, MutexKind, Program,
    SyncInit, SyncType,
};

use crate::system::EventId;

/// Accesses, units and events that are labels of processes; all else is silent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Focus {
    /// The memory whose accesses are shown.
    pub members: Vec<Member>,
    pub units: Units,
    pub events: Arena<EventId, Event>,
}

/// Which units of work are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Those on this set.
    On(AtomicSetId),
    /// Whatever set they are on.
    All,
    None,
}

/// What a thread does besides accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    Enter(FunctionId),
    Leave(FunctionId),
    /// Takes the lock at this place of a variable, or shares it.
    Take(GlobalId, u64),
    Give(GlobalId, u64),
}

/// What an operation may be for those who watch locks.
pub(super) struct Told {
    pub(super) events: Vec<EventId>,
    /// It is one of them for sure.
    pub(super) is_sure: bool,
    /// A phase does not end with an operation on a lock (AS §7.1), so these are steps of their own: behind the
    /// operation if it takes the lock, else before it. That changes nothing, because whoever takes a lock may as well
    /// take it just then.
    pub(super) is_behind: bool,
}

impl Focus {
    pub fn on_set(program: &Program, set: AtomicSetId) -> Self {
        Self {
            members: program.atomic_sets[set].members.clone(),
            units: Units::On(set),
            events: Arena::new(),
        }
    }

    pub(super) fn shows_unit(&self, set: Option<AtomicSetId>) -> bool {
        match self.units {
            Units::On(wanted) => set.is_none_or(|it| it == wanted),
            Units::All => true,
            Units::None => false,
        }
    }

    pub(crate) fn find(&self, event: Event) -> Option<EventId> {
        let mut events = self.events.iter();
        events.find(|(_, it)| **it == event).map(|(id, _)| id)
    }

    /// What is told of an operation on a lock; `None` if nobody watches it.
    pub(super) fn told(
        &self,
        points_to: &PointsTo<'_>,
        instance: InstanceId,
        action: &Action,
    ) -> Option<Told> {
        let (effect, operand) = action.lock_effect()?;
        let is_taken = effect.direction == Direction::Acquire;
        // A read-write lock may refuse who holds it already, and is given back to readers or writers.
        let is_attempt = effect.outcome == LockOutcome::MayFail
            || action.lock_family() == Some(SyncType::ReadWriteLock);
        let values = points_to.values(instance, operand);
        let addresses: Vec<_> = values.addresses().collect();
        let mut events = Vec::new();
        for (id, event) in self.events.iter() {
            let (global, offset) = match *event {
                Event::Take(global, offset) if is_taken => (global, offset),
                Event::Give(global, offset) if !is_taken => (global, offset),
                Event::Take(..) | Event::Give(..) | Event::Enter(_) | Event::Leave(_) => continue,
            };
            let lock = points_to.object(ObjectKind::Global(global));
            let may_be = addresses
                .iter()
                .any(|(at, from)| Some(*at) == lock && from.covers(Offset::exactly(offset)));
            if may_be {
                events.push(id);
            }
        }
        let is_one = matches!(addresses[..], [(_, offset)] if offset.exact().is_some());
        (!events.is_empty()).then(|| Told {
            is_sure: is_one
                && events.len() == 1
                && !is_attempt
                && !has_checked_mutexes(points_to.program),
            events,
            is_behind: is_taken,
        })
    }
}

/// Whether some mutex may refuse to be taken or released, and say so.
fn has_checked_mutexes(program: &Program) -> bool {
    let is_checked = |sync: SyncType| sync == SyncType::Mutex(MutexKind::ErrorChecking);
    let declared = program.globals.values().any(|global| {
        let cells = global.ty.sync_cells(&program.structs, program.model);
        let initial = global.initial.iter();
        cells.into_iter().any(|(_, sync)| is_checked(sync))
            || initial
                .into_iter()
                .any(|(_, it)| matches!(it, Initial::Sync(sync) if is_checked(sync.sync_type())))
    });
    let mut actions = program
        .functions
        .values()
        .flat_map(|function| function.edges.values().map(|edge| &edge.action));
    declared
        || actions.any(|action| {
            matches!(
                action,
                Action::Init {
                    sync: SyncInit::Mutex(MutexKind::ErrorChecking),
                    ..
                }
            )
        })
}
