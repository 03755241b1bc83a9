//! What belongs to a thread, and threads that threads make.

use raddle_generate::Random;

use super::{actors, filled, one_actor};
use crate::real::draft::Draft;

/// Values of a key, with a destructor.
pub(crate) fn keys(draft: &mut Draft, random: &mut Random) {
    draft.global("static pthread_key_t k#;\nstatic atomic_int gone#;");
    let again = if random.chance(30) {
        " if ((long)value > 1) pthread_setspecific(k#, (void *)1L);"
    } else {
        ""
    };
    draft.global(&filled(
        "static void drop#(void *value) { @atomic_fetch_add(&gone#, (int)(long)value);$0 }",
        &[again],
    ));
    draft.before("pthread_key_create(&k#, drop#);");
    for at in actors(draft, random) {
        let text = "@pthread_setspecific(k#, (void *)$0L);";
        draft.thread(at, &filled(text, &[&(at + 1).to_string()]));
        if random.chance(25) {
            draft.thread(at, "@pthread_setspecific(k#, 0);");
        }
        if at != 0 && random.chance(25) {
            draft.thread(at, "@if (atomic_load(&gone#)) pthread_exit(0);");
        }
    }
    draft.watch("atomic_load(&gone#)");
}

pub(crate) fn own_variables(draft: &mut Draft, random: &mut Random) {
    draft.global("static _Thread_local int own# = 1;\nstatic atomic_int sum#;");
    for at in actors(draft, random) {
        let text = "@own# += $0;\n@atomic_store(&sum#, atomic_load(&sum#) * 2 + own#);";
        draft.thread(at, &filled(text, &[&at.to_string()]));
    }
    draft.watch("atomic_load(&sum#)");
}

/// A thread's own thread: its result is waited for, or it is let go.
pub(crate) fn children(draft: &mut Draft, random: &mut Random) {
    let maker = one_actor(draft, random);
    let end = *random.pick(&[
        "return (void *)(long)(old + 1);",
        "pthread_exit((void *)(long)(old + 2));",
    ]);
    draft.global("static atomic_int x#;\nstatic int r#;");
    draft.global(&filled("static void *child#(void *argument) {\n    int old = (int)(long)argument;\n    @atomic_fetch_add(&x#, old);\n    @$0\n}", &[end]));
    let text = if random.chance(60) {
        "{\n    pthread_t child;\n    void *result;\n    pthread_create(&child, 0, child#, (void *)5L);\n    @atomic_store(&x#, atomic_load(&x#) + 1);\n    @pthread_join(child, &result);\n    @r# = (int)(long)result;\n}"
    } else {
        "{\n    pthread_t child;\n    pthread_create(&child, 0, child#, (void *)5L);\n    @pthread_detach(child);\n    @r# = atomic_load(&x#);\n}"
    };
    draft.thread(maker, text);
    draft.watch("r#");
    draft.watch("atomic_load(&x#)");
}
