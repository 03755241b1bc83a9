//! The fields of a format, in a file of this crate, one a line, as in `properties[].trace.steps[].thread`.
//!
//! Whoever takes a field away must raise the version of the format, which begins a new list.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The fields seen in what was written, and the file that lists those that must be seen.
#[derive(Clone, Debug)]
pub struct FieldList {
    /// Below the root of the repository.
    path: PathBuf,
    /// Objects of these names have keys that are names of the program, not fields.
    free: &'static [&'static str],
    seen: BTreeSet<String>,
}

impl FieldList {
    /// `name` is that of the format with its version, as in `report-v1`.
    pub fn new(name: &str, free: &'static [&'static str]) -> Self {
        Self {
            path: Path::new("crates/testkit/formats").join(format!("{name}.txt")),
            free,
            seen: BTreeSet::new(),
        }
    }

    pub fn add(&mut self, value: &Value) {
        self.collect(value, "");
    }

    fn collect(&mut self, value: &Value, path: &str) {
        match value {
            Value::Object(members) => {
                let is_free = path
                    .rsplit('.')
                    .next()
                    .is_some_and(|it| self.free.contains(&it));
                for (name, inner) in members {
                    let name = if is_free { "*" } else { name };
                    let place = if path.is_empty() {
                        name.to_owned()
                    } else {
                        format!("{path}.{name}")
                    };
                    self.seen.insert(place.clone());
                    self.collect(inner, &place);
                }
            }
            Value::Array(elements) => {
                for inner in elements {
                    self.collect(inner, &format!("{path}[]"));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Fields that have vanished, and fields that are not listed yet.
    ///
    /// # Errors
    ///
    /// If the list cannot be read.
    pub fn problems(&self, root: &Path) -> io::Result<Vec<String>> {
        let listed = self.listed(root)?;
        let list = self.path.display();
        let vanished = listed.difference(&self.seen).map(|field| {
            format!(
                "the field `{field}` of `{list}` has vanished; programs that read it would break, so raise the \
                 version of the format"
            )
        });
        let new = self.seen.difference(&listed).map(|field| {
            format!("the field `{field}` is not in `{list}`; run `cargo xtask bless`")
        });
        Ok(vanished.chain(new).collect())
    }

    /// Adds new fields to the list; never takes one away. The list, if it has changed.
    ///
    /// # Errors
    ///
    /// If the list cannot be read or written.
    pub fn bless(&self, root: &Path) -> io::Result<Option<&Path>> {
        let listed = self.listed(root)?;
        let all: BTreeSet<&String> = listed.union(&self.seen).collect();
        if all.len() == listed.len() {
            return Ok(None);
        }
        let mut lines: Vec<&str> = all.into_iter().map(String::as_str).collect();
        lines.push("");
        fs::write(root.join(&self.path), lines.join("\n"))?;
        Ok(Some(&self.path))
    }

    /// Nothing if there is no list yet.
    fn listed(&self, root: &Path) -> io::Result<BTreeSet<String>> {
        match fs::read_to_string(root.join(&self.path)) {
            Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeSet::new()),
            Err(error) => Err(error),
        }
    }
}
