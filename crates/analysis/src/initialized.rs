//! Which cells of objects that begin undefined have certainly been written.
//!
//! Only objects count of which there is one, or one for each frame whose address is neither kept nor given away. What
//! was written is another question: see [`crate::registers`].

use std::collections::BTreeSet;

use raddle_ir::{Action, AllocateKind, EdgeId, Expression, LocationId, NamePlace};

use crate::call_graph::{InstanceId, ThreadId};
use crate::ends::Ends;
use crate::escape::Escape;
use crate::flow::{Facts, Problem, solve};
use crate::points_to::{ObjectKind, PointsTo};
use crate::value::{ObjectId, Offset};

/// Offset and size.
type Cells = BTreeSet<(ObjectId, u64, u64)>;

pub(crate) struct Initialized {
    facts: Facts<Cells>,
}

/// How often threads are told what their creators have written.
const ROUNDS: usize = 3;

impl Initialized {
    pub(crate) fn new(points_to: &PointsTo<'_>, escape: &Escape) -> Self {
        let ends = Ends::new(points_to.program);
        let mut problem = Writing {
            points_to,
            tracked: points_to
                .objects
                .ids()
                .filter(|it| !points_to.is_zeroed(*it) && is_one(points_to, escape, &ends, *it))
                .collect(),
            beginnings: vec![Cells::new(); points_to.graph.threads.len()],
        };
        let mut facts = solve(points_to, &problem);
        for _ in 0..ROUNDS {
            problem.beginnings = problem.beginnings(&facts);
            facts = solve(points_to, &problem);
        }
        Self { facts }
    }

    /// Whether all of a cell was written on every way here.
    pub(crate) fn is_written(
        &self,
        place: (InstanceId, LocationId),
        object: ObjectId,
        offset: Offset,
        size: u64,
    ) -> bool {
        let (Some(cells), Some(offset)) = (self.facts.at(place.0, place.1), offset.exact()) else {
            return false;
        };
        cells.iter().any(|(other, at, written)| {
            *other == object && *at <= offset && offset + size <= *at + *written
        })
    }
}

/// Whether there is at most one of the object, or one in each frame, that nobody but the frame and whom it calls can reach.
pub(crate) fn is_one(
    points_to: &PointsTo<'_>,
    escape: &Escape,
    ends: &Ends,
    object: ObjectId,
) -> bool {
    if points_to.is_single(object) {
        return true;
    }
    let ObjectKind::Allocated(AllocateKind::Stack, instance, edge) = points_to.objects[object].kind
    else {
        return false;
    };
    let function = points_to.graph.instances[instance].function;
    // Of a function that calls itself several frames live, and each has one.
    escape.is_local(object)
        && !points_to.graph.has_recursion()
        && (!points_to.automata[function].is_in_cycle(edge)
            || ends.is_made_alone(points_to, instance, edge, object))
        && !points_to.is_kept(object)
        && !points_to
            .returned(instance)
            .addresses()
            .any(|(it, _)| it == object)
}

struct Writing<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    tracked: BTreeSet<ObjectId>,
    beginnings: Vec<Cells>,
}

impl Writing<'_, '_> {
    /// What every creator of a thread has written before it begins, to objects of which there is one.
    fn beginnings(&self, facts: &Facts<Cells>) -> Vec<Cells> {
        let points_to = self.points_to;
        let graph = &points_to.graph;
        let mut found: Vec<Option<Cells>> = vec![None; graph.threads.len()];
        for (instance, edge, child) in graph.spawns() {
            let function = graph.instances[instance].function;
            let from = points_to.program.edge(function, edge).from;
            let Some(known) = facts.at(instance, from) else {
                continue;
            };
            let known: Cells = self
                .after(instance, edge, known)
                .into_iter()
                .filter(|(object, _, _)| points_to.is_single(*object))
                .collect();
            let beginning = &mut found[raddle_base::Id::index(child)];
            *beginning = Some(match beginning.take() {
                Some(before) => before.intersection(&known).copied().collect(),
                None => known,
            });
        }
        found.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// The cell behind an address, if it is certainly one and the same.
    fn cell(&self, instance: InstanceId, address: &Expression) -> Option<(ObjectId, u64)> {
        let values = self.points_to.values(instance, address);
        let mut addresses = values.addresses();
        let (object, offset) = addresses.next()?;
        if addresses.next().is_some() || !self.tracked.contains(&object) {
            return None;
        }
        Some((object, offset.exact()?))
    }
}

impl Problem for Writing<'_, '_> {
    type Fact = Cells;

    fn beginning(&self, thread: ThreadId) -> Option<Cells> {
        Some(self.beginnings[raddle_base::Id::index(thread)].clone())
    }

    fn after(&self, instance: InstanceId, edge: EdgeId, before: &Cells) -> Cells {
        let model = self.points_to.program.model;
        let function = self.points_to.graph.instances[instance].function;
        let mut cells = before.clone();
        let action = &self.points_to.program.edge(function, edge).action;
        if let Action::Store { address, ty, .. }
        | Action::Spawn {
            place: Some(NamePlace { address, ty }),
            ..
        } = action
        {
            let cell = self.cell(instance, address);
            cells.extend(cell.map(|(object, offset)| (object, offset, ty.size(model))));
        }
        if let Action::Allocate { kind, .. } = action {
            let made = ObjectKind::Allocated(*kind, instance, edge);
            if let Some(made) = self.points_to.object(made) {
                cells.retain(|(object, _, _)| *object != made);
            }
        }
        cells
    }

    fn merge(&self, _: InstanceId, known: &mut Cells, more: &Cells) -> bool {
        let before = known.len();
        known.retain(|cell| more.contains(cell));
        known.len() != before
    }
}
