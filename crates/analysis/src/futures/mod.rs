//! Futures: what a thread may still do to memory, from where it stands on, itself and by threads that it starts.
//!
//! # Source
//!
//! The sets `L(j)`, `C_j` and `F_i` of DR Table 2.
//!
//! # Definitions
//!
//! For each location, the actions that may come and touch memory, as far as they count for the caller: *prospects*. Each
//! says where it will touch it, as a [`Path`] that can be computed from what the thread holds now, and which locks the
//! thread will have taken by then and not released.
//!
//! # Invariants
//!
//! - **(F)** When a thread takes a step, each prospect it has then was one before, or comes from one: at the same address as
//!   long as nobody writes a root of its path, with no lock less unless the step took it. So what was true of all
//!   prospects stays true.
//!
//! # Deviations
//!
//! 1. DR's threads are single graphs; here functions call, and threads start threads.
//! 2. DR asks for pointers that nobody modifies; here an assignment on the way is followed backwards into the expression, and
//!    what cannot be followed has no path.
//!
//! # Tested by
//!
//! `crates/analysis/tests/futures.rs`: random executions, whose every access is among the prospects of every state before.

mod path;
mod set;

pub use path::{Load, Path};

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::effect::LockOperand;
use raddle_ir::{
    Action, AllocateKind, EdgeId, Expression, FunctionId, LocationId, Program, RegisterId,
};

use crate::call_graph::InstanceId;
use crate::points_to::PointsTo;
use set::Set;

/// An operand of an action that touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    pub function: FunctionId,
    pub edge: EdgeId,
    /// As [`Action::operands`] counts; of an allocation on the stack: the end of the object, which comes with the end of the
    /// frame.
    pub operand: usize,
}

/// Something that may be done to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prospect {
    pub site: Site,
    /// By the thread itself, not by one that it starts.
    pub is_own: bool,
    /// `None`: nothing is known but what is known of the site.
    pub path: Option<Path>,
    /// Taken on the way and not released, each with the action that takes it.
    pub locks: Vec<(Site, Path)>,
    released: Released,
}

/// Which locks are released on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Released {
    These(Vec<Path>),
    Any,
}

/// More releases on one way than this count as any.
const MOST_RELEASED: usize = 3;

/// With more prospects in all than this, futures are not worth their price.
const MOST_PROSPECTS: usize = 60_000;

/// The prospects at every location.
#[derive(Clone, Debug)]
pub struct Futures {
    at: BTreeMap<(FunctionId, LocationId), Vec<Prospect>>,
    after_calls: BTreeMap<(FunctionId, EdgeId), Vec<Prospect>>,
}

impl Futures {
    /// Of the sites that count; `None` if there would be too many.
    pub fn new(points_to: &PointsTo<'_>, counts: impl Fn(Site) -> bool) -> Option<Self> {
        let mut search = Search::new(points_to, counts);
        while search.round() {
            if search.at.values().map(Set::len).sum::<usize>() > MOST_PROSPECTS {
                return None;
            }
        }
        let mut after_calls = BTreeMap::new();
        for (function, edges) in &search.edges {
            for edge in edges {
                let known = points_to.program.edge(*function, *edge);
                if let Action::Call { target, .. } = known.action {
                    let rest = search.at[&(*function, known.to)].iter();
                    let rest = rest.map(|it| without(it, target)).collect();
                    after_calls.insert((*function, *edge), rest);
                }
            }
        }
        Some(Self {
            at: search
                .at
                .into_iter()
                .map(|(place, set)| (place, set.into_prospects()))
                .collect(),
            after_calls,
        })
    }

    /// What may come in a frame that stands at a location, until it ends.
    pub fn from(&self, function: FunctionId, location: LocationId) -> &[Prospect] {
        self.at
            .get(&(function, location))
            .map_or(&[], Vec::as_slice)
    }

    /// What may come in a frame that waits for a call to end, after that.
    pub fn after_call(&self, function: FunctionId, edge: EdgeId) -> &[Prospect] {
        self.after_calls
            .get(&(function, edge))
            .map_or(&[], Vec::as_slice)
    }
}

struct Search<'a, 'p, S> {
    program: &'p Program,
    points_to: &'a PointsTo<'p>,
    counts: S,
    /// Of every function that is ever run, those edges that may be taken.
    edges: BTreeMap<FunctionId, Vec<EdgeId>>,
    instances: BTreeMap<FunctionId, Vec<InstanceId>>,
    /// Functions that may release a lock, themselves or by what they call.
    releasing: BTreeSet<FunctionId>,
    at: BTreeMap<(FunctionId, LocationId), Set>,
}

