// Files by name: an empty folder at first, in which lies what the program makes. Absolute names too lead nowhere else, but
// for `/`, `/tmp` and `/dev/null`. Whatever is shared is used in indivisible steps; names are copied before.

typedef __typeof__(sizeof 0) size_t;

void *__raddle_allocate(size_t bytes);
void *__raddle_allocate_zeroed(size_t bytes);
void __raddle_free(void *object);
void __raddle_unsupported(const char *what);
_Bool __raddle_assuming(const char *what);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t count);
size_t strlen(const char *text);
int *__errno_location(void);

enum { EPERM = 1, ENOENT = 2, EACCES = 13, EBUSY = 16, EEXIST = 17, ENOTDIR = 20, EISDIR = 21, EINVAL = 22, ENOTEMPTY = 39 };

struct file {
    unsigned char *bytes;
    size_t size, room;
    unsigned mode;
    // How many names lead to it, and how many open descriptions.
    int names, uses;
    _Bool is_folder, is_nothing;
    unsigned long number;
};

struct entry {
    char *path;
    struct file *file;
    struct entry *next;
};

static struct entry *entries;
static unsigned long files_made = 2;
static unsigned mask = 022;

static struct file current = {.mode = 040755, .names = 1, .is_folder = 1, .number = 1};
static struct file root = {.mode = 040755, .names = 1, .is_folder = 1, .number = 2};
static struct file nothing = {.mode = 020666, .names = 1, .is_nothing = 1, .number = 2};

static int failed(int error) {
    if (error == 0)
        return 0;
    *__errno_location() = error;
    return -1;
}

// A name without what changes nothing: `./`, `//` and slashes at its end. To be freed.
char *__raddle_path(const char *name) {
    if (!__raddle_assuming("an empty folder"))
        __raddle_unsupported("files");
    size_t length = strlen(name), count = 0;
    char *path = __raddle_allocate(length + 2);
    _Bool is_absolute = *name == '/';
    if (is_absolute)
        path[count++] = '/';
    while (*name) {
        if (*name == '/') {
            name++;
            continue;
        }
        size_t part = 0;
        while (name[part] && name[part] != '/')
            part++;
        if (part == 2 && name[0] == '.' && name[1] == '.')
            __raddle_unsupported("`..` in the name of a file");
        if (part != 1 || name[0] != '.') {
            if (count > is_absolute)
                path[count++] = '/';
            for (size_t i = 0; i < part; i++)
                path[count++] = name[i];
        }
        name += part;
    }
    // A name of nothing but dots and slashes is the folder itself; one without any byte is none.
    if (count == 0 && length)
        path[count++] = '.';
    path[count] = 0;
    if (!strncmp(path, "/proc", 5) || !strncmp(path, "/sys", 4) || !strncmp(path, "/etc/", 5)
        || (!strncmp(path, "/dev/", 5) && strcmp(path, "/dev/null") && strncmp(path, "/dev/shm/", 9)))
        __raddle_unsupported("a file of the system");
    return path;
}

// What follows is called in indivisible steps.

static struct entry *entry_of(const char *path) {
    for (struct entry *entry = entries; entry; entry = entry->next)
        if (!strcmp(entry->path, path))
            return entry;
    return 0;
}

struct file *__raddle_file(const char *path) {
    if (!strcmp(path, "."))
        return &current;
    if (!strcmp(path, "/") || !strcmp(path, "/tmp") || !strcmp(path, "/dev") || !strcmp(path, "/dev/shm"))
        return &root;
    if (!strcmp(path, "/dev/null"))
        return &nothing;
    struct entry *entry = entry_of(path);
    return entry ? entry->file : 0;
}

// Where the last part of a name begins.
static size_t last_part(const char *path) {
    size_t last = 0;
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/')
            last = i + 1;
    return last;
}

// 0 if a file of this name may be made, or why not.
static int missing_folder(char *path) {
    if (!*path)
        return ENOENT;
    size_t last = last_part(path);
    if (last <= 1)
        return 0;
    path[last - 1] = 0;
    struct file *folder = __raddle_file(path);
    path[last - 1] = '/';
    if (!folder)
        return ENOENT;
    return folder->is_folder ? 0 : ENOTDIR;
}

static struct file *new_file(unsigned mode) {
    struct file *file = __raddle_allocate_zeroed(sizeof *file);
    file->mode = mode;
    file->number = ++files_made;
    return file;
}

