//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   a parameter is an object of the function's block (C11 6.2.1p4), gone when the function has returned
struct numbers { int a[2]; };

static int *first(struct numbers n) { return n.a; }

int main(void) {
    struct numbers n = {{1, 2}};
    return *first(n);
}
