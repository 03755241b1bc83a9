//! Looking for what the abstraction admits on the program itself, with its data.
//!
//! A *monitor* runs beside the interpreter: it watches the accesses to the set and guesses which of them make up what
//! is looked for. What it finds is judged as a whole (`raddle_ir::interpret::serializability`) before anything is
//! claimed; where it finds nothing in all executions, that is a proof.

use std::collections::{BTreeMap, HashSet, VecDeque};

use raddle_engine::{Budget, Reason, Trace};
use raddle_ir::interpret::serializability::{parts_in, violations};
use raddle_ir::interpret::{
    Effect, Interpreter, ObjectNumber, Outcome, State, Step, Stop, Successor, ThreadNumber,
};
use raddle_ir::{AtomicSetId, Program};

use crate::patterns::{Pattern, SECOND};
use crate::system::AccessKind;

/// What to look for.
#[derive(Clone, Debug)]
pub enum Sought {
    /// A pattern; whichever bytes are its locations.
    Pattern(Pattern),
    /// What every circle of units contains, in one of the orders of its accesses.
    Circle(Order),
}

/// `X` and `T` of the unit, `Y` after `X` that conflicts with it, `Z` between `X` and `T` that conflicts with `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Xyzt,
    Xzyt,
    Xzty,
    /// `Y` and `Z` are one access.
    Xbt,
}

