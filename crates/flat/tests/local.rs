//! Steps that go on over what nobody else can see miss no violation: what is violated, against the enumeration of all executions.

mod walk;

use raddle_engine::Reduction;
use raddle_flat::Limits;
use raddle_generate::{Profile, generate};
use walk::{violated_by_flat, violated_by_program};

/// Programs with more states are not looked at.
const STATES: usize = 3_000;

fn number_from(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.and_then(|it| it.parse().ok()).unwrap_or(default)
}

#[test]
fn quiet_edges_hide_no_violation() {
    let local = Limits {
        reduction: Reduction::Local,
        ..Limits::default()
    };
    let first = number_from("RADDLE_SEED", 1);
    let last = first + number_from("RADDLE_CASES", 150);
    let (mut compared, mut violations, mut states, mut all) = (0_usize, 0_usize, 0_usize, 0_usize);
    for seed in first..last {
        let program = generate(seed, &Profile::default());
        let Some(truth) = violated_by_program(&program, STATES) else {
            continue;
        };
        for limits in [local, Limits::default()] {
            let found = violated_by_flat(&program, &limits, STATES);
            let found = found.unwrap_or_else(|problem| panic!("seed {seed}: {problem}"));
            let Some((violated, visited)) = found else {
                continue;
            };
            let text = raddle_ir::print::print(&program);
            assert_eq!(violated, truth, "seed {seed}, {}\n{text}", limits.reduction);
            if limits.reduction == Reduction::Local {
                compared += 1;
                violations += violated.len();
                states += visited;
            } else {
                all += visited;
            }
        }
    }
    println!("{compared} programs, {violations} violations, {states} states of {all}");
    assert!(compared > 50 || last - first < 100);
    assert!(states < all, "blocks leave states out");
}
