//! What stands at file scope, and declarations of functions and objects with linkage wherever they stand.

use std::rc::Rc;

use raddle_base::Span;
use raddle_c_syntax::tree::{
    Asm, Declaration, InitDeclarator, Item, Name, StaticAssert, Storage, StringLiteral,
};
use raddle_diag::Diagnostic;

use super::attribute::{Attributes, literal_text};
use super::function::FunctionState;
use super::link::{External, SymbolFacts};
use super::scope::{Entity, Scope, Specified};
use super::{Checked, CheckedUnit, Checker};
use crate::typed::{FunctionId, ObjectId};
use crate::types::{FunctionType, Qualified, Type};

impl Checker {
    pub(super) fn unit(&mut self, unit: &CheckedUnit<'_>) {
        self.is_library = unit.is_library;
        self.scopes = vec![Scope::default()];
        self.function = FunctionState::outside();
        self.pragmas.clone_from(&unit.unit.pragmas);
        self.pragmas_met = 0;
        self.ignores_openmp = unit.ignores_openmp;
        self.warn_of_attributes(&unit.unit.attribute_names);
        for item in &unit.unit.items {
            self.meet_file_pragmas(item_start(item));
            match item {
                Item::Declaration(declaration) => self.file_declaration(declaration),
                Item::Function(definition) => self.function_definition(definition),
                Item::StaticAssert(assertion) => self.static_assert(assertion),
                Item::Asm(asm) => self.file_asm(asm),
            }
            self.pending.clear();
        }
        self.meet_file_pragmas(u32::MAX);
        self.resolve_aliases();
        self.unit_index += 1;
    }

    fn file_asm(&mut self, asm: &Asm) {
        if !asm.template.units.is_empty() {
            self.warn(asm.span, "assembler text outside of functions is ignored");
        }
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) {
        let Ok(value) = self.constant_expression(&assertion.condition) else {
            return;
        };
        if value == 0 {
            let message = match &assertion.message {
                Some(text) => format!("static assertion failed: {}", literal_text(text)),
                None => "static assertion failed".into(),
            };
            self.error(assertion.span, message);
        }
    }

    fn file_declaration(&mut self, declaration: &Declaration) {
        let specifiers = &declaration.specifiers;
        let is_alone = declaration.declarators.is_empty();
        let Ok(base) = self.specified(specifiers, is_alone) else {
            for declarator in &declaration.declarators {
                if let Some(name) = &declarator.declarator.name {
                    self.bind_poisoned(&name.name, name.span);
                }
            }
            return;
        };
        for declarator in &declaration.declarators {
            let Some(name) = &declarator.declarator.name else {
                continue;
            };
            if self
                .file_declarator(declaration, declarator, base.clone(), &name.name, name.span)
                .is_err()
            {
                self.bind_poisoned(&name.name, name.span);
            }
        }
    }

    fn file_declarator(
        &mut self,
        declaration: &Declaration,
        declarator: &InitDeclarator,
        base: Specified,
        name: &Name,
        span: Span,
    ) -> Checked<()> {
        let specifiers = &declaration.specifiers;
        let attributes = self.attributes(&[
            &specifiers.attributes,
            &declarator.declarator.attributes,
            &declarator.attributes,
        ]);
        let specified = self.declared_type(base, &declarator.declarator, &attributes)?;
        if specifiers.storage == Some(Storage::Typedef) {
            self.no_unsupported_attribute(&attributes)?;
            if let (true, Type::Record(id)) = (attributes.is_transparent_union, &specified.ty.ty) {
                self.transparent_unions.insert(*id);
            }
            return self.declare_typedef(name, span, specified);
        }
        if let Type::Function(ty) = &specified.ty.ty {
            let ty = FunctionType::clone(ty);
            let is_static = specifiers.storage == Some(Storage::Static);
            let id = self.declare_function(
                name,
                span,
                ty,
                is_static,
                &attributes,
                declarator.asm_label.as_ref(),
            )?;
            self.functions[id].is_noreturn |= specifiers.is_noreturn;
            return Ok(());
        }
        let is_static = specifiers.storage == Some(Storage::Static);
        let id = self.declare_object(
            name,
            span,
            &specified,
            is_static,
            &attributes,
            declarator.asm_label.as_ref(),
        )?;
        self.objects[id].is_thread_local |= specifiers.is_thread_local;
        let is_definition =
            declarator.initializer.is_some() || specifiers.storage != Some(Storage::Extern);
        if is_definition && !self.note_object_definition(id) {
            return Ok(());
        }
        if let Some(initializer) = &declarator.initializer {
            let earlier = self.facts_of_object(id).initialised.replace(span);
            if let Some(earlier) = earlier {
                return Err(self.redeclared(
                    format!("`{name}` is initialised twice"),
                    span,
                    Some(earlier),
                ));
            }
            self.objects[id].is_defined = true;
            self.objects[id].span = Some(span);
            let ty = self.static_initial(id, initializer)?;
            self.objects[id].ty = ty.clone();
            self.bind(name, Entity::Object(id, ty), span);
        } else if specifiers.storage != Some(Storage::Extern) {
            if !self.objects[id].is_defined {
                self.objects[id].span = Some(span);
            }
            self.objects[id].is_defined = true;
        }
        Ok(())
    }

