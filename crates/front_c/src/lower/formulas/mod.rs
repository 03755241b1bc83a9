//! Formulas in annotations.
//!
//! They are expressions of C over objects with static storage and what those point to, read all at once: numbers with
//! `+ - *`, comparisons, `! && ||`, members, bit-fields, elements, `owner(m)` for the thread that holds a lock. In
//! `exclusive` also `self` for the thread that asks, `at(label)` for where it stands, and the index of the family.
//! Numbers are those of mathematics: nothing is converted or overflows.
//!
//! Here are formulas and their atoms; `places`: the objects they are about; `operators`: what is made of the parts.

mod operators;
mod places;

use raddle_base::{Arena, Span};
use raddle_c_syntax::tree::{Expression as Tree, ExpressionKind, UnaryOperator};
use raddle_ir::formula::Elements;
use raddle_ir::{Atom, Expression, Formula, IntType, Register, RegisterId, Scalar};

use crate::types::Type;

use super::Lowering;
use super::annotations::{Made, refused};

/// Every number of C fits.
const NUMBER: IntType = IntType::signed(128);

/// Whose formula it is.
pub(super) enum Terms {
    /// Nobody asks.
    Invariant,
    /// A thread asks, maybe for an element.
    Exclusive { index: Option<String> },
    /// The cell that `exclusive` is about: its address is a constant, with at most one index left open.
    Cell { elements: Option<Elements> },
}

/// What a part of a formula is.
enum FormulaValue {
    Number(Expression),
    Truth(Expression),
    Thread(Expression),
    Pointer(Expression, Type),
}

pub(super) struct Maker<'a, 'm> {
    lowering: &'a mut Lowering<'m>,
    span: Span,
    terms: Terms,
    registers: Arena<RegisterId, Register>,
    atoms: Vec<Atom>,
}

impl<'a, 'm> Maker<'a, 'm> {
    pub(super) fn new(lowering: &'a mut Lowering<'m>, span: Span, terms: Terms) -> Self {
        Self {
            lowering,
            span,
            terms,
            registers: Arena::new(),
            atoms: Vec::new(),
        }
    }

    pub(super) fn formula(mut self, tree: &Tree) -> Made<Formula> {
        let value = self.value(tree)?;
        let body = self.truth(value)?;
        Ok(Formula {
            registers: self.registers,
            atoms: self.atoms,
            body,
        })
    }

    /// The cell that `exclusive` is about.
    pub(super) fn cell(
        lowering: &'a mut Lowering<'m>,
        span: Span,
        tree: &Tree,
    ) -> Made<(Expression, Scalar, Option<Elements>)> {
        let mut maker = Self::new(lowering, span, Terms::Cell { elements: None });
        let place = maker.place(tree)?;
        if place.bits.is_some() {
            return maker.refuse("a bit-field shares its bytes, so nobody has it for himself");
        }
        let Some(scalar) = maker.lowering.scalar(&place.ty) else {
            return maker.refuse("`exclusive` needs an object that is a scalar");
        };
        match maker.terms {
            Terms::Cell { elements } => Ok((place.address, scalar, elements)),
            Terms::Invariant | Terms::Exclusive { .. } => Ok((place.address, scalar, None)),
        }
    }

    fn refuse<T>(&self, message: impl Into<String>) -> Made<T> {
        Err(refused(message, self.span))
    }

    fn atom(&mut self, atom: Atom, ty: Scalar) -> Made<Expression> {
        if matches!(self.terms, Terms::Cell { .. }) {
            return Err(refused(
                "`exclusive` needs an object with static storage, or a part of one",
                self.span,
            )
            .help("what a pointer leads to, and elements by a variable, can stand behind `when`"));
        }
        self.atoms.push(atom);
        let name = format!("atom{}", self.registers.len());
        Ok(Expression::Register(self.registers.push(Register {
            name,
            ty,
            is_temporary: false,
            span: Some(self.span),
        })))
    }

