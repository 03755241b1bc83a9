//! How many blocks the bounded engine needs for the proofs of DR's examples (DR §6): `dynamic` never more than `phase`, and
//! fewer where a condition of DR Table 2 applies.

use raddle_engine::{Budget, Property, Reduction, Semantics, Silent, Task, Verdict};
use raddle_engine_bmc::BmcEngine;
use raddle_ir::Program;
use raddle_testkit::{run, walk};

/// A program of a paper, with one number in it replaced.
fn program(name: &str, (old, new): (&str, &str)) -> Program {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    let test = programs
        .into_iter()
        .find(|it| it.name == format!("examples/papers/{name}.rad"))
        .expect("it is among the programs");
    assert!(test.source.contains(old), "{name} has no `{old}`");
    let header = test.header().expect("it has a header");
    run::load(&test.source.replace(old, new), &header).expect("it is a program")
}

/// The blocks after which no execution goes on.
fn blocks(program: &Program, reduction: Reduction) -> u64 {
    let task = Task::new(
        program,
        Semantics {
            properties: vec![Property::Assert],
            ..Semantics::default()
        },
    );
    let answer = raddle_engine::decide(
        &mut BmcEngine::new(reduction),
        &task,
        &Budget::unlimited(),
        &mut Silent,
    );
    let verdict = &answer.verdicts[&Property::Assert];
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    answer.counters["blocks"]
}

/// The blocks with `phase` and with `dynamic`.
fn compared(name: &str, replaced: (&str, &str)) -> (u64, u64) {
    let program = program(name, replaced);
    (
        blocks(&program, Reduction::Phase),
        blocks(&program, Reduction::Dynamic),
    )
}

#[test]
fn lookups_of_what_is_there_are_one_block_a_thread() {
    let same = ("u8", "u8");
    assert_eq!(compared("dr-fig5-hash-table-present", same), (13, 7));
    assert_eq!(compared("dr-fig5-hash-table-half", same), (17, 8));
    assert_eq!(compared("dr-fig5-hash-table-absent", same), (9, 9));
}

#[test]
fn seven_threads_look_for_what_is_there() {
    let seven = ("number_of_threads: u8 = 2", "number_of_threads: u8 = 7");
    let program = program("dr-fig5-hash-table-present", seven);
    assert_eq!(blocks(&program, Reduction::Dynamic), 17);
}

#[test]
fn a_critical_section_under_a_lock_that_was_picked_is_one_block() {
    assert_eq!(compared("dr-dynamic-locking", ("u8", "u8")), (22, 6));
}

#[test]
fn counting_where_nobody_else_counts_is_one_block_however_long() {
    let limit = "limit: u32 = 6";
    let short = compared("dr-fig6-load-balancing", (limit, "limit: u32 = 1"));
    assert_eq!(short, (12, 6));
    let long = program("dr-fig6-load-balancing", (limit, "limit: u32 = 1024"));
    assert_eq!(blocks(&long, Reduction::Dynamic), 6);
}

#[test]
fn initialisation_that_is_over_is_in_nobodys_way() {
    assert_eq!(
        compared("dr-fig4-lazy-initialization", ("i < 2", "i < 1")),
        (23, 19)
    );
}
