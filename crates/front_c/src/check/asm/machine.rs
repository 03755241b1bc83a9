//! The machine that instructions work on: registers are hidden locals, memory is the program's own.

use std::collections::HashMap;

use raddle_base::Span;
use raddle_c_syntax::tree::{Asm, Identifier, Name};
use raddle_ir::{DataModel, Order};

use super::super::Checker;
use super::flags::Flags;
use super::operands::Bound;
use super::{Known, Stop, is_fence, is_idle};
use crate::assembler::{Argument, Family, Line, OperandName};
use crate::typed::{
    Arithmetic, AtomicAccess, AtomicOperation, ComputedOrders, Expression, ExpressionKind, Initial,
    LabelId, LocalId, LocalPiece, Lvalue, LvalueKind, PieceValue, Statement, StatementKind,
};
use crate::types::{IntegerKind, Qualified, Type};

/// A register.
pub(super) struct Slot {
    pub(super) local: LocalId,
    /// A pointer, or an unsigned integer.
    pub(super) ty: Type,
    pub(super) bytes: u64,
    pub(super) family: Option<Family>,
    /// Whether something was put into it.
    pub(super) is_set: bool,
    /// Another part of the same register was written, and this one does not know.
    pub(super) is_stale: bool,
}

pub(super) struct Machine<'c> {
    pub(super) checker: &'c mut Checker,
    pub(super) span: Span,
    pub(super) statements: Vec<Statement>,
    /// With the names that the template may call them by.
    pub(super) operands: Vec<(Option<Name>, Bound)>,
    pub(super) slots: Vec<Slot>,
    pub(super) flags: Option<Flags>,
    labels: HashMap<usize, LabelId>,
    targets: Vec<Identifier>,
}

/// A scalar in memory.
pub(super) struct Cell {
    pub(super) pointer: Expression,
    pub(super) ty: Type,
}

impl<'c> Machine<'c> {
    /// What a statement does.
    pub(super) fn run(
        checker: &'c mut Checker,
        asm: &Asm,
        lines: &[Line],
    ) -> Known<Vec<Statement>> {
        let mut machine = Machine {
            checker,
            span: asm.span,
            statements: Vec::new(),
            operands: Vec::new(),
            slots: Vec::new(),
            flags: None,
            labels: HashMap::new(),
            targets: asm.labels.clone(),
        };
        let binding = machine.bind(asm)?;
        if !asm.labels.is_empty() && !binding.outputs.is_empty() {
            return Err(Stop::Unknown("`asm goto` with outputs in registers".into()));
        }
        for (at, line) in lines.iter().enumerate() {
            if let Line::Label(name) = line {
                let label = machine.checker.new_label(&Name::from(&**name));
                machine.labels.insert(at, label);
            }
        }
        if !machine.labels.is_empty() && machine.has_split_families() {
            return Err(Stop::Unknown("parts of a register, beside labels".into()));
        }
        for (at, line) in lines.iter().enumerate() {
            match line {
                Line::Label(_) => {
                    let label = machine.labels[&at];
                    machine.push(StatementKind::Label(label));
                    // Whoever jumps here has flags of his own.
                    machine.flags = None;
                }
                Line::Instruction(_) if is_fence(line) => {
                    let fence = machine
                        .checker
                        .fence(Order::SequentiallyConsistent, asm.span);
                    machine.effect(fence);
                }
                Line::Instruction(_) if is_idle(line) => {}
                Line::Instruction(instruction) => {
                    machine.instruction(instruction, lines, at)?;
                }
            }
        }
        machine.finish(binding.outputs)?;
        Ok(machine.statements)
    }

    pub(super) fn push(&mut self, kind: StatementKind) {
        let span = self.span;
        self.statements.push(Statement { kind, span });
    }

    pub(super) fn effect(&mut self, expression: Expression) {
        self.push(StatementKind::Expression(expression));
    }

    /// Where a jump leads.
    pub(super) fn target(&mut self, to: &Argument, lines: &[Line], at: usize) -> Known<LabelId> {
        let found = match to {
            Argument::Local(target) => {
                let is_it = |line: &Line| matches!(line, Line::Label(it) if *it == target.label);
                let line = if target.is_ahead {
                    (at..lines.len()).find(|line| is_it(&lines[*line]))
                } else {
                    (0..at).rev().find(|line| is_it(&lines[*line]))
                };
                line.map(|line| self.labels[&line])
            }
            Argument::Label(name) => {
                let number = self.operands.len();
                let label = match name {
                    OperandName::Word(word) => self.targets.iter().find(|it| *it.name == **word),
                    OperandName::Number(it) => {
                        it.checked_sub(number).and_then(|it| self.targets.get(it))
                    }
                };
                let label = label.cloned();
                label.map(|label| self.checker.use_label(&label))
            }
            Argument::Operand(_)
            | Argument::Register(_)
            | Argument::Immediate(_)
            | Argument::Memory(..) => None,
        };
        found.ok_or_else(|| Stop::Unknown("a jump to another place".into()))
    }

