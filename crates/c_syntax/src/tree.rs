//! The syntax tree of a translation unit: what was written, with places, before anything is known of its meaning.
//!
//! Parentheses, `__extension__` and the concatenation of string literals are gone; everything else is kept.

use std::sync::Arc;

use raddle_base::Span;

/// An identifier's text. Cheap to copy.
pub type Name = Arc<str>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    pub name: Name,
    pub span: Span,
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub items: Vec<Item>,
    /// Comments that begin with `//@` or `/*@`, in order, without these marks: annotations for verifiers.
    pub annotations: Vec<Annotation>,
    /// Lines `#pragma …` and operators `_Pragma("…")`, in order, without these words.
    pub pragmas: Vec<Pragma>,
    /// The names of all attributes, wherever they stand, in order.
    pub attribute_names: Vec<Identifier>,
}

#[derive(Clone, Debug)]
pub struct Pragma {
    /// Words and marks with one space between them, as in `omp parallel for` or `weak f = g`.
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Annotation {
    pub text: String,
    /// Something stands before it in its line.
    pub is_trailing: bool,
    pub span: Span,
}

/// What stands at the outermost level of a unit, or in a block.
#[derive(Clone, Debug)]
pub enum Item {
    Declaration(Declaration),
    /// In a block: a nested function, as GNU C has them.
    Function(FunctionDefinition),
    StaticAssert(StaticAssert),
    /// `asm("…");` outside of functions.
    Asm(Asm),
}

/// `specifiers declarator = initializer, …;`
#[derive(Clone, Debug)]
pub struct Declaration {
    pub specifiers: Specifiers,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    /// `asm("name")` after the declarator.
    pub asm_label: Option<StringLiteral>,
    /// Attributes after the declarator.
    pub attributes: Vec<Attribute>,
    pub initializer: Option<Initializer>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    /// Attributes and label between the declarator and the body.
    pub attributes: Vec<Attribute>,
    pub asm_label: Option<StringLiteral>,
    /// Declarations of the parameters of a K&R definition.
    pub parameter_declarations: Vec<Declaration>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct StaticAssert {
    pub condition: Expression,
    pub message: Option<StringLiteral>,
    pub span: Span,
}

/// What stands before the declarators.
#[derive(Clone, Debug)]
pub struct Specifiers {
    pub storage: Option<Storage>,
    pub is_thread_local: bool,
    pub is_inline: bool,
    pub is_noreturn: bool,
    pub qualifiers: Qualifiers,
    /// `_Alignas(…)`
    pub alignments: Vec<Alignment>,
    pub attributes: Vec<Attribute>,
    pub ty: TypeSpecifier,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    /// `_Atomic` without parentheses.
    pub is_atomic: bool,
}

#[derive(Clone, Debug)]
pub enum Alignment {
    Type(TypeName),
    Expression(Expression),
}

#[derive(Clone, Debug)]
pub enum TypeSpecifier {
    /// Nothing was written: `int`, as in C89.
    Missing,
    Basic(BasicType),
    Struct(StructSpecifier),
    Enum(EnumSpecifier),
    /// The name of a typedef.
    Named(Identifier),
    TypeofExpression(Box<Expression>),
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`
    Atomic(Box<TypeName>),
    /// `__auto_type`
    Auto,
    /// `__builtin_va_list`
    VaList,
}

/// Combinations of type words, in any order they may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BasicType {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    /// `_Float16`
    Float16,
    /// `__float128`, `_Float128`
    Float128,
    /// `_Complex` of float, double, long double; of integers as an extension.
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    ComplexInteger,
    /// `_Decimal32`, `_Decimal64`, `_Decimal128`
    Decimal,
}

#[derive(Clone, Debug)]
pub struct StructSpecifier {
    pub is_union: bool,
    pub tag: Option<Identifier>,
    /// Absent: `struct tag` only names it.
    pub members: Option<Vec<Member>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Member {
    Fields(FieldDeclaration),
    StaticAssert(StaticAssert),
}

/// `int a, b : 3;`; without declarators, an anonymous struct or union.
#[derive(Clone, Debug)]
pub struct FieldDeclaration {
    pub specifiers: Specifiers,
    pub declarators: Vec<FieldDeclarator>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FieldDeclarator {
    /// Without a name: an unnamed bit-field.
    pub declarator: Declarator,
    pub width: Option<Expression>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    pub tag: Option<Identifier>,
    pub enumerators: Option<Vec<Enumerator>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enumerator {
    pub name: Identifier,
    pub value: Option<Expression>,
    pub attributes: Vec<Attribute>,
}

/// What is declared, and how its type is made from that of the specifiers.
///
/// `parts` reads from the name outwards: of `int *a[3]` first the array, then the pointer.
/// The type is made by applying the parts to the specified type from the last to the first.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// Absent in type names and unnamed parameters.
    pub name: Option<Identifier>,
    pub parts: Vec<DeclaratorPart>,
    /// Attributes inside the declarator, as in `int (__attribute__((noinline)) f)(void)` or `int * __attribute__((x)) p`.
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DeclaratorPart {
    Pointer(Qualifiers),
    Array(ArrayDeclarator),
    Function(Parameters),
}

#[derive(Clone, Debug)]
pub struct ArrayDeclarator {
    /// Of the pointer that a parameter becomes.
    pub qualifiers: Qualifiers,
    pub is_static: bool,
    pub length: ArrayLength,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ArrayLength {
    /// `[]`
    Unspecified,
    /// `[*]`
    Star,
    Expression(Box<Expression>),
}

#[derive(Clone, Debug)]
pub enum Parameters {
    /// With types; `(void)` has none.
    Prototype {
        parameters: Vec<Parameter>,
        is_variadic: bool,
    },
    /// K&R: names only. Empty: nothing is said of the parameters.
    Identifiers(Vec<Identifier>),
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// A type as it is written in casts and `sizeof`.
#[derive(Clone, Debug)]
pub struct TypeName {
    pub specifiers: Specifiers,
    /// Without a name.
    pub declarator: Declarator,
    pub span: Span,
}

/// One attribute of `__attribute__((a, b(1)))`; the underscores around its name are gone.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Name,
    pub arguments: Vec<AttributeArgument>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttributeArgument {
    Expression(Expression),
    Type(TypeName),
}

#[derive(Clone, Debug)]
pub enum Initializer {
    Expression(Expression),
    List(InitializerList),
}

/// `{ [2] = a, .x.y = b, c }`
#[derive(Clone, Debug)]
pub struct InitializerList {
    pub elements: Vec<InitializerElement>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitializerElement {
    pub designators: Vec<Designator>,
    pub value: Initializer,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Designator {
    /// `.x`, and the old form `x:`
    Member(Identifier),
    Index(Expression),
    /// `[a ... b]`
    Range(Expression, Expression),
}

/// `{ … }`
#[derive(Clone, Debug)]
pub struct Block {
    /// `__label__ a, b;`
    pub local_labels: Vec<Identifier>,
    pub items: Vec<BlockItem>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum BlockItem {
    Item(Item),
    Statement(Statement),
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `label: statement`
    Label(Identifier, Vec<Attribute>, Box<Statement>),
    /// `case a:`, `case a ... b:`
    Case(Expression, Option<Expression>, Box<Statement>),
    Default(Box<Statement>),
    Block(Block),
    /// `;` has none.
    Expression(Option<Expression>),
    If {
        condition: Expression,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    Switch {
        value: Expression,
        body: Box<Statement>,
    },
    While {
        condition: Expression,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Expression,
    },
    For {
        first: ForFirst,
        condition: Option<Expression>,
        next: Option<Expression>,
        body: Box<Statement>,
    },
    Goto(Identifier),
    /// `goto *address;`
    GotoComputed(Expression),
    Continue,
    Break,
    Return(Option<Expression>),
    Asm(Asm),
}

#[derive(Clone, Debug)]
pub enum ForFirst {
    None,
    Expression(Expression),
    Declaration(Declaration),
}

/// An assembler statement.
#[derive(Clone, Debug)]
pub struct Asm {
    pub template: StringLiteral,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<StringLiteral>,
    /// Of `asm goto`.
    pub labels: Vec<Identifier>,
    pub is_volatile: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// `[name]`, by which the template may call it.
    pub name: Option<Name>,
    pub constraint: StringLiteral,
    pub expression: Expression,
}

#[derive(Clone, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExpressionKind {
    Integer(IntegerLiteral),
    Float(FloatLiteral),
    Character(CharacterLiteral),
    String(StringLiteral),
    Identifier(Name),
    Unary(UnaryOperator, Box<Expression>),
    Increment {
        operand: Box<Expression>,
        is_decrement: bool,
        is_prefix: bool,
    },
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `a = b`, or with an operator `a += b`.
    Assign(Option<BinaryOperator>, Box<Expression>, Box<Expression>),
    /// `a ? b : c`; without the middle, GNU's `a ?: c`.
    Conditional(Box<Expression>, Option<Box<Expression>>, Box<Expression>),
    Comma(Box<Expression>, Box<Expression>),
    Cast(Box<TypeName>, Box<Expression>),
    CompoundLiteral(Box<TypeName>, InitializerList),
    Call(Box<Expression>, Vec<Expression>),
    Index(Box<Expression>, Box<Expression>),
    Member {
        operand: Box<Expression>,
        member: Identifier,
        is_arrow: bool,
    },
    SizeofExpression(Box<Expression>),
    SizeofType(Box<TypeName>),
    AlignofExpression(Box<Expression>),
    AlignofType(Box<TypeName>),
    /// `__alignof__(type)`: what gcc prefers, which may be more than what it asks for.
    PreferredAlignofType(Box<TypeName>),
    Generic(Box<Expression>, Vec<GenericAssociation>),
    /// `({ … })`
    Statement(Block),
    /// `&&label`
    LabelAddress(Identifier),
    /// `__builtin_va_arg(list, type)`
    VaArg(Box<Expression>, Box<TypeName>),
    /// `__builtin_offsetof(type, a.b[2])`; the first designator is a member.
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `__real__ a`, `__imag__ a`
    Real(Box<Expression>),
    Imaginary(Box<Expression>),
}

#[derive(Clone, Debug)]
pub struct GenericAssociation {
    /// Absent: `default`.
    pub ty: Option<TypeName>,
    pub value: Expression,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Plus,
    Minus,
    BitNot,
    LogicalNot,
    AddressOf,
    Dereference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
    LogicalOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerLiteral {
    /// Cut to 128 bits by the lexer with an error if it does not fit 64.
    pub value: u128,
    /// Decimal literals never become unsigned by themselves.
    pub is_decimal: bool,
    /// `u`
    pub is_unsigned: bool,
    /// How many `l`: 0, 1 or 2.
    pub longs: u8,
    /// `i` or `j`, a GNU extension.
    pub is_imaginary: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FloatLiteral {
    /// Without its suffix, as written: decimal or hexadecimal, so that each type rounds it once.
    pub text: Name,
    pub suffix: FloatSuffix,
    pub is_imaginary: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    None,
    Float,
    LongDouble,
    /// `f16`, `f128`, `q`, `df` and the like.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharacterLiteral {
    /// As gcc has it: of several characters, the earlier ones in the higher bytes; a single one as `char`, sign extended.
    pub value: i64,
    pub encoding: Encoding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Plain or `u8`.
    Bytes,
    /// `L`
    Wide,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
}

/// Adjacent literals are one. No zero at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    /// Bytes, or code units of the wider encodings.
    pub units: Vec<u32>,
    pub encoding: Encoding,
    pub span: Span,
}
