//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   to modify an object that is defined `const` is undefined, on the stack too (C11 6.7.3p6); gcc -O2 returns 3, gcc -O0 returns 4
static void set(int *p) { *p = 4; }

int main(void) {
    const int limit = 3;
    set((int *)&limit);
    return limit;
}