    /// Keeps a value in a local of its own.
    pub(super) fn keep(&mut self, value: Expression) -> LocalId {
        let local = self
            .checker
            .hidden_local(value.ty.clone().into(), self.span);
        self.declare(local, Some(value));
        local
    }

    fn declare(&mut self, local: LocalId, value: Option<Expression>) {
        let initial = value.map(|value| Initial {
            is_zeroed: false,
            pieces: vec![LocalPiece {
                offset: 0,
                bits: None,
                value: PieceValue::Expression(value),
            }],
        });
        self.push(StatementKind::Declare(local, initial));
    }

    fn place(&self, local: LocalId) -> Lvalue {
        Lvalue {
            ty: self.checker.function.locals[local].ty.clone(),
            kind: LvalueKind::Local(local),
            span: self.span,
        }
    }

    /// What a local holds.
    pub(super) fn get(&self, local: LocalId) -> Expression {
        let place = self.place(local);
        Expression {
            ty: place.ty.ty.clone(),
            kind: ExpressionKind::Load(Box::new(place)),
            span: self.span,
        }
    }

    fn set(&mut self, local: LocalId, value: Expression) {
        let place = self.place(local);
        let value = self.checker.convert(value, &place.ty.ty);
        self.effect(Expression {
            ty: place.ty.ty.clone(),
            kind: ExpressionKind::Assign(Box::new(place), Box::new(value)),
            span: self.span,
        });
    }

    pub(super) fn begin_slot(&mut self, slot: usize, value: Option<Expression>) {
        let (local, ty) = (self.slots[slot].local, self.slots[slot].ty.clone());
        self.slots[slot].is_set = value.is_some();
        let value = value.map(|value| self.checker.convert(value, &ty));
        self.declare(local, value);
    }

    /// The unsigned integer of a size.
    pub(super) fn unsigned(&self, bytes: u64) -> Known<Type> {
        Ok(Type::Integer(match (bytes, self.checker.model) {
            (1, _) => IntegerKind::UnsignedChar,
            (2, _) => IntegerKind::UnsignedShort,
            (4, _) => IntegerKind::UnsignedInt,
            (8, DataModel::Lp64) => IntegerKind::UnsignedLong,
            (8, DataModel::Ilp32) => IntegerKind::UnsignedLongLong,
            _ => return Err(Stop::Unknown("an operand of another size".into())),
        }))
    }

    pub(super) fn signed(&self, bytes: u64) -> Known<Type> {
        Ok(Type::Integer(match (bytes, self.checker.model) {
            (1, _) => IntegerKind::SignedChar,
            (2, _) => IntegerKind::Short,
            (4, _) => IntegerKind::Int,
            (8, DataModel::Lp64) => IntegerKind::Long,
            (8, DataModel::Ilp32) => IntegerKind::LongLong,
            _ => return Err(Stop::Unknown("an operand of another size".into())),
        }))
    }

    pub(super) fn number(&self, value: i128, bytes: u64) -> Known<Expression> {
        let ty = self.unsigned(bytes)?;
        let bits = self.checker.bits_of(value, &ty);
        Ok(Expression {
            ty,
            kind: ExpressionKind::Integer(bits),
            span: self.span,
        })
    }

    /// Computes on unsigned integers of a size; narrow ones as C does, in wider ones.
    pub(super) fn compute(
        &self,
        operator: Arithmetic,
        left: Expression,
        right: Expression,
        bytes: u64,
    ) -> Known<Expression> {
        let wide = self.unsigned(bytes.max(4))?;
        let left = self.checker.convert(left, &wide);
        let right = self.checker.convert(right, &wide);
        let result = Expression {
            ty: wide,
            kind: ExpressionKind::Arithmetic(operator, Box::new(left), Box::new(right)),
            span: self.span,
        };
        Ok(self.checker.convert(result, &self.unsigned(bytes)?))
    }

    /// Whether an argument lies in memory.
    pub(super) fn is_memory(&self, argument: &Argument) -> Known<bool> {
        Ok(match argument {
            Argument::Memory(..) => true,
            Argument::Operand(it) => matches!(self.operand(&it.name)?, Bound::Memory { .. }),
            Argument::Register(_)
            | Argument::Immediate(_)
            | Argument::Local(_)
            | Argument::Label(_) => false,
        })
    }

