// The primitives below our C library, on glibc; see compare.h.

#include "compare.h"
#include <malloc.h>

jmp_buf guard;
const char *unsupported_what;
int exit_status;
char output[1 << 16];
size_t output_length;
int malloc_may_fail;

unsigned long long any(void) {
    static unsigned long long state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717ull >> 3 ^ state << 40;
}

void fail(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    exit(1);
}

// The size stands before the object, which begins at a page.
void *our___raddle_allocate(size_t bytes) {
    char *page = memalign(4096, bytes + 4096);
    *(size_t *)(page + 4088) = bytes;
    memset(page + 4096, 0xa5, bytes);
    return page + 4096;
}

size_t our___raddle_object_size(void *object) {
    return *(size_t *)((char *)object - 8);
}

void *our___raddle_allocate_zeroed(size_t bytes) {
    void *object = our___raddle_allocate(bytes);
    memset(object, 0, bytes);
    return object;
}

void our___raddle_free(void *object) {
    if (object)
        free((char *)object - 4096);
}

void our___raddle_emit_byte(int byte) {
    if (output_length == sizeof output)
        fail(__FILE__, __LINE__, "there is room for the output");
    output[output_length++] = byte;
}

void our___raddle_exit(int status) {
    exit_status = status;
    longjmp(guard, EXITED);
}

void our___raddle_abort(void) {
    longjmp(guard, ABORTED);
}

void our___raddle_assert_fail(const char *message) {
    longjmp(guard, ASSERTED);
}

void our___raddle_unsupported(const char *what) {
    unsupported_what = what;
    longjmp(guard, UNSUPPORTED);
}

_Bool our___raddle_malloc_may_fail(void) {
    return malloc_may_fail;
}

_Bool our___raddle_any_bool(void) {
    return any() & 1;
}

unsigned char our___raddle_any_byte(void) {
    return any();
}

int our___raddle_any_int(void) {
    return any();
}

long our___raddle_any_long(void) {
    return any();
}

// An assumption that does not hold ends the execution, here as if nothing had been called.
void our___raddle_assume(int condition) {
    if (!condition)
        longjmp(guard, UNSUPPORTED);
}

void our___raddle_atomic_begin(void) {
}

void our___raddle_atomic_end(void) {
}

// Nothing is known of what the program runs in.
int our___raddle_processors(void) {
    return 0;
}

int our___raddle_leaps(void) {
    return -1;
}

_Bool our___raddle_knows_environment(void) {
    return 0;
}

_Bool our___raddle_assuming(const char *what) {
    return 0;
}
