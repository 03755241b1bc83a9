// What is known and not modelled: reaching one of these makes the verdict unknown, whatever is said of unknown functions.
// They jump, start processes, or change memory that the caller gave them.

typedef __typeof__(sizeof 0) size_t;
typedef struct _IO_FILE FILE;

void __raddle_unsupported(const char *what);

// Calls by name are the lowering's, but for those that keep the mask of signals.
int setjmp(void *state) {
    __raddle_unsupported("`setjmp` through a pointer");
    return 0;
}

int _setjmp(void *state) {
    __raddle_unsupported("`setjmp` through a pointer");
    return 0;
}

int sigsetjmp(void *state, int has_mask) {
    __raddle_unsupported("`sigsetjmp` that keeps the mask of signals");
    return 0;
}

int __sigsetjmp(void *state, int has_mask) {
    __raddle_unsupported("`sigsetjmp` that keeps the mask of signals");
    return 0;
}

int pause(void) {
    __raddle_unsupported("`pause`");
    return 0;
}

int fork(void) {
    __raddle_unsupported("`fork`");
    return 0;
}

int vfork(void) {
    __raddle_unsupported("`vfork`");
    return 0;
}

int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
    __raddle_unsupported("`clone`");
    return 0;
}

int execl(const char *path, const char *argument, ...) {
    __raddle_unsupported("`execl`");
    return 0;
}

int execlp(const char *path, const char *argument, ...) {
    __raddle_unsupported("`execlp`");
    return 0;
}

int execle(const char *path, const char *argument, ...) {
    __raddle_unsupported("`execle`");
    return 0;
}

int execv(const char *path, char *const *arguments) {
    __raddle_unsupported("`execv`");
    return 0;
}

int execvp(const char *path, char *const *arguments) {
    __raddle_unsupported("`execvp`");
    return 0;
}

int execve(const char *path, char *const *arguments, char *const *environment) {
    __raddle_unsupported("`execve`");
    return 0;
}

int wait(int *status) {
    __raddle_unsupported("`wait`");
    return 0;
}

int waitpid(int process, int *status, int options) {
    __raddle_unsupported("`waitpid`");
    return 0;
}

int system(const char *command) {
    __raddle_unsupported("`system`");
    return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
    __raddle_unsupported("`ioctl`");
    return 0;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, long offset) {
    __raddle_unsupported("`mmap`");
    return 0;
}

int munmap(void *address, size_t bytes) {
    __raddle_unsupported("`munmap`");
    return 0;
}

int mprotect(void *address, size_t bytes, int protection) {
    __raddle_unsupported("`mprotect`");
    return 0;
}

void *sbrk(long bytes) {
    __raddle_unsupported("`sbrk`");
    return 0;
}

int brk(void *end) {
    __raddle_unsupported("`brk`");
    return 0;
}

long syscall(long number, ...) {
    __raddle_unsupported("`syscall`");
    return 0;
}

void *dlopen(const char *path, int flags) {
    __raddle_unsupported("`dlopen`");
    return 0;
}

void *dlsym(void *library, const char *name) {
    __raddle_unsupported("`dlsym`");
    return 0;
}

FILE *freopen(const char *path, const char *mode, FILE *stream) {
    __raddle_unsupported("`freopen`");
    return 0;
}

FILE *popen(const char *command, const char *mode) {
    __raddle_unsupported("`popen`");
    return 0;
}

int pclose(FILE *stream) {
    __raddle_unsupported("`pclose`");
    return 0;
}

char *gets(char *to) {
    __raddle_unsupported("`gets`");
    return 0;
}

int setenv(const char *name, const char *value, int may_replace) {
    __raddle_unsupported("`setenv`");
    return 0;
}

int putenv(char *assignment) {
    __raddle_unsupported("`putenv`");
    return 0;
}

int unsetenv(const char *name) {
    __raddle_unsupported("`unsetenv`");
    return 0;
}

char *setlocale(int category, const char *name) {
    if (name && !(name[0] == 'C' && !name[1]))
        __raddle_unsupported("another locale than `C`");
    return "C";
}

void *localtime(const long *time) {
    __raddle_unsupported("`localtime`");
    return 0;
}

void *gmtime(const long *time) {
    __raddle_unsupported("`gmtime`");
    return 0;
}

void *localtime_r(const long *time, void *result) {
    __raddle_unsupported("`localtime_r`");
    return 0;
}

void *gmtime_r(const long *time, void *result) {
    __raddle_unsupported("`gmtime_r`");
    return 0;
}

long mktime(void *time) {
    __raddle_unsupported("`mktime`");
    return 0;
}

char *ctime(const long *time) {
    __raddle_unsupported("`ctime`");
    return 0;
}

size_t strftime(char *to, size_t room, const char *text, const void *time) {
    __raddle_unsupported("`strftime`");
    return 0;
}
