//! The unrolling: step by step, one thread runs one block.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use raddle_base::Exhausted;
use raddle_engine::{Budget, Reduction};
use raddle_ir::interpret::{Interpreter, Semantics, State};
use raddle_ir::{EdgeId, FunctionId, Program, Scalar};
use raddle_logic::{TermId, Terms};

use crate::barrier::asks_serial;
use crate::hazard::{Hazard, Met};
use crate::initial::Undetermined;
use crate::looks::Looks;
use crate::memory::Memory;
use crate::moving::Movers;
use crate::names::{self, Names};
use crate::object::Object;
use crate::place::{Place, Places};
use crate::state::{Frame, Instance, Link, Local, Shared, Whereabouts};
use crate::sync::Sync;
use crate::word::Word;
use crate::world::Elsewhere;

/// An edge that some executions take.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) step: usize,
    pub(crate) thread: usize,
    pub(crate) place: (FunctionId, EdgeId),
    pub(crate) condition: TermId,
    pub(crate) choice: Choice,
    /// The thread that it starts.
    pub(crate) started: Option<usize>,
}

/// What an edge chose.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    Nothing,
    Value(TermId),
    /// A thread, by its number in the unrolling from 1; 0 is nobody.
    Thread(TermId),
    /// The least, by its name in the interpreter, of a round of a barrier.
    Round(usize),
}

/// What one step adds.
pub(crate) struct Step {
    /// Somebody takes it to its end.
    pub(crate) is_taken: TermId,
    pub(crate) met: Vec<Met>,
}

/// Executions of at most so many blocks, as terms.
pub(crate) struct Unrolling<'p> {
    pub(crate) program: &'p Program,
    pub(crate) semantics: Semantics,
    pub(crate) terms: Terms,
    pub(crate) places: Places<'p>,
    pub(crate) movers: Movers<'p>,
    pub(crate) instances: Vec<Instance>,
    started: BTreeMap<(usize, Place, EdgeId, FunctionId), usize>,
    made: BTreeMap<(usize, Place, EdgeId), u32>,
    next_object: u32,
    pub(crate) step: usize,
    /// In the order in which executions take them.
    pub(crate) records: Vec<Record>,
    /// Who runs in each step.
    pub(crate) runners: Vec<Vec<TermId>>,
    pub(crate) met: Vec<Met>,
    pub(crate) observes_layout: bool,
    /// What states are looked at for, and what the looks need.
    pub(crate) looks: Looks,
    pub(crate) names: Names,
    /// Cells that begin with any of some values.
    pub(crate) undetermined: Vec<Undetermined>,
    /// Who belongs to which round of a barrier, where the conditions hold.
    pub(crate) rounds: Vec<Vec<(usize, TermId)>>,
    pub(crate) asks_serial: bool,
    /// The function whose call is taken, where it is one of several.
    pub(crate) callee: Option<u128>,
    /// Where the assertion just taken fails.
    pub(crate) failing: Option<TermId>,
    /// Threads that a block starts, and where.
    pub(crate) begun: Vec<(usize, Local)>,
    /// Thread-locals as a thread finds them.
    local_templates: Vec<Object>,
    pub(crate) shared: Shared,
    pub(crate) whereabouts: Vec<Whereabouts>,
    /// Where all but the running thread are.
    pub(crate) elsewhere: Rc<[Elsewhere]>,
    pub(crate) budget: Budget,
    /// Set when the budget was spent in the middle of a step, which is worth nothing then.
    pub(crate) exhausted: Option<Exhausted>,
    /// How many edges were encoded.
    encoded: u64,
}

/// How many edges are encoded at most between two looks at the memory.
const EDGES_BETWEEN_LOOKS: u64 = 500;

