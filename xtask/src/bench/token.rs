//! The programs of MAT Table 1 with the token between all accesses, between those that need it, and with one context
//! for each thread; beside them bounded model checking with a scheduler.

use std::time::{Duration, Instant};

use raddle_driver::{
    ContextBounds, EngineChoice, EngineId, Language, Options as Asked, Outcome, PairChoice,
    Property, Verdict,
};
use raddle_testkit::walk;

use super::positive;

/// The name in the paper, the program and its rounds, and whether the violation is out of reach.
const ROWS: [(&str, &str, u32, bool); 7] = [
    ("E1S", FIBONACCI, 2, false),
    ("E2S", SECTIONS, 2, false),
    ("E3S", FIBONACCI, 10, false),
    ("E4S", SECTIONS, 10, false),
    ("E5U", SECTIONS, 10, true),
    ("E6S", FIBONACCI, 50, false),
    ("E7S", SECTIONS, 50, false),
];
const FIBONACCI: &str = "examples/papers/mat-table1-fibonacci.c";
const SECTIONS: &str = "examples/papers/mat-table1-sections.c";

/// How each is checked.
#[derive(Clone, Copy)]
enum Way {
    All,
    Mats,
    MatsOneContext,
    Scheduler,
}

const WAYS: [(Way, &str); 4] = [
    (Way::All, "all pairs"),
    (Way::Mats, "MATs"),
    (Way::MatsOneContext, "MATs, one context"),
    (Way::Scheduler, "`bmc`"),
];

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Only the rows whose name contains NAME, such as E4
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    only: String,
    /// How long each may take
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = positive())]
    seconds: u64,
    /// How often each is run, of which the median is told
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = positive())]
    times: u64,
}

pub(crate) fn run(options: &Options) -> Result<(), Vec<String>> {
    println!("| program | way | pairs | clauses | seconds | verdict | steps |");
    println!("|---|---|--:|--:|--:|---|--:|");
    for (name, program, rounds, is_safe) in ROWS {
        if !name.contains(&options.only) {
            continue;
        }
        let path = walk::repository_root().join(program);
        let source = std::fs::read_to_string(path).map_err(|error| vec![error.to_string()])?;
        for (way, what) in WAYS {
            let asked = asked(way, rounds, is_safe, Duration::from_secs(options.seconds));
            println!(
                "| {name} | {what} | {} |",
                measured(&source, &asked, options.times)?
            );
        }
    }
    Ok(())
}

fn asked(way: Way, rounds: u32, is_safe: bool, timeout: Duration) -> Asked {
    let mut options = Asked {
        properties: Some(vec![Property::Assert]),
        engine: EngineChoice::One(EngineId::Token),
        language: Some(Language::C),
        timeout: Some(timeout),
        ..Asked::default()
    };
    options.c.defines.push(format!("ROUNDS={rounds}"));
    if is_safe {
        options.c.defines.push("SAFE".to_owned());
    }
    match way {
        Way::All => options.pairs = Some(PairChoice::All),
        Way::Mats => {}
        Way::MatsOneContext => {
            options.context_bounds = ContextBounds {
                all: Some(1),
                ..ContextBounds::default()
            };
        }
        Way::Scheduler => options.engine = EngineChoice::One(EngineId::Bmc),
    }
    options
}

/// The median of some runs; what takes too long is not repeated.
fn measured(source: &str, options: &Asked, times: u64) -> Result<String, Vec<String>> {
    let mut taken = Vec::new();
    let mut told = String::new();
    for _ in 0..times {
        let start = Instant::now();
        let report = raddle::check(source, options);
        let seconds = start.elapsed().as_secs_f64();
        let Outcome::Checked(checked) = &report.outcome else {
            return Err(vec!["the program was not checked".to_owned()]);
        };
        let counter = |name| {
            checked
                .counters
                .get(name)
                .map_or(String::new(), u64::to_string)
        };
        let (verdict, steps, is_decided) = match checked.properties[0].audited.verdict() {
            Verdict::Safe(_) => ("safe", String::new(), true),
            Verdict::Unsafe(trace) => ("unsafe", trace.steps.len().to_string(), true),
            Verdict::Unknown(_) => ("unknown", String::new(), false),
        };
        taken.push(seconds);
        taken.sort_by(f64::total_cmp);
        let median = taken[taken.len() / 2];
        let limit = options.timeout.unwrap_or_default().as_secs_f64();
        let shown = if !is_decided && seconds >= limit {
            format!("over {limit:.0}")
        } else {
            format!("{median:.2}")
        };
        told = format!(
            "{} | {} | {shown} | {verdict} | {steps}",
            counter("pairs"),
            counter("clauses")
        );
        if seconds >= limit {
            break;
        }
    }
    Ok(told)
}