impl<'a, 'p, S: Fn(Site) -> bool> Search<'a, 'p, S> {
    fn new(points_to: &'a PointsTo<'p>, counts: S) -> Self {
        let program = points_to.program;
        let mut instances: BTreeMap<FunctionId, Vec<InstanceId>> = BTreeMap::new();
        for (id, instance) in points_to.graph.instances.iter() {
            instances.entry(instance.function).or_default().push(id);
        }
        let edges = instances
            .keys()
            .map(|function| (*function, points_to.automata[*function].edges.clone()))
            .collect();
        let mut search = Self {
            program,
            points_to,
            counts,
            edges,
            instances,
            releasing: BTreeSet::new(),
            at: BTreeMap::new(),
        };
        for (function, edges) in &search.edges {
            for location in program.functions[*function].locations.ids() {
                search.at.insert((*function, location), Set::default());
            }
            // A frame may end from anywhere, as its thread may end in what it calls.
            for edge in edges {
                let site = Site {
                    function: *function,
                    edge: *edge,
                    operand: 0,
                };
                if ends_with_frame(&program.edge(*function, *edge).action) && (search.counts)(site)
                {
                    for location in program.functions[*function].locations.ids() {
                        let set = search.at.get_mut(&(*function, location)).expect("made");
                        set.insert(Prospect::new(site, None));
                    }
                }
            }
        }
        while search.find_releasing() {}
        search
    }

    /// Whether one more function was found to release.
    fn find_releasing(&mut self) -> bool {
        let before = self.releasing.len();
        for (function, edges) in &self.edges {
            let releases = edges.iter().any(|edge| {
                released_by(&self.program.edge(*function, *edge).action).is_some()
                    || self
                        .callees(*function, *edge)
                        .iter()
                        .any(|it| self.releasing.contains(it))
            });
            if releases {
                self.releasing.insert(*function);
            }
        }
        self.releasing.len() > before
    }

    fn callees(&self, function: FunctionId, edge: EdgeId) -> BTreeSet<FunctionId> {
        let graph = &self.points_to.graph;
        self.instances[&function]
            .iter()
            .flat_map(|instance| graph.callees(*instance, edge))
            .map(|it| graph.instances[it].function)
            .collect()
    }

    fn spawned(&self, function: FunctionId, edge: EdgeId) -> BTreeSet<FunctionId> {
        let graph = &self.points_to.graph;
        self.instances[&function]
            .iter()
            .flat_map(|instance| graph.spawned(*instance, edge))
            .map(|it| graph.instances[graph.threads[it].entry].function)
            .collect()
    }

    /// Looks at all edges once. Whether anything was new.
    fn round(&mut self) -> bool {
        let mut is_new = false;
        let places: Vec<(FunctionId, EdgeId)> = self
            .edges
            .iter()
            .flat_map(|(function, edges)| edges.iter().rev().map(|edge| (*function, *edge)))
            .collect();
        for (function, edge) in places {
            let found = self.before(function, edge);
            let from = self.program.edge(function, edge).from;
            let set = self.at.get_mut(&(function, from)).expect("made");
            for prospect in found {
                is_new |= set.insert(prospect);
            }
        }
        is_new
    }

    /// The prospects at the beginning of an edge, by what is known at its end.
    fn before(&self, function: FunctionId, edge: EdgeId) -> Vec<Prospect> {
        let known = self.program.edge(function, edge);
        let action = &known.action;
        let mut found = Vec::new();
        for (operand, touch) in action.operands(self.program.model).into_iter().enumerate() {
            let site = Site {
                function,
                edge,
                operand,
            };
            if (self.counts)(site) {
                found.push(Prospect::new(site, Path::new(touch.address)));
            }
        }
        if let Action::Spawn { arguments, .. } | Action::Call { arguments, .. } = action {
            let is_spawn = matches!(action, Action::Spawn { .. });
            let begun = if is_spawn {
                self.spawned(function, edge)
            } else {
                self.callees(function, edge)
            };
            for callee in begun {
                let entry = self.program.functions[callee].entry;
                for prospect in self.at[&(callee, entry)].iter() {
                    found.push(self.in_caller(prospect, arguments, is_spawn));
                }
            }
        }
        if action.leaves_function() {
            return found;
        }
        let releases = self
            .callees(function, edge)
            .iter()
            .any(|it| self.releasing.contains(it));
        for prospect in self.at[&(function, known.to)].iter() {
            let mut prospect = passed(prospect, action, (function, edge));
            if releases {
                prospect.released = Released::Any;
            }
            found.push(prospect);
        }
        found
    }

