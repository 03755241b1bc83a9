//! Spin on a model: the verifier that it generates, compiled by gcc.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::models::Model;
use crate::bench::clock::{self, Taken};

/// As the verifier is compiled: safety only, every interleaving, and no property in linear time.
const OPTIONS: [&str; 5] = ["-w", "-O2", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"];

/// Why Spin cannot be measured on this machine, if so.
pub(crate) fn missing() -> Option<String> {
    ["spin", "gcc"].into_iter().find_map(|tool| {
        let version = if tool == "spin" { "-V" } else { "--version" };
        let result = Command::new(tool).arg(version).output();
        result.err().map(|error| format!("`{tool}`: {error}"))
    })
}

/// Generates and compiles the verifier in the folder, which is there for it alone.
///
/// # Errors
///
/// If the model is not the one that we know, or a tool refuses it.
pub(crate) fn build(model: &Model, examples: &Path, folder: &Path) -> Result<PathBuf, String> {
    let original = examples.join(model.promela);
    let source = fs::read_to_string(&original)
        .map_err(|error| format!("`{}`: {error}", original.display()))?;
    let text = model
        .changed(&source)
        .map_err(|problem| format!("`{}`: {problem}", original.display()))?;
    fs::write(folder.join("model.pml"), text).map_err(|error| error.to_string())?;
    output(Command::new("spin").args(["-a", "model.pml"]), folder)?;
    let compile = ["-o", "pan", "pan.c"];
    output(Command::new("gcc").args(OPTIONS).args(compile), folder)?;
    Ok(folder.join("pan"))
}

/// Visits every state of a model, and tells how many there are.
///
/// # Errors
///
/// If the verifier cannot be run, finds an error or does not get to the end.
pub(crate) fn search(
    verifier: &Path,
    model: &Model,
    folder: &Path,
) -> Result<(u64, Taken), String> {
    let depth = format!("-m{}", model.depth);
    // Where a process waits for ever is no error, nor is it for us.
    let (text, taken) = output(Command::new(verifier).args([&depth, "-c0", "-E"]), folder)?;
    let states = counted(&text)
        .ok_or_else(|| format!("Spin did not visit all of `{}`:\n{text}", model.promela))?;
    Ok((states, taken))
}

/// The number of states that a verifier reports, if it visited all and found nothing.
fn counted(text: &str) -> Option<u64> {
    let is_whole = text.contains("errors: 0") && !text.contains("error: ");
    let line = text
        .lines()
        .find_map(|it| it.strip_suffix(" states, stored"));
    line.filter(|_| is_whole)?.trim().parse().ok()
}

fn output(command: &mut Command, folder: &Path) -> Result<(String, Taken), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let (output, taken) = clock::timed(command.current_dir(folder))
        .map_err(|error| format!("`{program}` cannot be run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok((said, taken));
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{program}` failed:\n{said}{complaint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        "State-vector 48 byte, depth reached 12, errors: 0\n  6504635 states, stored\n";

    #[test]
    fn the_states_are_those_that_were_stored() {
        assert_eq!(counted(WHOLE), Some(6_504_635));
    }

    #[test]
    fn a_search_that_was_cut_off_does_not_count() {
        let cut = format!("error: max search depth too small\n{WHOLE}");
        assert_eq!(counted(&cut), None);
        assert_eq!(counted(&WHOLE.replace("errors: 0", "errors: 1")), None);
    }
}
