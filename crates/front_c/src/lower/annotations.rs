//! Annotations of the user: comments `//@ invariant e` and `//@ exclusive x when e`, or attributes
//! `annotate("raddle:invariant e")`.
//!
//! `e` is an expression of C over objects with static storage, read all at once: numbers with `+ - *`, comparisons,
//! `! && ||`, members and elements, `owner(m)` for the thread that holds a mutex, and in `exclusive` `self` for the
//! thread that asks. Numbers are those of mathematics: nothing is converted or overflows.

use raddle_base::{Arena, FileId, Id, Span};
use raddle_c_syntax::tree::{
    Annotation, BinaryOperator, Expression as Tree, ExpressionKind, Initializer, Item,
    UnaryOperator,
};
use raddle_diag::Diagnostic;
use raddle_ir::{
    Atom, BinaryOp, Exclusive, Expression, Formula, IntType, Invariant, Register, Scalar, UnaryOp,
};

use crate::types::{Length, Type};

use super::Lowering;
use super::objects::displaced;

/// Keys of the headers of test programs, which are comments of the same form.
const HEADER: &[&str] = &["truth", "expect", "counters", "options", "why", "models"];

/// Words by which annotations of ACSL begin, the language of other verifiers; they are not for us.
const FOREIGN: &[&str] = &[
    "admit",
    "admits",
    "allocates",
    "assert",
    "assigns",
    "assumes",
    "axiom",
    "axiomatic",
    "behavior",
    "breaks",
    "calls",
    "check",
    "complete",
    "continues",
    "decreases",
    "disjoint",
    "ensures",
    "exits",
    "for",
    "frees",
    "ghost",
    "global",
    "import",
    "lemma",
    "logic",
    "loop",
    "model",
    "predicate",
    "requires",
    "returns",
    "slice",
    "terminates",
    "type",
    "volatile",
];

/// Every number of C fits.
const NUMBER: IntType = IntType::signed(128);

/// Adds what annotations say to the program.
pub(super) fn lower(lowering: &mut Lowering<'_>, annotations: &[&Annotation]) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    for annotation in annotations {
        let text = annotation.text.trim();
        let word_end = text
            .find(|it: char| !it.is_ascii_alphanumeric() && it != '_')
            .unwrap_or(text.len());
        let (word, rest) = text.split_at(word_end);
        let is_header = rest.starts_with(':') && HEADER.contains(&word);
        if text.is_empty() || is_header || FOREIGN.contains(&word) {
            continue;
        }
        let span = annotation.span;
        let result = match word {
            "invariant" => lowering.invariant(rest, span),
            "exclusive" => lowering.exclusive(rest, span),
            _ => Err(Diagnostic::error(
                "c",
                format!("`{word}` is no annotation"),
            )
            .at(span, "here")
            .help("write `//@ invariant …` or `//@ exclusive … when …`; for a comment, leave out the `@`")),
        };
        wrong.extend(result.err());
    }
    wrong
}

type Made<T> = Result<T, Diagnostic>;

fn refused(message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::error("c", message).at(span, "in this annotation")
}

impl Lowering<'_> {
    fn invariant(&mut self, text: &str, span: Span) -> Made<()> {
        let formula = self.formula(text, span, false)?;
        self.draft.invariants.push(Invariant {
            formula,
            span: Some(span),
        });
        Ok(())
    }

    fn exclusive(&mut self, text: &str, span: Span) -> Made<()> {
        let Some((place, condition)) = text.split_once(" when ") else {
            return Err(refused("`exclusive` needs a condition", span)
                .help("write `//@ exclusive x when owner(m) == self`"));
        };
        let tree = expression(place, span)?;
        let (address, ty) = Maker::new(self, span, false).place(&tree)?;
        let Some(scalar) = self.scalar(&ty) else {
            return Err(refused(
                "`exclusive` needs an object that is a scalar",
                span,
            ));
        };
        let condition = self.formula(condition, span, true)?;
        self.draft.exclusives.push(Exclusive {
            address,
            ty: scalar,
            elements: None,
            condition,
            span: Some(span),
        });
        Ok(())
    }

    fn formula(&mut self, text: &str, span: Span, has_subject: bool) -> Made<Formula> {
        let tree = expression(text, span)?;
        let mut maker = Maker::new(self, span, has_subject);
        let value = maker.value(&tree)?;
        let body = maker.truth(value)?;
        Ok(Formula {
            registers: maker.registers,
            atoms: maker.atoms,
            body,
        })
    }
}