    /// How many bytes a register has, as it is called, or an object in memory.
    pub(super) fn bytes_of_argument(&self, argument: &Argument) -> Known<Option<u64>> {
        Ok(match argument {
            Argument::Register(register) => Some(register.bytes),
            Argument::Operand(it) => match self.operand(&it.name)? {
                Bound::Register { bytes, .. } => Some(it.bytes.unwrap_or(bytes)),
                Bound::Memory { target, .. } => self.checker.size_of(&target),
                Bound::Condition => None,
            },
            Argument::Immediate(_)
            | Argument::Memory(..)
            | Argument::Local(_)
            | Argument::Label(_) => None,
        })
    }

    /// Whether operands of different sizes are said to lie in one register.
    fn has_split_families(&self) -> bool {
        let mut families = self.slots.iter().filter_map(|it| it.family);
        families.any(|family| self.of_family(family).len() > 1)
    }

    pub(super) fn of_family(&self, family: Family) -> Vec<usize> {
        let all = 0..self.slots.len();
        all.filter(|it| self.slots[*it].family == Some(family))
            .collect()
    }

    /// The registers that an argument names: those of one family may be several, one for each size.
    fn slots_of(&mut self, argument: &Argument) -> Known<Vec<usize>> {
        match argument {
            Argument::Operand(it) => match self.operand(&it.name)? {
                Bound::Register { slot, .. } => Ok(vec![slot]),
                Bound::Memory { .. } | Bound::Condition => {
                    Err(Stop::Unknown("an operand in another place".into()))
                }
            },
            Argument::Register(register) => self.slots_of_family(register.family),
            Argument::Immediate(_)
            | Argument::Memory(..)
            | Argument::Local(_)
            | Argument::Label(_) => Err(Stop::Unknown("an argument in another place".into())),
        }
    }

    pub(super) fn slots_of_family(&mut self, family: Family) -> Known<Vec<usize>> {
        if family == Family::Stack {
            return Err(Stop::Unknown("the stack pointer".into()));
        }
        let found = self.of_family(family);
        if !found.is_empty() {
            return Ok(found);
        }
        if !self.labels.is_empty() {
            return Err(Stop::Unknown(
                "a register that is no operand, beside labels".into(),
            ));
        }
        let bytes = self.checker.model.pointer_bytes();
        let ty = self.unsigned(bytes)?;
        let slot = self.new_slot(ty, bytes, Some(family));
        // Nobody knows what it holds.
        self.begin_slot(slot, None);
        Ok(vec![slot])
    }

    /// Whether an argument is a register into which nothing was put.
    pub(super) fn holds_nothing(&mut self, argument: &Argument) -> Known<bool> {
        let has_labels = !self.labels.is_empty();
        if has_labels || matches!(argument, Argument::Immediate(_)) || self.is_memory(argument)? {
            return Ok(false);
        }
        let slots = self.slots_of(argument)?;
        Ok(slots.iter().all(|it| !self.slots[*it].is_set))
    }

    /// Puts what a register without a value holds into another one.
    pub(super) fn forget(&mut self, argument: &Argument) -> Known<()> {
        for slot in self.slots_of(argument)? {
            self.begin_slot(slot, None);
        }
        Ok(())
    }

    /// What an argument holds: of a register with a pointer the pointer, else an unsigned integer.
    pub(super) fn read(&mut self, argument: &Argument, bytes: u64) -> Known<Expression> {
        if let Argument::Immediate(number) = argument {
            return self.number(*number, bytes);
        }
        if self.is_memory(argument)? {
            let cell = self.cell(argument, bytes, true)?;
            let load = self.atomic(&cell, Order::Acquire, AtomicOperation::Load, &cell.ty);
            let kept = self.keep(load);
            return Ok(self.get(kept));
        }
        let slots = self.slots_of(argument)?;
        self.read_slots(&slots, bytes)
    }

    pub(super) fn read_slots(&mut self, slots: &[usize], bytes: u64) -> Known<Expression> {
        let large = slots.iter().find(|it| self.slots[**it].bytes >= bytes);
        let Some(slot) = large.map(|it| &self.slots[*it]) else {
            return Err(Stop::Unknown("more of an operand than there is".into()));
        };
        if slot.is_stale {
            return Err(Stop::Unknown("parts of a register".into()));
        }
        let value = self.get(slot.local);
        if slot.bytes == bytes {
            return Ok(value);
        }
        Ok(self.checker.convert(value, &self.unsigned(bytes)?))
    }

    /// As [`Self::read`], as an unsigned integer.
    pub(super) fn read_number(&mut self, argument: &Argument, bytes: u64) -> Known<Expression> {
        let value = self.read(argument, bytes)?;
        Ok(self.checker.convert(value, &self.unsigned(bytes)?))
    }

