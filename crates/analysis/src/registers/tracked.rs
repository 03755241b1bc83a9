//! Cells that are followed along the steps of a thread, and where nobody else may change them.
//!
//! # Definitions
//!
//! - A cell is *tracked* if there is one of it, or one in each frame that nobody else can reach, and if every access to its
//!   bytes is one to the whole cell, as a value of one type.
//! - It is *kept* at a location of a thread if, while the thread stands there, no other thread may write it: for each write
//!   of another thread, the two never run at the same time, or both hold a common lock, at least one of them not only for
//!   reading, or both are in atomic sections.
//! - A *pair* is two cells of whole numbers, of each of which there is one, that something guards both of. It is kept where both are; what is known of it
//!   is the difference of their numbers.
//! - A lock *guards* a cell if it is certainly held at some write of it; so do atomic sections.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{BitSet, Id, SideTable};
use raddle_ir::{Action, Deed, IntType, LocationId, NamePlace, Scalar};

use crate::call_graph::{InstanceId, ThreadId};
use crate::conflicts::Access;
use crate::ends::Ends;
use crate::given::Given;
use crate::initialized::is_one;
use crate::locksets::{Held, Lock};
use crate::names;
use crate::points_to::PointsTo;
use crate::value::{ObjectId, Offset};

/// More cells than this are not tracked.
const MAX_CELLS: usize = 200;
/// Of more pairs than this nothing is known.
const MAX_PAIRS: usize = 60;
/// More different ways to stand somewhere than this are not told apart.
const MAX_WAYS: usize = 4_000;

pub(super) struct Cell {
    pub(super) object: ObjectId,
    pub(super) offset: u64,
    pub(super) ty: Scalar,
}

/// What keeps others out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Guard {
    Lock(Lock),
    Section,
}

pub(super) struct Tracked {
    pub(super) cells: Vec<Cell>,
    /// They are numbered after the cells.
    pairs: BTreeMap<(usize, usize), usize>,
    by_place: BTreeMap<(ObjectId, u64), usize>,
    /// By cell.
    guards: Vec<BTreeSet<Guard>>,
    /// Of each way to stand somewhere, by cell, whether it is kept.
    kept: Vec<Vec<bool>>,
    /// Of each way to stand somewhere, what is certainly held.
    held: Vec<BTreeSet<Guard>>,
    ways: Vec<SideTable<LocationId, Option<usize>>>,
}

/// Who stands where, with what and beside whom.
struct Way<'a> {
    thread: ThreadId,
    held: &'a Held,
    others: &'a BitSet<ThreadId>,
}

impl Tracked {
    pub(super) fn new(given: &Given<'_, '_>) -> Self {
        let cells = tracked_cells(given);
        let by_place = cells.iter().enumerate();
        let by_place = by_place
            .map(|(at, it)| ((it.object, it.offset), at))
            .collect();
        let writes: Vec<Vec<Way<'_>>> = cells.iter().map(|it| writes_of(given, it)).collect();
        let mut guards: Vec<BTreeSet<Guard>> = writes.iter().map(|it| guards_of(it)).collect();
        let pairs = pairs_of(given.points_to, &cells, &guards);
        for (one, other) in pairs.keys() {
            let all = guards[*one].union(&guards[*other]).copied().collect();
            guards.push(all);
        }
        let mut this = Self {
            guards,
            pairs,
            cells,
            by_place,
            kept: Vec::new(),
            held: Vec::new(),
            ways: Vec::new(),
        };
        this.find_ways(given, &writes);
        this
    }

    /// No cells at all.
    pub(super) fn nothing(given: &Given<'_, '_>) -> Self {
        let instances = given.points_to.graph.instances.values();
        let functions = &given.points_to.program.functions;
        let ways = instances.map(|it| SideTable::filled(&functions[it.function].locations, None));
        Self {
            cells: Vec::new(),
            pairs: BTreeMap::new(),
            by_place: BTreeMap::new(),
            guards: Vec::new(),
            kept: Vec::new(),
            held: Vec::new(),
            ways: ways.collect(),
        }
    }

