//! From terms to gates: every bit of a term becomes one bit of the graph. A term that was translated stays so.

mod arithmetic;
mod circuits;

use raddle_base::{Budget, Exhausted, Id};

use crate::gates::{Bit, Gates};
use crate::terms::{Operation, Term, TermId, Terms, VariableId};

/// How many terms are translated between two looks at the budget.
const TERMS_BETWEEN_CHECKS: usize = 256;

/// Translates the terms of one [`Terms`].
#[derive(Default)]
pub struct Blaster {
    gates: Gates,
    /// The bits of all terms, lowest first.
    bits: Vec<Bit>,
    /// Where the bits of a term begin.
    starts: Vec<Option<usize>>,
    variables: Vec<VariableId>,
    translated: usize,
}

impl Blaster {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// The variables that occur in what was translated, in the order in which they were met.
    pub fn variables(&self) -> &[VariableId] {
        &self.variables
    }

    /// How many terms were translated.
    pub fn translated(&self) -> usize {
        self.translated
    }

    /// Translates a term with all that it is built of, and gives its bits, lowest first.
    pub fn blast(
        &mut self,
        terms: &Terms,
        root: TermId,
        budget: &Budget,
    ) -> Result<&[Bit], Exhausted> {
        if self.starts.len() < terms.len() {
            self.starts.resize(terms.len(), None);
        }
        terms.visit_below(
            root,
            self,
            |this, term| this.starts[term.index()].is_some(),
            |this, term| {
                if this.translated.is_multiple_of(TERMS_BETWEEN_CHECKS) {
                    budget.check()?;
                }
                let bits = this.translate(terms, term);
                debug_assert_eq!(Ok(bits.len()), usize::try_from(terms.width(term)));
                this.starts[term.index()] = Some(this.bits.len());
                this.bits.extend(bits);
                this.translated += 1;
                Ok(())
            },
        )?;
        Ok(self.bits(terms, root))
    }

    /// The bits of a term, lowest first, if it was translated.
    pub fn known_bits(&self, terms: &Terms, term: TermId) -> Option<&[Bit]> {
        let is_known = self.starts.get(term.index())?.is_some();
        is_known.then(|| self.bits(terms, term))
    }

    /// The bits of a term that was translated, lowest first.
    pub fn bits(&self, terms: &Terms, term: TermId) -> &[Bit] {
        let start = self.starts[term.index()].expect("the term was translated");
        &self.bits[start..start + usize::from(narrow(terms.width(term)))]
    }

    fn translate(&mut self, terms: &Terms, term: TermId) -> Vec<Bit> {
        let width = terms.width(term);
        let (operation, arguments) = match terms.term(term) {
            Term::Constant(bits) => return circuits::constant(bits, width),
            Term::Variable(variable) => {
                self.variables.push(variable);
                return (0..width).map(|_| self.gates.input()).collect();
            }
            Term::Apply(operation, arguments) => (operation, arguments),
        };
        let first = self.bits(terms, arguments[0]).to_vec();
        let second = match arguments.get(1) {
            Some(&argument) => self.bits(terms, argument).to_vec(),
            None => Vec::new(),
        };
        let (a, b) = (&first[..], &second[..]);
        let gates = &mut self.gates;
        match operation {
            Operation::Not => a.iter().map(|&bit| !bit).collect(),
            Operation::Negate => circuits::negate(gates, a),
            Operation::And => circuits::pairwise(a, b, |a, b| gates.and(a, b)),
            Operation::Or => circuits::pairwise(a, b, |a, b| gates.or(a, b)),
            Operation::Xor => circuits::pairwise(a, b, |a, b| gates.xor(a, b)),
            Operation::Add => circuits::add(gates, a, b),
            Operation::Subtract => circuits::subtract(gates, a, b),
            Operation::Multiply => arithmetic::multiply(gates, a, b),
            Operation::DivideUnsigned => arithmetic::divide_unsigned(gates, a, b).quotient,
            Operation::RemainderUnsigned => arithmetic::divide_unsigned(gates, a, b).remainder,
            Operation::DivideSigned => arithmetic::divide_signed(gates, a, b).quotient,
            Operation::RemainderSigned => arithmetic::divide_signed(gates, a, b).remainder,
            Operation::ShiftLeft => arithmetic::shift_left(gates, a, b),
            Operation::ShiftRightLogical => arithmetic::shift_right(gates, a, b, Bit::FALSE),
            Operation::ShiftRightArithmetic => {
                arithmetic::shift_right(gates, a, b, circuits::sign(a))
            }
            Operation::Equal => vec![circuits::equal(gates, a, b)],
            Operation::LessUnsigned => vec![circuits::less_unsigned(gates, a, b)],
            Operation::LessEqualUnsigned => vec![!circuits::less_unsigned(gates, b, a)],
            Operation::LessSigned => vec![circuits::less_signed(gates, a, b)],
            Operation::LessEqualSigned => vec![!circuits::less_signed(gates, b, a)],
            Operation::MultiplyOverflowsUnsigned => {
                vec![arithmetic::multiply_overflows_unsigned(gates, a, b)]
            }
            Operation::MultiplyOverflowsSigned => {
                vec![arithmetic::multiply_overflows_signed(gates, a, b)]
            }
            Operation::IfThenElse => {
                let otherwise = self.bits(terms, arguments[2]).to_vec();
                circuits::choose(&mut self.gates, a[0], b, &otherwise)
            }
            Operation::Concatenate => [b, a].concat(),
            Operation::Extract { low } => {
                let low = usize::from(low);
                a[low..low + usize::from(narrow(width))].to_vec()
            }
            Operation::ZeroExtend => circuits::extend(a, width, Bit::FALSE),
            Operation::SignExtend => circuits::extend(a, width, circuits::sign(a)),
        }
    }
}

fn narrow(width: u32) -> u8 {
    u8::try_from(width).expect("a term has at most 128 bits")
}
