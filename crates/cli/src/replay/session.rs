//! Forwards and backwards through a trace. Knows no terminal: lines go in, text comes out.

use std::fmt::Write;

use raddle::SourceMap;
use raddle_diag::Colour;
use raddle_driver::{Moment, Replay};

use super::command::{HELP, ReplayCommand, parse};
use super::view;

pub(super) struct Session<'a> {
    replay: &'a Replay,
    sources: &'a SourceMap,
    colour: Colour,
    names_files: bool,
    /// The step last taken; 0 is the start.
    at: usize,
}

impl<'a> Session<'a> {
    pub(super) fn new(replay: &'a Replay, sources: &'a SourceMap, colour: Colour) -> Self {
        Self {
            replay,
            sources,
            colour,
            names_files: sources.files().count() > 1,
            at: 0,
        }
    }

    pub(super) fn welcome(&self) -> String {
        let outcome = match &self.replay.outcome {
            Ok(()) => "the violation recurs".to_owned(),
            Err(mismatch) => format!("the violation does not recur: {mismatch}"),
        };
        format!(
            "{}{outcome}; `?` lists the commands\n\n{}",
            view::title(self.replay, self.sources),
            self.position()
        )
    }

    pub(super) fn prompt(&self) -> String {
        format!("replay {}/{}> ", self.at, self.last())
    }

    /// What to print after a line of input; `None` to end.
    pub(super) fn answer(&mut self, line: &str) -> Option<String> {
        let command = match parse(line) {
            Ok(command) => command,
            Err(message) => return Some(format!("{message}\n")),
        };
        let target = match command {
            ReplayCommand::Forward(count) => self.forward(count),
            ReplayCommand::Back(count) => self.back(count),
            ReplayCommand::NextSwitch(count) => self.next_switch(count),
            ReplayCommand::PreviousSwitch(count) => self.previous_switch(count),
            ReplayCommand::Line(file, line) => self.line(file.as_deref(), line),
            ReplayCommand::Step(step) if step <= self.last() => Ok(step),
            ReplayCommand::Step(_) => Err(format!("the last step is {}", self.last())),
            ReplayCommand::End => Ok(self.last()),
            ReplayCommand::Help => return Some(HELP.to_owned()),
            ReplayCommand::Quit => return None,
        };
        Some(match target {
            Ok(at) => {
                self.at = at;
                self.position()
            }
            Err(message) => format!("{message}\n"),
        })
    }

    fn last(&self) -> usize {
        self.replay.moments.len().saturating_sub(1)
    }

    fn forward(&self, count: usize) -> Result<usize, String> {
        if self.at == self.last() {
            return Err("this is the end; `b` goes backwards, `q` quits".to_owned());
        }
        Ok(self.at.saturating_add(count).min(self.last()))
    }

    fn back(&self, count: usize) -> Result<usize, String> {
        if self.at == 0 {
            return Err("this is the start; `n` goes forwards, `q` quits".to_owned());
        }
        Ok(self.at.saturating_sub(count))
    }

    fn next_switch(&self, count: usize) -> Result<usize, String> {
        self.switches()
            .filter(|step| *step > self.at)
            .take(count)
            .last()
            .ok_or_else(|| "there is no later switch of thread; `G` goes to the end".to_owned())
    }

    fn previous_switch(&self, count: usize) -> Result<usize, String> {
        let earlier: Vec<usize> = self.switches().take_while(|step| *step < self.at).collect();
        match earlier.as_slice() {
            [] => Err("there is no earlier switch of thread; `g` goes to the start".to_owned()),
            steps => Ok(steps[steps.len().saturating_sub(count)]),
        }
    }

    fn switches(&self) -> impl Iterator<Item = usize> {
        (0_usize..)
            .zip(&self.replay.moments)
            .filter(|(_, moment)| moment.is_switch)
            .map(|(step, _)| step)
    }

    /// The next step at a line; if there is none, the first from the start.
    fn line(&self, file: Option<&str>, line: u32) -> Result<usize, String> {
        let steps: Vec<usize> = (0..self.replay.moments.len())
            .filter(|step| is_at(&self.replay.moments[*step], file, line))
            .collect();
        steps
            .iter()
            .find(|step| **step > self.at)
            .or(steps.first())
            .copied()
            .ok_or_else(|| format!("no step of this trace is at line {line}"))
    }

    /// The step last taken, and where everybody stands now.
    fn position(&self) -> String {
        let Some(moment) = self.replay.moments.get(self.at) else {
            return view::end(self.replay, self.sources, self.colour);
        };
        let mut text = String::new();
        match &moment.step {
            None => text.push_str(&self.headline("the start")),
            Some(step) => {
                let place = view::place_of(step);
                text.push_str(&self.headline(&format!(
                    "step {} of {}: {}, {}{}{}",
                    self.at,
                    self.replay.steps,
                    step.thread_name,
                    view::place_text(place, self.names_files),
                    if moment.is_switch {
                        ", switch of thread"
                    } else {
                        ""
                    },
                    view::in_transaction(moment.bracket),
                )));
                match place {
                    Some(place) => {
                        text.push_str(&view::context(place, self.sources, self.colour));
                    }
                    None => {
                        let _ = writeln!(text, "> {}", view::statement(step));
                    }
                }
                for line in view::effects(moment) {
                    let _ = writeln!(text, "  {line}");
                }
            }
        }
        text.push_str("threads:\n");
        text.push_str(&view::threads(moment, self.names_files));
        if self.at == self.last() {
            text.push('\n');
            text.push_str(&view::end(self.replay, self.sources, self.colour));
        }
        text.push('\n');
        text
    }

    fn headline(&self, text: &str) -> String {
        format!("{}\n", self.colour.painted(text, view::BOLD))
    }
}

/// Whether a part of the step lies at the line, of a file whose name ends in `file`.
fn is_at(moment: &Moment, file: Option<&str>, line: u32) -> bool {
    moment
        .step
        .iter()
        .flat_map(|step| &step.parts)
        .filter_map(|part| part.place.as_ref())
        .any(|place| {
            place.line == line
                && file.is_none_or(|file| std::path::Path::new(&place.file).ends_with(file))
        })
}
