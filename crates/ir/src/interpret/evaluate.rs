//! Values of expressions and formulas.

use raddle_base::{Arena, Id};

use crate::arithmetic::{self, ArithmeticFault, Computed};
use crate::expression::{BinaryOp, Expression, UnaryOp};
use crate::formula::{Atom, Formula};
use crate::program::{GlobalId, Program, Register, RegisterId};
use crate::types::Scalar;

use super::fault::{Fault, Unset};
use super::memory;
use super::state::{State, Sync, ThreadNumber, Value};
use crate::numbering::{
    function_number, global_number, is_name_of_thread, null_thread, pointer_to,
};
use crate::recycling;

/// Evaluates expressions over the registers of one frame, or of one formula.
pub(crate) struct Evaluator<'a> {
    pub(crate) program: &'a Program,
    pub(crate) state: &'a State,
    /// Whose copies of thread-locals, and whose name.
    pub(crate) thread: Option<ThreadNumber>,
    pub(crate) types: &'a Arena<RegisterId, Register>,
    pub(crate) values: &'a [Value],
    /// Some signed operation overflowed.
    pub(crate) overflowed: bool,
    /// Some result depends on how objects are numbered.
    pub(crate) observes_layout: bool,
}

impl Evaluator<'_> {
    /// The value; undefined if it is a copy of an undefined one.
    pub(crate) fn value(&mut self, expression: &Expression) -> Result<Value, Fault> {
        let model = self.program.model;
        let scalar = |it: &Expression| it.scalar(self.types, model);
        Ok(Value::Bits(match expression {
            Expression::Constant(bits, _) => *bits,
            Expression::Register(register) => return Ok(self.values[register.index()]),
            Expression::Global(global) => self.address_of(*global)?,
            Expression::Function(function) => {
                pointer_to(function_number(self.program, *function), 0, model)
            }
            Expression::CurrentThread => self
                .thread
                .map_or(null_thread(model), |thread| u128::from(thread.0)),
            Expression::Unary(UnaryOp::Settle, operand) => match self.value(operand)? {
                Value::Bits(bits) => bits,
                Value::Undefined => 0,
            },
            Expression::Unary(UnaryOp::IsSet, operand) => {
                u128::from(self.value(operand)? != Value::Undefined)
            }
            Expression::Unary(op, operand) => {
                let ty = scalar(operand);
                let bits = self.bits(operand)?;
                self.note(arithmetic::unary(*op, bits, ty, model))
            }
            Expression::Binary(op, left, right) => self.binary(*op, left, right)?,
            Expression::Cast(to, operand) => {
                let from = scalar(operand);
                match self.value(operand)? {
                    Value::Undefined => return Ok(Value::Undefined),
                    Value::Bits(bits) => self.cast(bits, from, *to)?,
                }
            }
            Expression::Select(condition, then, otherwise) => {
                let chosen = if self.bits(condition)? == 1 {
                    then
                } else {
                    otherwise
                };
                return self.value(chosen);
            }
        }))
    }

    /// The address of a global: of the thread's own copy, if each has one.
    fn address_of(&self, global: GlobalId) -> Result<u128, Fault> {
        let object = if self.program.globals[global].is_thread_local {
            let thread = self
                .thread
                .and_then(|thread| self.state.threads.get(&thread))
                .ok_or_else(|| {
                    Fault::Unsupported("a thread-local variable seen by no thread".into())
                })?;
            let before = self
                .program
                .globals
                .iter()
                .take_while(|(id, _)| *id != global)
                .filter(|(_, it)| it.is_thread_local)
                .count();
            *thread.locals.get(before).ok_or_else(|| {
                Fault::Unsupported("a thread-local variable of an ended thread".into())
            })?
        } else {
            global_number(global)
        };
        Ok(pointer_to(object, 0, self.program.model))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expression,
        right: &Expression,
    ) -> Result<u128, Fault> {
        let model = self.program.model;
        let scalar = |it: &Expression| it.scalar(self.types, model);
        let (ty, right_type) = (scalar(left), scalar(right));
        let (mut left, mut right) = (self.bits(left)?, self.bits(right)?);
        if op.is_comparison() {
            let places = &self.state.places;
            left = recycling::compared(places, left, ty, model);
            right = recycling::compared(places, right, right_type, model);
        }
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            self.look_at_name(left, ty);
            self.look_at_name(right, right_type);
        }
        let computed = arithmetic::binary(op, left, right, ty, right_type, model);
        self.overflowed |= computed == Err(ArithmeticFault::QuotientOutOfRange);
        Ok(self.note(computed?))
    }

    fn cast(&mut self, bits: u128, from: Scalar, to: Scalar) -> Result<u128, Fault> {
        let model = self.program.model;
        if to.bits(model) < from.bits(model) {
            self.look_at_name(bits, from);
        }
        // A number is an address, whoever lived there.
        let becomes_number = from == Scalar::Pointer && matches!(to, Scalar::Int(_));
        let bits = if becomes_number {
            recycling::compared(&self.state.places, bits, from, model)
        } else {
            bits
        };
        let computed = arithmetic::cast(bits, from, to, model)?;
        let bits = self.note(computed);
        Ok(if to == Scalar::Pointer && from != Scalar::Pointer {
            recycling::followed(self.state, bits, model)
        } else {
            bits
        })
    }

    /// The value where an undefined one may not be used.
    pub(crate) fn bits(&mut self, expression: &Expression) -> Result<u128, Fault> {
        match self.value(expression)? {
            Value::Bits(bits) => Ok(bits),
            Value::Undefined => Err(Fault::Uninitialized(self.unset(expression))),
        }
    }

    /// Where the value would have been that makes this one undefined.
    fn unset(&self, expression: &Expression) -> Unset {
        match expression {
            Expression::Register(register) if self.values[register.index()] == Value::Undefined => {
                Unset::Register(*register)
            }
            Expression::Cast(_, operand) => self.unset(operand),
            Expression::Select(_, then, otherwise) => match self.unset(then) {
                Unset::Somewhere => self.unset(otherwise),
                found @ (Unset::Register(_) | Unset::Cell(_)) => found,
            },
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..) => Unset::Somewhere,
        }
    }

    /// Whoever computes with the name of a thread depends on which name it got, as with the address of an object.
    fn look_at_name(&mut self, bits: u128, ty: Scalar) {
        let (program, state) = (self.program, self.state);
        let is_word =
            matches!(ty, Scalar::Int(int) if u32::from(int.bits) == program.model.pointer_bits());
        self.observes_layout |= is_word && is_name_of_thread(program, state, bits);
    }

    fn note(&mut self, computed: Computed) -> u128 {
        self.overflowed |= computed.overflowed;
        self.observes_layout |= computed.observes_layout;
        computed.bits
    }
}

