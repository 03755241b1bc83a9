//! Whether the abstraction has an interleaving that an automaton accepts.
//!
//! What is refused must be refused by less than is written rather than by more, or executions would be missed: an
//! access is refused only where it surely is one to what is named.

use raddle_engine::{AbstractRole, Counters, Proof, ProofReason, Reason, Verdict};

use super::resolve::{Given, What};
use crate::abstraction::{Abstraction, ProgramFacts, Thread, abstract_program};
use crate::interleave::{accepts, interleave};
use crate::phases::{Letter, Phase, PhaseAutomaton};
use crate::product::{Indexed, Tuple, run};
use crate::report;
use crate::search::{SetQuestion, Whole, decided, not_abstracted, procedure};
use crate::sided::{Failure, Procedure};
use crate::system::{CellId, Process};

/// More choices of threads for the parties than anybody would wait for.
const MOST_CHOICES: usize = 10_000;

/// Safe if no interleaving is accepted; nothing is looked for on the program itself.
pub(crate) fn decide_given(
    whole: &Whole<'_>,
    given: &Given,
    question: &SetQuestion<'_>,
    counters: &mut Counters,
) -> Verdict {
    match accepted(whole, given, question, counters) {
        Err(reason) => Verdict::Unknown(reason),
        Ok(Some(reason)) => Verdict::Unknown(reason),
        Ok(None) => match &whole.undefined {
            Some(undefined) => Verdict::Unknown(undefined.clone()),
            None => Verdict::Safe(Proof::OverApproximation {
                procedure: procedure(question.undefined),
                reasons: vec![ProofReason {
                    text: format!(
                        "no interleaving is accepted by the automaton `{}`",
                        given.name
                    ),
                    span: Some(given.span),
                }],
            }),
        },
    }
}

/// The first interleaving that is accepted, as a reason why there is no proof.
fn accepted(
    whole: &Whole<'_>,
    given: &Given,
    question: &SetQuestion<'_>,
    counters: &mut Counters,
) -> Result<Option<Reason>, Reason> {
    let known = whole.known()?;
    let abstraction = abstract_program(&known, &given.focus)
        .map_err(|failed| not_abstracted(&failed, None, Some(given.span)))?;
    let choices = choices(given, &abstraction).ok_or_else(|| Reason::NotProved {
        what: format!(
            "there are more than {MOST_CHOICES} choices of threads for the parties of the automaton `{}`",
            given.name
        ),
        span: Some(given.span),
    })?;
    let processes: Vec<&Process> = abstraction.threads.iter().map(Thread::process).collect();
    let locks = abstraction.locks.locks.len();
    let size = (given.steps.len(), given.parties.len());
    let span = Some(given.span);
    let ask = |procedure: &mut dyn Procedure, counters: &mut Counters| {
        for parties in &choices {
            let automaton = automaton(given, &known, &abstraction, parties);
            *counters.entry("queries").or_insert(0) += 1;
            if let Some(tuples) = procedure.decide(&automaton, parties)? {
                return shown(given, &known, &abstraction, &automaton, parties, &tuples).map(Some);
            }
        }
        Ok(None)
    };
    decided(&processes, locks, size, question, counters, span, ask)
}

/// The threads that the parties may be; `None` if there are too many ways.
fn choices(given: &Given, abstraction: &Abstraction) -> Option<Vec<Vec<usize>>> {
    let may_be = |party: usize, thread: usize| {
        let name = abstraction.threads[thread].process().name.as_str();
        // A thread of several that are declared together has its index behind its name.
        let base = name.split('[').next().unwrap_or(name);
        let wanted = given.parties[party].thread.as_deref();
        wanted.is_none_or(|it| it == name || it == base)
    };
    let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
    for party in 0..given.parties.len() {
        let mut longer = Vec::new();
        for choice in &choices {
            for (index, thread) in abstraction.threads.iter().enumerate() {
                if may_be(party, index) && !(thread.is_single && choice.contains(&index)) {
                    longer.push([&choice[..], &[index]].concat());
                }
            }
        }
        if longer.len() > MOST_CHOICES {
            return None;
        }
        choices = longer;
    }
    Some(choices)
}

