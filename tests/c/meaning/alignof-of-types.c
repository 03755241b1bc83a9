int printf(const char *, ...);
struct S { char c; long long q; };
struct P { char c; int i; } __attribute__((packed));
struct A { char c; } __attribute__((aligned(16)));
int main(void) {
    printf("%d %d %d %d\n", (int)_Alignof(int), (int)_Alignof(long), (int)_Alignof(long long), (int)_Alignof(double));
    printf("%d %d %d\n", (int)_Alignof(struct S), (int)_Alignof(struct P), (int)_Alignof(struct A));
    printf("%d %d %d\n", (int)sizeof(struct S), (int)sizeof(struct P), (int)sizeof(struct A));
    printf("%d %d\n", (int)_Alignof(int[5]), (int)_Alignof(void *));
    _Alignas(32) char c[3];
    printf("%d\n", (int)((unsigned long)c % 32));
    _Alignas(double) char e;
    printf("%d\n", (int)((unsigned long)&e % _Alignof(double)));
    printf("%d\n", (int)__alignof__(c));
    return 0;
}
