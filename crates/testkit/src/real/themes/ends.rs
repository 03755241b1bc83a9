//! What runs before and after `main`.

use raddle_generate::Random;

use super::{filled, one_actor};
use crate::real::draft::{Draft, Finish};

pub(crate) fn ends(draft: &mut Draft, random: &mut Random) {
    draft.global("static atomic_int log#;\nstatic void note#(int what) { atomic_store(&log#, atomic_load(&log#) * 10 + what); }");
    draft.watch("atomic_load(&log#)");
    if draft.is_judged || draft.finish != Finish::Return {
        if random.chance(60) {
            constructors(draft, random);
        } else {
            first_sections(draft, random);
        }
        return;
    }
    let at = one_actor(draft, random);
    match random.below(8) {
        0 => constructors(draft, random),
        6 => sections(draft, random),
        1 => {
            draft.global("static void last#(void) { note#(1); judge(); }\nstatic void first#(void) { note#(2); }");
            draft.before("atexit(last#);\natexit(first#);");
            draft.thread(at, "@note#(3);");
            draft.finish = *random.pick(&[Finish::Return, Finish::Exit]);
            draft.is_judged = true;
        }
        2 => {
            draft.global("static void handler#(void) { note#(2); }\n__attribute__((destructor)) static void gone#(void) { note#(1); judge(); }");
            draft.before("atexit(handler#);");
            draft.is_judged = true;
        }
        3 => {
            // The last thread that leaves ends the process, with all that belongs to it.
            draft.global("static void handler#(void) { note#(1); judge(); }");
            draft.before("atexit(handler#);");
            draft.thread(at.max(1), "@note#(2);");
            draft.finish = *random.pick(&[Finish::ExitThread, Finish::ExitC11Thread]);
            draft.is_judged = true;
        }
        4 => {
            draft.global("static void quick#(void) { note#(1); judge(); }\nstatic void never#(void) { note#(5); judge(); }");
            draft.before("at_quick_exit(quick#);\natexit(never#);");
            draft.finish = Finish::QuickExit;
            draft.is_judged = true;
        }
        _ => {
            // What comes first and last is said by numbers.
            let (one, other) = *random.pick(&[("101", "102"), ("102", "101")]);
            let text = "__attribute__((destructor($0))) static void one#(void) { note#(1); if (atomic_load(&log#) > 9) judge(); }\n__attribute__((destructor($1))) static void other#(void) { note#(2); if (atomic_load(&log#) > 9) judge(); }";
            draft.global(&filled(text, &[one, other]));
            draft.is_judged = true;
        }
    }
}

fn constructors(draft: &mut Draft, random: &mut Random) {
    let mut priorities = ["(101)", "(102)", ""];
    let at = random.below(3);
    priorities.swap(0, at);
    let text = "__attribute__((constructor$0)) static void first#(void) { note#(1); }\n__attribute__((constructor$1)) static void second#(void) { note#(2); }\n__attribute__((constructor$2)) static void third#(void) { note#(3); }";
    draft.global(&filled(text, &priorities));
}

/// Functions whose addresses lie where the beginning looks for them. Of what has the same priority, one and the same compiler
/// puts variables before functions or behind them.
fn first_sections(draft: &mut Draft, random: &mut Random) {
    let mut sections = [".init_array", ".init_array.00101", ".preinit_array"];
    let at = random.below(3);
    sections.swap(0, at);
    let text = "static void first#(void) { note#(1); }\nstatic void second#(void) { note#(2); }\nstatic void (*first_entry#)(void) __attribute__((used, section(\"$0\"))) = first#;\nstatic void (*second_entry#)(void) __attribute__((used, section(\"$1\"))) = second#;\n__attribute__((constructor(103))) static void third#(void) { note#(3); }";
    draft.global(&filled(text, &sections));
}

/// The same at the beginning or at the end.
fn sections(draft: &mut Draft, random: &mut Random) {
    if random.chance(50) {
        first_sections(draft, random);
        return;
    }
    let mut sections = [".fini_array", ".fini_array.00101"];
    let at = random.below(2);
    sections.swap(0, at);
    let text = "static void first#(void) { note#(1); if (atomic_load(&log#) > 9) judge(); }\nstatic void second#(void) { note#(2); if (atomic_load(&log#) > 9) judge(); }\nstatic void (*first_entry#)(void) __attribute__((used, section(\"$0\"))) = first#;\nstatic void (*second_entry#)(void) __attribute__((used, section(\"$1\"))) = second#;";
    draft.global(&filled(text, &sections));
    draft.is_judged = true;
}
