//! Assertions as text in SMT-LIB 2, logic `QF_BV`, for other solvers.
//!
//! Every operation is a definition of its own, so that the text is as long as the terms are many, however they are shared
//! and however deep they are. Truth values are bit-vectors of one bit there too.

use std::fmt::{self, Write};

use raddle_base::Id;

use crate::terms::{Operation, Term, TermId, Terms, VariableId};

/// A script that declares the variables, asserts the conditions and asks whether they can hold together.
pub fn script(terms: &Terms, conditions: &[TermId]) -> String {
    let mut text = String::new();
    write_script(&mut text, terms, conditions).expect("a string takes all text");
    text
}

/// Writes what [`script`] gives.
pub fn write_script(out: &mut impl Write, terms: &Terms, conditions: &[TermId]) -> fmt::Result {
    let printer = Printer {
        terms,
        prefix: free_prefix(terms),
    };
    writeln!(out, "(set-logic QF_BV)")?;
    for term in terms.below(conditions) {
        let width = terms.width(term);
        match terms.term(term) {
            Term::Constant(_) => {}
            Term::Variable(variable) => {
                let name = printer.variable(variable);
                writeln!(out, "(declare-const {name} (_ BitVec {width}))")?;
            }
            Term::Apply(operation, arguments) => {
                let name = printer.reference(term);
                write!(out, "(define-fun {name} () (_ BitVec {width}) ")?;
                printer.operation(out, operation, width, arguments)?;
                writeln!(out, ")")?;
            }
        }
    }
    for &condition in conditions {
        writeln!(out, "(assert (= {} #b1))", printer.reference(condition))?;
    }
    writeln!(out, "(check-sat)")
}

/// What no variable's name begins with.
fn free_prefix(terms: &Terms) -> String {
    let mut prefix = String::from("term");
    while terms
        .variables()
        .any(|variable| terms.variable_name(variable).starts_with(&prefix))
    {
        prefix.push('_');
    }
    prefix
}

struct Printer<'a> {
    terms: &'a Terms,
    prefix: String,
}

impl Printer<'_> {
    fn variable(&self, variable: VariableId) -> String {
        let name = self.terms.variable_name(variable);
        let is_printable = name
            .chars()
            .all(|it| it.is_ascii_graphic() && it != '|' && it != '\\');
        if is_printable {
            format!("|{name}|")
        } else {
            format!("{}_variable{}", self.prefix, variable.index())
        }
    }

    /// The name of a term, or the constant itself.
    fn reference(&self, term: TermId) -> String {
        match self.terms.term(term) {
            Term::Constant(bits) => constant(bits, self.terms.width(term)),
            Term::Variable(variable) => self.variable(variable),
            Term::Apply(..) => format!("{}{}", self.prefix, term.index()),
        }
    }

    fn operation(
        &self,
        out: &mut impl Write,
        operation: Operation,
        width: u32,
        arguments: &[TermId],
    ) -> fmt::Result {
        let inner = self.terms.width(arguments[0]);
        let names: Vec<String> = arguments.iter().map(|&it| self.reference(it)).collect();
        let all = names.join(" ");
        match operation {
            Operation::Not => write!(out, "(bvnot {all})"),
            Operation::Negate => write!(out, "(bvneg {all})"),
            Operation::And => write!(out, "(bvand {all})"),
            Operation::Or => write!(out, "(bvor {all})"),
            Operation::Xor => write!(out, "(bvxor {all})"),
            Operation::Add => write!(out, "(bvadd {all})"),
            Operation::Subtract => write!(out, "(bvsub {all})"),
            Operation::Multiply => write!(out, "(bvmul {all})"),
            Operation::DivideUnsigned => write!(out, "(bvudiv {all})"),
            Operation::RemainderUnsigned => write!(out, "(bvurem {all})"),
            Operation::DivideSigned => write!(out, "(bvsdiv {all})"),
            Operation::RemainderSigned => write!(out, "(bvsrem {all})"),
            Operation::ShiftLeft => write!(out, "(bvshl {all})"),
            Operation::ShiftRightLogical => write!(out, "(bvlshr {all})"),
            Operation::ShiftRightArithmetic => write!(out, "(bvashr {all})"),
            Operation::Equal => write!(out, "(ite (= {all}) #b1 #b0)"),
            Operation::LessUnsigned => write!(out, "(ite (bvult {all}) #b1 #b0)"),
            Operation::LessEqualUnsigned => write!(out, "(ite (bvule {all}) #b1 #b0)"),
            Operation::LessSigned => write!(out, "(ite (bvslt {all}) #b1 #b0)"),
            Operation::LessEqualSigned => write!(out, "(ite (bvsle {all}) #b1 #b0)"),
            // The exact product has twice the bits. It fits if the high half says no more than the low one.
            Operation::MultiplyOverflowsUnsigned | Operation::MultiplyOverflowsSigned => {
                let extend = if operation == Operation::MultiplyOverflowsSigned {
                    "sign_extend"
                } else {
                    "zero_extend"
                };
                let [left, right] = [&names[0], &names[1]];
                write!(
                    out,
                    "(let ((product (bvmul ((_ {extend} {inner}) {left}) ((_ {extend} {inner}) {right})))) \
                     (ite (= product ((_ {extend} {inner}) ((_ extract {} 0) product))) #b0 #b1))",
                    inner - 1
                )
            }
            Operation::IfThenElse => {
                write!(out, "(ite (= {} #b1) {} {})", names[0], names[1], names[2])
            }
            Operation::Concatenate => write!(out, "(concat {all})"),
            Operation::Extract { low } => {
                let low = u32::from(low);
                write!(out, "((_ extract {} {low}) {all})", low + width - 1)
            }
            Operation::ZeroExtend => write!(out, "((_ zero_extend {}) {all})", width - inner),
            Operation::SignExtend => write!(out, "((_ sign_extend {}) {all})", width - inner),
        }
    }
}

fn constant(bits: u128, width: u32) -> String {
    let digits = usize::try_from(width).expect("32 bits fit");
    if width.is_multiple_of(4) {
        format!("#x{bits:0digits$x}", digits = digits / 4)
    } else {
        format!("#b{bits:0digits$b}")
    }
}
