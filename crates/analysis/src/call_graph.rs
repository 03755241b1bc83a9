//! Who runs what: functions by the way they were called, threads by the way they were started.
//!
//! An *instance* is a function as one call runs it: every call has its own, unless it is a recursive one, which
//! goes back to the instance further up. So whatever is said of an instance is said of one chain of calls in one
//! abstract thread. Where that makes too many, all calls of a function in one thread share an instance.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Arena, define_id};
use raddle_ir::{EdgeId, FunctionId, Program};

use crate::automaton::Automata;

define_id!(
    /// A function as one chain of calls runs it.
    InstanceId, "i"
);
define_id!(
    /// An abstract thread: all threads that one root or one `spawn` of an instance starts.
    ThreadId, "t"
);

#[derive(Clone, Debug)]
pub struct Instance {
    pub function: FunctionId,
    pub thread: ThreadId,
    /// Who calls it; empty for the first frame of a thread.
    pub callers: BTreeSet<(InstanceId, EdgeId)>,
    /// Who called it first.
    parent: Option<InstanceId>,
    is_recursive: bool,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub origin: Origin,
    pub entry: InstanceId,
    /// It may start threads of its own kind.
    is_repeated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// By its index among the roots of the program.
    Root(usize),
    Spawn(InstanceId, EdgeId),
}

/// How far calls of one function are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contexts {
    /// One instance a call.
    Calls,
    /// One instance a function and thread.
    Threads,
}

/// There would be more instances or threads than are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

#[derive(Clone, Debug)]
pub struct CallGraph {
    contexts: Contexts,
    pub instances: Arena<InstanceId, Instance>,
    pub threads: Arena<ThreadId, Thread>,
    calls: BTreeMap<(InstanceId, EdgeId), BTreeSet<InstanceId>>,
    spawns: BTreeMap<(InstanceId, EdgeId), BTreeSet<ThreadId>>,
}

const MAX_INSTANCES: usize = 4_000;
const MAX_THREADS: usize = 500;

impl CallGraph {
    /// The roots of the program and nobody else yet.
    pub fn new(program: &Program, contexts: Contexts) -> Result<Self, TooLarge> {
        let mut graph = Self {
            contexts,
            instances: Arena::new(),
            threads: Arena::new(),
            calls: BTreeMap::new(),
            spawns: BTreeMap::new(),
        };
        for (index, root) in program.roots.iter().enumerate() {
            graph.start(Origin::Root(index), root.function)?;
        }
        Ok(graph)
    }

    fn start(&mut self, origin: Origin, function: FunctionId) -> Result<ThreadId, TooLarge> {
        if self.threads.len() >= MAX_THREADS || self.instances.len() >= MAX_INSTANCES {
            return Err(TooLarge);
        }
        let thread = raddle_base::Id::from_index(self.threads.len());
        let entry = self.instances.push(Instance {
            function,
            thread,
            callers: BTreeSet::new(),
            parent: None,
            is_recursive: false,
        });
        Ok(self.threads.push(Thread {
            origin,
            entry,
            is_repeated: false,
        }))
    }

    /// The instance that a call leads to; made if it is new.
    pub fn call(
        &mut self,
        caller: InstanceId,
        edge: EdgeId,
        function: FunctionId,
    ) -> Result<InstanceId, TooLarge> {
        let known = self.callees(caller, edge);
        if let Some(found) = known
            .into_iter()
            .find(|it| self.instances[*it].function == function)
        {
            return Ok(found);
        }
        let thread = self.instances[caller].thread;
        let callee = if let Some(above) = self.above(caller, function) {
            self.instances[above].is_recursive = true;
            above
        } else if let Some(shared) = self.shared(thread, function) {
            shared
        } else {
            if self.instances.len() >= MAX_INSTANCES {
                return Err(TooLarge);
            }
            self.instances.push(Instance {
                function,
                thread,
                callers: BTreeSet::new(),
                parent: Some(caller),
                is_recursive: false,
            })
        };
        self.instances[callee].callers.insert((caller, edge));
        self.calls.entry((caller, edge)).or_default().insert(callee);
        Ok(callee)
    }

