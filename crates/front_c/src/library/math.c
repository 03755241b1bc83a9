// What of math.h is exact, computed on the bits of IEEE 754. Float functions go through double, which rounds nothing here.

int *__errno_location(void);
_Bool __raddle_any_bool(void);

enum { EDOM = 33, BIAS = 1023, SPECIAL = 2047 };

union parts {
    double value;
    unsigned long long bits;
};

static const unsigned long long SIGN = 1ull << 63;
static const unsigned long long HIDDEN = 1ull << 52;

static unsigned long long bits_of(double value) {
    union parts parts;
    parts.value = value;
    return parts.bits;
}

static double from_bits(unsigned long long bits) {
    union parts parts;
    parts.bits = bits;
    return parts.value;
}

static int exponent_of(unsigned long long bits) {
    return bits >> 52 & SPECIAL;
}

int __fpclassify(double value) {
    unsigned long long bits = bits_of(value);
    int exponent = exponent_of(bits);
    _Bool has_fraction = bits << 12 != 0;
    if (exponent == SPECIAL)
        return has_fraction ? 0 : 1;
    if (exponent == 0)
        return has_fraction ? 3 : 2;
    return 4;
}

int __fpclassifyf(float value) {
    union {
        float value;
        unsigned bits;
    } parts;
    parts.value = value;
    int exponent = parts.bits >> 23 & 255;
    _Bool has_fraction = parts.bits << 9 != 0;
    if (exponent == 255)
        return has_fraction ? 0 : 1;
    if (exponent == 0)
        return has_fraction ? 3 : 2;
    return 4;
}

int __isnan(double value) {
    return value != value;
}

int __isinf(double value) {
    unsigned long long bits = bits_of(value);
    if (bits << 1 != (unsigned long long)SPECIAL << 53)
        return 0;
    return bits & SIGN ? -1 : 1;
}

int __finite(double value) {
    return exponent_of(bits_of(value)) != SPECIAL;
}

int __signbit(double value) {
    return bits_of(value) & SIGN ? 1 : 0;
}

int __isnanf(float value) {
    return __isnan(value);
}

int __isinff(float value) {
    return __isinf(value);
}

int __finitef(float value) {
    return __finite(value);
}

int __signbitf(float value) {
    return __signbit(value);
}

int isnan(double value) {
    return __isnan(value);
}

int isinf(double value) {
    return __isinf(value);
}

int finite(double value) {
    return __finite(value);
}

int isnanf(float value) {
    return __isnan(value);
}

int isinff(float value) {
    return __isinf(value);
}

int finitef(float value) {
    return __finite(value);
}

double fabs(double value) {
    return from_bits(bits_of(value) & ~SIGN);
}

double copysign(double magnitude, double sign) {
    return from_bits((bits_of(magnitude) & ~SIGN) | (bits_of(sign) & SIGN));
}

// The bits that stand behind the point of a number that is at least one and has such bits at all.
static unsigned long long fraction_of(unsigned long long bits) {
    return (HIDDEN - 1) >> (exponent_of(bits) - BIAS);
}

double trunc(double value) {
    unsigned long long bits = bits_of(value);
    if (exponent_of(bits) >= BIAS + 52)
        return value;
    if (exponent_of(bits) < BIAS)
        return from_bits(bits & SIGN);
    return from_bits(bits & ~fraction_of(bits));
}

double floor(double value) {
    double whole = trunc(value);
    return whole > value ? whole - 1 : whole;
}

double ceil(double value) {
    double whole = trunc(value);
    if (whole < value)
        return whole + 1;
    return whole;
}

// Ties away from zero.
double round(double value) {
    unsigned long long bits = bits_of(value);
    if (exponent_of(bits) >= BIAS + 52)
        return value;
    if (exponent_of(bits) < BIAS - 1)
        return from_bits(bits & SIGN);
    if (exponent_of(bits) == BIAS - 1)
        return from_bits((bits & SIGN) | bits_of(1));
    unsigned long long fraction = fraction_of(bits);
    return from_bits((bits + (fraction + 1) / 2) & ~fraction);
}

// Ties to even: round goes the wrong way only if it came from a tie and the result is odd.
double rint(double value) {
    double rounded = round(value);
    double whole = trunc(value);
    if (fabs(value - whole) == 0.5 && trunc(rounded / 2) * 2 != rounded)
        return whole;
    return rounded;
}

double nearbyint(double value) {
    return rint(value);
}

double roundeven(double value) {
    return rint(value);
}

long lround(double value) {
    return round(value);
}

long long llround(double value) {
    return round(value);
}

long lrint(double value) {
    return rint(value);
}

long long llrint(double value) {
    return rint(value);
}

/* Of zeros with different signs either may be the result (C17 F.10.9.2); glibc, gcc's code in place of a call and constant folding differ. */
static double one_of(double left, double right) {
    return __signbit(left) != __signbit(right) && __raddle_any_bool() ? right : left;
}

double fmin(double left, double right) {
    if (left != left)
        return right;
    return left == right ? one_of(left, right) : right < left ? right : left;
}

double fmax(double left, double right) {
    if (left != left)
        return right;
    return left == right ? one_of(left, right) : right > left ? right : left;
}

double fdim(double left, double right) {
    return left <= right ? 0 : left - right;
}

double modf(double value, double *whole) {
    *whole = trunc(value);
    return copysign(__isinf(value) ? 0 : value - *whole, value);
}

// A number other than zero as an odd or even integer times a power of two.
struct scaled {
    unsigned long long significand;
    int exponent;
};

