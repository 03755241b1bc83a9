//! What is asked of one atomic set, and in which order.
//!
//! First whether any unit of work can be interrupted in a way that every circle of units contains
//! ([`sandwich`]): if not, all executions are serializable. Where it can, which of the patterns are possible; those are
//! looked for on the program itself ([`crate::confirm`]).

use std::collections::{BTreeMap, BTreeSet};

use raddle_analysis::undefined::{Recursion, first_possibility};
use raddle_analysis::{conflicts, names, parallel::Parallel, points_to::PointsTo};
use raddle_base::{Budget, Span};
use raddle_engine::{Counters, Proof, ProofReason, Reason, Reduction, Verdict};
use raddle_ir::interpret::{Interpreter, Semantics};
use raddle_ir::{AtomicSetId, Program};

use crate::abstraction::{Abstraction, Failed, Known, Thread, abstract_program};
use crate::confirm::{Found, Sought, search};
use crate::interleave::{accepts, interleave};
use crate::partial::partial_writers;
use crate::patterns::{Pattern, PatternSet, circles, sandwich};
use crate::phases::{Letter, PhaseAutomaton};
use crate::product::{Indexed, Tuple, run};
use crate::report;
use crate::symbolic::{Failure, MOST_PARTIES, Symbolic, capacities};
use crate::system::{AccessKind, CellId, Process};
use crate::{Undefined, partial::PartialWriter};

/// What proofs rest on, as reports name it.
const PROCEDURE: &str =
    "decided on pushdown systems that forget data and keep calls, locks and units of work";
const PROCEDURE_ASSUMING: &str = "decided on pushdown systems that forget data and keep calls, locks and units of \
                                  work, assuming that nothing undefined happens";

/// The most that decision diagrams may take, as nodes of some 40 bytes with what is remembered of them.
const MOST_NODES: usize = 1 << 24;

/// States looked at on the program itself, first and each time more.
const FIRST_STATES: usize = 2_000;
const MORE_STATES: usize = 8;

/// Everything about a program that does not depend on the set.
pub(crate) struct Whole<'p> {
    pub(crate) program: &'p Program,
    points_to: Result<PointsTo<'p>, Reason>,
    accesses: Vec<conflicts::Access>,
    parallel: Option<Parallel>,
    /// What may be undefined, if it matters.
    undefined: Option<Reason>,
}

impl<'p> Whole<'p> {
    pub(crate) fn new(program: &'p Program, undefined: Undefined) -> Self {
        let not_proved = |what: String, span| Reason::NotProved { what, span };
        let points_to = PointsTo::new(program)
            .map_err(|_| {
                not_proved(
                    "the program has too many calls for the analysis".into(),
                    None,
                )
            })
            .and_then(|points_to| match points_to.not_understood() {
                None => Ok(points_to),
                Some((instance, edge)) => {
                    let function = points_to.graph.instances[instance].function;
                    let edge = program.edge(function, edge);
                    Err(not_proved(names::of_obstacle(&edge.action), edge.span))
                }
            });
        let Ok(known) = &points_to else {
            return Self {
                program,
                points_to,
                accesses: Vec::new(),
                parallel: None,
                undefined: None,
            };
        };
        let accesses = conflicts::accesses(known);
        let parallel = Parallel::new(known);
        let undefined = match undefined {
            Undefined::Assumed => None,
            Undefined::Excluded => {
                first_possibility(known, &accesses, &parallel, Recursion::IsFine).map(|found| {
                    Reason::UndefinedNotExcluded {
                        what: found.what,
                        span: found.span,
                    }
                })
            }
        };
        Self {
            program,
            accesses,
            parallel: Some(parallel),
            undefined,
            points_to,
        }
    }
}

/// What is asked.
pub(crate) struct Question<'a> {
    pub(crate) patterns: PatternSet,
    pub(crate) undefined: Undefined,
    pub(crate) semantics: &'a Semantics,
    pub(crate) budget: &'a Budget,
}

/// What was found out about one set.
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) partial: Vec<PartialWriter>,
    /// The patterns that the abstraction admits, as in: pattern 12 on `S`: R1(count) W2(data) W2(count) R1(data).
    pub(crate) admitted: Vec<String>,
}

/// A pattern that the abstraction admits.
struct Candidate {
    pattern: Pattern,
    /// As in reports.
    what: String,
    reason: Reason,
}