    fn value(&mut self, tree: &Tree) -> Made<FormulaValue> {
        match &tree.kind {
            ExpressionKind::Integer(literal) => Ok(FormulaValue::Number(Expression::Constant(
                literal.value,
                Scalar::Int(NUMBER),
            ))),
            ExpressionKind::Identifier(name) if self.is_index(name) => {
                let int = self.lowering.model().unsigned_word();
                let index = self.atom(Atom::Index(int), Scalar::Int(int))?;
                Ok(FormulaValue::Number(wide(index)))
            }
            ExpressionKind::Identifier(name) if matches!(&**name, "self" | "tid") => {
                if matches!(self.terms, Terms::Exclusive { .. }) {
                    Ok(FormulaValue::Thread(Expression::CurrentThread))
                } else {
                    self.refuse(format!("`{name}` is nobody in an invariant"))
                }
            }
            ExpressionKind::Identifier(_)
            | ExpressionKind::Member { .. }
            | ExpressionKind::Index(..)
            | ExpressionKind::Unary(UnaryOperator::Dereference, _) => {
                let place = self.place(tree)?;
                self.read(place)
            }
            ExpressionKind::Call(function, arguments) => match (&function.kind, &**arguments) {
                (ExpressionKind::Identifier(name), [lock]) if &**name == "owner" => {
                    self.owner(lock)
                }
                (ExpressionKind::Identifier(name), [point]) if &**name == "at" => self.point(point),
                _ => self.refuse("an annotation can only call `owner(m)` and `at(label)`"),
            },
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand),
            ExpressionKind::Binary(operator, left, right) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                self.binary(*operator, left, right)
            }
            _ => self.refuse("an annotation has no such expression"),
        }
    }

    fn is_index(&self, name: &str) -> bool {
        matches!(&self.terms, Terms::Exclusive { index: Some(index) } if index == name)
    }

    fn owner(&mut self, lock: &Tree) -> Made<FormulaValue> {
        let place = self.place(lock)?;
        let records = &self.lowering.module.records;
        let has_owner = matches!(place.ty, Type::Record(record) if matches!(
            records[record].sync,
            Some(raddle_ir::SyncType::Mutex(_) | raddle_ir::SyncType::ReadWriteLock)));
        if !has_owner {
            return self.refuse("`owner` needs a mutex or a read-write lock");
        }
        let atom = Atom::Owner {
            lock: place.address,
        };
        Ok(FormulaValue::Thread(self.atom(atom, Scalar::Thread)?))
    }

    /// `at(label)` and `at(function.label)`.
    fn point(&mut self, tree: &Tree) -> Made<FormulaValue> {
        if !matches!(self.terms, Terms::Exclusive { .. }) {
            return self
                .refuse("`at` asks where a thread stands, and an invariant is of no thread");
        }
        let (function, label) = match &tree.kind {
            ExpressionKind::Identifier(label) => (None, label),
            ExpressionKind::Member {
                operand,
                member,
                is_arrow: false,
            } => match &operand.kind {
                ExpressionKind::Identifier(function) => (Some(function), &member.name),
                _ => return self.refuse("write `at(label)` or `at(function.label)`"),
            },
            _ => return self.refuse("write `at(label)` or `at(function.label)`"),
        };
        let mut found = Vec::new();
        for (id, candidate) in self.lowering.draft.functions.iter() {
            if function.is_some_and(|function| candidate.name != **function) {
                continue;
            }
            let location = candidate
                .locations
                .iter()
                .find(|(_, it)| it.label.as_deref() == Some(&**label));
            found.extend(location.map(|(location, _)| (id, location)));
        }
        match found[..] {
            [(function, location)] => {
                let atom = Atom::At { function, location };
                Ok(FormulaValue::Truth(self.atom(atom, Scalar::BOOL)?))
            }
            [] => self.refuse(format!(
                "there is no label `{label}` in a function that the program calls"
            )),
            _ => Err(refused(
                format!("the label `{label}` is in several functions"),
                self.span,
            )
            .help(format!("write `at(function.{label})`"))),
        }
    }
}

/// As a number of formulas.
fn wide(expression: Expression) -> Expression {
    Expression::Cast(Scalar::Int(NUMBER), Box::new(expression))
}
