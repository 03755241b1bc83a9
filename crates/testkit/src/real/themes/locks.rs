//! Mutexes, spin locks, read-write locks, semaphores as locks, and what is done once.

use raddle_generate::Random;

use super::{actors, filled, one_actor, two_actors};
use crate::real::draft::Draft;

/// A kind of lock.
struct Lock {
    /// Its definition, with the name at `$0`.
    global: &'static str,
    before: &'static str,
    take: &'static str,
    /// Gives 0 if it was taken.
    try_to_take: &'static str,
    give: &'static str,
    spins: bool,
}

const LOCKS: [Lock; 6] = [
    Lock {
        global: "static pthread_mutex_t $0 = PTHREAD_MUTEX_INITIALIZER;",
        before: "",
        take: "pthread_mutex_lock(&$0);",
        try_to_take: "pthread_mutex_trylock(&$0)",
        give: "pthread_mutex_unlock(&$0);",
        spins: false,
    },
    Lock {
        global: "static pthread_mutex_t $0 = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;",
        before: "",
        take: "pthread_mutex_lock(&$0);",
        try_to_take: "pthread_mutex_trylock(&$0)",
        give: "pthread_mutex_unlock(&$0);",
        spins: false,
    },
    Lock {
        global: "static pthread_mutex_t $0 = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;",
        before: "",
        take: "pthread_mutex_lock(&$0);",
        try_to_take: "pthread_mutex_trylock(&$0)",
        give: "pthread_mutex_unlock(&$0);",
        spins: false,
    },
    Lock {
        global: "static pthread_spinlock_t $0;",
        before: "pthread_spin_init(&$0, PTHREAD_PROCESS_PRIVATE);",
        take: "pthread_spin_lock(&$0);",
        try_to_take: "pthread_spin_trylock(&$0)",
        give: "pthread_spin_unlock(&$0);",
        spins: true,
    },
    Lock {
        global: "static sem_t $0;",
        before: "sem_init(&$0, 0, 1);",
        take: "sem_wait(&$0);",
        try_to_take: "sem_trywait(&$0)",
        give: "sem_post(&$0);",
        spins: false,
    },
    Lock {
        global: "static pthread_rwlock_t $0 = PTHREAD_RWLOCK_INITIALIZER;",
        before: "",
        take: "pthread_rwlock_wrlock(&$0);",
        try_to_take: "pthread_rwlock_trywrlock(&$0)",
        give: "pthread_rwlock_unlock(&$0);",
        spins: false,
    },
];

fn make(draft: &mut Draft, lock: &Lock, name: &str) {
    draft.global(&filled(lock.global, &[name]));
    if !lock.before.is_empty() {
        draft.before(&filled(lock.before, &[name]));
    }
    draft.spins |= lock.spins;
}

/// A number under a lock, changed at once or in two parts.
pub(crate) fn counter(draft: &mut Draft, random: &mut Random) {
    let lock = random.pick(&LOCKS);
    make(draft, lock, "m#");
    draft.global("static int x#;");
    for at in actors(draft, random) {
        let by = (at + 2).to_string();
        let change = *random.pick(&["x# = x# + $2;", "x# = x# * 2 + $2;", "x# ^= $2;"]);
        let (take, give) = (filled(lock.take, &["m#"]), filled(lock.give, &["m#"]));
        let text = if random.chance(60) {
            format!("@$0\n@{change}\n@$1")
        } else {
            "{\n    int old;\n    @$0\n    old = x#;\n    @$1\n    @$0\n    x# = old + $2;\n    @$1\n}".to_owned()
        };
        draft.thread(at, &filled(&text, &[&take, &give, &by]));
    }
    draft.watch("x#");
}

/// Two locks, in one order or in two; or somebody ends without giving back.
pub(crate) fn order(draft: &mut Draft, random: &mut Random) {
    let lock = random.pick(&LOCKS);
    make(draft, lock, "a#");
    make(draft, lock, "b#");
    draft.global("static int x#;");
    let is_wrong = random.chance(60);
    let forgets = random.chance(15).then(|| one_actor(draft, random));
    for (index, at) in actors(draft, random).into_iter().enumerate() {
        let (first, second) = if is_wrong && index == 1 {
            ("b#", "a#")
        } else {
            ("a#", "b#")
        };
        let give = if forgets == Some(at) { "" } else { lock.give };
        let text = format!(
            "@{}\n@{}\n@x# = x# * 2 + $2;",
            lock.take,
            lock.take.replace("$0", "$1")
        );
        draft.thread(at, &filled(&text, &[first, second, &at.to_string()]));
        let text = format!("@{}\n@{}", lock.give.replace("$0", "$1"), give);
        draft.thread(at, &filled(&text, &[first, second]));
    }
    draft.may_hang |= is_wrong || forgets.is_some();
    draft.watch("x#");
}

pub(crate) fn try_lock(draft: &mut Draft, random: &mut Random) {
    let lock = random.pick(&LOCKS);
    make(draft, lock, "m#");
    draft.global("static int x#;");
    for at in actors(draft, random) {
        let (take, give) = (filled(lock.take, &["m#"]), filled(lock.give, &["m#"]));
        let text = if random.chance(65) {
            let text = "@if ($0 == 0) {\n    @x# = x# * 2 + $2;\n    @$1\n}";
            let attempt = filled(lock.try_to_take, &["m#"]);
            filled(text, &[&attempt, &give, &at.to_string()])
        } else {
            filled("@$0\n@x# = x# + $2;\n@$1", &[&take, &give, &at.to_string()])
        };
        draft.thread(at, &text);
    }
    draft.watch("x#");
}