    /// What the caller may expect of a callee, or of a thread that it starts.
    fn in_caller(&self, prospect: &Prospect, arguments: &[Expression], is_spawn: bool) -> Prospect {
        let translated = |path: &Path| {
            path.in_caller(arguments)
                .filter(|_| !is_spawn || !path.is_of_thread(self.program))
        };
        Prospect {
            site: prospect.site,
            is_own: prospect.is_own && !is_spawn,
            path: prospect.path.as_ref().and_then(translated),
            locks: prospect.translated_locks(translated),
            released: prospect.released.map(translated),
        }
    }
}

impl Prospect {
    fn new(site: Site, path: Option<Path>) -> Self {
        Self {
            site,
            is_own: true,
            path,
            locks: Vec::new(),
            released: Released::These(Vec::new()),
        }
    }

    fn map(&self, translated: impl Fn(&Path) -> Option<Path>) -> Prospect {
        Prospect {
            site: self.site,
            is_own: self.is_own,
            path: self.path.as_ref().and_then(&translated),
            locks: self.translated_locks(&translated),
            released: self.released.map(translated),
        }
    }

    fn translated_locks(&self, translated: impl Fn(&Path) -> Option<Path>) -> Vec<(Site, Path)> {
        self.locks
            .iter()
            .filter_map(|(site, path)| Some((*site, translated(path)?)))
            .collect()
    }
}

impl Released {
    fn map(&self, translated: impl Fn(&Path) -> Option<Path>) -> Released {
        match self {
            Released::Any => Released::Any,
            Released::These(paths) => paths
                .iter()
                .map(translated)
                .collect::<Option<Vec<Path>>>()
                .map_or(Released::Any, Released::These),
        }
    }

    fn add(&mut self, path: Option<Path>) {
        match (self, path) {
            (Released::These(paths), Some(path)) if paths.len() < MOST_RELEASED => {
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
            (this, _) => *this = Released::Any,
        }
    }
}

/// A prospect before an action that comes before it.
fn passed(prospect: &Prospect, action: &Action, place: (FunctionId, EdgeId)) -> Prospect {
    let site = |operand| Site {
        function: place.0,
        edge: place.1,
        operand,
    };
    let mut prospect = if let Action::Assign { target, value } = action {
        prospect.map(|path| path.before_assignment(*target, value))
    } else if let Action::Load {
        target,
        address,
        ty,
        ..
    } = action
    {
        let load = Load {
            site: site(0),
            register: *target,
            address: address.clone(),
            ty: *ty,
        };
        prospect.map(|path| path.before_load(&load))
    } else {
        action
            .written_registers()
            .fold(prospect.clone(), |prospect, target| {
                without(&prospect, Some(target))
            })
    };
    if !prospect.is_own {
        return prospect;
    }
    if let Some(lock) = released_by(action) {
        prospect.released.add(Path::new(lock));
    }
    if let Some((operand, lock)) = acquired_by(action)
        && let Some(path) = Path::new(lock)
    {
        // A lock that is released later may be the same by another name, unless both have fixed ones.
        let is_kept = match &prospect.released {
            Released::Any => false,
            Released::These(paths) => paths.iter().all(|it| are_different(it, &path)),
        };
        let lock = (site(operand), path);
        if is_kept && !prospect.locks.contains(&lock) {
            prospect.locks.push(lock);
        }
    }
    prospect
}

fn without(prospect: &Prospect, register: Option<RegisterId>) -> Prospect {
    match register {
        Some(register) => prospect.map(|path| path.before_setting(register)),
        None => prospect.clone(),
    }
}

fn are_different(one: &Path, other: &Path) -> bool {
    match (&one.expression, &other.expression) {
        (Expression::Global(one), Expression::Global(other)) => one != other,
        _ => false,
    }
}

/// What a thread certainly has after the action, and which operand that is. An attempt may fail.
fn acquired_by(action: &Action) -> Option<(usize, &Expression)> {
    let (effect, lock) = action.lock_effect()?;
    let operand = match effect.operand {
        LockOperand::Object => 0,
        LockOperand::Mutex => 1,
    };
    effect.certainly_takes().then_some((operand, lock))
}

/// What a thread may not have any more after the action.
fn released_by(action: &Action) -> Option<&Expression> {
    let (effect, lock) = action.lock_effect()?;
    effect.gives_back().then_some(lock)
}

/// Whether the action makes an object that ends with the frame.
pub fn ends_with_frame(action: &Action) -> bool {
    matches!(
        action,
        Action::Allocate {
            kind: AllocateKind::Stack,
            ..
        }
    )
}
