// memory.c, string.c and search.c against glibc.

#include "compare.h"
#include <wchar.h>

OUR(malloc); OUR(calloc); OUR(realloc); OUR(reallocarray); OUR(free); OUR(posix_memalign); OUR(aligned_alloc);
OUR(memcpy); OUR(memmove); OUR(memset); OUR(mempcpy); OUR(memccpy); OUR(memcmp); OUR(bzero); OUR(bcopy);
extern void *our_memchr(const void *, int, size_t);
extern void *our_memrchr(const void *, int, size_t);
extern void *our_rawmemchr(const void *, int);
OUR(memmem);
OUR(strlen); OUR(strnlen); OUR(strcpy); OUR(strncpy); OUR(stpcpy); OUR(stpncpy); OUR(strcat); OUR(strncat);
OUR(strcmp); OUR(strncmp); OUR(strcasecmp); OUR(strncasecmp); OUR(strcoll); OUR(strxfrm);
extern char *our_strchr(const char *, int);
extern char *our_strrchr(const char *, int);
extern char *our_strchrnul(const char *, int);
extern char *our_index(const char *, int);
extern char *our_rindex(const char *, int);
extern char *our_strpbrk(const char *, const char *);
extern char *our_strstr(const char *, const char *);
extern char *our_strcasestr(const char *, const char *);
OUR(strspn); OUR(strcspn); OUR(strtok); OUR(strtok_r); OUR(strsep); OUR(strdup); OUR(strndup); OUR(strerror);
OUR(ffs); OUR(ffsl); OUR(ffsll);
OUR(wcslen); OUR(wcscpy); OUR(wcsncpy); OUR(wcscat); OUR(wcscmp); OUR(wcsncmp); OUR(wmemcpy); OUR(wmemmove); OUR(wmemset);
OUR(wmemcmp);
extern wchar_t *our_wcschr(const wchar_t *, wchar_t), *our_wcsrchr(const wchar_t *, wchar_t),
    *our_wcsstr(const wchar_t *, const wchar_t *), *our_wmemchr(const wchar_t *, wchar_t, size_t);
extern size_t our_strlcpy(char *, const char *, size_t), our_strlcat(char *, const char *, size_t);

static int sign(int value) {
    return (value > 0) - (value < 0);
}

// A short string over a small alphabet, so that things are found.
static void random_string(char *to, int limit) {
    int length = below(limit);
    for (int i = 0; i < length; i++)
        to[i] = "abAB,;\x80\xff"[below(8)];
    to[length] = 0;
}

static void bytes(void) {
    char ours[64], theirs[64], from[64];
    for (int i = 0; i < 64; i++) {
        ours[i] = theirs[i] = below(4);
        from[i] = below(4);
    }
    int n = below(20), to = below(40), at = below(40), value = below(5) + (below(2) ? 256 : 0);
    switch (below(8)) {
    case 0: CHECK(our_memcpy(ours + to, from + at, n) == ours + to); memcpy(theirs + to, from + at, n); break;
    case 1: CHECK(our_memmove(ours + to, ours + at, n) == ours + to); memmove(theirs + to, theirs + at, n); break;
    case 2: CHECK(our_memset(ours + to, value, n) == ours + to); memset(theirs + to, value, n); break;
    case 3: CHECK(our_mempcpy(ours + to, from + at, n) == ours + to + n); memcpy(theirs + to, from + at, n); break;
    case 4: {
        char *a = our_memccpy(ours + to, from + at, value, n), *b = memccpy(theirs + to, from + at, value, n);
        CHECK(a ? b && a - ours == b - theirs : !b);
        break;
    }
    case 5: our_bzero(ours + to, n); bzero(theirs + to, n); break;
    case 6: our_bcopy(ours + to, ours + at, n); bcopy(theirs + to, theirs + at, n); break;
    default:
        CHECK(sign(our_memcmp(ours + to, from + at, n)) == sign(memcmp(theirs + to, from + at, n)));
        CHECK(our_memchr(from + at, value, n) == memchr(from + at, value, n));
        CHECK(our_memrchr(from + at, value, n) == memrchr(from + at, value, n));
        CHECK(our_memmem(from, 64, ours + at, n % 4) == memmem(from, 64, ours + at, n % 4));
        from[63] = 9;
        CHECK(our_rawmemchr(from + at, 9) == rawmemchr(from + at, 9));
    }
    CHECK(!memcmp(ours, theirs, 64));
}

