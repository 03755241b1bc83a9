//! One abstract thread as a process: locations of function instances are stack symbols, calls push, returns pop, data is
//! forgotten.

use std::collections::BTreeMap;

use raddle_analysis::call_graph::{InstanceId, ThreadId};
use raddle_base::{Arena, Id};
use raddle_ir::{Action, EdgeId, FunctionId, LocationId};

use crate::reentrant::{Bracket, RawAction, RawControl, RawProcess, RawRule};
use crate::system::{Access, AccessKind, CellId, ControlId, LockId, Others, Push, SymbolId};

use super::ProgramFacts;
use super::cells::{self, Cell};
use super::focus::{Event, Focus, Told};
use super::locks::{Deal, LockTable, deal};

/// A process and where its rules come from.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub(super) raw: RawProcess,
    /// For each rule the edge it stands for; `None` for returns and for what only moves on.
    pub(super) edges: Vec<Option<(InstanceId, EdgeId)>>,
}

/// For the thread, with what is to be shown of it.
pub(super) fn build(
    known: &ProgramFacts<'_, '_>,
    focus: &Focus,
    cells: &Arena<CellId, Cell>,
    locks: &LockTable,
    thread: ThreadId,
    name: String,
) -> Built {
    let mut builder = Builder {
        known,
        focus,
        cells,
        locks,
        symbols: BTreeMap::new(),
        controls: BTreeMap::new(),
        built: Built {
            raw: RawProcess {
                name,
                ..RawProcess::default()
            },
            edges: Vec::new(),
        },
        todo: Vec::new(),
    };
    let points_to = known.points_to;
    let entry = points_to.graph.threads[thread].entry;
    let function = points_to.graph.instances[entry].function;
    let entry = builder.symbol(Symbol::At(
        entry,
        points_to.program.functions[function].entry,
    ));
    // The stack never gets empty, so that others may go on when the thread has ended.
    let (start, dead) = (builder.symbol(Symbol::Start), builder.symbol(Symbol::Dead));
    let run = builder.control(false, None);
    let action = builder.told_of(Event::Enter(function));
    builder.rule(None, run, start, action, run, Push::Two(entry, dead));
    builder.built.raw.start = Some((run, start));
    while let Some((instance, location)) = builder.todo.pop() {
        builder.leave(instance, location);
    }
    builder.built
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    At(InstanceId, LocationId),
    /// Between the two halves of an operation that is told of.
    Middle(InstanceId, EdgeId),
    /// Behind the exit of a function that is told of.
    Left(InstanceId),
    /// What entering a bracket pushes below.
    Return(Bracket),
    Start,
    /// The thread has ended, or the process.
    Dead,
}

/// On the way out of a bracket, to a symbol.
type Leaving = Option<(Bracket, SymbolId)>;

struct Builder<'a, 'p> {
    known: &'a ProgramFacts<'a, 'p>,
    focus: &'a Focus,
    cells: &'a Arena<CellId, Cell>,
    locks: &'a LockTable,
    symbols: BTreeMap<Symbol, SymbolId>,
    controls: BTreeMap<(bool, Leaving), ControlId>,
    built: Built,
    todo: Vec<(InstanceId, LocationId)>,
}

/// Where an edge stands, for the rules that are made of it.
#[derive(Clone, Copy)]
struct From {
    instance: InstanceId,
    edge: EdgeId,
    top: SymbolId,
}

impl Builder<'_, '_> {
    fn symbol(&mut self, symbol: Symbol) -> SymbolId {
        if let Some(known) = self.symbols.get(&symbol) {
            return *known;
        }
        let id = SymbolId::from_index(self.symbols.len());
        self.symbols.insert(symbol, id);
        self.built.raw.symbols = self.symbols.len();
        match symbol {
            Symbol::At(instance, location) => self.todo.push((instance, location)),
            Symbol::Return(bracket) => {
                self.built.raw.returns.insert(id, bracket);
            }
            Symbol::Middle(..) | Symbol::Left(_) | Symbol::Start | Symbol::Dead => {}
        }
        id
    }

    fn control(&mut self, is_atomic: bool, leaving: Leaving) -> ControlId {
        if let Some(known) = self.controls.get(&(is_atomic, leaving)) {
            return *known;
        }
        let id = ControlId::from_index(self.controls.len());
        self.controls.insert((is_atomic, leaving), id);
        self.built.raw.controls.push(RawControl {
            is_atomic,
            leaving: leaving.map(|(bracket, _)| bracket),
        });
        if let Some((bracket, to)) = leaving {
            let top = self.symbol(Symbol::Return(bracket));
            let run = self.control(is_atomic, None);
            self.rule(None, id, top, RawAction::Silent, run, Push::Step(to));
        }
        id
    }

