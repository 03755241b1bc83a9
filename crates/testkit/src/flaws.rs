//! The explicit engine with one thing wrong, on random programs: who takes the table of movers or a side condition away
//! has to be noticed.
//!
//! Some things are guarded twice, and one guard alone can be taken away without harm. [`Fault::masked_by`] says which,
//! and why; where the other guard can be taken away too, both together have to be noticed.

use std::collections::BTreeSet;

use raddle_engine::{Engine, Reduction};
use raddle_engine_explicit::{ExplicitEngine, Flaw};
use raddle_generate::{Profile, Theme, generate};
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_ir::watch::LookKind;
use raddle_reduce::movers::{Row, row_of, row_with_recycling};
use raddle_reduce::omission::Omission;
use raddle_reduce::table::{Change, Table, changes};

use crate::oracle::{Seen, compared, enumerate};
use crate::rare::{is_missed, planted, remembering};

/// Larger programs are left out: many small ones show more in the same time.
const MAX_STATES: usize = 1_000;

/// How many violations are planted in each program.
const PLANTED: usize = 4;

/// The reductions that use all of the table between them.
const REDUCTIONS: [Reduction; 2] = [Reduction::Phase, Reduction::Optimistic];

/// The kinds of looks of which random programs show that notes are missing; of the others none has yet.
const SHOWN_LOOKS: [LookKind; 3] = [
    LookKind::Thread,
    LookKind::ObjectName,
    LookKind::AddressName,
];

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A flag of the table is flipped, or a condition dropped.
    Table(Row, Change),
    /// Something else is left out.
    Without(Omission),
    /// Both, because each alone is guarded by the other.
    Both(Row, Change, Omission),
    /// Transactions are taken for known though something was looked at that is not the same.
    Unnoted(LookKind),
}

