// Descriptors: files, pipes, counters of events. A call is one indivisible step, or waits for one; the bytes of the caller
// are read before it and written after it, as others may use them meanwhile.

typedef __typeof__(sizeof 0) size_t;
typedef __typeof__((char *)0 - (char *)0) ssize_t;

void *__raddle_allocate(size_t bytes);
void *__raddle_allocate_zeroed(size_t bytes);
void __raddle_free(void *object);
void __raddle_unsupported(const char *what);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_assume(int condition);
void __raddle_test_cancel(void);
void __raddle_refuse_waiting(void);
void __raddle_emit_byte(int byte);
_Bool __raddle_any_bool(void);
unsigned char __raddle_any_byte(void);
size_t __raddle_any_size(void);
int raise(int number);
int *__errno_location(void);

struct file {
    unsigned char *bytes;
    size_t size, room;
    unsigned mode;
    int names, uses;
    _Bool is_folder, is_nothing;
    unsigned long number;
};

char *__raddle_path(const char *name);
struct file *__raddle_file(const char *path);
struct file *__raddle_unnamed(void);
int __raddle_make(char *path, unsigned mode, _Bool is_folder, struct file **made);
void __raddle_release(struct file *file);
void __raddle_resize(struct file *file, size_t size);

enum { ENOENT = 2, EBADF = 9, EAGAIN = 11, EACCES = 13, EEXIST = 17, ENOTDIR = 20, EISDIR = 21, EINVAL = 22, ESPIPE = 29, EPIPE = 32 };
enum { O_WRONLY = 1, O_RDWR = 2, O_ACCMODE = 3, O_CREAT = 0100, O_EXCL = 0200, O_TRUNC = 01000, O_APPEND = 02000 };
enum { O_NONBLOCK = 04000, O_DIRECTORY = 0200000, O_CLOEXEC = 02000000, O_TMPFILE = 020000000, EFD_SEMAPHORE = 1 };
enum { SIGPIPE = 13, AT_ONCE = 4096, ROOM = 65536, DESCRIPTORS = 64 };

enum kind { INPUT, OUTPUT, ERROR, DATA, PIPE, EVENTS };

// Bytes that somebody wrote, in one piece, and who still needs them. They do not change any more.
struct buffer {
    unsigned char *bytes;
    int uses;
};

// Some of them.
struct chunk {
    struct buffer *buffer;
    size_t first, count;
    struct chunk *next;
};

// What waits between writers and readers: bytes, or a number of events.
struct pipe {
    struct chunk *chunks;
    size_t size;
    unsigned long long events;
    int readers, writers;
};

// What a descriptor stands for; several may stand for one.
struct description {
    enum kind kind;
    int flags;
    size_t offset;
    struct file *file;
    struct pipe *pipe;
    int uses;
};

static struct description standard[3] = {{INPUT, 0, .uses = 1}, {OUTPUT, O_WRONLY, .uses = 1}, {ERROR, O_WRONLY, .uses = 1}};
static struct description *table[DESCRIPTORS] = {&standard[0], &standard[1], &standard[2]};
static _Bool ends_with_exec[DESCRIPTORS];

static int failed(int error) {
    *__errno_location() = error;
    return -1;
}

// What follows, up to the next remark, is called in indivisible steps.

static struct description *find(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS ? table[descriptor] : 0;
}

// The least number that is free, from some number on.
static int put(struct description *made, int first, _Bool ends) {
    for (int i = first; i < DESCRIPTORS; i++)
        if (!table[i]) {
            if (i < 3)
                __raddle_unsupported("another file in place of a standard stream");
            table[i] = made;
            ends_with_exec[i] = ends;
            made->uses++;
            return i;
        }
    __raddle_unsupported("more than 64 open descriptors");
    return -1;
}

static struct description *describe(enum kind kind, int flags) {
    struct description *made = __raddle_allocate_zeroed(sizeof *made);
    made->kind = kind;
    made->flags = flags;
    return made;
}

