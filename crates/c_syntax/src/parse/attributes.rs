//! `__attribute__((…))` and `[[…]]`.

use std::sync::Arc;

use super::{Parse, Parser};
use crate::token::{Mark, Token, TokenKind};
use crate::tree::{Attribute, AttributeArgument, Expression, ExpressionKind, Identifier};
use crate::words::Keyword;

impl Parser<'_, '_> {
    /// All attributes that come next.
    pub(super) fn attributes(&mut self) -> Parse<Vec<Attribute>> {
        let mut attributes = Vec::new();
        loop {
            if self.is_keyword(Keyword::Attribute) {
                self.take();
                let outer = self.peek();
                self.expect(Mark::ParenOpen)?;
                let inner = self.peek();
                self.expect(Mark::ParenOpen)?;
                self.attribute_list(&mut attributes, Mark::ParenClose)?;
                self.expect_close(Mark::ParenClose, inner)?;
                self.expect_close(Mark::ParenClose, outer)?;
            } else if self.begins_attribute(0) {
                let outer = self.take();
                let inner = self.take();
                self.attribute_list(&mut attributes, Mark::BracketClose)?;
                self.expect_close(Mark::BracketClose, inner)?;
                self.expect_close(Mark::BracketClose, outer)?;
            } else {
                return Ok(attributes);
            }
        }
    }

    /// Whether attributes begin after so many tokens.
    pub(super) fn begins_attribute(&self, ahead: usize) -> bool {
        self.peek_at(ahead).kind == TokenKind::Keyword(Keyword::Attribute)
            || (self.is_mark_at(ahead, Mark::BracketOpen)
                && self.is_mark_at(ahead + 1, Mark::BracketOpen))
    }

    /// How many tokens stand before the first one that does not belong to attributes, beginning after `ahead` tokens.
    pub(super) fn after_attributes(&self, ahead: usize) -> usize {
        let mut ahead = ahead;
        while self.begins_attribute(ahead) {
            if !self.is_mark_at(ahead, Mark::BracketOpen) {
                ahead += 1;
            }
            let mut depth = 0_usize;
            loop {
                match self.peek_at(ahead).kind {
                    TokenKind::Mark(Mark::ParenOpen | Mark::BracketOpen) => depth += 1,
                    TokenKind::Mark(Mark::ParenClose | Mark::BracketClose) => {
                        depth = depth.saturating_sub(1);
                    }
                    TokenKind::End => return ahead,
                    _ => {}
                }
                ahead += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        ahead
    }

    fn attribute_list(&mut self, attributes: &mut Vec<Attribute>, close: Mark) -> Parse<()> {
        while !self.is_mark(close) {
            if self.eat(Mark::Comma) {
                continue;
            }
            attributes.push(self.attribute()?);
            if !self.is_mark(close) && !self.is_mark(Mark::Comma) {
                return Err(self.expected(&format!("`,` or `{}`", close.text())));
            }
        }
        Ok(())
    }

    fn attribute(&mut self) -> Parse<Attribute> {
        let start = self.start();
        let mut name = self.attribute_word()?;
        if self.is_mark(Mark::Colon) && self.is_mark_at(1, Mark::Colon) {
            self.take();
            self.take();
            let own = self.attribute_word()?;
            // The attributes of GNU C are the same in both forms.
            name = match name.as_str() {
                "gnu" => own,
                vendor => format!("{vendor}::{own}"),
            };
        }
        let mut arguments = Vec::new();
        let open = self.peek();
        if self.eat(Mark::ParenOpen) {
            arguments = self.nested(|it| it.attribute_arguments(&name))?;
            self.expect_close(Mark::ParenClose, open)?;
        }
        let name = Arc::from(name);
        let span = self.span_from(start);
        self.attribute_names.push(Identifier {
            name: Arc::clone(&name),
            span,
        });
        Ok(Attribute {
            name,
            arguments,
            span,
        })
    }

    /// A name, which may be a keyword, without underscores around it.
    fn attribute_word(&mut self) -> Parse<String> {
        let token = self.peek();
        match token.kind {
            TokenKind::Identifier(_) | TokenKind::Keyword(_) => {
                self.take();
                Ok(self.bare_word(token))
            }
            TokenKind::Number
            | TokenKind::Character
            | TokenKind::String
            | TokenKind::Mark(_)
            | TokenKind::Bad
            | TokenKind::End => Err(self.expected("the name of an attribute")),
        }
    }

    fn bare_word(&self, token: Token) -> String {
        let text = String::from_utf8_lossy(self.source.text(token));
        text.strip_prefix("__")
            .and_then(|text| text.strip_suffix("__"))
            .filter(|text| !text.is_empty())
            .map_or_else(|| text.to_string(), str::to_owned)
    }

    fn attribute_arguments(&mut self, attribute: &str) -> Parse<Vec<AttributeArgument>> {
        let mut arguments = Vec::new();
        if self.is_mark(Mark::ParenClose) {
            return Ok(arguments);
        }
        // Words of their own, such as `word` or `byte`, even if a type has the same name.
        if matches!(attribute, "mode" | "format" | "access")
            && let Some(word) = self.eat_identifier()
        {
            arguments.push(AttributeArgument::Expression(Expression {
                kind: ExpressionKind::Identifier(word.name),
                span: word.span,
            }));
            if !self.eat(Mark::Comma) {
                return Ok(arguments);
            }
        }
        loop {
            let argument = if self.begins_type_name(0) {
                AttributeArgument::Type(self.type_name()?)
            } else {
                AttributeArgument::Expression(self.assignment()?)
            };
            arguments.push(argument);
            if !self.eat(Mark::Comma) {
                return Ok(arguments);
            }
        }
    }
}
