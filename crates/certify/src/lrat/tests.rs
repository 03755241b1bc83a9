use raddle_base::Random;
use raddle_logic::{Literal, Outcome, Proving, Sat};

use super::*;

fn checked(clauses: &[&[i32]], text: &str) -> Result<(), FlawKind> {
    let clauses: Vec<Vec<i32>> = clauses.iter().map(|it| it.to_vec()).collect();
    check(&clauses, text.as_bytes(), &Budget::unlimited()).map_err(|flaw| flaw.kind)
}

const CONTRADICTION: [&[i32]; 4] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];

#[test]
fn a_refutation_that_follows_is_accepted() {
    let text = "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n";
    assert_eq!(checked(&CONTRADICTION, text), Ok(()));
}

#[test]
fn what_does_not_follow_is_refused() {
    for (text, flaw) in [
        ("", FlawKind::NoEmptyClause),
        ("5 1 0 1 2 0\n", FlawKind::NoEmptyClause),
        ("5 0 1 2 0\n", FlawKind::NotUnit),
        ("5 1 0 1 0\n", FlawKind::NothingContradicted),
        ("5 1 0 1 9 0\n", FlawKind::WrongNumber),
        ("4 1 0 1 2 0\n", FlawKind::WrongNumber),
        ("5 d 1 1 0\n", FlawKind::WrongNumber),
        ("5 1 0 -1 2 0\n", FlawKind::NotByUnits),
        ("5 1 0 1 2\n", FlawKind::Malformed),
        ("5 1 0 1 2 0 7\n", FlawKind::Malformed),
        ("5 -2147483648 0 1 2 0\n", FlawKind::Malformed),
        ("5 1 0 99999999999999999999 0\n", FlawKind::Malformed),
        ("\u{fffd} 0\n", FlawKind::Malformed),
    ] {
        assert_eq!(checked(&CONTRADICTION, text), Err(flaw), "{text}");
    }
}

/// The clauses 3-SAT of some variables and their refutation, if they have one.
fn refuted(seed: u64) -> Option<Proving> {
    let mut random = Random::new(seed);
    let mut sat = Proving::new();
    let variables: Vec<Literal> = (0..12).map(|_| sat.new_variable()).collect();
    for _ in 0..70 {
        let clause: Vec<Literal> = (0..3)
            .map(|_| {
                let variable = *random.pick(&variables);
                if random.chance(50) {
                    variable
                } else {
                    !variable
                }
            })
            .collect();
        sat.add_clause(&clause);
    }
    (sat.solve(&[], &Budget::unlimited()) == Outcome::Unsatisfiable).then_some(sat)
}

#[test]
fn what_the_solver_writes_is_accepted() {
    let budget = Budget::unlimited();
    let mut count = 0;
    for sat in (0..300).filter_map(refuted) {
        count += 1;
        let text = sat.refutation();
        assert_eq!(check(sat.clauses(), text.as_bytes(), &budget), Ok(()));
    }
    assert!(count > 100, "{count} of 300 were refuted");
}

/// Whether some values satisfy all clauses, by trying all.
fn is_satisfiable(clauses: &[Vec<i32>]) -> bool {
    (0..1_u32 << 12).any(|values| {
        let is_true =
            |&literal: &i32| (values >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0);
        clauses.iter().all(|clause| clause.iter().any(is_true))
    })
}

#[test]
fn a_damaged_refutation_is_refused_or_refutes_all_the_same() {
    let budget = Budget::unlimited();
    let [mut refused, mut harmless] = [0, 0];
    for (seed, sat) in (0..100).filter_map(|seed| Some((seed, refuted(seed)?))) {
        let whole = sat.refutation().into_bytes();
        let mut random = Random::new(seed);
        for _ in 0..100 {
            let mut text = whole.clone();
            let at = random.below(text.len());
            text[at] = *random.pick(b"0123456789-d \n\xff");
            // What is refuted here has no model in any case: what is claimed of fewer clauses is what can be wrong.
            let fewer = &sat.clauses()[..random.between(1, sat.clauses().len())];
            for clauses in [sat.clauses(), fewer] {
                match check(clauses, &text, &budget) {
                    Ok(()) => {
                        assert!(!is_satisfiable(clauses), "seed {seed}, byte {at}");
                        harmless += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 5000 && harmless > 0, "{refused}, {harmless}");
}
