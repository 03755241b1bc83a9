//! Files that a run writes besides its report.

use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use raddle::{Diagnostic, Report};

use crate::arguments::Check;
use crate::progress::LastQuestion;

/// A kind of file.
#[derive(Clone, Copy)]
struct Kind {
    /// As in: the trace.
    name: &'static str,
    /// As in: a trace.
    one: &'static str,
    example: &'static str,
}

const TRACE: Kind = Kind {
    name: "the trace",
    one: "a trace",
    example: "--trace trace.json",
};
const QUESTION: Kind = Kind {
    name: "the question",
    one: "a question",
    example: "--dump-smt question.smt2",
};

/// Whether they may be written, asked before the search: a run of an hour must not end in a wrong path.
pub(crate) fn are_writable(check: &Check, inputs: &[PathBuf]) -> Result<(), Diagnostic> {
    for (path, kind) in [(&check.trace, TRACE), (&check.dump_smt, QUESTION)] {
        if let Some(path) = path {
            is_writable(path, kind, inputs)?;
        }
    }
    match (&check.trace, &check.dump_smt) {
        (Some(trace), Some(question)) if trace == question => Err(Diagnostic::error(
            "usage",
            format!(
                "`{}` cannot hold both the trace and the question",
                trace.display()
            ),
        )
        .help("name two files")),
        _ => Ok(()),
    }
}

fn is_writable(path: &Path, kind: Kind, inputs: &[PathBuf]) -> Result<(), Diagnostic> {
    let refuse =
        |message: String, help: String| Err(Diagnostic::error("usage", message).help(help));
    let shown = path.display();
    let Kind { name, one, example } = kind;
    if path.as_os_str() == "-" {
        return refuse(
            format!("{one} cannot be written to standard output, where the report goes"),
            format!("name a file, as in `{example}`"),
        );
    }
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    if place(path).is_some_and(|own| inputs.iter().any(|it| place(it).as_ref() == Some(&own))) {
        return refuse(
            format!("{name} would overwrite the program `{shown}`"),
            format!("name another file, as in `{example}`"),
        );
    }
    if std::fs::metadata(path).is_ok_and(|it| it.file_type().is_fifo()) {
        return refuse(
            format!("`{shown}` is a pipe, which would keep the run waiting for a reader"),
            format!("name a file, as in `{example}`"),
        );
    }
    let existed = path.exists();
    let opened = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path);
    if !existed && opened.is_ok() {
        let _ = std::fs::remove_file(path);
    }
    match opened {
        Ok(_) => Ok(()),
        Err(error) => Err(unwritten(path, kind, &error, "usage")),
    }
}

/// Writes what the run left.
pub(crate) fn write(
    check: &Check,
    report: &Report,
    question: &LastQuestion,
) -> Result<(), Diagnostic> {
    write_trace(check, report.trace_file().map(|it| it.to_json()))?;
    if let Some(path) = &check.dump_smt {
        write_one(path, QUESTION, question.take())?;
    }
    Ok(())
}

/// Writes the trace, if there is one and somebody asks for it.
pub(crate) fn write_trace(check: &Check, text: Option<String>) -> Result<(), Diagnostic> {
    match &check.trace {
        Some(path) => write_one(path, TRACE, text),
        None => Ok(()),
    }
}

fn write_one(path: &Path, kind: Kind, text: Option<String>) -> Result<(), Diagnostic> {
    let Some(text) = text else {
        // A file of an earlier run would be taken for one of this run.
        if path.is_file() {
            let _ = std::fs::remove_file(path);
        }
        return Ok(());
    };
    std::fs::write(path, text).map_err(|error| unwritten(path, kind, &error, "output"))
}

fn unwritten(path: &Path, kind: Kind, error: &std::io::Error, code: &'static str) -> Diagnostic {
    Diagnostic::error(
        code,
        format!(
            "cannot write {} to `{}`: {error}",
            kind.name,
            path.display()
        ),
    )
    .help("name a file in a folder that exists and may be written")
}