static struct buffer *hold(unsigned char *bytes) {
    struct buffer *buffer = __raddle_allocate(sizeof *buffer);
    buffer->bytes = bytes;
    buffer->uses = 1;
    return buffer;
}

static void let_go(struct buffer *buffer) {
    if (--buffer->uses == 0) {
        __raddle_free(buffer->bytes);
        __raddle_free(buffer);
    }
}

static void let_chunks_go(struct chunk *chunk) {
    while (chunk) {
        struct chunk *next = chunk->next;
        let_go(chunk->buffer);
        __raddle_free(chunk);
        chunk = next;
    }
}

static struct chunk *chunk_of(struct buffer *buffer, size_t first, size_t count) {
    struct chunk *chunk = __raddle_allocate(sizeof *chunk);
    chunk->buffer = buffer;
    chunk->first = first;
    chunk->count = count;
    chunk->next = 0;
    buffer->uses++;
    return chunk;
}

static void drop(struct description *it) {
    if (--it->uses > 0 || it->kind <= ERROR)
        return;
    if (it->file) {
        if (!it->file->is_nothing)
            it->file->uses--;
        if (it->file->number > 2)
            __raddle_release(it->file);
    }
    if (it->pipe) {
        if ((it->flags & O_ACCMODE) == 0)
            it->pipe->readers--;
        else
            it->pipe->writers--;
        if (it->pipe->readers == 0 && it->pipe->writers == 0) {
            let_chunks_go(it->pipe->chunks);
            __raddle_free(it->pipe);
        }
    }
    __raddle_free(it);
}

static _Bool is_readable(const struct description *it) {
    return it && (it->flags & O_ACCMODE) != O_WRONLY;
}

static _Bool is_writable(const struct description *it) {
    return it && (it->flags & O_ACCMODE) != 0;
}

static ssize_t read_file(struct file *file, size_t from, size_t count, unsigned char **bytes) {
    *bytes = 0;
    if (file->is_folder)
        return -EISDIR;
    size_t left = from < file->size ? file->size - from : 0;
    if (count > left)
        count = left;
    if (count) {
        *bytes = __raddle_allocate(count);
        for (size_t i = 0; i < count; i++)
            (*bytes)[i] = file->bytes[from + i];
    }
    return count;
}

static void write_file(struct file *file, size_t from, const unsigned char *bytes, size_t count) {
    if (file->is_nothing || count == 0)
        return;
    if (from + count > file->size)
        __raddle_resize(file, from + count);
    for (size_t i = 0; i < count; i++)
        file->bytes[from + i] = bytes[i];
}

// Waits for bytes, or for the last writer to leave. What is taken is a list of its own.
static ssize_t read_pipe(struct description *it, size_t count, struct chunk **taken) {
    struct pipe *pipe = it->pipe;
    *taken = 0;
    if (count == 0)
        return 0;
    if (it->flags & O_NONBLOCK) {
        if (pipe->size == 0 && pipe->writers)
            return -EAGAIN;
    } else {
        __raddle_assume(pipe->size || !pipe->writers);
    }
    if (count > pipe->size)
        count = pipe->size;
    pipe->size -= count;
    for (size_t left = count; left;) {
        struct chunk *chunk = pipe->chunks;
        *taken = chunk;
        if (chunk->count <= left) {
            pipe->chunks = chunk->next;
            chunk->next = 0;
        } else {
            *taken = chunk_of(chunk->buffer, chunk->first, left);
            chunk->first += left;
            chunk->count -= left;
        }
        left -= (*taken)->count;
        taken = &(*taken)->next;
    }
    return count;
}