/// What a lock says to one who has it already, and to one who has not.
pub(crate) fn reentry(draft: &mut Draft, random: &mut Random) {
    if random.chance(40) {
        writing_again(draft, random);
        return;
    }
    let is_checked = random.chance(60);
    make(draft, if is_checked { &LOCKS[2] } else { &LOCKS[1] }, "m#");
    draft.global("static int again#, after#, x#;");
    let curious = one_actor(draft, random);
    for at in actors(draft, random) {
        let text = if at != curious {
            "@pthread_mutex_lock(&m#);\n@x# = x# + 1;\n@pthread_mutex_unlock(&m#);"
        } else if is_checked {
            "@pthread_mutex_lock(&m#);\n@again# = pthread_mutex_lock(&m#);\n@x# = x# * 3;\n@pthread_mutex_unlock(&m#);\n@after# = pthread_mutex_unlock(&m#);"
        } else {
            "@pthread_mutex_lock(&m#);\n@again# = pthread_mutex_trylock(&m#);\n@x# = x# * 3;\n@pthread_mutex_unlock(&m#);\n@after# = x#;\n@pthread_mutex_unlock(&m#);"
        };
        draft.thread(at, text);
    }
    draft.watch("again#");
    draft.watch("after#");
    draft.watch("x#");
}

/// Who writes asks for the same lock once more.
fn writing_again(draft: &mut Draft, random: &mut Random) {
    make(draft, &LOCKS[5], "m#");
    draft.global("static int again#, x#;");
    let curious = one_actor(draft, random);
    let again = *random.pick(&[
        "wrlock",
        "rdlock",
        "wrlock",
        "rdlock",
        "trywrlock",
        "tryrdlock",
    ]);
    for at in actors(draft, random) {
        let text = if at == curious {
            "@pthread_rwlock_wrlock(&m#);\n@again# = 1 + pthread_rwlock_$0(&m#);\n@x# = x# * 3;\n@pthread_rwlock_unlock(&m#);"
        } else {
            "@pthread_rwlock_wrlock(&m#);\n@x# = x# + 1;\n@pthread_rwlock_unlock(&m#);"
        };
        draft.thread(at, &filled(text, &[again]));
    }
    draft.watch("again#");
    draft.watch("x#");
}

/// That somebody else has the lock is taken for a sign that a number was written. No interleaving shows that it is none:
/// an attempt that fails orders nothing.
pub(crate) fn failed_attempt(draft: &mut Draft, random: &mut Random) {
    let lock = random.pick(&[&LOCKS[0], &LOCKS[3], &LOCKS[3], &LOCKS[5]]);
    make(draft, lock, "m#");
    draft.global("static int x#, r#;");
    let (writer, reader) = two_actors(draft, random);
    let (take, give) = (filled(lock.take, &["m#"]), filled(lock.give, &["m#"]));
    let attempt = filled(lock.try_to_take, &["m#"]);
    draft.thread(writer, &filled("@x# = 1;\n@$0", &[&take]));
    let text = "@if ($0 == 0) {\n    $1\n} else {\n    r# = x#;\n}";
    draft.thread(reader, &filled(text, &[&attempt, &give]));
    draft.may_race = true;
    draft.watch("r#");
}

pub(crate) fn readers_writers(draft: &mut Draft, random: &mut Random) {
    draft.global("static pthread_rwlock_t l# = PTHREAD_RWLOCK_INITIALIZER;\nstatic int x#;");
    for (index, at) in actors(draft, random).into_iter().enumerate() {
        if index == 0 || random.chance(30) {
            let text = "@pthread_rwlock_wrlock(&l#);\n@x# = x# + 1;\n@x# = x# * 2;\n@pthread_rwlock_unlock(&l#);";
            draft.thread(at, text);
        } else {
            let take = *random.pick(&["rdlock", "tryrdlock"]);
            draft.global(&filled("static int r#_$0;", &[&at.to_string()]));
            let text = "@if (pthread_rwlock_$1(&l#) == 0) {\n    @r#_$0 = x# + 1;\n    @pthread_rwlock_unlock(&l#);\n}";
            draft.thread(at, &filled(text, &[&at.to_string(), take]));
            draft.watch(&format!("r#_{at}"));
        }
    }
    draft.watch("x#");
}

/// What is done once; or comes to itself again while it is done.
pub(crate) fn once(draft: &mut Draft, random: &mut Random) {
    let is_recursive = random.chance(35);
    draft.global("static pthread_once_t o# = PTHREAD_ONCE_INIT;\nstatic int x#;\nstatic atomic_int sum#;\nstatic void once#(void);");
    let again = if is_recursive {
        " pthread_once(&o#, once#);"
    } else {
        ""
    };
    draft.global(&filled(
        "static void once#(void) { @x# = x# * 2 + 1;$0 @x# = x# + 1; }",
        &[again],
    ));
    for at in actors(draft, random) {
        let text = "@pthread_once(&o#, once#);\n@atomic_fetch_add(&sum#, x#);";
        draft.thread(at, text);
    }
    draft.may_hang |= is_recursive;
    draft.watch("x#");
    draft.watch("atomic_load(&sum#)");
}
