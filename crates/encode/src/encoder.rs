//! What the meaning of edges needs: the terms, and the names of all that executions make.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_base::{Arena, Budget, Exhausted};
use raddle_ir::interpret::{Interpreter, ObjectNumber, Semantics, State, Thread, ThreadNumber};
use raddle_ir::{Action, EdgeId, FunctionId, Program, Scalar, SyncOperation};
use raddle_logic::{TermId, Terms};

use crate::hazard::{Hazard, Met};
use crate::inputs::Inputs;
use crate::memory::Memory;
use crate::names::{self, Names, ObjectName, ThreadIndex};
use crate::object::Object;
use crate::place::{Places, UnrolledPoint};
use crate::state::{Frame, Instance, Link, Local, Shared, Whereabouts};
use crate::sync::Sync;
use crate::touch::Wanted;
use crate::word::Word;

/// An edge that some executions take.
#[derive(Clone, Debug)]
pub struct Record {
    pub step: usize,
    pub thread: ThreadIndex,
    pub place: (FunctionId, EdgeId),
    pub condition: TermId,
    pub choice: Choice,
    /// The thread that it starts.
    pub started: Option<ThreadIndex>,
}

/// What an edge chose.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    Nothing,
    Value(TermId),
    /// A thread, by its number in the unrolling from 1; 0 is no thread.
    Thread(TermId),
    /// The least, by its name in the interpreter, of a round of a barrier.
    Round(usize),
}

/// Where it is doubted whether new memory lies where freed memory lay: that is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComesBack {
    /// Nothing in the program could tell.
    Never,
    /// When memory is made after some was freed into which it fits.
    AtAllocation,
    /// When memory is freed, for an engine that does not know what comes after it.
    AtFree,
}

/// A cell that begins with any of some values.
#[derive(Clone, Copy, Debug)]
pub struct Undetermined {
    pub object: ObjectNumber,
    pub offset: u64,
    pub ty: Scalar,
    pub value: TermId,
}

/// What a program starts with.
pub struct Beginning {
    pub shared: Shared,
    /// Where each root is.
    pub whereabouts: Arena<ThreadIndex, Whereabouts>,
}

/// Encodes edges, one by one.
pub struct Encoder<'p> {
    pub program: &'p Program,
    pub semantics: Semantics,
    pub terms: Terms,
    pub places: Places<'p>,
    pub instances: Arena<ThreadIndex, Instance>,
    started: BTreeMap<(ThreadIndex, UnrolledPoint, EdgeId, FunctionId, usize), ThreadIndex>,
    made: BTreeMap<(ThreadIndex, UnrolledPoint, EdgeId, usize), ObjectName>,
    next_object: u32,
    /// In the order in which executions take them.
    pub records: Vec<Record>,
    pub observes_layout: bool,
    /// Nobody foresaw that an address is read as a number.
    pub doubts_numbers: bool,
    /// What is noted of edges that are taken.
    pub wanted: Wanted,
    pub names: Names,
    pub comes_back: ComesBack,
    pub inputs: Inputs,
    /// Which of the things that one place may make is made, by an engine whose places are visited again.
    pub copy: usize,
    /// Cells that begin with any of some values.
    pub undetermined: Vec<Undetermined>,
    /// Which threads belong to which round of a barrier, where the conditions hold.
    pub rounds: Vec<Vec<(ThreadIndex, TermId)>>,
    pub(crate) asks_serial: bool,
    /// Thread-locals as a thread finds them.
    local_templates: Vec<Object>,
    pub budget: Budget,
    /// Set when the budget was spent in the middle of a step, which is worth nothing then.
    pub exhausted: Option<Exhausted>,
    /// How many edges were encoded.
    encoded: u64,
}

/// How many edges are encoded at most between two looks at the memory.
const EDGES_BETWEEN_LOOKS: u64 = 500;

