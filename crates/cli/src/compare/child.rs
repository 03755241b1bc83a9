//! One check in a process of its own, so that it can neither take the comparison down nor share its memory.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often to look whether it has ended.
const TICK: Duration = Duration::from_millis(5);

/// How a process ended.
pub(super) enum End {
    Exited(ExitStatus),
    /// It was still running after its time, and was killed.
    Late,
    /// The user wants no more.
    Cancelled,
}

pub(super) struct Finished {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Runs a program to its end, or until the time is up.
///
/// # Errors
///
/// If it cannot be started.
pub(super) fn run(
    program: &Path,
    arguments: &[OsString],
    input: &[u8],
    limit: Option<Duration>,
    cancelled: &AtomicBool,
) -> std::io::Result<Finished> {
    let begin = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // Who does not read its input is no concern of ours; the thread ends with the process.
        std::thread::spawn(move || stdin.write_all(&input));
    }
    let end = wait(&mut child, begin, limit, cancelled)?;
    Ok(Finished {
        end,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
    })
}

fn wait(
    child: &mut Child,
    begin: Instant,
    limit: Option<Duration>,
    cancelled: &AtomicBool,
) -> std::io::Result<End> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Exited(status));
        }
        let end = if cancelled.load(Ordering::Relaxed) {
            End::Cancelled
        } else if limit.is_some_and(|limit| begin.elapsed() > limit) {
            End::Late
        } else {
            std::thread::sleep(TICK);
            continue;
        };
        // It may have ended by itself in between.
        let _ = child.kill();
        child.wait()?;
        return Ok(end);
    }
}

/// Reads a pipe to its end while the process runs, lest it block on a full one.
fn drain(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth something.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}