// Waits for room, or for the last reader to leave. More than fits at once is written in pieces.
static ssize_t write_pipe(struct description *it, struct buffer *buffer, size_t first, size_t count) {
    struct pipe *pipe = it->pipe;
    if (count == 0)
        return 0;
    size_t wanted = count <= AT_ONCE ? count : 1;
    if (it->flags & O_NONBLOCK) {
        if (pipe->readers && pipe->size + wanted > ROOM)
            return -EAGAIN;
    } else {
        __raddle_assume(!pipe->readers || pipe->size + wanted <= ROOM);
    }
    if (!pipe->readers)
        return -EPIPE;
    if (count > ROOM - pipe->size)
        count = ROOM - pipe->size;
    struct chunk **end = &pipe->chunks;
    while (*end)
        end = &(*end)->next;
    *end = chunk_of(buffer, first, count);
    pipe->size += count;
    return count;
}

// Each byte of a list goes where it belongs.
static void copy_chunks(unsigned char *to, const struct chunk *chunk) {
    for (; chunk; chunk = chunk->next)
        for (size_t i = 0; i < chunk->count; i++)
            *to++ = chunk->buffer->bytes[chunk->first + i];
}

static ssize_t read_events(struct description *it, size_t count, unsigned char **bytes) {
    struct pipe *pipe = it->pipe;
    *bytes = 0;
    if (count < 8)
        return -EINVAL;
    if (it->flags & O_NONBLOCK) {
        if (pipe->events == 0)
            return -EAGAIN;
    } else {
        __raddle_assume(pipe->events != 0);
    }
    unsigned long long events = it->flags & EFD_SEMAPHORE ? 1 : pipe->events;
    pipe->events -= events;
    *bytes = __raddle_allocate(8);
    for (int i = 0; i < 8; i++)
        (*bytes)[i] = events >> 8 * i;
    return 8;
}

static ssize_t write_events(struct description *it, const unsigned char *bytes, size_t count) {
    struct pipe *pipe = it->pipe;
    if (count < 8)
        return -EINVAL;
    unsigned long long events = 0;
    for (int i = 0; i < 8; i++)
        events |= (unsigned long long)bytes[i] << 8 * i;
    if (events == -1ull)
        return -EINVAL;
    if (it->flags & O_NONBLOCK) {
        if (events > -2ull - pipe->events)
            return -EAGAIN;
    } else {
        __raddle_assume(events <= -2ull - pipe->events);
    }
    pipe->events += events;
    return 8;
}

static ssize_t write_to(struct description *it, struct buffer *buffer, size_t first, size_t count) {
    switch (it->kind) {
    case PIPE: return write_pipe(it, buffer, first, count);
    case EVENTS: return write_events(it, buffer->bytes + first, count);
    case INPUT:
    case OUTPUT:
    case ERROR: __raddle_unsupported("writing to a standard descriptor that stands for another one"); return 0;
    default:
        if (it->flags & O_APPEND)
            it->offset = it->file->size;
        write_file(it->file, it->offset, buffer->bytes + first, count);
        it->offset += count;
        return count;
    }
}

static ssize_t read_on(struct description *it, size_t count, unsigned char **bytes) {
    ssize_t got = read_file(it->file, it->offset, count, bytes);
    if (got > 0)
        it->offset += got;
    return got;
}

// For streams: all of it at once, waiting as long as it takes. The result is a number of bytes, or less than 0 an error.

ssize_t __raddle_read_now(int descriptor, size_t count, unsigned char **bytes) {
    struct description *it = find(descriptor);
    *bytes = 0;
    if (!is_readable(it))
        return -EBADF;
    if (it->kind <= ERROR)
        __raddle_unsupported("reading a standard descriptor by another stream");
    if (it->kind == EVENTS)
        return read_events(it, count, bytes);
    if (it->kind == DATA)
        return read_on(it, count, bytes);
    struct chunk *chunks;
    ssize_t got = read_pipe(it, count, &chunks);
    if (got > 0) {
        *bytes = __raddle_allocate(got);
        copy_chunks(*bytes, chunks);
        let_chunks_go(chunks);
    }
    return got;
}

