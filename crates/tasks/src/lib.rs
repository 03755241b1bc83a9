//! Programs whose verdicts are known: our own tests with their headers, and task definitions of SV-COMP. Used by
//! the test harness and by `raddle bench`; reads files, runs nothing.

pub mod find;
pub mod header;
mod list;
pub mod options;
mod property_file;
mod svcomp;
mod yaml;

use std::collections::BTreeMap;

use raddle_ir::interpret::Property;

use crate::header::Truth;

/// A program with what is true of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The path of the file that defines it, with `/`.
    pub name: String,
    /// Or what is wrong with that file. A broken definition stays a task, so that nobody counts on it in vain.
    pub definition: Result<Definition, String>,
}

impl Task {
    /// Where the task lies; `.` if its name has no folder.
    pub fn folder(&self) -> &str {
        folder_of(&self.name)
    }
}

/// The folder in a name with `/`.
pub fn folder_of(name: &str) -> &str {
    match name.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => ".",
    }
}

/// What to run, and what is right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// The files that make up the program together.
    pub files: Vec<String>,
    pub truth: BTreeMap<Property, Truth>,
    /// Words for the command line of `raddle check`.
    pub options: Vec<String>,
    /// Properties that the definition names but that are not decided here, each with the reason.
    pub left_out: Vec<String>,
}
