//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: 6 MB are taken twice, not at once
static void fill(char *p) { p[0] = 1; }
static void use(void) {
    char large[6000000];
    fill(large);
}

int main(void) {
    use();
    use();
    return 0;
}