// The bytes are the descriptor's from now on.
ssize_t __raddle_write_now(int descriptor, unsigned char *bytes, size_t count) {
    struct description *it = find(descriptor);
    struct buffer *buffer = hold(bytes);
    ssize_t now = is_writable(it) ? 1 : -EBADF;
    for (size_t done = 0; now > 0 && done < count; done += now)
        now = write_to(it, buffer, done, count - done);
    let_go(buffer);
    return now < 0 ? now : (ssize_t)count;
}

long long __raddle_seek_now(int descriptor, long long offset, int whence) {
    struct description *it = find(descriptor);
    if (!it)
        return -EBADF;
    if (it->kind <= ERROR)
        __raddle_unsupported("the position of a standard stream");
    if (it->kind != DATA)
        return -ESPIPE;
    if (whence < 0 || whence > 2)
        return -EINVAL;
    if (whence == 1)
        offset += it->offset;
    if (whence == 2)
        offset += it->file->size;
    if (offset < 0)
        return -EINVAL;
    if (offset != (long)offset)
        __raddle_unsupported("a position in a file that is no `long`");
    it->offset = it->file->is_nothing ? 0 : offset;
    return it->offset;
}

// What follows is what programs call.

_Bool __raddle_is_open(int descriptor) {
    __raddle_atomic_begin();
    _Bool is_open = find(descriptor) != 0;
    __raddle_atomic_end();
    return is_open;
}

int __raddle_open_unnamed(void) {
    __raddle_atomic_begin();
    struct description *it = describe(DATA, O_RDWR);
    it->file = __raddle_unnamed();
    it->file->uses++;
    int descriptor = put(it, 0, 0);
    __raddle_atomic_end();
    return descriptor;
}

int __raddle_open(const char *name, int flags, unsigned mode) {
    if ((flags & O_TMPFILE) == O_TMPFILE)
        __raddle_unsupported("`O_TMPFILE`");
    char *path = __raddle_path(name);
    int error = 0, descriptor = -1;
    __raddle_atomic_begin();
    struct file *file = __raddle_file(path);
    _Bool is_new = 0;
    if (!file) {
        error = flags & O_CREAT ? __raddle_make(path, mode, 0, &file) : ENOENT;
        is_new = !error;
    } else if ((flags & O_CREAT) && (flags & O_EXCL)) {
        error = EEXIST;
    } else if (file->is_folder && ((flags & O_ACCMODE) || (flags & O_CREAT))) {
        error = EISDIR;
    } else if (!file->is_folder && (flags & O_DIRECTORY)) {
        error = ENOTDIR;
    } else if (((flags & O_ACCMODE) != O_WRONLY && !(file->mode & 0400)) || ((flags & O_ACCMODE) && !(file->mode & 0200))) {
        error = EACCES;
    }
    if (!error) {
        if ((flags & O_TRUNC) && (flags & O_ACCMODE) && !file->is_nothing)
            __raddle_resize(file, 0);
        struct description *it = describe(DATA, flags & (O_ACCMODE | O_APPEND | O_NONBLOCK));
        it->file = file;
        if (!file->is_nothing)
            file->uses++;
        descriptor = put(it, 0, (flags & O_CLOEXEC) != 0);
    }
    __raddle_atomic_end();
    if (!is_new)
        __raddle_free(path);
    return error ? failed(error) : descriptor;
}

int open(const char *name, int flags, ...) {
    __raddle_test_cancel();
    unsigned mode = 0;
    if (flags & O_CREAT) {
        __builtin_va_list arguments;
        __builtin_va_start(arguments, flags);
        mode = __builtin_va_arg(arguments, unsigned);
        __builtin_va_end(arguments);
    }
    return __raddle_open(name, flags, mode);
}

