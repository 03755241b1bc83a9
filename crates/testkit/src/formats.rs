//! What the tool writes for machines: every report keeps to its schema, and no field vanishes unnoticed.
//!
//! The fields of each format are collected over the reports of all test programs, and compared with a list.
//! SARIF's version is not ours to raise.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use raddle::{
    Commands, EngineChoice, EngineId, Flags, Options, Outcome, Property, Report, ReportData,
    SourceMap, Timing,
};
use raddle_driver::TRACE_VERSION;
use raddle_report::{JSON_VERSION, sarif};
use serde_json::Value;

use crate::field_list::FieldList;
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

    fn fields(self) -> FieldList {
        match self {
            Format::Report => FieldList::new(&format!("report-v{JSON_VERSION}"), &[]),
            Format::Trace => FieldList::new(&format!("trace-v{TRACE_VERSION}"), &[]),
            Format::Sarif => FieldList::new("sarif-2.1.0", &["state"]),
        }
    }

    fn write(self, report: &Report) -> Option<Value> {
        let command = "raddle check program.rad".to_owned();
        let commands = Commands {
            of_property: Property::ALL.map(|it| (it, command.clone())).into(),
            whole: command,
        };
        let text = match self {
            Format::Report => ReportData::new(report, commands, Timing::Shown, &Flags).to_json(),
            Format::Trace => report.trace_file()?.to_json(),
            Format::Sarif => {
                sarif::Log::new(report, &[], commands, Timing::Shown, &Flags).to_json()
            }
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
#[derive(Clone, Debug)]
pub struct Fields {
    /// In the order of [`Format::ALL`].
    lists: Vec<FieldList>,
}

impl Fields {
    fn none() -> Self {
        Self {
            lists: Format::ALL.into_iter().map(Format::fields).collect(),
        }
    }

    /// With what test programs do not show: wrong input, an internal error, and where the time went.
    pub fn with_errors() -> Self {
        let mut fields = Self::none();
        for report in [wrong_input(), internal_error(), measured()] {
            fields.add(&report);
        }
        fields
    }

    pub fn add(&mut self, report: &Report) {
        for (format, list) in Format::ALL.into_iter().zip(&mut self.lists) {
            if let Some(value) = format.write(report) {
                list.add(&value);
            }
        }
    }

    pub fn lists(&self) -> &[FieldList] {
        &self.lists
    }

    /// Fields that have vanished, and fields that are not listed yet.
    ///
    /// # Errors
    ///
    /// If a list cannot be read.
    pub fn problems(&self, root: &Path) -> io::Result<Vec<String>> {
        let found: Vec<Vec<String>> = self
            .lists
            .iter()
            .map(|it| it.problems(root))
            .collect::<io::Result<_>>()?;
        Ok(found.concat())
    }
}

fn wrong_input() -> Report {
    raddle::check("thread t { x = }", &Options::default())
}

fn measured() -> Report {
    let options = Options {
        // One that is alone runs the same every time.
        engine: EngineChoice::One(EngineId::Explicit),
        measures: true,
        ..Options::default()
    };
    raddle::check("var x: u8\nthread t[2] { x = 1 }\n", &options)
}

fn internal_error() -> Report {
    Report {
        sources: SourceMap::new(),
        warnings: Vec::new(),
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
        let nothing = Fields::none().problems(&root).unwrap();
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
        let mut fields = Fields::none();
        fields.lists[0].add(&serde_json::json!({ "colour": 1 }));
        let problems = fields.problems(&walk::repository_root()).unwrap();
        assert!(
            problems
                .iter()
                .any(|it| it.contains("`colour` is not in") && it.contains("bless"))
        );
    }

    #[test]
    fn errors_and_profiles_keep_to_the_schemas_too() {
        let schemas = Schemas::read(&walk::repository_root()).unwrap();
        for report in [wrong_input(), internal_error(), measured()] {
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
