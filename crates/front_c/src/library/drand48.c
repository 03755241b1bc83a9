// The generators of stdlib.h that POSIX defines to the bit. Threads share what glibc keeps without a lock, so they race.

typedef unsigned long long state;

static const state MODULUS_MASK = (1ull << 48) - 1;

static state multiplier = 0x5deece66dull;
static unsigned short increment = 11;
static unsigned short own[3], earlier[3];

static state read_state(const unsigned short *words) {
    return words[0] | (state)words[1] << 16 | (state)words[2] << 32;
}

static void write_state(unsigned short *words, state value) {
    words[0] = value;
    words[1] = value >> 16;
    words[2] = value >> 32;
}

static state next(unsigned short *words) {
    state value = (read_state(words) * multiplier + increment) & MODULUS_MASK;
    write_state(words, value);
    return value;
}

double erand48(unsigned short *words) {
    return (double)next(words) * 0x1p-48;
}

double drand48(void) {
    return erand48(own);
}

long nrand48(unsigned short *words) {
    return next(words) >> 17;
}

long lrand48(void) {
    return nrand48(own);
}

long jrand48(unsigned short *words) {
    return (int)(next(words) >> 16);
}

long mrand48(void) {
    return jrand48(own);
}

static void reset(void) {
    multiplier = 0x5deece66dull;
    increment = 11;
}

void srand48(long seed) {
    own[0] = 0x330e;
    own[1] = seed;
    own[2] = (unsigned long)seed >> 16;
    reset();
}

unsigned short *seed48(unsigned short *words) {
    for (int i = 0; i < 3; i++) {
        earlier[i] = own[i];
        own[i] = words[i];
    }
    reset();
    return earlier;
}

void lcong48(unsigned short *words) {
    for (int i = 0; i < 3; i++)
        own[i] = words[i];
    multiplier = read_state(words + 3);
    increment = words[6];
}
