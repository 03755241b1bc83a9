//! The reference interpreter: the only definition of what a program means. Small, slow, obvious.
//!
//! - `state`: what a state is ([`watch`](crate::watch) tells who looks at it);
//! - `memory`: objects and accesses; `evaluate`: expressions and formulas;
//! - `start`: where a program starts; `undetermined`: cells that start with any value; `frame`: how frames begin and end;
//! - `choices`: what an edge leaves open; `step`: taking it with one choice;
//! - `run`: a step under way; `act`: what each action does; `operands`: what an action works on;
//! - `sync`: operations on synchronisation objects;
//! - `section`: the steps of a thread, atomic sections included; `inside`: all ways through one;
//! - `property`: properties and their violations;
//! - `judge`: races, deadlocks, leaks, lost memory and invariants of a state;
//! - `serializability`: a naive judge of atomicity over traces;
//! - `aids`: what may be lent to the definition from outside.
//!
//! Beside it lie
//! - what states are made of: `bytes` of objects, `entries` (maps of which copies share), `numbering` (what threads and objects are
//!   called), `places` (which objects lie at one address), `pointers` (which objects something can lead to);
//! - what it has to know of the program as a whole: `recycling`, when an address comes back;
//! - what is judged over many states: `endless`, threads that wait or spin for ever; `happens_before`, accesses that nothing orders;
//! - `watch`: who looks at a state; `in_place`: an action without a copy of the state before;
//! - `wording`: what people call threads, places and waits.
//!
//! What makes it fast is the crate `stepper`.

pub(crate) mod act;
pub mod aids;
mod choices;
pub(crate) mod evaluate;
pub(crate) mod fault;
mod frame;
mod inside;
mod judge;
pub(crate) mod memory;
mod operands;
pub mod property;
pub(crate) mod run;
pub mod section;
pub mod serializability;
mod start;
pub mod state;
pub(crate) mod step;
mod sync;
mod undetermined;

use crate::action::{Action, SyncOperation};
use crate::expression::Expression;
use crate::program::{EdgeId, FunctionId, Program};
use crate::types::Scalar;

pub use crate::bytes::{Bytes, Cell};
pub use crate::endless::{closed, livelock, stuck};
pub use crate::numbering::null_thread;
pub use crate::recycling::{Recycling, room};
pub use crate::{happens_before, numbering, places, pointers};
pub use fault::{APPROXIMATE, NOT_KNOWN, opaque_use};
pub use judge::{MemoryAccess, Standing};
pub use property::{Property, Stop, Violation, ViolationLabel};
pub use run::show;
pub use state::{
    Frame, Object, ObjectNumber, Origin, State, Storage, Sync, Thread, ThreadNumber, Value, Woken,
};
pub use sync::{EAGAIN, EBUSY, EDEADLK, EPERM, ETIMEDOUT, FULL_SEMAPHORE, SEMAPHORE_MAXIMUM, Wait};

/// What a run may ask of the interpreter.
#[derive(Clone, Debug)]
pub struct Semantics {
    /// The properties asked for, sorted.
    pub properties: Vec<Property>,
    /// More threads than this at a time stop the execution with [`Stop::ThreadLimit`].
    pub max_threads: usize,
    /// A choice of more values than this stops the execution with [`Stop::TooManyChoices`], unless others are known that
    /// stand for all of them ([`aids::WideChoices`]).
    pub max_choices: u64,
    /// Whether a wait on a condition variable may end without a signal.
    pub has_spurious_wakeups: bool,
    /// Whether new memory may lie where freed memory lay that somebody still points to.
    pub has_recycling: bool,
}

impl Default for Semantics {
    fn default() -> Self {
        Self {
            properties: Property::ALL.to_vec(),
            max_threads: 64,
            max_choices: 1 << 16,
            has_spurious_wakeups: false,
            has_recycling: true,
        }
    }
}

/// The interpreter of one program.
#[derive(Clone, Debug)]
pub struct Interpreter<'p> {
    pub(crate) program: &'p Program,
    pub(crate) semantics: Semantics,
    /// Whether some thread asks which of those that leave a barrier is the serial one.
    pub(crate) asks_serial: bool,
    pub(crate) recycling: std::sync::Arc<Recycling>,
    /// Once somebody asks.
    pub(crate) spinning: std::sync::Arc<std::sync::OnceLock<crate::endless::spinning::Spinning>>,
    /// Whether something is made on the heap.
    pub(crate) has_heap: bool,
    /// None: a choice of too many values stops the execution, and of others all are tried.
    pub(crate) wide: Option<std::sync::Arc<dyn aids::WideChoices>>,
    pub(crate) shortcuts: Option<std::sync::Arc<dyn aids::Shortcuts>>,
}

