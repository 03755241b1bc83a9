//! `syscall` with a number that is known: what it calls takes its place.

use raddle_base::Span;
use raddle_c_syntax::tree;
use raddle_ir::DataModel;

use super::convert::constant;
use super::fold::Constant;
use super::scope::Entity;
use super::{Checked, Checker};
use crate::typed::{Expression, ExpressionKind};
use crate::types::{IntegerKind, Type};

/// Numbers of Linux, on x86-64 and on i386, and the function of our library with the same meaning.
const CALLS: &[(i128, i128, &str)] = &[(202, 240, "__raddle_futex"), (-1, 422, "__raddle_futex")];

impl Checker {
    /// `None` if the call is another one, or `syscall` is a function of the program.
    pub(super) fn system_call(
        &mut self,
        name: &str,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Option<Checked<Expression>> {
        let (number, arguments) = arguments.split_first().filter(|_| name == "syscall")?;
        let Some(Entity::Function(id, _)) = self.lookup(name).map(|found| &found.entity) else {
            return None;
        };
        if !self.functions[*id].is_library {
            return None;
        }
        let number = self.value(number).ok()?;
        let Some(Constant::Integer(number)) = constant(&number) else {
            return None;
        };
        let (.., callee) = CALLS.iter().find(|(lp64, ilp32, _)| {
            let known = match self.model {
                DataModel::Lp64 => *lp64,
                DataModel::Ilp32 => *ilp32,
            };
            u128::try_from(known) == Ok(number)
        })?;
        Some(self.call_with_words(callee, arguments, span))
    }

    /// Registers carry whatever is given, and nobody reads those that nothing was given for.
    fn call_with_words(
        &mut self,
        callee: &str,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Checked<Expression> {
        let Some(super::link::External::Function(id)) = self.external(callee) else {
            let ty = Type::Integer(IntegerKind::Long);
            return Ok(self.unsupported("`syscall`", ty, span));
        };
        let parameters = self.functions[id].ty.parameters.clone();
        let mut values = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            let value = match arguments.get(index) {
                Some(argument) => self.value(argument)?,
                None => Expression {
                    ty: Type::Integer(IntegerKind::Int),
                    kind: ExpressionKind::Integer(0),
                    span,
                },
            };
            values.push(self.convert(value, &parameter.ty));
        }
        self.call_of_library(callee, values, span)
    }
}
