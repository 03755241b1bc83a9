//! Where the time of a run went, as people read it.

use std::fmt::Write;
use std::time::Duration;

use super::{ProfileData, RunProfileData};

use crate::columns::widths;
use crate::numbers::{grouped, size};

/// The tables of all runs.
pub fn tables(profile: &ProfileData, elapsed: Duration) -> String {
    let mut text = format!(
        "\nprofile: {:.2} s in all, {:.2} s to read the program\n",
        elapsed.as_secs_f64(),
        profile.reading_seconds
    );
    for run in &profile.runs {
        text.push('\n');
        table(&mut text, run);
    }
    text
}

fn table(text: &mut String, run: &RunProfileData) {
    let _ = writeln!(
        text,
        "  `{}` with reduction `{}`: {:.2} s",
        run.engine, run.reduction, run.seconds
    );
    if run.phases.is_empty() {
        let counters = run.counters.iter();
        rows(
            text,
            counters.map(|(name, value)| [words(name), grouped(*value)]),
        );
        return;
    }
    let mut phases = run.phases.clone();
    phases.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    let heading = ["time", "seconds", "share", "times"].map(str::to_owned);
    let phases = phases.iter().map(|it| {
        let share = 100.0 * it.seconds / run.seconds.max(f64::MIN_POSITIVE);
        [
            it.name.clone(),
            format!("{:.3}", it.seconds),
            format!("{share:.1} %"),
            grouped(it.times),
        ]
    });
    rows(text, std::iter::once(heading).chain(phases));
    for it in run.across.iter().filter(|it| it.times > 0) {
        let _ = writeln!(
            text,
            "    of that, {}: {:.3} s, {} times",
            it.name,
            it.seconds,
            grouped(it.times)
        );
    }
    let heading = ["number", ""].map(str::to_owned);
    let counters = run.counters.iter().map(|(name, value)| (name, *value));
    let amounts = run.amounts.iter().map(|it| (&it.name, it.value));
    let numbers = counters
        .chain(amounts)
        .map(|(name, value)| [words(name), grouped(value)]);
    text.push('\n');
    rows(text, std::iter::once(heading).chain(numbers));
    let heading = ["memory", ""].map(str::to_owned);
    let memory = run
        .memory
        .iter()
        .map(|it| [words(&it.name), size(it.value)]);
    text.push('\n');
    rows(text, std::iter::once(heading).chain(memory));
    places(text, run);
}

/// The lines of the program that kept the engine busy.
fn places(text: &mut String, run: &RunProfileData) {
    let all = run.steps.unwrap_or_default();
    if all == 0 {
        return;
    }
    let heading = ["steps worked out", "number", "share"].map(str::to_owned);
    let lines = run.places.iter().map(|it| {
        let place = match (&it.file, it.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => format!("`{}`", it.function),
        };
        let source = it.source.as_deref().unwrap_or_default();
        let name = format!("{place} {}", shortened(source));
        [
            name.trim_end().to_owned(),
            grouped(it.steps),
            format!("{} %", it.steps.saturating_mul(100) / all),
        ]
    });
    text.push('\n');
    rows(text, std::iter::once(heading).chain(lines));
}

/// Rows in columns; the first is words, the others are numbers.
fn rows<const N: usize>(text: &mut String, rows: impl Iterator<Item = [String; N]>) {
    let rows: Vec<[String; N]> = rows.collect();
    let widths = widths(&rows);
    for row in &rows {
        let mut line = String::from("   ");
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match at {
                0 => write!(line, " {cell:<width$}"),
                _ => write!(line, "  {cell:>width$}"),
            };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// Names of counters are one word.
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// What of a statement fits into a table.
fn shortened(source: &str) -> String {
    const MOST: usize = 40;
    if source.chars().count() <= MOST {
        return source.to_owned();
    }
    let head: String = source.chars().take(MOST - 1).collect();
    format!("{}…", head.trim_end())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::profile::{AmountData, LineData, PhaseData};

    use super::*;

    fn run() -> RunProfileData {
        RunProfileData {
            engine: "explicit".to_owned(),
            reduction: "none".to_owned(),
            seconds: 2.0,
            counters: BTreeMap::from([("states".to_owned(), 1_234)]),
            phases: Vec::new(),
            across: Vec::new(),
            amounts: Vec::new(),
            memory: Vec::new(),
            steps: None,
            places: Vec::new(),
        }
    }

    #[test]
    fn the_longest_phase_comes_first_and_lines_tell_their_share() {
        let phase = |name: &str, seconds, times| PhaseData {
            name: name.to_owned(),
            seconds,
            times,
        };
        let run = RunProfileData {
            phases: vec![
                phase("loading states", 0.5, 10),
                phase("storing states", 1.5, 2_000),
            ],
            across: vec![phase("exploring again", 0.25, 3)],
            amounts: vec![AmountData {
                name: "inner_nodes".to_owned(),
                value: 77,
            }],
            memory: vec![AmountData {
                name: "links".to_owned(),
                value: 4_000_000,
            }],
            steps: Some(8),
            places: vec![LineData {
                function: "t".to_owned(),
                file: Some("a.rad".to_owned()),
                line: Some(4),
                source: Some("x = a + 1".to_owned()),
                steps: 2,
            }],
            ..run()
        };
        let mut text = String::new();
        table(&mut text, &run);
        assert_eq!(
            text,
            "  `explicit` with reduction `none`: 2.00 s
    time            seconds   share  times
    storing states    1.500  75.0 %  2,000
    loading states    0.500  25.0 %     10
    of that, exploring again: 0.250 s, 3 times

    number
    states       1,234
    inner nodes     77

    memory
    links   4 MB

    steps worked out   number  share
    a.rad:4 x = a + 1       2   25 %
"
        );
    }

    #[test]
    fn who_does_not_measure_himself_tells_his_time_and_his_counters() {
        let mut text = String::new();
        table(&mut text, &run());
        assert_eq!(
            text,
            "  `explicit` with reduction `none`: 2.00 s\n    states  1,234\n"
        );
    }

    #[test]
    fn long_statements_are_cut() {
        assert_eq!(shortened("x = 1"), "x = 1");
        assert_eq!(shortened(&"x".repeat(50)), format!("{}…", "x".repeat(39)));
    }
}