/// Reads an expression.
fn expression(text: &str, span: Span) -> Made<Tree> {
    // A file that is none: its places mean nothing to the user.
    let nowhere = FileId::from_index(u32::MAX as usize - 1);
    let parsed = raddle_c_syntax::parse(nowhere, format!("int formula = {text}\n;").as_bytes());
    if let Some(first) = parsed.diagnostics.first() {
        return Err(refused(first.message.clone(), span));
    }
    let [Item::Declaration(declaration)] = &*parsed.unit.items else {
        return Err(refused("an annotation is one expression", span));
    };
    match &*declaration.declarators {
        [only] => match &only.initializer {
            Some(Initializer::Expression(tree)) => Ok(tree.clone()),
            Some(Initializer::List(_)) | None => Err(refused("an expression is missing", span)),
        },
        _ => Err(refused("an annotation is one expression", span)),
    }
}

/// What a part of a formula is.
enum Value {
    Number(Expression),
    Truth(Expression),
    Thread(Expression),
    Pointer(Expression),
}

struct Maker<'a, 'm> {
    lowering: &'a mut Lowering<'m>,
    span: Span,
    /// Whether some thread asks.
    has_subject: bool,
    registers: Arena<raddle_ir::RegisterId, Register>,
    atoms: Vec<Atom>,
}

impl<'a, 'm> Maker<'a, 'm> {
    fn new(lowering: &'a mut Lowering<'m>, span: Span, has_subject: bool) -> Self {
        Self {
            lowering,
            span,
            has_subject,
            registers: Arena::new(),
            atoms: Vec::new(),
        }
    }

    fn refuse<T>(&self, message: impl Into<String>) -> Made<T> {
        Err(refused(message, self.span))
    }

    fn atom(&mut self, atom: Atom, ty: Scalar) -> Expression {
        self.atoms.push(atom);
        let name = format!("atom{}", self.registers.len());
        Expression::Register(self.registers.push(Register {
            name,
            ty,
            is_temporary: false,
            span: Some(self.span),
        }))
    }

    /// The address of an object with static storage, or of a part of one.
    fn place(&mut self, tree: &Tree) -> Made<(Expression, Type)> {
        let module = self.lowering.module;
        let model = self.lowering.model();
        match &tree.kind {
            ExpressionKind::Identifier(name) => {
                let found = module
                    .objects
                    .iter()
                    .find(|(_, object)| object.name == **name && !object.is_string_literal);
                let Some((id, object)) = found else {
                    return self.refuse(format!("there is no object `{name}` with static storage"));
                };
                let global = self.lowering.object(id);
                Ok((Expression::Global(global), object.ty.ty.clone()))
            }
            ExpressionKind::Member {
                operand,
                member,
                is_arrow: false,
            } => {
                let (address, ty) = self.place(operand)?;
                let fields = match ty {
                    Type::Record(record) => &*module.records[record].fields,
                    _ => &[],
                };
                let field = fields
                    .iter()
                    .find(|it| it.name.as_ref() == Some(&member.name) && it.bits.is_none());
                match field {
                    Some(field) => {
                        Ok((at_offset(address, field.offset, model), field.ty.ty.clone()))
                    }
                    None => self.refuse(format!(
                        "`{}` is no member that an annotation can name",
                        member.name
                    )),
                }
            }
            ExpressionKind::Index(array, index) => {
                let (address, ty) = self.place(array)?;
                match (&index.kind, ty) {
                    (
                        ExpressionKind::Integer(index),
                        Type::Array(element, Length::Constant(length)),
                    ) if index.value < u128::from(length) => {
                        let index = u64::try_from(index.value).unwrap_or(0);
                        let size = self.lowering.size(&element.ty);
                        Ok((
                            at_offset(address, index.saturating_mul(size), model),
                            element.ty.clone(),
                        ))
                    }
                    _ => self.refuse("an element needs an array and a number within it"),
                }
            }
            _ => self.refuse("here an annotation needs an object with static storage"),
        }
    }

