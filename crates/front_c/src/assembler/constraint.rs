//! Constraints of operands: `"+m"`, `"=a"`, `"0"`, `"=@ccz"`.

use super::{Family, OperandName};

/// Where an operand may lie, and what is done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraint {
    pub(crate) place: OperandPlace,
    /// `+`: it is read, too.
    pub(crate) is_read: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OperandPlace {
    Memory,
    /// Any register, or a number.
    Register,
    /// This register.
    Fixed(Family),
    /// Where that output lies.
    Tied(OperandName),
    /// `=@ccz`: whether this condition holds at the end.
    Condition(String),
}

/// Letters for registers and for numbers that fit an instruction.
const ANYWHERE: &str = "rqQRlginsXIJKLMNOeEZW";
const MEMORY: &str = "moV";
const MARKS: &str = "=+&%?!*,# ";

impl Constraint {
    /// Reads a constraint; an error names what is not known.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let is_read = text.starts_with('+');
        if let Some(condition) = text.trim_start_matches('=').strip_prefix("@cc") {
            let place = OperandPlace::Condition(condition.to_owned());
            return Ok(Self { place, is_read });
        }
        let letters = text.trim_start_matches(|it| MARKS.contains(it));
        if let Some(name) = letters.strip_prefix('[') {
            let name = name.trim_end_matches(']').to_owned();
            let place = OperandPlace::Tied(OperandName::Word(name));
            return Ok(Self { place, is_read });
        }
        if let Ok(number) = letters.parse() {
            let place = OperandPlace::Tied(OperandName::Number(number));
            return Ok(Self { place, is_read });
        }
        let (mut in_memory, mut anywhere, mut fixed) = (false, false, Vec::new());
        for letter in letters.chars().filter(|it| !MARKS.contains(*it)) {
            match letter {
                'a' => fixed.push(Family::A),
                'b' => fixed.push(Family::B),
                'c' => fixed.push(Family::C),
                'd' => fixed.push(Family::D),
                'S' => fixed.push(Family::Source),
                'D' => fixed.push(Family::Destination),
                _ if MEMORY.contains(letter) => in_memory = true,
                _ if ANYWHERE.contains(letter) => anywhere = true,
                _ => return Err(format!("the constraint `{text}`")),
            }
        }
        let place = match (&*fixed, anywhere, in_memory) {
            ([], false, true) => OperandPlace::Memory,
            // What is read and written may be meant to be written at once.
            ([], true, true) if is_read => OperandPlace::Memory,
            ([], true, _) => OperandPlace::Register,
            ([family], false, false) => OperandPlace::Fixed(*family),
            _ => return Err(format!("the constraint `{text}`")),
        };
        Ok(Self { place, is_read })
    }
}
