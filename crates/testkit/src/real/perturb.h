// Runs a program's `main` many times, each time in a process of its own, and says what came of it. The compiler is told
// to read this file first (`-include`); the program's own text does not know of it, so nobody else has to.
//
//     program RUNS SEED LIMIT RUNNING
//
// LIMIT is in milliseconds: who takes longer is looked at, and RUNNING of its threads may be busy for ever by right.
// For each run a line on standard output:
//
//     values 3 1      what was handed to OUTCOME
//     misuse WORDS    a lock was used in a way that it must not be
//     report WORDS    what a sanitizer says
//     exit 3          or `signal 11`, `hang` (nobody can go on), `late` (nobody knows)
//
// and then a dot.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- What a run leaves behind, in memory that it shares with who started it.

struct perturb_note {
    atomic_int has_values, count;
    long values[16];
    char misuse[64], report[64];
};
static struct perturb_note *perturb_note;

// A program may come here only once; what comes later is not noted.
static void perturb_outcome(int count, ...) {
    if (atomic_exchange(&perturb_note->has_values, 1)) return;
    va_list values;
    va_start(values, count);
    for (int at = 0; at < count; at++) perturb_note->values[at] = va_arg(values, long);
    va_end(values);
    atomic_store(&perturb_note->count, count);
}

static void perturb_misuse(const char *what) {
    if (!perturb_note->misuse[0]) strncpy(perturb_note->misuse, what, 63);
}

// ---- Perturbation.

static unsigned perturb_seed;
static int perturb_mode, perturb_cpus;
static atomic_uint perturb_threads;
static struct { unsigned thread, step; } perturb_slow[3];
static __thread unsigned perturb_state, perturb_me, perturb_step;

static unsigned perturb_number(void) {
    perturb_state ^= perturb_state << 13;
    perturb_state ^= perturb_state >> 17;
    return perturb_state ^= perturb_state << 5;
}

static void perturb_sleep(long microseconds) {
    struct timespec time = {0, microseconds * 1000};
    nanosleep(&time, 0);
}

static void perturb(void) {
    int kept = errno;
    if (!perturb_me) {
        perturb_me = 1 + atomic_fetch_add(&perturb_threads, 1);
        perturb_state = (perturb_seed + perturb_me) * 2654435761u | 1;
    }
    perturb_step++;
    // A few threads are late at one point of their way: what needs few switches to be seen is seen.
    for (int at = 0; at < 3; at++)
        if (perturb_slow[at].thread == perturb_me && perturb_slow[at].step == perturb_step)
            perturb_sleep(150 + 100 * at);
    unsigned number = perturb_number() >> 8;
    if (perturb_mode == 1) {
        if (number % 4 == 0) sched_yield();
    } else if (perturb_mode == 2) {
        if (number % 8 == 0) perturb_sleep(number / 8 % 40);
        else if (number % 8 == 1)
            for (volatile int spin = number / 8 % 400; spin > 0; spin--) {}
    } else if (perturb_mode == 3 && number % 16 == 0) {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(number / 16 % perturb_cpus, &cpus);
        sched_setaffinity(0, sizeof cpus, &cpus);
    }
    errno = kept;
}
#define PERTURB() perturb()
#define OUTCOME(count, ...) perturb_outcome(count, __VA_ARGS__)

static void perturb_begin(unsigned seed) {
    perturb_seed = seed;
    perturb_mode = seed % 4;
    perturb_state = seed * 2654435761u | 1;
    perturb_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    for (int at = 0; at < 3; at++) {
        perturb_slow[at].thread = 1 + perturb_number() / 256 % 4;
        perturb_slow[at].step = 1 + perturb_number() / 256 % 12;
    }
    perturb_state = 0;
    if (perturb_mode == 1 && seed / 4 % 2) {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(seed / 8 % perturb_cpus, &cpus);
        sched_setaffinity(0, sizeof cpus, &cpus);
    }
    prctl(PR_SET_TIMERSLACK, 1000);
}

// ---- Who holds what. An owner is noted after a lock was taken and forgotten before it is given back, so that what is
// called misuse is misuse whatever others do meanwhile.

static struct { _Atomic(void *) lock; atomic_uint owner, is_made, is_destroyed; } perturb_locks[64];
static atomic_uint perturb_names;
static __thread unsigned perturb_name;

static unsigned perturb_own_name(void) {
    if (!perturb_name) perturb_name = 1 + atomic_fetch_add(&perturb_names, 1);
    return perturb_name;
}

static int perturb_lock(void *lock) {
    for (int at = 0; at < 64; at++) {
        void *other = 0;
        if (atomic_load(&perturb_locks[at].lock) == lock) return at;
        if (atomic_compare_exchange_strong(&perturb_locks[at].lock, &other, lock) || other == lock) return at;
    }
    abort();
}

