//! `cargo xtask mutants`: changes one thing in the mover table, or leaves out one side condition of the engine, and
//! looks whether that is noticed; `meaning` does the same with what C is taken to mean.

mod meaning;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use raddle_ir::interpret::Semantics;
use raddle_testkit::commute::{Checker, CommuteMutant, Universe, mutants};
use raddle_testkit::flaws::{Caught, Effort, Fault, Mask, Subject, catch};
use raddle_testkit::header::Header;
use raddle_testkit::run;

use crate::arguments::cores;
use crate::fuzz::minutes;

pub(crate) use meaning::look;

/// Of the names of faults.
const WIDTH: usize = 44;

/// So many programs look whether something makes a difference that should make none.
const SEEDS_OF_MASKED: u64 = 200;

/// What to do, and for how long.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: Option<Other>,
    /// How many random programs at most
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    seeds: u64,
    /// The first seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// What was caught so often is left alone
    #[arg(long, value_name = "N", default_value_t = 10)]
    enough: u64,
    /// Stop after so long; not limited by default
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<Duration>,
    /// Threads at a time; one for each core by default
    #[arg(long, value_name = "N", default_value_t = cores(), hide_default_value = true)]
    jobs: usize,
    /// Only what has the text in its name, and no pairs of steps
    #[arg(
        long = "only",
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    filter: String,
    /// Which of them this program shows, with and without spurious wake-ups, instead of random ones
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
}

/// What else is changed than the mover table and the engine.
#[derive(Debug, clap::Subcommand)]
enum Other {
    /// Undo what was mended once in what C is taken to mean, one thing at a time, in a copy of the tree below
    /// target/mutants: how many programs it takes until the net against real threads notices. Exit code 1 if something is
    /// not noticed
    Meaning(meaning::Options),
}

impl Options {
    fn effort(&self) -> Effort {
        Effort {
            first_seed: self.seed,
            seeds: self.seeds,
            enough: self.enough.max(1),
        }
    }
}

/// Prints every mutant with what catches it.
///
/// # Errors
///
/// The mutants that nothing catches.
pub(crate) fn run(options: &Options) -> Result<(), Vec<String>> {
    if let Some(Other::Meaning(options)) = &options.what {
        return meaning::run(options);
    }
    if let Some(path) = &options.program {
        return by_program(path, options).map_err(|problem| vec![problem]);
    }
    let mut survivors = Vec::new();
    if options.filter.is_empty() {
        survivors.extend(pairs());
    }
    survivors.extend(programs(options));
    if survivors.is_empty() {
        Ok(())
    } else {
        Err(survivors)
    }
}

/// Which faults one program shows.
fn by_program(path: &Path, options: &Options) -> Result<(), String> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    for has_spurious_wakeups in [false, true] {
        let program =
            run::load(&text, &Header::default()).map_err(|problem| format!("{name}: {problem}"))?;
        let semantics = Semantics {
            has_spurious_wakeups,
            ..Semantics::default()
        };
        let subject = Subject::new(program, semantics)
            .ok_or_else(|| format!("{name}: the program has too many states"))?;
        if let Some(wrong) = subject.problem() {
            return Err(format!("{name}: nothing is left out, and yet: {wrong}"));
        }
        if has_spurious_wakeups {
            println!("with spurious wake-ups:");
        }
        for fault in dangerous(&options.filter) {
            if let Some(wrong) = subject.shows(fault) {
                println!("{:WIDTH$} {wrong}", fault.describe());
            }
        }
    }
    Ok(())
}

/// The exhaustive check of pairs of steps.
fn pairs() -> Vec<String> {
    // Without and with addresses that come back.
    let universes = [false, true].map(Universe::new);
    let mutants: Vec<CommuteMutant> = universes
        .iter()
        .flat_map(|it| mutants(&Checker::new(it)))
        .collect();
    println!(
        "{:16} {:26} {:>10}  first counterexample",
        "row", "changed to", "caught by"
    );
    for mutant in &mutants {
        println!(
            "{:16} {:26} {:>10}  {}",
            format!("{:?}", mutant.row),
            mutant.change.describe(),
            mutant.caught_by,
            first(mutant)
        );
    }
    let survivors: Vec<String> = mutants
        .iter()
        .filter(|it| it.caught_by == 0)
        .map(|it| format!("no pair catches `{:?}` {}", it.row, it.change.describe()))
        .collect();
    println!(
        "{} mutants, {} survive the pairs of steps\n",
        mutants.len(),
        survivors.len()
    );
    survivors
}

