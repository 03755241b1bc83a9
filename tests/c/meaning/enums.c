int printf(const char *, ...);
enum A { A0, A1, A5 = 5, A6, AM = -1, AZ };
enum B { B0 = 'x', B1, B2 = A6 * 2 };
enum Big { Large = 0x7fffffff };
enum Wide { W = 0x100000000ll };
int main(void) {
    printf("%d %d %d %d %d %d\n", A0, A1, A5, A6, AM, AZ);
    printf("%d %d %d\n", B0, B1, B2);
    enum A a = A5;
    a++;
    printf("%d %d\n", a, a == A6);
    printf("%d %d\n", (int)sizeof(enum A), (int)sizeof(enum Big));
    printf("%d\n", (int)sizeof(enum Wide));
    enum { Local = 3 };
    int x[Local] = {1, 2, 3};
    printf("%d\n", x[Local - 1]);
    switch (a) {
    case A5:
        printf("five\n");
        break;
    case A6:
        printf("six\n");
        break;
    default:
        printf("other\n");
    }
    enum A neg = AM;
    printf("%d\n", neg < 0);
    enum U { U0, U1 } u = U0;
    printf("%d\n", u - 1 > 0);
    return 0;
}
