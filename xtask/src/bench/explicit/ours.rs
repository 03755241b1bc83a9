//! Our engine `explicit` on a program: the binary as users build it, in a process of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_testkit::binary;
use serde_json::Value;

use crate::bench::clock::{self, Taken};

/// The counter that tells how many bytes the stored states take, table included.
const STORE_BYTES: &str = "store_bytes";

/// What a search that visited every state found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Search {
    pub(crate) states: u64,
    pub(crate) memory: Memory,
}

/// Where the bytes of a search are known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// What the engine says of its store.
    Store(u64),
    /// The most that the whole process had.
    Process(u64),
    Unknown,
}

/// The binary, in the profile `release`.
///
/// # Errors
///
/// If cargo cannot build it.
pub(crate) fn build(root: &Path) -> Result<PathBuf, String> {
    binary::build(root, "release")
}

/// Visits every state of a program.
///
/// # Errors
///
/// If the tool cannot be run, or does not call the program safe.
pub(crate) fn search(binary: &Path, program: &Path, jobs: u32) -> Result<(Search, Taken), String> {
    let mut command = Command::new(binary);
    command
        .args(["check", "--engine", "explicit", "--reduction", "none"])
        .args(["--property", "assert", "--timeout", "0", "--memory", "0"])
        .args(["--jobs", &jobs.to_string(), "--format", "json"])
        .arg(program);
    let (output, taken) = clock::timed(&mut command)
        .map_err(|error| format!("`{}` cannot be run: {error}", binary.display()))?;
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("raddle wrote no report: {error}\n{said}")
    })?;
    Ok((read(&report)?, taken))
}

fn read(report: &Value) -> Result<Search, String> {
    let summary = &report["summary"];
    if summary != "safe" {
        let reason = &report["properties"][0]["reason"]["message"];
        return Err(format!("raddle says {summary}: {reason}"));
    }
    let counters = &report["run"]["counters"];
    let states = counters["states"]
        .as_u64()
        .ok_or("the report does not count states")?;
    let store = counters[STORE_BYTES].as_u64().map(Memory::Store);
    let process = report["peak_memory_bytes"].as_u64().map(Memory::Process);
    Ok(Search {
        states,
        memory: store.or(process).unwrap_or(Memory::Unknown),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_store_counts_rather_than_the_process() {
        let mut report = json!({
            "summary": "safe",
            "run": { "counters": { "states": 10 } },
            "peak_memory_bytes": 4000,
        });
        let memory = |report: &Value| read(report).unwrap().memory;
        assert_eq!(memory(&report), Memory::Process(4000));
        report["run"]["counters"][STORE_BYTES] = json!(160);
        assert_eq!(memory(&report), Memory::Store(160));
    }

    #[test]
    fn a_search_that_did_not_end_is_no_measurement() {
        let report = json!({
            "summary": "unknown",
            "properties": [{ "reason": { "message": "interrupted" } }],
            "run": { "counters": { "states": 10 } },
        });
        assert!(read(&report).unwrap_err().contains("interrupted"));
    }
}
