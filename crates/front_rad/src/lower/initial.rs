//! Initial values of variables.

use raddle_base::Span;
use raddle_ir::{BinaryOp, Expression, Initial, SyncType};

use crate::message::{limit_error, name_error, nearest, type_error};
use crate::syntax::{CellItem, CellValue, Expr, ExprKind, InitialExpr, VariableInitial};

use super::body::{Body, Lowered};
use super::context::sync_type;
use super::statements::sync_init;
use super::surface::Ty;

/// The initial value of one cell.
pub(super) enum Leaf<'e, 's> {
    Any(Ty, Span),
    Value(Ty, &'e Expr<'s>),
    /// The count of a semaphore or barrier.
    Sync(SyncType, &'e Expr<'s>),
}

/// More cells than this are not listed one by one.
const MOST_CELLS: u64 = 1 << 20;

impl<'s> Body<'_, '_, 's> {
    /// The cells that an initial value speaks of, with their offsets.
    pub(super) fn leaves<'e>(
        &mut self,
        initial: &'e InitialExpr<'s>,
        ty: &Ty,
    ) -> Lowered<Vec<(u64, Leaf<'e, 's>)>> {
        let mut leaves = Vec::new();
        self.leaves_into(initial, ty, 0, &mut leaves)?;
        Ok(leaves)
    }

    fn leaves_into<'e>(
        &mut self,
        initial: &'e InitialExpr<'s>,
        ty: &Ty,
        offset: u64,
        leaves: &mut Vec<(u64, Leaf<'e, 's>)>,
    ) -> Lowered<()> {
        let span = initial.span();
        match (initial, ty) {
            (InitialExpr::List(elements, _), Ty::Array(element, length)) => {
                let count = u64::try_from(elements.len()).unwrap_or(u64::MAX);
                if count > *length {
                    return Err(self.report(type_error(
                        format!("{count} values for an array of {length}"),
                        span,
                        "too many values",
                    )));
                }
                let stride = self.context.size_of(element).unwrap_or(0);
                for (at, value) in (0_u64..).zip(elements) {
                    self.leaves_into(value, element, offset + at * stride, leaves)?;
                }
                Ok(())
            }
            (InitialExpr::Fields(fields, _), Ty::Struct(id)) => {
                for (name, value) in fields {
                    let found = self
                        .context
                        .field(*id, name.text)
                        .map(|(field, ty)| (field.offset, ty.clone()));
                    let Some((at, ty)) = found else {
                        let declared = &self.context.structs[*id];
                        let diagnostic = name_error(
                            format!("`{}` has no field `{}`", declared.name, name.text),
                            name.span,
                            "unknown field",
                        );
                        let names = declared.fields.iter().map(|field| field.name.as_str());
                        let diagnostic = match nearest(name.text, names) {
                            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                            None => diagnostic,
                        };
                        return Err(self.report(diagnostic));
                    };
                    self.leaves_into(value, &ty, offset + at, leaves)?;
                }
                Ok(())
            }
            (InitialExpr::Any(_), ty) if ty.scalar().is_some() => {
                leaves.push((offset, Leaf::Any(ty.clone(), span)));
                Ok(())
            }
            (
                InitialExpr::Value(value),
                Ty::Sync(sync @ (SyncType::Semaphore | SyncType::Barrier)),
            ) => {
                leaves.push((offset, Leaf::Sync(*sync, value)));
                Ok(())
            }
            (InitialExpr::Value(value), Ty::Array(element, length)) => {
                let Ty::Sync(sync @ (SyncType::Semaphore | SyncType::Barrier)) = **element else {
                    return Err(self.wrong_shape(ty, span));
                };
                if *length > MOST_CELLS {
                    return Err(self.report(limit_error(
                        "these are too many objects",
                        span,
                        format!("at most {MOST_CELLS}"),
                    )));
                }
                let stride = self.context.size_of(element).unwrap_or(0);
                for at in 0..*length {
                    leaves.push((offset + at * stride, Leaf::Sync(sync, value)));
                }
                Ok(())
            }
            (InitialExpr::Value(value), ty) if ty.scalar().is_some() => {
                leaves.push((offset, Leaf::Value(ty.clone(), value)));
                Ok(())
            }
            _ => Err(self.wrong_shape(ty, span)),
        }
    }

    fn wrong_shape(&mut self, ty: &Ty, span: Span) -> crate::message::Reported {
        let shown = self.context.describe(ty);
        let help = match ty {
            Ty::Array(..) => "write its elements, as in `[1, 2, 3]`",
            Ty::Struct(_) => "write its fields, as in `{ a = 1; b = 2 }`",
            Ty::Sync(_) => "leave out the initial value",
            _ => "write one value, or `*` for any",
        };
        self.report(
            type_error(
                format!("this is no initial value of a `{shown}`"),
                span,
                format!("expected a `{shown}`"),
            )
            .help(help),
        )
    }

    /// What a global variable holds at first.
    pub(super) fn global_initial(
        &mut self,
        initial: &VariableInitial<'s>,
        ty: &Ty,
    ) -> Lowered<Vec<(u64, Initial)>> {
        match initial {
            VariableInitial::None => Ok(Vec::new()),
            VariableInitial::Value(initial) => {
                let mut cells = Vec::new();
                for (offset, leaf) in self.leaves(initial, ty)? {
                    let value = match leaf {
                        Leaf::Any(ty, span) => Initial::Any(self.scalar_of(&ty, span)?),
                        Leaf::Value(ty, value) => self.initial_value(&ty, value)?,
                        Leaf::Sync(sync, count) => {
                            let (count, _) = self.integer(count, &Ty::U32)?;
                            let span = initial.span();
                            Initial::Sync(self.resolved(sync_init(sync, Some(count), span))?)
                        }
                    };
                    cells.push((offset, value));
                }
                Ok(cells)
            }
            VariableInitial::Cells(cells) => {
                cells.iter().map(|cell| self.initial_cell(cell)).collect()
            }
        }
    }

    fn initial_cell(&mut self, cell: &CellItem<'s>) -> Lowered<(u64, Initial)> {
        let value = match &cell.value {
            CellValue::Any(ty) => {
                let scalar = self.context.scalar(ty);
                let ty = self.resolved(scalar)?;
                Initial::Any(self.scalar_of(&ty, cell.span)?)
            }
            CellValue::Value(ty, value) => {
                let scalar = self.context.scalar(ty);
                let ty = self.resolved(scalar)?;
                self.initial_value(&ty, value)?
            }
            CellValue::Sync(sync) => {
                let kind = self.resolved(sync_type(sync.name))?;
                let count = match sync.argument.as_deref() {
                    Some(count) => Some(self.integer(count, &Ty::U32)?.0),
                    None => None,
                };
                Initial::Sync(self.resolved(sync_init(kind, count, cell.span))?)
            }
        };
        Ok((cell.offset, value))
    }

    fn initial_value(&mut self, ty: &Ty, value: &Expr<'s>) -> Lowered<Initial> {
        let lowered = self.value_of(value, ty)?;
        match &lowered {
            Expression::Constant(bits, scalar) => return Ok(Initial::Scalar(*scalar, *bits)),
            Expression::Global(_) | Expression::Function(_) => {
                return Ok(Initial::Address(lowered));
            }
            Expression::Binary(BinaryOp::Offset, base, amount)
                if matches!(**base, Expression::Global(_) | Expression::Function(_))
                    && matches!(**amount, Expression::Constant(..)) =>
            {
                return Ok(Initial::Address(lowered));
            }
            _ => {}
        }
        let help = match &value.kind {
            ExprKind::Binary(..) => "work it out by hand: initial values are not computed",
            _ => "write a number, `null`, `true`, an address such as `&x`, or `*` for any value",
        };
        Err(self.report(
            type_error(
                "this initial value is not a constant",
                value.span,
                "not a constant",
            )
            .help(help),
        ))
    }
}
