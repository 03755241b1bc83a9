//! Which values registers may have after an action: those with which it goes on.
//!
//! `assume x < 10` does, and so does a call of a function that returns only if its argument is not zero.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Arena, Id, SideTable};

use raddle_ir::action::{Action, Callee};
use raddle_ir::expression::{BinaryOp, Expression, UnaryOp};
use raddle_ir::program::{Function, Program, Register, RegisterId};
use raddle_ir::types::{DataModel, IntType, Scalar};

use super::demand::{Demands, constant, mirrored};
use super::partition::{extension, sign_bit};
use super::segments::Segments;

/// A set of values.
type Values = Segments<bool>;

/// Registers that may have only some values. Of those that are missing, any is possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Possible {
    values: BTreeMap<RegisterId, Values>,
}

/// For each function, the values of its parameters with which it may return; `None` if it never does.
pub(super) struct Guards {
    returning: Vec<Option<Possible>>,
}

impl Possible {
    /// Forgets what is told apart of values that are not possible.
    pub(super) fn narrow(&self, demands: &mut Demands) {
        for (register, values) in &self.values {
            if let Some(told) = demands.get_mut(register) {
                *told = told.among(values);
            }
        }
    }

    fn and(mut self, other: &Self) -> Self {
        for (register, values) in &other.values {
            let both = match self.values.get(register) {
                Some(known) => known.zip(values, |a, b| a && b).joined(|a, b| a == b),
                None => values.clone(),
            };
            self.values.insert(*register, both);
        }
        self
    }

    fn or(&self, other: &Self) -> Self {
        let values = self.values.iter().filter_map(|(register, values)| {
            let either = values.zip(other.values.get(register)?, |a, b| a || b);
            Some((*register, either.joined(|a, b| a == b)))
        });
        Self {
            values: values.collect(),
        }
    }
}

/// Of two things that are impossible if they are `None`.
fn both(a: Option<Possible>, b: Option<Possible>) -> Option<Possible> {
    Some(a?.and(&b?))
}

fn either(a: Option<Possible>, b: Option<Possible>) -> Option<Possible> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.or(&b)),
        (one, None) | (None, one) => one,
    }
}

impl Guards {
    pub(super) fn new(program: &Program) -> Self {
        let functions = program.functions.values();
        Self {
            returning: functions
                .map(|function| returning(function, program.model))
                .collect(),
        }
    }

    /// What is possible once this action is done; `None` if nothing is known.
    pub(super) fn of(
        &self,
        program: &Program,
        function: &Function,
        action: &Action,
    ) -> Option<Possible> {
        let context = Context {
            registers: &function.registers,
            model: program.model,
        };
        let Action::Call {
            callee: Callee::Direct(callee),
            arguments,
            ..
        } = action
        else {
            return context.after(action);
        };
        let returning = self.returning[callee.index()].as_ref()?;
        let mut possible = Some(Possible::default());
        for (parameter, values) in &returning.values {
            let argument = arguments.get(parameter.index())?;
            possible = both(possible, context.within(argument, values));
        }
        possible
    }
}

/// Backwards from where a function returns. Parameters that it writes are left out.
fn returning(function: &Function, model: DataModel) -> Option<Possible> {
    let context = Context {
        registers: &function.registers,
        model,
    };
    let written: BTreeSet<RegisterId> = function
        .edges
        .values()
        .flat_map(|edge| edge.action.written_registers())
        .collect();
    let is_kept = |register: &RegisterId| {
        register.index() < function.parameters && !written.contains(register)
    };
    if !function.parameter_ids().any(|it| is_kept(&it)) {
        return Some(Possible::default());
    }
    let mut at: SideTable<_, Option<Possible>> = SideTable::filled(&function.locations, None);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in function.edges.values().rev() {
            let never_goes_on = matches!(
                edge.action,
                Action::ExitThread { .. } | Action::EndProcess { .. } | Action::Unsupported { .. }
            );
            let goes_on = if never_goes_on {
                None
            } else if edge.to == function.exit {
                Some(Possible::default())
            } else {
                at[edge.to].clone()
            };
            let mut guard = context.after(&edge.action).unwrap_or_default();
            guard.values.retain(|register, _| is_kept(register));
            let joined = either(at[edge.from].clone(), both(goes_on, Some(guard)));
            if joined != at[edge.from] {
                at[edge.from] = joined;
                changed = true;
            }
        }
    }
    at[function.entry].clone()
}

/// What expressions are over.
struct Context<'a> {
    registers: &'a Arena<RegisterId, Register>,
    model: DataModel,
}

