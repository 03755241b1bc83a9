//! What the engines that may leave anything unknown decide of the programs below `tests/` and `examples/`: against the headers, and
//! against a record of what each left unknown when it was blessed last.
//!
//! Their limits are looks at the budget, not time, so that the same is decided on every machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use raddle_certify::Audited;
use raddle_engine::{Answer, Budget, Engine, Reduction, Silent, Task, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};

use crate::header::{Expected, Header, admit};
use crate::run::{self, miscounted};
use crate::seeds::number_from;
use crate::shares::{Shares, name_of, reason_of};
use crate::walk::TestProgram;

/// How often an engine looks at its budget before it gives up a program; `RADDLE_LOOKS` says otherwise.
pub const LOOKS: u64 = 1_000;

/// The reduction that a check without `--engine` uses: what it leaves unknown is recorded, of the others only the share.
const RECORDED: Reduction = Reduction::Optimistic;

/// Programs in C take most of the time: every third is checked with another reduction too.
const EVERY: usize = 3;

/// Where the records lie, one file for each engine.
const FOLDER: &str = "crates/testkit/records/unknown";

/// A budget that is spent after so many looks at it.
pub fn budget(looks: u64) -> Budget {
    Budget::unlimited().with_looks(number_from("RADDLE_LOOKS", looks))
}

/// The engines that are asked about a program, which is this one of all.
fn engines(program: &TestProgram, at: usize) -> Vec<Box<dyn Engine>> {
    let all = raddle_driver::engines().into_iter();
    all.filter(|it| it.name() == "static")
        .chain(raddle_driver::bounded_engines())
        .filter(|it| {
            let is_sampled = it.reduction() == Reduction::Dynamic && at.is_multiple_of(EVERY);
            !program.needs_compiler() || is_recorded(it.as_ref()) || is_sampled
        })
        .collect()
}

/// Of `ic3` nothing is recorded: what it decides within so few looks is what small programs happen to need. It is held to the
/// headers like the others.
fn is_recorded(engine: &dyn Engine) -> bool {
    match engine.name() {
        "bmc" => engine.reduction() == RECORDED,
        name => name != "ic3",
    }
}

/// What one engine says of a program.
#[derive(Clone, Debug)]
pub struct Said {
    /// As in headers.
    pub name: String,
    pub engine: &'static str,
    pub reduction: Reduction,
    pub answer: Answer,
    is_recorded: bool,
}

impl Said {
    /// What is unknown, with the reason.
    fn unknown(&self) -> BTreeMap<Property, String> {
        let verdicts = self.answer.verdicts.iter();
        verdicts
            .filter_map(|(property, verdict)| Some((*property, reason_of(verdict)?)))
            .collect()
    }

    /// As in headers, if it is decided what the line asks for.
    pub fn word(&self, property: Property) -> Option<Expected> {
        Some(match self.answer.verdicts.get(&property)? {
            Verdict::Safe(_) => Expected::Safe,
            Verdict::Unsafe(_) => Expected::Unsafe,
            Verdict::Unknown(_) => Expected::Unknown,
        })
    }
}

/// Asks all engines about a program, which is this one of all; `None` if there is no compiler to read it with.
///
/// # Errors
///
/// If it cannot be read.
pub fn said(
    test: &TestProgram,
    at: usize,
) -> Result<Option<(Program, Semantics, Vec<Said>)>, String> {
    let header = test.header()?;
    let program = match run::load(&test.source, &header) {
        Ok(program) => program,
        Err(_) if test.needs_compiler() && !run::has_compiler() => return Ok(None),
        Err(problem) => return Err(problem),
    };
    let semantics = run::semantics_of(&header, test.is_c())?;
    let all = engines(test, at).into_iter().map(|mut engine| {
        let properties = semantics.properties.iter().copied();
        let decided = Semantics {
            properties: properties.filter(|it| engine.decides(*it)).collect(),
            ..semantics.clone()
        };
        let task = Task::new(&program, decided);
        let answer = raddle_engine::decide(engine.as_mut(), &task, &budget(LOOKS), &mut Silent);
        Said {
            name: name_of(engine.as_ref()),
            engine: engine.name(),
            reduction: engine.reduction(),
            answer,
            is_recorded: is_recorded(engine.as_ref()),
        }
    });
    let all = all.collect();
    Ok(Some((program, semantics, all)))
}

