//! `raddle stubs`: a file to begin with, where a program has parts that are not there.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::arguments::{Input, Terminal};
use crate::{output, run};

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A stub returns anything and changes nothing; a variable is zero. Edit what matters: a
definition of yours takes precedence over what raddle knows of a function.

Exit status:
    0  the file is written
    2  wrong input or usage

Examples:
  raddle stubs main.c pool.c -o stubs.c
  raddle check main.c pool.c stubs.c")]
pub(crate) struct StubsArguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// File to write, which must not be there yet [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

pub(crate) fn stubs(arguments: &StubsArguments, terminal: Terminal) -> u8 {
    let text = match run::stubs_text(&arguments.input, terminal) {
        Ok(text) => text,
        Err(code) => return code,
    };
    let Some(path) = &arguments.output else {
        output::to_stdout(&text);
        return 0;
    };
    match write_new(path, &text) {
        Ok(()) => 0,
        Err(error) => {
            let path = path.display();
            output::to_stderr(&format!("error: cannot write `{path}`: {error}\n"));
            2
        }
    }
}

/// What somebody edited is not written over.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}
