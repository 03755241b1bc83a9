//! From a C file to preprocessed text, by the machine's C compiler.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use raddle_base::{Budget, Exhausted, SourceMap, Span};
use raddle_diag::{Diagnostic, Severity};
use raddle_engine::{Note, Remedy};
use raddle_ir::DataModel;

use raddle_project::{rebased, shown_from};

use crate::header::{HeaderFolder, add_header, is_missing};
use crate::load::{LARGEST_SOURCE, plain, read_bytes};
use crate::options::{COptions, DEFAULT_COMPILER, only_a_file};

/// How often to look whether the compiler has ended.
const TICK: Duration = Duration::from_millis(2);
/// What is kept of what the compiler says.
const LONGEST_COMPLAINT: u64 = 1 << 20;

/// Where the C text is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unprocessed<'a> {
    File(&'a Path),
    /// A file seen from this folder, where the compiler runs.
    FileIn(&'a Path, &'a Path),
    /// From standard input.
    Typed(&'a [u8]),
}

impl Unprocessed<'_> {
    /// A file that the compiler names, as it is seen from here.
    fn shown(self, name: &str) -> String {
        match self {
            Unprocessed::FileIn(folder, _) => shown_from(&here(), folder, name),
            Unprocessed::File(_) | Unprocessed::Typed(_) => name.to_owned(),
        }
    }
}

/// The folder that reports name files from.
pub(crate) fn here() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

/// Why there is no preprocessed text.
pub(crate) enum Failure {
    Wrong(Vec<Note>),
    Stopped(Exhausted),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure::Wrong(vec![diagnostic.into()])
    }
}

/// Preprocessed text, and what the compiler warns of. Files that it complains about are added to the sources.
pub(crate) fn preprocess(
    input: Unprocessed<'_>,
    name: &str,
    model: DataModel,
    options: &COptions,
    budget: &Budget,
    sources: &mut SourceMap,
) -> Result<(Vec<u8>, Vec<Diagnostic>), Failure> {
    judge(options, model, name)?;
    let text = text_of(input, name, model, options, budget, sources)?;
    Ok((text.bytes, text.warnings))
}

/// What the preprocessor gives.
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The compiler does not find the header of tests by itself.
    pub(crate) lacks_header: bool,
}

/// The same for options that are judged elsewhere.
pub(crate) fn text_of(
    input: Unprocessed<'_>,
    name: &str,
    model: DataModel,
    options: &COptions,
    budget: &Budget,
    sources: &mut SourceMap,
) -> Result<Text, Failure> {
    // Comments may be annotations.
    let mut words: Vec<String> = ["-E", "-C", "-D__RADDLE__=1", "-x", "c"]
        .map(str::to_owned)
        .to_vec();
    if model == DataModel::Ilp32 {
        words.push("-m32".to_owned());
    }
    words.extend(options.words());
    words.extend(options.rest.iter().cloned());
    let mut finished = run(options, &words, input, name, budget)?;
    let lacks_header = !finished.status.success() && lacks_header(&finished.stderr);
    if lacks_header {
        let folder = HeaderFolder::new().map_err(|error| {
            Diagnostic::error(
                "preprocessor",
                format!(
                    "`raddle.h` cannot be put among temporary files: {}",
                    plain(&error)
                ),
            )
            .help("write it with `raddle header` to where the compiler looks for headers")
        })?;
        words.push("-isystem".to_owned());
        words.push(folder.path().display().to_string());
        finished = run(options, &words, input, name, budget)?;
        finished.stdout = folder.renamed(&finished.stdout);
        add_header(sources);
    }
    if finished.stdout.len() > LARGEST_SOURCE {
        return Err(Diagnostic::error(
            "preprocessor",
            format!("`{name}` is larger than 256 MiB after the preprocessor"),
        )
        .help("check a smaller program")
        .into());
    }
    if let Unprocessed::FileIn(..) = input {
        finished.stdout = rebased(&finished.stdout, &|it| input.shown(it));
    }
    let complaints = complaints(&finished.stderr, input, sources);
    if finished.status.success() {
        let warnings = complaints
            .into_iter()
            .filter(|it| it.severity == Severity::Warning)
            .collect();
        return Ok(Text {
            bytes: finished.stdout,
            warnings,
            lacks_header,
        });
    }
    let mut errors: Vec<Note> = complaints
        .into_iter()
        .filter(|it| it.severity == Severity::Error)
        .map(Note::from)
        .collect();
    if errors.is_empty() {
        errors.push(unexplained(name, options, &finished));
    }
    if model == DataModel::Ilp32
        && let Some(last) = errors.last_mut()
    {
        last.remedies.push(Remedy::InstallHeadersOf32Bits);
    }
    Err(Failure::Wrong(errors))
}

