int printf(const char *, ...);
struct A { char a : 3; int : 0; char b : 3; };
struct B { char a : 3; char : 0; char b : 3; };
struct C { int a : 5; int : 3; int b : 5; };
struct D { short a : 5; long long : 0; short b : 5; };
struct E { int a : 17; int b : 17; };
union U { int a : 3; unsigned b : 9; };
int main(void) {
    printf("%d %d %d %d %d\n", (int)sizeof(struct A), (int)sizeof(struct B), (int)sizeof(struct C),
           (int)sizeof(struct D), (int)sizeof(struct E));
    union U u = {0};
    u.b = 261;
    printf("%d %d\n", u.a, (int)sizeof u);
    struct A a = {1, 2};
    unsigned char *p = (unsigned char *)&a;
    printf("%d %d\n", p[0] & 7, p[sizeof a - 1] & 7);
    struct E e = {65535, -65536};
    printf("%d %d\n", e.a, e.b);
    return 0;
}
