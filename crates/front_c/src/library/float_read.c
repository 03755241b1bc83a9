// Floats read from strings, rounded to the nearest as glibc does.
//
// Most numbers take one multiplication or division of doubles that are exact. The others are a quotient of two
// integers of many digits, of which 64 bits are computed.

int *__errno_location(void);
void __raddle_unsupported(const char *what);
int strncasecmp(const char *left, const char *right, __typeof__(sizeof 0) count);
double ldexp(double value, int exponent);

// The digits that can matter to a double, with some to spare; what follows only decides ties.
enum { ERANGE = 34, DIGITS = 800 };

// Enough for 10^(DIGITS + 330).
enum { LIMBS = 128 };

struct natural {
    // In base 2^32, the least first. Those from `count` on are undefined, the last one is not zero.
    unsigned limbs[LIMBS];
    int count;
};

static void multiply_add(struct natural *natural, unsigned factor, unsigned added) {
    unsigned long long carry = added;
    for (int i = 0; i < natural->count; i++) {
        carry += (unsigned long long)natural->limbs[i] * factor;
        natural->limbs[i] = carry;
        carry >>= 32;
    }
    if (carry)
        natural->limbs[natural->count++] = carry;
}

static void multiply_by_power_of_ten(struct natural *natural, int exponent) {
    for (; exponent >= 9; exponent -= 9)
        multiply_add(natural, 1000000000, 0);
    for (; exponent > 0; exponent--)
        multiply_add(natural, 10, 0);
}

static int bits_of(const struct natural *natural) {
    return 32 * natural->count - __builtin_clz(natural->limbs[natural->count - 1]);
}

static void shift_left(struct natural *natural, int bits) {
    int whole = bits / 32;
    if (bits % 32)
        multiply_add(natural, 1u << bits % 32, 0);
    if (whole == 0)
        return;
    for (int i = natural->count - 1; i >= 0; i--)
        natural->limbs[i + whole] = natural->limbs[i];
    for (int i = 0; i < whole; i++)
        natural->limbs[i] = 0;
    natural->count += whole;
}

static _Bool is_less(const struct natural *left, const struct natural *right) {
    if (left->count != right->count)
        return left->count < right->count;
    for (int i = left->count - 1; i >= 0; i--)
        if (left->limbs[i] != right->limbs[i])
            return left->limbs[i] < right->limbs[i];
    return 0;
}

static void subtract(struct natural *natural, const struct natural *subtrahend) {
    unsigned borrow = 0;
    for (int i = 0; i < natural->count; i++) {
        unsigned long long taken = (i < subtrahend->count ? subtrahend->limbs[i] : 0) + (unsigned long long)borrow;
        borrow = natural->limbs[i] < taken;
        natural->limbs[i] -= taken;
    }
    while (natural->count && !natural->limbs[natural->count - 1])
        natural->count--;
}

// significand * 2^exponent, where the significand has its highest bit set and a bit more may follow it.
struct binary {
    unsigned long long significand;
    int exponent;
    _Bool is_more;
};

static struct binary quotient(struct natural *numerator, struct natural *denominator) {
    struct binary result;
    int shift = bits_of(numerator) - bits_of(denominator);
    if (shift > 0)
        shift_left(denominator, shift);
    else
        shift_left(numerator, -shift);
    if (is_less(numerator, denominator)) {
        shift_left(numerator, 1);
        shift--;
    }
    result.significand = 0;
    for (int i = 0; i < 64; i++) {
        result.significand <<= 1;
        if (!is_less(numerator, denominator)) {
            subtract(numerator, denominator);
            result.significand |= 1;
        }
        if (numerator->count)
            shift_left(numerator, 1);
    }
    result.exponent = shift - 63;
    result.is_more = numerator->count != 0;
    return result;
}

// What a type can hold: so many bits of at least 2^least each, and less than 2^limit.
struct format {
    int bits;
    int least;
    int limit;
};

static double infinity(void) {
    union {
        unsigned long long bits;
        double value;
    } parts;
    parts.bits = 0x7ff0000000000000ull;
    return parts.value;
}

// Ties to even; what is too large or loses bits because it is too small sets errno.
static double rounded(struct binary binary, const struct format *format) {
    int unit = binary.exponent + 64 - format->bits;
    // With one bit more below all its bits, all of them set, it would be rounded up to a number that is not small.
    _Bool is_small = unit < format->least - 1 ||
                     (unit == format->least - 1 && ~binary.significand >> (63 - format->bits) != 0);
    if (unit < format->least)
        unit = format->least;
    int lost = unit - binary.exponent;
    unsigned long long kept = 0;
    _Bool is_exact = 0;
    if (lost <= 64) {
        unsigned long long half = 1ull << (lost - 1);
        unsigned long long rest = binary.significand & (half | (half - 1));
        if (lost < 64)
            kept = binary.significand >> lost;
        is_exact = rest == 0 && !binary.is_more;
        if (rest > half || (rest == half && (binary.is_more || kept & 1)))
            kept++;
    }
    if (is_small && !is_exact)
        *__errno_location() = ERANGE;
    if (kept == 0)
        return 0;
    int length = 64 - __builtin_clzll(kept);
    if (unit + length > format->limit) {
        *__errno_location() = ERANGE;
        return infinity();
    }
    return ldexp(kept, unit);
}

