//! What is said of a step and of the threads around it.

use raddle::SourceMap;
use raddle_diag::{Colour, PlaceData, render};
use raddle_driver::{Bracket, Change, Moment, Replay, StepData, ThreadView};

use raddle_report::columns;

pub(super) const BOLD: &str = "\x1b[1m";
/// How many lines of source to show on either side.
const CONTEXT: u32 = 2;

/// Where a step was taken: the first of its parts that has a place.
pub(super) fn place_of(step: &StepData) -> Option<&PlaceData> {
    step.parts.iter().find_map(|part| part.place.as_ref())
}

/// `line 7`, or `bank.rad:7` where that is not enough.
pub(super) fn place_text(place: Option<&PlaceData>, names_files: bool) -> String {
    match place {
        Some(place) if names_files => format!("{}:{}", place.file, place.line),
        Some(place) => format!("line {}", place.line),
        None => "no line".to_owned(),
    }
}

/// The source text, or the action where there is none.
pub(super) fn statement(step: &StepData) -> &str {
    step.parts
        .iter()
        .find_map(|part| part.source.as_deref())
        .or_else(|| step.parts.first().map(|part| part.action.as_str()))
        .unwrap_or_default()
}

/// Where in a transaction of several steps a step stands, after the rest of the headline.
pub(super) fn in_transaction(bracket: Bracket) -> &'static str {
    match bracket {
        Bracket::None => "",
        Bracket::First => ", begins a transaction",
        Bracket::Inside => ", inside a transaction",
        Bracket::Last => ", ends a transaction",
    }
}

/// What was read, what changed, and what else happened.
pub(super) fn effects(moment: &Moment) -> Vec<String> {
    let Some(step) = &moment.step else {
        return Vec::new();
    };
    let mut lines: Vec<String> = step
        .reads
        .iter()
        .map(|cell| format!("{} is {}", cell.name, cell.value))
        .collect();
    lines.dedup();
    lines.extend(moment.changes.iter().map(change));
    lines.extend(step.events.iter().cloned());
    lines.extend(step.output.iter().map(|it| format!("prints {it:?}")));
    let marks = moment.marks.iter();
    lines.extend(marks.map(|it| format!("* part of the violation: {it}")));
    lines
}

fn change(change: &Change) -> String {
    let Change {
        name,
        before,
        after,
    } = change;
    match before {
        None => format!("{name} := {after}"),
        Some(before) if before == after => format!("{name} stays {after}"),
        Some(before) => format!("{name}: {before} → {after}"),
    }
}

/// Who holds which lock.
pub(super) fn locks(moment: &Moment) -> Option<String> {
    let parts: Vec<String> = moment
        .threads
        .iter()
        .filter(|thread| !thread.holds.is_empty())
        .map(|thread| format!("{} by `{}`", quoted(&thread.holds), thread.name))
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Who waits for what.
pub(super) fn waits(moment: &Moment) -> Option<String> {
    let parts: Vec<String> = moment
        .threads
        .iter()
        .filter(|thread| !thread.waits.is_empty())
        .map(|thread| format!("`{}` for {}", thread.name, thread.waits.join(", or for ")))
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// One line a thread: where it stands, what it holds, what it waits for.
pub(super) fn threads(moment: &Moment, names_files: bool) -> String {
    let rows: Vec<[String; 3]> = moment
        .threads
        .iter()
        .map(|thread| {
            let place = if thread.has_ended {
                "ended".to_owned()
            } else {
                place_text(thread.place.as_ref(), names_files)
            };
            [thread.name.clone(), place, thread.statement.clone()]
        })
        .collect();
    let widths = columns::widths(&rows);
    let last = moment.step.as_ref().map(|step| step.thread);
    let mut text = String::new();
    for (thread, [name, place, statement]) in moment.threads.iter().zip(&rows) {
        let mark = if last == Some(thread.number) {
            '>'
        } else {
            ' '
        };
        let line = format!(
            "  {mark} {name:a$}  {place:b$}  {statement:c$}  {}",
            standing(thread),
            a = widths[0],
            b = widths[1],
            c = widths[2],
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn standing(thread: &ThreadView) -> String {
    let mut parts = Vec::new();
    if !thread.holds.is_empty() {
        parts.push(format!("holds {}", quoted(&thread.holds)));
    }
    if !thread.waits.is_empty() {
        parts.push(format!("waits for {}", thread.waits.join(", or for ")));
    }
    parts.join(", ")
}

/// The lines of source around a place.
pub(super) fn context(place: &PlaceData, sources: &SourceMap, colour: Colour) -> String {
    let Some(file) = sources.named(&place.file) else {
        return String::new();
    };
    let first = place.line.saturating_sub(CONTEXT).max(1);
    let width = (place.line + CONTEXT).to_string().len();
    let mut text = String::new();
    for (number, line) in (1_u32..).zip(file.text.lines()) {
        if number > place.line + CONTEXT {
            break;
        }
        if number < first {
            continue;
        }
        let row = if number == place.line {
            colour.painted(&format!("> {number:width$} | {line}"), BOLD)
        } else {
            format!("  {number:width$} | {line}")
        };
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// What the trace comes to.
pub(super) fn end(replay: &Replay, sources: &SourceMap, colour: Colour) -> String {
    let violation = render(&replay.violation, sources, colour);
    match &replay.outcome {
        Ok(()) => format!("{violation}\n\nthe violation recurs\n"),
        Err(mismatch) => format!(
            "the violation does not recur: {mismatch}\nthis was claimed:\n\n{violation}\n\n\
             the trace was edited, or recorded by another version of raddle\n"
        ),
    }
}

/// As in: trace about `race`: 2 steps, 1 switch of thread.
pub(super) fn title(replay: &Replay, sources: &SourceMap) -> String {
    let files: Vec<String> = sources
        .files()
        .map(|(_, file)| format!("`{}`", file.name))
        .collect();
    let switches = replay.switches();
    format!(
        "trace about `{}` in {}: {} {}, {switches} {} of thread\n",
        replay.property,
        files.join(", "),
        replay.steps,
        if replay.steps == 1 { "step" } else { "steps" },
        if switches == 1 { "switch" } else { "switches" },
    )
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    quoted.join(", ")
}