// Files that have no name.
struct file *__raddle_unnamed(void) {
    return new_file(0100600);
}

// The name belongs to the table from now on, unless there is an error.
int __raddle_make(char *path, unsigned mode, _Bool is_folder, struct file **made) {
    int error = missing_folder(path);
    if (error)
        return error;
    struct entry *entry = __raddle_allocate(sizeof *entry);
    entry->path = path;
    entry->file = new_file((is_folder ? 040000 : 0100000) | (mode & ~mask & 07777));
    entry->file->is_folder = is_folder;
    entry->file->names = 1;
    // Behind the others, so that whoever lists a folder finds files in the order in which they were made.
    entry->next = 0;
    struct entry **end = &entries;
    while (*end)
        end = &(*end)->next;
    *end = entry;
    if (made)
        *made = entry->file;
    return 0;
}

void __raddle_release(struct file *file) {
    if (file->names == 0 && file->uses == 0) {
        __raddle_free(file->bytes);
        __raddle_free(file);
    }
}

void __raddle_resize(struct file *file, size_t size) {
    if (size > file->room) {
        size_t room = file->room ? file->room * 2 : 64;
        if (room < size)
            room = size;
        unsigned char *bytes = __raddle_allocate_zeroed(room);
        for (size_t i = 0; i < file->size; i++)
            bytes[i] = file->bytes[i];
        __raddle_free(file->bytes);
        file->bytes = bytes;
        file->room = room;
    }
    for (size_t i = size; i < file->size; i++)
        file->bytes[i] = 0;
    file->size = size;
}

static void remove_entry(struct entry *entry) {
    struct entry **place = &entries;
    while (*place != entry)
        place = &(*place)->next;
    *place = entry->next;
    entry->file->names--;
    __raddle_release(entry->file);
    __raddle_free(entry->path);
    __raddle_free(entry);
}

// Whether an entry lies in a folder, at its top.
static _Bool is_in(const struct entry *entry, const char *folder) {
    size_t last = last_part(entry->path);
    if (last == 0)
        return !strcmp(folder, ".");
    if (last == 1)
        return !strcmp(folder, "/");
    return strlen(folder) == last - 1 && !strncmp(entry->path, folder, last - 1);
}

static _Bool is_empty(const char *folder) {
    for (struct entry *entry = entries; entry; entry = entry->next)
        if (is_in(entry, folder))
            return 0;
    return 1;
}

// What is asked for by name is one step with a copy of the name.

enum { UNLINK, RMDIR, REMOVE };

static int take_away(const char *name, int how) {
    char *path = __raddle_path(name);
    int error = 0;
    __raddle_atomic_begin();
    struct file *file = __raddle_file(path);
    struct entry *entry = entry_of(path);
    if (!file)
        error = ENOENT;
    else if (!entry)
        error = EBUSY;
    else if (how == UNLINK && file->is_folder)
        error = EISDIR;
    else if (how == RMDIR && !file->is_folder)
        error = ENOTDIR;
    else if (file->is_folder && !is_empty(path))
        error = ENOTEMPTY;
    else
        remove_entry(entry);
    __raddle_atomic_end();
    __raddle_free(path);
    return failed(error);
}

int unlink(const char *name) {
    return take_away(name, UNLINK);
}

int rmdir(const char *name) {
    return take_away(name, RMDIR);
}

int remove(const char *name) {
    return take_away(name, REMOVE);
}

int mkdir(const char *name, unsigned mode) {
    char *path = __raddle_path(name);
    __raddle_atomic_begin();
    int error = __raddle_file(path) ? EEXIST : __raddle_make(path, mode, 1, 0);
    __raddle_atomic_end();
    if (error)
        __raddle_free(path);
    return failed(error);
}

int rename(const char *from, const char *to) {
    char *old = __raddle_path(from);
    char *new = __raddle_path(to);
    int error = 0;
    __raddle_atomic_begin();
    struct entry *entry = entry_of(old), *there = entry_of(new);
    if (!entry)
        error = __raddle_file(old) ? EBUSY : ENOENT;
    else if (entry->file->is_folder)
        error = -1;
    else if (!there && __raddle_file(new))
        error = EBUSY;
    else if (there && there->file->is_folder)
        error = EISDIR;
    else if (entry != there)
        error = missing_folder(new);
    if (!error && entry != there) {
        if (there)
            remove_entry(there);
        char *path = entry->path;
        entry->path = new;
        new = path;
    }
    __raddle_atomic_end();
    if (error < 0)
        __raddle_unsupported("another name for a folder");
    __raddle_free(old);
    __raddle_free(new);
    return failed(error);
}

