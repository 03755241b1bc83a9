//! The explicit engine with one thing wrong, on random programs: who takes the table of movers or a side condition away
//! has to be noticed.

use std::collections::{BTreeMap, BTreeSet};

use raddle_engine::{Engine, Reduction, Verdict};
use raddle_engine_explicit::{ExplicitEngine, Flaw};
use raddle_generate::{Profile, Theme, generate};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_reduce::movers::{Row, row_of};
use raddle_reduce::omission::Omission;
use raddle_reduce::table::{Change, Table, changes};

use crate::oracle::{Seen, compared, decide, enumerate};
use crate::rare::{deny, rarest, remembering};

/// Larger programs are left out: many small ones show more in the same time.
const MAX_STATES: usize = 1_000;

/// How many violations are planted in each program.
const PLANTED: usize = 4;

/// The reductions that use all of the table between them.
const REDUCTIONS: [Reduction; 2] = [Reduction::Phase, Reduction::Optimistic];

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A flag of the table is flipped, or a condition dropped.
    Table(Row, Change),
    /// Something else is left out.
    Without(Omission),
}

impl Fault {
    /// Everything that can be wrong.
    pub fn all() -> Vec<Fault> {
        let table = changes()
            .into_iter()
            .map(|(row, change)| Fault::Table(row, change));
        table
            .chain(Omission::ALL.into_iter().map(Fault::Without))
            .collect()
    }

    /// Whether executions may be missed with it. A mover that is denied only makes the search longer.
    pub fn is_dangerous(self) -> bool {
        match self {
            Fault::Table(_, change) => change.is_dangerous(),
            Fault::Without(_) => true,
        }
    }

    pub fn describe(self) -> String {
        match self {
            Fault::Table(row, change) => format!("{row:?}: {}", change.describe()),
            Fault::Without(omission) => format!("without {omission:?}"),
        }
    }

    fn flaw(self) -> Flaw {
        match self {
            Fault::Table(row, change) => Flaw {
                table: Table::changed(row, change),
                omission: None,
            },
            Fault::Without(omission) => Flaw {
                table: Table::default(),
                omission: Some(omission),
            },
        }
    }

    /// Whether it can make a difference to a program with these rows.
    fn concerns(self, rows: &BTreeSet<Row>) -> bool {
        match self {
            // Locals end with calls.
            Fault::Table(Row::ExclusiveAccess | Row::LifeChange, _) | Fault::Without(_) => true,
            Fault::Table(row, _) => rows.contains(&row),
        }
    }
}

/// What random programs made of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    pub fault: Fault,
    /// Seeds whose programs were decided with it.
    pub seeds: u64,
    /// Those that show it.
    pub by: u64,
    /// The first of them, with what is wrong.
    pub first: Option<(u64, String)>,
}

/// How long to look.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub first_seed: u64,
    pub seeds: u64,
    /// A fault that was caught so often is left alone.
    pub enough: u64,
}

/// Decides random programs with each fault until there is no seed left, or `goes_on` says no.
pub fn catch(faults: &[Fault], effort: Effort, goes_on: &dyn Fn() -> bool) -> Vec<Caught> {
    let mut all: Vec<Caught> = faults
        .iter()
        .map(|&fault| Caught {
            fault,
            seeds: 0,
            by: 0,
            first: None,
        })
        .collect();
    for seed in effort.first_seed..effort.first_seed.saturating_add(effort.seeds) {
        if !goes_on() || all.iter().all(|it| it.by >= effort.enough) {
            break;
        }
        let mut subjects: BTreeMap<&[Theme], Option<Subject>> = BTreeMap::new();
        for caught in all.iter_mut().filter(|it| it.by < effort.enough) {
            caught.seeds += 1;
            let themes = themes_about(caught.fault, seed);
            let subject = subjects
                .entry(themes)
                .or_insert_with(|| Subject::new(generate(seed, &profile(themes))));
            let wrong = subject.as_ref().and_then(|it| it.shows(caught.fault));
            if let Some(wrong) = wrong {
                caught.by += 1;
                caught.first.get_or_insert((seed, wrong));
            }
        }
    }
    all
}

/// A program with its truth.
pub struct Subject {
    program: Program,
    rows: BTreeSet<Row>,
    semantics: Semantics,
    seen: Seen,
    /// The same with an assertion that is violated.
    planted: Vec<Program>,
}

