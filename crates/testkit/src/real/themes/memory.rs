//! The heap, and what must not be written.

use raddle_generate::Random;

use super::{actors, filled, one_actor, two_actors};
use crate::real::draft::Draft;

/// An object that one gives to the other; it may be freed twice, or too early.
pub(crate) fn hand_over(draft: &mut Draft, random: &mut Random) {
    let (giver, taker) = two_actors(draft, random);
    draft.global("static _Atomic(atomic_int *) p#;\nstatic int r#, s#;");
    match random.below(4) {
        0 => {
            draft.thread(giver, "{\n    atomic_int *made = malloc(sizeof *made);\n    atomic_init(made, 5);\n    @atomic_store(&p#, made);\n}");
            draft.thread(taker, "{\n    atomic_int *taken = atomic_exchange(&p#, 0);\n    @if (taken) {\n        r# = atomic_load(taken);\n        free(taken);\n    }\n}");
            draft.after("free(atomic_load(&p#));");
        }
        1 => {
            // Both may see it before one says that it is gone.
            draft.before("atomic_store(&p#, calloc(1, sizeof(atomic_int)));");
            for (at, result) in [(giver, "r#"), (taker, "s#")] {
                let text = "{\n    atomic_int *seen = atomic_load(&p#);\n    @if (seen) {\n        @atomic_store(&p#, 0);\n        @free(seen);\n        $0 = 1;\n    }\n}";
                draft.thread(at, &filled(text, &[result]));
            }
        }
        2 => {
            draft.before("atomic_store(&p#, calloc(1, sizeof(atomic_int)));");
            draft.thread(
                giver,
                "{\n    atomic_int *seen = atomic_exchange(&p#, 0);\n    @free(seen);\n}",
            );
            draft.thread(taker, "{\n    atomic_int *seen = atomic_load(&p#);\n    @if (seen) r# = 1 + atomic_load(seen);\n}");
        }
        _ => {
            // Who takes it out owns it.
            draft.before("atomic_store(&p#, calloc(1, sizeof(atomic_int)));");
            for (at, result) in [(giver, "r#"), (taker, "s#")] {
                let text = "{\n    atomic_int *mine = atomic_exchange(&p#, 0);\n    @if (mine) {\n        $0 = 1 + atomic_fetch_add(mine, 1);\n        free(mine);\n    }\n}";
                draft.thread(at, &filled(text, &[result]));
            }
        }
    }
    draft.may_break_memory = true;
    draft.watch("r#");
    draft.watch("s#");
}

/// A number that somebody changes without the lock.
pub(crate) fn race(draft: &mut Draft, random: &mut Random) {
    draft.global("static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;\nstatic int x#;");
    let careless = one_actor(draft, random);
    for at in actors(draft, random) {
        let text = if at == careless {
            "@x# = x# + 1;"
        } else {
            "@pthread_mutex_lock(&m#);\n@x# = x# + 1;\n@pthread_mutex_unlock(&m#);"
        };
        draft.thread(at, text);
    }
    draft.may_race = true;
    draft.watch("x#");
}

