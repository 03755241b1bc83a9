// What of math.h no standard says exactly: exponentials, logarithms, powers, angles. Where a result is certain, whatever the
// library, it is computed; where only some neighbourhood of it is, it is approximate, and nobody knows what a program does that
// looks at it. `errno` is always certain; where it is not, the call is not supported.

int *__errno_location(void);
double __raddle_any_double(void);
void __raddle_unsupported(const char *what);
int __isinf(double value);
int __finite(double value);
int __signbit(double value);
double fabs(double value);
double copysign(double magnitude, double sign);
double trunc(double value);
double rint(double value);
double fmod(double left, double right);
double ldexp(double value, int exponent);
double frexp(double value, int *exponent);

enum { EDOM = 33, ERANGE = 34 };

static const double INFINITE = __builtin_inf(), NO_NUMBER = __builtin_nan("");

// The lowering knows that what this one returns is not known exactly.
double __raddle_approximate(void) {
    return __raddle_any_double();
}

static double outside(void) {
    *__errno_location() = EDOM;
    return NO_NUMBER;
}

static double too_large(double sign) {
    *__errno_location() = ERANGE;
    return copysign(INFINITE, sign);
}

static double too_small(double sign) {
    *__errno_location() = ERANGE;
    return copysign(0, sign);
}

static _Bool is_nan(double value) {
    return value != value;
}

static _Bool is_whole(double value) {
    return __finite(value) && trunc(value) == value;
}

static _Bool is_odd(double value) {
    return is_whole(value) && fabs(fmod(value, 2)) == 1;
}

// Between which binary exponents results are ordinary numbers, and beyond which they are certainly none.
struct range {
    int least, vanished, greatest, overflown;
};

static const struct range OF_DOUBLE = {-1021, -1080, 1023, 1025}, OF_FLOAT = {-125, -155, 127, 129};

// A number whose binary logarithm lies between these.
static double about(double low, double high, double sign, struct range range) {
    if (low >= range.overflown)
        return too_large(sign);
    if (high <= range.vanished)
        return too_small(sign);
    if (high > range.greatest || low < range.least)
        __raddle_unsupported("a result at the edge of what floating-point numbers can hold");
    return __raddle_approximate();
}

// base^value, if one step of the value is between so many steps of the binary logarithm; all factors are rounded outwards.
static double exponential(double value, double low, double high, struct range range) {
    if (is_nan(value) || (__isinf(value) && value > 0))
        return value;
    if (__isinf(value))
        return 0;
    if (value == 0)
        return 1;
    return value > 0 ? about(value * low, value * high, 1, range) : about(value * high, value * low, 1, range);
}

static double exp_within(double value, struct range range) {
    return exponential(value, 1.4426, 1.4427, range);
}

static double exp2_within(double value, struct range range) {
    if (is_whole(value) && value >= range.least && value <= range.greatest)
        return ldexp(1, (int)value);
    return exponential(value, 1, 1, range);
}

static double expm1_within(double value, struct range range) {
    if (is_nan(value) || value == 0 || (__isinf(value) && value > 0))
        return value;
    if (__isinf(value))
        return -1;
    if (fabs(value) < 1e-30)
        __raddle_unsupported("`expm1` of a number close to zero");
    return value < 1 ? __raddle_approximate() : exp_within(value, range);
}

// The greatest whole number below which all are numbers of the format.
static const double OF_DOUBLES = 9007199254740992.0, OF_FLOATS = 16777216.0;

// A whole power of a number, if it is a number of the format itself; else zero.
static double exact_power(double base, double exponent, struct range range, double whole) {
    int scale;
    if (!is_whole(exponent) || fabs(exponent) > 1100)
        return 0;
    if (frexp(fabs(base), &scale) == 0.5) {
        double result = (scale - 1) * exponent;
        if (result < range.least || result > range.greatest)
            return 0;
        return copysign(ldexp(1, (int)result), is_odd(exponent) ? base : 1);
    }
    if (!is_whole(base) || exponent < 0 || exponent > 64)
        return 0;
    double result = 1;
    for (int i = 0; i < (int)exponent; i++) {
        // A product that does not fit is above, rounded or not.
        result *= base;
        if (fabs(result) > whole)
            return 0;
    }
    return result;
}

