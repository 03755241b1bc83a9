//! Language strength reduction: a process with reentrant locks and reentrant units of work becomes one that notices only the
//! outermost of them.
//!
//! # Source
//!
//! \[Kidd08\]; AS §3.1.2, language-strength-reduction.
//!
//! # Definitions
//!
//! A bracket is entered by a rule that pushes and left by a rule that pops. The first time it is entered, the symbol
//! that is pushed below is *marked*; entering it again while it is open marks nothing and is silent. When a pop brings
//! a marked symbol to the top, the bracket is left for good and the mark goes away.
//!
//! # Invariants
//!
//! - **(X1)** A bracket is open iff exactly one of its marks lies on the stack, and no count is needed.
//!
//! # Deviations
//!
//! 1. Locks that are not reentrant need no brackets; for all locks together the order in which they were taken is kept
//!    in the control state, which shows where they are not well nested.
//! 2. What cannot be reduced is said ([`Problem`]), and the caller forgets the lock: without it there are more interleavings, never
//!    fewer.
//! 3. Units of work are brackets as well.
//!
//! # Tested by
//!
//! `crates/testkit/tests/pushdown.rs`: (X1) on random runs, and verdicts against the reentrant semantics of AS §3.1.1.

use std::collections::BTreeMap;

use raddle_base::{Arena, FastMap, Id};

use crate::reach::{ReachStep, TooMany, explore};
use crate::system::{
    Access, Control, ControlId, EventId, Label, LockId, Process, Push, Rule, RuleId, SymbolId,
};