/// How the abstraction answers.
enum Abstract {
    /// No unit can be interrupted.
    Serializable(ProofReason),
    /// Patterns that are possible; none if only longer circles are.
    Admitted(Vec<Candidate>),
}

pub(crate) fn decide_set(
    whole: &Whole<'_>,
    set: AtomicSetId,
    question: &Question<'_>,
    counters: &mut Counters,
) -> Outcome {
    let (mut partial, mut admitted) = (Vec::new(), Vec::new());
    let answer = abstracted(whole, set, question, counters, &mut partial);
    let verdict = match answer {
        Ok(Abstract::Serializable(reason)) => match &whole.undefined {
            Some(undefined) => concrete(
                whole,
                set,
                question,
                counters,
                Vec::new(),
                undefined.clone(),
            ),
            None => Verdict::Safe(Proof::OverApproximation {
                procedure: match question.undefined {
                    Undefined::Excluded => PROCEDURE,
                    Undefined::Assumed => PROCEDURE_ASSUMING,
                },
                reasons: vec![reason],
            }),
        },
        Ok(Abstract::Admitted(candidates)) if candidates.is_empty() => {
            let reason = Reason::NotProved {
                what: format!(
                    "no two units of work on `{}` interrupt each other, but circles of three and more are not excluded",
                    whole.program.atomic_sets[set].name
                ),
                span: whole.program.atomic_sets[set].span,
            };
            concrete(whole, set, question, counters, Vec::new(), reason)
        }
        Ok(Abstract::Admitted(candidates)) => {
            let reason = candidates[0].reason.clone();
            admitted.extend(candidates.iter().map(|it| it.what.clone()));
            let patterns = candidates.into_iter().map(|it| it.pattern).collect();
            concrete(whole, set, question, counters, patterns, reason)
        }
        // Nothing is known; still there may be something to find.
        Err(reason) => {
            let patterns = question.patterns.patterns();
            concrete(whole, set, question, counters, patterns, reason)
        }
    };
    Outcome {
        verdict,
        partial,
        admitted,
    }
}

/// Looks for patterns on the program itself, then for a proof that nothing is interrupted there; `otherwise` if neither
/// is found.
fn concrete(
    whole: &Whole<'_>,
    set: AtomicSetId,
    question: &Question<'_>,
    counters: &mut Counters,
    mut patterns: Vec<Pattern>,
    otherwise: Reason,
) -> Verdict {
    let interpreter = Interpreter::new(whole.program, question.semantics.clone());
    let mut look = |sought: &Sought, most: usize| {
        *counters.entry("searches").or_insert(0) += 1;
        search(&interpreter, set, sought, most, question.budget)
    };
    let mut is_open = true;
    let mut most = FIRST_STATES;
    while is_open || !patterns.is_empty() {
        let mut kept = Vec::new();
        for pattern in patterns {
            match look(&Sought::Pattern(pattern.clone()), most) {
                Ok(Found::Violation(trace)) => return Verdict::Unsafe(*trace),
                Ok(Found::NotWhole(None)) => kept.push(pattern),
                // All executions were looked at, or the same stands in the way of all of them.
                Ok(Found::Harmless | Found::Nothing | Found::NotWhole(Some(_))) => {}
                Err(_) => return Verdict::Unknown(otherwise),
            }
        }
        patterns = kept;
        if is_open {
            let mut is_proved = true;
            for sought in Sought::circles() {
                match look(&sought, most) {
                    Ok(Found::Nothing) => {}
                    Ok(Found::Violation(trace)) => return Verdict::Unsafe(*trace),
                    Ok(Found::Harmless | Found::NotWhole(Some(_))) => {
                        is_proved = false;
                        is_open = false;
                        break;
                    }
                    Ok(Found::NotWhole(None)) => {
                        is_proved = false;
                        break;
                    }
                    Err(_) => return Verdict::Unknown(otherwise),
                }
            }
            if is_proved {
                return Verdict::Safe(Proof::SearchExhausted(Reduction::None));
            }
        }
        most = most.saturating_mul(MORE_STATES);
    }
    Verdict::Unknown(otherwise)
}