    /// Whether this definition of an object counts: a weak one gives way to others.
    fn note_object_definition(&mut self, id: ObjectId) -> bool {
        let unit = self.unit_index;
        let facts = self.facts_of_object(id);
        let is_weak = facts.symbol.weak_unit == Some(unit);
        if is_weak {
            return !facts.has_strong_definition && facts.initialised.is_none();
        }
        if facts.symbol.weak_unit.is_some() && !facts.has_strong_definition {
            // What other units say of it does not count any more.
            facts.initialised = None;
            facts.initialised_size = 0;
            self.objects[id].initial.clear();
        }
        self.facts_of_object(id).has_strong_definition = true;
        true
    }

    /// What a declaration says about the name, besides its type.
    fn note_symbol(&mut self, name: &Name, attributes: &Attributes) -> SymbolFacts {
        let (is_weak, target) = self.weak_pragma(name);
        let alias = attributes
            .alias
            .clone()
            .map(|target| (target, attributes.is_weak_reference));
        SymbolFacts {
            weak_unit: (attributes.is_weak_symbol || is_weak).then_some(self.unit_index),
            alias: alias.or(target.map(|target| (target, false))),
        }
    }

    pub(super) fn declare_typedef(
        &mut self,
        name: &Name,
        span: Span,
        specified: Specified,
    ) -> Checked<()> {
        if let Some(first) = self.lookup_here(name).cloned() {
            match &first.entity {
                Entity::Typedef(earlier) => {
                    let earlier = earlier.ty.clone();
                    if !self.are_compatible(&earlier, &specified.ty) {
                        let message = format!(
                            "`{name}` was a typedef of `{}`, now of `{}`",
                            self.show_qualified(&earlier),
                            self.show_qualified(&specified.ty)
                        );
                        return Err(self.redeclared(message, span, Some(first.span)));
                    }
                }
                Entity::Poisoned => {}
                Entity::Enumerator(..)
                | Entity::Object(..)
                | Entity::Local(_)
                | Entity::Function(..)
                | Entity::Parameter(_)
                | Entity::NestedFunction(_) => {
                    let message = format!("`{name}` was declared as something else");
                    return Err(self.redeclared(message, span, Some(first.span)));
                }
            }
        }
        self.note_sync_typedef(name, &specified.ty.ty);
        let specified = Specified {
            align: specified.requested.or(specified.align),
            requested: None,
            ty: specified.ty,
        };
        self.bind(name, Entity::Typedef(specified), span);
        Ok(())
    }

    /// The name that the linker sees, if it is one that somebody defines, here or later. Headers of the machine redirect
    /// names to others that our library knows only by the first.
    fn linked_name(&self, name: &Name, label: Option<&StringLiteral>) -> Name {
        if let Some(label) = label {
            let label = literal_text(label);
            let is_known = self.external(&label).is_some();
            if is_known || self.externals.user_defined.contains(&label) {
                return label;
            }
        }
        name.clone()
    }

