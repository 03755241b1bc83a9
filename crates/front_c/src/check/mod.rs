//! From syntax trees to the typed tree: names, types, layouts, conversions, constants and initialisers are settled here.
//!
//! - `unit`: what stands at file scope;
//! - `specify`, `enumeration`, `declarator`, `attribute`, `layout`: what type a declaration means; `pragma`: what pragmas say;
//! - `function`, `nested`, `statement`, `declare`, `cleanup`, `asm`: bodies;
//! - `expression`, `literal`, `member`, `operator`, `assign`, `call`, `system_call`: expressions;
//! - `builtin`, `float_builtin`, `atomic`: what gcc knows by itself;
//! - `convert`, `coerce`, `compatible`: conversions; `fold`: constants;
//! - `initial`, `fill`, `leaf`, `constant_initial`: initialisers;
//! - `scope`, `link`: names in a unit and among units; `show`: types in messages.
//!
//! An error is reported where it is found; what depends on it is `Poisoned` and says nothing more.

mod asm;
mod assign;
mod atomic;
mod attribute;
mod builtin;
mod call;
mod cleanup;
mod coerce;
mod compatible;
mod constant_initial;
mod convert;
mod declarator;
mod declare;
mod enumeration;
mod expression;
mod fill;
mod float_builtin;
mod fold;
mod function;
mod initial;
mod layout;
mod leaf;
mod link;
mod literal;
mod member;
mod nested;
mod number;
mod operator;
mod pragma;
mod scope;
mod show;
mod specify;
mod statement;
mod system_call;
mod unit;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use raddle_base::{Arena, Span};
use raddle_c_syntax::tree::{self, Name};
use raddle_diag::{Diagnostic, Severity};
use raddle_ir::DataModel;

use crate::typed::{Expression, Function, FunctionId, Module, Object, ObjectId};
use crate::types::{Enumeration, EnumerationId, Record, RecordId};

pub(crate) use atomic::names as atomic_builtins;
use function::FunctionState;
use link::{Externals, FunctionFacts, ObjectFacts};
use scope::Scope;

/// A syntax tree, and whose it is.
#[derive(Clone, Copy, Debug)]
pub struct CheckedUnit<'t> {
    pub unit: &'t tree::Unit,
    /// Our own text: its definitions give way to the user's, and warnings about it are of no interest.
    pub is_library: bool,
    /// Whether pragmas of OpenMP mean nothing; else reaching one makes the verdict unknown.
    pub ignores_openmp: bool,
}

/// Gives the units of a program their meaning and links them. Units of the library come first.
///
/// The module is only of use if no diagnostic is an error.
pub fn check(units: &[CheckedUnit<'_>], model: DataModel) -> (Module, Vec<Diagnostic>) {
    let mut checker = Checker::new(model);
    checker.note_user_definitions(units);
    for unit in units {
        checker.unit(unit);
    }
    checker.finish()
}

/// An error was reported already.
#[derive(Clone, Copy, Debug)]
struct Poisoned;

type Checked<T> = Result<T, Poisoned>;

/// After so many errors nothing more is said.
const ERROR_LIMIT: usize = 100;

struct Checker {
    model: DataModel,
    records: Arena<RecordId, Record>,
    enumerations: Arena<EnumerationId, Enumeration>,
    objects: Arena<ObjectId, Object>,
    functions: Arena<FunctionId, Function>,
    /// As long as `functions` and `objects`.
    function_facts: Vec<FunctionFacts>,
    object_facts: Vec<ObjectFacts>,
    externals: Externals,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    is_library: bool,
    /// Which unit, from 0.
    unit_index: usize,
    /// The first is that of the file.
    scopes: Vec<Scope>,
    /// That of the file scope has no function; nothing of it gets into the module.
    function: FunctionState,
    /// The functions around it, the outermost first.
    enclosing: Vec<FunctionState>,
    /// Where pointers to nested functions lead.
    nested_entries: HashMap<FunctionId, ObjectId>,
    /// String literals by their units' size and bytes.
    strings: HashMap<(u64, Vec<u8>), ObjectId>,
    literals: usize,
    transparent_unions: HashSet<RecordId>,
    va_list_record: Option<RecordId>,
    /// Assignments to the hidden lengths of arrays of variable length, to be evaluated where their type was met.
    pending: Vec<Expression>,
    /// Those of the unit, in order.
    pragmas: Vec<tree::Pragma>,
    /// How many of them have been met.
    pragmas_met: usize,
    ignores_openmp: bool,
    /// Names of attributes that nobody has heard of, said already.
    unknown_attributes: HashSet<Name>,
    /// What attributes say for us.
    annotations: Vec<tree::Annotation>,
    /// The signals that the program sends, as far as all are constants.
    sent_signals: Option<u64>,
    /// In how many parameter lists of mere declarations we are: lengths there are not evaluated.
    prototype_depth: usize,
}

impl Checker {
    fn new(model: DataModel) -> Self {
        Self {
            model,
            records: Arena::new(),
            enumerations: Arena::new(),
            objects: Arena::new(),
            functions: Arena::new(),
            function_facts: Vec::new(),
            object_facts: Vec::new(),
            externals: Externals::default(),
            diagnostics: Vec::new(),
            errors: 0,
            is_library: false,
            unit_index: 0,
            scopes: vec![Scope::default()],
            function: FunctionState::outside(),
            enclosing: Vec::new(),
            nested_entries: HashMap::new(),
            strings: HashMap::new(),
            literals: 0,
            transparent_unions: HashSet::new(),
            va_list_record: None,
            pending: Vec::new(),
            pragmas: Vec::new(),
            pragmas_met: 0,
            ignores_openmp: false,
            unknown_attributes: HashSet::new(),
            annotations: Vec::new(),
            sent_signals: Some(0),
            prototype_depth: 0,
        }
    }

    /// Reports an error; what depends on it is poisoned.
    fn error(&mut self, span: Span, message: impl Into<String>) -> Poisoned {
        self.report(Diagnostic::error("c", message).at(span, ""))
    }

    fn unsupported_error(&mut self, span: Span, message: impl Into<String>) -> Poisoned {
        self.report(Diagnostic::error("c-unsupported", message).at(span, "not supported"))
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        if !self.is_library {
            self.diagnostics
                .push(Diagnostic::warning("c", message).at(span, ""));
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Poisoned {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            if self.errors > ERROR_LIMIT {
                return Poisoned;
            }
        }
        self.diagnostics.push(diagnostic);
        Poisoned
    }
}

/// The name as a key of tables.
fn name(text: &str) -> Name {
    Name::from(text)
}
