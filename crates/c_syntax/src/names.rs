//! The words of a unit, each kept once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::token::{Symbol, TokenKind};
use crate::tree::Name;
use crate::words::KEYWORDS;

/// Looked up by spelling, never iterated over.
#[derive(Debug)]
pub(crate) struct Names {
    kinds: HashMap<Name, TokenKind>,
    names: Vec<Name>,
}

impl Names {
    pub(crate) fn new() -> Self {
        let kinds = KEYWORDS
            .iter()
            .map(|&(text, keyword)| (Arc::from(text), TokenKind::Keyword(keyword)))
            .collect();
        Self {
            kinds,
            names: Vec::new(),
        }
    }

    /// The keyword or identifier that a word is.
    pub(crate) fn read(&mut self, word: &[u8]) -> TokenKind {
        let text = spelling(word);
        if let Some(&kind) = self.kinds.get(text.as_ref()) {
            return kind;
        }
        let index = u32::try_from(self.names.len()).expect("fewer names than bytes");
        let name: Name = Arc::from(text.as_ref());
        self.names.push(Arc::clone(&name));
        let kind = TokenKind::Identifier(Symbol(index));
        self.kinds.insert(name, kind);
        kind
    }

    pub(crate) fn name(&self, symbol: Symbol) -> Name {
        Arc::clone(&self.names[symbol.0 as usize])
    }

    /// The symbol of a name that was read.
    pub(crate) fn symbol(&self, name: &str) -> Option<Symbol> {
        match self.kinds.get(name) {
            Some(&TokenKind::Identifier(symbol)) => Some(symbol),
            _ => None,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}

/// A word as text: universal character names are the characters they stand for,
/// and bytes that are no UTF-8 are written as `\xff`, so that different words stay different.
fn spelling(word: &[u8]) -> Cow<'_, str> {
    if !word.contains(&b'\\')
        && let Ok(text) = std::str::from_utf8(word)
    {
        return Cow::Borrowed(text);
    }
    let mut text = String::new();
    for chunk in word.utf8_chunks() {
        text.push_str(&with_characters(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    Cow::Owned(text)
}

/// Replaces `\u00e9` and `\U000000e9`.
fn with_characters(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        result.push_str(&rest[..at]);
        let digits = if rest[at + 1..].starts_with('u') {
            4
        } else {
            8
        };
        let end = at + 2 + digits;
        let character = rest
            .get(at + 2..end)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok())
            .and_then(char::from_u32);
        if let Some(character) = character {
            result.push(character);
            rest = &rest[end..];
        } else {
            result.push('\\');
            rest = &rest[at + 1..];
        }
    }
    result.push_str(rest);
    result
}