/// Whether the compiler does not find the header of tests, which it need not.
fn lacks_header(stderr: &str) -> bool {
    let mut complaints = stderr.lines().filter_map(Complaint::read);
    complaints.any(|it| is_missing(it.message))
}

/// Options that change what the text means are understood or refused: only the preprocessor sees them.
pub(crate) fn judge(options: &COptions, model: DataModel, name: &str) -> Result<(), Failure> {
    // Before its options may stand the name of the compiler proper, as in `ccache gcc`.
    let own: Vec<String> = options
        .compiler
        .iter()
        .skip(1)
        .filter(|it| it.starts_with('-'))
        .cloned()
        .collect();
    for words in [&own, &options.words(), &options.rest] {
        judge_words(words, model, options.project.is_some().then_some(name))?;
    }
    Ok(())
}

/// The same of some options, which may be those of one unit.
pub(crate) fn judge_words(
    words: &[String],
    model: DataModel,
    unit: Option<&str>,
) -> Result<(), Failure> {
    raddle_front_c::gnu::options::judge(words, model).map_err(|refused| {
        let mut diagnostic = Diagnostic::error(
            "compiler-option",
            format!(
                "the compiler's option `{}` is not supported: {}",
                refused.option, refused.why
            ),
        );
        if let Some(unit) = unit {
            diagnostic = diagnostic.note(format!("`{unit}` is compiled with it"));
        }
        Failure::Wrong(vec![match refused.model {
            Some(model) => Note::new(diagnostic, Remedy::UseDataModel(model)),
            None => diagnostic.help(WITHOUT).into(),
        }])
    })?;
    Ok(())
}

/// What helps where an option is refused.
const WITHOUT: &str = "leave it out; what is checked is the program without it";

struct Finished {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: String,
}

fn run(
    options: &COptions,
    words: &[String],
    input: Unprocessed<'_>,
    name: &str,
    budget: &Budget,
) -> Result<Finished, Failure> {
    let (compiler, first) = options
        .compiler
        .split_first()
        .map_or((DEFAULT_COMPILER, &[][..]), |(compiler, first)| {
            (compiler.as_str(), first)
        });
    let mut command = Command::new(compiler);
    command
        .args(first)
        .args(words)
        // So that its messages can be understood.
        .env("LC_ALL", "C")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    match input {
        Unprocessed::File(path) => {
            match path.to_str() {
                Some(name) => command.arg(only_a_file(name)),
                // An absolute path stays what it is.
                None => command.arg(Path::new(".").join(path)),
            }
            .stdin(Stdio::null())
        }
        Unprocessed::FileIn(folder, path) => command
            .current_dir(folder)
            .arg(only_a_file(&path.to_string_lossy()))
            .stdin(Stdio::null()),
        Unprocessed::Typed(_) => command.arg("-").stdin(Stdio::piped()),
    };
    let mut child = command.spawn().map_err(|error| {
        Diagnostic::error(
            "preprocessor",
            format!(
                "cannot run the C compiler `{compiler}`, which is to preprocess `{name}`: {}",
                plain(&error)
            ),
        )
        .help("install one, such as gcc, or name yours in the environment variable `CC`")
        .help("or pass preprocessed text, which another machine makes by `gcc -E FILE.c > FILE.i`")
    })?;
    let stdout = child
        .stdout
        .take()
        .map(|it| std::thread::spawn(move || read_bytes(it).unwrap_or_default()));
    let stderr = child.stderr.take().map(|it| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before an error is all there is.
            let _ = it.take(LONGEST_COMPLAINT).read_to_end(&mut bytes);
            bytes
        })
    });
    if let (Some(mut stdin), Unprocessed::Typed(bytes)) = (child.stdin.take(), input) {
        let bytes = bytes.to_vec();
        // Who does not read its input says why in its own words.
        std::thread::spawn(move || stdin.write_all(&bytes));
    }
    let status = wait(&mut child, budget)?;
    Ok(Finished {
        status,
        stdout: received(stdout),
        stderr: String::from_utf8_lossy(&received(stderr)).into_owned(),
    })
}