impl<'p> Unrolling<'p> {
    /// From the state that a program starts in; `None` if it starts with something that is not modelled here.
    pub(crate) fn new(
        interpreter: &Interpreter<'p>,
        initial: &State,
        reduction: Reduction,
    ) -> Option<Self> {
        let program = interpreter.program();
        let mut terms = Terms::new();
        let always = terms.truth(true);
        let never = terms.truth(false);
        let first_objects = initial.objects.keys().map(|it| it.0).collect();
        let mut memory = Memory::default();
        for (number, object) in &initial.objects {
            let bytes: Arc<[Option<u8>]> = object.bytes.clone().into();
            let mut made = Object::new(number.0, object.storage, always, bytes);
            for (offset, sync) in &object.syncs {
                made.syncs.insert(*offset, Sync::of(&mut terms, sync)?);
            }
            memory.objects.insert(number.0, Arc::new(made));
        }
        let mut unrolling = Self {
            program,
            semantics: interpreter.semantics().clone(),
            terms,
            places: Places::new(program),
            movers: Movers::new(program, reduction),
            instances: Vec::new(),
            started: BTreeMap::new(),
            made: BTreeMap::new(),
            next_object: 0,
            step: 0,
            records: Vec::new(),
            runners: Vec::new(),
            met: Vec::new(),
            observes_layout: false,
            looks: Looks::new(interpreter.semantics(), reduction),
            names: Names::new(program.model, first_objects),
            undetermined: Vec::new(),
            rounds: Vec::new(),
            asks_serial: asks_serial(program),
            callee: None,
            failing: None,
            begun: Vec::new(),
            local_templates: Vec::new(),
            shared: Shared {
                memory,
                links: Vec::new(),
                has_ended: never,
            },
            whereabouts: Vec::new(),
            elsewhere: Rc::from([]),
            budget: Budget::unlimited(),
            exhausted: None,
            encoded: 0,
        };
        for (number, thread) in &initial.threads {
            let [frame] = thread.frames.as_slice() else {
                return None;
            };
            let pointers = thread
                .locals
                .iter()
                .map(|it| raddle_ir::arithmetic::join_pointer(it.0, 0, program.model))
                .collect();
            unrolling.instances.push(Instance {
                function: thread.function,
                number: u128::from(number.0),
                locals: pointers,
                local_objects: thread.locals.iter().map(|it| it.0).collect(),
            });
            let types = program.functions[frame.function].registers.values();
            let registers = types
                .zip(&frame.registers)
                .map(|(register, value)| {
                    let width = register.ty.bits(program.model);
                    Word::of_value(&mut unrolling.terms, *value, width)
                })
                .collect();
            let place = unrolling.places.start(frame.function);
            let local = Local {
                guard: always,
                is_open: never,
                frames: vec![Frame {
                    registers,
                    stack_objects: Vec::new(),
                }],
                units: Some(Vec::new()),
            };
            unrolling
                .whereabouts
                .push(Whereabouts::from([(place, local)]));
            let bits = program.model.pointer_bits();
            let link = Link::new(&mut unrolling.terms, always, bits);
            unrolling.shared.links.push(link);
        }
        if let Some((_, thread)) = initial.threads.iter().next() {
            let objects = &unrolling.shared.memory.objects;
            unrolling.local_templates = thread
                .locals
                .iter()
                .map(|it| Object::clone(&objects[&it.0]))
                .collect();
        }
        // Made objects are numbered from the end, where the interpreter comes last.
        unrolling.next_object = program.model.made_objects().end - 1;
        Some(unrolling)
    }

    pub(crate) fn width(&self, scalar: Scalar) -> u32 {
        scalar.bits(self.program.model)
    }

    /// One more step: every thread runs a block, one of them is chosen.
    pub(crate) fn extend(&mut self) -> Step {
        let before = self.shared.clone();
        let whereabouts = self.whereabouts.clone();
        let count = whereabouts.len();
        let width = usize::BITS - count.leading_zeros();
        let scheduled = self.terms.fresh_variable("thread", width);
        let mut runners: Vec<TermId> = Vec::new();
        let mut is_taken = Vec::new();
        let mut after = before.clone();
        let recorded = self.records.len();
        let mut found = self.look_at_state();
        let mut begun = Vec::new();
        // Nobody moves before all have run: conditions of one ask where the others are.
        let mut moved = Vec::new();
        let open = self.open_transactions();
        for (thread, from) in whereabouts.iter().enumerate() {
            // Somebody always runs: the last, if it is none of the others.
            let runs = if thread + 1 < count {
                self.terms.equals_constant(scheduled, thread as u128)
            } else {
                let another = self.terms.any(&runners);
                self.terms.not(another)
            };
            runners.push(runs);
            let others: Vec<TermId> = open
                .iter()
                .filter(|(other, _)| *other != thread)
                .map(|(_, is_open)| *is_open)
                .collect();
            let must_wait = self.terms.any(&others);
            let may_run = self.terms.not(must_wait);
            let acts = self.terms.and(runs, may_run);
            let records = self.records.len();
            let outcome = self.block(thread, from, &before);
            self.note_moves();
            for met in std::mem::take(&mut self.met) {
                let condition = self.terms.and(acts, met.condition);
                found.push(Met { condition, ..met });
            }
            for record in &mut self.records[records..] {
                record.condition = self.terms.and(runs, record.condition);
            }
            let arrived: Vec<TermId> = outcome
                .exits
                .values()
                .map(|local| local.guard)
                .chain([outcome.is_over])
                .collect();
            let completes = self.terms.any(&arrived);
            is_taken.push(self.terms.and(acts, completes));
            after.merge(&mut self.terms, runs, &outcome.shared);
            let rests = self.terms.not(runs);
            let mut next = Whereabouts::new();
            for (place, local) in from {
                let guard = self.terms.and(rests, local.guard);
                if !self.terms.is_false(guard) {
                    let local = local.clone();
                    next.insert(place.clone(), Local { guard, ..local });
                }
            }
            for (place, local) in outcome.exits {
                let local = Local {
                    guard: self.terms.and(runs, local.guard),
                    ..local
                };
                if let Some(known) = next.get_mut(&place) {
                    known.join(&mut self.terms, &local);
                } else {
                    next.insert(place, local);
                }
            }
            moved.push(next);
            for (started, local) in std::mem::take(&mut self.begun) {
                let guard = self.terms.and(runs, local.guard);
                begun.push((started, Local { guard, ..local }));
            }
        }
        found.extend(self.look_at_meetings(&before, &whereabouts, recorded));
        for (thread, next) in moved.into_iter().enumerate() {
            self.whereabouts[thread] = next;
        }
        for (thread, local) in begun {
            self.begin(thread, &local);
        }
        self.shared = after;
        self.runners.push(runners);
        self.step += 1;
        Step {
            is_taken: self.terms.any(&is_taken),
            met: found,
        }
    }

