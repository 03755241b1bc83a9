//! What stands before declarators: storage, qualifiers and the words of a type.

use std::sync::Arc;

use super::basic_types::{BasicWords, combine};
use super::beginnings::begins_specifier;
use super::scope::Binding;
use super::{Parse, Parser};
use crate::message::{Reported, name_error, syntax_error};
use crate::token::{Mark, Symbol, Token, TokenKind};
use crate::tree::{
    Alignment, Attribute, BasicType, Identifier, Qualifiers, Specifiers, Storage, TypeName,
    TypeSpecifier,
};
use crate::words::Keyword;

/// Where specifiers stand. It decides what an unknown name among them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// Outside of functions.
    File,
    Block,
    Parameter,
    Member,
    TypeName,
}

/// Specifiers while they are read.
struct Building {
    specifiers: Specifiers,
    words: BasicWords,
    /// A type has been seen, basic or not.
    has_type: bool,
    has_words: bool,
    /// Where the body of a struct, union or enum ended.
    body_end: Option<u32>,
}

impl Parser<'_, '_> {
    /// Specifiers, maybe none.
    pub(super) fn specifiers(&mut self, position: Position) -> Parse<Specifiers> {
        let start = self.start();
        let first = self.at;
        let mut building = Building {
            specifiers: Specifiers {
                storage: None,
                is_thread_local: false,
                is_inline: false,
                is_noreturn: false,
                qualifiers: Qualifiers::default(),
                alignments: Vec::new(),
                attributes: Vec::new(),
                ty: TypeSpecifier::Missing,
                span: self.source.span(start, start),
            },
            words: BasicWords::default(),
            has_type: false,
            has_words: false,
            body_end: None,
        };
        loop {
            let token = self.peek();
            let goes_on = match token.kind {
                TokenKind::Keyword(keyword) => self.specifier(keyword, token, &mut building)?,
                TokenKind::Identifier(symbol) => {
                    let is_first = self.at == first;
                    self.named_type(symbol, token, position, is_first, &mut building)
                }
                TokenKind::Mark(Mark::BracketOpen) if self.begins_attribute(0) => {
                    let mut attributes = self.attributes()?;
                    building.specifiers.attributes.append(&mut attributes);
                    true
                }
                TokenKind::Mark(_)
                | TokenKind::Number
                | TokenKind::Character
                | TokenKind::String
                | TokenKind::Bad
                | TokenKind::End => false,
            };
            if !goes_on {
                break;
            }
        }
        if building.has_words {
            building.specifiers.ty = TypeSpecifier::Basic(self.basic_type(building.words, start));
        }
        if !building.has_type && matches!(position, Position::Member | Position::TypeName) {
            return Err(self.expected("a type"));
        }
        building.specifiers.span = self.span_from(start);
        Ok(building.specifiers)
    }

    /// Takes the keyword if it is a specifier.
    fn specifier(
        &mut self,
        keyword: Keyword,
        token: Token,
        building: &mut Building,
    ) -> Parse<bool> {
        let specifiers = &mut building.specifiers;
        match keyword {
            Keyword::Typedef => self.storage(Storage::Typedef, token, building),
            Keyword::Extern => self.storage(Storage::Extern, token, building),
            Keyword::Static => self.storage(Storage::Static, token, building),
            Keyword::Auto => self.storage(Storage::Auto, token, building),
            Keyword::Register => self.storage(Storage::Register, token, building),
            Keyword::ThreadLocal => specifiers.is_thread_local = true,
            Keyword::Inline => specifiers.is_inline = true,
            Keyword::Noreturn => specifiers.is_noreturn = true,
            Keyword::Const => specifiers.qualifiers.is_const = true,
            Keyword::Volatile => specifiers.qualifiers.is_volatile = true,
            Keyword::Restrict => specifiers.qualifiers.is_restrict = true,
            Keyword::Extension => {}
            Keyword::Attribute => {
                let mut attributes = self.attributes()?;
                building.specifiers.attributes.append(&mut attributes);
                return Ok(true);
            }
            Keyword::Alignas => {
                let alignment = self.alignment()?;
                building.specifiers.alignments.push(alignment);
                return Ok(true);
            }
            Keyword::Atomic => {
                self.take();
                if self.is_mark(Mark::ParenOpen) {
                    let ty = self.parenthesized_type_name()?;
                    self.set_type(TypeSpecifier::Atomic(Box::new(ty)), token, building);
                } else {
                    building.specifiers.qualifiers.is_atomic = true;
                }
                return Ok(true);
            }
            Keyword::Struct | Keyword::Union => {
                let (specifier, has_body) = self.struct_specifier()?;
                self.set_type(TypeSpecifier::Struct(specifier), token, building);
                building.body_end = has_body.then(|| self.previous_end());
                return Ok(true);
            }
            Keyword::Enum => {
                let (specifier, has_body) = self.enum_specifier()?;
                self.set_type(TypeSpecifier::Enum(specifier), token, building);
                building.body_end = has_body.then(|| self.previous_end());
                return Ok(true);
            }
            Keyword::Typeof | Keyword::TypeofUnqualified => {
                let ty = self.type_of()?;
                self.set_type(ty, token, building);
                if keyword == Keyword::TypeofUnqualified {
                    // The tree has one `typeof`; that its qualifiers are dropped is said by an attribute.
                    building.specifiers.attributes.push(Attribute {
                        name: Arc::from("typeof_unqual"),
                        arguments: Vec::new(),
                        span: self.token_span(token),
                    });
                }
                return Ok(true);
            }
            Keyword::AutoType => self.set_type(TypeSpecifier::Auto, token, building),
            Keyword::VaList => self.set_type(TypeSpecifier::VaList, token, building),
            Keyword::Int128Typedef => {
                let ty = TypeSpecifier::Basic(BasicType::Int128);
                self.set_type(ty, token, building);
            }
            Keyword::UnsignedInt128Typedef => {
                let ty = TypeSpecifier::Basic(BasicType::UnsignedInt128);
                self.set_type(ty, token, building);
            }
            Keyword::Void
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
            | Keyword::Complex => self.basic_word(keyword, token, building),
            _ => return Ok(false),
        }
        self.take();
        Ok(true)
    }

