//! Declarations in blocks.

use raddle_base::Span;
use raddle_c_syntax::tree::{
    Declaration, InitDeclarator, Initializer, Name, Storage, TypeSpecifier,
};

use super::attribute::Attributes;
use super::scope::{Entity, Specified};
use super::{Checked, Checker};
use crate::typed::{Statement, StatementKind};
use crate::types::{FunctionType, Qualified, Type};

impl Checker {
    pub(super) fn block_declaration(
        &mut self,
        declaration: &Declaration,
        out: &mut Vec<Statement>,
    ) {
        let specifiers = &declaration.specifiers;
        let is_alone = declaration.declarators.is_empty();
        if matches!(specifiers.ty, TypeSpecifier::Auto) {
            for declarator in &declaration.declarators {
                if let Some(name) = &declarator.declarator.name
                    && self.auto_declarator(declaration, declarator, out).is_err()
                {
                    self.bind_poisoned(&name.name, name.span);
                }
            }
            return;
        }
        let Ok(base) = self.specified(specifiers, is_alone) else {
            for declarator in &declaration.declarators {
                if let Some(name) = &declarator.declarator.name {
                    self.bind(&name.name, Entity::Poisoned, name.span);
                }
            }
            return;
        };
        self.flush_pending(out);
        for declarator in &declaration.declarators {
            let Some(name) = &declarator.declarator.name else {
                continue;
            };
            let outcome = self.block_declarator(
                declaration,
                declarator,
                base.clone(),
                (&name.name, name.span),
                out,
            );
            if outcome.is_err() {
                self.bind_poisoned(&name.name, name.span);
            }
        }
    }

    /// Lengths of arrays are evaluated where their declaration stands.
    pub(super) fn flush_pending(&mut self, out: &mut Vec<Statement>) {
        for expression in std::mem::take(&mut self.pending) {
            out.push(Statement {
                span: expression.span,
                kind: StatementKind::Expression(expression),
            });
        }
    }

    fn block_declarator(
        &mut self,
        declaration: &Declaration,
        declarator: &InitDeclarator,
        base: Specified,
        (name, span): (&Name, Span),
        out: &mut Vec<Statement>,
    ) -> Checked<()> {
        let specifiers = &declaration.specifiers;
        let attributes = self.attributes(&[
            &specifiers.attributes,
            &declarator.declarator.attributes,
            &declarator.attributes,
        ]);
        let specified = self.declared_type(base, &declarator.declarator, &attributes)?;
        self.flush_pending(out);
        if specifiers.storage == Some(Storage::Typedef) {
            self.no_unsupported_attribute(&attributes)?;
            if let (true, Type::Record(id)) = (attributes.is_transparent_union, &specified.ty.ty) {
                self.transparent_unions.insert(*id);
            }
            return self.declare_typedef(name, span, specified);
        }
        if let Type::Function(ty) = &specified.ty.ty {
            let ty = FunctionType::clone(ty);
            if specifiers.storage == Some(Storage::Auto) {
                self.announce_nested(name, ty, span);
                return Ok(());
            }
            self.declare_function(
                name,
                span,
                ty,
                false,
                &attributes,
                declarator.asm_label.as_ref(),
            )?;
            return Ok(());
        }
        match specifiers.storage {
            Some(Storage::Extern) => {
                let id = self.declare_object(
                    name,
                    span,
                    &specified,
                    false,
                    &attributes,
                    declarator.asm_label.as_ref(),
                )?;
                self.objects[id].is_thread_local |= specifiers.is_thread_local;
                Ok(())
            }
            Some(Storage::Static) => {
                self.static_local(declaration, declarator, &specified, name, span)
            }
            None | Some(Storage::Auto | Storage::Register | Storage::Typedef) => {
                if specifiers.is_thread_local {
                    return self.static_local(declaration, declarator, &specified, name, span);
                }
                self.local(declarator, &specified, name, span, &attributes, out)
            }
        }
    }

