//! The changes, by what they undo.

use super::Mutant;

const CHOICES: &str = "crates/ir/src/interpret/choices.rs";
const ENDLESS: &str = "crates/engine_explicit/src/search/endless.rs";
const EVALUATE: &str = "crates/ir/src/interpret/evaluate.rs";
const LIFETIMES: &str = "crates/front_c/src/lower/lifetimes/mod.rs";
const LOCKS: &str = "crates/ir/src/interpret/sync/locks.rs";
const OBJECTS: &str = "crates/front_c/src/lower/objects.rs";
const PROCESS_C: &str = "crates/front_c/src/library/process.c";
const PTHREAD_C: &str = "crates/front_c/src/library/pthread.c";
const SCOPES: &str = "crates/front_c/src/lower/body/scopes.rs";
const STARTUP: &str = "crates/front_c/src/lower/startup.rs";
const SYNC_OBJECTS: &str = "crates/ir/src/interpret/act/sync_objects.rs";
const THREADS: &str = "crates/front_c/src/lower/threads.rs";
const THREADS_C: &str = "crates/front_c/src/library/threads.c";

const fn mutant(
    name: &'static str,
    file: &'static str,
    place: &'static str,
    change: &'static str,
    word: &'static str,
) -> Mutant {
    Mutant {
        name,
        file,
        place,
        change,
        word,
    }
}

