// Streams of files and pipes. Output is kept back until there is a block of it, or somebody asks; input is taken as it is
// needed. A call is one indivisible step, as the lock of a stream makes it; the caller's bytes are its own.

typedef __typeof__(sizeof 0) size_t;
typedef __typeof__((char *)0 - (char *)0) ssize_t;
typedef struct _IO_FILE FILE;

void *__raddle_allocate(size_t bytes);
void *__raddle_allocate_zeroed(size_t bytes);
void __raddle_free(void *object);
void __raddle_unsupported(const char *what);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
_Bool __raddle_is_open(int descriptor);
int __raddle_open(const char *name, int flags, unsigned mode);
int __raddle_open_unnamed(void);
ssize_t __raddle_read_now(int descriptor, size_t count, unsigned char **bytes);
ssize_t __raddle_write_now(int descriptor, unsigned char *bytes, size_t count);
long long __raddle_seek_now(int descriptor, long long offset, int whence);
int close(int descriptor);
int raise(int number);
int *__errno_location(void);

enum { EOF = -1, EBADF = 9, EINVAL = 22, EPIPE = 32, SIGPIPE = 13, BLOCK = 4096 };
enum { O_WRONLY = 1, O_RDWR = 2, O_CREAT = 0100, O_EXCL = 0200, O_TRUNC = 01000, O_APPEND = 02000, O_CLOEXEC = 02000000 };
enum { FULLY, BY_LINES, NOT };

struct _IO_FILE {
    int descriptor;
    // A byte that was put back, and 1.
    int unread;
    _Bool has_ended, has_failed, may_read, may_write;
    int buffering;
    // What was written and not yet passed on.
    unsigned char *pending;
    size_t count, room;
    FILE *next;
};

static FILE *streams;

// In indivisible steps. 0 or, less than 0, an error.
static ssize_t pass_on(FILE *stream) {
    ssize_t done = 0;
    if (stream->count) {
        done = __raddle_write_now(stream->descriptor, stream->pending, stream->count);
        stream->pending = 0;
        stream->count = stream->room = 0;
        if (done < 0)
            stream->has_failed = 1;
    }
    return done < 0 ? done : 0;
}

static unsigned char *grown(unsigned char *bytes, size_t count, size_t *room) {
    if (count < *room)
        return bytes;
    *room = *room ? *room * 2 : 16;
    unsigned char *larger = __raddle_allocate(*room);
    for (size_t i = 0; i < count; i++)
        larger[i] = bytes[i];
    __raddle_free(bytes);
    return larger;
}

static int result_of(ssize_t done) {
    if (done >= 0)
        return 0;
    if (done == -EPIPE)
        raise(SIGPIPE);
    *__errno_location() = -done;
    return EOF;
}

// The bytes are nobody else's. 0 or EOF.
int __raddle_stream_write(FILE *stream, const unsigned char *bytes, size_t count) {
    ssize_t done = 0;
    _Bool has_line = 0;
    __raddle_atomic_begin();
    if (stream->may_write) {
        for (size_t i = 0; i < count; i++) {
            stream->pending = grown(stream->pending, stream->count, &stream->room);
            stream->pending[stream->count++] = bytes[i];
            has_line |= bytes[i] == '\n';
        }
        if (stream->buffering == NOT || stream->count >= BLOCK || (stream->buffering == BY_LINES && has_line))
            done = pass_on(stream);
    } else {
        stream->has_failed = 1;
        done = -EBADF;
    }
    __raddle_atomic_end();
    return result_of(done);
}

// Up to so many bytes, the last one maybe the delimiter; the result is how many. To be freed.
size_t __raddle_stream_read(FILE *stream, size_t limit, int delimiter, unsigned char **bytes) {
    unsigned char *taken = 0;
    size_t count = 0, room = 0;
    ssize_t got = 1;
    __raddle_atomic_begin();
    if (stream->may_read)
        pass_on(stream);
    else
        got = -EBADF;
    while (got > 0 && count < limit) {
        int byte = stream->unread - 1;
        if (stream->unread) {
            stream->unread = 0;
        } else {
            unsigned char *one;
            got = __raddle_read_now(stream->descriptor, 1, &one);
            if (got <= 0)
                break;
            byte = *one;
            __raddle_free(one);
        }
        taken = grown(taken, count, &room);
        taken[count++] = byte;
        if (byte == delimiter)
            break;
    }
    if (got == 0)
        stream->has_ended = 1;
    if (got < 0)
        stream->has_failed = 1;
    __raddle_atomic_end();
    if (got < 0)
        *__errno_location() = -got;
    *bytes = taken;
    return count;
}

static FILE *make(int descriptor, int flags) {
    FILE *stream = __raddle_allocate_zeroed(sizeof *stream);
    stream->descriptor = descriptor;
    stream->may_read = (flags & 3) != O_WRONLY;
    stream->may_write = (flags & 3) != 0;
    __raddle_atomic_begin();
    stream->next = streams;
    streams = stream;
    __raddle_atomic_end();
    return stream;
}

