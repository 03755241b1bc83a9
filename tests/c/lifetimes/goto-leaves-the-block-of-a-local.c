//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `goto` leaves the block of `a` as falling out of it does (C11 6.2.4p6); gcc -fsanitize=address reports stack-use-after-scope
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int a = i;
        p = &a;
        if (i == 0)
            goto out;
    }
out:
    return *p;
}
