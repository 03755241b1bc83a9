int printf(const char *, ...);
struct S { char c; int i; double d; };
union U { char c[5]; short s; };
int main(void) {
    printf("%d %d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int), (int)sizeof(long),
           (int)sizeof(long long), (int)sizeof(void *));
    printf("%d %d %d %d\n", (int)sizeof(float), (int)sizeof(double), (int)sizeof(_Bool), (int)sizeof(enum {A}));
    printf("%d %d\n", (int)sizeof(struct S), (int)sizeof(union U));
    int a[7], n = 0;
    printf("%d %d %d\n", (int)sizeof a, (int)sizeof a[0], (int)sizeof &a);
    printf("%d %d\n", (int)sizeof "hello", (int)sizeof(char *));
    printf("%d\n", (int)sizeof(n++));
    printf("%d\n", n);
    printf("%d %d\n", (int)sizeof(a + 1), (int)sizeof(*a + 1ll));
    printf("%d %d\n", (int)sizeof(int[3][4]), (int)sizeof(int (*)[4]));
    printf("%d %d\n", (int)sizeof(1.0f + 1), (int)sizeof(1.0f + 1.0));
    printf("%d %d\n", (int)_Alignof(char), (int)_Alignof(short));
    printf("%d\n", (int)sizeof(void));
    return 0;
}