static void strings(void) {
    char a[16], b[16], ours[64], theirs[64];
    random_string(a, 12);
    random_string(b, below(3) ? 3 : 12);
    memset(ours, 7, 64);
    memset(theirs, 7, 64);
    size_t n = below(14);
    int byte = "abAB,;\x80\xff"[below(8)] * below(2);
    CHECK(our_strlen(a) == strlen(a));
    CHECK(our_strnlen(a, n) == strnlen(a, n));
    CHECK(sign(our_strcmp(a, b)) == sign(strcmp(a, b)));
    CHECK(sign(our_strcoll(a, b)) == sign(strcoll(a, b)));
    CHECK(sign(our_strncmp(a, b, n)) == sign(strncmp(a, b, n)));
    CHECK(sign(our_strcasecmp(a, b)) == sign(strcasecmp(a, b)));
    CHECK(sign(our_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)));
    CHECK(our_strchr(a, byte) == strchr(a, byte));
    CHECK(our_index(a, byte) == strchr(a, byte));
    CHECK(our_strrchr(a, byte) == strrchr(a, byte));
    CHECK(our_rindex(a, byte) == strrchr(a, byte));
    CHECK(our_strchrnul(a, byte) == strchrnul(a, byte));
    CHECK(our_strspn(a, b) == strspn(a, b));
    CHECK(our_strcspn(a, b) == strcspn(a, b));
    CHECK(our_strpbrk(a, b) == strpbrk(a, b));
    CHECK(our_strstr(a, b) == strstr(a, b));
    CHECK(our_strcasestr(a, b) == strcasestr(a, b));
    strcpy(ours, b);
    strcpy(theirs, b);
    switch (below(10)) {
    case 0: CHECK(our_strcpy(ours, a) == ours); strcpy(theirs, a); break;
    case 1: CHECK(our_strncpy(ours, a, n) == ours); strncpy(theirs, a, n); break;
    case 2: CHECK(our_stpcpy(ours, a) - ours == stpcpy(theirs, a) - theirs); break;
    case 3: CHECK(our_stpncpy(ours, a, n) - ours == stpncpy(theirs, a, n) - theirs); break;
    case 4: CHECK(our_strcat(ours, a) == ours); strcat(theirs, a); break;
    case 5: CHECK(our_strncat(ours, a, n) == ours); strncat(theirs, a, n); break;
    case 6: CHECK(our_strxfrm(ours, a, 20) == strxfrm(theirs, a, 20)); break;
    case 7: CHECK(our_strlcpy(ours, a, n) == strlen(a)); snprintf(theirs, n, "%s", a); break;
    case 8:
        CHECK(our_strlcat(ours, a, n) == (strlen(theirs) < n ? strlen(theirs) : n) + strlen(a));
        if (strlen(theirs) < n)
            snprintf(theirs + strlen(theirs), n - strlen(theirs), "%s", a);
        break;
    default: {
        char *copy = our_strndup(a, n), *whole = our_strdup(a);
        CHECK(strlen(copy) == strnlen(a, n) && !strncmp(copy, a, n) && !strcmp(whole, a));
        our_free(copy);
        our_free(whole);
    }
    }
    CHECK_FOR(!memcmp(ours, theirs, 64), "a `%s` b `%s` n %d", a, b, (int)n);
}

static void random_wide(wchar_t *to, int limit) {
    int length = below(limit);
    for (int i = 0; i < length; i++)
        to[i] = (wchar_t[]){'a', 'b', 0x20ac, -5}[below(4)];
    to[length] = 0;
}

