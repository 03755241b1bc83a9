//! Initializers with their designators.

use super::{Parse, Parser};
use crate::message::Reported;
use crate::token::{Mark, TokenKind};
use crate::tree::{Designator, Initializer, InitializerElement, InitializerList};

impl Parser<'_, '_> {
    pub(super) fn initializer(&mut self) -> Parse<Initializer> {
        if self.is_mark(Mark::BraceOpen) {
            return self.nested(Self::initializer_list).map(Initializer::List);
        }
        self.assignment().map(Initializer::Expression)
    }

    /// `{ … }`. After an error in it reading goes on behind its end.
    pub(super) fn initializer_list(&mut self) -> Parse<InitializerList> {
        let first = self.at;
        let open = self.take();
        let mut elements = Vec::new();
        let read = self.initializer_elements(&mut elements);
        if let Err(reported) = read.and_then(|()| self.expect_close(Mark::BraceClose, open)) {
            self.skip_list(first, reported)?;
        }
        Ok(InitializerList {
            elements,
            span: self.span_from(open.start),
        })
    }

    fn initializer_elements(&mut self, elements: &mut Vec<InitializerElement>) -> Parse<()> {
        loop {
            if self.is_mark(Mark::BraceClose) {
                return Ok(());
            }
            let start = self.start();
            let designators = self.designators()?;
            let value = self.initializer()?;
            elements.push(InitializerElement {
                designators,
                value,
                span: self.span_from(start),
            });
            if !self.eat(Mark::Comma) {
                return Ok(());
            }
        }
    }

    /// Designators with the `=` or `:` behind them.
    fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = Vec::new();
        if matches!(self.kind(), TokenKind::Identifier(_)) && self.is_mark_at(1, Mark::Colon) {
            let member = self.identifier("the name of a member")?;
            self.take();
            designators.push(Designator::Member(member));
            return Ok(designators);
        }
        loop {
            let token = self.peek();
            if self.eat(Mark::Dot) {
                let member = self.identifier("the name of a member")?;
                designators.push(Designator::Member(member));
            } else if self.eat(Mark::BracketOpen) {
                let first = self.conditional()?;
                let designator = if self.eat(Mark::Ellipsis) {
                    Designator::Range(first, self.conditional()?)
                } else {
                    Designator::Index(first)
                };
                self.expect_close(Mark::BracketClose, token)?;
                designators.push(designator);
            } else {
                break;
            }
        }
        // The `=` may be missing after a single index, as in old GNU C.
        if !designators.is_empty()
            && !self.eat(Mark::Equal)
            && !matches!(
                designators[..],
                [Designator::Index(_) | Designator::Range(_, _)]
            )
        {
            return Err(self.expected("`=`"));
        }
        Ok(designators)
    }

    /// Skips the rest of a list whose `{` is the token at index `first`, if its end can be found.
    fn skip_list(&mut self, first: usize, reported: Reported) -> Parse<()> {
        let mut depth = 0_usize;
        for index in first..self.lexed.tokens.len() {
            match self.lexed.tokens[index].kind {
                TokenKind::Mark(Mark::BraceOpen) => depth += 1,
                TokenKind::Mark(Mark::BraceClose) => {
                    depth -= 1;
                    if depth == 0 && index >= self.at {
                        self.at = index + 1;
                        return Ok(());
                    }
                    if depth == 0 {
                        return Err(reported);
                    }
                }
                // No list goes on after a `;`, but for those of blocks in it.
                TokenKind::Mark(Mark::Semicolon) if depth <= 1 => return Err(reported),
                _ => {}
            }
        }
        Err(reported)
    }
}
