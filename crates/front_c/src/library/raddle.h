/* raddle.h: tests of multithreaded C.

       #include <raddle.h>

       static void *worker(void *argument) { … return NULL; }

       RADDLE_TEST(two_workers)
       {
           raddle_thread(worker, NULL);
           raddle_thread(worker, NULL);
       }

   `raddle test FILE…` decides each test for all interleavings and inputs. A plain compiler makes of the same files a
   program that runs each test many times, with threads held up at random: `cc -pthread FILE… && ./a.out --help`.
   `raddle header` prints this file. It may be copied, changed and distributed without conditions.

   RADDLE_TEST(name) { … }     a test; when it has returned, threads that it started are joined, so what they use must still
                               be there: it is static, or the test joins them itself
   raddle_thread(f, argument)  starts a thread that runs `void *f(void *)`; a raddle_thread_t, which is a pthread_t
   raddle_join(thread)         waits for it (not `pthread_join`); what `f` returned
   raddle_any_int(lo, hi)      any number from lo to hi; also _unsigned, _long, _size
   raddle_any_bool()           true or false
   raddle_any_bytes(p, n)      any content of n bytes
   raddle_assume(e)            executions in which `e` does not hold do not count; inside `raddle_atomic` it waits until `e` holds,
                               and so do raddle_any_… with bounds: choose before
   raddle_assert(e)            as `assert`, with NDEBUG too
   raddle_unreachable()        nobody comes here
   raddle_atomic { … }         nobody else acts meanwhile; with a plain compiler, no other `raddle_atomic` */
#ifndef RADDLE_H
#define RADDLE_H

#ifdef __cplusplus
#error "raddle.h is for C"
#endif

/* Programs that are compiled as strict C say that they use POSIX, which they do; it is heard if nothing was included before. */
#if !defined _POSIX_C_SOURCE && !defined _GNU_SOURCE && !defined _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef pthread_t raddle_thread_t;

raddle_thread_t raddle_thread(void *(*function)(void *), void *argument);
void *raddle_join(raddle_thread_t thread);
int raddle_any_int(int least, int most);
unsigned raddle_any_unsigned(unsigned least, unsigned most);
long raddle_any_long(long least, long most);
size_t raddle_any_size(size_t least, size_t most);
bool raddle_any_bool(void);
void raddle_any_bytes(void *object, size_t size);
void raddle_assume(int condition);
int raddle_enter_atomic(void);
void raddle_leave_atomic(int *is_inside);

/* However the block is left, it ends. */
#define raddle_atomic                                                                                       \
    for (int raddle_is_inside __attribute__((cleanup(raddle_leave_atomic))) = raddle_enter_atomic(); raddle_is_inside; \
         raddle_is_inside = 0)

#ifdef __RADDLE__

void raddle_unreachable(void) __attribute__((noreturn));
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define raddle_assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))

void raddle_join_all(void);

#define RADDLE_TEST(name)                \
    static void raddle_body_##name(void); \
    int raddle_test_##name(void)         \
    {                                    \
        raddle_body_##name();            \
        raddle_join_all();               \
        return 0;                        \
    }                                    \
    static void raddle_body_##name(void)

#else /* What follows is for a plain compiler, whose warnings are about the tests. */

#pragma GCC system_header

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SA_RESTART
#error "raddle.h needs POSIX: include it first, or compile with -std=gnu11"
#endif

/* Several files may include this one: the linker keeps one of each. */
#define RADDLE_ONE __attribute__((weak, unused))

struct raddle_test {
    const char *name, *file;
    void (*function)(void);
    struct raddle_test *next;
};

#define RADDLE_MOST_THREADS 64

struct raddle_started {
    pthread_t thread;
    void *(*function)(void *);
    void *argument, *result;
    int is_running, is_joined;
};

RADDLE_ONE struct raddle_test *raddle_tests;
RADDLE_ONE struct raddle_test **raddle_last = &raddle_tests;
RADDLE_ONE struct raddle_started raddle_threads[RADDLE_MOST_THREADS];
RADDLE_ONE int raddle_count, raddle_is_over, raddle_is_stepwise;
RADDLE_ONE pthread_mutex_t raddle_mutex = PTHREAD_MUTEX_INITIALIZER;
RADDLE_ONE pthread_mutex_t raddle_atomic_mutex;
RADDLE_ONE uint64_t raddle_state;

enum { RADDLE_EXCLUDED = 77 };

