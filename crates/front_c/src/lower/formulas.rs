//! Formulas in annotations.
//!
//! They are expressions of C over objects with static storage and what those point to, read all at once: numbers with
//! `+ - *`, comparisons, `! && ||`, members, bit-fields, elements, `owner(m)` for the thread that holds a lock. In
//! `exclusive` also `self` for the thread that asks, `at(label)` for where it stands, and the index of the family.
//! Numbers are those of mathematics: nothing is converted or overflows.

use raddle_base::{Arena, Span};
use raddle_c_syntax::tree::{BinaryOperator, Expression as Tree, ExpressionKind, UnaryOperator};
use raddle_ir::formula::Elements;
use raddle_ir::{
    Atom, BinaryOp, Expression, Formula, IntType, Register, RegisterId, Scalar, UnaryOp,
};

use crate::types::{BitField, Length, RecordId, Type};

use super::Lowering;
use super::annotations::{Made, refused};
use super::objects::{bytes_of, displaced};

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
enum Value {
    Number(Expression),
    Truth(Expression),
    Thread(Expression),
    Pointer(Expression, Type),
}

/// Where something lies.
struct Place {
    /// Of a bit-field, that of its record.
    address: Expression,
    ty: Type,
    bits: Option<BitField>,
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

    fn place(&mut self, tree: &Tree) -> Made<Place> {
        let model = self.lowering.model();
        match &tree.kind {
            ExpressionKind::Identifier(name) => self.object(name),
            ExpressionKind::Member {
                operand,
                member,
                is_arrow,
            } => {
                let (address, ty) = if *is_arrow {
                    self.pointed_to(operand)?
                } else {
                    let place = self.place(operand)?;
                    (place.address, place.ty)
                };
                let found = match ty {
                    Type::Record(record) => self.field(record, &member.name),
                    _ => None,
                };
                match found {
                    Some((offset, ty, bits)) => Ok(Place {
                        address: at_offset(address, offset, model),
                        ty,
                        bits,
                    }),
                    None => self.refuse(format!("there is no member `{}`", member.name)),
                }
            }
            ExpressionKind::Unary(UnaryOperator::Dereference, operand) => {
                let (address, ty) = self.pointed_to(operand)?;
                Ok(Place {
                    address,
                    ty,
                    bits: None,
                })
            }
            ExpressionKind::Index(array, index) => self.element(array, index),
            _ => self.refuse("here an annotation needs an object"),
        }
    }

    fn object(&mut self, name: &str) -> Made<Place> {
        let module = self.lowering.module;
        let found = module
            .objects
            .iter()
            .find(|(_, object)| object.name == *name && !object.is_string_literal);
        let Some((id, object)) = found else {
            return self.refuse(format!("there is no object `{name}` with static storage"));
        };
        let global = self.lowering.object(id);
        Ok(Place {
            address: Expression::Global(global),
            ty: object.ty.ty.clone(),
            bits: None,
        })
    }

    /// A member, also one of structs without a name inside.
    fn field(&self, record: RecordId, name: &str) -> Option<(u64, Type, Option<BitField>)> {
        let fields = &self.lowering.module.records[record].fields;
        fields
            .iter()
            .find_map(|field| match (&field.name, &field.ty.ty) {
                (Some(known), ty) if **known == *name => {
                    Some((field.offset, ty.clone(), field.bits))
                }
                (None, Type::Record(inner)) => {
                    let (offset, ty, bits) = self.field(*inner, name)?;
                    Some((field.offset + offset, ty, bits))
                }
                (Some(_) | None, _) => None,
            })
    }

    /// What a pointer leads to.
    fn pointed_to(&mut self, tree: &Tree) -> Made<(Expression, Type)> {
        match self.value(tree)? {
            Value::Pointer(address, ty) if self.lowering.size(&ty) > 0 => Ok((address, ty)),
            Value::Pointer(..) => self.refuse("of this pointer is not known what it leads to"),
            Value::Number(_) | Value::Truth(_) | Value::Thread(_) => {
                self.refuse("here an annotation needs a pointer")
            }
        }
    }

    fn element(&mut self, array: &Tree, index: &Tree) -> Made<Place> {
        let (address, element, length) = self.array(array)?;
        let size = self.lowering.size(&element);
        let place = |address| Place {
            address,
            ty: element.clone(),
            bits: None,
        };
        if let (Terms::Cell { elements }, ExpressionKind::Identifier(name)) =
            (&mut self.terms, &index.kind)
        {
            let Some(count) = length.filter(|_| elements.is_none()) else {
                return self.refuse("only one index can be left open, of an array");
            };
            *elements = Some(Elements {
                variable: name.to_string(),
                count,
                stride: size,
            });
            return Ok(place(address));
        }
        let model = self.lowering.model();
        let index = self.value(index)?;
        let index = self.number(index)?;
        if let Expression::Constant(number, _) = index {
            let number = u64::try_from(number).ok();
            return match number.filter(|it| length.is_none_or(|length| *it < length)) {
                Some(number) => Ok(place(at_offset(
                    address,
                    number.saturating_mul(size),
                    model,
                ))),
                None => self.refuse("this index lies outside of its array"),
            };
        }
        let word = model.signed_word();
        let amount = Expression::binary(
            BinaryOp::MultiplyWrapping,
            Expression::Cast(Scalar::Int(word), Box::new(index)),
            Expression::int(i128::from(size), word),
        );
        let address = Expression::binary(BinaryOp::Offset, address, amount);
        Ok(place(address))
    }

