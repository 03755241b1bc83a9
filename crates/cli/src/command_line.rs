//! The command line as a whole.

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::arguments::{Bench, Check, Input, Terminal};
use crate::cc::CcArguments;
use crate::compare::CompareArguments;
use crate::execute::ExecuteArguments;
use crate::movers::MoversArguments;
use crate::replay::ReplayArguments;
use crate::stubs::StubsArguments;
use crate::test::TestArguments;
use crate::version::VERSION;

/// Verify multithreaded programs
#[derive(Debug, Parser)]
#[command(
    name = "raddle",
    version = VERSION,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "Run `raddle check --help` for engines, limits and output formats."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) terminal: Terminal,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Decide the properties of a program
    Check(Box<Check>),
    /// Decide every test of a program in C, each by itself
    Test(Box<TestArguments>),
    /// Print `raddle.h`, the header of tests, for a plain compiler
    ///
    /// Raddle finds it by itself. For a compiler, write it to where it looks for headers, as in
    /// `raddle header > tests/raddle.h` or `raddle header | sudo tee /usr/local/include/raddle.h`.
    Header,
    /// Stand in for the C compiler of a build: compile, and keep what `raddle check PROGRAM.raddle` reads
    Cc(CcArguments),
    /// Run a program once, as a machine might
    Run(ExecuteArguments),
    /// Run a recorded trace step by step
    Replay(ReplayArguments),
    /// Show how each statement moves, what protects each variable, where transactions begin and commit
    Movers(Box<MoversArguments>),
    /// Run every engine and reduction side by side
    Compare(CompareArguments),
    /// Run programs with known verdicts, each in a process of its own
    Bench(Box<Bench>),
    /// Write a C file with a stub for each function and variable that is missing, to be edited
    Stubs(StubsArguments),
    /// Print what the tool understood
    Dump(Dump),
    /// Describe a word of a report, as in `raddle explain race`
    Explain {
        /// A property, verdict, reason, engine, reduction or diagnostic; without it, the words are listed
        word: Option<String>,
    },
    /// Print the script that completes arguments in a shell
    Completions { shell: Shell },
    /// Print the manual page, as in `raddle man check > raddle-check.1`
    Man {
        /// The command whose page to print [default: the page of raddle itself]
        command: Option<String>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Dump {
    #[command(subcommand)]
    pub(crate) what: DumpWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DumpWhat {
    /// The syntax tree of a program in C
    Ast(Input),
    /// The intermediate representation, as `.rad` text with labels and `goto`
    Ir(Input),
    /// The finite transition system that engines without a bound work on: state, inputs, targets and steps
    Flat(Input),
}

/// The help of one of the commands; nothing if there is none of the name.
pub(crate) fn long_help_of(name: &str) -> String {
    use clap::CommandFactory as _;
    let mut whole = Arguments::command();
    whole.build();
    whole
        .find_subcommand_mut(name)
        .map(|it| it.render_long_help().to_string())
        .unwrap_or_default()
}
