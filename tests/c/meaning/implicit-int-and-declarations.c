//@ options: -std=gnu89
static x = 5;
const y = 6;
main() {
    auto z = 7;
    register r = 8;
    unsigned u = -1;
    long l = 9;
    printf("%d %d %d %d\n", x, y, z, r);
    printf("%u %ld\n", u, l);
    printf("%d\n", helper(3));
    return helper(1) - 2;
}
helper(n) {
    return n * 2;
}