/// Where answers are wrong, or not what a line of the header says.
pub fn problems(
    header: &Header,
    program: &Program,
    semantics: &Semantics,
    all: &[Said],
) -> Vec<String> {
    let mut found = Vec::new();
    for said in all {
        let name = &said.name;
        for (property, verdict) in &said.answer.verdicts {
            let (Some(truth), Some(word)) = (header.truth.get(property), said.word(*property))
            else {
                found.push(format!("`{name}` was not asked about {property}"));
                continue;
            };
            if admit(*truth, word).is_err() {
                found.push(format!(
                    "WRONG VERDICT: `{name}` says that {property} is {}",
                    word.word()
                ));
            }
            if let Err(rejected) = Audited::new(program, semantics, *property, verdict.clone()) {
                found.push(format!("`{name}`, {property}: {rejected}"));
            }
            let demanded = header.demanded(said.engine, said.reduction.name(), *property);
            if demanded.is_some_and(|it| it != word) {
                found.push(format!(
                    "`{name}` says that {property} is {}, which is not what the `expect` line says; bless it",
                    reason_of(verdict).map_or(word.word().to_owned(), |it| format!("unknown ({it})"))
                ));
            }
        }
        let counters = run::owned(&said.answer.counters);
        found.extend(miscounted(
            header,
            said.engine,
            said.reduction.name(),
            &counters,
        ));
    }
    found.extend(unheard(header, all));
    found
}

/// Lines about engines that are not asked: nothing would notice if they were wrong.
fn unheard(header: &Header, all: &[Said]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, expectations) in &header.expectations {
        let engine = name.split('.').next().unwrap_or(name);
        if !raddle_driver::bounded_engines()
            .iter()
            .any(|it| it.name() == engine)
            && engine != "static"
        {
            continue;
        }
        let asked = || {
            let all = all.iter();
            all.filter(|it| it.engine == name || it.name == *name)
        };
        for property in expectations.keys() {
            if !asked().any(|it| it.answer.verdicts.contains_key(property)) {
                found.push(format!(
                    "`{name}` is not asked about {property} of this program; take it out of the `expect` line"
                ));
            }
        }
    }
    found
}

/// What engines left unknown, by engine and program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record(BTreeMap<String, BTreeMap<String, BTreeSet<Property>>>);

