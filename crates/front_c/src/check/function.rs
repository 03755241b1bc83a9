//! Definitions of functions: parameters, body, labels.

use std::collections::HashMap;

use raddle_base::{Arena, Id, Span};
use raddle_c_syntax::tree::{
    DeclaratorPart, FunctionDefinition, Identifier, Name, Parameters, Qualifiers, Storage,
};
use raddle_diag::Diagnostic;

use super::declarator::{adjusted, without_void};
use super::nested::Frame;
use super::scope::{Entity, Specified};
use super::statement::SwitchState;
use super::{Checked, Checker};
use crate::parts;
use crate::typed::{
    Body, Expression, ExpressionKind, FunctionId, Initial, Label, LabelId, Local, LocalId,
    LocalPiece, Lvalue, LvalueKind, ObjectId, PieceValue, Statement, StatementKind,
};
use crate::types::{FloatKind, FunctionType, IntegerKind, Qualified, Type};

/// What is known of the function whose body is being checked.
pub(super) struct FunctionState {
    /// Absent at file scope.
    pub(super) id: Option<FunctionId>,
    pub(super) name: Name,
    pub(super) result: Type,
    pub(super) locals: Arena<LocalId, Local>,
    pub(super) labels: Arena<LabelId, Label>,
    /// As long as `labels`.
    label_facts: Vec<LabelFacts>,
    /// The first is that of the whole function; then those of blocks with `__label__`.
    pub(super) label_scopes: Vec<HashMap<Name, LabelId>>,
    pub(super) switches: Vec<SwitchState>,
    /// How many loops, and loops or switches, are around this place.
    pub(super) loops: usize,
    pub(super) breakables: usize,
    /// How many statement expressions are around this place.
    pub(super) statement_expressions: usize,
    /// The object of `__func__`.
    pub(super) name_object: Option<ObjectId>,
    /// The first scope of its own.
    pub(super) first_scope: usize,
    /// What nested functions find of it, once there is one.
    pub(super) frame: Option<Frame>,
    /// Of a nested function: the parameter that leads to the frame of the function around.
    pub(super) around: Option<LocalId>,
    /// Its own copies of lengths of functions around, by function and local.
    pub(super) lengths: HashMap<(usize, LocalId), LocalId>,
    /// What sets them.
    pub(super) prologue: Vec<Statement>,
}

#[derive(Default)]
struct LabelFacts {
    defined: Option<Span>,
    used: Option<Span>,
}

impl FunctionState {
    pub(super) fn outside() -> Self {
        Self {
            id: None,
            name: super::name(""),
            result: Type::Void,
            locals: Arena::new(),
            labels: Arena::new(),
            label_facts: Vec::new(),
            label_scopes: vec![HashMap::new()],
            switches: Vec::new(),
            loops: 0,
            breakables: 0,
            statement_expressions: 0,
            name_object: None,
            first_scope: 1,
            frame: None,
            around: None,
            lengths: HashMap::new(),
            prologue: Vec::new(),
        }
    }

    pub(super) fn is_outside(&self) -> bool {
        self.id.is_none()
    }
}

/// A parameter of the function that is being defined.
struct DefinedParameter {
    name: Option<Identifier>,
    specified: Specified,
    /// What callers pass if it is not what is declared: K&R's promoted types.
    passed: Option<Type>,
    span: Span,
}

impl Checker {
    pub(super) fn function_definition(&mut self, definition: &FunctionDefinition) {
        let Some(name) = &definition.declarator.name else {
            return;
        };
        let outer = std::mem::replace(&mut self.function, FunctionState::outside());
        let outer_scopes = self.scopes.len();
        if self.define(definition, name).is_err() {
            self.scopes.truncate(outer_scopes);
            self.bind_poisoned(&name.name, name.span);
        }
        self.scopes.truncate(outer_scopes);
        self.function = outer;
        self.pending.clear();
        self.prototype_depth = 0;
    }

