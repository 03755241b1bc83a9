//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   to modify an object that is defined `const` is undefined (C11 6.7.3p6); built with gcc, the program dies of SIGSEGV
static const int limit = 3;

static void set(int *p) { *p = 4; }

int main(void) {
    set((int *)&limit);
    return 0;
}
