//! gcc, and the programs that it makes.

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use raddle_ir::DataModel;

/// More output than this is cut off.
const MAX_OUTPUT: u64 = 1 << 24;

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    pub output: Vec<u8>,
    pub end: End,
    pub time: Duration,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this status, of which only the low byte counts.
    Exit(u8),
    /// `abort`, or another signal.
    Signal(i32),
    TimeLimit,
}

/// What gcc is told about the machine, so that floats are those of IEEE 754 in both models.
fn model_options(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        DataModel::Lp64 => &["-m64"],
    }
}

/// Compiles and links one file.
///
/// # Errors
///
/// What gcc says if it refuses, or why it cannot be run.
pub fn compile(
    source: &Path,
    model: DataModel,
    options: &[String],
    binary: &Path,
) -> Result<(), String> {
    let output = Command::new("gcc")
        .args(model_options(model))
        .args(["-O0", "-w"])
        .args(options)
        .arg(source)
        .arg("-o")
        .arg(binary)
        .arg("-lm")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("gcc cannot be run: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// What the preprocessor makes of a file, for this data model.
///
/// # Errors
///
/// What gcc says if it refuses, or why it cannot be run.
pub fn preprocess(source: &Path, model: DataModel, options: &[String]) -> Result<Vec<u8>, String> {
    let output = Command::new("gcc")
        .args(model_options(model))
        .args(["-O0", "-w", "-E"])
        .args(options)
        .arg(source)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("gcc cannot be run: {error}"))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Runs a program without input.
///
/// # Errors
///
/// If it cannot be started or waited for.
pub fn run(binary: &Path, limit: Duration) -> Result<Ran, String> {
    let started = Instant::now();
    let problem = |error: std::io::Error| format!("`{}` cannot be run: {error}", binary.display());
    let mut child = Command::new(binary)
        // Some programs write files.
        .current_dir(binary.parent().unwrap_or(Path::new(".")))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(problem)?;
    let pipe = child.stdout.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        // What was read before an error is still output.
        let _ = pipe.take(MAX_OUTPUT).read_to_end(&mut output);
        output
    });
    let end = loop {
        if let Some(status) = child.try_wait().map_err(problem)? {
            break end_of(status);
        }
        if started.elapsed() > limit {
            child.kill().map_err(problem)?;
            child.wait().map_err(problem)?;
            break End::TimeLimit;
        }
        std::thread::sleep(Duration::from_micros(500));
    };
    let time = started.elapsed();
    let output = reader
        .join()
        .map_err(|_| "the output cannot be read".to_owned())?;
    Ok(Ran { output, end, time })
}

#[cfg(unix)]
fn end_of(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exit(code.to_le_bytes()[0]),
        (None, signal) => End::Signal(signal.unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn end_of(status: ExitStatus) -> End {
    End::Exit(status.code().unwrap_or(0).to_le_bytes()[0])
}

/// The models whose programs gcc can make and this machine can run.
pub fn models() -> &'static [DataModel] {
    static MODELS: OnceLock<Vec<DataModel>> = OnceLock::new();
    MODELS.get_or_init(|| {
        [DataModel::Ilp32, DataModel::Lp64]
            .into_iter()
            .filter(|&model| works(model))
            .collect()
    })
}

fn works(model: DataModel) -> bool {
    let name = format!("raddle-gcc-{model:?}-{}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    let (source, binary) = (directory.join("probe.c"), directory.join("probe"));
    let does = std::fs::create_dir_all(&directory).is_ok()
        && std::fs::write(
            &source,
            "#include <stdio.h>\nint main(void) { return 7; }\n",
        )
        .is_ok()
        && compile(&source, model, &[], &binary).is_ok()
        && run(&binary, Duration::from_secs(10)).is_ok_and(|ran| ran.end == End::Exit(7));
    // Best effort: a directory left behind does no harm.
    let _ = std::fs::remove_dir_all(&directory);
    does
}

/// The models to test with; where one is missing, says so, or fails if `RADDLE_REQUIRE_TOOLS` is set.
///
/// # Panics
///
/// If a model is missing and tools are required.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
pub fn models_for_tests() -> &'static [DataModel] {
    for (model, option) in [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")] {
        let has = models().contains(&model);
        assert!(
            has || std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
            "`gcc {option}` is missing, and RADDLE_REQUIRE_TOOLS is set"
        );
        if !has {
            eprintln!("skipped: programs of `gcc {option}`, which cannot be made or run here");
        }
    }
    models()
}