static const double POWERS_OF_TEN[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static _Bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

static int digit_value(char byte) {
    if (is_digit(byte))
        return byte - '0';
    byte |= 32;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : 99;
}

// An exponent behind `mark`, if there is one; then the place moves behind it.
static int read_exponent(const char **place, char mark) {
    const char *text = *place;
    if ((*text | 32) != mark)
        return 0;
    text++;
    _Bool is_negative = *text == '-';
    if (is_negative || *text == '+')
        text++;
    if (!is_digit(*text))
        return 0;
    int exponent = 0;
    for (; is_digit(*text); text++)
        if (exponent < 100000)
            exponent = exponent * 10 + (*text - '0');
    *place = text;
    return is_negative ? -exponent : exponent;
}

// Behind `0x`.
static double read_hexadecimal(const char **place, const struct format *format) {
    const char *text = *place;
    struct binary binary;
    binary.significand = 0;
    binary.exponent = 0;
    binary.is_more = 0;
    _Bool is_behind_point = 0;
    for (;; text++) {
        if (*text == '.' && !is_behind_point) {
            is_behind_point = 1;
            continue;
        }
        int digit = digit_value(*text);
        if (digit > 15)
            break;
        if (binary.significand >> 60) {
            binary.is_more |= digit != 0;
            binary.exponent += is_behind_point ? 0 : 4;
        } else {
            binary.significand = binary.significand << 4 | digit;
            binary.exponent -= is_behind_point ? 4 : 0;
        }
    }
    *place = text;
    binary.exponent += read_exponent(place, 'p');
    if (binary.significand == 0)
        return 0;
    int zeros = __builtin_clzll(binary.significand);
    binary.significand <<= zeros;
    binary.exponent -= zeros;
    return rounded(binary, format);
}

static double read_decimal(const char **place, const struct format *format) {
    const char *text = *place;
    // The first digits, as long as they fit; how many there are, and what the last of them counts.
    unsigned long long significand = 0;
    int digits = 0;
    int exponent = 0;
    _Bool is_behind_point = 0;
    while (*text == '0' || (*text == '.' && !is_behind_point)) {
        is_behind_point |= *text == '.';
        exponent -= is_behind_point && *text == '0';
        text++;
    }
    const char *first = text;
    for (; is_digit(*text) || (*text == '.' && !is_behind_point); text++) {
        if (*text == '.') {
            is_behind_point = 1;
            continue;
        }
        if (digits < 19)
            significand = significand * 10 + (*text - '0');
        digits++;
        exponent -= is_behind_point;
    }
    const char *end = text;
    *place = text;
    exponent += read_exponent(place, 'e');
    if (digits == 0)
        return 0;
    if (digits + exponent > 310) {
        *__errno_location() = ERANGE;
        return infinity();
    }
    if (digits + exponent < -330) {
        *__errno_location() = ERANGE;
        return 0;
    }
    if (digits < 19 && format->bits == 53) {
        if (significand >> 53 == 0 && exponent >= -22 && exponent <= 22)
            return exponent < 0 ? (double)significand / POWERS_OF_TEN[-exponent]
                                : (double)significand * POWERS_OF_TEN[exponent];
    }
    struct natural numerator;
    struct natural denominator;
    _Bool is_more = 0;
    numerator.count = 0;
    int taken = 0;
    for (text = first; text != end; text++) {
        if (*text == '.')
            continue;
        if (taken < DIGITS)
            multiply_add(&numerator, 10, *text - '0');
        else
            is_more |= *text != '0';
        taken++;
    }
    if (taken > DIGITS)
        exponent += taken - DIGITS;
    denominator.limbs[0] = 1;
    denominator.count = 1;
    if (exponent >= 0)
        multiply_by_power_of_ten(&numerator, exponent);
    else
        multiply_by_power_of_ten(&denominator, -exponent);
    struct binary binary = quotient(&numerator, &denominator);
    binary.is_more |= is_more;
    return rounded(binary, format);
}

// The magnitude, and in `place` where it ends; that stays if there is none.
static double read_magnitude(const char **place, const struct format *format) {
    const char *text = *place;
    if (!strncasecmp(text, "inf", 3)) {
        *place = text + (strncasecmp(text, "infinity", 8) ? 3 : 8);
        return infinity();
    }
    if (!strncasecmp(text, "nan", 3)) {
        if (text[3] == '(')
            __raddle_unsupported("a NaN with a payload in a string");
        *place = text + 3;
        return __builtin_nan("");
    }
    if (text[0] == '0' && (text[1] | 32) == 'x' &&
        (digit_value(text[2]) < 16 || (text[2] == '.' && digit_value(text[3]) < 16))) {
        *place = text + 2;
        return read_hexadecimal(place, format);
    }
    if (is_digit(text[0]) || (text[0] == '.' && is_digit(text[1])))
        return read_decimal(place, format);
    return 0;
}

static double read_float(const char *text, char **end, const struct format *format) {
    const char *place = text;
    while (*place == ' ' || (*place >= '\t' && *place <= '\r'))
        place++;
    _Bool is_negative = *place == '-';
    if (is_negative || *place == '+')
        place++;
    const char *begin = place;
    double magnitude = read_magnitude(&place, format);
    if (end)
        *end = (char *)(place == begin ? text : place);
    return is_negative && place != begin ? -magnitude : magnitude;
}

double strtod(const char *restrict text, char **restrict end) {
    static const struct format format = {53, -1074, 1024};
    return read_float(text, end, &format);
}

float strtof(const char *restrict text, char **restrict end) {
    static const struct format format = {24, -149, 128};
    return read_float(text, end, &format);
}

double atof(const char *text) {
    return strtod(text, 0);
}