    fn no_redeclaration(&mut self, name: &Name, span: Span) -> Checked<()> {
        match self.lookup_here(name).cloned() {
            Some(first) if !matches!(first.entity, Entity::Poisoned) => {
                let message = format!("`{name}` is declared twice");
                Err(self.redeclared(message, span, Some(first.span)))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn static_local(
        &mut self,
        declaration: &Declaration,
        declarator: &InitDeclarator,
        specified: &Specified,
        name: &Name,
        span: Span,
    ) -> Checked<()> {
        self.no_redeclaration(name, span)?;
        if self.is_variable(&specified.ty.ty) {
            return Err(self.error(span, format!("the size of `{name}` is not a constant")));
        }
        let full_name = format!("{}.{name}", self.function.name);
        let id = self.new_object(full_name, specified.ty.clone(), span);
        self.facts_of_object(id).is_static = true;
        let object = &mut self.objects[id];
        object.is_thread_local = declaration.specifiers.is_thread_local;
        object.is_defined = true;
        object.align = specified.requested.max(specified.align).unwrap_or(1);
        self.bind(name, Entity::Object(id, specified.ty.clone()), span);
        if let Some(initializer) = &declarator.initializer {
            let ty = self.static_initial(id, initializer)?;
            self.objects[id].ty = ty.clone();
            self.bind(name, Entity::Object(id, ty), span);
        }
        Ok(())
    }

    fn local(
        &mut self,
        declarator: &InitDeclarator,
        specified: &Specified,
        name: &Name,
        span: Span,
        attributes: &Attributes,
        out: &mut Vec<Statement>,
    ) -> Checked<()> {
        self.no_redeclaration(name, span)?;
        let local = self.new_local(name.to_string(), specified, span);
        self.bind(name, Entity::Local(local), span);
        if self.is_variable(&specified.ty.ty) {
            if declarator.initializer.is_some() {
                let message = format!("`{name}` is of variable length and cannot be initialised");
                return Err(self.error(span, message));
            }
            let size = self.size_expression(&specified.ty.ty, span)?;
            out.push(Statement {
                kind: StatementKind::AllocateVariable(local, size),
                span,
            });
        } else {
            let initial = match &declarator.initializer {
                None => None,
                Some(initializer) => {
                    let (initial, ty) = self.local_initial(&specified.ty, initializer)?;
                    self.flush_pending(out);
                    self.function.locals[local].ty = ty;
                    Some(initial)
                }
            };
            let ty = self.function.locals[local].ty.ty.clone();
            if !self.is_complete(&ty) {
                let shown = self.show(&ty);
                let message = format!("`{name}` has the incomplete type `{shown}`");
                return Err(self.error(span, message));
            }
            out.push(Statement {
                kind: StatementKind::Declare(local, initial),
                span,
            });
        }
        if let Some((what, span)) = &attributes.unsupported {
            out.push(Statement {
                kind: StatementKind::Unsupported(format!("a variable with {what}")),
                span: *span,
            });
        }
        if let Some((function, span)) = &attributes.cleanup {
            self.cleanup(name, function, *span, out)?;
        }
        Ok(())
    }

    /// `__auto_type x = value;`
    fn auto_declarator(
        &mut self,
        declaration: &Declaration,
        declarator: &InitDeclarator,
        out: &mut Vec<Statement>,
    ) -> Checked<()> {
        let (Some(name), Some(Initializer::Expression(value))) =
            (&declarator.declarator.name, &declarator.initializer)
        else {
            return Err(self.error(
                declarator.span,
                "`__auto_type` needs a plain initialised variable",
            ));
        };
        let mut ty = Qualified::from(self.value(value)?.ty);
        super::specify::qualify(&mut ty, declaration.specifiers.qualifiers);
        let specified = Specified::from(ty);
        let attributes = self.attributes(&[
            &declaration.specifiers.attributes,
            &declarator.declarator.attributes,
            &declarator.attributes,
        ]);
        self.local(
            declarator,
            &specified,
            &name.name,
            name.span,
            &attributes,
            out,
        )
    }
}
