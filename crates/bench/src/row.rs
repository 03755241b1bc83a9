//! One verdict of a run: a line of the CSV file.

use raddle_ir::interpret::Property;
use raddle_tasks::folder_of;
use raddle_tasks::header::Truth;

/// Files of older versions lack the last one.
pub(crate) const COLUMNS: [&str; 10] = [
    "program",
    "property",
    "expected",
    "verdict",
    "reason",
    "certified",
    "seconds",
    "peak_memory_mb",
    "states",
    "answered_by",
];

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    Safe,
    Unsafe,
    Unknown,
    /// The checker refused the program, or its definition is broken.
    Error,
    /// The checker failed.
    Crashed,
}

impl Answer {
    const ALL: [Answer; 5] = [
        Answer::Safe,
        Answer::Unsafe,
        Answer::Unknown,
        Answer::Error,
        Answer::Crashed,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
            Answer::Unknown => "unknown",
            Answer::Error => "error",
            Answer::Crashed => "crashed",
        }
    }

    pub fn from_word(word: &str) -> Option<Answer> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rating {
    RightTrue,
    RightFalse,
    Wrong,
    Unknown,
    Error,
    Crashed,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub program: String,
    /// Empty if the definition is broken, so that nobody knows what was to be asked.
    pub property: String,
    /// `None` only if the property is empty.
    pub expected: Option<Truth>,
    pub answer: Answer,
    /// One line; of an unknown, an error or a crash.
    pub reason: String,
    /// Whether the evidence was checked; of a safe or an unsafe.
    pub certified: Option<bool>,
    /// Of the whole process, which decides all properties of its program.
    pub seconds: f64,
    pub peak_memory_mb: Option<u64>,
    pub states: Option<u64>,
    /// The engine and its reduction, as in `bmc static`; of a safe or an unsafe.
    pub answered_by: String,
}

impl Row {
    pub fn rating(&self) -> Rating {
        match (self.answer, self.expected) {
            (Answer::Safe, Some(Truth::Safe)) => Rating::RightTrue,
            (Answer::Unsafe, Some(Truth::Unsafe)) => Rating::RightFalse,
            (Answer::Safe, Some(Truth::Unsafe)) | (Answer::Unsafe, Some(Truth::Safe)) => {
                Rating::Wrong
            }
            // `from_line` and the makers of rows let no verdict through that nothing is expected of.
            (Answer::Safe | Answer::Unsafe, None) => Rating::Error,
            (Answer::Unknown, _) => Rating::Unknown,
            (Answer::Error, _) => Rating::Error,
            (Answer::Crashed, _) => Rating::Crashed,
        }
    }

    pub fn folder(&self) -> &str {
        folder_of(&self.program)
    }

    /// By program, then in the order of properties.
    pub fn sort_key(&self) -> (&str, usize, &str) {
        (
            &self.program,
            property_order(&self.property),
            &self.property,
        )
    }

    /// With its line end.
    pub fn to_line(&self) -> String {
        let number = |it: Option<u64>| it.map_or_else(String::new, |it| it.to_string());
        let fields = [
            quoted(&self.program),
            quoted(&self.property),
            self.expected.map_or("", truth_word).to_owned(),
            self.answer.word().to_owned(),
            quoted(&self.reason),
            match self.certified {
                Some(true) => "yes".to_owned(),
                Some(false) => "no".to_owned(),
                None => String::new(),
            },
            format!("{:.3}", self.seconds),
            number(self.peak_memory_mb),
            number(self.states),
            quoted(&self.answered_by),
        ];
        fields.join(",") + "\n"
    }

    /// Reads what [`Row::to_line`] wrote.
    ///
    /// # Errors
    ///
    /// What is wrong with the line.
    pub fn from_line(line: &str) -> Result<Row, String> {
        let mut fields = fields(line)?;
        if fields.len() + 1 == COLUMNS.len() {
            fields.push(String::new());
        }
        let [
            program,
            property,
            expected,
            verdict,
            reason,
            certified,
            seconds,
            memory,
            states,
            answered_by,
        ] = <[String; 10]>::try_from(fields)
            .map_err(|fields| format!("{} fields instead of {}", fields.len(), COLUMNS.len()))?;
        let number = |text: &str| match text {
            "" => Ok(None),
            _ => text
                .parse::<u64>()
                .map(Some)
                .map_err(|_| format!("`{text}` is no number")),
        };
        let row = Row {
            expected: match expected.as_str() {
                "safe" => Some(Truth::Safe),
                "unsafe" => Some(Truth::Unsafe),
                "" => None,
                _ => return Err(format!("`{expected}` is no expected verdict")),
            },
            answer: Answer::from_word(&verdict)
                .ok_or_else(|| format!("`{verdict}` is no verdict"))?,
            certified: match certified.as_str() {
                "yes" => Some(true),
                "no" => Some(false),
                "" => None,
                _ => return Err(format!("`{certified}` is neither yes nor no")),
            },
            seconds: seconds
                .parse::<f64>()
                .ok()
                .filter(|it| it.is_finite() && *it >= 0.0)
                .ok_or_else(|| format!("`{seconds}` is no number of seconds"))?,
            peak_memory_mb: number(&memory)?,
            states: number(&states)?,
            program,
            property,
            reason,
            answered_by,
        };
        if row.expected.is_none() && matches!(row.answer, Answer::Safe | Answer::Unsafe) {
            return Err("a verdict without an expected one".to_owned());
        }
        Ok(row)
    }
}