int open64(const char *name, int flags, ...) {
    __raddle_test_cancel();
    unsigned mode = 0;
    if (flags & O_CREAT) {
        __builtin_va_list arguments;
        __builtin_va_start(arguments, flags);
        mode = __builtin_va_arg(arguments, unsigned);
        __builtin_va_end(arguments);
    }
    return __raddle_open(name, flags, mode);
}

// As headers have them with checks of sizes.
int __open_2(const char *name, int flags) {
    return __raddle_open(name, flags, 0);
}

int __open64_2(const char *name, int flags) {
    return __raddle_open(name, flags, 0);
}

int creat(const char *name, unsigned mode) {
    return __raddle_open(name, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

// The first name of this shape that nobody has.
int mkostemp(char *name, int flags) {
    size_t length = 0;
    while (name[length])
        length++;
    for (size_t i = 1; i <= 6; i++)
        if (length < 6 || name[length - i] != 'X')
            return failed(EINVAL);
    for (size_t i = 1; i <= 6; i++)
        name[length - i] = 'a';
    for (char last = 'a'; last <= 'z'; last++) {
        name[length - 1] = last;
        int descriptor = __raddle_open(name, O_CREAT | O_EXCL | O_RDWR | flags, 0600);
        if (descriptor >= 0 || *__errno_location() != EEXIST)
            return descriptor;
    }
    __raddle_unsupported("more than 26 temporary files");
    return -1;
}

int mkstemp(char *name) {
    return mkostemp(name, 0);
}

int close(int descriptor) {
    __raddle_test_cancel();
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    if (it) {
        table[descriptor] = 0;
        drop(it);
    }
    __raddle_atomic_end();
    return it ? 0 : failed(EBADF);
}

static int pipe_with(int *descriptors, int flags) {
    if (flags & ~(O_CLOEXEC | O_NONBLOCK))
        return failed(EINVAL);
    _Bool ends = (flags & O_CLOEXEC) != 0;
    __raddle_atomic_begin();
    struct pipe *pipe = __raddle_allocate_zeroed(sizeof *pipe);
    pipe->readers = pipe->writers = 1;
    struct description *reader = describe(PIPE, flags & O_NONBLOCK);
    struct description *writer = describe(PIPE, O_WRONLY | (flags & O_NONBLOCK));
    reader->pipe = writer->pipe = pipe;
    int first = put(reader, 0, ends), second = put(writer, 0, ends);
    __raddle_atomic_end();
    descriptors[0] = first;
    descriptors[1] = second;
    return 0;
}

int pipe(int *descriptors) {
    return pipe_with(descriptors, 0);
}

int pipe2(int *descriptors, int flags) {
    return pipe_with(descriptors, flags);
}

int eventfd(unsigned first, int flags) {
    if (flags & ~(O_CLOEXEC | O_NONBLOCK | EFD_SEMAPHORE))
        return failed(EINVAL);
    __raddle_atomic_begin();
    struct description *it = describe(EVENTS, O_RDWR | (flags & O_NONBLOCK));
    // The access mode and this flag share a bit.
    if (flags & EFD_SEMAPHORE)
        it->flags = O_ACCMODE | (flags & O_NONBLOCK);
    it->pipe = __raddle_allocate_zeroed(sizeof *it->pipe);
    it->pipe->writers = 1;
    it->pipe->events = first;
    int descriptor = put(it, 0, (flags & O_CLOEXEC) != 0);
    __raddle_atomic_end();
    return descriptor;
}

static ssize_t input(void *to, size_t count) {
    if (count == 0)
        return 0;
    size_t got = __raddle_any_size();
    __raddle_assume(got <= count);
    for (size_t i = 0; i < got; i++)
        ((unsigned char *)to)[i] = __raddle_any_byte();
    return got;
}

ssize_t read(int descriptor, void *to, size_t count) {
    unsigned char *bytes = 0;
    struct chunk *chunks = 0;
    ssize_t got = -EBADF;
    __raddle_test_cancel();
    // Who waits for a pipe keeps it, even if somebody closes the descriptor meanwhile.
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    _Bool is_input = it && it->kind == INPUT, waits = 0;
    if (is_readable(it) && !is_input) {
        waits = it->kind != DATA;
        if (waits)
            it->uses++;
        else
            got = read_on(it, count, &bytes);
    }
    __raddle_atomic_end();
    if (is_input)
        return input(to, count);
    if (waits) {
        __raddle_refuse_waiting();
        __raddle_atomic_begin();
        if (it->kind == PIPE)
            got = read_pipe(it, count, &chunks);
        else
            got = read_events(it, count, &bytes);
        drop(it);
        __raddle_atomic_end();
    }
    if (chunks) {
        copy_chunks(to, chunks);
        __raddle_atomic_begin();
        let_chunks_go(chunks);
        __raddle_atomic_end();
    } else {
        for (ssize_t i = 0; i < got; i++)
            ((unsigned char *)to)[i] = bytes[i];
    }
    __raddle_free(bytes);
    return got < 0 ? failed(-got) : got;
}

// Bytes that are dropped are read all the same: they may lie where nothing is.
static void print(_Bool is_output, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = bytes[i];
        if (is_output)
            __raddle_emit_byte(byte);
    }
}

static unsigned char *copy_of(const void *from, size_t count) {
    unsigned char *copy = __raddle_allocate(count);
    for (size_t i = 0; i < count; i++)
        copy[i] = ((const unsigned char *)from)[i];
    return copy;
}

static ssize_t after_writing(ssize_t done) {
    if (done >= 0)
        return done;
    if (done == -EPIPE)
        raise(SIGPIPE);
    return failed(-done);
}

static ssize_t write_waiting(struct description *it, struct buffer *buffer, size_t count) {
    size_t done = 0;
    ssize_t now = 0;
    do {
        __raddle_atomic_begin();
        now = write_to(it, buffer, done, count - done);
        if (now > 0)
            done += now;
        // What does not block ends here, with what was written so far.
        if (now <= 0 || done == count || it->flags & O_NONBLOCK) {
            drop(it);
            let_go(buffer);
            if (now > 0)
                now = 0;
        }
        __raddle_atomic_end();
    } while (now > 0);
    return done ? (ssize_t)done : now;
}

ssize_t write(int descriptor, const void *from, size_t count) {
    __raddle_test_cancel();
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    enum kind kind = it ? it->kind : DATA;
    _Bool may_write = is_writable(it), is_printed = kind == OUTPUT || kind == ERROR;
    if (may_write && !is_printed)
        it->uses++;
    __raddle_atomic_end();
    if (!may_write)
        return failed(EBADF);
    if (is_printed) {
        print(kind == OUTPUT, from, count);
        return count;
    }
    if (kind != DATA)
        __raddle_refuse_waiting();
    return after_writing(write_waiting(it, hold(copy_of(from, count)), count));
}

struct vector {
    void *base;
    size_t length;
};

ssize_t writev(int descriptor, const struct vector *vectors, int count) {
    size_t all = 0;
    if (count < 0)
        return failed(EINVAL);
    for (int i = 0; i < count; i++)
        all += vectors[i].length;
    unsigned char *bytes = __raddle_allocate(all);
    size_t at = 0;
    for (int i = 0; i < count; i++)
        for (size_t j = 0; j < vectors[i].length; j++)
            bytes[at++] = ((unsigned char *)vectors[i].base)[j];
    ssize_t done = write(descriptor, bytes, all);
    __raddle_free(bytes);
    return done;
}

ssize_t readv(int descriptor, const struct vector *vectors, int count) {
    size_t all = 0;
    if (count < 0)
        return failed(EINVAL);
    for (int i = 0; i < count; i++)
        all += vectors[i].length;
    unsigned char *bytes = __raddle_allocate(all);
    ssize_t got = read(descriptor, bytes, all);
    ssize_t at = 0;
    for (int i = 0; i < count && at < got; i++)
        for (size_t j = 0; j < vectors[i].length && at < got; j++)
            ((unsigned char *)vectors[i].base)[j] = bytes[at++];
    __raddle_free(bytes);
    return got;
}

// At a place of a file, which leaves its own position alone.

static ssize_t read_at(int descriptor, void *to, size_t count, long long from) {
    unsigned char *bytes = 0;
    ssize_t got;
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    if (!is_readable(it))
        got = -EBADF;
    else if (it->kind != DATA)
        got = -ESPIPE;
    else if (from < 0)
        got = -EINVAL;
    else
        got = read_file(it->file, from, count, &bytes);
    __raddle_atomic_end();
    for (ssize_t i = 0; i < got; i++)
        ((unsigned char *)to)[i] = bytes[i];
    __raddle_free(bytes);
    return got < 0 ? failed(-got) : got;
}

static ssize_t write_at(int descriptor, const void *from, size_t count, long long to) {
    unsigned char *bytes = copy_of(from, count);
    ssize_t done = count;
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    if (!is_writable(it))
        done = -EBADF;
    else if (it->kind != DATA)
        done = -ESPIPE;
    else if (to < 0)
        done = -EINVAL;
    else
        // Linux appends whatever the place.
        write_file(it->file, it->flags & O_APPEND ? it->file->size : (size_t)to, bytes, count);
    __raddle_atomic_end();
    __raddle_free(bytes);
    return after_writing(done);
}

ssize_t pread(int descriptor, void *to, size_t count, long from) {
    return read_at(descriptor, to, count, from);
}

ssize_t pread64(int descriptor, void *to, size_t count, long long from) {
    return read_at(descriptor, to, count, from);
}

ssize_t pwrite(int descriptor, const void *from, size_t count, long to) {
    return write_at(descriptor, from, count, to);
}

ssize_t pwrite64(int descriptor, const void *from, size_t count, long long to) {
    return write_at(descriptor, from, count, to);
}

static long long seek(int descriptor, long long offset, int whence) {
    __raddle_atomic_begin();
    long long result = __raddle_seek_now(descriptor, offset, whence);
    __raddle_atomic_end();
    return result < 0 ? failed(-result) : result;
}

long lseek(int descriptor, long offset, int whence) {
    return seek(descriptor, offset, whence);
}

long long lseek64(int descriptor, long long offset, int whence) {
    return seek(descriptor, offset, whence);
}

static int resize(int descriptor, long long size) {
    int error = 0;
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    if (!it)
        error = EBADF;
    else if (it->kind != DATA || it->file->is_nothing || !is_writable(it) || size < 0)
        error = EINVAL;
    else
        __raddle_resize(it->file, size);
    __raddle_atomic_end();
    return error ? failed(error) : 0;
}

int ftruncate(int descriptor, long size) {
    return resize(descriptor, size);
}

int ftruncate64(int descriptor, long long size) {
    return resize(descriptor, size);
}

// 0 if it is a file; pipes cannot be written to a disk.
static int synchronise(int descriptor) {
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    int error = !it ? EBADF : it->kind != DATA || it->file->is_nothing ? EINVAL : 0;
    __raddle_atomic_end();
    return error ? failed(error) : 0;
}

int fsync(int descriptor) {
    return synchronise(descriptor);
}

int fdatasync(int descriptor) {
    return synchronise(descriptor);
}

void sync(void) {
}

int posix_fadvise(int descriptor, long offset, long count, int advice) {
    return __raddle_is_open(descriptor) ? 0 : EBADF;
}

static int duplicate(int descriptor, int first, _Bool ends) {
    int made = -1;
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    if (it)
        made = put(it, first, ends);
    __raddle_atomic_end();
    return it ? made : failed(EBADF);
}

int dup(int descriptor) {
    return duplicate(descriptor, 0, 0);
}

static int replace(int descriptor, int other, _Bool ends) {
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    if (it && other != descriptor) {
        if (other >= 0 && other < 3)
            __raddle_unsupported("another file in place of a standard stream");
        if (other >= DESCRIPTORS)
            __raddle_unsupported("more than 64 open descriptors");
        if (other >= 0) {
            it->uses++;
            if (table[other])
                drop(table[other]);
            table[other] = it;
            ends_with_exec[other] = ends;
        }
    }
    __raddle_atomic_end();
    return it && other >= 0 ? other : failed(EBADF);
}

int dup2(int descriptor, int other) {
    return replace(descriptor, other, 0);
}

int dup3(int descriptor, int other, int flags) {
    return other == descriptor ? failed(EINVAL) : replace(descriptor, other, (flags & O_CLOEXEC) != 0);
}

enum { F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_SETLK = 6, F_SETLKW = 7, F_DUPFD_CLOEXEC = 1030 };

static int control(int descriptor, int command, int argument) {
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return argument < 0 ? failed(EINVAL) : duplicate(descriptor, argument, command != F_DUPFD);
    int result = 0;
    __raddle_atomic_begin();
    struct description *it = find(descriptor);
    if (it)
        switch (command) {
        case F_GETFD: result = ends_with_exec[descriptor]; break;
        case F_SETFD: ends_with_exec[descriptor] = argument & 1; break;
        case F_GETFL:
            if (it->kind == EVENTS)
                __raddle_unsupported("the flags of a counter of events");
            result = it->flags;
            break;
        case F_SETFL:
            it->flags = (it->flags & ~(O_APPEND | O_NONBLOCK)) | (argument & (O_APPEND | O_NONBLOCK));
            break;
        // A lock of the process, which has no other to keep out.
        case F_SETLK:
        case F_SETLKW: break;
        default: __raddle_unsupported("an uncommon command of `fcntl`");
        }
    __raddle_atomic_end();
    return it ? result : failed(EBADF);
}

int fcntl(int descriptor, int command, ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, command);
    _Bool has_number = command != F_GETFD && command != F_GETFL && command != F_SETLK && command != F_SETLKW;
    int argument = has_number ? __builtin_va_arg(arguments, int) : 0;
    __builtin_va_end(arguments);
    return control(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, command);
    _Bool has_number = command != F_GETFD && command != F_GETFL && command != F_SETLK && command != F_SETLKW;
    int argument = has_number ? __builtin_va_arg(arguments, int) : 0;
    __builtin_va_end(arguments);
    return control(descriptor, command, argument);
}

