int printf(const char *, ...);
struct D { double d; };
int main(void) {
    printf("%d %d\n", (int)__alignof__(long long), (int)__alignof__(double));
    printf("%d %d\n", (int)__alignof__(double[2]), (int)__alignof__(struct D));
    printf("%d %d %d\n", (int)__alignof__(int), (int)__alignof__(void *), (int)__alignof__(char));
    return 0;
}
