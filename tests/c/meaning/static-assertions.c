int printf(const char *, ...);
_Static_assert(sizeof(char) == 1, "chars are bytes");
_Static_assert(sizeof(int) == 4);
struct S {
    int a;
    _Static_assert(sizeof(short) == 2, "inside a struct");
    char b;
};
enum { N = 5 };
_Static_assert(N * 2 == 10 && (N > 3 ? 1 : 0), "constants");
_Static_assert((unsigned char)300 == 44, "casts");
_Static_assert(1.5 * 2 == 3.0, "floats");
_Static_assert(__builtin_offsetof(struct S, b) == 4, "offsets");
_Static_assert(-1 < 0u == 0, "unsigned");
int main(void) {
    _Static_assert(sizeof(struct S) == 8, "in a function");
    for (int i = 0; i < 1; i++) {
        _Static_assert(1, "in a loop");
        printf("%d\n", N);
    }
    return 0;
}
