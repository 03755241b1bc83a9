//! `asm` in statements, outside of functions and behind declarators.

use super::{Parse, Parser};
use crate::token::{Mark, TokenKind};
use crate::tree::{Asm, AsmOperand, Name, StringLiteral};
use crate::words::Keyword;

impl Parser<'_, '_> {
    /// `asm("name")` behind a declarator.
    pub(super) fn asm_label(&mut self) -> Parse<Option<StringLiteral>> {
        if !self.eat_keyword(Keyword::Asm) {
            return Ok(None);
        }
        let open = self.peek();
        self.expect(Mark::ParenOpen)?;
        let name = self.string()?;
        self.expect_close(Mark::ParenClose, open)?;
        Ok(Some(name))
    }

    /// `asm volatile goto ("…" : outputs : inputs : clobbers : labels);`
    pub(super) fn asm(&mut self) -> Parse<Asm> {
        let start = self.start();
        self.take();
        let mut is_volatile = false;
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Volatile) => is_volatile = true,
                TokenKind::Keyword(Keyword::Goto | Keyword::Inline | Keyword::Const) => {}
                _ => break,
            }
            self.take();
        }
        let open = self.peek();
        self.expect(Mark::ParenOpen)?;
        let mut asm = Asm {
            template: self.string()?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
            is_volatile,
            span: self.span_from(start),
        };
        if self.eat(Mark::Colon) {
            asm.outputs = self.asm_operands()?;
            if self.eat(Mark::Colon) {
                asm.inputs = self.asm_operands()?;
            }
            if self.eat(Mark::Colon) {
                while self.kind() == TokenKind::String {
                    asm.clobbers.push(self.string()?);
                    if !self.eat(Mark::Comma) {
                        break;
                    }
                }
            }
            if self.eat(Mark::Colon) {
                while let Some(label) = self.eat_identifier() {
                    asm.labels.push(label);
                    if !self.eat(Mark::Comma) {
                        break;
                    }
                }
            }
        }
        self.expect_close(Mark::ParenClose, open)?;
        asm.span = self.span_from(start);
        self.expect_semicolon("the `asm` statement")?;
        Ok(asm)
    }

    /// `[name] "constraint" (expression), …`
    fn asm_operands(&mut self) -> Parse<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        loop {
            let bracket = self.peek();
            let mut name = None;
            if self.eat(Mark::BracketOpen) {
                // Keywords are allowed as names here.
                let word = self.take();
                let text = String::from_utf8_lossy(self.source.text(word));
                name = Some(Name::from(text.as_ref()));
                self.expect_close(Mark::BracketClose, bracket)?;
            } else if self.kind() != TokenKind::String {
                return Ok(operands);
            }
            let constraint = self.string()?;
            let open = self.peek();
            self.expect(Mark::ParenOpen)?;
            let expression = self.nested(Self::expression)?;
            self.expect_close(Mark::ParenClose, open)?;
            operands.push(AsmOperand {
                name,
                constraint,
                expression,
            });
            if !self.eat(Mark::Comma) {
                return Ok(operands);
            }
        }
    }
}