// For those who tell of a descriptor: what lies behind it, in an indivisible step. 0, or an error.
int __raddle_described(int descriptor, struct file **file) {
    struct description *it = find(descriptor);
    if (!it)
        return EBADF;
    if (it->kind != DATA)
        __raddle_unsupported("`fstat` of something else than a file");
    *file = it->file;
    return 0;
}

// How a descriptor is ready, of what is asked for, as `poll` tells.

enum { IN = 1, OUT = 4, ERR = 8, HUP = 16, NVAL = 32, READ_NORMAL = 64, WRITE_NORMAL = 256 };

short __raddle_ready(int descriptor, short events) {
    struct description *it = find(descriptor);
    short reading = events & (IN | READ_NORMAL), writing = events & (OUT | WRITE_NORMAL);
    if (!it)
        return NVAL;
    switch (it->kind) {
    case INPUT: return __raddle_any_bool() ? reading : 0;
    case OUTPUT:
    case ERROR: return writing;
    case PIPE:
        if (is_readable(it))
            return (it->pipe->size ? reading : 0) | (it->pipe->writers ? 0 : HUP);
        return (it->pipe->size + AT_ONCE <= ROOM ? writing : 0) | (it->pipe->readers ? 0 : ERR);
    case EVENTS: return (it->pipe->events ? reading : 0) | (it->pipe->events < -2ull ? writing : 0);
    default: return reading | writing;
    }
}
