// stat and its relatives, in the layouts of glibc.

typedef __typeof__(sizeof 0) size_t;

void __raddle_free(void *object);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_unsupported(const char *what);
_Bool __raddle_assuming(const char *what);
int *__errno_location(void);
long time(long *result);

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
int __raddle_described(int descriptor, struct file **file);

struct moment {
    long seconds, nanoseconds;
};

struct status_of_64_bits {
    unsigned long device, number, names;
    unsigned mode, user, group, padding;
    unsigned long special;
    long size, block, blocks;
    struct moment accessed, modified, changed;
    long reserved[3];
};

struct status_of_32_bits {
    unsigned long long device;
    unsigned short padding;
    unsigned long number;
    unsigned mode, names, user, group;
    unsigned long long special;
    unsigned short more_padding;
    long size, block, blocks;
    struct moment accessed, modified, changed;
    unsigned long reserved[2];
};

enum { ENOENT = 2, USER = 1000, BLOCK = 4096 };

static int failed(int error) {
    *__errno_location() = error;
    return -1;
}

// When a file was made or changed is not kept track of: all times are now.
static int tell(void *to, struct file file) {
    if (!__raddle_assuming("files that are as old as the moment"))
        __raddle_unsupported("the times of a file");
    struct moment now = {time(0), 0};
    long blocks = (file.size + BLOCK - 1) / BLOCK * (BLOCK / 512);
    if (sizeof(long) == 8) {
        struct status_of_64_bits *status = to;
        *status = (struct status_of_64_bits){.device = 1, .number = file.number, .names = file.names, .mode = file.mode,
                                             .user = USER, .group = USER, .size = file.size, .block = BLOCK,
                                             .blocks = blocks, .accessed = now, .modified = now, .changed = now};
    } else {
        struct status_of_32_bits *status = to;
        *status = (struct status_of_32_bits){.device = 1, .number = file.number, .names = file.names, .mode = file.mode,
                                             .user = USER, .group = USER, .size = file.size, .block = BLOCK,
                                             .blocks = blocks, .accessed = now, .modified = now, .changed = now};
    }
    return 0;
}

int stat(const char *name, void *to) {
    char *path = __raddle_path(name);
    struct file copy = {0};
    __raddle_atomic_begin();
    struct file *file = __raddle_file(path);
    if (file)
        copy = *file;
    __raddle_atomic_end();
    __raddle_free(path);
    return file ? tell(to, copy) : failed(ENOENT);
}

// There are no symbolic links.
int lstat(const char *name, void *to) {
    return stat(name, to);
}

int fstat(int descriptor, void *to) {
    struct file copy = {0}, *file = 0;
    __raddle_atomic_begin();
    int error = __raddle_described(descriptor, &file);
    if (!error)
        copy = *file;
    __raddle_atomic_end();
    return error ? failed(error) : tell(to, copy);
}

static void needs_64_bits(void) {
    if (sizeof(long) != 8)
        __raddle_unsupported("`stat64`");
}

int stat64(const char *name, void *to) {
    needs_64_bits();
    return stat(name, to);
}

int lstat64(const char *name, void *to) {
    needs_64_bits();
    return stat(name, to);
}

int fstat64(int descriptor, void *to) {
    needs_64_bits();
    return fstat(descriptor, to);
}

// As older headers have them.

int __xstat(int version, const char *name, void *to) {
    return stat(name, to);
}

int __lxstat(int version, const char *name, void *to) {
    return stat(name, to);
}

int __fxstat(int version, int descriptor, void *to) {
    return fstat(descriptor, to);
}
