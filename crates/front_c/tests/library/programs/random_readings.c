#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state = 1234567890123457ull;

static unsigned long long any(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int below(int limit) {
    return any() % limit;
}

static void random_string(char *to, int limit, const char *alphabet) {
    int length = below(limit);
    for (int i = 0; i < length; i++)
        to[i] = alphabet[below(strlen(alphabet))];
    to[length] = 0;
}

static int sign(int value) {
    return (value > 0) - (value < 0);
}

static void numbers(void) {
    char text[64], *end;
    random_string(text, 25, below(2) ? " -+0123456789" : "0xX123aFzZ-");
    int base = below(3) * 10;
    base = base == 20 ? 16 : base;
    errno = 0;
    printf("%ld ", strtol(text, &end, base));
    printf("%d %d ", (int)(end - text), errno);
    printf("%lu ", strtoul(text, &end, base));
    printf("%lld %llu\n", strtoll(text, NULL, base), strtoull(text, NULL, base));
    random_string(text, 12, "0123456789.e-");
    errno = 0;
    double value = strtod(text, &end);
    printf("%a %d %d ", value, (int)(end - text), errno);
    float single = strtof(text, NULL);
    printf("%a\n", single);
    int number = -1;
    unsigned hexadecimal = 1;
    char word[32] = "";
    random_string(text, 14, "12 ab,");
    int count = sscanf(text, "%d %x,%[a-b ]", &number, &hexadecimal, word);
    printf("`%s` %d %d %x %s\n", text, count, number, hexadecimal, word);
}

static void strings(void) {
    char a[16], b[16], room[64];
    random_string(a, 12, "abAB,");
    random_string(b, 5, "abAB,");
    int n = below(10);
    printf("%s %s %d: %zu %d %d %d %d ", a, b, n, strlen(a), sign(strcmp(a, b)), sign(strncmp(a, b, n)), sign(strcasecmp(a, b)),
           sign(memcmp(a, b, strlen(b))));
    char *found = strstr(a, b), *last = strrchr(a, 'b'), *any_of = strpbrk(a, b);
    printf("%d %d %d %zu %zu ", found ? (int)(found - a) : -1, last ? (int)(last - a) : -1, any_of ? (int)(any_of - a) : -1,
           strspn(a, b), strcspn(a, b));
    strcpy(room, b);
    strncat(room, a, n);
    memmove(room + 1, room, strlen(room) + 1);
    puts(room);
}

static void floats(void) {
    double x = (double)(long long)any() / (1ull << below(60)), y = (double)(1 + below(1000)) / 8;
    int exponent;
    double fraction = frexp(x, &exponent);
    printf("%a: %a %a %a %a %a %a %a %a %d\n", x, floor(x), ceil(x), round(x), rint(x), trunc(x), sqrt(fabs(x)), fmod(x, y), fraction,
           exponent);
}

int main(void) {
    for (int i = 0; i < 20; i++) {
        numbers();
        strings();
        floats();
    }
}
