// string.h and strings.h: bytes, and strings that are copied, compared and measured.
//
// Bytes are copied one by one and never looked at, so that undefined bytes and parts of pointers pass through.

typedef __typeof__(sizeof 0) size_t;

void *malloc(size_t bytes);

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < count; i++)
        target[i] = source[i];
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
    return (char *)memcpy(to, from, count) + count;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t count) {
    return mempcpy(to, from, count);
}

// Backwards only if the target begins inside the source. Pointers are compared for equality alone: which of two objects
// comes first would depend on how they are numbered.
void *memmove(void *to, const void *from, size_t count) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t distance = 1; distance < count; distance++)
        if (source + distance == target) {
            for (size_t i = count; i > 0; i--)
                target[i - 1] = source[i - 1];
            return to;
        }
    for (size_t i = 0; i < count; i++)
        target[i] = source[i];
    return to;
}

void bcopy(const void *from, void *to, size_t count) {
    memmove(to, from, count);
}

void *memccpy(void *restrict to, const void *restrict from, int last, size_t count) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = source[i];
        target[i] = byte;
        if (byte == (unsigned char)last)
            return target + i + 1;
    }
    return 0;
}

void *memset(void *to, int value, size_t count) {
    unsigned char *target = to;
    for (size_t i = 0; i < count; i++)
        target[i] = value;
    return to;
}

void bzero(void *to, size_t count) {
    memset(to, 0, count);
}

void explicit_bzero(void *to, size_t count) {
    memset(to, 0, count);
}

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (size_t i = 0; i < count; i++) {
        int difference = a[i] - b[i];
        if (difference)
            return difference;
    }
    return 0;
}

int bcmp(const void *left, const void *right, size_t count) {
    return memcmp(left, right, count);
}

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

size_t strnlen(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length])
        length++;
    return length;
}

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *__stpcpy(char *restrict to, const char *restrict from) {
    return stpcpy(to, from);
}

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
    size_t i = 0;
    while (i < count && (to[i] = from[i]))
        i++;
    char *end = to + i;
    for (; i < count; i++)
        to[i] = 0;
    return end;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count) {
    stpncpy(to, from, count);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count) {
    char *end = to + strlen(to);
    size_t i = 0;
    while (i < count && (end[i] = from[i]))
        i++;
    if (i == count)
        end[i] = 0;
    return to;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t room) {
    size_t length = strlen(from);
    if (room) {
        size_t count = length < room ? length : room - 1;
        memcpy(to, from, count);
        to[count] = 0;
    }
    return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t room) {
    size_t before = strnlen(to, room);
    if (before == room)
        return room + strlen(from);
    return before + strlcpy(to + before, from, room - before);
}

char *strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

char *__strdup(const char *text) {
    return strdup(text);
}

char *strndup(const char *text, size_t limit) {
    size_t length = strnlen(text, limit);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

char *__strndup(const char *text, size_t limit) {
    return strndup(text, limit);
}

int strcmp(const char *left, const char *right) {
    for (size_t i = 0;; i++) {
        unsigned char a = left[i];
        int difference = a - (unsigned char)right[i];
        if (difference || !a)
            return difference;
    }
}

int strcoll(const char *left, const char *right) {
    return strcmp(left, right);
}

int strncmp(const char *left, const char *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char a = left[i];
        int difference = a - (unsigned char)right[i];
        if (difference || !a)
            return difference;
    }
    return 0;
}

static int lower(unsigned char byte) {
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

int strncasecmp(const char *left, const char *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int a = lower(left[i]);
        int difference = a - lower(right[i]);
        if (difference || !a)
            return difference;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right) {
    return strncasecmp(left, right, -1);
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t room) {
    size_t length = strlen(from);
    if (length < room)
        memcpy(to, from, length + 1);
    return length;
}