static void perturb_use(void *lock, const char *what) {
    if (atomic_load(&perturb_locks[perturb_lock(lock)].is_destroyed)) perturb_misuse(what);
}

static void perturb_take(void *lock) { atomic_store(&perturb_locks[perturb_lock(lock)].owner, perturb_own_name()); }

static void perturb_give(void *lock, const char *what) {
    int at = perturb_lock(lock);
    if (atomic_load(&perturb_locks[at].owner) != perturb_own_name()) perturb_misuse(what);
    else atomic_store(&perturb_locks[at].owner, 0);
}

static void perturb_destroy(void *lock, const char *what) {
    int at = perturb_lock(lock);
    if (atomic_load(&perturb_locks[at].owner)) perturb_misuse(what);
    if (atomic_load(&perturb_locks[at].is_destroyed)) perturb_misuse("destroyed twice");
    atomic_store(&perturb_locks[at].is_destroyed, 1);
}

static int perturb_made(void *lock, int result) {
    if (!result) {
        atomic_store(&perturb_locks[perturb_lock(lock)].is_made, 1);
        atomic_store(&perturb_locks[perturb_lock(lock)].owner, 0);
        atomic_store(&perturb_locks[perturb_lock(lock)].is_destroyed, 0);
    }
    return result;
}

// Who waits at it would wait for what is no more.
static void perturb_make(void *lock, const char *what) {
    int at = perturb_lock(lock);
    if (atomic_load(&perturb_locks[at].is_made) && !atomic_load(&perturb_locks[at].is_destroyed)) perturb_misuse(what);
}

static int perturb_taken(void *lock, int result) {
    if (!result) perturb_take(lock);
    return result;
}

#define pthread_spin_init(lock, shared) perturb_made((void *)(lock), (pthread_spin_init)(lock, shared))
#define pthread_spin_lock(lock) \
    (perturb_use((void *)(lock), "spin lock used after destroy"), perturb_taken((void *)(lock), (pthread_spin_lock)(lock)))
#define pthread_spin_trylock(lock) \
    (perturb_use((void *)(lock), "spin lock used after destroy"), perturb_taken((void *)(lock), (pthread_spin_trylock)(lock)))
#define pthread_spin_unlock(lock) \
    (perturb_give((void *)(lock), "spin lock released by somebody else"), (pthread_spin_unlock)(lock))
#define pthread_spin_destroy(lock) \
    (perturb_destroy((void *)(lock), "spin lock destroyed while held"), (pthread_spin_destroy)(lock))
#define sem_init(semaphore, shared, value) \
    (perturb_make(semaphore, "semaphore made again"), perturb_made(semaphore, (sem_init)(semaphore, shared, value)))
#define sem_wait(semaphore) (perturb_use(semaphore, "semaphore used after destroy"), (sem_wait)(semaphore))
#define sem_trywait(semaphore) (perturb_use(semaphore, "semaphore used after destroy"), (sem_trywait)(semaphore))
#define sem_post(semaphore) (perturb_use(semaphore, "semaphore used after destroy"), (sem_post)(semaphore))
#define sem_destroy(semaphore) (perturb_destroy(semaphore, ""), (sem_destroy)(semaphore))

// A mutex of the plain kind is watched where the program asks for it by name; recursive ones are not.
static int perturb_plain_lock(pthread_mutex_t *mutex) {
    perturb_use(mutex, "mutex used after destroy");
    return perturb_taken(mutex, pthread_mutex_lock(mutex));
}
static int perturb_plain_unlock(pthread_mutex_t *mutex) {
    perturb_give(mutex, "mutex released by somebody else");
    return pthread_mutex_unlock(mutex);
}
#define PLAIN_LOCK(mutex) perturb_plain_lock(mutex)
#define PLAIN_UNLOCK(mutex) perturb_plain_unlock(mutex)

// ---- What sanitizers say.

#ifdef __SANITIZE_ADDRESS__
const char *__asan_get_report_description(void);
void __asan_on_error(void) {
    if (!perturb_note->report[0]) strncpy(perturb_note->report, __asan_get_report_description(), 63);
}
const char *__asan_default_options(void) {
    return "detect_stack_use_after_return=1:halt_on_error=1:exitcode=99:handle_abort=0:symbolize=0:leak_check_at_exit=0:quarantine_size_mb=1";
}
int __lsan_do_recoverable_leak_check(void);
// What nothing points to any more though the program goes on.
#define LOOK_FOR_LOST() \
    do \
        if (__lsan_do_recoverable_leak_check() && !perturb_note->report[0]) strncpy(perturb_note->report, "lost memory", 63); \
    while (0)
