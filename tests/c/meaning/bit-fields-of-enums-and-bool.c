int printf(const char *, ...);
enum Colour { Red, Green, Blue, Many = 7 };
struct S { enum Colour c : 3; _Bool f : 1; unsigned : 4; enum Colour d : 8; };
int main(void) {
    struct S s = {Blue, 1, Many};
    printf("%d %d %d\n", s.c, s.f, s.d);
    s.f = 2;
    s.c = Many;
    s.d = 200;
    printf("%d %d %d\n", s.c, s.f, s.d);
    s.f = 0.5;
    printf("%d\n", s.f);
    s.f = 0;
    s.f--;
    printf("%d\n", s.f);
    return s.c == Many ? 0 : 1;
}