pub(crate) fn truth_word(truth: Truth) -> &'static str {
    match truth {
        Truth::Safe => "safe",
        Truth::Unsafe => "unsafe",
    }
}

/// Properties are shown in one order everywhere; names that are not ours come last.
pub(crate) fn property_order(name: &str) -> usize {
    Property::ALL
        .iter()
        .position(|it| it.name() == name)
        .unwrap_or(Property::ALL.len())
}

/// A field stays on its line whatever it says: resuming counts on whole lines.
fn quoted(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

fn fields(line: &str) -> Result<Vec<String>, String> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let mut field = String::new();
        if let Some(inside) = rest.strip_prefix('"') {
            let mut inside = inside;
            loop {
                let (text, after) = inside
                    .split_once('"')
                    .ok_or("a quotation mark is not closed")?;
                field.push_str(text);
                if let Some(after) = after.strip_prefix('"') {
                    field.push('"');
                    inside = after;
                } else {
                    rest = after;
                    break;
                }
            }
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            field.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        fields.push(field);
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None if rest.is_empty() => return Ok(fields),
            None => return Err("text stands behind a closing quotation mark".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            program: "a, b/\"c\".rad".to_owned(),
            property: "race".to_owned(),
            expected: Some(Truth::Unsafe),
            answer: Answer::Unknown,
            reason: "a \"b\", c".to_owned(),
            certified: None,
            seconds: 1.25,
            peak_memory_mb: Some(7),
            states: None,
            answered_by: String::new(),
        }
    }

    #[test]
    fn a_row_is_read_back_as_it_was_written() {
        for row in [
            row(),
            Row {
                answer: Answer::Safe,
                certified: Some(false),
                reason: String::new(),
                states: Some(3),
                answered_by: "bmc static".to_owned(),
                ..row()
            },
        ] {
            let line = row.to_line();
            assert_eq!(Row::from_line(line.trim_end_matches('\n')), Ok(row));
        }
    }

    #[test]
    fn a_row_without_who_answered_is_read_too() {
        let row = Row::from_line("a,race,safe,safe,,no,1,,").unwrap();
        assert_eq!(row.answered_by, "");
    }

    #[test]
    fn a_row_never_spans_lines() {
        let row = Row {
            reason: "a\nb\r\nc".to_owned(),
            ..row()
        };
        assert_eq!(row.to_line().matches('\n').count(), 1);
    }

    #[test]
    fn a_line_that_is_no_row_says_why() {
        for (line, message) in [
            ("a,b", "2 fields instead of 10"),
            ("a,race,safe,maybe,,,1,,", "`maybe` is no verdict"),
            ("a,race,true,safe,,,1,,", "`true` is no expected verdict"),
            ("a,race,safe,safe,,,1,x,", "`x` is no number"),
            ("a,race,safe,safe,,,NaN,,", "`NaN` is no number of seconds"),
            ("a,race,,safe,,,1,,", "a verdict without an expected one"),
            ("\"a,race", "a quotation mark is not closed"),
            ("\"a\"b,race", "text stands behind a closing quotation mark"),
        ] {
            assert_eq!(Row::from_line(line).unwrap_err(), message, "{line}");
        }
    }

    #[test]
    fn only_a_decided_verdict_can_be_right_or_wrong() {
        let rated = |answer, truth| {
            Row {
                answer,
                expected: Some(truth),
                ..row()
            }
            .rating()
        };
        assert_eq!(rated(Answer::Safe, Truth::Safe), Rating::RightTrue);
        assert_eq!(rated(Answer::Unsafe, Truth::Unsafe), Rating::RightFalse);
        assert_eq!(rated(Answer::Safe, Truth::Unsafe), Rating::Wrong);
        assert_eq!(rated(Answer::Unsafe, Truth::Safe), Rating::Wrong);
        assert_eq!(rated(Answer::Unknown, Truth::Safe), Rating::Unknown);
        assert_eq!(rated(Answer::Crashed, Truth::Unsafe), Rating::Crashed);
    }
}