#define RADDLE_TEST(name)                                                                      \
    static void raddle_test_##name(void);                                                      \
    __attribute__((constructor)) static void raddle_register_##name(void)                      \
    {                                                                                          \
        static struct raddle_test test = {#name, __FILE__, raddle_test_##name, NULL};          \
        *raddle_last = &test;                                                                  \
        raddle_last = &test.next;                                                              \
    }                                                                                          \
    static void raddle_test_##name(void)

RADDLE_ONE void raddle_fail(const char *text, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    fflush(stderr);
    abort();
}

#define raddle_assert(e) ((e) ? (void)0 : raddle_fail("`" #e "` does not hold", __FILE__, __LINE__))
#define raddle_unreachable() (raddle_fail("`raddle_unreachable` is reached", __FILE__, __LINE__), __builtin_unreachable())

/* ---- Chance. */

RADDLE_ONE uint64_t raddle_random(void)
{
    uint64_t it = __atomic_add_fetch(&raddle_state, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    it = (it ^ (it >> 30)) * 0xbf58476d1ce4e5b9u;
    it = (it ^ (it >> 27)) * 0x94d049bb133111ebu;
    return it ^ (it >> 31);
}

/* Each fourth number is one of the ends, where mistakes are. */
RADDLE_ONE uint64_t raddle_up_to(uint64_t most)
{
    uint64_t it = raddle_random();
    if ((it & 7) == 0)
        return 0;
    if ((it & 7) == 1)
        return most;
    it = raddle_random();
    return most == UINT64_MAX ? it : it % (most + 1);
}

RADDLE_ONE void raddle_assume(int condition)
{
    if (!condition)
        _exit(RADDLE_EXCLUDED);
}

RADDLE_ONE int raddle_any_int(int least, int most)
{
    raddle_assume(least <= most);
    return (int)(least + (int64_t)raddle_up_to((uint64_t)((int64_t)most - least)));
}

RADDLE_ONE unsigned raddle_any_unsigned(unsigned least, unsigned most)
{
    raddle_assume(least <= most);
    return least + (unsigned)raddle_up_to(most - least);
}

RADDLE_ONE long raddle_any_long(long least, long most)
{
    raddle_assume(least <= most);
    return (long)((unsigned long)least + (unsigned long)raddle_up_to((unsigned long)most - (unsigned long)least));
}

RADDLE_ONE size_t raddle_any_size(size_t least, size_t most)
{
    raddle_assume(least <= most);
    return least + (size_t)raddle_up_to(most - least);
}

RADDLE_ONE bool raddle_any_bool(void) { return raddle_random() >> 63; }

RADDLE_ONE void raddle_any_bytes(void *object, size_t size)
{
    for (size_t at = 0; at < size; at++)
        ((unsigned char *)object)[at] = (unsigned char)(raddle_random() >> 32);
}

/* ---- Threads, which a signal holds up wherever they are. */

RADDLE_ONE void raddle_hold_up(int signal)
{
    int error = errno;
    uint64_t it = raddle_random();
    (void)signal;
    if (it & 3) {
        sched_yield();
    } else {
        struct timespec time = {0, (long)((it >> 8) % 100000)};
        nanosleep(&time, NULL);
    }
    errno = error;
}

/* A signal comes too late to what takes some nanoseconds. A processor that can go step by step stops a thread after any
   number of instructions; small numbers are as likely as large ones. */
#if defined __x86_64__ && defined __linux__ && !defined __SANITIZE_THREAD__
RADDLE_ONE __thread unsigned raddle_steps;

RADDLE_ONE void raddle_step(int signal, siginfo_t *information, void *context)
{
    int error = errno;
    (void)signal;
    (void)information;
    if (raddle_steps > 0)
        raddle_steps--;
    if (raddle_steps == 0) {
        struct timespec time = {0, (long)(raddle_random() % 200000)};
        nanosleep(&time, NULL);
        /* The trap flag among the registers that Linux saves; their names are not there in strict C. */
        *(uint64_t *)(void *)((char *)context + 176) &= ~(uint64_t)0x100;
    }
    errno = error;
}

RADDLE_ONE void raddle_go_stepwise(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = raddle_step;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGTRAP, &action, NULL);
    raddle_steps = 1 + (unsigned)(raddle_random() >> (52 + raddle_random() % 10));
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "cc", "memory");
}

RADDLE_ONE void raddle_go_on(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $-0x101, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "cc", "memory");
}
#else
RADDLE_ONE void raddle_go_stepwise(void) {}
RADDLE_ONE void raddle_go_on(void) {}
#endif

RADDLE_ONE void *raddle_run_thread(void *argument)
{
    struct raddle_started *own = (struct raddle_started *)argument;
    uint64_t chance = raddle_random();
    if (chance & 1)
        raddle_hold_up(0);
    if (raddle_is_stepwise && (chance & 6))
        raddle_go_stepwise();
    void *result = own->function(own->argument);
    raddle_go_on();
    pthread_mutex_lock(&raddle_mutex);
    own->is_running = 0;
    pthread_mutex_unlock(&raddle_mutex);
    return result;
}

