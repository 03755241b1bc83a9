//! The kinds of actions and items that a program can have: the rows of the table of coverage.

use std::collections::BTreeSet;

use raddle_base::Id;
use raddle_ir::emit::Piece;
use raddle_ir::{
    Access, Action, AllocateKind, Atom, BinaryOp, Callee, DataModel, EndKind, Expression,
    FloatType, Formula, Function, Initial, LocationId, MutexKind, Order, ProgramDraft,
    RmwOperation, Scalar, SyncOperation, SyncType, Type, UnaryOp,
};

macro_rules! define_kinds {
    ($($name:ident, $text:literal;)*) => {
        /// A kind of action or item.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($name,)*
            Sync(SyncOperation),
            ReadModifyWrite(RmwOperation),
        }

        impl Kind {
            const PLAIN: &'static [Kind] = &[$(Kind::$name,)*];

            /// Short and stable, as in tables and headers of tests.
            pub fn name(self) -> &'static str {
                match self {
                    $(Kind::$name => $text,)*
                    Kind::Sync(operation) => operation.name(),
                    Kind::ReadModifyWrite(operation) => RmwOperation::ALL
                        .iter()
                        .find(|(it, _)| *it == operation)
                        .map_or("", |(_, name)| *name),
                }
            }
        }
    };
}

define_kinds! {
    Assign, "assign";
    Havoc, "havoc";
    Assume, "assume";
    Assert, "assert";
    Load, "load";
    Store, "store";
    AtomicLoad, "atomic_load";
    AtomicStore, "atomic_store";
    CompareExchange, "compare_exchange";
    WeakOrder, "weaker memory order";
    Fence, "fence";
    AllocateHeap, "alloc";
    AllocateStack, "stack alloc";
    AllocateZeroed, "zeroed alloc";
    AllocateBytes, "alloc bytes";
    AllocateReadOnly, "const alloc";
    StoreInitial, "init =";
    Size, "object_size";
    Free, "free";
    FreeStack, "stack free";
    Init, "init";
    Destroy, "destroy";
    Call, "call";
    IndirectCall, "call through a pointer";
    Recursion, "recursion";
    Return, "return";
    Spawn, "spawn";
    IndirectSpawn, "spawn through a pointer";
    SpawnInto, "spawn into";
    Join, "join";
    Detach, "detach";
    ExitThread, "exit_thread";
    Exit, "exit";
    Abort, "abort";
    AtomicSection, "atomic section";
    Await, "await";
    Unit, "unit";
    UnitOfSet, "unit of a set";
    Emit, "emit";
    ConvertedEmit, "emit with a conversion";
    Unsupported, "unsupported";
    Choice, "choose";
    Loop, "loop";
    StaticThreads, "static threads";
    InitialValue, "initial value";
    InitialAddress, "initial address";
    InitialAny, "any initial value";
    ThreadLocal, "thread_local";
    ReadOnly, "const";
    Mutex, "mutex";
    RecursiveMutex, "recursive_mutex";
    CheckedMutex, "checked_mutex";
    SpinLock, "spin_lock";
    ReadWriteLock, "rwlock";
    Condition, "condition";
    Semaphore, "semaphore";
    Barrier, "barrier";
    Monitor, "monitor";
    Struct, "struct";
    Union, "union";
    Array, "array";
    Pointer, "pointer";
    FunctionAddress, "address of a function";
    SignedInteger, "signed integer";
    WideInteger, "integer of more than 64 bits";
    Float32, "f32";
    Float64, "f64";
    CheckedArithmetic, "arithmetic of C";
    WrappingArithmetic, "wrapping arithmetic";
    Division, "division";
    Bitwise, "bitwise operation";
    Shift, "shift";
    WrappingShift, "wrapping shift";
    Negate, "negation";
    Settle, "settling";
    Not, "not";
    Comparison, "comparison";
    Cast, "cast";
    Select, "conditional expression";
    Offset, "offset";
    Distance, "distance";
    CurrentThread, "self";
    Invariant, "invariant";
    Exclusive, "exclusive";
    ExclusiveFamily, "exclusive with an index";
    Owner, "owner";
    ProgramPoint, "at";
    AtomicSet, "atomicset";
    Ilp32, "ilp32";
    Lp64, "lp64";
}

