//! Addresses that a thread will use, in terms of what it holds now.

use raddle_ir::{Expression, Program, RegisterId, Scalar};

use super::Site;

/// Expressions with more parts than this are not followed.
const MOST_PARTS: usize = 24;

/// More loads than this on the way to one address are not followed.
const MOST_LOADS: usize = 3;

/// An address as it would be computed now: the loads one after the other, each into its register, then the expression. A
/// register that no earlier load fills holds what it holds now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub loads: Vec<Load>,
    pub expression: Expression,
}

/// A cell that an address is read from: a *root* of its path. What it gives is the same later only if nobody writes
/// the cell until then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// Of the load.
    pub site: Site,
    pub register: RegisterId,
    pub address: Expression,
    pub ty: Scalar,
}

impl Path {
    pub(super) fn new(expression: &Expression) -> Option<Self> {
        (parts(expression) <= MOST_PARTS).then(|| Self {
            loads: Vec::new(),
            expression: expression.clone(),
        })
    }

    /// The same address at the beginning of an assignment that comes before.
    pub(super) fn before_assignment(&self, target: RegisterId, value: &Expression) -> Option<Self> {
        if !self.reads(target) {
            return Some(self.clone());
        }
        let mut is_captured = false;
        value.for_each_register(&mut |it| {
            is_captured |= self.loads.iter().any(|load| load.register == it);
        });
        if is_captured {
            return None;
        }
        self.map(&mut |register| {
            Some(if register == target {
                value.clone()
            } else {
                Expression::Register(register)
            })
        })
    }

    /// The same before a load.
    pub(super) fn before_load(&self, load: &Load) -> Option<Self> {
        if !self.reads(load.register) {
            return Some(self.clone());
        }
        let is_taken = self.loads.iter().any(|it| it.register == load.register);
        if is_taken || self.loads.len() == MOST_LOADS || parts(&load.address) > MOST_PARTS {
            return None;
        }
        let mut loads = vec![load.clone()];
        loads.extend(self.loads.iter().cloned());
        Some(Self {
            loads,
            expression: self.expression.clone(),
        })
    }

    /// The same before something of which nothing is known but that it sets a register.
    pub(super) fn before_setting(&self, target: RegisterId) -> Option<Self> {
        (!self.reads(target)).then(|| self.clone())
    }

    /// The same in the caller, of an address that the callee uses, with arguments for its parameters.
    pub(super) fn in_caller(&self, arguments: &[Expression]) -> Option<Self> {
        // Registers of the callee have no meaning there.
        if !self.loads.is_empty() {
            return None;
        }
        self.map(&mut |register| arguments.get(raddle_base::Id::index(register)).cloned())
    }

    /// Whether it depends on which thread computes it.
    pub(super) fn is_of_thread(&self, program: &Program) -> bool {
        let addresses = self.loads.iter().map(|it| &it.address);
        addresses
            .chain([&self.expression])
            .any(|it| is_of_thread(program, it))
    }

    /// Whether it is the same address at all times and in all threads.
    pub fn is_constant(&self, program: &Program) -> bool {
        let mut has_registers = false;
        self.expression
            .for_each_register(&mut |_| has_registers = true);
        self.loads.is_empty() && !has_registers && !self.is_of_thread(program)
    }

    /// Whether it depends on what a register holds now.
    pub(super) fn reads(&self, register: RegisterId) -> bool {
        let mut is_read = false;
        let mut is_filled = false;
        for load in &self.loads {
            if !is_filled {
                load.address
                    .for_each_register(&mut |it| is_read |= it == register);
            }
            is_filled |= load.register == register;
        }
        if !is_filled {
            self.expression
                .for_each_register(&mut |it| is_read |= it == register);
        }
        is_read
    }

    /// Other expressions for what registers hold now.
    fn map(&self, given: &mut impl FnMut(RegisterId) -> Option<Expression>) -> Option<Self> {
        let mut filled: Vec<RegisterId> = Vec::new();
        let mut mapped = |expression: &Expression, filled: &[RegisterId]| {
            let result = substituted(expression, &mut |register| {
                if filled.contains(&register) {
                    Some(Expression::Register(register))
                } else {
                    given(register)
                }
            })?;
            (parts(&result) <= MOST_PARTS).then_some(result)
        };
        let mut loads = Vec::new();
        for load in &self.loads {
            loads.push(Load {
                address: mapped(&load.address, &filled)?,
                ..load.clone()
            });
            filled.push(load.register);
        }
        Some(Self {
            expression: mapped(&self.expression, &filled)?,
            loads,
        })
    }
}

fn parts(expression: &Expression) -> usize {
    match expression {
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => 1,
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => 1 + parts(operand),
        Expression::Binary(_, left, right) => 1 + parts(left) + parts(right),
        Expression::Select(condition, then, otherwise) => {
            1 + parts(condition) + parts(then) + parts(otherwise)
        }
    }
}

fn is_of_thread(program: &Program, expression: &Expression) -> bool {
    match expression {
        Expression::CurrentThread => true,
        Expression::Global(global) => program.globals[*global].is_thread_local,
        Expression::Constant(..) | Expression::Register(_) | Expression::Function(_) => false,
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            is_of_thread(program, operand)
        }
        Expression::Binary(_, left, right) => {
            is_of_thread(program, left) || is_of_thread(program, right)
        }
        Expression::Select(condition, then, otherwise) => [condition, then, otherwise]
            .into_iter()
            .any(|it| is_of_thread(program, it)),
    }
}

fn substituted(
    expression: &Expression,
    given: &mut impl FnMut(RegisterId) -> Option<Expression>,
) -> Option<Expression> {
    Some(match expression {
        Expression::Register(register) => given(*register)?,
        Expression::Constant(..)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => expression.clone(),
        Expression::Unary(op, operand) => {
            Expression::Unary(*op, Box::new(substituted(operand, given)?))
        }
        Expression::Cast(ty, operand) => {
            Expression::Cast(*ty, Box::new(substituted(operand, given)?))
        }
        Expression::Binary(op, left, right) => Expression::Binary(
            *op,
            Box::new(substituted(left, given)?),
            Box::new(substituted(right, given)?),
        ),
        Expression::Select(condition, then, otherwise) => Expression::Select(
            Box::new(substituted(condition, given)?),
            Box::new(substituted(then, given)?),
            Box::new(substituted(otherwise, given)?),
        ),
    })
}
