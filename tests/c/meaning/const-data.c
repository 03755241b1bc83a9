int printf(const char *, ...);
static const int primes[] = {2, 3, 5, 7, 11};
static const struct { const char *name; int value; } table[] = {{"one", 1}, {"two", 2}};
const double half = 0.5;
static const char *const words[2] = {"yes", "no"};
static const int *const end = primes + sizeof primes / sizeof *primes;
static int lookup(const char *n) {
    for (unsigned i = 0; i < 2; i++)
        if (table[i].name[0] == n[0])
            return table[i].value;
    return -1;
}
int main(void) {
    int s = 0;
    for (const int *p = primes; p < end; p++)
        s += *p;
    printf("%d %d %d %d\n", s, lookup("one"), lookup("two"), lookup("zwei"));
    printf("%g %s\n", half, words[1]);
    const int n = 3;
    const int *p = &n;
    printf("%d\n", *p * n);
    return 0;
}
