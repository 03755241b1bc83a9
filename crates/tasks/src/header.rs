//! The header of a test program: what is true of the program and what the tool says about it today.
//!
//! ```text
//! //@ truth:    assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//! //@ expect:   reference race=unknown
//! //@ expect:   explicit.phase memory=unknown
//! //@ expect:   bmc assert=safe race=unknown
//! //@ counters: reference.none.states=106 explicit.optimistic.states=38
//! //@ options:  --data-model ilp32
//! //@ why:      `withdraw` reads `balance` before it takes the lock
//! ```
//!
//! The header is the block of `//@` lines at the top. It is read strictly, so that a typing mistake cannot
//! disable a test: an unknown key, property or engine is an error, so is a `//@` line further down, and so is an
//! expectation that would record a wrong verdict as wanted. What no `expect` line mentions must be
//! answered as `truth` says; `uninitialized` and `undefined` are safe if `truth` does not mention them.
//!
//! `reference` is held to its line exactly. `explicit` runs with every reduction, must never contradict the truth, and
//! has to decide what `reference` decides; a line excuses it, with all reductions or with the one behind the dot.
//! The other engines may leave unknown what they like where no line speaks of them; what a line says of one of them, with all
//! its reductions or with the one behind the dot, has to be so exactly.

use std::collections::BTreeMap;
use std::fmt;

use raddle_ir::interpret::Property;

use crate::options;

/// The engine that has to answer as the truth says, except where a line expects it to be unknown.
pub const REFERENCE: &str = "reference";

/// The engine that runs with every reduction, and must decide what [`REFERENCE`] does.
pub const REDUCING_ENGINE: &str = "explicit";

/// What may stand behind the dot after an engine that reduces.
pub const REDUCTIONS: [&str; 6] = ["none", "local", "static", "phase", "optimistic", "dynamic"];

/// Engines that a header may speak of, each with its reductions.
pub const ENGINES: [(&str, &[&str]); 8] = [
    (REFERENCE, &["none"]),
    (REDUCING_ENGINE, &REDUCTIONS),
    ("bmc", &REDUCTIONS),
    ("token", &["none"]),
    ("static", &["none"]),
    ("pushdown", &["none"]),
    ("sample", &["none"]),
    ("ic3", &["none"]),
];

/// How annotations of a program begin, which may stand below its header.
const ANNOTATIONS: [&str; 5] = ["exclusive ", "invariant ", "atomic(", "unit", "ignore "];

/// Properties that are checked unless `--property` says otherwise, whatever the program.
pub const ALWAYS_CHECKED: [Property; 5] = [
    Property::Assert,
    Property::Race,
    Property::Deadlock,
    Property::Memory,
    Property::LockMisuse,
];

/// The same of those that few programs have anything to do with: they are safe unless `truth` says otherwise.
pub const USUALLY_SAFE: [Property; 2] = [Property::Uninitialized, Property::Undefined];

/// What the header of a test program says is true of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    Safe,
    Unsafe,
}

/// What an engine is expected to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Safe,
    Unsafe,
    Unknown,
}

impl Expected {
    pub fn word(self) -> &'static str {
        match self {
            Expected::Safe => "safe",
            Expected::Unsafe => "unsafe",
            Expected::Unknown => "unknown",
        }
    }

    pub fn from_word(word: &str) -> Option<Expected> {
        [Expected::Safe, Expected::Unsafe, Expected::Unknown]
            .into_iter()
            .find(|it| it.word() == word)
    }
}

impl From<Truth> for Expected {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::Safe => Expected::Safe,
            Truth::Unsafe => Expected::Unsafe,
        }
    }
}

/// Compares an expectation with the truth.
///
/// # Errors
///
/// If the expectation would record a wrong verdict as wanted.
pub fn admit(truth: Truth, expected: Expected) -> Result<(), &'static str> {
    match (truth, expected) {
        (Truth::Safe, Expected::Unsafe) => Err("expects a false alarm"),
        (Truth::Unsafe, Expected::Safe) => Err("expects a missed violation"),
        (Truth::Safe | Truth::Unsafe, Expected::Unknown)
        | (Truth::Safe, Expected::Safe)
        | (Truth::Unsafe, Expected::Unsafe) => Ok(()),
    }
}

/// A counter that must have exactly this value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterLine {
    pub engine: String,
    pub reduction: String,
    pub counter: String,
    pub value: u64,
}

