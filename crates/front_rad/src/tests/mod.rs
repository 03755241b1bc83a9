//! Tests of the reader as a whole: text in, text out.

mod documents;
mod errors;
mod lowering;
mod robustness;
mod round_trip;

use raddle_base::SourceMap;
use raddle_ir::{DataModel, Program};

use crate::read;

/// Reads one file called `a.rad`; errors as lines of text, one a diagnostic.
fn read_text(text: &str) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("a.rad", text);
    read(&[(file, text)], DataModel::Lp64).map_err(|diagnostics| {
        let mut lines = Vec::new();
        for diagnostic in diagnostics {
            let place = diagnostic
                .labels
                .first()
                .map_or("nowhere".to_owned(), |label| {
                    sources.place(label.span).to_string()
                });
            let mut line = format!("{place}: {}: {}", diagnostic.code, diagnostic.message);
            for help in &diagnostic.helps {
                line = format!("{line}; help: {help}");
            }
            lines.push(line);
        }
        lines.join("\n")
    })
}

/// The function `f` (or `main`) of a program, in raw form without its first and last line.
#[track_caller]
fn check_body(text: &str, expected: &str) {
    let program = read_text(text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let printed = raddle_ir::print::print(&program);
    let start = ["\nfn f(", "\nfn main("]
        .iter()
        .find_map(|head| printed.find(head))
        .expect("there is a function `f` or `main`");
    let body: Vec<&str> = printed[start + 1..]
        .lines()
        .skip(1)
        .take_while(|line| *line != "}")
        .map(str::trim)
        .collect();
    let expected: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(body, expected, "\n{}", body.join("\n"));
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    match read_text(text) {
        Ok(_) => panic!("no error in\n{text}"),
        Err(errors) => assert_eq!(errors, expected),
    }
}
