//! The programs of MAT Table 1 with the token between all accesses, between those that need it, and with one context
//! for each thread; beside them bounded model checking with a scheduler.

use std::time::{Duration, Instant};

use raddle_driver::{
    ContextBounds, EngineChoice, EngineId, Language, Options, Outcome, PairChoice, Property,
    Verdict,
};
use raddle_testkit::walk;

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

pub(crate) fn run(options: &[&str]) -> Result<(), Vec<String>> {
    let (mut only, mut seconds, mut times) = ("", 60, 5);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let value = words.next().copied().unwrap_or_default();
        let number = || {
            let known = value.parse().ok().filter(|it| *it > 0);
            known.ok_or_else(|| vec![format!("`{word}` takes a number, not `{value}`")])
        };
        match *word {
            "--only" => only = value,
            "--seconds" => seconds = number()?,
            "--times" => times = number()?,
            _ => {
                let known = "`bench token` takes `--only NAME`, `--seconds N` and `--times N`";
                return Err(vec![known.to_owned()]);
            }
        }
    }
    println!("| program | way | pairs | clauses | seconds | verdict | steps |");
    println!("|---|---|--:|--:|--:|---|--:|");
    for (name, program, rounds, is_safe) in ROWS {
        if !name.contains(only) {
            continue;
        }
        let path = walk::repository_root().join(program);
        let source = std::fs::read_to_string(path).map_err(|error| vec![error.to_string()])?;
        for (way, what) in WAYS {
            let options = asked(way, rounds, is_safe, Duration::from_secs(seconds));
            println!(
                "| {name} | {what} | {} |",
                measured(&source, &options, times)?
            );
        }
    }
    Ok(())
}

fn asked(way: Way, rounds: u32, is_safe: bool, timeout: Duration) -> Options {
    let mut options = Options {
        properties: Some(vec![Property::Assert]),
        engine: EngineChoice::One(EngineId::Token),
        language: Some(Language::C),
        timeout: Some(timeout),
        ..Options::default()
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
fn measured(source: &str, options: &Options, times: u64) -> Result<String, Vec<String>> {
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
