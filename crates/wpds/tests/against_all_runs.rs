//! `post*` and `pre*` against all runs of random systems, in semirings that tell runs apart.

#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::convert::Infallible;

use raddle_wpds::automaton::state_of;
use raddle_wpds::semiring::{LeastCost, Reachability};
use raddle_wpds::{
    Automaton, Configuration, Configurations, Order, Pushdown, Semiring, broken_law, post_star,
    post_star_in_order, pre_star,
};

use support::domains::{ExplicitRelations, Words};
use support::runs::{Reached, reached};
use support::{Random, random_start, random_system, small_configurations};

fn weight_in<S: Semiring>(
    semiring: &S,
    automaton: &Automaton<S::Weight>,
    of: &Configuration,
) -> S::Weight {
    automaton.weight(semiring, of.control, &of.stack).unwrap()
}

fn is_below<S: Semiring>(semiring: &S, low: &S::Weight, high: &S::Weight) -> bool {
    semiring.combine(low, high).unwrap() == *high
}

/// The weights of an automaton against those that were found run by run, and so the sums over stacks.
fn assert_same<S: Semiring>(
    semiring: &S,
    system: &Pushdown<S::Weight>,
    automaton: &Automaton<S::Weight>,
    expected: &Reached<S::Weight>,
    case: &str,
) {
    let mut all: Vec<Configuration> = small_configurations(system, 2);
    all.extend(expected.weights.keys().cloned());
    for configuration in &all {
        let found = weight_in(semiring, automaton, configuration);
        let known = expected.weights.get(configuration).cloned();
        let known = known.unwrap_or_else(|| semiring.zero());
        if expected.is_all {
            assert_eq!(found, known, "{case}: {configuration:?}");
        }
        assert!(
            is_below(semiring, &known, &found),
            "{case}: {configuration:?}"
        );
        let is_accepted = automaton.accepts(configuration.control, &configuration.stack);
        assert!(is_accepted || semiring.is_zero(&found), "{case}");
    }
    let sums = automaton.sums(semiring).unwrap();
    let mut everything = semiring.zero();
    for control in system.controls() {
        let found = sums.of_control(semiring, control).unwrap();
        everything = semiring.combine(&everything, &found).unwrap();
        let mut known = semiring.zero();
        for (configuration, weight) in &expected.weights {
            if configuration.control == control {
                known = semiring.combine(&known, weight).unwrap();
            }
        }
        if expected.is_all {
            assert_eq!(found, known, "{case}: sum for {control:?}");
        }
        assert!(is_below(semiring, &known, &found), "{case}: {control:?}");
    }
    let together = sums.of_controls(semiring, system.controls()).unwrap();
    assert_eq!(together, everything, "{case}");
}

/// `post*` from one configuration against all runs; then `pre*` of small configurations against `post*`.
fn check<S: Semiring<Error = Infallible>>(
    semiring: &S,
    system: &Pushdown<S::Weight>,
    random: &mut Random,
    deepest: usize,
    case: &str,
) {
    let start = random_start(random, system);
    let one = semiring.one();
    let from = Configurations::one(semiring, system, start.control, &start.stack, &one);
    let Ok(post) = post_star(semiring, system, &from);
    let expected = reached(semiring, system, &[(start.clone(), one.clone())], deepest);
    assert_same(semiring, system, &post.automaton, &expected, case);
    let Ok(other) = post_star_in_order(semiring, system, &from, Order::Controls);
    assert_same(semiring, system, &other.automaton, &expected, case);
    for control in system.controls() {
        if let Some(run) = other.run_to_control(control, 1000) {
            let run = run.unwrap();
            assert_eq!(run.start, start, "{case}");
            assert_eq!(
                system.replay(&run.start, &run.rules),
                Some(run.end),
                "{case}"
            );
        }
    }
    let small = small_configurations(system, 2);
    for target in (0..6).map(|_| random.of(&small)) {
        let to = Configurations::one(semiring, system, target.control, &target.stack, &one);
        let Ok(pre) = pre_star(semiring, system, &to);
        let there = weight_in(semiring, &post.automaton, &target);
        let back = weight_in(semiring, &pre, &start);
        assert_eq!(there, back, "{case}: {start:?} to {target:?}");
        let accepted = pre.accepts(start.control, &start.stack);
        assert!(accepted || semiring.is_zero(&back), "{case}");
    }
}

#[test]
fn words_of_runs_come_out_in_their_order() {
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let mut letter = b'a';
        let system = random_system(&mut random, |_| {
            letter += 1;
            Words::letter(letter)
        });
        // No run of more steps has a weight, and none of fewer reaches deeper.
        let words = Words { longest: 3 };
        check(&words, &system, &mut random, 10, &format!("seed {seed}"));
    }
}

#[test]
fn words_come_out_in_their_order_where_some_rules_are_silent() {
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let mut letter = b'a';
        let words = Words { longest: 2 };
        let system = random_system(&mut random, |random| {
            letter += 1;
            match random.below(3) {
                0 => words.one(),
                1 => Words::letter(letter),
                _ => words.combine(&words.one(), &Words::letter(letter)).unwrap(),
            }
        });
        check(&words, &system, &mut random, 5, &format!("seed {seed}"));
    }
}

#[test]
fn reachability_is_that_of_all_runs() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let system = random_system(&mut random, |_| true);
        check(
            &Reachability,
            &system,
            &mut random,
            8,
            &format!("seed {seed}"),
        );
    }
}

#[test]
fn costs_are_those_of_the_cheapest_runs() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let system = random_system(&mut random, |random| Some(random.below(9) as u64));
        check(&LeastCost, &system, &mut random, 8, &format!("seed {seed}"));
    }
}

