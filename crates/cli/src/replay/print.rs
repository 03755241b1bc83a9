//! The whole trace at once.

use std::fmt::Write;

use raddle::SourceMap;
use raddle_diag::Colour;
use raddle_driver::Replay;

use super::view;

/// Every step with its effects, the locks held and who waits, then the violation. Switches of thread carry a `>`,
/// transactions of several steps a bracket.
pub(super) fn whole(replay: &Replay, sources: &SourceMap, colour: Colour) -> String {
    let names_files = sources.files().count() > 1;
    let mut text = view::title(replay, sources);
    let has_brackets = replay.has_brackets();
    if has_brackets {
        text.push_str("transactions of several steps are in brackets\n");
    }
    if let Some(start) = replay.moments.first() {
        text.push_str("\nat the start:\n");
        text.push_str(&view::threads(start, names_files));
    }
    let mut above = String::new();
    let width = replay.steps.to_string().len();
    for (number, moment) in replay.moments.iter().enumerate() {
        let Some(step) = &moment.step else {
            continue;
        };
        let _ = writeln!(
            text,
            "{}\n{}{} step {number:width$}  {}, {}: {}",
            above.trim_end(),
            margin(has_brackets, moment.bracket.sign()),
            if moment.is_switch { '>' } else { ' ' },
            step.thread_name,
            view::place_text(view::place_of(step), names_files),
            view::statement(step),
        );
        above = margin(has_brackets, moment.bracket.sign_below());
        let mut say = |line: &str| {
            let _ = writeln!(text, "{above}       {:width$}  {line}", "");
        };
        for line in view::effects(moment) {
            say(&line);
        }
        if let Some(locks) = view::locks(moment) {
            say(&format!("locks: {locks}"));
        }
        if let Some(waits) = view::waits(moment) {
            say(&format!("waits: {waits}"));
        }
    }
    text.push('\n');
    text.push_str(&view::end(replay, sources, colour));
    text
}

/// What stands before every line, if transactions are to be seen.
fn margin(has_brackets: bool, sign: char) -> String {
    if has_brackets {
        format!("{sign} ")
    } else {
        String::new()
    }
}
