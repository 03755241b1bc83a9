// signal.h: sets, masks, actions. What is asked for is remembered; no signal ever arrives but those that `raise` sends.

typedef void (*handler)(int);

void __raddle_unsupported(const char *what);
void __raddle_atomic_begin(void);
void __raddle_atomic_end(void);
void __raddle_assume(int condition);
_Bool __raddle_assuming(const char *what);
int __raddle_is_own_name(unsigned long thread);
unsigned __raddle_any_unsigned(void);
_Bool __raddle_any_bool(void);
unsigned char __raddle_any_byte(void);
unsigned long long __raddle_sent_signals(void);
void __raddle_test_cancel(void);
void __raddle_refuse_waiting(void);
unsigned long __raddle_self(void);
_Noreturn void __raddle_abort(void);
int *__errno_location(void);
int getpid(void);
unsigned getuid(void);

enum { EAGAIN = 11, EINVAL = 22 };
enum { SIGABRT = 6, SIGKILL = 9, SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGTTOU = 22, SIGURG = 23, SIGWINCH = 28 };
enum { LAST = 64, WORD = 8 * sizeof(unsigned long), WORDS = LAST / WORD };
enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };

static int failed(int error) {
    *__errno_location() = error;
    return -1;
}

// glibc keeps two signals for itself.
static _Bool is_signal(int number) {
    return number > 0 && number <= LAST && number != 32 && number != 33;
}

// The beginning of a `sigset_t`. The kernel has no more signals than the first words have bits, so the next words are free
// to say of which signals nobody knows whether they are members, because a thread was made with them blocked or not.
struct set {
    unsigned long members[WORDS];
    unsigned long inherited[WORDS];
};

static unsigned long bit_of(int number) {
    return 1ul << (number - 1) % WORD;
}

static int word_of(int number) {
    return (number - 1) / WORD;
}

static _Bool has(const unsigned long *words, int number) {
    return (words[word_of(number)] & bit_of(number)) != 0;
}

int sigemptyset(struct set *set) {
    for (int i = 0; i < WORDS; i++)
        set->members[i] = set->inherited[i] = 0;
    return 0;
}

int sigfillset(struct set *set) {
    for (int i = 0; i < WORDS; i++) {
        set->members[i] = -1ul;
        set->inherited[i] = 0;
    }
    for (int number = 32; number <= 33; number++)
        set->members[word_of(number)] &= ~bit_of(number);
    return 0;
}

int sigaddset(struct set *set, int number) {
    if (!is_signal(number))
        return failed(EINVAL);
    set->members[word_of(number)] |= bit_of(number);
    set->inherited[word_of(number)] &= ~bit_of(number);
    return 0;
}

int sigdelset(struct set *set, int number) {
    if (!is_signal(number))
        return failed(EINVAL);
    set->members[word_of(number)] &= ~bit_of(number);
    set->inherited[word_of(number)] &= ~bit_of(number);
    return 0;
}

int sigismember(const struct set *set, int number) {
    if (number <= 0 || number > LAST)
        return failed(EINVAL);
    if (has(set->inherited, number))
        __raddle_unsupported("whether a thread was made with a signal blocked");
    return has(set->members, number);
}

int sigisemptyset(const struct set *set) {
    for (int i = 0; i < WORDS; i++)
        if (set->members[i])
            return 0;
    for (int i = 0; i < WORDS; i++)
        if (set->inherited[i])
            __raddle_unsupported("whether a thread was made with a signal blocked");
    return 1;
}

// Of both or either; what nobody knows of one, nobody knows of the result.

int sigandset(struct set *to, const struct set *left, const struct set *right) {
    for (int i = 0; i < WORDS; i++) {
        unsigned long members = left->members[i] & right->members[i];
        unsigned long inherited = left->inherited[i] | right->inherited[i];
        to->members[i] = members & ~inherited;
        to->inherited[i] = inherited;
    }
    return 0;
}