    fn rule(
        &mut self,
        edge: Option<(InstanceId, EdgeId)>,
        from: ControlId,
        top: SymbolId,
        action: RawAction,
        to: ControlId,
        push: Push,
    ) {
        self.built.raw.rules.push(RawRule {
            from,
            top,
            action,
            to,
            push,
        });
        self.built.edges.push(edge);
    }

    /// The same rule inside and outside of atomic sections.
    fn plain(&mut self, from: From, action: RawAction, push: Push) {
        for is_atomic in [false, true] {
            let control = self.control(is_atomic, None);
            let edge = Some((from.instance, from.edge));
            self.rule(edge, control, from.top, action, control, push);
        }
    }

    fn leave(&mut self, instance: InstanceId, location: LocationId) {
        let points_to = self.known.points_to;
        let program = points_to.program;
        let function = points_to.graph.instances[instance].function;
        let top = self.symbol(Symbol::At(instance, location));
        if location == program.functions[function].exit {
            let top = self.left(instance, function, top);
            for is_atomic in [false, true] {
                let control = self.control(is_atomic, None);
                self.rule(None, control, top, RawAction::Silent, control, Push::Pop);
            }
            return;
        }
        for &edge in program.outgoing(function, location) {
            if points_to.automata[function].has(edge) {
                let from = From {
                    instance,
                    edge,
                    top,
                };
                self.take(from, &program.edge(function, edge).action);
            }
        }
    }

