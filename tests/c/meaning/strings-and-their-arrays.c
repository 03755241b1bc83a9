int printf(const char *, ...);
char g[] = "global";
char *p = "pointer";
const char *list[] = {"a", "bc", "def"};
int main(void) {
    char s[] = "hello";
    s[0] = 'J';
    printf("%s %s %s\n", s, g, p);
    printf("%d %d %d\n", (int)sizeof s, (int)sizeof g, (int)sizeof p);
    char t[3] = "abc";
    printf("%c%c%c\n", t[0], t[1], t[2]);
    printf("%s%s%s\n", list[0], list[1], list[2]);
    printf("%s\n", "joined " "by " "the " "compiler");
    printf("%c %c\n", "abc"[1], *("xyz" + 2));
    printf("%d\n", (int)sizeof "a\0b");
    char u[] = "a\0b";
    printf("%d %d\n", u[2], u[3]);
    printf("%s\n", "\x41\102\t|");
    const char *q = "tail";
    while (*q)
        printf("%c.", *q++);
    printf("\n%d\n", "same"[4]);
    printf("%s\n", &"skip me"[5]);
    return 0;
}
