//! Points-to: what every register and every cell may hold, by inclusion, in no order of steps.
//!
//! Objects are told apart by the instance that allocates them, cells by their byte offset, or by its remainder where
//! only that is known. Bits of unknown origin are kept as such; a program that follows them as an address, or calls
//! them, is not understood ([`PointsTo::not_understood`]), so nothing has to be assumed of where they lead.
//!
//! Here is the fixed point and what can be asked of it; `apply`: what each action adds; `memory`: objects and cells.

mod apply;
mod memory;

use std::collections::BTreeMap;

use raddle_base::{Arena, Id};
use raddle_ir::{Action, ActionGroup, EdgeId, Expression, Program, ReadOnly, RegisterId};

use crate::automaton::Automata;
use crate::call_graph::{CallGraph, Contexts, InstanceId, ThreadId, TooLarge};
use crate::evaluate::Evaluator;
use crate::value::{ObjectId, Offset, ValueSet};

pub use crate::objects::ObjectKind;

/// All objects that one global or one allocation makes.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    /// In bytes, if it is the same for all of them.
    pub size: Option<u64>,
    /// What nobody has written is zero, else undefined.
    is_zeroed: bool,
    cells: BTreeMap<(Offset, u64), ValueSet>,
}

/// What is known after the last round.
#[derive(Clone, Debug)]
pub struct PointsTo<'p> {
    pub program: &'p Program,
    pub automata: Automata,
    pub graph: CallGraph,
    pub objects: Arena<ObjectId, Object>,
    by_kind: BTreeMap<ObjectKind, ObjectId>,
    /// By instance, then by register.
    registers: Vec<Vec<ValueSet>>,
    /// What a call of the instance gives.
    returned: Vec<ValueSet>,
    /// What joining the thread gives.
    results: Vec<ValueSet>,
    changed: bool,
}

/// How often all actions are looked at before the search for a fixed point is given up.
const MAX_ROUNDS: usize = 200;

impl<'p> PointsTo<'p> {
    /// Everything that may be held, with calls told apart as far as there are not too many.
    pub fn new(program: &'p Program) -> Result<Self, TooLarge> {
        Self::with_contexts(program, Contexts::Calls)
            .or_else(|TooLarge| Self::with_contexts(program, Contexts::Threads))
    }

    fn with_contexts(program: &'p Program, contexts: Contexts) -> Result<Self, TooLarge> {
        let mut this = Self {
            program,
            automata: Automata::new(program),
            graph: CallGraph::new(program, contexts)?,
            objects: Arena::new(),
            by_kind: BTreeMap::new(),
            registers: Vec::new(),
            returned: Vec::new(),
            results: Vec::new(),
            changed: false,
        };
        this.make_globals();
        this.make_room();
        for (index, root) in program.roots.iter().enumerate() {
            let entry = this.graph.threads[ThreadId::from_index(index)].entry;
            for (at, argument) in root.arguments.iter().enumerate() {
                let values = this.values(entry, argument);
                this.set(entry, RegisterId::from_index(at), &values);
            }
        }
        for _ in 0..MAX_ROUNDS {
            this.changed = false;
            let mut at = 0;
            while at < this.graph.instances.len() {
                let instance = InstanceId::from_index(at);
                let function = this.graph.instances[instance].function;
                for index in 0..this.automata[function].edges.len() {
                    let edge = this.automata[function].edges[index];
                    this.apply(instance, edge)?;
                }
                at += 1;
            }
            if !this.changed {
                return Ok(this);
            }
        }
        Err(TooLarge)
    }

    /// The first action that follows an address, calls a function or names something that is not known, or accesses something
    /// opaque.
    pub fn not_understood(&self) -> Option<(InstanceId, EdgeId)> {
        self.actions().find_map(|(instance, edge, action)| {
            let is_wild = |it: &Expression| self.values(instance, it).is_wild();
            let mut operands = action.operands(self.program.model).into_iter();
            let is_lost = operands
                .any(|it| is_wild(it.address) || self.may_be_opaque(instance, it.address))
                || action.called_address().is_some_and(is_wild)
                || action.group() == ActionGroup::Unsupported;
            is_lost.then_some((instance, edge))
        })
    }

