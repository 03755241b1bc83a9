int printf(const char *, ...);
typedef int aligned_int __attribute__((aligned(8)));
struct __attribute__((packed)) A { char c; int i; };
struct B { char c __attribute__((aligned(4))); int i; } __attribute__((unused));
enum __attribute__((packed)) E { E1, E2 = 200 };
int x __attribute__((section(".data"))) = 5, y __attribute__((unused));
int f(int) __attribute__((pure, warn_unused_result));
int __attribute__((noinline)) f(int a __attribute__((unused))) { return a + 1; }
static int g(void) __asm__("renamed");
static int g(void) { return 3; }
int main(void) {
    aligned_int a = 1;
    __extension__ struct A s = {1, 2};
    printf("%d %d %d\n", (int)sizeof(struct A), (int)sizeof(struct B), (int)sizeof(enum E));
    printf("%d %d %d\n", (int)__alignof__(a), s.i, x);
    printf("%d %d\n", f(4), g());
    switch (a) {
    case 1:
        printf("one ");
        __attribute__((fallthrough));
    default:
        printf("more\n");
    }
    int unused __attribute__((__unused__));
l:
    __attribute__((unused));
    printf("%d\n", __extension__(int) 5);
    return 0;
}