impl Subject {
    /// `None` if it has too many states.
    pub fn new(program: Program) -> Option<Self> {
        let program = remembering(program);
        let semantics = Semantics::default();
        let seen = enumerate(&program, &semantics, MAX_STATES)?;
        let planted = rarest(&program, &semantics, MAX_STATES, PLANTED)
            .iter()
            .filter_map(|view| deny(&program, view))
            .collect();
        Some(Self {
            rows: rows_of(&program),
            program,
            semantics,
            seen,
            planted,
        })
    }

    /// What an engine with this fault says wrong of it.
    pub fn shows(&self, fault: Fault) -> Option<String> {
        if !fault.concerns(&self.rows) {
            return None;
        }
        REDUCTIONS.into_iter().find_map(|reduction| {
            let mut engine = ExplicitEngine::new(reduction);
            engine.flaw = fault.flaw();
            let found = compared(&mut engine, &self.program, &self.semantics, &self.seen);
            let first = found
                .disagreements
                .into_iter()
                .next()
                .or_else(|| missed(&mut engine, &self.planted))?;
            Some(format!("{}: {first}", engine.reduction()))
        })
    }
}

/// Whether an engine calls one of these programs safe, whose assertions are all violated.
fn missed(engine: &mut ExplicitEngine, planted: &[Program]) -> Option<String> {
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..Semantics::default()
    };
    let is_missed = planted.iter().any(|program| {
        let answer = decide(engine, program, &semantics);
        matches!(
            answer.verdicts.get(&Property::Assert),
            Some(Verdict::Safe(_))
        )
    });
    is_missed.then(|| "assert: a planted violation is missed".to_owned())
}

/// Programs about some themes, or about anything.
fn profile(themes: &[Theme]) -> Profile {
    if themes.is_empty() {
        return Profile::default();
    }
    Profile {
        themes: themes.iter().map(|theme| (*theme, 1)).collect(),
        max_themes: 1,
        ..Profile::default()
    }
}

/// The themes in which a fault is likely to show; every fourth program is about anything.
fn themes_about(fault: Fault, seed: u64) -> &'static [Theme] {
    if seed.is_multiple_of(4) {
        return &[];
    }
    match fault {
        Fault::Table(row, _) => match row {
            Row::Register | Row::Assume | Row::ExclusiveAccess | Row::SharedAccess => &[],
            Row::AtomicAccess | Row::Allocate | Row::Section => &[],
            Row::Acquire | Row::Release | Row::Attempt => &[Theme::LockSteps],
            Row::WaitBegin | Row::WaitEnd | Row::Signal => {
                &[Theme::ConditionSteps, Theme::MonitorSteps]
            }
            Row::WaitEndTimed => &[Theme::ConditionSteps],
            Row::SemaphorePost | Row::SemaphoreWait => &[Theme::SemaphoreSteps],
            Row::BarrierArrive | Row::BarrierLeave => &[Theme::BarrierSteps],
            Row::Spawn | Row::Join | Row::Detach => &[Theme::ThreadSteps],
            Row::ExitThread | Row::EndProcess | Row::Unsupported => &[Theme::EndSteps],
            Row::LifeChange => &[Theme::Heap, Theme::LockLife, Theme::LockSteps],
        },
        Fault::Without(_) => &[],
    }
}

fn rows_of(program: &Program) -> BTreeSet<Row> {
    program
        .functions
        .values()
        .flat_map(|function| function.edges.values())
        .map(|edge| row_of(&edge.action))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_reduce::movers::Condition;

    const EFFORT: Effort = Effort {
        first_seed: 1,
        seeds: 60,
        enough: 1,
    };

    #[test]
    fn coarse_faults_are_caught_by_a_few_random_programs() {
        let faults = [
            Fault::Table(Row::AtomicAccess, Change::Left(true)),
            Fault::Table(Row::ExclusiveAccess, Change::Without(Condition::Exclusive)),
            Fault::Table(Row::Acquire, Change::Left(true)),
            Fault::Without(Omission::AllStepsMoveLeft),
            Fault::Without(Omission::NobodyEnablesMore),
        ];
        for caught in catch(&faults, EFFORT, &|| true) {
            assert_eq!(caught.by, 1, "{}", caught.fault.describe());
        }
    }

    #[test]
    fn a_mover_that_is_denied_does_no_harm() {
        let weaker: Vec<Fault> = [Row::Register, Row::Acquire]
            .map(|row| Fault::Table(row, Change::Right(false)))
            .into();
        let effort = Effort {
            seeds: 15,
            ..EFFORT
        };
        for caught in catch(&weaker, effort, &|| true) {
            assert!(!caught.fault.is_dangerous());
            assert_eq!(caught.first, None, "{}", caught.fault.describe());
        }
    }
}
