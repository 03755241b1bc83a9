//! Where a thread may spin: go round a loop that changes no memory, and look at some in it.
//!
//! A view from above of what `livelock` decides: whoever stands elsewhere does not spin. Programs without such places, most of
//! them, pay nothing for livelocks.

use std::collections::BTreeSet;

use raddle_base::Id;

use crate::action::{Action, AllocateKind, Callee, EndKind, SyncInit, SyncOperation};
use crate::expression::Expression;
use crate::program::{Edge, EdgeId, Function, FunctionId, LocationId, Program};
use crate::types::{MutexKind, SyncType, Type};

use crate::interpret::state::Thread;

/// Of each function, by the number of a location.
type Marks = Vec<Vec<bool>>;

/// What the text of a program tells of loops.
#[derive(Debug)]
pub(crate) struct Spinning {
    /// Lies on a circle of edges that may change no memory, with a look and a choice in it.
    spots: Marks,
    /// Leads somewhere else than to a failure.
    leads_on: Marks,
}

impl Spinning {
    pub(crate) fn new(program: &Program) -> Self {
        let changes = Changes::new(program);
        let spots = program
            .functions
            .ids()
            .map(|function| changes.spots(program, function))
            .collect();
        Self {
            spots,
            leads_on: leads_on(program),
        }
    }

    /// Whether a thread that stands so may be in such a loop, with some of its frames.
    pub(crate) fn may_spin(&self, thread: &Thread) -> bool {
        let mut frames = thread.frames.iter();
        frames.any(|frame| self.spots[frame.function.index()][frame.location.index()])
    }

    /// Whether an edge leads to more than a failed assertion, an abort, or an assume that never holds.
    pub(crate) fn leads_on(&self, program: &Program, function: FunctionId, edge: EdgeId) -> bool {
        let edge = program.edge(function, edge);
        !fails(program, &self.leads_on, edge) && self.leads_on[function.index()][edge.to.index()]
    }
}

/// Which edges and functions may be passed without a change of memory.
struct Changes {
    has_error_checks: bool,
    /// Of each function: whether a way through it changes nothing.
    may_be_idle: Vec<bool>,
    /// Whether it looks at memory, and whether it chooses, or what it calls.
    may_look: Vec<bool>,
    may_choose: Vec<bool>,
}

impl Changes {
    fn new(program: &Program) -> Self {
        let functions = program.functions.len();
        let mut changes = Self {
            has_error_checks: has_error_checks(program),
            may_be_idle: vec![false; functions],
            may_look: vec![false; functions],
            may_choose: vec![false; functions],
        };
        loop {
            let mut is_new = false;
            for (id, function) in program.functions.iter() {
                let may_be_idle = changes.has_idle_way(function);
                let may_look = function.edges.values().any(|it| changes.looks(it));
                let may_choose = function.edges.values().any(|it| changes.chooses(it));
                let at = id.index();
                let now = (may_be_idle, may_look, may_choose);
                let before = (
                    changes.may_be_idle[at],
                    changes.may_look[at],
                    changes.may_choose[at],
                );
                is_new |= now != before;
                (
                    changes.may_be_idle[at],
                    changes.may_look[at],
                    changes.may_choose[at],
                ) = now;
            }
            if !is_new {
                return changes;
            }
        }
    }

    fn has_idle_way(&self, function: &Function) -> bool {
        let idle = function.edges.values().filter(|it| self.is_idle(it));
        let from = idle.map(|it| (it.from, it.to)).collect::<Vec<_>>();
        reached(function, &[function.entry], &from)[function.exit.index()]
    }

    /// Of the function that is called, or of any.
    fn of_callee(callee: &Callee, known: &[bool]) -> bool {
        match callee {
            Callee::Direct(function) => known[function.index()],
            Callee::Indirect(_) => known.iter().any(|it| *it),
        }
    }

    /// Whether the edge may be taken without a change of memory that others see.
    fn is_idle(&self, edge: &Edge) -> bool {
        match &edge.action {
            Action::Call { callee, .. } => Self::of_callee(callee, &self.may_be_idle),
            Action::Sync { operation, .. } => self.may_sync_idly(*operation),
            Action::Allocate { kind, .. } => *kind == AllocateKind::Stack,
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Return { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. } => true,
            Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => false,
        }
    }

