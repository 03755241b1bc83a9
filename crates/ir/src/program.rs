//! Programs: memory objects, functions as control-flow automata, and the threads that run at the start.

use std::ops::Deref;

use raddle_base::{Arena, SideTable, Span, define_id};

use crate::action::{Action, AllocateKind, SyncInit};
use crate::effect::Occasion;
use crate::expression::Expression;
use crate::formula::{Atom, Exclusive, Invariant};
use crate::read_only::ReadOnly;
use crate::types::{DataModel, Scalar, StructId, StructType, Type};

define_id!(
    /// A global memory object.
    GlobalId, "g"
);
define_id!(
    /// A function.
    FunctionId, "f"
);
define_id!(
    /// A register of a function.
    RegisterId, "r"
);
define_id!(
    /// A location of a function.
    LocationId, "l"
);
define_id!(
    /// An edge of a function.
    EdgeId, "e"
);
define_id!(
    /// An atomic set.
    AtomicSetId, "set"
);

/// A program as front ends build it. [`validate`](crate::validate()) turns it into a [`Program`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramDraft {
    pub model: DataModel,
    pub structs: Arena<StructId, StructType>,
    pub globals: Arena<GlobalId, Global>,
    pub functions: Arena<FunctionId, Function>,
    /// The threads that run at the start, numbered in this order.
    pub roots: Vec<Root>,
    pub invariants: Vec<Invariant>,
    pub exclusives: Vec<Exclusive>,
    pub atomic_sets: Arena<AtomicSetId, AtomicSet>,
    /// Some values that look as if nobody had set them are only not known, such as what an object of another unit holds. To look at
    /// one that was never set is unsupported then, because nobody can tell the two from one another.
    pub has_unknown_values: bool,
    /// The lines of the sources whose accesses do not count for `race`, because the user says so.
    pub unraced: Vec<Span>,
    /// Where plain accesses are to objects that C calls volatile; for people.
    pub volatile: Vec<Span>,
}

impl ProgramDraft {
    pub fn new(model: DataModel) -> Self {
        Self {
            model,
            structs: Arena::new(),
            globals: Arena::new(),
            functions: Arena::new(),
            roots: Vec::new(),
            invariants: Vec::new(),
            exclusives: Vec::new(),
            atomic_sets: Arena::new(),
            has_unknown_values: false,
            unraced: Vec::new(),
            volatile: Vec::new(),
        }
    }

    pub fn size_of(&self, ty: &Type) -> Option<u64> {
        ty.size(&self.structs, self.model)
    }

    pub fn align_of(&self, ty: &Type) -> Option<u64> {
        ty.align(&self.structs, self.model)
    }
}

/// A memory object that exists from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: String,
    pub ty: Type,
    /// What the cells hold at first; all others hold zeros, all other synchronisation objects their plain beginning.
    pub initial: Vec<(u64, Initial)>,
    /// One copy for each thread, made when the thread starts.
    pub is_thread_local: bool,
    /// Whoever writes there, or works on a synchronisation object there, violates `memory`.
    pub read_only: ReadOnly,
    /// Nothing is known of it but that it is somewhere: its address may be copied and compared, and whoever accesses it leaves
    /// everything unknown.
    pub is_opaque: bool,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    Scalar(Scalar, u128),
    /// The address of a global or function, plus a constant.
    Address(Expression),
    /// Any value: the program starts in one state for each.
    Any(Scalar),
    Sync(SyncInit),
}

/// A control-flow automaton. Nondeterminism and branching are several edges from one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    /// The first registers are the parameters.
    pub parameters: usize,
    pub result: Option<Scalar>,
    pub registers: Arena<RegisterId, Register>,
    pub locations: Arena<LocationId, Location>,
    pub edges: Arena<EdgeId, Edge>,
    pub entry: LocationId,
    /// Arriving here ends the frame, in the same step; in the first frame it ends the thread.
    pub exit: LocationId,
    /// A value that it chooses stands for one that is not known exactly. Where the program tells two of them apart, nobody knows
    /// which way it goes.
    pub is_approximate: bool,
    pub span: Option<Span>,
}

impl Function {
    /// A function with two locations, its entry and its exit, and no edge.
    pub fn new(name: impl Into<String>) -> Self {
        let mut locations = Arena::new();
        let entry = locations.push(Location::default());
        let exit = locations.push(Location::default());
        Self {
            name: name.into(),
            parameters: 0,
            result: None,
            registers: Arena::new(),
            locations,
            edges: Arena::new(),
            entry,
            exit,
            is_approximate: false,
            span: None,
        }
    }

    pub fn connect(
        &mut self,
        from: LocationId,
        action: Action,
        to: LocationId,
        span: Option<Span>,
    ) -> EdgeId {
        self.edges.push(Edge {
            from,
            action,
            to,
            span,
        })
    }

    pub fn parameter_ids(&self) -> impl Iterator<Item = RegisterId> {
        self.registers.ids().take(self.parameters)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Unique in its function.
    pub name: String,
    pub ty: Scalar,
    /// Made by a front end for the middle of an expression: it loses its value once nobody will read it,
    /// so that it neither keeps memory from being lost nor tells states apart.
    pub is_temporary: bool,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The label in the source; unique in its function.
    pub label: Option<String>,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: LocationId,
    pub action: Action,
    pub to: LocationId,
    pub span: Option<Span>,
}

/// A thread that runs at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// As in `worker`; with an index as in `worker[1]`.
    pub name: String,
    pub index: Option<u32>,
    pub function: FunctionId,
    /// Constants.
    pub arguments: Vec<Expression>,
    pub span: Option<Span>,
}

impl Root {
    pub fn display_name(&self) -> String {
        match self.index {
            Some(index) => format!("{}[{index}]", self.name),
            None => self.name.clone(),
        }
    }
}

