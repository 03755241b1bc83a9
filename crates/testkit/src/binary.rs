//! The tool as users run it, for what only the whole binary does.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// Builds the binary, in a profile such as `test`, and says where it is.
///
/// # Errors
///
/// If cargo cannot build it.
pub fn build(root: &Path, profile: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--profile", profile, "--package", "raddle"])
        .args(["--bin", "raddle", "--locked", "--message-format", "json"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "raddle")
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .ok_or_else(|| {
            format!(
                "cargo did not build the binary:\n{}",
                String::from_utf8_lossy(&output.stderr)
            )
        })
}

/// What `raddle` with these arguments prints on standard output, run in the root of the repository.
///
/// # Errors
///
/// If it cannot be built or run.
pub fn output_of(root: &Path, arguments: &[&str]) -> Result<String, String> {
    static BINARY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let binary = BINARY.get_or_init(|| build(root, "test")).as_ref()?;
    let output = Command::new(binary)
        .args(arguments)
        .env("NO_COLOR", "1")
        .current_dir(root)
        .output()
        .map_err(|error| format!("`{}` cannot be run: {error}", binary.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The report that a program's `.human.txt` shows.
///
/// # Errors
///
/// As [`output_of`].
pub fn human_report(root: &Path, name: &str, options: &[String]) -> Result<String, String> {
    let mut arguments = vec!["check", "--no-timing"];
    arguments.extend(options.iter().map(String::as_str));
    arguments.push(name);
    output_of(root, &arguments)
}
