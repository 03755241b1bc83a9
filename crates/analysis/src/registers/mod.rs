//! What is certain of the registers of every instance at every location, of what it takes and gives, and of the cells of
//! memory that nobody else changes meanwhile.
//!
//! Here is the fixed point; `steps`: what each action does; `standing`: what is certain at one place; `tracked`: which cells
//! are followed, and where others are kept out; `handed`: what such a cell holds when nobody keeps it; `cells`: what lies
//! in memory at any time; `differences`: of two cells; `expressions`: what is certain of a value; `refine`: what a condition tells; `invariants`: what is handed on, in words; `syncs`: where there
//! are no values at all.
//!
//! # Definitions
//!
//! A thread knows what a tracked cell holds as long as it *keeps* it: as long as no other thread may write it
//! ([`tracked`]). Where it comes to keep it, the cell holds what was *handed on* ([`handed`]): its first value, or what
//! some thread knew of it where that stopped keeping it, gave back a lock that guards it, started a thread or ended. So
//! what is handed on of a cell is the invariant of the locks that guard it.
//!
//! # Invariants
//!
//! - When a thread comes to keep a cell, its value is one that was handed on. Take the last write of it (if there is none,
//!   it holds its first value), by a thread `u` at a place `m`. If `u` stopped keeping it since, it handed it on; so it did if
//!   it ended. Otherwise `u` still keeps it, and so does now a thread `t` besides, which did not when `u` wrote, as `u` could
//!   not have written then, or was not there yet. Beside `t` as it stands now the write at `m` is not possible. If that is
//!   because of a lock that both hold there, or sections in which both are, then `u` has given it back since, and handed the
//!   cell on, as the lock is one that guards it. If it is because the two never run at the same time, then `t` began after
//!   the write, and its line of creators goes back to one who was there at the write and so could run beside `u` with all it
//!   starts, or to `u` itself, which handed the cell on when it started the next of the line.
//! - What is loaded where the cell is not kept is among all that is ever stored there ([`cells`]).
//! - Facts only grow; where they do so for long they grow by leaps, so there is an end.
//!
//! # Tested by
//!
//! `crates/analysis/tests/properties.rs`: random programs, with mistakes made on purpose.

mod cells;
mod differences;
mod expressions;
mod handed;
mod invariants;
mod refine;
mod standing;
mod steps;
mod syncs;
mod tracked;

use raddle_base::{Id, SideTable};
use raddle_ir::{LocationId, Scalar};

use crate::call_graph::{InstanceId, ThreadId};
use crate::given::Given;
use crate::initialized::Initialized;
use crate::numbers::NumberFacts;
use crate::points_to::PointsTo;
use crate::value::{ObjectId, Offset};

use cells::Ranges;
use handed::Handed;
pub use invariants::Invariant;
pub(crate) use standing::Standing;
use syncs::sync_places;
use tracked::Tracked;

pub(crate) struct Registers<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    frames: Vec<SideTable<LocationId, Option<Standing>>>,
    /// What an instance gives to its callers.
    returned: Vec<Option<NumberFacts>>,
    /// What is being returned.
    giving: Option<NumberFacts>,
    /// What a thread gives to who joins it.
    results: Vec<Option<NumberFacts>>,
    /// Where synchronisation objects may lie: they have no value.
    syncs: Vec<(ObjectId, Offset, u64)>,
    /// Objects to which some value may be written that was never set.
    undefined: Vec<bool>,
    initialized: Initialized,
    ranges: Ranges,
    tracked: Tracked,
    handed: Handed,
    /// How often a location was changed; many times means that its facts grow for ever.
    visits: Vec<SideTable<LocationId, u32>>,
    changed: bool,
}

/// After so many changes of a location its ranges grow by leaps.
const PATIENCE: u32 = 3;
/// After so many they are widened.
const MAX_LEAPS: u32 = 8;
/// Rounds after which the search for a fixed point is given up.
const MAX_ROUNDS: usize = 200;

impl<'a, 'p> Registers<'a, 'p> {
    /// `None` if there is no end to it.
    pub(crate) fn new(given: &Given<'a, 'p>) -> Option<Self> {
        Self::with(given, Tracked::new(given))
            .or_else(|| Self::with(given, Tracked::nothing(given)))
    }