static double pow_within(double base, double exponent, struct range range, double whole) {
    if (exponent == 0 || base == 1)
        return 1;
    if (is_nan(base) || is_nan(exponent))
        return NO_NUMBER;
    double sign = is_odd(exponent) ? base : 1;
    if (__isinf(exponent)) {
        if (base == 0 && exponent < 0)
            __raddle_unsupported("`pow` of zero and minus infinity");
        if (base == -1)
            return 1;
        return (fabs(base) > 1) == (exponent > 0) ? INFINITE : 0;
    }
    if (base == 0)
        return exponent < 0 ? too_large(sign) : copysign(0, sign);
    if (__isinf(base))
        return copysign(exponent < 0 ? 0 : INFINITE, sign);
    if (base < 0 && !is_whole(exponent))
        return outside();
    if (exponent == 1)
        return base;
    double exact = exact_power(base, exponent, range, whole);
    if (exact != 0)
        return exact;
    // The logarithm of the base lies between two whole numbers.
    int scale;
    frexp(fabs(base), &scale);
    double one = (scale - 1) * exponent, other = scale * exponent;
    return exponent > 0 ? about(one, other, sign, range) : about(other, one, sign, range);
}

// Of a base for which the logarithm of one is all that is certain.
static double logarithm(double value) {
    if (is_nan(value) || (__isinf(value) && value > 0))
        return value;
    if (value < 0)
        return outside();
    if (value == 0)
        return too_large(-1);
    return value == 1 ? 0 : __raddle_approximate();
}

static double binary_logarithm(double value) {
    int scale;
    if (value > 0 && __finite(value) && frexp(value, &scale) == 0.5)
        return scale - 1;
    return logarithm(value);
}

// Functions that leave zero as it is, and are known nowhere else.
static double from_zero(double value) {
    if (is_nan(value) || value == 0)
        return value;
    if (fabs(value) < 1e-30)
        __raddle_unsupported("a function of a number close to zero");
    return __raddle_approximate();
}

static double of_angle(double angle) {
    return __isinf(angle) ? outside() : from_zero(angle);
}

double exp(double value) {
    return exp_within(value, OF_DOUBLE);
}

double exp2(double value) {
    return exp2_within(value, OF_DOUBLE);
}

double expm1(double value) {
    return expm1_within(value, OF_DOUBLE);
}

double pow(double base, double exponent) {
    return pow_within(base, exponent, OF_DOUBLE, OF_DOUBLES);
}

double log(double value) {
    return logarithm(value);
}

double log10(double value) {
    return logarithm(value);
}

double log2(double value) {
    return binary_logarithm(value);
}

double log1p(double value) {
    if (value < -1)
        return outside();
    if (value == -1)
        return too_large(-1);
    return __isinf(value) ? value : from_zero(value);
}

double sin(double angle) {
    return of_angle(angle);
}

double tan(double angle) {
    return of_angle(angle);
}

double cos(double angle) {
    if (__isinf(angle))
        return outside();
    if (is_nan(angle))
        return angle;
    return angle == 0 ? 1 : __raddle_approximate();
}

void sincos(double angle, double *sine, double *cosine) {
    if (__isinf(angle))
        __raddle_unsupported("`sincos` of infinity");
    *sine = sin(angle);
    *cosine = cos(angle);
}

double asin(double value) {
    return fabs(value) > 1 ? outside() : from_zero(value);
}

double acos(double value) {
    if (fabs(value) > 1)
        return outside();
    if (is_nan(value))
        return value;
    return value == 1 ? 0 : __raddle_approximate();
}

double atan(double value) {
    return __isinf(value) ? __raddle_approximate() : from_zero(value);
}

