//! What each instruction does.

use raddle_ir::{Order, RmwOperation};

use super::flags::{Carry, Flags, Outcome};
use super::machine::{Cell, Machine};
use super::{Known, told};
use crate::assembler::{Argument, Family, Instruction, Line};
use crate::typed::{
    Arithmetic, AtomicOperation, Comparison, Expression, ExpressionKind, LocalId, Statement,
    StatementKind,
};
use crate::types::{IntegerKind, Type};

const FULL: Order = Order::SequentiallyConsistent;

/// Instructions that may end in a letter for the size of their operands.
const SIZED: &[&str] = &[
    "mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "neg", "not", "add", "sub", "and", "or", "xor",
    "cmp", "test", "bt", "bts", "btr", "btc", "bsf", "bsr", "sbb",
];

/// What a binary instruction computes.
const BINARY: &[(&str, Arithmetic, RmwOperation)] = &[
    ("add", Arithmetic::Add, RmwOperation::Add),
    ("sub", Arithmetic::Subtract, RmwOperation::Subtract),
    ("and", Arithmetic::And, RmwOperation::And),
    ("or", Arithmetic::Or, RmwOperation::Or),
    ("xor", Arithmetic::Xor, RmwOperation::Xor),
];

impl Machine<'_> {
    /// Does one instruction, which is line `at`.
    pub(super) fn instruction(&mut self, it: &Instruction, lines: &[Line], at: usize) -> Known<()> {
        let (name, suffix) = split(&it.name);
        if let Some(condition) = it.name.strip_prefix("set")
            && let [to] = &*it.arguments
        {
            let value = self.condition(condition)?;
            return self.write_set(to, value);
        }
        if name.starts_with('j')
            && let [to] = &*it.arguments
        {
            let label = self.target(to, lines, at)?;
            let jump = StatementKind::Goto(label);
            if it.name == "jmp" {
                self.push(jump);
                return Ok(());
            }
            let condition = self.condition(&it.name[1..])?;
            let span = self.span;
            self.push(StatementKind::If {
                condition,
                then: vec![Statement { kind: jump, span }],
                otherwise: Vec::new(),
            });
            return Ok(());
        }
        match (&*it.name, &*it.arguments) {
            ("cmpxchg8b", [to]) => return self.compare_exchange_pair(it, to, 4),
            ("cmpxchg16b", [to]) => return self.compare_exchange_pair(it, to, 8),
            ("rdtsc", []) => return self.time_stamp(),
            _ => {}
        }
        let bytes = match suffix {
            Some(bytes) => bytes,
            None => self.size(it)?,
        };
        match (name, &*it.arguments) {
            ("mov", [from, to]) if !it.is_locked => {
                if self.holds_nothing(from)? && !self.is_memory(to)? {
                    return self.forget(to);
                }
                let value = self.read(from, bytes)?;
                self.write(to, bytes, value)
            }
            ("xchg", [left, right]) => self.exchange(left, right, bytes),
            ("xadd", [from, to]) => self.exchange_add(it, from, to, bytes),
            ("cmpxchg", [from, to]) => self.compare_exchange(it, from, to, bytes),
            ("inc" | "dec" | "neg" | "not", [to]) => self.unary(it, name, to, bytes),
            ("add" | "sub" | "and" | "or" | "xor", [from, to]) => {
                self.binary(it, name, from, to, bytes)
            }
            ("cmp", [right, left]) if !it.is_locked => {
                let right = self.kept_number(right, bytes)?;
                let left = self.kept_number(left, bytes)?;
                self.compared(left, right, bytes);
                Ok(())
            }
            ("test", [right, left]) if !it.is_locked => {
                let right = self.read_number(right, bytes)?;
                let left = self.read_number(left, bytes)?;
                let both = self.compute(Arithmetic::And, left, right, bytes)?;
                let both = self.keep(both);
                self.flagged(Outcome::Number(both), Carry::Clear, bytes);
                Ok(())
            }
            ("bt" | "bts" | "btr" | "btc", [bit, to]) => self.bit(it, name, bit, to, bytes),
            ("bsf" | "bsr", [from, to]) if !it.is_locked => self.scan(name, from, to, bytes),
            // All ones if the carry is set: the value of the register does not matter.
            ("sbb", [left, right]) if !it.is_locked && left == right => {
                let carry = self.condition("c")?;
                let zero = self.number(0, bytes)?;
                let ones = self.compute(Arithmetic::Subtract, zero, carry, bytes)?;
                self.write(right, bytes, ones)?;
                self.flags = None;
                Ok(())
            }
            _ => Err(told(it)),
        }
    }

    /// The size that registers say, or else an object in memory.
    fn size(&self, it: &Instruction) -> Known<u64> {
        for in_memory in [false, true] {
            for argument in &it.arguments {
                if self.is_memory(argument)? == in_memory
                    && let Some(bytes) = self.bytes_of_argument(argument)?
                {
                    return Ok(bytes);
                }
            }
        }
        Err(told(it))
    }

    /// `sete` writes one byte, whatever the operand is.
    fn write_set(&mut self, to: &Argument, value: Expression) -> Known<()> {
        let byte = self.unsigned(1)?;
        let value = self.checker.convert(value, &byte);
        self.write(to, 1, value)
    }

    fn kept_number(&mut self, argument: &Argument, bytes: u64) -> Known<LocalId> {
        let value = self.read_number(argument, bytes)?;
        Ok(self.keep(value))
    }

    fn flagged(&mut self, result: Outcome, carry: Carry, bytes: u64) {
        self.flags = Some(Flags {
            bytes,
            result,
            carry,
        });
    }

    fn compared(&mut self, left: LocalId, right: LocalId, bytes: u64) {
        self.flagged(Outcome::Compared(left, right), Carry::Compared, bytes);
    }

    /// With memory it is locked, whether or not it says so.
    fn exchange(&mut self, left: &Argument, right: &Argument, bytes: u64) -> Known<()> {
        let (memory, register) = match (self.is_memory(left)?, self.is_memory(right)?) {
            (true, _) => (left, right),
            (false, true) => (right, left),
            (false, false) => {
                let old = self.read(left, bytes)?;
                let old = self.keep(old);
                let other = self.read(right, bytes)?;
                self.write(left, bytes, other)?;
                let old = self.get(old);
                return self.write(right, bytes, old);
            }
        };
        let value = self.read(register, bytes)?;
        let cell = self.cell(memory, bytes, true)?;
        let value = self.checker.convert(value, &cell.ty);
        let old = self.atomic(&cell, FULL, AtomicOperation::Exchange(value), &cell.ty);
        self.write(register, bytes, old)
    }

    /// Changes a scalar in memory by an operation; gives what was there.
    fn fetch(
        &mut self,
        is_locked: bool,
        cell: &Cell,
        (computes, modifies): (Arithmetic, RmwOperation),
        operand: LocalId,
        bytes: u64,
    ) -> Known<LocalId> {
        let operand = self.get(operand);
        if is_locked {
            let fetch = AtomicOperation::Fetch {
                operation: modifies,
                operand,
                gives_new: false,
            };
            let old = self.atomic(cell, FULL, fetch, &cell.ty);
            return Ok(self.keep(old));
        }
        let place = self.object(cell);
        let load = Expression {
            ty: cell.ty.clone(),
            kind: ExpressionKind::Load(Box::new(place.clone())),
            span: self.span,
        };
        let old = self.keep(load);
        let new = self.compute(computes, self.get(old), operand, bytes)?;
        self.effect(Expression {
            ty: cell.ty.clone(),
            kind: ExpressionKind::Assign(Box::new(place), Box::new(new)),
            span: self.span,
        });
        Ok(old)
    }

    fn exchange_add(
        &mut self,
        it: &Instruction,
        from: &Argument,
        to: &Argument,
        bytes: u64,
    ) -> Known<()> {
        if !self.is_memory(to)? {
            return Err(told(it));
        }
        let operand = self.kept_number(from, bytes)?;
        let cell = self.cell(to, bytes, false)?;
        let operation = (Arithmetic::Add, RmwOperation::Add);
        let old = self.fetch(it.is_locked, &cell, operation, operand, bytes)?;
        let (left, right) = (self.get(old), self.get(operand));
        let sum = self.compute(Arithmetic::Add, left, right, bytes)?;
        let sum = self.keep(sum);
        let value = self.get(old);
        self.write(from, bytes, value)?;
        self.flagged(Outcome::Wrapped(sum), Carry::Unknown, bytes);
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        it: &Instruction,
        from: &Argument,
        to: &Argument,
        bytes: u64,
    ) -> Known<()> {
        if !it.is_locked || !self.is_memory(to)? {
            return Err(told(it));
        }
        let accumulator = self.slots_of_family(Family::A)?;
        let expected = self.read_slots(&accumulator, bytes)?;
        let desired = self.read(from, bytes)?;
        let cell = self.cell(to, bytes, true)?;
        let expected = self.checker.convert(expected, &cell.ty);
        let expected = self.keep(expected);
        let swap = AtomicOperation::CompareAndSwap {
            expected: self.get(expected),
            desired: self.checker.convert(desired, &cell.ty),
            gives_old: true,
        };
        let old = self.atomic(&cell, FULL, swap, &cell.ty);
        let old = self.keep(old);
        let value = self.get(old);
        self.write_slots(&accumulator, bytes, value)?;
        self.compared(expected, old, bytes);
        Ok(())
    }

    fn unary(&mut self, it: &Instruction, name: &str, to: &Argument, bytes: u64) -> Known<()> {
        let one = self.number(1, bytes)?;
        match name {
            "inc" => {
                let one = self.keep(one);
                self.changed(it, "add", one, to, bytes)?;
                // It leaves the carry as it was.
                if let Some(flags) = &mut self.flags {
                    flags.carry = Carry::Unknown;
                }
                Ok(())
            }
            "dec" => {
                let one = self.keep(one);
                self.changed(it, "sub", one, to, bytes)?;
                if let Some(flags) = &mut self.flags {
                    flags.carry = Carry::Unknown;
                }
                Ok(())
            }
            // The flags stay as they were.
            "not" => {
                let flags = self.flags.clone();
                let ones = self.number(-1, bytes)?;
                let ones = self.keep(ones);
                self.changed(it, "xor", ones, to, bytes)?;
                self.flags = flags;
                Ok(())
            }
            "neg" if !self.is_memory(to)? && !it.is_locked => {
                let zero = self.number(0, bytes)?;
                let zero = self.keep(zero);
                let value = self.kept_number(to, bytes)?;
                let (left, right) = (self.get(zero), self.get(value));
                let result = self.compute(Arithmetic::Subtract, left, right, bytes)?;
                self.write(to, bytes, result)?;
                self.compared(zero, value, bytes);
                Ok(())
            }
            _ => Err(told(it)),
        }
    }

    fn binary(
        &mut self,
        it: &Instruction,
        name: &str,
        from: &Argument,
        to: &Argument,
        bytes: u64,
    ) -> Known<()> {
        // What a register held does not matter.
        if matches!(name, "xor" | "sub") && from == to && !self.is_memory(to)? {
            let zero = self.number(0, bytes)?;
            let kept = self.keep(zero.clone());
            self.flagged(Outcome::Number(kept), Carry::Clear, bytes);
            return self.write(to, bytes, zero);
        }
        let operand = self.kept_number(from, bytes)?;
        self.changed(it, name, operand, to, bytes)
    }

    /// Computes with what is there, and sets the flags.
    fn changed(
        &mut self,
        it: &Instruction,
        name: &str,
        operand: LocalId,
        to: &Argument,
        bytes: u64,
    ) -> Known<()> {
        let (_, computes, modifies) = BINARY
            .iter()
            .find(|(known, ..)| *known == name)
            .ok_or_else(|| told(it))?;
        let old = if self.is_memory(to)? {
            let cell = self.cell(to, bytes, false)?;
            self.fetch(it.is_locked, &cell, (*computes, *modifies), operand, bytes)?
        } else if it.is_locked {
            return Err(told(it));
        } else {
            let old = self.kept_number(to, bytes)?;
            let (left, right) = (self.get(old), self.get(operand));
            let result = self.compute(*computes, left, right, bytes)?;
            self.write(to, bytes, result)?;
            old
        };
        if name == "sub" {
            self.compared(old, operand, bytes);
            return Ok(());
        }
        let (left, right) = (self.get(old), self.get(operand));
        let result = self.compute(*computes, left, right, bytes)?;
        let result = self.keep(result);
        if name == "add" {
            let (sum, old) = (self.get(result), self.get(old));
            let carry = self.compare(Comparison::Less, sum, old);
            let carry = self.keep(carry);
            self.flagged(Outcome::Wrapped(result), Carry::Local(carry), bytes);
        } else {
            self.flagged(Outcome::Number(result), Carry::Clear, bytes);
        }
        Ok(())
    }

    /// Tests a bit, and changes it. In memory, a number in a register may lead to another word.
    fn bit(
        &mut self,
        it: &Instruction,
        name: &str,
        bit: &Argument,
        to: &Argument,
        bytes: u64,
    ) -> Known<()> {
        if bytes == 1 {
            return Err(told(it));
        }
        let number = self.kept_number(bit, bytes)?;
        let bits = i128::from(8 * bytes);
        let below = self.number(bits - 1, bytes)?;
        let index = self.compute(Arithmetic::And, self.get(number), below, bytes)?;
        let one = self.number(1, bytes)?;
        let mask = self.compute(Arithmetic::ShiftLeft, one, index, bytes)?;
        let mask = self.keep(mask);
        let operand = if name == "btr" {
            let ones = self.number(-1, bytes)?;
            let others = self.compute(Arithmetic::Xor, self.get(mask), ones, bytes)?;
            self.keep(others)
        } else {
            mask
        };
        let operation = match name {
            "bts" => Some((Arithmetic::Or, RmwOperation::Or)),
            "btr" => Some((Arithmetic::And, RmwOperation::And)),
            "btc" => Some((Arithmetic::Xor, RmwOperation::Xor)),
            _ => None,
        };
        let old = if self.is_memory(to)? {
            let mut cell = self.cell(to, bytes, false)?;
            if !matches!(bit, Argument::Immediate(_)) {
                cell.pointer = self.word_of_bit(cell.pointer, number, bytes)?;
            }
            match operation {
                Some(operation) => self.fetch(it.is_locked, &cell, operation, operand, bytes)?,
                None if it.is_locked => return Err(told(it)),
                None => {
                    let load = AtomicOperation::Load;
                    let old = self.atomic(&cell, Order::Acquire, load, &cell.ty);
                    self.keep(old)
                }
            }
        } else if it.is_locked {
            return Err(told(it));
        } else {
            let old = self.kept_number(to, bytes)?;
            if let Some((computes, _)) = operation {
                let (left, right) = (self.get(old), self.get(operand));
                let new = self.compute(computes, left, right, bytes)?;
                self.write(to, bytes, new)?;
            }
            old
        };
        let (old, mask) = (self.get(old), self.get(mask));
        let carry = self.compute(Arithmetic::And, old, mask, bytes)?;
        let carry = self.keep(carry);
        self.flagged(Outcome::Nothing, Carry::Local(carry), bytes);
        Ok(())
    }

    /// Bits are counted on from word to word, also backwards.
    fn word_of_bit(&self, pointer: Expression, number: LocalId, bytes: u64) -> Known<Expression> {
        let wide = self.signed(bytes.max(4))?;
        let number = self.checker.convert(self.get(number), &self.signed(bytes)?);
        let number = self.checker.convert(number, &wide);
        let shift = self.number(i128::from((8 * bytes).trailing_zeros()), 4)?;
        let index = Expression {
            ty: wide,
            kind: ExpressionKind::Arithmetic(
                Arithmetic::ShiftRight,
                Box::new(number),
                Box::new(shift),
            ),
            span: self.span,
        };
        let size = self.number(bytes.into(), self.checker.model.pointer_bytes())?;
        Ok(Expression {
            ty: pointer.ty.clone(),
            kind: ExpressionKind::PointerAdd {
                pointer: Box::new(pointer),
                index: Box::new(index),
                size: Box::new(size),
                is_subtract: false,
            },
            span: self.span,
        })
    }

    /// The lowest or highest bit that is set; of zero, the register stays as it is.
    fn scan(&mut self, name: &str, from: &Argument, to: &Argument, bytes: u64) -> Known<()> {
        let value = self.kept_number(from, bytes)?;
        self.flagged(Outcome::Number(value), Carry::Unknown, bytes);
        let wide = self.unsigned(8)?;
        let given = self.checker.convert(self.get(value), &wide);
        let builtin = if name == "bsf" {
            "__builtin_ctzll"
        } else {
            "__builtin_clzll"
        };
        let counted = self.call(builtin, vec![given])?;
        let found = if name == "bsf" {
            counted
        } else {
            let last = self.number(63, 4)?;
            self.compute(Arithmetic::Subtract, last, counted, 4)?
        };
        let condition = self.condition("ne")?;
        let outside = std::mem::take(&mut self.statements);
        let ty = self.unsigned(bytes)?;
        let found = self.checker.convert(found, &ty);
        self.write(to, bytes, found)?;
        let then = std::mem::replace(&mut self.statements, outside);
        self.push(StatementKind::If {
            condition,
            then,
            otherwise: Vec::new(),
        });
        Ok(())
    }

    /// Calls a function of our library.
    pub(super) fn call(&mut self, name: &str, values: Vec<Expression>) -> Known<Expression> {
        Ok(self.checker.call_of_library(name, values, self.span)?)
    }

    /// Two words at once: the high one lies behind.
    fn compare_exchange_pair(&mut self, it: &Instruction, to: &Argument, bytes: u64) -> Known<()> {
        if !it.is_locked {
            return Err(told(it));
        }
        let families = [Family::A, Family::D, Family::B, Family::C];
        let mut slots = Vec::new();
        let mut values = Vec::new();
        for family in families {
            let found = self.slots_of_family(family)?;
            let value = self.read_slots(&found, bytes)?;
            let value = self.checker.convert(value, &self.unsigned(bytes)?);
            values.push(value);
            slots.push(found);
        }
        let is_set = slots.iter().flatten().any(|it| self.slots[*it].is_set);
        let low = self.cell(to, bytes, false)?;
        let pointer = self.keep(low.pointer);
        let low = self.get(pointer);
        let one = self.number(1, bytes)?;
        let size = self.number(bytes.into(), self.checker.model.pointer_bytes())?;
        let high = Expression {
            ty: low.ty.clone(),
            kind: ExpressionKind::PointerAdd {
                pointer: Box::new(low.clone()),
                index: Box::new(one),
                size: Box::new(size),
                is_subtract: false,
            },
            span: self.span,
        };
        let ty = self.unsigned(bytes)?;
        let cells = [low, high].map(|pointer| Cell {
            pointer,
            ty: ty.clone(),
        });
        // Copies of whatever lay in registers leave the memory as it is: this is how two words are loaded.
        let values = if is_set {
            values.into_iter().map(|it| self.keep(it)).collect()
        } else {
            Vec::new()
        };
        let begin = self.call("__raddle_atomic_begin", Vec::new())?;
        self.effect(begin);
        let mut olds = Vec::new();
        for cell in &cells {
            let load = self.atomic(cell, FULL, AtomicOperation::Load, &ty);
            olds.push(self.keep(load));
        }
        let equal = match &*values {
            [] => None,
            _ => Some(self.exchange_pair(&cells, &olds, &values)),
        };
        let end = self.call("__raddle_atomic_end", Vec::new())?;
        self.effect(end);
        for (at, old) in olds.iter().enumerate() {
            let value = self.get(*old);
            self.write_slots(&slots[at], bytes, value)?;
        }
        self.flags = None;
        if let Some(equal) = equal {
            let equal = self.checker.convert(self.get(equal), &self.unsigned(4)?);
            let one = self.number(1, 4)?;
            let differs = self.compute(Arithmetic::Xor, equal, one, 4)?;
            let differs = self.keep(differs);
            self.flagged(Outcome::Number(differs), Carry::Unknown, 4);
        }
        Ok(())
    }

    /// Writes the third and fourth value if two words are the first and second; gives whether they were.
    fn exchange_pair(&mut self, cells: &[Cell], olds: &[LocalId], values: &[LocalId]) -> LocalId {
        let equal = |this: &Self, at: usize| {
            this.compare(Comparison::Equal, this.get(olds[at]), this.get(values[at]))
        };
        let both = Expression {
            ty: Type::Integer(IntegerKind::Int),
            kind: ExpressionKind::LogicalAnd(Box::new(equal(self, 0)), Box::new(equal(self, 1))),
            span: self.span,
        };
        let both = self.keep(both);
        let span = self.span;
        let mut then = Vec::new();
        for (cell, value) in cells.iter().zip(&values[2..]) {
            let store = AtomicOperation::Store(self.get(*value));
            let store = self.atomic(cell, FULL, store, &Type::Void);
            let kind = StatementKind::Expression(store);
            then.push(Statement { kind, span });
        }
        let condition = self.get(both);
        self.push(StatementKind::If {
            condition,
            then,
            otherwise: Vec::new(),
        });
        both
    }

    /// The lower half goes to one register, the upper half to another.
    fn time_stamp(&mut self) -> Known<()> {
        let stamp = self.call("__builtin_ia32_rdtsc", Vec::new())?;
        let stamp = self.keep(stamp);
        let word = self.unsigned(4)?;
        let low = self.checker.convert(self.get(stamp), &word);
        let by = self.number(32, 4)?;
        let high = Expression {
            ty: self.get(stamp).ty,
            kind: ExpressionKind::Arithmetic(
                Arithmetic::ShiftRight,
                Box::new(self.get(stamp)),
                Box::new(by),
            ),
            span: self.span,
        };
        let high = self.checker.convert(high, &word);
        for (family, value) in [(Family::A, low), (Family::D, high)] {
            let slots = self.slots_of_family(family)?;
            self.write_slots(&slots, 4, value)?;
        }
        Ok(())
    }
}

/// The name without the letter that says the size, and that size.
fn split(name: &str) -> (&str, Option<u64>) {
    if SIZED.contains(&name) || name.is_empty() {
        return (name, None);
    }
    let (stem, letter) = name.split_at(name.len() - 1);
    let bytes = match letter {
        "b" => 1,
        "w" => 2,
        "l" => 4,
        "q" => 8,
        _ => return (name, None),
    };
    if SIZED.contains(&stem) {
        (stem, Some(bytes))
    } else {
        (name, None)
    }
}
