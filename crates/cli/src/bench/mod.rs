//! `raddle bench`: programs with known verdicts, each checked in a process of its own, and how the verdicts compare
//! with the truth.

mod bar;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;

use raddle::{Diagnostic, Timing};
use raddle_bench::{
    Difference, News, Notes, Row, Setup, Store, Summary, json, pool, process, store, table,
};
use raddle_tasks::{Definition, Task, find};

use crate::arguments::{Bench, Terminal, plain_path};
use crate::{output, run, signals};

use bar::Bar;

/// Some verdict is wrong.
const WRONG: u8 = 1;
/// The run was stopped before every program was checked.
const INCOMPLETE: u8 = 3;

pub(crate) fn bench(arguments: &Bench, terminal: Terminal) -> u8 {
    let result = match &arguments.diff[..] {
        [before, after] => compare(before, after, arguments),
        _ => measure(arguments, terminal),
    };
    result.unwrap_or_else(|diagnostic| run::bad_usage(&diagnostic, terminal))
}

fn compare(before: &Path, after: &Path, arguments: &Bench) -> Result<u8, Diagnostic> {
    let read = |path: &Path| {
        store::read(path).map_err(|error| {
            Diagnostic::error(
                "input",
                format!("cannot read `{}`: {error}", path.display()),
            )
            .help("name files that `raddle bench --csv` wrote")
        })
    };
    let (old, new) = (read(before)?, read(after)?);
    let difference = Difference::new(&old, &new);
    let timing = timing(arguments);
    output::to_stdout(&if arguments.json {
        json::difference(&difference, before, after, timing)
    } else {
        difference.text(timing)
    });
    Ok(if difference.wrong.is_empty() {
        0
    } else {
        WRONG
    })
}

fn measure(arguments: &Bench, terminal: Terminal) -> Result<u8, Diagnostic> {
    let found = find::find(&arguments.paths).map_err(|error| {
        Diagnostic::error("input", error.to_string())
            .help("name folders, lists, programs with a header, or task definitions of SV-COMP")
    })?;
    if found.is_empty() {
        return Err(
            Diagnostic::error("input", "no program with known verdicts was found").help(
                "give programs a header, as in `//@ truth: race=safe …`, or name task definitions of SV-COMP",
            ),
        );
    }
    let tasks = find::sample(found, arguments.every.get());
    let setup = setup(arguments)?;
    let mut notes = Notes {
        left_out: left_out(&tasks),
        missing: 0,
    };
    let (mut store, mut rows) = open(arguments, &tasks)?;
    let known: BTreeSet<String> = rows.iter().map(|it| it.program.clone()).collect();
    let open: Vec<Task> = tasks
        .into_iter()
        .filter(|task| !known.contains(&task.name) && has_questions(task))
        .collect();

    let cancelled = signals::cancel_flag();
    let mut bar = Bar::new(!terminal.quiet, open.len());
    let mut done = 0;
    let result = pool::run(&open, &setup, &command, &cancelled, |news| {
        if let News::Finished(found) = news {
            if let Some(store) = &mut store {
                store.append(found)?;
            }
            done += 1;
            bar.count(found);
            rows.extend_from_slice(found);
        }
        bar.draw();
        Ok(())
    });
    bar.clear();
    result.map_err(|error: std::io::Error| cannot_write(arguments, &error.to_string()))?;
    if let Some(store) = store {
        store
            .finish()
            .map_err(|error| cannot_write(arguments, &error))?;
    }
    notes.missing = open.len() - done;
    rows.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    Ok(report(
        arguments,
        terminal,
        &rows,
        &setup,
        &notes,
        cancelled.load(Ordering::Relaxed),
    ))
}

fn timing(arguments: &Bench) -> Timing {
    if arguments.no_timing {
        Timing::Hidden
    } else {
        Timing::Shown
    }
}