impl Sought {
    /// If none of them is in any execution, all executions are serializable.
    pub fn circles() -> [Sought; 4] {
        [Order::Xbt, Order::Xyzt, Order::Xzyt, Order::Xzty].map(Sought::Circle)
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Confirmation {
    /// An execution whose units of work are not serializable.
    Violation(Box<Trace>),
    /// An execution has what was sought, and its units are serializable all the same.
    Harmless,
    /// No execution has it.
    Nothing,
    /// None so far, and more states are left than were to be looked at.
    TooMany {
        /// As below.
        is_cut: bool,
    },
    /// None, but executions end where what comes after them is not known.
    Cut,
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bytes {
    object: ObjectNumber,
    from: u64,
    to: u64,
}

impl Bytes {
    fn meet(self, other: Bytes) -> bool {
        self.object == other.object && self.from < other.to && other.from < self.to
    }
}

/// How far what is sought was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Monitor {
    /// How deep each thread is in units of the set.
    units: BTreeMap<ThreadNumber, u32>,
    phase: usize,
    /// Who plays which part.
    parties: [Option<ThreadNumber>; 2],
    /// The first access to each location, and whether it writes.
    places: [Option<(Bytes, bool)>; 2],
}

/// A step of what is sought.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    /// `None`: anybody but the first.
    party: Option<usize>,
    kind: Option<AccessKind>,
    /// All accesses to a location meet.
    location: usize,
    is_in_unit: bool,
    /// It or the first access to the location writes.
    conflicts: bool,
    /// It is the first access to the second location, too.
    links: bool,
}

/// How a state was first reached.
#[derive(Clone, Debug)]
enum Origin {
    /// By its number among the initial states.
    Initial(usize),
    Step(usize, Step),
}

struct Searcher<'p, 's> {
    program: &'p Program,
    set: AtomicSetId,
    wanted: Vec<Wanted>,
    /// For each party the first and the last of its accesses.
    spans: [(usize, usize); 2],
    interpreter: &'s Interpreter<'p>,
    seen: HashSet<(State, Monitor)>,
    origins: Vec<Origin>,
    /// Those further on are looked at first.
    frontier: Vec<VecDeque<(usize, State, Monitor)>>,
}

/// Looks at not more states than these.
pub fn search(
    interpreter: &Interpreter<'_>,
    set: AtomicSetId,
    sought: &Sought,
    most: usize,
    budget: &Budget,
) -> Result<Confirmation, Reason> {
    let wanted = wanted(sought);
    let span = |party: usize| {
        let mut of_party = (0..wanted.len()).filter(|&index| wanted[index].party == Some(party));
        let first = of_party.next().unwrap_or(usize::MAX);
        (first, of_party.next_back().unwrap_or(first))
    };
    let mut searcher = Searcher {
        program: interpreter.program(),
        set,
        spans: [span(0), span(1)],
        interpreter,
        seen: HashSet::new(),
        origins: Vec::new(),
        frontier: vec![VecDeque::new(); wanted.len()],
        wanted,
    };
    searcher.run(most, budget)
}

fn wanted(sought: &Sought) -> Vec<Wanted> {
    match sought {
        Sought::Pattern(pattern) => {
            let accesses = pattern.accesses.iter().map(|access| Wanted {
                party: Some(access.party),
                kind: Some(access.kind),
                location: access.location,
                // The second unit of a pattern on one location makes one access only.
                is_in_unit: access.party != SECOND || pattern.locations() > 1,
                conflicts: false,
                links: false,
            });
            accesses.collect()
        }
        Sought::Circle(order) => {
            let wanted = |party, location, conflicts| Wanted {
                party,
                kind: None,
                location,
                is_in_unit: party == Some(0),
                conflicts,
                links: false,
            };
            let (x, t) = (wanted(Some(0), 0, false), wanted(Some(0), 1, true));
            let (y, z) = (wanted(None, 0, true), wanted(None, 1, false));
            match order {
                Order::Xyzt => vec![x, y, z, t],
                Order::Xzyt => vec![x, z, y, t],
                Order::Xzty => vec![x, z, t, y],
                Order::Xbt => {
                    let both = Wanted { links: true, ..y };
                    vec![x, both, t]
                }
            }
        }
    }
}

impl Searcher<'_, '_> {
    fn run(&mut self, most: usize, budget: &Budget) -> Result<Confirmation, Reason> {
        let Ok(initial) = self.interpreter.numbered_initial_states() else {
            return Ok(Confirmation::Cut);
        };
        let (mut is_cut, mut is_harmless) = (false, false);
        let starts = initial.clone();
        for (number, state) in initial {
            self.reach(Origin::Initial(number), state, Monitor::default());
        }
        while let Some((number, state, monitor)) = self.next() {
            budget.check_time()?;
            if number.is_multiple_of(500) {
                budget.check()?;
            }
            if self.seen.len() > most {
                return Ok(Confirmation::TooMany { is_cut });
            }
            for successor in self.interpreter.successors(&state) {
                let next = match &successor.outcome {
                    Outcome::Next(next) => next.clone(),
                    Outcome::Stopped(stop) => {
                        is_cut |= !is_failed_assertion(stop);
                        continue;
                    }
                };
                for monitor in self.after(&monitor, &successor) {
                    if monitor.phase < self.wanted.len() {
                        let origin = Origin::Step(number, successor.step.clone());
                        self.reach(origin, next.clone(), monitor);
                        continue;
                    }
                    match self.judged(&starts, number, &successor.step) {
                        Some(trace) => return Ok(Confirmation::Violation(Box::new(trace))),
                        None => is_harmless = true,
                    }
                }
            }
        }
        Ok(match (is_cut, is_harmless) {
            (true, _) => Confirmation::Cut,
            (false, true) => Confirmation::Harmless,
            (false, false) => Confirmation::Nothing,
        })
    }

    fn next(&mut self) -> Option<(usize, State, Monitor)> {
        self.frontier.iter_mut().rev().find_map(VecDeque::pop_front)
    }

    fn reach(&mut self, origin: Origin, state: State, monitor: Monitor) {
        if self.seen.insert((state.clone(), monitor.clone())) {
            self.frontier[monitor.phase].push_back((self.origins.len(), state, monitor));
            self.origins.push(origin);
        }
    }

    /// What the monitor may be after a step: it may take each access for one it waits for, or not.
    fn after(&self, monitor: &Monitor, successor: &Successor) -> Vec<Monitor> {
        let thread = successor.step.thread;
        let mut monitors = vec![monitor.clone()];
        for effect in &successor.effects {
            let covers = |unit: &Option<AtomicSetId>| unit.is_none_or(|it| it == self.set);
            match effect {
                Effect::UnitBegin { set } if covers(set) => {
                    for monitor in &mut monitors {
                        *monitor.units.entry(thread).or_insert(0) += 1;
                    }
                }
                Effect::UnitEnd { set } if covers(set) => {
                    monitors.retain_mut(|monitor| self.ends(monitor, thread));
                }
                Effect::Spawn { thread } => {
                    for monitor in &mut monitors {
                        monitor.units.remove(thread);
                    }
                }
                Effect::Read {
                    object, offset, ty, ..
                } => {
                    let size = ty.size(self.program.model);
                    self.access(&mut monitors, thread, (*object, *offset, size), false);
                }
                Effect::Write {
                    object, offset, ty, ..
                } => {
                    let size = ty.size(self.program.model);
                    self.access(&mut monitors, thread, (*object, *offset, size), true);
                }
                Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Synchronize { .. }
                | Effect::Allocate { .. }
                | Effect::Measure { .. }
                | Effect::Free { .. }
                | Effect::Emit { .. }
                | Effect::Set { .. }
                | Effect::ObserveLayout
                | Effect::End { .. } => {}
            }
        }
        monitors
    }