RADDLE_ONE raddle_thread_t raddle_thread(void *(*function)(void *), void *argument)
{
    pthread_mutex_lock(&raddle_mutex);
    if (raddle_count == RADDLE_MOST_THREADS)
        raddle_fail("more than 64 threads of `raddle_thread` in a test", __FILE__, __LINE__);
    struct raddle_started *made = &raddle_threads[raddle_count++];
    made->function = function;
    made->argument = argument;
    made->is_running = 1;
    if (pthread_create(&made->thread, NULL, raddle_run_thread, made) != 0)
        raddle_fail("a thread cannot be started", __FILE__, __LINE__);
    raddle_thread_t thread = made->thread;
    pthread_mutex_unlock(&raddle_mutex);
    return thread;
}

RADDLE_ONE void *raddle_join(raddle_thread_t thread)
{
    void *result = NULL;
    pthread_mutex_lock(&raddle_mutex);
    for (int at = 0; at < raddle_count; at++)
        if (pthread_equal(raddle_threads[at].thread, thread))
            raddle_threads[at].is_joined = 1;
    pthread_mutex_unlock(&raddle_mutex);
    pthread_join(thread, &result);
    return result;
}

RADDLE_ONE void raddle_join_all(void)
{
    for (;;) {
        struct raddle_started *one = NULL;
        pthread_mutex_lock(&raddle_mutex);
        for (int at = 0; at < raddle_count && !one; at++)
            if (!raddle_threads[at].is_joined)
                one = &raddle_threads[at];
        if (one)
            one->is_joined = 1;
        pthread_mutex_unlock(&raddle_mutex);
        if (!one)
            return;
        pthread_join(one->thread, NULL);
    }
}

RADDLE_ONE int raddle_enter_atomic(void)
{
    pthread_mutex_lock(&raddle_atomic_mutex);
    return 1;
}

RADDLE_ONE void raddle_leave_atomic(int *is_inside)
{
    (void)is_inside;
    pthread_mutex_unlock(&raddle_atomic_mutex);
}

/* Sends signals to threads of the test until it is over. */
RADDLE_ONE void *raddle_perturb(void *argument)
{
    (void)argument;
    while (!__atomic_load_n(&raddle_is_over, __ATOMIC_ACQUIRE)) {
        struct timespec time = {0, (long)(raddle_random() % 50000)};
        nanosleep(&time, NULL);
        pthread_mutex_lock(&raddle_mutex);
        if (raddle_count > 0) {
            struct raddle_started *one = &raddle_threads[raddle_random() % (unsigned)raddle_count];
            if (one->is_running)
                pthread_kill(one->thread, SIGURG);
        }
        pthread_mutex_unlock(&raddle_mutex);
    }
    return NULL;
}

/* ---- One run of a test, in a process of its own. */

RADDLE_ONE void raddle_run_here(const struct raddle_test *test, uint64_t seed, unsigned limit)
{
    struct sigaction action;
    pthread_mutexattr_t recursive;
    pthread_t perturber;
    memset(&action, 0, sizeof action);
    action.sa_handler = raddle_hold_up;
    action.sa_flags = SA_RESTART;
    sigaction(SIGURG, &action, NULL);
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&raddle_atomic_mutex, &recursive);
    raddle_state = seed;
    alarm(limit);
    int is_perturbed = pthread_create(&perturber, NULL, raddle_perturb, NULL) == 0;
    test->function();
    raddle_join_all();
    __atomic_store_n(&raddle_is_over, 1, __ATOMIC_RELEASE);
    if (is_perturbed)
        pthread_join(perturber, NULL);
    exit(0);
}