    fn value(&mut self, tree: &Tree) -> Made<Value> {
        match &tree.kind {
            ExpressionKind::Integer(literal) => Ok(Value::Number(Expression::Constant(
                literal.value,
                Scalar::Int(NUMBER),
            ))),
            ExpressionKind::Identifier(name) if matches!(&**name, "self" | "tid") => {
                if self.has_subject {
                    Ok(Value::Thread(Expression::CurrentThread))
                } else {
                    self.refuse(format!("`{name}` is nobody in an invariant"))
                }
            }
            ExpressionKind::Identifier(_)
            | ExpressionKind::Member { .. }
            | ExpressionKind::Index(..) => {
                let (address, ty) = self.place(tree)?;
                let scalar = self.lowering.scalar(&ty);
                let Some(scalar @ (Scalar::Int(_) | Scalar::Pointer)) = scalar else {
                    return self.refuse("an annotation reads integers and pointers only");
                };
                let read = self.atom(
                    Atom::Cell {
                        address,
                        ty: scalar,
                    },
                    scalar,
                );
                Ok(match scalar {
                    Scalar::Pointer => Value::Pointer(read),
                    _ => Value::Number(Expression::Cast(Scalar::Int(NUMBER), Box::new(read))),
                })
            }
            ExpressionKind::Call(function, arguments) => {
                let is_owner = matches!(&function.kind,
                    ExpressionKind::Identifier(name) if &**name == "owner");
                let [lock] = &**arguments else {
                    return self.refuse("an annotation can only call `owner(m)`");
                };
                if !is_owner {
                    return self.refuse("an annotation can only call `owner(m)`");
                }
                let (address, ty) = self.place(lock)?;
                let module = self.lowering.module;
                let has_owner = matches!(ty, Type::Record(record) if matches!(
                    module.records[record].sync,
                    Some(raddle_ir::SyncType::Mutex(_) | raddle_ir::SyncType::ReadWriteLock)));
                if !has_owner {
                    return self.refuse("`owner` needs a mutex or a read-write lock");
                }
                let owner = self.atom(Atom::Owner { lock: address }, Scalar::Thread);
                Ok(Value::Thread(owner))
            }
            ExpressionKind::Unary(operator, operand) => {
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
                    | UnaryOperator::Dereference => {
                        self.refuse("an annotation has no such operator")
                    }
                }
            }
            ExpressionKind::Binary(operator, left, right) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                self.binary(*operator, left, right)
            }
            _ => self.refuse("an annotation has no such expression"),
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
        let logical = match operator {
            BinaryOperator::LogicalAnd => Some(BinaryOp::And),
            BinaryOperator::LogicalOr => Some(BinaryOp::Or),
            _ => None,
        };
        if let Some(op) = logical {
            let (left, right) = (self.truth(left)?, self.truth(right)?);
            return Ok(Value::Truth(Expression::binary(op, left, right)));
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
            (Value::Pointer(left), Value::Pointer(right)) if is_equality => (left, right),
            (Value::Pointer(left), Value::Number(Expression::Constant(0, _))) if is_equality => {
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
            Value::Pointer(pointer) => Ok(Expression::binary(
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
            Value::Thread(_) | Value::Pointer(_) => {
                self.refuse("threads and pointers can only be compared with `==` and `!=`")
            }
        }
    }
}

/// An address so many bytes on; constants are added up, as in every address of a program.
fn at_offset(address: Expression, bytes: u64, model: raddle_ir::DataModel) -> Expression {
    displaced(address, i64::try_from(bytes).unwrap_or(i64::MAX), model)
}
