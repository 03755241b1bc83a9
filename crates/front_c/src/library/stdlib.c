// stdlib.h: what comes from outside (chance, the environment), sorting and searching.

typedef __typeof__(sizeof 0) size_t;

void __raddle_assume(int condition);
void __raddle_unsupported(const char *what);
_Bool __raddle_any_bool(void);
_Bool __raddle_knows_environment(void);
int __raddle_any_int(void);

// Any number up to RAND_MAX, each time: no generator is assumed.
int rand(void) {
    int value = __raddle_any_int();
    __raddle_assume(value >= 0);
    return value;
}

long random(void) {
    return rand();
}

int rand_r(unsigned *seed) {
    *seed = __raddle_any_int();
    return rand();
}

void srand(unsigned seed) {
}

void srandom(unsigned seed) {
}

// Where the program is taken to run somewhere, this points to what the environment is there.
char **environ;
extern char **__environ __attribute__((alias("environ")));
extern char **_environ __attribute__((alias("environ")));

static char *value_in(char **variables, const char *name) {
    for (; variables && *variables; variables++) {
        size_t i = 0;
        while (name[i] && name[i] == (*variables)[i])
            i++;
        if (!name[i] && (*variables)[i] == '=')
            return *variables + i + 1;
    }
    return 0;
}

// Else a variable may be missing; what strings it may have otherwise is more than can be said.
char *getenv(const char *name) {
    if (__raddle_knows_environment())
        return *name ? value_in(environ, name) : 0;
    if (__raddle_any_bool())
        __raddle_unsupported("an environment variable that is set");
    return 0;
}

char *secure_getenv(const char *name) {
    return getenv(name);
}

// Insertion sort: stable, as glibc's sort is, but it compares other pairs.
void qsort(void *elements, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    unsigned char *first = elements;
    for (size_t i = 1; i < count; i++)
        for (unsigned char *right = first + i * size; right != first; right -= size) {
            unsigned char *left = right - size;
            if (compare(left, right) <= 0)
                break;
            for (size_t j = 0; j < size; j++) {
                unsigned char byte = left[j];
                left[j] = right[j];
                right[j] = byte;
            }
        }
}

void qsort_r(void *elements, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *argument) {
    unsigned char *first = elements;
    for (size_t i = 1; i < count; i++)
        for (unsigned char *right = first + i * size; right != first; right -= size) {
            unsigned char *left = right - size;
            if (compare(left, right, argument) <= 0)
                break;
            for (size_t j = 0; j < size; j++) {
                unsigned char byte = left[j];
                left[j] = right[j];
                right[j] = byte;
            }
        }
}

void *bsearch(const void *key, const void *elements, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)elements + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
