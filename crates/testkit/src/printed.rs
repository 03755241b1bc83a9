//! What only the whole binary writes for machines: comparisons, movers, reports of `bench` and their differences.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::field_list::FieldList;
use crate::{binary, schema};

/// A form in which the binary prints, and examples of it.
pub struct Printed {
    /// As in `docs/NAME.schema.json`.
    pub name: &'static str,
    pub outputs: Vec<Value>,
}

impl Printed {
    /// Ways in which an output differs from the schema.
    ///
    /// # Errors
    ///
    /// If there is no schema.
    pub fn schema_problems(&self, root: &Path) -> Result<Vec<String>, String> {
        let path = root.join(format!("docs/{}.schema.json", self.name));
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let schema: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(self
            .outputs
            .iter()
            .flat_map(|output| schema::problems(&schema, output))
            .map(|it| format!("{}: {it}", self.name))
            .collect())
    }

    /// The fields of all outputs; the first one tells the version.
    pub fn fields(&self) -> FieldList {
        let version = self.outputs.first().map_or(0, |it| {
            it["version"].as_u64().expect("formats have a version")
        });
        let mut fields = FieldList::new(
            &format!("{}-v{version}", self.name),
            &["verdicts", "counters"],
        );
        for output in &self.outputs {
            fields.add(output);
        }
        fields
    }
}

/// Examples of every form, made from programs of the repository; together they show every field.
///
/// # Errors
///
/// If the binary cannot be run, or prints no JSON.
pub fn all(root: &Path) -> Result<Vec<Printed>, String> {
    let print = |name: &'static str, calls: &[&[&str]]| -> Result<Printed, String> {
        let outputs = calls
            .iter()
            .map(|arguments| {
                let text = binary::output_of(root, arguments)?;
                serde_json::from_str(&text).map_err(|error| format!("{arguments:?}: {error}"))
            })
            .collect::<Result<_, String>>()?;
        Ok(Printed { name, outputs })
    };
    let cases = "crates/testkit/formats/cases";
    let runs = [
        format!("{cases}/broken.yml"),
        format!("{cases}/old.csv"),
        format!("{cases}/new.csv"),
        format!("{cases}/other-property.yml"),
        format!("{cases}/wrong.rad"),
    ];
    let [broken, old, new, other, wrong] = runs.each_ref().map(String::as_str);
    Ok(vec![
        print(
            "comparison",
            &[
                &["compare", "--format", "json", "examples/bank.rad"],
                &[
                    "compare",
                    "--format",
                    "json",
                    "--no-timing",
                    "examples/papers/sc-barrier.rad",
                ],
                &[
                    "compare",
                    "--format",
                    "json",
                    "--property",
                    "atomic-sets",
                    "examples/papers/as-listing1-stack.rad",
                ],
                &[
                    "compare",
                    "--format",
                    "json",
                    "--checker",
                    "/bin/false",
                    "examples/bank.rad",
                ],
            ],
        )?,
        print(
            "movers",
            &[
                &[
                    "movers",
                    "--json",
                    "tests/rad/threads/join-orders-accesses.rad",
                ],
                &["movers", "--json", "examples/papers/fq-counter.rad"],
                &[
                    "movers",
                    "--json",
                    "--reduction",
                    "local",
                    "examples/bank.rad",
                ],
                &[
                    "movers",
                    "--json",
                    "tests/rad/movers/two-different-locks-around-one-variable.rad",
                ],
                &[
                    "movers",
                    "--json",
                    "tests/rad/properties/division-by-zero-is-undefined.rad",
                ],
                &[
                    "movers",
                    "--json",
                    "--timeout",
                    "0.01",
                    "examples/papers/fq-counter.rad",
                ],
            ],
        )?,
        print(
            "bench",
            &[
                &["bench", "--json", "--every", "4", "tests", "examples"],
                &["bench", "--json", "--no-timing", broken, other],
                &["bench", "--json", broken, wrong],
                &[
                    "bench",
                    "--json",
                    "--checker",
                    "/bin/false",
                    "--every",
                    "10",
                    "examples",
                ],
            ],
        )?,
        print(
            "bench-diff",
            &[
                &["bench", "--json", "--diff", old, new],
                &["bench", "--json", "--no-timing", "--diff", old, new],
                &["bench", "--json", "--diff", new, old],
            ],
        )?,
    ])
}