impl Context<'_> {
    fn after(&self, action: &Action) -> Option<Possible> {
        if let Action::Assume { condition } | Action::Assert { condition, .. } = action {
            self.condition(condition, true)
        } else {
            None
        }
    }

    /// With which values an expression may have one of these; `None` if with none.
    fn within(&self, expression: &Expression, values: &Values) -> Option<Possible> {
        match expression {
            Expression::Register(register) => Some(Possible {
                values: BTreeMap::from([(*register, values.clone())]),
            }),
            Expression::Cast(Scalar::Int(to), operand) => match self.scalar(operand) {
                Scalar::Int(from) if from.bits <= to.bits => {
                    let values = values.before(&extension(from, *to));
                    self.within(operand, &values.joined(|a, b| a == b))
                }
                Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => {
                    Some(Possible::default())
                }
            },
            Expression::Constant(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => {
                if self.scalar(expression) != Scalar::BOOL {
                    return Some(Possible::default());
                }
                let ways = [false, true].map(|truth| {
                    contains(values, u128::from(truth))
                        .then(|| self.condition(expression, truth))
                        .flatten()
                });
                let [when_false, when_true] = ways;
                either(when_false, when_true)
            }
        }
    }

    /// With which values a condition may be true, or false; `None` if with none.
    fn condition(&self, condition: &Expression, truth: bool) -> Option<Possible> {
        let anything = Some(Possible::default());
        match condition {
            Expression::Constant(bits, _) => anything.filter(|_| (*bits == 1) == truth),
            Expression::Register(_) => self.within(condition, &Segments::split(1, !truth, truth)),
            Expression::Unary(UnaryOp::Not, operand) => self.condition(operand, !truth),
            Expression::Binary(op, left, right) if op.is_comparison() => {
                let (operand, op, bits) = match (constant(left), constant(right)) {
                    (_, Some(bits)) => (left, *op, bits),
                    (Some(bits), None) => (right, mirrored(*op), bits),
                    (None, None) => return anything,
                };
                match satisfying(op, bits, self.scalar(operand), self.model) {
                    Some(values) => {
                        let values = values.zip(&Segments::constant(truth), |a, b| a == b);
                        self.within(operand, &values)
                    }
                    None => anything,
                }
            }
            Expression::Binary(BinaryOp::And, left, right) => {
                self.connected(left, right, truth, truth)
            }
            Expression::Binary(BinaryOp::Or, left, right) => {
                self.connected(left, right, truth, !truth)
            }
            Expression::Select(decides, then, otherwise) => either(
                both(self.condition(decides, true), self.condition(then, truth)),
                both(
                    self.condition(decides, false),
                    self.condition(otherwise, truth),
                ),
            ),
            Expression::Cast(..)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => anything,
        }
    }

    /// Both conditions have this truth, or one of them has.
    fn connected(
        &self,
        left: &Expression,
        right: &Expression,
        truth: bool,
        are_both: bool,
    ) -> Option<Possible> {
        let (left, right) = (self.condition(left, truth), self.condition(right, truth));
        if are_both {
            both(left, right)
        } else {
            either(left, right)
        }
    }

    fn scalar(&self, expression: &Expression) -> Scalar {
        expression.scalar(self.registers, self.model)
    }
}

fn contains(values: &Values, bits: u128) -> bool {
    values
        .iter()
        .any(|(first, last, is_member)| is_member && (first..=last).contains(&bits))
}

/// The values `x` with `x op bits`; `None` if that is not known.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "nothing else is a comparison"
)]
fn satisfying(op: BinaryOp, bits: u128, ty: Scalar, model: DataModel) -> Option<Values> {
    let int = match ty {
        Scalar::Int(int) => int,
        Scalar::Pointer | Scalar::Thread => {
            IntType::unsigned(u8::try_from(ty.bits(model)).expect("32 or 64"))
        }
        Scalar::Float(_) => return None,
    };
    let equal = match bits.checked_add(1) {
        Some(next) => Segments::split(bits, false, true)
            .zip(&Segments::split(next, true, false), |a, b| a && b),
        None => Segments::split(bits, false, true),
    };
    let below = Segments::split(bits, true, false);
    let less = if int.is_signed {
        let negative = Segments::split(sign_bit(int), false, true);
        if bits < sign_bit(int) {
            below.zip(&negative, |a, b| a || b)
        } else {
            below.zip(&negative, |a, b| a && b)
        }
    } else {
        below
    };
    let not = |values: Values| values.zip(&Segments::constant(()), |a, ()| !a);
    let less_or_equal = less.zip(&equal, |a, b| a || b);
    Some(match op {
        BinaryOp::Equal => equal,
        BinaryOp::NotEqual => not(equal),
        BinaryOp::Less => less,
        BinaryOp::LessEqual => less_or_equal,
        BinaryOp::Greater => not(less_or_equal),
        BinaryOp::GreaterEqual => not(less),
        _ => return None,
    })
}
