int printf(const char *, ...);
int main(void) {
    int a = 2, b = 3, c = 4, *p = &a;
    printf("%d %d\n", a + b * c, (a + b) * c);
    printf("%d %d\n", a << b + 1, (a << b) + 1);
    printf("%d %d\n", a & b == 3, (a & b) == 3);
    printf("%d %d\n", a | b ^ c & 6, a || b && 0);
    printf("%d %d\n", -a * b, - -a);
    printf("%d\n", !a == 0);
    printf("%d\n", ~a + 1);
    printf("%d\n", a < b == 1);
    printf("%d\n", a > b ? b : c ? a : b);
    printf("%d\n", *p * *p);
    printf("%d\n", c - b - a);
    printf("%d\n", c / b * a);
    printf("%d\n", (a = b, c));
    printf("%d\n", (int)sizeof a * 2);
    printf("%d\n", (int)sizeof(a) + 1);
    printf("%d\n", (char)a + 300);
    printf("%d\n", a+++b);
    printf("%d\n", a - -b);
    printf("%d\n", 1 < 2 < 3);
    printf("%d\n", 3 > 2 > 1);
    int arr[3] = {1, 2, 3}, *q = arr;
    printf("%d ", *q++);
    printf("%d ", (*q)++);
    printf("%d\n", *q);
    return 0;
}
