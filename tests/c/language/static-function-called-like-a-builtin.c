//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a static function is the program's own, whatever gcc knows under its name
extern void __assert_fail(const char *, const char *, unsigned, const char *);

static int abs(int x)
{
    return 42;
}

int main(void)
{
    if (abs(-5) != 42)
        __assert_fail("abs(-5) == 42", "", 0, "main");
    return 0;
}
