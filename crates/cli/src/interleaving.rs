//! An interleaving as a table: one row a step, switches of thread marked, transactions of several steps in brackets. If
//! the violation lies in some steps rather than in the end, those are marked too.

use std::fmt::Write;

use raddle::TraceData;
use raddle_driver::{Bracket, StepData, brackets};

use crate::detail::Detail;

/// Longer traces are shown by their beginning and their end.
const MOST_ROWS: usize = 40;
const FIRST_ROWS: usize = 8;
const LAST_ROWS: usize = 20;
/// Beyond the beginning, so many switches are shown with the step before them.
const MOST_SWITCHES: usize = 8;
const WIDEST_STATEMENT: usize = 44;
const WIDEST_EFFECT: usize = 60;

const HEADINGS: [&str; 5] = ["step", "thread", "line", "statement", "what happens"];

struct Row {
    number: String,
    bracket: Bracket,
    is_switch: bool,
    /// One of the steps that make up the violation.
    is_marked: bool,
    /// A unit of work begins or ends.
    is_bound: bool,
    thread: String,
    place: String,
    statement: String,
    effect: String,
}

pub(crate) fn table(trace: &TraceData, detail: Detail) -> String {
    let switches = trace.switches();
    let rows = rows(trace);
    let has_brackets = rows.iter().any(|it| it.bracket != Bracket::None);
    let has_marks = rows.iter().any(|it| it.is_marked);
    let mut text = format!(
        "interleaving: {} {}, {switches} {} of thread{}{}{}\n",
        trace.steps.len(),
        if trace.steps.len() == 1 {
            "step"
        } else {
            "steps"
        },
        if switches == 1 { "switch" } else { "switches" },
        if switches == 0 { "" } else { " (marked `>`)" },
        if has_brackets {
            ", transactions in brackets"
        } else {
            ""
        },
        if has_marks {
            ", accesses of the violation marked `*`"
        } else {
            ""
        },
    );
    if trace.steps.is_empty() {
        return "interleaving: no step, the program starts like that\n".to_owned();
    }
    let widths = [
        width(&rows, HEADINGS[0], |row| &row.number),
        width(&rows, HEADINGS[1], |row| &row.thread),
        width(&rows, HEADINGS[2], |row| &row.place),
        width(&rows, HEADINGS[3], |row| &row.statement),
    ];
    let _ = writeln!(
        text,
        "  {:>a$}   {} {:b$}  {:>c$}  {:d$}  {}",
        HEADINGS[0],
        if has_marks { " " } else { "" },
        HEADINGS[1],
        HEADINGS[2],
        HEADINGS[3],
        HEADINGS[4],
        a = widths[0],
        b = widths[1],
        c = widths[2],
        d = widths[3],
    );
    let kept = kept(&rows, detail);
    let mut left_out = 0;
    for (row, is_kept) in rows.iter().zip(kept) {
        if !is_kept {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            gap(&mut text, left_out, widths[0]);
            left_out = 0;
        }
        let line = format!(
            "  {:>a$} {}{}{} {:b$}  {:>c$}  {:d$}  {}",
            row.number,
            row.bracket.sign(),
            if row.is_switch { '>' } else { ' ' },
            match (has_marks, row.is_marked) {
                (false, _) => "",
                (true, false) => " ",
                (true, true) => "*",
            },
            row.thread,
            row.place,
            row.statement,
            row.effect,
            a = widths[0],
            b = widths[1],
            c = widths[2],
            d = widths[3],
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Which rows to show: all, or the beginning, the end, and between them the switches of thread, what makes up the
/// violation, and the units of work that it lies in.
fn kept(rows: &[Row], detail: Detail) -> Vec<bool> {
    let has_marks = rows.iter().any(|it| it.is_marked);
    let is_short = rows.len() <= MOST_ROWS;
    let mut switches = 0;
    rows.iter()
        .enumerate()
        .map(|(index, row)| {
            let is_at_switch = row.is_switch || rows.get(index + 1).is_some_and(|it| it.is_switch);
            switches += usize::from(row.is_switch);
            detail == Detail::Verbose
                || is_short
                || index < FIRST_ROWS
                || index + LAST_ROWS >= rows.len()
                || (is_at_switch && switches <= MOST_SWITCHES)
                || row.is_marked
                || (has_marks && row.is_bound)
        })
        .collect()
}

fn gap(text: &mut String, left_out: usize, width: usize) {
    let noun = if left_out == 1 { "step" } else { "steps" };
    let _ = writeln!(
        text,
        "  {:>width$}    {left_out} {noun} left out; `-v` prints them, `--trace FILE` writes them",
        "…"
    );
}

fn rows(trace: &TraceData) -> Vec<Row> {
    let names_files = has_several_files(trace);
    let mut previous = None;
    let mut rows = Vec::new();
    let brackets = brackets(&trace.transactions, trace.steps.len());
    for (index, (step, bracket)) in trace.steps.iter().zip(brackets).enumerate() {
        rows.push(Row {
            number: (index + 1).to_string(),
            bracket,
            is_switch: previous.is_some_and(|thread| thread != step.thread),
            is_marked: trace.is_marked(index),
            is_bound: step.parts.iter().any(|it| it.action.starts_with("unit_")),
            thread: step.thread_name.clone(),
            place: place(step, names_files),
            statement: cut(&statement(step), WIDEST_STATEMENT),
            effect: cut(&effect(step), WIDEST_EFFECT),
        });
        previous = Some(step.thread);
    }
    rows
}

fn has_several_files(trace: &TraceData) -> bool {
    let mut files = trace
        .steps
        .iter()
        .flat_map(|step| &step.parts)
        .filter_map(|part| part.place.as_ref())
        .map(|place| &place.file);
    files
        .next()
        .is_some_and(|first| files.any(|other| other != first))
}

fn place(step: &StepData, names_files: bool) -> String {
    match step.parts.first().and_then(|part| part.place.as_ref()) {
        Some(place) if names_files => format!("{}:{}", place.file, place.line),
        Some(place) => place.line.to_string(),
        None => String::new(),
    }
}

/// The source line, or the action where there is none.
fn statement(step: &StepData) -> String {
    step.parts.first().map_or_else(String::new, |part| {
        part.source.clone().unwrap_or_else(|| part.action.clone())
    })
}

/// Values read and written, and what else happened.
fn effect(step: &StepData) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(
        step.reads
            .iter()
            .map(|cell| format!("{} is {}", cell.name, cell.value)),
    );
    parts.extend(
        step.writes
            .iter()
            .map(|cell| format!("{} := {}", cell.name, cell.value)),
    );
    if step.reads.is_empty() {
        parts.extend(
            step.sets
                .iter()
                .map(|cell| format!("{} := {}", cell.name, cell.value)),
        );
    }
    parts.extend(step.events.iter().cloned());
    parts.extend(step.output.iter().map(|it| format!("prints {it:?}")));
    parts.join(", ")
}

fn width(rows: &[Row], heading: &str, of: impl Fn(&Row) -> &String) -> usize {
    rows.iter()
        .map(|row| of(row).chars().count())
        .chain([heading.len()])
        .max()
        .unwrap_or(0)
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        let mut short: String = text.chars().take(most - 1).collect();
        short.push('…');
        short
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn step(thread: u64, action: &str) -> Value {
        json!({
            "thread": thread,
            "thread_name": if thread == 0 { "left" } else { "right" },
            "parts": [{ "function": "f", "edge": 0, "action": action }],
            "reads": [], "writes": [], "sets": [], "events": [], "output": [],
        })
    }

    fn trace(steps: &[Value], marked: &[usize]) -> TraceData {
        let labels: Vec<Value> = marked
            .iter()
            .map(|step| {
                json!({ "thread": 0, "function": "f", "edge": 0, "step": step, "text": "here" })
            })
            .collect();
        let violation = json!({
            "property": "atomic-sets", "message": "interrupted", "labels": labels,
        });
        serde_json::from_value(json!({
            "property": "atomic-sets", "initial": 0, "steps": steps, "violation": violation,
        }))
        .expect("it has the form of a trace")
    }

    #[test]
    fn steps_that_make_up_the_violation_are_marked() {
        let steps = [step(0, "x = 1"), step(1, "x = 2"), step(0, "skip")];
        assert_eq!(
            table(&trace(&steps, &[0, 1]), Detail::Normal),
            "\
interleaving: 3 steps, 2 switches of thread (marked `>`), accesses of the violation marked `*`
  step     thread  line  statement  what happens
     1   * left          x = 1
     2  >* right         x = 2
     3  >  left          skip
"
        );
        let unmarked = table(&trace(&steps, &[]), Detail::Normal);
        assert!(!unmarked.contains('*'), "{unmarked}");
    }

    #[test]
    fn of_a_long_trace_the_marked_steps_and_their_units_are_never_left_out() {
        let mut steps = vec![step(0, "skip"); 100];
        steps[40] = step(0, "unit_begin S");
        steps[50] = step(0, "x = 1");
        steps[60] = step(0, "unit_end S");
        let text = table(&trace(&steps, &[50]), Detail::Normal);
        for shown in ["unit_begin S", "x = 1", "unit_end S"] {
            assert!(text.contains(shown), "{text}");
        }
        assert!(text.contains("left out"), "{text}");
    }
}
