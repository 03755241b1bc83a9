int printf(const char *, ...);
int $a = 1, b$c = 2;
int d_1$ = 3;
int _x = 4, X_ = 5;
int main(void) {
    int very_long_name_that_goes_on_and_on_and_on_until_nobody_wants_to_read_it_any_more = 6;
    printf("%d %d %d %d %d\n", $a, b$c, d_1$, _x, X_);
    printf("%d\n", very_long_name_that_goes_on_and_on_and_on_until_nobody_wants_to_read_it_any_more);
    return 0;
}
