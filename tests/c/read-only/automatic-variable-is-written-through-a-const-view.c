//@ truth: memory=safe
//@ options: --property memory
//@ why:   the pointer is one to `const`, the object is not defined so: to cast that away and write is defined (C11 6.7.3p6 speaks of the object)
static void set(const int *p) { *(int *)p = 4; }

int main(void) {
    int limit = 3;
    set(&limit);
    return limit != 4;
}
