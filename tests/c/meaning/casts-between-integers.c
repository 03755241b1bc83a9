int printf(const char *, ...);
int main(void) {
    long long v[] = {0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647ll, 2147483648ll,
                     4294967295ll, 4294967296ll, -128, -129, -32769, -2147483649ll};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%lld: %d %d %d %d %d %u %ld %lu %d\n", v[i], (signed char)v[i], (unsigned char)v[i], (short)v[i],
               (unsigned short)v[i], (int)v[i], (unsigned)v[i], (long)v[i], (unsigned long)v[i], (_Bool)v[i]);
    return 0;
}
