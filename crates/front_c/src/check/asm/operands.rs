//! Where the operands of a statement lie.

use std::collections::BTreeMap;

use raddle_c_syntax::tree::{Asm, AsmOperand, Name};

use super::super::attribute::literal_text;
use super::super::convert::Operand;
use super::machine::{Machine, Slot};
use super::{Known, Stop};
use crate::assembler::{Constraint, Family, OperandName, OperandPlace};
use crate::typed::{Expression, ExpressionKind, LocalId, Lvalue, LvalueKind};
use crate::types::{Qualified, Type};

/// Where an operand lies.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// A hidden local holds its address.
    Memory {
        address: LocalId,
        target: Type,
    },
    Register {
        slot: usize,
        bytes: u64,
    },
    /// Is set in the end, from flags.
    Condition,
}

/// An output that is written when all instructions are done.
pub(super) struct OutputOperand {
    place: Lvalue,
    from: From,
}

enum From {
    Slot(usize),
    Condition(String),
}

/// Operands under way: what registers begin with, and what is to be written.
#[derive(Default)]
pub(super) struct Binding {
    /// By slot: what it holds first.
    values: BTreeMap<usize, Expression>,
    pub(super) outputs: Vec<OutputOperand>,
}

impl Machine<'_> {
    /// Evaluates addresses and inputs, in the order in which they are written.
    pub(super) fn bind(&mut self, asm: &Asm) -> Known<Binding> {
        let mut binding = Binding::default();
        for output in &asm.outputs {
            let constraint = Constraint::read(&literal_text(&output.constraint))?;
            let bound = self.output(output, constraint, &mut binding)?;
            self.add(output.name.clone(), bound);
        }
        for input in &asm.inputs {
            let constraint = Constraint::read(&literal_text(&input.constraint))?;
            let bound = self.input(input, constraint, &mut binding)?;
            self.add(input.name.clone(), bound);
        }
        for slot in 0..self.slots.len() {
            let value = binding.values.remove(&slot);
            self.begin_slot(slot, value);
        }
        Ok(binding)
    }

    fn add(&mut self, name: Option<Name>, bound: Bound) {
        self.operands.push((name, bound));
    }

    fn output(
        &mut self,
        output: &AsmOperand,
        constraint: Constraint,
        binding: &mut Binding,
    ) -> Known<Bound> {
        let Operand::Lvalue(place) = self.checker.operand(&output.expression)? else {
            return Err(Stop::Unknown("an output that is no place".into()));
        };
        match constraint.place {
            OperandPlace::Memory => self.in_memory(place),
            OperandPlace::Condition(condition) => {
                let place = self.settled(place);
                let from = From::Condition(condition);
                binding.outputs.push(OutputOperand { place, from });
                Ok(Bound::Condition)
            }
            OperandPlace::Register | OperandPlace::Fixed(_) => {
                let ty = place.ty.ty.clone();
                let slot = self.slot(&ty, &constraint.place)?;
                let place = self.settled(place);
                if constraint.is_read {
                    let value = self.checker.rvalue(Operand::Lvalue(place.clone()))?;
                    binding.values.insert(slot, value);
                }
                let from = From::Slot(slot);
                binding.outputs.push(OutputOperand { place, from });
                let bytes = self.slots[slot].bytes;
                Ok(Bound::Register { slot, bytes })
            }
            OperandPlace::Tied(_) => Err(Stop::Unknown("an output that is tied".into())),
        }
    }

    fn input(
        &mut self,
        input: &AsmOperand,
        constraint: Constraint,
        binding: &mut Binding,
    ) -> Known<Bound> {
        let operand = self.checker.operand(&input.expression)?;
        if constraint.place == OperandPlace::Memory {
            let Operand::Lvalue(place) = operand else {
                return Err(Stop::Unknown(
                    "an operand in memory that is no place".into(),
                ));
            };
            return self.in_memory(place);
        }
        let value = self.checker.rvalue(operand)?;
        let slot = match constraint.place {
            OperandPlace::Tied(name) => match self.operand(&name)? {
                Bound::Register { slot, .. } => slot,
                Bound::Memory { .. } | Bound::Condition => {
                    return Err(Stop::Unknown("an input that is tied to no register".into()));
                }
            },
            place @ (OperandPlace::Register | OperandPlace::Fixed(_)) => {
                self.slot(&value.ty, &place)?
            }
            OperandPlace::Memory | OperandPlace::Condition(_) => {
                return Err(Stop::Unknown("an input that is a condition".into()));
            }
        };
        let bytes = self.bytes_of(&value.ty)?;
        if binding.values.insert(slot, value).is_some() {
            return Err(Stop::Unknown("two inputs in one register".into()));
        }
        Ok(Bound::Register { slot, bytes })
    }

    /// A register for a value of a type. An input takes that of an output if both are said to lie in it.
    fn slot(&mut self, ty: &Type, place: &OperandPlace) -> Known<usize> {
        let bytes = self.bytes_of(ty)?;
        let family = match place {
            OperandPlace::Fixed(family) => Some(*family),
            OperandPlace::Memory
            | OperandPlace::Register
            | OperandPlace::Tied(_)
            | OperandPlace::Condition(_) => None,
        };
        if let Some(family) = family {
            let known = self.of_family(family).into_iter();
            let mut known = known.filter(|it| self.slots[*it].bytes == bytes);
            if let Some(known) = known.next() {
                return Ok(known);
            }
        }
        let ty = match ty {
            Type::Pointer(_) => ty.clone(),
            _ => self.unsigned(bytes)?,
        };
        Ok(self.new_slot(ty, bytes, family))
    }

    pub(super) fn new_slot(&mut self, ty: Type, bytes: u64, family: Option<Family>) -> usize {
        let local = self.checker.hidden_local(ty.clone().into(), self.span);
        self.slots.push(Slot {
            local,
            ty,
            bytes,
            family,
            is_set: false,
            is_stale: false,
        });
        self.slots.len() - 1
    }

    /// Integers and pointers fit a register.
    fn bytes_of(&self, ty: &Type) -> Known<u64> {
        let is_word = self.checker.is_integer(ty) || matches!(ty, Type::Pointer(_) | Type::Bool);
        let bytes = self.checker.size_of(ty).filter(|_| is_word);
        match bytes {
            Some(bytes @ (1 | 2 | 4 | 8)) => Ok(bytes),
            _ => Err(Stop::Unknown(format!(
                "an operand of type `{}`",
                self.checker.show(ty)
            ))),
        }
    }

    fn in_memory(&mut self, place: Lvalue) -> Known<Bound> {
        if matches!(place.kind, LvalueKind::Field(_, _, Some(_))) {
            return Err(Stop::Unknown("an operand that is a bit-field".into()));
        }
        let target = place.ty.ty.clone();
        let address = self.address(place);
        let address = self.keep(address);
        Ok(Bound::Memory { address, target })
    }

    fn address(&mut self, place: Lvalue) -> Expression {
        let ty = Type::Pointer(place.ty.clone().into());
        self.checker.address_of(place, ty)
    }

    /// A place whose address is computed now, to be written later.
    fn settled(&mut self, place: Lvalue) -> Lvalue {
        match place.kind {
            LvalueKind::Local(_) | LvalueKind::Object(_) => place,
            LvalueKind::Field(_, _, Some(_)) => place,
            _ => {
                let (ty, span) = (place.ty.clone(), place.span);
                let address = self.address(place);
                let address = self.keep(address);
                let pointer = self.get(address);
                Lvalue {
                    ty,
                    kind: LvalueKind::Dereference(Box::new(pointer)),
                    span,
                }
            }
        }
    }

    pub(super) fn operand(&self, name: &OperandName) -> Known<Bound> {
        let found = match name {
            OperandName::Number(number) => self.operands.get(*number),
            OperandName::Word(word) => self
                .operands
                .iter()
                .find(|(name, _)| name.as_deref() == Some(word)),
        };
        match found {
            Some((_, bound)) => Ok(bound.clone()),
            None => Err(Stop::Unknown("an operand that is not there".into())),
        }
    }

    /// Writes what registers and flags hold in the end to where the outputs are.
    pub(super) fn finish(&mut self, outputs: Vec<OutputOperand>) -> Known<()> {
        for output in outputs {
            let value = match output.from {
                From::Slot(slot) if self.slots[slot].is_set => self.get(self.slots[slot].local),
                From::Slot(_) => {
                    return Err(Stop::Unknown("an output that nothing is written to".into()));
                }
                From::Condition(condition) => self.condition(&condition)?,
            };
            let Qualified { ty, .. } = output.place.ty.clone();
            let value = self.checker.convert(value, &ty);
            self.effect(Expression {
                ty,
                kind: ExpressionKind::Assign(Box::new(output.place), Box::new(value)),
                span: self.span,
            });
        }
        Ok(())
    }
}