    fn may_sync_idly(&self, operation: SyncOperation) -> bool {
        match operation {
            SyncOperation::MutexTry
            | SyncOperation::MutexTimed
            | SyncOperation::ReadTry
            | SyncOperation::ReadTimed
            | SyncOperation::WriteTry
            | SyncOperation::WriteTimed
            | SyncOperation::SpinTry
            | SyncOperation::SemaphoreTry
            | SyncOperation::SemaphoreTimed
            | SyncOperation::SemaphoreValue
            | SyncOperation::Signal
            | SyncOperation::Broadcast
            | SyncOperation::MonitorNotify
            | SyncOperation::MonitorNotifyAll => true,
            // They may say what is wrong and do nothing.
            SyncOperation::ReadAcquire | SyncOperation::WriteAcquire => true,
            SyncOperation::MutexAcquire | SyncOperation::MutexRelease => self.has_error_checks,
            SyncOperation::ReadWriteRelease
            | SyncOperation::WaitBegin
            | SyncOperation::WaitEnd
            | SyncOperation::WaitEndTimed
            | SyncOperation::SemaphoreWait
            | SyncOperation::BarrierArrive
            | SyncOperation::BarrierLeave
            | SyncOperation::MonitorEnter
            | SyncOperation::MonitorExit
            | SyncOperation::MonitorWaitBegin
            | SyncOperation::MonitorWaitEnd
            | SyncOperation::SpinAcquire
            | SyncOperation::SpinRelease
            | SyncOperation::SemaphorePost => false,
        }
    }

    /// Whether the edge learns something from memory.
    fn looks(&self, edge: &Edge) -> bool {
        match &edge.action {
            Action::Load { .. } => true,
            Action::ReadModifyWrite { target, .. } => target.is_some(),
            Action::CompareExchange {
                previous, success, ..
            } => previous.is_some() || success.is_some(),
            Action::Sync { result, .. } => result.is_some(),
            Action::Call { callee, .. } => Self::of_callee(callee, &self.may_look),
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Store { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Return { .. }
            | Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => false,
        }
    }

    /// Whether the edge is one of several, by a condition.
    fn chooses(&self, edge: &Edge) -> bool {
        match &edge.action {
            Action::Assume { condition } => {
                let mut is_open = false;
                condition.for_each_register(&mut |_| is_open = true);
                is_open
            }
            Action::Call { callee, .. } => Self::of_callee(callee, &self.may_choose),
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Sync { .. }
            | Action::Return { .. }
            | Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => false,
        }
    }

    /// The locations of a function at which a thread may spin.
    fn spots(&self, program: &Program, function: FunctionId) -> Vec<bool> {
        let function = &program.functions[function];
        let mut spots = vec![false; function.locations.len()];
        let idle = on_circles(function, |it| self.is_idle(it));
        let onward: Vec<_> = idle.iter().map(|it| (it.from, it.to)).collect();
        let back: Vec<_> = idle.iter().map(|it| (it.to, it.from)).collect();
        let mut is_done = spots.clone();
        for edge in &idle {
            if is_done[edge.to.index()] {
                continue;
            }
            // The circles through where this edge leads to.
            let after = reached(function, &[edge.to], &onward);
            let before = reached(function, &[edge.to], &back);
            let lies = |it: LocationId| after[it.index()] && before[it.index()];
            let inner = || idle.iter().filter(|it| lies(it.from) && lies(it.to));
            let is_spot = inner().any(|it| self.looks(it)) && inner().any(|it| self.chooses(it));
            for location in function.locations.ids().filter(|it| lies(*it)) {
                is_done[location.index()] = true;
                spots[location.index()] = is_spot;
            }
        }
        spots
    }
}

/// Of these edges, those that lie on circles or between them.
fn on_circles(function: &Function, is_meant: impl Fn(&Edge) -> bool) -> Vec<&Edge> {
    let mut edges: Vec<&Edge> = function.edges.values().filter(|it| is_meant(it)).collect();
    // What nothing leads to, and what leads to nothing, lies on none.
    let mut by: [Vec<Vec<usize>>; 2] = [(); 2].map(|()| vec![Vec::new(); function.locations.len()]);
    let ends = |edge: &Edge| [edge.from.index(), edge.to.index()];
    for (at, edge) in edges.iter().enumerate() {
        for (by, end) in by.iter_mut().zip(ends(edge)) {
            by[end].push(at);
        }
    }
    let mut counts = [0, 1].map(|it| by[it].iter().map(Vec::len).collect::<Vec<usize>>());
    let mut is_dropped = vec![false; edges.len()];
    let is_bare = |counts: &[Vec<usize>; 2], it: usize| counts[0][it] == 0 || counts[1][it] == 0;
    let mut open: Vec<usize> = (0..function.locations.len())
        .filter(|it| is_bare(&counts, *it))
        .collect();
    while let Some(location) = open.pop() {
        for at in by.iter().flat_map(|by| &by[location]) {
            if std::mem::replace(&mut is_dropped[*at], true) {
                continue;
            }
            for (counts, end) in counts.iter_mut().zip(ends(edges[*at])) {
                counts[end] -= 1;
            }
            open.extend(ends(edges[*at]).iter().filter(|it| is_bare(&counts, **it)));
        }
    }
    let mut is_dropped = is_dropped.into_iter();
    edges.retain(|_| !is_dropped.next().unwrap_or(false));
    edges
}

/// The locations that can be reached over these steps.
fn reached(
    function: &Function,
    from: &[LocationId],
    steps: &[(LocationId, LocationId)],
) -> Vec<bool> {
    let mut next: Vec<Vec<LocationId>> = vec![Vec::new(); function.locations.len()];
    for (from, to) in steps {
        next[from.index()].push(*to);
    }
    let mut is_reached = vec![false; next.len()];
    let mut open = from.to_vec();
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut is_reached[location.index()], true) {
            open.extend(&next[location.index()]);
        }
    }
    is_reached
}

