//! What threads are called.

use raddle_generate::Random;

use super::one_actor;
use crate::real::draft::Draft;

pub(crate) fn names(draft: &mut Draft, random: &mut Random) {
    draft.global("static pthread_t nobody#;\nstatic int r#;");
    match random.below(11) {
        0 => draft.before("r# = 1 + (pthread_equal(pthread_self(), nobody#) != 0);"),
        1 => draft.before("r# = 1 + (pthread_self() == 0);"),
        2 => {
            let at = one_actor(draft, random);
            draft.thread(at, "@r# = pthread_join(pthread_self(), 0);");
        }
        3 => {
            draft.global("static atomic_int go#;");
            draft.thread(1, "@atomic_store(&go#, 1);");
            draft.thread(
                2,
                "@if (atomic_load(&go#)) r# = 1 + pthread_join(nobody#, 0);",
            );
            draft.crashes_by_misuse = true;
        }
        4 => {
            draft.global("static pthread_t first#;");
            draft.before("first# = pthread_self();");
            draft.thread(1, "@r# = 1 + (pthread_equal(pthread_self(), first#) != 0);");
        }
        5 => {
            let at = one_actor(draft, random);
            draft.thread(at, "@r# = 1 + thrd_join(thrd_current(), 0);");
        }
        6 | 7 => {
            // Which one is less, or how it is hashed, nobody knows.
            draft.global("static _Atomic pthread_t own#;");
            let at = one_actor(draft, random);
            let text = *random.pick(&[
                "@r# = 1 + (pthread_self() < atomic_load(&own#));",
                "@r# = 1 + (int)(pthread_self() / 4096 % 5);",
                "@r# = 1 + (int)((pthread_self() ^ atomic_load(&own#)) >> 12 & 3);",
            ]);
            let other = if at == 1 { 2 } else { 1 };
            draft.thread(other, "@atomic_store(&own#, pthread_self());");
            draft.thread(at, text);
            draft.depends_on_names = true;
        }
        8 | 9 => {
            draft.thread(1, "@r# = 1 + pthread_join(nobody#, 0);");
            draft.crashes_by_misuse = true;
        }
        _ => {
            // A name that is kept where zero means nobody.
            draft.global("static _Atomic pthread_t owner#;");
            for at in [0, 1] {
                draft.thread(at, "@if (atomic_load(&owner#) == 0) {\n    @atomic_store(&owner#, pthread_self());\n}");
            }
            draft.after("r# = 1 + (atomic_load(&owner#) == 0);");
        }
    }
    draft.watch("r#");
}
