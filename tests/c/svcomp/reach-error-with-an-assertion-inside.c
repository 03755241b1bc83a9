//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `reach_error` as most tasks define it
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() {
    __assert_fail("0", "task.c", 3, "reach_error");
}
void __VERIFIER_assert(int expression) {
    if (!expression) {
    ERROR: {
        reach_error();
        abort();
    }
    }
    return;
}

int main(void) {
    __VERIFIER_assert(1);
    __VERIFIER_assert(0);
    return 0;
}
