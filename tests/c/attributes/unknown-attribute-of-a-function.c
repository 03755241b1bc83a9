//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     gcc 12 ignores the attribute with a warning; what another compiler makes of it is not known
__attribute__((frobnicated)) static int f(void) { return 0; }

int main(void) {
    return f();
}