    fn find_ways(&mut self, given: &Given<'_, '_>, writes: &[Vec<Way<'_>>]) {
        let points_to = given.points_to;
        let mut known: Vec<Way<'_>> = Vec::new();
        for (id, instance) in points_to.graph.instances.iter() {
            let locations = &points_to.program.functions[instance.function].locations;
            let mut ways = SideTable::filled(locations, None);
            for location in locations.ids() {
                let Some(way) = way(given, instance.thread, (id, location)) else {
                    continue;
                };
                let is_like = |it: &Way<'_>| {
                    it.thread == way.thread && it.held == way.held && it.others == way.others
                };
                let found = known.iter().position(is_like);
                ways[location] = found.or_else(|| {
                    (known.len() < MAX_WAYS).then(|| {
                        let kept = self.cells.iter().zip(writes);
                        let kept = kept.map(|(cell, writes)| {
                            given.escape.is_local(cell.object)
                                || writes.iter().all(|it| !may_write_beside(given, it, &way))
                        });
                        let mut kept: Vec<bool> = kept.collect();
                        let pairs = self.pairs.keys();
                        let both: Vec<bool> =
                            pairs.map(|(it, other)| kept[*it] && kept[*other]).collect();
                        kept.extend(both);
                        self.kept.push(kept);
                        self.held.push(guards_of(std::slice::from_ref(&way)));
                        known.push(way);
                        known.len() - 1
                    })
                });
            }
            self.ways.push(ways);
        }
    }

    /// Whether nobody else writes the cell while the thread stands there.
    pub(super) fn is_kept(
        &self,
        (instance, location): (InstanceId, LocationId),
        cell: usize,
    ) -> bool {
        let way = self.ways[instance.index()][location];
        way.is_some_and(|way| self.kept[way][cell])
    }

    /// How many cells and pairs there are.
    pub(super) fn count(&self) -> usize {
        self.cells.len() + self.pairs.len()
    }

    pub(super) fn ty(&self, cell: usize) -> Scalar {
        self.cells.get(cell).map_or(difference_type(), |it| it.ty)
    }

    /// The pair of two cells, and whether they are in it the other way round.
    pub(super) fn pair(&self, one: usize, other: usize) -> Option<(usize, bool)> {
        let is_turned = one > other;
        let key = if is_turned {
            (other, one)
        } else {
            (one, other)
        };
        self.pairs.get(&key).map(|pair| (*pair, is_turned))
    }

    /// All pairs, by their cells.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let pairs = self.pairs.iter();
        pairs.map(|((one, other), pair)| (*one, *other, *pair))
    }

    pub(super) fn at(&self, object: ObjectId, offset: Offset) -> Option<usize> {
        let offset = offset.exact()?;
        self.by_place.get(&(object, offset)).copied()
    }

    /// The cells of an object.
    pub(super) fn of(&self, object: ObjectId) -> impl Iterator<Item = usize> + '_ {
        let cells = self.by_place.range((object, 0)..=(object, u64::MAX));
        cells.map(|(_, cell)| *cell)
    }

    /// What guards a cell or a pair at every write of it, as people call it.
    pub(super) fn guard_names(&self, points_to: &PointsTo<'_>, cell: usize) -> Vec<String> {
        let guards = self.guards[cell].iter();
        let name = |guard: &Guard| match guard {
            Guard::Lock(lock) => {
                let offset = Offset::exactly(lock.offset);
                format!("`{}`", names::of_part(points_to, lock.object, offset))
            }
            Guard::Section => "an atomic section".to_owned(),
        };
        guards.map(name).collect()
    }

    /// Whether an action that ends at a place gives back, or may give back, what guards the cell. What is certainly held
    /// there still, as it was taken more than once, was not.
    pub(super) fn may_give_back(
        &self,
        points_to: &PointsTo<'_>,
        action: &Action,
        (instance, to): (InstanceId, LocationId),
        cell: usize,
    ) -> bool {
        let way = self.ways[instance.index()][to];
        let mut guards = self.guards[cell].iter();
        guards.any(|guard| {
            let is_held_still = way.is_some_and(|way| self.held[way].contains(guard));
            !is_held_still && may_release(points_to, instance, action, *guard)
        })
    }
}

fn may_release(
    points_to: &PointsTo<'_>,
    instance: InstanceId,
    action: &Action,
    guard: Guard,
) -> bool {
    let guard = match guard {
        Guard::Section => return matches!(action, Action::AtomicEnd),
        Guard::Lock(lock) => lock,
    };
    let Some((effect, lock)) = action.lock_effect() else {
        return false;
    };
    let values = points_to.values(instance, lock);
    let mut released = values.addresses();
    effect.gives_back()
        && released.any(|(object, offset)| {
            object == guard.object && offset.covers(Offset::exactly(guard.offset))
        })
}

fn way<'a>(
    given: &Given<'a, '_>,
    thread: ThreadId,
    (instance, location): (InstanceId, LocationId),
) -> Option<Way<'a>> {
    Some(Way {
        thread,
        held: given.locksets.at(instance, location)?,
        others: given.parallel.at(instance, location)?,
    })
}

