//! Points-to: what every register and every cell may hold, by inclusion, in no order of steps.
//!
//! Objects are told apart by the instance that allocates them, cells by their byte offset, or by its remainder where
//! only that is known. Bits of unknown origin are kept as such; a program that follows them as an address, or calls
//! them, is not understood ([`PointsTo::not_understood`]), so nothing has to be assumed of where they lead.

use std::collections::BTreeMap;

use raddle_base::{Arena, Id};
use raddle_ir::{
    Action, AllocateKind, Callee, EdgeId, Expression, FunctionId, GlobalId, Initial, Program,
    RegisterId, RmwOperation, Scalar,
};

use crate::automaton::Automata;
use crate::call_graph::{CallGraph, Contexts, InstanceId, ThreadId, TooLarge};
use crate::evaluate::{Evaluator, number};
use crate::value::{ObjectId, Offset, Value, ValueSet};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectKind {
    Global(GlobalId),
    /// The copies of one abstract thread.
    ThreadLocal(GlobalId, ThreadId),
    Allocated(AllocateKind, InstanceId, EdgeId),
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

    /// The first action that follows an address, calls a function or names something that is not known.
    pub fn not_understood(&self) -> Option<(InstanceId, EdgeId)> {
        self.actions().find_map(|(instance, edge, action)| {
            let is_wild = |it: &Expression| self.values(instance, it).is_wild();
            let is_lost = match action {
                Action::Load { address, .. }
                | Action::Store { address, .. }
                | Action::ReadModifyWrite { address, .. }
                | Action::CompareExchange { address, .. }
                | Action::Size { address, .. }
                | Action::Free { address } => is_wild(address),
                Action::Init { object, .. } | Action::Destroy { object, .. } => is_wild(object),
                Action::Sync { object, mutex, .. } => {
                    is_wild(object) || mutex.as_ref().is_some_and(is_wild)
                }
                Action::Call { callee, .. } | Action::Spawn { callee, .. } => match callee {
                    Callee::Direct(_) => false,
                    Callee::Indirect(address) => is_wild(address),
                },
                Action::Unsupported { .. } => true,
                Action::Assign { .. }
                | Action::Havoc { .. }
                | Action::Assume { .. }
                | Action::Assert { .. }
                | Action::Allocate { .. }
                | Action::Return { .. }
                | Action::Join { .. }
                | Action::Detach { .. }
                | Action::ExitThread { .. }
                | Action::EndProcess { .. }
                | Action::AtomicBegin
                | Action::AtomicEnd
                | Action::UnitBegin { .. }
                | Action::UnitEnd { .. }
                | Action::Emit { .. } => false,
            };
            is_lost.then_some((instance, edge))
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

    fn make_globals(&mut self) {
        for (id, global) in self.program.globals.iter() {
            if !global.is_thread_local {
                self.make_global(ObjectKind::Global(id), id);
            }
        }
        // Addresses of globals are in the initial values of others.
        for (id, global) in self.program.globals.iter() {
            if !global.is_thread_local
                && let Some(object) = self.object(ObjectKind::Global(id))
            {
                self.initialize(object, id);
            }
        }
    }

    fn make_global(&mut self, kind: ObjectKind, id: GlobalId) -> ObjectId {
        let size = self.program.size_of(&self.program.globals[id].ty);
        let object = self.objects.push(Object {
            kind,
            size,
            is_zeroed: true,
            cells: BTreeMap::new(),
        });
        self.by_kind.insert(kind, object);
        object
    }

    fn initialize(&mut self, object: ObjectId, id: GlobalId) {
        let word = self.program.model.pointer_bytes();
        let global = &self.program.globals[id];
        for (offset, initial) in &global.initial {
            let (size, values) = match initial {
                Initial::Scalar(ty, bits) => {
                    let constant = Expression::Constant(*bits, *ty);
                    (ty.size(self.program.model), self.constant(&constant))
                }
                Initial::Address(address) => (word, self.constant(address)),
                Initial::Any(ty) => (ty.size(self.program.model), number(*ty, self.program.model)),
                Initial::Sync(_) => continue,
            };
            self.write(object, Offset::exactly(*offset), size, &values);
        }
    }

    /// The value of an expression without registers. Thread-local globals have no constant address.
    fn constant(&self, expression: &Expression) -> ValueSet {
        let function = self.program.functions.ids().next();
        function.map_or_else(ValueSet::default, |function| {
            Evaluator {
                program: self.program,
                function,
                thread: ThreadId::from_index(0),
                objects: &self.by_kind,
                registers: &[],
            }
            .values(expression)
        })
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

    fn write(&mut self, object: ObjectId, offset: Offset, size: u64, values: &ValueSet) {
        let cells = &mut self.objects[object].cells;
        let cell = cells.entry((offset, size)).or_default();
        let changed = cell.add(values);
        self.changed |= changed;
    }

    /// What a cell may hold, whoever wrote it.
    fn read(&self, object: ObjectId, offset: Offset, ty: Scalar) -> ValueSet {
        let model = self.program.model;
        let (size, word) = (ty.size(model), model.pointer_bytes());
        // Names of objects in floats do not keep them from being used again.
        if size < word || matches!(ty, Scalar::Float(_)) {
            return number(ty, model);
        }
        let mut found = ValueSet::default();
        if self.objects[object].is_zeroed && !self.is_initialized(object, offset) {
            found.insert(Value::Null);
        }
        for ((at, written), values) in &self.objects[object].cells {
            if *values == ValueSet::default() || !at.may_overlap(*written, offset, size) {
                continue;
            }
            if size == word && *written == word && at.same_or_apart(offset, word) {
                found.add(values);
            } else {
                // A word of several pieces, or a piece of several words.
                found.add(values);
                found.insert(Value::Number);
            }
        }
        found
    }

    /// Whether a word has a value from the beginning that is said in the program.
    fn is_initialized(&self, object: ObjectId, offset: Offset) -> bool {
        let (ObjectKind::Global(id) | ObjectKind::ThreadLocal(id, _)) = self.objects[object].kind
        else {
            return false;
        };
        let initial = &self.program.globals[id].initial;
        offset.exact().is_some_and(|offset| {
            initial
                .iter()
                .any(|(at, initial)| *at == offset && matches!(initial, Initial::Address(_)))
        })
    }

    /// Whether what nobody has written is zero, else undefined.
    pub(crate) fn is_zeroed(&self, object: ObjectId) -> bool {
        self.objects[object].is_zeroed
    }

    /// What a load may give.
    pub(crate) fn load(&self, instance: InstanceId, address: &Expression, ty: Scalar) -> ValueSet {
        let mut found = ValueSet::default();
        for (object, offset) in self.values(instance, address).addresses() {
            found.add(&self.read(object, offset, ty));
        }
        found
    }

    fn store(&mut self, instance: InstanceId, address: &Expression, ty: Scalar, values: &ValueSet) {
        let model = self.program.model;
        let size = ty.size(model);
        let narrow = number(ty, model);
        let values = if size < model.pointer_bytes() || matches!(ty, Scalar::Float(_)) {
            &narrow
        } else {
            values
        };
        let targets: Vec<(ObjectId, Offset)> = self.values(instance, address).addresses().collect();
        for (object, offset) in targets {
            self.write(object, offset, size, values);
        }
    }

    fn apply(&mut self, instance: InstanceId, edge: EdgeId) -> Result<(), TooLarge> {
        let program = self.program;
        let function = self.graph.instances[instance].function;
        let types = &program.functions[function].registers;
        let plain = |register: RegisterId| number(types[register].ty, program.model);
        match &program.edge(function, edge).action {
            Action::Assign { target, value } => {
                let values = self.values(instance, value);
                self.set(instance, *target, &values);
            }
            Action::Havoc { target } => self.set(instance, *target, &plain(*target)),
            Action::Load {
                target,
                address,
                ty,
                access: _,
            } => {
                let values = self.load(instance, address, *ty);
                self.set(instance, *target, &values);
            }
            Action::Store {
                address, value, ty, ..
            } => {
                let values = self.values(instance, value);
                self.store(instance, address, *ty, &values);
            }
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                order: _,
            } => {
                let before = self.load(instance, address, *ty);
                let after = if *operation == RmwOperation::Exchange {
                    self.values(instance, operand)
                } else {
                    number(*ty, program.model)
                };
                self.set_optional(instance, *target, &before);
                self.store(instance, address, *ty, &after);
            }
            Action::CompareExchange {
                previous,
                success,
                address,
                expected: _,
                desired,
                ty,
                order: _,
            } => {
                let before = self.load(instance, address, *ty);
                let after = self.values(instance, desired);
                self.set_optional(instance, *previous, &before);
                self.set_optional(instance, *success, &ValueSet::of(Value::Small));
                self.store(instance, address, *ty, &after);
            }
            Action::Allocate {
                target,
                size,
                is_zeroed,
                kind,
                ty: _,
            } => self.allocate(instance, edge, *target, size, *is_zeroed, *kind),
            Action::Size { target, .. } => self.set(instance, *target, &plain(*target)),
            Action::Sync { result, .. } => {
                if let Some(result) = result {
                    self.set(instance, *result, &plain(*result));
                }
            }
            Action::Call {
                target,
                callee,
                arguments,
            } => {
                for function in self.targets(instance, callee, arguments, *target) {
                    let callee = self.graph.call(instance, edge, function)?;
                    self.pass(instance, callee, arguments);
                    let values = self.returned[callee.index()].clone();
                    self.set_optional(instance, *target, &values);
                }
            }
            Action::Return { value } => {
                let thread = self.graph.instances[instance].thread;
                if let Some(value) = value {
                    let values = self.values(instance, value);
                    self.changed |= self.returned[instance.index()].add(&values);
                    if self.graph.threads[thread].entry == instance {
                        self.changed |= self.results[thread.index()].add(&values);
                    }
                }
            }
            Action::Spawn {
                target,
                callee,
                arguments,
            } => {
                for function in self.targets(instance, callee, arguments, None) {
                    let thread = self.graph.spawn(instance, edge, function)?;
                    let entry = self.graph.threads[thread].entry;
                    self.pass(instance, entry, arguments);
                    self.set_optional(instance, *target, &ValueSet::of(Value::Thread(thread)));
                }
            }
            Action::Join {
                thread: name,
                target: Some(target),
            } => {
                let mut values = ValueSet::default();
                for thread in self.joinable(instance, name) {
                    values.add(self.result(thread));
                }
                self.set(instance, *target, &values);
            }
            Action::ExitThread { value } => {
                let thread = self.graph.instances[instance].thread;
                if let Some(value) = value {
                    let values = self.values(instance, value);
                    self.changed |= self.results[thread.index()].add(&values);
                }
            }
            Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Join { target: None, .. }
            | Action::Detach { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => {}
        }
        Ok(())
    }

    /// The threads whose name an expression may be.
    fn joinable(&self, instance: InstanceId, name: &Expression) -> Vec<ThreadId> {
        let mut found = Vec::new();
        for value in self.values(instance, name).iter() {
            match value {
                Value::Thread(thread) => found.push(thread),
                Value::Null
                | Value::Small
                | Value::Number
                | Value::Address(..)
                | Value::Function(_) => {
                    return self.graph.threads.ids().collect();
                }
            }
        }
        found
    }

    fn allocate(
        &mut self,
        instance: InstanceId,
        edge: EdgeId,
        target: RegisterId,
        size: &Expression,
        is_zeroed: bool,
        kind: AllocateKind,
    ) {
        let kind = ObjectKind::Allocated(kind, instance, edge);
        let object = self.object(kind).unwrap_or_else(|| {
            let size = match size {
                Expression::Constant(bits, _) => u64::try_from(*bits).ok(),
                Expression::Register(_)
                | Expression::Global(_)
                | Expression::Function(_)
                | Expression::CurrentThread
                | Expression::Unary(..)
                | Expression::Binary(..)
                | Expression::Cast(..)
                | Expression::Select(..) => None,
            };
            let object = self.objects.push(Object {
                kind,
                size,
                is_zeroed,
                cells: BTreeMap::new(),
            });
            self.by_kind.insert(kind, object);
            object
        });
        let address = Value::Address(object, Offset::exactly(0));
        self.set(instance, target, &ValueSet::of(address));
    }

    /// The functions that may be called. Who takes or gives other types is not called at all.
    fn targets(
        &self,
        instance: InstanceId,
        callee: &Callee,
        arguments: &[Expression],
        target: Option<RegisterId>,
    ) -> Vec<FunctionId> {
        let address = match callee {
            Callee::Direct(function) => return vec![*function],
            Callee::Indirect(address) => address,
        };
        let model = self.program.model;
        let caller = self.graph.instances[instance].function;
        let registers = &self.program.functions[caller].registers;
        let is_called = |function: &FunctionId| {
            let function = &self.program.functions[*function];
            let takes = function
                .parameter_ids()
                .map(|it| function.registers[it].ty)
                .eq(arguments.iter().map(|it| it.scalar(registers, model)));
            takes && target.is_none_or(|it| function.result == Some(registers[it].ty))
        };
        let values = self.values(instance, address);
        values.functions().filter(is_called).collect()
    }

    /// Hands arguments over.
    fn pass(&mut self, caller: InstanceId, callee: InstanceId, arguments: &[Expression]) {
        self.make_room();
        let function = self.graph.instances[callee].function;
        let parameters = self.program.functions[function].parameters;
        for (at, argument) in arguments.iter().enumerate().take(parameters) {
            let values = self.values(caller, argument);
            self.set(callee, RegisterId::from_index(at), &values);
        }
    }
}