static int flags_of(const char *mode) {
    int flags;
    switch (*mode) {
    case 'r': flags = 0; break;
    case 'w': flags = O_WRONLY | O_CREAT | O_TRUNC; break;
    case 'a': flags = O_WRONLY | O_CREAT | O_APPEND; break;
    default: *__errno_location() = EINVAL; return -1;
    }
    for (mode++; *mode && *mode != ','; mode++)
        switch (*mode) {
        case '+': flags = (flags & ~3) | O_RDWR; break;
        case 'x': flags |= O_EXCL; break;
        case 'e': flags |= O_CLOEXEC; break;
        }
    return flags;
}

FILE *fopen(const char *name, const char *mode) {
    int flags = flags_of(mode);
    if (flags < 0)
        return 0;
    int descriptor = __raddle_open(name, flags, 0666);
    return descriptor < 0 ? 0 : make(descriptor, flags);
}

FILE *fopen64(const char *name, const char *mode) {
    return fopen(name, mode);
}

FILE *fdopen(int descriptor, const char *mode) {
    int flags = flags_of(mode);
    if (flags < 0)
        return 0;
    if (!__raddle_is_open(descriptor)) {
        *__errno_location() = EBADF;
        return 0;
    }
    if (descriptor < 3)
        __raddle_unsupported("another stream of a standard descriptor");
    return make(descriptor, flags);
}

FILE *tmpfile(void) {
    return make(__raddle_open_unnamed(), O_RDWR);
}

FILE *tmpfile64(void) {
    return tmpfile();
}

// Of a stream that is none of the standard ones.
int __raddle_stream_close(FILE *stream) {
    __raddle_atomic_begin();
    ssize_t done = pass_on(stream);
    FILE **place = &streams;
    while (*place && *place != stream)
        place = &(*place)->next;
    if (*place)
        *place = stream->next;
    int descriptor = stream->descriptor;
    __raddle_atomic_end();
    __raddle_free(stream);
    int result = result_of(done);
    return close(descriptor) ? EOF : result;
}

int __raddle_stream_flush(FILE *stream) {
    __raddle_atomic_begin();
    ssize_t done = pass_on(stream);
    __raddle_atomic_end();
    return result_of(done);
}

int __raddle_flush_all(void) {
    ssize_t done = 0;
    __raddle_atomic_begin();
    for (FILE *stream = streams; stream; stream = stream->next) {
        ssize_t now = pass_on(stream);
        if (now < 0)
            done = now;
    }
    __raddle_atomic_end();
    return result_of(done);
}

int __raddle_stream_buffer(FILE *stream, int mode) {
    __raddle_atomic_begin();
    stream->buffering = mode;
    ssize_t done = mode == NOT ? pass_on(stream) : 0;
    __raddle_atomic_end();
    return result_of(done);
}

// The new position, or less than 0.
long long __raddle_stream_seek(FILE *stream, long long offset, int whence) {
    __raddle_atomic_begin();
    long long place = pass_on(stream);
    if (place >= 0) {
        // What was put back counts as not read.
        if (whence == 1 && stream->unread)
            offset--;
        place = __raddle_seek_now(stream->descriptor, offset, whence);
        if (place >= 0) {
            stream->unread = 0;
            stream->has_ended = 0;
        }
    }
    __raddle_atomic_end();
    if (place < 0)
        result_of(place);
    return place;
}

// Where the next byte would be read or written. What was put back counts as not read.
long long __raddle_stream_tell(FILE *stream) {
    __raddle_atomic_begin();
    long long place = pass_on(stream);
    if (place >= 0)
        place = __raddle_seek_now(stream->descriptor, 0, 1);
    if (place >= 0 && stream->unread)
        place--;
    __raddle_atomic_end();
    if (place < 0)
        return result_of(place);
    return place;
}

// For the scanf family, in one indivisible step with what follows: all that is left of a file, to be freed, and how much of
// it is taken.

char *__raddle_stream_text(FILE *stream) {
    pass_on(stream);
    long long place = __raddle_seek_now(stream->descriptor, 0, 1);
    if (place < 0)
        __raddle_unsupported("`fscanf` of a pipe");
    unsigned char *rest;
    ssize_t count = stream->may_read ? __raddle_read_now(stream->descriptor, (size_t)-1 / 2, &rest) : -EBADF;
    if (count < 0) {
        stream->has_failed = 1;
        count = 0;
        rest = 0;
    }
    __raddle_seek_now(stream->descriptor, place, 0);
    unsigned char *text = __raddle_allocate(count + 2);
    size_t length = 0;
    if (stream->unread)
        text[length++] = stream->unread - 1;
    for (ssize_t i = 0; i < count; i++)
        text[length++] = rest[i];
    text[length] = 0;
    __raddle_free(rest);
    return (char *)text;
}

void __raddle_stream_skip(FILE *stream, size_t count, _Bool saw_end) {
    if (saw_end)
        stream->has_ended = 1;
    if (count && stream->unread) {
        stream->unread = 0;
        count--;
    }
    __raddle_seek_now(stream->descriptor, count, 1);
}
