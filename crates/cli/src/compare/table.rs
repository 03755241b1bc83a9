//! A comparison as people read it.

use std::fmt::Write;

use raddle_diag::Colour;

use crate::detail::Detail;
use raddle_report::columns;

use super::combine::CONTRADICTION;
use super::data::{Comparison, Run};

/// Counters that tell most, best first; of others, the first by name.
const TELLING: [&str; 2] = ["states", "blocks"];
const MEGABYTE: f64 = 1_048_576.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct TableStyle {
    pub(super) detail: Detail,
    pub(super) shows_timing: bool,
    pub(super) colour: Colour,
}

/// One row a run, then what needs words, then the summary.
pub(super) fn table(comparison: &Comparison, style: TableStyle) -> String {
    let mut text = String::new();
    if style.detail == Detail::Quiet {
        for it in &comparison.properties {
            let _ = writeln!(text, "{}: {}", it.property, it.verdict);
        }
        return text;
    }
    text.push_str(&rows(comparison, style.shows_timing));
    for run in &comparison.runs {
        remarks(&mut text, run, style.detail);
    }
    summary(&mut text, comparison, style.colour);
    text
}

fn rows(comparison: &Comparison, shows_timing: bool) -> String {
    let mut headings = vec!["engine".to_owned(), "reduction".to_owned()];
    headings.extend(comparison.properties.iter().map(|it| it.property.clone()));
    headings.push("work".to_owned());
    if shows_timing {
        headings.extend(["seconds", "peak memory", "ratio"].map(str::to_owned));
    }
    let mut rows = vec![headings];
    for run in &comparison.runs {
        rows.push(row(run, comparison, shows_timing));
    }
    aligned(&rows)
}

fn row(run: &Run, comparison: &Comparison, shows_timing: bool) -> Vec<String> {
    let none = || "-".to_owned();
    let mut row = vec![run.engine.clone(), run.reduction.clone()];
    row.extend(
        comparison
            .properties
            .iter()
            .map(|it| run.says(&it.property).map_or_else(none, str::to_owned)),
    );
    row.push(work(run).unwrap_or_else(none));
    if shows_timing {
        row.push(run.seconds.map_or_else(none, |it| format!("{it:.3}")));
        row.push(run.peak_memory_bytes.map_or_else(none, megabytes));
        row.push(run.ratio.map_or_else(none, |it| format!("{it:.2}")));
    }
    row
}

fn megabytes(bytes: u64) -> String {
    #[expect(
        clippy::cast_precision_loss,
        reason = "shown with one digit after the point"
    )]
    let megabytes = bytes as f64 / MEGABYTE;
    format!("{megabytes:.1} MB")
}

fn work(run: &Run) -> Option<String> {
    let (name, value) = TELLING
        .iter()
        .find_map(|name| run.counters.get_key_value(*name))
        .or_else(|| run.counters.iter().next())?;
    Some(format!("{value} {name}"))
}

fn aligned(rows: &[Vec<String>]) -> String {
    let widths = columns::widths(rows);
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Why there is no verdict, and what was counted.
fn remarks(text: &mut String, run: &Run, detail: Detail) {
    if detail == Detail::Verbose {
        let counters: Vec<String> = run
            .counters
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let _ = writeln!(text, "  {}: {}", run.name(), counters.join(", "));
    }
    if let Some(problem) = &run.problem {
        let _ = writeln!(text, "  {}: {}, {problem}", run.name(), run.summary);
    }
    for (property, verdict) in &run.verdicts {
        if let Some(reason) = &verdict.reason {
            let _ = writeln!(text, "  {}: {property}: unknown, {reason}", run.name());
        }
    }
}

fn summary(text: &mut String, comparison: &Comparison, colour: Colour) {
    let escape = match comparison.summary.as_str() {
        "safe" => "\x1b[1;32m",
        "unknown" => "\x1b[1;33m",
        _ => "\x1b[1;31m",
    };
    let reporting = comparison
        .runs
        .iter()
        .filter(|run| run.decided() > 0)
        .count();
    let agreement = match (comparison.summary.as_str(), reporting) {
        (CONTRADICTION, _) => "two runs contradict each other, no verdict follows".to_owned(),
        ("internal-error", _) => "a run failed, no verdict follows".to_owned(),
        (_, 0) => "no run decides anything".to_owned(),
        (_, 1) => "one run decides, none contradicts it".to_owned(),
        (_, count) => format!("{count} runs decide, none contradicts another"),
    };
    let _ = writeln!(
        text,
        "{}: {agreement}",
        colour.painted(&comparison.summary, escape)
    );
}

/// The contradictions in words, one diagnostic's worth of text each.
pub(super) fn contradictions(comparison: &Comparison) -> Vec<String> {
    comparison
        .properties
        .iter()
        .filter(|it| it.verdict == CONTRADICTION)
        .map(|it| {
            let who = |verdict: &str| {
                let names: Vec<String> = comparison
                    .runs
                    .iter()
                    .filter(|run| run.says(&it.property) == Some(verdict))
                    .map(Run::name)
                    .collect();
                names.join(", ")
            };
            format!(
                "`{}` is safe by {}, but unsafe by {}",
                it.property,
                who("safe"),
                who("unsafe")
            )
        })
        .collect()
}
