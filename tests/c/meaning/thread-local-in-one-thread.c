int printf(const char *, ...);
_Thread_local int a = 3;
static __thread int b[2] = {4, 5};
__thread char *s = "tls";
extern __thread int later;
static int *where(void) {
    static _Thread_local int c = 6;
    c++;
    return &c;
}
int main(void) {
    a += b[1];
    printf("%d %s %d\n", a, s, later);
    printf("%d ", *where());
    printf("%d\n", *where());
    int *p = &a;
    *p = 10;
    printf("%d %d\n", a, p == &a);
    return 0;
}
__thread int later = 8;