    /// Whether an address may lead to something of which nothing is known.
    pub fn may_be_opaque(&self, instance: InstanceId, address: &Expression) -> bool {
        let values = self.values(instance, address);
        let mut addresses = values.addresses();
        addresses.any(|(object, _)| match self.objects[object].kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                self.program.globals[global].is_opaque
            }
            ObjectKind::Allocated(..) => false,
        })
    }

    /// Every action that some thread may take.
    pub fn actions(&self) -> impl Iterator<Item = (InstanceId, EdgeId, &'p Action)> + '_ {
        self.graph.instances.iter().flat_map(move |(id, instance)| {
            let edges = self.automata[instance.function].edges.iter();
            edges.map(move |&edge| {
                let action = &self.program.edge(instance.function, edge).action;
                (id, edge, action)
            })
        })
    }

    /// What an expression may give in an instance.
    pub fn values(&self, instance: InstanceId, expression: &Expression) -> ValueSet {
        self.evaluator(instance).values(expression)
    }

    fn evaluator(&self, instance: InstanceId) -> Evaluator<'_> {
        let known = &self.graph.instances[instance];
        Evaluator {
            program: self.program,
            function: known.function,
            thread: known.thread,
            objects: &self.by_kind,
            registers: &self.registers[instance.index()],
        }
    }

    pub fn object(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.by_kind.get(&kind).copied()
    }

    /// What joining the thread gives.
    pub fn result(&self, thread: ThreadId) -> &ValueSet {
        &self.results[thread.index()]
    }

    /// What a call of the instance may give.
    pub fn returned(&self, instance: InstanceId) -> &ValueSet {
        &self.returned[instance.index()]
    }

    /// Whether the address of an object may be written to memory.
    pub fn is_kept(&self, object: ObjectId) -> bool {
        self.objects
            .values()
            .flat_map(|it| it.cells.values())
            .any(|values| values.addresses().any(|(it, _)| it == object))
    }

    /// Where nobody may write to the object.
    pub fn read_only(&self, object: ObjectId) -> &'p ReadOnly {
        match self.objects[object].kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                &self.program.globals[global].read_only
            }
            ObjectKind::Allocated(_, instance, edge) => {
                let function = self.graph.instances[instance].function;
                let Action::Allocate { read_only, .. } = &self.program.edge(function, edge).action
                else {
                    unreachable!("only allocations make objects")
                };
                read_only
            }
        }
    }

    /// Whether nobody may write to any byte of the object.
    pub fn is_read_only(&self, object: ObjectId) -> bool {
        match self.objects[object].kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                let size = self.program.size_of(&self.program.globals[global].ty);
                size.is_some_and(|size| self.read_only(object).is_all(size))
            }
            // Its size is not looked for; to say no is always right.
            ObjectKind::Allocated(..) => false,
        }
    }

    /// Everything that an object may hold.
    pub fn contents(&self, object: ObjectId) -> impl Iterator<Item = &ValueSet> {
        self.objects[object].cells.values()
    }

    /// Whether there is at most one object of the kind in any execution.
    pub fn is_single(&self, object: ObjectId) -> bool {
        match self.objects[object].kind {
            ObjectKind::Global(_) => true,
            ObjectKind::ThreadLocal(_, thread) => self.graph.is_single(&self.automata, thread),
            ObjectKind::Allocated(_, instance, edge) => {
                self.graph.runs_once(&self.automata, instance, edge)
            }
        }
    }

    /// Room for what is known of instances and threads that are new.
    fn make_room(&mut self) {
        for (_, instance) in self.graph.instances.iter().skip(self.registers.len()) {
            let registers = self.program.functions[instance.function].registers.len();
            self.registers.push(vec![ValueSet::default(); registers]);
        }
        self.returned
            .resize(self.graph.instances.len(), ValueSet::default());
        let before = self.results.len();
        self.results
            .resize(self.graph.threads.len(), ValueSet::default());
        for thread in (before..self.graph.threads.len()).map(ThreadId::from_index) {
            for (id, global) in self.program.globals.iter() {
                if global.is_thread_local {
                    let object = self.make_global(ObjectKind::ThreadLocal(id, thread), id);
                    self.initialize(object, id);
                }
            }
        }
    }

    fn set(&mut self, instance: InstanceId, register: RegisterId, values: &ValueSet) {
        self.changed |= self.registers[instance.index()][register.index()].add(values);
    }

    fn set_optional(
        &mut self,
        instance: InstanceId,
        register: Option<RegisterId>,
        values: &ValueSet,
    ) {
        if let Some(register) = register {
            self.set(instance, register, values);
        }
    }
}
