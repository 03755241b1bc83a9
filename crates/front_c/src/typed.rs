//! The typed tree: a program whose names are resolved, whose conversions are written out and whose sizes are known.
//!
//! Everything that depends on C's types is settled here. What is evaluated when is settled by `lower`:
//! operands from left to right, the place of an assignment before its value.

use raddle_base::{Arena, Span, define_id};
use raddle_c_syntax::tree::Annotation;
use raddle_ir::{DataModel, Order, RmwOperation};

pub use crate::types::LocalId;
use crate::types::{
    BitField, Enumeration, EnumerationId, FunctionType, Qualified, Record, RecordId, Type,
};

define_id!(
    /// An object with static storage: a global, a static local, a string literal.
    ObjectId, "object"
);
define_id!(
    /// A function, defined or only declared.
    FunctionId, "function"
);
define_id!(
    /// A label of a function.
    LabelId, "label"
);

/// All units of a program, linked.
#[derive(Clone, Debug)]
pub struct Module {
    pub model: DataModel,
    pub records: Arena<RecordId, Record>,
    pub enumerations: Arena<EnumerationId, Enumeration>,
    pub objects: Arena<ObjectId, Object>,
    pub functions: Arena<FunctionId, Function>,
    /// Of attributes `annotate("raddle:…")`, without that word.
    pub annotations: Vec<Annotation>,
    /// Whether an access to a volatile object of at most a word is atomic, because the user says so.
    pub volatile_is_atomic: bool,
}

/// The priority of constructors and destructors that were given none.
pub const NO_PRIORITY: u16 = u16::MAX;

#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts of a declaration"
)]
pub struct Object {
    /// Unique in the module: a static local is called `function.name`, a literal after its number.
    pub name: String,
    /// Complete, if the object is defined.
    pub ty: Qualified,
    /// Bytes, with a flexible array that is initialised.
    pub size: u64,
    pub align: u64,
    pub is_thread_local: bool,
    /// Whether some unit defines it; else it comes from elsewhere.
    pub is_defined: bool,
    pub is_string_literal: bool,
    /// `__attribute__((section("…")))`.
    pub section: Option<String>,
    /// In order of their places, not overlapping; what they leave out is zero.
    pub initial: Vec<InitialPiece>,
    /// What this is another name of, unless it is defined itself.
    pub alias: Option<ObjectId>,
    /// Weak and defined by nobody: its address is null.
    pub is_null: bool,
    /// Why it is not modelled: using it makes the verdict unknown.
    pub unsupported: Option<String>,
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct InitialPiece {
    /// In bytes; of a bit-field, that of its record.
    pub offset: u64,
    /// For a bit-field. Several may share bytes.
    pub bits: Option<BitField>,
    pub value: ConstantValue,
}

#[derive(Clone, Debug)]
pub enum ConstantValue {
    /// Of a scalar type: integers in two's complement, floats in IEEE 754 (of `long double`, the nearest `double`),
    /// pointers as numbers.
    Bits(u128, Type),
    Bytes(Vec<u8>),
    /// An address plus a number of bytes, converted to a pointer or an integer as large.
    Address(AddressBase, i64, Type),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressBase {
    Object(ObjectId),
    Function(FunctionId),
    /// `&&label` in a static object of a function.
    Label(FunctionId, LabelId),
}

#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts of a declaration"
)]
pub struct Function {
    /// Unique in the module, as the user calls it.
    pub name: String,
    /// Of the definition, if there is one.
    pub ty: FunctionType,
    /// Absent: it comes from elsewhere.
    pub body: Option<Body>,
    pub is_noreturn: bool,
    /// Known in its own unit only.
    pub is_static: bool,
    /// `__attribute__((constructor))`: runs before `main`, those with lower priorities first.
    pub constructor: Option<u16>,
    /// `__attribute__((destructor))`: runs when the program exits, those with higher priorities first.
    pub destructor: Option<u16>,
    /// From the text of our own library, not of the user.
    pub is_library: bool,
    /// What this is another name of, unless it has a body itself.
    pub alias: Option<FunctionId>,
    /// Weak and defined by nobody: its address is null.
    pub is_null: bool,
    /// Which parameters, from 1, must not be null; none named means all pointers.
    pub nonnull: Option<Vec<usize>>,
    /// Why it is not modelled: calling it makes the verdict unknown.
    pub unsupported: Option<String>,
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub locals: Arena<LocalId, Local>,
    /// The first locals, in order.
    pub parameters: Vec<LocalId>,
    pub labels: Arena<LabelId, Label>,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    /// Of an array of variable length: the type of the array; it lives where [`StatementKind::AllocateVariable`] put it.
    pub ty: Qualified,
    pub align: u64,
    /// The address of it or of a part of it is somewhere in the body, or an array in it became a pointer.
    /// A builtin that reads or writes what `&local` points to names the local itself.
    pub is_address_taken: bool,
    /// Made by the checker or by a macro of a header, for the middle of an expression: the user never wrote it.
    pub is_hidden: bool,
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub name: String,
    /// `&&label` occurs.
    pub is_address_taken: bool,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Expression(Expression),
    /// The life of a local begins: it is undefined, or initialised.
    Declare(LocalId, Option<Initial>),
    /// The life of an array of variable length begins, with so many bytes (`size_t`).
    AllocateVariable(LocalId, Expression),
    /// From here on whatever leaves the block evaluates this call (`__attribute__((cleanup(f)))`).
    /// The local is a hidden one of type `void`: it stands for the call that is due, among those that end with the block.
    Cleanup(LocalId, Expression),
    Block(Vec<Statement>),
    If {
        condition: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// `while` and `for`; what a `for` does first stands before it.
    Loop {
        condition: Option<Expression>,
        /// Evaluated after each round and after `continue`.
        next: Option<Expression>,
        body: Vec<Statement>,
    },
    DoWhile {
        body: Vec<Statement>,
        condition: Expression,
    },
    Switch {
        /// Promoted.
        value: Expression,
        /// Of the type of the value, as bits: from, to (both inclusive), in order of the source.
        cases: Vec<Case>,
        has_default: bool,
        body: Vec<Statement>,
    },
    /// Where the n-th case of the innermost switch goes.
    Case(usize),
    /// Where its default goes.
    Default,
    Label(LabelId),
    Goto(LabelId),
    GotoComputed(Expression),
    Break,
    Continue,
    Return(Option<Expression>),
    /// Something that is not understood: reaching it makes the verdict unknown.
    Unsupported(String),
}

#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub first: u128,
    pub last: u128,
}