    pub(super) fn define(
        &mut self,
        definition: &FunctionDefinition,
        name: &Identifier,
    ) -> Checked<()> {
        let specifiers = &definition.specifiers;
        let base = self.specified(specifiers, false)?;
        let attributes = self.attributes(&[
            &specifiers.attributes,
            &definition.declarator.attributes,
            &definition.attributes,
        ]);
        let is_static = specifiers.storage == Some(Storage::Static);
        let Some((DeclaratorPart::Function(parameters), rest)) =
            definition.declarator.parts.split_first()
        else {
            return Err(self.error(name.span, format!("`{}` is not a function", name.name)));
        };
        let result = self.declared_parts(base, rest, &attributes, definition.declarator.span)?;
        let result = result.ty.ty;
        self.can_be_returned(&result, name.span)?;

        // The function is known before its body; parameters belong to the body's scope.
        self.push_scope();
        let prior = match self.lookup_in_file(&name.name).map(|found| &found.entity) {
            Some(Entity::Function(_, ty)) if ty.has_prototype && self.enclosing.is_empty() => {
                Some(ty.clone())
            }
            _ => None,
        };
        // Lengths of arrays are evaluated in the body: hidden locals must come after the parameters.
        let count = match parameters {
            Parameters::Prototype { parameters, .. } => parameters.len(),
            Parameters::Identifiers(names) => names.len(),
        };
        self.function.name = name.name.clone();
        // Any function will do until the real one is declared: lengths may be variable from here on.
        let placeholder = FunctionId::from_index(self.functions.len());
        self.function.id = Some(placeholder);
        for _ in 0..count {
            self.hidden_local(Type::Void.into(), name.span);
        }
        let is_nested = !self.enclosing.is_empty();
        if is_nested {
            let frame = self.hidden_local(self.void_pointer().into(), name.span);
            self.function.around = Some(frame);
        }
        let (defined, is_variadic, has_prototype) = match parameters {
            Parameters::Prototype {
                parameters,
                is_variadic,
            } => {
                let mut defined = Vec::new();
                for (index, parameter) in parameters.iter().enumerate() {
                    let specified = self.parameter_type(parameter)?;
                    if specified.ty.ty == Type::Void {
                        continue;
                    }
                    let local = LocalId::from_index(index);
                    self.function.locals[local].ty = specified.ty.clone();
                    if let Some(name) = &parameter.declarator.name {
                        self.bind_parameter(name, local)?;
                    }
                    defined.push(DefinedParameter {
                        name: parameter.declarator.name.clone(),
                        specified,
                        passed: None,
                        span: parameter.span,
                    });
                }
                (defined, *is_variadic, true)
            }
            Parameters::Identifiers(names) => {
                let defined = self.old_parameters(definition, names, prior.as_deref())?;
                (defined, false, prior.is_some() && !names.is_empty())
            }
        };
        let types: Vec<Qualified> = defined
            .iter()
            .map(|parameter| match &parameter.passed {
                Some(passed) => passed.clone().into(),
                None => parameter.specified.ty.clone(),
            })
            .collect();
        let ty = FunctionType {
            result: result.clone(),
            parameters: without_void(types),
            is_variadic: is_variadic || prior.as_ref().is_some_and(|prior| prior.is_variadic),
            has_prototype,
        };
        let id = if is_nested {
            self.declare_nested(name, &ty, &attributes)?
        } else {
            let mut unused = self.scopes.split_off(1);
            let declared = self.declare_function(
                &name.name,
                name.span,
                ty.clone(),
                is_static,
                &attributes,
                definition.asm_label.as_ref(),
            );
            self.scopes.append(&mut unused);
            declared?
        };
        let ty = if is_nested { self.with_frame(ty) } else { ty };
        self.functions[id].is_noreturn |= specifiers.is_noreturn;
        let weak_unit = self.facts_of_function(id).symbol.weak_unit;
        let is_weak =
            attributes.is_weak || specifiers.is_inline || weak_unit == Some(self.unit_index);
        let is_kept = self.note_definition(id, name, is_weak)?;

        self.function.id = Some(id);
        self.function.result = result;
        let mut statements = Vec::new();
        let pending: Vec<Expression> = std::mem::take(&mut self.pending);
        self.enter_parameters(&defined, &mut statements)?;
        for expression in pending {
            statements.push(Statement {
                span: expression.span,
                kind: StatementKind::Expression(expression),
            });
        }
        if !self.is_complete(&self.function.result) && self.function.result != Type::Void {
            let text = self.show(&self.function.result.clone());
            self.error(
                name.span,
                format!("`{}` returns the incomplete type `{text}`", name.name),
            );
        }
        self.block_items(&definition.body, &mut statements);
        self.pop_scope();
        self.check_labels();
        self.fill_frame(defined.len(), &mut statements);
        if is_kept {
            let parameters = (0..defined.len())
                .map(LocalId::from_index)
                .chain(self.function.around)
                .collect();
            let mut locals = std::mem::take(&mut self.function.locals);
            for local in parts::address_taken(&statements) {
                locals[local].is_address_taken = true;
            }
            let body = Body {
                locals,
                parameters,
                labels: std::mem::take(&mut self.function.labels),
                statements,
            };
            let function = &mut self.functions[id];
            function.ty = ty;
            function.is_library = self.is_library;
            function.body = Some(body);
            function.span = Some(name.span);
        }
        Ok(())
    }

