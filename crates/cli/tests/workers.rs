//! Several workers on searches that are long enough to be shared.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use support::{file, run};

/// How many states and steps a search has seen, as it says.
fn seen(name: &str, jobs: &str) -> (String, String) {
    let it = run(&[
        "check",
        "-v",
        "--engine=explicit",
        "--reduction=none",
        "--property=assert",
        "--jobs",
        jobs,
        name,
    ]);
    assert_eq!(it.code, Some(0), "{it:?}");
    let counter = |name: &str| {
        let (_, rest) = it.stdout.split_once(name).unwrap();
        rest.chars().take_while(char::is_ascii_digit).collect()
    };
    (counter(", states "), counter(", transitions "))
}

/// States of many parts have inner nodes, and vectors are packed anew while workers are at it.
#[test]
fn workers_see_what_one_sees_where_states_have_many_parts() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (model, constant, size) in [("sort", "N", "7"), ("leader", "N", "4")] {
        let text =
            std::fs::read_to_string(root.join(format!("examples/spin/{model}.rad"))).unwrap();
        let mark = format!(" /*{constant}*/");
        let (_, rest) = text.split_once(&mark).unwrap();
        assert!(rest.contains(&mark), "{model}");
        let before = text.split(&mark).next().unwrap();
        let old: String = before
            .chars()
            .rev()
            .take_while(char::is_ascii_digit)
            .collect();
        let text = text.replace(&format!("{old}{mark}"), &format!("{size}{mark}"));
        let name = file(&format!("workers-{model}.rad"), text);
        let one = seen(&name, "1");
        assert!(one.0.len() >= 5, "it is shared only then: {one:?}");
        for jobs in ["2", "3", "5"] {
            assert_eq!(seen(&name, jobs), one, "{model}, {jobs} workers");
        }
    }
}
