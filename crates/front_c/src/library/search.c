// string.h and strings.h: what looks for something in bytes and strings, and what takes strings apart.

typedef __typeof__(sizeof 0) size_t;

void __raddle_unsupported(const char *what);
size_t strlen(const char *text);
int strncmp(const char *left, const char *right, size_t count);
int memcmp(const void *left, const void *right, size_t count);
int __builtin_ffs(int value);
int __builtin_ffsl(long value);
int __builtin_ffsll(long long value);

void *memchr(const void *bytes, int value, size_t count) {
    const unsigned char *place = bytes;
    for (size_t i = 0; i < count; i++)
        if (place[i] == (unsigned char)value)
            return (void *)(place + i);
    return 0;
}

void *rawmemchr(const void *bytes, int value) {
    const unsigned char *place = bytes;
    while (*place != (unsigned char)value)
        place++;
    return (void *)place;
}

void *memrchr(const void *bytes, int value, size_t count) {
    const unsigned char *place = bytes;
    for (size_t i = count; i > 0; i--)
        if (place[i - 1] == (unsigned char)value)
            return (void *)(place + (i - 1));
    return 0;
}

void *memmem(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    const unsigned char *place = bytes;
    for (size_t i = 0; i + wanted_count <= count; i++)
        if (!memcmp(place + i, wanted, wanted_count))
            return (void *)(place + i);
    return 0;
}

char *strchrnul(const char *text, int value) {
    while (*text && *text != (char)value)
        text++;
    return (char *)text;
}

char *strchr(const char *text, int value) {
    for (;; text++) {
        char byte = *text;
        if (byte == (char)value)
            return (char *)text;
        if (!byte)
            return 0;
    }
}

char *index(const char *text, int value) {
    return strchr(text, value);
}

char *strrchr(const char *text, int value) {
    const char *last = 0;
    for (;; text++) {
        char byte = *text;
        if (byte == (char)value)
            last = text;
        if (!byte)
            return (char *)last;
    }
}

char *rindex(const char *text, int value) {
    return strrchr(text, value);
}

size_t strcspn(const char *text, const char *rejected) {
    size_t length = 0;
    while (text[length] && !strchr(rejected, text[length]))
        length++;
    return length;
}

size_t strspn(const char *text, const char *accepted) {
    size_t length = 0;
    while (text[length] && strchr(accepted, text[length]))
        length++;
    return length;
}

char *strpbrk(const char *text, const char *accepted) {
    text += strcspn(text, accepted);
    return *text ? (char *)text : 0;
}

char *strstr(const char *text, const char *wanted) {
    size_t length = strlen(wanted);
    for (;; text++) {
        if (!strncmp(text, wanted, length))
            return (char *)text;
        if (!*text)
            return 0;
    }
}

char *strcasestr(const char *text, const char *wanted) {
    int strncasecmp(const char *left, const char *right, size_t count);
    size_t length = strlen(wanted);
    for (;; text++) {
        if (!strncasecmp(text, wanted, length))
            return (char *)text;
        if (!*text)
            return 0;
    }
}

char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
    if (!text)
        text = *rest;
    text += strspn(text, separators);
    if (!*text) {
        *rest = text;
        return 0;
    }
    char *end = text + strcspn(text, separators);
    if (*end)
        *end++ = 0;
    *rest = end;
    return text;
}

char *__strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
    return strtok_r(text, separators, rest);
}

char *strtok(char *restrict text, const char *restrict separators) {
    static char *rest;
    return strtok_r(text, separators, &rest);
}

char *strsep(char **restrict rest, const char *restrict separators) {
    char *text = *rest;
    if (!text)
        return 0;
    char *end = text + strcspn(text, separators);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return text;
}

int ffs(int value) {
    return __builtin_ffs(value);
}

int ffsll(long long value) {
    return __builtin_ffsll(value);
}

int ffsl(long value) {
    return __builtin_ffsl(value);
}

char *strerror(int number) {
    switch (number) {
    case 0: return "Success";
    case 1: return "Operation not permitted";
    case 2: return "No such file or directory";
    case 3: return "No such process";
    case 4: return "Interrupted system call";
    case 5: return "Input/output error";
    case 9: return "Bad file descriptor";
    case 10: return "No child processes";
    case 11: return "Resource temporarily unavailable";
    case 12: return "Cannot allocate memory";
    case 13: return "Permission denied";
    case 14: return "Bad address";
    case 16: return "Device or resource busy";
    case 17: return "File exists";
    case 22: return "Invalid argument";
    case 24: return "Too many open files";
    case 28: return "No space left on device";
    case 32: return "Broken pipe";
    case 33: return "Numerical argument out of domain";
    case 34: return "Numerical result out of range";
    case 35: return "Resource deadlock avoided";
    case 38: return "Function not implemented";
    case 75: return "Value too large for defined data type";
    case 95: return "Operation not supported";
    case 110: return "Connection timed out";
    case 125: return "Operation canceled";
    case 130: return "Owner died";
    }
    __raddle_unsupported("`strerror` of an uncommon error");
    return 0;
}
