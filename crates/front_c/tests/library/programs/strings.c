#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int value) {
    return (value > 0) - (value < 0);
}

static int by_length(const void *a, const void *b) {
    return (int)strlen(*(char *const *)a) - (int)strlen(*(char *const *)b);
}

int main(void) {
    char buffer[32] = "one";
    printf("%zu %zu\n", strlen(buffer), strnlen(buffer, 2));
    printf("%s\n", strcpy(buffer, "two"));
    printf("%s\n", strncat(strcat(buffer, "+"), "three", 3));
    printf("%d %d %d\n", sign(strcmp("a", "b")), sign(strncmp("abc", "abd", 2)), sign(strcasecmp("AbC", "aBd")));
    printf("%s %s %s\n", strchr("a.b.c", '.'), strrchr("a.b.c", '.'), strstr("haystack", "st"));
    printf("%s %d\n", strpbrk("find;it,", ",;"), strchr("none", 'x') == NULL);
    printf("%zu %zu\n", strspn("aabbcc", "ab"), strcspn("aabbcc", "c"));
    char list[] = ",a,,b;c,";
    for (char *part = strtok(list, ",;"); part; part = strtok(NULL, ",;"))
        printf("<%s>", part);
    char fields[] = "x::y";
    char *rest = fields;
    for (char *part; (part = strsep(&rest, ":"));)
        printf("[%s]", part);
    putchar('\n');
    memset(buffer, 'z', 5);
    printf("%s %d\n", buffer, memcmp("same", "same", 4));
    printf("%s\n", (char *)memchr("memory", 'o', 6));
    printf("%d %d %d\n", ffs(0), ffs(40), ffsll(1LL << 40));
    for (const char *place = "aZ5 _\n"; *place; place++)
        printf("%d%d%d%d%d%d %c%c;", !!isalpha(*place), !!isdigit(*place), !!isspace(*place), !!ispunct(*place),
               !!isalnum(*place), !!isxdigit(*place), toupper(*place) > 31 ? toupper(*place) : '.',
               tolower(*place) > 31 ? tolower(*place) : '.');
    putchar('\n');
    const char *words[] = {"four", "to", "one", "a", "by", "three"};
    qsort(words, 6, sizeof *words, by_length);
    for (int i = 0; i < 6; i++)
        printf("%s ", words[i]);
    const char *key = "xyz";
    const char **found = bsearch(&key, words, 6, sizeof *words, by_length);
    printf("-> %s\n", *found);
    printf("%s, %s\n", strerror(0), strerror(12));
    return 3;
}
