//! `struct`, `union` and `enum`.

use std::sync::Arc;

use super::primary::zero;
use super::scope::Binding;
use super::specifiers::Position;
use super::{Parse, Parser};
use crate::token::{Mark, Token, TokenKind};
use crate::tree::{
    Attribute, AttributeArgument, Declarator, EnumSpecifier, Enumerator, Expression,
    ExpressionKind, FieldDeclaration, FieldDeclarator, Identifier, IntegerLiteral, Member,
    StaticAssert, StructSpecifier,
};
use crate::words::Keyword;

impl Parser<'_, '_> {
    /// A struct or union, and whether it has a body.
    pub(super) fn struct_specifier(&mut self) -> Parse<(StructSpecifier, bool)> {
        let word = self.take();
        let mut attributes = self.attributes()?;
        let tag = self.tag(word);
        let mut members = None;
        let open = self.peek();
        if self.eat(Mark::BraceOpen) {
            members = Some(self.nested(|it| it.members(open))?);
            if let Some(limit) = self.lexed.packing.at(self.previous_end()) {
                attributes.push(self.packing_attribute(limit, word));
            }
            attributes.append(&mut self.attributes()?);
        } else if tag.is_none() {
            return Err(self.expected("a name or `{`"));
        }
        let has_body = members.is_some();
        let specifier = StructSpecifier {
            is_union: word.kind == TokenKind::Keyword(Keyword::Union),
            tag,
            members,
            attributes,
            span: self.span_from(word.start),
        };
        Ok((specifier, has_body))
    }

    /// What `#pragma pack` says about a struct, as an attribute `pragma_pack(limit)`.
    fn packing_attribute(&self, limit: u32, word: Token) -> Attribute {
        let span = self.token_span(word);
        let limit = ExpressionKind::Integer(IntegerLiteral {
            value: u128::from(limit),
            is_decimal: true,
            is_unsigned: false,
            longs: 0,
            is_imaginary: false,
        });
        Attribute {
            name: Arc::from("pragma_pack"),
            arguments: vec![AttributeArgument::Expression(Expression {
                kind: limit,
                span,
            })],
            span,
        }
    }

    /// The name behind `struct`, `union` or `enum`.
    fn tag(&mut self, word: Token) -> Option<Identifier> {
        if let (TokenKind::Keyword(keyword), TokenKind::Identifier(symbol)) =
            (word.kind, self.kind())
            && !self.tags.contains(&(keyword, symbol))
            && self.tags.len() < 1_000
        {
            self.tags.push((keyword, symbol));
        }
        self.eat_identifier()
    }

    /// Members and the `}` behind them.
    fn members(&mut self, open: Token) -> Parse<Vec<Member>> {
        let mut members = Vec::new();
        loop {
            if self.eat(Mark::BraceClose) {
                return Ok(members);
            }
            if self.is_end() {
                return Err(self.unclosed(open));
            }
            if self.eat(Mark::Semicolon) {
                continue;
            }
            let error_at = self.at;
            if let Ok(member) = self.member() {
                members.push(member);
            } else {
                self.skip_statement(error_at);
            }
        }
    }

    fn member(&mut self) -> Parse<Member> {
        if self.is_keyword(Keyword::StaticAssert) {
            return self.static_assert().map(Member::StaticAssert);
        }
        let start = self.start();
        let specifiers = self.specifiers(Position::Member)?;
        let mut declarators = Vec::new();
        if !self.is_mark(Mark::Semicolon) && !self.is_mark(Mark::BraceClose) {
            loop {
                declarators.push(self.field()?);
                if !self.eat(Mark::Comma) {
                    break;
                }
            }
        }
        let span = self.span_from(start);
        // The last `;` may be missing, as in old C.
        if !self.is_mark(Mark::BraceClose) {
            self.expect_semicolon("the declaration of a member")?;
        }
        Ok(Member::Fields(FieldDeclaration {
            specifiers,
            declarators,
            span,
        }))
    }

