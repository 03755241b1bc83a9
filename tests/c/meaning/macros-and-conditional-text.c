int printf(const char *, ...);
#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define LIST X(one, 1) X(two, 2) X(three, 3)
#define X(n, v) n = v,
enum { LIST };
#undef X
#define X(n, v) #n,
static const char *names[] = {LIST};
#undef X
#define VA(f, ...) printf(f, ##__VA_ARGS__)
#if defined(__GNUC__) && __GNUC__ >= 4
#define KIND "gnu"
#else
#define KIND "other"
#endif
int main(void) {
    int CAT(va, lue) = 5;
    printf("%s %s %d\n", STR(a + b), XSTR(KIND), value);
    printf("%d %s\n", three, names[1]);
    VA("none\n");
    VA("%d %d\n", 1, 2);
    printf("%d\n", __STDC__);
    printf("%d\n", (int)sizeof(__SIZE_TYPE__) == (int)sizeof(void *));
    return 0;
}
