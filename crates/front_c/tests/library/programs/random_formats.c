#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state = 88172645463325252ull;

static unsigned long long any(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int below(int limit) {
    return any() % limit;
}

static void directive(char *to, const char *length, const char *conversions) {
    *to++ = '%';
    for (int i = below(3); i > 0; i--)
        *to++ = "-+ #0"[below(5)];
    if (below(2))
        to += sprintf(to, "%d", 1 + below(20));
    if (below(2))
        to += sprintf(to, ".%d", below(12));
    strcpy(to, length);
    to += strlen(length);
    *to++ = conversions[below(strlen(conversions))];
    *to = 0;
}

int main(void) {
    char format[40], buffer[500];
    for (int i = 0; i < 50; i++) {
        long long value = (long long)any() >> below(64);
        union {
            unsigned long long bits;
            double value;
        } parts;
        switch (below(7)) {
        case 0: directive(format, "", "diuoxX"); sprintf(buffer, format, (int)value); break;
        case 1: directive(format, "hh", "diuoxX"); sprintf(buffer, format, (int)value); break;
        case 2: directive(format, "l", "diuoxX"); sprintf(buffer, format, (long)value); break;
        case 3: directive(format, "ll", "diuoxX"); sprintf(buffer, format, value); break;
        case 4: directive(format, "", "feEgaA"); sprintf(buffer, format, (double)value / (1 + below(1000))); break;
        case 5:
            // Not the smallest and largest, which take many steps.
            parts.bits = (any() & 0x800fffffffffffffull) | (923 + (unsigned long long)below(200)) << 52;
            directive(format, "", "feg");
            sprintf(buffer, format, parts.value);
            break;
        default: directive(format, "", "s"); sprintf(buffer, format, "some text");
        }
        printf("%s %s\n", format, buffer);
    }
}