int access(const char *name, int wanted) {
    char *path = __raddle_path(name);
    __raddle_atomic_begin();
    struct file *file = __raddle_file(path);
    int error = !file ? ENOENT : (file->mode >> 6 & wanted & 7) != (unsigned)wanted ? EACCES : 0;
    __raddle_atomic_end();
    __raddle_free(path);
    return failed(error);
}

int chmod(const char *name, unsigned mode) {
    char *path = __raddle_path(name);
    __raddle_atomic_begin();
    struct entry *entry = entry_of(path);
    int error = entry ? 0 : __raddle_file(path) ? EPERM : ENOENT;
    if (entry)
        entry->file->mode = (entry->file->mode & ~07777) | (mode & 07777);
    __raddle_atomic_end();
    __raddle_free(path);
    return failed(error);
}

int truncate(const char *name, long size) {
    char *path = __raddle_path(name);
    __raddle_atomic_begin();
    struct file *file = __raddle_file(path);
    int error = !file ? ENOENT : file->is_folder ? EISDIR : file->is_nothing || size < 0 ? EINVAL : 0;
    if (!error)
        __raddle_resize(file, size);
    __raddle_atomic_end();
    __raddle_free(path);
    return failed(error);
}

unsigned umask(unsigned new) {
    __raddle_atomic_begin();
    unsigned before = mask;
    mask = new & 0777;
    __raddle_atomic_end();
    return before;
}

int chdir(const char *name) {
    __raddle_unsupported("`chdir`");
    return 0;
}

// Folders as streams. What is read is a picture of the folder when it was opened.

struct folder {
    char **names;
    size_t count, next;
    // glibc's `struct dirent`, for both sizes of numbers.
    struct {
        unsigned long number;
        long offset;
        unsigned short length;
        unsigned char kind;
        char name[256];
    } entry;
};

static char *copy_of(const char *text) {
    size_t length = strlen(text);
    char *copy = __raddle_allocate(length + 1);
    for (size_t i = 0; i <= length; i++)
        copy[i] = text[i];
    return copy;
}

struct folder *opendir(const char *name) {
    char *path = __raddle_path(name);
    struct folder *stream = 0;
    __raddle_atomic_begin();
    struct file *file = __raddle_file(path);
    int error = !file ? ENOENT : !file->is_folder ? ENOTDIR : 0;
    if (!error) {
        size_t count = 2;
        for (struct entry *entry = entries; entry; entry = entry->next)
            count += is_in(entry, path);
        stream = __raddle_allocate(sizeof *stream);
        stream->names = __raddle_allocate(count * sizeof *stream->names);
        stream->count = 0;
        stream->next = 0;
        stream->names[stream->count++] = copy_of(".");
        stream->names[stream->count++] = copy_of("..");
        for (struct entry *entry = entries; entry; entry = entry->next)
            if (is_in(entry, path))
                stream->names[stream->count++] = copy_of(entry->path + last_part(entry->path));
    }
    __raddle_atomic_end();
    __raddle_free(path);
    failed(error);
    return stream;
}

void *readdir(struct folder *stream) {
    if (stream->next == stream->count)
        return 0;
    const char *name = stream->names[stream->next];
    int length = 0;
    while (name[length]) {
        if (length == 255)
            __raddle_unsupported("the name of a file of more than 255 bytes");
        stream->entry.name[length] = name[length];
        length++;
    }
    stream->entry.name[length] = 0;
    stream->entry.number = stream->next + 1;
    stream->entry.offset = ++stream->next;
    stream->entry.length = sizeof stream->entry;
    // `DT_UNKNOWN`: the file system does not say.
    stream->entry.kind = 0;
    return &stream->entry;
}

void *readdir64(struct folder *stream) {
    if (sizeof(long) < 8)
        __raddle_unsupported("`readdir64`");
    return readdir(stream);
}

void rewinddir(struct folder *stream) {
    __raddle_unsupported("`rewinddir`");
}

int closedir(struct folder *stream) {
    for (size_t i = 0; i < stream->count; i++)
        __raddle_free(stream->names[i]);
    __raddle_free(stream->names);
    __raddle_free(stream);
    return 0;
}
