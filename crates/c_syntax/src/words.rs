//! Keywords, in all spellings that GNU C has for them.

macro_rules! keywords {
    ($($name:ident: $($text:literal)*,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Keyword { $($name,)* }

        /// Every spelling with its meaning.
        pub(crate) const KEYWORDS: &[(&str, Keyword)] = &[$($(($text, Keyword::$name),)*)*];
    };
}

keywords! {
    Alignas: "_Alignas",
    Alignof: "_Alignof",
    PreferredAlignof: "__alignof" "__alignof__",
    Asm: "asm" "__asm" "__asm__",
    Atomic: "_Atomic",
    Attribute: "__attribute__" "__attribute",
    Auto: "auto",
    AutoType: "__auto_type",
    Bool: "_Bool",
    Break: "break",
    Case: "case",
    Char: "char",
    Choose: "__builtin_choose_expr",
    Complex: "_Complex" "__complex" "__complex__",
    Const: "const" "__const" "__const__",
    Continue: "continue",
    Decimal: "_Decimal32" "_Decimal64" "_Decimal128",
    Default: "default",
    Do: "do",
    // The names with digits are types of their own, with the values of the basic type named here on x86.
    Double: "double" "_Float64" "_Float32x",
    Else: "else",
    Enum: "enum",
    Extension: "__extension__",
    Extern: "extern",
    Float: "float" "_Float32",
    Float128: "_Float128" "__float128",
    Float16: "_Float16",
    For: "for",
    Generic: "_Generic",
    Goto: "goto",
    If: "if",
    Imaginary: "__imag" "__imag__",
    Inline: "inline" "__inline" "__inline__",
    Int: "int",
    Int128: "__int128" "__int128__",
    // Typedefs that gcc declares before the first line.
    Int128Typedef: "__int128_t",
    Label: "__label__",
    Long: "long",
    LongDouble: "_Float64x" "__float80",
    Noreturn: "_Noreturn",
    Offsetof: "__builtin_offsetof",
    Pragma: "_Pragma",
    Real: "__real" "__real__",
    Register: "register",
    Restrict: "restrict" "__restrict" "__restrict__",
    Return: "return",
    Short: "short",
    Signed: "signed" "__signed" "__signed__",
    Sizeof: "sizeof",
    Static: "static",
    StaticAssert: "_Static_assert",
    Struct: "struct",
    Switch: "switch",
    ThreadLocal: "_Thread_local" "__thread",
    Typedef: "typedef",
    Typeof: "typeof" "__typeof" "__typeof__",
    TypeofUnqualified: "typeof_unqual" "__typeof_unqual" "__typeof_unqual__",
    TypesCompatible: "__builtin_types_compatible_p",
    Union: "union",
    Unsigned: "unsigned",
    UnsignedInt128Typedef: "__uint128_t",
    VaArg: "__builtin_va_arg",
    VaList: "__builtin_va_list" "__builtin_sysv_va_list",
    Void: "void",
    Volatile: "volatile" "__volatile" "__volatile__",
    While: "while",
}