/// A process as it is abstracted from a program.
#[derive(Clone, Debug, Default)]
pub struct RawProcess {
    pub name: String,
    /// For each control state, whether nobody else takes a step in it.
    pub controls: Vec<RawControl>,
    /// How many stack symbols there are.
    pub symbols: usize,
    /// The symbols that entering a bracket pushes below. They belong to one bracket each.
    pub returns: BTreeMap<SymbolId, Bracket>,
    pub rules: Vec<RawRule>,
    pub start: Option<(ControlId, SymbolId)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawControl {
    pub is_atomic: bool,
    /// On the way out of this bracket: the next symbol must be one of its returns.
    pub leaving: Option<Bracket>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bracket {
    Lock(LockId),
    Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawRule {
    pub from: ControlId,
    pub top: SymbolId,
    pub action: RawAction,
    pub to: ControlId,
    pub push: Push,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawAction {
    Silent,
    Access(Access),
    Event(EventId),
    /// Of a lock that is not reentrant.
    Acquire(LockId),
    Release(LockId),
    /// Of a lock that its holder may also share with others, which nobody notices.
    ReleaseIfHeld(LockId),
    /// Pushes two symbols, the lower one a return of the bracket.
    Enter(Bracket),
    /// Pops, into a control state that is leaving the bracket.
    Leave(Bracket),
}

/// Why a process has no reduced form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A lock is released that was not taken last. With the raw rule.
    NotInnermost(LockId, usize),
    NotHeld(LockId, usize),
    /// A lock that is not reentrant is taken by its holder.
    TakenTwice(LockId, usize),
    /// A bracket is entered and left in different calls, or crosses another.
    NotBalanced(Bracket),
    TooLarge,
}

/// The reduced process; for each of its rules the raw rule it comes from, `None` where a mark is taken away.
#[derive(Clone, Debug)]
pub struct Reduced {
    pub process: Process,
    pub origins: Vec<Option<usize>>,
    /// The symbols that carry a mark, with the bracket.
    pub marks: BTreeMap<SymbolId, Bracket>,
}

/// More heads than anybody would wait for.
const MOST_HEADS: usize = 400_000;

/// A control state: the raw one, and what is known in it.
type State = (ControlId, Control);

struct Reducer<'r> {
    raw: &'r RawProcess,
    by_head: FastMap<(ControlId, SymbolId), Vec<usize>>,
    marked: BTreeMap<SymbolId, SymbolId>,
    unmarked: BTreeMap<SymbolId, SymbolId>,
    numbers: BTreeMap<State, ControlId>,
    controls: Arena<ControlId, Control>,
    rules: Arena<RuleId, Rule>,
    origins: Vec<Option<usize>>,
}

/// Reduces what can be reached.
pub fn reduce(raw: &RawProcess) -> Result<Reduced, Problem> {
    let mut by_head: FastMap<(ControlId, SymbolId), Vec<usize>> = FastMap::default();
    for (index, rule) in raw.rules.iter().enumerate() {
        by_head
            .entry((rule.from, rule.top))
            .or_default()
            .push(index);
    }
    let marked: BTreeMap<SymbolId, SymbolId> = raw
        .returns
        .keys()
        .enumerate()
        .map(|(index, symbol)| (*symbol, SymbolId::from_index(raw.symbols + index)))
        .collect();
    let unmarked: BTreeMap<SymbolId, SymbolId> =
        marked.iter().map(|(plain, mark)| (*mark, *plain)).collect();
    let marks = unmarked
        .iter()
        .map(|(mark, plain)| (*mark, raw.returns[plain]))
        .collect();
    let mut reducer = Reducer {
        raw,
        by_head,
        marked,
        unmarked,
        numbers: BTreeMap::new(),
        controls: Arena::new(),
        rules: Arena::new(),
        origins: Vec::new(),
    };
    let (control, symbol) = raw.start.ok_or(Problem::TooLarge)?;
    let start = reducer.state(control, Control::default());
    let first = reducer.number(start.clone());
    explore(
        (start, symbol),
        MOST_HEADS,
        |state, symbol| reducer.rules_of(state, symbol),
        |_| false,
    )?;
    Ok(Reduced {
        process: Process {
            name: raw.name.clone(),
            controls: reducer.controls,
            symbols: raw.symbols + raw.returns.len(),
            rules: reducer.rules,
            start: (first, symbol),
        },
        origins: reducer.origins,
        marks,
    })
}

impl From<TooMany> for Problem {
    fn from(TooMany: TooMany) -> Self {
        Problem::TooLarge
    }
}

impl Reducer<'_> {
    fn state(&self, raw: ControlId, control: Control) -> State {
        let is_atomic = self.raw.controls[raw.index()].is_atomic;
        let control = Control {
            is_atomic,
            ..control
        };
        (raw, control)
    }

    fn number(&mut self, state: State) -> ControlId {
        let controls = &mut self.controls;
        *self
            .numbers
            .entry(state)
            .or_insert_with_key(|(_, control)| controls.push(control.clone()))
    }

    /// The steps from a head that is reached for the first time, kept as rules.
    fn rules_of(
        &mut self,
        state: &State,
        symbol: SymbolId,
    ) -> Result<Vec<ReachStep<State, ()>>, Problem> {
        let mut found = Vec::new();
        for (label, to, push, origin) in self.steps(state, symbol)? {
            let rule = Rule {
                from: self.number(state.clone()),
                top: symbol,
                label,
                to: self.number(to.clone()),
                push,
            };
            self.rules.push(rule);
            self.origins.push(origin);
            found.push(ReachStep {
                to,
                push,
                label: (),
            });
        }
        Ok(found)
    }

    fn steps(&self, (raw, control): &State, symbol: SymbolId) -> Result<Vec<Taken>, Problem> {
        let leaving = self.raw.controls[raw.index()].leaving;
        let mark = self.unmarked.get(&symbol);
        let returns = self.raw.returns.get(mark.unwrap_or(&symbol)).copied();
        if leaving != returns {
            let bracket = leaving.or(returns).expect("the two differ");
            return Err(Problem::NotBalanced(bracket));
        }
        if let (Some(plain), Some(bracket)) = (mark, returns) {
            // Only a mark is taken away here.
            let (label, control) = left(control.clone(), bracket)?;
            let to = self.state(*raw, control);
            return Ok(vec![(label, to, Push::Step(*plain), None)]);
        }
        let rules = self.by_head.get(&(*raw, symbol)).into_iter().flatten();
        rules
            .map(|index| self.step(*index, control.clone()))
            .collect()
    }

    fn step(&self, index: usize, mut control: Control) -> Result<Taken, Problem> {
        let rule = self.raw.rules[index];
        let mut push = rule.push;
        let label = match rule.action {
            RawAction::Silent | RawAction::Leave(_) => Label::Silent,
            RawAction::Access(access) => Label::Access(access),
            RawAction::Event(event) => Label::Event(event),
            RawAction::Acquire(lock) => {
                if control.held.contains(&lock) {
                    return Err(Problem::TakenTwice(lock, index));
                }
                control.held.push(lock);
                Label::Acquire(lock)
            }
            RawAction::ReleaseIfHeld(lock) if !control.held.contains(&lock) => Label::Silent,
            RawAction::Release(lock) | RawAction::ReleaseIfHeld(lock) => {
                if control.held.last() != Some(&lock) {
                    return Err(if control.held.contains(&lock) {
                        Problem::NotInnermost(lock, index)
                    } else {
                        Problem::NotHeld(lock, index)
                    });
                }
                control.held.pop();
                Label::Release(lock)
            }
            RawAction::Enter(bracket) => {
                let is_open = match bracket {
                    Bracket::Lock(lock) => control.held.contains(&lock),
                    Bracket::Unit => control.is_in_unit,
                };
                if is_open {
                    Label::Silent
                } else {
                    let Push::Two(top, below) = push else {
                        return Err(Problem::NotBalanced(bracket));
                    };
                    push = Push::Two(top, self.marked[&below]);
                    match bracket {
                        Bracket::Lock(lock) => {
                            control.held.push(lock);
                            Label::Acquire(lock)
                        }
                        Bracket::Unit => {
                            control.is_in_unit = true;
                            Label::Begin
                        }
                    }
                }
            }
        };
        Ok((label, self.state(rule.to, control), push, Some(index)))
    }
}

/// A step with the raw rule it comes from.
type Taken = (Label, State, Push, Option<usize>);

/// The mark of a bracket was met: it is left for good.
fn left(mut state: Control, bracket: Bracket) -> Result<(Label, Control), Problem> {
    match bracket {
        Bracket::Lock(lock) => {
            if state.held.pop() != Some(lock) {
                return Err(Problem::NotInnermost(lock, 0));
            }
            Ok((Label::Release(lock), state))
        }
        Bracket::Unit => {
            state.is_in_unit = false;
            Ok((Label::End, state))
        }
    }
}
