//! Programs as builds make them: units with options of their own, each seen from the folder where its compiler runs.
//!
//! - `database`: units that a list of commands names, and which of them make up the program;
//! - `linked`: what `raddle cc` has put together;
//! - `recorded`: what it keeps of a unit.

mod database;
mod linked;
mod recorded;

pub(crate) use database::read_project;
pub use linked::LINKED;
pub(crate) use linked::read_linked;
pub use recorded::{Recorded, record};

use raddle_diag::Diagnostic;
use raddle_project::is_named;

/// Whether everything that is to be left out is there.
fn are_all_known(without: &[String], parts: &[Vec<&str>]) -> Result<(), Diagnostic> {
    let is_known = |name: &String| parts.iter().flatten().any(|it| is_named(it, name));
    match without.iter().find(|it| !is_known(it)) {
        None => Ok(()),
        Some(name) => Err(Diagnostic::error(
            "usage",
            format!("there is no part `{name}` to be left out"),
        )
        .help("name a file as the build does, or some of the folders of what is made of it")),
    }
}

fn is_left_out(without: &[String], part: &[&str]) -> bool {
    without
        .iter()
        .any(|name| part.iter().any(|it| is_named(it, name)))
}