impl Kind {
    /// Every kind, always in the same order.
    pub fn all() -> Vec<Kind> {
        let sync = SyncOperation::ALL.iter().map(|(it, _, _)| Kind::Sync(*it));
        let modify = RmwOperation::ALL
            .iter()
            .map(|(it, _)| Kind::ReadModifyWrite(*it));
        Self::PLAIN
            .iter()
            .copied()
            .chain(sync)
            .chain(modify)
            .collect()
    }
}

/// The kinds that a program has.
pub fn kinds(program: &ProgramDraft) -> BTreeSet<Kind> {
    let mut found = FoundKinds::default();
    found.add(match program.model {
        DataModel::Ilp32 => Kind::Ilp32,
        DataModel::Lp64 => Kind::Lp64,
    });
    if program.roots.len() > 1 {
        found.add(Kind::StaticThreads);
    }
    for ty in program.structs.values() {
        found.add(if ty.is_union {
            Kind::Union
        } else {
            Kind::Struct
        });
        for field in &ty.fields {
            found.ty(&field.ty);
        }
    }
    for global in program.globals.values() {
        found.ty(&global.ty);
        if global.is_thread_local {
            found.add(Kind::ThreadLocal);
        }
        if !global.read_only.is_nothing() {
            found.add(Kind::ReadOnly);
        }
        for (_, initial) in &global.initial {
            match initial {
                Initial::Scalar(..) | Initial::Sync(_) => found.add(Kind::InitialValue),
                Initial::Address(address) => {
                    found.add(Kind::InitialAddress);
                    found.expression(address);
                }
                Initial::Any(_) => found.add(Kind::InitialAny),
            }
        }
    }
    for function in program.functions.values() {
        found.function(function);
    }
    if is_recursive(program) {
        found.add(Kind::Recursion);
    }
    if program.atomic_sets.values().next().is_some() {
        found.add(Kind::AtomicSet);
    }
    for invariant in &program.invariants {
        found.add(Kind::Invariant);
        found.formula(&invariant.formula);
    }
    for exclusive in &program.exclusives {
        found.add(Kind::Exclusive);
        if exclusive.elements.is_some() {
            found.add(Kind::ExclusiveFamily);
        }
        found.formula(&exclusive.condition);
    }
    found.kinds
}

#[derive(Default)]
struct FoundKinds {
    kinds: BTreeSet<Kind>,
}

