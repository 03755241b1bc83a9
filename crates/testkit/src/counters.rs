//! What engines count on some hundred programs, pinned: a change that makes a search larger or smaller is seen in the diff of one
//! file, also where no verdict changes.
//!
//! A line of the file is `PROGRAM ENGINE: counter=number, counter=number`. One without counters asks `cargo xtask bless` for them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use raddle_engine::{Budget, Engine, Silent, Task};
use raddle_ir::interpret::Semantics;

use crate::decided::{LOOKS, budget};
use crate::run;
use crate::shares::name_of;
use crate::walk::TestProgram;

const FILE: &str = "crates/testkit/records/counters.txt";

/// How memory grows is the business of collections, and no search.
const NOT_PINNED: &str = "store_bytes";

/// The counters of one engine.
type Counted = BTreeMap<String, u64>;

/// The counters of engines by program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins(BTreeMap<String, BTreeMap<String, Counted>>);

impl Pins {
    /// # Errors
    ///
    /// If the file cannot be read, or holds something else.
    pub fn read(root: &Path) -> io::Result<Self> {
        Self::parse(&fs::read_to_string(root.join(FILE))?)
            .map_err(|line| io::Error::other(format!("{FILE}: `{line}`")))
    }

    /// The line that is wrong, if one is.
    fn parse(text: &str) -> Result<Self, &str> {
        let mut pins = Self::default();
        for line in text.lines() {
            let (name, counters) = line.split_once(':').ok_or(line)?;
            let (program, engine) = name.split_once(' ').ok_or(line)?;
            let mut counted = Counted::new();
            for entry in counters.split(',').filter(|it| !it.trim().is_empty()) {
                let (counter, value) = entry.trim().split_once('=').ok_or(line)?;
                counted.insert(counter.to_owned(), value.parse().map_err(|_| line)?);
            }
            let engines = pins.0.entry(program.to_owned()).or_default();
            engines.insert(engine.to_owned(), counted);
        }
        Ok(pins)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (program, engines) in &self.0 {
            for (engine, counted) in engines {
                let entries = counted
                    .iter()
                    .map(|(name, value)| format!("{name}={value}"));
                let entries: Vec<String> = entries.collect();
                let _ = writeln!(text, "{program} {engine}: {}", entries.join(", "));
            }
        }
        text
    }

    /// Whether the file was rewritten.
    ///
    /// # Errors
    ///
    /// If it cannot be.
    pub fn write(&self, root: &Path) -> io::Result<bool> {
        let (path, text) = (root.join(FILE), self.text());
        let is_old = fs::read_to_string(&path)? != text;
        if is_old {
            fs::write(path, text)?;
        }
        Ok(is_old)
    }

    /// The programs with pinned counters.
    pub fn programs(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// Where engines count something else than is pinned. Nothing of a program without pins.
    ///
    /// # Errors
    ///
    /// If the program cannot be read, or there is no such engine.
    pub fn differences(&self, test: &TestProgram) -> Result<Vec<String>, String> {
        let Some(engines) = self.0.get(&test.name) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for (engine, now) in counted(test, engines.keys())? {
            let before = &engines[&engine];
            let names: BTreeSet<&String> = now.keys().chain(before.keys()).collect();
            for name in names {
                let shown = |it: Option<&u64>| it.map_or("not there".to_owned(), u64::to_string);
                let (now, before) = (now.get(name), before.get(name));
                if now != before {
                    let (now, before) = (shown(now), shown(before));
                    found.push(format!("`{engine}`: {name} is {now}, {before} is pinned"));
                }
            }
        }
        Ok(found)
    }

    /// Pins what is counted now.
    ///
    /// # Errors
    ///
    /// As for [`Pins::differences`].
    pub fn bless(&mut self, test: &TestProgram) -> Result<(), String> {
        if let Some(engines) = self.0.get_mut(&test.name) {
            *engines = counted(test, engines.keys())?;
        }
        Ok(())
    }
}

/// What these engines count on a program.
fn counted<'n>(
    test: &TestProgram,
    names: impl Iterator<Item = &'n String>,
) -> Result<BTreeMap<String, Counted>, String> {
    let header = test.header()?;
    let program = run::load(&test.source, &header)?;
    let semantics = run::semantics_of(&header, test.is_c())?;
    let mut all = BTreeMap::new();
    for name in names {
        let (mut engine, budget) =
            asked(name).ok_or_else(|| format!("there is no engine `{name}`"))?;
        let properties = semantics.properties.iter().copied();
        let decided = Semantics {
            properties: properties.filter(|it| engine.decides(*it)).collect(),
            ..semantics.clone()
        };
        let task = Task::new(&program, decided);
        let answer = raddle_engine::decide(engine.as_mut(), &task, &budget, &mut Silent);
        let mut counters = run::owned(&answer.counters);
        counters.remove(NOT_PINNED);
        all.insert(name.clone(), counters);
    }
    Ok(all)
}

/// An engine by its name in headers, with its budget.
fn asked(name: &str) -> Option<(Box<dyn Engine>, Budget)> {
    let finite = raddle_driver::engines().into_iter();
    let bounded = raddle_driver::bounded_engines().into_iter();
    finite
        .map(|it| (it, Budget::unlimited()))
        .chain(bounded.map(|it| (it, budget(LOOKS))))
        .find(|(it, _)| name_of(it.as_ref()) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_written_as_they_are_read() {
        let text =
            "a.rad bmc.local: blocks=2, solver calls=7\na.rad static: \nb.rad token: pairs=1\n";
        assert_eq!(Pins::parse(text).map(|it| it.text()).as_deref(), Ok(text));
        for wrong in ["a.rad", "a.rad: x=1", "a.rad token: x", "a.rad token: x=y"] {
            assert_eq!(Pins::parse(wrong), Err(wrong));
        }
    }

    #[test]
    fn a_counter_that_is_another_is_told_and_blessed() {
        let test = TestProgram {
            name: "once.rad".into(),
            source: "//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe\n\
                     //@ why: one thread\nvar x: u8\nthread t { x = 1 }\n"
                .into(),
            path: None,
            human: None,
        };
        let text = "once.rad explicit.none: states=99, turns=1\nonce.rad static:\n";
        let mut pins = Pins::parse(text).expect("it is a file of pins");
        let found = pins.differences(&test).expect("it is a program");
        assert!(
            found.contains(&"`explicit.none`: states is 2, 99 is pinned".to_owned()),
            "{found:?}"
        );
        assert!(
            found.contains(&"`explicit.none`: turns is not there, 1 is pinned".to_owned()),
            "{found:?}"
        );
        pins.bless(&test).expect("it is a program");
        assert_eq!(pins.differences(&test), Ok(Vec::new()));
        let unknown = Pins::parse("once.rad spin: states=1").expect("it is a file of pins");
        assert_eq!(
            unknown.differences(&test),
            Err("there is no engine `spin`".to_owned())
        );
    }
}
