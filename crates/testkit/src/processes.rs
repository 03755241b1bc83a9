//! Random processes with calls, reentrant locks and units, and everything that small ones can do together.

use std::collections::BTreeSet;

use raddle_base::Id;
use raddle_engine_wpds::phases::PhaseAutomaton;
use raddle_engine_wpds::reentrant::{Bracket, RawAction, RawControl, RawProcess, RawRule};
use raddle_engine_wpds::system::{
    Access, AccessKind, CellId, Control, ControlId, Label, LockId, Push, SymbolId,
};

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }
}

/// What to make.
pub struct Size {
    pub locks: usize,
    pub cells: usize,
    pub functions: usize,
    /// Statements in a block, at most.
    pub statements: usize,
    /// Blocks in blocks, at most.
    pub depth: usize,
}

/// A process of functions that call one another, themselves included. Everything is taken and given back in blocks.
pub fn process(random: &mut Random, size: &Size, name: &str) -> RawProcess {
    let mut maker = Maker {
        raw: RawProcess {
            name: name.to_owned(),
            ..RawProcess::default()
        },
        random,
        size,
        entries: Vec::new(),
        returns: Vec::new(),
    };
    maker.control(None);
    maker.entries = (0..size.functions).map(|_| maker.symbol()).collect();
    for lock in 0..size.locks {
        let bracket = Bracket::Lock(LockId::from_index(lock));
        let symbol = maker.symbol();
        maker.raw.returns.insert(symbol, bracket);
        maker.returns.push(symbol);
    }
    let symbol = maker.symbol();
    maker.raw.returns.insert(symbol, Bracket::Unit);
    maker.returns.push(symbol);
    for function in 0..size.functions {
        let entry = maker.entries[function];
        let end = if maker.random.below(3) > 0 {
            maker.bracket(entry, Bracket::Unit, size.depth)
        } else {
            maker.block(entry, size.depth)
        };
        maker.rule(RUN, end, RawAction::Silent, RUN, Push::Pop);
    }
    let (start, dead) = (maker.symbol(), maker.symbol());
    let entry = maker.entries[0];
    maker.rule(RUN, start, RawAction::Silent, RUN, Push::Two(entry, dead));
    maker.raw.start = Some((control(RUN), start));
    maker.raw
}

const RUN: usize = 0;

fn control(index: usize) -> ControlId {
    ControlId::from_index(index)
}

struct Maker<'a> {
    raw: RawProcess,
    random: &'a mut Random,
    size: &'a Size,
    entries: Vec<SymbolId>,
    /// Of the locks, then of units.
    returns: Vec<SymbolId>,
}

impl Maker<'_> {
    fn symbol(&mut self) -> SymbolId {
        self.raw.symbols += 1;
        SymbolId::from_index(self.raw.symbols - 1)
    }

    fn control(&mut self, leaving: Option<Bracket>) -> usize {
        self.raw.controls.push(RawControl {
            is_atomic: false,
            leaving,
        });
        self.raw.controls.len() - 1
    }

    fn rule(&mut self, from: usize, top: SymbolId, action: RawAction, to: usize, push: Push) {
        self.raw.rules.push(RawRule {
            from: control(from),
            top,
            action,
            to: control(to),
            push,
        });
    }

    fn step(&mut self, from: SymbolId, action: RawAction) -> SymbolId {
        let to = self.symbol();
        self.rule(RUN, from, action, RUN, Push::Step(to));
        to
    }

    /// Statements one after the other; the symbol behind them.
    fn block(&mut self, mut at: SymbolId, depth: usize) -> SymbolId {
        for _ in 0..=self.random.below(self.size.statements) {
            at = self.statement(at, depth);
        }
        at
    }

    fn statement(&mut self, at: SymbolId, depth: usize) -> SymbolId {
        let choice = self.random.below(if depth > 0 { 11 } else { 7 });
        match choice {
            0..=5 => {
                let cell = CellId::from_index(self.random.below(self.size.cells));
                let kinds = [AccessKind::Read, AccessKind::Write, AccessKind::Update];
                let kind = kinds[[0, 0, 1, 1, 2][self.random.below(5)]];
                let access = Access {
                    cell,
                    kind,
                    beside: !0,
                };
                self.step(at, RawAction::Access(access))
            }
            6 => {
                let callee = self.entries[self.random.below(self.size.functions)];
                let to = self.symbol();
                self.rule(RUN, at, RawAction::Silent, RUN, Push::Two(callee, to));
                // Otherwise a call of itself would never end.
                self.rule(RUN, at, RawAction::Silent, RUN, Push::Step(to));
                to
            }
            7 | 8 if self.size.locks > 0 => {
                let lock = self.random.below(self.size.locks);
                self.bracket(at, Bracket::Lock(LockId::from_index(lock)), depth)
            }
            9 => {
                let first = self.block(at, depth - 1);
                let second = self.block(at, depth - 1);
                let end = self.symbol();
                for branch in [first, second] {
                    self.rule(RUN, branch, RawAction::Silent, RUN, Push::Step(end));
                }
                end
            }
            _ => self.bracket(at, Bracket::Unit, depth),
        }
    }

    fn bracket(&mut self, at: SymbolId, bracket: Bracket, depth: usize) -> SymbolId {
        let below = match bracket {
            Bracket::Lock(lock) => self.returns[lock.index()],
            Bracket::Unit => self.returns[self.size.locks],
        };
        let inside = self.symbol();
        let enter = RawAction::Enter(bracket);
        self.rule(RUN, at, enter, RUN, Push::Two(inside, below));
        let end = self.block(inside, depth.saturating_sub(1));
        let leaving = self.control(Some(bracket));
        self.rule(RUN, end, RawAction::Leave(bracket), leaving, Push::Pop);
        let to = self.symbol();
        self.rule(leaving, below, RawAction::Silent, RUN, Push::Step(to));
        to
    }
}

