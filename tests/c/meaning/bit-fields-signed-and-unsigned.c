int printf(const char *, ...);
struct B { int s3 : 3; unsigned u3 : 3; signed int s1 : 1; unsigned u1 : 1; int rest : 24; };
int main(void) {
    struct B b = {3, 7, -1, 1, -5};
    printf("%d %u %d %u %d\n", b.s3, b.u3, b.s1, b.u1, b.rest);
    b.s3 = 5;
    b.u3 = 9;
    b.u1 = 2;
    printf("%d %u %u\n", b.s3, b.u3, b.u1);
    for (int i = 0; i < 8; i++) {
        b.s3 = i;
        b.u3 = i;
        printf("%d%u ", b.s3, b.u3);
    }
    printf("\n%d\n", (int)sizeof(struct B));
    b.rest = 8388607;
    printf("%d\n", b.rest);
    b.rest = 8388608;
    printf("%d\n", b.rest);
    return 0;
}
