#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void twice(const char *format, ...) {
    va_list *lists[2] = {malloc(sizeof(va_list)), malloc(sizeof(va_list))}, **next = lists;
    va_start(*lists[0], format);
    va_copy(*lists[1], *lists[0]);
    vprintf(format, **next);
    va_end(**next++);
    vprintf(format, **next);
    va_end(**next);
    printf("%d\n", (int)(next - lists));
    free(lists[0]);
    free(lists[1]);
}

int main(void) {
    twice("%s %d %f\n", "text", 7, 0.5);
}