impl Record {
    /// What was blessed.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or holds something else.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut record = Self::default();
        for engine in recorded() {
            let path = root.join(FOLDER).join(format!("{engine}.txt"));
            let programs = record.0.entry(engine).or_default();
            let text = match fs::read_to_string(&path) {
                Ok(text) => text,
                // An engine that has decided nothing yet.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            for line in text.lines() {
                let wrong = || io::Error::other(format!("{}: `{line}`", path.display()));
                let (name, words) = line.split_once(": ").ok_or_else(wrong)?;
                let words = words.split_whitespace().map(Property::from_name);
                let properties: Option<BTreeSet<Property>> = words.collect();
                programs.insert(name.to_owned(), properties.ok_or_else(wrong)?);
            }
        }
        Ok(record)
    }

    /// Writes the files that say something else; how many there are.
    ///
    /// # Errors
    ///
    /// If one cannot be written.
    pub fn write(&self, root: &Path) -> io::Result<usize> {
        let mut rewritten = 0;
        fs::create_dir_all(root.join(FOLDER))?;
        for (engine, programs) in &self.0 {
            let mut text = String::new();
            for (program, properties) in programs {
                let names: Vec<&str> = properties.iter().map(|it| it.name()).collect();
                let _ = writeln!(text, "{program}: {}", names.join(" "));
            }
            let path = root.join(FOLDER).join(format!("{engine}.txt"));
            if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
                fs::write(path, text)?;
                rewritten += 1;
            }
        }
        Ok(rewritten)
    }

    fn has(&self, engine: &str, program: &str, property: Property) -> bool {
        let programs = self.0.get(engine);
        let properties = programs.and_then(|it| it.get(program));
        properties.is_some_and(|it| it.contains(&property))
    }

    /// Where a program is decided otherwise than when the record was blessed.
    pub fn differences(&self, program: &str, all: &[Said]) -> Vec<String> {
        let mut found = Vec::new();
        for said in all.iter().filter(|it| it.is_recorded) {
            let (name, unknown) = (&said.name, said.unknown());
            for property in said.answer.verdicts.keys() {
                match (self.has(name, program, *property), unknown.get(property)) {
                    (true, None) => found.push(format!("`{name}` now decides {property}; bless it")),
                    (false, Some(reason)) => found.push(format!(
                        "`{name}` no longer decides {property}, or the program is new: {reason}; bless it if that is right"
                    )),
                    (true, Some(_)) | (false, None) => {}
                }
            }
        }
        found
    }

    /// Notes what is unknown now.
    pub fn bless(&mut self, program: &str, all: &[Said]) {
        for said in all.iter().filter(|it| it.is_recorded) {
            let programs = self.0.entry(said.name.clone()).or_default();
            let unknown: BTreeSet<Property> = said.unknown().into_keys().collect();
            if unknown.is_empty() {
                programs.remove(program);
            } else {
                programs.insert(program.to_owned(), unknown);
            }
        }
    }

    /// Leaves only these programs.
    pub fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        for programs in self.0.values_mut() {
            programs.retain(|name, _| is_there(name));
        }
    }

    /// Counts what is unknown of a program, and says what is new.
    pub fn share(&self, program: &str, all: &[Said], shares: &mut Shares) {
        for said in all {
            let unknown = said.unknown();
            for property in said.answer.verdicts.keys() {
                let reason = unknown.get(property).map(String::as_str);
                let is_new = !self.has(&said.name, program, *property);
                shares.add(&said.name, (program, *property), reason, is_new);
            }
        }
    }
}

/// The engines with a record.
fn recorded() -> Vec<String> {
    let all = raddle_driver::engines().into_iter();
    all.filter(|it| it.name() == "static")
        .chain(raddle_driver::bounded_engines())
        .filter(|it| is_recorded(it.as_ref()))
        .map(|it| name_of(it.as_ref()))
        .collect()
}

#[cfg(test)]
mod tests {
    use raddle_engine::{Proof, Reason};

    use super::*;

    fn one(verdict: Verdict) -> [Said; 1] {
        let mut answer = Answer::default();
        answer.verdicts.insert(Property::Race, verdict);
        [Said {
            name: "token".into(),
            engine: "token",
            reduction: Reduction::None,
            answer,
            is_recorded: true,
        }]
    }

    #[test]
    fn a_program_that_is_lost_and_one_that_is_won_are_told_until_they_are_blessed() {
        let decided = one(Verdict::Safe(Proof::SearchExhausted(Reduction::None)));
        let lost = one(Verdict::Unknown(Reason::OutOfTime));
        let mut record = Record::default();
        record.bless("a.rad", &decided);
        assert_eq!(record.differences("a.rad", &decided), [""; 0]);
        assert_eq!(
            record.differences("a.rad", &lost),
            [
                "`token` no longer decides race, or the program is new: time; bless it if that is right"
            ]
        );
        record.bless("a.rad", &lost);
        assert_eq!(record.differences("a.rad", &lost), [""; 0]);
        assert_eq!(
            record.differences("a.rad", &decided),
            ["`token` now decides race; bless it"]
        );
    }
}
