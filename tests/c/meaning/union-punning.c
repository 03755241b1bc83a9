int printf(const char *, ...);
union U { float f; unsigned u; unsigned char b[4]; int i; };
union D { double d; unsigned long long q; struct { unsigned lo, hi; } w; };
int main(void) {
    union U u;
    u.f = 1.0f;
    printf("%08x\n", u.u);
    u.u = 0x40490fdb;
    printf("%.6f\n", u.f);
    for (int i = 0; i < 4; i++)
        printf("%02x ", u.b[i]);
    u.i = -1;
    printf("%u\n", u.u);
    u.b[3] = 0;
    printf("%u\n", u.u);
    union D d = {.q = 0x3ff8000000000000ull};
    printf("%g %u %x\n", d.d, d.w.lo, d.w.hi);
    d.d = -0.0;
    printf("%llx\n", d.q);
    union { char c; long long l; } v = {.l = 0x1122334455667788ll};
    printf("%x %d\n", v.c, (int)sizeof v);
    return 0;
}
