//! The command that repeats a run.

use std::ffi::OsStr;

use raddle::{
    Commands, EngineChoice, EngineId, Options, Outcome, Property, PropertyReport, Report,
};

use crate::arguments::{Check, compiler, plain_path, value_name};

/// Of the run, and of each verdict.
pub(crate) fn commands(check: &Check, report: &Report) -> Commands {
    let asked: Vec<String> = check.question.properties.iter().map(value_name).collect();
    let mut commands = Commands {
        whole: command(check, &asked, decider(check, report)),
        ..Commands::default()
    };
    if let Outcome::Checked(checked) = &report.outcome {
        for it in &checked.properties {
            let property = it.audited.property();
            let asked = [property.name().to_owned()];
            let mut check = check.clone();
            // Sets ask for the property that speaks about them, and this one does not.
            if property != Property::AtomicSets {
                check.question.input.atomic_sets = None;
                check.automata.clear();
            }
            // Alone, the engine would have to be told.
            check.assume_defined |= it.relies_on_search;
            let command = command(&check, &asked, named(&check, it));
            commands.of_property.insert(property, command);
        }
    }
    commands
}

/// With the engine that decided, the seed and the limits; other defaults are left out.
fn command(
    check: &Check,
    properties: &[String],
    (engine, reduction): (EngineChoice, Option<String>),
) -> String {
    let mut words = Vec::new();
    let compiler = compiler().join(" ");
    if check.question.input.reads_c() && !compiler.is_empty() {
        words.push(format!("CC={}", quoted(OsStr::new(&compiler))));
    }
    words.extend(["raddle".to_owned(), "check".to_owned()]);
    for property in properties {
        flag(&mut words, "--property", property);
    }
    flag(&mut words, "--engine", engine.name());
    if let Some(reduction) = reduction {
        flag(&mut words, "--reduction", &reduction);
    }
    if let Some(patterns) = &check.patterns
        && is_or_may_be(engine, EngineId::Pushdown)
    {
        flag(&mut words, "--patterns", &value_name(patterns));
    }
    if let Some(pairs) = &check.pairs {
        flag(&mut words, "--pairs", &value_name(pairs));
    }
    for bound in &check.context_bounds {
        flag(&mut words, "--context-bound", &bound.text);
    }
    if let Some(strategy) = check.strategy {
        flag(&mut words, "--strategy", &strategy.to_string());
    }
    if let Some(schedules) = check.schedules {
        flag(&mut words, "--schedules", &schedules.to_string());
    }
    for file in &check.automata {
        words.push("--automaton".to_owned());
        words.push(quoted(&plain_path(file)));
    }
    if check.shortest && engine.counts_switches() {
        words.push("--shortest".to_owned());
    }
    if let Some(most) = check.preemptions
        && is_or_may_be(engine, EngineId::Explicit)
    {
        flag(&mut words, "--preemptions", &most.to_string());
    }
    if let Some(replays) = check.minimise {
        flag(&mut words, "--minimise", &replays.to_string());
    }
    if let Some(races) = check.races {
        flag(&mut words, "--races", &races.to_string());
    }
    if check.hash_compact && is_or_may_be(engine, EngineId::Explicit) {
        words.push("--hash-compact".to_owned());
    }
    if check.symmetry && is_or_may_be(engine, EngineId::Explicit) {
        words.push("--symmetry".to_owned());
    }
    if let Some(folder) = check
        .checkpoint
        .as_ref()
        .filter(|_| is_or_may_be(engine, EngineId::Explicit))
    {
        words.push("--checkpoint".to_owned());
        words.push(quoted(&plain_path(folder)));
    }
    if let Some(file) = &check.baseline {
        words.push("--baseline".to_owned());
        words.push(quoted(&plain_path(file)));
    }
    flag(&mut words, "--seed", &check.seed.to_string());
    flag(
        &mut words,
        "--timeout",
        &check.question.timeout.as_secs_f64().to_string(),
    );
    if let Some(memory) = check.question.memory {
        flag(&mut words, "--memory", &memory.to_string());
    }
    if let Some(jobs) = check.jobs {
        flag(&mut words, "--jobs", &jobs.to_string());
    }
    if check.max_threads != Options::default().max_threads {
        flag(&mut words, "--max-threads", &check.max_threads.to_string());
    }
    if check.spurious {
        words.push("--spurious".to_owned());
    }
    if check.no_recycling {
        words.push("--no-recycling".to_owned());
    }
    if check.strict {
        words.push("--strict".to_owned());
    }
    if check.assume_defined {
        words.push("--assume-defined".to_owned());
    }
    words.extend(check.question.input.words().iter().map(|word| quoted(word)));
    words.join(" ")
}

/// The one that decided everything; engines that decided together are chosen together.
fn decider(check: &Check, report: &Report) -> (EngineChoice, Option<String>) {
    let asked = check.reduction.as_ref().map(value_name);
    let Outcome::Checked(checked) = &report.outcome else {
        return (check.engine.choice(), asked);
    };
    let mut deciders = checked
        .properties
        .iter()
        .map(|it| (it.engine, it.reduction));
    let first = deciders.next();
    match checked.properties.first() {
        Some(one) if deciders.all(|it| Some(it) == first) => named(check, one),
        Some(_) | None => (check.engine.choice(), asked),
    }
}

/// Who decided a property. An engine that has but one reduction needs no more than its name.
fn named(check: &Check, report: &PropertyReport) -> (EngineChoice, Option<String>) {
    let has_others = report.engine.reductions().len() > 1;
    let reduction = has_others.then(|| report.reduction.to_string());
    let asked = check.reduction.as_ref().map(value_name);
    (
        EngineChoice::One(report.engine),
        asked.filter(|_| has_others).or(reduction),
    )
}

/// Whether the driver may choose this engine, if it is not the one.
fn is_or_may_be(choice: EngineChoice, engine: EngineId) -> bool {
    choice == EngineChoice::Auto || choice == EngineChoice::One(engine)
}

fn flag(words: &mut Vec<String>, name: &str, value: &str) {
    words.push(name.to_owned());
    words.push(value.to_owned());
}

/// As a shell reads it back.
pub(crate) fn quoted(word: &OsStr) -> String {
    let text = word.to_string_lossy().into_owned();
    let is_plain = |it: char| it.is_alphanumeric() || "-_./+,:@%=".contains(it);
    if !text.is_empty() && text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_shell_would_split_are_quoted() {
        assert_eq!(quoted(OsStr::new("a/b-1.rad")), "a/b-1.rad");
        assert_eq!(quoted(OsStr::new("my model.rad")), "'my model.rad'");
        assert_eq!(quoted(OsStr::new("it's.rad")), r"'it'\''s.rad'");
    }
}