impl<'p> Encoder<'p> {
    /// From the state that a program starts in; `None` if it starts with something that is not modelled here.
    pub fn new(interpreter: &Interpreter<'p>, initial: &State) -> Option<(Self, Beginning)> {
        let program = interpreter.program();
        let mut terms = Terms::new();
        let always = terms.truth(true);
        let never = terms.truth(false);
        let first_objects = (initial.objects.keys())
            .map(|it| ObjectName::of_first(*it))
            .collect();
        let mut memory = Memory::default();
        for (number, object) in &initial.objects {
            if program.model.small_objects().contains(&number.0) {
                return None;
            }
            let bytes: Arc<[Option<u8>]> = object.bytes.cells().collect();
            let name = ObjectName::of_first(*number);
            let mut made = Object::new(name, object.storage, always, bytes);
            made.read_only = object.origin.read_only(program).clone();
            made.opaque = object.origin.opaque(program).map(|it| it.name.clone());
            for (offset, sync) in &object.syncs {
                made.syncs.insert(*offset, Sync::of(&mut terms, sync)?);
            }
            memory.objects.insert(name, Arc::new(made));
        }
        let mut encoder = Self {
            program,
            semantics: interpreter.semantics().clone(),
            terms,
            places: Places::new(program),
            instances: Arena::new(),
            started: BTreeMap::new(),
            made: BTreeMap::new(),
            next_object: 0,
            records: Vec::new(),
            observes_layout: false,
            doubts_numbers: interpreter.recycling().is_surprised_by_numbers(),
            wanted: Wanted::default(),
            names: Names::new(program.model, first_objects),
            comes_back: if interpreter.recycling().is_possible() {
                ComesBack::AtAllocation
            } else {
                ComesBack::Never
            },
            inputs: Inputs::Fresh,
            copy: 0,
            undetermined: Vec::new(),
            rounds: Vec::new(),
            asks_serial: asks_serial(program),
            local_templates: Vec::new(),
            budget: Budget::unlimited(),
            exhausted: None,
            encoded: 0,
        };
        let mut shared = Shared {
            memory,
            links: Arena::new(),
            has_ended: never,
        };
        let mut whereabouts = Arena::new();
        for (number, thread) in &initial.threads {
            whereabouts.push(encoder.root(&mut shared, *number, thread)?);
        }
        if let Some((_, thread)) = initial.threads.iter().next() {
            let objects = &shared.memory.objects;
            encoder.local_templates = thread
                .locals
                .iter()
                .map(|it| Object::clone(&objects[&ObjectName::of_first(*it)]))
                .collect();
        }
        // Made objects are numbered from the end, where the interpreter comes last.
        encoder.next_object = program.model.made_objects().end - 1;
        Some((
            encoder,
            Beginning {
                shared,
                whereabouts,
            },
        ))
    }

    /// A thread that is there from the beginning, and where it stands; `None` if it is in the middle of a call.
    fn root(
        &mut self,
        shared: &mut Shared,
        number: ThreadNumber,
        thread: &Thread,
    ) -> Option<Whereabouts> {
        let program = self.program;
        let [frame] = thread.frames.as_slice() else {
            return None;
        };
        let (always, never) = (self.terms.truth(true), self.terms.truth(false));
        let local_objects: Vec<ObjectName> = (thread.locals.iter())
            .map(|it| ObjectName::of_first(*it))
            .collect();
        let pointers = local_objects
            .iter()
            .map(|it| it.pointer(0, program.model))
            .collect();
        self.instances.push(Instance {
            function: thread.function,
            number: u128::from(number.0),
            locals: pointers,
            local_objects,
        });
        let types = program.functions[frame.function].registers.values();
        let registers = types
            .zip(&frame.registers)
            .map(|(register, value)| {
                let width = register.ty.bits(program.model);
                Word::of_value(&mut self.terms, *value, width)
            })
            .collect();
        let place = self.places.start(frame.function);
        let local = Local {
            guard: always,
            is_open: never,
            frames: vec![Frame {
                registers,
                stack_objects: Vec::new(),
            }],
            units: Some(Vec::new()),
        };
        let bits = program.model.pointer_bits();
        let link = Link::new(&mut self.terms, always, bits);
        shared.links.push(link);
        Some(Whereabouts::from([(place, local)]))
    }

