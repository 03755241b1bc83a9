//! Language strength reduction (Kidd et al. 2008; AS §3.1.2): a process with reentrant locks and reentrant units of
//! work becomes one that notices only the outermost of them.
//!
//! A bracket is entered by a rule that pushes and left by a rule that pops. The first time it is entered, the symbol
//! that is pushed below is *marked*; entering it again while it is open marks nothing and is silent. When a pop brings
//! a marked symbol to the top, the bracket is left for good and the mark goes away. So a bracket is open iff exactly
//! one of its marks lies on the stack, and no count is needed.
//!
//! Locks that are not reentrant need no brackets; for all locks together the order in which they were taken is kept
//! in the control state, which shows where they are not well nested. What cannot be reduced is said
//! ([`Problem`]), and the caller forgets the lock: without it there are more interleavings, never fewer.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Arena, FastMap, Id};

use crate::system::{
    Access, Control, ControlId, Label, LockId, Process, Push, Rule, RuleId, SymbolId,
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
    /// Of a lock that is not reentrant.
    Acquire(LockId),
    Release(LockId),
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

/// What one step leads to.
struct Step {
    label: Label,
    to: ControlId,
    push: Push,
    origin: Option<usize>,
}

/// A control state before it has a number.
type State = (ControlId, Control);
type Head = (ControlId, SymbolId);

struct Reducer<'r> {
    raw: &'r RawProcess,
    by_head: FastMap<Head, Vec<usize>>,
    controls: Arena<ControlId, Control>,
    /// The raw control state of each.
    raw_controls: Vec<ControlId>,
    numbers: BTreeMap<State, ControlId>,
    marked: BTreeMap<SymbolId, SymbolId>,
    unmarked: BTreeMap<SymbolId, SymbolId>,
    rules: Arena<RuleId, Rule>,
    origins: Vec<Option<usize>>,
}

/// Reduces what can be reached.
pub fn reduce(raw: &RawProcess) -> Result<Reduced, Problem> {
    let mut by_head: FastMap<Head, Vec<usize>> = FastMap::default();
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
    let mut reducer = Reducer {
        raw,
        by_head,
        controls: Arena::new(),
        raw_controls: Vec::new(),
        numbers: BTreeMap::new(),
        unmarked: marked.iter().map(|(plain, mark)| (*mark, *plain)).collect(),
        marked,
        rules: Arena::new(),
        origins: Vec::new(),
    };
    let start = reducer.explore()?;
    let marks = reducer
        .unmarked
        .iter()
        .map(|(mark, plain)| (*mark, raw.returns[plain]))
        .collect();
    Ok(Reduced {
        process: Process {
            name: raw.name.clone(),
            controls: reducer.controls,
            symbols: raw.symbols + raw.returns.len(),
            rules: reducer.rules,
            start,
        },
        origins: reducer.origins,
        marks,
    })
}