    /// Which threads are in the middle of a transaction, and when (DR §5: states that cut loops expose).
    fn open_transactions(&mut self) -> Vec<(usize, TermId)> {
        let mut found = Vec::new();
        for (thread, places) in self.whereabouts.iter().enumerate() {
            let open: Vec<TermId> = places
                .values()
                .map(|local| self.terms.and(local.guard, local.is_open))
                .collect();
            let is_open = self.terms.any(&open);
            if !self.terms.is_false(is_open) {
                found.push((thread, is_open));
            }
        }
        found
    }

    /// Whether the budget is spent.
    pub(crate) fn is_stopped(&mut self) -> bool {
        if self.exhausted.is_none() {
            self.encoded += 1;
            let looked = if self.encoded.is_multiple_of(EDGES_BETWEEN_LOOKS) {
                self.budget.check()
            } else {
                self.budget.check_time()
            };
            self.exhausted = looked.err();
        }
        self.exhausted.is_some()
    }

    /// A name for what is made at a place: the same each time, because a place is visited once.
    pub(crate) fn object_at(&mut self, thread: usize, place: &Place, edge: EdgeId) -> Option<u32> {
        if let Some(known) = self.made.get(&(thread, place.clone(), edge)) {
            return Some(*known);
        }
        let number = self.fresh_object()?;
        self.made.insert((thread, place.clone(), edge), number);
        Some(number)
    }

    pub(crate) fn fresh_object(&mut self) -> Option<u32> {
        let number = self.next_object;
        if number <= self.program.model.made_objects().start {
            return None;
        }
        self.next_object -= 1;
        self.names.least_object = number;
        Some(number)
    }

    /// The thread that is started at a place; `None` if there would be too many.
    pub(crate) fn thread_at(
        &mut self,
        creator: usize,
        place: &Place,
        edge: EdgeId,
        function: FunctionId,
    ) -> Option<usize> {
        let key = (creator, place.clone(), edge, function);
        if let Some(known) = self.started.get(&key) {
            return Some(*known);
        }
        if self.instances.len() >= self.semantics.max_threads {
            return None;
        }
        let number = self.instances.len();
        let model = self.program.model;
        let count = self.local_templates.len();
        let local_objects: Vec<u32> = (0..count)
            .map(|_| self.fresh_object())
            .collect::<Option<_>>()?;
        let first = names::first_thread(model);
        self.names.threads = number + 1;
        self.instances.push(Instance {
            function,
            number: first + number as u128,
            locals: local_objects
                .iter()
                .map(|it| raddle_ir::arithmetic::join_pointer(*it, 0, model))
                .collect(),
            local_objects,
        });
        self.whereabouts.push(Whereabouts::new());
        self.started.insert(key, number);
        Some(number)
    }

    /// A thread begins where the guard holds.
    fn begin(&mut self, thread: usize, local: &Local) {
        let place = self.places.start(self.instances[thread].function);
        let begun = &mut self.whereabouts[thread];
        if let Some(known) = begun.get_mut(&place) {
            known.join(&mut self.terms, local);
        } else {
            begun.insert(place, local.clone());
        }
    }

    /// The link of a thread in a state that may not know it yet.
    pub(crate) fn link<'s>(&mut self, shared: &'s mut Shared, thread: usize) -> &'s mut Link {
        while shared.links.len() <= thread {
            let never = self.terms.truth(false);
            let bits = self.program.model.pointer_bits();
            shared.links.push(Link::new(&mut self.terms, never, bits));
        }
        &mut shared.links[thread]
    }

    pub(crate) fn meet(&mut self, condition: TermId, hazard: Hazard, place: (FunctionId, EdgeId)) {
        self.met.push(Met {
            condition,
            hazard,
            place: Some(place),
            after: self.records.len(),
        });
    }

    /// The thread-local copies of a new thread, as every thread finds them.
    pub(crate) fn make_locals(&mut self, shared: &mut Shared, guard: TermId, thread: usize) {
        let numbers = self.instances[thread].local_objects.clone();
        for (template, number) in self.local_templates.clone().into_iter().zip(numbers) {
            let object = Object { number, ..template };
            shared.memory.make(&mut self.terms, guard, object);
        }
    }
}