impl FoundKinds {
    fn add(&mut self, kind: Kind) {
        self.kinds.insert(kind);
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Scalar(scalar) => self.scalar(*scalar),
            Type::Sync(sync) => self.add(match sync {
                SyncType::Mutex(MutexKind::Plain) => Kind::Mutex,
                SyncType::Mutex(MutexKind::Recursive) => Kind::RecursiveMutex,
                SyncType::Mutex(MutexKind::ErrorChecking) => Kind::CheckedMutex,
                SyncType::Mutex(MutexKind::Spin) => Kind::SpinLock,
                SyncType::ReadWriteLock => Kind::ReadWriteLock,
                SyncType::Condition => Kind::Condition,
                SyncType::Semaphore => Kind::Semaphore,
                SyncType::Barrier => Kind::Barrier,
                SyncType::Monitor => Kind::Monitor,
            }),
            Type::Array(element, _) => {
                self.add(Kind::Array);
                self.ty(element);
            }
            Type::Struct(_) => {}
        }
    }

    fn scalar(&mut self, scalar: Scalar) {
        match scalar {
            Scalar::Int(int) => {
                if int.is_signed {
                    self.add(Kind::SignedInteger);
                }
                if int.bits > 64 {
                    self.add(Kind::WideInteger);
                }
            }
            Scalar::Float(FloatType::F32) => self.add(Kind::Float32),
            Scalar::Float(FloatType::F64) => self.add(Kind::Float64),
            Scalar::Pointer => self.add(Kind::Pointer),
            Scalar::Thread => {}
        }
    }

    fn formula(&mut self, formula: &Formula) {
        self.expression(&formula.body);
        for atom in &formula.atoms {
            match atom {
                Atom::Cell { address, .. } => self.expression(address),
                Atom::Owner { lock } => {
                    self.add(Kind::Owner);
                    self.expression(lock);
                }
                Atom::At { .. } => self.add(Kind::ProgramPoint),
                Atom::Index(_) => {}
            }
        }
    }

    fn function(&mut self, function: &Function) {
        for register in function.registers.values() {
            self.scalar(register.ty);
        }
        for edge in function.edges.values() {
            self.action(&edge.action);
            for expression in edge.action.expressions() {
                self.expression(expression);
            }
        }
        let successors = successors(function);
        if has_cycle(&successors) {
            self.add(Kind::Loop);
        }
        if has_choice(function) {
            self.add(Kind::Choice);
        }
        if has_await(function) {
            self.add(Kind::Await);
        }
    }

    fn action(&mut self, action: &Action) {
        let kind = match action {
            Action::Assign { .. } => Kind::Assign,
            Action::Havoc { .. } => Kind::Havoc,
            Action::Assume { .. } => Kind::Assume,
            Action::Assert { .. } => Kind::Assert,
            Action::Load { access, .. } => match access {
                Access::Plain | Access::Initial => Kind::Load,
                Access::Atomic(order) => {
                    self.order(*order);
                    Kind::AtomicLoad
                }
            },
            Action::Store { access, .. } => match access {
                Access::Plain => Kind::Store,
                Access::Initial => Kind::StoreInitial,
                Access::Atomic(order) => {
                    self.order(*order);
                    Kind::AtomicStore
                }
            },
            Action::ReadModifyWrite {
                operation, order, ..
            } => {
                self.order(*order);
                Kind::ReadModifyWrite(*operation)
            }
            Action::CompareExchange { order, failure, .. } => {
                self.order(*order);
                self.order(*failure);
                Kind::CompareExchange
            }
            Action::Allocate {
                ty,
                is_zeroed,
                kind,
                read_only,
                ..
            } => {
                if !read_only.is_nothing() {
                    self.add(Kind::AllocateReadOnly);
                }
                if *is_zeroed {
                    self.add(Kind::AllocateZeroed);
                }
                match ty {
                    Some(ty) => self.ty(ty),
                    None => self.add(Kind::AllocateBytes),
                }
                match kind {
                    AllocateKind::Heap => Kind::AllocateHeap,
                    AllocateKind::Stack => Kind::AllocateStack,
                }
            }
            Action::Size { .. } => Kind::Size,
            Action::Free { kind, .. } => match kind {
                AllocateKind::Heap => Kind::Free,
                AllocateKind::Stack => Kind::FreeStack,
            },
            Action::Init { .. } => Kind::Init,
            Action::Destroy { .. } => Kind::Destroy,
            Action::Sync { operation, .. } => Kind::Sync(*operation),
            Action::Call { callee, .. } => match callee {
                Callee::Direct(_) => Kind::Call,
                Callee::Indirect(_) => Kind::IndirectCall,
            },
            Action::Return { .. } => Kind::Return,
            Action::Spawn { callee, place, .. } => {
                if place.is_some() {
                    self.add(Kind::SpawnInto);
                }
                match callee {
                    Callee::Direct(_) => Kind::Spawn,
                    Callee::Indirect(_) => Kind::IndirectSpawn,
                }
            }
            Action::Join { .. } => Kind::Join,
            Action::Detach { .. } => Kind::Detach,
            Action::ExitThread { .. } => Kind::ExitThread,
            Action::EndProcess { kind } => match kind {
                EndKind::Exit(_) => Kind::Exit,
                EndKind::Abort => Kind::Abort,
            },
            Action::AtomicBegin { .. } | Action::AtomicEnd => Kind::AtomicSection,
            Action::UnitBegin { set } | Action::UnitEnd { set } => match set {
                Some(_) => Kind::UnitOfSet,
                None => Kind::Unit,
            },
            Action::Fence { .. } => Kind::Fence,
            Action::Emit { text, .. } => {
                let pieces = raddle_ir::emit::pieces(text).unwrap_or_default();
                if pieces.iter().any(|it| matches!(it, Piece::Converted(_))) {
                    self.add(Kind::ConvertedEmit);
                }
                Kind::Emit
            }
            Action::Unsupported { .. } => Kind::Unsupported,
        };
        self.add(kind);
    }

    fn order(&mut self, order: Order) {
        if order != Order::SequentiallyConsistent {
            self.add(Kind::WeakOrder);
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Constant(_, ty) => self.scalar(*ty),
            Expression::Register(_) | Expression::Global(_) => {}
            Expression::Function(_) => self.add(Kind::FunctionAddress),
            Expression::CurrentThread => self.add(Kind::CurrentThread),
            Expression::Unary(op, operand) => {
                self.add(match op {
                    UnaryOp::Negate | UnaryOp::NegateWrapping => Kind::Negate,
                    UnaryOp::Not => Kind::Not,
                    UnaryOp::Settle | UnaryOp::IsSet => Kind::Settle,
                });
                self.expression(operand);
            }
            Expression::Binary(op, left, right) => {
                self.add(operation_kind(*op));
                self.expression(left);
                self.expression(right);
            }
            Expression::Cast(ty, operand) => {
                self.add(Kind::Cast);
                self.scalar(*ty);
                self.expression(operand);
            }
            Expression::Select(condition, then, otherwise) => {
                self.add(Kind::Select);
                self.expression(condition);
                self.expression(then);
                self.expression(otherwise);
            }
        }
    }
}

