//! From the typed tree to a program of the intermediate representation.
//!
//! - `objects`: what lies in memory from the start; `scalars`: what fits a register, and conversions;
//! - `body`: a function under way, its registers and locations, and `main` with what is around it;
//! - `values`, `places`, `records`: expressions, where values lie, structs as wholes;
//! - `statements`: control flow; `lifetimes`: which locals end with their blocks; `initials`: how locals begin; `calls`: functions, ours and the user's; `primitives`: what only we can do;
//! - `order`: where C leaves the order of evaluation open, `effects`: whether that can be seen;
//! - `jumps`: `setjmp` and `longjmp`; `stack`: how much of it is used;
//! - `annotations`: what the user says about all states, `formulas`: in which terms;
//! - `atomic_sets`: what the user says belongs together, and units of work;
//! - `locks`: synchronisation objects in objects of the program;
//! - `missing`: what nobody defines, and functions that are known and not modelled;
//! - `threads`, `atomics`: threads, locks and indivisible accesses, `wholes`: those to structs; `verifier`: the functions of SV-COMP;
//! - `output`: `printf` and its kin.
//!
//! Only what the program can reach from `main` is lowered.

mod adapters;
mod annotations;
mod atomic_sets;
mod atomics;
mod body;
mod calls;
mod computed_orders;
mod effects;
mod formulas;
mod initials;
mod jumps;
mod lifetimes;
mod locks;
mod missing;
mod objects;
mod order;
mod output;
mod places;
mod primitives;
mod read_only;
mod records;
mod scalars;
mod stack;
mod startup;
mod statements;
mod thread_life;
mod threads;
mod values;
mod verifier;
mod wholes;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use raddle_base::{FileId, SideTable};
use raddle_c_syntax::tree::{Annotation, Unit};
use raddle_diag::Diagnostic;
use raddle_ir as ir;
use raddle_ir::{AtomicSetId, DataModel, GlobalId, ProgramDraft, Root, Scalar, StructId};

use crate::typed::{FunctionId, Module, ObjectId};
use crate::types::{Length, RecordId, Type};
use crate::{Assumption, Options, Warning};

/// Functions that need no text, and beginnings of names, which end in `_`.
pub(crate) fn known_names() -> impl Iterator<Item = &'static str> {
    threads::names().chain(verifier::names())
}

/// Whether calls of a function with this name mean something without a text of it.
pub(crate) fn is_known_name(name: &str) -> bool {
    known_names().any(|known| match known.strip_suffix('_') {
        Some(_) => name.starts_with(known),
        None => name == known,
    })
}

/// What is wrong with a program that begins nowhere.
pub(crate) const NO_MAIN: &str = "the program has no function `main`";

/// What the first thread is called.
const MAIN: &str = "main";

/// The program, before it is validated, and warnings.
pub(crate) struct Lowered {
    pub(crate) draft: ProgramDraft,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) assumptions: BTreeSet<Assumption>,
    pub(crate) missing: Missing,
}

/// What the program uses and nobody defines, or what is known and not modelled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Missing {
    pub(crate) functions: BTreeSet<FunctionId>,
    pub(crate) objects: BTreeSet<ObjectId>,
}

/// Annotations, and the units that tell what they are about.
pub(crate) struct Annotated<'t> {
    pub(crate) annotations: Vec<&'t Annotation>,
    pub(crate) units: Vec<(FileId, &'t Unit)>,
}

