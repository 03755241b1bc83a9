//! `printf` with a format that is known: text and values are emitted without a loop over characters.
//!
//! Everything else of the family is C text in the library.

use raddle_base::Span;
use raddle_ir as ir;
use raddle_ir::{Action, Expression, IntType, Scalar};

use crate::typed;

use super::body::{FunctionLowering, Value};
use super::primitives::BYTE;
use super::scalars::INT;

/// Our library's `%s`.
const EMIT_STRING: &str = "__raddle_emit_string";

/// A part of a format.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Text(Vec<u8>),
    Directive(Directive),
}

/// `%-08.3lx`
#[derive(Debug, PartialEq, Eq)]
struct Directive {
    flags: String,
    width: Option<u32>,
    precision: Option<u32>,
    length: String,
    conversion: u8,
}

impl FunctionLowering<'_, '_> {
    /// Prints, if the function is one that does and its format is understood.
    pub(super) fn print(
        &mut self,
        function: &str,
        arguments: &[typed::Expression],
        span: Span,
    ) -> bool {
        match (function, arguments) {
            ("printf", [format, arguments @ ..]) => self.print_formatted(format, arguments, span),
            ("puts", [text]) => match self.literal(text) {
                Some(mut text) => {
                    text.push(b'\n');
                    self.print_text(&text, span);
                    true
                }
                None => false,
            },
            ("putchar", [byte]) => {
                let byte = self.value(byte);
                self.emit("{%c}".into(), vec![byte], span);
                true
            }
            _ => false,
        }
    }

    fn print_formatted(
        &mut self,
        format: &typed::Expression,
        arguments: &[typed::Expression],
        span: Span,
    ) -> bool {
        let Some(pieces) = self.literal(format).and_then(|format| pieces(&format)) else {
            return false;
        };
        let mut left = arguments.iter();
        let directives: Vec<(&Directive, Option<&typed::Expression>)> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Directive(directive) => Some((directive, left.next())),
                Piece::Text(_) => None,
            })
            .collect();
        if !directives
            .iter()
            .all(|(directive, argument)| self.fits(directive, *argument))
        {
            return false;
        }
        // Arguments come before output, since they may print themselves.
        let mut values = Vec::new();
        for (_, argument) in &directives {
            values.push(argument.and_then(|argument| {
                if self.literal(argument).is_some() {
                    None
                } else {
                    Some(self.value(argument))
                }
            }));
        }
        for argument in left {
            self.effect(argument);
        }
        let literals: Vec<Option<Vec<u8>>> = directives
            .iter()
            .map(|(_, argument)| argument.and_then(|argument| self.literal(argument)))
            .collect();
        self.print_pieces(&pieces, values, &literals, span);
        true
    }

    /// Emits as much at a time as needs no loop.
    fn print_pieces(
        &mut self,
        pieces: &[Piece],
        values: Vec<Option<Value>>,
        literals: &[Option<Vec<u8>>],
        span: Span,
    ) {
        let mut output = Output::default();
        let mut values = values.into_iter().zip(literals);
        for piece in pieces {
            let directive = match piece {
                Piece::Text(text) => {
                    output.text(text);
                    continue;
                }
                Piece::Directive(directive) => directive,
            };
            let (value, literal) = values.next().unwrap_or((None, &None));
            match (directive.conversion, value, literal) {
                (b's', _, Some(text)) => output.text(&directive.padded(text)),
                (b's', Some(value), None) => {
                    self.flush(&mut output, span);
                    self.print_string(directive, value, span);
                }
                (b'd' | b'i' | b'u' | b'o' | b'x' | b'X', Some(value), _) => {
                    let value = self.convert(value, directive.scalar(self.word_bits()), false);
                    output.value(&directive.placeholder(), value);
                }
                (_, Some(value), _) => output.value(&directive.placeholder(), value),
                (_, None, _) => {}
            }
        }
        self.flush(&mut output, span);
    }

    fn print_text(&mut self, text: &[u8], span: Span) {
        let mut output = Output::default();
        output.text(text);
        self.flush(&mut output, span);
    }

    fn flush(&mut self, output: &mut Output, span: Span) {
        let output = std::mem::take(output);
        if !output.text.is_empty() {
            self.emit(output.text, output.values, span);
        }
    }

    fn print_string(&mut self, directive: &Directive, value: Value, span: Span) {
        let Some(function) = self.lowering.function_named(EMIT_STRING) else {
            self.unsupported("`%s` of `printf`", span);
            return;
        };
        let function = self.lowering.function(function);
        let number = |number: i128| Expression::int(number, IntType::signed(32));
        let is_left = directive.flags.contains('-');
        self.then(
            Action::Call {
                target: None,
                callee: ir::Callee::Direct(function),
                arguments: vec![
                    value.expression,
                    number(directive.width.unwrap_or(0).into()),
                    number(directive.precision.map_or(-1, i128::from)),
                    number(i128::from(is_left)),
                ],
            },
            span,
        );
    }

    fn word_bits(&self) -> u8 {
        self.lowering.model().signed_word().bits
    }

    /// Whether an argument is of a type that the directive can print.
    fn fits(&self, directive: &Directive, argument: Option<&typed::Expression>) -> bool {
        let Some(argument) = argument else {
            return false;
        };
        if super::places::is_long_double(&argument.ty) {
            return false;
        }
        let scalar = self.lowering.scalar(&argument.ty);
        match directive.conversion {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' => {
                matches!(scalar, Some(Scalar::Int(_)))
                    && (directive.conversion != b'c' || directive.length.is_empty())
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                matches!(scalar, Some(Scalar::Float(ir::FloatType::F64))) && directive.length != "L"
            }
            b's' | b'p' => scalar == Some(Scalar::Pointer) && directive.length.is_empty(),
            _ => false,
        }
    }
}

