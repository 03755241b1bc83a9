//! The project's own commands: `cargo xtask help`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool"
)]

mod bench;
mod bless;
mod c;
mod check;
mod commands;
mod coverage;
mod fuzz;
mod glossary;
mod headings;
mod hops;
mod lookups;
mod markdown;
mod mutants;
mod nets;
mod papers;
mod results;

use std::process::ExitCode;

pub(crate) const HELP: &str = "\
The project's own commands

Usage: cargo xtask <COMMAND>

Commands:
  check           Layering, keys of papers, headings of modules that come from one, what a reader of one looks up,
                  words of the glossary, links, paths and commands in the documents
  bench cliffs    What a step costs where something grows that it does not touch: arrays, threads, objects, the program
    --only NAME     Only what has NAME in its name, such as threads
    --seconds N     How long each may take; 20 by default
    --binary PATH   Another build of raddle
  bench explicit  Models of Spin's distribution, with the engine `explicit` and with Spin: states a second, bytes a state
    --spin DIR      The folder of Spin's examples; without it, or without `spin` and `gcc`, only we are measured
    --only NAME     Only the models whose name contains NAME, such as leader
    --times N       How often each is run, of which the median is told; 3 by default
  bench pushdown  The decision procedure for atomic sets on generated processes, with 2 to 8 locks
    --locks N       With so many, or from N to M as in N..M
  bench token     The programs of MAT Table 1, with the engines `token` and `bmc`
    --only NAME     Only the rows whose name contains NAME, such as E4
    --seconds N     How long each may take; 60 by default
    --times N       How often each is run, of which the median is told; 5 by default
  bless [FILTER]  Rewrite what the tool is expected to say of the programs and documents whose name contains FILTER
  c WHAT          C programs read and run by us, and compiled by gcc for both data models: the same output and
                  exit status; exit code 1 if some differ
    meaning [FILTER]         Our own programs, in tests/c/meaning
    torture DIR [FILTER]     The programs below a folder, such as gcc's c-torture/execute or c-testsuite
    csmith                   Random programs of csmith, of which those count that end in 10 ms when compiled
    sequential               Random programs without threads that use much of the language
    layouts                  Random structs and unions: sizes, alignments, offsets, bytes of bit-fields
    mutants                  Changed programs on the front end: no panic, no hang
    --count N       How many; 1000 of csmith, 200 layouts or sequential ones, 10000 mutants
    --seed S        The first seed; 1 by default
    --jobs N        Threads at a time; one for each core by default
    --seconds N     How long we may take for one program; 20 by default
    --names N       How many programs are named for each reason; 4 by default
  coverage        Which kind of action is covered by which part; fails if a cell is empty
  fuzz [OPTIONS]  Generated programs on every engine and reduction against the enumeration of all executions,
                  mutated programs, traces and task definitions on their readers, reading what was printed,
                  and programs with a bug planted where one of their executions comes by, which nobody may
                  call safe; with --check real programs in C against what gcc's programs really do. What fails is shrunk and written below tests/found; exit code 1 in the end
    --minutes M     How long; 5 unless --cases is given
    --seed S        The first seed; 1 by default. A seed makes the same cases every time
    --cases N       Stop after N seeds; each makes up to 78 cases
    --check CHECK   Only one of: engines, relations, round-trip, texts, c, traces, definitions, planted, real
    --jobs N        Processes at a time; one for each core by default
    --tasks PATH    With --check planted: where to plant, instead of our own programs; a folder, list or file
                    as for raddle bench, and again for more. Each seed takes another of the tasks
    --seconds N     How long each engine may look for what is planted; 0.3 by default
  mutants [OPTIONS]  Flip each flag and drop each condition of the mover table, one at a time: how many pairs of
                  steps of the exhaustive check catch it, and how many random programs on the engine that uses
                  the table; leave out each side condition of the engine: the same. What only makes the engine
                  slower is not looked for. Exit code 1 if something is not caught
    --seeds N       How many random programs at most; 1000 by default
    --seed S        The first seed; 1 by default
    --enough N      What was caught so often is left alone; 10 by default
    --minutes M     Stop after so long; not limited by default
    --jobs N        Threads at a time; one for each core by default
    --only TEXT     Only what has the text in its name, and no pairs of steps
    --program PATH  Which of them this program shows, with and without spurious wake-ups, instead of random ones
  mutants meaning  Undo what was mended once in what C is taken to mean, one thing at a time, in a copy of the tree below
                  target/mutants: how many programs it takes until the net against real threads notices. Exit code 1
                  if something is not noticed
    --programs N    How many programs at most; 1000 by default
    --seed S        The first seed; 1 by default
    --jobs N        Processes at a time; one for each core by default
    --only TEXT     Only what has the text in its name
  results         Rewrite the tables of docs/results.md
  test [CRATE]    The own tests of a crate and its nets, which are tests of testkit; without a crate, which nets there are
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
        ["bench", ref words @ ..] => bench::run(words),
        ["check"] => check::run(),
        ["bless"] => bless::run(""),
        ["bless", filter] => bless::run(filter),
        ["coverage"] => coverage::run(),
        ["fuzz", ref options @ ..] => fuzz::run(options),
        ["fuzz-worker", ref share @ ..] => fuzz::run_worker(share),
        ["fuzz-look", check] => fuzz::look_at_input(check),
        ["c", ref words @ ..] => c::run(words),
        ["mutants", ref options @ ..] => mutants::run(options),
        ["mutants-look", ref words @ ..] => mutants::look(words),
        ["results"] => results::run(),
        ["test", ref words @ ..] => nets::run(words),
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
