/* Accepted by gcc -m32 and gcc -m64. */
enum { wide = sizeof(long) == 8 };
_Static_assert(sizeof(long double) == (wide ? 16 : 12), "");
_Static_assert(_Alignof(long double) == (wide ? 16 : 4), "");
_Static_assert(_Alignof(long long) == (wide ? 8 : 4), "");
_Static_assert(_Alignof(double) == (wide ? 8 : 4), "");
_Static_assert(sizeof(_Complex double) == 16 && sizeof(_Complex float) == 8, "");
_Static_assert(sizeof(__builtin_va_list) == (wide ? 24 : 4), "");

struct mixed { char c; double d; short s; long long l; };
_Static_assert(sizeof(struct mixed) == (wide ? 32 : 24), "");
_Static_assert(__builtin_offsetof(struct mixed, d) == (wide ? 8 : 4), "");
_Static_assert(__builtin_offsetof(struct mixed, l) == (wide ? 24 : 16), "");

struct __attribute__((packed)) tight { char c; double d; short s; };
_Static_assert(sizeof(struct tight) == 11 && _Alignof(struct tight) == 1, "");

struct bits { int a : 3; unsigned b : 30; char c : 4; long long d : 40; };
_Static_assert(sizeof(struct bits) == 16, "");
struct pushed { char a; int : 0; char b; };
_Static_assert(sizeof(struct pushed) == 5 && _Alignof(struct pushed) == 1, "");
struct __attribute__((packed)) dense { unsigned a : 5; unsigned b : 13; unsigned c : 14; char d; };
_Static_assert(sizeof(struct dense) == 5, "");
struct flag { _Bool a : 1; _Bool b : 1; };
_Static_assert(sizeof(struct flag) == 1, "");

union any { char c[5]; int i; short s : 9; };
_Static_assert(sizeof(union any) == 8 && _Alignof(union any) == 4, "");
struct nothing {};
_Static_assert(sizeof(struct nothing) == 0 && _Alignof(struct nothing) == 1, "");
struct flexible { int n; short tail[]; };
_Static_assert(sizeof(struct flexible) == 4, "");
struct zero { char c; int tail[0]; };
_Static_assert(sizeof(struct zero) == 4, "");

struct anonymous { int a; union { int b; struct { char c, d; }; }; int e; };
_Static_assert(__builtin_offsetof(struct anonymous, d) == 5, "");
_Static_assert(__builtin_offsetof(struct anonymous, e) == 8, "");

typedef int wide_int __attribute__((aligned(16)));
typedef long loose __attribute__((aligned(2)));
struct aligned { char c; wide_int w; };
_Static_assert(sizeof(struct aligned) == 32 && _Alignof(struct aligned) == 16, "");
struct unaligned { char c; loose l; };
_Static_assert(__builtin_offsetof(struct unaligned, l) == 2, "");
struct asked { char c; _Alignas(8) char d; } __attribute__((aligned(32)));
_Static_assert(sizeof(struct asked) == 32 && __builtin_offsetof(struct asked, d) == 8, "");
struct lock { char c; _Atomic long long l; };
_Static_assert(sizeof(struct lock) == 16, "");

enum small { s0, s1 };
enum negative { n0 = -1 };
enum large { l0 = 0x100000000 };
enum __attribute__((packed)) tiny { t0 = 255 };
_Static_assert(sizeof(enum small) == 4 && (enum small)-1 > 0, "");
_Static_assert((enum negative)-1 < 0, "");
_Static_assert(sizeof(enum large) == 8 && sizeof(enum tiny) == 1, "");

typedef unsigned quarter __attribute__((mode(QI)));
typedef int twice __attribute__((mode(DI)));
_Static_assert(sizeof(quarter) == 1 && (quarter)-1 > 0 && sizeof(twice) == 8, "");

struct nested { struct { int x[4]; } a[3]; };
_Static_assert(__builtin_offsetof(struct nested, a[2].x[1]) == 36, "");
_Static_assert((unsigned long)&((struct nested *)0)->a[1].x[2] == 24, "");
