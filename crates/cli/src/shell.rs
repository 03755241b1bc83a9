//! What a system knows of the command line: completions for shells, and manual pages.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::command_line::Arguments;
use crate::output;
use crate::version::VERSION;

/// Prints the script that completes raddle's arguments.
pub(crate) fn completions(shell: Shell) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "raddle", &mut script);
    output::to_stdout(&String::from_utf8_lossy(&script));
    0
}

/// Prints the manual page of raddle, or of one of its commands.
pub(crate) fn manual(command: Option<&str>) -> u8 {
    let mut whole = Arguments::command();
    whole.build();
    let page = match command {
        None => whole,
        Some(name) => {
            let Some(found) = whole.find_subcommand(name) else {
                let names: Vec<&str> = whole
                    .get_subcommands()
                    .map(clap::Command::get_name)
                    .collect();
                output::to_stderr(&format!(
                    "error[usage]: `raddle` has no command `{name}`\n  = help: there are {}\n",
                    names.join(", ")
                ));
                return 2;
            };
            found.clone().version(VERSION)
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .expect("writing to memory does not fail");
    output::to_stdout(&String::from_utf8_lossy(&text));
    0
}