    /// The first element, its type and how many there are; of what a pointer leads to, nobody knows.
    fn array(&mut self, tree: &Tree) -> Made<(Expression, Type, Option<u64>)> {
        let place = self.place(tree)?;
        match &place.ty {
            Type::Array(element, Length::Constant(length)) => {
                Ok((place.address, element.ty.clone(), Some(*length)))
            }
            Type::Pointer(target) if self.lowering.size(&target.ty) > 0 => {
                match self.read(place)? {
                    Value::Pointer(address, element) => Ok((address, element, None)),
                    Value::Number(_) | Value::Truth(_) | Value::Thread(_) => {
                        self.refuse("an element needs an array or a pointer")
                    }
                }
            }
            _ => self.refuse("an element needs an array or a pointer to something known"),
        }
    }

    fn value(&mut self, tree: &Tree) -> Made<Value> {
        match &tree.kind {
            ExpressionKind::Integer(literal) => Ok(Value::Number(Expression::Constant(
                literal.value,
                Scalar::Int(NUMBER),
            ))),
            ExpressionKind::Identifier(name) if self.is_index(name) => {
                let int = self.lowering.model().unsigned_word();
                let index = self.atom(Atom::Index(int), Scalar::Int(int))?;
                Ok(Value::Number(wide(index)))
            }
            ExpressionKind::Identifier(name) if matches!(&**name, "self" | "tid") => {
                if matches!(self.terms, Terms::Exclusive { .. }) {
                    Ok(Value::Thread(Expression::CurrentThread))
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

    fn read(&mut self, place: Place) -> Made<Value> {
        if let Some(bits) = place.bits {
            return self.read_bits(&place.address, &place.ty, bits);
        }
        let address = place.address;
        // An array is the address of its first element.
        if let Type::Array(element, _) = &place.ty {
            return Ok(Value::Pointer(address, element.ty.clone()));
        }
        let Some(scalar @ (Scalar::Int(_) | Scalar::Pointer)) = self.lowering.scalar(&place.ty)
        else {
            return self.refuse("an annotation reads integers and pointers only");
        };
        let read = self.atom(
            Atom::Cell {
                address,
                ty: scalar,
            },
            scalar,
        )?;
        Ok(match &place.ty {
            Type::Pointer(target) => Value::Pointer(read, target.ty.clone()),
            _ => Value::Number(wide(read)),
        })
    }

    /// Byte by byte, so that no width is asked for that memory does not have.
    fn read_bits(&mut self, record: &Expression, ty: &Type, bits: BitField) -> Made<Value> {
        if uses_register(record) {
            // The address would stand once for each byte, but what is read to get it can stand only once.
            return self
                .refuse("an annotation reads bit-fields of objects with static storage only");
        }
        let model = self.lowering.model();
        let byte = Scalar::Int(IntType::unsigned(8));
        let (first, last) = bytes_of(bits);
        let mut all: Option<Expression> = None;
        for at in first..=last {
            let address = at_offset(record.clone(), at, model);
            let read = wide(self.atom(Atom::Cell { address, ty: byte }, byte)?);
            let raised = shifted(BinaryOp::ShiftLeftWrapping, read, (at - first) * 8);
            all = Some(match all {
                None => raised,
                Some(before) => Expression::binary(BinaryOp::Or, before, raised),
            });
        }
        let Some(all) = all else {
            return self.refuse("an annotation cannot read this bit-field");
        };
        let is_signed = matches!(self.lowering.scalar(ty), Some(Scalar::Int(int)) if int.is_signed);
        let lowered = shifted(BinaryOp::ShiftRight, all, bits.first - first * 8);
        let unused = u64::from(NUMBER.bits) - u64::from(bits.width);
        let raised = shifted(BinaryOp::ShiftLeftWrapping, lowered, unused);
        Ok(Value::Number(if is_signed {
            shifted(BinaryOp::ShiftRight, raised, unused)
        } else {
            let unsigned = Scalar::Int(IntType::unsigned(NUMBER.bits));
            let raised = Expression::Cast(unsigned, Box::new(raised));
            wide(shifted_as(BinaryOp::ShiftRight, raised, unused, unsigned))
        }))
    }

    fn owner(&mut self, lock: &Tree) -> Made<Value> {
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
        Ok(Value::Thread(self.atom(atom, Scalar::Thread)?))
    }

    /// `at(label)` and `at(function.label)`.
    fn point(&mut self, tree: &Tree) -> Made<Value> {
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
                Ok(Value::Truth(self.atom(atom, Scalar::BOOL)?))
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

    fn unary(&mut self, operator: UnaryOperator, operand: &Tree) -> Made<Value> {
        let operand = self.value(operand)?;
        match operator {
            UnaryOperator::LogicalNot => {
                let truth = self.truth(operand)?;
                Ok(Value::Truth(Expression::Unary(
                    UnaryOp::Not,
                    Box::new(truth),
                )))
            }
            UnaryOperator::Minus => {
                let number = self.number(operand)?;
                Ok(Value::Number(Expression::Unary(
                    UnaryOp::NegateWrapping,
                    Box::new(number),
                )))
            }
            UnaryOperator::Plus
            | UnaryOperator::BitNot
            | UnaryOperator::AddressOf
            | UnaryOperator::Dereference => self.refuse("an annotation has no such operator"),
        }
    }

    fn binary(&mut self, operator: BinaryOperator, left: Value, right: Value) -> Made<Value> {
        let arithmetic = match operator {
            BinaryOperator::Add => Some(BinaryOp::AddWrapping),
            BinaryOperator::Subtract => Some(BinaryOp::SubtractWrapping),
            BinaryOperator::Multiply => Some(BinaryOp::MultiplyWrapping),
            _ => None,
        };
        if let Some(op) = arithmetic {
            let (left, right) = (self.number(left)?, self.number(right)?);
            return Ok(Value::Number(Expression::binary(op, left, right)));
        }
        // The right side counts only if it must: it may have no value where the left side decides.
        let is_and = operator == BinaryOperator::LogicalAnd;
        if is_and || operator == BinaryOperator::LogicalOr {
            let (left, right) = (self.truth(left)?, self.truth(right)?);
            let (left, right) = (Box::new(left), Box::new(right));
            let decided = Box::new(Expression::bool(!is_and));
            return Ok(Value::Truth(if is_and {
                Expression::Select(left, right, decided)
            } else {
                Expression::Select(left, decided, right)
            }));
        }
        let op = match operator {
            BinaryOperator::Equal => BinaryOp::Equal,
            BinaryOperator::NotEqual => BinaryOp::NotEqual,
            BinaryOperator::Less => BinaryOp::Less,
            BinaryOperator::LessEqual => BinaryOp::LessEqual,
            BinaryOperator::Greater => BinaryOp::Greater,
            BinaryOperator::GreaterEqual => BinaryOp::GreaterEqual,
            _ => return self.refuse("an annotation has no such operator"),
        };
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let (left, right) = match (left, right) {
            (Value::Thread(left), Value::Thread(right)) if is_equality => (left, right),
            (Value::Pointer(left, _), Value::Pointer(right, _)) if is_equality => (left, right),
            (Value::Pointer(left, _), Value::Number(Expression::Constant(0, _))) if is_equality => {
                (left, Expression::null())
            }
            (left, right) => (self.number(left)?, self.number(right)?),
        };
        Ok(Value::Truth(Expression::binary(op, left, right)))
    }

    fn truth(&self, value: Value) -> Made<Expression> {
        match value {
            Value::Truth(truth) => Ok(truth),
            Value::Number(number) => Ok(Expression::binary(
                BinaryOp::NotEqual,
                number,
                Expression::Constant(0, Scalar::Int(NUMBER)),
            )),
            Value::Pointer(pointer, _) => Ok(Expression::binary(
                BinaryOp::NotEqual,
                pointer,
                Expression::null(),
            )),
            Value::Thread(_) => self.refuse("a thread is no condition"),
        }
    }

    fn number(&self, value: Value) -> Made<Expression> {
        match value {
            Value::Number(number) => Ok(number),
            Value::Truth(truth) => Ok(Expression::Cast(Scalar::Int(NUMBER), Box::new(truth))),
            Value::Thread(_) | Value::Pointer(..) => {
                self.refuse("threads and pointers can only be compared with `==` and `!=`")
            }
        }
    }
}

/// An address so many bytes on; constants are added up, as in every address of a program.
fn at_offset(address: Expression, bytes: u64, model: raddle_ir::DataModel) -> Expression {
    displaced(address, i64::try_from(bytes).unwrap_or(i64::MAX), model)
}

/// As a number of formulas.
fn wide(expression: Expression) -> Expression {
    Expression::Cast(Scalar::Int(NUMBER), Box::new(expression))
}

fn shifted(op: BinaryOp, value: Expression, bits: u64) -> Expression {
    shifted_as(op, value, bits, Scalar::Int(NUMBER))
}

fn shifted_as(op: BinaryOp, value: Expression, bits: u64, ty: Scalar) -> Expression {
    if bits == 0 {
        return value;
    }
    Expression::binary(op, value, Expression::Constant(u128::from(bits), ty))
}

fn uses_register(expression: &Expression) -> bool {
    let mut uses = false;
    expression.for_each_register(&mut |_| uses = true);
    uses
}
