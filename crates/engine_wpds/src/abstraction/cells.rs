//! The memory locations that processes access: bytes of an atomic set or of what an automaton names, drawn together where one access may touch several.

use raddle_analysis::conflicts::Access;
use raddle_analysis::names;
use raddle_analysis::points_to::{ObjectKind, PointsTo};
use raddle_analysis::value::{ObjectId, Offset};
use raddle_base::{Arena, Span};
use raddle_ir::{Deed, Member};

use crate::system::CellId;

#[derive(Clone, Debug)]
pub struct Cell {
    pub object: ObjectId,
    pub from: u64,
    pub to: u64,
    /// As in `stack.count`.
    pub name: String,
    pub span: Option<Span>,
}

/// The cells among the members that somebody uses.
///
/// Every access to the members is one to exactly one cell: what an access touches lies in one cell, and where it is not
/// known which byte an access touches, all members it may touch are one. Fewer cells mean more conflicts, never fewer.
pub(super) fn cells_of(
    points_to: &PointsTo<'_>,
    accesses: &[Access],
    members: &[Member],
) -> Arena<CellId, Cell> {
    let mut stretches: Vec<(ObjectId, u64, u64)> = Vec::new();
    for access in accesses.iter().filter(|it| it.deed == Deed::Data) {
        let touched = members.iter().filter_map(|member| {
            let object = points_to.object(ObjectKind::Global(member.global))?;
            let here = Offset::exactly(member.offset);
            let is_touched = object == access.object
                && access.offset.may_overlap(access.size, here, member.size);
            is_touched.then_some((member.offset, member.offset + member.size))
        });
        let hull = match access.offset.exact() {
            Some(offset) => touched
                .map(|_| (offset, offset.saturating_add(access.size)))
                .next(),
            None => touched.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))),
        };
        stretches.extend(hull.map(|(from, to)| (access.object, from, to)));
    }
    stretches.sort_unstable();
    let mut cells: Arena<CellId, Cell> = Arena::new();
    for (object, from, to) in stretches {
        if let Some(last) = cells.values_mut().next_back()
            && last.object == object
            && from < last.to
        {
            last.to = last.to.max(to);
            continue;
        }
        cells.push(Cell {
            object,
            from,
            to,
            name: String::new(),
            span: names::place(points_to, object),
        });
    }
    for cell in cells.values_mut() {
        cell.name = name_of(points_to, cell);
    }
    cells
}

/// As in `stack.count`; a whole variable is called by its name alone.
fn name_of(points_to: &PointsTo<'_>, cell: &Cell) -> String {
    if let ObjectKind::Global(global) = points_to.objects[cell.object].kind
        && points_to.objects[cell.object].size == Some(cell.to - cell.from)
    {
        return points_to.program.globals[global].name.clone();
    }
    names::of_part(points_to, cell.object, Offset::exactly(cell.from))
}

/// The cells that an access may touch.
pub(super) fn touched(
    cells: &Arena<CellId, Cell>,
    object: ObjectId,
    offset: Offset,
    size: u64,
) -> impl Iterator<Item = CellId> {
    cells
        .iter()
        .filter(move |(_, cell)| {
            cell.object == object
                && offset.may_overlap(size, Offset::exactly(cell.from), cell.to - cell.from)
        })
        .map(|(id, _)| id)
}
