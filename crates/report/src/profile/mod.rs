//! Where the time of a run went: what engines measure, put together for JSON, and in tables for people.

mod table;

use std::collections::BTreeMap;

use raddle_base::SourceMap;
use raddle_driver::{ProfileReport, RunProfile};
use raddle_engine::{Phase, ProfilePlace};
use serde::{Deserialize, Serialize};

pub use table::tables;

/// How many lines of a program are told.
const MOST_PLACES: usize = 10;

/// The form for machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfileData {
    pub reading_seconds: f64,
    pub runs: Vec<RunProfileData>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunProfileData {
    pub engine: String,
    pub reduction: String,
    pub seconds: f64,
    pub counters: BTreeMap<String, u64>,
    /// One after the other: no time is in two of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PhaseData>,
    /// What belongs together over several phases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub across: Vec<PhaseData>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amounts: Vec<AmountData>,
    /// Bytes of the largest structures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<AmountData>,
    /// How many steps were worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// The lines on which most of them lie, the first the most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<LineData>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseData {
    /// As in: storing states.
    pub name: String,
    pub seconds: f64,
    /// How often it was begun.
    pub times: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountData {
    pub name: String,
    pub value: u64,
}

/// A line of the program, or all of a function that has no lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineData {
    pub function: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What is done there most often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub steps: u64,
}

impl ProfileData {
    pub fn new(profile: &ProfileReport, sources: &SourceMap) -> Self {
        let runs = profile.runs.iter();
        Self {
            reading_seconds: profile.reading.as_secs_f64(),
            runs: runs.map(|it| RunProfileData::new(it, sources)).collect(),
        }
    }
}

impl RunProfileData {
    fn new(run: &RunProfile, sources: &SourceMap) -> Self {
        let counters = run.counters.iter();
        let inside = run.inside.clone().unwrap_or_default();
        let steps = run.inside.is_some().then(|| total(&inside.places));
        Self {
            engine: run.engine.name().to_owned(),
            reduction: run.reduction.to_string(),
            seconds: run.elapsed.as_secs_f64(),
            counters: counters
                .map(|(name, it)| ((*name).to_owned(), *it))
                .collect(),
            phases: inside.phases.iter().map(phase_data).collect(),
            across: inside.across.iter().map(phase_data).collect(),
            amounts: inside.amounts.iter().map(amount_data).collect(),
            memory: inside.memory.iter().map(amount_data).collect(),
            steps,
            places: busiest_lines(inside.places, sources),
        }
    }
}

fn total(places: &[ProfilePlace]) -> u64 {
    places.iter().map(|it| it.steps).sum()
}

fn phase_data(phase: &Phase) -> PhaseData {
    PhaseData {
        name: phase.name.to_owned(),
        seconds: phase.time.as_secs_f64(),
        times: phase.times,
    }
}

fn amount_data((name, value): &(&'static str, u64)) -> AmountData {
    AmountData {
        name: (*name).to_owned(),
        value: *value,
    }
}

/// The lines with most steps, those with as many in the order of the program.
fn busiest_lines(mut places: Vec<ProfilePlace>, sources: &SourceMap) -> Vec<LineData> {
    // The first one of a line is what is done there most often.
    places.sort_by_key(|it| std::cmp::Reverse(it.steps));
    let mut lines: BTreeMap<(Option<String>, Option<u32>, String), LineData> = BTreeMap::new();
    for place in places {
        let span = place.span.filter(|it| sources.knows(*it));
        let begin = span.map(|it| sources.place(it));
        let file = begin.as_ref().map(|it| it.file.clone());
        let line = begin.map(|it| it.line);
        let key = (file.clone(), line, place.function.clone());
        let known = lines.entry(key).or_insert_with(|| LineData {
            function: place.function,
            file,
            line,
            source: span.map(|it| first_line(sources.text(it))),
            steps: 0,
        });
        known.steps += place.steps;
    }
    let mut lines: Vec<LineData> = lines.into_values().collect();
    lines.sort_by_key(|it| std::cmp::Reverse(it.steps));
    lines.truncate(MOST_PLACES);
    lines
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use raddle_base::Span;

    use super::*;

    fn place(span: Option<Span>, function: &str, steps: u64) -> ProfilePlace {
        ProfilePlace {
            function: function.to_owned(),
            span,
            steps,
        }
    }

    #[test]
    fn steps_of_a_line_are_added_up_and_the_busiest_line_comes_first() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.rad", "x = 1; y = 2\nz = 3\n");
        let at = |line, column| sources.span_at(file, line, column);
        let places = vec![
            place(at(1, 1), "f", 2),
            place(at(2, 1), "f", 4),
            place(at(1, 8), "f", 3),
            place(None, "start", 1),
        ];
        let lines = busiest_lines(places, &sources);
        let told: Vec<(Option<u32>, &str, u64)> = lines
            .iter()
            .map(|it| (it.line, it.function.as_str(), it.steps))
            .collect();
        assert_eq!(
            told,
            [(Some(1), "f", 5), (Some(2), "f", 4), (None, "start", 1)]
        );
        assert_eq!(lines[0].file.as_deref(), Some("a.rad"));
    }

    #[test]
    fn no_more_than_ten_lines_are_told() {
        let places = (0..50).map(|it| place(None, &format!("f{it}"), it));
        let lines = busiest_lines(places.collect(), &SourceMap::new());
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[0].steps, 49);
    }
}
