#include <stddef.h>
#include <stdio.h>
struct S { char a; short b; char c; int d; char e; long long f; char g; double h; char i[3]; void *p; };
struct N { char c; struct S s; int t[4]; };
union U { char c; int i[3]; };
int main(void) {
    printf("%d %d %d %d %d\n", (int)offsetof(struct S, a), (int)offsetof(struct S, b), (int)offsetof(struct S, c),
           (int)offsetof(struct S, d), (int)offsetof(struct S, e));
    printf("%d %d %d %d %d %d\n", (int)offsetof(struct S, f), (int)offsetof(struct S, g), (int)offsetof(struct S, h),
           (int)offsetof(struct S, i), (int)offsetof(struct S, p), (int)sizeof(struct S));
    printf("%d %d %d\n", (int)offsetof(struct N, s.d), (int)offsetof(struct N, t[2]), (int)offsetof(union U, i[1]));
    printf("%d\n", (int)__builtin_offsetof(struct N, s.i[2]));
    struct N n;
    printf("%d\n", (int)((char *)&n.s.h - (char *)&n) == (int)offsetof(struct N, s.h));
    printf("%d\n", (int)(long)&((struct N *)0)->t);
    return 0;
}
