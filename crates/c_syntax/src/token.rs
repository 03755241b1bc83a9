//! Tokens: what the lexer hands to the parser.

use crate::words::Keyword;

/// A word of the program other than a keyword, as an index into the [`Names`](crate::names::Names) of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol(pub(crate) u32);

/// A piece of text. What a literal says is looked up in the text when it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Bytes of the text without splices.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// It is the first of its line: what stands before it may lack its end.
    pub(crate) begins_line: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Identifier(Symbol),
    Keyword(Keyword),
    /// Digits with everything that sticks to them, as in `0xfful` and `1.5e-3f`.
    Number,
    Character,
    String,
    Mark(Mark),
    /// Not a token; an error has been reported.
    Bad,
    End,
}

macro_rules! marks {
    ($($name:ident $text:literal,)*) => {
        /// Operators and punctuation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Mark { $($name,)* }

        impl Mark {
            /// As it is usually written.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Mark::$name => $text,)* }
            }
        }
    };
}

marks! {
    ParenOpen "(",
    ParenClose ")",
    BracketOpen "[",
    BracketClose "]",
    BraceOpen "{",
    BraceClose "}",
    Comma ",",
    Semicolon ";",
    Colon ":",
    Question "?",
    Dot ".",
    Ellipsis "...",
    Arrow "->",
    PlusPlus "++",
    MinusMinus "--",
    Plus "+",
    Minus "-",
    Star "*",
    Slash "/",
    Percent "%",
    Ampersand "&",
    Pipe "|",
    Caret "^",
    Tilde "~",
    Bang "!",
    ShiftLeft "<<",
    ShiftRight ">>",
    Less "<",
    Greater ">",
    LessEqual "<=",
    GreaterEqual ">=",
    EqualEqual "==",
    BangEqual "!=",
    AndAnd "&&",
    OrOr "||",
    Equal "=",
    StarEqual "*=",
    SlashEqual "/=",
    PercentEqual "%=",
    PlusEqual "+=",
    MinusEqual "-=",
    ShiftLeftEqual "<<=",
    ShiftRightEqual ">>=",
    AmpersandEqual "&=",
    CaretEqual "^=",
    PipeEqual "|=",
}

impl Mark {
    /// The mark at the beginning of the text, with its length; the longest there is.
    pub(crate) fn read(text: &[u8]) -> Option<(Mark, usize)> {
        let found = match text {
            [b'.', b'.', b'.', ..] => (Mark::Ellipsis, 3),
            [b'<', b'<', b'=', ..] => (Mark::ShiftLeftEqual, 3),
            [b'>', b'>', b'=', ..] => (Mark::ShiftRightEqual, 3),
            [b'-', b'>', ..] => (Mark::Arrow, 2),
            [b'+', b'+', ..] => (Mark::PlusPlus, 2),
            [b'-', b'-', ..] => (Mark::MinusMinus, 2),
            [b'<', b'<', ..] => (Mark::ShiftLeft, 2),
            [b'>', b'>', ..] => (Mark::ShiftRight, 2),
            [b'<', b'=', ..] => (Mark::LessEqual, 2),
            [b'>', b'=', ..] => (Mark::GreaterEqual, 2),
            [b'=', b'=', ..] => (Mark::EqualEqual, 2),
            [b'!', b'=', ..] => (Mark::BangEqual, 2),
            [b'&', b'&', ..] => (Mark::AndAnd, 2),
            [b'|', b'|', ..] => (Mark::OrOr, 2),
            [b'*', b'=', ..] => (Mark::StarEqual, 2),
            [b'/', b'=', ..] => (Mark::SlashEqual, 2),
            [b'%', b'=', ..] => (Mark::PercentEqual, 2),
            [b'+', b'=', ..] => (Mark::PlusEqual, 2),
            [b'-', b'=', ..] => (Mark::MinusEqual, 2),
            [b'&', b'=', ..] => (Mark::AmpersandEqual, 2),
            [b'^', b'=', ..] => (Mark::CaretEqual, 2),
            [b'|', b'=', ..] => (Mark::PipeEqual, 2),
            // Digraphs: other spellings of brackets.
            [b'<', b':', ..] => (Mark::BracketOpen, 2),
            [b':', b'>', ..] => (Mark::BracketClose, 2),
            [b'<', b'%', ..] => (Mark::BraceOpen, 2),
            [b'%', b'>', ..] => (Mark::BraceClose, 2),
            [b'(', ..] => (Mark::ParenOpen, 1),
            [b')', ..] => (Mark::ParenClose, 1),
            [b'[', ..] => (Mark::BracketOpen, 1),
            [b']', ..] => (Mark::BracketClose, 1),
            [b'{', ..] => (Mark::BraceOpen, 1),
            [b'}', ..] => (Mark::BraceClose, 1),
            [b',', ..] => (Mark::Comma, 1),
            [b';', ..] => (Mark::Semicolon, 1),
            [b':', ..] => (Mark::Colon, 1),
            [b'?', ..] => (Mark::Question, 1),
            [b'.', ..] => (Mark::Dot, 1),
            [b'+', ..] => (Mark::Plus, 1),
            [b'-', ..] => (Mark::Minus, 1),
            [b'*', ..] => (Mark::Star, 1),
            [b'/', ..] => (Mark::Slash, 1),
            [b'%', ..] => (Mark::Percent, 1),
            [b'&', ..] => (Mark::Ampersand, 1),
            [b'|', ..] => (Mark::Pipe, 1),
            [b'^', ..] => (Mark::Caret, 1),
            [b'~', ..] => (Mark::Tilde, 1),
            [b'!', ..] => (Mark::Bang, 1),
            [b'<', ..] => (Mark::Less, 1),
            [b'>', ..] => (Mark::Greater, 1),
            [b'=', ..] => (Mark::Equal, 1),
            _ => return None,
        };
        Some(found)
    }
}
