//! The syntax tree: what was written and where.
//!
//! Its height is limited by the parser, so that everything after it may recurse.

use raddle_base::Span;
use raddle_ir::{
    AllocateKind, BinaryOp, DataModel, FloatType, Order, ReadOnly, RmwOperation, SyncOperation,
    UnaryOp,
};

use crate::literal::Suffix;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<'s> {
    pub(crate) text: &'s str,
    pub(crate) span: Span,
}

// ---- items

#[derive(Debug)]
pub(crate) enum Item<'s> {
    Model(DataModel, Span),
    /// Values that nobody set are not known.
    UnsetIsUnknown,
    Struct(StructItem<'s>),
    Variable(VariableItem<'s>),
    Function(FunctionItem<'s>),
    Start(StartItem<'s>),
    Invariant(Expr<'s>),
    Exclusive {
        place: Expr<'s>,
        condition: Expr<'s>,
        span: Span,
    },
    AtomicSet {
        name: Name<'s>,
        members: Vec<Expr<'s>>,
    },
}

#[derive(Debug)]
pub(crate) struct StructItem<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) is_union: bool,
    /// Size and alignment, if written; then every field has an offset.
    pub(crate) layout: Option<(u64, u64)>,
    pub(crate) fields: Vec<FieldItem<'s>>,
}

#[derive(Debug)]
pub(crate) struct FieldItem<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) ty: TypeExpr<'s>,
    pub(crate) offset: Option<u64>,
}

#[derive(Debug)]
pub(crate) struct VariableItem<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) ty: TypeExpr<'s>,
    pub(crate) initial: VariableInitial<'s>,
    pub(crate) is_thread_local: bool,
    pub(crate) read_only: Const,
    pub(crate) is_opaque: bool,
}

#[derive(Debug)]
pub(crate) enum VariableInitial<'s> {
    None,
    Value(InitialExpr<'s>),
    Cells(Vec<CellItem<'s>>),
}

/// `at 8: u32 = 3u32`
#[derive(Debug)]
pub(crate) struct CellItem<'s> {
    pub(crate) offset: u64,
    pub(crate) value: CellValue<'s>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum CellValue<'s> {
    Any(TypeExpr<'s>),
    Value(TypeExpr<'s>, Expr<'s>),
    Sync(SyncInitExpr<'s>),
}

/// What a variable holds at first.
#[derive(Debug)]
pub(crate) enum InitialExpr<'s> {
    Any(Span),
    Value(Expr<'s>),
    List(Vec<InitialExpr<'s>>, Span),
    Fields(Vec<(Name<'s>, InitialExpr<'s>)>, Span),
}

impl InitialExpr<'_> {
    pub(crate) fn span(&self) -> Span {
        match self {
            InitialExpr::Any(span) | InitialExpr::List(_, span) | InitialExpr::Fields(_, span) => {
                *span
            }
            InitialExpr::Value(value) => value.span,
        }
    }
}

#[derive(Debug)]
pub(crate) struct FunctionItem<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) parameters: Vec<(Name<'s>, TypeExpr<'s>)>,
    pub(crate) result: Option<TypeExpr<'s>>,
    pub(crate) unit: Option<UnitOf<'s>>,
    pub(crate) threads: Threads,
    pub(crate) is_approximate: bool,
    pub(crate) body: Block<'s>,
    /// Without the body.
    pub(crate) span: Span,
}

/// `unit` or `unit(S)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitOf<'s> {
    pub(crate) set: Option<Name<'s>>,
    pub(crate) span: Span,
}

/// How many threads run a function from the start because of the form of its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// `fn f`
    None,
    /// `thread f`
    One,
    /// `thread f[2]`
    Many(u32),
}

#[derive(Debug)]
pub(crate) struct StartItem<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) index: Option<u32>,
    pub(crate) function: Name<'s>,
    pub(crate) arguments: Vec<Expr<'s>>,
    pub(crate) span: Span,
}

// ---- types

