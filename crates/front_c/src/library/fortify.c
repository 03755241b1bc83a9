// What glibc's headers call with _FORTIFY_SOURCE: the functions without `__…_chk`, and abort if the target is too small.

typedef __typeof__(sizeof 0) size_t;
typedef __builtin_va_list va_list;
typedef struct _IO_FILE FILE;

_Noreturn void __chk_fail(void);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *mempcpy(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t count);
char *stpncpy(char *to, const char *from, size_t count);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t count);
extern FILE *stdout;
int vfprintf(FILE *stream, const char *text, va_list arguments);
int vasprintf(char **result, const char *text, va_list arguments);
int vsnprintf(char *to, size_t room, const char *text, va_list arguments);
char *fgets(char *to, int room, FILE *stream);

void *__memcpy_chk(void *to, const void *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return memcpy(to, from, count);
}

void *__memmove_chk(void *to, const void *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return memmove(to, from, count);
}

void *__mempcpy_chk(void *to, const void *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return mempcpy(to, from, count);
}

void *__memset_chk(void *to, int value, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return memset(to, value, count);
}

char *__strcpy_chk(char *to, const char *from, size_t size) {
    if (strlen(from) >= size)
        __chk_fail();
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
    if (strlen(from) >= size)
        __chk_fail();
    return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return strncpy(to, from, count);
}

char *__stpncpy_chk(char *to, const char *from, size_t count, size_t size) {
    if (count > size)
        __chk_fail();
    return stpncpy(to, from, count);
}

char *__strcat_chk(char *to, const char *from, size_t size) {
    size_t before = strnlen(to, size);
    if (strlen(from) >= size - before)
        __chk_fail();
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t count, size_t size) {
    size_t before = strnlen(to, size);
    if (strnlen(from, count) >= size - before)
        __chk_fail();
    return strncat(to, from, count);
}

int __vfprintf_chk(FILE *stream, int flag, const char *text, va_list arguments) {
    return vfprintf(stream, text, arguments);
}

int __fprintf_chk(FILE *stream, int flag, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = vfprintf(stream, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __vprintf_chk(int flag, const char *text, va_list arguments) {
    return vfprintf(stdout, text, arguments);
}

int __printf_chk(int flag, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = vfprintf(stdout, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *text, va_list arguments) {
    if (room > size)
        __chk_fail();
    return vsnprintf(to, room, text, arguments);
}

int __snprintf_chk(char *to, size_t room, int flag, size_t size, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = __vsnprintf_chk(to, room, flag, size, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __vsprintf_chk(char *to, int flag, size_t size, const char *text, va_list arguments) {
    int result = vsnprintf(to, size, text, arguments);
    if (result >= 0 && (size_t)result >= size)
        __chk_fail();
    return result;
}

int __sprintf_chk(char *to, int flag, size_t size, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int result = __vsprintf_chk(to, flag, size, text, arguments);
    __builtin_va_end(arguments);
    return result;
}

int __vasprintf_chk(char **result, int flag, const char *text, va_list arguments) {
    return vasprintf(result, text, arguments);
}

int __asprintf_chk(char **result, int flag, const char *text, ...) {
    va_list arguments;
    __builtin_va_start(arguments, text);
    int length = vasprintf(result, text, arguments);
    __builtin_va_end(arguments);
    return length;
}

char *__fgets_chk(char *to, size_t size, int room, FILE *stream) {
    if (room > 0 && (size_t)room > size)
        __chk_fail();
    return fgets(to, room, stream);
}
