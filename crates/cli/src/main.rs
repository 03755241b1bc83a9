//! The command line: arguments, signals, exit codes, terminal.

mod abstract_trace;
mod arguments;
mod bench;
mod cache;
mod cc;
mod command_line;
mod compare;
mod detail;
mod execute;
mod explain;
mod files;
mod foreign;
mod human;
mod interleaving;
mod internal;
mod movers;
mod output;
mod progress;
mod repeat;
mod replay;
mod run;
mod shell;
mod signals;
mod stubs;
mod test;
mod version;

use std::panic::catch_unwind;
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use command_line::{Arguments, Command, DumpWhat};

fn main() -> ExitCode {
    internal::install();
    let code = catch_unwind(dispatch).unwrap_or_else(|_| {
        internal::complain(None);
        internal::EXIT_CODE
    });
    // A report that nobody can read is no success, whatever it says.
    let code = if output::is_lost() && code != internal::EXIT_CODE {
        output::EXIT_CODE
    } else {
        code
    };
    ExitCode::from(code)
}

fn dispatch() -> u8 {
    internal::fail_if_asked("command line");
    let words = cc::as_command(std::env::args_os().collect());
    if let Some(own) = cc::own_words(&words) {
        return cc::compile(own);
    }
    let words = foreign::handed_on(words);
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => {
            if let Some((option, answer)) = of_another_tool(&error) {
                output::to_stderr(&format!("error: there is no `{option}`: {answer}\n"));
                return 2;
            }
            // A closed pipe is no reason to complain about a complaint.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let terminal = arguments.terminal;
    match arguments.command {
        Command::Check(check) => run::check(&check, terminal),
        Command::Bench(arguments) => bench::bench(&arguments, terminal),
        Command::Replay(arguments) => replay::replay(&arguments, terminal),
        Command::Compare(arguments) => compare::compare(&arguments, terminal),
        Command::Movers(arguments) => movers::movers(&arguments, terminal),
        Command::Run(arguments) => execute::execute(&arguments, terminal),
        Command::Test(arguments) => test::test(&arguments, terminal),
        Command::Header => {
            output::to_stdout(raddle_driver::HEADER);
            0
        }
        Command::Cc(_) => {
            output::to_stdout(&command_line::long_help_of("cc"));
            0
        }
        Command::Stubs(arguments) => stubs::stubs(&arguments, terminal),
        Command::Dump(dump) => match dump.what {
            DumpWhat::Ast(input) => run::dump_ast(&input, terminal),
            DumpWhat::Ir(input) => run::dump_ir(&input, terminal),
            DumpWhat::Flat(input) => run::dump_flat(&input, terminal),
        },
        Command::Explain { word } => explain::explain(word.as_deref()),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { command } => shell::manual(command.as_deref()),
    }
}

/// The option of another verifier that somebody tried, and what to say to that.
fn of_another_tool(error: &clap::Error) -> Option<(String, &'static str)> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => Some((option.clone(), foreign::answer(option)?)),
        Some(_) | None => None,
    }
}