/// Lowers a module without errors.
///
/// # Errors
///
/// If it has no `main` or is too large, or an annotation is wrong.
pub(crate) fn lower<'m>(
    module: &'m Module,
    annotated: &Annotated<'_>,
    options: &'m Options,
) -> Result<Lowered, Vec<Diagnostic>> {
    let begin = options.beginning.function();
    let main = module
        .functions
        .iter()
        .find(|(_, function)| function.name == begin && function.body.is_some());
    let Some((main, _)) = main else {
        return Err(vec![Diagnostic::error("c", NO_MAIN).help(
            "name all files of the program, with the one that defines `main`",
        )]);
    };
    let mut features = Features::default();
    loop {
        let mut lowering = Lowering {
            module,
            options,
            features: features.clone(),
            draft: ProgramDraft::new(module.model),
            functions: SideTable::filled(&module.functions, None),
            objects: SideTable::filled(&module.objects, None),
            structs: BTreeMap::new(),
            names: BTreeSet::new(),
            pending: VecDeque::new(),
            warnings: Vec::new(),
            assumptions: BTreeSet::new(),
            missing: Missing::default(),
            named_by_initials: BTreeSet::new(),
            units_of_work: BTreeMap::new(),
            keeps_labels: annotations::name_points(annotated),
            has_formulas: annotations::have_formulas(annotated),
            summaries: None,
            asks_own_name: false,
            exits_threads: false,
            stack_counter: None,
            environment: None,
            fates: lifetimes::Fates::default(),
            jumping: None,
            thread_adapters: BTreeMap::new(),
        };
        let (sets, mut wrong) = atomic_sets::declare(&mut lowering, annotated);
        lowering.lower_program(main);
        wrong.extend(annotations::lower(&mut lowering, annotated));
        wrong.extend(atomic_sets::beyond(&lowering, &sets));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let found = lowering.found_features();
        if found == features {
            return Ok(Lowered {
                draft: lowering.draft,
                warnings: lowering.warnings,
                assumptions: lowering.assumptions,
                missing: lowering.missing,
            });
        }
        // Once more, now that more is known of what beginnings and ends have to do.
        features = found;
    }
}

/// What the program uses that changes how threads and the process begin and end. Only grows from pass to pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a program uses each of them or not, independently"
)]
struct Features {
    /// Functions may be registered that are called when the process ends.
    uses_handlers: bool,
    /// Values of threads may have destructors.
    uses_keys: bool,
    /// Threads may have cleanup handlers.
    uses_cleanups: bool,
    /// Threads may be cancelled.
    uses_cancel: bool,
    /// A thread may know its own name, and join itself.
    uses_own_name: bool,
    /// The last thread that leaves may have functions to call at the end of the process.
    counts_threads: bool,
    /// A thread may end inside of a routine of `pthread_once`.
    leaves_routines: bool,
    /// A semaphore may come near its highest value.
    fills_semaphores: bool,
    /// Some chain of calls may use more than the stack.
    counts_stack: bool,
    /// Somebody jumps out of calls.
    uses_jumps: bool,
    /// Memory is allocated that may be lost.
    uses_heap: bool,
    /// Objects that nobody defines and whose addresses lie in memory from the start.
    unknown_objects: BTreeSet<ObjectId>,
}

/// A program under way.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is so of the program as a whole, independently"
)]
struct Lowering<'m> {
    module: &'m Module,
    options: &'m Options,
    features: Features,
    draft: ProgramDraft,
    functions: SideTable<FunctionId, Option<ir::FunctionId>>,
    /// What threads call instead of functions of another type than theirs.
    thread_adapters: BTreeMap<FunctionId, ir::FunctionId>,
    objects: SideTable<ObjectId, Option<GlobalId>>,
    structs: BTreeMap<RecordId, StructId>,
    /// The names of globals, functions and structs.
    names: BTreeSet<String>,
    /// Functions that somebody names and whose bodies are still to be lowered.
    pending: VecDeque<(FunctionId, ir::FunctionId)>,
    warnings: Vec<Warning>,
    assumptions: BTreeSet<Assumption>,
    missing: Missing,
    /// Objects that nobody defines and whose addresses lie in others from the start.
    named_by_initials: BTreeSet<ObjectId>,
    /// Functions whose bodies are units of work, and on which atomic sets; `None` is all of them.
    units_of_work: BTreeMap<FunctionId, Vec<Option<AtomicSetId>>>,
    /// Whether formulas name labels of the program.
    keeps_labels: bool,
    /// Whether there are formulas, which read memory.
    has_formulas: bool,
    /// What functions read and write; made when it is first asked for.
    summaries: Option<Rc<effects::Summaries>>,
    /// Whether somebody asks for the name of the running thread.
    asks_own_name: bool,
    /// Whether some thread may leave without ending the process.
    exits_threads: bool,
    /// Says how much of its stack a thread uses.
    stack_counter: Option<GlobalId>,
    /// The variables of the environment, once somebody asks.
    environment: Option<GlobalId>,
    /// What functions do with addresses that they are given.
    fates: lifetimes::Fates,
    /// Functions that may come back because of a jump; made when it is first asked for.
    jumping: Option<Rc<BTreeSet<FunctionId>>>,
}

