//! Programs that use the library through the machine's headers do what they do with gcc and glibc, on both data models.
//!
//! Skipped where gcc is missing, unless `RADDLE_REQUIRE_TOOLS` is set.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests stop at the first surprise and say what they skip"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_base::SourceMap;
use raddle_front_c::{Beginning, Options, read};
use raddle_ir::DataModel;
use raddle_ir::interpret::{Ending, Semantics};
use raddle_stepper::execute::{ExecutionEnd, FirstPossible};

const STEPS: u64 = 5_000_000;

/// What makes the headers say other things: plain functions, copies for inlining, checks of sizes.
const HEADERS: [&[&str]; 3] = [&[], &["-O1"], &["-O2", "-D_FORTIFY_SOURCE=2"]];

/// What a program printed, and how it ended.
#[derive(Debug, PartialEq, Eq)]
struct Behaviour {
    output: String,
    end: String,
}

fn gcc(option: &str, source: &Path, more: &[&str], target: &Path) -> Result<(), String> {
    let output = Command::new("gcc")
        .args([option, "-std=gnu11", "-fno-builtin", "-w"])
        .args(more)
        .arg(source)
        .arg("-o")
        .arg(target)
        .arg("-lm")
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Whether gcc makes programs of this model here.
fn has_gcc(option: &str, folder: &Path) -> bool {
    let source = folder.join("empty.c");
    std::fs::write(&source, "#include <stdio.h>\nint main(void) {}\n").unwrap();
    let has = gcc(option, &source, &[], &folder.join("empty")).is_ok();
    assert!(
        has || std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
        "gcc {option} is missing, and RADDLE_REQUIRE_TOOLS is set"
    );
    if !has {
        eprintln!("skipped: gcc {option} is missing");
    }
    has
}

fn by_gcc(option: &str, source: &Path, folder: &Path) -> Behaviour {
    let binary = folder.join("program");
    gcc(option, source, &[], &binary).unwrap();
    // Where the files that it makes are no trouble, and none lies there when it begins.
    let place = folder.join("place");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let output = Command::new(&binary).current_dir(&place).output().unwrap();
    Behaviour {
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        end: output
            .status
            .code()
            .map_or("abort".into(), |code| format!("exit {code}")),
    }
}

fn by_us(
    option: &str,
    headers: &[&str],
    model: DataModel,
    source: &Path,
    folder: &Path,
) -> Behaviour {
    let preprocessed = folder.join("program.i");
    gcc(option, source, &[headers, &["-E"]].concat(), &preprocessed).unwrap();
    let text = std::fs::read_to_string(&preprocessed).unwrap();
    let file = SourceMap::new().add("program.i", text.clone());
    let options = Options {
        model,
        malloc_may_fail: false,
        extern_havoc: false,
        ignores_openmp: false,
        stack_bytes: raddle_front_c::DEFAULT_STACK_BYTES,
        surroundings: raddle_front_c::Surroundings::default(),
        stores_ids_late: true,
        beginning: Beginning::Main,
        volatile_is_atomic: false,
    };
    let reading = match read(&[(file, text.as_bytes())], &options) {
        Ok(reading) => reading,
        Err(diagnostics) => panic!("{}: {diagnostics:#?}", source.display()),
    };
    let interpreter = raddle_stepper::stepper(&reading.program, Semantics::default());
    let state = interpreter.initial_states().unwrap().swap_remove(0);
    let mut output = Vec::new();
    let mut emit = |bytes: &[u8]| output.extend_from_slice(bytes);
    let execution =
        raddle_stepper::execute::execute(&interpreter, state, &mut FirstPossible, STEPS, &mut emit);
    let end = match execution.end {
        ExecutionEnd::Ended(Ending::Exit(status)) => format!("exit {}", status & 255),
        ExecutionEnd::Ended(Ending::Abort) => "abort".into(),
        end => format!("{end:?}"),
    };
    assert!(execution.overflow.is_none(), "{:?}", execution.overflow);
    Behaviour {
        output: String::from_utf8_lossy(&output).into_owned(),
        end,
    }
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/programs");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    programs.sort();
    programs
}

fn compare(option: &str, model: DataModel) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library_programs{option}"));
    std::fs::create_dir_all(&folder).unwrap();
    if !has_gcc(option, &folder) {
        return;
    }
    for source in programs() {
        let expected = by_gcc(option, &source, &folder);
        for headers in HEADERS {
            let ours = by_us(option, headers, model, &source, &folder);
            assert!(
                ours == expected,
                "{} with {option} {headers:?}:\n{}({})\nbut with gcc:\n{}({})",
                source.display(),
                ours.output,
                ours.end,
                expected.output,
                expected.end
            );
        }
    }
}

#[test]
fn programs_for_64_bits_do_what_they_do_with_gcc() {
    compare("-m64", DataModel::Lp64);
}

#[test]
fn programs_for_32_bits_do_what_they_do_with_gcc() {
    compare("-m32", DataModel::Ilp32);
}
