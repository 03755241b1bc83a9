//! `raddle movers`: how each statement moves and why, what protects each variable, where transactions begin and commit.

use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use raddle::{Budget, Diagnostic, Flags, Options, Reduction, Remedy, SourceMap, Words};
use raddle_driver::{Note, Unread};
use raddle_movers::WrongInput;
use raddle_report::all_worded;

use crate::arguments::{Input, Terminal, seconds};
use crate::progress::{self, LastQuestion, Progress};
use crate::run::{consistent, in_worker, read_all};
use crate::{human, internal, output, signals};

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Each line of the source shows how its steps move, in the order in which they are taken:
    B  both: may come earlier or later than what other threads do meanwhile
    R  right: may come later, as taking a lock
    L  left: may come earlier, as releasing a lock
    N  neither
    *  differs from visit to visit
    -  never reached
Steps that move both ways are left out beside others. Then come marks:
    [  a transaction begins with a step of this line
    !  one commits here: only left movers follow
    ]  one ends behind it
and the reason. A call takes as many transactions as commit in it on its longest way.
Below, each variable that threads share, with the locks that protect it or the accesses that prevent it.

As an example, the counter

    fn incr() { lock m { let a = count; count = a + 1 } }

is one transaction: to take `m` moves right, the accesses to `count` move both ways because all of them hold `m`,
and to release `m` moves left. An access elsewhere without `m` would make each of them `N`, and the call
several transactions: what other threads do in between can then be seen.

Exit status:
    0  all executions were examined
    2  wrong input or usage
    3  not all were, so that what is shown may be too good

Examples:
  raddle movers counter.rad
  raddle movers --reduction optimistic main.c
  raddle movers --json counter.rad

`raddle explain mover` and `raddle explain transaction` say more about the words.")]
pub(crate) struct MoversArguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The reduction whose transactions to show
    #[arg(long, default_value = "phase")]
    pub(crate) reduction: MoversReduction,
    /// Show between which accesses of unrolled threads a token has to be able to go, instead: conflicts, mutually atomic
    /// transactions, and the passes that the engine `token` keeps
    #[arg(long, conflicts_with = "reduction")]
    pub(crate) pairs: bool,
    /// Print the report as JSON, as `docs/movers.schema.json` describes it
    #[arg(long)]
    pub(crate) json: bool,
    /// Stop after this many seconds; 0 is never
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Duration,
    /// Stop at this many megabytes of resident memory; 0 is never [default: half the machine's]
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MoversReduction {
    /// Right movers, a commit, left movers
    Phase,
    /// Any step, then left movers
    Optimistic,
    /// As `phase`, with accesses that move from some state on
    Dynamic,
    /// Steps that no other thread can notice
    Local,
    /// As `phase`, by locks that are known before the search
    Static,
}

impl MoversReduction {
    fn reduction(self) -> Reduction {
        match self {
            MoversReduction::Phase => Reduction::Phase,
            MoversReduction::Optimistic => Reduction::Optimistic,
            MoversReduction::Dynamic => Reduction::Dynamic,
            MoversReduction::Local => Reduction::Local,
            MoversReduction::Static => Reduction::Static,
        }
    }
}

pub(crate) fn movers(arguments: &MoversArguments, terminal: Terminal) -> u8 {
    if let Err(diagnostic) = consistent(&arguments.input) {
        return crate::run::bad_usage(&diagnostic, terminal);
    }
    let options = Options {
        memory_limit: match arguments.memory {
            Some(0) => None,
            Some(megabytes) => Some(megabytes.saturating_mul(1 << 20)),
            None => raddle_driver::machine_memory_bytes().map(|bytes| bytes / 2),
        },
        ..arguments.input.options()
    };
    let mut budget = Budget::unlimited().with_cancel_flag(Arc::clone(&signals::cancel_flag()));
    if !arguments.timeout.is_zero() {
        budget = budget.with_timeout(arguments.timeout);
    }
    if let Some(bytes) = options.memory_limit {
        budget = budget.with_memory_limit(bytes);
    }
    if arguments.pairs {
        return pairs(arguments, options, budget, terminal);
    }
    let wants_progress = !terminal.quiet && !arguments.json;
    let reduction = arguments.reduction.reduction();
    let input = arguments.input.clone();
    let answer = in_worker(move || {
        let sources = read_all(&input, None, &options, &budget).map_err(|it| wrong_input(*it))?;
        let mut events = Progress::new(wants_progress, LastQuestion::default());
        raddle_movers::movers(sources, &options, reduction, &budget, &mut events, &help)
    });
    let finished = answer.recv();
    progress::clear(wants_progress);
    match finished {
        Ok(Ok(movers)) => {
            if arguments.json {
                output::to_stdout(&movers.data.to_json());
            } else {
                if !terminal.quiet && !movers.warnings.is_empty() {
                    complain(&movers.warnings, &movers.sources, terminal);
                }
                let colour = output::stdout_colour(terminal);
                output::to_stdout(&raddle_movers::listing(&movers.data, colour));
            }
            movers.data.exit_code
        }
        Ok(Err((notes, sources))) => {
            complain(&notes, &sources, terminal);
            2
        }
        Err(_) => {
            internal::complain(None);
            internal::EXIT_CODE
        }
    }
}

/// `raddle movers --pairs`.
fn pairs(arguments: &MoversArguments, options: Options, budget: Budget, terminal: Terminal) -> u8 {
    let input = arguments.input.clone();
    let answer = in_worker(move || {
        let sources = read_all(&input, None, &options, &budget).map_err(|it| wrong_input(*it))?;
        raddle_movers::token_pairs(sources, &options, &budget, &help)
    });
    match answer.recv() {
        Ok(Ok(found)) => {
            if !terminal.quiet && !arguments.json && !found.warnings.is_empty() {
                complain(&found.warnings, &found.sources, terminal);
            }
            if arguments.json {
                output::to_stdout(&found.data.to_json());
            } else {
                output::to_stdout(&found.data.text);
            }
            found.data.exit_code
        }
        Ok(Err((notes, sources))) => {
            complain(&notes, &sources, terminal);
            2
        }
        Err(_) => {
            internal::complain(None);
            internal::EXIT_CODE
        }
    }
}

fn wrong_input(unread: Unread) -> WrongInput {
    match unread {
        Unread::Wrong(notes, sources) => (notes, sources),
        Unread::Stopped(_) => {
            let stopped = Diagnostic::error("input", "the run was stopped while reading")
                .help("raise the limit with `--timeout SECONDS`");
            (vec![stopped.into()], SourceMap::new())
        }
    }
}

fn complain(notes: &[Note], sources: &SourceMap, terminal: Terminal) {
    let colour = output::stderr_colour(terminal);
    let all = all_worded(notes, &Flags);
    let all: Vec<&Diagnostic> = all.iter().collect();
    output::to_stderr(&human::input_errors(&all, sources, colour));
}

fn help(remedy: &Remedy) -> String {
    Flags.remedy(remedy)
}