int sigorset(struct set *to, const struct set *left, const struct set *right) {
    for (int i = 0; i < WORDS; i++) {
        unsigned long members = left->members[i] | right->members[i];
        unsigned long inherited = left->inherited[i] | right->inherited[i];
        to->members[i] = members & ~inherited;
        to->inherited[i] = inherited;
    }
    return 0;
}

// The mask of a thread, as far as it is the thread's own doing. A new thread begins with the mask of its maker; where nobody
// ever blocked a signal, it is not blocked.
static __thread unsigned long known[WORDS], blocked[WORDS];
static unsigned long ever_blocked[WORDS];

static struct set own_mask(void) {
    struct set mask;
    for (int i = 0; i < WORDS; i++) {
        __raddle_atomic_begin();
        unsigned long ever = ever_blocked[i];
        __raddle_atomic_end();
        known[i] |= ~ever;
        mask.members[i] = blocked[i];
        mask.inherited[i] = ~known[i];
    }
    return mask;
}

// Signals that were sent and are blocked: to the process, and to threads. Of one number, only those of real time queue up.
enum { MOST_SENT = 16, FIRST_OF_REAL_TIME = 34 };

static unsigned long sent_to_process[WORDS];
static struct {
    unsigned long thread;
    int number;
} sent_to_threads[MOST_SENT];

static void send_to_process(int number) {
    if (number >= FIRST_OF_REAL_TIME)
        __raddle_unsupported("a signal of real time that is sent to the process");
    __raddle_atomic_begin();
    sent_to_process[word_of(number)] |= bit_of(number);
    __raddle_atomic_end();
}

static void send_to_thread(unsigned long thread, int number) {
    _Bool is_there = 0;
    int slot = -1;
    __raddle_atomic_begin();
    for (int i = 0; i < MOST_SENT; i++) {
        if (!sent_to_threads[i].number)
            slot = i;
        else if (sent_to_threads[i].number == number && sent_to_threads[i].thread == thread)
            is_there = number < FIRST_OF_REAL_TIME;
    }
    if (!is_there && slot >= 0) {
        sent_to_threads[slot].thread = thread;
        sent_to_threads[slot].number = number;
    }
    __raddle_atomic_end();
    if (!is_there && slot < 0)
        __raddle_unsupported("more than 16 signals that nobody has taken");
}

// Where the running thread finds a signal of this number that was sent to it. Inside of one step.
static int slot_of(int number) {
    for (int i = 0; i < MOST_SENT; i++)
        if (sent_to_threads[i].number == number && __raddle_is_own_name(sent_to_threads[i].thread))
            return i;
    return -1;
}

static unsigned long pending(int word) {
    __raddle_atomic_begin();
    unsigned long bits = sent_to_process[word];
    for (int i = 0; i < MOST_SENT; i++) {
        int number = sent_to_threads[i].number;
        if (number && word_of(number) == word && __raddle_is_own_name(sent_to_threads[i].thread))
            bits |= bit_of(number);
    }
    __raddle_atomic_end();
    return bits;
}

static void block(int word, unsigned long bits) {
    if (blocked[word] & ~bits && pending(word) & ~bits)
        __raddle_unsupported("a signal that arrives when it is no longer blocked");
    blocked[word] = bits;
    __raddle_atomic_begin();
    ever_blocked[word] |= bits;
    __raddle_atomic_end();
}

int pthread_sigmask(int how, const struct set *set, struct set *before) {
    struct set mask = own_mask();
    if (set) {
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
            return EINVAL;
        for (int i = 0; i < WORDS; i++) {
            unsigned long bits = set->members[i], inherited = set->inherited[i];
            if (i == word_of(SIGKILL))
                bits &= ~bit_of(SIGKILL);
            if (i == word_of(SIGSTOP))
                bits &= ~bit_of(SIGSTOP);
            if (how == SIG_SETMASK) {
                known[i] = ~inherited;
                block(i, bits);
            } else {
                if (inherited)
                    __raddle_unsupported("blocking signals that a thread was made with");
                known[i] |= bits;
                block(i, how == SIG_BLOCK ? blocked[i] | bits : blocked[i] & ~bits);
            }
        }
    }
    if (before)
        *before = mask;
    return 0;
}

