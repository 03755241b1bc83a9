// The scanf family. Standard input is anything, so are the values that are read from it, and reading may fail anywhere.

typedef __typeof__(sizeof 0) size_t;
typedef __builtin_va_list va_list;

typedef struct _IO_FILE FILE;

void __raddle_unsupported(const char *what);
_Bool __raddle_any_bool(void);
unsigned char __raddle_any_byte(void);
short __raddle_any_short(void);
int __raddle_any_int(void);
unsigned long long __raddle_any_number(void);
double __raddle_any_double(void);
void __raddle_assume(int condition);
void __raddle_free(void *object);
char *__raddle_stream_text(FILE *stream);
void __raddle_stream_skip(FILE *stream, size_t count, _Bool saw_end);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
extern FILE *stdin;
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

// One directive, behind its `%`.
struct directive {
    _Bool is_dropped;
    int width, length;
};

// The result is where its conversion stands.
static const char *read_directive(const char *format, struct directive *directive) {
    directive->is_dropped = *format == '*';
    if (directive->is_dropped)
        format++;
    directive->width = 0;
    while (*format >= '0' && *format <= '9')
        directive->width = directive->width * 10 + (*format++ - '0');
    directive->length = INT;
    switch (*format) {
    case 'h':
        format++;
        directive->length = SHORT;
        if (*format == 'h') {
            format++;
            directive->length = CHAR;
        }
        break;
    case 'l':
        format++;
        directive->length = LONG;
        if (*format == 'l') {
            format++;
            directive->length = LONG_LONG;
        }
        break;
    case 'j':
    case 'q':
        format++;
        directive->length = LONG_LONG;
        break;
    case 'L':
        format++;
        directive->length = LONG_DOUBLE;
        break;
    case 'z':
    case 't':
        format++;
        directive->length = SIZE;
        break;
    }
    return format;
}

// How much of a text was taken, and whether its end was seen.
struct progress {
    size_t taken;
    _Bool saw_end;
};

