// err.h, error.h, syslog.h, strerror_r: messages that are formatted and dropped.

typedef __typeof__(sizeof 0) size_t;
typedef __builtin_va_list va_list;

int __raddle_print(_Bool is_output, const char *text, va_list arguments);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
_Noreturn void exit(int status);
char *strerror(int number);
int *__errno_location(void);

enum { ERANGE = 34, EINVAL = 22, MESSAGES = 134 };

// The arguments are looked at, as whoever prints them does.
static void drop(const char *text, va_list arguments) {
    int error = *__errno_location();
    if (text)
        __raddle_print(0, text, arguments);
    *__errno_location() = error;
}

void vwarn(const char *text, va_list arguments) {
    drop(text, arguments);
}

void vwarnx(const char *text, va_list arguments) {
    drop(text, arguments);
}

_Noreturn void verr(int status, const char *text, va_list arguments) {
    drop(text, arguments);
    exit(status);
}

_Noreturn void verrx(int status, const char *text, va_list arguments) {
    drop(text, arguments);
    exit(status);
}

void warn(const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    drop(text, arguments);
    __builtin_va_end(arguments);
}

void warnx(const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    drop(text, arguments);
    __builtin_va_end(arguments);
}

_Noreturn void err(int status, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    drop(text, arguments);
    __builtin_va_end(arguments);
    exit(status);
}

_Noreturn void errx(int status, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    drop(text, arguments);
    __builtin_va_end(arguments);
    exit(status);
}

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void error_end(int status) {
    __raddle_atomic_begin();
    error_message_count++;
    __raddle_atomic_end();
    if (status)
        exit(status);
}

void error(int status, int number, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    drop(text, arguments);
    __builtin_va_end(arguments);
    error_end(status);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    drop(text, arguments);
    __builtin_va_end(arguments);
    error_end(status);
}

void openlog(const char *name, int options, int facility) {
}

void closelog(void) {
}

static int log_mask = 255;

int setlogmask(int mask) {
    int before = log_mask;
    if (mask)
        log_mask = mask;
    return before;
}

void vsyslog(int priority, const char *text, va_list arguments) {
    drop(text, arguments);
}

void syslog(int priority, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    drop(text, arguments);
    __builtin_va_end(arguments);
}

// As headers have it with checks of sizes.
void __syslog_chk(int priority, int flag, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    drop(text, arguments);
    __builtin_va_end(arguments);
}

void __vsyslog_chk(int priority, int flag, const char *text, va_list arguments) {
    drop(text, arguments);
}

// GNU's: the message need not be in the buffer.
char *strerror_r(int number, char *buffer, size_t room) {
    return strerror(number);
}

// POSIX's.
int __xpg_strerror_r(int number, char *buffer, size_t room) {
    const char *text = strerror(number);
    for (size_t i = 0; i < room; i++) {
        buffer[i] = text[i];
        if (!text[i])
            return number >= 0 && number < MESSAGES ? 0 : EINVAL;
    }
    if (room)
        buffer[room - 1] = 0;
    return ERANGE;
}