/// What the `//@` lines of a program say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub truth: BTreeMap<Property, Truth>,
    /// By engine; only where it differs from the truth, or says so on purpose.
    pub expectations: BTreeMap<String, BTreeMap<Property, Expected>>,
    pub counters: Vec<CounterLine>,
    /// Words of the command line.
    pub options: Vec<String>,
    pub why: Vec<String>,
}

impl Header {
    /// What an engine shall answer on a property; `None` if the property has no truth.
    pub fn expected(&self, engine: &str, property: Property) -> Option<Expected> {
        let truth = *self.truth.get(&property)?;
        let said = self
            .expectations
            .get(engine)
            .and_then(|it| it.get(&property))
            .copied();
        Some(said.unwrap_or(truth.into()))
    }

    /// What a line demands of an engine with a reduction on a property; the line with the reduction goes first.
    pub fn demanded(&self, engine: &str, reduction: &str, property: Property) -> Option<Expected> {
        [format!("{engine}.{reduction}"), engine.to_owned()]
            .iter()
            .filter_map(|name| self.expectations.get(name))
            .find_map(|it| it.get(&property).copied())
    }

    /// Whether the engine that reduces may leave a property unknown with this reduction.
    pub fn is_excused(&self, reduction: &str, property: Property) -> bool {
        [
            REDUCING_ENGINE.to_owned(),
            format!("{REDUCING_ENGINE}.{reduction}"),
        ]
        .iter()
        .filter_map(|engine| self.expectations.get(engine))
        .any(|it| it.get(&property) == Some(&Expected::Unknown))
    }
}

/// What is wrong with a header, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderError {
    /// From 1; 0 if no single line is to blame.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for HeaderError {}

/// Reads the header of a program.
///
/// # Errors
///
/// The first thing that is wrong with it.
pub fn parse(source: &str) -> Result<Header, HeaderError> {
    let mut header = Header::default();
    let mut is_over = false;
    let mut last_line_of = BTreeMap::new();
    for (index, line) in source.lines().enumerate() {
        let at = |message: String| HeaderError {
            line: index + 1,
            message,
        };
        let Some(content) = line.trim_start().strip_prefix("//@") else {
            is_over = true;
            continue;
        };
        if is_over
            && ANNOTATIONS
                .iter()
                .any(|it| content.trim_start().starts_with(it))
        {
            continue;
        }
        if is_over {
            return Err(at(
                "a `//@` line stands below the header; move it to the top".into(),
            ));
        }
        let (key, value) = content
            .split_once(':')
            .ok_or_else(|| at("a header line has the form `//@ key: value`".into()))?;
        let (key, value) = (key.trim(), value.trim());
        if value.is_empty() {
            return Err(at(format!("`{key}` says nothing")));
        }
        last_line_of.insert(key.to_owned(), index + 1);
        match key {
            "truth" => parse_truth(value, &mut header.truth).map_err(at)?,
            "expect" => parse_expectation(value, &mut header.expectations).map_err(at)?,
            "counters" => parse_counters(value, &mut header.counters).map_err(at)?,
            "options" => header
                .options
                .extend(value.split_whitespace().map(str::to_owned)),
            "why" => header.why.push(value.to_owned()),
            _ => {
                return Err(at(format!(
                    "`{key}` is no key; the keys are truth, expect, counters, options, why"
                )));
            }
        }
    }
    fill_in(&mut header);
    check_whole(&header).map_err(|(key, message)| HeaderError {
        line: last_line_of.get(key).copied().unwrap_or(0),
        message,
    })?;
    Ok(header)
}

/// What goes without saying.
fn fill_in(header: &mut Header) {
    let Ok(asked) = options::asked_properties(&header.options) else {
        return;
    };
    let is_asked = |it: &Property| match &asked {
        None => true,
        Some(asked) => asked.contains(it),
    };
    if !header.truth.is_empty() {
        for property in USUALLY_SAFE.into_iter().filter(is_asked) {
            header.truth.entry(property).or_insert(Truth::Safe);
        }
    }
}

