//! `raddle run`: one execution, its output and its exit status.

use std::io::Write;

use clap::Args;
use raddle::{Diagnostic, Flags};
use raddle_diag::render;
use raddle_driver::{ExecuteOptions, ExecutedEnd};

use crate::arguments::{Input, Terminal};
use crate::{output, run};

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Exit status:
    that of the program, if it comes to its end; 134 after `abort`
    1  the program does something that violates a property
    2  wrong input or usage
    3  the program does something undefined or unsupported, or takes too many steps

Examples:
  raddle run hello.c
  raddle run --seed 7 counter.rad")]
pub(crate) struct ExecuteArguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Decides which thread goes on, and what undetermined values are
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stop after so many steps
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub(crate) max_steps: u64,
}

/// What a shell says of a process that aborted.
const ABORTED: u8 = 134;

pub(crate) fn execute(arguments: &ExecuteArguments, terminal: Terminal) -> u8 {
    let options = ExecuteOptions {
        seed: arguments.seed,
        max_steps: arguments.max_steps,
    };
    let mut input = arguments.input.clone();
    // One execution is not cut short by a clock that leaps too often.
    if !input.c.assume_nothing {
        input.c.leaps.get_or_insert(0);
    }
    let finished = run::with_program(&input, None, terminal, move |program, sources| {
        let mut stdout = std::io::BufWriter::new(std::io::stdout());
        let mut print = |bytes: &[u8]| {
            // Nobody reads any more; the program runs on as with a closed pipe that it ignores.
            let _ = stdout.write_all(bytes);
        };
        let executed = raddle_driver::execute(&program, options, &mut print);
        let _ = stdout.flush();
        (executed, sources)
    });
    let (executed, sources) = match finished {
        Ok(finished) => finished,
        Err(code) => return code,
    };
    let complain = |diagnostic: &Diagnostic| {
        let text = render(diagnostic, &sources, output::stderr_colour(terminal));
        output::to_stderr(&format!("{text}\n"));
    };
    match &executed.end {
        ExecutedEnd::Exit(status) => status.to_le_bytes()[0],
        ExecutedEnd::Abort => ABORTED,
        ExecutedEnd::Violation(_, diagnostic) => {
            complain(diagnostic);
            1
        }
        ExecutedEnd::Unknown(note) => {
            complain(&raddle_report::worded(note, &Flags));
            3
        }
    }
}
