// Byte order and addresses, exactly; sockets, of which there are none: a machine without a network.

typedef __typeof__(sizeof 0) size_t;
typedef __typeof__((char *)0 - (char *)0) ssize_t;

_Bool __raddle_assuming(const char *what);
_Bool __raddle_extern_havoc(void);
_Bool __raddle_is_open(int descriptor);
int __raddle_any_int(void);
void __raddle_unsupported(const char *what);
unsigned short __builtin_bswap16(unsigned short value);
unsigned __builtin_bswap32(unsigned value);
int *__errno_location(void);

enum { EBADF = 9, EINVAL = 22, ENOSPC = 28, ENOTSOCK = 88, EAFNOSUPPORT = 97 };
enum { AF_INET = 2, ALL_ONES = -1 };

static int failed(int error) {
    *__errno_location() = error;
    return -1;
}

unsigned short htons(unsigned short value) {
    return __builtin_bswap16(value);
}

unsigned short ntohs(unsigned short value) {
    return __builtin_bswap16(value);
}

unsigned htonl(unsigned value) {
    return __builtin_bswap32(value);
}

unsigned ntohl(unsigned value) {
    return __builtin_bswap32(value);
}

// Four decimal numbers with dots between them. Other ways to write an address are not read.
static _Bool read_address(const char *text, unsigned *address) {
    unsigned result = 0;
    for (int part = 0; part < 4; part++) {
        unsigned number = 0;
        int digits = 0;
        if (*text == '0' && text[1] >= '0' && text[1] <= '9')
            return 0;
        for (; *text >= '0' && *text <= '9' && digits < 4; text++, digits++)
            number = number * 10 + (*text - '0');
        if (digits == 0 || digits > 3 || number > 255)
            return 0;
        result = result << 8 | number;
        if (part < 3 && *text++ != '.')
            return 0;
    }
    *address = result;
    return *text == 0;
}

static _Bool may_be_address(const char *text) {
    return (*text >= '0' && *text <= '9') || *text == ' ';
}

int inet_aton(const char *text, unsigned *result) {
    unsigned address;
    if (read_address(text, &address)) {
        *result = htonl(address);
        return 1;
    }
    if (may_be_address(text))
        __raddle_unsupported("an address that is not four decimal numbers");
    return 0;
}

unsigned inet_addr(const char *text) {
    unsigned result;
    return inet_aton(text, &result) ? result : ALL_ONES;
}

int inet_pton(int family, const char *text, void *result) {
    unsigned address;
    if (family != AF_INET)
        __raddle_unsupported("`inet_pton` of another family than `AF_INET`");
    if (!read_address(text, &address))
        return 0;
    unsigned char *bytes = result;
    for (int i = 0; i < 4; i++)
        bytes[i] = address >> (24 - 8 * i);
    return 1;
}

static int write_address(char *to, const unsigned char *bytes) {
    int length = 0;
    for (int i = 0; i < 4; i++) {
        if (bytes[i] >= 100)
            to[length++] = '0' + bytes[i] / 100;
        if (bytes[i] >= 10)
            to[length++] = '0' + bytes[i] / 10 % 10;
        to[length++] = '0' + bytes[i] % 10;
        to[length++] = i < 3 ? '.' : 0;
    }
    return length;
}

const char *inet_ntop(int family, const void *address, char *to, unsigned room) {
    char text[16];
    if (family != AF_INET)
        __raddle_unsupported("`inet_ntop` of another family than `AF_INET`");
    int length = write_address(text, address);
    if ((unsigned)length > room) {
        failed(ENOSPC);
        return 0;
    }
    for (int i = 0; i < length; i++)
        to[i] = text[i];
    return to;
}

struct in_addr {
    unsigned number;
};

// One buffer for each thread, as glibc has it.
char *inet_ntoa(struct in_addr address) {
    static __thread char text[18];
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = address.number >> 8 * i;
    write_address(text, bytes);
    return text;
}

// With `--extern-havoc` these return anything, as functions without a definition do.

static int no_network(void) {
    if (__raddle_extern_havoc())
        return __raddle_any_int();
    if (!__raddle_assuming("no network"))
        __raddle_unsupported("sockets");
    return failed(EAFNOSUPPORT);
}

static int no_socket(int descriptor) {
    if (__raddle_extern_havoc())
        return __raddle_any_int();
    return failed(__raddle_is_open(descriptor) ? ENOTSOCK : EBADF);
}

int socket(int family, int kind, int protocol) {
    return no_network();
}

int socketpair(int family, int kind, int protocol, int *descriptors) {
    return no_network();
}

int bind(int descriptor, const void *address, unsigned length) {
    return no_socket(descriptor);
}

int listen(int descriptor, int length) {
    return no_socket(descriptor);
}

int accept(int descriptor, void *address, unsigned *length) {
    return no_socket(descriptor);
}

int accept4(int descriptor, void *address, unsigned *length, int flags) {
    return no_socket(descriptor);
}

int connect(int descriptor, const void *address, unsigned length) {
    return no_socket(descriptor);
}

int shutdown(int descriptor, int how) {
    return no_socket(descriptor);
}

int getsockname(int descriptor, void *address, unsigned *length) {
    return no_socket(descriptor);
}

int getpeername(int descriptor, void *address, unsigned *length) {
    return no_socket(descriptor);
}

int getsockopt(int descriptor, int level, int option, void *value, unsigned *length) {
    return no_socket(descriptor);
}

int setsockopt(int descriptor, int level, int option, const void *value, unsigned length) {
    return no_socket(descriptor);
}

ssize_t send(int descriptor, const void *from, size_t count, int flags) {
    return no_socket(descriptor);
}

ssize_t sendto(int descriptor, const void *from, size_t count, int flags, const void *address, unsigned length) {
    return no_socket(descriptor);
}

ssize_t sendmsg(int descriptor, const void *message, int flags) {
    return no_socket(descriptor);
}

ssize_t recv(int descriptor, void *to, size_t count, int flags) {
    return no_socket(descriptor);
}

ssize_t recvfrom(int descriptor, void *to, size_t count, int flags, void *address, unsigned *length) {
    return no_socket(descriptor);
}

ssize_t recvmsg(int descriptor, void *message, int flags) {
    return no_socket(descriptor);
}

// Names of machines.

enum { HOST_NOT_FOUND = 1, EAI_AGAIN = -3 };

int *__h_errno_location(void) {
    static __thread int number;
    return &number;
}

const char *hstrerror(int number) {
    static const char *const messages[] = {"Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure",
                                           "Unknown server error", "No address associated with name"};
    return number >= 0 && number <= 4 ? messages[number] : "Unknown resolver error";
}

void *gethostbyname(const char *name) {
    no_network();
    *__h_errno_location() = HOST_NOT_FOUND;
    return 0;
}

int getaddrinfo(const char *name, const char *service, const void *wanted, void **result) {
    no_network();
    return EAI_AGAIN;
}

void freeaddrinfo(void *result) {
    if (result)
        __raddle_unsupported("`freeaddrinfo`");
}

const char *gai_strerror(int number) {
    if (number != EAI_AGAIN)
        __raddle_unsupported("`gai_strerror` of an uncommon error");
    return "Temporary failure in name resolution";
}
