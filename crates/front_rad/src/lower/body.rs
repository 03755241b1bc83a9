//! What expressions are lowered into: the body of a function, a formula, or nothing but a constant.

use std::collections::BTreeMap;

use raddle_base::{Arena, Span};
use raddle_diag::Diagnostic;
use raddle_ir::formula::Elements;
use raddle_ir::{Atom, Expression, LocationId, Register, RegisterId};

use crate::message::{Messages, Reported, name_error, nearest, type_error};

use crate::syntax::Label;

use super::automaton::{Automaton, Point};
use super::brackets::Cleanup;
use super::context::{Context, Meaning};
use super::control::LoopInfo;
use super::labels::LabelInfo;
use super::surface::Ty;

pub(super) type Lowered<T> = Result<T, Reported>;

pub(super) struct Body<'c, 'i, 's> {
    pub(super) context: &'c Context<'i, 's>,
    pub(super) messages: &'c mut Messages,
    pub(super) sink: Sink<'c, 's>,
}

/// Where reads of memory and other effects go.
pub(super) enum Sink<'c, 's> {
    Function(Box<FunctionSink<'s>>),
    Formula(FormulaSink<'c>),
    Constant(ConstantSink),
}

/// The body of a function.
pub(super) struct FunctionSink<'s> {
    pub(super) automaton: Automaton,
    pub(super) result: Option<Ty>,
    /// Names of registers and local variables; the innermost last.
    locals: BTreeMap<&'s str, Vec<Local>>,
    /// Names declared in each open block.
    scopes: Vec<Vec<&'s str>>,
    pub(super) labels: BTreeMap<(bool, &'s str), LabelInfo>,
    pub(super) loops: Vec<LoopInfo>,
    pub(super) cleanups: Vec<Cleanup>,
}

/// What a local name stands for.
#[derive(Clone, Debug)]
pub(super) enum Local {
    Register(RegisterId, Ty),
    /// An object on the stack; the register holds its address.
    Variable(RegisterId, Ty),
    /// Its declaration was wrong; its uses are not reported again.
    Broken,
}

/// Where the labels of a function are, by [`Label::key`].
pub(super) type Labels = BTreeMap<(bool, String), LocationId>;

/// A formula over a state.
pub(super) struct FormulaSink<'c> {
    pub(super) registers: Arena<RegisterId, Register>,
    pub(super) atoms: Vec<Atom>,
    /// The index variable of `exclusive x[j]`.
    pub(super) index: Option<String>,
    /// For each function, where its labels are.
    pub(super) labels: &'c [Labels],
    /// `invariant` or `exclusive`.
    pub(super) what: &'static str,
}

/// A constant, or a place known before the program runs.
#[derive(Default)]
pub(super) struct ConstantSink {
    /// The place may have one index that is a name, as in `exclusive x[j]`.
    pub(super) accepts_family: bool,
    pub(super) family: Option<Elements>,
}

impl<'s> FunctionSink<'s> {
    pub(super) fn new(span: Span, result: Option<Ty>) -> Self {
        Self {
            automaton: Automaton::new(span),
            result,
            locals: BTreeMap::new(),
            scopes: vec![Vec::new()],
            labels: BTreeMap::new(),
            loops: Vec::new(),
            cleanups: Vec::new(),
        }
    }

    pub(super) fn open_scope(&mut self) {
        self.scopes.push(Vec::new());
    }

    pub(super) fn close_scope(&mut self) {
        for name in self.scopes.pop().into_iter().flatten() {
            if let Some(meanings) = self.locals.get_mut(name) {
                meanings.pop();
            }
        }
    }

    pub(super) fn declare(&mut self, name: &'s str, local: Local) {
        self.locals.entry(name).or_default().push(local);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name);
        }
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.get(name)?.last()
    }

    fn local_names(&self) -> impl Iterator<Item = &'s str> {
        self.locals
            .iter()
            .filter(|(_, meanings)| !meanings.is_empty())
            .map(|(name, _)| *name)
    }

    pub(super) fn label_point(&self, label: Label<'s>) -> Option<Point> {
        self.labels.get(&label.key()).map(|label| label.point)
    }
}

/// What a name stands for, here.
pub(super) enum Named {
    Local(Local),
    Global(Meaning),
    /// The index variable of a formula.
    Index,
}

