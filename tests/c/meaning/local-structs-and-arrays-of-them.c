int printf(const char *, ...);
int main(void) {
    struct Point { int x, y; } ps[] = {{3, 1}, {1, 2}, {2, 0}};
    int n = sizeof ps / sizeof *ps;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (ps[j].x < ps[i].x) {
                struct Point t = ps[i];
                ps[i] = ps[j];
                ps[j] = t;
            }
    for (struct Point *p = ps; p < ps + n; p++)
        printf("(%d,%d) ", p->x, p->y);
    printf("\n");
    struct { struct Point a[2]; const char *name; } shapes[2] = {{{{0, 0}, {1, 1}}, "line"}, {.name = "none"}};
    printf("%s %d %s %d\n", shapes[0].name, shapes[0].a[1].y, shapes[1].name, shapes[1].a[0].x);
    union { struct Point p; long long whole; } u = {{1, 2}};
    printf("%llx\n", u.whole);
    return 0;
}
