//! The project's own commands: `cargo xtask help`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool"
)]

mod bless;
mod c;
mod check;
mod commands;
mod coverage;
mod fuzz;
mod markdown;
mod mutants;
mod papers;
mod results;

use std::process::ExitCode;

pub(crate) const HELP: &str = "\
The project's own commands

Usage: cargo xtask <COMMAND>

Commands:
  check           Layering, keys of papers, links, paths and commands in the documents
  bless [FILTER]  Rewrite what the tool is expected to say of the programs and documents whose name contains FILTER
  c WHAT          C programs read and run by us, and compiled by gcc for both data models: the same output and
                  exit status; exit code 1 if some differ
    meaning [FILTER]         Our own programs, in tests/c/meaning
    torture DIR [FILTER]     The programs below a folder, such as gcc's c-torture/execute or c-testsuite
    csmith                   Random programs of csmith, of which those count that end in 10 ms when compiled
    layouts                  Random structs and unions: sizes, alignments, offsets, bytes of bit-fields
    mutants                  Changed programs on the front end: no panic, no hang
    --count N       How many; 1000 of csmith, 200 layouts, 10000 mutants
    --seed S        The first seed; 1 by default
    --jobs N        Threads at a time; one for each core by default
    --seconds N     How long we may take for one program; 20 by default
    --names N       How many programs are named for each reason; 4 by default
  coverage        Which kind of action is covered by which part; fails if a cell is empty
  fuzz [OPTIONS]  Generated programs on every engine and reduction against the enumeration of all executions,
                  mutated programs, traces and task definitions on their readers, and reading what was
                  printed. What fails is shrunk and written below tests/found; exit code 1 in the end
    --minutes M     How long; 5 unless --cases is given
    --seed S        The first seed; 1 by default. A seed makes the same cases every time
    --cases N       Stop after N seeds; each makes up to 71 cases
    --jobs N        Processes at a time; one for each core by default
  mutants         Flip each flag and drop each condition of the mover table, one at a time: how many pairs of
                  steps of the exhaustive check catch it; exit code 1 if none does. How many random programs
                  catch it can only be told once an engine uses the table: none does yet
  results         Rewrite the tables of docs/results.md
  help            This text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["help" | "--help" | "-h"] | [] => {
            print!("{HELP}");
            Ok(())
        }
        ["check"] => check::run(),
        ["bless"] => bless::run(""),
        ["bless", filter] => bless::run(filter),
        ["coverage"] => coverage::run(),
        ["fuzz", ref options @ ..] => fuzz::run(options),
        ["fuzz-worker", ref share @ ..] => fuzz::run_worker(share),
        ["fuzz-look", check] => fuzz::look_at_input(check),
        ["c", ref words @ ..] => c::run(words),
        ["mutants"] => mutants::run(),
        ["results"] => results::run(),
        _ => Err(vec![format!(
            "`{}` is not understood; try `cargo xtask help`",
            words.join(" ")
        )]),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            for problem in &problems {
                eprintln!("error: {problem}");
            }
            ExitCode::FAILURE
        }
    }
}