impl Reducer<'_> {
    /// All rules of heads that can be reached: path edges within one activation, and summaries of what an activation
    /// may leave behind.
    fn explore(&mut self) -> Result<Head, Problem> {
        let (raw_start, symbol) = self.raw.start.ok_or(Problem::TooLarge)?;
        let start = (self.number(raw_start, Control::default()), symbol);
        // (the head in which the activation began, the head now)
        let mut seen: BTreeSet<(Head, Head)> = BTreeSet::from([(start, start)]);
        let mut work = vec![(start, start)];
        let mut done: FastMap<Head, Vec<(ControlId, Push)>> = FastMap::default();
        // For an activation: who waits for its end, with the symbol it comes back to; and how it may end.
        let mut callers: BTreeMap<Head, BTreeSet<(Head, SymbolId)>> = BTreeMap::new();
        let mut ends: BTreeMap<Head, BTreeSet<ControlId>> = BTreeMap::new();
        while let Some((entry, head)) = work.pop() {
            if seen.len() > MOST_HEADS {
                return Err(Problem::TooLarge);
            }
            if let Entry::Vacant(unknown) = done.entry(head) {
                let mut successors = Vec::new();
                for step in self.steps(head)? {
                    self.rules.push(Rule {
                        from: head.0,
                        top: head.1,
                        label: step.label,
                        to: step.to,
                        push: step.push,
                    });
                    self.origins.push(step.origin);
                    successors.push((step.to, step.push));
                }
                unknown.insert(successors);
            }
            for (to, push) in done[&head].clone() {
                let mut reach = |entry: Head, head: Head| {
                    if seen.insert((entry, head)) {
                        work.push((entry, head));
                    }
                };
                match push {
                    Push::Step(symbol) => reach(entry, (to, symbol)),
                    Push::Two(top, below) => {
                        let callee = (to, top);
                        reach(callee, callee);
                        callers.entry(callee).or_default().insert((entry, below));
                        for end in ends.get(&callee).into_iter().flatten() {
                            reach(entry, (*end, below));
                        }
                    }
                    Push::Pop => {
                        ends.entry(entry).or_default().insert(to);
                        for (caller, below) in callers.get(&entry).into_iter().flatten() {
                            reach(*caller, (to, *below));
                        }
                    }
                }
            }
        }
        Ok(start)
    }

    fn number(&mut self, raw: ControlId, mut control: Control) -> ControlId {
        control.is_atomic = self.raw.controls[raw.index()].is_atomic;
        if let Some(known) = self.numbers.get(&(raw, control.clone())) {
            return *known;
        }
        let id = self.controls.push(control.clone());
        self.raw_controls.push(raw);
        self.numbers.insert((raw, control), id);
        id
    }

    fn steps(&mut self, (control, symbol): Head) -> Result<Vec<Step>, Problem> {
        let raw_control = self.raw_controls[control.index()];
        let state = self.controls[control].clone();
        if let Some(plain) = self.unmarked.get(&symbol).copied() {
            // Rule 5: only a mark is taken away here.
            let bracket = self.raw.returns[&plain];
            if self.raw.controls[raw_control.index()].leaving != Some(bracket) {
                return Err(Problem::NotBalanced(bracket));
            }
            let (label, next) = left(state, bracket)?;
            return Ok(vec![Step {
                label,
                to: self.number(raw_control, next),
                push: Push::Step(plain),
                origin: None,
            }]);
        }
        let leaving = self.raw.controls[raw_control.index()].leaving;
        let returns = self.raw.returns.get(&symbol).copied();
        if leaving != returns {
            let bracket = leaving.or(returns).expect("the two differ");
            return Err(Problem::NotBalanced(bracket));
        }
        let indices = self.by_head.get(&(raw_control, symbol)).cloned();
        indices
            .unwrap_or_default()
            .into_iter()
            .map(|index| self.step(index, state.clone()))
            .collect()
    }

    fn step(&mut self, index: usize, mut state: Control) -> Result<Step, Problem> {
        let rule = self.raw.rules[index];
        let mut push = rule.push;
        let label = match rule.action {
            RawAction::Silent | RawAction::Leave(_) => Label::Silent,
            RawAction::Access(access) => Label::Access(access),
            RawAction::Acquire(lock) => {
                if state.held.contains(&lock) {
                    return Err(Problem::TakenTwice(lock, index));
                }
                state.held.push(lock);
                Label::Acquire(lock)
            }
            RawAction::Release(lock) => {
                if state.held.last() != Some(&lock) {
                    return Err(if state.held.contains(&lock) {
                        Problem::NotInnermost(lock, index)
                    } else {
                        Problem::NotHeld(lock, index)
                    });
                }
                state.held.pop();
                Label::Release(lock)
            }
            RawAction::Enter(bracket) => {
                let is_open = match bracket {
                    Bracket::Lock(lock) => state.held.contains(&lock),
                    Bracket::Unit => state.is_in_unit,
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
                            state.held.push(lock);
                            Label::Acquire(lock)
                        }
                        Bracket::Unit => {
                            state.is_in_unit = true;
                            Label::Begin
                        }
                    }
                }
            }
        };
        Ok(Step {
            label,
            to: self.number(rule.to, state),
            push,
            origin: Some(index),
        })
    }
}

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
