//! The project's own commands: `cargo xtask help`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool"
)]

mod arguments;
mod bench;
mod bless;
mod c;
mod check;
mod commands;
mod coverage;
mod dist;
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

use clap::Parser as _;

use arguments::{Arguments, Task};

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Bench { what } => bench::run(&what),
        Task::Bless { filter } => bless::run(&filter),
        Task::C { what } => c::run(&what),
        Task::Check => check::run(),
        Task::Coverage => coverage::run(),
        Task::Dist => dist::run(),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::FuzzLook { check } => fuzz::look_at_input(&check),
        Task::FuzzWorker { words } => fuzz::run_worker(&words),
        Task::Mutants(options) => mutants::run(&options),
        Task::MutantsLook { words } => mutants::look(&words),
        Task::Results => results::run(),
        Task::Test { name } => nets::run(name.as_deref()),
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
