//! Objects that end with their block, and pointers that do not.

use raddle_generate::Random;

use super::{filled, one_actor, two_actors};
use crate::real::draft::Draft;

pub(crate) fn blocks(draft: &mut Draft, random: &mut Random) {
    let at = one_actor(draft, random);
    draft.may_break_memory = true;
    draft.global("static atomic_int r#;");
    let is_wrong = random.chance(70);
    match random.below(10) {
        0 => argument_of_a_thread(draft, at, is_wrong),
        1 => {
            let text = if is_wrong {
                "{\n    atomic_int *p;\n    {\n        atomic_int a = 3;\n        p = &a;\n    }\n    @atomic_store(&r#, atomic_load(p));\n}"
            } else {
                "{\n    atomic_int *p;\n    {\n        atomic_int a = 3;\n        p = &a;\n        @atomic_store(&r#, atomic_load(p));\n    }\n}"
            };
            draft.thread(at, text);
        }
        2 => {
            let text = if is_wrong {
                "{\n    int *p = ({ int a = 3; &a; });\n    @atomic_store(&r#, *p);\n}"
            } else {
                "{\n    int b = ({ int a = 3; *&a; });\n    @atomic_store(&r#, b);\n}"
            };
            draft.thread(at, text);
        }
        3 => {
            let (inner, outer) = if is_wrong {
                ("", "@atomic_store(&r#, p[1]);")
            } else {
                ("@atomic_store(&r#, p[1]);", "")
            };
            let text =
                "{\n    int *p;\n    {\n        p = (int[]){1, 2};\n        $0\n    }\n    $1\n}";
            draft.thread(at, &filled(text, &[inner, outer]));
        }
        4 => {
            // It is gone in the next round of the loop.
            let first = if is_wrong {
                "if (i == 0) p = &a;"
            } else {
                "p = &a;"
            };
            let text = "{\n    int *p = 0;\n    for (int i = 0; i < 2; i++) {\n        int a = i + 1;\n        $0\n        @if (i == 1) atomic_store(&r#, *p);\n    }\n}";
            draft.thread(at, &filled(text, &[first]));
        }
        5 => {
            // Only if the other comes first.
            let (one, other) = two_actors(draft, random);
            draft.global("static atomic_int go#;\nstatic int safe#;");
            let text = "{\n    int *p = &safe#;\n    {\n        int a = 3;\n        @if (atomic_load(&go#)) p = $0;\n    }\n    @atomic_store(&r#, *p);\n}";
            draft.thread(
                one,
                &filled(text, &[if is_wrong { "&a" } else { "&safe# + 0 * a" }]),
            );
            draft.thread(other, "@atomic_store(&go#, 1);");
        }
        6 => {
            // The block is left in the middle.
            let text = *random.pick(&[
                "{\n    int *p = &safe#;\n    for (int i = 0; i < 2; i++) {\n        int a = i + 1;\n        if (i == 0) {\n            p = $0;\n            break;\n        }\n    }\n    @atomic_store(&r#, *p);\n}",
                "{\n    int *p = &safe#;\n    for (int i = 0; i < 1; i++) {\n        int a = i + 1;\n        p = $0;\n        if (a) continue;\n        atomic_store(&r#, a);\n    }\n    @atomic_store(&r#, *p);\n}",
                "{\n    int *p = &safe#;\n    switch (atomic_load(&r#)) {\n        case 0: {\n            int a = 3;\n            p = $0;\n            break;\n        }\n        default: p = 0;\n    }\n    @atomic_store(&r#, *p);\n}",
            ]);
            draft.global("static int safe#;");
            let kept = if is_wrong { "&a" } else { "&safe# + 0 * a" };
            draft.thread(at, &filled(text, &[kept]));
        }
        7 => {
            let text = "{\n    int *p = &safe#;\n    {\n        int a = 3;\n        p = $0;\n        if (a) goto out#;\n        atomic_store(&r#, a);\n    }\nout#:\n    @atomic_store(&r#, *p);\n}";
            draft.global("static int safe#;");
            let kept = if is_wrong { "&a" } else { "&safe# + 0 * a" };
            draft.thread(at, &filled(text, &[kept]));
        }
        8 => {
            // A literal in what controls a statement ends with the statement.
            let text = if is_wrong {
                "{\n    int *p;\n    if ((p = (int[]){1, 2})[0]) atomic_store(&r#, 4);\n    @atomic_store(&r#, p[1]);\n}"
            } else {
                "{\n    int *p;\n    if ((p = (int[]){1, 2})[0]) {\n        @atomic_store(&r#, p[1]);\n    }\n}"
            };
            draft.thread(at, text);
        }
        _ => {
            // What was a local of `main` when `main` has returned.
            draft.global("static int *kept#;\nstatic int last#;\nstatic void handler#(void) { last# = *kept#; }");
            let global = if is_wrong {
                "int local# = 4;"
            } else {
                "static int local# = 4;"
            };
            draft.before(&filled(
                "$0\nkept# = &local#;\natexit(handler#);",
                &[global],
            ));
        }
    }
    draft.watch("atomic_load(&r#)");
}

/// Memory that only a local of a block pointed to, while the process goes on.
pub(crate) fn lost(draft: &mut Draft, random: &mut Random) {
    let last = *random.pick(&["", "", "free(p);", "atomic_store(&kept#, p);"]);
    draft.global("static atomic_int r#;\nstatic _Atomic(atomic_int *) kept#;");
    let text = "{\n    atomic_int *p = malloc(sizeof *p);\n    atomic_init(p, 3);\n    atomic_store(&r#, atomic_load(p));\n    $0\n}\nLOOK_FOR_LOST();\nfree(atomic_load(&kept#));";
    draft.after(&filled(text, &[last]));
    draft.may_break_memory = true;
    draft.watch("atomic_load(&r#)");
}

fn argument_of_a_thread(draft: &mut Draft, at: usize, is_wrong: bool) {
    draft.global("static void *child#(void *argument) {\n    @atomic_fetch_add(&r#, atomic_load((atomic_int *)argument));\n    return 0;\n}");
    let text = if is_wrong {
        "{\n    pthread_t children[2];\n    for (int i = 0; i < 2; i++) {\n        atomic_int a = i + 1;\n        pthread_create(&children[i], 0, child#, &a);\n        @;\n    }\n    pthread_join(children[0], 0);\n    pthread_join(children[1], 0);\n}"
    } else {
        "{\n    for (int i = 0; i < 2; i++) {\n        atomic_int a = i + 1;\n        pthread_t child;\n        pthread_create(&child, 0, child#, &a);\n        @pthread_join(child, 0);\n    }\n}"
    };
    draft.thread(at, text);
}
