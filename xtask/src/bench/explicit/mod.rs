//! The engine `explicit` beside Spin: models of Spin's distribution, every interleaving, states a second.
//!
//! Spin and one worker are measured in seconds of the processor, so that other work on the machine does not count much;
//! several workers against one by the clock.

mod models;
mod ours;
mod spin;

use std::fs;
use std::path::{Path, PathBuf};

use raddle_testkit::walk;

use crate::bench::clock::Taken;
use crate::bench::positive;
use models::{MODELS, Model};
use ours::Memory;

/// State counts that differ by more are not of the same model.
const TOLERANCE: f64 = 0.1;

/// How many workers are measured beside one.
const WORKERS: u32 = 2;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The folder of Spin's examples; without it, or without `spin` and `gcc`, only we are measured
    #[arg(long = "spin", value_name = "DIR")]
    examples: Option<PathBuf>,
    /// Only the models whose name contains NAME, such as leader
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    only: String,
    /// How often each is run, of which the median is told
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = positive())]
    times: u64,
}

/// What is measured of one model.
struct Row {
    model: &'static Model,
    spin: Option<(u64, Taken)>,
    one: (ours::Search, Taken),
    several: (ours::Search, Taken),
}

pub(crate) fn run(options: &Options) -> Result<(), Vec<String>> {
    let models = models(&options.only)?;
    let root = walk::repository_root();
    let folder = Folder::new().map_err(|problem| vec![problem])?;
    let binary = ours::build(&root).map_err(|problem| vec![problem])?;
    let examples = match (options.examples.as_deref(), spin::missing()) {
        (None, _) => {
            println!("Spin is not measured: say where its examples are with `--spin DIR`\n");
            None
        }
        (Some(_), Some(missing)) => {
            println!("Spin is not measured: {missing}\n");
            None
        }
        (Some(examples), None) => Some(examples),
    };
    println!(
        "| model | size | states, Spin | states, ours | ours / Spin | states/s, Spin | states/s, ours | ours / Spin | \
         states/s, {WORKERS} workers | {WORKERS} workers / 1 | bytes a state |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut rows = Vec::new();
    for model in models {
        let row = measured(model, &root, &binary, examples, &folder.0, options.times)
            .map_err(|problem| vec![format!("{}: {problem}", model.name)])?;
        println!("{}", row.text());
        rows.push(row);
    }
    println!("\n{}", summary(&rows));
    let problems: Vec<String> = rows.iter().filter_map(Row::problem).collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// Those with a name that contains it.
fn models(only: &str) -> Result<Vec<&'static Model>, Vec<String>> {
    let asked: Vec<_> = MODELS.iter().filter(|it| it.name.contains(only)).collect();
    if asked.is_empty() {
        let names: Vec<&str> = MODELS.iter().map(|it| it.name).collect();
        return Err(vec![format!(
            "no model has `{only}` in its name; there are {}",
            names.join(", ")
        )]);
    }
    Ok(asked)
}

/// A folder for what is generated, which goes away in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        let path = std::env::temp_dir().join(format!("raddle-explicit-{}", std::process::id()));
        fs::create_dir_all(&path).map_err(|error| format!("`{}`: {error}", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn measured(
    model: &'static Model,
    root: &Path,
    binary: &Path,
    examples: Option<&Path>,
    folder: &Path,
    times: u64,
) -> Result<Row, String> {
    let folder = folder.join(model.name);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let source = fs::read_to_string(root.join(model.program)).map_err(|error| error.to_string())?;
    let program = folder.join("model.rad");
    fs::write(&program, model.sized(&source)?).map_err(|error| error.to_string())?;
    let verifier = examples.map(|it| spin::build(model, it, &folder));
    let verifier = verifier.transpose()?;
    let mut runs = Vec::new();
    // By turns: if the machine is slower for a while, it is so for all.
    for _ in 0..times.max(1) {
        let spin = verifier.as_ref();
        let spin = spin.map(|it| spin::search(it, model, &folder));
        runs.push((
            spin.transpose()?,
            ours::search(binary, &program, 1)?,
            ours::search(binary, &program, WORKERS)?,
        ));
    }
    let spin = runs.iter().filter_map(|it| it.0);
    Ok(Row {
        model,
        spin: typical(spin),
        one: typical(runs.iter().map(|it| it.1)).expect("it ran"),
        several: typical(runs.iter().map(|it| it.2)).expect("it ran"),
    })
}

/// What the last search found, and the median of what they took.
fn typical<T>(runs: impl Iterator<Item = (T, Taken)>) -> Option<(T, Taken)> {
    let (found, taken): (Vec<T>, Vec<Taken>) = runs.unzip();
    Some((found.into_iter().next_back()?, Taken::median(&taken)))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of states and bytes are far below 2^52"
)]
fn real(number: u64) -> f64 {
    number as f64
}

impl Row {
    fn states(&self) -> f64 {
        real(self.one.0.states)
    }

    /// Our states for each of Spin's.
    fn states_ratio(&self) -> Option<f64> {
        let (states, _) = self.spin?;
        Some(self.states() / real(states))
    }

    /// Why the searches cannot be compared, if so.
    fn problem(&self) -> Option<String> {
        let name = self.model.name;
        let is_off = |ratio: f64| (ratio - 1.0).abs() > TOLERANCE;
        if self.states_ratio().is_some_and(is_off) {
            let percent = TOLERANCE * 100.0;
            return Some(format!(
                "{name}: the state counts differ by more than {percent} %"
            ));
        }
        (self.one.0.states != self.several.0.states)
            .then(|| format!("{name}: one worker and {WORKERS} do not count the same states"))
    }

    /// States a second of Spin.
    fn spin_rate(&self) -> Option<f64> {
        let (states, taken) = self.spin?;
        Some(real(states) / taken.processor)
    }

    /// States a second of one worker.
    fn rate(&self) -> f64 {
        self.states() / self.one.1.processor
    }

    /// How many times as fast as Spin one worker is.
    fn speed_ratio(&self) -> Option<f64> {
        Some(self.rate() / self.spin_rate()?)
    }

    /// States a second of several workers, by the clock.
    fn several_rate(&self) -> f64 {
        self.states() / self.several.1.wall
    }

    /// How many times as fast several workers are as one.
    fn workers_ratio(&self) -> f64 {
        self.one.1.wall / self.several.1.wall
    }

    fn bytes(&self) -> String {
        match self.one.0.memory {
            Memory::Store(bytes) => format!("{:.1}", real(bytes) / self.states()),
            Memory::Process(bytes) => {
                format!("{:.0} of the process", real(bytes) / self.states())
            }
            Memory::Unknown => String::new(),
        }
    }

    fn text(&self) -> String {
        let ratio = |it: Option<f64>| it.map_or(String::new(), |value| format!("{value:.3}"));
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {} |",
            self.model.name,
            self.model.size,
            self.spin.map_or(String::new(), |it| grouped(real(it.0))),
            grouped(self.states()),
            ratio(self.states_ratio()),
            self.spin_rate().map_or(String::new(), grouped),
            grouped(self.rate()),
            ratio(self.speed_ratio()),
            grouped(self.several_rate()),
            self.workers_ratio(),
            self.bytes(),
        )
    }
}

/// What the models say together.
fn summary(rows: &[Row]) -> String {
    let mut lines = Vec::new();
    let speeds: Option<Vec<f64>> = rows.iter().map(Row::speed_ratio).collect();
    if let Some(speeds) = speeds {
        lines.push(format!(
            "states a second with one worker: {:.3} times Spin's (geometric mean)",
            geometric_mean(&speeds)
        ));
    }
    let workers: Vec<f64> = rows.iter().map(Row::workers_ratio).collect();
    lines.push(format!(
        "states a second with {WORKERS} workers: {:.2} times those with one (geometric mean)",
        geometric_mean(&workers)
    ));
    if let Some(largest) = rows.iter().max_by_key(|it| it.one.0.states) {
        lines.push(format!(
            "bytes a state on the largest, {}: {}",
            largest.model.name,
            largest.bytes()
        ));
    }
    lines.join("\n")
}

/// Of at least one number above 0.
fn geometric_mean(numbers: &[f64]) -> f64 {
    let logarithms: f64 = numbers.iter().map(|it| it.ln()).sum();
    let count = u64::try_from(numbers.len()).map_or(f64::NAN, real);
    (logarithms / count).exp()
}

/// A number of things, with commas.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(12.0), "12");
        assert_eq!(grouped(123.0), "123");
        assert_eq!(grouped(6_504_635.4), "6,504,635");
    }

    #[test]
    fn a_geometric_mean_is_the_root_of_the_product() {
        assert!((geometric_mean(&[0.5, 2.0, 8.0]) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_wrong_name_says_which_there_are() {
        let said = models("hanoi").map(|_| ()).unwrap_err().join("\n");
        assert!(said.contains("peterson"));
    }
}
