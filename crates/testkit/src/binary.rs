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
    let binary = built(root)?;
    let output = Command::new(binary)
        .args(arguments)
        .env("NO_COLOR", "1")
        .current_dir(root)
        .output()
        .map_err(|error| format!("`{}` cannot be run: {error}", binary.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a command of a shell prints on both streams, run in a folder where `raddle` is the tool.
///
/// # Errors
///
/// As [`output_of`].
pub fn shell_output_of(root: &Path, folder: &Path, command: &str) -> Result<String, String> {
    let binary = built(root)?;
    let own = binary.parent().unwrap_or(root).as_os_str();
    let mut path = own.to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1; {command}"))
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        // A build that runs this test must not be told apart by it.
        .env_remove("CC")
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .current_dir(folder)
        .output()
        .map_err(|error| format!("`sh` cannot be run: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn built(root: &Path) -> Result<&'static PathBuf, String> {
    static BINARY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let binary = BINARY.get_or_init(|| build(root, "test"));
    binary.as_ref().map_err(Clone::clone)
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
