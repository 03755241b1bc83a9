//! Tests of the whole reader: source in, text out.

mod declarations;
mod errors;
mod expressions;
mod limits;
mod literals;
mod robustness;
mod scopes;
mod source_text;
mod statements;

use std::fmt::Write;

use raddle_base::{SourceMap, Span};

use crate::dump::dump;
use crate::tree::Unit;

/// The tree of a text without mistakes, on one line: what belongs to a node stands in parentheses behind it.
fn tree(text: &str) -> String {
    let parsed = read(text);
    assert!(
        parsed.diagnostics.is_empty(),
        "{text}\n{:?}",
        parsed.diagnostics
    );
    on_one_line(&dump_of(&parsed.unit))
}

fn read(text: &str) -> crate::Parsed {
    let file = SourceMap::new().add("test.i", text);
    crate::parse(file, text.as_bytes())
}

fn dump_of(unit: &Unit) -> String {
    dump(unit, &|_: Span| String::new())
}

fn on_one_line(indented: &str) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for (index, line) in indented.lines().enumerate() {
        let node = line.trim_start();
        let own_depth = (line.len() - node.len()) / 2;
        if own_depth > depth {
            text.push('(');
        } else if index > 0 {
            text.push_str(&")".repeat(depth - own_depth));
            text.push_str(", ");
        }
        depth = own_depth;
        text.push_str(node);
    }
    text.push_str(&")".repeat(depth));
    text
}

/// The messages about a text, one a line, with their places.
fn report(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.i", text);
    let place = |span| {
        let place = sources.place(span);
        format!("{}:{}", place.line, place.column)
    };
    let parsed = crate::parse(file, text.as_bytes());
    let lines = parsed.diagnostics.iter().map(|diagnostic| {
        let mut line = format!(
            "{}: {}",
            place(diagnostic.labels[0].span),
            diagnostic.message
        );
        for label in &diagnostic.labels[1..] {
            let _ = write!(line, " ({} {})", place(label.span), label.text);
        }
        for help in &diagnostic.helps {
            let _ = write!(line, " [{help}]");
        }
        line
    });
    lines.collect()
}

/// Whole files and their trees.
fn files(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(tree(text), *expected, "{text}");
    }
}

/// What stands in the body of a function.
fn statements(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let wanted =
            format!("function(specifiers void, declarator `f`(function), block({expected}))");
        assert_eq!(
            tree(&format!("void f(void) {{ {text} }}")),
            wanted,
            "{text}"
        );
    }
}

fn expressions(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        statements(&[(&format!("{text};"), &format!("expression({expected})"))]);
    }
}
