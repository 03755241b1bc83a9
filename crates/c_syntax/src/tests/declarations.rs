//! Declarations, types and attributes.

use super::files;

#[test]
fn words_of_basic_types_come_in_any_order() {
    files(&[
        (
            "unsigned long long int a; long unsigned b; signed char c; short d; double long e;",
            "declaration(specifiers unsigned long long, declarator `a`), declaration(specifiers unsigned long, declarator `b`), declaration(specifiers signed char, declarator `c`), declaration(specifiers short, declarator `d`), declaration(specifiers long double, declarator `e`)",
        ),
        (
            "_Complex float a; _Complex b; __complex__ int c; _Complex long d; long double _Complex e;",
            "declaration(specifiers complex float, declarator `a`), declaration(specifiers complex double, declarator `b`), declaration(specifiers complex integer, declarator `c`), declaration(specifiers complex integer, declarator `d`), declaration(specifiers complex long double, declarator `e`)",
        ),
        (
            "__int128 a; unsigned __int128 b; __uint128_t c; __int128_t d; _Float128 e; __float128 f;",
            "declaration(specifiers int128, declarator `a`), declaration(specifiers unsigned int128, declarator `b`), declaration(specifiers unsigned int128, declarator `c`), declaration(specifiers int128, declarator `d`), declaration(specifiers float128, declarator `e`), declaration(specifiers float128, declarator `f`)",
        ),
        (
            "_Float32 a; _Float64 b; _Float32x c; _Float64x d; _Float16 e; _Decimal64 f; _Bool g; __builtin_va_list h;",
            "declaration(specifiers float, declarator `a`), declaration(specifiers double, declarator `b`), declaration(specifiers double, declarator `c`), declaration(specifiers long double, declarator `d`), declaration(specifiers float16, declarator `e`), declaration(specifiers decimal, declarator `f`), declaration(specifiers bool, declarator `g`), declaration(specifiers va_list, declarator `h`)",
        ),
        (
            "__signed__ a; __const__ int b; __volatile__ int c; int *__restrict d; __inline__ int f(void);",
            "declaration(specifiers int, declarator `a`), declaration(specifiers const int, declarator `b`), declaration(specifiers volatile int, declarator `c`), declaration(specifiers int, declarator `d`(pointer restrict)), declaration(specifiers inline int, declarator `f`(function))",
        ),
    ]);
}

#[test]
fn declarators_read_from_the_name_outwards() {
    files(&[
        (
            "int x, *p, a[3], f(void), (*g)(int), *(*h[2])(char, ...);",
            "declaration(specifiers int, declarator `x`, declarator `p`(pointer), declarator `a`(array(integer 3)), declarator `f`(function), declarator `g`(pointer, function(parameter(specifiers int, declarator without a name))), declarator `h`(array(integer 2), pointer, function variadic(parameter(specifiers char, declarator without a name)), pointer))",
        ),
        (
            "int const *const *restrict p;",
            "declaration(specifiers const int, declarator `p`(pointer restrict, pointer const))",
        ),
        (
            "int (*(*f)(int (*)(char), int [3]))[4];",
            "declaration(specifiers int, declarator `f`(pointer, function(parameter(specifiers int, declarator without a name(pointer, function(parameter(specifiers char, declarator without a name)))), parameter(specifiers int, declarator without a name(array(integer 3)))), pointer, array(integer 4)))",
        ),
        (
            "int (*f(int))[3], (x), (*(y));",
            "declaration(specifiers int, declarator `f`(function(parameter(specifiers int, declarator without a name)), pointer, array(integer 3)), declarator `x`, declarator `y`(pointer))",
        ),
    ]);
}

