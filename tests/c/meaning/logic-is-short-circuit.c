int printf(const char *, ...);
static int say(const char *who, int value) {
    printf("%s ", who);
    return value;
}
int main(void) {
    printf("= %d\n", say("a", 0) && say("b", 1));
    printf("= %d\n", say("a", 2) && say("b", 3));
    printf("= %d\n", say("a", 0) || say("b", 0));
    printf("= %d\n", say("a", 5) || say("b", 1));
    printf("= %d\n", say("a", 1) && say("b", 0) || say("c", 1));
    printf("= %d\n", !say("a", 1) || !say("b", 7));
    int i = 0;
    0 && i++;
    1 && i++;
    0 || i++;
    1 || i++;
    printf("%d\n", i);
    char *p = 0;
    printf("%d\n", p && *p);
    printf("%d\n", 0.5 && 0.1f);
    return 0;
}
