//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   a parameter is an object of its declared type (C11 6.9.1p9), here `const int`, so the write is undefined (6.7.3p6); gcc lets it through
static int twice(const int n) {
    int *p = (int *)&n;
    *p += n;
    return n;
}

int main(void) { return twice(2) != 4; }