/// Whether another thread may make the write while one stands there.
fn may_write_beside(given: &Given<'_, '_>, write: &Way<'_>, here: &Way<'_>) -> bool {
    let points_to = given.points_to;
    let is_same =
        write.thread == here.thread && points_to.graph.is_single(&points_to.automata, here.thread);
    let meet = !is_same && here.others.contains(write.thread) && write.others.contains(here.thread);
    let is_kept_apart = here.held.common(write.held).next().is_some()
        || here.held.is_atomic && write.held.is_atomic;
    meet && !is_kept_apart
}

/// How threads stand before the writes to a cell.
fn writes_of<'a>(given: &Given<'a, '_>, cell: &Cell) -> Vec<Way<'a>> {
    let points_to = given.points_to;
    let size = cell.ty.size(points_to.program.model);
    let writes = given.accesses.iter().filter(|it| {
        it.is_write
            && it.object == cell.object
            && it.deed != Deed::Whole
            && it
                .offset
                .may_overlap(it.size, Offset::exactly(cell.offset), size)
    });
    let ways = writes.filter_map(|it| {
        let function = points_to.graph.instances[it.instance].function;
        let from = points_to.program.edge(function, it.edge).from;
        way(given, it.thread, (it.instance, from))
    });
    ways.collect()
}

fn guards_of(writes: &[Way<'_>]) -> BTreeSet<Guard> {
    let locks = writes.iter().flat_map(|it| it.held.locks.keys());
    let sections = writes.iter().filter(|it| it.held.is_atomic);
    let locks = locks.map(|it| Guard::Lock(*it));
    locks.chain(sections.map(|_| Guard::Section)).collect()
}

/// Wide enough for the difference of any two numbers of 64 bits.
pub(super) fn difference_type() -> Scalar {
    Scalar::Int(IntType::signed(66))
}

fn pairs_of(
    points_to: &PointsTo<'_>,
    cells: &[Cell],
    guards: &[BTreeSet<Guard>],
) -> BTreeMap<(usize, usize), usize> {
    // Of what each frame has for itself, threads know nothing for one another.
    let is_number = |it: &usize| {
        matches!(cells[*it].ty, Scalar::Int(int) if int.bits > 1)
            && points_to.is_single(cells[*it].object)
    };
    let numbers: Vec<usize> = (0..cells.len()).filter(is_number).collect();
    let mut pairs = BTreeMap::new();
    for (at, one) in numbers.iter().enumerate() {
        for other in &numbers[at + 1..] {
            if pairs.len() < MAX_PAIRS && !guards[*one].is_disjoint(&guards[*other]) {
                pairs.insert((*one, *other), 0);
            }
        }
    }
    for (at, pair) in pairs.values_mut().enumerate() {
        *pair = cells.len() + at;
    }
    pairs
}

fn tracked_cells(given: &Given<'_, '_>) -> Vec<Cell> {
    let points_to = given.points_to;
    let model = points_to.program.model;
    let ends = Ends::new(points_to.program);
    let mut found: BTreeMap<(ObjectId, u64), Scalar> = BTreeMap::new();
    let mut of_object: BTreeMap<ObjectId, Vec<&Access>> = BTreeMap::new();
    for access in given.accesses {
        if access.deed != Deed::Whole {
            of_object.entry(access.object).or_default().push(access);
        }
        if let (Some(offset), Some(ty)) = (access.offset.exact(), scalar_of(points_to, access)) {
            found.entry((access.object, offset)).or_insert(ty);
        }
    }
    let mut cells = Vec::new();
    for ((object, offset), ty) in found {
        let is_number = matches!(ty, Scalar::Int(int) if int.bits <= 64) || ty == Scalar::Pointer;
        if !is_number || !is_one(points_to, given.escape, &ends, object) {
            continue;
        }
        let here = Offset::exactly(offset);
        let accesses = of_object[&object].iter();
        let mut touching =
            accesses.filter(|it| it.offset.may_overlap(it.size, here, ty.size(model)));
        if touching.all(|it| it.offset == here && scalar_of(points_to, it) == Some(ty)) {
            cells.push(Cell { object, offset, ty });
        }
        if cells.len() == MAX_CELLS {
            break;
        }
    }
    cells
}

/// The type of the value that an action reads or writes; `None` if it does anything else.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all that is no access to a value keeps a cell from being tracked"
)]
fn scalar_of(points_to: &PointsTo<'_>, access: &Access) -> Option<Scalar> {
    let function = points_to.graph.instances[access.instance].function;
    match &points_to.program.edge(function, access.edge).action {
        Action::Load { ty, .. }
        | Action::Store { ty, .. }
        | Action::ReadModifyWrite { ty, .. }
        | Action::CompareExchange { ty, .. }
        | Action::Spawn {
            place: Some(NamePlace { ty, .. }),
            ..
        } => Some(*ty),
        _ => None,
    }
}
