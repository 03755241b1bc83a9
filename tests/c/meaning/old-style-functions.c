//@ options: -std=gnu89
int printf();
int add(a, b)
int a, b;
{
    return a + b;
}
double scale(x, n, c)
float x;
short n;
char c;
{
    return x * n + c;
}
first(s)
char *s;
{
    return s[0];
}
int none() { return 5; }
int array(v, n)
int v[];
{
    int s = 0;
    while (n--)
        s += v[n];
    return s;
}
int main() {
    int v[3];
    v[0] = 1, v[1] = 2, v[2] = 3;
    printf("%d\n", add(3, 4));
    printf("%g\n", scale(1.5, 4, 'a'));
    printf("%d %d\n", first("hello"), none());
    printf("%d\n", array(v, 3));
    return 0;
}