/// Whether a formula holds in a state, for a subject and a value of the index variable.
///
/// `and` and `or` look at their right side only if they must, so an atom that has no value, such as a cell behind a
/// null pointer, is a fault only if the formula comes to depend on it.
pub(crate) fn holds(
    program: &Program,
    state: &State,
    formula: &Formula,
    subject: Option<ThreadNumber>,
    index: u64,
) -> Result<bool, Fault> {
    let mut values: Vec<Value> = Vec::with_capacity(formula.atoms.len());
    let mut first_fault = None;
    for atom in &formula.atoms {
        let value = atom_value(
            atom,
            &mut evaluator(program, state, formula, subject, &values),
            index,
        );
        values.push(value.unwrap_or_else(|fault| {
            first_fault.get_or_insert(fault);
            Value::Undefined
        }));
    }
    let truth = evaluator(program, state, formula, subject, &values).bits(&formula.body);
    truth
        .map(|bits| bits == 1)
        .map_err(|fault| first_fault.unwrap_or(fault))
}

fn evaluator<'a>(
    program: &'a Program,
    state: &'a State,
    formula: &'a Formula,
    subject: Option<ThreadNumber>,
    values: &'a [Value],
) -> Evaluator<'a> {
    Evaluator {
        program,
        state,
        thread: subject,
        types: &formula.registers,
        values,
        overflowed: false,
        observes_layout: false,
    }
}

fn atom_value(atom: &Atom, evaluator: &mut Evaluator<'_>, index: u64) -> Result<Value, Fault> {
    let (program, state) = (evaluator.program, evaluator.state);
    Ok(match atom {
        Atom::Cell { address, ty } => {
            let pointer = evaluator.bits(address)?;
            let (object, offset) = memory::locate(program, state, pointer, ty.size(program.model))?;
            memory::read(program, state, object, offset, *ty)
        }
        Atom::Owner { lock } => {
            let pointer = evaluator.bits(lock)?;
            let (object, offset) = memory::locate(program, state, pointer, 1)?;
            let owner = match state.objects[&object].syncs.get(&offset) {
                Some(Sync::Mutex { owner, .. } | Sync::Monitor { owner, .. }) => *owner,
                Some(Sync::ReadWriteLock { writer, .. }) => *writer,
                Some(Sync::Condition { .. } | Sync::Semaphore { .. } | Sync::Barrier { .. })
                | None => {
                    return Err(Fault::LockMisuse(
                        "the owner is asked of something that is no lock".into(),
                    ));
                }
            };
            Value::Bits(owner.map_or(null_thread(program.model), |it| u128::from(it.0)))
        }
        Atom::At { function, location } => {
            let thread = evaluator
                .thread
                .and_then(|thread| state.threads.get(&thread));
            let stands_there = thread.is_some_and(|thread| {
                thread
                    .frames
                    .iter()
                    .any(|frame| frame.function == *function && frame.location == *location)
            });
            Value::Bits(u128::from(stands_there))
        }
        Atom::Index(ty) => Value::Bits(u128::from(index) & Scalar::Int(*ty).mask(program.model)),
    })
}