    fn take(&mut self, from: From, action: &Action) {
        let points_to = self.known.points_to;
        let program = points_to.program;
        let function = points_to.graph.instances[from.instance].function;
        let to = self.symbol(Symbol::At(
            from.instance,
            program.edge(function, from.edge).to,
        ));
        match action {
            Action::Load { .. } => self.access(from, action, AccessKind::Read, to),
            Action::Store { .. } | Action::Spawn { place: Some(_), .. } => {
                self.access(from, action, AccessKind::Write, to);
            }
            Action::ReadModifyWrite { .. } => self.access(from, action, AccessKind::Update, to),
            // It writes only if it finds what it expects.
            Action::CompareExchange { .. } => {
                self.access(from, action, AccessKind::Update, to);
                self.access(from, action, AccessKind::Read, to);
            }
            Action::Sync { .. } => match self.focus.told(points_to, from.instance, action) {
                None => self.synchronize(from, action, to),
                Some(told) => {
                    let middle = self.symbol(Symbol::Middle(from.instance, from.edge));
                    let behind = From {
                        top: middle,
                        ..from
                    };
                    if told.is_behind {
                        self.synchronize(from, action, middle);
                        self.tell(behind, &told, to);
                    } else {
                        self.tell(from, &told, middle);
                        self.synchronize(behind, action, to);
                    }
                }
            },
            Action::Call { .. } => {
                for callee in points_to.graph.callees(from.instance, from.edge) {
                    let called = points_to.graph.instances[callee].function;
                    let entry = self.symbol(Symbol::At(callee, program.functions[called].entry));
                    let action = self.told_of(Event::Enter(called));
                    self.plain(from, action, Push::Two(entry, to));
                }
            }
            Action::ExitThread { .. } | Action::EndProcess { .. } | Action::Unsupported { .. } => {
                // Whoever ends inside of an atomic section does not keep the others waiting.
                let dead = self.symbol(Symbol::Dead);
                let ended = self.control(false, None);
                for is_atomic in [false, true] {
                    let control = self.control(is_atomic, None);
                    let edge = Some((from.instance, from.edge));
                    let push = Push::Step(dead);
                    self.rule(edge, control, from.top, RawAction::Silent, ended, push);
                }
            }
            // Where sections are nested, this forgets that the outer one goes on.
            Action::AtomicBegin { .. } | Action::AtomicEnd => {
                let inside = self.control(matches!(action, Action::AtomicBegin { .. }), None);
                for is_atomic in [false, true] {
                    let control = self.control(is_atomic, None);
                    let edge = Some((from.instance, from.edge));
                    let push = Push::Step(to);
                    self.rule(edge, control, from.top, RawAction::Silent, inside, push);
                }
            }
            Action::UnitBegin { set } if self.focus.shows_unit(*set) => {
                self.enter(from, Bracket::Unit, to);
            }
            Action::UnitEnd { set } if self.focus.shows_unit(*set) => {
                self.leave_bracket(from, Bracket::Unit, to);
            }
            Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Return { .. }
            | Action::Spawn { place: None, .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::Fence { .. }
            | Action::Emit { .. } => self.plain(from, RawAction::Silent, Push::Step(to)),
        }
    }

    fn told_of(&self, event: Event) -> RawAction {
        match self.focus.find(event) {
            Some(event) => RawAction::Event(event),
            None => RawAction::Silent,
        }
    }

    /// The symbol that stands for the exit of a function, behind what is told of leaving it.
    fn left(&mut self, instance: InstanceId, function: FunctionId, exit: SymbolId) -> SymbolId {
        let Some(event) = self.focus.find(Event::Leave(function)) else {
            return exit;
        };
        let left = self.symbol(Symbol::Left(instance));
        for is_atomic in [false, true] {
            let control = self.control(is_atomic, None);
            let action = RawAction::Event(event);
            self.rule(None, control, exit, action, control, Push::Step(left));
        }
        left
    }

    fn tell(&mut self, from: From, told: &Told, to: SymbolId) {
        for event in &told.events {
            self.plain(from, RawAction::Event(*event), Push::Step(to));
        }
        if !told.is_sure {
            self.plain(from, RawAction::Silent, Push::Step(to));
        }
    }

    fn synchronize(&mut self, from: From, action: &Action, to: SymbolId) {
        let deal = deal(action).and_then(Result::ok);
        let lock = deal.and_then(|(deal, operand)| {
            let lock = self
                .locks
                .find(self.known.points_to, from.instance, operand)?;
            Some((deal, lock))
        });
        match lock {
            Some((deal, lock)) => self.deal(from, deal, lock, to),
            None => self.plain(from, RawAction::Silent, Push::Step(to)),
        }
    }

    /// One rule for each cell that may be touched; a silent one if it may be none of them.
    fn access(&mut self, from: From, action: &Action, kind: AccessKind, to: SymbolId) {
        let points_to = self.known.points_to;
        let (mut found, mut is_elsewhere) = (Vec::new(), false);
        for touch in action.operands(points_to.program.model) {
            let values = points_to.values(from.instance, touch.address);
            let size = touch.extent.unwrap_or(1);
            for (object, offset) in values.addresses() {
                let before = found.len();
                found.extend(cells::touched(self.cells, object, offset, size));
                is_elsewhere |= found.len() == before || offset.exact().is_none();
            }
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() || is_elsewhere {
            self.plain(from, RawAction::Silent, Push::Step(to));
        }
        let beside = self.beside(from);
        for cell in found {
            let access = Access { cell, kind, beside };
            self.plain(from, RawAction::Access(access), Push::Step(to));
        }
    }

    /// Who may be alive while the edge is taken.
    fn beside(&self, from: From) -> Others {
        let points_to = self.known.points_to;
        let function = points_to.graph.instances[from.instance].function;
        let location = points_to.program.edge(function, from.edge).from;
        match self.known.parallel.at(from.instance, location) {
            Some(threads) => threads
                .iter()
                .filter(|thread| thread.index() < 64)
                .fold(0, |set, thread| set | 1 << thread.index()),
            None => 0,
        }
    }

    fn deal(&mut self, from: From, deal: Deal, lock: LockId, to: SymbolId) {
        let step = Push::Step(to);
        match (self.locks.locks[lock].is_bracket, deal) {
            (false, Deal::Take) => self.plain(from, RawAction::Acquire(lock), step),
            (false, Deal::Give | Deal::GiveWholly) => {
                self.plain(from, RawAction::Release(lock), step);
            }
            (_, Deal::GiveIfExclusive) => {
                self.plain(from, RawAction::ReleaseIfHeld(lock), step);
            }
            (true, Deal::Take) => self.enter(from, Bracket::Lock(lock), to),
            (true, Deal::Give | Deal::GiveWholly) => {
                self.leave_bracket(from, Bracket::Lock(lock), to);
            }
        }
    }

    fn enter(&mut self, from: From, bracket: Bracket, to: SymbolId) {
        let below = self.symbol(Symbol::Return(bracket));
        self.plain(from, RawAction::Enter(bracket), Push::Two(to, below));
    }

    fn leave_bracket(&mut self, from: From, bracket: Bracket, to: SymbolId) {
        for is_atomic in [false, true] {
            let control = self.control(is_atomic, None);
            let leaving = self.control(is_atomic, Some((bracket, to)));
            let edge = Some((from.instance, from.edge));
            let action = RawAction::Leave(bracket);
            self.rule(edge, control, from.top, action, leaving, Push::Pop);
        }
    }
}
