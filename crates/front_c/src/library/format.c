// The printf family, byte by byte, as glibc formats in the C locale.

typedef __typeof__(sizeof 0) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
typedef __builtin_va_list va_list;

void __raddle_emit_byte(int byte);
char *strerror(int number);
int *__errno_location(void);
void __raddle_unsupported(const char *what);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
int *__errno_location(void);

enum { EOVERFLOW = 75, INT_LAST = 0x7fffffff };

enum { TO_NOWHERE, TO_OUTPUT, TO_BUFFER };

// Where formatted bytes go. They are counted even if there is no room for them.
struct sink {
    int kind;
    char *buffer;
    size_t room;
    size_t count;
};

enum { LEFT = 1, PLUS = 2, BLANK = 4, ALTERNATE = 8, ZERO = 16 };

// What stands between `%` and the conversion.
struct directive {
    int flags;
    int width;
    // Negative: none.
    int precision;
};

void __raddle_format_float(struct sink *sink, const struct directive *directive, int conversion, double value);

void __raddle_put(struct sink *sink, int byte) {
    if (sink->kind == TO_OUTPUT)
        __raddle_emit_byte(byte);
    else if (sink->kind == TO_BUFFER && sink->count < sink->room)
        sink->buffer[sink->count] = byte;
    sink->count++;
}

void __raddle_pad(struct sink *sink, int byte, int count) {
    for (; count > 0; count--)
        __raddle_put(sink, byte);
}

static void put_string(struct sink *sink, const struct directive *directive, const char *text) {
    if (!text)
        text = directive->precision >= 0 && directive->precision < 6 ? "" : "(null)";
    if (directive->width == 0 && directive->precision < 0) {
        for (; *text; text++)
            __raddle_put(sink, *text);
        return;
    }
    int length = directive->precision < 0 ? strlen(text) : strnlen(text, directive->precision);
    int padding = directive->width - length;
    if (!(directive->flags & LEFT))
        __raddle_pad(sink, ' ', padding);
    for (int i = 0; i < length; i++)
        __raddle_put(sink, text[i]);
    if (directive->flags & LEFT)
        __raddle_pad(sink, ' ', padding);
}

static void put_byte(struct sink *sink, const struct directive *directive, int byte) {
    if (!(directive->flags & LEFT))
        __raddle_pad(sink, ' ', directive->width - 1);
    __raddle_put(sink, byte);
    if (directive->flags & LEFT)
        __raddle_pad(sink, ' ', directive->width - 1);
}

// A magnitude with what stands before it: a sign, `0x`, or nothing (a zero byte).
static void put_integer(struct sink *sink, const struct directive *directive, unsigned long long value, int base,
                        _Bool is_upper, char sign, char radix) {
    char digits[22];
    int count = 0;
    _Bool is_octal_zero = base == 8 && directive->flags & ALTERNATE;
    for (; value; value /= base) {
        int digit = value % base;
        digits[count++] = digit < 10 ? '0' + digit : (is_upper ? 'A' : 'a') + digit - 10;
    }
    int zeros = (directive->precision < 0 ? 1 : directive->precision) - count;
    if (is_octal_zero && zeros < 1)
        zeros = 1;
    if (zeros < 0)
        zeros = 0;
    int padding = directive->width - count - zeros - (sign != 0) - (radix ? 2 : 0);
    if (padding > 0 && directive->flags & ZERO && !(directive->flags & LEFT) && directive->precision < 0) {
        zeros += padding;
        padding = 0;
    }
    if (!(directive->flags & LEFT))
        __raddle_pad(sink, ' ', padding);
    if (sign)
        __raddle_put(sink, sign);
    if (radix) {
        __raddle_put(sink, '0');
        __raddle_put(sink, radix);
    }
    __raddle_pad(sink, '0', zeros);
    while (count > 0)
        __raddle_put(sink, digits[--count]);
    if (directive->flags & LEFT)
        __raddle_pad(sink, ' ', padding);
}

static char sign_of(const struct directive *directive, _Bool is_negative) {
    if (is_negative)
        return '-';
    if (directive->flags & PLUS)
        return '+';
    return directive->flags & BLANK ? ' ' : 0;
}

static int flag_of(char byte) {
    switch (byte) {
    case '-': return LEFT;
    case '+': return PLUS;
    case ' ': return BLANK;
    case '#': return ALTERNATE;
    case '0': return ZERO;
    }
    return 0;
}

// Lengths, in the order of their sizes.
enum { CHAR, SHORT, INT, LONG, LONG_LONG, LONG_DOUBLE, SIZE };