#[test]
fn storage_and_other_specifiers_are_kept() {
    files(&[
        (
            "static const volatile int x = 1; extern __thread int y; register z;",
            "declaration(specifiers static const volatile int, declarator `x`(initializer(integer 1))), declaration(specifiers extern thread-local int, declarator `y`), declaration(specifiers register (no type), declarator `z`)",
        ),
        (
            "_Noreturn static inline void f(void); _Thread_local int x;",
            "declaration(specifiers static inline noreturn void, declarator `f`(function)), declaration(specifiers thread-local int, declarator `x`)",
        ),
        (
            "_Alignas(16) _Alignas(int) char c;",
            "declaration(specifiers char(alignas(integer 16), alignas(type(specifiers int))), declarator `c`)",
        ),
        (
            "_Atomic int a; _Atomic(int *) b; int *_Atomic c;",
            "declaration(specifiers atomic int, declarator `a`), declaration(specifiers atomic type(type(specifiers int, declarator without a name(pointer))), declarator `b`), declaration(specifiers int, declarator `c`(pointer atomic))",
        ),
        (
            "__typeof__(int *) a; typeof(a) b; typeof_unqual(a) c; __auto_type d = 1;",
            "declaration(specifiers typeof(type(specifiers int, declarator without a name(pointer))), declarator `a`), declaration(specifiers typeof(`a`), declarator `b`), declaration(specifiers typeof(`a`, attribute `typeof_unqual`), declarator `c`), declaration(specifiers auto type, declarator `d`(initializer(integer 1)))",
        ),
    ]);
}

#[test]
fn parameters_have_types_or_names_or_nothing() {
    files(&[
        (
            "void f(int a, ...), g(), h(...), i(void), j(register int), k(int (*)(), int ());",
            "declaration(specifiers void, declarator `f`(function variadic(parameter(specifiers int, declarator `a`))), declarator `g`(function without types), declarator `h`(function variadic), declarator `i`(function), declarator `j`(function(parameter(specifiers register int, declarator without a name))), declarator `k`(function(parameter(specifiers int, declarator without a name(pointer, function without types)), parameter(specifiers int, declarator without a name(function without types)))))",
        ),
        (
            "int f(int a[static const 3], int b[*], int c[restrict]), g(int n; int d[n], int n);",
            "declaration(specifiers int, declarator `f`(function(parameter(specifiers int, declarator `a`(array static const(integer 3))), parameter(specifiers int, declarator `b`(array *)), parameter(specifiers int, declarator `c`(array restrict of any length)))), declarator `g`(function(parameter(specifiers int, declarator `d`(array(`n`))), parameter(specifiers int, declarator `n`))))",
        ),
        (
            "int f(int n; );",
            "declaration(specifiers int, declarator `f`(function without types))",
        ),
        (
            "main() { } f(a, b) int a; char *b; { } *g() { return 0; }",
            "function(specifiers (no type), declarator `main`(function without types), block), function(specifiers (no type), declarator `f`(function without types(`a`, `b`)), declaration(specifiers int, declarator `a`), declaration(specifiers char, declarator `b`(pointer)), block), function(specifiers (no type), declarator `g`(function without types, pointer), block(return(integer 0)))",
        ),
    ]);
}

#[test]
fn structs_have_members_fields_and_bodies() {
    files(&[
        (
            "struct s { int a, b : 3, : 0; struct { char c; }; int d[]; } x, *y; struct s z;",
            "declaration(specifiers struct(struct `s` defined(members(specifiers int, declarator `a`, declarator `b`(width(integer 3)), declarator without a name(width(integer 0))), members(specifiers struct(struct without a name(members(specifiers char, declarator `c`)))), members(specifiers int, declarator `d`(array of any length)))), declarator `x`, declarator `y`(pointer)), declaration(specifiers struct(struct `s`), declarator `z`)",
        ),
        (
            "union u; struct { } e; struct t { int a; ; int b } f;",
            "declaration(specifiers union(union `u`)), declaration(specifiers struct(struct without a name), declarator `e`), declaration(specifiers struct(struct `t` defined(members(specifiers int, declarator `a`), members(specifiers int, declarator `b`))), declarator `f`)",
        ),
        (
            r#"struct s { _Static_assert(1, ""); __extension__ union { int x; }; };"#,
            r#"declaration(specifiers struct(struct `s` defined(static assert(integer 1, string ""), members(specifiers union(union without a name(members(specifiers int, declarator `x`)))))))"#,
        ),
        (
            "enum e { A, B = A + 1, C, } x; enum e y;",
            "declaration(specifiers enum(enum `e` defined(enumerator `A`, enumerator `B`(binary +(`A`, integer 1)), enumerator `C`)), declarator `x`), declaration(specifiers enum(enum `e`), declarator `y`)",
        ),
    ]);
}