/// Why a fault makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    /// Something else keeps it from showing; without that, this has to be caught.
    Guarded { by: &'static str, without_it: Fault },
    /// The claim is only ever asked where it is true, or not at all.
    NoDifference(&'static str),
}

impl Fault {
    /// Everything that can be wrong, one thing at a time.
    pub fn all() -> Vec<Fault> {
        let table = changes()
            .into_iter()
            .map(|(row, change)| Fault::Table(row, change));
        table
            .chain(Omission::ALL.into_iter().map(Fault::Without))
            .chain(SHOWN_LOOKS.into_iter().map(Fault::Unnoted))
            .collect()
    }

    /// Whether executions may be missed with it. A mover that is denied only makes the search longer.
    pub fn is_dangerous(self) -> bool {
        match self {
            Fault::Table(_, change) => change.is_dangerous(),
            Fault::Without(_) | Fault::Both(..) | Fault::Unnoted(_) => true,
        }
    }

    /// Why it cannot be caught alone, for those of which that is known.
    pub fn masked_by(self) -> Option<Mask> {
        let both = Fault::Both(
            Row::EndProcess,
            Change::Left(true),
            Omission::EndIsNotPassed,
        );
        match self {
            Fault::Table(Row::EndProcess, Change::Left(true)) => Some(Mask::Guarded {
                by: "EndIsNotPassed: the state before the end of the process is stored before anybody asks how the end moves",
                without_it: both,
            }),
            // Before the commit, what others do there they can do before the right movers.
            Fault::Without(Omission::EndIsNotPassed) => Some(Mask::Guarded {
                by: "the row EndProcess: the end is no left mover, so the state before it is not passed after the commit",
                without_it: both,
            }),
            Fault::Table(Row::EndProcess | Row::ExitThread, Change::Right(true))
            | Fault::Without(Omission::LastStepIsNotRight) => Some(Mask::NoDifference(
                "a transaction ends where its thread has ended, before the commit as well as after it",
            )),
            Fault::Table(Row::BarrierLeave | Row::Join, Change::Left(true)) => {
                Some(Mask::NoDifference(
                    "who waits is never passed, and who can go on could have gone on ever since it came there",
                ))
            }
            Fault::Table(Row::Unsupported, Change::Right(true) | Change::Left(true)) => Some(
                Mask::NoDifference("a step that stops is not looked up in the table"),
            ),
            Fault::Table(..) | Fault::Without(_) | Fault::Both(..) | Fault::Unnoted(_) => None,
        }
    }

    pub fn describe(self) -> String {
        match self {
            Fault::Table(row, change) => format!("{row:?}: {}", change.describe()),
            Fault::Without(omission) => format!("without {omission:?}"),
            Fault::Both(row, change, omission) => {
                format!("{row:?}: {}, without {omission:?}", change.describe())
            }
            Fault::Unnoted(kind) => format!("no notes of looks at {kind:?}"),
        }
    }

    fn flaw(self) -> Flaw {
        let (table, omission) = match self {
            Fault::Table(row, change) => (Table::changed(row, change), None),
            Fault::Without(omission) => (Table::default(), Some(omission)),
            Fault::Both(row, change, omission) => (Table::changed(row, change), Some(omission)),
            Fault::Unnoted(_) => (Table::default(), None),
        };
        let unnoted = match self {
            Fault::Unnoted(kind) => Some(kind),
            Fault::Table(..) | Fault::Without(_) | Fault::Both(..) => None,
        };
        Flaw {
            table,
            omission,
            clause: None,
            unnoted,
        }
    }

    /// Whether it can make a difference to a program with these rows.
    fn concerns(self, rows: &BTreeSet<Row>) -> bool {
        match self {
            // Locals end with calls.
            Fault::Table(Row::ExclusiveAccess | Row::LifeChange, _)
            | Fault::Without(_)
            | Fault::Unnoted(_) => true,
            Fault::Table(row, _) | Fault::Both(row, ..) => rows.contains(&row),
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
    /// The first seed on whose program the engine is wrong without any fault, with what is wrong.
    pub unsound: Option<(u64, String)>,
}

/// How long to look.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub first_seed: u64,
    pub seeds: u64,
    /// A fault that was caught so often is left alone.
    pub enough: u64,
}

/// Decides random programs with a fault until it was caught often enough, there is no seed left, or `goes_on` says no.
pub fn catch(fault: Fault, effort: Effort, goes_on: &dyn Fn() -> bool) -> Caught {
    let mut caught = Caught {
        fault,
        seeds: 0,
        by: 0,
        first: None,
        unsound: None,
    };
    for seed in effort.first_seed..effort.first_seed.saturating_add(effort.seeds) {
        if !goes_on() || caught.by >= effort.enough {
            break;
        }
        caught.seeds += 1;
        let program = generate(seed, &profile(fault, seed));
        // Nothing else makes it possible that a wait ends as soon as it begins.
        let semantics = Semantics {
            has_spurious_wakeups: seed.is_multiple_of(3),
            ..Semantics::default()
        };
        let Some(subject) = Subject::about(fault, program, semantics) else {
            continue;
        };
        let Some(wrong) = subject.shows(fault) else {
            continue;
        };
        // Where the engine is wrong without the fault, the fault shows nothing.
        if let Some(problem) = subject.problem() {
            caught.unsound.get_or_insert((seed, problem));
            continue;
        }
        caught.by += 1;
        caught.first.get_or_insert((seed, wrong));
    }
    caught
}

/// A program with its truth.
pub struct Subject {
    program: Program,
    semantics: Semantics,
    seen: Seen,
    /// The same with an assertion that is violated.
    planted: Vec<Program>,
}

impl Subject {
    /// `None` if it has too many states.
    pub fn new(program: Program, semantics: Semantics) -> Option<Self> {
        let program = remembering(program);
        let seen = enumerate(&program, &semantics, MAX_STATES)?;
        let planted = planted(&program, &semantics, MAX_STATES, PLANTED);
        Some(Self {
            program,
            semantics,
            seen,
            planted,
        })
    }

    /// `None` also if it cannot show the fault.
    fn about(fault: Fault, program: Program, semantics: Semantics) -> Option<Self> {
        if fault.concerns(&rows_of(&program)) {
            Self::new(program, semantics)
        } else {
            None
        }
    }

    /// What an engine with this fault says wrong of it.
    pub fn shows(&self, fault: Fault) -> Option<String> {
        self.wrong(fault.flaw())
    }

    /// What the engine as it is says wrong of it.
    pub fn problem(&self) -> Option<String> {
        self.wrong(Flaw::default())
    }

    fn wrong(&self, flaw: Flaw) -> Option<String> {
        REDUCTIONS.into_iter().find_map(|reduction| {
            let mut engine = ExplicitEngine::new(reduction);
            engine.flaw = flaw;
            let found = compared(&mut engine, &self.program, &self.semantics, &self.seen);
            let first = found
                .disagreements
                .into_iter()
                .next()
                .or_else(|| self.missed_by(&mut engine))?;
            Some(format!("{}: {first}", engine.reduction()))
        })
    }

    fn missed_by(&self, engine: &mut ExplicitEngine) -> Option<String> {
        let mut planted = self.planted.iter();
        planted
            .any(|it| is_missed(engine, it, &self.semantics))
            .then(|| "assert: a planted violation is missed".to_owned())
    }
}

/// Programs about a fault; every fourth is about anything.
fn profile(fault: Fault, seed: u64) -> Profile {
    let default = Profile::default();
    if seed.is_multiple_of(4) {
        return default;
    }
    // Who meets whom at a barrier matters only where there are more than it needs.
    let is_about_meeting = matches!(fault, Fault::Table(Row::BarrierArrive, _));
    Profile {
        themes: themes_about(fault).iter().map(|it| (*it, 1)).collect(),
        extras: Vec::new(),
        max_themes: 1,
        min_threads: if is_about_meeting && seed % 2 == 1 {
            3
        } else {
            default.min_threads
        },
        lone_waits: if fault == Fault::Without(Omission::LoneWaitsAreNotPassed) {
            50
        } else {
            default.lone_waits
        },
        ..default
    }
}

/// The themes in which a fault is likely to show.
fn themes_about(fault: Fault) -> &'static [Theme] {
    match fault {
        Fault::Table(row, _) | Fault::Both(row, ..) => match row {
            Row::Register | Row::Assume | Row::ExclusiveAccess => &[Theme::CellSteps],
            Row::SharedAccess | Row::AtomicAccess => &[Theme::CellSteps],
            Row::Section => &[Theme::SectionSteps],
            Row::Acquire | Row::Release | Row::Attempt => &[Theme::LockSteps],
            Row::WaitBegin | Row::WaitEnd | Row::Signal => &[
                Theme::ConditionSteps,
                Theme::MonitorSteps,
                Theme::HandshakeSteps,
            ],
            Row::WaitEndTimed => &[Theme::ConditionSteps, Theme::HandshakeSteps],
            Row::SemaphorePost | Row::SemaphoreWait => &[Theme::SemaphoreSteps],
            Row::BarrierArrive | Row::BarrierLeave => &[Theme::BarrierSteps],
            Row::Spawn | Row::SpawnInto | Row::Join | Row::Detach => &[Theme::JoinSteps],
            Row::ExitThread | Row::EndProcess | Row::Unsupported => &[Theme::EndSteps],
            Row::Recycle | Row::FreeNamed => &[Theme::Recycling],
            Row::Allocate | Row::LifeChange => {
                &[Theme::HeapSteps, Theme::SemaphoreSteps, Theme::LockSteps]
            }
        },
        Fault::Without(omission) => match omission {
            Omission::AddressesComeBack | Omission::NumbersLeadToTheLiving => &[Theme::Recycling],
            Omission::AllStepsMoveLeft
            | Omission::CyclesAreCut
            | Omission::WeakenedIsExploredAgain => &[Theme::CellSteps],
            Omission::NobodyEnablesMore | Omission::WritersHoldExclusively => &[Theme::LockSteps],
            Omission::StopsDoNotMove | Omission::FailuresAreNoted => &[Theme::FailureSteps],
            Omission::EndIsNotPassed | Omission::LastStepIsNotRight => &[Theme::EndSteps],
            Omission::BlockedAccessesAreNoted | Omission::SectionsAreNoted => {
                &[Theme::SectionSteps]
            }
            Omission::WaitingIsNoted => &[Theme::SemaphoreSteps, Theme::JoinSteps],
            Omission::InvariantsAreWatched => &[Theme::Invariant, Theme::InvariantSteps],
            Omission::GivingIsNotLeft => &[Theme::HandOver, Theme::Exclusive],
            Omission::AloneByJoins => &[Theme::AloneSteps],
            Omission::PointersAreNotInvented
            | Omission::PublishedStaysSo
            | Omission::LifeIsACell => &[Theme::HeapSteps],
            Omission::OneObjectOfASite => &[Theme::OwnLockSteps],
            Omission::EndlessWaitsAreLookedFor
            | Omission::LivelocksAreLookedFor
            | Omission::NobodyWakesForNoReason => &[Theme::Rounds],
            // The others come to their ends.
            Omission::LoneWaitsAreNotPassed => &[Theme::Counter],
        },
        Fault::Unnoted(kind) => match kind {
            LookKind::Thread => &[Theme::JoinSteps],
            LookKind::Object | LookKind::Head => &[Theme::LockSteps, Theme::HeapSteps],
            LookKind::Cells => &[Theme::CellSteps],
            LookKind::Presence | LookKind::ObjectName => &[Theme::HeapSteps],
            LookKind::AddressName => &[Theme::Recycling],
            LookKind::ThreadName => &[Theme::JoinSteps],
            LookKind::Everything => &[Theme::Invariant, Theme::InvariantSteps],
        },
    }
}

fn rows_of(program: &Program) -> BTreeSet<Row> {
    program
        .functions
        .values()
        .flat_map(|function| function.edges.values())
        .flat_map(|edge| [row_of(&edge.action), row_with_recycling(&edge.action)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_reduce::movers::Condition;

    const EFFORT: Effort = Effort {
        first_seed: 1,
        seeds: 100,
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
        for fault in faults {
            assert_eq!(catch(fault, EFFORT, &|| true).by, 1, "{}", fault.describe());
        }
    }

    #[test]
    fn a_look_that_is_not_noted_is_caught() {
        for kind in SHOWN_LOOKS {
            let fault = Fault::Unnoted(kind);
            assert_eq!(catch(fault, EFFORT, &|| true).by, 1, "{}", fault.describe());
        }
    }

    #[test]
    fn faults_are_caught_that_only_programs_about_them_show() {
        let faults = [
            Fault::Table(Row::Detach, Change::Without(Condition::SoleJoiner)),
            Fault::Table(
                Row::SemaphoreWait,
                Change::Without(Condition::LivenessProtected),
            ),
            Fault::Without(Omission::WaitingIsNoted),
            Fault::Without(Omission::CyclesAreCut),
            Fault::Without(Omission::StopsDoNotMove),
            Fault::Without(Omission::AloneByJoins),
            Fault::Without(Omission::OneObjectOfASite),
            Fault::Without(Omission::PublishedStaysSo),
            Fault::Without(Omission::LifeIsACell),
            Fault::Without(Omission::LivelocksAreLookedFor),
        ];
        for fault in faults {
            assert_eq!(catch(fault, EFFORT, &|| true).by, 1, "{}", fault.describe());
        }
    }

    /// Programs about a fault are where the engine itself is most likely to be wrong.
    #[test]
    fn the_engine_without_a_fault_is_right_about_programs_about_faults() {
        for fault in Fault::all().into_iter().filter(|it| it.is_dangerous()) {
            for seed in [1, 2, 3] {
                let program = generate(seed, &profile(fault, seed));
                let semantics = Semantics {
                    has_spurious_wakeups: seed == 3,
                    ..Semantics::default()
                };
                let problem = Subject::new(program, semantics).and_then(|it| it.problem());
                assert_eq!(problem, None, "seed {seed}, {}", fault.describe());
            }
        }
    }

    #[test]
    fn what_is_guarded_twice_is_caught_without_both_guards() {
        let guarded = Fault::all()
            .into_iter()
            .filter_map(|it| match it.masked_by() {
                Some(Mask::Guarded { without_it, .. }) => Some(without_it),
                Some(Mask::NoDifference(_)) | None => None,
            });
        for fault in guarded {
            assert_eq!(catch(fault, EFFORT, &|| true).by, 1, "{}", fault.describe());
        }
    }

    #[test]
    fn a_mover_that_is_denied_does_no_harm() {
        let effort = Effort {
            seeds: 15,
            ..EFFORT
        };
        for row in [Row::Register, Row::Acquire] {
            let fault = Fault::Table(row, Change::Right(false));
            assert!(!fault.is_dangerous());
            let caught = catch(fault, effort, &|| true);
            assert_eq!(caught.first, None, "{}", fault.describe());
        }
    }
}
