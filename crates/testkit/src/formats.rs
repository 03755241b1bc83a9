//! What the tool writes for machines: every report keeps to its schema, and no field vanishes unnoticed.
//!
//! The fields of each format are listed in a file of this crate, one a line, as in `properties[].trace.steps[].thread`.
//! They are collected over the reports of all test programs. Whoever takes a field away must raise the version of the
//! format, which begins a new list; SARIF's version is not ours to raise.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle::{Options, Outcome, Report, ReportData, SourceMap, Timing};
use raddle_driver::{JSON_VERSION, TRACE_VERSION, sarif};
use serde_json::Value;

use crate::schema;

/// A form in which the tool writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    Report,
    Trace,
    Sarif,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Report, Format::Trace, Format::Sarif];

    /// The schema, below the root of the repository.
    fn schema(self) -> &'static str {
        match self {
            Format::Report => "docs/report.schema.json",
            Format::Trace => "docs/trace.schema.json",
            Format::Sarif => "docs/sarif.schema.json",
        }
    }

    /// The list of fields, below the root of the repository.
    fn list(self) -> PathBuf {
        let folder = Path::new("crates/testkit/formats");
        match self {
            Format::Report => folder.join(format!("report-v{JSON_VERSION}.txt")),
            Format::Trace => folder.join(format!("trace-v{TRACE_VERSION}.txt")),
            Format::Sarif => folder.join("sarif-2.1.0.txt"),
        }
    }

    /// Objects whose keys are names of the program, not fields.
    fn has_free_keys(self, path: &str) -> bool {
        match self {
            Format::Report | Format::Trace => false,
            Format::Sarif => path.rsplit('.').next() == Some("state"),
        }
    }

    fn write(self, report: &Report) -> Option<Value> {
        let command = "raddle check program.rad".to_owned();
        let text = match self {
            Format::Report => ReportData::new(report, command, Timing::Shown).to_json(),
            Format::Trace => report.trace_file()?.to_json(),
            Format::Sarif => sarif::Log::new(report, command, Timing::Shown).to_json(),
        };
        Some(serde_json::from_str(&text).expect("what serde_json writes it reads"))
    }
}

/// The schemas of what the tool writes.
#[derive(Clone, Debug)]
pub struct Schemas {
    /// In the order of [`Format::ALL`].
    schemas: Vec<Value>,
}

impl Schemas {
    /// # Errors
    ///
    /// If one is missing or no JSON.
    pub fn read(root: &Path) -> io::Result<Self> {
        let schemas = Format::ALL
            .into_iter()
            .map(|format| {
                let text = fs::read_to_string(root.join(format.schema()))?;
                serde_json::from_str(&text).map_err(io::Error::other)
            })
            .collect::<io::Result<_>>()?;
        Ok(Self { schemas })
    }

    /// Every way in which what is written of a report differs from its schema.
    pub fn problems(&self, report: &Report) -> Vec<String> {
        let mut found = Vec::new();
        for (format, schema) in Format::ALL.into_iter().zip(&self.schemas) {
            if let Some(value) = format.write(report) {
                let problems = schema::problems(schema, &value);
                found.extend(problems.into_iter().map(|it| format!("{format:?}: {it}")));
            }
        }
        found
    }

    /// Keywords in the schemas that nobody checks.
    pub fn unchecked(&self) -> Vec<String> {
        self.schemas
            .iter()
            .flat_map(|it| schema::problems(it, &Value::Object(serde_json::Map::new())))
            .filter(|it| it.contains("is not checked"))
            .collect()
    }
}

/// The fields seen in what was written.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// In the order of [`Format::ALL`].
    seen: [BTreeSet<String>; 3],
}

impl Fields {
    /// With what test programs do not show: wrong input and an internal error.
    pub fn with_errors() -> Self {
        let mut fields = Self::default();
        for report in [wrong_input(), internal_error()] {
            fields.add(&report);
        }
        fields
    }

    pub fn add(&mut self, report: &Report) {
        for (format, seen) in Format::ALL.into_iter().zip(&mut self.seen) {
            if let Some(value) = format.write(report) {
                collect(format, &value, "", seen);
            }
        }
    }

