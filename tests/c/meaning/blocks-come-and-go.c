/* Objects of blocks whose addresses get around, entered and left in every way. */
#include <stdio.h>
#include <stdlib.h>

struct pair { int a, b[2]; };

static int *kept;
static const struct pair *seen;

static int look(int *p) { kept = p; return *kept; }
static struct pair make(int n) { return (struct pair){n, {n + 1, n + 2}}; }
static int sum(struct pair p) { seen = &p; return seen->a + seen->b[0] + seen->b[1]; }

static int jumps(int n) {
    int result = 0;
    for (int i = 0; i < n; i++) {
        int a = i;
        if (i == 1)
            continue;
        if (i == 4)
            break;
        if (i == 3)
            goto inside;
        result += look(&a);
        switch (i) {
            int b;
        case 0:
            b = 10;
            result += look(&b);
            break;
        default: {
            int c = 100;
            result += look(&c);
        }
        }
        {
            int d;
        inside:
            d = 1000;
            result += look(&d);
        }
    }
    return result;
}

static int grown(int n) {
    int result = 0;
again:;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    result += look(&a[n - 1]);
    if (--n)
        goto again;
    return result;
}

static int computed(int n) {
    static const void *const targets[] = {&&first, &&second};
    int result = 0;
    while (n--) {
        int a = n;
        result += look(&a);
        goto *targets[n & 1];
    first: {
        int b;
        b = 10;
        result += look(&b);
        continue;
    }
    second:
        result += 100;
    }
    return result;
}

int main(void) {
    printf("%d %d %d\n", jumps(3), jumps(4), jumps(6));
    printf("%d %d\n", grown(4), computed(3));
    printf("%d %d\n", make(1).b[1], sum(make(2)));
    int *value = ({ static int s = 5; int local = 6; look(&local); &s; });
    printf("%d\n", *value);
    struct pair whole = ({ struct pair p = make(3); seen = &p; p; });
    printf("%d\n", sum(whole));
    for (int i = 0; i < 2; i++) {
        int **cells = malloc(2 * sizeof *cells);
        int x = i, y = i + 1;
        cells[0] = &x;
        cells[1] = &y;
        printf("%d\n", *cells[0] + *cells[1]);
        free(cells);
    }
    do {
        int z = look(&(int){7});
        printf("%d\n", z);
    } while (({ int done = 1; look(&done); }) != 1);
    return 0;
}
