//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   computed by hand, and by gcc
# 1 "much-of-it.c"
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);
extern int printf(const char *, ...);
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((__noreturn__));
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
# 20 "much-of-it.c"
enum colour { red, green = 5, blue };
struct point {
    int x, y;
    struct point *next;
};
struct flags {
    unsigned low : 3, : 2, high : 7;
    signed char sign : 4;
};
union number {
    float f;
    unsigned bits;
    unsigned char bytes[4];
};
typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static const operation operations[] = {[1] = multiply, [0] = add};
static struct point origin = {.y = 2, .x = 1}, others[3] = {[0 ... 1] = {7, 8}};
static _Thread_local int own;
static _Atomic int shared;
static const char text[] = "one\ttwo" "\x41\101";

static int sum(int count, ...) {
    __builtin_va_list list;
    int total = 0;
    __builtin_va_start(list, count);
    while (count-- > 0)
        total += __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return total;
}

static int classify(int value) {
    switch (value) {
    case 0:
        return 'z';
    case 1 ... 9:
        value *= 2;
        break;
    default:
        goto out;
    }
    return value;
out:
    return -1;
}

static int factorial(int n) { return n <= 1 ?: n * factorial(n - 1); }

static void *work(void *argument) {
    own = 3;
    __atomic_fetch_add(&shared, own, 5);
    return argument;
}

static void check(int is_right, unsigned line) {
    if (!is_right)
        __assert_fail("is_right", "much-of-it.c", line, "check");
}

int main(void) {
    pthread_t thread;
    void *result;
    struct flags flags = {.low = 9, .high = 100, .sign = -3};
    union number number = {.f = 1.5f};
    int length = 4, squares[length];
    struct point *list = 0;
    for (int i = 0; i < length; i++)
        squares[i] = ({ int square = i * i; square; });
    for (unsigned char i = 0; i < 3; ++i) {
        struct point *node = malloc(sizeof *node);
        if (!node)
            return 1;
        *node = (struct point){i, -i, list};
        list = node;
    }
    int total = 0;
    do {
        struct point *next = list->next;
        total += list->x - list->y;
        free(list);
        list = next;
    } while (list);
    check(total == 6, 100);
    check(flags.low == 1 && flags.high == 100 && flags.sign == -3, 101);
    check(number.bits == 0x3fc00000u && number.bytes[3] == 63, 102);
    check(squares[3] == 9 && sizeof squares == 16, 103);
    check(operations[green == 5](3, 4) == 12 && operations[0](3, 4) == 7, 104);
    check(origin.x + origin.y == 3 && others[1].y == 8 && others[2].x == 0, 105);
    check(sum(3, 1, 20, 300) == 321, 106);
    check(classify(0) == 'z' && classify(9) == 18 && classify(10) == -1, 107);
    check(factorial(5) == 120, 108);
    check(text[3] == '\t' && text[7] == 'A' && sizeof text == 10, 109);
    check((signed char)200 == -56 && (unsigned char)-1 == 255 && -7 / 2 == -3 && -7 % 2 == -1, 110);
    check((1u << 31) >> 31 == 1 && -8 >> 1 == -4 && (0xf0 ^ 0xff) == 15, 111);
    check((int)(2.75 * 4) == 11 && 7 / 2.0 > 3.4, 112);
    check(_Generic(1L, int: 1, long: 2, default: 3) == 2, 113);
    pthread_create(&thread, 0, work, &total);
    pthread_join(thread, &result);
    check(result == &total && own == 0 && shared == 3, 114);
    printf("%d %s %5.2f %x\n", total, text, 1.5, 255u);
    return blue - 6;
}
