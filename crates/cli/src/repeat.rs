//! The command that repeats a run.

use std::path::Path;

use clap::ValueEnum;
use raddle::{Options, Outcome, Report};

use crate::arguments::Check;

/// With the engine that decided, the seed and the limits; other defaults are left out.
pub(crate) fn command(check: &Check, report: &Report) -> String {
    let mut words = vec!["raddle".to_owned(), "check".to_owned()];
    for property in &check.properties {
        flag(&mut words, "--property", &value_name(property));
    }
    let engine = match &report.outcome {
        Outcome::Checked(checked) => checked.engine.to_owned(),
        Outcome::InputError(_) | Outcome::InternalError(_) => value_name(&check.engine),
    };
    flag(&mut words, "--engine", &engine);
    if let Some(reduction) = &check.reduction {
        flag(&mut words, "--reduction", &value_name(reduction));
    }
    flag(&mut words, "--seed", &check.seed.to_string());
    flag(
        &mut words,
        "--timeout",
        &check.timeout.as_secs_f64().to_string(),
    );
    if let Some(memory) = check.memory {
        flag(&mut words, "--memory", &memory.to_string());
    }
    if let Some(jobs) = check.jobs {
        flag(&mut words, "--jobs", &jobs.to_string());
    }
    if check.max_threads != Options::default().max_threads {
        flag(&mut words, "--max-threads", &check.max_threads.to_string());
    }
    if let Some(model) = &check.input.data_model {
        flag(&mut words, "--data-model", &value_name(model));
    }
    if let Some(language) = &check.input.language {
        flag(&mut words, "--language", &value_name(language));
    }
    words.extend(check.input.files.iter().map(|file| quoted(file)));
    words.join(" ")
}

fn flag(words: &mut Vec<String>, name: &str, value: &str) {
    words.push(name.to_owned());
    words.push(value.to_owned());
}

pub(crate) fn value_name(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map_or_else(String::new, |it| it.get_name().to_owned())
}

/// As a shell reads it back.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
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
        assert_eq!(quoted(Path::new("a/b-1.rad")), "a/b-1.rad");
        assert_eq!(quoted(Path::new("my model.rad")), "'my model.rad'");
        assert_eq!(quoted(Path::new("it's.rad")), r"'it'\''s.rad'");
    }
}
