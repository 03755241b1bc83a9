// stdio.h. What is written to standard error is dropped, what is read from standard input is anything; other streams are
// in streams.c.

typedef __typeof__(sizeof 0) size_t;
typedef __typeof__((char *)0 - (char *)0) ssize_t;
typedef __builtin_va_list va_list;
typedef struct _IO_FILE FILE;

void __raddle_emit_byte(int byte);
void __raddle_unsupported(const char *what);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void *__raddle_allocate(size_t bytes);
void __raddle_free(void *object);
int __raddle_stream_write(FILE *stream, const unsigned char *bytes, size_t count);
size_t __raddle_stream_read(FILE *stream, size_t limit, int delimiter, unsigned char **bytes);
int __raddle_stream_close(FILE *stream);
int __raddle_stream_flush(FILE *stream);
int __raddle_flush_all(void);
int __raddle_stream_buffer(FILE *stream, int mode);
long long __raddle_stream_seek(FILE *stream, long long offset, int whence);
long long __raddle_stream_tell(FILE *stream);
ssize_t write(int descriptor, const void *from, size_t count);
int *__errno_location(void);
_Bool __raddle_any_bool(void);
unsigned char __raddle_any_byte(void);
int __raddle_print(_Bool is_output, const char *text, va_list arguments);
int vsprintf(char *restrict to, const char *restrict text, va_list arguments);
int vsnprintf(char *restrict to, size_t room, const char *restrict text, va_list arguments);
void *malloc(size_t bytes);
void *realloc(void *object, size_t bytes);

enum { EOF = -1, EINVAL = 22 };

struct _IO_FILE {
    int descriptor;
    // A byte that was put back, and 1.
    int unread;
    _Bool has_ended, has_failed, may_read, may_write;
    int buffering;
    unsigned char *pending;
    size_t count, room;
    FILE *next;
};

static struct _IO_FILE input = {.descriptor = 0, .may_read = 1};
static struct _IO_FILE output = {.descriptor = 1, .may_write = 1};
static struct _IO_FILE error = {.descriptor = 2, .may_write = 1};

FILE *stdin = &input;
FILE *stdout = &output;
FILE *stderr = &error;

static _Bool is_standard(const FILE *stream) {
    return stream == &output || stream == &error;
}

// Bytes of the caller; those that are dropped are read all the same, because they may lie where nothing is.
static int write_bytes(FILE *stream, const unsigned char *bytes, size_t count) {
    if (is_standard(stream)) {
        for (size_t i = 0; i < count; i++) {
            unsigned char byte = bytes[i];
            if (stream == &output)
                __raddle_emit_byte(byte);
        }
        return 0;
    }
    if (stream == &input)
        __raddle_unsupported("writing to standard input");
    unsigned char *copy = __raddle_allocate(count);
    for (size_t i = 0; i < count; i++)
        copy[i] = bytes[i];
    int result = __raddle_stream_write(stream, copy, count);
    __raddle_free(copy);
    return result;
}

// The text in memory of its own, and its length.
static unsigned char *formatted(const char *restrict text, va_list arguments, int *length) {
    va_list again;
    __builtin_va_copy(again, arguments);
    *length = vsnprintf(0, 0, text, again);
    __builtin_va_end(again);
    if (*length < 0)
        return 0;
    char *to = __raddle_allocate((size_t)*length + 1);
    vsprintf(to, text, arguments);
    return (unsigned char *)to;
}

int vfprintf(FILE *restrict stream, const char *restrict text, va_list arguments) {
    if (is_standard(stream))
        return __raddle_print(stream == &output, text, arguments);
    if (stream == &input)
        __raddle_unsupported("writing to standard input");
    int length;
    unsigned char *bytes = formatted(text, arguments, &length);
    if (length > 0 && __raddle_stream_write(stream, bytes, length))
        length = EOF;
    __raddle_free(bytes);
    return length;
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
    if (descriptor == 1 || descriptor == 2)
        return __raddle_print(descriptor == 1, text, arguments);
    int length;
    unsigned char *bytes = formatted(text, arguments, &length);
    if (length > 0)
        length = write(descriptor, bytes, length);
    __raddle_free(bytes);
    return length;
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
    unsigned char written = byte;
    return write_bytes(stream, &written, 1) ? EOF : written;
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

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
    if (size == 0 || count == 0)
        return 0;
    return write_bytes(stream, from, size * count) ? 0 : count;
}

