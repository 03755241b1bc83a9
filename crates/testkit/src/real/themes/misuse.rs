//! Locks in the wrong hands, or after their end.

use raddle_generate::Random;

use super::{filled, two_actors};
use crate::real::draft::Draft;

/// A plain mutex that another thread gives back.
pub(crate) fn mutex(draft: &mut Draft, random: &mut Random) {
    let (one, other) = two_actors(draft, random);
    draft.global("static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;\nstatic atomic_int go#;");
    draft.thread(one, "@PLAIN_LOCK(&m#);\n@atomic_store(&go#, 1);");
    if random.chance(60) {
        draft.thread(one, "@PLAIN_UNLOCK(&m#);\n@atomic_store(&go#, 0);");
    }
    draft.thread(
        other,
        "@if (atomic_load(&go#)) {\n    @PLAIN_UNLOCK(&m#);\n}",
    );
}

/// The same for a spin lock, and its end.
pub(crate) fn spin_lock(draft: &mut Draft, random: &mut Random) {
    let (one, other) = two_actors(draft, random);
    draft.global("static pthread_spinlock_t l#;\nstatic atomic_int go#, x#;");
    draft.before("pthread_spin_init(&l#, PTHREAD_PROCESS_PRIVATE);");
    match random.below(5) {
        0 => {
            draft.thread(one, "@pthread_spin_lock(&l#);\n@atomic_store(&go#, 1);");
            draft.thread(other, "@if (atomic_load(&go#)) pthread_spin_unlock(&l#);");
        }
        1 => {
            draft.thread(one, "@pthread_spin_lock(&l#);\n@atomic_fetch_add(&x#, 1);\n@pthread_spin_unlock(&l#);\n@atomic_store(&go#, 1);");
            draft.thread(other, "@if (atomic_load(&go#)) pthread_spin_unlock(&l#);");
        }
        2 => {
            // It may be given back before the other comes.
            let give = *random.pick(&[
                "",
                "\n    @pthread_spin_unlock(&l#);\n    @atomic_store(&go#, 0);",
            ]);
            let text = "@if (pthread_spin_trylock(&l#) == 0) {\n    @atomic_store(&go#, 1);$0\n}";
            draft.thread(one, &filled(text, &[give]));
            draft.thread(other, "@if (atomic_load(&go#)) pthread_spin_destroy(&l#);");
        }
        3 => {
            draft.thread(one, "@if (atomic_load(&go#)) {\n    @pthread_spin_lock(&l#);\n    @pthread_spin_unlock(&l#);\n}");
            draft.thread(
                other,
                "@pthread_spin_destroy(&l#);\n@atomic_store(&go#, 1);",
            );
        }
        _ => {
            // Nothing is wrong here.
            for at in [one, other] {
                draft.thread(
                    at,
                    "@pthread_spin_lock(&l#);\n@x# = x# * 2 + 1;\n@pthread_spin_unlock(&l#);",
                );
            }
            draft.after("pthread_spin_destroy(&l#);\npthread_spin_init(&l#, PTHREAD_PROCESS_PRIVATE);\npthread_spin_lock(&l#);\npthread_spin_unlock(&l#);");
        }
    }
    draft.spins = true;
    draft.watch("atomic_load(&x#)");
}

/// A semaphore after its end, and at its greatest value.
pub(crate) fn semaphore(draft: &mut Draft, random: &mut Random) {
    let (one, other) = two_actors(draft, random);
    draft.global("static sem_t s#;\nstatic atomic_int go#;\nstatic int r#;");
    match random.below(5) {
        0 => {
            draft.before("sem_init(&s#, 0, 1);");
            draft.thread(one, "@sem_destroy(&s#);\n@atomic_store(&go#, 1);");
            draft.thread(other, "@if (atomic_load(&go#)) r# = 1 + sem_trywait(&s#);");
        }
        1 => {
            draft.before("sem_init(&s#, 0, 1);");
            draft.thread(one, "@if (atomic_load(&go#)) sem_post(&s#);");
            draft.thread(other, "@sem_destroy(&s#);\n@atomic_store(&go#, 1);");
        }
        2 => {
            // One makes it anew while the other may use it.
            draft.before("sem_init(&s#, 0, 1);");
            let again = *random.pick(&["", "sem_destroy(&s#);\n"]);
            draft.thread(
                one,
                "@if (sem_trywait(&s#) == 0) {\n    sem_post(&s#);\n}\n@atomic_store(&go#, 1);",
            );
            let text = format!("@if (atomic_load(&go#)) {{\n    {again}sem_init(&s#, 0, 2);\n}}");
            draft.thread(other, &text);
        }
        3 => {
            draft.before("sem_init(&s#, 0, 0);");
            draft.thread(one, "@sem_wait(&s#);");
            draft.thread(other, "@sem_init(&s#, 0, 1);\n@sem_post(&s#);");
            draft.may_hang = true;
        }
        _ => {
            // A first value that nobody computes in advance is one of which little is known.
            let first = *random.pick(&["SEM_VALUE_MAX - 1", "n#"]);
            draft.global("static unsigned n# = SEM_VALUE_MAX - 1;");
            draft.before(&format!("sem_init(&s#, 0, {first});"));
            draft.thread(one, "@r# = 2 + sem_post(&s#);");
            draft.thread(other, "@sem_post(&s#);");
        }
    }
    draft.watch("r#");
}