fn automaton(
    given: &Given,
    known: &ProgramFacts<'_, '_>,
    abstraction: &Abstraction,
    threads: &[usize],
) -> PhaseAutomaton {
    let phases = given.steps.iter().enumerate().map(|(index, step)| {
        let refused = step.refused.iter().flat_map(|(party, what)| {
            let letter = letter(given, known, abstraction, what, Certainty::Surely);
            let parties =
                (0..given.parties.len()).filter(move |it| party.is_none_or(|of| of == *it));
            parties.filter_map(move |party| Some((party, letter.clone()?)))
        });
        // Whoever has taken a step and will take another is alive now.
        let between = (0..given.parties.len()).find(|party| {
            *party != step.party
                && given.steps[..index].iter().any(|it| it.party == *party)
                && given.steps[index..].iter().any(|it| it.party == *party)
        });
        let letter = letter(given, known, abstraction, &step.what, Certainty::Perhaps);
        Phase {
            refused: refused.collect(),
            party: step.party,
            letter: match letter {
                Some(Letter::Access {
                    cells,
                    kind,
                    is_in_unit,
                    ..
                }) => Letter::Access {
                    cells,
                    kind,
                    is_in_unit,
                    beside: between.map(|party| threads[party]),
                },
                Some(letter) => letter,
                // Nobody makes such an access.
                None => Letter::Access {
                    cells: Vec::new(),
                    kind: None,
                    is_in_unit: false,
                    beside: None,
                },
            },
        }
    });
    PhaseAutomaton {
        name: given.name.clone(),
        parties: given.parties.len(),
        phases: phases.collect(),
    }
}

/// Which steps of processes are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// Those that may be what is written.
    Perhaps,
    /// Those that are for sure.
    Surely,
}

/// `None` if no step is meant.
fn letter(
    given: &Given,
    known: &ProgramFacts<'_, '_>,
    abstraction: &Abstraction,
    what: &What,
    certainty: Certainty,
) -> Option<Letter> {
    let (members, kind) = match what {
        What::Begin => return Some(Letter::Begin),
        What::End => return Some(Letter::End),
        What::Event(event) => return Some(Letter::Event(*event)),
        What::Access { members, kind } => (members, *kind),
    };
    let is_meant = |cell: CellId| {
        let cell = &abstraction.cells[cell];
        members.iter().any(|index| {
            let member = &given.focus.members[*index];
            let object = raddle_analysis::points_to::ObjectKind::Global(member.global);
            let (from, to) = (member.offset, member.offset + member.size);
            known.points_to.object(object) == Some(cell.object)
                && match certainty {
                    Certainty::Perhaps => cell.from < to && from < cell.to,
                    Certainty::Surely => from <= cell.from && cell.to <= to,
                }
        })
    };
    let cells: Vec<CellId> = abstraction.cells.ids().filter(|it| is_meant(*it)).collect();
    (!cells.is_empty()).then_some(Letter::Access {
        cells,
        kind,
        is_in_unit: false,
        beside: None,
    })
}

/// The interleaving, checked step by step.
fn shown(
    given: &Given,
    known: &ProgramFacts<'_, '_>,
    abstraction: &Abstraction,
    automaton: &PhaseAutomaton,
    parties: &[usize],
    tuples: &[Tuple],
) -> Result<Reason, Failure> {
    let processes: Vec<&Process> = parties
        .iter()
        .map(|it| abstraction.threads[*it].process())
        .collect();
    let locks = abstraction.locks.locks.len();
    let mut paths = Vec::new();
    for (party, process) in processes.iter().enumerate() {
        let side = automaton.side(party);
        paths.extend(run(&Indexed::new(process), locks, &side, &tuples[party])?);
    }
    let turns = (paths.len() == parties.len())
        .then(|| interleave(&processes, locks, &paths))
        .flatten()
        .filter(|turns| accepts(&processes, locks, automaton, turns))
        .unwrap_or_default();
    let steps = report::steps(known, abstraction, parties, &turns);
    let texts: Vec<&str> = given.steps.iter().map(|it| it.text.as_str()).collect();
    Ok(Reason::PossibleAtomicityViolation {
        what: format!(
            "automaton `{}`: {}{}",
            given.name,
            texts.join(", "),
            report::forgotten(abstraction)
        ),
        span: steps
            .iter()
            .find(|it| it.role == AbstractRole::Marked)
            .and_then(|it| it.span),
        steps,
    })
}