#[test]
fn tuples_are_those_of_all_runs() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let relations = ExplicitRelations {
            states: 3,
            theta: 3,
        };
        let system = random_system(&mut random, |random| match random.below(4) {
            0 => relations.random(random),
            1 => {
                let by = u8::try_from(random.below(3)).unwrap();
                relations.phase(|it| (it + by) % 3)
            }
            _ => {
                let (at, to) = (random.below(3), random.below(3));
                let (at, to) = (u8::try_from(at).unwrap(), u8::try_from(to).unwrap());
                relations.function(|it| if it == at { to } else { it })
            }
        });
        check(&relations, &system, &mut random, 5, &format!("seed {seed}"));
    }
}

/// An automaton without loops over a few states, some of them final, with what it accepts.
fn random_set<S: Semiring>(
    semiring: &S,
    system: &Pushdown<S::Weight>,
    random: &mut Random,
) -> (Configurations<S::Weight>, Vec<Configuration>) {
    let mut set = Configurations::none(system);
    let layers: Vec<_> = (0..3).map(|_| set.add_state()).collect();
    let mut accepted = Vec::new();
    // Each stack is a path of its own or shares one that is there.
    for _ in 0..=random.below(4) {
        let control = support::control(random.below(system.control_count()));
        let length = 1 + random.below(3);
        let mut state = state_of(control);
        for layer in layers.iter().take(length) {
            let symbol = support::symbol(random.below(system.symbol_count()));
            set.add_transition(state, symbol, *layer, semiring.one());
            state = *layer;
        }
        set.make_final(state);
    }
    if random.below(3) == 0 {
        let control = support::control(random.below(system.control_count()));
        set.make_final(state_of(control));
    }
    let none: Pushdown<S::Weight> = system_without_rules(system);
    let Ok(same) = post_star(semiring, &none, &set) else {
        panic!("nothing to compute");
    };
    for configuration in small_configurations(system, 3) {
        if same
            .automaton
            .accepts(configuration.control, &configuration.stack)
        {
            accepted.push(configuration);
        }
    }
    (set, accepted)
}

fn system_without_rules<W>(system: &Pushdown<W>) -> Pushdown<W> {
    let mut none = Pushdown::new();
    for _ in system.controls() {
        none.add_control();
    }
    for _ in system.symbols() {
        none.add_symbol();
    }
    none
}

#[test]
fn sets_of_configurations_are_left_and_reached_by_all_runs() {
    let words = Words { longest: 3 };
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut letter = b'a';
        let system = random_system(&mut random, |_| {
            letter += 1;
            Words::letter(letter)
        });
        let case = format!("seed {seed}");
        let (set, members) = random_set(&words, &system, &mut random);
        assert!(!members.is_empty(), "{case}");
        let start: Vec<_> = members.iter().map(|it| (it.clone(), words.one())).collect();
        let expected = reached(&words, &system, &start, 9);
        let Ok(post) = post_star(&words, &system, &set);
        assert_same(&words, &system, &post.automaton, &expected, &case);

        let Ok(pre) = pre_star(&words, &system, &set);
        for from in small_configurations(&system, 2) {
            let runs = reached(&words, &system, &[(from.clone(), words.one())], 9);
            let known = members
                .iter()
                .filter_map(|it| runs.weights.get(it))
                .fold(words.zero(), |so_far, it| &so_far | it);
            assert_eq!(weight_in(&words, &pre, &from), known, "{case}: {from:?}");
        }
    }
}

#[test]
fn a_weight_at_the_start_comes_first_and_one_at_the_end_last() {
    let words = Words { longest: 3 };
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut letter = b'a';
        let system = random_system(&mut random, |_| {
            letter += 1;
            Words::letter(letter)
        });
        let start = random_start(&mut random, &system);
        let weighted =
            |weight| Configurations::one(&words, &system, start.control, &start.stack, weight);
        let (one, mark) = (words.one(), Words::letter(b'!'));
        let Ok(plain) = post_star(&words, &system, &weighted(&one));
        let Ok(marked) = post_star(&words, &system, &weighted(&mark));
        let Ok(plain_back) = pre_star(&words, &system, &weighted(&one));
        let Ok(marked_back) = pre_star(&words, &system, &weighted(&mark));
        for configuration in small_configurations(&system, 2) {
            let Ok(first) =
                words.extend(&mark, &weight_in(&words, &plain.automaton, &configuration));
            assert_eq!(weight_in(&words, &marked.automaton, &configuration), first);
            let Ok(last) = words.extend(&weight_in(&words, &plain_back, &configuration), &mark);
            assert_eq!(weight_in(&words, &marked_back, &configuration), last);
        }
    }
}

#[test]
fn the_semirings_of_these_tests_keep_the_laws() {
    let words = Words { longest: 3 };
    let mut random = Random::new(1);
    let letters = [
        words.one(),
        words.zero(),
        Words::letter(b'a'),
        Words::letter(b'b'),
    ];
    let mut samples = letters.to_vec();
    for _ in 0..8 {
        let (a, b) = (random.of(&samples), random.of(&samples));
        samples.push(words.combine(&a, &b).unwrap());
        samples.push(words.extend(&a, &b).unwrap());
    }
    assert_eq!(broken_law(&words, &samples), Ok(None));
    let relations = ExplicitRelations {
        states: 3,
        theta: 3,
    };
    let mut samples = vec![relations.zero(), relations.one(), relations.phase(|it| it)];
    samples.extend((0..12).map(|_| relations.random(&mut random)));
    assert_eq!(broken_law(&relations, &samples), Ok(None));
}