int sigprocmask(int how, const struct set *set, struct set *before) {
    int error = pthread_sigmask(how, set, before);
    return error ? failed(error) : 0;
}

// What a signal does when it arrives.
struct action {
    handler handler;
    int flags;
    unsigned long mask[WORDS];
};

static struct action actions[LAST + 1];

enum { SA_SIGINFO = 4, SA_RESTORER = 0x4000000, SA_RESTART = 0x10000000, SA_NODEFER = 0x40000000, SA_RESETHAND = 1 << 31 };

static const handler DEFAULT = (handler)0, IGNORE = (handler)1, ERROR = (handler)-1;

static struct action action_of(int number) {
    __raddle_atomic_begin();
    struct action action = actions[number];
    __raddle_atomic_end();
    return action;
}

static void set_action(int number, struct action action) {
    // `abort` sends it, and ends the process whatever the handler does.
    if (number == SIGABRT && action.handler != DEFAULT)
        __raddle_unsupported("a handler of `SIGABRT`");
    if (action.handler != DEFAULT && action.handler != IGNORE
        && !__raddle_assuming("no signals but those that the program sends"))
        __raddle_unsupported("a handler of signals");
    __raddle_atomic_begin();
    actions[number] = action;
    __raddle_atomic_end();
}

// As glibc's headers have it.
struct sigaction {
    handler handler;
    union {
        struct set set;
        unsigned long words[1024 / WORD];
    } mask;
    int flags;
    void (*restorer)(void);
};

int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
    if (!is_signal(number) || (action && (number == SIGKILL || number == SIGSTOP)))
        return failed(EINVAL);
    struct action old = action_of(number);
    if (action) {
        struct action new;
        new.handler = action->handler;
        new.flags = action->flags | (sizeof(long) == 8 ? SA_RESTORER : 0);
        for (int i = 0; i < WORDS; i++) {
            if (action->mask.set.inherited[i])
                __raddle_unsupported("blocking signals that a thread was made with");
            new.mask[i] = action->mask.set.members[i];
        }
        new.mask[word_of(SIGKILL)] &= ~bit_of(SIGKILL);
        new.mask[word_of(SIGSTOP)] &= ~bit_of(SIGSTOP);
        set_action(number, new);
    }
    if (before) {
        before->handler = old.handler;
        before->flags = old.flags;
        before->restorer = 0;
        for (int i = 0; i < WORDS; i++) {
            before->mask.set.members[i] = old.mask[i];
            before->mask.set.inherited[i] = 0;
        }
    }
    return 0;
}

static handler install(int number, handler action, int flags, _Bool is_masked) {
    if (!is_signal(number) || action == ERROR || number == SIGKILL || number == SIGSTOP) {
        failed(EINVAL);
        return ERROR;
    }
    handler old = action_of(number).handler;
    struct action new = {action, flags | (sizeof(long) == 8 ? SA_RESTORER : 0)};
    if (is_masked)
        new.mask[word_of(number)] = bit_of(number);
    set_action(number, new);
    return old;
}

handler signal(int number, handler action) {
    return install(number, action, SA_RESTART, 1);
}

handler bsd_signal(int number, handler action) {
    return install(number, action, SA_RESTART, 1);
}

handler ssignal(int number, handler action) {
    return install(number, action, SA_RESTART, 1);
}

// As strict headers call it: the handler is for one signal.
handler __sysv_signal(int number, handler action) {
    return install(number, action, SA_RESETHAND | SA_NODEFER, 0);
}

