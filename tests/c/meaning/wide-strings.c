#include <stdio.h>
#include <stddef.h>
int main(void) {
    wchar_t w[] = L"hi\x20ac!";
    printf("%d %d\n", (int)(sizeof w / sizeof *w), (int)sizeof(wchar_t));
    for (int i = 0; w[i]; i++)
        printf("%x ", (unsigned)w[i]);
    printf("\n");
    const wchar_t *p = L"ab" L"cd";
    int n = 0;
    while (p[n])
        n++;
    printf("%d %c\n", n, (char)p[3]);
    unsigned short u[] = u"x\u00e9";
    printf("%x %x\n", u[1], (int)sizeof u);
    unsigned int v[] = U"\U0001F600";
    printf("%x %d\n", v[0], (int)sizeof v);
    char e[] = u8"\u00e9";
    printf("%x %x %d\n", (unsigned char)e[0], (unsigned char)e[1], (int)sizeof e);
    return 0;
}
