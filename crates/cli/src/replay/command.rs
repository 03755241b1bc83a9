//! The commands of a session.

/// What the user asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReplayCommand {
    Forward(usize),
    Back(usize),
    NextSwitch(usize),
    PreviousSwitch(usize),
    /// To a step at a line, of a file whose name ends like that.
    Line(Option<String>, u32),
    /// To a step by its number; 0 is the start.
    Step(usize),
    End,
    Help,
    Quit,
}

/// The commands, as `?` and `raddle replay --help` list them.
pub(super) const HELP: &str = include_str!("help.txt");

/// # Errors
///
/// What is wrong with the line.
pub(super) fn parse(line: &str) -> Result<ReplayCommand, String> {
    let line = line.trim();
    let (word, argument) = match line.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, Some(rest.trim())),
        None => (line, None),
    };
    match word {
        "" => Ok(ReplayCommand::Forward(1)),
        "n" | "next" => count(argument).map(ReplayCommand::Forward),
        "b" | "p" | "back" | "previous" => count(argument).map(ReplayCommand::Back),
        "s" => count(argument).map(ReplayCommand::NextSwitch),
        "S" => count(argument).map(ReplayCommand::PreviousSwitch),
        "l" | "line" => place(argument),
        "g" => number(argument, 0).map(ReplayCommand::Step),
        "G" => nothing(argument, ReplayCommand::End),
        "?" | "h" | "help" => nothing(argument, ReplayCommand::Help),
        "q" | "quit" | "exit" => nothing(argument, ReplayCommand::Quit),
        _ => Err(format!("there is no command `{word}`; `?` lists them")),
    }
}

fn count(argument: Option<&str>) -> Result<usize, String> {
    match number(argument, 1)? {
        0 => Err("expected a number of at least 1".to_owned()),
        count => Ok(count),
    }
}

fn number(argument: Option<&str>, default: usize) -> Result<usize, String> {
    argument.map_or(Ok(default), |text| {
        text.parse()
            .map_err(|_| format!("`{text}` is not a number; as in `n 3` or `g 5`"))
    })
}

fn nothing(argument: Option<&str>, command: ReplayCommand) -> Result<ReplayCommand, String> {
    match argument {
        None => Ok(command),
        Some(text) => Err(format!("`{text}` is too much; `?` lists the commands")),
    }
}

fn place(argument: Option<&str>) -> Result<ReplayCommand, String> {
    let expected = || "expected a line, as in `l 12` or `l model.rad:12`".to_owned();
    let text = argument.ok_or_else(expected)?;
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (Some(file.to_owned()), line),
        None => (None, text),
    };
    let line = line.trim().parse().map_err(|_| expected())?;
    Ok(ReplayCommand::Line(file, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_single_letters_with_an_optional_number() {
        for (line, expected) in [
            ("\n", ReplayCommand::Forward(1)),
            ("n\n", ReplayCommand::Forward(1)),
            ("n 3", ReplayCommand::Forward(3)),
            ("p", ReplayCommand::Back(1)),
            ("b 2", ReplayCommand::Back(2)),
            ("s", ReplayCommand::NextSwitch(1)),
            ("S 2", ReplayCommand::PreviousSwitch(2)),
            ("l 12", ReplayCommand::Line(None, 12)),
            (
                "l a/b.rad:12",
                ReplayCommand::Line(Some("a/b.rad".into()), 12),
            ),
            ("g", ReplayCommand::Step(0)),
            ("g 5", ReplayCommand::Step(5)),
            ("G", ReplayCommand::End),
            ("?", ReplayCommand::Help),
            (" q ", ReplayCommand::Quit),
        ] {
            assert_eq!(parse(line), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_is_no_command_says_what_is_expected() {
        for (line, expected) in [
            ("x", "there is no command `x`; `?` lists them"),
            ("n 0", "expected a number of at least 1"),
            ("n -1", "`-1` is not a number; as in `n 3` or `g 5`"),
            ("l", "expected a line, as in `l 12` or `l model.rad:12`"),
            ("l x:y", "expected a line, as in `l 12` or `l model.rad:12`"),
            ("q now", "`now` is too much; `?` lists the commands"),
        ] {
            assert_eq!(parse(line), Err(expected.to_owned()), "{line}");
        }
    }
}
