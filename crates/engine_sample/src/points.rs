//! Where another thread may be scheduled: before what others can notice.
//!
//! Plain accesses are such places only once some execution has shown that what they touch is touched by two threads, one of
//! them writing. Executions that are to miss nothing schedule before every access (`of_all_accesses`).

use raddle_base::Id;
use raddle_ir::Program;
use raddle_ir::action::Action;
use raddle_ir::effect::{Occasion, SyncEffect};
use raddle_ir::program::{EdgeId, FunctionId, LocationId};

/// What threads at a location stand before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PointMarks(u8);

/// An access to memory that may be one thread's own.
const ACCESS: u8 = 1;
/// An access to memory where two threads are known to meet.
const SHARED: u8 = 2;
/// What synchronises.
const ALWAYS: u8 = 4;
/// A thread is started.
const SPAWNS: u8 = 8;
/// A value is chosen.
const CHOOSES: u8 = 16;
/// The process ends.
const ENDS: u8 = 32;

impl PointMarks {
    pub(crate) fn spawns(self) -> bool {
        self.0 & SPAWNS != 0
    }

    pub(crate) fn chooses(self) -> bool {
        self.0 & CHOOSES != 0
    }

    pub(crate) fn ends(self) -> bool {
        self.0 & ENDS != 0
    }
}

/// What the locations of each function are.
#[derive(Debug)]
pub(crate) struct Points {
    places: Vec<Vec<PointMarks>>,
    /// Whether every access is one.
    pub(crate) of_all_accesses: bool,
}

impl Points {
    pub(crate) fn new(program: &Program) -> Self {
        let places = program.functions.iter().map(|(function, content)| {
            let at = |location| {
                let edges = program.outgoing(function, location).iter();
                let flags = edges.map(|it| flags(&content.edges[*it].action));
                PointMarks(flags.fold(0, |all, it| all | it))
            };
            content.locations.ids().map(at).collect()
        });
        Self {
            places: places.collect(),
            of_all_accesses: false,
        }
    }

    pub(crate) fn at(&self, function: FunctionId, location: LocationId) -> PointMarks {
        self.places[function.index()][location.index()]
    }

    /// Whether others may go on before a thread that stands there does.
    pub(crate) fn is_point(&self, place: PointMarks) -> bool {
        let wanted = if self.of_all_accesses {
            ACCESS | SHARED | ALWAYS
        } else {
            SHARED | ALWAYS
        };
        place.0 & wanted != 0
    }

    /// Two threads meet at what the edge touches.
    pub(crate) fn learn(&mut self, program: &Program, function: FunctionId, edge: EdgeId) {
        let from = program.edge(function, edge).from;
        let place = &mut self.places[function.index()][from.index()];
        if place.0 & ACCESS != 0 {
            place.0 |= SHARED;
        }
    }
}

fn flags(action: &Action) -> u8 {
    match action {
        Action::Load { access, .. } | Action::Store { access, .. } => {
            if access.is_atomic() {
                ALWAYS
            } else {
                ACCESS
            }
        }
        Action::Size { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. } => ACCESS,
        Action::Sync { operation, .. } => match operation.effect() {
            // What is given back can be taken only afterwards, and the next point comes before whatever follows.
            SyncEffect::Lock(lock) if lock.gives_back() && lock.occasion == Occasion::Asked => 0,
            SyncEffect::Post | SyncEffect::Leave => 0,
            SyncEffect::Lock(_)
            | SyncEffect::Wake
            | SyncEffect::Down(_)
            | SyncEffect::Look
            | SyncEffect::Arrive => ALWAYS,
        },
        Action::ReadModifyWrite { .. } | Action::CompareExchange { .. } | Action::AtomicBegin { .. } => {
            ALWAYS
        }
        Action::EndProcess { .. } => ALWAYS | ENDS,
        Action::Spawn { .. } => SPAWNS,
        Action::Havoc { .. } => CHOOSES,
        Action::Assign { .. }
        | Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Fence { .. }
        | Action::Allocate { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        // Who joins waits anyway.
        | Action::Join { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Emit { .. }
        | Action::Unsupported { .. } => 0,
    }
}