impl<'s> Body<'_, '_, 's> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.messages.push(diagnostic)
    }

    /// The function being built; formulas and constants have none.
    pub(super) fn function(&mut self) -> Option<&mut FunctionSink<'s>> {
        match &mut self.sink {
            Sink::Function(function) => Some(function),
            Sink::Formula(_) | Sink::Constant(_) => None,
        }
    }

    /// The automaton being built.
    ///
    /// Only statements call this, and they stand in functions.
    pub(super) fn automaton(&mut self) -> &mut Automaton {
        &mut self
            .function()
            .expect("statements are lowered in functions only")
            .automaton
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Named> {
        match &self.sink {
            Sink::Function(function) => {
                if let Some(local) = function.local(name) {
                    return Some(Named::Local(local.clone()));
                }
            }
            Sink::Formula(formula) => {
                if formula.index.as_deref() == Some(name) {
                    return Some(Named::Index);
                }
            }
            Sink::Constant(_) => {}
        }
        self.context.meaning(name).map(Named::Global)
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: Span) -> Reported {
        let mut candidates: Vec<&str> = self.context.names().collect();
        if let Sink::Function(function) = &self.sink {
            candidates.extend(function.local_names());
        }
        let diagnostic = name_error(format!("there is no `{name}`"), span, "unknown name");
        let diagnostic = match nearest(name, candidates) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None if matches!(self.sink, Sink::Function(_)) => diagnostic.help(format!(
                "declare it: `var {name}: u8` outside of functions, or `let {name}: u8` here"
            )),
            None => diagnostic.help(format!("declare it: `var {name}: u8`")),
        };
        self.report(diagnostic)
    }

    /// What stands where only statements of functions may have an effect.
    pub(super) fn not_here(&mut self, what: &str, span: Span) -> Reported {
        let place = match &self.sink {
            Sink::Function(_) => "here",
            Sink::Formula(formula) => match formula.what {
                "invariant" => "in an invariant",
                _ => "in a predicate of exclusive access",
            },
            Sink::Constant(_) => "in a constant",
        };
        self.report(type_error(
            format!("{what} cannot stand {place}"),
            span,
            "has an effect or is not known here",
        ))
    }

    /// Reads a cell into a register of its own: a load, or an atom of a formula.
    pub(super) fn read_cell(
        &mut self,
        address: Expression,
        ty: &Ty,
        span: Span,
    ) -> Lowered<Expression> {
        let scalar = self.scalar_of(ty, span)?;
        match &mut self.sink {
            Sink::Function(function) => {
                let target = function.automaton.temporary(ty, span);
                function.automaton.emit(raddle_ir::Action::Load {
                    target,
                    address,
                    ty: scalar,
                    access: raddle_ir::Access::Plain,
                });
                Ok(Expression::Register(target))
            }
            Sink::Formula(_) => self.atom(
                Atom::Cell {
                    address,
                    ty: scalar,
                },
                ty,
                span,
            ),
            Sink::Constant(_) => Err(self.report(
                type_error("this is not a constant", span, "memory is read here")
                    .help("write a number, or an address such as `&x`"),
            )),
        }
    }

    /// A new atom of a formula.
    pub(super) fn atom(&mut self, atom: Atom, ty: &Ty, span: Span) -> Lowered<Expression> {
        let scalar = self.scalar_of(ty, span)?;
        match &mut self.sink {
            Sink::Formula(formula) => {
                formula.atoms.push(atom);
                let number = formula.registers.len();
                let register = formula.registers.push(Register {
                    name: format!("atom{number}"),
                    ty: scalar,
                    is_temporary: false,
                    span: Some(span),
                });
                Ok(Expression::Register(register))
            }
            Sink::Function(_) | Sink::Constant(_) => Err(self.report(
                type_error(
                    "this stands only in `invariant` and `exclusive`",
                    span,
                    "asks about a whole state",
                )
                .help("statements see registers and memory only"),
            )),
        }
    }

    /// The scalar of a type whose values can be read and written at once.
    pub(super) fn scalar_of(&mut self, ty: &Ty, span: Span) -> Lowered<raddle_ir::Scalar> {
        if let Some(scalar) = ty.scalar() {
            return Ok(scalar);
        }
        let shown = self.context.describe(ty);
        let help = match ty {
            Ty::Sync(_) => "use it with an operation such as `acquire`, or `owner(…)` in formulas",
            Ty::Array(..) => "name one element of it, as in `a[0]`",
            _ => "name one field of it, as in `s.f`",
        };
        Err(self.report(
            type_error(
                format!("a `{shown}` is no value"),
                span,
                "cannot be read or written at once",
            )
            .help(help),
        ))
    }

    pub(super) fn resolved<T>(&mut self, result: Result<T, Diagnostic>) -> Lowered<T> {
        result.map_err(|diagnostic| self.report(diagnostic))
    }

    /// Whether a value of one type may be used as another.
    pub(super) fn expect_fit(&mut self, actual: &Ty, wanted: &Ty, span: Span) -> Lowered<()> {
        if actual.fits(wanted) {
            return Ok(());
        }
        let (is, want) = (self.context.describe(actual), self.context.describe(wanted));
        let diagnostic = type_error(
            format!("expected `{want}`, found `{is}`"),
            span,
            format!("this is `{is}`"),
        );
        let diagnostic = match (actual, wanted) {
            (Ty::Int(_), Ty::Int(int)) if *int == raddle_ir::IntType::BOOL => {
                diagnostic.help("compare it, as in `x != 0`")
            }
            (Ty::Int(_), Ty::Pointer(_)) => diagnostic.help("the null pointer is `null`"),
            (Ty::Pointer(_), Ty::Pointer(_))
            | (Ty::Int(_) | Ty::Float(_), Ty::Int(_) | Ty::Float(_)) => {
                diagnostic.help(format!("convert it: `(…) as {want}`"))
            }
            _ => diagnostic,
        };
        Err(self.report(diagnostic))
    }
}
