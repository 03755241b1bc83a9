//! Expressions as terms, with what may go wrong on the way.

use raddle_base::{Arena, Id};
use raddle_engine::Property;
use raddle_ir::arithmetic::{self, ArithmeticFault, BYTES_BELOW};
use raddle_ir::{
    BinaryOp, DataModel, Expression, IntType, Program, Register, RegisterId, Scalar, UnaryOp,
};
use raddle_logic::{TermId, Terms};

use crate::hazard::Hazard;
use crate::names::Names;
use crate::touch::Touch;
use crate::word::Word;

/// Evaluates the expressions of one action.
pub struct Evaluation<'a> {
    pub terms: &'a mut Terms,
    pub program: &'a Program,
    pub types: &'a Arena<RegisterId, Register>,
    pub registers: &'a [Word],
    /// The number of the running thread, and the addresses of its copies of thread-locals.
    pub thread: u128,
    pub locals: &'a [u128],
    pub names: &'a mut Names,
    /// Under which condition the action is reached and nothing went wrong so far.
    pub guard: TermId,
    pub hazards: Vec<(TermId, Hazard)>,
    /// Under which conditions a signed operation overflows.
    pub overflows: Vec<TermId>,
    /// Bytes that are touched, where the conditions hold.
    pub touched: Vec<(Touch, TermId)>,
    /// Some result may depend on how objects are numbered.
    pub observes_layout: bool,
    /// Whether an address that is read as a number may be compared, though it may come back.
    pub doubts_numbers: bool,
}