/// One step of one thread: an edge, or all edges of an atomic section.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub thread: ThreadNumber,
    /// One part, or one for each inner step of an atomic section.
    pub parts: Vec<StepPart>,
}

/// One edge with the choice that was made on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StepPart {
    pub function: FunctionId,
    pub edge: EdgeId,
    /// The value of a havoc, the thread that a signal wakes, whether a timed operation gives up (1) or not (0),
    /// which thread of a complete round of a barrier is its serial one, the freed object at whose address a new one lies.
    pub choice: Option<u128>,
}

/// What a step did, besides changing the state. Values as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Read {
        object: ObjectNumber,
        offset: u64,
        ty: Scalar,
        value: Value,
        is_atomic: bool,
    },
    Write {
        object: ObjectNumber,
        offset: u64,
        ty: Scalar,
        value: Value,
        is_atomic: bool,
    },
    /// An operation on a synchronisation object (atomic), or its making and end (not).
    Synchronize {
        object: ObjectNumber,
        offset: u64,
        size: u64,
        is_atomic: bool,
    },
    /// An object came to be.
    Allocate {
        object: ObjectNumber,
        size: u64,
        /// At the address of a freed object that is named so.
        home: Option<ObjectNumber>,
    },
    /// The size of an object was read, which counts as a read of all its bytes.
    Measure {
        object: ObjectNumber,
        size: u64,
        is_atomic: bool,
    },
    /// An object, with all its bytes, ceased to be.
    Free {
        object: ObjectNumber,
        size: u64,
        is_atomic: bool,
    },
    Spawn {
        thread: ThreadNumber,
    },
    UnitBegin {
        set: Option<crate::program::AtomicSetId>,
    },
    UnitEnd {
        set: Option<crate::program::AtomicSetId>,
    },
    /// Output.
    Emit {
        bytes: Vec<u8>,
    },
    /// A register received a value.
    Set {
        function: FunctionId,
        register: crate::program::RegisterId,
        value: Value,
    },
    /// A result depends on how objects are numbered, which no real machine promises.
    ObserveLayout,
    /// The process ended itself.
    End {
        ending: Ending,
    },
}

/// How a process ends itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this status.
    Exit(i128),
    Abort,
}

/// A step that a thread can take, and what comes of it.
#[derive(Clone, Debug)]
pub struct Successor {
    pub step: Step,
    pub effects: Vec<Effect>,
    /// Violations after which the execution goes on (signed overflow).
    pub violations: Vec<Violation>,
    pub outcome: Outcome,
    /// The memory the step touches; for an atomic section, that any of its complete paths touches.
    pub accesses: Vec<MemoryAccess>,
}

/// What a thread can do next.
#[derive(Clone, Debug)]
pub struct ThreadOptions {
    pub successors: Vec<Successor>,
    /// Some way is blocked that another thread may open. A false assume is blocked for ever.
    pub waits_for_others: bool,
    pub blocked: Blocked,
    /// For each way that is blocked: what it waits for.
    pub(crate) waits: Vec<Wait>,
    /// What was read on ways into sections that are blocked.
    pub(crate) blocked_reads: Vec<MemoryAccess>,
}

/// What a thread has looked at on ways that are blocked, or that fail in the middle of a section: whoever changes it may
/// open them, or make them fail or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocked {
    /// What was touched on ways into atomic sections, and what it fails on there.
    pub accesses: Vec<MemoryAccess>,
    /// The synchronisation objects that it waits at, whether or not something is there.
    pub objects: Vec<(ObjectNumber, u64)>,
    /// The threads that it waits for, and those that it has joined or detached on a way into an atomic section.
    pub joined: Vec<ThreadNumber>,
}

impl Blocked {
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty() && self.objects.is_empty() && self.joined.is_empty()
    }
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Next(State),
    /// The execution ends here, in the state before the step.
    Stopped(Stop),
}

