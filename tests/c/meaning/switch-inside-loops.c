int printf(const char *, ...);
int main(void) {
    int state = 0;
    for (const char *p = "ab1c23 d"; *p; p++) {
        switch (state) {
        case 0:
            if (*p >= '0' && *p <= '9') {
                state = 1;
                continue;
            }
            printf("%c", *p);
            break;
        case 1:
            switch (*p) {
            case ' ':
                state = 0;
                break;
            case '2':
                printf("<two>");
                break;
            default:
                printf("(%c)", *p);
            }
            break;
        }
    }
    printf("\n");
    int i = 0;
    while (1) {
        switch (i++) {
        case 3:
            goto out;
        case 1:
            continue;
        }
        printf("%d ", i);
    }
out:
    printf("out %d\n", i);
    return 0;
}
