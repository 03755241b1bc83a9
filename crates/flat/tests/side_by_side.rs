//! Every execution of a program is matched step by step by its flat program, up to and including its first violation or hazard,
//! and the other way round: both are walked side by side, on random programs.

mod walk;

use raddle_base::Id;
use raddle_flat::{Flat, Limits, Meaning};
use raddle_generate::{Profile, generate};
use raddle_ir::interpret::Property;

use walk::{Compared, compare, compare_with};

fn number_from(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.and_then(|it| it.parse().ok()).unwrap_or(default)
}

fn seeds(cases: u64) -> std::ops::Range<u64> {
    let first = number_from("RADDLE_SEED", 1);
    first..first + number_from("RADDLE_CASES", cases)
}

#[test]
fn random_programs_and_their_flat_ones_go_side_by_side() {
    let mut whole = 0_usize;
    let (mut skipped, mut hazards, mut nodes) = (0_usize, 0_usize, 0_usize);
    for seed in seeds(150) {
        let program = generate(seed, &Profile::default());
        match compare(&program, &Limits::default(), 150) {
            Ok(Compared::Skipped(why)) => {
                if std::env::var_os("RADDLE_SEED").is_some() {
                    println!("{seed}: skipped: {why}");
                }
                skipped += 1;
            }
            Ok(Compared::Matched(matched)) => {
                nodes += matched.nodes;
                if matched.hazards.is_empty() {
                    whole += 1;
                } else {
                    hazards += 1;
                    if std::env::var_os("RADDLE_SEED").is_some() {
                        println!("{seed}: {:?}", matched.hazards);
                        if std::env::var_os("RADDLE_SHOW").is_some() {
                            println!("{}", raddle_ir::print::print(&program));
                        }
                    }
                }
            }
            Err(problem) => {
                let text = raddle_ir::print::print(&program);
                panic!("seed {seed}: {problem}\n{text}");
            }
        }
    }
    println!("{whole} without hazard, {hazards} with, {skipped} skipped, {nodes} states");
    assert!(
        whole > hazards + skipped,
        "most programs are compared wholly"
    );
}

/// Something that is wrong on purpose; whether there was anything to spoil.
type Mutation = fn(&mut Flat<'_>) -> bool;

/// How many programs it takes until a mutation is noticed.
fn noticed_after(mutation: Mutation) -> Option<u64> {
    let mut tried = 0;
    for seed in 1..1_000 {
        let program = generate(seed, &Profile::default());
        let mut is_spoilt = false;
        let compared = compare_with(&program, (&Limits::default(), 60), &mut |flat| {
            is_spoilt = mutation(flat);
        });
        tried += u64::from(is_spoilt);
        if compared.is_err() {
            return Some(tried);
        }
    }
    None
}

/// Targets that are never reached any more.
fn drop_targets(flat: &mut Flat<'_>, is_it: impl Fn(&Meaning) -> bool) -> bool {
    let never = flat.system.terms.truth(false);
    let count = flat.system.targets.len();
    let ids = (0..count).map(raddle_logic::TargetId::from_index);
    let meant: Vec<_> = ids.filter(|it| is_it(flat.meaning(*it))).collect();
    for dropped in &meant {
        flat.system.targets[dropped.index()].condition = never;
    }
    !meant.is_empty()
}

fn violates(meaning: &Meaning, wanted: Property) -> bool {
    matches!(meaning, Meaning::Violation { property, .. } if *property == wanted)
}

/// A state variable that keeps what it holds.
fn freeze(flat: &mut Flat<'_>, is_it: impl Fn(&str) -> bool) -> bool {
    let terms = &flat.system.terms;
    let mut variables = flat.system.state.iter_mut();
    let found =
        variables.find(|it| it.next != it.current && is_it(terms.variable_name(it.variable)));
    if let Some(it) = found {
        it.next = it.current;
        return true;
    }
    false
}

#[test]
fn what_is_wrong_on_purpose_is_noticed() {
    let mutations: [(&str, Mutation); 9] = [
        ("dropped hazards", |flat| {
            drop_targets(flat, |it| matches!(it, Meaning::Hazard { .. }))
        }),
        ("dropped assertions", |flat| {
            drop_targets(flat, |it| violates(it, Property::Assert))
        }),
        ("dropped misuse of locks", |flat| {
            drop_targets(flat, |it| violates(it, Property::LockMisuse))
        }),
        ("a lock that nobody takes", |flat| {
            freeze(flat, |name| name.ends_with(": owner"))
        }),
        ("a semaphore that keeps its value", |flat| {
            freeze(flat, |name| name.ends_with(": value"))
        }),
        ("a thread that never ends", |flat| {
            freeze(flat, |name| name.ends_with(": has ended"))
        }),
        ("a thread that stays where it is", |flat| {
            freeze(flat, |name| name.ends_with(" is at"))
        }),
        ("an object that lives for ever", |flat| {
            freeze(flat, |name| name.ends_with(" lives"))
        }),
        ("steps that are always possible", |flat| {
            flat.system.constraint = flat.system.terms.truth(true);
            true
        }),
    ];
    for (name, mutation) in mutations {
        let after = noticed_after(mutation);
        println!("{name}: noticed after {after:?} programs");
        assert!(after.is_some(), "{name} is not noticed");
    }
}
