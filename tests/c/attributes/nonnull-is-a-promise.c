//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     gcc -O2 drops the comparison, because the parameter is promised not to be null: undefined
__attribute__((nonnull, noinline)) static int is_null(int *p) { return p == 0; }

int main(void) {
    return is_null(0);
}
