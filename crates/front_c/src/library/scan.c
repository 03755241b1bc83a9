// sscanf. Standard input is anything, and what scanf leaves of it is not kept track of, so scanf is unsupported.

typedef __typeof__(sizeof 0) size_t;
typedef __builtin_va_list va_list;

void __raddle_unsupported(const char *what);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);

enum { EOF = -1 };

// Lengths of integers, as in format.c.
enum { CHAR, SHORT, INT, LONG, LONG_LONG, LONG_DOUBLE, SIZE };

static _Bool is_space(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static const char *after_spaces(const char *place) {
    while (is_space(*place))
        place++;
    return place;
}

static void store(void *to, int length, unsigned long long value) {
    switch (length) {
    case CHAR: *(char *)to = value; break;
    case SHORT: *(short *)to = value; break;
    case INT: *(int *)to = value; break;
    case LONG: *(long *)to = value; break;
    case SIZE: *(size_t *)to = value; break;
    default: *(long long *)to = value;
    }
}

// Reads at most `width` bytes, if it is not zero. The result is where they end; at `place` if there is no number.
static const char *read_integer(const char *place, int width, int base, _Bool is_signed, _Bool is_long_long,
                                unsigned long long *value) {
    char part[64];
    const char *text = place;
    char *end;
    if (width) {
        int count = 0;
        if (width > 63)
            __raddle_unsupported("a large width in the `scanf` family");
        for (; count < width && place[count]; count++)
            part[count] = place[count];
        part[count] = 0;
        text = part;
    }
    if (is_long_long)
        *value = is_signed ? (unsigned long long)strtoll(text, &end, base) : strtoull(text, &end, base);
    else
        *value = is_signed ? (unsigned long long)strtol(text, &end, base) : strtoul(text, &end, base);
    // glibc has taken the mark of a base even if no digit follows it.
    if (base != 10 && base != 8 && end > text && end[-1] == '0' && (*end | 32) == 'x')
        __raddle_unsupported("`0x` without digits in the `scanf` family");
    return place + (end - text);
}

// Whether a byte is in the set behind `[`; `set` is behind `^`, and its end is the place of `]`.
static _Bool is_in_set(const char *set, const char *end, char byte) {
    for (const char *place = set; place < end; place++) {
        if (place + 2 < end && place[1] == '-') {
            if ((unsigned char)byte >= (unsigned char)place[0] && (unsigned char)byte <= (unsigned char)place[2])
                return 1;
            place += 2;
        } else if (*place == byte) {
            return 1;
        }
    }
    return 0;
}

int vsscanf(const char *restrict from, const char *restrict format, va_list arguments) {
    const char *place = from;
    int assigned = 0;
    for (; *format; format++) {
        if (is_space(*format)) {
            place = after_spaces(place);
            continue;
        }
        if (*format != '%') {
            if (!*place)
                return assigned ? assigned : EOF;
            if (*place != *format)
                return assigned;
            place++;
            continue;
        }
        format++;
        _Bool is_dropped = *format == '*';
        if (is_dropped)
            format++;
        int width = 0;
        while (*format >= '0' && *format <= '9')
            width = width * 10 + (*format++ - '0');
        int length = INT;
        switch (*format) {
        case 'h':
            format++;
            length = SHORT;
            if (*format == 'h') {
                format++;
                length = CHAR;
            }
            break;
        case 'l':
            format++;
            length = LONG;
            if (*format == 'l') {
                format++;
                length = LONG_LONG;
            }
            break;
        case 'j':
        case 'q':
            format++;
            length = LONG_LONG;
            break;
        case 'L':
            format++;
            length = LONG_DOUBLE;
            break;
        case 'z':
        case 't':
            format++;
            length = SIZE;
            break;
        }
        char conversion = *format;
        if (conversion == 'n') {
            if (!is_dropped)
                store(__builtin_va_arg(arguments, void *), length, place - from);
            continue;
        }
        if (conversion != 'c' && conversion != '[')
            place = after_spaces(place);
        if (!*place)
            return assigned ? assigned : EOF;
        switch (conversion) {
        case '%':
            if (*place != '%')
                return assigned;
            place++;
            continue;
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            _Bool is_signed = conversion == 'd' || conversion == 'i';
            int base = conversion == 'i' ? 0 : conversion == 'o' ? 8 : (conversion | 32) == 'x' ? 16 : 10;
            unsigned long long value;
            const char *end = read_integer(place, width, base, is_signed, length == LONG_LONG, &value);
            if (end == place)
                return assigned;
            place = end;
            if (is_dropped)
                continue;
            store(__builtin_va_arg(arguments, void *), length, value);
            break;
        }
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A': {
            char *end;
            if (width || length == LONG_DOUBLE)
                __raddle_unsupported("a float with a width or length in the `scanf` family");
            double value = length == LONG ? strtod(place, &end) : strtof(place, &end);
            // glibc has taken the beginning of an exponent, or of a word, before it sees that it is none.
            char next = *end | 32;
            if (next == 'e' || next == 'p' || next == 'x' || next == 'i' || next == 'n')
                __raddle_unsupported("half a float in the `scanf` family");
            if (end == place)
                return assigned;
            place = end;
            if (is_dropped)
                continue;
            if (length == LONG)
                *__builtin_va_arg(arguments, double *) = value;
            else
                *__builtin_va_arg(arguments, float *) = value;
            break;
        }
        case 'c': {
            if (length != INT)
                __raddle_unsupported("a wide character in the `scanf` family");
            char *to = is_dropped ? 0 : __builtin_va_arg(arguments, char *);
            int count = width ? width : 1;
            for (int i = 0; i < count && *place; i++, place++)
                if (to)
                    to[i] = *place;
            if (!to)
                continue;
            break;
        }
        case 's':
        case '[': {
            if (length != INT)
                __raddle_unsupported("a wide string in the `scanf` family");
            const char *set = format + 1;
            const char *end = 0;
            _Bool is_rejected = 0;
            if (conversion == '[') {
                is_rejected = *set == '^';
                set += is_rejected;
                end = *set ? set + 1 : set;
                while (*end && *end != ']')
                    end++;
                if (!*end)
                    return assigned;
                format = end;
            }
            char *to = is_dropped ? 0 : __builtin_va_arg(arguments, char *);
            int count = 0;
            for (; *place && (width == 0 || count < width); place++, count++) {
                if (conversion == 's' ? is_space(*place) : is_in_set(set, end, *place) == is_rejected)
                    break;
                if (to)
                    to[count] = *place;
            }
            if (count == 0)
                return assigned;
            if (!to)
                continue;
            to[count] = 0;
            break;
        }
        default:
            __raddle_unsupported("an uncommon conversion in the `scanf` family");
        }
        assigned++;
    }
    return assigned;
}

int sscanf(const char *restrict from, const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = vsscanf(from, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// What headers call the same functions, to tell them from older ones.

int __isoc99_vsscanf(const char *restrict from, const char *restrict format, va_list arguments) {
    return vsscanf(from, format, arguments);
}

int __isoc99_sscanf(const char *restrict from, const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = vsscanf(from, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __isoc23_vsscanf(const char *restrict from, const char *restrict format, va_list arguments) {
    return vsscanf(from, format, arguments);
}

int __isoc23_sscanf(const char *restrict from, const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = vsscanf(from, format, arguments);
    __builtin_va_end(arguments);
    return result;
}