fn first(mutant: &CommuteMutant) -> &str {
    match &mutant.first {
        Some(first) => first,
        None if mutant.caught_by > 0 => "none: all pairs of steps commute",
        None => "",
    }
}

/// The faults with which executions may be missed, by part of their names.
fn dangerous(filter: &str) -> Vec<Fault> {
    let all = Fault::all().into_iter();
    all.filter(|it| it.is_dangerous() && it.describe().contains(filter))
        .collect()
}

/// Random programs on the engine with one thing wrong; what nothing catches. Prints each as soon as it is known.
fn programs(options: &Options) -> Vec<String> {
    println!(
        "{:WIDTH$} {:>9} {:>6} {:>6}  first",
        "wrong in the engine", "caught by", "of", "seed"
    );
    let faults = dangerous(&options.filter);
    let results = on_all_cores(&faults, options);
    let survivors: Vec<String> = results.into_iter().flatten().collect();
    println!(
        "{} mutants, {} survive the random programs",
        faults.len(),
        survivors.len()
    );
    survivors
}

/// Who is free takes the next fault.
fn on_all_cores(faults: &[Fault], options: &Options) -> Vec<Option<String>> {
    let began = Instant::now();
    let goes_on = || options.minutes.is_none_or(|time| began.elapsed() < time);
    let next = AtomicUsize::new(0);
    let jobs = options.jobs.clamp(1, faults.len().max(1));
    let mut found: Vec<(usize, Option<String>)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..jobs)
            .map(|_| {
                let (goes_on, next) = (&goes_on, &next);
                std::thread::Builder::new()
                    .stack_size(64 << 20)
                    .spawn_scoped(scope, move || {
                        let mut own = Vec::new();
                        loop {
                            let at = next.fetch_add(1, Ordering::Relaxed);
                            let Some(&fault) = faults.get(at) else {
                                return own;
                            };
                            own.push((at, look_for(fault, options.effort(), goes_on)));
                        }
                    })
                    .expect("the system gives a thread its stack lazily")
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|it| it.join().expect("a search that panics has said why"))
            .collect()
    });
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, result)| result).collect()
}

/// Looks for programs that show a fault; what is wrong if there are none, or if there are some though there should be none.
fn look_for(fault: Fault, effort: Effort, goes_on: &dyn Fn() -> bool) -> Option<String> {
    let name = fault.describe();
    let Some(mask) = fault.masked_by() else {
        let caught = catch(fault, effort, goes_on);
        println!("{}", row(&name, &caught));
        return unsound(&caught).or_else(|| {
            (caught.by == 0)
                .then(|| format!("none of {} random programs catches `{name}`", caught.seeds))
        });
    };
    let alone = catch(
        fault,
        Effort {
            seeds: effort.seeds.min(SEEDS_OF_MASKED),
            enough: 1,
            ..effort
        },
        goes_on,
    );
    if let Some(problem) = unsound(&alone) {
        return Some(problem);
    }
    if alone.by > 0 {
        println!("{}", row(&name, &alone));
        return Some(format!(
            "`{name}` is caught, though `masked_by` says that it makes no difference"
        ));
    }
    match mask {
        Mask::NoDifference(why) => {
            println!("{name:WIDTH$} makes no difference: {why}");
            None
        }
        Mask::Guarded { by, without_it } => {
            let both = catch(without_it, effort, goes_on);
            let when = both.first.as_ref().map_or_else(
                || format!("not caught together with it by {} seeds", both.seeds),
                |(seed, what)| format!("caught together with it at seed {seed}: {what}"),
            );
            println!("{name:WIDTH$} masked by {by}; {when}");
            let both_name = without_it.describe();
            unsound(&both).or_else(|| {
                (both.by == 0).then(|| {
                    format!(
                        "none of {} random programs catches `{both_name}`",
                        both.seeds
                    )
                })
            })
        }
    }
}

/// A program on which the engine is wrong as it is.
fn unsound(caught: &Caught) -> Option<String> {
    let (seed, problem) = caught.unsound.as_ref()?;
    let name = caught.fault.describe();
    Some(format!(
        "the engine is wrong without any fault about the program of seed {seed} for `{name}`: {problem}"
    ))
}

fn row(name: &str, caught: &Caught) -> String {
    let (seed, what) = caught.first.clone().unwrap_or_default();
    format!(
        "{name:WIDTH$} {:>9} {:>6} {seed:>6}  {what}",
        caught.by, caught.seeds
    )
}
