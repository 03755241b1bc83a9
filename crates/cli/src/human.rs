//! Reports as people read them. Not an interface: scripts read `--format json`.

use std::fmt::Write;

use raddle::{
    Checked, Commands, Counters, Diagnostic, EngineId, Flags, Proof, Property, PropertyReport,
    Reduction, Report, SourceMap, Standing, Summary, Timing, Verdict, Words,
};
use raddle_diag::{Colour, Severity, render};
use raddle_driver::condition::clause;
use raddle_report::{Baseline, Novelty};

use crate::detail::Detail;
use crate::{abstract_trace, interleaving};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) colour: Colour,
    pub(crate) timing: Timing,
    pub(crate) detail: Detail,
    /// Whether to say how a trace can be written.
    pub(crate) offers_trace: bool,
}

/// What is wrong with the input, one message after the other.
pub(crate) fn input_errors(
    diagnostics: &[&Diagnostic],
    sources: &SourceMap,
    colour: Colour,
) -> String {
    /// After so many messages the rest is most likely a consequence.
    const MOST_SHOWN: usize = 20;
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        text.push_str(&render(diagnostic, sources, colour));
        text.push_str("\n\n");
    }
    if diagnostics.len() > MOST_SHOWN {
        let _ = writeln!(text, "… and {} more\n", diagnostics.len() - MOST_SHOWN);
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The whole report. With what an earlier one had, `checked` has only the evidence that is new.
pub(crate) fn report(
    report: &Report,
    checked: &Checked,
    commands: &Commands,
    baseline: Option<&Baseline>,
    style: Style,
) -> String {
    if style.detail == Detail::Quiet {
        return verdicts_only(checked);
    }
    let mut text = String::new();
    for property in &checked.properties {
        if property.trace.is_some() {
            violation(&mut text, property, report, style);
        }
        for finding in &property.more {
            let diagnostic = raddle_report::worded(&finding.note, &Flags);
            text.push_str(&render(&diagnostic, &report.sources, style.colour));
            text.push_str("\n\n");
        }
    }
    // Warnings do not belong to the verdicts.
    for diagnostic in &raddle_report::said(report, &Flags) {
        // What is violated was said, as far as it is new.
        if diagnostic.severity == Severity::Warning {
            text.push_str(&render(diagnostic, &report.sources, style.colour));
            text.push_str("\n\n");
        }
    }
    for property in &checked.properties {
        if let Verdict::Unknown(reason) = property.audited.verdict()
            && !reason.abstract_steps().is_empty()
        {
            let steps = reason.abstract_steps();
            text.push_str(&abstract_trace::table(steps, &report.sources, style.detail));
            text.push('\n');
        }
    }
    summary(&mut text, report, checked, baseline, style);
    if style.detail == Detail::Verbose {
        counters(
            &mut text,
            checked.engine,
            checked.reduction,
            &checked.counters,
        );
        for run in &checked.other_runs {
            counters(&mut text, run.engine, run.reduction, &run.counters);
        }
    }
    let _ = writeln!(text, "  repeat with: {}", commands.whole);
    for property in raced(checked).into_iter().chain(apart(checked)) {
        if let Some(command) = commands.of_property.get(&property) {
            let _ = writeln!(text, "  repeat {property} with: {command}");
        }
    }
    text
}

/// What one of several engines was the first to decide, if others were too: another time it may be another one.
fn raced(checked: &Checked) -> Vec<Property> {
    let searching = [EngineId::Explicit, EngineId::Bmc, EngineId::Sample];
    let by = |engine: EngineId| {
        let decided = checked.properties.iter().filter(move |it| {
            it.engine == engine && !matches!(it.audited.verdict(), Verdict::Unknown(_))
        });
        decided.map(|it| it.audited.property())
    };
    if searching
        .iter()
        .filter(|it| by(**it).next().is_some())
        .count()
        < 2
    {
        return Vec::new();
    }
    searching.into_iter().flat_map(by).collect()
}

/// What an engine decided that took no part in deciding the rest.
fn apart(checked: &Checked) -> Vec<Property> {
    let own = EngineId::Pushdown;
    if checked.properties.iter().all(|it| it.engine == own) {
        return Vec::new();
    }
    let by_it = checked.properties.iter().filter(|it| it.engine == own);
    by_it.map(|it| it.audited.property()).collect()
}

fn counters(text: &mut String, engine: EngineId, reduction: Reduction, counters: &Counters) {
    // Nothing is counted where everything was proved without search.
    if counters.is_empty() {
        return;
    }
    let counters: Vec<String> = counters
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let _ = writeln!(
        text,
        "  counters of `{engine}` with reduction `{reduction}`: {}",
        counters.join(", ")
    );
}

fn verdicts_only(checked: &Checked) -> String {
    let mut text = String::new();
    for report in &checked.properties {
        let _ = writeln!(
            text,
            "{}: {}",
            report.audited.property(),
            report.audited.verdict().word()
        );
    }
    text
}

/// The message with its source lines, then the interleaving that leads there.
fn violation(text: &mut String, property: &PropertyReport, report: &Report, style: Style) {
    let (Some(note), Some(trace)) = (&property.note, &property.trace) else {
        return;
    };
    let mut diagnostic = raddle_report::worded(note, &Flags);
    if style.offers_trace {
        diagnostic = diagnostic
            .help("write the trace with `--trace FILE`, step through it with `raddle replay FILE`");
    }
    text.push_str(&render(&diagnostic, &report.sources, style.colour));
    text.push_str("\n\n");
    text.push_str(&interleaving::table(trace, style.detail));
    text.push('\n');
}

fn summary(
    text: &mut String,
    report: &Report,
    checked: &Checked,
    baseline: Option<&Baseline>,
    style: Style,
) {
    let all = checked.properties.len();
    let violated = checked.count(|it| matches!(it, Verdict::Unsafe(_)));
    let proved = checked.count(|it| matches!(it, Verdict::Safe(_)));
    let undecided = all - violated - proved;
    let word = report.summary();
    let noun = if all == 1 { "property" } else { "properties" };
    let mut parts = Vec::new();
    if violated > 0 {
        parts.push(format!("{violated} of {all} {noun} violated"));
    }
    if proved > 0 || violated == 0 {
        parts.push(if parts.is_empty() {
            format!("{proved} of {all} {noun} proved")
        } else {
            format!("{proved} proved")
        });
    }
    if undecided > 0 {
        parts.push(format!("{undecided} undecided"));
    }
    if let Some(baseline) = baseline {
        let Novelty { known, new } = baseline.novelty(report);
        let new = if new == 0 {
            "nothing".to_owned()
        } else {
            new.to_string()
        };
        parts.push(format!("{new} new, {known} known from the baseline"));
    }
    let _ = write!(
        text,
        "{}: {}",
        style.colour.painted(word.word(), colour_of(word)),
        parts.join(", ")
    );
    match style.timing {
        Timing::Shown => {
            let _ = writeln!(text, " ({:.2} s)", report.elapsed.as_secs_f64());
        }
        Timing::Hidden => text.push('\n'),
    }
    for property in &checked.properties {
        property_line(text, property, checked);
    }
    if !checked.assumptions.is_empty() {
        let _ = writeln!(text, "  = for {}", checked.assumptions.join(", "));
    }
    if checked.observes_layout {
        text.push_str(
            "  = note: a result depends on where objects lie in memory, which no real machine promises\n",
        );
    }
    for help in helps(checked) {
        let _ = writeln!(text, "  = help: {help}");
    }
}

/// How many reasons of a proof are told.
const MAX_REASONS: usize = 12;

fn property_line(text: &mut String, report: &PropertyReport, checked: &Checked) {
    let decider = report.decider();
    let verdict = report.audited.verdict();
    let explanation = match verdict {
        Verdict::Safe(proof) => {
            let how = match proof {
                Proof::SearchExhausted(_) => "search exhausted".to_owned(),
                Proof::SearchUpTo(up_to) => up_to.to_string(),
                Proof::HappensBefore(_) => Proof::BY_HAPPENS_BEFORE.to_owned(),
                Proof::Invariant { .. } => Proof::BY_INVARIANT.to_owned(),
                Proof::NothingToCheck => "nothing to check".to_owned(),
                Proof::OverApproximation { procedure, .. } => (*procedure).to_owned(),
            };
            let standing = match (report.audited.standing(), proof) {
                (Standing::Checked, _) => "checked independently",
                (Standing::Trusted, Proof::Invariant { .. }) => "its translation trusted",
                (Standing::Trusted, _) => "not checked independently",
            };
            let searched = if report.relies_on_search {
                ", which the search of all states has shown"
            } else {
                ""
            };
            format!("by {decider}, {how}{searched}, {standing}")
        }
        Verdict::Unsafe(_) if report.trace.is_none() => {
            format!("nothing new, by {decider}, trace replayed")
        }
        Verdict::Unsafe(_) if report.more.is_empty() => format!("by {decider}, trace replayed"),
        Verdict::Unsafe(_) => {
            let all = report.more.len() + 1;
            format!("{all} distinct, by {decider}, traces replayed")
        }
        Verdict::Unknown(reason) if report.note.is_some() => {
            format!("for the reason given above [{}]", reason.code())
        }
        Verdict::Unknown(reason) => format!("{reason} [{}]", reason.code()),
    };
    let property = report.audited.property();
    let _ = writeln!(
        text,
        "  {property}: {}{}, {explanation}{}",
        verdict.word(),
        clause(&report.conditions).map_or_else(String::new, |it| format!(" {it}")),
        but_for(property, checked)
    );
    if let Verdict::Safe(Proof::OverApproximation { reasons, .. }) = verdict {
        for reason in reasons.iter().take(MAX_REASONS) {
            let _ = writeln!(text, "    {}", reason.text);
        }
        if reasons.len() > MAX_REASONS {
            let _ = writeln!(text, "    and {} more", reasons.len() - MAX_REASONS);
        }
    }
}

/// As in: but for 2 ignored lines.
fn but_for(property: Property, checked: &Checked) -> String {
    match checked.ignored_lines {
        lines if lines > 0 && property == Property::Race => {
            let noun = if lines == 1 { "line" } else { "lines" };
            format!(", but for {lines} ignored {noun}")
        }
        _ => String::new(),
    }
}

/// What to try next; reasons that lie at a place have said it there.
fn helps(checked: &Checked) -> Vec<String> {
    let mut helps: Vec<String> = Vec::new();
    for property in &checked.properties {
        if let Verdict::Unknown(reason) = property.audited.verdict()
            && property.note.is_none()
        {
            let help = Flags.remedy(&reason.remedy_for(property.audited.property()));
            if !helps.contains(&help) {
                helps.push(help);
            }
        }
    }
    helps
}

fn colour_of(summary: Summary) -> &'static str {
    match summary {
        Summary::Safe => "\x1b[1;32m",
        Summary::Unsafe | Summary::InputError | Summary::InternalError => "\x1b[1;31m",
        Summary::Unknown => "\x1b[1;33m",
    }
}
