//! What is asked of the abstraction: whether a unit can be interrupted, whether that can close a circle of units, and
//! which patterns are possible.

use std::collections::BTreeSet;

use raddle_base::Span;
use raddle_engine::{ProofReason, Reason};
use raddle_ir::{AtomicSetId, Program};

use crate::abstraction::{Abstraction, ProgramFacts, Thread};
use crate::interleave::{accepts, interleave};
use crate::patterns::{Pattern, PatternSet, circles, sandwich};
use crate::phases::{Letter, PhaseAutomaton};
use crate::product::{Indexed, Tuple, run};
use crate::report;
use crate::sided::{Failure, Procedure};
use crate::system::{AccessKind, CellId, Process};

/// A pattern that the abstraction admits.
pub(crate) struct Candidate {
    pub(crate) pattern: Pattern,
    /// As in reports.
    pub(crate) what: String,
    pub(crate) reason: Reason,
}

/// How the abstraction answers.
pub(crate) enum Abstract {
    /// No unit can be interrupted.
    Serializable(ProofReason),
    /// Patterns that are possible; none if only longer circles are.
    Admitted(Vec<Candidate>),
}

/// An access that a thread may make: the cell, how, whether in a unit, beside whom.
type Possible = (CellId, AccessKind, bool, u64);

/// Asks the decision procedure about one set.
pub(crate) struct Asking<'a, 'p> {
    program: &'p Program,
    known: &'a ProgramFacts<'a, 'p>,
    abstraction: &'a Abstraction,
    procedure: &'a mut dyn Procedure,
    set: AtomicSetId,
    locks: usize,
    /// By thread.
    possible: Vec<BTreeSet<Possible>>,
    pub(crate) queries: u64,
}

impl<'a, 'p> Asking<'a, 'p> {
    pub(crate) fn new(
        known: &'a ProgramFacts<'a, 'p>,
        abstraction: &'a Abstraction,
        procedure: &'a mut dyn Procedure,
        set: AtomicSetId,
    ) -> Self {
        let processes = abstraction.threads.iter().map(Thread::process);
        Self {
            program: known.points_to.program,
            known,
            abstraction,
            procedure,
            set,
            locks: abstraction.locks.locks.len(),
            possible: processes.map(possible).collect(),
            queries: 0,
        }
    }

    pub(crate) fn answer(&mut self, patterns: PatternSet) -> Result<Abstract, Failure> {
        let interrupted = self.interrupted()?;
        if interrupted.is_empty() {
            return Ok(Abstract::Serializable(self.proof_reason()));
        }
        let mut is_circle_possible = false;
        for &(first, second, cell, kind) in &interrupted {
            if self.closes(first, second, cell, kind)? {
                is_circle_possible = true;
                break;
            }
        }
        if !is_circle_possible {
            return Ok(Abstract::Serializable(self.proof_reason()));
        }
        let mut candidates = Vec::new();
        for pattern in patterns.patterns() {
            candidates.extend(self.candidate(&pattern, &interrupted)?);
        }
        Ok(Abstract::Admitted(candidates))
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        let threads = &self.abstraction.threads;
        let all = 0..threads.len();
        all.clone()
            .flat_map(|first| all.clone().map(move |second| (first, second)))
            .filter(|(first, second)| first != second || !threads[*first].is_single)
            .collect()
    }