    /// Declares a function, in any scope.
    pub(super) fn declare_function(
        &mut self,
        name: &Name,
        span: Span,
        ty: FunctionType,
        is_static: bool,
        attributes: &Attributes,
        label: Option<&StringLiteral>,
    ) -> Checked<FunctionId> {
        let visible = self
            .lookup_here(name)
            .or_else(|| {
                self.lookup(name)
                    .filter(|found| matches!(found.entity, Entity::Function(..)))
            })
            .or_else(|| {
                self.lookup_in_file(name)
                    .filter(|found| matches!(found.entity, Entity::Function(..)))
            })
            .cloned();
        let mut composite = Rc::new(ty);
        let mut found = None;
        if let Some(visible) = visible {
            match &visible.entity {
                Entity::Function(id, earlier) => {
                    let is_implicit = self.facts_of_function(*id).is_implicit;
                    if self.are_functions_compatible(earlier, &composite) {
                        if !composite.has_prototype && earlier.has_prototype {
                            composite = earlier.clone();
                        }
                    } else if !is_implicit {
                        let message = format!(
                            "`{name}` was declared as `{}`, now as `{}`",
                            self.show(&Type::Function(earlier.clone())),
                            self.show(&Type::Function(composite.clone()))
                        );
                        return Err(self.redeclared(message, span, Some(visible.span)));
                    }
                    found = Some(*id);
                }
                Entity::Poisoned => {}
                Entity::Typedef(_)
                | Entity::Enumerator(..)
                | Entity::Object(..)
                | Entity::Local(_)
                | Entity::Parameter(_)
                | Entity::NestedFunction(_) => {
                    let message = format!("`{name}` was declared as something else");
                    return Err(self.redeclared(message, span, Some(visible.span)));
                }
            }
        }
        let linked = self.linked_name(name, label);
        let id = match found {
            Some(id) => id,
            None if is_static => {
                let id = self.new_function(name, FunctionType::clone(&composite), span);
                self.facts_of_function(id).is_static = true;
                self.functions[id].is_static = true;
                id
            }
            None => {
                if let Some(External::Function(id)) = self.external(&linked) {
                    id
                } else {
                    let id = self.new_function(&linked, FunctionType::clone(&composite), span);
                    self.add_external(&linked, External::Function(id));
                    id
                }
            }
        };
        if self.facts_of_function(id).definition.is_none()
            && (composite.has_prototype || !self.functions[id].ty.has_prototype)
        {
            self.functions[id].ty = FunctionType::clone(&composite);
        }
        let symbol = self.note_symbol(name, attributes);
        let options = self.refused_options_at(span);
        let facts = self.facts_of_function(id);
        facts.is_implicit = false;
        facts.align = facts.align.max(attributes.aligned);
        facts.symbol.weak_unit = symbol.weak_unit.or(facts.symbol.weak_unit);
        facts.symbol.alias = symbol.alias.or(facts.symbol.alias.take());
        let is_library = self.is_library;
        let function = &mut self.functions[id];
        if function.is_library == is_library {
            let convention = (attributes.has_ms_convention && function.ty.is_variadic)
                .then(|| "arguments without parameters of an `ms_abi` function".to_owned());
            let what = attributes
                .unsupported
                .as_ref()
                .map(|(what, _)| what.clone());
            if let Some(what) = what.or(convention).or(options) {
                function.unsupported = Some(what);
            }
            if let Some(more) = &attributes.nonnull {
                match &mut function.nonnull {
                    // All of them.
                    Some(known) if known.is_empty() || more.is_empty() => known.clear(),
                    Some(known) => known.extend(more),
                    None => function.nonnull = Some(more.clone()),
                }
            }
            function.is_noreturn |= attributes.is_noreturn;
            function.constructor = attributes.constructor.or(function.constructor);
            function.destructor = attributes.destructor.or(function.destructor);
        }
        self.bind(name, Entity::Function(id, composite), span);
        Ok(id)
    }

