//! What is asked of one atomic set, and in which order.
//!
//! First the abstraction, whether any unit of work can be interrupted as in every circle of units, and which patterns
//! are possible ([`crate::asking`]); then the program itself, for what the abstraction admits ([`crate::confirm`]).

use raddle_analysis::undefined::{Recursion, first_possibility};
use raddle_analysis::{conflicts, names, parallel::Parallel, points_to::PointsTo};
use raddle_base::{Budget, Span};
use raddle_engine::{Counters, Proof, Reason, Reduction, Undefined, Verdict};
use raddle_ir::interpret::Semantics;
use raddle_ir::{AtomicSetId, Program};

use crate::Limits;
use crate::abstraction::focus::Focus;
use crate::abstraction::{Failed, ProgramFacts, Thread, abstract_program};
use crate::asking::{Abstract, Asking};
use crate::confirm::{Confirmation, Sought, search};
use crate::minimal::Minimal;
use crate::partial::{PartialWriter, partial_writers};
use crate::patterns::{Pattern, PatternSet};
use crate::sided::{Failure, Procedure};
use crate::symbolic::{MOST_PARTIES, Symbolic, capacities};
use crate::system::Process;

const PROCEDURE: &str =
    "decided on pushdown systems that forget data and keep calls, locks and units of work";
const PROCEDURE_ASSUMING: &str = "decided on pushdown systems that forget data and keep calls, locks and units of \
                                  work, assuming that nothing undefined happens";

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
    pub(crate) undefined: Option<Reason>,
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
            Undefined::Excluded | Undefined::Examined => {
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

    /// What analyses know, or why they do not.
    pub(crate) fn known(&self) -> Result<ProgramFacts<'_, 'p>, Reason> {
        Ok(ProgramFacts {
            points_to: self.points_to.as_ref().map_err(Clone::clone)?,
            accesses: &self.accesses,
            parallel: self.parallel.as_ref().expect("the program is understood"),
        })
    }
}

/// What is asked.
pub(crate) struct SetQuestion<'a> {
    pub(crate) patterns: PatternSet,
    pub(crate) undefined: Undefined,
    pub(crate) limits: Limits,
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

pub(crate) fn decide_set(
    whole: &Whole<'_>,
    set: AtomicSetId,
    question: &SetQuestion<'_>,
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
                procedure: procedure(question.undefined),
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
    question: &SetQuestion<'_>,
    counters: &mut Counters,
    mut patterns: Vec<Pattern>,
    otherwise: Reason,
) -> Verdict {
    let interpreter = raddle_stepper::stepper(whole.program, question.semantics.clone());
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
                Ok(Confirmation::Violation(trace)) => return Verdict::Unsafe(*trace),
                Ok(Confirmation::TooMany { .. }) => kept.push(pattern),
                // All executions were looked at, as far as anything is known of them.
                Ok(Confirmation::Harmless | Confirmation::Nothing | Confirmation::Cut) => {}
                Err(_) => return Verdict::Unknown(otherwise),
            }
        }
        patterns = kept;
        if is_open {
            let mut is_proved = true;
            for sought in Sought::circles() {
                match look(&sought, most) {
                    Ok(Confirmation::Nothing) => {}
                    Ok(Confirmation::Violation(trace)) => return Verdict::Unsafe(*trace),
                    Ok(
                        Confirmation::Harmless
                        | Confirmation::Cut
                        | Confirmation::TooMany { is_cut: true },
                    ) => {
                        is_proved = false;
                        is_open = false;
                        break;
                    }
                    Ok(Confirmation::TooMany { is_cut: false }) => {
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

/// Asks the abstraction.
fn abstracted(
    whole: &Whole<'_>,
    set: AtomicSetId,
    question: &SetQuestion<'_>,
    counters: &mut Counters,
    partial: &mut Vec<PartialWriter>,
) -> Result<Abstract, Reason> {
    let known = whole.known()?;
    let declared = &whole.program.atomic_sets[set];
    let abstraction = abstract_program(&known, &Focus::on_set(whole.program, set))
        .map_err(|failed| not_abstracted(&failed, Some(&declared.name), declared.span))?;
    *partial = partial_writers(&known, &abstraction);
    let processes: Vec<&Process> = abstraction.threads.iter().map(Thread::process).collect();
    let locks = abstraction.locks.locks.len();
    most(counters, "locks", count(locks));
    decided(
        &processes,
        locks,
        (PHASES, MOST_PARTIES),
        question,
        counters,
        declared.span,
        |procedure, counters| {
            let mut asking = Asking::new(&known, &abstraction, procedure, set);
            let answer = asking.answer(question.patterns);
            more(counters, "queries", asking.queries);
            answer
        },
    )
}

/// Asks a procedure, with least stretches first; diagrams hold what is too many one by one, in tables that grow.
pub(crate) fn decided<T>(
    processes: &[&Process],
    locks: usize,
    (phases, parties): (usize, usize),
    question: &SetQuestion<'_>,
    counters: &mut Counters,
    span: Option<Span>,
    mut ask: impl FnMut(&mut dyn Procedure, &mut Counters) -> Result<T, Failure>,
) -> Result<T, Reason> {
    let budget = question.budget;
    let mut minimal = Minimal::new(processes, locks, question.limits.stretches, budget);
    let mut answer = ask(&mut minimal, counters);
    more(counters, "post*", minimal.saturations);
    most(counters, "most stretches", count(minimal.largest));
    for capacity in capacities(question.limits.nodes) {
        if !matches!(answer, Err(Failure::TooManyStretches | Failure::TableFull)) {
            break;
        }
        answer = Symbolic::new(processes, locks, phases, parties, capacity, budget).and_then(
            |mut symbolic| {
                let answer = ask(&mut symbolic, counters);
                more(counters, "post*", symbolic.saturations);
                most(counters, "largest diagram", count(symbolic.largest));
                answer
            },
        );
    }
    answer.map_err(|failure| match failure {
        Failure::TableFull | Failure::TooManyStretches => Reason::TableFull {
            of: "decision diagrams",
            most: question.limits.nodes,
        },
        Failure::Exhausted(exhausted) => exhausted.into(),
        Failure::TooMany => too_large(span),
    })
}

fn too_large(span: Option<Span>) -> Reason {
    Reason::NotProved {
        what: "the program is too large for its pushdown systems".into(),
        span,
    }
}

/// Why there are no processes, for units on this set or on any.
pub(crate) fn not_abstracted(failed: &Failed, set: Option<&str>, span: Option<Span>) -> Reason {
    let what = match failed {
        Failed::UnitsNotNested => {
            let on_set = set.map_or(String::new(), |it| format!(" on `{it}`"));
            format!("units of work{on_set} do not begin and end in one call")
        }
        Failed::TooLarge => return too_large(span),
    };
    Reason::NotProved { what, span }
}

/// What proofs rest on, as reports name it.
pub(crate) fn procedure(undefined: Undefined) -> &'static str {
    match undefined {
        Undefined::Excluded | Undefined::Examined => PROCEDURE,
        Undefined::Assumed => PROCEDURE_ASSUMING,
    }
}

/// Of the longest pattern.
const PHASES: usize = 4;

fn more(counters: &mut Counters, name: &'static str, value: u64) {
    *counters.entry(name).or_insert(0) += value;
}

fn most(counters: &mut Counters, name: &'static str, value: u64) {
    let known = counters.entry(name).or_insert(0);
    *known = value.max(*known);
}

fn count(of: usize) -> u64 {
    u64::try_from(of).unwrap_or(u64::MAX)
}
