//! Declarations and definitions of functions, outside of functions and in blocks.

use super::beginnings::begins_specifier;
use super::scope::Binding;
use super::specifiers::Position;
use super::{Parse, Parser};
use crate::message::syntax_error;
use crate::token::{Mark, TokenKind};
use crate::tree::{
    Declaration, Declarator, DeclaratorPart, FunctionDefinition, Identifier, InitDeclarator, Item,
    Parameters, Specifiers, Storage,
};
use crate::words::Keyword;

impl Parser<'_, '_> {
    /// Everything up to the end of the file.
    pub(super) fn unit(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.is_end() {
            if self.eat(Mark::Semicolon) {
                continue;
            }
            let error_at = self.at;
            self.height = 0;
            if let Ok(item) = self.external() {
                items.push(item);
            } else {
                self.skip_external(error_at);
            }
        }
        items
    }

    fn external(&mut self) -> Parse<Item> {
        let token = self.peek();
        match token.kind {
            TokenKind::Mark(Mark::BraceClose) => {
                let span = self.token_span(token);
                self.take();
                Err(self.messages.push(syntax_error(
                    "unmatched `}`",
                    span,
                    "this `}` closes nothing",
                )))
            }
            TokenKind::Keyword(Keyword::Asm) => self.asm().map(Item::Asm),
            TokenKind::Keyword(Keyword::StaticAssert) => {
                self.static_assert().map(Item::StaticAssert)
            }
            TokenKind::Keyword(keyword) if !begins_specifier(keyword) => {
                Err(self.expected("a declaration"))
            }
            TokenKind::Number | TokenKind::Character | TokenKind::String | TokenKind::Bad => {
                Err(self.expected("a declaration"))
            }
            TokenKind::Mark(Mark::Star | Mark::ParenOpen | Mark::BracketOpen)
            | TokenKind::Keyword(_)
            | TokenKind::Identifier(_) => self.declaration_or_function(Position::File),
            TokenKind::Mark(_) | TokenKind::End => Err(self.expected("a declaration")),
        }
    }

    /// A declaration with its `;`, or the definition of a function.
    pub(super) fn declaration_or_function(&mut self, position: Position) -> Parse<Item> {
        let start = self.start();
        let first = self.peek();
        let specifiers = self.specifiers(position)?;
        if self.eat(Mark::Semicolon) {
            return Ok(Item::Declaration(Declaration {
                specifiers,
                declarators: Vec::new(),
                span: self.span_from(start),
            }));
        }
        let declarator_start = self.start();
        let before = self.attributes()?;
        let declarator = self.declarator()?;
        if self.begins_function_body(&declarator) {
            let mut definition = FunctionDefinition {
                attributes: before,
                asm_label: self.asm_label()?,
                specifiers,
                declarator,
                parameter_declarations: Vec::new(),
                body: crate::tree::Block {
                    local_labels: Vec::new(),
                    items: Vec::new(),
                    span: self.span_from(start),
                },
                span: self.span_from(start),
            };
            definition.attributes.append(&mut self.attributes()?);
            if position == Position::Block
                && self.function_in_block.is_none()
                && self.is_at_line_start(first)
            {
                self.function_in_block = Some(self.token_span(first));
            }
            self.function(&mut definition)?;
            definition.span = self.span_from(start);
            return Ok(Item::Function(definition));
        }
        let mut declarators =
            vec![self.init_declarator(&specifiers, declarator, before, declarator_start)?];
        while self.eat(Mark::Comma) {
            let declarator_start = self.start();
            let before = self.attributes()?;
            let declarator = self.declarator()?;
            declarators.push(self.init_declarator(
                &specifiers,
                declarator,
                before,
                declarator_start,
            )?);
        }
        let span = self.span_from(start);
        self.end_of_declaration(&specifiers)?;
        Ok(Item::Declaration(Declaration {
            specifiers,
            declarators,
            span: span.to(self.span_from(start)),
        }))
    }