impl Lowering<'_> {
    fn model(&self) -> DataModel {
        self.module.model
    }

    fn lower_program(&mut self, main: FunctionId) {
        let name = self.unique_name(MAIN);
        let root = self.draft.functions.push(ir::Function::new(name));
        let lowered = body::lower_main(self, main);
        self.set_function(root, lowered);
        self.draft.roots.push(Root {
            name: MAIN.into(),
            index: None,
            function: root,
            arguments: Vec::new(),
            span: self.module.functions[main].span,
        });
        while let Some((source, target)) = self.pending.pop_front() {
            let lowered = body::lower_function(self, source);
            self.set_function(target, lowered);
        }
    }

    fn found_features(&self) -> Features {
        let is_used = |names: &[&str]| {
            names
                .iter()
                .filter_map(|name| self.function_named(name))
                .any(|function| self.functions[function].is_some())
        };
        Features {
            uses_handlers: self.features.uses_handlers
                || is_used(&["atexit", "__cxa_atexit", "on_exit", startup::BEGIN_PROCESS]),
            counts_stack: self.features.counts_stack || self.may_leave_the_stack(),
            uses_keys: self.features.uses_keys || is_used(&["pthread_key_create", "tss_create"]),
            uses_cancel: self.features.uses_cancel || is_used(&["pthread_cancel"]),
            uses_cleanups: self.features.uses_cleanups || is_used(&["__raddle_push_cleanup"]),
            leaves_routines: self.features.leaves_routines
                || self.exits_threads && is_used(&["pthread_once"]),
            fills_semaphores: self.features.fills_semaphores || self.may_fill_semaphores(),
            uses_own_name: self.features.uses_own_name || self.asks_own_name,
            counts_threads: self.features.counts_threads
                || self.features.uses_handlers && self.exits_threads,
            uses_heap: self.features.uses_heap || self.draft.functions.values().any(allocates),
            uses_jumps: self.features.uses_jumps || is_used(&jumps::JUMPS),
            unknown_objects: self.named_by_initials.clone(),
        }
    }

    /// Whether some call gives a semaphore a first value that is not far from the highest. From other values, nobody
    /// posts that often; and if it comes to that, the operation itself knows.
    fn may_fill_semaphores(&self) -> bool {
        let Some(init) = self.function_named("sem_init") else {
            return false;
        };
        let Some(init) = self.functions[init] else {
            return false;
        };
        let is_large = |it: &ir::Expression| matches!(it, ir::Expression::Constant(bits, _) if *bits >= 1 << 30);
        let edges = self
            .draft
            .functions
            .values()
            .flat_map(|it| it.edges.values());
        edges.into_iter().any(|edge| match &edge.action {
            ir::Action::Call {
                callee: ir::Callee::Direct(callee),
                arguments,
                ..
            } => *callee == init && arguments.iter().any(is_large),
            _ => false,
        })
    }

    fn set_function(&mut self, target: ir::FunctionId, lowered: ir::Function) {
        let name = std::mem::take(&mut self.draft.functions[target].name);
        self.draft.functions[target] = ir::Function { name, ..lowered };
    }

    /// `exit`, if it has more to do than to end the process.
    fn exit_with_handlers(&mut self) -> Option<ir::FunctionId> {
        let exit = self
            .function_named("exit")
            .filter(|_| self.features.uses_handlers)?;
        Some(self.function(exit))
    }

    /// The function that a name is an alias of, or its own.
    fn resolved_function(&self, source: FunctionId) -> FunctionId {
        let mut found = source;
        for _ in self.module.functions.ids() {
            match self.module.functions[found].alias {
                Some(target) if self.module.functions[found].body.is_none() => found = target,
                Some(_) | None => break,
            }
        }
        found
    }

    /// The object that a name is an alias of, or its own.
    fn resolved_object(&self, source: ObjectId) -> ObjectId {
        let mut found = source;
        for _ in self.module.objects.ids() {
            match self.module.objects[found].alias {
                Some(target) if !self.module.objects[found].is_defined => found = target,
                Some(_) | None => break,
            }
        }
        found
    }

    /// The address of a function; of a weak one that nobody defines, null.
    fn function_address(&mut self, source: FunctionId) -> ir::Expression {
        let source = self.resolved_function(source);
        if self.module.functions[source].is_null {
            return ir::Expression::null();
        }
        ir::Expression::Function(self.function(source))
    }

    /// The address of an object; of a weak one that nobody defines, null.
    fn object_address(&mut self, source: ObjectId) -> ir::Expression {
        let source = self.resolved_object(source);
        if self.module.objects[source].is_null {
            return ir::Expression::null();
        }
        ir::Expression::Global(self.object(source))
    }

    /// The function in the program; its body follows later.
    fn function(&mut self, source: FunctionId) -> ir::FunctionId {
        let source = self.resolved_function(source);
        if let Some(known) = self.functions[source] {
            return known;
        }
        let name = self.unique_name(&self.module.functions[source].name);
        let target = self.draft.functions.push(ir::Function::new(name));
        self.functions[source] = Some(target);
        self.pending.push_back((source, target));
        target
    }

    /// A function of our library or of the user, by its name.
    fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.module
            .functions
            .iter()
            .find(|(_, function)| function.name == name && function.body.is_some())
            .map(|(id, _)| id)
    }

    /// A name that no global, function or struct has yet.
    fn unique_name(&mut self, wanted: &str) -> String {
        unique_name(&mut self.names, wanted)
    }

    /// What a register holds of this type; `None` for records, arrays and what is not modelled.
    fn scalar(&self, ty: &Type) -> Option<Scalar> {
        scalars::scalar(self.module, ty)
    }

    /// Bytes of a complete type of constant size; 0 for others.
    fn size(&self, ty: &Type) -> u64 {
        let model = self.model();
        match ty {
            Type::Array(element, Length::Constant(length)) => {
                self.size(&element.ty).saturating_mul(*length)
            }
            Type::Array(_, Length::Unspecified | Length::Variable(_))
            | Type::Void
            | Type::Function(_) => 0,
            Type::Record(record) => self.module.records[*record].size,
            Type::Unmodelled(unmodelled) => unmodelled.size,
            Type::Float(crate::types::FloatKind::LongDouble) => match model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            },
            Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_) => self.scalar(ty).map_or(0, |scalar| scalar.size(model)),
        }
    }
}

/// Whether a function allocates memory by itself.
fn allocates(function: &ir::Function) -> bool {
    function.edges.values().any(|edge| match edge.action {
        ir::Action::Allocate { kind, .. } => kind == ir::AllocateKind::Heap,
        _ => false,
    })
}

/// A name that is not among those known, which it joins.
fn unique_name(known: &mut BTreeSet<String>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while !known.insert(name.clone()) {
        name = format!("{wanted}.{number}");
        number += 1;
    }
    name
}
