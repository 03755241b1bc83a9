//! Declarators and parameters.

use super::beginnings::begins_specifier;
use super::scope::Binding;
use super::specifiers::Position;
use super::{Parse, Parser};
use crate::token::{Mark, Token, TokenKind};
use crate::tree::{
    ArrayDeclarator, ArrayLength, BasicType, Declarator, DeclaratorPart, Parameter, Parameters,
    Qualifiers, TypeSpecifier,
};
use crate::words::Keyword;

/// Whether a name is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    Named,
    Unnamed,
    /// In parameters.
    Either,
}

impl Parser<'_, '_> {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Parse<Declarator> {
        self.any_declarator(Naming::Named)
    }

    /// A declarator without a name, maybe empty.
    pub(super) fn abstract_declarator(&mut self) -> Parse<Declarator> {
        self.any_declarator(Naming::Unnamed)
    }

    fn any_declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let start = self.start();
        let mut declarator = Declarator {
            name: None,
            parts: Vec::new(),
            attributes: Vec::new(),
            span: self.source.span(start, start),
        };
        self.declarator_into(naming, &mut declarator)?;
        declarator.span = self.span_from(start);
        Ok(declarator)
    }

    /// Adds parts from the name outwards.
    fn declarator_into(&mut self, naming: Naming, declarator: &mut Declarator) -> Parse<()> {
        let mut pointers = Vec::new();
        self.attributes_before_name(declarator)?;
        while self.eat(Mark::Star) {
            pointers.push(self.pointer_qualifiers(declarator)?);
        }
        let token = self.peek();
        match token.kind {
            TokenKind::Identifier(_) if naming != Naming::Unnamed => {
                declarator.name = self.eat_identifier();
                if self.is_mark(Mark::BracketOpen) && self.begins_attribute(0) {
                    declarator.attributes.append(&mut self.attributes()?);
                }
            }
            TokenKind::Mark(Mark::ParenOpen) if self.encloses_declarator(naming) => {
                let open = self.take();
                self.nested(|it| it.declarator_into(naming, declarator))?;
                self.expect_close(Mark::ParenClose, open)?;
            }
            _ if naming == Naming::Named => return Err(self.expected("a name")),
            _ => {}
        }
        loop {
            let open = self.peek();
            if self.begins_attribute(0) {
                // They stand behind the whole declarator, whose reader takes them.
                break;
            } else if self.is_mark(Mark::BracketOpen) {
                let array = self.nested(Self::array)?;
                declarator.parts.push(DeclaratorPart::Array(array));
            } else if self.eat(Mark::ParenOpen) {
                let parameters = self.nested(|it| it.parameters(open))?;
                declarator.parts.push(DeclaratorPart::Function(parameters));
            } else {
                break;
            }
        }
        let pointers = pointers.into_iter().rev().map(DeclaratorPart::Pointer);
        declarator.parts.extend(pointers);
        Ok(())
    }

    /// `[[…]]` is left alone: it may stand behind a declarator without a name.
    fn attributes_before_name(&mut self, declarator: &mut Declarator) -> Parse<()> {
        if self.is_keyword(Keyword::Attribute) {
            declarator.attributes.append(&mut self.attributes()?);
        }
        Ok(())
    }

    /// Whether the `(` that is next holds a declarator, and not parameters.
    fn encloses_declarator(&self, naming: Naming) -> bool {
        if naming == Naming::Named {
            return true;
        }
        match self.peek_at(self.after_attributes(1)).kind {
            TokenKind::Mark(Mark::Star | Mark::ParenOpen | Mark::BracketOpen) => true,
            TokenKind::Identifier(symbol) => {
                naming == Naming::Either && self.scopes.get(symbol) != Binding::Typedef
            }
            TokenKind::Mark(_)
            | TokenKind::Keyword(_)
            | TokenKind::Number
            | TokenKind::Character
            | TokenKind::String
            | TokenKind::Bad
            | TokenKind::End => false,
        }
    }

    /// What stands behind a `*`.
    fn pointer_qualifiers(&mut self, declarator: &mut Declarator) -> Parse<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            if self.begins_attribute(0) {
                declarator.attributes.append(&mut self.attributes()?);
            } else if !self.qualifier(&mut qualifiers) {
                return Ok(qualifiers);
            }
        }
    }

    /// Takes a qualifier, if one is next.
    fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        match self.kind() {
            TokenKind::Keyword(Keyword::Const) => qualifiers.is_const = true,
            TokenKind::Keyword(Keyword::Volatile) => qualifiers.is_volatile = true,
            TokenKind::Keyword(Keyword::Restrict) => qualifiers.is_restrict = true,
            TokenKind::Keyword(Keyword::Atomic) => qualifiers.is_atomic = true,
            _ => return false,
        }
        self.take();
        true
    }

    /// `[static const 3]`
    fn array(&mut self) -> Parse<ArrayDeclarator> {
        let open = self.take();
        let mut qualifiers = Qualifiers::default();
        let mut is_static = false;
        loop {
            if self.eat_keyword(Keyword::Static) {
                is_static = true;
            } else if !self.qualifier(&mut qualifiers) {
                break;
            }
        }
        let length = if self.is_mark(Mark::BracketClose) {
            ArrayLength::Unspecified
        } else if self.is_mark(Mark::Star) && self.is_mark_at(1, Mark::BracketClose) {
            self.take();
            ArrayLength::Star
        } else {
            ArrayLength::Expression(Box::new(self.assignment()?))
        };
        self.expect_close(Mark::BracketClose, open)?;
        Ok(ArrayDeclarator {
            qualifiers,
            is_static,
            length,
            span: self.span_from(open.start),
        })
    }

    /// Parameters and the `)` behind them.
    fn parameters(&mut self, open: Token) -> Parse<Parameters> {
        self.scopes.enter();
        let result = self.parameters_in_scope(open);
        self.scopes.leave();
        result
    }

    fn parameters_in_scope(&mut self, open: Token) -> Parse<Parameters> {
        if self.eat(Mark::ParenClose) {
            return Ok(Parameters::Identifiers(Vec::new()));
        }
        if let TokenKind::Identifier(symbol) = self.kind()
            && self.scopes.get(symbol) != Binding::Typedef
            && (self.is_mark_at(1, Mark::Comma) || self.is_mark_at(1, Mark::ParenClose))
        {
            return self.parameter_names(open);
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut is_variadic = false;
        loop {
            if self.eat(Mark::Ellipsis) {
                is_variadic = true;
                break;
            }
            parameters.push(self.parameter()?);
            if self.eat(Mark::Semicolon) {
                // Forward declarations, a GNU extension: the parameters themselves follow.
                parameters.clear();
                if self.eat(Mark::ParenClose) {
                    return Ok(Parameters::Identifiers(Vec::new()));
                }
            } else if !self.eat(Mark::Comma) {
                break;
            }
        }
        self.expect_close(Mark::ParenClose, open)?;
        if let [only] = &parameters[..]
            && !is_variadic
            && is_void(only)
        {
            parameters.clear();
        }
        Ok(Parameters::Prototype {
            parameters,
            is_variadic,
        })
    }

    /// Names only, as in K&R definitions.
    fn parameter_names(&mut self, open: Token) -> Parse<Parameters> {
        let mut names = Vec::new();
        loop {
            let name = self.identifier("the name of a parameter")?;
            if let TokenKind::Identifier(_) = self.kind() {
                // A type was meant: `f(a, foo b)`.
                return Err(self.expected("`,` or `)`"));
            }
            names.push(name);
            if !self.eat(Mark::Comma) {
                break;
            }
        }
        self.expect_close(Mark::ParenClose, open)?;
        Ok(Parameters::Identifiers(names))
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        let start = self.start();
        let begins = match self.kind() {
            TokenKind::Keyword(keyword) => begins_specifier(keyword),
            TokenKind::Identifier(_) => true,
            _ => self.begins_attribute(0),
        };
        if !begins {
            return Err(self.expected("a parameter"));
        }
        let specifiers = self.specifiers(Position::Parameter)?;
        let declarator = self.any_declarator(Naming::Either)?;
        let attributes = self.attributes()?;
        if let Some(name) = &declarator.name {
            self.declare(name, Binding::Ordinary);
        }
        Ok(Parameter {
            specifiers,
            declarator,
            attributes,
            span: self.span_from(start),
        })
    }
}

/// The one parameter that says that there are none.
fn is_void(parameter: &Parameter) -> bool {
    let specifiers = &parameter.specifiers;
    matches!(specifiers.ty, TypeSpecifier::Basic(BasicType::Void))
        && specifiers.storage.is_none()
        && specifiers.qualifiers == Qualifiers::default()
        && parameter.declarator.name.is_none()
        && parameter.declarator.parts.is_empty()
}
