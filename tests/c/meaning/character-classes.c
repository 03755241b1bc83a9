#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    const char *s = "aZ5 _\n.";
    for (; *s; s++)
        printf("%d%d%d%d%d%d%d ", !!isalpha(*s), !!isdigit(*s), !!isspace(*s), !!isupper(*s), !!islower(*s),
               !!isalnum(*s), !!ispunct(*s));
    printf("\n%c%c%c\n", toupper('q'), tolower('Q'), toupper('1'));
    printf("%d %d %d\n", atoi("42"), atoi("-17xyz"), atoi("  8"));
    printf("%d %ld\n", abs(-5), labs(-6l));
    return 0;
}
