//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   the record that a call gives lives until the end of the full expression (C11 6.2.4p8), `p` is read after it
struct numbers { int a[2]; };

static struct numbers make(void) {
    struct numbers n = {{1, 2}};
    return n;
}

int main(void) {
    int sum = make().a[0];
    int *p = make().a;
    return sum + p[1];
}
