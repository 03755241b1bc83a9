//! Threads that wait for one another.

use raddle_generate::Random;

use super::{actors, filled, two_actors};
use crate::real::draft::Draft;

/// A condition, with what goes wrong with conditions.
pub(crate) fn condition(draft: &mut Draft, random: &mut Random) {
    draft.global("static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t c# = PTHREAD_COND_INITIALIZER;\nstatic int full#, r#;");
    let wait = *random.pick(&["while", "while", "if", ""]);
    let wake = *random.pick(&["signal", "signal", "broadcast", ""]);
    let all = actors(draft, random);
    let wakers = random.between(1, all.len() - 1);
    for (index, at) in all.into_iter().enumerate() {
        if index < wakers {
            let wake = match wake {
                "" => String::new(),
                wake => format!("\n@pthread_cond_{wake}(&c#);"),
            };
            let text = format!(
                "@pthread_mutex_lock(&m#);\n@full# = full# + 1;{wake}\n@pthread_mutex_unlock(&m#);"
            );
            draft.thread(at, &text);
        } else {
            let test = match wait {
                "" => String::new(),
                wait => format!("{wait} (full# == 0) "),
            };
            let text = "@pthread_mutex_lock(&m#);\n@$0pthread_cond_wait(&c#, &m#);\n@r# = r# * 3 + full#;\n@full# = full# - 1;\n@pthread_mutex_unlock(&m#);";
            draft.thread(at, &filled(text, &[&test]));
        }
    }
    draft.may_hang = true;
    draft.watch("r#");
    draft.watch("full#");
}

/// Tokens that are handed over; there may be too few.
pub(crate) fn semaphore(draft: &mut Draft, random: &mut Random) {
    draft.global("static sem_t s#;\nstatic atomic_int x#, r#;");
    let first = random.below(2).to_string();
    draft.before(&filled("sem_init(&s#, 0, $0);", &[&first]));
    for (index, at) in actors(draft, random).into_iter().enumerate() {
        let text = if index == 0 {
            let text = "@atomic_fetch_add(&x#, 1);\n@sem_post(&s#);";
            if random.chance(50) {
                format!("{text}\n@atomic_fetch_add(&x#, 2);\n@sem_post(&s#);")
            } else {
                text.to_owned()
            }
        } else if random.chance(25) {
            "@if (sem_trywait(&s#) == 0) atomic_fetch_add(&r#, 10 + atomic_load(&x#));".to_owned()
        } else {
            "@sem_wait(&s#);\n@atomic_fetch_add(&r#, 1 + atomic_load(&x#));".to_owned()
        };
        draft.thread(at, &text);
    }
    draft.may_hang = true;
    draft.watch("atomic_load(&r#)");
}

/// All meet; or one is missing.
pub(crate) fn barrier(draft: &mut Draft, random: &mut Random) {
    draft.global("static pthread_barrier_t b#;\nstatic atomic_int x#, serial#;");
    let all = actors(draft, random);
    let is_wrong = random.chance(35);
    let count = all.len() + usize::from(is_wrong);
    draft.before(&filled(
        "pthread_barrier_init(&b#, 0, $0);",
        &[&count.to_string()],
    ));
    for at in all {
        let text = "@atomic_fetch_add(&x#, 1);\n@if (pthread_barrier_wait(&b#) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_store(&serial#, $0);\n@atomic_store(&x#, atomic_load(&x#) * 2);";
        draft.thread(at, &filled(text, &[&at.to_string()]));
    }
    draft.may_hang |= is_wrong;
    draft.watch("atomic_load(&x#)");
    draft.watch("atomic_load(&serial#)");
}

/// Waiting until a time that is over.
pub(crate) fn timed(draft: &mut Draft, random: &mut Random) {
    let (holder, waiter) = two_actors(draft, random);
    draft.global("static struct timespec past# = {1, 0};\nstatic int r#, x#;");
    if random.chance(50) {
        draft.global("static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;");
        draft.thread(
            holder,
            "@pthread_mutex_lock(&m#);\n@x# = x# + 1;\n@pthread_mutex_unlock(&m#);",
        );
        draft.thread(waiter, "@r# = pthread_mutex_timedlock(&m#, &past#);\n@if (r# == 0) {\n    x# = x# * 2 + 3;\n    pthread_mutex_unlock(&m#);\n}");
    } else {
        draft.global("static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t c# = PTHREAD_COND_INITIALIZER;");
        draft.thread(holder, "@pthread_mutex_lock(&m#);\n@x# = x# + 1;\n@pthread_cond_signal(&c#);\n@pthread_mutex_unlock(&m#);");
        draft.thread(waiter, "@pthread_mutex_lock(&m#);\n@if (x# == 0) r# = pthread_cond_timedwait(&c#, &m#, &past#);\n@x# = x# * 2 + 3;\n@pthread_mutex_unlock(&m#);");
    }
    draft.watch("r#");
    draft.watch("x#");
}
