//! Every execution of a program is matched step by step by its flat program, up to and including its first violation or hazard,
//! and the other way round: both are walked side by side, on random programs.

mod walk;

use raddle_flat::Limits;
use raddle_generate::{Profile, generate};

use walk::{Compared, compare};

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
        match compare(&program, &Limits::default()) {
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
