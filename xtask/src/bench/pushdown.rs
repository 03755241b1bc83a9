//! The decision procedure on generated processes as in AS §10: three processes with recursion, five or six locations,
//! every one of the fourteen patterns on every location or two of them and every two processes.

use std::ops::RangeInclusive;
use std::time::Instant;

use raddle_base::{Budget, Id};
use raddle_engine_wpds::minimal::Minimal;
use raddle_engine_wpds::patterns::PatternSet;
use raddle_engine_wpds::reentrant::{Reduced, reduce};
use raddle_engine_wpds::sided::{Failure, Procedure};
use raddle_engine_wpds::symbolic::{Symbolic, capacities};
use raddle_engine_wpds::system::{CellId, Process};
use raddle_testkit::processes::{Random, Size, process};

/// Of the three processes together.
const RULES: std::ops::Range<usize> = 200..400;
/// Longer than this nobody waits for one system with one procedure.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(1);
/// How many locks, unless told.
const LOCKS: RangeInclusive<usize> = 2..=8;
/// As many nodes as fit into a gigabyte with all that belongs to them.
const MOST_NODES: usize = 1 << 24;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// With so many, or from N to M as in N..M
    #[arg(long, value_name = "N", value_parser = range)]
    locks: Option<RangeInclusive<usize>>,
}

fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if 2 <= least && least <= most && most <= 16 => Ok(least..=most),
        _ => Err("it takes a number from 2 to 16, or two as in `2..8`".to_owned()),
    }
}

pub(crate) fn run(options: &Options) {
    println!(
        "| locks | locations | rules | queries | accepted | `post*` | ms a query, least stretches | most stretches | \
         ms a query, diagrams | largest diagram |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for locks in options.locks.clone().unwrap_or(LOCKS) {
        for cells in [5, 6] {
            println!("{}", row(locks, cells));
        }
    }
}

/// The first generated processes that have together about as many rules.
fn generated(locks: usize, cells: usize) -> Vec<Reduced> {
    let size = Size {
        locks,
        cells,
        functions: 4,
        statements: 3,
        depth: 3,
    };
    let first = u64::try_from(locks * 1000 + cells * 100).unwrap_or(0);
    (first..first + 10_000)
        .map(|seed| {
            let mut random = Random(seed);
            let processes = (0..3).map(|index| {
                let raw = process(&mut random, &size, &format!("p{index}"));
                reduce(&raw).expect("blocks are well nested")
            });
            processes.collect::<Vec<Reduced>>()
        })
        .find(|reduced| {
            let rules: usize = reduced.iter().map(|it| it.process.rules.len()).sum();
            RULES.contains(&rules)
        })
        .expect("there are such systems of every size")
}

/// What all queries on one generated system take, with least stretches and with diagrams.
fn row(locks: usize, cells: usize) -> String {
    let reduced = generated(locks, cells);
    let processes: Vec<&Process> = reduced.iter().map(|it| &it.process).collect();
    let rules: usize = processes.iter().map(|it| it.rules.len()).sum();
    let budget = Budget::unlimited().with_timeout(PATIENCE);
    let start = Instant::now();
    let mut minimal = Minimal::new(&processes, locks, usize::MAX, &budget);
    let by_stretches = all_queries(&mut minimal, cells);
    let stretches = told(&by_stretches, start, minimal.largest);
    let (by_diagrams, diagrams) = diagrams(&processes, locks, cells);
    let asked = match (&by_stretches, &by_diagrams) {
        (Ok(one), Ok(other)) if one != other => format!("{one:?} but {other:?}"),
        (Ok((queries, accepted)), _) | (_, Ok((queries, accepted))) => {
            format!("{queries} | {accepted}")
        }
        _ => " | ".to_owned(),
    };
    format!(
        "| {locks} | {cells} | {rules} | {asked} | {} | {stretches} | {diagrams} |",
        minimal.saturations
    )
}

/// How many queries, and how many of them were accepted.
type Asked = Result<(u32, u32), Failure>;

fn diagrams(processes: &[&Process], locks: usize, cells: usize) -> (Asked, String) {
    let start = Instant::now();
    let budget = Budget::unlimited().with_timeout(PATIENCE);
    for capacity in capacities(MOST_NODES) {
        let mut largest = 0;
        let asked =
            Symbolic::new(processes, locks, 4, 2, capacity, &budget).and_then(|mut symbolic| {
                let asked = all_queries(&mut symbolic, cells);
                largest = symbolic.largest;
                asked
            });
        if asked != Err(Failure::TableFull) {
            let told = told(&asked, start, largest);
            return (asked, told);
        }
    }
    let asked = Err(Failure::TableFull);
    let told = told(&asked, start, 0);
    (asked, told)
}

/// Milliseconds a query, and how large sets became.
fn told(asked: &Asked, start: Instant, largest: usize) -> String {
    match asked {
        Ok((queries, _)) => {
            let each = start.elapsed().as_secs_f64() * 1000.0 / f64::from((*queries).max(1));
            format!("{each:.1} | {largest}")
        }
        Err(Failure::Exhausted(_)) => format!("over {} s in all |", PATIENCE.as_secs()),
        Err(Failure::TableFull) => "the table is full |".to_owned(),
        Err(Failure::TooMany | Failure::TooManyStretches) => "too many |".to_owned(),
    }
}

fn all_queries(procedure: &mut dyn Procedure, cells: usize) -> Asked {
    let (mut queries, mut accepted) = (0, 0);
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        for pattern in PatternSet::Fourteen.patterns() {
            for left in 0..cells {
                for right in 0..cells {
                    let is_one = pattern.locations() == 1;
                    if is_one != (left == right) {
                        continue;
                    }
                    let places = [left, right].map(CellId::from_index);
                    let automaton = pattern.automaton(&places[..pattern.locations()], first);
                    queries += 1;
                    let tuples = procedure.decide(&automaton, &[first, second])?;
                    accepted += u32::from(tuples.is_some());
                }
            }
        }
    }
    Ok((queries, accepted))
}
