//! What a step costs where something grows that the step does not touch: arrays, threads, objects, the program itself,
//! undetermined values. Each family is one program in several sizes.

mod families;

use std::fs;
use std::path::Path;
use std::process::Command;

use raddle_testkit::walk;
use serde_json::Value;

use super::clock::{self, Taken};
use families::{FAMILIES, Family};

struct Options<'a> {
    only: &'a str,
    seconds: u64,
    /// Measured instead of what is built here.
    binary: Option<&'a Path>,
}

pub(crate) fn run(words: &[&str]) -> Result<(), Vec<String>> {
    let options = options(words)?;
    let root = walk::repository_root();
    let binary = match options.binary {
        Some(binary) => binary.to_owned(),
        None => raddle_testkit::binary::build(&root, "release").map_err(|error| vec![error])?,
    };
    let folder = std::env::temp_dir().join(format!("raddle-cliffs-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| vec![error.to_string()])?;
    println!("| what grows | size | states | steps | seconds | µs a step | slope |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for family in FAMILIES.iter().filter(|it| it.name.contains(options.only)) {
        measure(family, &folder, &binary, options.seconds).map_err(|error| vec![error])?;
    }
    fs::remove_dir_all(&folder).map_err(|error| vec![error.to_string()])
}

fn options<'a>(words: &[&'a str]) -> Result<Options<'a>, Vec<String>> {
    let mut options = Options {
        only: "",
        seconds: 20,
        binary: None,
    };
    for pair in words.chunks(2) {
        match *pair {
            ["--only", name] => options.only = name,
            ["--binary", path] => options.binary = Some(Path::new(path)),
            ["--seconds", number] => {
                let seconds = number.parse().ok().filter(|it| *it > 0);
                options.seconds = seconds
                    .ok_or_else(|| vec![format!("`--seconds` takes a number, not `{number}`")])?;
            }
            _ => {
                let known = "`bench cliffs` takes `--only NAME`, `--seconds N` and `--binary PATH`";
                return Err(vec![known.to_owned()]);
            }
        }
    }
    if FAMILIES.iter().all(|it| !it.name.contains(options.only)) {
        let names: Vec<&str> = FAMILIES.iter().map(|it| it.name).collect();
        return Err(vec![format!(
            "nothing that grows has `{}` in its name; there are {}",
            options.only,
            names.join(", ")
        )]);
    }
    Ok(options)
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
    fn what_is_not_understood_is_said() {
        let said = |words: &[&str]| options(words).map(|_| ()).unwrap_err().join("\n");
        assert!(said(&["--fast"]).contains("--only NAME"));
        assert!(said(&["--seconds", "0"]).contains("takes a number"));
        assert!(said(&["--only", "moon"]).contains("bytes of an array"));
    }
}
