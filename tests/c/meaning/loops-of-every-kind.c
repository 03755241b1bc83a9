int printf(const char *, ...);
int main(void) {
    int i = 0;
    while (i < 3)
        printf("%d ", i++);
    do
        printf("%d ", i--);
    while (i > 0);
    for (;;) {
        if (++i == 3)
            continue;
        if (i > 5)
            break;
        printf("%d ", i);
    }
    printf("\n");
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            if (b == a)
                break;
            printf("%d%d ", a, b);
        }
    }
    printf("\n");
    do {
        if (i)
            continue;
        printf("never\n");
    } while (0);
    for (i = 10; i --> 0;)
        if (i % 3)
            continue;
        else
            printf("%d ", i);
    printf("\n");
    for (unsigned u = 3; u < 4; u--)
        printf("%u ", u);
    printf("\n");
    return 0;
}
