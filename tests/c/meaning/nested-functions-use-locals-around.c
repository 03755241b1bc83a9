// Nested functions of GNU C: locals and parameters of the functions around, recursion, siblings, two levels, addresses
// that are passed down, arrays of variable length, loops that begin anew.
#include <stdio.h>
#include <stdlib.h>

static int apply(int (*f)(int), int times, int value) {
    while (times-- > 0)
        value = f(value);
    return value;
}

static int sum_of_squares(int n) {
    int total = 0, calls = 0;
    void add(int k) {
        total += k * k;
        calls++;
        if (k > 1)
            add(k - 1);
    }
    add(n);
    return total * 100 + calls;
}

static int two_levels(int a) {
    int b = 2;
    int outer(int c) {
        int d = 4;
        int inner(int e) {
            a++;
            b += c;
            d--;
            return a * 1000 + b * 100 + d * 10 + e;
        }
        int first = inner(1), second = inner(2);
        return first + second + d;
    }
    int result = outer(3);
    return result + a + b;
}

static int parity(int n) {
    int steps = 0;
    auto int odd(int k);
    int even(int k) {
        steps++;
        return k == 0 ? 1 : odd(k - 1);
    }
    int odd(int k) {
        steps++;
        return k == 0 ? 0 : even(k - 1);
    }
    return even(n) * 100 + steps;
}

static void sort_by_distance(int *numbers, int count, int center) {
    int compare(const void *left, const void *right) {
        int a = abs(*(const int *)left - center), b = abs(*(const int *)right - center);
        return a != b ? a - b : *(const int *)left - *(const int *)right;
    }
    qsort(numbers, count, sizeof *numbers, compare);
}

static int deep(int n, int (*below)(int)) {
    int own = n;
    int here(int x) {
        own += x;
        return own + (below ? below(x) : 0);
    }
    return n == 0 ? here(1) : deep(n - 1, here);
}

static int variable_length(int n) {
    int numbers[n][2];
    int total(void) {
        int sum = 0;
        for (int i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
            sum += numbers[i][0] * 10 + numbers[i][1];
        return sum;
    }
    for (int i = 0; i < n; i++) {
        numbers[i][0] = i;
        numbers[i][1] = n - i;
    }
    return total();
}

static int rounds(void) {
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        int twice = i * 2;
        int get(int x) { return twice + x; }
        seen = seen * 10 + apply(get, 2, 1);
    }
    switch (seen) {
        int hidden;
    case 0:
        seen = -1;
        break;
    default:
        hidden = seen;
        int change(void) { return hidden += 5; }
        seen = change();
    }
    return seen;
}

struct pair { int x; double y; };

static struct pair swapped(struct pair given) {
    struct pair turn(void) { return (struct pair){ (int)given.y, given.x }; }
    struct pair (*pointer)(void) = turn;
    given.x += 10;
    return pointer();
}

int main(void) {
    int numbers[] = { 9, 4, 7, 1, 6, 3 };
    int doubled = 0;
    int twice(int x) {
        doubled++;
        return 2 * x;
    }
    printf("%d %d %d\n", sum_of_squares(4), two_levels(1), parity(7));
    printf("%d %d\n", apply(twice, 5, 3), doubled);
    sort_by_distance(numbers, 6, 5);
    for (int i = 0; i < 6; i++)
        printf("%d ", numbers[i]);
    printf("\n%d %d %d\n", deep(3, 0), variable_length(4), rounds());
    struct pair pair = swapped((struct pair){ 3, 4.5 });
    printf("%d %.1f\n", pair.x, pair.y);
    return 0;
}
