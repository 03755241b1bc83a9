int printf(const char *, ...);
struct B { unsigned a : 3; unsigned b : 32; unsigned long long c : 35; int d : 5; };
int main(void) {
    struct B s = {1, 1, 1, -1};
    printf("%d\n", -1 < s.a);
    printf("%d\n", -1 < s.b);
    printf("%d\n", s.d < 0);
    printf("%d\n", s.a - 2 < 0);
    printf("%d\n", s.b - 2 < 0);
    printf("%d\n", ~s.a);
    printf("%d\n", s.a << 30 > 0);
    printf("%d\n", (s.a ? s.d : s.d) == -1);
    s.c = ~0ull;
    printf("%llx\n", (unsigned long long)s.c);
    return 0;
}
