// What is known and not modelled: reaching one of these makes the verdict unknown, whatever is said of unknown functions.
// They jump, start processes, or change memory that the caller gave them.

typedef __typeof__(sizeof 0) size_t;
typedef struct _IO_FILE FILE;

void __raddle_unsupported(const char *what);
_Noreturn void __raddle_abort(void);

int setjmp(void *state) {
    __raddle_unsupported("`setjmp`");
    return 0;
}

int _setjmp(void *state) {
    __raddle_unsupported("`setjmp`");
    return 0;
}

int sigsetjmp(void *state, int has_mask) {
    __raddle_unsupported("`sigsetjmp`");
    return 0;
}

int __sigsetjmp(void *state, int has_mask) {
    __raddle_unsupported("`sigsetjmp`");
    return 0;
}

_Noreturn void longjmp(void *state, int value) {
    __raddle_unsupported("`longjmp`");
    __raddle_abort();
}

_Noreturn void _longjmp(void *state, int value) {
    __raddle_unsupported("`longjmp`");
    __raddle_abort();
}

_Noreturn void siglongjmp(void *state, int value) {
    __raddle_unsupported("`siglongjmp`");
    __raddle_abort();
}

int sigaction(int number, const void *action, void *before) {
    __raddle_unsupported("`sigaction`");
    return 0;
}

int sigwait(const void *set, int *number) {
    __raddle_unsupported("`sigwait`");
    return 0;
}

int sigprocmask(int how, const void *set, void *before) {
    __raddle_unsupported("`sigprocmask`");
    return 0;
}

int pthread_sigmask(int how, const void *set, void *before) {
    __raddle_unsupported("`pthread_sigmask`");
    return 0;
}

int kill(int process, int number) {
    __raddle_unsupported("`kill`");
    return 0;
}

int pause(void) {
    __raddle_unsupported("`pause`");
    return 0;
}

unsigned alarm(unsigned seconds) {
    __raddle_unsupported("`alarm`");
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

int pipe(int *descriptors) {
    __raddle_unsupported("`pipe`");
    return 0;
}

int open(const char *path, int flags, ...) {
    __raddle_unsupported("`open`");
    return 0;
}

long read(int descriptor, void *to, size_t count) {
    __raddle_unsupported("`read`");
    return 0;
}

int close(int descriptor) {
    __raddle_unsupported("`close`");
    return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
    __raddle_unsupported("`ioctl`");
    return 0;
}

int fcntl(int descriptor, int command, ...) {
    __raddle_unsupported("`fcntl`");
    return 0;
}

int select(int count, void *reading, void *writing, void *failing, void *timeout) {
    __raddle_unsupported("`select`");
    return 0;
}

int poll(void *descriptors, unsigned long count, int timeout) {
    __raddle_unsupported("`poll`");
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

FILE *fopen(const char *path, const char *mode) {
    __raddle_unsupported("`fopen`");
    return 0;
}

FILE *fdopen(int descriptor, const char *mode) {
    __raddle_unsupported("`fdopen`");
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

FILE *tmpfile(void) {
    __raddle_unsupported("`tmpfile`");
    return 0;
}

int pclose(FILE *stream) {
    __raddle_unsupported("`pclose`");
    return 0;
}

int fclose(FILE *stream) {
    __raddle_unsupported("`fclose`");
    return 0;
}

size_t fread(void *to, size_t size, size_t count, FILE *stream) {
    __raddle_unsupported("`fread`");
    return 0;
}

int fseek(FILE *stream, long offset, int whence) {
    __raddle_unsupported("`fseek`");
    return 0;
}

long ftell(FILE *stream) {
    __raddle_unsupported("`ftell`");
    return 0;
}

void rewind(FILE *stream) {
    __raddle_unsupported("`rewind`");
}

int feof(FILE *stream) {
    __raddle_unsupported("`feof`");
    return 0;
}

int ferror(FILE *stream) {
    __raddle_unsupported("`ferror`");
    return 0;
}

void clearerr(FILE *stream) {
    __raddle_unsupported("`clearerr`");
}

int ungetc(int byte, FILE *stream) {
    __raddle_unsupported("`ungetc`");
    return 0;
}

char *gets(char *to) {
    __raddle_unsupported("`gets`");
    return 0;
}

long getline(char **line, size_t *room, FILE *stream) {
    __raddle_unsupported("`getline`");
    return 0;
}

long getdelim(char **line, size_t *room, int delimiter, FILE *stream) {
    __raddle_unsupported("`getdelim`");
    return 0;
}

int remove(const char *path) {
    __raddle_unsupported("`remove`");
    return 0;
}

int unlink(const char *path) {
    __raddle_unsupported("`unlink`");
    return 0;
}

int rename(const char *from, const char *to) {
    __raddle_unsupported("`rename`");
    return 0;
}

int scanf(const char *text, ...) {
    __raddle_unsupported("`scanf`");
    return 0;
}

int fscanf(FILE *stream, const char *text, ...) {
    __raddle_unsupported("`fscanf`");
    return 0;
}

int vscanf(const char *text, __builtin_va_list arguments) {
    __raddle_unsupported("`vscanf`");
    return 0;
}

int vfscanf(FILE *stream, const char *text, __builtin_va_list arguments) {
    __raddle_unsupported("`vfscanf`");
    return 0;
}

int __isoc99_scanf(const char *text, ...) {
    __raddle_unsupported("`scanf`");
    return 0;
}

int __isoc99_fscanf(FILE *stream, const char *text, ...) {
    __raddle_unsupported("`fscanf`");
    return 0;
}

int __isoc23_scanf(const char *text, ...) {
    __raddle_unsupported("`scanf`");
    return 0;
}

int __isoc23_fscanf(FILE *stream, const char *text, ...) {
    __raddle_unsupported("`fscanf`");
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

int getopt(int count, char *const *arguments, const char *options) {
    __raddle_unsupported("`getopt`");
    return 0;
}

int getopt_long(int count, char *const *arguments, const char *options, const void *long_options, int *place) {
    __raddle_unsupported("`getopt_long`");
    return 0;
}
