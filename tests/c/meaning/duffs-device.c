int printf(const char *, ...);
static void copy(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *to++ = *from++;
        case 7:
            *to++ = *from++;
        case 6:
            *to++ = *from++;
        case 5:
            *to++ = *from++;
        case 4:
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}
int main(void) {
    char from[] = "the quick brown fox jumps", to[40];
    for (int n = 1; n <= 25; n += 4) {
        for (int i = 0; i < 40; i++)
            to[i] = 0;
        copy(to, from, n);
        printf("%s\n", to);
    }
    return 0;
}