/// Cells that a consistency property ties together (AS §1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomicSet {
    pub name: String,
    pub members: Vec<Member>,
    pub span: Option<Span>,
}

/// Bytes of a global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub global: GlobalId,
    pub offset: u64,
    pub size: u64,
}

/// A valid program: what [`validate`](crate::validate()) accepted, with facts that follow from it.
///
/// Locations and edges are numbered in depth-first order from the entry, the exit last, so that equal automata
/// have equal numbers.
#[derive(Clone, Debug)]
pub struct Program {
    draft: ProgramDraft,
    facts: Vec<FunctionFacts>,
}

/// What the validator computed of a function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionFacts {
    /// The edges that leave each location, in order.
    pub(crate) outgoing: SideTable<LocationId, Vec<EdgeId>>,
    /// The temporaries that may hold a value on arrival at each location and that nobody reads any more.
    pub(crate) dead: SideTable<LocationId, Vec<RegisterId>>,
}

impl Program {
    pub(crate) fn new(draft: ProgramDraft, facts: Vec<FunctionFacts>) -> Self {
        Self { draft, facts }
    }

    /// The edges that leave a location, in order.
    pub fn outgoing(&self, function: FunctionId, location: LocationId) -> &[EdgeId] {
        &self.facts[raddle_base::Id::index(function)].outgoing[location]
    }

    /// The temporaries that may hold a value on arrival at this location and that nobody reads from it on.
    /// Who forgets them on every arrival keeps only values that somebody may still read.
    pub fn dead_temporaries(&self, function: FunctionId, location: LocationId) -> &[RegisterId] {
        &self.facts[raddle_base::Id::index(function)].dead[location]
    }

    /// The program, in which accesses on these lines of the sources do not count for `race`.
    #[must_use]
    pub fn with_unraced(mut self, lines: Vec<Span>) -> Self {
        self.draft.unraced = lines;
        self
    }

    /// Whether an access at this place does not count for `race`.
    pub fn is_unraced(&self, place: Span) -> bool {
        let mut lines = self.unraced.iter();
        lines.any(|it| it.file == place.file && it.start <= place.start && place.start < it.end)
    }

    pub fn edge(&self, function: FunctionId, edge: EdgeId) -> &Edge {
        &self.functions[function].edges[edge]
    }

    /// The draft, to be changed and validated anew.
    pub fn into_draft(self) -> ProgramDraft {
        self.draft
    }

    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals
            .iter()
            .find(|(_, global)| global.name == name)
            .map(|(id, _)| id)
    }

    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .find(|(_, function)| function.name == name)
            .map(|(id, _)| id)
    }

    /// Whether memory is taken from the heap, which may be lost.
    pub fn uses_heap(&self) -> bool {
        let mut edges = self.functions.values().flat_map(|it| it.edges.values());
        edges.any(|edge| {
            matches!(
                edge.action,
                Action::Allocate {
                    kind: AllocateKind::Heap,
                    ..
                }
            )
        })
    }

    /// Whether a thread may wait for a signal: no other wait ends for no reason.
    pub fn waits_for_signals(&self) -> bool {
        let waits = |action: &Action| match action.lock_effect().map(|(effect, _)| effect.occasion)
        {
            Some(Occasion::Wait | Occasion::TimedWait) => true,
            Some(Occasion::Asked) | None => false,
        };
        let mut edges = self.functions.values().flat_map(|it| it.edges.values());
        edges.any(|edge| waits(&edge.action))
    }

    /// What the invariants read; `None` if that depends on the state.
    pub fn cells_of_invariants(&self) -> Option<Vec<Member>> {
        let atoms = self.invariants.iter().flat_map(|it| &it.formula.atoms);
        atoms
            .map(|atom| {
                let (address, size) = match atom {
                    Atom::Cell { address, ty } => (address, ty.size(self.model)),
                    Atom::Owner { lock } => (lock, 1),
                    Atom::At { .. } | Atom::Index(_) => return None,
                };
                let (global, offset) = address.constant_place()?;
                let is_one = !self.globals[global].is_thread_local;
                is_one.then_some(Member {
                    global,
                    offset,
                    size,
                })
            })
            .collect()
    }

    /// Equality of everything but source places.
    pub fn is_same_as(&self, other: &Program) -> bool {
        self.draft.without_spans() == other.draft.without_spans()
    }
}

impl Deref for Program {
    type Target = ProgramDraft;

    fn deref(&self) -> &ProgramDraft {
        &self.draft
    }
}

impl ProgramDraft {
    /// A copy that remembers no source places.
    pub fn without_spans(&self) -> ProgramDraft {
        let mut copy = self.clone();
        for global in copy.globals.values_mut() {
            global.span = None;
        }
        for function in copy.functions.values_mut() {
            function.span = None;
            function
                .registers
                .values_mut()
                .for_each(|it| it.span = None);
            function
                .locations
                .values_mut()
                .for_each(|it| it.span = None);
            function.edges.values_mut().for_each(|it| it.span = None);
        }
        copy.roots.iter_mut().for_each(|it| it.span = None);
        copy.invariants.iter_mut().for_each(|it| it.span = None);
        copy.exclusives.iter_mut().for_each(|it| it.span = None);
        for formula in copy
            .invariants
            .iter_mut()
            .map(|it| &mut it.formula)
            .chain(copy.exclusives.iter_mut().map(|it| &mut it.condition))
        {
            formula.registers.values_mut().for_each(|it| it.span = None);
        }
        copy.atomic_sets.values_mut().for_each(|it| it.span = None);
        copy.unraced.clear();
        copy.volatile.clear();
        copy
    }
}