    /// By whom and at which access a unit can be interrupted: both threads, the cell and how the unit uses it then.
    fn interrupted(&mut self) -> Result<BTreeSet<(usize, usize, CellId, AccessKind)>, Failure> {
        let mut found = BTreeSet::new();
        for (first, second) in self.pairs() {
            let shared: Vec<CellId> = self
                .abstraction
                .cells
                .ids()
                .filter(|cell| self.is_shared(first, *cell))
                .collect();
            for &cell in &shared {
                for kind in [AccessKind::Read, AccessKind::Write] {
                    let automaton = sandwich(&shared, cell, kind, first);
                    if self.ask(&automaton, &[first, second])?.is_some() {
                        found.insert((first, second, cell, kind));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether the interrupted unit may be part of a circle.
    fn closes(
        &mut self,
        first: usize,
        second: usize,
        cell: CellId,
        kind: AccessKind,
    ) -> Result<bool, Failure> {
        let lefts: Vec<CellId> = self
            .abstraction
            .cells
            .ids()
            .filter(|left| self.is_shared(first, *left))
            .collect();
        for left in lefts {
            for automaton in circles(left, cell, kind, first, false) {
                if self.ask(&automaton, &[first, second])?.is_some() {
                    return Ok(true);
                }
            }
            for third in 0..self.abstraction.threads.len() {
                let used = [first, second]
                    .into_iter()
                    .filter(|it| *it == third)
                    .count();
                if used > 0 && self.abstraction.threads[third].is_single {
                    continue;
                }
                for automaton in circles(left, cell, kind, first, true) {
                    if self.ask(&automaton, &[first, second, third])?.is_some() {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether another thread may have an access that conflicts with one of this thread.
    fn is_shared(&self, thread: usize, cell: CellId) -> bool {
        let possible = &self.possible;
        let writes = |thread: usize| {
            possible[thread]
                .iter()
                .any(|(at, kind, ..)| *at == cell && kind.is(AccessKind::Write))
        };
        let uses = |thread: usize| possible[thread].iter().any(|(at, ..)| *at == cell);
        (0..possible.len()).any(|other| {
            (other != thread || !self.abstraction.threads[thread].is_single)
                && uses(thread)
                && uses(other)
                && (writes(thread) || writes(other))
        })
    }

    fn ask(
        &mut self,
        automaton: &PhaseAutomaton,
        parties: &[usize],
    ) -> Result<Option<Vec<Tuple>>, Failure> {
        // Without the letters there is nothing to ask.
        let has_letters = automaton.phases.iter().all(|phase| {
            let of_party = &self.possible[parties[phase.party]];
            match &phase.letter {
                Letter::Begin | Letter::End | Letter::Event(_) => true,
                Letter::Access {
                    cells,
                    kind,
                    is_in_unit,
                    beside,
                } => of_party.iter().any(|(cell, how, inside, others)| {
                    cells.contains(cell)
                        && kind.is_none_or(|kind| how.is(kind))
                        && (!is_in_unit || *inside)
                        && beside.is_none_or(|it| crate::system::is_beside(*others, it))
                }),
            }
        });
        if !has_letters {
            return Ok(None);
        }
        self.queries += 1;
        self.procedure.decide(automaton, parties)
    }

    /// The pattern on the first locations and threads that admit it.
    fn candidate(
        &mut self,
        pattern: &Pattern,
        interrupted: &BTreeSet<(usize, usize, CellId, AccessKind)>,
    ) -> Result<Option<Candidate>, Failure> {
        let cells: Vec<CellId> = self.abstraction.cells.ids().collect();
        let last = pattern
            .accesses
            .iter()
            .rev()
            .find(|it| it.party == crate::patterns::FIRST)
            .expect("every pattern has accesses of both units");
        for &(first, second, cell, kind) in interrupted {
            if kind != last.kind {
                continue;
            }
            let others: Vec<CellId> = if pattern.locations() == 1 {
                vec![cell]
            } else {
                cells.iter().copied().filter(|it| *it != cell).collect()
            };
            for other in others {
                let mut places = vec![other; pattern.locations()];
                places[last.location] = cell;
                let automaton = pattern.automaton(&places, first);
                if let Some(tuples) = self.ask(&automaton, &[first, second])? {
                    let reason = self.possible_violation(
                        pattern,
                        &places,
                        &automaton,
                        [first, second],
                        &tuples,
                    )?;
                    return Ok(Some(Candidate {
                        pattern: pattern.clone(),
                        what: self.what(pattern, &places),
                        reason,
                    }));
                }
            }
        }
        Ok(None)
    }

    fn what(&self, pattern: &Pattern, places: &[CellId]) -> String {
        let names: Vec<&str> = places
            .iter()
            .map(|cell| self.abstraction.cells[*cell].name.as_str())
            .collect();
        format!(
            "pattern {} on `{}`: {}",
            pattern.number,
            self.program.atomic_sets[self.set].name,
            pattern.describe(&names)
        )
    }

    /// The pattern with an execution of the abstraction that shows it.
    fn possible_violation(
        &self,
        pattern: &Pattern,
        places: &[CellId],
        automaton: &PhaseAutomaton,
        parties: [usize; 2],
        tuples: &[Tuple],
    ) -> Result<Reason, Failure> {
        let what = self.what(pattern, places) + &report::forgotten(self.abstraction);
        let processes = parties.map(|it| self.abstraction.threads[it].process());
        let mut paths = Vec::new();
        for (party, process) in processes.iter().enumerate() {
            let side = automaton.side(party);
            let path = run(&Indexed::new(process), self.locks, &side, &tuples[party])?;
            paths.extend(path);
        }
        let turns = (paths.len() == parties.len())
            .then(|| interleave(&processes, self.locks, &paths))
            .flatten()
            .filter(|turns| accepts(&processes, self.locks, automaton, turns))
            .unwrap_or_default();
        let steps = report::steps(self.known, self.abstraction, &parties, &turns);
        let span: Option<Span> = steps
            .iter()
            .find(|it| it.role == raddle_engine::AbstractRole::Marked)
            .and_then(|it| it.span);
        Ok(Reason::PossibleAtomicityViolation { what, span, steps })
    }

    fn proof_reason(&self) -> ProofReason {
        let declared = &self.program.atomic_sets[self.set];
        ProofReason {
            text: format!(
                "units of work on `{}` never interrupt one another",
                declared.name
            ),
            span: declared.span,
        }
    }
}

/// The accesses that a process may make.
fn possible(process: &Process) -> BTreeSet<Possible> {
    let mut found = BTreeSet::new();
    for rule in process.rules.values() {
        if let crate::system::Label::Access(access) = rule.label {
            let inside = process.controls[rule.from].is_in_unit;
            found.insert((access.cell, access.kind, inside, access.beside));
        }
    }
    found
}
