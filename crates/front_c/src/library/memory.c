// malloc and its relatives.

typedef __typeof__(sizeof 0) size_t;

void *__raddle_allocate(size_t bytes);
void *__raddle_allocate_zeroed(size_t bytes);
void __raddle_free(void *object);
size_t __raddle_object_size(void *object);
_Bool __raddle_malloc_may_fail(void);
_Bool __raddle_any_bool(void);
void __raddle_unsupported(const char *what);
int *__errno_location(void);

enum { EINVAL = 22, ENOMEM = 12 };

// Requests of more than half of the address space always fail, as glibc's do.
static _Bool fails(size_t bytes) {
    if (bytes <= (size_t)-1 / 2 && !(__raddle_malloc_may_fail() && __raddle_any_bool()))
        return 0;
    *__errno_location() = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) {
    if (fails(bytes))
        return 0;
    return __raddle_allocate(bytes);
}

static _Bool product_overflows(size_t count, size_t size) {
    if (size == 0 || count <= (size_t)-1 / size)
        return 0;
    *__errno_location() = ENOMEM;
    return 1;
}

void *calloc(size_t count, size_t size) {
    if (product_overflows(count, size) || fails(count * size))
        return 0;
    return __raddle_allocate_zeroed(count * size);
}

void free(void *object) {
    __raddle_free(object);
}

void cfree(void *object) {
    __raddle_free(object);
}

void *realloc(void *object, size_t bytes) {
    if (!object)
        return malloc(bytes);
    if (bytes == 0) {
        __raddle_free(object);
        return 0;
    }
    if (fails(bytes))
        return 0;
    unsigned char *to = __raddle_allocate(bytes);
    unsigned char *from = object;
    size_t common = __raddle_object_size(object);
    if (common > bytes)
        common = bytes;
    for (size_t i = 0; i < common; i++)
        to[i] = from[i];
    __raddle_free(object);
    return to;
}

void *reallocarray(void *object, size_t count, size_t size) {
    if (product_overflows(count, size))
        return 0;
    return realloc(object, count * size);
}

// Every object begins at a multiple of 2^20; nobody has to look at its address to know.
static void *aligned(size_t alignment, size_t bytes) {
    if (alignment > 1 << 20)
        __raddle_unsupported("an allocation with so large an alignment");
    if (fails(bytes))
        return 0;
    return __raddle_allocate(bytes);
}

void *memalign(size_t alignment, size_t bytes) {
    return aligned(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return aligned(alignment, bytes);
}

int posix_memalign(void **result, size_t alignment, size_t bytes) {
    if (alignment == 0 || alignment % sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    int before = *__errno_location();
    void *object = aligned(alignment, bytes);
    if (!object) {
        *__errno_location() = before;
        return ENOMEM;
    }
    *result = object;
    return 0;
}

void *valloc(size_t bytes) {
    return aligned(4096, bytes);
}

size_t malloc_usable_size(void *object) {
    return object ? __raddle_object_size(object) : 0;
}