int fputs(const char *restrict text, FILE *restrict stream) {
    size_t length = 0;
    while (text[length])
        length++;
    return write_bytes(stream, (const unsigned char *)text, length) ? EOF : 1;
}

int puts(const char *text) {
    int count = 1;
    for (; *text; text++, count++)
        __raddle_emit_byte((unsigned char)*text);
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
    if (!stream)
        return __raddle_flush_all();
    return is_standard(stream) || stream == &input ? 0 : __raddle_stream_flush(stream);
}

int fflush_unlocked(FILE *stream) {
    return fflush(stream);
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
    if (mode < 0 || mode > 2)
        return EOF;
    return is_standard(stream) || stream == &input ? 0 : __raddle_stream_buffer(stream, mode);
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size) {
    setvbuf(stream, buffer, buffer ? 0 : 2, size);
}

void setbuf(FILE *restrict stream, char *restrict buffer) {
    setvbuf(stream, buffer, buffer ? 0 : 2, 0);
}

void setlinebuf(FILE *stream) {
    setvbuf(stream, 0, 1, 0);
}

// Every call is one step already; only for the standard streams is it enough.
void flockfile(FILE *stream) {
    if (!is_standard(stream) && stream != &input)
        __raddle_unsupported("`flockfile` of a file");
}

void funlockfile(FILE *stream) {
}

int fileno(FILE *stream) {
    return stream->descriptor;
}

int fileno_unlocked(FILE *stream) {
    return stream->descriptor;
}

int fclose(FILE *stream) {
    return is_standard(stream) || stream == &input ? 0 : __raddle_stream_close(stream);
}

int fcloseall(void) {
    __raddle_unsupported("`fcloseall`");
    return 0;
}

// What is said of a stream by its lock's leave.

int feof(FILE *stream) {
    __raddle_atomic_begin();
    _Bool has_ended = stream->has_ended;
    __raddle_atomic_end();
    return has_ended;
}

int feof_unlocked(FILE *stream) {
    return feof(stream);
}

int ferror(FILE *stream) {
    __raddle_atomic_begin();
    _Bool has_failed = stream->has_failed;
    __raddle_atomic_end();
    return has_failed;
}

int ferror_unlocked(FILE *stream) {
    return ferror(stream);
}

void clearerr(FILE *stream) {
    __raddle_atomic_begin();
    stream->has_ended = stream->has_failed = 0;
    __raddle_atomic_end();
}

void clearerr_unlocked(FILE *stream) {
    clearerr(stream);
}

int ungetc(int byte, FILE *stream) {
    if (byte == EOF)
        return EOF;
    __raddle_atomic_begin();
    _Bool has_room = stream->unread == 0;
    if (has_room) {
        stream->unread = (unsigned char)byte + 1;
        stream->has_ended = 0;
    }
    __raddle_atomic_end();
    // glibc keeps more, but nobody may rely on it.
    if (!has_room)
        __raddle_unsupported("`ungetc` of more than one byte");
    return (unsigned char)byte;
}

static long long seek(FILE *stream, long long offset, int whence) {
    if (is_standard(stream) || stream == &input)
        __raddle_unsupported("the position of a standard stream");
    return __raddle_stream_seek(stream, offset, whence);
}

int fseek(FILE *stream, long offset, int whence) {
    return seek(stream, offset, whence) < 0 ? -1 : 0;
}

int fseeko(FILE *stream, long offset, int whence) {
    return seek(stream, offset, whence) < 0 ? -1 : 0;
}

int fseeko64(FILE *stream, long long offset, int whence) {
    return seek(stream, offset, whence) < 0 ? -1 : 0;
}

static long long place_of(FILE *stream) {
    if (is_standard(stream) || stream == &input)
        __raddle_unsupported("the position of a standard stream");
    return __raddle_stream_tell(stream);
}

long ftell(FILE *stream) {
    return place_of(stream);
}

long ftello(FILE *stream) {
    return place_of(stream);
}

long long ftello64(FILE *stream) {
    return place_of(stream);
}

void rewind(FILE *stream) {
    seek(stream, 0, 0);
    clearerr(stream);
}