/// Prints the report; the exit code.
fn report(
    arguments: &Bench,
    terminal: Terminal,
    rows: &[Row],
    setup: &Setup,
    notes: &Notes,
    is_stopped: bool,
) -> u8 {
    let summary = Summary::new(rows);
    let timing = timing(arguments);
    if arguments.json {
        output::to_stdout(&json::render(&summary, rows, setup, notes, timing));
    } else {
        let detail = if terminal.quiet {
            table::Detail::Totals
        } else if terminal.verbose {
            table::Detail::All
        } else {
            table::Detail::Folders
        };
        let hint = "`--verbose` lists all";
        output::to_stdout(&table::render(&summary, timing, detail, hint));
    }
    for (what, count) in &notes.left_out {
        output::to_stderr(&format!("note: {what} ({count} times)\n"));
    }
    if notes.missing > 0 {
        let how = if is_stopped { "stopped" } else { "ended" };
        output::to_stderr(&format!(
            "note: the run was {how} before {} programs were checked; go on with `--resume FILE.csv` if it wrote one\n",
            notes.missing
        ));
    }
    if !summary.wrong.is_empty() {
        WRONG
    } else if notes.missing > 0 {
        INCOMPLETE
    } else {
        0
    }
}

/// Where rows go, and those that need not be found again.
fn open(arguments: &Bench, tasks: &[Task]) -> Result<(Option<Store>, Vec<Row>), Diagnostic> {
    match (&arguments.csv, &arguments.resume) {
        (_, Some(path)) => Store::resume(path, tasks)
            .map(|(store, rows)| (Some(store), rows))
            .map_err(|error| {
                Diagnostic::error(
                    "input",
                    format!("cannot resume `{}`: {error}", path.display()),
                )
                .help("name a file that `raddle bench --csv` wrote, or one that does not exist yet")
            }),
        (Some(path), None) => Store::create(path)
            .map(|store| (Some(store), Vec::new()))
            .map_err(|error| cannot_write(arguments, &error.to_string())),
        (None, None) => Ok((None, Vec::new())),
    }
}

fn cannot_write(arguments: &Bench, error: &str) -> Diagnostic {
    let path = arguments.csv.as_ref().or(arguments.resume.as_ref());
    let shown = path.map_or_else(String::new, |it| it.display().to_string());
    Diagnostic::error("output", format!("cannot write rows to `{shown}`: {error}"))
        .help("name a file in a folder that exists and may be written")
}

fn setup(arguments: &Bench) -> Result<Setup, Diagnostic> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.map_or(cores, usize::from);
    let share = |bytes: u64| (bytes / 2 / u64::try_from(jobs).unwrap_or(u64::MAX)) >> 20;
    Ok(Setup {
        checker: match &arguments.checker {
            Some(path) => path.clone(),
            None => process::own_binary()?,
        },
        timeout: arguments.timeout,
        memory_mb: arguments
            .memory
            .unwrap_or_else(|| raddle_driver::machine_memory_bytes().map_or(0, share)),
        jobs,
        workers: (cores / jobs).max(1),
        options: arguments.options.clone(),
    })
}

/// How a task is checked.
fn command(setup: &Setup, definition: &Definition) -> Command {
    let mut command = Command::new(&setup.checker);
    command
        .arg0("raddle")
        // Verdicts are compared, and need no more than the first race.
        .args(["check", "--format", "json", "--races", "1", "--timeout"])
        .arg(setup.timeout.as_secs_f64().to_string())
        .arg("--memory")
        .arg(setup.memory_mb.to_string())
        .arg("--jobs")
        .arg(setup.workers.to_string())
        .args(&definition.options)
        .args(
            definition
                .files
                .iter()
                .map(|file| plain_path(Path::new(file))),
        )
        // Last, because the user's may end in `--` and options for the compiler.
        .args(&setup.options);
    command
}

/// What definitions name but nobody decides, with how often.
fn left_out(tasks: &[Task]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for task in tasks {
        let Ok(definition) = &task.definition else {
            continue;
        };
        for what in &definition.left_out {
            *counts.entry(what.clone()).or_default() += 1;
        }
        if definition.truth.is_empty() {
            let what = "a task asks nothing that is decided here".to_owned();
            *counts.entry(what).or_default() += 1;
        }
    }
    counts
}

fn has_questions(task: &Task) -> bool {
    task.definition
        .as_ref()
        .map_or(true, |it| !it.truth.is_empty())
}
