//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   a compound literal lives as long as the block around it (C11 6.5.2.5p5); gcc -fsanitize=address reports stack-use-after-scope
struct point { int x, y; };

int main(void) {
    struct point *p;
    int i = 1;
    if (i)
        p = &(struct point){i, 2};
    else
        p = &(struct point){2, i};
    return p->x;
}
