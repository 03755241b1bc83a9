//! Types: `u8`, `*T`, `[T; 4]`, names of structs.

use crate::lexer::TokenKind;
use crate::literal::{self, Number};
use crate::message::syntax_error;
use crate::syntax::{TypeExpr, TypeKind};

use super::{Parsed, Parser};

impl<'s> Parser<'s, '_> {
    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr<'s>> {
        self.deeper(|this| {
            let token = this.peek();
            match token.kind {
                TokenKind::Mark("*") => {
                    this.advance();
                    let pointee = this.type_expr()?;
                    let span = token.span.to(pointee.span);
                    Ok(TypeExpr {
                        kind: TypeKind::Pointer(Box::new(pointee)),
                        span,
                    })
                }
                TokenKind::Mark("[") => {
                    this.advance();
                    this.open += 1;
                    let inner = this.array_type();
                    this.open -= 1;
                    let (element, length) = inner?;
                    Ok(TypeExpr {
                        kind: TypeKind::Array(Box::new(element), length),
                        span: token.span.to(this.last),
                    })
                }
                TokenKind::QuotedWord => {
                    let name = this.any_name();
                    Ok(TypeExpr {
                        kind: TypeKind::Named {
                            text: name.text,
                            is_quoted: true,
                        },
                        span: name.span,
                    })
                }
                TokenKind::Word => {
                    // `thread` is an item and a type.
                    let name = this.name("a type")?;
                    Ok(TypeExpr {
                        kind: TypeKind::Named {
                            text: name.text,
                            is_quoted: false,
                        },
                        span: name.span,
                    })
                }
                _ => Err(this.unexpected("a type")),
            }
        })
    }

    fn array_type(&mut self) -> Parsed<(TypeExpr<'s>, u64)> {
        let element = self.type_expr()?;
        self.expect_mark(";")?;
        let length = self.plain_number("the number of elements")?;
        self.expect_mark("]")?;
        Ok((element, length))
    }

    /// A number without sign or suffix, as in sizes and offsets.
    pub(super) fn plain_number(&mut self, what: &str) -> Parsed<u64> {
        let token = self.peek();
        if token.kind != TokenKind::Number {
            return Err(self.unexpected(what));
        }
        self.advance();
        let text = self.text_of(token);
        if let Ok(Number::Integer {
            value,
            suffix: None,
            ..
        }) = literal::number(text)
            && let Ok(value) = u64::try_from(value)
        {
            return Ok(value);
        }
        Err(self.report(
            syntax_error(
                format!("expected {what}, a plain number below 2^64"),
                token.span,
                "not a plain number",
            )
            .help("leave out the suffix"),
        ))
    }
}
