// format.c, format_float.c and the writing half of stdio.c against glibc.

#include "compare.h"
#include <math.h>

OUR(printf); OUR(snprintf); OUR(sprintf); OUR(asprintf); OUR(puts); OUR(fputs); OUR(putchar); OUR(fwrite); OUR(fprintf);
OUR(free); OUR(sscanf); OUR(vsnprintf); OUR(dprintf);
extern FILE *our_stdout, *our_stderr, *our_stdin;
extern void our___raddle_emit_string(const char *, int, int, int);
extern int our___sprintf_chk(char *, int, size_t, const char *, ...);

static char theirs[1 << 14], ours[1 << 14];

// The arguments are evaluated twice.
#define BOTH(format, ...)                                                                                       \
    do {                                                                                                        \
        memset(ours, 1, sizeof ours);                                                                           \
        memset(theirs, 1, sizeof theirs);                                                                       \
        int room_ = below(4) ? 2000 : below(12);                                                                \
        int a_ = our_snprintf(ours, room_, format, __VA_ARGS__), b_ = snprintf(theirs, room_, format, __VA_ARGS__); \
        CHECK_FOR(a_ == b_, "%s: %d `%s`, glibc %d `%s`", format, a_, ours, b_, theirs);                        \
        CHECK_FOR(!memcmp(ours, theirs, sizeof ours), "%s: `%s`, glibc `%s`", format, ours, theirs);            \
    } while (0)

static void random_directive(char *to, const char *length, const char *conversions) {
    *to++ = '%';
    for (int i = below(4); i > 0; i--)
        *to++ = "-+ #0"[below(5)];
    if (below(2))
        to += sprintf(to, "%d", 1 + below(30));
    if (below(2))
        to += below(5) ? sprintf(to, ".%d", below(below(4) ? 8 : 40)) : sprintf(to, ".");
    to += sprintf(to, "%s", length);
    *to++ = conversions[below(strlen(conversions))];
    *to = 0;
}

static long long random_integer(void) {
    switch (below(4)) {
    case 0: return below(20) - 10;
    case 1: return 0;
    case 2: return any() >> below(64);
    default: return -(long long)(any() >> below(64));
    }
}

static void integers(void) {
    char format[64];
    long long value = random_integer();
    switch (below(8)) {
    case 0: random_directive(format, "", "diuoxX"); BOTH(format, (int)value); break;
    case 1: random_directive(format, "h", "diuoxX"); BOTH(format, (int)value); break;
    case 2: random_directive(format, "hh", "diuoxX"); BOTH(format, (int)value); break;
    case 3: random_directive(format, "l", "diuoxX"); BOTH(format, (long)value); break;
    case 4: random_directive(format, "ll", "diuoxX"); BOTH(format, value); break;
    case 5: random_directive(format, "j", "diuoxX"); BOTH(format, value); break;
    case 6: random_directive(format, "z", "diuoxX"); BOTH(format, (size_t)value); break;
    default: random_directive(format, "t", "diuoxX"); BOTH(format, (size_t)value); break;
    }
}

static void texts(void) {
    char format[64];
    const char *text = below(8) ? "a text with \xff bytes" + below(22) : 0;
    random_directive(format, "", "s");
    BOTH(format, text);
    random_directive(format, "", "c");
    int byte = below(300), number = any();
    BOTH(format, byte);
    random_directive(format, "", "p");
    void *pointer = (void *)(size_t)(below(3) ? any() : 0);
    BOTH(format, pointer);
    int width = below(40) - 20, precision = below(20) - 5;
    BOTH("%*.*s|", width, precision, text);
    BOTH("%0*d|%-*x|%%|%.*d", width, number, width, byte, precision, number);
    output_length = 0;
    our___raddle_emit_string(text, width, precision, 0);
    snprintf(theirs, sizeof theirs, "%*.*s", width, precision, text);
    CHECK(output_length == strlen(theirs) && !memcmp(output, theirs, output_length));
}

static double random_double(void) {
    union { unsigned long long bits; double value; } parts;
    switch (below(8)) {
    case 0: parts.bits = any(); return parts.value;
    case 1: return below(2000) / 8.0 - 100;
    case 2: return below(200000) / 1000.0 - 100;
    case 3: return (long long)(any() >> below(64));
    case 4: return ldexp(1 + below(16), below(2200) - 1120);
    case 5: return pow(10, below(640) - 325) * (below(2) ? 1 : 9.9999995);
    case 6: return (double[]){0.0, -0.0, INFINITY, -INFINITY, NAN, -NAN, 0.5, 1.5, 2.5, 0x1p-1074, 0x1.fffffffffffffp1023}[below(11)];
    default: return below(100) + 0.5;
    }
}