static void format(struct sink *sink, const char *place, va_list arguments) {
    for (; *place; place++) {
        if (*place != '%') {
            __raddle_put(sink, *place);
            continue;
        }
        struct directive directive;
        directive.flags = 0;
        directive.width = 0;
        directive.precision = -1;
        place++;
        while (flag_of(*place) || *place == '\'')
            directive.flags |= flag_of(*place++);
        if (*place == '*') {
            place++;
            directive.width = __builtin_va_arg(arguments, int);
            if (directive.width < 0) {
                directive.flags |= LEFT;
                directive.width = -directive.width;
            }
        } else {
            while (*place >= '0' && *place <= '9')
                directive.width = directive.width * 10 + (*place++ - '0');
        }
        if (*place == '.') {
            place++;
            if (*place == '*') {
                place++;
                directive.precision = __builtin_va_arg(arguments, int);
                if (directive.precision < 0)
                    directive.precision = -1;
            } else {
                directive.precision = 0;
                while (*place >= '0' && *place <= '9')
                    directive.precision = directive.precision * 10 + (*place++ - '0');
            }
        }
        int length = INT;
        switch (*place) {
        case 'h':
            place++;
            length = SHORT;
            if (*place == 'h') {
                place++;
                length = CHAR;
            }
            break;
        case 'l':
            place++;
            length = LONG;
            if (*place == 'l') {
                place++;
                length = LONG_LONG;
            }
            break;
        case 'j':
        case 'q':
            place++;
            length = LONG_LONG;
            break;
        case 'L':
            place++;
            length = LONG_DOUBLE;
            break;
        case 'z':
        case 'Z':
        case 't':
            place++;
            length = SIZE;
            break;
        }
        char conversion = *place;
        switch (conversion) {
        case 'd':
        case 'i': {
            long long value;
            switch (length) {
            case CHAR: value = (signed char)__builtin_va_arg(arguments, int); break;
            case SHORT: value = (short)__builtin_va_arg(arguments, int); break;
            case INT: value = __builtin_va_arg(arguments, int); break;
            case LONG: value = __builtin_va_arg(arguments, long); break;
            case SIZE: value = __builtin_va_arg(arguments, ptrdiff_t); break;
            default: value = __builtin_va_arg(arguments, long long);
            }
            unsigned long long magnitude = value < 0 ? -(unsigned long long)value : value;
            put_integer(sink, &directive, magnitude, 10, 0, sign_of(&directive, value < 0), 0);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long value;
            switch (length) {
            case CHAR: value = (unsigned char)__builtin_va_arg(arguments, unsigned); break;
            case SHORT: value = (unsigned short)__builtin_va_arg(arguments, unsigned); break;
            case INT: value = __builtin_va_arg(arguments, unsigned); break;
            case LONG: value = __builtin_va_arg(arguments, unsigned long); break;
            case SIZE: value = __builtin_va_arg(arguments, size_t); break;
            default: value = __builtin_va_arg(arguments, unsigned long long);
            }
            int base = conversion == 'u' ? 10 : conversion == 'o' ? 8 : 16;
            _Bool has_radix = base == 16 && value && directive.flags & ALTERNATE;
            put_integer(sink, &directive, value, base, conversion == 'X', 0, has_radix ? conversion : 0);
            break;
        }
        case 'c':
            if (length == LONG)
                __raddle_unsupported("a wide character in the `printf` family");
            put_byte(sink, &directive, (unsigned char)__builtin_va_arg(arguments, int));
            break;
        case 's':
            if (length == LONG)
                __raddle_unsupported("a wide string in the `printf` family");
            put_string(sink, &directive, __builtin_va_arg(arguments, char *));
            break;
        case 'm':
            put_string(sink, &directive, strerror(*__errno_location()));
            break;
        case 'p': {
            size_t value = (size_t)__builtin_va_arg(arguments, void *);
            if (value) {
                put_integer(sink, &directive, value, 16, 0, sign_of(&directive, 0), 'x');
            } else {
                directive.precision = -1;
                put_string(sink, &directive, "(nil)");
            }
            break;
        }
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            if (length == LONG_DOUBLE)
                __raddle_unsupported("a `long double` in the `printf` family");
            __raddle_format_float(sink, &directive, conversion, __builtin_va_arg(arguments, double));
            break;
        case 'n':
            switch (length) {
            case CHAR: *__builtin_va_arg(arguments, signed char *) = sink->count; break;
            case SHORT: *__builtin_va_arg(arguments, short *) = sink->count; break;
            case INT: *__builtin_va_arg(arguments, int *) = sink->count; break;
            case LONG: *__builtin_va_arg(arguments, long *) = sink->count; break;
            case SIZE: *__builtin_va_arg(arguments, size_t *) = sink->count; break;
            default: *__builtin_va_arg(arguments, long long *) = sink->count;
            }
            break;
        case '%':
            __raddle_put(sink, '%');
            break;
        default:
            __raddle_unsupported("an uncommon conversion in the `printf` family");
        }
    }
}

static int result_of(const struct sink *sink) {
    if (sink->count <= INT_LAST)
        return sink->count;
    *__errno_location() = EOVERFLOW;
    return -1;
}

// To standard output, or nowhere.
int __raddle_print(_Bool is_output, const char *text, va_list arguments) {
    struct sink sink;
    sink.kind = is_output ? TO_OUTPUT : TO_NOWHERE;
    sink.count = 0;
    format(&sink, text, arguments);
    return result_of(&sink);
}

int vsprintf(char *restrict to, const char *restrict text, va_list arguments) {
    struct sink sink;
    sink.kind = TO_BUFFER;
    sink.buffer = to;
    sink.room = -1;
    sink.count = 0;
    format(&sink, text, arguments);
    to[sink.count] = 0;
    return result_of(&sink);
}

int vsnprintf(char *restrict to, size_t room, const char *restrict text, va_list arguments) {
    struct sink sink;
    sink.kind = TO_BUFFER;
    sink.buffer = to;
    sink.room = room ? room - 1 : 0;
    sink.count = 0;
    format(&sink, text, arguments);
    if (room)
        to[sink.count < room ? sink.count : room - 1] = 0;
    return result_of(&sink);
}

// What a `printf` with a literal format does for `%s`.
void __raddle_emit_string(const char *text, int width, int precision, int is_left) {
    struct sink sink;
    struct directive directive;
    sink.kind = TO_OUTPUT;
    sink.count = 0;
    directive.flags = is_left || width < 0 ? LEFT : 0;
    directive.width = width < 0 ? -width : width;
    directive.precision = precision;
    put_string(&sink, &directive, text);
}
