//! Automata that a user gives: `--automaton`.

use std::path::{Path, PathBuf};

use raddle_base::SourceMap;
use raddle_diag::Diagnostic;
use raddle_engine_wpds::given::resolve::Given;
use raddle_engine_wpds::given::text;
use raddle_ir::Program;

use crate::{decode, read_file};

/// The automata of all files, about the program. The files are added to the sources, so that their lines are shown; they
/// are no part of the program.
///
/// # Errors
///
/// What is wrong with each file.
pub(crate) fn read_automata(
    files: &[PathBuf],
    program: &Program,
    sources: &mut SourceMap,
) -> Result<Vec<Given>, Vec<Diagnostic>> {
    let mut found: Vec<Given> = Vec::new();
    let mut problems = Vec::new();
    for path in files {
        match read_one(path, program, sources) {
            Ok(automata) => found.extend(automata),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(found)
    } else {
        Err(problems)
    }
}

fn read_one(
    path: &Path,
    program: &Program,
    sources: &mut SourceMap,
) -> Result<Vec<Given>, Diagnostic> {
    let name = path.display().to_string();
    let text = decode(&name, read_file(path)?)?;
    let file = sources.add_original(name, text.clone());
    let written = text::read(file, &text)?;
    written.iter().map(|it| Given::new(program, it)).collect()
}
