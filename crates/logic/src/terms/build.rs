//! How terms are made: one function an operation, and the few that are put together of them.

use super::{BitVector, Operation, TermId, Terms, evaluate_operation, mask};

/// How deep rules may call one another. Those that take apart concatenations need 128; no program is to need a deeper stack.
const MOST_NESTED: u32 = 200;

impl Terms {
    /// A constant; bits above the width are dropped.
    pub fn constant(&mut self, bits: u128, width: u32) -> TermId {
        self.intern_constant(bits & mask(width), width)
    }

    pub fn truth(&mut self, value: bool) -> TermId {
        self.intern_constant(u128::from(value), 1)
    }

    /// The variable of this name, which has one width only.
    pub fn variable(&mut self, name: &str, width: u32) -> TermId {
        self.intern_variable(name, width)
    }

    /// A variable that nobody has, named after `name`.
    pub fn fresh_variable(&mut self, name: &str, width: u32) -> TermId {
        let mut number = self.variable_count();
        loop {
            let candidate = format!("{name}!{number}");
            if self.variable_named(&candidate).is_none() {
                return self.intern_variable(&candidate, width);
            }
            number += 1;
        }
    }

    /// Any operation. `width` is that of the result.
    pub fn apply(&mut self, operation: Operation, width: u32, arguments: &[TermId]) -> TermId {
        self.demand_widths(operation, width, arguments);
        if !self.is_simplifying {
            return self.intern_operation(operation, width, arguments);
        }
        if let Some(bits) = self.fold(operation, width, arguments) {
            return self.intern_constant(bits, width);
        }
        if let &[left, right] = arguments
            && operation.is_commutative()
            && self.comes_after(left, right)
        {
            return self.apply_simplified(operation, width, &[right, left]);
        }
        self.apply_simplified(operation, width, arguments)
    }

    fn apply_simplified(
        &mut self,
        operation: Operation,
        width: u32,
        arguments: &[TermId],
    ) -> TermId {
        if self.depth == MOST_NESTED {
            return self.intern_operation(operation, width, arguments);
        }
        self.depth += 1;
        let simpler = self.simplify(operation, width, arguments);
        self.depth -= 1;
        match simpler {
            Some(simpler) => {
                debug_assert_eq!(self.width(simpler), width, "{operation:?}");
                simpler
            }
            None => self.intern_valued(operation, width, arguments),
        }
    }

    /// The order of the arguments of commutative operations: constants last.
    fn comes_after(&self, left: TermId, right: TermId) -> bool {
        let key = |term| (self.constant_value(term).is_some(), term);
        key(left) > key(right)
    }

    /// The value of an operation whose arguments are all constants.
    fn fold(&self, operation: Operation, width: u32, arguments: &[TermId]) -> Option<u128> {
        let mut values = [BitVector { bits: 0, width: 1 }; 3];
        for (value, &argument) in values.iter_mut().zip(arguments) {
            *value = BitVector {
                bits: self.constant_value(argument)?,
                width: self.width(argument),
            };
        }
        Some(evaluate_operation(
            operation,
            width,
            &values[..arguments.len()],
        ))
    }

    fn demand_widths(&self, operation: Operation, width: u32, arguments: &[TermId]) {
        let width_of = |index: usize| self.width(arguments[index]);
        let is_right = arguments.len() == operation.arity()
            && match operation {
                Operation::Not | Operation::Negate => width_of(0) == width,
                Operation::Extract { low } => u32::from(low) + width <= width_of(0),
                Operation::ZeroExtend | Operation::SignExtend => width_of(0) <= width,
                Operation::Concatenate => width_of(0) + width_of(1) == width,
                Operation::IfThenElse => {
                    width_of(0) == 1 && width_of(1) == width && width_of(2) == width
                }
                _ => {
                    width_of(0) == width_of(1)
                        && width
                            == if operation.is_predicate() {
                                1
                            } else {
                                width_of(0)
                            }
                }
            };
        assert!(
            is_right,
            "{operation:?} of {width} bits does not take {:?}",
            arguments
                .iter()
                .map(|&it| self.width(it))
                .collect::<Vec<_>>()
        );
    }

    fn unary(&mut self, operation: Operation, argument: TermId) -> TermId {
        self.apply(operation, self.width(argument), &[argument])
    }

    fn binary(&mut self, operation: Operation, left: TermId, right: TermId) -> TermId {
        self.apply(operation, self.width(left), &[left, right])
    }

    fn predicate(&mut self, operation: Operation, left: TermId, right: TermId) -> TermId {
        self.apply(operation, 1, &[left, right])
    }

    /// Flips every bit; of a truth value, its negation.
    pub fn not(&mut self, argument: TermId) -> TermId {
        self.unary(Operation::Not, argument)
    }