    pub(super) fn write(
        &mut self,
        argument: &Argument,
        bytes: u64,
        value: Expression,
    ) -> Known<()> {
        if self.is_memory(argument)? {
            let cell = self.cell(argument, bytes, true)?;
            let value = self.checker.convert(value, &cell.ty);
            let store = AtomicOperation::Store(value);
            let store = self.atomic(&cell, Order::Release, store, &Type::Void);
            self.effect(store);
            return Ok(());
        }
        let slots = self.slots_of(argument)?;
        self.write_slots(&slots, bytes, value)
    }

    /// Writes a part of a register: 32 bits clear the rest, fewer leave it.
    pub(super) fn write_slots(
        &mut self,
        slots: &[usize],
        bytes: u64,
        value: Expression,
    ) -> Known<()> {
        let value = if slots.len() > 1 {
            let kept = self.keep(value);
            self.get(kept)
        } else {
            value
        };
        for &slot in slots {
            let (local, size) = (self.slots[slot].local, self.slots[slot].bytes);
            if bytes >= 4 || bytes >= size {
                let value = if size == bytes {
                    value.clone()
                } else {
                    self.checker
                        .convert(value.clone(), &self.unsigned(size.min(bytes))?)
                };
                self.set(local, value);
            } else if matches!(self.slots[slot].ty, Type::Pointer(_)) {
                return Err(Stop::Unknown("a part of a pointer".into()));
            } else {
                let mask = (1_i128 << (8 * bytes)) - 1;
                let above = self.number(!mask, size)?;
                let old = self.get(local);
                let above = self.compute(Arithmetic::And, old, above, size)?;
                let both = self.compute(Arithmetic::Or, above, value.clone(), size)?;
                self.set(local, both);
            }
            self.slots[slot].is_set = true;
            if let Some(family) = self.slots[slot].family {
                for other in self.of_family(family) {
                    self.slots[other].is_stale = !slots.contains(&other);
                }
            }
        }
        Ok(())
    }

    /// A scalar in memory. One that holds a pointer stays so, if that is wanted.
    pub(super) fn cell(
        &mut self,
        argument: &Argument,
        bytes: u64,
        keeps_pointer: bool,
    ) -> Known<Cell> {
        let ty = self.unsigned(bytes)?;
        let pointer = match argument {
            Argument::Operand(it) => match self.operand(&it.name)? {
                Bound::Memory { address, target } => {
                    let pointer = self.get(address);
                    let is_pointer = matches!(target, Type::Pointer(_));
                    if keeps_pointer && is_pointer && self.checker.size_of(&target) == Some(bytes) {
                        let ty = target;
                        return Ok(Cell { pointer, ty });
                    }
                    pointer
                }
                Bound::Register { .. } | Bound::Condition => {
                    return Err(Stop::Unknown("an operand that is not in memory".into()));
                }
            },
            Argument::Memory(displacement, base) => self.displaced(*displacement, base)?,
            Argument::Register(_)
            | Argument::Immediate(_)
            | Argument::Local(_)
            | Argument::Label(_) => {
                return Err(Stop::Unknown("an argument that is not in memory".into()));
            }
        };
        let wanted = Type::Pointer(Qualified::from(ty.clone()).into());
        let pointer = self.checker.convert(pointer, &wanted);
        Ok(Cell { pointer, ty })
    }

    /// `8(%1)`: so many bytes behind what a register points to.
    fn displaced(&mut self, displacement: i64, base: &Argument) -> Known<Expression> {
        let word = self.checker.model.pointer_bytes();
        let base = self.read(base, word)?;
        let byte = Type::Integer(IntegerKind::UnsignedChar);
        let ty = Type::Pointer(Qualified::from(byte).into());
        let pointer = self.checker.convert(base, &ty);
        if displacement == 0 {
            return Ok(pointer);
        }
        let index = self.number(displacement.into(), word)?;
        let index = self.checker.convert(index, &self.signed(word)?);
        let size = self.number(1, word)?;
        Ok(Expression {
            ty,
            kind: ExpressionKind::PointerAdd {
                pointer: Box::new(pointer),
                index: Box::new(index),
                size: Box::new(size),
                is_subtract: false,
            },
            span: self.span,
        })
    }

    pub(super) fn atomic(
        &self,
        cell: &Cell,
        order: Order,
        operation: AtomicOperation,
        result: &Type,
    ) -> Expression {
        Expression {
            ty: result.clone(),
            kind: ExpressionKind::Atomic(Box::new(AtomicAccess {
                pointer: cell.pointer.clone(),
                cell: cell.ty.clone(),
                order,
                computed: ComputedOrders::default(),
                operation,
            })),
            span: self.span,
        }
    }

    /// The object there, for plain accesses.
    pub(super) fn object(&self, cell: &Cell) -> Lvalue {
        Lvalue {
            ty: cell.ty.clone().into(),
            kind: LvalueKind::Dereference(Box::new(cell.pointer.clone())),
            span: self.span,
        }
    }
}