    fn storage(&mut self, storage: Storage, token: Token, building: &mut Building) {
        match building.specifiers.storage {
            None => building.specifiers.storage = Some(storage),
            Some(old) if old == storage => {
                let word = self.shown(token);
                self.error_at(token, format!("{word} stands here twice"));
            }
            Some(_) => {
                let message = "two storage classes in one declaration".to_owned();
                self.error_at(token, message);
            }
        }
    }

    fn error_at(&mut self, token: Token, message: String) -> Reported {
        let span = self.token_span(token);
        self.messages
            .push(syntax_error(message, span, "this cannot be added"))
    }

    fn set_type(&mut self, ty: TypeSpecifier, token: Token, building: &mut Building) {
        if building.has_type {
            self.second_type(token, building);
        }
        building.has_type = true;
        building.has_words = false;
        building.words = BasicWords::default();
        building.specifiers.ty = ty;
    }

    /// One type too many. After a body the `;` was forgotten, and the second type begins a declaration of its own.
    fn second_type(&mut self, token: Token, building: &mut Building) {
        if let Some(end) = building.body_end.take() {
            let span = self.source.span(end, end);
            let what = match &building.specifiers.ty {
                TypeSpecifier::Enum(_) => "an enum",
                TypeSpecifier::Struct(specifier) if specifier.is_union => "a union",
                _ => "a struct",
            };
            self.messages.push(syntax_error(
                format!("expected `;` after the definition of {what}"),
                span,
                "expected `;`",
            ));
        } else {
            self.error_at(token, "two types in one declaration".to_owned());
        }
    }

    fn basic_word(&mut self, keyword: Keyword, token: Token, building: &mut Building) {
        if building.has_type && !building.has_words {
            self.second_type(token, building);
            building.words = BasicWords::default();
        }
        building.has_type = true;
        building.has_words = true;
        let words = &mut building.words;
        let is_accepted = match keyword {
            Keyword::Long if words.longs < 2 => {
                words.longs += 1;
                true
            }
            Keyword::Long => false,
            Keyword::Short => !std::mem::replace(&mut words.is_short, true),
            Keyword::Signed => !std::mem::replace(&mut words.is_signed, true),
            Keyword::Unsigned => !std::mem::replace(&mut words.is_unsigned, true),
            Keyword::Complex => !std::mem::replace(&mut words.is_complex, true),
            base => words.base.replace(base).is_none(),
        };
        if !is_accepted {
            let word = self.shown(token);
            let message = match keyword {
                Keyword::Long => "`long long long` is too long for a type".to_owned(),
                Keyword::Short | Keyword::Signed | Keyword::Unsigned | Keyword::Complex => {
                    format!("{word} stands here twice")
                }
                _ => "two types in one declaration".to_owned(),
            };
            self.error_at(token, message);
        }
    }

    fn basic_type(&mut self, words: BasicWords, start: u32) -> BasicType {
        combine(words).unwrap_or_else(|| {
            let span = self.span_from(start);
            self.messages.push(syntax_error(
                "these words make no type together",
                span,
                "no type is written so",
            ));
            BasicType::Int
        })
    }

