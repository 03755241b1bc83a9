int printf(const char *, ...);
union V { int i; double d; char s[12]; };
struct T { int kind; union V v; };
static union V make(int i) {
    union V v = {.i = i};
    return v;
}
static int get(union V v) { return v.i; }
static void show(struct T t) {
    if (t.kind == 0)
        printf("int %d\n", t.v.i);
    else if (t.kind == 1)
        printf("double %g\n", t.v.d);
    else
        printf("string %s\n", t.v.s);
}
int main(void) {
    printf("%d\n", get(make(42)));
    show((struct T){0, {.i = 7}});
    show((struct T){1, {.d = 2.5}});
    show((struct T){2, {.s = "hello"}});
    union V a = make(3), b;
    b = a;
    a.i = 4;
    printf("%d %d\n", a.i, b.i);
    printf("%d\n", make(9).i);
    return 0;
}