/// Asks the abstraction, with tables of decision diagrams that grow.
fn abstracted(
    whole: &Whole<'_>,
    set: AtomicSetId,
    question: &Question<'_>,
    counters: &mut Counters,
    partial: &mut Vec<PartialWriter>,
) -> Result<Abstract, Reason> {
    let points_to = whole.points_to.as_ref().map_err(Clone::clone)?;
    let parallel = whole.parallel.as_ref().expect("the program is understood");
    let known = Known {
        points_to,
        accesses: &whole.accesses,
        parallel,
    };
    let declared = &whole.program.atomic_sets[set];
    let abstraction = abstract_program(&known, set).map_err(|failed| Reason::NotProved {
        what: match failed {
            Failed::UnitsNotNested => format!(
                "units of work on `{}` do not begin and end in one call",
                declared.name
            ),
            Failed::TooManyLocks(locks) => format!("there are too many locks: {locks}"),
            Failed::TooLarge => "the program is too large for its pushdown systems".into(),
        },
        span: declared.span,
    })?;
    *partial = partial_writers(&known, &abstraction);
    let processes: Vec<&Process> = abstraction.threads.iter().map(Thread::process).collect();
    let locks = abstraction.locks.locks.len();
    counters.insert(
        "locks",
        count(locks).max(counters.get("locks").copied().unwrap_or(0)),
    );
    let mut failure = Failure::TableFull;
    for capacity in capacities(MOST_NODES) {
        let asked = Symbolic::new(
            &processes,
            locks,
            PHASES,
            MOST_PARTIES,
            capacity,
            question.budget,
        )
        .and_then(|symbolic| {
            let mut asking = Asking {
                whole,
                known: &known,
                abstraction: &abstraction,
                symbolic,
                set,
                locks,
                possible: processes.iter().map(|it| possible(it)).collect(),
                queries: 0,
            };
            let answer = asking.answer(question.patterns);
            let mut more = |name: &'static str, value: u64| {
                *counters.entry(name).or_insert(0) += value;
            };
            more("queries", asking.queries);
            more("post*", asking.symbolic.saturations);
            let nodes = count(asking.symbolic.largest);
            let known = counters.entry("largest diagram").or_insert(0);
            *known = nodes.max(*known);
            answer
        });
        match asked {
            Err(Failure::TableFull) => {}
            Err(other) => {
                failure = other;
                break;
            }
            Ok(answer) => return Ok(answer),
        }
    }
    Err(match failure {
        Failure::TableFull => Reason::TableFull {
            of: "decision diagrams",
        },
        Failure::Exhausted(exhausted) => exhausted.into(),
        Failure::TooMany => Reason::NotProved {
            what: "the program is too large for its pushdown systems".into(),
            span: declared.span,
        },
    })
}

/// Of the longest pattern.
const PHASES: usize = 4;

fn count(of: usize) -> u64 {
    u64::try_from(of).unwrap_or(u64::MAX)
}

/// An access that a thread may make: the cell, how, whether in a unit, beside whom.
type Possible = (CellId, AccessKind, bool, u64);

struct Asking<'a, 'p> {
    whole: &'a Whole<'p>,
    known: &'a Known<'a, 'p>,
    abstraction: &'a Abstraction,
    symbolic: Symbolic<'a>,
    set: AtomicSetId,
    locks: usize,
    /// By thread.
    possible: Vec<BTreeSet<Possible>>,
    queries: u64,
}

impl Asking<'_, '_> {
    fn answer(&mut self, patterns: PatternSet) -> Result<Abstract, Failure> {
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
                Letter::Begin | Letter::End => true,
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
        self.symbolic.decide(automaton, parties)
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
            self.whole.program.atomic_sets[self.set].name,
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
        let mut what = self.what(pattern, places);
        let forgotten: BTreeMap<&str, &str> = self
            .abstraction
            .locks
            .forgotten
            .values()
            .map(|it| (it.name.as_str(), it.why))
            .collect();
        if let Some((name, why)) = forgotten.first_key_value() {
            use std::fmt::Write as _;
            write!(what, " (the lock `{name}` was left aside: {why})").expect("a string has room");
        }
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
        let steps = report::steps(self.known, self.abstraction, parties, &turns);
        let span: Option<Span> = steps
            .iter()
            .find(|it| it.role == raddle_engine::AbstractRole::Marked)
            .and_then(|it| it.span);
        Ok(Reason::PossibleAtomicityViolation { what, span, steps })
    }

    fn proof_reason(&self) -> ProofReason {
        let declared = &self.whole.program.atomic_sets[self.set];
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