fn wait(child: &mut Child, budget: &Budget) -> Result<ExitStatus, Failure> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) => {}
            Err(error) => {
                return Err(Diagnostic::error(
                    "preprocessor",
                    format!("lost the C compiler: {}", plain(&error)),
                )
                .help("run the same command again")
                .into());
            }
        }
        if let Err(exhausted) = budget.check_time() {
            // It may have ended by itself in between.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Stopped(exhausted));
        }
        std::thread::sleep(TICK);
    }
}

fn received(reader: Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
    reader.and_then(|it| it.join().ok()).unwrap_or_default()
}

/// The compiler failed without saying where.
fn unexplained(name: &str, options: &COptions, finished: &Finished) -> Note {
    let compiler = options
        .compiler
        .first()
        .map_or(DEFAULT_COMPILER, String::as_str);
    let mut diagnostic = Diagnostic::error(
        "preprocessor",
        format!(
            "`{compiler}` cannot preprocess `{name}` ({})",
            finished.status
        ),
    );
    for line in finished.stderr.lines().filter(|it| !it.is_empty()).take(5) {
        diagnostic = diagnostic.note(line);
    }
    Note::new(diagnostic, Remedy::PassToCompiler)
}

/// What the compiler says, at its places.
fn complaints(stderr: &str, input: Unprocessed<'_>, sources: &mut SourceMap) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for line in stderr.lines() {
        let Some(complaint) = Complaint::read(line) else {
            continue;
        };
        let file = input.shown(complaint.file);
        let complaint = Complaint {
            file: &file,
            ..complaint
        };
        let diagnostic = match complaint.severity {
            Severity::Error => Diagnostic::error("preprocessor", complaint.message),
            Severity::Warning => Diagnostic::warning("preprocessor", complaint.message),
        };
        found.push(match spot(&complaint, sources) {
            Some(span) => diagnostic.at(span, "the C compiler says so here"),
            None => diagnostic.note(format!("{}:{}", complaint.file, complaint.line)),
        });
    }
    found
}

/// One line of the compiler's, as in: `a.c:1:10: fatal error: b.h: No such file or directory`.
struct Complaint<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    severity: Severity,
    message: &'a str,
}

impl<'a> Complaint<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (severity, place, message) = [
            (Severity::Error, ": fatal error: "),
            (Severity::Error, ": error: "),
            (Severity::Warning, ": warning: "),
        ]
        .into_iter()
        .find_map(|(severity, word)| {
            let (place, message) = line.split_once(word)?;
            Some((severity, place, message))
        })?;
        let (rest, last) = place.rsplit_once(':')?;
        let last = last.parse().ok()?;
        // The column may be missing.
        let (file, line, column) = match rest.rsplit_once(':') {
            Some((file, line)) if line.parse::<u32>().is_ok() => (file, line.parse().ok()?, last),
            Some(_) | None => (rest, last, 1),
        };
        Some(Self {
            file,
            line,
            column,
            severity,
            message,
        })
    }
}

/// The rest of the line from the place on, in the file as it is on the disk.
fn spot(complaint: &Complaint<'_>, sources: &mut SourceMap) -> Option<Span> {
    let file = if let Some(file) = sources.original(complaint.file) {
        file
    } else {
        let bytes = std::fs::File::open(complaint.file)
            .and_then(read_bytes)
            .ok()?;
        sources.add_original(complaint.file, bytes)
    };
    sources.span_at(file, complaint.line, complaint.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_of_compilers_are_understood() {
        let read = |line| {
            Complaint::read(line).map(|it| (it.file, it.line, it.column, it.severity, it.message))
        };
        assert_eq!(
            read("a:b.c:1:10: fatal error: c.h: No such file or directory"),
            Some((
                "a:b.c",
                1,
                10,
                Severity::Error,
                "c.h: No such file or directory"
            ))
        );
        assert_eq!(
            read("a.c:7: warning: odd"),
            Some(("a.c", 7, 1, Severity::Warning, "odd"))
        );
        for line in [
            "In file included from a.c:1:",
            "compilation terminated.",
            "cc: fatal error: no input files",
            "a.c:x:y: error: no numbers",
            "",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