    fn with(given: &Given<'a, 'p>, tracked: Tracked) -> Option<Self> {
        let points_to = given.points_to;
        let program = points_to.program;
        let instances = points_to.graph.instances.values();
        let locations =
            |it: &crate::call_graph::Instance| &program.functions[it.function].locations;
        let mut this = Self {
            points_to,
            frames: instances
                .clone()
                .map(|it| SideTable::filled(locations(it), None))
                .collect(),
            returned: vec![None; points_to.graph.instances.len()],
            giving: None,
            results: vec![None; points_to.graph.threads.len()],
            syncs: sync_places(points_to, given.accesses),
            undefined: vec![false; points_to.objects.len()],
            initialized: Initialized::new(points_to, given.escape),
            ranges: Ranges::new(program),
            handed: Handed::new(points_to, &tracked),
            tracked,
            visits: instances
                .map(|it| SideTable::filled(locations(it), 0))
                .collect(),
            changed: false,
        };
        for (index, root) in program.roots.iter().enumerate() {
            let entry = points_to.graph.threads[ThreadId::from_index(index)].entry;
            let arguments: Vec<NumberFacts> = root
                .arguments
                .iter()
                .map(|it| this.evaluate(entry, &Standing::default(), it))
                .collect();
            let unknown = vec![None; this.tracked.count()];
            this.begin(entry, &arguments, unknown);
        }
        for _ in 0..MAX_ROUNDS {
            this.changed = false;
            for instance in points_to.graph.instances.ids() {
                this.pass_over(instance);
            }
            if !this.changed {
                return Some(this);
            }
        }
        None
    }

    pub(crate) fn at(&self, instance: InstanceId, location: LocationId) -> Option<&Standing> {
        self.frames[instance.index()][location].as_ref()
    }

    /// At how many of the places where synchronisation objects may lie some of these bytes may be.
    pub(crate) fn syncs_at(&self, object: ObjectId, offset: Offset, size: u64) -> usize {
        let syncs = self.syncs.iter();
        syncs
            .filter(|(other, at, made)| *other == object && at.may_overlap(*made, offset, size))
            .count()
    }

    /// The registers with which an instance begins.
    fn parameters(&self, instance: InstanceId, arguments: &[NumberFacts]) -> Vec<NumberFacts> {
        let function = self.points_to.graph.instances[instance].function;
        let function = &self.points_to.program.functions[function];
        let mut registers = vec![NumberFacts::UNSET; function.registers.len()];
        for (at, argument) in arguments.iter().enumerate().take(function.parameters) {
            registers[at] = *argument;
        }
        registers
    }

    /// A thread begins, with what its creator knows of cells.
    fn begin(
        &mut self,
        instance: InstanceId,
        arguments: &[NumberFacts],
        cells: Vec<Option<NumberFacts>>,
    ) {
        let function = self.points_to.graph.instances[instance].function;
        let entry = self.points_to.program.functions[function].entry;
        let registers = self.parameters(instance, arguments);
        let begun = Standing::new(registers, cells);
        self.walk_to((instance, entry), begun);
    }

    fn arrive(&mut self, instance: InstanceId, location: LocationId, with: &Standing) {
        let function = self.points_to.graph.instances[instance].function;
        if location == self.points_to.program.functions[function].exit {
            // Who comes to the end without a word returns nothing.
            let given = self.giving.take().unwrap_or(NumberFacts::UNSET);
            self.changed |= add(&mut self.returned[instance.index()], given);
            let thread = self.points_to.graph.instances[instance].thread;
            if self.points_to.graph.threads[thread].entry == instance {
                self.changed |= add(&mut self.results[thread.index()], given);
                self.hand_on_all(with);
            }
        }
        let types = &self.points_to.program.functions[function].registers;
        let known = &mut self.frames[instance.index()][location];
        let Some(known) = known else {
            *known = Some(with.clone());
            self.changed = true;
            return;
        };
        let visits = &mut self.visits[instance.index()][location];
        let landings = self.ranges.landings();
        let grow = |fact: &mut NumberFacts, more: NumberFacts, ty: Scalar| {
            let joined = if *visits > MAX_LEAPS {
                fact.widen(more, ty)
            } else if *visits > PATIENCE {
                landings.leap(*fact, more, ty)
            } else {
                fact.join(more)
            };
            let is_new = joined != *fact;
            *fact = joined;
            is_new
        };
        let mut changed = known.keep_common_forms(with);
        let registers = known.registers.iter_mut().zip(&with.registers);
        for ((fact, more), register) in registers.zip(types.values()) {
            changed |= grow(fact, *more, register.ty);
        }
        let cells = known.cells.iter_mut().zip(&with.cells);
        for (cell, (fact, more)) in cells.enumerate() {
            // Both are known or none is, as the cell is kept here or not.
            if let (Some(fact), Some(more)) = (fact, more) {
                changed |= grow(fact, *more, self.tracked.ty(cell));
            }
        }
        if changed {
            *visits += 1;
            self.changed = true;
        }
    }

    fn pass_over(&mut self, instance: InstanceId) {
        let program = self.points_to.program;
        let function = self.points_to.graph.instances[instance].function;
        for index in 0..self.points_to.automata[function].edges.len() {
            let edge = self.points_to.automata[function].edges[index];
            let from = program.edge(function, edge).from;
            if let Some(before) = self.at(instance, from).cloned() {
                self.take(instance, edge, &before);
            }
        }
    }
}

/// Joins; bounds that move go to the end at once.
fn add(known: &mut Option<NumberFacts>, more: NumberFacts) -> bool {
    let joined = known.map_or(more, |it| it.widen(more, Scalar::Pointer));
    let is_new = *known != Some(joined);
    *known = Some(joined);
    is_new
}