pub const MUTANTS: &[Mutant] = &[
    // Who is stuck for ever is deadlocked, whoever else runs.
    mutant(
        "endless waits are looked for",
        ENDLESS,
        "if «self.setting.omits(Omission::EndlessWaitsAreLookedFor)» {",
        "true",
        "endless",
    ),
    mutant(
        "a routine of once is waited for",
        PTHREAD_C,
        "    } else {\n        «__raddle_sync_acquire_spin((void *)&routines[number]);\n        __raddle_sync_release_spin((void *)&routines[number]);»\n        if (__raddle_leaves_routines())",
        ";",
        "pthread_once",
    ),
    // Addresses come back.
    mutant(
        "new memory lies where freed memory lay",
        CHOICES,
        "if «state.places.is_empty()» {",
        "true",
        "malloc",
    ),
    mutant(
        "less fits where more lay",
        "crates/ir/src/places.rs",
        ".filter(|place| «size <= place.room»)",
        "crate::recycling::room(size, crate::types::DataModel::Lp64) == place.room",
        "malloc",
    ),
    mutant(
        "exchanges compare addresses",
        "crates/ir/src/interpret/act/memory.rs",
        "let is_same = «recycling::compared(places, old, ty, model)\n            == recycling::compared(places, expected, ty, model)»;",
        "old == expected",
        "malloc",
    ),
    mutant(
        "comparisons compare addresses",
        EVALUATE,
        "if «op.is_comparison()» {",
        "false",
        "malloc",
    ),
    mutant(
        "a number is an address",
        EVALUATE,
        "let bits = if «becomes_number» {",
        "false",
        "uintptr_t",
    ),
    // Lives end with blocks.
    mutant(
        "objects begin with their blocks",
        LIFETIMES,
        "«lifetimes.made.insert(local);»",
        "",
        "atomic_int r",
    ),
    mutant(
        "who is known outside ends",
        LIFETIMES,
        "|| «flow.escapes(&lowering.fates, module, local, is_within)»",
        "false",
        "atomic_int r",
    ),
    mutant(
        "what a block pointed to is lost",
        LIFETIMES,
        "«lifetimes.forgotten.insert(local);»",
        "",
        "kept",
    ),
    mutant(
        "literals end with their blocks",
        LIFETIMES,
        "found.push(local);\n        }\n        parts::of_statement(statement, &mut |part| «parts::literals(part, &mut found)»);",
        "()",
        "(int[])",
    ),
    mutant(
        "literals end with what they control",
        LIFETIMES,
        "if parts::has_controls(statement) {\n        parts::of_statement(statement, &mut |part| «parts::literals(part, &mut found)»);",
        "()",
        "(int[])",
    ),
    mutant(
        "objects end with their blocks",
        SCOPES,
        "«self.end_locals(alive, span.map(last_of));»",
        "",
        "atomic_int r",
    ),
    mutant(
        "objects end where their loop is left",
        SCOPES,
        "«self.end_locals(exit.alive, Some(span));»",
        "",
        "&safe",
    ),
    mutant(
        "objects end where their block is jumped out of",
        SCOPES,
        "«self.end_locals(in_common, Some(span));»",
        "",
        "goto",
    ),
    mutant(
        "locals of main end with it",
        "crates/front_c/src/lower/body/mod.rs",
        "let ends_first = «lowering.features.uses_handlers»;",
        "false",
        "atexit",
    ),
    // Names of threads.
    mutant(
        "the name of main is not 0",
        "crates/ir/src/arithmetic.rs",
        "(Scalar::Thread, to) if «is_word(to, model) && bits == 0» =>",
        "false",
        "nobody",
    ),
    mutant(
        "0 is the name of nobody",
        "crates/ir/src/arithmetic.rs",
        "} else if «word == 0» {",
        "false",
        "nobody",
    ),
    mutant(
        "computing with names is noted",
        EVALUATE,
        "self.observes_layout |= «is_word && is_name_of_thread(program, state, bits)»;",
        "false",
        "pthread_self",
    ),
    mutant(
        "nobody joins itself",
        THREADS,
        "if !uses_cancel && «self.lowering.features.uses_own_name» =>",
        "false",
        "pthread_join(pthread_self",
    ),
    mutant(
        "no thread of C11 joins itself",
        THREADS,
        "(\"is_own_name\", [_]) if «!self.lowering.features.uses_own_name» =>",
        "true",
        "thrd_join(thrd_current",
    ),
    mutant(
        "who takes a checked mutex twice is told",
        LOCKS,
        "Some(holder) if «holder == thread && kind == MutexKind::ErrorChecking» =>",
        "false",
        "ERRORCHECK",
    ),
    mutant(
        "who writes and wants to write is told",
        LOCKS,
        "} else if «*writer == Some(thread)» {",
        "false",
        "rwlock",
    ),
    mutant(
        "who writes and wants to read is told",
        LOCKS,
        "Some(holder) if «holder == thread» => warn_of_itself(choice),",
        "false",
        "rwlock",
    ),
    // The beginning and the end of a process.
    mutant(
        "priorities order constructors and destructors",
        STARTUP,
        "«found.sort_by_key(|(rank, _)| *rank);»",
        "",
        "log",
    ),
    mutant(
        "destructors run backwards",
        STARTUP,
        "«found.reverse();»",
        "",
        "log",
    ),
    mutant(
        "the first section holds constructors",
        STARTUP,
        "When::Beginning => «\".init_array\"»,",
        "\".nothing\"",
        "log",
    ),
    mutant(
        "the last section holds destructors",
        STARTUP,
        "When::End => «\".fini_array\"»,",
        "\".nothing\"",
        "log",
    ),
    mutant(
        "the very first section is called",
        STARTUP,
        "if «when == When::Beginning && section == PREINIT» {",
        "false",
        "log",
    ),
    mutant(
        "destructors are called",
        PROCESS_C,
        "«add(run_destructors, 0, 0, 0);»",
        "",
        "log",
    ),
    mutant(
        "quick ends call their functions",
        PROCESS_C,
        "            __raddle_exit(status);\n        «next();»",
        ";",
        "quick_exit",
    ),
    mutant(
        "the last thread ends the process",
        PTHREAD_C,
        "if (is_last)\n        «exit(0);»",
        ";",
        "log",
    ),
    mutant(
        "a thread of C11 leaves",
        THREADS_C,
        "«__raddle_leave();»\n    __raddle_exit_thread((void *)(intptr_t)result);",
        "",
        "thrd_exit",
    ),
    // What is read-only.
    mutant(
        "what is read-only is not written",
        "crates/ir/src/interpret/memory.rs",
        "Some(origin) if «origin.read_only(program).touches(offset, size)» =>",
        "false",
        "static const",
    ),
    mutant(
        "formulas know what is read-only",
        "crates/encode/src/memory.rs",
        "targets.retain(|it| «!self.objects[&it.object].read_only.touches(it.offset, size)»);",
        "true",
        "static const",
    ),
    mutant(
        "literals are read-only",
        "crates/front_c/src/lower/read_only.rs",
        "} else if «object.is_string_literal» || object.ty.is_const {",
        "false",
        "char *text",
    ),
    mutant(
        "constants are read-only",
        OBJECTS,
        "read_only: «self.read_only_object(object)»,",
        "ReadOnly::NOTHING",
        "static const",
    ),
    // Owners and lives of spin locks and semaphores.
    mutant(
        "who holds a spin lock releases it",
        LOCKS,
        "return match «kind» {",
        "if kind == MutexKind::Spin { MutexKind::Recursive } else { kind }",
        "pthread_spin",
    ),
    mutant(
        "a spin lock that is held is not destroyed",
        "crates/ir/src/interpret/sync/mod.rs",
        "«Some(\"a spin lock is destroyed while it is held\")»",
        "None",
        "pthread_spin_destroy",
    ),
    mutant(
        "an attempt at a spin lock orders nothing",
        "crates/engine/src/weakness.rs",
        "if «operation.is_attempt()»)",
        "operation.is_attempt() && *operation != raddle_ir::SyncOperation::SpinTry",
        "pthread_spin_trylock",
    ),
    mutant(
        "what is destroyed is not used",
        SYNC_OBJECTS,
        "let before = «target.syncs.remove(&offset)».expect(\"found\");",
        "target.syncs.get(&offset).cloned()",
        "_destroy",
    ),
    mutant(
        "a semaphore is destroyed before it is made again",
        SYNC_OBJECTS,
        "if let Some(Sync::Semaphore { .. }) = «target.syncs.get(&offset)» {",
        "None",
        "sem_init",
    ),
    mutant(
        "a semaphore has a highest value",
        "crates/ir/src/interpret/sync/semaphores.rs",
        "if «*value >= SEMAPHORE_MAXIMUM» {",
        "false",
        "SEM_VALUE_MAX",
    ),
];
