//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the function around has returned when its nested function is called and looks at its local
static int (*kept)(int);

static void keep(int base) {
    int sum(int more) { return base + more; }
    kept = sum;
}

int main(void) {
    keep(3);
    return kept(4) == 7;
}
