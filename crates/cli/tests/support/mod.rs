//! Runs the binary.
#![allow(dead_code, reason = "each test file uses its part")]
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) const RACE: &str = "\
var x: u8
thread t[2] {
    let a = x
    x = a + 1
}
";

pub(crate) const SAFE: &str = "\
var x: u8
mutex m
thread t[2] {
    lock m {
        let a = x
        x = a +% 1
    }
}
";

/// Has more states than anybody has time for.
pub(crate) const ENDLESS: &str = "\
var x: u64
thread t[4] {
    loop {
        let a = x
        x = a +% 1
    }
}
";

pub(crate) fn raddle(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command
        .args(arguments)
        .current_dir(folder())
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub(crate) fn run(arguments: &[&str]) -> Finished {
    Finished::of(&raddle(arguments).output().unwrap())
}

pub(crate) fn run_with_input(arguments: &[&str], input: &[u8]) -> Finished {
    let mut child = raddle(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    Finished::of(&child.wait_with_output().unwrap())
}

/// Writes a file into the tests' folder; names are unique to each test.
pub(crate) fn file(name: &str, contents: impl AsRef<[u8]>) -> String {
    std::fs::write(folder().join(name), contents).unwrap();
    name.to_owned()
}

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// Waits until the process has its own handlers of INT and TERM, which on a busy machine may take long. Without them a
/// signal ends the process, and nothing is reported.
pub(crate) fn wait_for_handlers(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let (mask, begin) = ((1_u64 << 1) | (1 << 14), Instant::now());
    while let Ok(text) = fs::read_to_string(&status) {
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        if caught & mask == mask {
            break;
        }
        assert!(begin.elapsed() < Duration::from_mins(1), "no handlers");
        std::thread::sleep(Duration::from_millis(10));
    }
    // The last handler is there an instant before its flag; and not every system has such files.
    std::thread::sleep(Duration::from_millis(300));
}

pub(crate) fn send(signal: &str, child: &Child) {
    shell(&format!("kill -{signal} {}", child.id()));
}

/// Far enough apart that the system does not make one of them, near enough that the first has not worked yet.
pub(crate) fn send_twice(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    shell(&format!("{kill}; sleep 0.05; {kill}"));
}

fn shell(command: &str) {
    let status = Command::new("sh").args(["-c", command]).status().unwrap();
    assert!(status.success());
}

#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// Wrong input: status 2, nothing on standard output, and a message with these parts and a remedy.
    #[track_caller]
    pub(crate) fn is_refused_with(&self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "no `{part}` in {self:?}");
        }
        assert!(!self.stderr.contains("panicked"), "{self:?}");
    }
}