/* Its status; -1 if there is no process for it. What it says goes to the file. */
RADDLE_ONE int raddle_run_once(const struct raddle_test *test, uint64_t seed, unsigned limit, FILE *said)
{
    int status = 0;
    if (said) {
        rewind(said);
        if (ftruncate(fileno(said), 0) != 0)
            clearerr(said);
    }
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        if (said) {
            dup2(fileno(said), 1);
            dup2(fileno(said), 2);
        }
        raddle_run_here(test, seed, limit);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* What a process that ran a test came to. */
RADDLE_ONE void raddle_say_end(FILE *out, int status, unsigned limit)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        fprintf(out, "not over after %u s", limit);
    else if (WIFSIGNALED(status))
        fprintf(out, "signal %d, %s", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        fprintf(out, "exit status %d", WEXITSTATUS(status));
}

RADDLE_ONE double raddle_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct raddle_plan {
    long runs;
    double seconds;
    unsigned limit;
    uint64_t seed;
    const char *filter;
};

enum { RADDLE_OK, RADDLE_FAILED, RADDLE_VACUOUS };

/* Until it fails, or it was run often or long enough. */
RADDLE_ONE int raddle_run_test(const struct raddle_test *test, const struct raddle_plan *plan)
{
    double end = raddle_now() + plan->seconds;
    long excluded = 0, run;
    FILE *said = tmpfile();
    for (run = 0; run < plan->runs && (run == 0 || raddle_now() < end); run++) {
        uint64_t seed = plan->seed + (uint64_t)run * 1000003u;
        raddle_is_stepwise = 1;
        int status = raddle_run_once(test, seed, plan->limit, said);
        /* Where the C library lets no signal through, there is no going step by step. */
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGTRAP) {
            raddle_is_stepwise = 0;
            status = raddle_run_once(test, seed, plan->limit, said);
        }
        if (status == -1) {
            printf("FAILED (no process for it: %s)\n", strerror(errno));
            return RADDLE_FAILED;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == RADDLE_EXCLUDED) {
            excluded++;
        } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            printf("FAILED (");
            raddle_say_end(stdout, status, plan->limit);
            printf(", in run %ld; again with --seed %llu --runs 1)\n", run + 1, (unsigned long long)seed);
            if (said) {
                int byte;
                rewind(said);
                while ((byte = getc(said)) != EOF)
                    putchar(byte);
                fclose(said);
            }
            return RADDLE_FAILED;
        }
    }
    if (said)
        fclose(said);
    if (excluded == run) {
        printf("vacuous (assumptions exclude all of %ld runs)\n", run);
        return RADDLE_VACUOUS;
    }
    printf("ok (%ld runs)\n", run - excluded);
    return RADDLE_OK;
}

RADDLE_ONE int raddle_usage(const char *program, int status)
{
    fprintf(status ? stderr : stdout,
            "usage: %s [--runs N] [--seconds S] [--limit S] [--seed N] [--list] [FILTER]\n"
            "runs each test N times (1000), or for S seconds (2) if that is less; a run that takes longer than the limit (10)\n"
            "has failed. Exit status: 0 all passed, 1 some failed, 2 wrong usage, 3 some are vacuous and none failed.\n",
            program);
    return status;
}

/* Runs all tests; what `main` does, for programs with one of their own. */
RADDLE_ONE int raddle_run_tests(int count, char **words)
{
    struct raddle_plan plan = {1000, 2, 10, (uint64_t)time(NULL) << 20, NULL};
    long passed = 0, failed = 0, vacuous = 0, left_out = 0;
    int is_list = 0;
    for (int at = 1; at < count; at++) {
        const char *word = words[at], *value = at + 1 < count ? words[at + 1] : NULL;
        if (strcmp(word, "--help") == 0)
            return raddle_usage(words[0], 0);
        if (strcmp(word, "--list") == 0) {
            is_list = 1;
            continue;
        }
        if (word[0] != '-') {
            plan.filter = word;
            continue;
        }
        if (!value)
            return raddle_usage(words[0], 2);
        at++;
        if (strcmp(word, "--runs") == 0)
            plan.runs = strtol(value, NULL, 10);
        else if (strcmp(word, "--seconds") == 0)
            plan.seconds = strtod(value, NULL);
        else if (strcmp(word, "--limit") == 0)
            plan.limit = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(word, "--seed") == 0)
            plan.seed = strtoull(value, NULL, 10);
        else
            return raddle_usage(words[0], 2);
    }
    if (plan.runs < 1)
        return raddle_usage(words[0], 2);
    for (struct raddle_test *test = raddle_tests; test; test = test->next) {
        char id[512];
        const char *slash = strrchr(test->file, '/'), *file = slash ? slash + 1 : test->file;
        const char *dot = strrchr(file, '.');
        snprintf(id, sizeof id, "%.*s::%s", dot ? (int)(dot - file) : (int)strlen(file), file, test->name);
        if (plan.filter && !strstr(id, plan.filter)) {
            left_out++;
            continue;
        }
        if (is_list) {
            printf("%s\n", id);
            continue;
        }
        printf("test %s ... ", id);
        int end = raddle_run_test(test, &plan);
        passed += end == RADDLE_OK;
        failed += end == RADDLE_FAILED;
        vacuous += end == RADDLE_VACUOUS;
    }
    if (!is_list)
        printf("\ntest result: %s. %ld passed, %ld failed, %ld vacuous; %ld filtered out\n",
               failed ? "FAILED" : vacuous ? "VACUOUS" : "ok", passed, failed, vacuous, left_out);
    fflush(stdout);
    return failed ? 1 : vacuous ? 3 : 0;
}

RADDLE_ONE int main(int count, char **words) { return raddle_run_tests(count, words); }

#endif
#endif
