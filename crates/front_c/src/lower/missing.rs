//! What the program uses and nobody defines, and functions of the library that are known and not modelled.

use raddle_base::Span;
use raddle_diag::Diagnostic;

use crate::Warning;
use crate::gnu::is_of_the_implementation;
use crate::typed::{
    Callee, Expression, ExpressionKind, Function, FunctionId, Object, ObjectId, StatementKind,
};
use crate::types::{Length, Type};

use super::Lowering;

/// What our text calls where it gives up.
const REFUSAL: &str = "__raddle_unsupported";

/// Ends of what the program takes in memory.
const ENDS: [&str; 3] = ["edata", "end", "etext"];

/// Whether a name may be that of an end of a section, or of a table that the linker puts together. Where that is empty, two of them
/// are one address.
fn may_be_made_by_the_linker(object: &Object) -> bool {
    let is_reserved = object.name.starts_with('_');
    match &object.ty.ty {
        Type::Array(_, Length::Unspecified) => true,
        _ if object.name.starts_with("__start_") || object.name.starts_with("__stop_") => true,
        // Records that are called so are objects, as `__this_module` of Linux.
        Type::Record(_) if is_reserved => false,
        _ => is_of_the_implementation(&object.name) || ENDS.contains(&object.name.as_str()),
    }
}

/// What helps, whatever is missing.
const HELP: &str =
    "define it in a file of yours, which takes precedence; `raddle stubs` writes one to begin with";

impl Lowering<'_> {
    /// Whether all that our text has to say of a function is that it is not supported.
    pub(super) fn is_refused(&self, function: FunctionId) -> bool {
        let source = &self.module.functions[function];
        let first = source.body.as_ref().and_then(|it| it.statements.first());
        source.is_library
            && match first.map(|it| &it.kind) {
                Some(StatementKind::Expression(expression)) => self.is_refusal(expression),
                Some(_) | None => false,
            }
    }

    fn is_refusal(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Call(Callee::Direct(callee), _) => {
                self.module.functions[*callee].name == REFUSAL
            }
            _ => false,
        }
    }

    /// Whether calls of a function return anything: it is not modelled, and the user wants it so. Who never returns
    /// cannot.
    pub(super) fn returns_anything(&self, function: FunctionId) -> bool {
        let source = &self.module.functions[function];
        self.options.extern_havoc
            && !source.is_noreturn
            && source.unsupported.is_none()
            && (source.body.is_none() || self.is_refused(function))
    }

    /// Takes note of a function that nobody defines or that is not modelled, and says so, once.
    pub(super) fn miss_function(&mut self, id: FunctionId, span: Option<Span>) {
        self.missing.functions.insert(id);
        let function = &self.module.functions[id];
        // That something known is not modelled is said where it is reached.
        if function.body.is_none() || self.returns_anything(id) {
            let warning = self.undefined_warning(function);
            self.warn_once(warning, span, "called here");
        }
    }

    fn undefined_warning(&self, function: &Function) -> Warning {
        let state = if function.body.is_none() {
            "defined"
        } else {
            "modelled"
        };
        let name = &function.name;
        let diagnostic = if self.options.extern_havoc && !function.is_noreturn {
            Diagnostic::warning("c", format!("`{name}` is not {state}: it returns anything"))
                .note("it is taken to change no memory of the program")
        } else {
            Diagnostic::warning(
                "c",
                format!(
                    "`{name}` is not {state}: an execution that calls it is not followed further"
                ),
            )
            .help("name the file that defines it")
            .help(HELP)
        };
        Warning {
            diagnostic,
            is_for_want_of_havoc: !self.options.extern_havoc && !function.is_noreturn,
        }
    }

    /// Whether nobody defines an object, and its address is fine as long as nobody follows it. Formulas could, and each thread has
    /// another address of what is thread-local.
    pub(super) fn is_opaque(&self, id: ObjectId) -> bool {
        let object = &self.module.objects[id];
        !object.is_defined
            && !object.is_null
            && !object.is_thread_local
            && object.unsupported.is_none()
            && !may_be_made_by_the_linker(object)
            && !self.has_formulas
    }

    /// Takes note of an object that nobody defines, and says so, once.
    pub(super) fn miss_object(&mut self, id: ObjectId, span: Option<Span>) {
        self.missing.objects.insert(id);
        let warning = Diagnostic::warning(
            "c",
            format!(
                "`{}` is declared, no file defines it: an execution that looks at what it holds is not followed further",
                self.module.objects[id].name
            ),
        )
        .help(HELP);
        self.warn_once(warning.into(), span, "used here");
    }

    fn warn_once(&mut self, mut warning: Warning, span: Option<Span>, label: &str) {
        let message = &warning.diagnostic.message;
        if (self.warnings.iter()).any(|it| it.diagnostic.message == *message) {
            return;
        }
        if let Some(span) = span {
            warning.diagnostic = warning.diagnostic.at(span, label);
        }
        self.warnings.push(warning);
    }
}