    /// A unit ends; whether that is not one that must go on.
    fn ends(&self, monitor: &mut Monitor, thread: ThreadNumber) -> bool {
        let Some(depth) = monitor.units.get_mut(&thread) else {
            return true;
        };
        *depth = depth.saturating_sub(1);
        if *depth > 0 {
            return true;
        }
        monitor.units.remove(&thread);
        (0..2).all(|party| {
            let (first, last) = self.spans[party];
            monitor.parties[party] != Some(thread) || monitor.phase <= first || monitor.phase > last
        })
    }

    fn access(
        &self,
        monitors: &mut Vec<Monitor>,
        thread: ThreadNumber,
        (object, offset, size): (ObjectNumber, u64, u64),
        is_write: bool,
    ) {
        for (from, to) in parts_in(self.program, self.set, object, offset, size) {
            let bytes = Bytes { object, from, to };
            let further: Vec<Monitor> = monitors
                .iter()
                .filter_map(|monitor| self.taken(monitor, thread, bytes, is_write))
                .collect();
            monitors.extend(further);
        }
    }

    /// The monitor if it takes the access for the one it waits for.
    fn taken(
        &self,
        monitor: &Monitor,
        thread: ThreadNumber,
        bytes: Bytes,
        is_write: bool,
    ) -> Option<Monitor> {
        let wanted = self.wanted.get(monitor.phase)?;
        let kind = if is_write {
            AccessKind::Write
        } else {
            AccessKind::Read
        };
        let is_party = match wanted.party {
            Some(party) => {
                monitor.parties[party].is_none_or(|it| it == thread)
                    && monitor.parties[1 - party] != Some(thread)
            }
            None => monitor.parties[0] != Some(thread),
        };
        let is_it = is_party
            && wanted.kind.is_none_or(|it| it == kind)
            && (!wanted.is_in_unit || monitor.units.contains_key(&thread));
        if !is_it {
            return None;
        }
        let mut next = monitor.clone();
        match monitor.places[wanted.location] {
            Some((place, wrote)) => {
                let is_conflict = !wanted.conflicts || wrote || is_write;
                if !place.meet(bytes) || !is_conflict {
                    return None;
                }
            }
            None => next.places[wanted.location] = Some((bytes, is_write)),
        }
        if wanted.links {
            next.places[1] = Some((bytes, is_write));
        }
        if let Some(party) = wanted.party {
            next.parties[party] = Some(thread);
        }
        next.phase += 1;
        Some(next)
    }

    /// The execution to a state and one step on, if its units are not serializable.
    fn judged(&self, starts: &[(usize, State)], number: usize, last: &Step) -> Option<Trace> {
        let mut steps = vec![last.clone()];
        let mut at = number;
        let initial = loop {
            match &self.origins[at] {
                Origin::Initial(number) => break *number,
                Origin::Step(from, step) => {
                    steps.push(step.clone());
                    at = *from;
                }
            }
        };
        steps.reverse();
        let (_, start) = starts.iter().find(|(number, _)| *number == initial)?;
        let found = violations(self.interpreter, start, &steps);
        let violation = found.into_iter().next()?;
        Some(Trace {
            initial,
            steps,
            transactions: Vec::new(),
            violation,
        })
    }
}

/// It just ends the process: all that can happen has happened.
fn is_failed_assertion(stop: &Stop) -> bool {
    matches!(stop, Stop::Violation(violation)
        if violation.property == raddle_ir::interpret::Property::Assert)
}
