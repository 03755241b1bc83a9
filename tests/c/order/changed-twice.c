//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     C17 6.5p2: two side effects on `i` without an order between them are undefined
static int f(int a, int b) { return a - b; }

int main(void) {
    int i = 0;
    return f(i++, i++);
}