#endif
#ifdef __SANITIZE_THREAD__
int __tsan_get_report_data(void *, const char **, int *, int *, int *, int *, int *, int *, int *, void **, unsigned long);
void __tsan_on_report(void *report) {
    const char *what = 0;
    int number;
    void *trace[1];
    __tsan_get_report_data(report, &what, &number, &number, &number, &number, &number, &number, &number, trace, 1);
    if (what && !perturb_note->report[0]) strncpy(perturb_note->report, what, 63);
}
const char *__tsan_default_options(void) { return "halt_on_error=1:exitcode=0:report_thread_leaks=0:detect_deadlocks=0:symbolize=0"; }
#endif

#ifndef LOOK_FOR_LOST
#define LOOK_FOR_LOST() ((void)0)
#endif

// ---- One run after the other.

// How often the threads of a process were put to sleep, and how many are not asleep. A thread that has ended counts as one
// that sleeps.
static void perturb_look(pid_t child, unsigned long *switches, int *awake) {
    char path[64], line[256];
    *switches = 0;
    *awake = 0;
    snprintf(path, sizeof path, "/proc/%d/task", child);
    DIR *tasks = opendir(path);
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        if (task->d_name[0] == '.') continue;
        char file[400];
        snprintf(file, sizeof file, "/proc/%d/task/%s/status", child, task->d_name);
        FILE *status = fopen(file, "r");
        while (status && fgets(line, sizeof line, status)) {
            char state;
            unsigned long count;
            if (sscanf(line, "State: %c", &state) == 1 && state != 'S' && state != 'Z') ++*awake;
            if (sscanf(line, "voluntary_ctxt_switches: %lu", &count) == 1) *switches += count;
        }
        if (status) fclose(status);
    }
    if (tasks) closedir(tasks);
}

static double perturb_seconds(pid_t child) {
    clockid_t clock;
    struct timespec time = {0, 0};
    if (!clock_getcpuclockid(child, &clock)) clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// Whether nobody can go on, those aside who may run for ever. Threads that can run are awake, also if the machine is so
// busy that they do not run; of those who may spin we want to see that they had the time to find their lock free.
static int perturb_is_stuck(pid_t child, int running) {
    unsigned long before, after;
    int awake, most = 0;
    double begin = perturb_seconds(child);
    perturb_look(child, &before, &awake);
    for (int at = 0; at < 10 || (running && at < 80 && perturb_seconds(child) - begin < 0.2); at++) {
        perturb_sleep(100000);
        perturb_look(child, &after, &awake);
        if (awake > most) most = awake;
        if (!running && before != after) return 0;
    }
    return running ? most <= running && perturb_seconds(child) - begin >= 0.2 : most == 0;
}

static int perturb_ended(pid_t child, int *status, long milliseconds) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (!waitpid(child, status, WNOHANG))
        if (sigtimedwait(&children, 0, &limit) < 0 && errno == EAGAIN) return waitpid(child, status, WNOHANG) > 0;
    return 1;
}

int program_main();

int main(int count, char **words) {
    if (count != 5) return 2;
    int runs = atoi(words[1]), limit = atoi(words[3]), running = atoi(words[4]), stuck = 0, has_hung = 0;
    unsigned seed = atoi(words[2]);
    perturb_note = mmap(0, sizeof *perturb_note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sigset_t children, kept;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, &kept);
    // One that hangs is waited for patiently, to be sure; others are not, and a few are enough.
    for (int run = 0; run < runs && stuck < 6; run++) {
        memset(perturb_note, 0, sizeof *perturb_note);
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            sigprocmask(SIG_SETMASK, &kept, 0);
            // Nothing that the program prints may be taken for what is said of it.
            if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            perturb_begin(seed + run);
            exit(program_main());
        }
        int status = 0, is_stuck = 0;
        int has_ended = perturb_ended(child, &status, has_hung ? limit / 4 : limit);
        if (!has_ended) stuck++;
        if (!has_ended && !has_hung) {
            is_stuck = perturb_is_stuck(child, running);
            has_ended = perturb_ended(child, &status, is_stuck ? 500 : 2000);
            has_hung = is_stuck && !has_ended;
        }
        if (!has_ended) {
            kill(child, SIGKILL);
            waitpid(child, 0, 0);
        }
        int values = atomic_load(&perturb_note->count);
        if (values) printf("values");
        for (int at = 0; at < values; at++) printf(" %ld", perturb_note->values[at]);
        if (values) printf("\n");
        if (perturb_note->misuse[0]) printf("misuse %s\n", perturb_note->misuse);
        if (perturb_note->report[0]) printf("report %s\n", perturb_note->report);
        if (!has_ended) printf(is_stuck ? "hang\n" : "late\n");
        else if (WIFSIGNALED(status)) printf("signal %d\n", WTERMSIG(status));
        else printf("exit %d\n", WEXITSTATUS(status));
        printf(".\n");
    }
    return 0;
}
#define main program_main