    /// Declares an object with linkage: at file scope, or `extern` in a block.
    pub(super) fn declare_object(
        &mut self,
        name: &Name,
        span: Span,
        specified: &Specified,
        is_static: bool,
        attributes: &Attributes,
        label: Option<&StringLiteral>,
    ) -> Checked<ObjectId> {
        let mut ty = specified.ty.clone();
        let visible = self
            .lookup_here(name)
            .or_else(|| {
                self.lookup_in_file(name)
                    .filter(|found| matches!(found.entity, Entity::Object(..)))
            })
            .cloned();
        let mut found = None;
        if let Some(visible) = visible {
            match &visible.entity {
                Entity::Object(id, earlier) => {
                    if !self.are_compatible(earlier, &ty) {
                        let message = format!(
                            "`{name}` was declared as `{}`, now as `{}`",
                            self.show_qualified(earlier),
                            self.show_qualified(&ty)
                        );
                        return Err(self.redeclared(message, span, Some(visible.span)));
                    }
                    ty = composite_object(earlier, ty);
                    found = Some(*id);
                }
                Entity::Poisoned => {}
                Entity::Typedef(_)
                | Entity::Enumerator(..)
                | Entity::Local(_)
                | Entity::Function(..)
                | Entity::Parameter(_)
                | Entity::NestedFunction(_) => {
                    let message = format!("`{name}` was declared as something else");
                    return Err(self.redeclared(message, span, Some(visible.span)));
                }
            }
        }
        if self.is_variable(&ty.ty) {
            return Err(self.error(span, format!("the size of `{name}` is not a constant")));
        }
        let linked = self.linked_name(name, label);
        let id = match found {
            Some(id) => id,
            None if is_static => {
                let id = self.new_object(linked.to_string(), ty.clone(), span);
                self.facts_of_object(id).is_static = true;
                id
            }
            None => {
                if let Some(External::Object(id)) = self.external(&linked) {
                    id
                } else {
                    let id = self.new_object(linked.to_string(), ty.clone(), span);
                    self.add_external(&linked, External::Object(id));
                    id
                }
            }
        };
        if !self.is_complete(&self.objects[id].ty.ty) && self.is_complete(&ty.ty) {
            self.objects[id].ty = ty.clone();
        }
        let symbol = self.note_symbol(name, attributes);
        let facts = self.facts_of_object(id);
        facts.symbol.weak_unit = symbol.weak_unit.or(facts.symbol.weak_unit);
        facts.symbol.alias = symbol.alias.or(facts.symbol.alias.take());
        if let Some((what, _)) = &attributes.unsupported {
            self.objects[id].unsupported = Some(what.clone());
        }
        if let Some(align) = specified.requested.max(specified.align) {
            self.objects[id].align = self.objects[id].align.max(align);
        }
        if let Some(section) = &attributes.section {
            self.objects[id].section = Some(section.to_string());
        }
        self.bind(name, Entity::Object(id, ty), span);
        Ok(id)
    }

    /// A call declares a function that nobody declared, as in C89.
    pub(super) fn declare_implicitly(&mut self, name: &Name, span: Span) -> Entity {
        let ty = match self.external(name) {
            Some(External::Function(id)) => self.functions[id].ty.clone(),
            Some(External::Object(_)) | None => FunctionType {
                result: Type::Integer(crate::types::IntegerKind::Int),
                parameters: Vec::new(),
                is_variadic: false,
                has_prototype: false,
            },
        };
        let id = if let Some(External::Function(id)) = self.external(name) {
            id
        } else {
            let id = self.new_function(name, ty.clone(), span);
            self.add_external(name, External::Function(id));
            self.facts_of_function(id).is_implicit = true;
            id
        };
        if !self.is_library && !name.starts_with("__builtin_") {
            let mut diagnostic =
                Diagnostic::warning("c", format!("the function `{name}` is not declared"))
                    .at(span, "assumed to return `int`")
                    .help(format!("declare `{name}` or include its header"));
            if let Some(similar) = self.similar_name(name) {
                diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
            }
            self.diagnostics.push(diagnostic);
        }
        let entity = Entity::Function(id, ty.into());
        self.bind_in_file(name, entity.clone(), span);
        entity
    }
}

/// Where what stands at file scope begins.
fn item_start(item: &Item) -> u32 {
    match item {
        Item::Declaration(declaration) => declaration.span.start,
        Item::Function(definition) => definition.span.start,
        Item::StaticAssert(assertion) => assertion.span.start,
        Item::Asm(asm) => asm.span.start,
    }
}

/// The more complete of two compatible types.
fn composite_object(earlier: &Qualified, later: Qualified) -> Qualified {
    use crate::types::Length;
    match (&earlier.ty, &later.ty) {
        (Type::Array(_, Length::Constant(_)), Type::Array(_, Length::Unspecified)) => {
            earlier.clone()
        }
        _ => later,
    }
}
