//! The report as people read it: the source with a gutter, then the variables.

use std::fmt::Write;

use raddle_diag::Colour;

use crate::data::{FunctionData, MoversData, StepClass, VariableData, VariableStatus};

const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";

/// Where the reasons begin, unless the line is longer.
const WHY_COLUMN: usize = 48;

/// The whole report.
pub fn listing(data: &MoversData, colour: Colour) -> String {
    let mut text = String::new();
    for function in &data.functions {
        function_listing(&mut text, function, colour);
    }
    variables(&mut text, &data.variables, colour);
    if let Some(reason) = &data.incomplete {
        let at = reason
            .place
            .as_ref()
            .map_or_else(String::new, |it| format!(" ({}:{})", it.file, it.line));
        let word = colour.painted("incomplete", YELLOW);
        let _ = writeln!(
            text,
            "{word}: not all executions were examined: {}{at} [{}]",
            reason.message, reason.code
        );
        let _ = writeln!(text, "  = help: {}", reason.help);
    }
    let _ = writeln!(text, "reduction `{}`", data.reduction);
    text
}

fn function_listing(text: &mut String, function: &FunctionData, colour: Colour) {
    let place = format!("{}:{}", function.place.file, function.place.line);
    let name = colour.painted(&function.name, BOLD);
    if !function.is_reached {
        let _ = writeln!(text, "{name} ({place}): not reached\n");
        return;
    }
    let transactions = match function.transactions {
        Some(0) => "0, it is part of its caller's".to_owned(),
        Some(count) => count.to_string(),
        None => "no fixed number, because of a loop or recursion".to_owned(),
    };
    let _ = writeln!(
        text,
        "{name} ({place}): transactions a call: {transactions}"
    );
    let width = function
        .lines
        .last()
        .map_or(1, |it| it.number.to_string().len());
    for line in &function.lines {
        let here = || {
            function.steps.iter().filter(|step| {
                step.place.file == function.place.file && step.place.line == line.number
            })
        };
        let letters = letters(here().map(|it| it.class));
        let mark = |is: bool, mark: char| if is { mark } else { ' ' };
        let marks: String = [
            mark(here().any(|it| it.begins), '['),
            mark(here().any(|it| it.commits), '!'),
            mark(here().any(|it| it.ends), ']'),
        ]
        .into_iter()
        .collect();
        let mut reasons: Vec<&str> = Vec::new();
        for step in here() {
            if !step.why.is_empty() && !reasons.contains(&step.why.as_str()) {
                reasons.push(&step.why);
            }
        }
        let padding = " ".repeat(4_usize.saturating_sub(letters.chars().count()));
        let source = line.text.trim_end().replace('\t', "    ");
        let mut row = format!(
            "  {:>width$} | {}{padding} {marks} | {source}",
            line.number,
            painted_letters(&letters, colour),
        );
        if !reasons.is_empty() {
            let blank = WHY_COLUMN.saturating_sub(source.chars().count()).max(2);
            let why = format!("; {}", reasons.join("; "));
            row.push_str(&" ".repeat(blank));
            row.push_str(&colour.painted(&why, DIM));
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text.push('\n');
}

/// The classes of a line's steps in their order; those that move both ways only where there is nothing else.
fn letters(classes: impl Iterator<Item = StepClass>) -> String {
    let mut all: Vec<StepClass> = classes.collect();
    if all.is_empty() {
        return String::new();
    }
    // Branches that are never taken do not belong to what happens here.
    if all.iter().any(|it| *it != StepClass::Unreached) {
        all.retain(|it| *it != StepClass::Unreached);
    }
    if all.iter().any(|it| *it != StepClass::Both) {
        all.retain(|it| *it != StepClass::Both);
    }
    all.dedup();
    all.into_iter().map(letter).collect()
}

fn letter(class: StepClass) -> char {
    match class {
        StepClass::Both => 'B',
        StepClass::Right => 'R',
        StepClass::Left => 'L',
        StepClass::Neither => 'N',
        StepClass::Mixed => '*',
        StepClass::Unreached => '-',
    }
}

fn painted_letters(letters: &str, colour: Colour) -> String {
    if letters.is_empty() {
        return String::new();
    }
    let escape = if letters.contains(['N', '*']) {
        YELLOW
    } else if letters == "-" {
        DIM
    } else {
        GREEN
    };
    colour.painted(letters, escape)
}

/// Each variable with what protects it; parts of one thing of which the same is true share a line.
fn variables(text: &mut String, variables: &[VariableData], colour: Colour) {
    if variables.is_empty() {
        return;
    }
    text.push_str("variables that threads share:\n");
    let mut at = 0;
    while at < variables.len() {
        let first = &variables[at];
        let is_alike = |it: &&VariableData| {
            it.message == first.message && whole_of(&it.name) == whole_of(&first.name)
        };
        let alike = variables[at..].iter().take_while(is_alike).count();
        let mut names: Vec<&str> = variables[at..at + alike]
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        names.dedup();
        let name = match names[..] {
            [first, second, _, ..] => {
                format!("`{first}`, `{second}` and {} more", names.len() - 2)
            }
            [first, second] => format!("`{first}`, `{second}`"),
            [first] => format!("`{first}`"),
            [] => String::new(),
        };
        let escape = match first.status {
            VariableStatus::Unprotected | VariableStatus::Tried => YELLOW,
            VariableStatus::Protected
            | VariableStatus::OneThread
            | VariableStatus::ReadOnly
            | VariableStatus::Declared => GREEN,
        };
        let _ = writeln!(text, "  {name}: {}", colour.painted(&first.message, escape));
        at += alike;
    }
    text.push('\n');
}

/// The variable of which something is a part.
fn whole_of(name: &str) -> &str {
    name.split(['[', '.']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_what_is_not_a_both_mover() {
        use StepClass::{Both, Left, Neither, Right, Unreached};
        assert_eq!(letters([Both, Both].into_iter()), "B");
        assert_eq!(letters([Right, Both, Both, Left].into_iter()), "RL");
        assert_eq!(letters([Both, Neither, Neither].into_iter()), "N");
        assert_eq!(letters([Unreached, Both].into_iter()), "B");
        assert_eq!(letters([Unreached].into_iter()), "-");
        assert_eq!(letters([].into_iter()), "");
    }
}