handler sysv_signal(int number, handler action) {
    return install(number, action, SA_RESETHAND | SA_NODEFER, 0);
}

int siginterrupt(int number, int interrupts) {
    return is_signal(number) ? 0 : failed(EINVAL);
}

int sigaltstack(const void *stack, void *before) {
    if (before)
        __raddle_unsupported("the stack of handlers of signals");
    return 0;
}

int sigpending(struct set *set) {
    for (int i = 0; i < WORDS; i++) {
        set->members[i] = pending(i) & blocked[i];
        set->inherited[i] = 0;
    }
    return 0;
}

static _Bool is_dropped(int number, struct action action) {
    return action.handler == IGNORE || (action.handler == DEFAULT && (number == SIGCHLD || number == SIGCONT
                                                                   || number == SIGURG || number == SIGWINCH));
}

static void end_by(int number) {
    if (number >= SIGSTOP && number <= SIGTTOU)
        __raddle_unsupported("a signal that stops the process");
    __raddle_abort();
}

static void run_handler(int number, struct action action, struct set mask) {
    if (has(mask.inherited, number))
        __raddle_unsupported("whether a thread was made with a signal blocked");
    if (action.handler == DEFAULT)
        end_by(number);
    if (action.flags & SA_SIGINFO)
        __raddle_unsupported("calling a handler of signals that has three parameters");
    if (action.flags & SA_RESETHAND)
        set_action(number, (struct action){0});
    for (int i = 0; i < WORDS; i++) {
        unsigned long bits = action.mask[i];
        if (i == word_of(number) && !(action.flags & SA_NODEFER))
            bits |= bit_of(number);
        known[i] |= bits;
        block(i, blocked[i] | bits);
    }
    action.handler(number);
    pthread_sigmask(SIG_SETMASK, &mask, 0);
}

int raise(int number) {
    if (number == SIGABRT)
        __raddle_abort();
    if (number == 0)
        return 0;
    if (!is_signal(number))
        return failed(EINVAL);
    struct action action = action_of(number);
    struct set mask = own_mask();
    if (has(mask.members, number))
        send_to_thread(__raddle_self(), number);
    else if (!is_dropped(number, action))
        run_handler(number, action, mask);
    return 0;
}

int pthread_kill(unsigned long thread, int number) {
    if (number == 0)
        return 0;
    if (!is_signal(number))
        return EINVAL;
    if (__raddle_is_own_name(thread))
        return raise(number);
    __raddle_atomic_begin();
    _Bool may_be_blocked = has(ever_blocked, number);
    __raddle_atomic_end();
    struct action action = action_of(number);
    if (may_be_blocked && __raddle_assuming("signals that are blocked where they are sent to"))
        send_to_thread(thread, number);
    else if (may_be_blocked || (action.handler != DEFAULT && action.handler != IGNORE))
        __raddle_unsupported("a signal that is sent to another thread");
    else if (!is_dropped(number, action))
        end_by(number);
    return 0;
}

int kill(int process, int number) {
    if (process != getpid())
        __raddle_unsupported("`kill` of another process");
    if (number == 0)
        return 0;
    if (!is_signal(number))
        return failed(EINVAL);
    struct action action = action_of(number);
    if (has(own_mask().members, number) && __raddle_assuming("signals that are blocked where they are sent to")) {
        send_to_process(number);
        return 0;
    }
    __raddle_atomic_begin();
    _Bool may_wait = has(ever_blocked, number);
    __raddle_atomic_end();
    if (is_dropped(number, action) && !may_wait)
        return 0;
    if (action.handler != DEFAULT || may_wait)
        __raddle_unsupported("a signal that is sent to the process, whose threads may each take it");
    end_by(number);
    return 0;
}

