//! Every function of threads, locks, atomic accesses and verifiers has a program in which all is well and one in which
//! something is wrong.

use std::collections::{BTreeMap, BTreeSet};

use raddle_front_c::modelled;
use raddle_testkit::header::{Expected, Header, Truth};
use raddle_testkit::walk;

/// What `stdatomic.h` offers (C11 7.17); its header makes builtins of them.
const STDATOMIC: [&str; 29] = [
    "atomic_init",
    "kill_dependency",
    "atomic_thread_fence",
    "atomic_signal_fence",
    "atomic_is_lock_free",
    "atomic_store",
    "atomic_store_explicit",
    "atomic_load",
    "atomic_load_explicit",
    "atomic_exchange",
    "atomic_exchange_explicit",
    "atomic_compare_exchange_strong",
    "atomic_compare_exchange_strong_explicit",
    "atomic_compare_exchange_weak",
    "atomic_compare_exchange_weak_explicit",
    "atomic_fetch_add",
    "atomic_fetch_add_explicit",
    "atomic_fetch_sub",
    "atomic_fetch_sub_explicit",
    "atomic_fetch_or",
    "atomic_fetch_or_explicit",
    "atomic_fetch_xor",
    "atomic_fetch_xor_explicit",
    "atomic_fetch_and",
    "atomic_fetch_and_explicit",
    "atomic_flag_test_and_set",
    "atomic_flag_test_and_set_explicit",
    "atomic_flag_clear",
    "atomic_flag_clear_explicit",
];

const PROGRAMS: &str = "tests/c/";
const ENGINE: &str = "reference";

/// What a program that uses a name is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// All properties hold.
    Safe,
    /// All properties hold, and the engine says so of one at least.
    Decided,
    /// Some property is violated.
    Unsafe,
    /// The engine can say nothing of any property.
    Unknown,
}

#[test]
fn every_function_has_a_safe_and_an_unsafe_program() {
    let uses = uses();
    let found = |name: &str| {
        // The beginning of names is found in those that are no functions of their own.
        uses.iter()
            .filter(|(word, _)| match name.strip_suffix('_') {
                Some(_) => word.starts_with(name) && !is_listed(word),
                None => *word == name,
            })
            .flat_map(|(_, kinds)| kinds.iter().copied())
            .collect::<BTreeSet<Kind>>()
    };
    let mut missing = Vec::new();
    let mut want = |name: &str, what: &str, is_there: bool| {
        if !is_there {
            missing.push(format!("`{name}` is in no program {what}"));
        }
    };
    for function in modelled::functions() {
        let name = &*function.name;
        let uses = found(name);
        if function.is_refused {
            let is_reached = uses.contains(&Kind::Unknown);
            want(name, "that is unknown because it is called", is_reached);
            let is_avoided = uses.contains(&Kind::Decided);
            want(name, "that is safe because it is not called", is_avoided);
        } else {
            want(name, "that is safe", uses.contains(&Kind::Safe));
            want(name, "that is unsafe", uses.contains(&Kind::Unsafe));
        }
    }
    for name in STDATOMIC {
        let uses = found(name);
        want(name, "that is safe", uses.contains(&Kind::Safe));
        want(name, "that is unsafe", uses.contains(&Kind::Unsafe));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn is_listed(word: &str) -> bool {
    modelled::functions().iter().any(|it| it.name == word)
}

/// By the names that stand in programs.
fn uses() -> BTreeMap<String, BTreeSet<Kind>> {
    let root = walk::repository_root();
    let mut uses: BTreeMap<String, BTreeSet<Kind>> = BTreeMap::new();
    for program in walk::programs(&root).expect("tests/ holds programs") {
        if !program.name.starts_with(PROGRAMS) {
            continue;
        }
        let header = program.header().expect("headers are checked elsewhere");
        let is_safe = header.truth.values().all(|truth| *truth == Truth::Safe);
        let is_unknown = answers(&header).all(|it| it == Expected::Unknown);
        let kinds = [
            (Kind::Safe, is_safe),
            (Kind::Decided, is_safe && !is_unknown),
            (Kind::Unsafe, !is_safe),
            (Kind::Unknown, is_unknown),
        ];
        let kinds = kinds.into_iter().filter(|(_, is_one)| *is_one);
        let kinds: Vec<Kind> = kinds.map(|(kind, _)| kind).collect();
        for word in words(&program.source) {
            uses.entry(word.to_owned()).or_default().extend(&kinds);
        }
    }
    uses
}

fn answers(header: &Header) -> impl Iterator<Item = Expected> {
    header
        .truth
        .keys()
        .filter_map(|property| header.expected(ENGINE, *property))
}

/// Names outside of comments; what stands in literals does no harm.
fn words(source: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    let mut is_comment = false;
    for line in source.lines() {
        let code = line.split("//").next().unwrap_or_default();
        for part in code.split_inclusive("*/") {
            if is_comment {
                is_comment = !part.ends_with("*/");
                continue;
            }
            let code = part.split("/*").next().unwrap_or_default();
            is_comment = code.len() < part.len() && !part.ends_with("*/");
            words.extend(code.split(|it: char| !it.is_ascii_alphanumeric() && it != '_'));
        }
    }
    words
}
