//@ truth: memory=safe
//@ options: --property memory
//@ why:   a compound literal without `const` may be written (C11 6.5.2.5p12)
int main(void) {
    for (int i = 0; i < 2; i++) {
        int *p = (int[]){ 1, 2 };
        if (i == 1)
            p[1] = 3;
    }
    return 0;
}