// Whoever waits for a signal has it blocked; else nobody knows what the signal does instead. Threads inherit masks, and what was
// blocked by somebody is taken to be blocked by who was made so.
static void must_be_blocked(const struct set *set) {
    struct set mask = own_mask();
    for (int i = 0; i < WORDS; i++) {
        unsigned long members = set->members[i];
        if (set->inherited[i])
            __raddle_unsupported("whether a thread was made with a signal blocked");
        if (i == word_of(SIGKILL))
            members &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
        if (members & ~mask.members[i] & ~mask.inherited[i])
            __raddle_unsupported("to wait for a signal that is not blocked");
        if (members & mask.inherited[i] && !__raddle_assuming("threads that are made with the signals blocked that they wait for"))
            __raddle_unsupported("whether a thread was made with a signal blocked");
    }
}

// How a signal was sent, as the kernel says it; and that the program did not send it.
enum { SI_USER = 0, SI_TKILL = -6, OUTSIDE = 1 };

// Takes a signal of the set: one that the program sent, or, of those that it never sends, one that comes from outside, which may
// happen at any time. Who looks once may find none.
static int take_signal(const struct set *from, _Bool is_limited, int *sender) {
    struct set set = *from;
    unsigned long long sent = 0;
    int number = 0;
    __raddle_test_cancel();
    must_be_blocked(&set);
    if (__raddle_assuming("signals from outside only where the program waits for one that it never sends itself"))
        sent = __raddle_sent_signals();
    if (!is_limited)
        __raddle_refuse_waiting();
    __raddle_atomic_begin();
    number = __raddle_any_byte();
    if (number == 0) {
        __raddle_assume(is_limited);
    } else {
        __raddle_assume(is_signal(number) && number != SIGKILL && number != SIGSTOP && has(set.members, number));
        int slot = slot_of(number);
        _Bool is_sent = has(sent_to_process, number);
        __raddle_assume(slot >= 0 || is_sent || !(sent >> (number - 1) & 1));
        *sender = slot >= 0 ? SI_TKILL : is_sent ? SI_USER : OUTSIDE;
        if (slot >= 0)
            sent_to_threads[slot].number = 0;
        else if (is_sent)
            sent_to_process[word_of(number)] &= ~bit_of(number);
    }
    __raddle_atomic_end();
    return number;
}

int sigwait(const struct set *set, int *number) {
    int sender;
    int taken = take_signal(set, 0, &sender);
    *number = taken;
    return 0;
}

// What is told of a signal that the program sent to itself: the number, how, and by whom.
static void describe(int *information, int number, int sender) {
    enum { NUMBER = 0, CODE = 2, PROCESS = sizeof(long) == 8 ? 4 : 3, USER = PROCESS + 1, WORDS = 32 };
    if (sender == OUTSIDE)
        __raddle_unsupported("where a signal from outside comes from");
    for (int word = 0; word < WORDS; word++)
        information[word] = 0;
    information[NUMBER] = number;
    // Kernels tell signals to one thread from others, or do not.
    information[CODE] = sender == SI_TKILL && __raddle_any_bool() ? SI_USER : sender;
    information[PROCESS] = getpid();
    information[USER] = getuid();
}

int sigwaitinfo(const struct set *set, void *information) {
    int sender;
    int number = take_signal(set, 0, &sender);
    if (information)
        describe(information, number, sender);
    return number;
}

int sigtimedwait(const struct set *set, void *information, const void *time) {
    int sender;
    int number = take_signal(set, time != 0, &sender);
    if (number == 0)
        return failed(EAGAIN);
    if (information)
        describe(information, number, sender);
    return number;
}

// How many seconds are left of an earlier alarm is not known.
unsigned alarm(unsigned seconds) {
    static unsigned set;
    __raddle_atomic_begin();
    unsigned before = set;
    set = seconds;
    __raddle_atomic_end();
    if (before == 0)
        return 0;
    unsigned left = __raddle_any_unsigned();
    __raddle_assume(left > 0 && left <= before);
    return left;
}
