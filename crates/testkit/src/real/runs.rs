//! Compiles a program and runs it many times; what was seen.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::draft::{Draft, Purpose};

/// What the compiler is told to read before the program.
const PERTURB: &str = include_str!("perturb.h");

/// How often a program runs by itself and under a sanitizer, which takes longer.
const RUNS: u32 = 160;
const SANITIZED_RUNS: u32 = 40;

/// Whoever takes longer than so many milliseconds is looked at: does it hang?
const LIMIT: u32 = 400;
const SANITIZED_LIMIT: u32 = 3_000;

/// So many threads may be busy for ever where waiting is spinning.
const SPINNING: u32 = 9;

const SIGSEGV: i32 = 11;

/// What a sanitizer says of two accesses of which one frees the object.
const FREED: &str = "heap-use-after-free";

/// What was seen of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenOutcomes {
    /// How often which values came out.
    pub outcomes: BTreeMap<Vec<i64>, u32>,
    pub runs: u32,
    /// Nobody could go on.
    pub hangs: u32,
    /// What was done to locks that must not be done.
    pub misuses: BTreeSet<String>,
    /// What was done to memory.
    pub memory: BTreeSet<String>,
    pub has_race: bool,
    /// Signals that ended a process.
    pub signals: BTreeSet<i32>,
}

impl SeenOutcomes {
    /// The values that came out least often. None if something else was violated: that may come after the values are
    /// looked at, and whoever fails there does not come so far.
    pub fn rarest(&self) -> Option<(&[i64], u32)> {
        let is_violated = self.hangs > 0
            || self.has_race
            || !self.misuses.is_empty()
            || !self.memory.is_empty()
            || !self.signals.is_empty();
        if is_violated {
            return None;
        }
        let least = self.outcomes.iter().min_by_key(|(_, count)| **count)?;
        Some((least.0, *least.1))
    }
}

/// A way to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Build {
    Plain,
    Address,
    Thread,
}

/// Whether gcc compiles and runs a small program with each sanitizer here.
///
/// # Errors
///
/// What is missing.
pub fn is_possible(folder: &Path) -> Result<(), String> {
    let draft = Draft::new(1);
    for build in [Build::Plain, Build::Address, Build::Thread] {
        let lines = run(&draft, build, 2, 1, folder)?;
        if lines.matches("exit 0").count() != 2 {
            return Err(format!(
                "a program built as {build:?} does not run here: {lines}"
            ));
        }
    }
    Ok(())
}

/// Where files are put.
#[derive(Clone, Copy, Debug)]
pub struct Folders<'a> {
    /// For one program, anew each time.
    pub scratch: &'a Path,
    /// For what was seen: that does not depend on us, so whoever changes only our side need not look again.
    pub kept: Option<&'a Path>,
}

/// Runs a program.
///
/// # Errors
///
/// What gcc says if it refuses.
pub fn observe(draft: &Draft, seed: u64, folders: Folders<'_>) -> Result<SeenOutcomes, String> {
    let mut seen = SeenOutcomes::default();
    let run = |build, runs| {
        let file = folders
            .kept
            .map(|kept| kept_file(draft, build, runs, seed, kept));
        let known = file
            .as_ref()
            .and_then(|it| std::fs::read_to_string(it).ok());
        if let Some(lines) = known {
            return Ok(lines);
        }
        let lines = run(draft, build, runs, seed, folders.scratch)?;
        if let Some(file) = file {
            // Who cannot keep it looks again next time.
            let _ = std::fs::write(file, &lines);
        }
        Ok::<String, String>(lines)
    };
    let lines = run(Build::Plain, RUNS)?;
    note(&mut seen, draft, &lines, Build::Plain);
    // Every so manieth program is looked at by both, whatever it seems to do.
    if draft.may_break_memory || seed.is_multiple_of(16) {
        let lines = run(Build::Address, SANITIZED_RUNS)?;
        note(&mut seen, draft, &lines, Build::Address);
    }
    if draft.may_race || seed.is_multiple_of(8) {
        let lines = run(Build::Thread, SANITIZED_RUNS / 2)?;
        note(&mut seen, draft, &lines, Build::Thread);
    }
    Ok(seen)
}

/// Named after all that decides what may be seen.
fn kept_file(draft: &Draft, build: Build, runs: u32, seed: u64, kept: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    let text = draft.text(&Purpose::Run);
    (
        PERTURB,
        text,
        build,
        runs,
        seed,
        draft.spins,
        draft.is_endless,
    )
        .hash(&mut hasher);
    kept.join(format!("{:016x}", hasher.finish()))
}