/// How a local, or a compound literal, is initialised.
#[derive(Clone, Debug)]
pub struct Initial {
    /// Whether bytes without a piece become zero, as they do with a list.
    pub is_zeroed: bool,
    pub pieces: Vec<LocalPiece>,
}

#[derive(Clone, Debug)]
pub struct LocalPiece {
    /// In bytes; of a bit-field, that of its record.
    pub offset: u64,
    pub bits: Option<BitField>,
    pub value: PieceValue,
}

#[derive(Clone, Debug)]
pub enum PieceValue {
    /// A scalar, or a record as a whole.
    Expression(Expression),
    /// An array of characters from a literal.
    Bytes(Vec<u8>),
}

/// A value. Its type is neither an array nor a function: those have become pointers.
#[derive(Clone, Debug)]
pub struct Expression {
    pub ty: Type,
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// The bits of an integer, an enumeration, `_Bool` or a pointer.
    Integer(u128),
    /// Of `float` and `double`, rounded to the type; of `long double`, the nearest `double`.
    Float(f64),
    /// The value in a place: a scalar, or a record as a whole.
    Load(Box<Lvalue>),
    /// A pointer to a place, also what an array becomes.
    AddressOf(Box<Lvalue>),
    FunctionAddress(FunctionId),
    LabelAddress(LabelId),
    /// `-a`, `~a`: the operand has the type of the result.
    Negate(Box<Expression>),
    BitNot(Box<Expression>),
    /// `!a`: an `int`; the operand is any scalar.
    LogicalNot(Box<Expression>),
    /// Both operands have the type of the result; of shifts, only the left one.
    Arithmetic(Arithmetic, Box<Expression>, Box<Expression>),
    /// An `int`; both operands have one type, arithmetic or pointers.
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// `int`s of any scalars; the right operand only if needed.
    LogicalAnd(Box<Expression>, Box<Expression>),
    LogicalOr(Box<Expression>, Box<Expression>),
    /// The condition is any scalar. Both branches have the type of the result.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `a ?: b`: the first operand, evaluated once and converted to the result's type, unless it is zero.
    Elvis(Box<Expression>, Box<Expression>),
    Comma(Box<Expression>, Box<Expression>),
    /// `pointer ± index * size`: the index is an integer of any type, the size a `size_t`.
    PointerAdd {
        pointer: Box<Expression>,
        index: Box<Expression>,
        size: Box<Expression>,
        is_subtract: bool,
    },
    /// `(left - right) / size`, a `ptrdiff_t`.
    PointerDifference {
        left: Box<Expression>,
        right: Box<Expression>,
        size: Box<Expression>,
    },
    /// Converts to the type of this expression: scalars among each other, anything to `void`.
    Cast(Box<Expression>),
    /// The value has the place's type. The result is what the place holds then.
    Assign(Box<Lvalue>, Box<Expression>),
    /// `a += b`, `++a`, `a--`: reads the place once and writes it once.
    Update {
        place: Box<Lvalue>,
        update: Update,
        /// Whether the result is what the place held before.
        gives_old: bool,
    },
    /// Arguments are converted to the parameters' types; those without a parameter are promoted.
    Call(Callee, Vec<Expression>),
    /// `({ … })`: runs the statements, then has the value of the last expression.
    Statements(Vec<Statement>, Option<Box<Expression>>),
    /// Of `va_list`s the address of their first word is given.
    VaStart(Box<Expression>),
    VaArg(Box<Expression>),
    VaCopy(Box<Expression>, Box<Expression>),
    /// `__builtin_alloca(bytes)`
    Alloca(Box<Expression>),
    /// `__builtin_add_overflow(left, right, result)`: operands of any integer types, a place of any integer type
    /// (said beside it); a `_Bool` that is true if the exact result did not fit.
    OverflowArithmetic {
        operator: Arithmetic,
        left: Box<Expression>,
        right: Box<Expression>,
        /// Absent for the `_p` forms.
        result: Option<Box<Lvalue>>,
        result_type: Type,
    },
    /// One indivisible access: `__atomic_*`, `__sync_*`.
    Atomic(Box<AtomicAccess>),
    /// `__builtin_unreachable()`
    Unreachable,
    /// Operands are evaluated, then the program is stuck: reaching it makes the verdict unknown.
    Unsupported(String),
}