    /// Whether this definition is the one that counts.
    fn note_definition(
        &mut self,
        id: FunctionId,
        name: &Identifier,
        is_weak: bool,
    ) -> Checked<bool> {
        let facts = self.facts_of_function(id);
        match facts.definition {
            Some(_) if is_weak => Ok(false),
            Some(first) if !facts.is_weak => {
                let message = format!("`{}` is defined twice", name.name);
                Err(self.redeclared(message, name.span, Some(first)))
            }
            Some(_) | None => {
                facts.definition = Some(name.span);
                facts.is_weak = is_weak;
                Ok(true)
            }
        }
    }

    fn bind_parameter(&mut self, name: &Identifier, local: LocalId) -> Checked<()> {
        if let Some(first) = self.lookup_here(&name.name).map(|first| first.span) {
            let message = format!("two parameters are called `{}`", name.name);
            return Err(self.redeclared(message, name.span, Some(first)));
        }
        self.bind(&name.name, Entity::Local(local), name.span);
        Ok(())
    }

    /// Parameters of a K&R definition: names in parentheses, types after them.
    fn old_parameters(
        &mut self,
        definition: &FunctionDefinition,
        names: &[Identifier],
        prior: Option<&FunctionType>,
    ) -> Checked<Vec<DefinedParameter>> {
        let mut types: HashMap<Name, Specified> = HashMap::new();
        for declaration in &definition.parameter_declarations {
            let base =
                self.specified(&declaration.specifiers, declaration.declarators.is_empty())?;
            for declarator in &declaration.declarators {
                let attributes = self.attributes(&[
                    &declaration.specifiers.attributes,
                    &declarator.declarator.attributes,
                    &declarator.attributes,
                ]);
                let mut specified =
                    self.declared_type(base.clone(), &declarator.declarator, &attributes)?;
                specified.ty = adjusted(specified.ty, Qualifiers::default());
                let Some(name) = &declarator.declarator.name else {
                    continue;
                };
                if !names.iter().any(|parameter| parameter.name == name.name) {
                    let message = format!("`{}` is not a parameter", name.name);
                    return Err(self.error(name.span, message));
                }
                // Later parameters may need this one for their lengths.
                if let Some(index) = names.iter().position(|known| known.name == name.name) {
                    let local = LocalId::from_index(index);
                    self.function.locals[local].ty = specified.ty.clone();
                    self.bind(&name.name, Entity::Local(local), name.span);
                }
                types.insert(name.name.clone(), specified);
            }
        }
        let has_prototype = prior.is_some_and(|prior| prior.parameters.len() == names.len());
        let mut defined = Vec::new();
        for name in names {
            let specified = types.get(&name.name).cloned().unwrap_or_else(|| {
                Specified::from(Qualified::from(Type::Integer(IntegerKind::Int)))
            });
            let promoted = self.default_promoted(&specified.ty.ty);
            let passed = (!has_prototype && promoted != specified.ty.ty).then_some(promoted);
            defined.push(DefinedParameter {
                name: Some(name.clone()),
                specified,
                passed,
                span: name.span,
            });
        }
        Ok(defined)
    }

    /// The type that an argument has if no parameter's type is known.
    pub(super) fn default_promoted(&self, ty: &Type) -> Type {
        match ty {
            Type::Float(FloatKind::Float) => Type::Float(FloatKind::Double),
            _ if self.is_integer(ty) => self.promoted(ty),
            _ => ty.clone(),
        }
    }

