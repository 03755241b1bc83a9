// Functions that gcc has built in, without loops. Counting the zeros of zero gives the width.

int __builtin_popcount(unsigned value) {
    value -= value >> 1 & 0x55555555u;
    value = (value & 0x33333333u) + (value >> 2 & 0x33333333u);
    value = (value + (value >> 4)) & 0x0f0f0f0fu;
    return value * 0x01010101u >> 24;
}

int __builtin_popcountll(unsigned long long value) {
    value -= value >> 1 & 0x5555555555555555ull;
    value = (value & 0x3333333333333333ull) + (value >> 2 & 0x3333333333333333ull);
    value = (value + (value >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return value * 0x0101010101010101ull >> 56;
}

int __builtin_popcountl(unsigned long value) {
    return __builtin_popcountll(value);
}

int __builtin_parity(unsigned value) {
    return __builtin_popcount(value) & 1;
}

int __builtin_parityll(unsigned long long value) {
    return __builtin_popcountll(value) & 1;
}

int __builtin_parityl(unsigned long value) {
    return __builtin_popcountll(value) & 1;
}

int __builtin_ffs(int value) {
    return value ? __builtin_popcount(value ^ ((unsigned)value - 1)) : 0;
}

int __builtin_ffsll(long long value) {
    return value ? __builtin_popcountll(value ^ ((unsigned long long)value - 1)) : 0;
}

int __builtin_ffsl(long value) {
    return __builtin_ffsll(value);
}

int __builtin_ctz(unsigned value) {
    return __builtin_popcount(~value & (value - 1));
}

int __builtin_ctzll(unsigned long long value) {
    return __builtin_popcountll(~value & (value - 1));
}

int __builtin_ctzl(unsigned long value) {
    return __builtin_popcountll(~value & (value - 1));
}

int __builtin_clz(unsigned value) {
    value |= value >> 1;
    value |= value >> 2;
    value |= value >> 4;
    value |= value >> 8;
    value |= value >> 16;
    return __builtin_popcount(~value);
}

int __builtin_clzll(unsigned long long value) {
    value |= value >> 1;
    value |= value >> 2;
    value |= value >> 4;
    value |= value >> 8;
    value |= value >> 16;
    value |= value >> 32;
    return __builtin_popcountll(~value);
}

int __builtin_clzl(unsigned long value) {
    return __builtin_clzll(value) - (int)(8 * (sizeof(long long) - sizeof(long)));
}

int __builtin_clrsb(int value) {
    return __builtin_clz(value < 0 ? ~value : value) - 1;
}

int __builtin_clrsbll(long long value) {
    return __builtin_clzll(value < 0 ? ~value : value) - 1;
}

int __builtin_clrsbl(long value) {
    return __builtin_clzl(value < 0 ? ~value : value) - 1;
}

unsigned short __builtin_bswap16(unsigned short value) {
    return value << 8 | value >> 8;
}

unsigned __builtin_bswap32(unsigned value) {
    value = (value & 0x00ff00ffu) << 8 | (value >> 8 & 0x00ff00ffu);
    return value << 16 | value >> 16;
}

unsigned long long __builtin_bswap64(unsigned long long value) {
    unsigned long long low = __builtin_bswap32(value);
    return low << 32 | __builtin_bswap32(value >> 32);
}