/// What was freed comes back, and somebody still knows where it was.
pub(crate) fn recycled(draft: &mut Draft, random: &mut Random) {
    let (one, other) = two_actors(draft, random);
    let (first, size) = *random.pick(&[
        ("sizeof(int)", "sizeof(int)"),
        ("sizeof(int)", "1"),
        ("sizeof(int)", "20"),
        ("2000", "sizeof(int)"),
        ("2000", "100"),
    ]);
    match random.below(4) {
        0 => {
            draft.global("static _Atomic(int *) kept#, new#;\nstatic int same#;");
            let text = "{\n    int *made = malloc($1);\n    @atomic_store(&kept#, made);\n    @free(made);\n    @atomic_store(&new#, malloc($0));\n    int *old = atomic_load(&kept#);\n    @same# = 1 + atomic_compare_exchange_strong(&new#, &old, old);\n    @free(atomic_load(&new#));\n}";
            draft.thread(one, &filled(text, &[size, first]));
            draft.watch("same#");
        }
        1 => {
            // Pointers are compared, or the numbers that they become, or what is computed of these.
            let (ty, same) = *random.pick(&[
                (
                    "_Atomic uintptr_t",
                    "atomic_load(&kept#) - atomic_load(&new#) == 0",
                ),
                (
                    "_Atomic uintptr_t",
                    "atomic_load(&kept#) == atomic_load(&new#)",
                ),
                (
                    "_Atomic(char *)",
                    "atomic_load(&kept#) == atomic_load(&new#)",
                ),
            ]);
            draft.global(&filled("static $0 kept#, new#;\nstatic int same#;", &[ty]));
            let cast = if ty.contains('*') {
                "(char *)"
            } else {
                "(uintptr_t)"
            };
            let text = "{\n    void *made = malloc($1);\n    @atomic_store(&kept#, $2made);\n    @free(made);\n    @made = malloc($0);\n    @atomic_store(&new#, $2made);\n    @same# = 1 + ($3);\n    @free(made);\n}";
            draft.thread(one, &filled(text, &[size, first, cast, same]));
            draft.watch("same#");
        }
        2 => {
            // One reads the head and replaces it; meanwhile the other has put something else there.
            draft.global("static _Atomic(int *) head#;\nstatic atomic_int phase#;\nstatic int first#, won#, last#;\nstatic int other#;");
            draft.before(&filled("atomic_store(&head#, malloc($0));", &[first]));
            let text = "{\n    @first# = atomic_load(&phase#);\n    int *old = atomic_load(&head#);\n    @last# = atomic_load(&phase#);\n    won# = 1 + atomic_compare_exchange_strong(&head#, &old, &other#);\n}";
            draft.thread(one, text);
            let text = "{\n    int *old = atomic_exchange(&head#, 0);\n    @free(old == &other# ? 0 : old);\n    @atomic_store(&phase#, 1);\n    @atomic_store(&head#, malloc($0));\n    @atomic_store(&phase#, 2);\n}";
            draft.thread(other, &filled(text, &[size, first]));
            for value in ["first#", "last#", "won#"] {
                draft.watch(value);
            }
        }
        _ => {
            // A thread frees what the other remembers, and makes another.
            draft.global("static _Atomic(int *) shared#, seen#;\nstatic int same#;");
            draft.before(&filled("atomic_store(&shared#, malloc($0));", &[first]));
            draft.thread(one, "@atomic_store(&seen#, atomic_load(&shared#));");
            let text = "{\n    int *old = atomic_load(&shared#);\n    @free(old);\n    @atomic_store(&shared#, malloc($0));\n}";
            draft.thread(other, &filled(text, &[size, first]));
            draft.after("{\n    int *old = atomic_load(&seen#);\n    same# = 1 + atomic_compare_exchange_strong(&shared#, &old, old);\n    free(atomic_load(&shared#));\n}");
            draft.watch("same#");
        }
    }
}

/// A literal or a constant that is written, perhaps only if others have got far enough.
pub(crate) fn read_only(draft: &mut Draft, random: &mut Random) {
    let (one, other) = two_actors(draft, random);
    let (global, text) = *random.pick(&[
        ("static char *text# = \"abc\";", "text#[0] = 'x';"),
        ("static const int fixed# = 3;", "*(int *)&fixed# = 4;"),
        (
            "static const struct { int a, b; } pair# = {1, 2};",
            "*(int *)&pair#.b = 4;",
        ),
        (
            "static const char row#[4] = \"abc\";",
            "((char *)row#)[1] = 'x';",
        ),
        ("static char row#[4] = \"abc\";", "row#[1] = 'x';"),
        ("static int free#;", "*(int *)(const int *)&free# = 4;"),
    ]);
    draft.global(global);
    draft.global("static atomic_int go#;");
    draft.thread(one, "@atomic_store(&go#, 1);");
    draft.thread(other, &filled("@if (atomic_load(&go#)) $0", &[text]));
    draft.may_break_memory = true;
}
