//! What the next tokens begin: a type, a declaration, or neither.

use super::Parser;
use super::scope::Binding;
use crate::token::{Mark, TokenKind};
use crate::words::Keyword;

impl Parser<'_, '_> {
    /// Whether the name of a type begins after so many tokens.
    pub(super) fn begins_type_name(&self, ahead: usize) -> bool {
        match self.peek_at(ahead).kind {
            TokenKind::Keyword(keyword) => {
                begins_specifier(keyword) && keyword != Keyword::Extension
            }
            TokenKind::Identifier(symbol) => match self.scopes.get(symbol) {
                Binding::Typedef => true,
                Binding::Ordinary => false,
                Binding::Unknown => self.looks_like_end_of_type(ahead + 1),
            },
            TokenKind::Mark(Mark::BracketOpen) => self.begins_attribute(ahead),
            TokenKind::Mark(_)
            | TokenKind::Number
            | TokenKind::Character
            | TokenKind::String
            | TokenKind::Bad
            | TokenKind::End => false,
        }
    }

    /// Whether `*` and then `)` come, or `)` and an operand: what stands before can only be meant as a type.
    fn looks_like_end_of_type(&self, ahead: usize) -> bool {
        let stars = (ahead..self.lexed.tokens.len())
            .take_while(|&at| self.is_mark_at(at, Mark::Star))
            .count();
        let begins_operand = matches!(
            self.peek_at(ahead + stars + 1).kind,
            TokenKind::Identifier(_) | TokenKind::Number | TokenKind::Character | TokenKind::String
        );
        (stars > 0 || begins_operand) && self.is_mark_at(ahead + stars, Mark::ParenClose)
    }

    /// Whether a declaration begins after so many tokens, in a block.
    pub(super) fn begins_declaration(&self, ahead: usize) -> bool {
        let mut ahead = ahead;
        loop {
            let after = self.after_attributes(self.after_extensions(ahead));
            if after == ahead {
                break;
            }
            ahead = after;
        }
        match self.peek_at(ahead).kind {
            TokenKind::Keyword(Keyword::StaticAssert) => true,
            TokenKind::Keyword(keyword) => begins_specifier(keyword),
            TokenKind::Identifier(symbol) => {
                let next = self.peek_at(ahead + 1).kind;
                match self.scopes.get(symbol) {
                    Binding::Typedef => next != TokenKind::Mark(Mark::Colon),
                    Binding::Unknown => matches!(next, TokenKind::Identifier(_)),
                    Binding::Ordinary => false,
                }
            }
            TokenKind::Mark(_)
            | TokenKind::Number
            | TokenKind::Character
            | TokenKind::String
            | TokenKind::Bad
            | TokenKind::End => false,
        }
    }

    /// How many tokens stand before the first one that is not `__extension__`, beginning after `ahead` tokens.
    fn after_extensions(&self, ahead: usize) -> usize {
        let extension = TokenKind::Keyword(Keyword::Extension);
        let count = (ahead..self.lexed.tokens.len())
            .take_while(|&at| self.peek_at(at).kind == extension)
            .count();
        ahead + count
    }
}

/// Keywords that may stand among specifiers.
pub(super) fn begins_specifier(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Typedef
            | Keyword::Extern
            | Keyword::Static
            | Keyword::Auto
            | Keyword::Register
            | Keyword::ThreadLocal
            | Keyword::Inline
            | Keyword::Noreturn
            | Keyword::Const
            | Keyword::Volatile
            | Keyword::Restrict
            | Keyword::Extension
            | Keyword::Attribute
            | Keyword::Alignas
            | Keyword::Atomic
            | Keyword::Struct
            | Keyword::Union
            | Keyword::Enum
            | Keyword::Typeof
            | Keyword::TypeofUnqualified
            | Keyword::AutoType
            | Keyword::VaList
            | Keyword::Int128Typedef
            | Keyword::UnsignedInt128Typedef
            | Keyword::Void
            | Keyword::Bool
            | Keyword::Char
            | Keyword::Int
            | Keyword::Int128
            | Keyword::Float
            | Keyword::Double
            | Keyword::LongDouble
            | Keyword::Float16
            | Keyword::Float128
            | Keyword::Decimal
            | Keyword::Long
            | Keyword::Short
            | Keyword::Signed
            | Keyword::Unsigned
            | Keyword::Complex
    )
}
