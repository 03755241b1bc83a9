//! The command line of `cargo xtask`. What a command may be told stands beside the command itself.

use clap::{Parser, Subcommand};

use crate::{bench, c, fuzz, mutants};

/// The project's own commands
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Measure what takes longer than tests may
    Bench {
        #[command(subcommand)]
        what: bench::Measured,
    },
    /// Rewrite what the tool is expected to say of programs and documents
    Bless {
        /// Only those whose name contains it
        #[arg(default_value = "")]
        filter: String,
    },
    /// C programs read and run by us, and compiled by gcc for both data models: the same output and exit status; exit code 1
    /// if some differ
    C {
        #[command(subcommand)]
        what: c::Programs,
    },
    /// Layering, keys of papers, headings of modules that come from one, what a reader of one looks up, words of the
    /// glossary, links, paths and commands in the documents
    Check,
    /// Which kind of action is covered by which part; fails if a cell is empty
    Coverage,
    /// A static binary of this machine's kind with manual pages, completions, `raddle.h` and documents, packed below
    /// target/dist; needs `strip`, `tar` and the static libraries of the C compiler
    Dist,
    /// Generated programs on every engine and reduction against the enumeration of all executions, mutated programs, traces
    /// and task definitions on their readers, reading what was printed, and programs with a bug planted where one of their
    /// executions comes by, which nobody may call safe; with `--check real` programs in C against what gcc's programs really
    /// do. What fails is shrunk and written below tests/found; exit code 1 in the end
    Fuzz(fuzz::Options),
    #[command(hide = true)]
    FuzzLook { check: String },
    #[command(hide = true)]
    FuzzWorker {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Flip each flag and drop each condition of the mover table, one at a time: how many pairs of steps of the exhaustive
    /// check catch it, and how many random programs on the engine that uses the table; leave out each side condition of the
    /// engine: the same. What only makes the engine slower is not looked for. Exit code 1 if something is not caught
    Mutants(mutants::Options),
    #[command(hide = true)]
    MutantsLook {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Rewrite the tables of docs/results.md
    Results,
    /// The own tests of a crate and its nets, which are tests of testkit
    Test {
        /// Without one, which nets there are
        #[arg(value_name = "CRATE")]
        name: Option<String>,
    },
}

/// How many threads or processes at a time, unless told: one for each core.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_fits_together() {
        Arguments::command().debug_assert();
    }

    /// A word of a program, or the name of a folder, may look like an option.
    #[test]
    fn what_a_process_of_ours_is_told_is_taken_as_it_is() {
        let given = ["-1", "--help", "", "a b"];
        for command in ["fuzz-worker", "mutants-look"] {
            let line = ["xtask", command].into_iter().chain(given);
            let read = Arguments::try_parse_from(line).expect("it is right").task;
            let (Task::FuzzWorker { words } | Task::MutantsLook { words }) = read else {
                panic!("{command} is another command")
            };
            assert_eq!(words, given, "{command}");
        }
    }

    #[test]
    fn bugs_are_planted_elsewhere_only_where_any_are_planted() {
        let line = ["xtask", "fuzz", "--check", "engines", "--tasks", "a"];
        let Ok(Task::Fuzz(options)) = Arguments::try_parse_from(line).map(|it| it.task) else {
            panic!("it can be read")
        };
        let problem = fuzz::run(&options).expect_err("nothing is planted");
        assert_eq!(problem, ["`--tasks` is for `--check planted`"]);
    }

    #[test]
    fn what_is_not_understood_is_named_with_what_there_is() {
        for (words, part) in [
            (&["fuzz", "--sead", "1"][..], "--seed"),
            (&["fuzz", "--seed"], "--seed"),
            (&["fuzz", "--minutes", "-1"], "-1"),
            (&["fuzz", "--check", "moon"], "round-trip"),
            (&["fuzz", "--tasks", "a"], "--check"),
            (&["bench", "token", "--times", "0"], "--times"),
            (&["bench", "pushdown", "--locks", "1..3"], "2 to 16"),
            (&["c", "torture"], "FOLDER"),
            (&["mutants", "meaning", "--programs", "x"], "--programs"),
            (&["blesss"], "bless"),
        ] {
            let line = ["xtask"].iter().chain(words);
            let problem = Arguments::try_parse_from(line).map(|_| ());
            let problem = problem.expect_err("it is wrong").to_string();
            assert!(problem.contains(part), "{words:?}: {problem}");
        }
    }
}