    /// Fields that have vanished, and fields that are not listed yet.
    ///
    /// # Errors
    ///
    /// If a list cannot be read.
    pub fn problems(&self, root: &Path) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        for (format, seen) in Format::ALL.into_iter().zip(&self.seen) {
            let listed = listed(root, format)?;
            let list = format.list();
            found.extend(listed.difference(seen).map(|field| {
                format!(
                    "the field `{field}` of `{}` has vanished; programs that read it would break, so raise the \
                     version of the format",
                    list.display()
                )
            }));
            found.extend(seen.difference(&listed).map(|field| {
                format!(
                    "the field `{field}` is not in `{}`; run `cargo xtask bless`",
                    list.display()
                )
            }));
        }
        Ok(found)
    }

    /// Adds new fields to the lists; never takes one away. The lists that have changed.
    ///
    /// # Errors
    ///
    /// If a list cannot be read or written.
    pub fn bless(&self, root: &Path) -> io::Result<Vec<PathBuf>> {
        let mut changed = Vec::new();
        for (format, seen) in Format::ALL.into_iter().zip(&self.seen) {
            let listed = listed(root, format)?;
            let all: BTreeSet<&String> = listed.union(seen).collect();
            if all.len() > listed.len() {
                let mut lines: Vec<&str> = all.into_iter().map(String::as_str).collect();
                lines.push("");
                fs::write(root.join(format.list()), lines.join("\n"))?;
                changed.push(format.list());
            }
        }
        Ok(changed)
    }
}

/// None if there is no list yet.
fn listed(root: &Path, format: Format) -> io::Result<BTreeSet<String>> {
    match fs::read_to_string(root.join(format.list())) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(error),
    }
}

fn collect(format: Format, value: &Value, path: &str, seen: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                let name = if format.has_free_keys(path) {
                    "*"
                } else {
                    name
                };
                let place = if path.is_empty() {
                    name.to_owned()
                } else {
                    format!("{path}.{name}")
                };
                seen.insert(place.clone());
                collect(format, inner, &place, seen);
            }
        }
        Value::Array(elements) => {
            for inner in elements {
                collect(format, inner, &format!("{path}[]"), seen);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn wrong_input() -> Report {
    raddle::check("thread t { x = }", &Options::default())
}

fn internal_error() -> Report {
    Report {
        sources: SourceMap::new(),
        outcome: Outcome::InternalError("an invariant does not hold".to_owned()),
        elapsed: Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk;

    #[test]
    fn a_field_that_vanishes_is_a_problem() {
        let root = walk::repository_root();
        let nothing = Fields::default().problems(&root).unwrap();
        for field in ["`summary`", "`traces[].steps[].thread`", "`runs[].results`"] {
            assert!(
                nothing
                    .iter()
                    .any(|it| it.contains(field) && it.contains("has vanished")),
                "{field}"
            );
        }
    }

    #[test]
    fn a_new_field_wants_to_be_listed() {
        let mut fields = Fields::default();
        fields.seen[0].insert("colour".to_owned());
        let problems = fields.problems(&walk::repository_root()).unwrap();
        assert!(
            problems
                .iter()
                .any(|it| it.contains("`colour` is not in") && it.contains("bless"))
        );
    }

    #[test]
    fn errors_keep_to_the_schemas_too() {
        let schemas = Schemas::read(&walk::repository_root()).unwrap();
        for report in [wrong_input(), internal_error()] {
            assert_eq!(schemas.problems(&report), Vec::<String>::new());
        }
    }

    #[test]
    fn a_program_that_starts_in_a_violation_keeps_to_the_schemas() {
        let schemas = Schemas::read(&walk::repository_root()).unwrap();
        let report = raddle::check(
            "var x: u8\ninvariant x == 1\nthread t { skip }\n",
            &Options::default(),
        );
        assert_eq!(report.summary().word(), "unsafe");
        assert_eq!(schemas.problems(&report), Vec::<String>::new());
    }

    #[test]
    fn an_unknown_property_is_an_open_result_with_a_place() {
        let report = raddle::check("fn main() { unsupported \"longjmp\" }", &Options::default());
        let log = Format::Sarif.write(&report).unwrap();
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["kind"], "open");
        assert_eq!(result["level"], "none");
        assert_eq!(result["properties"]["reason"], "unsupported");
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], 1);
    }

    #[test]
    fn steps_of_an_interleaving_are_ordered_over_all_threads() {
        let source = "var x: u8\nthread t { x = 1 }\nthread u { let a = x; assert a == 0 }\n";
        let log = Format::Sarif
            .write(&raddle::check(source, &Options::default()))
            .unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let assertion = results.iter().find(|it| it["ruleId"] == "assert").unwrap();
        let mut order = Vec::new();
        for flow in assertion["codeFlows"][0]["threadFlows"].as_array().unwrap() {
            for location in flow["locations"].as_array().unwrap() {
                order.push(location["executionOrder"].as_u64().unwrap());
            }
        }
        order.sort_unstable();
        order.dedup();
        let expected: Vec<u64> = (1..=order.len() as u64).collect();
        assert_eq!(order, expected);
    }
}
