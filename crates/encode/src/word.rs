//! Symbolic values: bits, and whether they were ever set.

use raddle_ir::interpret::Value;
use raddle_logic::{TermId, Terms};

use crate::guard::assuming;

/// What a register or a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub bits: TermId,
    /// A truth value: where it is false, the bits mean nothing.
    pub is_defined: TermId,
}

impl Word {
    pub fn defined(terms: &mut Terms, bits: TermId) -> Word {
        let is_defined = terms.truth(true);
        Word { bits, is_defined }
    }

    pub fn undefined(terms: &mut Terms, width: u32) -> Word {
        Word {
            bits: terms.constant(0, width),
            is_defined: terms.truth(false),
        }
    }

    pub fn of_value(terms: &mut Terms, value: Value, width: u32) -> Word {
        match value {
            Value::Bits(bits) => {
                let bits = terms.constant(bits, width);
                Word::defined(terms, bits)
            }
            Value::Undefined => Word::undefined(terms, width),
        }
    }

    /// The same where a guard holds, simpler if that decides parts of it.
    pub fn given(self, terms: &mut Terms, guard: TermId) -> Word {
        Word {
            bits: assuming(terms, self.bits, &[guard]),
            is_defined: assuming(terms, self.is_defined, &[guard]),
        }
    }

    /// The first where the condition holds, else the second.
    pub fn choose(terms: &mut Terms, condition: TermId, then: Word, otherwise: Word) -> Word {
        if then == otherwise {
            return then;
        }
        // Bits that mean nothing may be any: the others' keep terms small.
        let bits = if terms.is_false(otherwise.is_defined) {
            then.bits
        } else if terms.is_false(then.is_defined) {
            otherwise.bits
        } else {
            terms.if_then_else(condition, then.bits, otherwise.bits)
        };
        Word {
            bits,
            is_defined: terms.if_then_else(condition, then.is_defined, otherwise.is_defined),
        }
    }
}
