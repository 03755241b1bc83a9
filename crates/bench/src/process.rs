//! One checker in a process of its own, which cannot stay longer, take more or say more than it may.

use std::fmt;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use raddle_diag::Diagnostic;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// How much longer than its time-out a process may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);
/// What is read of a stream at most.
const LONGEST_OUTPUT: u64 = 64 << 20;
/// How long a stream may stay open after its process has ended.
const STREAM_GRACE: Duration = Duration::from_secs(1);
/// How often a process is looked at: often while it is young, because most end soon.
const SHORTEST_NAP: Duration = Duration::from_millis(1);
const LONGEST_NAP: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub timeout: Option<Duration>,
    /// Resident memory.
    pub memory_bytes: Option<u64>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signalled(i32),
    /// Killed, because it stayed too long.
    Overstayed,
    /// Killed, because it took too much memory.
    Overate,
    /// Killed, because the whole run is to stop.
    Stopped,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exited(code) => write!(f, "exit status {code}"),
            End::Signalled(number) => write!(f, "signal {number}{}", signal_name(*number)),
            End::Overstayed => f.write_str("killed because it did not end in time"),
            End::Overate => f.write_str("killed because it took too much memory"),
            End::Stopped => f.write_str("stopped"),
        }
    }
}

fn signal_name(number: i32) -> &'static str {
    match number {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    }
}

#[derive(Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub elapsed: Duration,
    /// As far as it was seen: the memory of a process that ends within a millisecond is not.
    pub peak_memory_bytes: Option<u64>,
}

/// What is running now, even if a newer build has taken its place on the disk.
///
/// # Errors
///
/// If the system does not tell.
pub fn own_binary() -> Result<PathBuf, Diagnostic> {
    let running = Path::new("/proc/self/exe");
    if running.exists() {
        return Ok(running.to_owned());
    }
    std::env::current_exe().map_err(|error| {
        Diagnostic::error(
            "usage",
            format!("the path of raddle itself is unknown: {error}"),
        )
        .help("run it from where it is installed")
    })
}

/// Runs a command within limits, with this on its standard input.
///
/// # Errors
///
/// If it cannot be started.
pub fn run(
    command: &mut Command,
    input: &[u8],
    limits: Limits,
    stop: &AtomicBool,
) -> io::Result<Finished> {
    let begin = Instant::now();
    // A group of its own: whatever it starts ends with it, and the terminal's Ctrl-C reaches us alone.
    let mut child = command
        .stdin(if input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    if let Some(stdin) = child.stdin.take() {
        feed(stdin, input.to_vec());
    }
    let mut peak_memory_bytes = None;
    let killed = watch(&child, limits, stop, begin, &mut peak_memory_bytes);
    // The process is not yet waited for, so its number cannot belong to anybody else.
    if let Some(group) = Pid::from_raw(child.id().cast_signed()) {
        // A group that has ended already is what we want.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait()?;
    let elapsed = begin.elapsed();
    let end = match (killed, status.code(), status.signal()) {
        (Some(end), _, _) => end,
        (None, Some(code), _) => End::Exited(code),
        (None, None, signal) => End::Signalled(signal.unwrap_or(0)),
    };
    Ok(Finished {
        end,
        stdout: received(stdout),
        stderr: received(stderr),
        elapsed,
        peak_memory_bytes,
    })
}

/// Waits until the process has ended, or says why it must.
fn watch(
    child: &Child,
    limits: Limits,
    stop: &AtomicBool,
    begin: Instant,
    peak: &mut Option<u64>,
) -> Option<End> {
    let pid = Pid::from_raw(child.id().cast_signed())?;
    let mut nap = SHORTEST_NAP;
    loop {
        *peak = (*peak).max(peak_memory(child.id()));
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(pid), look) {
            Ok(None) => {}
            // An error is left to the wait that follows.
            Ok(Some(_)) | Err(_) => return None,
        }
        if stop.load(Ordering::Relaxed) {
            return Some(End::Stopped);
        }
        if limits
            .timeout
            .is_some_and(|timeout| begin.elapsed() > timeout.saturating_add(GRACE))
        {
            return Some(End::Overstayed);
        }
        // A tenth more than it was told: it should have stopped by itself.
        if let (Some(limit), Some(peak)) = (limits.memory_bytes, *peak)
            && peak > limit.saturating_add(limit / 10)
        {
            return Some(End::Overate);
        }
        std::thread::sleep(nap);
        if begin.elapsed() > 20 * nap {
            nap = (2 * nap).min(LONGEST_NAP);
        }
    }
}

/// The largest resident memory so far, where the system tells.
fn peak_memory(process: u32) -> Option<u64> {
    // For a moment after it was started, a process still shows the memory of whoever started it, and the command line
    // with it. No process is started with our own command line.
    let command_line = |process: &str| std::fs::read(format!("/proc/{process}/cmdline")).ok();
    if command_line(&process.to_string()) == command_line("self") {
        return None;
    }
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Who does not read its input is no concern of ours: the thread ends with the process.
fn feed(mut stdin: impl Write + Send + 'static, input: Vec<u8>) {
    std::thread::spawn(move || stdin.write_all(&input));
}

/// Reads a stream on a thread of its own. What comes after the longest output meets a closed stream.
fn collect(stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is all there is.
        let _ = stream.take(LONGEST_OUTPUT).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

/// What a stream said; nothing if somebody outside the group still holds it.
fn received(stream: Option<Receiver<Vec<u8>>>) -> Vec<u8> {
    stream
        .and_then(|it| it.recv_timeout(STREAM_GRACE).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> Finished {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&mut command, b"typed", limits, &AtomicBool::new(false)).unwrap()
    }

    const NO_LIMITS: Limits = Limits {
        timeout: None,
        memory_bytes: None,
    };

    #[test]
    fn the_way_a_process_ends_is_told_with_what_it_said() {
        let finished = shell("echo out; echo err >&2; exit 3", NO_LIMITS);
        assert_eq!(finished.end, End::Exited(3));
        assert_eq!(finished.stdout, b"out\n");
        assert_eq!(finished.stderr, b"err\n");
        let crashed = shell("kill -SEGV $$", NO_LIMITS);
        assert_eq!(crashed.end, End::Signalled(11));
        assert_eq!(crashed.end.to_string(), "signal 11 (SIGSEGV)");
        assert_eq!(shell("cat", NO_LIMITS).stdout, b"typed");
    }

    #[test]
    fn a_process_that_stays_is_killed_with_what_it_started() {
        let limits = Limits {
            timeout: Some(Duration::ZERO),
            ..NO_LIMITS
        };
        // The inner process holds the stream, and would keep the reader waiting.
        let finished = shell("sleep 50 & echo said; wait", limits);
        assert_eq!(finished.end, End::Overstayed);
        assert_eq!(finished.stdout, b"said\n");
        assert!(finished.elapsed < Duration::from_secs(20));
    }

    #[test]
    fn endless_output_is_cut() {
        let finished = shell("exec yes", NO_LIMITS);
        assert_eq!(finished.end, End::Signalled(13));
        assert_eq!(finished.stdout.len() as u64, LONGEST_OUTPUT);
    }
}