fn run(draft: &Draft, build: Build, runs: u32, seed: u64, folder: &Path) -> Result<String, String> {
    let (source, header) = (folder.join("program.c"), folder.join("perturb.h"));
    let binary = folder.join("program");
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).map_err(|error| format!("`{}`: {error}", path.display()))
    };
    write(&header, PERTURB)?;
    write(&source, &draft.text(&Purpose::Run))?;
    let (options, limit): (&[&str], u32) = match build {
        // Both compilers see the same program; half of them make more of it.
        Build::Plain if seed.is_multiple_of(2) => (&["-O0"], LIMIT),
        Build::Plain => (&["-O1"], LIMIT),
        Build::Address if seed.is_multiple_of(2) => {
            (&["-O0", "-fsanitize=address"], SANITIZED_LIMIT)
        }
        // What lies on the stack no longer than it is used hides no memory that is lost.
        Build::Address => (&["-O1", "-fsanitize=address"], SANITIZED_LIMIT),
        Build::Thread => (&["-O1", "-fsanitize=thread"], SANITIZED_LIMIT),
    };
    let compiled = Command::new("gcc")
        .args(["-w", "-pthread"])
        .args(options)
        .arg("-include")
        .args([&header, &source])
        .arg("-o")
        .arg(&binary)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("gcc cannot be run: {error}"))?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let running = if draft.spins {
        SPINNING
    } else {
        u32::from(draft.is_endless)
    };
    let numbers = [
        runs,
        u32::try_from(seed % 1_000_000).unwrap_or(0),
        limit,
        running,
    ];
    let ran = Command::new(&binary)
        .args(numbers.map(|it| it.to_string()))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("the program cannot be run: {error}"))?;
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// Takes in what was printed, see `perturb.h`.
fn note(seen: &mut SeenOutcomes, draft: &Draft, lines: &str, build: Build) {
    let mut values = None;
    for line in lines.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "values" => {
                let numbers = rest.split(' ').map_while(|it| it.parse().ok());
                values = Some(numbers.collect::<Vec<i64>>());
            }
            "misuse" => {
                seen.misuses.insert(rest.to_owned());
            }
            "report" if build == Build::Address || rest == FREED => {
                seen.memory.insert(rest.to_owned());
            }
            "report" => seen.has_race |= rest.starts_with("data-race"),
            "hang" => seen.hangs += 1,
            "signal" => {
                let signal = rest.parse().unwrap_or(0);
                seen.signals.insert(signal);
                let is_crash = signal == SIGSEGV && build == Build::Plain;
                if is_crash && !draft.crashes_by_misuse {
                    seen.memory.insert("a crash".to_owned());
                } else if is_crash && !draft.may_break_memory {
                    seen.misuses.insert("a crash".to_owned());
                }
            }
            // Sanitizers change where things lie, which is allowed, and what is printed after a report is worth nothing.
            "." => {
                seen.runs += u32::from(build == Build::Plain);
                if let Some(values) = values.take().filter(|_| build == Build::Plain) {
                    *seen.outcomes.entry(values).or_insert(0) += 1;
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::Scratch;

    /// What is seen of a program with two threads; `None` if nothing can be compiled here.
    fn seen(
        global: &str,
        first: &str,
        second: &str,
        change: fn(&mut Draft),
    ) -> Option<SeenOutcomes> {
        let folder = Scratch::new().expect("a temporary folder");
        let possible = is_possible(folder.path());
        let is_required = std::env::var_os("RADDLE_REQUIRE_TOOLS").is_some();
        assert!(possible.is_ok() || !is_required, "{possible:?}");
        possible.ok()?;
        let mut draft = Draft::new(2);
        draft.global(global);
        draft.thread(1, first);
        draft.thread(2, second);
        change(&mut draft);
        let folders = Folders {
            scratch: folder.path(),
            kept: None,
        };
        let seen = observe(&draft, 1, folders);
        Some(seen.expect("it can be compiled"))
    }

    #[test]
    fn what_comes_out_is_counted_and_the_rarest_is_known() {
        let increment = "@atomic_store(&x, atomic_load(&x) + 1);";
        let watch = |draft: &mut Draft| draft.watch("atomic_load(&x)");
        let Some(seen) = seen("static atomic_int x;", increment, increment, watch) else {
            return;
        };
        assert_eq!(seen.outcomes.values().sum::<u32>(), RUNS);
        assert!(seen.outcomes.contains_key(&vec![2]), "{seen:?}");
        let least = seen.outcomes.values().min().copied();
        assert_eq!(seen.rarest().map(|(_, count)| count), least);
        assert_eq!((seen.hangs, seen.has_race), (0, false));
        assert!(seen.memory.is_empty() && seen.misuses.is_empty());
    }

    #[test]
    fn a_hang_is_seen_also_beside_a_thread_that_never_ends() {
        let global = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
        let twice = "pthread_mutex_lock(&m);\npthread_mutex_lock(&m);";
        for change in [
            |_: &mut Draft| (),
            |draft: &mut Draft| draft.is_endless = true,
        ] {
            let Some(seen) = seen(global, twice, "", change) else {
                return;
            };
            assert_eq!(seen.hangs, 1);
        }
    }

    #[test]
    fn what_sanitizers_and_watched_locks_say_is_noted() {
        // Nobody looks at `x`: were it not volatile, gcc would leave out what is written there.
        let global = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic volatile int x;\nstatic int *p;";
        let Some(wrong) = seen(global, "x++;", "x++;", |draft| draft.may_race = true) else {
            return;
        };
        assert!(wrong.has_race);
        let free = "p = malloc(4);\nfree(p);\nx = *p;";
        let wrong = seen(global, free, "", |draft| draft.may_break_memory = true);
        let memory = wrong.expect("there is a compiler").memory;
        assert!(memory.contains(FREED), "{memory:?}");
        let wrong = seen(global, "PLAIN_UNLOCK(&m);", "", |_| ());
        let misuses = wrong.expect("there is a compiler").misuses;
        assert!(
            misuses.contains("mutex released by somebody else"),
            "{misuses:?}"
        );
    }
}
