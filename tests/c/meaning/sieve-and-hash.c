int printf(const char *, ...);
static unsigned hash(const char *s) {
    unsigned h = 2166136261u;
    while (*s) {
        h ^= (unsigned char)*s++;
        h *= 16777619u;
    }
    return h;
}
static unsigned crc(const unsigned char *p, int n) {
    unsigned c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}
int main(void) {
    static char composite[500];
    int count = 0, last = 0;
    for (int i = 2; i < 500; i++) {
        if (composite[i])
            continue;
        count++;
        last = i;
        for (int j = i * i; j < 500; j += i)
            composite[j] = 1;
    }
    printf("%d %d\n", count, last);
    printf("%08x %08x\n", hash("hello"), hash(""));
    printf("%08x\n", crc((const unsigned char *)"123456789", 9));
    unsigned long long a = 0, b = 1;
    for (int i = 0; i < 90; i++) {
        unsigned long long t = a + b;
        a = b;
        b = t;
    }
    printf("%llu\n", a);
    return 0;
}
