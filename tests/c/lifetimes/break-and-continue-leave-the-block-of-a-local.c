//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   `continue` ends the life of `a`, and in the next round `p` still points to it (C11 6.2.4p6); gcc -fsanitize=address reports stack-use-after-scope
int main(void) {
    int *p = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        if (p)
            sum += *p;
        int a = i;
        p = &a;
        if (i == 0)
            continue;
        p = 0;
        if (i == 1)
            break;
    }
    return sum;
}
