//! A process together with what it sees of a phase automaton (AS §7.1), and the histories of its runs.
//!
//! # Source
//!
//! AS §7.1 (`P^A`) and Algorithm 1.
//!
//! # Definitions
//!
//! In a phase the process does what it likes but for what is refused; a step of its own or, guessed, one of another
//! party leads to the next phase. Once the last phase is reached nobody needs to go on, so a run is described by one
//! lock history for each phase but the last: its *tuple*.
//!
//! # Invariants
//!
//! - **(Q1)** A tuple of a run that is in phase `k` has `k + 1` histories, of which only the last still changes.
//!
//! # Deviations
//!
//! 1. AS has a lock history for the last phase, too.
//! 2. AS guesses at any point. Here it is done at the start, behind releases and letters, and behind atomic sections: what lies
//!    between can be moved across the guess (`Indexed::may_guess`).
//! 3. [`tuples`] is Algorithm 1 for one process. No engine decides by it; it is the definition with which tests compare.
//!
//! # Tested by
//!
//! `crates/testkit/tests/pushdown.rs`.

use raddle_base::FastMap;

use crate::history::{LockHistory, are_compatible};
use crate::interleave::{Path, PathPhase};
use crate::phases::Side;
use crate::reach::{ReachStep, TooMany, explore};
use crate::system::{Control, ControlId, Label, Process, Push, Rule, RuleId, SymbolId};

/// A process whose rules are found by their heads.
#[derive(Clone, Debug)]
pub struct Indexed<'p> {
    pub process: &'p Process,
    by_head: FastMap<(ControlId, SymbolId), Vec<RuleId>>,
    /// The rules that lead to a head and that others may notice, which are no pops.
    into_head: FastMap<(ControlId, SymbolId), Vec<RuleId>>,
}

/// A step of a process with an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Stays in the phase.
    Stay(RuleId),
    /// Leads to the next phase.
    Own(RuleId),
    /// Another party is guessed to have led to the next phase.
    Guess,
}

/// Where a process is with an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    pub control: ControlId,
    pub phase: usize,
    /// The phase was guessed to begin, and nothing that is seen happened since then.
    pub has_guessed: bool,
}

impl Point {
    pub fn start(process: &Process) -> Self {
        Self {
            control: process.start.0,
            phase: 0,
            has_guessed: false,
        }
    }
}

impl<'p> Indexed<'p> {
    pub fn new(process: &'p Process) -> Self {
        let mut by_head: FastMap<(ControlId, SymbolId), Vec<RuleId>> = FastMap::default();
        let mut into_head: FastMap<(ControlId, SymbolId), Vec<RuleId>> = FastMap::default();
        for (id, rule) in process.rules.iter() {
            by_head.entry((rule.from, rule.top)).or_default().push(id);
            let is_noticed = rule.label != Label::Silent || ends_section(process, rule);
            match rule.push {
                Push::Step(top) | Push::Two(top, _) if is_noticed => {
                    into_head.entry((rule.to, top)).or_default().push(id);
                }
                Push::Pop | Push::Step(_) | Push::Two(..) => {
                    debug_assert!(!is_noticed, "what others notice is no pop");
                }
            }
        }
        Self {
            process,
            by_head,
            into_head,
        }
    }

    /// The rules of a head.
    pub fn rules(&self, control: ControlId, symbol: SymbolId) -> &[RuleId] {
        self.by_head
            .get(&(control, symbol))
            .map_or(&[], Vec::as_slice)
    }

    /// The moves from a point that is not in the last phase.
    pub fn moves(&self, side: &Side, at: Point, symbol: SymbolId) -> Vec<(Move, Point, Push)> {
        let state = &self.process.controls[at.control];
        let own = &side.phases[at.phase].own;
        let mut found = Vec::new();
        for &id in self.rules(at.control, symbol) {
            let rule = &self.process.rules[id];
            let is_late = at.has_guessed && matches!(rule.label, Label::Release(_));
            if !is_late && side.allows(at.phase, rule.label, state) {
                let to = Point {
                    control: rule.to,
                    phase: at.phase,
                    has_guessed: at.has_guessed
                        && !self.process.controls[rule.to].is_atomic
                        && !is_seen(side, rule.label, state),
                };
                found.push((Move::Stay(id), to, rule.push));
            }
            if own
                .as_ref()
                .is_some_and(|letter| letter.matches(rule.label, state))
            {
                let to = Point {
                    control: rule.to,
                    phase: at.phase + 1,
                    has_guessed: false,
                };
                found.push((Move::Own(id), to, rule.push));
            }
        }
        // Inside an atomic section nobody else does anything.
        if own.is_none() && !state.is_atomic && self.may_guess(side, at.control, symbol) {
            let to = Point {
                control: at.control,
                phase: at.phase + 1,
                has_guessed: true,
            };
            found.push((Move::Guess, to, Push::Step(symbol)));
        }
        found
    }