impl<'p> Interpreter<'p> {
    /// The definition itself, which nothing is lent to.
    pub fn new(program: &'p Program, semantics: Semantics) -> Self {
        let asks_serial = program.functions.values().any(|function| {
            function.edges.values().any(|edge| {
                matches!(
                    edge.action,
                    Action::Sync {
                        operation: SyncOperation::BarrierLeave,
                        result: Some(_),
                        ..
                    }
                )
            })
        });
        Self {
            program,
            asks_serial,
            recycling: std::sync::Arc::new(Recycling::new(program, semantics.has_recycling)),
            spinning: std::sync::Arc::default(),
            has_heap: program.uses_heap(),
            wide: None,
            shortcuts: None,
            semantics,
        }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    pub fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// What the program can do with addresses that come back.
    pub fn recycling(&self) -> &std::sync::Arc<Recycling> {
        &self.recycling
    }

    /// The states in which the program may start, one for each choice of `Initial::Any` values.
    pub fn initial_states(&self) -> Result<Vec<State>, Stop> {
        Ok(self.start()?.into_iter().map(|(_, state)| state).collect())
    }

    /// The same with their numbers, which are those of the definition, also where fewer values are tried.
    pub fn numbered_initial_states(&self) -> Result<Vec<(usize, State)>, Stop> {
        self.start()
    }

    /// The initial state with this number; `None` if it is not among those that are tried.
    pub fn initial_state(&self, number: usize) -> Option<State> {
        let states = self.start().ok()?.into_iter();
        states
            .into_iter()
            .find_map(|(it, state)| (it == number).then_some(state))
    }

    /// Every step that some thread can take, threads in the order of their numbers.
    pub fn successors(&self, state: &State) -> Vec<Successor> {
        if state.has_ended {
            return Vec::new();
        }
        state
            .threads
            .keys()
            .flat_map(|&thread| self.thread_successors(state, thread))
            .collect()
    }

    /// What a thread with these options has to do with races and deadlocks of the state.
    pub fn standing(
        &self,
        state: &State,
        thread: ThreadNumber,
        options: &ThreadOptions,
    ) -> Standing {
        self.standing_of(state, thread, options)
    }

    /// The step a trace names, or `None` if it cannot be taken here.
    pub fn take(&self, state: &State, step: &Step) -> Option<Successor> {
        if state.has_ended {
            return None;
        }
        self.follow(state, step)
    }

    /// Whether the predicate gives a thread exclusive access, to element `index` of a family; `None` if it has no value.
    pub fn has_exclusive_access(
        &self,
        state: &State,
        exclusive: &crate::formula::Exclusive,
        index: u64,
        thread: ThreadNumber,
    ) -> Option<bool> {
        evaluate::holds(
            self.program,
            state,
            &exclusive.condition,
            Some(thread),
            index,
        )
        .ok()
    }

    /// Where the operands of an action of a thread point to, whether or not something is there.
    pub fn pointed_to(
        &self,
        state: &State,
        thread: ThreadNumber,
        part: &StepPart,
    ) -> Vec<(ObjectNumber, u64)> {
        self.operands(state, thread, part)
    }

    /// What an action that fails has looked at: of each operand that leads to an object its first byte, if it has one there;
    /// what it would have made, destroyed or freed counts as written.
    pub fn tried(&self, state: &State, thread: ThreadNumber, part: &StepPart) -> Blocked {
        Blocked {
            accesses: self.looks(state, thread, part),
            objects: Vec::new(),
            joined: self.joined_by(state, thread, part).into_iter().collect(),
        }
    }

    /// What a cell holds; `None` if it does not lie in a living object.
    pub fn cell(
        &self,
        state: &State,
        object: ObjectNumber,
        offset: u64,
        ty: Scalar,
    ) -> Option<Value> {
        let known = state.objects.head(object).filter(|it| it.is_live())?;
        let end = offset.checked_add(ty.size(self.program.model))?;
        (end <= known.size()).then(|| memory::read(self.program, state, object, offset, ty))
    }

    /// What an expression would give in a frame of a thread, with these values in its registers; `None` if something goes
    /// wrong, or it is undefined.
    pub fn evaluated(
        &self,
        state: &State,
        thread: ThreadNumber,
        function: FunctionId,
        registers: &[Value],
        expression: &Expression,
    ) -> Option<u128> {
        let mut evaluator = evaluate::Evaluator {
            program: self.program,
            state,
            thread: Some(thread),
            types: &self.program.functions[function].registers,
            values: registers,
            overflowed: false,
            observes_layout: false,
        };
        evaluator.bits(expression).ok()
    }

    /// Violations of the state itself, of the properties asked for: races, deadlocks, invariants, lost memory,
    /// and leaks if the process has ended. At most one a property, but for races: of these all, the first as the first.
    pub fn judge(&self, state: &State) -> Vec<Violation> {
        self.violations_of(state, &self.successors(state))
    }

    /// Of [`Interpreter::judge`], what can be seen without looking at steps: lost memory and broken invariants.
    pub fn judge_memory(&self, state: &State) -> Vec<Violation> {
        self.violations_of_memory(state)
    }

    /// As [`Interpreter::judge`], for a caller who knows all successors of the state already.
    pub fn judge_with(&self, state: &State, successors: &[Successor]) -> Vec<Violation> {
        self.violations_of(state, successors)
    }
}
