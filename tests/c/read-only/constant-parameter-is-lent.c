//@ truth: memory=safe
//@ options: --property memory
//@ why:   the constant parameter gets its value from the call, and is only read afterwards
static int look(const int *p) { return *p; }

static int twice(const int n) { return look(&n) + n; }

int main(void) { return twice(2) != 4 || twice(3) != 6; }