static void wides(void) {
    wchar_t a[16], b[16], ours[64], theirs[64];
    random_wide(a, 12);
    random_wide(b, below(3) ? 3 : 12);
    memset(ours, 7, sizeof ours);
    memset(theirs, 7, sizeof theirs);
    size_t n = below(12);
    wchar_t value = (wchar_t[]){'a', 'b', 0x20ac, -5, 0}[below(5)];
    CHECK(our_wcslen(a) == wcslen(a));
    CHECK(sign(our_wcscmp(a, b)) == sign(wcscmp(a, b)) && sign(our_wcsncmp(a, b, n)) == sign(wcsncmp(a, b, n)));
    CHECK(our_wcschr(a, value) == wcschr(a, value) && our_wcsrchr(a, value) == wcsrchr(a, value));
    CHECK(our_wcsstr(a, b) == wcsstr(a, b));
    CHECK(our_wmemchr(a, value, wcslen(a)) == wmemchr(a, value, wcslen(a)));
    CHECK(sign(our_wmemcmp(a, b, wcslen(b) < wcslen(a) ? wcslen(b) : wcslen(a))) ==
          sign(wmemcmp(a, b, wcslen(b) < wcslen(a) ? wcslen(b) : wcslen(a))));
    wcscpy(theirs, b);
    CHECK(our_wcscpy(ours, b) == ours);
    switch (below(5)) {
    case 0: CHECK(our_wcscat(ours, a) == ours); wcscat(theirs, a); break;
    case 1: CHECK(our_wcsncpy(ours, a, n) == ours); wcsncpy(theirs, a, n); break;
    case 2: CHECK(our_wmemset(ours, value, n) == ours); wmemset(theirs, value, n); break;
    case 3: CHECK(our_wmemcpy(ours, a, wcslen(a)) == ours); wmemcpy(theirs, a, wcslen(a)); break;
    default: CHECK(our_wmemmove(ours + 3, ours, n) == ours + 3); wmemmove(theirs + 3, theirs, n);
    }
    CHECK(!memcmp(ours, theirs, sizeof ours));
}

static void tokens(void) {
    char ours[32], theirs[32], *rest_of_ours = ours, *rest_of_theirs = theirs;
    random_string(ours, 20);
    strcpy(theirs, ours);
    const char *separators = below(2) ? ",;" : "aA";
    int kind = below(3);
    for (int i = 0; i < 24; i++) {
        char *a, *b;
        switch (kind) {
        case 0: a = our_strtok(i ? 0 : ours, separators); b = strtok(i ? 0 : theirs, separators); break;
        case 1:
            a = our_strtok_r(i ? 0 : ours, separators, &rest_of_ours);
            b = strtok_r(i ? 0 : theirs, separators, &rest_of_theirs);
            break;
        default: a = our_strsep(&rest_of_ours, separators); b = strsep(&rest_of_theirs, separators);
        }
        CHECK(a ? b && a - ours == b - theirs && !strcmp(a, b) : !b);
    }
}

static void allocation(void) {
    unsigned char *object = our_malloc(10);
    for (int i = 0; i < 10; i++)
        object[i] = i;
    object = our_realloc(object, 5);
    object = our_realloc(object, 20);
    for (int i = 0; i < 5; i++)
        CHECK(object[i] == i);
    CHECK(!our_realloc(object, 0));
    object = our_realloc(0, 3);
    CHECK(object);
    our_free(object);
    our_free(0);
    object = our_calloc(3, 5);
    for (int i = 0; i < 15; i++)
        CHECK(object[i] == 0);
    *our___errno_location() = 0;
    CHECK(!our_calloc((size_t)-1 / 2, 3) && *our___errno_location() == ENOMEM);
    *our___errno_location() = 0;
    CHECK(!our_malloc((size_t)-1 / 2 + 1) && *our___errno_location() == ENOMEM);
    CHECK(!our_reallocarray(object, (size_t)-1 / 2, 3));
    our_free(our_reallocarray(object, 6, 7));
    void *aligned = 0;
    CHECK(our_posix_memalign(&aligned, 3, 8) == EINVAL && !aligned);
    CHECK(our_posix_memalign(&aligned, 64, 8) == 0 && (size_t)aligned % 64 == 0);
    our_free(aligned);
    CHECK(GUARDED(our_aligned_alloc(1 << 29, 8)) == UNSUPPORTED);
    int failures = 0;
    malloc_may_fail = 1;
    for (int i = 0; i < 1000; i++) {
        void *maybe = our_malloc(1);
        failures += !maybe;
        our_free(maybe);
    }
    malloc_may_fail = 0;
    CHECK(failures > 100 && failures < 900);
}

int main(void) {
    allocation();
    for (int i = 0; i < 8000; i++) {
        bytes();
        strings();
        tokens();
        wides();
        int value = below(3) ? (int)any() : 1 << below(32);
        long long large = below(3) ? (long long)any() : 1ll << below(64);
        CHECK(our_ffs(value) == ffs(value) && our_ffsl(value) == ffsl(value) && our_ffsll(large) == ffsll(large));
    }
    CHECK(!our_ffs(0) && !our_ffsl(0) && !our_ffsll(0));
    int known = 0;
    for (int i = 0; i < 140; i++) {
        char *text;
        if (GUARDED(text = our_strerror(i)) == RETURNED) {
            CHECK(!strcmp(text, strerror(i)));
            known++;
        }
    }
    CHECK(known > 20);
}
