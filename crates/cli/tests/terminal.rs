//! `raddle replay`, and progress, in a real terminal: tmux gives one, types into it and reads the screen.
//!
//! Skipped where tmux is missing, unless `RADDLE_REQUIRE_TOOLS` is set.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests stop at the first surprise and say what they skip"
)]

mod support;

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use support::{ENDLESS, file, folder, run};

const PROGRAM: &str = "\
mutex m, n
var x: u8
thread left {
    acquire m
    x = 1
    acquire n
    release n; release m
}
thread right {
    acquire n
    acquire m
    release m; release n
}
";

/// A terminal of its own, on a server of its own, that ends with the test.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn start(name: &str, command: &str) -> Terminal {
        let terminal = Terminal {
            socket: format!("raddle-{name}-{}", std::process::id()),
        };
        terminal.tmux(&[
            "new-session",
            "-d",
            "-x",
            "120",
            "-y",
            "50",
            "-c",
            folder().to_str().unwrap(),
            command,
        ]);
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-f", "/dev/null", "-L", &self.socket])
            .args(arguments)
            .env_remove("TMUX")
            .output()
            .unwrap();
        assert!(output.status.success(), "tmux {arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// Waits for the prompt, types a line, and waits until what follows has all parts.
    fn types(&self, prompt: &str, line: &str, parts: &[&str]) {
        self.shows("", &[prompt]);
        if !line.is_empty() {
            self.tmux(&["send-keys", "-l", line]);
        }
        self.tmux(&["send-keys", "Enter"]);
        self.shows(format!("{prompt} {line}").trim_end(), parts);
    }

    /// Waits until what stands below the last line `above` has all parts, in this order.
    fn shows(&self, above: &str, parts: &[&str]) {
        let begin = Instant::now();
        loop {
            let screen = self.screen();
            let mut rest = screen
                .rsplit_once(&format!("{above}\n"))
                .map_or("", |(_, rest)| rest);
            if above.is_empty() {
                rest = &screen;
            }
            let has_all = parts.iter().all(|part| {
                let found = rest.split_once(part);
                rest = found.map_or("", |(_, after)| after);
                found.is_some()
            });
            if has_all {
                return;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(20),
                "not all of {parts:?} below `{above}` in:\n{screen}"
            );
            sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = Command::new("tmux")
            .args(["-L", &self.socket, "kill-server"])
            .output();
    }
}

fn has_tmux() -> bool {
    let has = Command::new("tmux").arg("-V").output().is_ok();
    assert!(
        has || std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
        "tmux is missing, and RADDLE_REQUIRE_TOOLS is set"
    );
    if !has {
        eprintln!("skipped: tmux is missing");
    }
    has
}

#[test]
fn replay_goes_forwards_backwards_and_to_a_line_in_a_terminal() {
    if !has_tmux() {
        return;
    }
    let source = file("terminal.rad", PROGRAM);
    let recorded = run(&["check", "-q", "--trace", "terminal.json", &source]);
    assert_eq!(recorded.code, Some(1), "{recorded:?}");
    let binary = env!("CARGO_BIN_EXE_raddle");
    let terminal = Terminal::start(
        "replay",
        &format!("'{binary}' replay terminal.json; echo \"status $?\"; sleep 60"),
    );
    terminal.shows("", &["`?` lists the commands", "the start", "replay 0/3>"]);
    for (prompt, line, parts) in [
        (
            "replay 0/3>",
            "n",
            [
                "step 1 of 3: left, line 4",
                "> 4 |     acquire m",
                "replay 1/3>",
            ],
        ),
        (
            "replay 1/3>",
            "",
            ["step 2 of 3: left, line 5", "x: 0 → 1", "replay 2/3>"],
        ),
        (
            "replay 2/3>",
            "b",
            ["step 1 of 3: left, line 4", "holds `m`", "replay 1/3>"],
        ),
        (
            "replay 1/3>",
            "l 10",
            [
                "step 3 of 3: right, line 10, switch of thread",
                "error[deadlock]",
                "replay 3/3>",
            ],
        ),
        (
            "replay 3/3>",
            "S",
            ["there is no earlier switch", "`g`", "replay 3/3>"],
        ),
        (
            "replay 3/3>",
            "l terminal.rad:5",
            ["step 2 of 3: left, line 5", "x: 0 → 1", "replay 2/3>"],
        ),
        (
            "replay 2/3>",
            "s",
            [
                "switch of thread",
                "waits for `n`, held by `right`",
                "replay 3/3>",
            ],
        ),
        ("replay 3/3>", "g", ["the start", "threads:", "replay 0/3>"]),
        ("replay 0/3>", "q", ["status 0", "", ""]),
    ] {
        terminal.types(prompt, line, &parts);
    }
}

#[test]
fn a_search_tells_how_far_it_has_come() {
    if !has_tmux() {
        return;
    }
    let source = file("progress.rad", ENDLESS);
    let binary = env!("CARGO_BIN_EXE_raddle");
    let command = format!("'{binary}' check --engine explicit --timeout 30 {source}");
    let terminal = Terminal::start("progress", &command);
    terminal.shows("", &[" states, ", "/s, depth ", " waiting, "]);
}

#[test]
fn what_is_decided_is_shown_while_the_run_goes_on() {
    if !has_tmux() {
        return;
    }
    let source = file("decided.rad", ENDLESS);
    let binary = env!("CARGO_BIN_EXE_raddle");
    let command = format!("'{binary}' check --engine explicit --timeout 30 {source}");
    let terminal = Terminal::start("decided", &command);
    terminal.shows("", &["race: unsafe (", " s)\n", " states, "]);
}
