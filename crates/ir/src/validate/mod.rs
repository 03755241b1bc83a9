//! The rules that make a draft a program. Each broken rule is reported by its name.
//!
//! Names
//! - V1: globals, functions, structs and atomic sets share one namespace and have distinct names; an index
//!   variable is called as none of them is.
//! - V2: registers of a function have distinct names.
//! - V3: labels of a function are distinct.
//! - V4: fields of a struct have distinct names.
//! - V5: a name is not empty and holds neither backticks nor control characters.
//! - V6: roots have distinct display names.
//!
//! Types
//! - V7: integers have 1 to 128 bits.
//! - V8: structs exist, no struct contains itself, and types nest at most [`MAX_DEPTH`] deep.
//! - V9: the alignment of a struct is a power of two, its fields lie inside its size, those of a union at its start.
//! - V10: every type has a size that fits 63 bits.
//!
//! Globals
//! - V11: an object has fewer bytes than an offset can tell apart.
//! - V12: globals, functions and the null pointer leave the numbers of made objects alone.
//! - V13: initial values lie inside their object; those of synchronisation objects on one of their family.
//! - V14: initial values are constants of their type, or the address of a function or of a global that is
//!   not thread-local, plus a constant that stays in the offset part; those of thread-local globals are determined.
//!
//! Functions
//! - V15: parameters are the first registers and no temporaries.
//! - V16: entry, exit and the ends of edges are locations of the function, and the entry is not the exit.
//! - V17: no edge leaves the exit; returns and ends of threads and of the process lead to it.
//! - V18: from every other location that the entry reaches some edge leaves.
//!
//! Expressions
//! - V19: they nest at most [`MAX_DEPTH`] deep.
//! - V20: registers, globals, functions and atomic sets that they or actions name exist.
//! - V21: constants have no bits beyond their type.
//! - V22: they are well typed: `- + * /` on integers and floats; `-% +% *% % & | ^ ~` on integers; shifts on
//!   any two integers; `== !=` on any scalars; `< <= > >=` on all but threads; `offset` on a pointer and an
//!   integer, `distance` on two pointers; both operands of the others and both branches of a choice have
//!   one type; conditions of choices are `u1`; casts go between integers, between integers and floats,
//!   pointers or threads, between floats, and from a type to itself.
//!
//! Actions
//! - V23: conditions of assume and assert are `u1`.
//! - V24: the types of an assignment or access, its value and its register are one; addresses are pointers;
//!   sizes are integers; an arithmetic read-modify-write is on integers.
//! - V25: a compare-exchange tells success in a `u1`, in another register than the value.
//! - V26: operations on synchronisation objects give integers and name a mutex iff they take one; semaphores
//!   and barriers count in integers.
//! - V27: a call or spawn of a known function has arguments and a target of its types; a spawn gives a thread.
//! - V28: joins and detaches are on threads.
//! - V29: a function with a result returns a value of its type, one without returns none.
//! - V30: the status of a process is an integer.
//! - V31: a text has as many holes as arguments, and each conversion fits its argument.
//!
//! Roots
//! - V32: there is a root; its arguments are constants of the parameters' types.
//! - V33: a function `main` without parameters is the function of a root (its text form makes it one).
//!
//! Formulas and atomic sets
//! - V34: every atom has a register of its type and ranges over earlier atoms.
//! - V35: every atom is used exactly once, in the order of its evaluation.
//! - V36: the body is a `u1`.
//! - V37: an invariant has no subject: it names no thread, no program point and no thread-local global.
//! - V38: index variables stand only in predicates on families of cells.
//! - V39: a program point is a location that the entry reaches, and not the exit.
//! - V40: a predicate of exclusive access is on a cell of a global that is not thread-local; a family of cells
//!   is a path of the global's type with the variable for one index.
//! - V41: members of atomic sets are parts of globals.
//! - V42: where there are invariants or predicates of exclusive access, no global is opaque: they could read it.
//!
//! Beyond checking, locations are numbered in depth-first order from the entry, following edges in order, the
//! exit last; locations that the entry does not reach are dropped; edges are sorted by where they begin;
//! registers that are called as a global or function is get another name; registers of formulas get the names `atom0`, `atom1`, …; addresses of exclusive cells get their normal
//! form; the exit has no label.

mod action;
mod expression;
mod formula;
mod function;
mod global;
mod liveness;
mod name;
mod number;
mod types;

#[cfg(test)]
mod tests;

use raddle_base::Span;

use crate::program::{Program, ProgramDraft};

/// How deep expressions and types may nest, so that recursion over them is safe and the reader of the text
/// form, for which each level is brackets and an operator, gets by with a small stack.
pub const MAX_DEPTH: usize = 200;

/// A rule that a draft breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The name of the rule, as in the list above.
    pub rule: &'static str,
    pub message: String,
    pub span: Option<Span>,
}

/// Checks every rule and numbers locations and edges canonically.
///
/// # Errors
///
/// Every rule that is broken, with the place.
pub fn validate(mut draft: ProgramDraft) -> Result<Program, Vec<Invalid>> {
    let mut report = Report::default();
    name::check(&draft, &mut report);
    types::check(&draft, &mut report);
    // What follows measures types and walks expressions, which is safe only once these are in order.
    report.result()?;
    global::check(&draft, &mut report);
    for (id, function) in draft.functions.iter() {
        function::check(&draft, id, function, &mut report);
    }
    global::check_roots(&draft, &mut report);
    formula::check(&draft, &mut report);
    report.result()?;
    let facts = number::renumber(&mut draft, &mut report);
    report.result()?;
    Ok(Program::new(draft, facts))
}

/// Broken rules, in the order in which they were found.
#[derive(Default)]
struct Report {
    invalid: Vec<Invalid>,
}

impl Report {
    fn add(&mut self, rule: &'static str, span: Option<Span>, message: impl Into<String>) {
        self.invalid.push(Invalid {
            rule,
            message: message.into(),
            span,
        });
    }

    fn result(&mut self) -> Result<(), Vec<Invalid>> {
        if self.invalid.is_empty() {
            Ok(())
        } else {
            Err(std::mem::take(&mut self.invalid))
        }
    }
}