/// Whether some mutex says what is wrong and does nothing.
fn has_error_checks(program: &Program) -> bool {
    let checks = |it: MutexKind| matches!(it, MutexKind::ErrorChecking | MutexKind::Recursive);
    let mut seen = BTreeSet::new();
    let mut open: Vec<&Type> = program.globals.values().map(|it| &it.ty).collect();
    for function in program.functions.values() {
        for edge in function.edges.values() {
            if let Action::Allocate { ty: Some(ty), .. } = &edge.action {
                open.push(ty);
            }
            if let Action::Init {
                sync: SyncInit::Mutex(kind),
                ..
            } = &edge.action
                && checks(*kind)
            {
                return true;
            }
        }
    }
    while let Some(ty) = open.pop() {
        match ty {
            Type::Scalar(_) => {}
            Type::Sync(sync) => {
                if matches!(sync, SyncType::Mutex(kind) if checks(*kind)) {
                    return true;
                }
            }
            Type::Array(inner, _) => open.push(inner),
            Type::Struct(id) => {
                if seen.insert(*id) {
                    open.extend(program.structs[*id].fields.iter().map(|it| &it.ty));
                }
            }
        }
    }
    false
}

/// The locations from which more can come than a failure: the largest solution.
fn leads_on(program: &Program) -> Marks {
    let of = |function: &Function| vec![true; function.locations.len()];
    let mut marks: Marks = program.functions.values().map(of).collect();
    loop {
        let mut is_new = false;
        for (id, function) in program.functions.iter() {
            for location in function.locations.ids() {
                let at = (id.index(), location.index());
                if !marks[at.0][at.1] || location == function.exit {
                    continue;
                }
                let mut edges = program.outgoing(id, location).iter();
                let goes_on = edges.any(|it| {
                    let edge = program.edge(id, *it);
                    !fails(program, &marks, edge) && marks[at.0][edge.to.index()]
                });
                if !goes_on {
                    marks[at.0][at.1] = false;
                    is_new = true;
                }
            }
        }
        if !is_new {
            return marks;
        }
    }
}

/// Whether nothing comes after an edge, because it fails.
fn fails(program: &Program, leads_on: &Marks, edge: &Edge) -> bool {
    let never_holds = |it: &Expression| matches!(it, Expression::Constant(0, _));
    match &edge.action {
        Action::Assume { condition } | Action::Assert { condition, .. } => never_holds(condition),
        Action::EndProcess { kind } => *kind == EndKind::Abort,
        Action::Unsupported { .. } => true,
        Action::Call { callee, .. } => match callee {
            Callee::Direct(callee) => {
                let entry = program.functions[*callee].entry;
                !leads_on[callee.index()][entry.index()]
            }
            Callee::Indirect(_) => false,
        },
        Action::Assign { .. }
        | Action::Havoc { .. }
        | Action::Load { .. }
        | Action::Store { .. }
        | Action::ReadModifyWrite { .. }
        | Action::CompareExchange { .. }
        | Action::Allocate { .. }
        | Action::Size { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. }
        | Action::Sync { .. }
        | Action::Return { .. }
        | Action::Spawn { .. }
        | Action::Join { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::AtomicBegin { .. }
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Fence { .. }
        | Action::Emit { .. } => false,
    }
}