/// Where all processes are, with counts (the reentrant semantics of AS §3.1.1).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RawConfiguration {
    controls: Vec<ControlId>,
    stacks: Vec<Vec<SymbolId>>,
    owners: Vec<Option<(usize, u32)>>,
    units: Vec<u32>,
}

impl RawConfiguration {
    pub fn initial(processes: &[RawProcess], locks: usize) -> Self {
        let starts = || processes.iter().map(|it| it.start.expect("there is one"));
        Self {
            controls: starts().map(|it| it.0).collect(),
            stacks: starts().map(|it| vec![it.1]).collect(),
            owners: vec![None; locks],
            units: vec![0; processes.len()],
        }
    }

    pub fn control(&self, party: usize) -> Control {
        Control {
            is_in_unit: self.units[party] > 0,
            ..Control::default()
        }
    }

    /// Applies a rule if it can be; what others notice of it.
    pub fn apply(&mut self, party: usize, rule: &RawRule) -> Option<Label> {
        if self.controls[party] != rule.from || self.stacks[party].last() != Some(&rule.top) {
            return None;
        }
        let label = match rule.action {
            RawAction::Silent => Label::Silent,
            RawAction::Access(access) => Label::Access(access),
            RawAction::Event(event) => Label::Event(event),
            RawAction::Acquire(lock) | RawAction::Enter(Bracket::Lock(lock)) => {
                match &mut self.owners[lock.index()] {
                    Some((owner, count)) if *owner == party => *count += 1,
                    Some(_) => return None,
                    free => *free = Some((party, 1)),
                }
                Label::Silent
            }
            RawAction::Release(lock)
            | RawAction::ReleaseIfHeld(lock)
            | RawAction::Leave(Bracket::Lock(lock)) => {
                match &mut self.owners[lock.index()] {
                    Some((owner, count)) if *owner == party && *count > 1 => *count -= 1,
                    Some((owner, _)) if *owner == party => self.owners[lock.index()] = None,
                    _ => return None,
                }
                Label::Silent
            }
            RawAction::Enter(Bracket::Unit) => {
                self.units[party] += 1;
                if self.units[party] == 1 {
                    Label::Begin
                } else {
                    Label::Silent
                }
            }
            RawAction::Leave(Bracket::Unit) => {
                self.units[party] -= 1;
                if self.units[party] == 0 {
                    Label::End
                } else {
                    Label::Silent
                }
            }
        };
        let stack = &mut self.stacks[party];
        stack.pop();
        match rule.push {
            Push::Pop => {}
            Push::Step(symbol) => stack.push(symbol),
            Push::Two(top, below) => stack.extend([below, top]),
        }
        self.controls[party] = rule.to;
        Some(label)
    }
}

/// What looking at everything gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    Accepted,
    NotAccepted,
    /// Not found so far, but something was left out.
    Unknown,
}

/// Whether some execution with stacks of bounded depth is accepted.
pub fn truth(
    processes: &[RawProcess],
    locks: usize,
    automaton: &PhaseAutomaton,
    deepest: usize,
    most: usize,
) -> Truth {
    let start = (RawConfiguration::initial(processes, locks), 0);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut work = vec![start];
    let mut is_whole = true;
    while let Some((configuration, phase)) = work.pop() {
        let now = &automaton.phases[phase];
        for (party, process) in processes.iter().enumerate() {
            for rule in &process.rules {
                let control = configuration.control(party);
                let mut next = configuration.clone();
                let Some(label) = next.apply(party, rule) else {
                    continue;
                };
                if next.stacks[party].len() > deepest {
                    is_whole = false;
                    continue;
                }
                if now.party == party && now.letter.matches(label, &control) {
                    if phase + 1 == automaton.phases.len() {
                        return Truth::Accepted;
                    }
                    let next = (next.clone(), phase + 1);
                    if seen.insert(next.clone()) {
                        work.push(next);
                    }
                }
                let is_refused = now
                    .refused
                    .iter()
                    .any(|(of, letter)| *of == party && letter.matches(label, &control));
                if !is_refused {
                    let next = (next, phase);
                    if seen.insert(next.clone()) {
                        work.push(next);
                    }
                }
            }
        }
        if seen.len() > most {
            return Truth::Unknown;
        }
    }
    if is_whole {
        Truth::NotAccepted
    } else {
        Truth::Unknown
    }
}
