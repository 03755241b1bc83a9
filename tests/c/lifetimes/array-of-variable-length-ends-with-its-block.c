//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   an array of variable length lives from its declaration to the end of its scope (C11 6.2.4p7)
int main(void) {
    int *p = 0;
    for (int n = 1; n < 3; n++) {
        int a[n];
        if (p)
            return *p;
        a[0] = n;
        p = a;
    }
    return 0;
}
