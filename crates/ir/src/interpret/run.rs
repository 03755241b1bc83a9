//! A step under way: registers, memory and names as the running thread sees them.

use std::sync::Arc;

use raddle_base::Id;

use crate::arithmetic;
use crate::emit::{self, Piece};
use crate::expression::Expression;
use crate::program::{EdgeId, FunctionId, RegisterId};
use crate::types::{IntType, Scalar};

use super::evaluate::Evaluator;
use super::fault::Fault;
use super::memory;
use super::state::{Frame, Head, ObjectNumber, State, Storage, Thread, ThreadNumber, Value};
use super::{Effect, Interpreter};
use crate::numbering::{self, Row};

/// A state in the middle of a step of one thread.
pub(crate) struct Run<'a> {
    pub(crate) interpreter: &'a Interpreter<'a>,
    pub(crate) state: &'a mut State,
    pub(crate) thread: ThreadNumber,
    pub(crate) function: FunctionId,
    pub(crate) edge: EdgeId,
    pub(crate) choice: Option<u128>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) overflowed: bool,
    pub(crate) names: NewNames<'a>,
}

/// How names for new objects are found.
pub(crate) enum NewNames<'a> {
    /// The same name in every order of steps, used again as soon as nothing holds it.
    Canonical,
    /// For one execution: the next in a row, used again when all were used.
    InARow(&'a mut Row),
}

