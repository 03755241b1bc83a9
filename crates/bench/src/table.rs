//! The report as people read it: wrong verdicts first, then crashes, then the counts.

use std::fmt::Write;

use raddle_report::Timing;

use crate::row::{Row, truth_word};
use crate::summary::{Counts, Summary};

/// Crashed programs that are listed by name.
const LISTED: usize = 20;

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// No folders.
    Totals,
    Folders,
    /// And every program that crashed.
    All,
}

/// The report; the hint says how a user gets what is left out.
pub fn render(summary: &Summary, timing: Timing, detail: Detail, hint: &str) -> String {
    let mut text = String::new();
    if !summary.wrong.is_empty() {
        let _ = writeln!(text, "wrong verdicts: {}", summary.wrong.len());
        for row in &summary.wrong {
            let _ = writeln!(text, "  {}", wrong_line(row));
        }
        text.push('\n');
    }
    crashes(&mut text, summary, detail, hint);
    let width = summary
        .of_property
        .iter()
        .map(|(property, _)| shown(property).len())
        .chain(["property".len()])
        .max()
        .unwrap_or_default();
    if detail != Detail::Totals {
        let mut folder = None;
        for group in &summary.groups {
            if folder != Some(&group.folder) {
                if folder.is_some() {
                    text.push('\n');
                }
                let _ = writeln!(text, "{}", group.folder);
                heading(&mut text, width, timing);
                folder = Some(&group.folder);
            }
            line(
                &mut text,
                shown(&group.property),
                width,
                &group.counts,
                timing,
            );
        }
        if folder.is_some() {
            text.push('\n');
        }
    }
    let _ = writeln!(text, "all {} programs", summary.programs);
    heading(&mut text, width, timing);
    for (property, counts) in &summary.of_property {
        line(&mut text, shown(property), width, counts, timing);
    }
    // The reasons stand with the properties.
    numbers(&mut text, "total", width, &summary.total, timing);
    answerers(&mut text, summary);
    text
}

/// Who gave how many verdicts.
fn answerers(text: &mut String, summary: &Summary) {
    if summary.of_answerer.is_empty() {
        return;
    }
    let names = summary.of_answerer.iter().map(|(name, _)| name.len());
    let width = names.chain(["answered by".len()]).max().unwrap_or_default();
    let _ = writeln!(
        text,
        "\n  {:width$}  right true  right false  wrong",
        "answered by"
    );
    for (name, counts) in &summary.of_answerer {
        let _ = writeln!(
            text,
            "  {name:width$}  {:>10}  {:>11}  {:>5}",
            counts.right_true, counts.right_false, counts.wrong
        );
    }
}

pub fn wrong_line(row: &Row) -> String {
    format!(
        "{}: {} is said to be {}, the truth is {}",
        row.program,
        row.property,
        row.answer.word(),
        row.expected.map_or("unknown", truth_word)
    )
}

/// A program that crashes does so on all its properties; it is listed once for each reason.
fn crashes(text: &mut String, summary: &Summary, detail: Detail, hint: &str) {
    let mut lines: Vec<String> = summary
        .crashed
        .iter()
        .map(|row| format!("  {}: {}", row.program, row.reason))
        .collect();
    lines.dedup();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "crashed: {}", lines.len());
    let listed = if detail == Detail::All {
        lines.len()
    } else {
        LISTED
    };
    for line in lines.iter().take(listed) {
        let _ = writeln!(text, "{line}");
    }
    if lines.len() > listed {
        let _ = writeln!(text, "  and {} more; {hint}", lines.len() - listed);
    }
    text.push('\n');
}

fn shown(property: &str) -> &str {
    if property.is_empty() {
        "(none)"
    } else {
        property
    }
}

fn heading(text: &mut String, width: usize, timing: Timing) {
    let _ = write!(
        text,
        "  {:width$}  right true  right false  wrong  unknown  crashed  error",
        "property"
    );
    text.push_str(match timing {
        Timing::Shown => "   seconds\n",
        Timing::Hidden => "\n",
    });
}

fn line(text: &mut String, name: &str, width: usize, counts: &Counts, timing: Timing) {
    numbers(text, name, width, counts, timing);
    reasons(text, "unknown", &counts.unknown_reasons(), counts.unknown);
    reasons(text, "error", &counts.error_reasons(), counts.error);
}

fn numbers(text: &mut String, name: &str, width: usize, counts: &Counts, timing: Timing) {
    let _ = write!(
        text,
        "  {name:width$}  {:>10}  {:>11}  {:>5}  {:>7}  {:>7}  {:>5}",
        counts.right_true,
        counts.right_false,
        counts.wrong,
        counts.unknown,
        counts.crashed,
        counts.error
    );
    let _ = match timing {
        Timing::Shown => writeln!(text, "  {:>8.2}", counts.seconds),
        Timing::Hidden => writeln!(text),
    };
}

fn reasons(text: &mut String, of: &str, reasons: &[(&str, usize)], all: usize) {
    if reasons.is_empty() {
        return;
    }
    let mut parts: Vec<String> = reasons
        .iter()
        .map(|(reason, count)| format!("{count} × {reason}"))
        .collect();
    let others = all - reasons.iter().map(|(_, count)| count).sum::<usize>();
    if others > 0 {
        parts.push(format!("{others} for other reasons"));
    }
    let _ = writeln!(text, "    {of}: {}", parts.join(", "));
}