fn operation_kind(op: BinaryOp) -> Kind {
    match op {
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => Kind::CheckedArithmetic,
        BinaryOp::AddWrapping | BinaryOp::SubtractWrapping | BinaryOp::MultiplyWrapping => {
            Kind::WrappingArithmetic
        }
        BinaryOp::Divide | BinaryOp::Remainder => Kind::Division,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Kind::Bitwise,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Kind::Shift,
        BinaryOp::ShiftLeftWrapping | BinaryOp::ShiftRightWrapping => Kind::WrappingShift,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => Kind::Comparison,
        BinaryOp::Offset => Kind::Offset,
        BinaryOp::Distance => Kind::Distance,
    }
}

/// Whether a location has several edges that are not the two outcomes of a test.
fn has_choice(function: &Function) -> bool {
    let mut actions: Vec<Vec<&Action>> = vec![Vec::new(); function.locations.len()];
    for edge in function.edges.values() {
        actions[edge.from.index()].push(&edge.action);
    }
    actions.iter().any(|actions| match &actions[..] {
        [
            Action::Assume { condition: first },
            Action::Assume { condition: second },
        ] => *second != first.clone().not(),
        several => several.len() > 1,
    })
}

/// Whether a test lies between the begin and the end of an atomic section, on its straight way.
fn has_await(function: &Function) -> bool {
    let mut outgoing: Vec<Vec<(&Action, LocationId)>> = vec![Vec::new(); function.locations.len()];
    for edge in function.edges.values() {
        outgoing[edge.from.index()].push((&edge.action, edge.to));
    }
    let begins = function
        .edges
        .values()
        .filter(|edge| matches!(edge.action, Action::AtomicBegin { .. }));
    for begin in begins {
        let mut here = begin.to;
        let mut steps = 0;
        while let [(action, to)] = outgoing[here.index()][..] {
            match action {
                Action::Assume { .. } => return true,
                Action::AtomicEnd => break,
                _ => here = to,
            }
            steps += 1;
            if steps > function.edges.len() {
                break;
            }
        }
    }
    false
}

fn successors(function: &Function) -> Vec<Vec<usize>> {
    let mut successors = vec![Vec::new(); function.locations.len()];
    for edge in function.edges.values() {
        successors[edge.from.index()].push(edge.to.index());
    }
    successors
}

fn is_recursive(program: &ProgramDraft) -> bool {
    let calls: Vec<Vec<usize>> = program
        .functions
        .values()
        .map(|function| {
            let actions = function.edges.values().map(|edge| &edge.action);
            actions
                .filter_map(|action| match action {
                    Action::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => Some(callee.index()),
                    _ => None,
                })
                .collect()
        })
        .collect();
    has_cycle(&calls)
}

/// Whether a graph has a cycle: what is left when nodes that nothing leads to are taken away.
fn has_cycle(successors: &[Vec<usize>]) -> bool {
    let mut incoming = vec![0_usize; successors.len()];
    for &to in successors.iter().flatten() {
        incoming[to] += 1;
    }
    let mut free: Vec<usize> = (0..successors.len())
        .filter(|&at| incoming[at] == 0)
        .collect();
    let mut removed = 0;
    while let Some(at) = free.pop() {
        removed += 1;
        for &to in &successors[at] {
            incoming[to] -= 1;
            if incoming[to] == 0 {
                free.push(to);
            }
        }
    }
    removed < successors.len()
}