/// Text and values that wait to be emitted.
#[derive(Default)]
struct Output {
    text: String,
    values: Vec<Value>,
}

impl Output {
    /// Bytes that stand for themselves; braces and what is no text go as values.
    fn text(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                if matches!(character, '{' | '}') {
                    self.byte(u8::try_from(character).expect("one of two"));
                } else {
                    self.text.push(character);
                }
            }
            for byte in chunk.invalid() {
                self.byte(*byte);
            }
        }
    }

    fn byte(&mut self, byte: u8) {
        let value = Expression::Constant(u128::from(byte), BYTE);
        self.value("{%c}", value.into());
    }

    fn value(&mut self, placeholder: &str, value: Value) {
        self.text.push_str(placeholder);
        self.values.push(value);
    }
}

impl Directive {
    /// As an emit takes it: without the length, since the type says it.
    fn placeholder(&self) -> String {
        let width = self.width.map_or_else(String::new, |it| it.to_string());
        let precision = self
            .precision
            .map_or_else(String::new, |it| format!(".{it}"));
        let conversion = char::from(self.conversion);
        format!("{{%{}{width}{precision}{conversion}}}", self.flags)
    }

    /// The integer that is printed.
    fn scalar(&self, word_bits: u8) -> Scalar {
        let bits = match &*self.length {
            "hh" => 8,
            "h" => 16,
            "l" | "z" | "t" => word_bits,
            "ll" | "j" | "q" | "L" => 64,
            _ => return self.with_sign(INT),
        };
        self.with_sign(Scalar::Int(IntType::signed(bits)))
    }

    fn with_sign(&self, scalar: Scalar) -> Scalar {
        match scalar {
            Scalar::Int(int) => Scalar::Int(IntType {
                bits: int.bits,
                is_signed: matches!(self.conversion, b'd' | b'i'),
            }),
            Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => scalar,
        }
    }

    /// A text cut and filled up as the directive says.
    fn padded(&self, text: &[u8]) -> Vec<u8> {
        let precision = self.precision.map_or(usize::MAX, |it| it as usize);
        let text = &text[..text.len().min(precision)];
        let missing = (self.width.unwrap_or(0) as usize).saturating_sub(text.len());
        let padding = vec![b' '; missing];
        if self.flags.contains('-') {
            [text, &padding].concat()
        } else {
            [&padding, text].concat()
        }
    }
}

/// A format in its parts; `None` if it has something that takes more than its text to print.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        if let Some((b'%', after)) = rest.split_first() {
            text.push(b'%');
            rest = after;
            continue;
        }
        let mut take = |accept: &dyn Fn(u8) -> bool| {
            let length = rest.iter().take_while(|byte| accept(**byte)).count();
            let (taken, after) = rest.split_at(length);
            rest = after;
            String::from_utf8_lossy(taken).into_owned()
        };
        let flags = take(&|byte| b"-+ #0".contains(&byte));
        let width = take(&|byte| byte.is_ascii_digit());
        let precision = take(&|byte| byte == b'.' || byte.is_ascii_digit());
        let length = take(&|byte| b"hlLqjzt".contains(&byte));
        let (&conversion, after) = rest.split_first()?;
        rest = after;
        if !b"diuoxXcsfFeEgGaAp".contains(&conversion) {
            return None;
        }
        let number = |text: &str| text.parse::<u32>().ok().filter(|it| *it < 10_000);
        let width = if width.is_empty() {
            None
        } else {
            Some(number(&width)?)
        };
        let precision = match precision.strip_prefix('.') {
            None if precision.is_empty() => None,
            None => return None,
            Some("") => Some(0),
            Some(digits) => Some(number(digits)?),
        };
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Directive(Directive {
            flags,
            width,
            precision,
            length,
            conversion,
        }));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_falls_into_text_and_directives() {
        let directive = Piece::Directive(Directive {
            flags: "-0".into(),
            width: Some(8),
            precision: Some(3),
            length: "l".into(),
            conversion: b'x',
        });
        let text = |text: &str| Piece::Text(text.as_bytes().to_vec());
        assert_eq!(
            pieces(b"a%%b%-08.3lx!"),
            Some(vec![text("a%b"), directive, text("!")])
        );
        assert_eq!(pieces(b"%*d"), None);
        assert_eq!(pieces(b"%"), None);
    }
}
