//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `a` ended with its block (C11 6.2.4p6), `p` is read after it; gcc -fsanitize=address reports stack-use-after-scope
int main(void) {
    int *p;
    {
        int a = 1;
        p = &a;
    }
    return *p;
}