#[test]
fn initializers_have_designators_of_all_times() {
    files(&[
        (
            "int a[] = { 1, [3] = 2, [4 ... 5] = 3, { 4 } };",
            "declaration(specifiers int, declarator `a`(array of any length, initializer(list(integer 1, designated(index(integer 3), integer 2), designated(range(integer 4, integer 5), integer 3), list(integer 4)))))",
        ),
        (
            "struct s b = { .x = 1, .y.z[2] = 3, w: 4 };",
            "declaration(specifiers struct(struct `s`), declarator `b`(initializer(list(designated(member `x`, integer 1), designated(member `y`, member `z`, index(integer 2), integer 3), designated(member `w`, integer 4)))))",
        ),
        (
            "int c[2] = { [0] 1, [1] 2 }, d[1] = {}, e = { 1, };",
            "declaration(specifiers int, declarator `c`(array(integer 2), initializer(list(designated(index(integer 0), integer 1), designated(index(integer 1), integer 2)))), declarator `d`(array(integer 1), initializer(list)), declarator `e`(initializer(list(integer 1))))",
        ),
    ]);
}

#[test]
fn attributes_stand_nearly_everywhere() {
    files(&[
        (
            r#"int x asm("y") __attribute__((aligned(8), section("z"))), __attribute__((unused)) y;"#,
            r#"declaration(specifiers int, declarator `x`(asm label string "y", attribute `aligned`(integer 8), attribute `section`(string "z")), declarator `y`(attribute `unused`))"#,
        ),
        (
            "struct __attribute__((packed)) s { int a __attribute__((aligned(4))); } __attribute__((may_alias)) x;",
            "declaration(specifiers struct(struct `s` defined(members(specifiers int, declarator `a`(attribute `aligned`(integer 4))), attribute `packed`, attribute `may_alias`)), declarator `x`)",
        ),
        (
            "int (__attribute__((noinline)) f)(void), * __attribute__((x)) p, (__attribute__((y)) *q);",
            "declaration(specifiers int, declarator `f`(function, attribute `noinline`), declarator `p`(pointer, attribute `x`), declarator `q`(pointer, attribute `y`))",
        ),
        (
            "[[noreturn, gnu::const]] int f([[maybe_unused]] int a), g(int b __attribute__((unused)));",
            "declaration(specifiers int(attribute `noreturn`, attribute `const`), declarator `f`(function(parameter(specifiers int(attribute `maybe_unused`), declarator `a`))), declarator `g`(function(parameter(specifiers int, declarator `b`, attribute `unused`))))",
        ),
        (
            r#"enum __attribute__((packed)) e { A __attribute__((deprecated)), B [[deprecated("x")]] = 1 };"#,
            r#"declaration(specifiers enum(enum `e` defined(enumerator `A`(attribute `deprecated`), enumerator `B`(integer 1, attribute `deprecated`(string "x")), attribute `packed`)))"#,
        ),
        (
            "__attribute__((__const__, , vector_size(sizeof(int)), mode(DI))) int f(void) __attribute__(());",
            "declaration(specifiers int(attribute `const`, attribute `vector_size`(sizeof(type(specifiers int))), attribute `mode`(`DI`)), declarator `f`(function))",
        ),
        (
            "int f(void) __attribute__((noreturn)); int f(void) __attribute__((cold)) { }",
            "declaration(specifiers int, declarator `f`(function, attribute `noreturn`)), function(specifiers int, declarator `f`(function), attribute `cold`, block)",
        ),
        (
            "int x [[unused]]; int a[2] [[x]]; int *[[y]] p;",
            "declaration(specifiers int, declarator `x`(attribute `unused`)), declaration(specifiers int, declarator `a`(array(integer 2), attribute `x`)), declaration(specifiers int, declarator `p`(pointer, attribute `y`))",
        ),
    ]);
}

#[test]
fn files_hold_assertions_assembler_and_stray_semicolons() {
    files(&[
        (
            r#"_Static_assert(1, "yes"); _Static_assert(1); asm("nop"); ; int x;"#,
            r#"static assert(integer 1, string "yes"), static assert(integer 1), asm string "nop", declaration(specifiers int, declarator `x`)"#,
        ),
        (
            "__extension__ typedef struct { long long q; } __extension__ T;",
            "declaration(specifiers typedef struct(struct without a name(members(specifiers long long, declarator `q`))), declarator `T`)",
        ),
    ]);
}
