//! The process that runs the cases. It says on its standard output what it is about to do, so that whoever started it
//! knows which case is to blame if it dies or hangs:
//!
//! ```text
//! case engines 17 0       about to run it
//! deep                    the case before got beyond the first hurdle
//! unexplained             a reduction leaves something unknown in the case before, for no reason in sight
//! verdict WORD            what is said of the case before, where verdicts are counted
//! found FILE PROBLEM      the case before failed, and is a test now
//! again PROBLEM           the case before failed as another did
//! end
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use raddle_testkit::fuzz::{Case, Check, FuzzSubject, found, look, shrunk};
use raddle_testkit::panics;
use raddle_testkit::walk;

use super::options::Planting;

/// Which seeds a worker runs.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    pub(crate) first: u64,
    pub(crate) step: u64,
    /// Seeds from this on are not run.
    pub(crate) end: u64,
    pub(crate) time: Duration,
    /// `None`: all.
    pub(crate) check: Option<Check>,
    pub(crate) planting: Planting,
}

impl Share {
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = vec![
            "fuzz-worker".into(),
            self.first.to_string(),
            self.step.to_string(),
            self.end.to_string(),
            self.time.as_millis().to_string(),
            self.check.map_or("all", Check::name).into(),
        ];
        words.extend(self.planting.words());
        words
    }

    fn parse(words: &[String]) -> Option<Self> {
        let [first, step, end, milliseconds, check, planting @ ..] = words else {
            return None;
        };
        Some(Self {
            first: first.parse().ok()?,
            step: step.parse().ok()?,
            end: end.parse().ok()?,
            time: Duration::from_millis(milliseconds.parse().ok()?),
            check: Check::from_name(check),
            planting: Planting::of_words(planting)?,
        })
    }
}

/// Runs a share of the seeds.
///
/// # Errors
///
/// If the worker was started wrongly or nobody listens to it.
pub(crate) fn run(words: &[String]) -> Result<(), Vec<String>> {
    let share = Share::parse(words).ok_or_else(|| vec!["started wrongly".to_owned()])?;
    with_large_stack(|| work(&share)).map_err(|error| vec![error.to_string()])
}

/// Looks at one text or trace on standard input: for shrinking what kills a process.
///
/// # Errors
///
/// If the worker was started wrongly.
pub(crate) fn look_at_input(check: &str) -> Result<(), Vec<String>> {
    let check = Check::from_name(check).ok_or_else(|| vec!["started wrongly".to_owned()])?;
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| vec![error.to_string()])?;
    let subject = decoded(check, bytes);
    panics::note_instead_of_printing();
    with_large_stack(|| look(check, 0, &subject));
    Ok(())
}

/// The bytes that [`look_at_input`] understands.
pub(crate) fn encoded(subject: &FuzzSubject) -> Option<Vec<u8>> {
    match subject {
        FuzzSubject::Program(_)
        | FuzzSubject::Planted(_)
        | FuzzSubject::Threads(_)
        | FuzzSubject::Sequential(_) => None,
        FuzzSubject::Text(bytes) => Some(bytes.clone()),
        FuzzSubject::Trace { program, trace } => Some([program.as_bytes(), &[0], trace].concat()),
    }
}

fn decoded(check: Check, mut bytes: Vec<u8>) -> FuzzSubject {
    match bytes.iter().position(|it| *it == 0) {
        Some(end) if check == Check::Traces => {
            let trace = bytes.split_off(end + 1);
            bytes.pop();
            FuzzSubject::Trace {
                program: String::from_utf8_lossy(&bytes).into_owned(),
                trace,
            }
        }
        Some(_) | None => FuzzSubject::Text(bytes),
    }
}

/// As the tool itself runs.
fn with_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(raddle::STACK_BYTES)
            .spawn_scoped(scope, run)
            .expect("the system gives a thread its stack lazily")
            .join()
            .expect("panics of cases are caught")
    })
}

fn work(share: &Share) -> io::Result<()> {
    let root = walk::repository_root();
    let fuzzer = share.planting.fuzzer()?;
    panics::note_instead_of_printing();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let end = Instant::now() + share.time;
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut seed = share.first;
    while seed < share.end && Instant::now() < end {
        let round = fuzzer.round(seed);
        for case in round.cases(share.check) {
            writeln!(out, "case {case}")?;
            out.flush()?;
            let Some(subject) = round.subject(case) else {
                continue;
            };
            let looked = look(case.check, seed, &subject);
            if looked.is_deep {
                writeln!(out, "deep")?;
            }
            if looked.is_unexplained {
                writeln!(out, "unexplained")?;
            }
            if let Some(verdict) = looked.verdict {
                writeln!(out, "verdict {verdict}")?;
            }
            let Some(problem) = looked.problem else {
                continue;
            };
            if known.insert(found::signature(&problem)) {
                let small = shrunk(case.check, seed, &subject);
                // The small one may fail in its own way; that is the one to tell.
                let problem = look(case.check, seed, &small).problem.unwrap_or(problem);
                let file = write(&root, case, &problem, &small)?;
                writeln!(out, "found {file} {}", in_one_line(&problem))?;
            } else {
                writeln!(out, "again {}", in_one_line(&problem))?;
            }
        }
        seed = seed.saturating_add(share.step);
    }
    writeln!(out, "end")?;
    out.flush()
}

/// Makes a test of a failure; the name of its first file.
pub(crate) fn write(
    root: &Path,
    case: Case,
    problem: &str,
    subject: &FuzzSubject,
) -> io::Result<String> {
    fs::create_dir_all(root.join(found::FOLDER))?;
    let mut first = None;
    for (name, bytes) in found::files(case, problem, subject) {
        let file = format!("{}/{name}", found::FOLDER);
        fs::write(root.join(&file), bytes)?;
        first.get_or_insert(file);
    }
    Ok(first.unwrap_or_default())
}

fn in_one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(300).collect()
}
