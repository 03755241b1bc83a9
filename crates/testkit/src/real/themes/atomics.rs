//! Sequentially consistent accesses.

use raddle_generate::Random;

use super::{actors, filled, two_actors};
use crate::real::draft::Draft;

/// Any operations on two numbers.
pub(crate) fn operations(draft: &mut Draft, random: &mut Random) {
    draft.global("static atomic_int x#, y#;");
    for at in actors(draft, random) {
        for _ in 0..random.between(1, 2) {
            let text = *random.pick(&[
                "@atomic_fetch_add(&$0, $2);",
                "@atomic_fetch_sub(&$0, $2);",
                "@atomic_fetch_xor(&$0, $2);",
                "@atomic_fetch_or(&$0, $2);",
                "@atomic_fetch_and(&$0, $2);",
                "@atomic_store(&$0, atomic_load(&$1) + $2);",
                "@atomic_store(&$1, atomic_exchange(&$0, $2));",
                "@$0 += $2;",
                "@$0++;",
                "@if (atomic_load(&$0) > $2) atomic_store(&$1, $2);",
            ]);
            let (one, other) = *random.pick(&[("x#", "y#"), ("y#", "x#")]);
            let by = random.between(1, 3).to_string();
            draft.thread(at, &filled(text, &[one, other, &by]));
        }
    }
    draft.watch("atomic_load(&x#)");
    draft.watch("atomic_load(&y#)");
}

/// Each writes one and reads the other.
pub(crate) fn buffers(draft: &mut Draft, random: &mut Random) {
    let (one, other) = two_actors(draft, random);
    draft.global("static atomic_int x#, y#;\nstatic int r#, s#;");
    if random.chance(50) {
        draft.thread(one, "@atomic_store(&x#, 1);\n@r# = atomic_load(&y#);");
        draft.thread(other, "@atomic_store(&y#, 1);\n@s# = atomic_load(&x#);");
    } else {
        draft.thread(
            one,
            "@atomic_store(&x#, 1);\n@atomic_store(&y#, 1);\n@atomic_store(&x#, 2);",
        );
        draft.thread(other, "@r# = atomic_load(&y#);\n@s# = atomic_load(&x#);");
    }
    draft.watch("r#");
    draft.watch("s#");
}

pub(crate) fn compare_exchange(draft: &mut Draft, random: &mut Random) {
    draft.global("static atomic_int x#, won#;");
    for at in actors(draft, random) {
        let text = *random.pick(&[
            "{\n    int old = atomic_load(&x#);\n    @if (atomic_compare_exchange_strong(&x#, &old, old + $0)) atomic_fetch_add(&won#, $0);\n    else atomic_store(&won#, old);\n}",
            "{\n    int old = 0;\n    @if (!atomic_compare_exchange_strong(&x#, &old, $0)) {\n        @atomic_fetch_add(&won#, old);\n    }\n}",
            "@atomic_store(&x#, 0);\n@atomic_fetch_add(&x#, $0);",
        ]);
        draft.thread(at, &filled(text, &[&(at + 1).to_string()]));
    }
    draft.watch("atomic_load(&x#)");
    draft.watch("atomic_load(&won#)");
}