/// An indivisible access to the scalar that a pointer points to.
#[derive(Clone, Debug)]
pub struct AtomicAccess {
    pub pointer: Expression,
    /// The type of the scalar there.
    pub cell: Type,
    pub order: Order,
    pub operation: AtomicOperation,
}

#[derive(Clone, Debug)]
pub enum AtomicOperation {
    /// Gives what is there, of the cell's type.
    Load,
    /// Gives nothing.
    Store(Expression),
    /// Gives what was there.
    Exchange(Expression),
    /// Computes as on unsigned integers; of a pointer, bytes are added. Gives what is there before, or after.
    Fetch {
        operation: RmwOperation,
        /// Of the cell's type; beside a pointer, a `ptrdiff_t`.
        operand: Expression,
        gives_new: bool,
    },
    /// Touches nothing; there is no cell.
    Fence,
    /// Gives as a `_Bool` whether `desired` was written; if not, what is there is put into `expected`.
    CompareExchange {
        /// Of the cell's type, or as large.
        expected: Box<Lvalue>,
        desired: Expression,
        /// Of the look at what is not as expected.
        failure: Order,
        /// It may fail for no reason.
        is_weak: bool,
    },
    /// Gives what was there, or as a `_Bool` whether `desired` was written.
    CompareAndSwap {
        expected: Expression,
        desired: Expression,
        gives_old: bool,
    },
}

#[derive(Clone, Debug)]
pub enum Update {
    Arithmetic {
        operator: Arithmetic,
        /// Converted to `computed_as`, except the amount of a shift.
        operand: Box<Expression>,
        /// The place's value is converted to this type, the result back.
        computed_as: Type,
    },
    Pointer {
        index: Box<Expression>,
        size: Box<Expression>,
        is_subtract: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    And,
    Xor,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Debug)]
pub enum Callee {
    Direct(FunctionId),
    /// A pointer to a function of this type.
    Indirect(Box<Expression>, FunctionType),
}

/// Where a value lies.
#[derive(Clone, Debug)]
pub struct Lvalue {
    pub ty: Qualified,
    pub kind: LvalueKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum LvalueKind {
    Local(LocalId),
    Object(ObjectId),
    /// Also `a[i]`, which is `*(a + i)`.
    Dereference(Box<Expression>),
    /// A part of a record: so many bytes on, or a bit-field of the record.
    Field(Box<Lvalue>, u64, Option<BitField>),
    /// A compound literal in a function: made anew each time it is met, in a hidden local.
    CompoundLiteral(LocalId, Initial),
    /// A record that is no variable, as in `f().x`: lives in a hidden local.
    Value(Box<Expression>, LocalId),
}