    /// Whether others are guessed to take their steps here. Steps that change no lock history and are no letters of the
    /// side can be taken after the guess as well, and so can takings of locks, which move to the right past what others
    /// do; releases move to the left, and are taken before it. So it is enough to guess at the start, behind releases
    /// and letters, and not before releases; and behind atomic sections, in which nothing can be guessed.
    fn may_guess(&self, side: &Side, control: ControlId, symbol: SymbolId) -> bool {
        (control, symbol) == self.process.start
            || self
                .into_head
                .get(&(control, symbol))
                .into_iter()
                .flatten()
                .any(|id| {
                    let rule = &self.process.rules[*id];
                    let from = &self.process.controls[rule.from];
                    ends_section(self.process, rule)
                        || !matches!(rule.label, Label::Acquire(_))
                            && is_seen(side, rule.label, from)
                })
    }
}

/// Whether a step changes a lock history or is a letter of the side.
fn is_seen(side: &Side, label: Label, control: &Control) -> bool {
    match label {
        Label::Acquire(_) | Label::Release(_) => true,
        Label::Silent => false,
        Label::Begin | Label::End | Label::Access(_) | Label::Event(_) => {
            side.mentions(label, control)
        }
    }
}

/// Whether others may go on after the rule who could not before.
fn ends_section(process: &Process, rule: &Rule) -> bool {
    process.controls[rule.from].is_atomic && !process.controls[rule.to].is_atomic
}

/// The lock histories of a run, one for each phase.
pub type Tuple = Vec<LockHistory>;

/// More heads than this are not looked at one by one.
const MOST_HEADS: usize = 2_000_000;

/// All tuples of runs that reach the last phase, one by one (AS Alg. 1).
pub fn tuples(indexed: &Indexed<'_>, locks: usize, side: &Side) -> Result<Vec<Tuple>, TooMany> {
    let start = (
        Point::start(indexed.process),
        vec![LockHistory::new(locks, 0)],
    );
    let (reached, _) = explore(
        (start, indexed.process.start.1),
        MOST_HEADS,
        |(at, tuple): &(Point, Tuple), symbol| {
            let phase = at.phase;
            if phase == side.phases.len() {
                return Ok(Vec::new());
            }
            let moves = indexed.moves(side, *at, symbol).into_iter();
            let steps = moves.map(|(made, to, push)| {
                let mut tuple = tuple.clone();
                match made {
                    Move::Stay(rule) => {
                        tuple[phase].step(indexed.process.rules[rule].label);
                    }
                    Move::Own(_) | Move::Guess => tuple.push(tuple[phase].next_phase()),
                }
                ReachStep {
                    to: (to, tuple),
                    push,
                    label: (),
                }
            });
            Ok::<_, TooMany>(steps.collect())
        },
        |_| false,
    )?;
    let mut tuples: Vec<Tuple> = reached
        .controls
        .into_iter()
        .map(|(_, tuple)| tuple)
        .filter(|tuple| tuple.len() > side.phases.len())
        .map(|mut tuple| {
            tuple.pop();
            tuple
        })
        .collect();
    tuples.sort_unstable();
    tuples.dedup();
    Ok(tuples)
}

/// Whether runs with these tuples can be interleaved, phase by phase.
pub fn are_all_compatible(tuples: &[&Tuple]) -> bool {
    let phases = tuples.first().map_or(0, |it| it.len());
    (0..phases).all(|phase| {
        let histories: Vec<&LockHistory> = tuples.iter().map(|it| &it[phase]).collect();
        are_compatible(&histories)
    })
}

/// A run with this tuple.
pub fn run(
    indexed: &Indexed<'_>,
    locks: usize,
    side: &Side,
    tuple: &Tuple,
) -> Result<Option<Path>, TooMany> {
    let start = (Point::start(indexed.process), LockHistory::new(locks, 0));
    let (reached, found) = explore(
        (start, indexed.process.start.1),
        MOST_HEADS,
        |(at, history): &(Point, LockHistory), symbol| {
            let moves = indexed.moves(side, *at, symbol).into_iter();
            let steps = moves.filter_map(|(made, to, push)| {
                let to = if let Move::Stay(rule) = made {
                    let mut history = history.clone();
                    history.step(indexed.process.rules[rule].label);
                    (to, history)
                } else {
                    let is_it = *history == tuple[at.phase];
                    is_it.then(|| (to, history.next_phase()))?
                };
                Some(ReachStep {
                    to,
                    push,
                    label: made,
                })
            });
            Ok::<_, TooMany>(steps.collect())
        },
        |(at, _)| at.phase == side.phases.len(),
    )?;
    let Some(found) = found else {
        return Ok(None);
    };
    let mut path = Path::default();
    let mut phase = PathPhase::default();
    for made in reached.run_to(found) {
        match made {
            Move::Stay(rule) => phase.rules.push(rule),
            Move::Own(rule) => {
                phase.last = Some(rule);
                path.phases.push(std::mem::take(&mut phase));
            }
            Move::Guess => path.phases.push(std::mem::take(&mut phase)),
        }
    }
    Ok(Some(path))
}
