int printf(const char *, ...);
struct B { unsigned a : 4; int b : 4; _Bool c : 1; };
int main(void) {
    struct B s = {0};
    int x = s.a = 0x1f;
    int y = s.b = 0x1f;
    int z = s.c = 8;
    printf("%d %d %d\n", x, y, z);
    x = s.a += 3;
    y = s.b -= 9;
    printf("%d %d\n", x, y);
    x = s.a++;
    y = ++s.a;
    printf("%d %d %d\n", x, y, s.a);
    s.a = 15;
    x = s.a++;
    printf("%d %d\n", x, s.a);
    s.b = 7;
    x = ++s.b;
    printf("%d %d\n", x, s.b);
    s.a = 0;
    x = s.a--;
    printf("%d %d\n", x, s.a);
    s.a <<= 1;
    s.a |= 1;
    printf("%d\n", s.a);
    return 0;
}