// A byte, or EOF: nothing follows from an earlier EOF, and it may have been an error.
static int any_input(void) {
    int unread = 0;
    __raddle_atomic_begin();
    if (input.unread) {
        unread = input.unread;
        input.unread = 0;
    }
    __raddle_atomic_end();
    if (unread)
        return unread - 1;
    if (!__raddle_any_bool())
        return __raddle_any_byte();
    _Bool is_error = __raddle_any_bool();
    __raddle_atomic_begin();
    if (is_error)
        input.has_failed = 1;
    else
        input.has_ended = 1;
    __raddle_atomic_end();
    return EOF;
}

static size_t read_input(size_t limit, int delimiter, unsigned char **bytes) {
    unsigned char *taken = 0;
    size_t count = 0, room = 0;
    while (count < limit) {
        int byte = any_input();
        if (byte == EOF)
            break;
        if (count == room) {
            room = room ? room * 2 : 16;
            unsigned char *larger = __raddle_allocate(room);
            for (size_t i = 0; i < count; i++)
                larger[i] = taken[i];
            __raddle_free(taken);
            taken = larger;
        }
        taken[count++] = byte;
        if (byte == delimiter)
            break;
    }
    *bytes = taken;
    return count;
}

static size_t read_bytes(FILE *stream, size_t limit, int delimiter, unsigned char **bytes) {
    if (stream == &input)
        return read_input(limit, delimiter, bytes);
    if (is_standard(stream))
        __raddle_unsupported("reading from standard output or error");
    return __raddle_stream_read(stream, limit, delimiter, bytes);
}

int fgetc(FILE *stream) {
    if (stream == &input)
        return any_input();
    unsigned char *bytes;
    int byte = read_bytes(stream, 1, EOF, &bytes) ? bytes[0] : EOF;
    __raddle_free(bytes);
    return byte;
}

int getc(FILE *stream) {
    return fgetc(stream);
}

int _IO_getc(FILE *stream) {
    return fgetc(stream);
}

int fgetc_unlocked(FILE *stream) {
    return fgetc(stream);
}

int getc_unlocked(FILE *stream) {
    return fgetc(stream);
}

int getchar(void) {
    return fgetc(stdin);
}

int getchar_unlocked(void) {
    return fgetc(stdin);
}

char *fgets(char *restrict to, int room, FILE *restrict stream) {
    if (room <= 0)
        return 0;
    if (room == 1) {
        *to = 0;
        return to;
    }
    unsigned char *bytes;
    size_t count = read_bytes(stream, room - 1, '\n', &bytes);
    for (size_t i = 0; i < count; i++)
        to[i] = bytes[i];
    __raddle_free(bytes);
    if (count == 0)
        return 0;
    to[count] = 0;
    return to;
}

char *fgets_unlocked(char *restrict to, int room, FILE *restrict stream) {
    return fgets(to, room, stream);
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
    if (size == 0 || count == 0)
        return 0;
    unsigned char *bytes;
    size_t got = read_bytes(stream, size * count, EOF, &bytes);
    for (size_t i = 0; i < got; i++)
        ((unsigned char *)to)[i] = bytes[i];
    __raddle_free(bytes);
    return got / size;
}

size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
    return fread(to, size, count, stream);
}

ssize_t getdelim(char **restrict line, size_t *restrict room, int delimiter, FILE *restrict stream) {
    if (!line || !room) {
        *__errno_location() = EINVAL;
        return -1;
    }
    unsigned char *bytes;
    size_t count = read_bytes(stream, -1, delimiter, &bytes);
    if (count == 0) {
        __raddle_free(bytes);
        return -1;
    }
    if (!*line || *room < count + 1) {
        size_t wanted = count + 1 < 120 ? 120 : count + 1;
        char *larger = realloc(*line, wanted);
        if (!larger) {
            __raddle_free(bytes);
            return -1;
        }
        *line = larger;
        *room = wanted;
    }
    for (size_t i = 0; i < count; i++)
        (*line)[i] = bytes[i];
    (*line)[count] = 0;
    __raddle_free(bytes);
    return count;
}

ssize_t __getdelim(char **restrict line, size_t *restrict room, int delimiter, FILE *restrict stream) {
    return getdelim(line, room, delimiter, stream);
}

ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream) {
    return getdelim(line, room, '\n', stream);
}