    pub fn negate(&mut self, argument: TermId) -> TermId {
        self.unary(Operation::Negate, argument)
    }

    pub fn and(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::And, left, right)
    }

    pub fn or(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::Or, left, right)
    }

    pub fn xor(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::Xor, left, right)
    }

    pub fn add(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::Add, left, right)
    }

    pub fn subtract(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::Subtract, left, right)
    }

    pub fn multiply(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::Multiply, left, right)
    }

    pub fn divide_unsigned(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::DivideUnsigned, left, right)
    }

    pub fn remainder_unsigned(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::RemainderUnsigned, left, right)
    }

    pub fn divide_signed(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::DivideSigned, left, right)
    }

    pub fn remainder_signed(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Operation::RemainderSigned, left, right)
    }

    pub fn shift_left(&mut self, left: TermId, amount: TermId) -> TermId {
        self.binary(Operation::ShiftLeft, left, amount)
    }

    pub fn shift_right_logical(&mut self, left: TermId, amount: TermId) -> TermId {
        self.binary(Operation::ShiftRightLogical, left, amount)
    }

    pub fn shift_right_arithmetic(&mut self, left: TermId, amount: TermId) -> TermId {
        self.binary(Operation::ShiftRightArithmetic, left, amount)
    }

    pub fn equal(&mut self, left: TermId, right: TermId) -> TermId {
        self.predicate(Operation::Equal, left, right)
    }

    pub fn differ(&mut self, left: TermId, right: TermId) -> TermId {
        let equal = self.equal(left, right);
        self.not(equal)
    }

    /// Whether a term is this number.
    pub fn equals_constant(&mut self, term: TermId, bits: u128) -> TermId {
        let constant = self.constant(bits, self.width(term));
        self.equal(term, constant)
    }

    pub fn less_unsigned(&mut self, left: TermId, right: TermId) -> TermId {
        self.predicate(Operation::LessUnsigned, left, right)
    }

    pub fn less_equal_unsigned(&mut self, left: TermId, right: TermId) -> TermId {
        self.predicate(Operation::LessEqualUnsigned, left, right)
    }

    pub fn less_signed(&mut self, left: TermId, right: TermId) -> TermId {
        self.predicate(Operation::LessSigned, left, right)
    }

    pub fn less_equal_signed(&mut self, left: TermId, right: TermId) -> TermId {
        self.predicate(Operation::LessEqualSigned, left, right)
    }

    pub fn if_then_else(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.apply(
            Operation::IfThenElse,
            self.width(then),
            &[condition, then, otherwise],
        )
    }

    /// `left` implies `right`, for truth values.
    pub fn implies(&mut self, left: TermId, right: TermId) -> TermId {
        let negated = self.not(left);
        self.or(negated, right)
    }

    /// The conjunction of truth values; true if there are none. A balanced tree, so that it is not deep.
    pub fn all(&mut self, conditions: &[TermId]) -> TermId {
        self.balanced(Operation::And, conditions)
    }

    /// The disjunction of truth values; false if there are none.
    pub fn any(&mut self, conditions: &[TermId]) -> TermId {
        self.balanced(Operation::Or, conditions)
    }

    fn balanced(&mut self, operation: Operation, conditions: &[TermId]) -> TermId {
        let mut level = conditions.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => self.apply(operation, 1, &[left, right]),
                    _ => pair[0],
                })
                .collect();
        }
        match level.first() {
            Some(&only) => only,
            None => self.truth(operation == Operation::And),
        }
    }

    /// `high` above `low`, together at most 128 bits.
    pub fn concatenate(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        self.apply(Operation::Concatenate, width, &[high, low])
    }

    /// `width` bits, from bit `low` upwards.
    pub fn extract(&mut self, term: TermId, low: u32, width: u32) -> TermId {
        let low = u8::try_from(low).expect("a bit of a term of at most 128 bits");
        self.apply(Operation::Extract { low }, width, &[term])
    }

    pub fn zero_extend(&mut self, term: TermId, width: u32) -> TermId {
        self.apply(Operation::ZeroExtend, width, &[term])
    }

    pub fn sign_extend(&mut self, term: TermId, width: u32) -> TermId {
        self.apply(Operation::SignExtend, width, &[term])
    }

    /// Cut, or extended by the sign if there is one: the conversion between integers in C.
    pub fn resize(&mut self, term: TermId, width: u32, is_signed: bool) -> TermId {
        match width.cmp(&self.width(term)) {
            std::cmp::Ordering::Less => self.extract(term, 0, width),
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater if is_signed => self.sign_extend(term, width),
            std::cmp::Ordering::Greater => self.zero_extend(term, width),
        }
    }
}
