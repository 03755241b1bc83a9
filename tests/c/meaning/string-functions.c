#include <stdio.h>
#include <string.h>
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
    char b[32];
    printf("%d %d\n", (int)strlen("hello"), (int)strlen(""));
    strcpy(b, "one");
    strcat(b, " two");
    printf("%s\n", b);
    strncpy(b, "abcdef", 3);
    printf("%s\n", b);
    memset(b, 'x', sizeof b);
    strncpy(b, "ab", 5);
    printf("%d %d %c\n", b[2], b[4], b[5]);
    b[5] = 0;
    strncat(b, "cdef", 2);
    printf("%s\n", b);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("x", "x"), sign(strcmp("ab", "a")));
    printf("%d %d\n", strncmp("abcd", "abxy", 2), sign(strncmp("abcd", "abxy", 3)));
    const char *s = "hello world";
    printf("%s %s %d\n", strchr(s, 'o'), strrchr(s, 'o'), strchr(s, 'z') == NULL);
    printf("%s %d\n", strstr(s, "wor"), strstr(s, "abc") == NULL);
    printf("%d %d\n", (int)strspn("aabbc", "ab"), (int)strcspn("hello", "l"));
    printf("%s\n", strpbrk("hello", "xyzl"));
    printf("%d\n", (int)(strchr(s, 0) - s));
    return 0;
}