    pub fn width(&self, scalar: Scalar) -> u32 {
        scalar.bits(self.program.model)
    }

    /// Looks at the budget, once for each edge that is encoded; whether it is spent.
    pub fn poll_budget(&mut self) -> bool {
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

    /// A name for what is made at a place: the same each time, because a place is visited once, or the engine counts copies.
    pub fn object_at(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        edge: EdgeId,
    ) -> Option<ObjectName> {
        let key = (thread, place.clone(), edge, self.copy);
        if let Some(known) = self.made.get(&key) {
            return Some(*known);
        }
        let number = self.fresh_object()?;
        self.made.insert(key, number);
        Some(number)
    }

    pub fn fresh_object(&mut self) -> Option<ObjectName> {
        let number = self.next_object;
        let [low, high] = self.program.model.large_objects();
        if number <= low.start {
            return None;
        }
        // Small objects are made like others, so their numbers are not needed.
        self.next_object = if number == high.start {
            low.end - 1
        } else {
            number - 1
        };
        let name = ObjectName::new(number);
        self.names.least_object = name;
        Some(name)
    }

    /// The thread that is started at a place; `None` if there would be too many.
    pub fn thread_at(
        &mut self,
        creator: ThreadIndex,
        place: &UnrolledPoint,
        edge: EdgeId,
        function: FunctionId,
    ) -> Option<ThreadIndex> {
        let key = (creator, place.clone(), edge, function, self.copy);
        if let Some(known) = self.started.get(&key) {
            return Some(*known);
        }
        if self.instances.len() >= self.semantics.max_threads {
            return None;
        }
        let count_before = self.instances.len();
        let model = self.program.model;
        let count = self.local_templates.len();
        let local_objects: Vec<ObjectName> = (0..count)
            .map(|_| self.fresh_object())
            .collect::<Option<_>>()?;
        let first = names::first_thread(model);
        self.names.threads = count_before + 1;
        let thread = self.instances.push(Instance {
            function,
            number: first + count_before as u128,
            locals: local_objects
                .iter()
                .map(|it| it.pointer(0, model))
                .collect(),
            local_objects,
        });
        self.started.insert(key, thread);
        Some(thread)
    }

    /// The link of a thread in a state that may not know it yet.
    pub fn link<'s>(&mut self, shared: &'s mut Shared, thread: ThreadIndex) -> &'s mut Link {
        while !shared.links.contains(thread) {
            let never = self.terms.truth(false);
            let bits = self.program.model.pointer_bits();
            shared.links.push(Link::new(&mut self.terms, never, bits));
        }
        &mut shared.links[thread]
    }

    /// A hazard that executions come to at an edge, after all that is recorded.
    pub fn hazard_at(&self, condition: TermId, hazard: Hazard, place: (FunctionId, EdgeId)) -> Met {
        Met {
            condition,
            hazard,
            place: Some(place),
            after: self.records.len(),
        }
    }

    /// The thread-local copies of a new thread, as every thread finds them.
    pub fn make_locals(&mut self, shared: &mut Shared, guard: TermId, thread: ThreadIndex) {
        let numbers = self.instances[thread].local_objects.clone();
        for (template, number) in self.local_templates.clone().into_iter().zip(numbers) {
            let object = Object { number, ..template };
            shared.memory.make(&mut self.terms, guard, object);
        }
    }
}

/// Whether some thread asks which of those that leave a barrier is the serial one.
fn asks_serial(program: &Program) -> bool {
    let asks = |action: &Action| {
        let Action::Sync {
            operation, result, ..
        } = action
        else {
            return false;
        };
        *operation == SyncOperation::BarrierLeave && result.is_some()
    };
    let mut functions = program.functions.values();
    functions.any(|it| it.edges.values().any(|edge| asks(&edge.action)))
}
