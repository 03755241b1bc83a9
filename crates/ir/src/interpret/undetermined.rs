//! Cells that may start with any value: which values are tried, and what the states are called that begin so.
//!
//! An initial state has the number that the definition gives it, whoever tries fewer values: so a trace that begins in it can be
//! replayed on the definition.

use raddle_base::Span;

use crate::program::{GlobalId, Initial};
use crate::types::Scalar;

use super::{Interpreter, Stop};

/// A cell that may start with any value.
pub(super) struct Undetermined {
    pub(super) global: GlobalId,
    pub(super) offset: u64,
    pub(super) ty: Scalar,
    span: Option<Span>,
}

/// The values of a cell that are tried.
pub(super) struct Tried {
    /// With the place of each among all that the definition tries.
    pub(super) values: Vec<(usize, u128)>,
    /// How many the definition tries.
    pub(super) all: usize,
}

impl Interpreter<'_> {
    /// In the order of their globals. A thread makes its own copies of those that are its own, which have no such cells.
    pub(super) fn undetermined(&self) -> Vec<Undetermined> {
        let globals = self.program.globals.iter();
        globals
            .filter(|(_, it)| !it.is_thread_local)
            .flat_map(|(id, global)| global.initial.iter().map(move |it| (id, global.span, it)))
            .filter_map(|(global, span, (offset, initial))| match initial {
                Initial::Any(ty) => Some(Undetermined {
                    global,
                    offset: *offset,
                    ty: *ty,
                    span,
                }),
                Initial::Scalar(..) | Initial::Address(_) | Initial::Sync(_) => None,
            })
            .collect()
    }

    /// Of each cell all values if that gives no more states than may be tried, and else those that stand for all.
    pub(super) fn initial_values(&self, cells: &[Undetermined]) -> Result<Vec<Tried>, Stop> {
        let most = u128::from(self.semantics.max_choices);
        let number = |cell: &Undetermined| cell.ty.mask(self.program.model).saturating_add(1);
        let wide = self.wide.as_ref();
        let is_preferred = wide.is_some_and(|it| it.are_preferred());
        let product = cells.iter().map(number).fold(1, u128::saturating_mul);
        let mut states = 1_u128;
        let mut tried = Vec::with_capacity(cells.len());
        for cell in cells {
            let known = wide.and_then(|it| it.of_initial(cell.global, cell.offset));
            let all = match known {
                Some(values) if product > most => values.len() as u128,
                Some(_) | None => number(cell),
            };
            let before = states;
            states = before.saturating_mul(all);
            if states > most {
                return Err(Stop::TooManyChoices {
                    values: before.saturating_mul(number(cell)),
                    span: cell.span,
                    is_unanalysed: self.wide_choices_are_unknown(),
                });
            }
            let values = match known {
                Some(values) if product > most => values.iter().copied().enumerate().collect(),
                Some(values) if is_preferred => values.iter().map(|&it| (index(it), it)).collect(),
                Some(_) | None => (0..all).map(|it| (index(it), it)).collect(),
            };
            let all = index(all);
            tried.push(Tried { values, all });
        }
        Ok(tried)
    }
}

/// A number of values that is no more than may be tried.
fn index(number: u128) -> usize {
    usize::try_from(number).expect("no more than may be tried")
}
