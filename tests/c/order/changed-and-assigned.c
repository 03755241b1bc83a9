//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     C17 6.5p2: `i = i++ + 1` is undefined
int main(void) {
    int i = 0;
    i = i++ + 1;
    return i;
}