    /// The instance of a function further up, or here.
    fn above(&self, caller: InstanceId, function: FunctionId) -> Option<InstanceId> {
        let mut at = Some(caller);
        while let Some(instance) = at {
            if self.instances[instance].function == function {
                return at;
            }
            at = self.instances[instance].parent;
        }
        None
    }

    fn shared(&self, thread: ThreadId, function: FunctionId) -> Option<InstanceId> {
        if self.contexts == Contexts::Calls {
            return None;
        }
        self.instances
            .iter()
            .find(|(_, it)| it.thread == thread && it.function == function)
            .map(|(id, _)| id)
    }

    /// The thread that a `spawn` starts; made if it is new.
    pub fn spawn(
        &mut self,
        spawner: InstanceId,
        edge: EdgeId,
        function: FunctionId,
    ) -> Result<ThreadId, TooLarge> {
        let starts = |graph: &Self, thread: &ThreadId| {
            graph.instances[graph.threads[*thread].entry].function == function
        };
        if let Some(found) = self
            .spawned(spawner, edge)
            .into_iter()
            .find(|it| starts(self, it))
        {
            return Ok(found);
        }
        let place = (self.instances[spawner].function, edge);
        let mut above = Some(self.instances[spawner].thread);
        while let Some(thread) = above {
            above = None;
            if let Origin::Spawn(instance, edge) = self.threads[thread].origin {
                if (self.instances[instance].function, edge) == place && starts(self, &thread) {
                    self.threads[thread].is_repeated = true;
                    self.spawns
                        .entry((spawner, place.1))
                        .or_default()
                        .insert(thread);
                    return Ok(thread);
                }
                above = Some(self.instances[instance].thread);
            }
        }
        let thread = self.start(Origin::Spawn(spawner, edge), function)?;
        self.spawns
            .entry((spawner, edge))
            .or_default()
            .insert(thread);
        Ok(thread)
    }

    pub fn callees(&self, caller: InstanceId, edge: EdgeId) -> BTreeSet<InstanceId> {
        self.calls.get(&(caller, edge)).cloned().unwrap_or_default()
    }

    pub fn spawned(&self, spawner: InstanceId, edge: EdgeId) -> BTreeSet<ThreadId> {
        self.spawns
            .get(&(spawner, edge))
            .cloned()
            .unwrap_or_default()
    }

    /// Every `spawn` with the threads that it starts.
    pub fn spawns(&self) -> impl Iterator<Item = (InstanceId, EdgeId, ThreadId)> + '_ {
        self.spawns.iter().flat_map(|((instance, edge), threads)| {
            threads.iter().map(|it| (*instance, *edge, *it))
        })
    }

    /// Whether some function may call itself, or some calls share an instance and so may hide that.
    pub fn has_recursion(&self) -> bool {
        self.contexts != Contexts::Calls || self.instances.values().any(|it| it.is_recursive)
    }

    /// Whether there is at most one thread of the kind in any execution.
    pub fn is_single(&self, automata: &Automata, thread: ThreadId) -> bool {
        let known = &self.threads[thread];
        !known.is_repeated
            && match known.origin {
                Origin::Root(_) => true,
                Origin::Spawn(instance, edge) => self.runs_once(automata, instance, edge),
            }
    }

    /// Whether an edge of an instance is taken at most once in any execution.
    pub fn runs_once(&self, automata: &Automata, instance: InstanceId, edge: EdgeId) -> bool {
        let (mut instance, mut edge) = (instance, edge);
        // A thread starts in another one and a call comes from another instance, so this ends.
        loop {
            let known = &self.instances[instance];
            if automata[known.function].is_in_cycle(edge)
                || known.is_recursive
                || self.threads[known.thread].is_repeated
            {
                return false;
            }
            let mut callers = known.callers.iter();
            (instance, edge) = match (callers.next(), callers.next()) {
                (None, _) => match self.threads[known.thread].origin {
                    Origin::Root(_) => return true,
                    Origin::Spawn(instance, edge) => (instance, edge),
                },
                (Some(caller), None) => *caller,
                (Some(_), Some(_)) => return false,
            };
        }
    }
}
