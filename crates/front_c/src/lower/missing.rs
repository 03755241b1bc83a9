//! What the program uses and nobody defines, and functions of the library that are known and not modelled.

use raddle_base::Span;
use raddle_diag::Diagnostic;

use crate::Warning;
use crate::typed::{
    Callee, Expression, ExpressionKind, Function, FunctionId, ObjectId, StatementKind,
};

use super::Lowering;

/// What our text calls where it gives up.
const REFUSAL: &str = "__raddle_unsupported";

/// What helps, whatever is missing.
const HELP: &str = "define it in a file of yours; `raddle stubs` writes one to begin with";

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

    /// Takes note of an object that nobody defines, and says so, once.
    pub(super) fn miss_object(&mut self, id: ObjectId, span: Option<Span>) {
        self.missing.objects.insert(id);
        let warning = Diagnostic::warning(
            "c",
            format!(
                "`{}` is declared, no file defines it: an execution that uses it is not followed further",
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
