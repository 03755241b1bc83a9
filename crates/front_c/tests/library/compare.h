// What the comparisons of our C library with glibc share. Our functions are called `our_…`.

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define OUR(name) extern __typeof__(name) our_##name

extern int *our___errno_location(void);

// How a guarded call of ours ended.
enum { RETURNED, UNSUPPORTED, ABORTED, EXITED, ASSERTED };
extern jmp_buf guard;
extern const char *unsupported_what;
extern int exit_status;
#define GUARDED(statement) (__extension__({ int how_ = setjmp(guard); if (!how_) { statement; } how_; }))

// What ours wrote to standard output since the last `take_output`.
extern char output[1 << 16];
extern size_t output_length;

// What `__raddle_malloc_may_fail` says; allocation then fails if `any` gives an odd number.
extern int malloc_may_fail;

// Numbers in a fixed sequence.
unsigned long long any(void);
static inline int below(int limit) { return any() % limit; }

void fail(const char *file, int line, const char *what);
#define CHECK(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))
// With the input that made it fail.
#define CHECK_FOR(condition, ...) \
    ((condition) ? (void)0 : (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), fail(__FILE__, __LINE__, #condition)))