// Where glibc 2.36 forgets a zero: `%#.2g` of 99.9 is `1.0e+02`.
static int is_glibcs_mistake(const char *format, double value) {
    char last = format[strlen(format) - 1] | 32;
    if (last != 'g' || !strchr(format, '#'))
        return 0;
    const char *point = strchr(format, '.');
    int precision = point ? atoi(point + 1) : 6;
    char text[64];
    snprintf(text, sizeof text, "%.*e", precision ? precision - 1 : 0, value);
    return fabs(strtod(text, 0)) > fabs(value) && strspn(text, "-1.0") == strcspn(text, "e");
}

static void floats(void) {
    char format[64];
    double value = random_double();
    random_directive(format, below(9) ? "" : "l", "fFeEgGaA");
    if (is_glibcs_mistake(format, value))
        return;
    BOTH(format, value);
    if (!below(50)) {
        BOTH("%.1100f", value);
        BOTH("%.800e", value);
        BOTH("%.900g", value);
    }
}

static int scanned[2];

static void scans(void) {
    static const char *directives[] = {"%d", "%i", "%u", "%o", "%x", "%hd", "%hhu", "%ld", "%lld", "%zu", "%3d", "%2x", "%*d",
                                       "%c", "%2c", "%s", "%3s", "%*s", "%[a-f0]", "%[^ a]", "%2[]x]", "%n", "%%", "%f",
                                       "%lf", " ", "a", ","};
    static const char *inputs[] = {"1", "-23", "+4", "0x1f", "077", "99999999999", "99999999999999999999", " ", "\t", "a",
                                   "abc", ",", "%", "1.5", "-2e3", ".", "-", "zz", "]x", ""};
    char format[64] = "", input[128] = "";
    for (int i = 1 + below(4); i > 0; i--)
        strcat(format, directives[below(28)]);
    for (int i = below(6); i > 0; i--)
        strcat(input, inputs[below(20)]);
    char a[4][64], b[4][64];
    memset(a, 5, sizeof a);
    memset(b, 5, sizeof b);
    int ours_result;
    int how = GUARDED(ours_result = our_sscanf(input, format, a[0], a[1], a[2], a[3]));
    scanned[how]++;
    if (how != RETURNED)
        return;
    int theirs_result = sscanf(input, format, b[0], b[1], b[2], b[3]);
    CHECK_FOR(ours_result == theirs_result && !memcmp(a, b, sizeof a), "sscanf `%s` `%s`: %d, %d", input, format, ours_result,
              theirs_result);
}

static void streams(void) {
    int at, at_too;
    output_length = 0;
    CHECK(our_printf("%d %s%n %c%c%f\n", 42, "text", &at, 'x', 0, 1.5) == 19);
    CHECK(snprintf(theirs, 99, "%d %s%n %c%c%f\n", 42, "text", &at_too, 'x', 0, 1.5) == 19 && at == at_too);
    CHECK(output_length == 19 && !memcmp(output, theirs, 19));
    output_length = 0;
    CHECK(our_fprintf(our_stderr, "%d", 12345) == 5 && output_length == 0);
    CHECK(our_fprintf(our_stdout, "%d", 12345) == 5 && output_length == 5);
    CHECK(our_dprintf(1, "%d", 67) == 2 && output_length == 7);
    CHECK(our_puts("89") == 3 && our_fputs("ab", our_stdout) == 1 && our_putchar('c') == 'c');
    CHECK(our_fwrite("defg", 2, 2, our_stdout) == 2);
    CHECK(output_length == 17 && !memcmp(output, "123456789\nabcdefg" + 0, 17));
    CHECK(GUARDED(our_fprintf(our_stdin, "text")) == UNSUPPORTED);
    CHECK(our_sprintf(ours, "%hhd%n", 300, &at) == 2 && at == 2 && !strcmp(ours, "44"));
    char *text;
    CHECK(our_asprintf(&text, "%s-%d", "a", 7) == 3 && !strcmp(text, "a-7"));
    our_free(text);
    CHECK(our___sprintf_chk(ours, 1, 4, "%d", 123) == 3 && !strcmp(ours, "123"));
    CHECK(GUARDED(our___sprintf_chk(ours, 1, 4, "%d", 1234)) == ABORTED);
    CHECK(GUARDED(our_snprintf(ours, 9, "%2$d %1$d", 1, 2)) == UNSUPPORTED);
    CHECK(GUARDED(our_snprintf(ours, 9, "%Lf", 1.0l)) == UNSUPPORTED);
    CHECK(GUARDED(our_snprintf(ours, 9, "%")) == UNSUPPORTED);
}

int main(void) {
    streams();
    for (int i = 0; i < 8000; i++) {
        integers();
        texts();
        floats();
        scans();
    }
    CHECK(scanned[UNSUPPORTED] * 5 < scanned[RETURNED]);
}
