// Integers: absolute values, division, and how they are read from strings.

int *__errno_location(void);

enum { EINVAL = 22, ERANGE = 34 };

int abs(int value) {
    return value < 0 ? -value : value;
}

long labs(long value) {
    return value < 0 ? -value : value;
}

long long llabs(long long value) {
    return value < 0 ? -value : value;
}

long long imaxabs(long long value) {
    return llabs(value);
}

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long quot;
    long rem;
} ldiv_t;

typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

div_t div(int numerator, int denominator) {
    div_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

ldiv_t ldiv(long numerator, long denominator) {
    ldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

lldiv_t lldiv(long long numerator, long long denominator) {
    lldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

static int digit_value(char byte) {
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'z')
        return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'Z')
        return byte - 'A' + 10;
    return 99;
}

// Reads a magnitude of at most `limit`, or `negative_limit` behind a minus sign; what is too large becomes the limit.
// The result is negated, modulo 2^64, behind a minus sign, unless it is too large and `is_signed` is not set.
static unsigned long long read_integer(const char *text, char **end, int base, unsigned long long limit,
                                       unsigned long long negative_limit, _Bool is_signed, _Bool is_c23) {
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        return 0;
    }
    const char *place = text;
    while (*place == ' ' || (*place >= '\t' && *place <= '\r'))
        place++;
    _Bool is_negative = *place == '-';
    if (is_negative || *place == '+')
        place++;
    if (*place == '0') {
        char mark = place[1];
        if ((base == 0 || base == 16) && (mark == 'x' || mark == 'X') && digit_value(place[2]) < 16) {
            base = 16;
            place += 2;
        } else if (is_c23 && (base == 0 || base == 2) && (mark == 'b' || mark == 'B') && digit_value(place[2]) < 2) {
            base = 2;
            place += 2;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    if (is_negative)
        limit = negative_limit;
    const char *digits = place;
    unsigned long long value = 0;
    _Bool is_too_large = 0;
    for (;; place++) {
        int digit = digit_value(*place);
        if (digit >= base)
            break;
        if (value > (limit - digit) / base)
            is_too_large = 1;
        else
            value = value * base + digit;
    }
    if (end)
        *end = (char *)(place == digits ? text : place);
    if (is_too_large) {
        *__errno_location() = ERANGE;
        value = limit;
        if (!is_signed)
            return value;
    }
    return is_negative ? -value : value;
}

static const unsigned long long LONG_LIMIT = (unsigned long)-1 / 2;
static const unsigned long long LONG_LONG_LIMIT = (unsigned long long)-1 / 2;
static const unsigned long long UNSIGNED_LONG_LIMIT = (unsigned long)-1;

long strtol(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, LONG_LIMIT, LONG_LIMIT + 1, 1, 0);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, UNSIGNED_LONG_LIMIT, UNSIGNED_LONG_LIMIT, 0, 0);
}

long long strtoll(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, LONG_LONG_LIMIT, LONG_LONG_LIMIT + 1, 1, 0);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, -1, -1, 0, 0);
}

long long strtoimax(const char *restrict text, char **restrict end, int base) {
    return strtoll(text, end, base);
}

unsigned long long strtoumax(const char *restrict text, char **restrict end, int base) {
    return strtoull(text, end, base);
}

// What newer headers call the same functions; they also read `0b`.

long __isoc23_strtol(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, LONG_LIMIT, LONG_LIMIT + 1, 1, 1);
}

unsigned long __isoc23_strtoul(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, UNSIGNED_LONG_LIMIT, UNSIGNED_LONG_LIMIT, 0, 1);
}

long long __isoc23_strtoll(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, LONG_LONG_LIMIT, LONG_LONG_LIMIT + 1, 1, 1);
}

unsigned long long __isoc23_strtoull(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, -1, -1, 0, 1);
}

int atoi(const char *text) {
    return strtol(text, 0, 10);
}

long atol(const char *text) {
    return strtol(text, 0, 10);
}

long long atoll(const char *text) {
    return strtoll(text, 0, 10);
}
