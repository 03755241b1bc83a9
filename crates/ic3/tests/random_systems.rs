//! Random systems against the enumeration of their states. Every proof is checked, every execution executed.

mod support;

use raddle_base::{Budget, Random};
use raddle_certify::certificate;
use raddle_ic3::{
    Abstraction, Flaw, GaveUp, Given, Outcome, Reached, check, check_with, first_predicates, guess,
    induction,
};
use raddle_logic::{Certificate, TermId, TransitionSystem};

use support::{is_reachable, random_system};

/// How many systems are made.
const SYSTEMS: u64 = 400;

/// Whether the steps are an execution that ends with the target.
fn is_execution(system: &TransitionSystem, found: &Reached) -> bool {
    let Some(first) = found.steps.first() else {
        return false;
    };
    let mut state = first.state.clone();
    if !system.is_initial(&state) {
        return false;
    }
    for (index, step) in found.steps.iter().enumerate() {
        let is_last = index + 1 == found.steps.len();
        match system.step(&state, &step.inputs) {
            Some((after, reached)) if step.state == state => {
                if reached.is_some() != is_last || (is_last && reached != Some(found.target)) {
                    return false;
                }
                state = after;
            }
            Some(_) | None => return false,
        }
    }
    true
}

/// What is wrong with the answer on one system; `None` if nothing is.
fn mistake(seed: u64, with_predicates: bool, flaw: Option<Flaw>) -> Option<String> {
    let mut system = random_system(seed);
    assert_eq!(system.broken_rule(), None, "seed {seed}");
    let truth = is_reachable(&system);
    let abstraction = if with_predicates {
        Abstraction::Predicates(Vec::new())
    } else {
        Abstraction::Bits
    };
    let budget = Budget::unlimited().with_looks(200_000);
    let given = Given {
        flaw,
        ..Given::default()
    };
    let outcome = check_with(&mut system, &abstraction, &given, &budget).0;
    judge(seed, &mut system, truth, outcome)
}

/// What is wrong with an outcome, if something is.
fn judge(
    seed: u64,
    system: &mut TransitionSystem,
    truth: bool,
    outcome: Outcome,
) -> Option<String> {
    match outcome {
        Outcome::Proved(claim) => {
            let checked = certificate::check(system, &claim, &Budget::unlimited());
            match checked {
                Err(doubt) => Some(format!("seed {seed}: {doubt}")),
                Ok(_) if truth => Some(format!("seed {seed}: a wrong proof was accepted")),
                Ok(_) => None,
            }
        }
        Outcome::Reached(found) if is_execution(system, &found) => {
            (!truth).then(|| format!("seed {seed}: reached what is not reachable"))
        }
        Outcome::Reached(_) => Some(format!("seed {seed}: no execution")),
        Outcome::GaveUp(why) => Some(format!("seed {seed}: {why}")),
    }
}