#[derive(Debug)]
pub(crate) struct TypeExpr<'s> {
    pub(crate) kind: TypeKind<'s>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum TypeKind<'s> {
    Named { text: &'s str, is_quoted: bool },
    Pointer(Box<TypeExpr<'s>>),
    Array(Box<TypeExpr<'s>>, u64),
}

// ---- expressions

#[derive(Debug)]
pub(crate) struct Expr<'s> {
    pub(crate) kind: ExprKind<'s>,
    pub(crate) span: Span,
    /// One more than that of the highest part.
    pub(crate) height: usize,
}

#[derive(Debug)]
pub(crate) enum ExprKind<'s> {
    Integer {
        value: u128,
        is_negative: bool,
        is_bits: bool,
        suffix: Option<Suffix>,
    },
    Float {
        digits: &'s str,
        is_negative: bool,
        suffix: Option<FloatType>,
    },
    Bool(bool),
    Null,
    /// `tid`
    ThreadIndex,
    /// `self`
    CurrentThread,
    Name(&'s str),
    Field(Box<Expr<'s>>, Name<'s>),
    Index(Box<Expr<'s>>, Box<Expr<'s>>),
    Dereference(Box<Expr<'s>>),
    AddressOf(Box<Expr<'s>>),
    Unary(UnaryOp, UnarySign, Box<Expr<'s>>),
    /// Every [`BinaryOp`]; `+` and `-` may turn out to be arithmetic on pointers.
    Binary(BinaryOp, Box<Expr<'s>>, Box<Expr<'s>>),
    Logic(Logic, Box<Expr<'s>>, Box<Expr<'s>>),
    Conditional(Box<Expr<'s>>, Box<Expr<'s>>, Box<Expr<'s>>),
    Cast(Box<Expr<'s>>, Box<TypeExpr<'s>>),
    SizeOf(Box<TypeExpr<'s>>),
    Call(Callee<'s>, Vec<Expr<'s>>),
    /// `object_size(p)`
    ObjectSize(Box<Expr<'s>>),
    AtomicLoad(Box<Expr<'s>>, Order),
    AtomicStore(Box<Expr<'s>>, Box<Expr<'s>>, Order),
    ReadModifyWrite(RmwOperation, Box<Expr<'s>>, Box<Expr<'s>>, Order),
    CompareExchange(Box<CompareExchange<'s>>),
    /// `owner(m)`, in formulas
    Owner(Box<Expr<'s>>),
    /// `at f.label`, in formulas
    At {
        function: Option<Name<'s>>,
        label: Label<'s>,
    },
    // The rest stands only behind `=` or alone as a statement.
    Any(Box<TypeExpr<'s>>),
    Allocate(Box<Allocate<'s>>),
    /// With the place that the name of the new thread is stored to.
    Spawn(Callee<'s>, Vec<Expr<'s>>, Option<Box<Expr<'s>>>),
    Join(Box<Expr<'s>>),
    Sync(SyncWord, Box<Expr<'s>>, Option<Box<Expr<'s>>>),
}

/// How a unary operator was written: `!` wants a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnarySign {
    Exclamation,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
}

#[derive(Debug)]
pub(crate) enum Callee<'s> {
    Named(Name<'s>),
    /// `call e(…)`
    Pointer(Box<Expr<'s>>),
}

#[derive(Debug)]
pub(crate) struct CompareExchange<'s> {
    pub(crate) place: Expr<'s>,
    pub(crate) expected: Expr<'s>,
    pub(crate) desired: Expr<'s>,
    pub(crate) order: Order,
    pub(crate) failure: Order,
}

#[derive(Debug)]
pub(crate) struct Allocate<'s> {
    pub(crate) what: Allocated<'s>,
    pub(crate) is_zeroed: bool,
    pub(crate) is_on_stack: bool,
    pub(crate) read_only: Const,
}

/// What may not be written after it got its first value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Const {
    #[default]
    Nothing,
    /// `const`
    Everything,
    /// `const(4 at 0, 8 at 16)`: offsets and sizes.
    Parts(Vec<(u64, u64)>),
}

impl Const {
    /// The bytes of an object of this size.
    pub(crate) fn of(&self, size: u64) -> ReadOnly {
        match self {
            Const::Nothing => ReadOnly::NOTHING,
            Const::Everything => ReadOnly::all(size),
            Const::Parts(parts) => ReadOnly::of(parts.iter().copied()),
        }
    }
}

#[derive(Debug)]
pub(crate) enum Allocated<'s> {
    /// `alloc T`
    One(TypeExpr<'s>),
    /// `alloc T[n]`
    Many(TypeExpr<'s>, Expr<'s>),
    /// `alloc bytes n`, `alloc bytes n as T`
    Bytes(Expr<'s>, Option<TypeExpr<'s>>),
}

/// A word for one operation on a synchronisation object, or for two in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncWord {
    One(SyncOperation),
    /// `wait c, m` and its like: begin, then end.
    Two(SyncOperation, SyncOperation),
}

impl SyncWord {
    pub(crate) fn of(word: &str) -> Option<SyncWord> {
        Some(match word {
            "wait" => SyncWord::Two(SyncOperation::WaitBegin, SyncOperation::WaitEnd),
            "timed_wait" => SyncWord::Two(SyncOperation::WaitBegin, SyncOperation::WaitEndTimed),
            "barrier_wait" => {
                SyncWord::Two(SyncOperation::BarrierArrive, SyncOperation::BarrierLeave)
            }
            "monitor_wait" => SyncWord::Two(
                SyncOperation::MonitorWaitBegin,
                SyncOperation::MonitorWaitEnd,
            ),
            _ => {
                let (operation, _, _) = SyncOperation::ALL
                    .iter()
                    .find(|(_, name, _)| *name == word)?;
                SyncWord::One(*operation)
            }
        })
    }

    pub(crate) fn first(self) -> SyncOperation {
        match self {
            SyncWord::One(operation) | SyncWord::Two(operation, _) => operation,
        }
    }
}

// ---- statements

#[derive(Debug)]
pub(crate) struct Block<'s> {
    pub(crate) statements: Vec<Statement<'s>>,
    /// The closing brace.
    pub(crate) end: Span,
}

#[derive(Debug)]
pub(crate) struct Statement<'s> {
    pub(crate) kind: StatementKind<'s>,
    /// Without the blocks inside.
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StatementKind<'s> {
    Let {
        name: Name<'s>,
        ty: Option<TypeExpr<'s>>,
        value: Option<Expr<'s>>,
        is_temporary: bool,
    },
    Variable {
        name: Name<'s>,
        ty: TypeExpr<'s>,
        initial: Option<InitialExpr<'s>>,
    },
    Assign {
        target: Expr<'s>,
        value: Expr<'s>,
    },
    /// `init place = value`
    FirstValue {
        place: Expr<'s>,
        value: Expr<'s>,
    },
    /// `old, ok = compare_exchange(…)`; `None` is `_`.
    ExchangeInto {
        is_let: bool,
        previous: Option<Expr<'s>>,
        success: Option<Expr<'s>>,
        exchange: Box<CompareExchange<'s>>,
    },
    Evaluate(Expr<'s>),
    If {
        arms: Vec<Arm<'s>>,
        otherwise: Option<Block<'s>>,
    },
    While {
        condition: Expr<'s>,
        body: Block<'s>,
    },
    Loop(Block<'s>),
    Break,
    Continue,
    Choose(Vec<Block<'s>>),
    Bracket {
        bracket: Bracket<'s>,
        id: BracketId,
        body: Block<'s>,
    },
    Await(Expr<'s>),
    AtomicBegin {
        is_as_written: bool,
    },
    AtomicEnd,
    UnitBegin(Option<Name<'s>>),
    UnitEnd(Option<Name<'s>>),
    Assert(Expr<'s>, Option<String>),
    Assume(Expr<'s>),
    Skip,
    Fence(Order),
    Havoc(Expr<'s>),
    Return(Option<Expr<'s>>),
    ExitThread(Option<Expr<'s>>),
    Exit(Option<Expr<'s>>),
    Abort,
    Label(Label<'s>),
    Goto(Jump<'s>),
    Init(Expr<'s>, Option<SyncInitExpr<'s>>),
    Destroy(Expr<'s>, Option<SyncInitExpr<'s>>),
    Detach(Expr<'s>),
    Free(Expr<'s>, AllocateKind),
    Emit(String, Vec<Expr<'s>>),
    Unsupported(String),
}

/// One `if e { }` of a chain.
#[derive(Debug)]
pub(crate) struct Arm<'s> {
    pub(crate) condition: Expr<'s>,
    pub(crate) body: Block<'s>,
    /// Without the block.
    pub(crate) span: Span,
}

/// A block that does something on its way in and undoes it on every way out.
#[derive(Debug)]
pub(crate) enum Bracket<'s> {
    Lock(LockMode, Expr<'s>),
    Atomic,
    Unit(Option<Name<'s>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockMode {
    Plain,
    Read,
    Write,
}

/// Tells the brackets of a file apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BracketId(pub(crate) u32);

/// `name:` or `3:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) is_number: bool,
}

impl<'s> Label<'s> {
    /// Tells labels of a function apart: `3` and `` `3` `` are two. Numbers are compared as text.
    pub(crate) fn key(&self) -> (bool, &'s str) {
        (self.is_number, self.name.text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jump<'s> {
    Exit,
    Label(Label<'s>),
}

/// `mutex`, `semaphore(1)`; in declarations of cells and in `init` and `destroy`.
#[derive(Debug)]
pub(crate) struct SyncInitExpr<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) argument: Option<Box<Expr<'s>>>,
}