double atan2(double y, double x) {
    if (is_nan(y) || is_nan(x))
        return NO_NUMBER;
    if (y == 0 && !__signbit(x))
        return y;
    if (y == 0 || x == 0)
        return __raddle_approximate();
    if (__isinf(x) && x > 0 && __finite(y))
        return copysign(0, y);
    if (__finite(x) && __finite(y)) {
        int above, below;
        frexp(y, &above);
        frexp(x, &below);
        if (above - below < -1000)
            __raddle_unsupported("`atan2` close to zero");
    }
    return __raddle_approximate();
}

double sinh(double value) {
    if (is_nan(value) || __isinf(value) || value == 0)
        return value;
    if (fabs(value) > 1)
        return copysign(1, value) * exp_within(fabs(value), OF_DOUBLE);
    return from_zero(value);
}

double cosh(double value) {
    if (is_nan(value))
        return value;
    if (__isinf(value))
        return INFINITE;
    return exp_within(fabs(value), OF_DOUBLE);
}

double tanh(double value) {
    return __isinf(value) ? copysign(1, value) : from_zero(value);
}

double asinh(double value) {
    return __isinf(value) ? value : from_zero(value);
}

double acosh(double value) {
    if (value < 1)
        return outside();
    if (is_nan(value) || __isinf(value))
        return value;
    return value == 1 ? 0 : __raddle_approximate();
}

double atanh(double value) {
    if (fabs(value) > 1)
        return outside();
    return fabs(value) == 1 ? too_large(value) : from_zero(value);
}

double cbrt(double value) {
    return is_nan(value) || __isinf(value) || value == 0 ? value : __raddle_approximate();
}

double hypot(double x, double y) {
    if (__isinf(x) || __isinf(y))
        return INFINITE;
    if (is_nan(x) || is_nan(y))
        return NO_NUMBER;
    if (x == 0 || y == 0)
        return fabs(x == 0 ? y : x);
    double greater = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    if (greater > 1e300 || greater < 1e-300)
        __raddle_unsupported("`hypot` of numbers that are very large or small");
    return __raddle_approximate();
}

// The nearest whole multiple is taken off, in a tie the even one; nothing is rounded.
double remainder(double left, double right) {
    if (is_nan(left) || is_nan(right))
        return NO_NUMBER;
    if (__isinf(left) || right == 0)
        return outside();
    if (__isinf(right))
        return left;
    double divisor = fabs(right);
    // Twice the divisor may be too much for a number.
    double rest = divisor < 8e307 ? fmod(fabs(left), divisor + divisor) : fabs(left);
    if (divisor < 1e-300) {
        if (rest + rest > divisor) {
            rest -= divisor;
            if (rest + rest >= divisor)
                rest -= divisor;
        }
    } else if (rest > divisor / 2) {
        rest -= divisor;
        if (rest >= divisor / 2)
            rest -= divisor;
    }
    return __signbit(left) ? -rest : rest;
}

double drem(double left, double right) {
    return remainder(left, right);
}

double logb(double value) {
    if (is_nan(value))
        return value;
    if (__isinf(value))
        return INFINITE;
    if (value == 0)
        return -INFINITE;
    int exponent;
    frexp(value, &exponent);
    return exponent - 1;
}

// Of numbers of 32 bits.

static float narrow(double value) {
    return value;
}

float expf(float value) {
    return narrow(exp_within(value, OF_FLOAT));
}

float exp2f(float value) {
    return narrow(exp2_within(value, OF_FLOAT));
}

float powf(float base, float exponent) {
    return narrow(pow_within(base, exponent, OF_FLOAT, OF_FLOATS));
}

float logf(float value) {
    return narrow(logarithm(value));
}

float log10f(float value) {
    return narrow(logarithm(value));
}

float log2f(float value) {
    return narrow(binary_logarithm(value));
}

float sinf(float angle) {
    return narrow(of_angle(angle));
}

float tanf(float angle) {
    return narrow(of_angle(angle));
}

float cosf(float angle) {
    return narrow(cos(angle));
}

float asinf(float value) {
    return narrow(asin(value));
}

float acosf(float value) {
    return narrow(acos(value));
}

float atanf(float value) {
    return narrow(atan(value));
}

float tanhf(float value) {
    return narrow(tanh(value));
}

float cbrtf(float value) {
    return narrow(cbrt(value));
}