    fn field(&mut self) -> Parse<FieldDeclarator> {
        let start = self.start();
        let mut attributes = self.attributes()?;
        let declarator = if self.is_mark(Mark::Colon) {
            Declarator {
                name: None,
                parts: Vec::new(),
                attributes: Vec::new(),
                span: self.source.span(start, start),
            }
        } else {
            self.declarator()?
        };
        let width = if self.eat(Mark::Colon) {
            Some(self.conditional()?)
        } else {
            None
        };
        attributes.append(&mut self.attributes()?);
        Ok(FieldDeclarator {
            declarator,
            width,
            attributes,
            span: self.span_from(start),
        })
    }

    /// An enum, and whether it has a body.
    pub(super) fn enum_specifier(&mut self) -> Parse<(EnumSpecifier, bool)> {
        let word = self.take();
        let mut attributes = self.attributes()?;
        let tag = self.tag(word);
        let mut enumerators = None;
        let open = self.peek();
        if self.eat(Mark::BraceOpen) {
            enumerators = Some(self.nested(|it| it.enumerators(open))?);
            attributes.append(&mut self.attributes()?);
        } else if tag.is_none() {
            return Err(self.expected("a name or `{`"));
        }
        let has_body = enumerators.is_some();
        let specifier = EnumSpecifier {
            tag,
            enumerators,
            attributes,
            span: self.span_from(word.start),
        };
        Ok((specifier, has_body))
    }

    /// Enumerators and the `}` behind them.
    fn enumerators(&mut self, open: Token) -> Parse<Vec<Enumerator>> {
        let mut enumerators = Vec::new();
        if self.is_mark(Mark::BraceClose) {
            let _ = self.expected("an enumerator");
            self.take();
            return Ok(enumerators);
        }
        loop {
            if self.eat(Mark::BraceClose) {
                return Ok(enumerators);
            }
            if self.is_end() {
                return Err(self.unclosed(open));
            }
            let read = self.enumerator().and_then(|enumerator| {
                enumerators.push(enumerator);
                if self.eat(Mark::Comma) || self.is_mark(Mark::BraceClose) {
                    Ok(())
                } else {
                    Err(self.expected("`,` or `}`"))
                }
            });
            if read.is_err() {
                self.skip_enumerator();
            }
        }
    }

    fn enumerator(&mut self) -> Parse<Enumerator> {
        let name = self.identifier("the name of an enumerator")?;
        let mut attributes = self.attributes()?;
        let value = if self.eat(Mark::Equal) {
            Some(self.conditional()?)
        } else {
            None
        };
        attributes.append(&mut self.attributes()?);
        self.declare(&name, Binding::Ordinary);
        Ok(Enumerator {
            name,
            value,
            attributes,
        })
    }

    /// After an error: to the next enumerator, or before the `}`.
    fn skip_enumerator(&mut self) {
        self.stop_if_full();
        loop {
            match self.kind() {
                TokenKind::End | TokenKind::Mark(Mark::BraceClose) => return,
                TokenKind::Mark(Mark::Comma) => {
                    self.take();
                    return;
                }
                TokenKind::Mark(Mark::BraceOpen) => self.skip_braces(),
                TokenKind::Mark(Mark::Semicolon) => {
                    // The `}` is missing: better one error here than one for each line to come.
                    self.stop();
                    return;
                }
                _ => {
                    self.take();
                }
            }
        }
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        let start = self.start();
        self.take();
        let open = self.peek();
        self.expect(Mark::ParenOpen)?;
        let condition = self.nested(Self::conditional)?;
        let message = if self.eat(Mark::Comma) {
            Some(self.string()?)
        } else {
            None
        };
        self.expect_close(Mark::ParenClose, open)?;
        let span = self.span_from(start);
        self.expect_semicolon("the assertion")?;
        Ok(StaticAssert {
            condition,
            message,
            span,
        })
    }

    /// What stands for an expression that could not be read.
    pub(super) fn dummy(&self) -> Expression {
        Expression {
            kind: zero(),
            span: self.source.span(self.start(), self.start()),
        }
    }
}
