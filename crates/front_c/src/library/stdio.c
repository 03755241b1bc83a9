// stdio.h: three streams. What is written to standard error is dropped; what is read from standard input is anything.

typedef __typeof__(sizeof 0) size_t;
typedef __typeof__((char *)0 - (char *)0) ssize_t;
typedef __builtin_va_list va_list;
typedef struct _IO_FILE FILE;

void __raddle_emit_byte(int byte);
void __raddle_unsupported(const char *what);
_Bool __raddle_any_bool(void);
unsigned char __raddle_any_byte(void);
int __raddle_print(_Bool is_output, const char *text, va_list arguments);
int vsprintf(char *restrict to, const char *restrict text, va_list arguments);
int vsnprintf(char *restrict to, size_t room, const char *restrict text, va_list arguments);
void *malloc(size_t bytes);

enum { EOF = -1 };

struct _IO_FILE {
    int descriptor;
};

static struct _IO_FILE input = {0};
static struct _IO_FILE output = {1};
static struct _IO_FILE error = {2};

FILE *stdin = &input;
FILE *stdout = &output;
FILE *stderr = &error;

static _Bool is_output(const FILE *stream) {
    if (stream == &output)
        return 1;
    if (stream != &error)
        __raddle_unsupported("writing to another stream than standard output and error");
    return 0;
}

int vfprintf(FILE *restrict stream, const char *restrict text, va_list arguments) {
    return __raddle_print(is_output(stream), text, arguments);
}

int fprintf(FILE *restrict stream, const char *restrict text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = vfprintf(stream, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int vprintf(const char *restrict text, va_list arguments) {
    return vfprintf(stdout, text, arguments);
}

int printf(const char *restrict text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = vfprintf(stdout, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int vdprintf(int descriptor, const char *restrict text, va_list arguments) {
    if (descriptor != 1 && descriptor != 2)
        __raddle_unsupported("writing to another descriptor than those of standard output and error");
    return __raddle_print(descriptor == 1, text, arguments);
}

int dprintf(int descriptor, const char *restrict text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = vdprintf(descriptor, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int sprintf(char *restrict to, const char *restrict text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = vsprintf(to, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int snprintf(char *restrict to, size_t room, const char *restrict text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = vsnprintf(to, room, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int vasprintf(char **restrict result, const char *restrict text, va_list arguments) {
    va_list again;
    __builtin_va_copy(again, arguments);
    int length = vsnprintf(0, 0, text, again);
    __builtin_va_end(again);
    if (length < 0)
        return -1;
    char *to = malloc((size_t)length + 1);
    if (!to)
        return -1;
    *result = to;
    return vsprintf(to, text, arguments);
}

int asprintf(char **restrict result, const char *restrict text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int length = vasprintf(result, text, arguments);
    __builtin_va_end(arguments);
    return length;
}

int fputc(int byte, FILE *stream) {
    if (is_output(stream))
        __raddle_emit_byte((unsigned char)byte);
    return (unsigned char)byte;
}

int putc(int byte, FILE *stream) {
    return fputc(byte, stream);
}

int _IO_putc(int byte, FILE *stream) {
    return fputc(byte, stream);
}

int putchar(int byte) {
    return fputc(byte, stdout);
}

int fputc_unlocked(int byte, FILE *stream) {
    return fputc(byte, stream);
}

int putc_unlocked(int byte, FILE *stream) {
    return fputc(byte, stream);
}

int putchar_unlocked(int byte) {
    return fputc(byte, stdout);
}

// Bytes that are dropped are read all the same: they may lie where nothing is.
static void write_bytes(_Bool is_emitted, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = bytes[i];
        if (is_emitted)
            __raddle_emit_byte(byte);
    }
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
    write_bytes(is_output(stream), from, size * count);
    return size ? count : 0;
}

ssize_t write(int descriptor, const void *from, size_t count) {
    if (descriptor != 1 && descriptor != 2)
        __raddle_unsupported("writing to another descriptor than those of standard output and error");
    write_bytes(descriptor == 1, from, count);
    return count;
}

int fputs(const char *restrict text, FILE *restrict stream) {
    _Bool is_emitted = is_output(stream);
    for (; *text; text++)
        if (is_emitted)
            __raddle_emit_byte((unsigned char)*text);
    return 1;
}

int puts(const char *text) {
    _Bool is_emitted = is_output(stdout);
    int count = 1;
    for (; *text; text++, count++)
        if (is_emitted)
            __raddle_emit_byte((unsigned char)*text);
    if (is_emitted)
        __raddle_emit_byte('\n');
    return count;
}

int fputs_unlocked(const char *restrict text, FILE *restrict stream) {
    return fputs(text, stream);
}

size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
    return fwrite(from, size, count, stream);
}

void perror(const char *text) {
    if (text)
        while (*text)
            text++;
}

int fflush(FILE *stream) {
    return 0;
}

int fflush_unlocked(FILE *stream) {
    return 0;
}

void setbuf(FILE *restrict stream, char *restrict buffer) {
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size) {
}

void setlinebuf(FILE *stream) {
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
    return 0;
}

void flockfile(FILE *stream) {
}

void funlockfile(FILE *stream) {
}

int fileno(FILE *stream) {
    return stream->descriptor;
}

// A byte, or EOF: nothing follows from an earlier EOF, because an error looks the same.
static int any_input(const FILE *stream) {
    if (stream != &input)
        __raddle_unsupported("reading from another stream than standard input");
    return __raddle_any_bool() ? EOF : __raddle_any_byte();
}

int fgetc(FILE *stream) {
    return any_input(stream);
}

int getc(FILE *stream) {
    return any_input(stream);
}

int _IO_getc(FILE *stream) {
    return any_input(stream);
}

int getchar(void) {
    return any_input(stdin);
}

int getchar_unlocked(void) {
    return any_input(stdin);
}

char *fgets(char *restrict to, int room, FILE *restrict stream) {
    if (room <= 0)
        return 0;
    int count = 0;
    while (count < room - 1) {
        int byte = any_input(stream);
        if (byte == EOF) {
            if (count == 0)
                return 0;
            break;
        }
        to[count++] = byte;
        if (byte == '\n')
            break;
    }
    to[count] = 0;
    return to;
}