impl Run<'_> {
    pub(crate) fn thread_mut(&mut self) -> &mut Thread {
        Arc::make_mut(self.state.threads.get_mut(&self.thread).expect("runs"))
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.thread_mut().frames.last_mut().expect("runs")
    }

    pub(crate) fn evaluate<T>(
        &mut self,
        with: impl FnOnce(&mut Evaluator<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let program = self.interpreter.program;
        let frame = self.state.threads[&self.thread]
            .frames
            .last()
            .expect("runs");
        let mut evaluator = Evaluator {
            program,
            state: self.state,
            thread: Some(self.thread),
            types: &program.functions[self.function].registers,
            values: &frame.registers,
            overflowed: false,
            observes_layout: false,
        };
        let result = with(&mut evaluator);
        let (overflowed, observes_layout) = (evaluator.overflowed, evaluator.observes_layout);
        self.overflowed |= overflowed;
        if observes_layout {
            self.effects.push(Effect::ObserveLayout);
        }
        result
    }

    pub(super) fn bits(&mut self, expression: &Expression) -> Result<u128, Fault> {
        self.evaluate(|it| it.bits(expression))
    }

    /// The number an integer stands for.
    pub(super) fn number(&mut self, expression: &Expression) -> Result<i128, Fault> {
        let program = self.interpreter.program;
        let registers = &program.functions[self.function].registers;
        let bits = self.bits(expression)?;
        Ok(match expression.scalar(registers, program.model) {
            Scalar::Int(int) => arithmetic::signed_value(bits, int),
            Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => bits.cast_signed(),
        })
    }

    pub(super) fn value(&mut self, expression: &Expression) -> Result<Value, Fault> {
        self.evaluate(|it| it.value(expression))
    }

    pub(super) fn values(&mut self, expressions: &[Expression]) -> Result<Vec<Value>, Fault> {
        expressions.iter().map(|it| self.value(it)).collect()
    }

    /// Where the cell behind an address lies.
    pub(super) fn locate(
        &mut self,
        address: &Expression,
        ty: Scalar,
    ) -> Result<(ObjectNumber, u64), Fault> {
        let pointer = self.bits(address)?;
        let program = self.interpreter.program;
        memory::locate(program, self.state, pointer, ty.size(program.model))
    }

    /// Where the cell behind an address lies that is to be written, or may be.
    pub(super) fn locate_to_write(
        &mut self,
        address: &Expression,
        ty: Scalar,
    ) -> Result<(ObjectNumber, u64), Fault> {
        let pointer = self.bits(address)?;
        let program = self.interpreter.program;
        memory::locate_to_write(program, self.state, pointer, ty.size(program.model))
    }

    pub(super) fn read(
        &mut self,
        object: ObjectNumber,
        offset: u64,
        ty: Scalar,
        is_atomic: bool,
    ) -> Result<Value, Fault> {
        let program = self.interpreter.program;
        let value = memory::read(program, self.state, object, offset, ty);
        let is_part = self
            .interpreter
            .recycling
            .reads_part(self.function, self.edge);
        let value = if is_part {
            self.part_of_address(object, offset, ty).unwrap_or(value)
        } else {
            value
        };
        if let (Scalar::Int(int), Value::Bits(bits)) = (ty, value)
            && u32::from(int.bits) >= program.model.pointer_bits()
        {
            // A pointer read as an integer, or as a part of one, shows how objects are numbered.
            let width = program.model.pointer_bits();
            let is_heap = |it: Head<'_>| it.storage() == Storage::Heap;
            for at in (0..u32::from(int.bits) / width).map(|word| word * width) {
                let word = bits >> at & numbering::null_thread(program.model);
                let (number, _) = arithmetic::split_pointer(word, program.model);
                let number = ObjectNumber(number);
                if self.state.objects.contains_key(&number) {
                    self.effects.push(Effect::ObserveLayout);
                }
                if self.interpreter.recycling.is_surprised_by_numbers()
                    && self.state.objects.head(number).is_some_and(is_heap)
                {
                    let what = "an address that is read as a number, and may come back";
                    return Err(Fault::Unsupported(what.into()));
                }
            }
        }
        self.effects.push(Effect::Read {
            object,
            offset,
            ty,
            value,
            is_atomic,
        });
        Ok(value)
    }

    /// What a cell inside of a pointer holds, if lives share the address: the same part of the address.
    fn part_of_address(&self, object: ObjectNumber, offset: u64, ty: Scalar) -> Option<Value> {
        let places = &self.state.places;
        if places.is_empty() {
            return None;
        }
        let model = self.interpreter.program.model;
        let begin = offset - offset % model.pointer_bytes();
        let size = self.state.objects.head(object)?.size();
        if begin + model.pointer_bytes() > size {
            return None;
        }
        let whole = memory::read(
            self.interpreter.program,
            self.state,
            object,
            begin,
            Scalar::Pointer,
        );
        let Value::Bits(word) = whole else {
            return None;
        };
        let address = places.address(word, model);
        Some(Value::Bits(
            address >> (8 * (offset - begin)) & ty.mask(model),
        ))
    }

    pub(super) fn write(
        &mut self,
        object: ObjectNumber,
        offset: u64,
        ty: Scalar,
        value: Value,
        is_atomic: bool,
    ) {
        memory::write(
            self.interpreter.program,
            self.state,
            object,
            offset,
            ty,
            value,
        );
        self.effects.push(Effect::Write {
            object,
            offset,
            ty,
            value,
            is_atomic,
        });
    }

    pub(super) fn set(&mut self, register: RegisterId, value: Value) {
        let function = self.function;
        self.frame_mut().registers[register.index()] = value;
        self.effects.push(Effect::Set {
            function,
            register,
            value,
        });
    }

    pub(super) fn set_number(&mut self, register: Option<RegisterId>, number: u128) {
        if let Some(register) = register {
            let program = self.interpreter.program;
            let ty = program.functions[self.function].registers[register].ty;
            self.set(register, Value::Bits(number & ty.mask(program.model)));
        }
    }

    /// A name for a new object of some size.
    pub(super) fn fresh_object_number(&mut self, size: u64) -> Result<ObjectNumber, Fault> {
        let (program, thread) = (self.interpreter.program, self.thread);
        match &mut self.names {
            NewNames::Canonical => {
                numbering::fresh_object_number(program, self.state, thread, size)
            }
            NewNames::InARow(row) => row.next(program, self.state, size),
        }
        .ok_or_else(|| Fault::Unsupported("more objects than pointers can name".into()))
    }

    /// The output of an `emit`.
    pub(super) fn format(
        &mut self,
        text: &str,
        arguments: &[Expression],
    ) -> Result<Vec<u8>, Fault> {
        let program = self.interpreter.program;
        let registers = &program.functions[self.function].registers;
        let mut output = Vec::new();
        let mut arguments = arguments.iter();
        for piece in emit::pieces(text).expect("validated: every conversion is one of C's") {
            if let Piece::Text(text) = piece {
                output.extend_from_slice(text.as_bytes());
                continue;
            }
            let argument = arguments.next().expect("validated: one for each hole");
            let bits = self.bits(argument)?;
            let ty = argument.scalar(registers, program.model);
            if matches!(ty, Scalar::Int(_))
                && numbering::is_name_of_thread(program, self.state, bits)
            {
                self.effects.push(Effect::ObserveLayout);
            }
            match piece {
                Piece::Converted(conversion) => conversion.convert(bits, ty, &mut output),
                Piece::Plain | Piece::Text(_) => {
                    output.extend_from_slice(show(bits, ty).as_bytes());
                }
            }
        }
        Ok(output)
    }
}

/// A value as people write it.
pub fn show(bits: u128, ty: Scalar) -> String {
    match ty {
        Scalar::Int(
            int @ IntType {
                is_signed: true, ..
            },
        ) => arithmetic::signed_value(bits, int).to_string(),
        Scalar::Int(_) | Scalar::Thread => bits.to_string(),
        Scalar::Float(crate::FloatType::F32) => {
            f32::from_bits(u32::try_from(bits).unwrap_or(0)).to_string()
        }
        Scalar::Float(crate::FloatType::F64) => {
            f64::from_bits(u64::try_from(bits).unwrap_or(0)).to_string()
        }
        Scalar::Pointer if bits == 0 => "null".into(),
        Scalar::Pointer => format!("{bits:#x}"),
    }
}