/// The rules that span lines; with the key of the line to blame.
fn check_whole(header: &Header) -> Result<(), (&'static str, String)> {
    if header.truth.is_empty() {
        return Err((
            "truth",
            "the program has no `//@ truth:` line; say what is true of it".into(),
        ));
    }
    if header.why.is_empty() {
        return Err((
            "why",
            "the program has no `//@ why:` line; say why the truth holds".into(),
        ));
    }
    let asked = options::asked_properties(&header.options).map_err(|it| ("options", it))?;
    match asked {
        None => {
            for property in ALWAYS_CHECKED {
                if !header.truth.contains_key(&property) {
                    return Err(("truth", format!("`truth` says nothing about {property}")));
                }
            }
        }
        Some(asked) => {
            for property in Property::ALL {
                match (
                    asked.contains(&property),
                    header.truth.contains_key(&property),
                ) {
                    (true, false) => {
                        return Err(("truth", format!("`truth` says nothing about {property}")));
                    }
                    (false, true) => {
                        return Err((
                            "truth",
                            format!("`truth` speaks of {property}, which `options` does not ask"),
                        ));
                    }
                    (true, true) | (false, false) => {}
                }
            }
        }
    }
    for (engine, expectations) in &header.expectations {
        for (property, expected) in expectations {
            let Some(truth) = header.truth.get(property) else {
                return Err((
                    "expect",
                    format!("`{engine}` expects something of {property}, which has no truth"),
                ));
            };
            admit(*truth, *expected)
                .map_err(|problem| ("expect", format!("`{engine}` {problem} for {property}")))?;
        }
    }
    Ok(())
}

fn parse_truth(value: &str, truth: &mut BTreeMap<Property, Truth>) -> Result<(), String> {
    for entry in value.split_whitespace() {
        let (property, word) = property_and_word(entry)?;
        let said = match word {
            "safe" => Truth::Safe,
            "unsafe" => Truth::Unsafe,
            _ => return Err(format!("`{word}` is no truth; say safe or unsafe")),
        };
        if truth.insert(property, said).is_some() {
            return Err(format!("`truth` speaks of {property} twice"));
        }
    }
    Ok(())
}

fn parse_expectation(
    value: &str,
    expectations: &mut BTreeMap<String, BTreeMap<Property, Expected>>,
) -> Result<(), String> {
    let mut words = value.split_whitespace();
    let engine = words.next().unwrap_or_default();
    check_name(engine)?;
    let of_engine = expectations.entry(engine.to_owned()).or_default();
    for entry in words {
        let (property, word) = property_and_word(entry)?;
        let expected = Expected::from_word(word)
            .ok_or_else(|| format!("`{word}` is no verdict; say safe, unsafe or unknown"))?;
        if of_engine.insert(property, expected).is_some() {
            return Err(format!("`{engine}` is expected twice on {property}"));
        }
    }
    if of_engine.is_empty() {
        return Err(format!("nothing is expected of `{engine}`"));
    }
    Ok(())
}

fn parse_counters(value: &str, counters: &mut Vec<CounterLine>) -> Result<(), String> {
    for entry in value.split_whitespace() {
        let wrong = || format!("`{entry}` must have the form `engine.reduction.counter=number`");
        let (name, number) = entry.split_once('=').ok_or_else(wrong)?;
        let mut parts = name.split('.');
        let (Some(engine), Some(reduction), Some(counter), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong());
        };
        check_reduction(engine, reduction)?;
        let line = CounterLine {
            engine: engine.into(),
            reduction: reduction.into(),
            counter: counter.into(),
            value: number.parse().map_err(|_| wrong())?,
        };
        if counters.iter().any(|it| {
            (&it.engine, &it.reduction, &it.counter)
                == (&line.engine, &line.reduction, &line.counter)
        }) {
            return Err(format!("`{name}` is counted twice"));
        }
        counters.push(line);
    }
    Ok(())
}

fn property_and_word(entry: &str) -> Result<(Property, &str), String> {
    let (name, word) = entry
        .split_once('=')
        .ok_or_else(|| format!("`{entry}` must have the form `property=verdict`"))?;
    let property = Property::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Property::ALL.iter().map(|it| it.name()).collect();
        format!("`{name}` is no property; there are {}", known.join(", "))
    })?;
    Ok((property, word))
}

/// An engine, or one with the reduction behind a dot.
fn check_name(name: &str) -> Result<(), String> {
    match name.split_once('.') {
        Some((engine, _)) if reductions_of(engine)?.len() == 1 => Err(format!(
            "`{engine}` does not reduce; write `{engine}` alone"
        )),
        Some((engine, reduction)) => check_reduction(engine, reduction),
        None => reductions_of(name).map(|_| ()),
    }
}

fn reductions_of(engine: &str) -> Result<&'static [&'static str], String> {
    let known = ENGINES.iter().find(|(name, _)| *name == engine);
    known.map(|(_, reductions)| *reductions).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
        format!("`{engine}` is no engine; there are {}", names.join(", "))
    })
}

fn check_reduction(engine: &str, reduction: &str) -> Result<(), String> {
    let known = reductions_of(engine)?;
    if known.contains(&reduction) {
        Ok(())
    } else {
        Err(format!(
            "`{reduction}` is no reduction of `{engine}`; there are {}",
            known.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests;
