int printf(const char *, ...);
struct Machine;
typedef void State(struct Machine *, char);
struct Machine { State *state; int words, letters; };
static State outside, inside;
static void outside(struct Machine *m, char c) {
    if (c != ' ') {
        m->words++;
        m->letters++;
        m->state = inside;
    }
}
static void inside(struct Machine *m, char c) {
    if (c == ' ')
        m->state = &outside;
    else
        m->letters++;
}
int main(void) {
    struct Machine m = {outside};
    for (const char *s = "  the cat  sat on the  mat "; *s; s++)
        m.state(&m, *s);
    printf("%d %d\n", m.words, m.letters);
    printf("%d\n", m.state == outside);
    return 0;
}
