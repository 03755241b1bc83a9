//! An execution that only an abstraction of the program is known to have, as a table.

use std::fmt::Write;

use raddle::SourceMap;
use raddle_driver::{AbstractRole, AbstractStep};

use crate::detail::Detail;
use raddle_report::columns;

const HEADINGS: [&str; 4] = ["step", "process", "line", "what happens"];

/// One row a step; unless all are asked for, what says nothing of locks, units and the violation is left out.
pub(crate) fn table(steps: &[AbstractStep], sources: &SourceMap, detail: Detail) -> String {
    let rows: Vec<(AbstractRole, [String; 4])> = steps
        .iter()
        .enumerate()
        .filter(|(_, step)| detail == Detail::Verbose || step.role != AbstractRole::Other)
        .map(|(index, step)| {
            let line = step
                .span
                .filter(|it| sources.knows(*it))
                .map_or_else(String::new, |it| sources.place(it).line.to_string());
            let cells = [
                (index + 1).to_string(),
                step.process.clone(),
                line,
                step.text.clone(),
            ];
            (step.role, cells)
        })
        .collect();
    let mut text = format!(
        "possible interleaving, not confirmed on the program (its accesses marked `*`): {} {}{}\n",
        steps.len(),
        if steps.len() == 1 { "step" } else { "steps" },
        if rows.len() < steps.len() {
            format!(", {} shown; `-v` prints all", rows.len())
        } else {
            String::new()
        },
    );
    let mut cells: Vec<[String; 4]> = vec![HEADINGS.map(str::to_owned)];
    cells.extend(rows.iter().map(|(_, cells)| cells.clone()));
    let widths = columns::widths(&cells);
    let marks = std::iter::once(' ').chain(rows.iter().map(|(role, _)| match role {
        AbstractRole::Marked => '*',
        AbstractRole::Lock | AbstractRole::Unit | AbstractRole::Other => ' ',
    }));
    for ([number, process, line, what], mark) in cells.iter().zip(marks) {
        let row = format!(
            "  {number:>a$} {mark} {process:b$}  {line:>c$}  {what}",
            a = widths[0],
            b = widths[1],
            c = widths[2],
        );
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(process: &str, text: &str, role: AbstractRole) -> AbstractStep {
        AbstractStep {
            process: process.to_owned(),
            text: text.to_owned(),
            span: None,
            role,
        }
    }

    #[test]
    fn what_makes_up_the_violation_is_marked_and_the_way_there_left_out() {
        let steps = [
            step("left", "begins a unit of work", AbstractRole::Unit),
            step("left", "calls `f`", AbstractRole::Other),
            step("left", "acquire `m`", AbstractRole::Lock),
            step("left", "reads `count`", AbstractRole::Marked),
        ];
        let sources = SourceMap::new();
        assert_eq!(
            table(&steps, &sources, Detail::Normal),
            "\
possible interleaving, not confirmed on the program (its accesses marked `*`): 4 steps, 3 shown; `-v` prints all
  step   process  line  what happens
     1   left           begins a unit of work
     3   left           acquire `m`
     4 * left           reads `count`
"
        );
        let whole = table(&steps, &sources, Detail::Verbose);
        assert!(whole.contains("calls `f`"), "{whole}");
        assert!(!whole.contains("-v"), "{whole}");
    }
}
