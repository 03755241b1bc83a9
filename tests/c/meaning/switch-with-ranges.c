int printf(const char *, ...);
static const char *kind(int c) {
    switch (c) {
    case '0' ... '9':
        return "digit";
    case 'a' ... 'f':
    case 'A' ... 'F':
        return "hex";
    case 'g' ... 'z':
        return "letter";
    case -100 ... -1:
        return "negative";
    case 1000000 ... 2000000:
        return "many";
    default:
        return "other";
    }
}
int main(void) {
    int v[] = {'0', '5', '9', 'a', 'F', 'g', 'z', 'G', -1, -100, -101, 1000000, 1500000, 2000001};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%s ", kind(v[i]));
    printf("\n");
    return 0;
}
