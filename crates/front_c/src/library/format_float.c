// Floats in the printf family, exactly: every double is an integer of at most 767 digits over a power of ten.

typedef __typeof__(sizeof 0) size_t;

// Both as in format.c.
struct sink {
    int kind;
    char *buffer;
    size_t room;
    size_t count;
};

struct directive {
    int flags;
    int width;
    int precision;
};

enum { LEFT = 1, PLUS = 2, BLANK = 4, ALTERNATE = 8, ZERO = 16 };

void __raddle_put(struct sink *sink, int byte);
void __raddle_pad(struct sink *sink, int byte, int count);

enum { LIMBS = 88, LIMB = 1000000000 };

struct decimal {
    // In base 10^9, the least first. Those from `count` on are undefined.
    unsigned limbs[LIMBS];
    int count;
    // How many digits stand behind the point.
    int point;
};

static const unsigned POWERS_OF_TEN[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

static void multiply(struct decimal *decimal, unsigned factor) {
    unsigned carry = 0;
    for (int i = 0; i < decimal->count; i++) {
        unsigned long long product = (unsigned long long)decimal->limbs[i] * factor + carry;
        carry = product / LIMB;
        decimal->limbs[i] = product % LIMB;
    }
    if (carry >= LIMB) {
        decimal->limbs[decimal->count++] = carry % LIMB;
        carry /= LIMB;
    }
    if (carry)
        decimal->limbs[decimal->count++] = carry;
}

// significand * 2^exponent, of which a negative power is 5^-exponent behind the point.
static void set(struct decimal *decimal, unsigned long long significand, int exponent) {
    while (significand && !(significand & 1)) {
        significand >>= 1;
        exponent++;
    }
    if (!significand)
        exponent = 0;
    decimal->limbs[0] = significand % LIMB;
    decimal->limbs[1] = significand / LIMB;
    decimal->count = decimal->limbs[1] ? 2 : 1;
    decimal->point = exponent < 0 ? -exponent : 0;
    for (; exponent >= 28; exponent -= 28)
        multiply(decimal, 1u << 28);
    if (exponent > 0)
        multiply(decimal, 1u << exponent);
    for (; exponent <= -13; exponent += 13)
        multiply(decimal, 1220703125);
    for (; exponent < 0; exponent++)
        multiply(decimal, 5);
}

// The digit at a place; places are counted from the last digit, which has 0.
static int digit_at(const struct decimal *decimal, int place) {
    if (place < 0 || place / 9 >= decimal->count)
        return 0;
    return decimal->limbs[place / 9] / POWERS_OF_TEN[place % 9] % 10;
}

static int count_of_digits(const struct decimal *decimal) {
    int count = 9 * decimal->count;
    while (count > 1 && !digit_at(decimal, count - 1))
        count--;
    return count;
}

static _Bool is_zero_below(const struct decimal *decimal, int place) {
    for (int i = 0; i < place / 9 && i < decimal->count; i++)
        if (decimal->limbs[i])
            return 0;
    return place / 9 >= decimal->count || decimal->limbs[place / 9] % POWERS_OF_TEN[place % 9] == 0;
}

// To the nearest, ties to even. What is below the place is left as it is.
static void round_at(struct decimal *decimal, int place) {
    if (place <= 0)
        return;
    int next = digit_at(decimal, place - 1);
    if (next < 5 || (next == 5 && is_zero_below(decimal, place - 1) && digit_at(decimal, place) % 2 == 0))
        return;
    unsigned added = POWERS_OF_TEN[place % 9];
    for (int i = place / 9;; i++) {
        if (i == decimal->count) {
            decimal->limbs[i] = added;
            decimal->count++;
            return;
        }
        decimal->limbs[i] += added;
        if (decimal->limbs[i] < LIMB)
            return;
        decimal->limbs[i] -= LIMB;
        added = 1;
    }
}

// The sign and what pads on the left; the caller pads on the right by what is returned.
static int begin(struct sink *sink, const struct directive *directive, char sign, _Bool is_hexadecimal, char letter,
                 int length, _Bool may_have_zeros) {
    int padding = directive->width - length - (sign != 0) - (is_hexadecimal ? 2 : 0);
    _Bool is_left = directive->flags & LEFT;
    _Bool has_zeros = !is_left && may_have_zeros && directive->flags & ZERO;
    if (!is_left && !has_zeros)
        __raddle_pad(sink, ' ', padding);
    if (sign)
        __raddle_put(sink, sign);
    if (is_hexadecimal) {
        __raddle_put(sink, '0');
        __raddle_put(sink, letter);
    }
    if (has_zeros)
        __raddle_pad(sink, '0', padding);
    return is_left ? padding : 0;
}

static void put_exponent(struct sink *sink, char letter, int exponent, int least) {
    __raddle_put(sink, letter);
    __raddle_put(sink, exponent < 0 ? '-' : '+');
    int magnitude = exponent < 0 ? -exponent : exponent;
    if (magnitude >= 1000)
        __raddle_put(sink, '0' + magnitude / 1000);
    if (magnitude >= 100)
        __raddle_put(sink, '0' + magnitude / 100 % 10);
    if (magnitude >= 10 || least == 2)
        __raddle_put(sink, '0' + magnitude / 10 % 10);
    __raddle_put(sink, '0' + magnitude % 10);
}

// The digits from a place down to the last one, with the point behind the one at `ones`.
static void put_digits(struct sink *sink, const struct decimal *decimal, int first, int ones, int last,
                       _Bool has_point) {
    for (int place = first; place >= last; place--) {
        __raddle_put(sink, '0' + digit_at(decimal, place));
        if (place == ones && has_point)
            __raddle_put(sink, '.');
    }
}

static void put_decimal(struct sink *sink, const struct directive *directive, char conversion, char sign,
                        struct decimal *decimal) {
    char kind = conversion | 32;
    int precision = directive->precision < 0 ? 6 : directive->precision;
    if (kind == 'g' && precision == 0)
        precision = 1;
    // The place of the last digit to be written.
    int last = kind == 'f' ? decimal->point - precision : count_of_digits(decimal) - precision - (kind == 'e');
    round_at(decimal, last);
    int digits = count_of_digits(decimal);
    int exponent = digits - 1 - decimal->point;
    if (kind != 'f')
        // A carry into a new digit moves all of them.
        last = digits - precision - (kind == 'e');
    _Bool has_exponent = kind == 'e' || (kind == 'g' && (exponent < -4 || exponent >= precision));
    int ones = has_exponent ? digits - 1 : decimal->point;
    if (kind == 'g' && !(directive->flags & ALTERNATE))
        while (last < ones && !digit_at(decimal, last))
            last++;
    int first = digits - 1 > ones ? digits - 1 : ones;
    _Bool has_point = last < ones || directive->flags & ALTERNATE;
    int magnitude = exponent < 0 ? -exponent : exponent;
    int length = first - last + 1 + has_point + (has_exponent ? magnitude >= 100 ? 5 : 4 : 0);
    int padding = begin(sink, directive, sign, 0, 0, length, 1);
    put_digits(sink, decimal, first, ones, last, has_point);
    if (has_exponent)
        put_exponent(sink, conversion & 32 ? 'e' : 'E', exponent, 2);
    __raddle_pad(sink, ' ', padding);
}

static void put_hexadecimal(struct sink *sink, const struct directive *directive, char conversion, char sign,
                            unsigned long long significand, int exponent) {
    int precision = directive->precision;
    if (precision < 0) {
        precision = 13;
        while (precision > 0 && !(significand >> 4 * (13 - precision) & 15))
            precision--;
    } else if (precision < 13) {
        unsigned long long unit = 1ull << 4 * (13 - precision);
        unsigned long long rest = significand & (unit - 1);
        significand -= rest;
        if (rest > unit / 2 || (rest == unit / 2 && significand & unit))
            significand += unit;
    }
    _Bool has_point = precision > 0 || directive->flags & ALTERNATE;
    int magnitude = exponent < 0 ? -exponent : exponent;
    int length = 1 + has_point + precision + 3 + (magnitude >= 10) + (magnitude >= 100) + (magnitude >= 1000);
    char letter = conversion & 32;
    int padding = begin(sink, directive, sign, 1, 'X' | letter, length, 1);
    __raddle_put(sink, '0' + (int)(significand >> 52));
    if (has_point)
        __raddle_put(sink, '.');
    for (int i = 1; i <= precision; i++) {
        int digit = i <= 13 ? significand >> 4 * (13 - i) & 15 : 0;
        __raddle_put(sink, digit < 10 ? '0' + digit : ('A' | letter) + digit - 10);
    }
    put_exponent(sink, 'P' | letter, exponent, 1);
    __raddle_pad(sink, ' ', padding);
}

void __raddle_format_float(struct sink *sink, const struct directive *directive, int conversion, double value) {
    union {
        double value;
        unsigned long long bits;
    } parts;
    parts.value = value;
    _Bool is_negative = parts.bits >> 63;
    int exponent = parts.bits >> 52 & 2047;
    unsigned long long significand = parts.bits & 0xfffffffffffffull;
    char sign = is_negative ? '-' : directive->flags & PLUS ? '+' : directive->flags & BLANK ? ' ' : 0;
    if (exponent == 2047) {
        const char *text = conversion & 32 ? significand ? "nan" : "inf" : significand ? "NAN" : "INF";
        int padding = begin(sink, directive, sign, 0, 0, 3, 0);
        for (; *text; text++)
            __raddle_put(sink, *text);
        __raddle_pad(sink, ' ', padding);
        return;
    }
    if (exponent)
        significand |= 1ull << 52;
    else
        exponent = 1;
    if ((conversion | 32) == 'a') {
        put_hexadecimal(sink, directive, conversion, sign, significand, significand ? exponent - 1023 : 0);
        return;
    }
    struct decimal decimal;
    set(&decimal, significand, exponent - 1075);
    put_decimal(sink, directive, conversion, sign, &decimal);
}