    /// Takes an identifier if it is, or should be, the name of a type.
    fn named_type(
        &mut self,
        symbol: Symbol,
        token: Token,
        position: Position,
        is_first: bool,
        building: &mut Building,
    ) -> bool {
        let binding = self.scopes.get(symbol);
        let next = self.peek_at(1).kind;
        if building.has_type {
            let lacks_semicolon = building.body_end.is_some()
                && token.begins_line
                && binding == Binding::Typedef
                && matches!(next, TokenKind::Identifier(_) | TokenKind::Mark(Mark::Star));
            if !lacks_semicolon {
                return false;
            }
        } else if binding != Binding::Typedef {
            let begins_other = matches!(next, TokenKind::Keyword(keyword) if begins_specifier(keyword) && keyword != Keyword::Attribute);
            let is_type = match position {
                Position::Member | Position::TypeName | Position::Parameter => true,
                Position::Block if is_first => {
                    binding == Binding::Unknown && matches!(next, TokenKind::Identifier(_))
                }
                Position::File | Position::Block => {
                    matches!(next, TokenKind::Identifier(_))
                        || begins_other
                        || (next == TokenKind::Mark(Mark::Star)
                            && matches!(
                                self.peek_at(2).kind,
                                TokenKind::Identifier(_) | TokenKind::Mark(Mark::Star)
                            ))
                }
            };
            if !is_type {
                return false;
            }
            self.unknown_type(symbol, token);
            if begins_other {
                // An unknown word, such as a macro that was not expanded, before the true type.
                self.take();
                return true;
            }
        }
        self.take();
        let name = Identifier {
            name: self.lexed.names.name(symbol),
            span: self.token_span(token),
        };
        self.set_type(TypeSpecifier::Named(name), token, building);
        true
    }

    fn unknown_type(&mut self, symbol: Symbol, token: Token) {
        let name = self.lexed.names.name(symbol);
        let span = self.token_span(token);
        let mut diagnostic = name_error(
            format!("unknown type name `{name}`"),
            span,
            "no type has this name",
        );
        if let Some((keyword, _)) = self.tags.iter().find(|(_, tag)| *tag == symbol) {
            let word = match keyword {
                Keyword::Union => "union",
                Keyword::Enum => "enum",
                _ => "struct",
            };
            diagnostic = diagnostic.help(format!("write `{word} {name}`"));
        } else if let Some(header) = header_of(&name) {
            diagnostic = diagnostic.help(format!("`{name}` is declared in `<{header}>`"));
        }
        self.messages.push(diagnostic);
        // Once is enough.
        self.scopes.declare_everywhere(symbol, Binding::Typedef);
    }

    /// `_Alignas(…)`
    fn alignment(&mut self) -> Parse<Alignment> {
        self.take();
        let open = self.peek();
        self.expect(Mark::ParenOpen)?;
        let alignment = if self.begins_type_name(0) {
            Alignment::Type(self.nested(Self::type_name)?)
        } else {
            Alignment::Expression(self.nested(Self::conditional)?)
        };
        self.expect_close(Mark::ParenClose, open)?;
        Ok(alignment)
    }

    /// `typeof(…)`
    fn type_of(&mut self) -> Parse<TypeSpecifier> {
        self.take();
        let open = self.peek();
        self.expect(Mark::ParenOpen)?;
        let ty = if self.begins_type_name(0) {
            TypeSpecifier::TypeofType(Box::new(self.nested(Self::type_name)?))
        } else {
            TypeSpecifier::TypeofExpression(Box::new(self.nested(Self::expression)?))
        };
        self.expect_close(Mark::ParenClose, open)?;
        Ok(ty)
    }

    /// A type as it is written in casts.
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let start = self.start();
        let specifiers = self.specifiers(Position::TypeName)?;
        let declarator = self.abstract_declarator()?;
        Ok(TypeName {
            specifiers,
            declarator,
            span: self.span_from(start),
        })
    }
}

/// Where well-known types come from.
fn header_of(name: &str) -> Option<&'static str> {
    let header = match name {
        "bool" => "stdbool.h",
        "size_t" | "ptrdiff_t" | "wchar_t" | "max_align_t" => "stddef.h",
        "va_list" => "stdarg.h",
        "FILE" | "fpos_t" => "stdio.h",
        "int8_t" | "int16_t" | "int32_t" | "int64_t" | "uint8_t" | "uint16_t" | "uint32_t"
        | "uint64_t" | "intptr_t" | "uintptr_t" | "intmax_t" | "uintmax_t" => "stdint.h",
        "ssize_t" | "off_t" | "pid_t" | "uint" | "ulong" => "sys/types.h",
        "sem_t" => "semaphore.h",
        "jmp_buf" => "setjmp.h",
        "time_t" | "clock_t" => "time.h",
        "thrd_t" | "mtx_t" | "cnd_t" | "once_flag" => "threads.h",
        _ if name.starts_with("pthread_") => "pthread.h",
        _ if name.starts_with("atomic_") || name == "memory_order" => "stdatomic.h",
        _ => return None,
    };
    Some(header)
}