#[test]
fn every_answer_is_right_and_there_always_is_one() {
    for with_predicates in [false, true] {
        let found: Vec<String> = (0..SYSTEMS)
            .filter_map(|seed| mistake(seed, with_predicates, None))
            .collect();
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn both_answers_are_common() {
    let reachable = (0..SYSTEMS)
        .filter(|&seed| is_reachable(&random_system(seed)))
        .count() as u64;
    assert!(
        reachable > SYSTEMS / 5 && reachable < SYSTEMS * 4 / 5,
        "{reachable}"
    );
}

#[test]
fn a_frame_that_is_not_inductive_is_noticed() {
    for flaw in [Flaw::PushesUnasked, Flaw::BeginsAnywhere] {
        let found = (0..SYSTEMS).find_map(|seed| mistake(seed, false, Some(flaw)));
        assert!(found.is_some(), "{flaw:?}");
    }
}

#[test]
fn a_predicate_that_is_not_refined_is_noticed() {
    let flaw = Some(Flaw::BelievesAbstraction);
    let found = (0..SYSTEMS).find_map(|seed| mistake(seed, true, flaw));
    assert!(found.is_some());
}

#[test]
fn answers_are_the_same_every_time() {
    for seed in 0..20 {
        let answers = [(); 2].map(|()| {
            let mut system = random_system(seed);
            let abstraction = Abstraction::Predicates(Vec::new());
            let (outcome, counters) = check(&mut system, &abstraction, &Budget::unlimited());
            format!("{outcome:?} {counters:?}")
        });
        assert_eq!(answers[0], answers[1], "seed {seed}");
    }
}

#[test]
fn guesses_are_inductive_and_help() {
    let budget = Budget::unlimited();
    let mut decided = 0;
    for seed in 0..SYSTEMS {
        let mut system = random_system(seed);
        let truth = is_reachable(&system);
        let lemmas = guess(&mut system, seed, &budget).unwrap();
        let claim = Certificate {
            invariant: lemmas.clone(),
            depth: 1,
        };
        let doubt = certificate::check(&mut system, &claim, &budget).err();
        assert!(
            matches!(doubt, None | Some(certificate::Doubt::TargetNotExcluded)),
            "seed {seed}: {doubt:?}"
        );
        match induction(&mut system, &lemmas, 4, &budget) {
            Outcome::GaveUp(GaveUp::DepthReached(_)) => {}
            outcome => {
                decided += 1;
                assert_eq!(judge(seed, &mut system, truth, outcome), None);
            }
        }
        let given = Given {
            lemmas,
            ..Given::default()
        };
        let abstraction = Abstraction::Predicates(first_predicates(&mut system));
        let outcome = check_with(&mut system, &abstraction, &given, &budget).0;
        assert_eq!(judge(seed, &mut system, truth, outcome), None);
    }
    assert!(decided > SYSTEMS / 2, "{decided}");
}

/// Lemmas, and literals over single variables that come to mind.
fn wild_claims(system: &mut TransitionSystem, random: &mut Random) -> Vec<TermId> {
    let lemmas = guess(system, 0, &Budget::unlimited()).expect("nothing ends it");
    let mut found: Vec<TermId> = lemmas.into_iter().filter(|_| random.chance(50)).collect();
    for _ in 0..random.between(0, 3) {
        let word = system.state[random.below(system.state.len())].current;
        let value = u128::try_from(random.below(4)).expect("small");
        let value = value & (u128::MAX >> (128 - system.terms.width(word)));
        let bound = system.terms.constant(value, system.terms.width(word));
        found.push(if random.chance(50) {
            system.terms.less_equal_unsigned(word, bound)
        } else {
            system.terms.differ(word, bound)
        });
    }
    found
}

#[test]
fn no_certificate_is_accepted_where_a_target_is_reached() {
    let mut refused = 0;
    for seed in 0..SYSTEMS {
        let mut system = random_system(seed);
        if !is_reachable(&system) {
            continue;
        }
        let mut random = Random::new(seed);
        for depth in [1, 1, 2, 3] {
            let claim = Certificate {
                invariant: wild_claims(&mut system, &mut random),
                depth,
            };
            let checked = certificate::check(&mut system, &claim, &Budget::unlimited());
            assert!(checked.is_err(), "seed {seed}: {claim:?}");
            refused += 1;
        }
    }
    assert!(refused > 300, "{refused}");
}

#[test]
fn a_malformed_certificate_is_refused() {
    let mut system = random_system(0);
    let input = system.terms.variable_term(system.inputs[0]);
    let of_input = system.terms.equals_constant(input, 0);
    let truth = system.terms.truth(true);
    for (invariant, depth) in [(vec![of_input], 1), (vec![input], 1), (vec![truth], 0)] {
        let claim = Certificate { invariant, depth };
        let checked = certificate::check(&mut system, &claim, &Budget::unlimited());
        let is_refused = matches!(checked, Err(certificate::Doubt::Malformed(_)));
        assert!(is_refused, "{claim:?}: {checked:?}");
    }
}
