int printf(const char *, ...);
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static unsigned long long fact(int n) { return n ? n * fact(n - 1) : 1; }
static int ack(int m, int n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}
static int odd(int n);
static int even(int n) { return n == 0 || odd(n - 1); }
static int odd(int n) { return n != 0 && even(n - 1); }
static void hanoi(int n, char a, char b, char c) {
    if (n) {
        hanoi(n - 1, a, c, b);
        printf("%c%c ", a, b);
        hanoi(n - 1, c, b, a);
    }
}
static int depth(int n) {
    int local[4] = {n, n + 1, n + 2, n + 3};
    return n == 0 ? 0 : local[3] - local[0] + depth(n - 1);
}
int main(void) {
    printf("%d %llu %d\n", fib(15), fact(20), ack(2, 3));
    printf("%d %d\n", even(10), odd(10));
    hanoi(3, 'a', 'b', 'c');
    printf("\n%d\n", depth(50));
    return 0;
}
