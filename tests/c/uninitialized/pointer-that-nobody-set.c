//@ truth:   race=safe
//@ options: --property race
//@ expect:  reference race=unknown
//@ why:     nobody knows where it leads, and nobody asks whether it was set
static int shared;

int main(void) {
    int *where;
    if (shared)
        where = &shared;
    *where = 1;
    return 0;
}
