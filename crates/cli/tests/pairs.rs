//! `raddle movers --pairs` on the programs of the paper: what MAT counts.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use serde_json::Value;
use support::run;

fn example(name: &str) -> String {
    format!(
        "{}/../../examples/papers/{name}",
        env!("CARGO_MANIFEST_DIR")
    )
}

/// All passes, transactions, and passes kept.
fn counted(program: &str, options: &[&str]) -> (u64, usize, usize) {
    let program = example(program);
    let it = run(&[&["movers", "--pairs", "--json", &program], options].concat());
    assert_eq!(it.code, Some(0), "{it:?}");
    let report: Value = serde_json::from_str(&it.stdout).unwrap();
    let length = |name: &str| report[name].as_array().unwrap().len();
    let all = report["all_pairs"].as_u64().unwrap();
    (all, length("mats"), length("pairs"))
}

#[test]
fn figure_1_has_five_transactions_and_eight_of_32_passes() {
    assert_eq!(counted("mat-fig1.rad", &[]), (32, 5, 8));
    let it = run(&["movers", "--pairs", &example("mat-fig1.rad")]);
    for transactions in [
        "`m1.1` (line 18) to `m1.3` (line 20), `m2.1` (line 27) to `m2.2` (line 28)",
        "`m1.4` (line 21) to `m1.4` (line 21), `m2.1` (line 27) to `m2.4` (line 30)",
        "`m1.1` (line 18) to `m1.1` (line 18), `m2.3` (line 29) to `m2.4` (line 30)",
        "`m1.4` (line 21) to `m1.4` (line 21), `m2.3` (line 29) to `m2.4` (line 30)",
        "`m1.2` (line 19) to `m1.4` (line 21), `m2.3` (line 29) to `m2.4` (line 30)",
    ] {
        assert!(it.stdout.contains(transactions), "{it:?}");
    }
}

#[test]
fn the_programs_of_table_1_have_the_numbers_of_table_1() {
    let rounds = |program: &str, rounds: u32| {
        let defined = format!("-DROUNDS={rounds}");
        counted(program, &["--", &defined])
    };
    let fibonacci = "mat-table1-fibonacci.c";
    assert_eq!(rounds(fibonacci, 2), (48, 14, 23));
    assert_eq!(rounds(fibonacci, 10), (880, 390, 591));
    let sections = "mat-table1-sections.c";
    assert_eq!(rounds(sections, 2), (192, 4, 8));
    assert_eq!(rounds(sections, 10), (3520, 100, 200));
}
