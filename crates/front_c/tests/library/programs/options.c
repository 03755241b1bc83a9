#define _GNU_SOURCE
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int flag;
static struct option options[] = {
    {"verbose", 0, 0, 'v'}, {"number", 1, 0, 'n'},  {"color", 2, 0, 'c'}, {"colour", 2, 0, 'c'},
    {"flag", 0, &flag, 7},  {"verify", 0, 0, 'y'}, {0, 0, 0, 0},
};

enum kind { SHORT, LONG, LONG_ONLY };

static void show(enum kind kind, const char *text, int count, ...) {
    char room[12][16];
    char *words[13];
    va_list arguments;
    va_start(arguments, count);
    strcpy(room[0], "program");
    words[0] = room[0];
    for (int i = 1; i <= count; i++)
        words[i] = strcpy(room[i], va_arg(arguments, char *));
    words[count + 1] = NULL;
    va_end(arguments);
    optind = 0;
    opterr = 0;
    for (;;) {
        int found, place = -1;
        switch (kind) {
        case SHORT:
            found = getopt(count + 1, words, text);
            break;
        case LONG:
            found = getopt_long(count + 1, words, text, options, &place);
            break;
        default:
            found = getopt_long_only(count + 1, words, text, options, &place);
        }
        if (found == -1)
            break;
        int wrong = found == '?' || found == ':' ? optopt : 0;
        printf("%d %s %d %d %d %d\n", found, optarg ? optarg : "-", optind, wrong, place, flag);
    }
    printf("end %d:", optind);
    for (int i = 0; i <= count; i++)
        printf(" %s", words[i]);
    printf("\n");
}

int main(void) {
    show(SHORT, "ab:c::", 5, "-a", "-b", "x", "-cfoo", "y");
    show(SHORT, "ab:c::", 6, "x", "-ab", "q", "y", "-c", "z");
    show(SHORT, ":ab:", 3, "w", "-z", "-b");
    show(SHORT, "ab:", 2, "-z", "-b");
    show(SHORT, "+ab:", 4, "-a", "x", "-b", "1");
    show(SHORT, "-ab:", 4, "-a", "x", "-b", "1");
    show(SHORT, "ab:", 6, "x", "-a", "--", "-b", "1", "y");
    show(SHORT, "ab:", 3, "-", "x", "-a");
    show(SHORT, "ab", 5, "x", "y", "-ab", "z", "-a");
    show(SHORT, "a", 0);
    show(LONG, "vn:", 7, "--verbose", "x", "--num=4", "--number", "5", "--ver", "-vn6");
    show(LONG, "vn:", 6, "--color", "--colour=red", "--col", "--flag", "--nope", "--verbose=3");
    show(LONG, ":n:", 2, "x", "--number");
    show(LONG_ONLY, "vn:", 5, "-verbose", "-number", "3", "-v", "-n4");
    show(LONG_ONLY, "vn:", 4, "-vn", "3", "-x", "y");
    return 0;
}
