//! What a step costs where something grows that the step does not touch: arrays, threads, objects, the program itself,
//! undetermined values. Each family is one program in several sizes.

mod families;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_testkit::walk;
use serde_json::Value;

use super::clock::{self, Taken};
use super::positive;
use families::{FAMILIES, Family};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Only what has NAME in its name, such as threads
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    only: String,
    /// How long each may take
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = positive())]
    seconds: u64,
    /// Another build of raddle
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<(), Vec<String>> {
    let families = families(&options.only)?;
    let root = walk::repository_root();
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => raddle_testkit::binary::build(&root, "release").map_err(|error| vec![error])?,
    };
    let folder = std::env::temp_dir().join(format!("raddle-cliffs-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| vec![error.to_string()])?;
    println!("| what grows | size | states | steps | seconds | µs a step | slope |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for family in families {
        measure(family, &folder, &binary, options.seconds).map_err(|error| vec![error])?;
    }
    fs::remove_dir_all(&folder).map_err(|error| vec![error.to_string()])
}

/// Those with a name that contains it.
fn families(only: &str) -> Result<Vec<&'static Family>, Vec<String>> {
    let asked: Vec<_> = FAMILIES
        .iter()
        .filter(|it| it.name.contains(only))
        .collect();
    if asked.is_empty() {
        let names: Vec<&str> = FAMILIES.iter().map(|it| it.name).collect();
        return Err(vec![format!(
            "nothing that grows has `{only}` in its name; there are {}",
            names.join(", ")
        )]);
    }
    Ok(asked)
}

/// What a search took.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cost {
    size: f64,
    states: u64,
    steps: u64,
    taken: Taken,
}

impl Cost {
    fn of_a_step(&self) -> f64 {
        self.taken.processor / real(self.steps.max(1))
    }

    /// How the cost of a step grows from a smaller size: by which power of it.
    fn slope_from(&self, smaller: &Cost) -> f64 {
        (self.of_a_step() / smaller.of_a_step()).ln() / (self.size / smaller.size).ln()
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "sizes and numbers of steps are far below 2^52"
)]
fn real(number: u64) -> f64 {
    number as f64
}

fn measure(family: &Family, folder: &Path, binary: &Path, seconds: u64) -> Result<(), String> {
    let mut first: Option<Cost> = None;
    for &size in family.sizes {
        let path = folder.join(format!("{}-{size}.c", family.name.replace(' ', "-")));
        fs::write(&path, (family.program)(size)).map_err(|error| error.to_string())?;
        let mut command = Command::new(binary);
        command
            .args(["check", "--engine", "explicit", "--max-threads", "20000"])
            .args(["--timeout", &seconds.to_string(), "--format", "json"])
            .arg(&path);
        let (output, taken) = clock::timed(&mut command)
            .map_err(|error| format!("`{}` cannot be run: {error}", binary.display()))?;
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
            let said = String::from_utf8_lossy(&output.stderr);
            format!("raddle wrote no report: {error}\n{said}")
        })?;
        let counter = |name: &str| report["run"]["counters"][name].as_u64().unwrap_or(0);
        let cost = Cost {
            size: real(size as u64),
            states: counter("states"),
            steps: counter("transitions"),
            taken,
        };
        if report["summary"] == "unknown" && !family.is_unknown {
            println!("| {} | {size} | | | over {seconds} s | | |", family.name);
            return Ok(());
        }
        let slope = first.map_or(String::new(), |it| format!("{:.2}", cost.slope_from(&it)));
        println!(
            "| {} | {size} | {} | {} | {:.2} | {:.1} | {slope} |",
            family.name,
            cost.states,
            cost.steps,
            cost.taken.processor,
            cost.of_a_step() * 1e6,
        );
        first = first.or(Some(cost));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_the_power_of_the_size() {
        let cost = |size: f64, processor: f64| Cost {
            size,
            states: 1,
            steps: 10,
            taken: Taken {
                wall: 0.0,
                processor,
            },
        };
        let small = cost(10.0, 1.0);
        assert!(cost(1000.0, 1.0).slope_from(&small).abs() < 1e-9);
        assert!((cost(1000.0, 100.0).slope_from(&small) - 1.0).abs() < 1e-9);
        assert!((cost(100.0, 100.0).slope_from(&small) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_wrong_name_says_which_there_are() {
        let said = families("moon").map(|_| ()).unwrap_err().join("\n");
        assert!(said.contains("bytes of an array"));
    }
}