// The significand gets its highest bit at 2^52 even if the number is subnormal.
static struct scaled scaled_of(double magnitude) {
    struct scaled result;
    unsigned long long bits = bits_of(magnitude) & ~SIGN;
    result.exponent = exponent_of(bits) - BIAS - 52;
    result.significand = bits & (HIDDEN - 1);
    if (exponent_of(bits)) {
        result.significand |= HIDDEN;
    } else {
        result.exponent++;
        while (!(result.significand & HIDDEN)) {
            result.significand <<= 1;
            result.exponent--;
        }
    }
    return result;
}

// significand * 2^exponent, rounded to even; the significand is below 2^53 and normal if not zero.
static double compose(struct scaled scaled) {
    if (scaled.significand == 0)
        return 0;
    int exponent = scaled.exponent + BIAS + 52;
    if (exponent >= SPECIAL)
        return from_bits((unsigned long long)SPECIAL << 52);
    if (exponent > 0)
        return from_bits((unsigned long long)exponent << 52 | (scaled.significand & (HIDDEN - 1)));
    int lost = 1 - exponent;
    if (lost > 54)
        return 0;
    unsigned long long unit = 1ull << lost;
    unsigned long long rest = scaled.significand & (unit - 1);
    unsigned long long kept = scaled.significand >> lost;
    if (rest > unit / 2 || (rest == unit / 2 && kept & 1))
        kept++;
    return from_bits(kept);
}

static const int ERANGE = 34;

double scalbn(double value, int exponent) {
    if (!__finite(value) || value == 0)
        return value;
    struct scaled scaled = scaled_of(value);
    // More than this overflows or vanishes anyway.
    if (exponent > 5000)
        exponent = 5000;
    if (exponent < -5000)
        exponent = -5000;
    scaled.exponent += exponent;
    double result = compose(scaled);
    if (result == 0 || __isinf(result))
        *__errno_location() = ERANGE;
    return copysign(result, value);
}

double ldexp(double value, int exponent) {
    return scalbn(value, exponent);
}

double scalbln(double value, long exponent) {
    return scalbn(value, exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent);
}

double frexp(double value, int *exponent) {
    *exponent = 0;
    if (!__finite(value) || value == 0)
        return value;
    struct scaled scaled = scaled_of(value);
    *exponent = scaled.exponent + 53;
    scaled.exponent = -53;
    return copysign(compose(scaled), value);
}

// Bit by bit, with one bit more than the result has; what is left over decides how it is rounded.
double sqrt(double value) {
    if (value == 0 || value != value || (__isinf(value) && value > 0))
        return value;
    if (value < 0) {
        *__errno_location() = EDOM;
        return from_bits(SIGN | (unsigned long long)SPECIAL << 52 | HIDDEN / 2);
    }
    struct scaled scaled = scaled_of(value);
    // The root of significand * 2^54 has 54 bits; the exponent must be even.
    unsigned long long radicand = scaled.significand;
    int exponent = scaled.exponent - 54;
    if (exponent & 1) {
        radicand <<= 1;
        exponent--;
    }
    // Two bits of the radicand at a time: first its own 54, then 54 zeros.
    unsigned long long root = 0;
    unsigned long long rest = 0;
    for (int i = 52; i >= -54; i -= 2) {
        rest = rest << 2 | (i >= 0 ? radicand >> i & 3 : 0);
        root <<= 1;
        if (rest > 2 * root) {
            rest -= 2 * root + 1;
            root++;
        }
    }
    // Never a tie: a root with 54 bits that ends in one has a square with too many bits.
    scaled.significand = (root >> 1) + (root & 1);
    scaled.exponent = exponent / 2 + 1;
    if (scaled.significand >> 53) {
        scaled.significand >>= 1;
        scaled.exponent++;
    }
    return compose(scaled);
}

double fmod(double left, double right) {
    if (left != left || right != right)
        return left + right;
    if (__isinf(left) || right == 0) {
        *__errno_location() = EDOM;
        return from_bits(SIGN | (unsigned long long)SPECIAL << 52 | HIDDEN / 2);
    }
    if (left == 0 || __isinf(right) || fabs(left) < fabs(right))
        return left;
    struct scaled a = scaled_of(left);
    struct scaled b = scaled_of(right);
    for (;; a.exponent--) {
        if (a.significand >= b.significand)
            a.significand -= b.significand;
        if (a.exponent == b.exponent)
            break;
        a.significand <<= 1;
    }
    while (a.significand && !(a.significand & HIDDEN)) {
        a.significand <<= 1;
        a.exponent--;
    }
    return copysign(compose(a), left);
}

float fabsf(float value) {
    return fabs(value);
}

float truncf(float value) {
    return trunc(value);
}

float floorf(float value) {
    return floor(value);
}

float ceilf(float value) {
    return ceil(value);
}

float roundf(float value) {
    return round(value);
}

float rintf(float value) {
    return rint(value);
}

float nearbyintf(float value) {
    return nearbyint(value);
}

float sqrtf(float value) {
    return sqrt(value);
}

float copysignf(float left, float right) {
    return copysign(left, right);
}

float fminf(float left, float right) {
    return fmin(left, right);
}

float fmaxf(float left, float right) {
    return fmax(left, right);
}

float fdimf(float left, float right) {
    return fdim(left, right);
}

float fmodf(float left, float right) {
    return fmod(left, right);
}

long lroundf(float value) {
    return round(value);
}

long long llroundf(float value) {
    return round(value);
}

long lrintf(float value) {
    return rint(value);
}

float modff(float value, float *whole) {
    double double_whole;
    float result = modf(value, &double_whole);
    *whole = double_whole;
    return result;
}

float frexpf(float value, int *exponent) {
    return frexp(value, exponent);
}

float ldexpf(float value, int exponent) {
    return ldexp(value, exponent);
}

float scalbnf(float value, int exponent) {
    return scalbn(value, exponent);
}
