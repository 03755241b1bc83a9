int printf(const char *, ...);
int main(void) {
    printf("%d %d %d %d\n", 'a', '\n', '\t', '\0');
    printf("%d %d %d %d\n", '\\', '\'', '"', '\?');
    printf("%d %d %d %d %d\n", '\a', '\b', '\f', '\r', '\v');
    printf("%d %d %d\n", '\x41', '\101', '\7');
    printf("%d %d\n", '\xff', '\377');
    printf("%d\n", '\e');
    printf("%d\n", (int)sizeof 'a');
    printf("%d\n", 'ab');
    printf("%d %d\n", L'a', (int)sizeof L'a');
    printf("%d\n", L'\x1234');
    printf("%d %d\n", u'\xffff', (int)sizeof u'a');
    printf("%u\n", (unsigned)U'\U0001F600');
    return 0;
}
