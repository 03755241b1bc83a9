//! `cargo xtask fuzz`: runs cases in processes of their own, so that a stack overflow or an endless loop is a finding
//! like any other, and the run goes on.

mod options;
mod tally;
mod worker;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use raddle_testkit::fuzz::{Case, Check, Fuzzer, shrunk_by};
use raddle_testkit::walk;

pub(crate) use options::{Options, minutes};
use tally::Tally;
use worker::Share;

pub(crate) use worker::{look_at_input, run as run_worker};

/// A worker that says nothing for so long hangs. Shrinking may take two minutes.
const SILENCE: Duration = Duration::from_mins(4);

/// What kills a process is shrunk by starting processes; each gets this long, all together that long.
const ONE_TRY: Duration = Duration::from_secs(12);
const ALL_TRIES: Duration = Duration::from_mins(3);

/// Kilobytes of address space of a worker; the stack alone takes a quarter of a gigabyte.
const WORKER_MEMORY: &str = "6000000";

const PROGRESS: Duration = Duration::from_secs(15);

/// Runs cases until the time is over or all seeds are done.
///
/// # Errors
///
/// Everything that failed.
pub(crate) fn run(options: &Options) -> Result<(), Vec<String>> {
    if !options.planting.tasks.is_empty() && options.check != Some(Check::Planted) {
        return Err(vec!["`--tasks` is for `--check planted`".to_owned()]);
    }
    let jobs = options.jobs.max(1) as u64;
    let fuzzer = options.planting.fuzzer();
    let fuzzer = fuzzer.map_err(|error| vec![error.to_string()])?;
    let names: Vec<String> = raddle_driver::engines()
        .iter()
        .map(|it| format!("{} with reduction {}", it.name(), it.reduction()))
        .collect();
    println!("engines: {}", names.join(", "));
    println!("seeds from {} on, {} jobs", options.seed, jobs);
    let tally = Mutex::new(Tally::new(options.check));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..jobs)
            .map(|job| {
                let (fuzzer, tally) = (&fuzzer, &tally);
                scope.spawn(move || watch(fuzzer, options, (job, jobs), begin, tally))
            })
            .collect();
        let mut last = Instant::now();
        while !jobs.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(100));
            if last.elapsed() >= PROGRESS {
                last = Instant::now();
                println!("{}", lock(&tally).progress(begin.elapsed()));
            }
        }
    });
    let mut tally = lock(&tally);
    tally.close();
    print!("{}", tally.summary(begin.elapsed()));
    if tally.failures.is_empty() {
        Ok(())
    } else {
        Err(tally.failures.values().map(ToString::to_string).collect())
    }
}

/// Starts workers for one job, one after the other dies, until its seeds or the time are over.
fn watch(
    fuzzer: &Fuzzer,
    options: &Options,
    (job, jobs): (u64, u64),
    begin: Instant,
    tally: &Mutex<Tally>,
) {
    let mut share = Share {
        first: options.seed.saturating_add(job),
        step: jobs,
        end: options
            .seeds
            .map_or(u64::MAX, |count| options.seed.saturating_add(count)),
        time: Duration::MAX,
        check: options.check,
        planting: options.planting.clone(),
    };
    loop {
        share.time = match options.time() {
            Some(time) => time.saturating_sub(begin.elapsed()),
            None => Duration::from_hours(24 * 365),
        };
        if share.time.is_zero() || share.first >= share.end {
            return;
        }
        match listen(&share, tally) {
            Ok(Ended::Well) => return,
            Ok(Ended::Badly { case, how }) => {
                report(fuzzer, case, how, tally);
                share.first = case.seed.saturating_add(share.step);
            }
            Err(problem) => {
                lock(tally).fail(&problem, None);
                return;
            }
        }
    }
}

enum Ended {
    Well,
    /// The process died or had to be killed while it ran this case.
    Badly {
        case: Case,
        how: &'static str,
    },
}

/// Follows one worker to its end.
fn listen(share: &Share, tally: &Mutex<Tally>) -> Result<Ended, String> {
    let mut child = start(&share.words())?;
    let output = child.stdout.take().expect("standard output is a pipe");
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let mut current = None;
    let how = loop {
        match receiver.recv_timeout(SILENCE) {
            Ok(line) if line == "end" => break None,
            Ok(line) => {
                if let Some(case) = line.strip_prefix("case ") {
                    current = parse_case(case);
                }
                lock(tally).hear(&line, current);
            }
            Err(RecvTimeoutError::Timeout) => break Some("hangs"),
            Err(RecvTimeoutError::Disconnected) => break Some("kills the process"),
        }
    };
    // It may have ended by itself, and then there is nothing to kill.
    let _ = child.kill();
    let _ = child.wait();
    let _ = reader.join();
    match (how, current) {
        (None, _) => Ok(Ended::Well),
        (Some(how), Some(case)) => Ok(Ended::Badly { case, how }),
        (Some(how), None) => Err(format!("a worker {how} before its first case")),
    }
}

fn parse_case(text: &str) -> Option<Case> {
    let mut words = text.split(' ');
    Some(Case {
        check: Check::from_name(words.next()?)?,
        seed: words.next()?.parse().ok()?,
        index: words.next()?.parse().ok()?,
    })
}

/// This program again, with less memory than the machine has: an input that eats all of it is a finding too.
fn start(words: &[String]) -> Result<Child, String> {
    // What sanitizers run in takes as many addresses as there are, and the limit would be theirs too.
    let is_real = words.iter().any(|it| it == Check::Real.name());
    let memory = if is_real { "unlimited" } else { WORKER_MEMORY };
    let me = std::env::current_exe().map_err(|error| error.to_string())?;
    Command::new("sh")
        .args(["-c", "ulimit -v \"$0\"; exec \"$@\"", memory])
        .arg(me)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start a worker: {error}"))
}

/// Shrinks what killed a process, as far as that can be done from outside, and makes a test of it.
fn report(fuzzer: &Fuzzer, case: Case, how: &str, tally: &Mutex<Tally>) {
    let problem = format!("{} {how}", case.check.name());
    let Some(subject) = fuzzer.round(case.seed).subject(case) else {
        lock(tally).fail(&format!("{problem}: {case}"), None);
        return;
    };
    let end = Instant::now() + ALL_TRIES;
    let small = match worker::encoded(&subject) {
        Some(_) if lock(tally).is_new(&problem) => shrunk_by(&subject, |smaller| {
            Instant::now() < end && worker::encoded(smaller).is_some_and(|it| dies(case.check, &it))
        }),
        Some(_) | None => subject,
    };
    let file = worker::write(&walk::repository_root(), case, &problem, &small);
    lock(tally).fail(&problem, file.ok());
}

/// Whether a worker that looks at some bytes dies or hangs.
fn dies(check: Check, bytes: &[u8]) -> bool {
    let words = ["fuzz-look".to_owned(), check.name().to_owned()];
    let Ok(mut child) = start(&words) else {
        return false;
    };
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(bytes);
    }
    let begin = Instant::now();
    while begin.elapsed() < ONE_TRY {
        match child.try_wait() {
            Ok(Some(status)) => return !status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => return false,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    true
}

fn lock(tally: &Mutex<Tally>) -> std::sync::MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}