    fn end_of_declaration(&mut self, specifiers: &Specifiers) -> Parse<()> {
        let what = match specifiers.storage {
            Some(Storage::Typedef) => "the typedef",
            _ => "the declaration",
        };
        self.expect_semicolon(what)
    }

    /// A declaration that is no definition of a function, with its `;`.
    pub(super) fn plain_declaration(&mut self, position: Position) -> Parse<Declaration> {
        let token = self.peek();
        match self.declaration_or_function(position)? {
            Item::Declaration(declaration) => Ok(declaration),
            Item::Function(_) | Item::StaticAssert(_) | Item::Asm(_) => {
                let span = self.token_span(token);
                Err(self.messages.push(syntax_error(
                    "expected a declaration, found a function",
                    span,
                    "no function may be defined here",
                )))
            }
        }
    }

    /// What follows a declarator: its label, attributes and initializer.
    fn init_declarator(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        attributes: Vec<crate::tree::Attribute>,
        start: u32,
    ) -> Parse<InitDeclarator> {
        let mut attributes = attributes;
        let mut asm_label = None;
        loop {
            if self.is_keyword(Keyword::Asm) {
                asm_label = self.asm_label()?;
            } else if self.begins_attribute(0) {
                attributes.append(&mut self.attributes()?);
            } else {
                break;
            }
        }
        if let Some(name) = &declarator.name {
            let binding = match specifiers.storage {
                Some(Storage::Typedef) => Binding::Typedef,
                _ => Binding::Ordinary,
            };
            self.declare(name, binding);
        }
        let initializer = if self.eat(Mark::Equal) {
            Some(self.initializer()?)
        } else {
            None
        };
        Ok(InitDeclarator {
            declarator,
            asm_label,
            attributes,
            initializer,
            span: self.span_from(start),
        })
    }

    /// Whether the declarator just read is that of a function whose body, or declarations of parameters, follow.
    fn begins_function_body(&self, declarator: &Declarator) -> bool {
        let Some(DeclaratorPart::Function(parameters)) = declarator.parts.first() else {
            return false;
        };
        let after = self.after_attributes(0);
        match self.peek_at(after).kind {
            TokenKind::Mark(Mark::BraceOpen) => true,
            _ => match parameters {
                Parameters::Identifiers(names) => {
                    !names.is_empty() && self.begins_declaration(after)
                }
                Parameters::Prototype { .. } => false,
            },
        }
    }

    /// The rest of a function: the declarations of K&R parameters, and the body.
    fn function(&mut self, definition: &mut FunctionDefinition) -> Parse<()> {
        if let Some(name) = &definition.declarator.name {
            self.declare(name, Binding::Ordinary);
        }
        self.scopes.enter();
        let result = self.function_in_scope(definition);
        self.scopes.leave();
        result
    }

    fn function_in_scope(&mut self, definition: &mut FunctionDefinition) -> Parse<()> {
        let names: Vec<Identifier> = match definition.declarator.parts.first() {
            Some(DeclaratorPart::Function(Parameters::Identifiers(names))) => names.clone(),
            Some(DeclaratorPart::Function(Parameters::Prototype { parameters, .. })) => parameters
                .iter()
                .filter_map(|parameter| parameter.declarator.name.clone())
                .collect(),
            _ => Vec::new(),
        };
        for name in &names {
            self.declare(name, Binding::Ordinary);
        }
        while !self.is_mark(Mark::BraceOpen) {
            if !self.begins_declaration(0) {
                return Err(self.expected("`{`"));
            }
            let declaration = self.plain_declaration(Position::Block)?;
            definition.parameter_declarations.push(declaration);
        }
        definition.body = self.nested(Self::block_in_scope)?;
        Ok(())
    }

    /// From here to the end of the scope the name means this.
    pub(super) fn declare(&mut self, name: &Identifier, binding: Binding) {
        if let Some(symbol) = self.lexed.names.symbol(&name.name) {
            self.scopes.declare(symbol, binding);
        }
    }
}
