int printf(const char *, ...);
static const char *p;
static int expression(void);
static int number(void) {
    int n = 0;
    while (*p >= '0' && *p <= '9')
        n = n * 10 + (*p++ - '0');
    return n;
}
static int primary(void) {
    if (*p == '(') {
        p++;
        int v = expression();
        p++;
        return v;
    }
    if (*p == '-') {
        p++;
        return -primary();
    }
    return number();
}
static int term(void) {
    int v = primary();
    while (*p == '*' || *p == '/') {
        char op = *p++;
        int w = primary();
        v = op == '*' ? v * w : v / w;
    }
    return v;
}
static int expression(void) {
    int v = term();
    while (*p == '+' || *p == '-')
        v = *p++ == '+' ? v + term() : v - term();
    return v;
}
int main(void) {
    const char *tests[] = {"1+2*3", "(1+2)*3", "10-4-3", "2*(3+4)*5", "-5+10/3", "((((7))))"};
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
        p = tests[i];
        int v = expression();
        printf("%s = %d\n", tests[i], v);
    }
    return 0;
}
