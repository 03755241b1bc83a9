//! From the text of a template to lines.

use super::{Argument, Instruction, Line, LocalTarget, Operand, OperandName, Register};

/// Reads a template. In one without operands `%` stands before registers, else `%%` does.
///
/// # Errors
///
/// What is not understood, to be named in a verdict.
pub(crate) fn read(template: &str, is_basic: bool) -> Result<Vec<Line>, String> {
    let text = first_dialect(template)?;
    let mut lines = Vec::new();
    let mut is_locked = false;
    for statement in text.split([';', '\n']) {
        let mut rest = statement.split('#').next().unwrap_or_default().trim();
        while let Some((label, after)) = label(rest) {
            lines.push(Line::Label(label.to_owned()));
            rest = after.trim_start();
        }
        if rest.is_empty() {
            continue;
        }
        let (mut word, mut arguments) = first_word(rest);
        // A prefix may stand in a statement of its own.
        while matches!(&*word, "lock" | "rep" | "repz" | "repe") {
            is_locked |= word == "lock";
            let is_repeated = word != "lock";
            (word, arguments) = first_word(arguments);
            if word.is_empty() {
                break;
            }
            // Only the two by which a processor waits a little are known.
            if is_repeated && word != "nop" && word != "ret" {
                return Err(format!("the instruction `rep {word}`"));
            }
        }
        if word.is_empty() {
            continue;
        }
        let arguments = separated(arguments)
            .into_iter()
            .map(|argument| read_argument(argument, is_basic))
            .collect::<Option<Vec<Argument>>>()
            .ok_or_else(|| format!("the instruction `{rest}`"))?;
        lines.push(Line::Instruction(Instruction {
            is_locked,
            name: word,
            arguments,
        }));
        is_locked = false;
    }
    Ok(lines)
}

/// `{att|intel}`: the first is meant.
fn first_dialect(template: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut parts = template.chars().peekable();
    let (mut is_inside, mut is_other) = (false, false);
    while let Some(next) = parts.next() {
        match next {
            '%' if matches!(parts.peek(), Some('{' | '|' | '}')) => {
                return Err("a template with braces".into());
            }
            '{' => is_inside = true,
            '}' => (is_inside, is_other) = (false, false),
            '|' if is_inside => is_other = true,
            _ if is_other => {}
            _ => text.push(next),
        }
    }
    Ok(text)
}

/// A label before the rest of a statement.
fn label(statement: &str) -> Option<(&str, &str)> {
    let (label, rest) = statement.split_once(':')?;
    let is_word = !label.is_empty() && label.chars().all(|it| it.is_ascii_alphanumeric());
    is_word.then_some((label, rest))
}

fn first_word(statement: &str) -> (String, &str) {
    let statement = statement.trim();
    let end = statement
        .find(|it: char| it.is_whitespace())
        .unwrap_or(statement.len());
    let (word, rest) = statement.split_at(end);
    (word.to_ascii_lowercase(), rest.trim())
}

/// What commas outside of parentheses separate.
fn separated(arguments: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_u32, 0);
    for (at, mark) in arguments.char_indices() {
        match mark {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(arguments[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = arguments[start..].trim();
    if !last.is_empty() || !parts.is_empty() {
        parts.push(last);
    }
    parts
}

fn read_argument(text: &str, is_basic: bool) -> Option<Argument> {
    if let Some(number) = text.strip_prefix('$') {
        return number_of(number).map(Argument::Immediate);
    }
    if let Some(base) = text.strip_suffix(')') {
        let (displacement, base) = base.split_once('(')?;
        let displacement = match displacement.trim() {
            "" => 0,
            number => i64::try_from(number_of(number)?).ok()?,
        };
        let base = read_argument(base.trim(), is_basic)?;
        let is_base = matches!(base, Argument::Operand(_) | Argument::Register(_));
        return is_base.then(|| Argument::Memory(displacement, Box::new(base)));
    }
    if let Some(rest) = text.strip_prefix('%') {
        return match rest.strip_prefix('%') {
            Some(register) => Register::named(register).map(Argument::Register),
            None if is_basic => Register::named(rest).map(Argument::Register),
            None => read_operand(rest),
        };
    }
    let label = text.strip_suffix(['b', 'f'])?;
    let is_number = !label.is_empty() && label.bytes().all(|it| it.is_ascii_digit());
    is_number.then(|| {
        Argument::Local(LocalTarget {
            label: label.to_owned(),
            is_ahead: text.ends_with('f'),
        })
    })
}

/// `0`, `b0`, `[name]`, `l[name]`
fn read_operand(text: &str) -> Option<Argument> {
    let modifier = text.chars().next().filter(char::is_ascii_alphabetic);
    let rest = match modifier {
        Some(_) => &text[1..],
        None => text,
    };
    let name = match rest.strip_prefix('[') {
        Some(word) => OperandName::Word(word.strip_suffix(']')?.to_owned()),
        None => OperandName::Number(rest.parse().ok()?),
    };
    let bytes = match modifier {
        None => None,
        Some('b') => Some(1),
        Some('w') => Some(2),
        Some('k') => Some(4),
        Some('q') => Some(8),
        Some('l') => return Some(Argument::Label(name)),
        Some(_) => return None,
    };
    Some(Argument::Operand(Operand { name, bytes }))
}

fn number_of(text: &str) -> Option<i128> {
    let text = text.trim();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let number = match digits.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if is_negative { -number } else { number })
}
