int printf(const char *, ...);
#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", \
    long long: "long long", unsigned long long: "unsigned long long", default: "other")
int main(void) {
    printf("%s %s %s\n", NAME(1), NAME(2147483647), NAME(2147483648));
    printf("%s %s\n", NAME(0x7fffffff), NAME(0x80000000));
    printf("%s %s\n", NAME(0xffffffff), NAME(0x100000000));
    printf("%s %s\n", NAME(1u), NAME(4294967296u));
    printf("%s %s %s\n", NAME(1l), NAME(1ll), NAME(1ul));
    printf("%s\n", NAME(0x8000000000000000));
    printf("%s %s\n", NAME('a'), NAME(0b101));
    printf("%s\n", NAME(037777777777));
    printf("%s\n", NAME(1 == 1));
    printf("%s\n", NAME(sizeof(int)));
    printf("%s\n", NAME((char)1 + (char)1));
    return 0;
}
