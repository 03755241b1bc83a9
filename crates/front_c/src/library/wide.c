// wchar.h: strings of wide characters, which are numbers of four bytes on both data models.

typedef __typeof__(sizeof 0) size_t;
typedef int wide;

wide *wmemcpy(wide *restrict to, const wide *restrict from, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = from[i];
    return to;
}

wide *wmemmove(wide *to, const wide *from, size_t count) {
    void *memmove(void *to, const void *from, size_t count);
    return memmove(to, from, count * sizeof(wide));
}

wide *wmemset(wide *to, wide value, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = value;
    return to;
}

int wmemcmp(const wide *left, const wide *right, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

wide *wmemchr(const wide *text, wide value, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text[i] == value)
            return (wide *)text + i;
    return 0;
}

size_t wcslen(const wide *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

wide *wcscpy(wide *restrict to, const wide *restrict from) {
    size_t i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}

wide *wcsncpy(wide *restrict to, const wide *restrict from, size_t count) {
    size_t i = 0;
    while (i < count && (to[i] = from[i]))
        i++;
    for (; i < count; i++)
        to[i] = 0;
    return to;
}

wide *wcscat(wide *restrict to, const wide *restrict from) {
    wcscpy(to + wcslen(to), from);
    return to;
}

int wcsncmp(const wide *left, const wide *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
        if (!left[i])
            break;
    }
    return 0;
}

int wcscmp(const wide *left, const wide *right) {
    return wcsncmp(left, right, -1);
}

wide *wcschr(const wide *text, wide value) {
    for (;; text++) {
        if (*text == value)
            return (wide *)text;
        if (!*text)
            return 0;
    }
}

wide *wcsrchr(const wide *text, wide value) {
    const wide *last = 0;
    for (;; text++) {
        if (*text == value)
            last = text;
        if (!*text)
            return (wide *)last;
    }
}

wide *wcsstr(const wide *text, const wide *wanted) {
    size_t length = wcslen(wanted);
    for (;; text++) {
        if (!wcsncmp(text, wanted, length))
            return (wide *)text;
        if (!*text)
            return 0;
    }
}
