//! One program, compiled by gcc and read by us.

use std::path::Path;
use std::time::Duration;

use raddle_ir::DataModel;

use super::compiler::{self, End, Ran};
use super::ours::{self, Ours};

/// What to compare, and how long each side may take.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub source: &'a Path,
    pub model: DataModel,
    /// For gcc, as in `-std=gnu89`.
    pub options: Vec<String>,
    /// Programs that run longer than this when compiled are left out.
    pub their_limit: Duration,
    pub our_limit: Duration,
}

/// What came of a comparison. Each but `Equal` says why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Equal,
    /// Something that we do not model was reached.
    Unsupported(String),
    /// The front end did not accept a program that gcc accepts.
    Refused(String),
    Different(String),
    /// We stopped because it does something undefined. Either it does, or we are wrong.
    Undefined(String),
    /// We took too long.
    TimeLimit,
    /// gcc does not compile it.
    NotCompiled(String),
    /// It does not end by itself, or not in time, when compiled.
    LeftOut(String),
}

impl Outcome {
    pub const WORDS: [&'static str; 8] = [
        "equal",
        "unsupported",
        "refused",
        "different",
        "undefined",
        "time limit",
        "not compiled",
        "left out",
    ];

    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Equal => "equal",
            Outcome::Unsupported(_) => "unsupported",
            Outcome::Refused(_) => "refused",
            Outcome::Different(_) => "different",
            Outcome::Undefined(_) => "undefined",
            Outcome::TimeLimit => "time limit",
            Outcome::NotCompiled(_) => "not compiled",
            Outcome::LeftOut(_) => "left out",
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Equal | Outcome::TimeLimit => None,
            Outcome::Unsupported(reason)
            | Outcome::Refused(reason)
            | Outcome::Different(reason)
            | Outcome::Undefined(reason)
            | Outcome::NotCompiled(reason)
            | Outcome::LeftOut(reason) => Some(reason),
        }
    }
}

/// Compares. Compiled programs are put into the folder.
pub fn compare(request: &Request<'_>, folder: &Path) -> Outcome {
    let name = request
        .source
        .file_stem()
        .map_or_else(|| "program".into(), |it| it.to_string_lossy().into_owned());
    let binary = folder.join(format!("{name}-{:?}", request.model));
    if let Err(said) = compiler::compile(request.source, request.model, &request.options, &binary) {
        return Outcome::NotCompiled(first_error_line(&said));
    }
    let ran = compiler::run(&binary, request.their_limit);
    // Best effort: the folder is removed in the end.
    let _ = std::fs::remove_file(&binary);
    let theirs = match ran {
        Ok(ran) if ran.end == End::TimeLimit => {
            return Outcome::LeftOut("runs too long when compiled".into());
        }
        Ok(ran) => ran,
        Err(problem) => return Outcome::LeftOut(problem),
    };
    match compiler::preprocess(request.source, request.model, &request.options) {
        Ok(text) => judge(&theirs, ours::run(&text, request.model, request.our_limit)),
        Err(said) => Outcome::NotCompiled(first_error_line(&said)),
    }
}

fn judge(theirs: &Ran, ours: Ours) -> Outcome {
    match ours {
        Ours::Unsupported(what) => Outcome::Unsupported(what),
        Ours::Refused(what) => Outcome::Refused(what),
        Ours::TimeLimit => Outcome::TimeLimit,
        Ours::Panicked(what) => Outcome::Different(what),
        Ours::Wrong { output, what } => {
            if theirs.output.starts_with(&output) {
                Outcome::Undefined(what)
            } else {
                Outcome::Different(first_difference(&output, &theirs.output))
            }
        }
        Ours::Ran { output, end } if output == theirs.output => {
            if end == theirs.end {
                Outcome::Equal
            } else {
                Outcome::Different(format!("ends with {end:?}, not {:?}", theirs.end))
            }
        }
        Ours::Ran { output, .. } => Outcome::Different(first_difference(&output, &theirs.output)),
    }
}

/// As in: line 3 is `4`, not `5`.
fn first_difference(ours: &[u8], theirs: &[u8]) -> String {
    let shown = |line: Option<&[u8]>| match line {
        Some(line) => format!("`{}`", String::from_utf8_lossy(line)),
        None => "missing".to_owned(),
    };
    let (mut ours, mut theirs) = (
        ours.split(|byte| *byte == b'\n'),
        theirs.split(|byte| *byte == b'\n'),
    );
    for number in 1.. {
        let (our_line, their_line) = (ours.next(), theirs.next());
        if our_line != their_line {
            let (our_line, their_line) = (shown(our_line), shown(their_line));
            return format!("line {number} is {our_line}, not {their_line}");
        }
        if our_line.is_none() {
            break;
        }
    }
    "the output differs".to_owned()
}

fn first_error_line(said: &str) -> String {
    let error = said.lines().find_map(|line| line.split_once("error: "));
    error.map_or_else(|| "no message".to_owned(), |(_, text)| text.to_owned())
}
