//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   a compound literal with a const-qualified type is an object that is defined `const` (C11 6.5.2.5p12, 6.7.3p6)
int main(void) {
    for (int i = 0; i < 2; i++) {
        int *p = (int *)(const int[]){ 1, 2 };
        if (i == 1)
            p[1] = 3;
    }
    return 0;
}