// Scans a text. If nothing is stored, only the progress is wanted.
static int scan(const char *restrict from, const char *restrict format, va_list arguments, _Bool is_stored,
                struct progress *progress) {
    const char *place = from;
    int assigned = 0;
    progress->saw_end = 0;
    for (; *format; format++) {
        if (is_space(*format)) {
            place = after_spaces(place);
            progress->saw_end |= !*place;
            continue;
        }
        if (*format != '%') {
            if (!*place)
                goto end_of_text;
            if (*place != *format)
                goto stop;
            place++;
            continue;
        }
        struct directive directive;
        format = read_directive(format + 1, &directive);
        int width = directive.width, length = directive.length;
        // What is not stored counts all the same.
        _Bool is_dropped = directive.is_dropped || !is_stored;
        char conversion = *format;
        if (conversion == 'n') {
            if (!is_dropped)
                store(__builtin_va_arg(arguments, void *), length, place - from);
            continue;
        }
        if (conversion != 'c' && conversion != '[')
            place = after_spaces(place);
        if (!*place)
            goto end_of_text;
        switch (conversion) {
        case '%':
            if (*place != '%')
                goto stop;
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
                goto stop;
            place = end;
            progress->saw_end |= !*place;
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
                goto stop;
            place = end;
            progress->saw_end |= !*place;
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
                    goto stop;
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
            progress->saw_end |= !*place && (width == 0 || count < width);
            if (count == 0)
                goto stop;
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
stop:
    progress->taken = place - from;
    return assigned;
end_of_text:
    progress->saw_end = 1;
    progress->taken = place - from;
    return assigned ? assigned : EOF;
}

int vsscanf(const char *restrict from, const char *restrict format, va_list arguments) {
    struct progress progress;
    return scan(from, format, arguments, 1, &progress);
}

// Standard input: an input failure or a mismatch anywhere.
static int failure(int assigned) {
    return assigned ? assigned : __raddle_any_bool() ? EOF : 0;
}

static unsigned long long any_number(int length) {
    switch (length) {
    case CHAR: return __raddle_any_byte();
    case SHORT: return __raddle_any_short();
    case INT: return __raddle_any_int();
    default: return __raddle_any_number();
    }
}

static void store_any(void *to, int length, int width, char conversion) {
    unsigned long long value = any_number(length);
    if (width) {
        unsigned long long limit = 1;
        if (conversion != 'd' && conversion != 'u')
            __raddle_unsupported("a number with a base and a width in the `scanf` family");
        if (width > 18)
            __raddle_unsupported("a large width in the `scanf` family");
        for (int i = 0; i < width; i++)
            limit *= 10;
        // A sign takes one place.
        __raddle_assume(value < limit || -value < limit / 10);
    }
    store(to, length, value);
}

static int scan_anything(const char *restrict format, va_list arguments) {
    int assigned = 0;
    for (; *format; format++) {
        if (is_space(*format))
            continue;
        if (*format != '%') {
            if (__raddle_any_bool())
                return failure(assigned);
            continue;
        }
        struct directive directive;
        format = read_directive(format + 1, &directive);
        char conversion = *format;
        if (conversion != 'n' && __raddle_any_bool())
            return failure(assigned);
        const char *set = format + 1, *end = 0;
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
        if (directive.is_dropped || conversion == '%')
            continue;
        switch (conversion) {
        case 'n': {
            int count = __raddle_any_int();
            __raddle_assume(count >= 0);
            store(__builtin_va_arg(arguments, void *), directive.length, count);
            continue;
        }
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            store_any(__builtin_va_arg(arguments, void *), directive.length, directive.width, conversion);
            break;
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            if (directive.width || directive.length == LONG_DOUBLE)
                __raddle_unsupported("a float with a width or length in the `scanf` family");
            if (directive.length == LONG)
                *__builtin_va_arg(arguments, double *) = __raddle_any_double();
            else
                *__builtin_va_arg(arguments, float *) = __raddle_any_double();
            break;
        case 'c':
        case 's':
        case '[': {
            if (directive.length != INT)
                __raddle_unsupported("wide characters in the `scanf` family");
            char *to = __builtin_va_arg(arguments, char *);
            int width = directive.width, count = 0;
            if (conversion == 'c' && width == 0)
                width = 1;
            do {
                unsigned char byte = __raddle_any_byte();
                if (conversion == 's')
                    __raddle_assume(!is_space(byte));
                if (conversion == '[')
                    __raddle_assume(is_in_set(set, end, byte) != is_rejected);
                to[count++] = byte;
            } while ((width == 0 || count < width) && (conversion == 'c' || __raddle_any_bool()));
            if (conversion != 'c')
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

// Of a file, what is scanned is taken in one step, from which nobody else can take it again; then it is stored.
int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
    if (stream == stdin)
        return scan_anything(format, arguments);
    struct progress progress;
    va_list again;
    __builtin_va_copy(again, arguments);
    __raddle_atomic_begin();
    char *text = __raddle_stream_text(stream);
    scan(text, format, again, 0, &progress);
    __raddle_stream_skip(stream, progress.taken, progress.saw_end);
    __raddle_atomic_end();
    __builtin_va_end(again);
    int result = scan(text, format, arguments, 1, &progress);
    __raddle_free(text);
    return result;
}

int vscanf(const char *restrict format, va_list arguments) {
    return scan_anything(format, arguments);
}

int scanf(const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = scan_anything(format, arguments);
    __builtin_va_end(arguments);
    return result;
}

int fscanf(FILE *restrict stream, const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = vfscanf(stream, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __isoc99_scanf(const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = scan_anything(format, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __isoc99_fscanf(FILE *restrict stream, const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = vfscanf(stream, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __isoc99_vscanf(const char *restrict format, va_list arguments) {
    return scan_anything(format, arguments);
}

int __isoc99_vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
    return vfscanf(stream, format, arguments);
}

int __isoc23_scanf(const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = scan_anything(format, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __isoc23_fscanf(FILE *restrict stream, const char *restrict format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    int result = vfscanf(stream, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __isoc23_vscanf(const char *restrict format, va_list arguments) {
    return scan_anything(format, arguments);
}

int __isoc23_vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
    return vfscanf(stream, format, arguments);
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