impl Evaluation<'_> {
    fn model(&self) -> DataModel {
        self.program.model
    }

    /// Goes on only where something is so; elsewhere the hazard is met.
    pub fn require(&mut self, is_fine: TermId, hazard: impl FnOnce() -> Hazard) {
        let fails = self.terms.not(is_fine);
        let met = self.terms.and(self.guard, fails);
        if !self.terms.is_false(met) {
            self.hazards.push((met, hazard()));
            self.guard = self.terms.and(self.guard, is_fine);
        }
    }

    /// Where nothing can be said.
    pub fn give_up(&mut self, what: &str) {
        let never = self.terms.truth(false);
        self.require(never, || Hazard::Unsupported(what.to_owned()));
    }

    /// Goes on, but nothing is proved where the execution comes by.
    fn doubt(&mut self) {
        let what = "a number that depends on the names of threads and objects".to_owned();
        self.hazards.push((self.guard, Hazard::Unsupported(what)));
    }

    /// Something is computed with a number, other than whether it is the same as another.
    pub fn doubt_if_name(&mut self, term: TermId) {
        if self.names.kinds(self.terms, term).is_name {
            self.doubt();
        }
        // The name of the first thread is the interpreter's, but that of no real machine.
        self.observes_layout |= self.is_name_of_main(term);
    }

    /// Something is printed, which changes nothing.
    pub fn show(&mut self, term: TermId) {
        let is_name = self.names.kinds(self.terms, term).is_name;
        self.observes_layout |= is_name || self.is_name_of_main(term);
    }

    fn is_name_of_main(&self, term: TermId) -> bool {
        self.terms.constant_value(term) == Some(self.model().main_thread())
    }

    /// Two numbers are compared.
    pub fn doubt_if_mixed(&mut self, left: TermId, right: TermId) {
        let left = self.names.kinds(self.terms, left);
        let right = self.names.kinds(self.terms, right);
        if left.is_name && right.is_number || left.is_number && right.is_name {
            self.doubt();
        }
    }

    fn scalar(&self, expression: &Expression) -> Scalar {
        expression.scalar(self.types, self.model())
    }

    pub fn width(&self, scalar: Scalar) -> u32 {
        scalar.bits(self.model())
    }

    /// The value, where an undefined one may not be used.
    pub fn bits(&mut self, expression: &Expression) -> TermId {
        let word = self.value(expression);
        let program = self.program;
        self.require(word.is_defined, || Hazard::unset(program));
        word.bits
    }

    pub fn value(&mut self, expression: &Expression) -> Word {
        let bits = match expression {
            Expression::Constant(bits, scalar) => {
                let width = self.width(*scalar);
                self.terms.constant(*bits, width)
            }
            Expression::Register(register) => return self.registers[register.index()],
            Expression::Global(global) => {
                let model = self.model();
                let address = if self.program.globals[*global].is_thread_local {
                    let globals = self.program.globals.iter();
                    let before = globals
                        .take_while(|(id, _)| id != global)
                        .filter(|(_, it)| it.is_thread_local)
                        .count();
                    let Some(address) = self.locals.get(before) else {
                        self.give_up("a thread-local variable seen by no thread");
                        let width = model.pointer_bits();
                        return Word::undefined(self.terms, width);
                    };
                    *address
                } else {
                    arithmetic::join_pointer(index(global.index()) + 1, 0, model)
                };
                self.terms.constant(address, model.pointer_bits())
            }
            Expression::Function(function) => {
                let number = self.program.globals.len() + function.index() + 1;
                let model = self.model();
                let address = arithmetic::join_pointer(index(number), 0, model);
                self.terms.constant(address, model.pointer_bits())
            }
            Expression::CurrentThread => {
                let width = self.width(Scalar::Thread);
                self.terms.constant(self.thread, width)
            }
            Expression::Unary(UnaryOp::Settle, operand) => {
                let word = self.value(operand);
                let zero = self.terms.constant(0, self.terms.width(word.bits));
                self.terms.if_then_else(word.is_defined, word.bits, zero)
            }
            Expression::Unary(UnaryOp::IsSet, operand) => {
                let word = self.value(operand);
                let width = self.terms.width(word.bits);
                let (one, zero) = (self.terms.constant(1, width), self.terms.constant(0, width));
                self.terms.if_then_else(word.is_defined, one, zero)
            }
            Expression::Unary(op, operand) => {
                let scalar = self.scalar(operand);
                let bits = self.bits(operand);
                self.unary(*op, bits, scalar)
            }
            Expression::Binary(op, left, right) => {
                let scalars = (self.scalar(left), self.scalar(right));
                let (left, right) = (self.bits(left), self.bits(right));
                self.binary(*op, left, right, scalars)
            }
            Expression::Cast(to, operand) => {
                let from = self.scalar(operand);
                let word = self.value(operand);
                let bits = self.cast(word, from, *to);
                return Word {
                    bits,
                    is_defined: word.is_defined,
                };
            }
            Expression::Select(condition, then, otherwise) => {
                return self.select(condition, then, otherwise);
            }
        };
        Word::defined(self.terms, bits)
    }

    /// Only the chosen branch is evaluated, so only it can go wrong.
    fn select(
        &mut self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
    ) -> Word {
        let condition = self.bits(condition);
        let before = self.guard;
        let refused = self.terms.not(condition);
        let branches = [(condition, then), (refused, otherwise)].map(|(taken, branch)| {
            self.guard = self.terms.and(before, taken);
            let entered = self.guard;
            let word = self.value(branch);
            let went_well = self.guard == entered;
            (word, self.guard, went_well)
        });
        let [
            (first, first_guard, first_well),
            (second, second_guard, second_well),
        ] = branches;
        self.guard = if first_well && second_well {
            before
        } else {
            self.terms.or(first_guard, second_guard)
        };
        Word::choose(self.terms, condition, first, second)
    }

    fn note_overflow(&mut self, overflows: TermId) {
        let met = self.terms.and(self.guard, overflows);
        if !self.terms.is_false(met) {
            self.overflows.push(met);
        }
    }

    fn unary(&mut self, op: UnaryOp, bits: TermId, scalar: Scalar) -> TermId {
        if !matches!(op, UnaryOp::Settle | UnaryOp::IsSet) {
            self.doubt_if_name(bits);
        }
        match (op, scalar) {
            (UnaryOp::Negate, Scalar::Int(int)) => {
                if int.is_signed {
                    let overflows = self.terms.negate_overflows_signed(bits);
                    self.note_overflow(overflows);
                }
                self.terms.negate(bits)
            }
            (UnaryOp::NegateWrapping, Scalar::Int(_)) => self.terms.negate(bits),
            (UnaryOp::Negate | UnaryOp::NegateWrapping, _) => {
                let width = self.terms.width(bits);
                let sign = self.terms.constant(1 << (width - 1), width);
                self.terms.xor(bits, sign)
            }
            (UnaryOp::Not, _) => self.terms.not(bits),
            (UnaryOp::Settle, _) => bits,
            (UnaryOp::IsSet, _) => {
                let width = self.terms.width(bits);
                self.terms.constant(1, width)
            }
        }
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        (scalar, right_scalar): (Scalar, Scalar),
    ) -> TermId {
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        match scalar {
            Scalar::Int(_) | Scalar::Pointer | Scalar::Thread if is_equality => {
                self.doubt_if_mixed(left, right);
            }
            Scalar::Int(_) => {
                self.doubt_if_name(left);
                self.doubt_if_name(right);
            }
            // How far a pointer is moved.
            Scalar::Pointer if op == BinaryOp::Offset => self.doubt_if_name(right),
            Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => {}
        }
        match scalar {
            Scalar::Int(int) => self.integer(op, left, right, int, right_scalar),
            Scalar::Float(_) => self.float(op, left, right, scalar),
            Scalar::Pointer => self.pointer(op, left, right, right_scalar),
            Scalar::Thread => self.compare(op, left, right, false),
        }
    }

    fn integer(
        &mut self,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        int: IntType,
        right_scalar: Scalar,
    ) -> TermId {
        let is_signed = int.is_signed;
        let terms = &mut *self.terms;
        match op {
            BinaryOp::Add => {
                if is_signed {
                    let overflows = terms.add_overflows_signed(left, right);
                    self.note_overflow(overflows);
                }
                self.terms.add(left, right)
            }
            BinaryOp::Subtract => {
                if is_signed {
                    let overflows = terms.subtract_overflows_signed(left, right);
                    self.note_overflow(overflows);
                }
                self.terms.subtract(left, right)
            }
            BinaryOp::Multiply => {
                if is_signed {
                    let overflows = terms.multiply_overflows_signed(left, right);
                    self.note_overflow(overflows);
                }
                self.terms.multiply(left, right)
            }
            BinaryOp::AddWrapping => terms.add(left, right),
            BinaryOp::SubtractWrapping => terms.subtract(left, right),
            BinaryOp::MultiplyWrapping => terms.multiply(left, right),
            BinaryOp::Divide | BinaryOp::Remainder => {
                let is_zero = terms.equals_constant(right, 0);
                let is_fine = terms.not(is_zero);
                self.require(is_fine, || fault(ArithmeticFault::DivisionByZero));
                if is_signed {
                    let overflows = self.terms.divide_overflows_signed(left, right);
                    self.note_overflow(overflows);
                    let fits = self.terms.not(overflows);
                    self.require(fits, || fault(ArithmeticFault::QuotientOutOfRange));
                }
                let terms = &mut *self.terms;
                match (op, is_signed) {
                    (BinaryOp::Divide, true) => terms.divide_signed(left, right),
                    (BinaryOp::Divide, false) => terms.divide_unsigned(left, right),
                    (_, true) => terms.remainder_signed(left, right),
                    (_, false) => terms.remainder_unsigned(left, right),
                }
            }
            BinaryOp::And => terms.and(left, right),
            BinaryOp::Or => terms.or(left, right),
            BinaryOp::Xor => terms.xor(left, right),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let Scalar::Int(amount_type) = right_scalar else {
                    unreachable!("validated: shifts count by integers")
                };
                let width = u32::from(int.bits);
                let is_fine = terms.is_shift_amount(right, amount_type.is_signed, width);
                self.require(is_fine, || fault(ArithmeticFault::ShiftOutOfRange));
                let amount = self.terms.shift_amount(right, width);
                if op == BinaryOp::ShiftLeft && is_signed {
                    let overflows = self.terms.shift_left_overflows_signed(left, amount);
                    self.note_overflow(overflows);
                }
                self.shift(op == BinaryOp::ShiftLeft, left, amount, is_signed)
            }
            BinaryOp::ShiftLeftWrapping | BinaryOp::ShiftRightWrapping => {
                let amount = terms.shift_amount_modulo(right, u32::from(int.bits));
                self.shift(op == BinaryOp::ShiftLeftWrapping, left, amount, is_signed)
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => self.compare(op, left, right, is_signed),
            BinaryOp::Offset | BinaryOp::Distance => unreachable!("validated: only on pointers"),
        }
    }

    fn shift(&mut self, is_left: bool, bits: TermId, amount: TermId, is_signed: bool) -> TermId {
        if is_left {
            self.terms.shift_left(bits, amount)
        } else if is_signed {
            self.terms.shift_right_arithmetic(bits, amount)
        } else {
            self.terms.shift_right_logical(bits, amount)
        }
    }

    fn compare(&mut self, op: BinaryOp, left: TermId, right: TermId, is_signed: bool) -> TermId {
        let terms = &mut *self.terms;
        match op {
            BinaryOp::Equal => terms.equal(left, right),
            BinaryOp::NotEqual => terms.differ(left, right),
            BinaryOp::Less => terms.less(left, right, is_signed),
            BinaryOp::LessEqual => terms.less_equal(left, right, is_signed),
            BinaryOp::Greater => terms.less(right, left, is_signed),
            BinaryOp::GreaterEqual => terms.less_equal(right, left, is_signed),
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::AddWrapping
            | BinaryOp::SubtractWrapping
            | BinaryOp::MultiplyWrapping
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::ShiftLeftWrapping
            | BinaryOp::ShiftRightWrapping
            | BinaryOp::Offset
            | BinaryOp::Distance => unreachable!("validated: only comparisons get here"),
        }
    }

    /// Floats are computed where they are known, as the interpreter does.
    fn float(&mut self, op: BinaryOp, left: TermId, right: TermId, scalar: Scalar) -> TermId {
        let known = (
            self.terms.constant_value(left),
            self.terms.constant_value(right),
        );
        let width = if op.is_comparison() {
            1
        } else {
            self.width(scalar)
        };
        if let (Some(left), Some(right)) = known
            && let Ok(computed) = arithmetic::binary(op, left, right, scalar, scalar, self.model())
        {
            return self.terms.constant(computed.bits, width);
        }
        self.give_up("arithmetic of floats that are not known in advance");
        self.terms.constant(0, width)
    }

    fn pointer(
        &mut self,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        right_scalar: Scalar,
    ) -> TermId {
        if op == BinaryOp::Offset {
            let Scalar::Int(int) = right_scalar else {
                unreachable!("validated: pointers are offset by integers")
            };
            return self.offset(left, right, int);
        }
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return self.compare(op, left, right, false);
        }
        let (one, other) = (self.object_of(left), self.object_of(right));
        let is_same = self.terms.equal(one, other);
        if op == BinaryOp::Distance {
            self.require(is_same, || fault(ArithmeticFault::DistanceOfTwoObjects));
            let distance = self.terms.subtract(left, right);
            let width = u32::from(self.model().signed_word().bits);
            return self.terms.resize(distance, width, true);
        }
        if !self.terms.is_true(is_same) {
            self.observes_layout = true;
            self.doubt_if_name(left);
            self.doubt_if_name(right);
        }
        // Addresses are numbers in a row; those below the first object come last.
        let shift = self.below();
        let left = self.terms.add(left, shift);
        let right = self.terms.add(right, shift);
        self.compare(op, left, right, false)
    }

    fn below(&mut self) -> TermId {
        let width = self.model().pointer_bits();
        self.terms.constant(u128::from(BYTES_BELOW), width)
    }

    /// A number for the object that a pointer points to, which no other object has.
    fn object_of(&mut self, pointer: TermId) -> TermId {
        let model = self.model();
        let below = self.below();
        let moved = self.terms.add(pointer, below);
        let (low, width) = (model.offset_bits(), model.object_bits());
        let object = self.terms.extract(moved, low, width);
        if model.small_objects().is_empty() {
            return object;
        }
        // Numbers of other objects stand before as many zeros as those of small ones have bits more.
        let small_bits = DataModel::SMALL_OFFSET_BITS;
        let zeros = self.terms.constant(0, low - small_bits);
        let object = self.terms.concatenate(object, zeros);
        let Some(is_small) = self.points_to_small(pointer) else {
            return object;
        };
        let small = self
            .terms
            .extract(moved, small_bits, model.pointer_bits() - small_bits);
        self.terms.if_then_else(is_small, small, object)
    }

    /// Whether a pointer is one to a small object, if that is possible: no such object is made here, but a number may happen to
    /// look like one.
    fn points_to_small(&mut self, pointer: TermId) -> Option<TermId> {
        let model = self.model();
        let small = model.small_objects();
        if small.is_empty() || !self.names.kinds(self.terms, pointer).is_number {
            return None;
        }
        let width = model.pointer_bits();
        let address = |number: u32| u128::from(number) << DataModel::SMALL_OFFSET_BITS;
        let below = self.below();
        let moved = self.terms.add(pointer, below);
        let first = self.terms.constant(address(small.start), width);
        let end = self.terms.constant(address(small.end), width);
        let is_before = self.terms.less_unsigned(moved, first);
        let is_before_end = self.terms.less_unsigned(moved, end);
        let is_after = self.terms.not(is_before);
        Some(self.terms.and(is_after, is_before_end))
    }

    fn offset(&mut self, pointer: TermId, amount: TermId, int: IntType) -> TermId {
        let model = self.model();
        let width = model.pointer_bits();
        let (amount, int) = self.narrowed(amount, int);
        let wide = width.max(u32::from(int.bits)) + 2;
        // The offset from where addresses below the object begin.
        let below = self.below();
        let moved = self.terms.add(pointer, below);
        let offset = self.terms.extract(moved, 0, model.offset_bits());
        let mut offset = self.terms.resize(offset, wide, false);
        let mut space = self.terms.constant(1 << model.offset_bits(), wide);
        if let Some(is_small) = self.points_to_small(pointer) {
            let small_bits = DataModel::SMALL_OFFSET_BITS;
            let small = self.terms.extract(moved, 0, small_bits);
            let small = self.terms.resize(small, wide, false);
            offset = self.terms.if_then_else(is_small, small, offset);
            let small = self.terms.constant(1 << small_bits, wide);
            space = self.terms.if_then_else(is_small, small, space);
        }
        let amount_wide = self.terms.resize(amount, wide, int.is_signed);
        let sum = self.terms.add(offset, amount_wide);
        let stays = self.terms.less_unsigned(sum, space);
        self.require(stays, || Hazard::Violation(Property::Memory));
        let amount = self.terms.resize(amount, width, int.is_signed);
        self.terms.add(pointer, amount)
    }

    /// An amount that pointers can be moved by; a wider one leaves every object.
    fn narrowed(&mut self, amount: TermId, int: IntType) -> (TermId, IntType) {
        const MOST_BITS: u8 = 96;
        if int.bits <= MOST_BITS {
            return (amount, int);
        }
        let narrow = IntType {
            bits: MOST_BITS,
            ..int
        };
        let low = self.terms.extract(amount, 0, u32::from(MOST_BITS));
        let again = self.terms.resize(low, u32::from(int.bits), int.is_signed);
        let is_same = self.terms.equal(again, amount);
        self.require(is_same, || Hazard::Violation(Property::Memory));
        (low, narrow)
    }

    fn cast(&mut self, word: Word, from: Scalar, to: Scalar) -> TermId {
        let (bits, width) = (word.bits, self.width(to));
        if width < self.terms.width(bits) || matches!(to, Scalar::Float(_)) {
            self.doubt_if_name(bits);
        }
        match (from, to) {
            (Scalar::Float(_), Scalar::Int(_) | Scalar::Float(_))
            | (Scalar::Int(_), Scalar::Float(_)) => {
                if let Some(known) = self.terms.constant_value(bits) {
                    match arithmetic::cast(known, from, to, self.model()) {
                        Ok(computed) => return self.terms.constant(computed.bits, width),
                        Err(problem) => {
                            let fails = self.terms.not(word.is_defined);
                            self.require(fails, || fault(problem));
                        }
                    }
                } else if from != to {
                    let is_unset = self.terms.not(word.is_defined);
                    self.require(is_unset, || {
                        Hazard::Unsupported(
                            "a conversion of floats that are not known in advance".into(),
                        )
                    });
                } else {
                    return bits;
                }
                self.terms.constant(0, width)
            }
            (from, Scalar::Thread) if arithmetic::is_word(from, self.model()) => {
                let model = self.model();
                let is_main = self.terms.equals_constant(bits, model.main_thread());
                let is_nobody = self.terms.equals_constant(bits, 0);
                let nobody = self.terms.constant(model.null_thread(), width);
                let main = self.terms.constant(0, width);
                let spawned = self.terms.if_then_else(is_nobody, nobody, bits);
                self.terms.if_then_else(is_main, main, spawned)
            }
            (Scalar::Int(int), _) => self.terms.resize(bits, width, int.is_signed),
            (Scalar::Pointer, Scalar::Int(_)) => {
                let model = self.model();
                let (low, high) = (model.offset_bits(), model.object_bits());
                let number = self.terms.extract(bits, low, high);
                let is_small = self.terms.equals_constant(number, 0);
                self.observes_layout |= !self.terms.is_true(is_small);
                self.terms.resize(bits, width, false)
            }
            // An action that computes with the name of a thread is a hazard where it does.
            (Scalar::Thread, to) if arithmetic::is_word(to, self.model()) => {
                let main = self.terms.constant(self.model().main_thread(), width);
                let is_main = self.terms.equals_constant(bits, 0);
                self.terms.if_then_else(is_main, main, bits)
            }
            (Scalar::Float(_) | Scalar::Pointer | Scalar::Thread, _) => {
                self.terms.resize(bits, width, false)
            }
        }
    }
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("validated: numbers fit")
}

fn fault(fault: ArithmeticFault) -> Hazard {
    match fault {
        ArithmeticFault::PointerLeavesObject => Hazard::Violation(Property::Memory),
        ArithmeticFault::DivisionByZero
        | ArithmeticFault::QuotientOutOfRange
        | ArithmeticFault::ShiftOutOfRange
        | ArithmeticFault::FloatOutOfRange
        | ArithmeticFault::DistanceOfTwoObjects => Hazard::Violation(Property::Undefined),
    }
}