    fn enter_parameters(
        &mut self,
        defined: &[DefinedParameter],
        statements: &mut Vec<Statement>,
    ) -> Checked<()> {
        for (index, parameter) in defined.iter().enumerate() {
            let local = LocalId::from_index(index);
            let text = parameter
                .name
                .as_ref()
                .map_or(String::new(), |name| name.name.to_string());
            let ty = match &parameter.passed {
                Some(passed) => passed.clone().into(),
                None => parameter.specified.ty.clone(),
            };
            if !self.is_complete(&ty.ty) {
                let shown = self.show(&ty.ty);
                let message = format!("the parameter `{text}` has the incomplete type `{shown}`");
                return Err(self.error(parameter.span, message));
            }
            let align = self.align_of_specified(&parameter.specified);
            let place = &mut self.function.locals[local];
            place.name = text;
            place.ty = ty.clone();
            place.align = align;
            place.is_hidden = parameter.name.is_none();
            place.span = Some(parameter.span);
        }
        for (index, parameter) in defined.iter().enumerate() {
            let Some(name) = &parameter.name else {
                continue;
            };
            let local = LocalId::from_index(index);
            let Some(passed) = &parameter.passed else {
                self.bind(&name.name, Entity::Local(local), name.span);
                continue;
            };
            // The declared parameter is narrower than what was passed.
            let passed_value = Expression {
                ty: passed.clone(),
                kind: ExpressionKind::Load(Box::new(Lvalue {
                    ty: passed.clone().into(),
                    kind: LvalueKind::Local(local),
                    span: name.span,
                })),
                span: name.span,
            };
            let narrow = self.new_local(name.name.to_string(), &parameter.specified, name.span);
            let value = self.convert(passed_value, &parameter.specified.ty.ty);
            statements.push(Statement {
                kind: StatementKind::Declare(
                    narrow,
                    Some(Initial {
                        is_zeroed: false,
                        pieces: vec![LocalPiece {
                            offset: 0,
                            bits: None,
                            value: PieceValue::Expression(value),
                        }],
                    }),
                ),
                span: name.span,
            });
            self.bind(&name.name, Entity::Local(narrow), name.span);
        }
        Ok(())
    }

    pub(super) fn new_local(&mut self, name: String, specified: &Specified, span: Span) -> LocalId {
        let align = self.align_of_specified(specified);
        // Such names are reserved for headers (C17 7.1.3): a macro needs a value in the middle of an expression.
        let is_hidden = self.function.statement_expressions > 0 && name.starts_with("__");
        self.function.locals.push(Local {
            name,
            ty: specified.ty.clone(),
            align,
            is_address_taken: false,
            is_hidden,
            span: Some(span),
        })
    }

    pub(super) fn hidden_local(&mut self, ty: Qualified, span: Span) -> LocalId {
        let align = self.align_of_qualified(&ty);
        self.function.locals.push(Local {
            name: String::new(),
            ty,
            align,
            is_address_taken: false,
            is_hidden: true,
            span: Some(span),
        })
    }

    /// The label of this name, which may be defined later.
    pub(super) fn label(&mut self, name: &Identifier) -> LabelId {
        let known = self
            .function
            .label_scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(&name.name).copied());
        known.unwrap_or_else(|| {
            let id = self.new_label(&name.name);
            self.function.label_scopes[0].insert(name.name.clone(), id);
            id
        })
    }

    pub(super) fn new_label(&mut self, name: &Name) -> LabelId {
        self.function.label_facts.push(LabelFacts::default());
        self.function.labels.push(Label {
            name: name.to_string(),
            is_address_taken: false,
        })
    }

    /// Whether a label is one that a block of a function around declares with `__label__`.
    pub(super) fn is_label_around(&self, name: &Identifier) -> bool {
        let declares = |it: &FunctionState| {
            let mut blocks = it.label_scopes.iter().skip(1);
            blocks.any(|scope| scope.contains_key(&name.name))
        };
        let is_own =
            declares(&self.function) || self.function.label_scopes[0].contains_key(&name.name);
        !is_own && self.enclosing.iter().any(declares)
    }

    pub(super) fn use_label(&mut self, name: &Identifier) -> LabelId {
        let id = self.label(name);
        self.function.label_facts[id.index()]
            .used
            .get_or_insert(name.span);
        id
    }

    pub(super) fn define_label(&mut self, name: &Identifier) -> LabelId {
        let id = self.label(name);
        let facts = &mut self.function.label_facts[id.index()];
        if let Some(first) = facts.defined.replace(name.span) {
            let message = format!("the label `{}` is defined twice", name.name);
            self.redeclared(message, name.span, Some(first));
        }
        id
    }

    fn check_labels(&mut self) {
        for id in self.function.labels.ids() {
            let facts = &self.function.label_facts[id.index()];
            if let (None, Some(used)) = (facts.defined, facts.used) {
                let name = &self.function.labels[id].name;
                let diagnostic =
                    Diagnostic::error("c", format!("the label `{name}` is used but not defined"))
                        .at(used, "no such label in this function");
                self.report(diagnostic);
            }
        }
    }
}
