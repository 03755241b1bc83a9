//! The objects that a formula is about, and how they are read.

use raddle_c_syntax::tree::{Expression as Tree, ExpressionKind, UnaryOperator};
use raddle_ir::formula::Elements;
use raddle_ir::{Atom, BinaryOp, Expression, IntType, Scalar};

use crate::lower::annotations::Made;
use crate::lower::objects::{bytes_of, displaced};
use crate::types::{BitField, Length, RecordId, Type};

use super::{FormulaValue, Maker, NUMBER, Terms, wide};

/// Where something lies.
pub(super) struct FormulaPlace {
    /// Of a bit-field, that of its record.
    pub(super) address: Expression,
    pub(super) ty: Type,
    pub(super) bits: Option<BitField>,
}

impl Maker<'_, '_> {
    pub(super) fn place(&mut self, tree: &Tree) -> Made<FormulaPlace> {
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
                    Some((offset, ty, bits)) => Ok(FormulaPlace {
                        address: at_offset(address, offset, model),
                        ty,
                        bits,
                    }),
                    None => self.refuse(format!("there is no member `{}`", member.name)),
                }
            }
            ExpressionKind::Unary(UnaryOperator::Dereference, operand) => {
                let (address, ty) = self.pointed_to(operand)?;
                Ok(FormulaPlace {
                    address,
                    ty,
                    bits: None,
                })
            }
            ExpressionKind::Index(array, index) => self.element(array, index),
            _ => self.refuse("here an annotation needs an object"),
        }
    }

    fn object(&mut self, name: &str) -> Made<FormulaPlace> {
        let module = self.lowering.module;
        let found = module
            .objects
            .iter()
            .find(|(_, object)| object.name == *name && !object.is_string_literal);
        let Some((id, object)) = found else {
            return self.refuse(format!("there is no object `{name}` with static storage"));
        };
        let global = self.lowering.object(id);
        Ok(FormulaPlace {
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
            FormulaValue::Pointer(address, ty) if self.lowering.size(&ty) > 0 => Ok((address, ty)),
            FormulaValue::Pointer(..) => {
                self.refuse("of this pointer is not known what it leads to")
            }
            FormulaValue::Number(_) | FormulaValue::Truth(_) | FormulaValue::Thread(_) => {
                self.refuse("here an annotation needs a pointer")
            }
        }
    }

    fn element(&mut self, array: &Tree, index: &Tree) -> Made<FormulaPlace> {
        let (address, element, length) = self.array(array)?;
        let size = self.lowering.size(&element);
        let place = |address| FormulaPlace {
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
                    FormulaValue::Pointer(address, element) => Ok((address, element, None)),
                    FormulaValue::Number(_) | FormulaValue::Truth(_) | FormulaValue::Thread(_) => {
                        self.refuse("an element needs an array or a pointer")
                    }
                }
            }
            _ => self.refuse("an element needs an array or a pointer to something known"),
        }
    }

    pub(super) fn read(&mut self, place: FormulaPlace) -> Made<FormulaValue> {
        if let Some(bits) = place.bits {
            return self.read_bits(&place.address, &place.ty, bits);
        }
        let address = place.address;
        // An array is the address of its first element.
        if let Type::Array(element, _) = &place.ty {
            return Ok(FormulaValue::Pointer(address, element.ty.clone()));
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
            Type::Pointer(target) => FormulaValue::Pointer(read, target.ty.clone()),
            _ => FormulaValue::Number(wide(read)),
        })
    }

    /// Byte by byte, so that no width is asked for that memory does not have.
    fn read_bits(&mut self, record: &Expression, ty: &Type, bits: BitField) -> Made<FormulaValue> {
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
        Ok(FormulaValue::Number(if is_signed {
            shifted(BinaryOp::ShiftRight, raised, unused)
        } else {
            let unsigned = Scalar::Int(IntType::unsigned(NUMBER.bits));
            let raised = Expression::Cast(unsigned, Box::new(raised));
            wide(shifted_as(BinaryOp::ShiftRight, raised, unused, unsigned))
        }))
    }
}

/// An address so many bytes on; constants are added up, as in every address of a program.
fn at_offset(address: Expression, bytes: u64, model: raddle_ir::DataModel) -> Expression {
    displaced(address, i64::try_from(bytes).unwrap_or(i64::MAX), model)
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
