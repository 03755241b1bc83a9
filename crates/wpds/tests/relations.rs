//! Relations as decision diagrams against relations as sets of tuples.

#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use raddle_base::Budget;
use raddle_bdd::{Bdd, Capacity, TableFull};
use raddle_wpds::{
    Configurations, Pushdown, Relations, RelationsError, Semiring, Series, Shape, broken_law,
    post_star, pre_star,
};

use support::domains::{ExplicitRelations, Tuples};
use support::{Random, random_start, random_system};

const SHAPE: Shape = Shape {
    bits: 2,
    theta: 3,
    copies: 3,
};

const EXPLICIT: ExplicitRelations = ExplicitRelations {
    states: 4,
    theta: 3,
};

fn relations() -> Relations {
    Relations::new(Capacity::small(), SHAPE, Budget::unlimited()).unwrap()
}

/// The relation with these tuples over the variables of a copy.
fn diagram(relations: &Relations, tuples: &Tuples, degree: usize, copy: usize) -> Bdd {
    let bdds = relations.bdds();
    let mut all = bdds.constant(false);
    for tuple in &tuples[degree] {
        let mut one = bdds.constant(true);
        for (component, state) in tuple.iter().enumerate() {
            for bit in 0..SHAPE.bits {
                let literal = bdds.literal(relations.variable(copy, component, bit));
                let literal = match state >> bit & 1 {
                    1 => literal,
                    _ => bdds.not(&literal).unwrap(),
                };
                one = bdds.and(&one, &literal).unwrap();
            }
        }
        all = bdds.or(&all, &one).unwrap();
    }
    all
}

fn series(relations: &Relations, tuples: &Tuples) -> Series {
    (0..SHAPE.theta)
        .map(|degree| relations.monomial(degree, diagram(relations, tuples, degree, 0)))
        .fold(relations.zero(), |so_far, it| {
            relations.combine(&so_far, &it).unwrap()
        })
}

/// One function a bit, from a table.
fn bits_from_table(
    relations: &Relations,
    bits: &[Bdd],
    table: [u8; 4],
) -> Result<Vec<Bdd>, TableFull> {
    let bdds = relations.bdds();
    (0..SHAPE.bits)
        .map(|bit| {
            let low = |high: usize| {
                let value = |low: usize| bdds.constant(table[2 * high + low] >> bit & 1 == 1);
                bdds.if_then_else(&bits[0], &value(1), &value(0))
            };
            bdds.if_then_else(&bits[1], &low(1)?, &low(0)?)
        })
        .collect()
}

/// A weight as a rule may have it, both ways.
fn random_weight(relations: &Relations, random: &mut Random) -> (Series, Tuples) {
    // Mostly functions that change one bit, or one state, or nothing.
    let mut table = [0, 1, 2, 3];
    match random.below(4) {
        0 => {}
        1 => table[random.below(4)] = u8::try_from(random.below(4)).unwrap(),
        2 => {
            let bit = 1 << random.below(2);
            let new = if random.below(2) == 0 { 0 } else { bit };
            table = table.map(|it| it & !bit | new);
        }
        _ => table = table.map(|_| u8::try_from(random.below(4)).unwrap()),
    }
    match random.below(5) {
        0 => {
            let tuples = EXPLICIT.random(random);
            (series(relations, &tuples), tuples)
        }
        1 => (
            relations
                .phase(|it| bits_from_table(relations, it, table))
                .unwrap(),
            EXPLICIT.phase(|it| table[usize::from(it)]),
        ),
        _ => (
            relations
                .function(|it| bits_from_table(relations, it, table))
                .unwrap(),
            EXPLICIT.function(|it| table[usize::from(it)]),
        ),
    }
}

#[test]
fn operations_do_what_sets_of_tuples_say() {
    let relations = relations();
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut known: Vec<(Series, Tuples)> = vec![
            (relations.one(), EXPLICIT.one()),
            (relations.zero(), EXPLICIT.zero()),
        ];
        for _ in 0..12 {
            known.push(random_weight(&relations, &mut random));
        }
        for _ in 0..60 {
            let (a, b) = (random.of(&known), random.of(&known));
            let new = if random.below(3) == 0 {
                (relations.combine(&a.0, &b.0), EXPLICIT.combine(&a.1, &b.1))
            } else {
                (relations.extend(&a.0, &b.0), EXPLICIT.extend(&a.1, &b.1))
            };
            let (found, Ok(expected)) = (new.0.unwrap(), new.1);
            assert_eq!(found, series(&relations, &expected), "seed {seed}");
            assert_eq!(relations.is_zero(&found), expected == EXPLICIT.zero());
            known.push((found, expected));
        }
        for (found, expected) in &known {
            for degree in 0..SHAPE.theta {
                for copy in 0..SHAPE.copies {
                    let there = relations.in_copy(found, degree, copy).unwrap();
                    assert_eq!(there, diagram(&relations, expected, degree, copy));
                }
            }
            let degrees: Vec<usize> = found.degrees().collect();
            let filled = (0..SHAPE.theta).filter(|it| !expected[*it].is_empty());
            assert_eq!(degrees, filled.collect::<Vec<_>>());
        }
    }
}

#[test]
fn they_keep_the_laws() {
    let relations = relations();
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let mut samples = vec![relations.zero(), relations.one()];
        samples.extend((0..10).map(|_| random_weight(&relations, &mut random).0));
        assert_eq!(broken_law(&relations, &samples), Ok(None), "seed {seed}");
    }
}

#[test]
fn what_is_reached_has_the_weights_that_sets_of_tuples_say() {
    let relations = relations();
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let pairs: Pushdown<(Series, Tuples)> =
            random_system(&mut random, |random| random_weight(&relations, random));
        let symbolic = pairs.map_weights(|_, rule| rule.weight.0.clone());
        let explicit = pairs.map_weights(|_, rule| rule.weight.1.clone());
        let start = random_start(&mut random, &pairs);
        let (weight, tuples) = random_weight(&relations, &mut random);
        let from = Configurations::one(&relations, &symbolic, start.control, &start.stack, &weight);
        let found = post_star(&relations, &symbolic, &from).unwrap();
        let back = pre_star(&relations, &symbolic, &from).unwrap();
        let from = Configurations::one(&EXPLICIT, &explicit, start.control, &start.stack, &tuples);
        let Ok(expected) = post_star(&EXPLICIT, &explicit, &from);
        let Ok(expected_back) = pre_star(&EXPLICIT, &explicit, &from);
        for (found, expected) in [(found.automaton, expected.automaton), (back, expected_back)] {
            for transition in expected.transitions().values() {
                let same = found.transition(transition.from, transition.label, transition.to);
                let same = &found.transitions()[same.expect("the same transitions")];
                assert_eq!(
                    same.weight,
                    series(&relations, &transition.weight),
                    "seed {seed}"
                );
            }
            let sums = found.sums(&relations).unwrap();
            let Ok(expected_sums) = expected.sums(&EXPLICIT);
            for control in pairs.controls() {
                let Ok(expected) = expected_sums.of_control(&EXPLICIT, control);
                let found = sums.of_control(&relations, control).unwrap();
                assert_eq!(found, series(&relations, &expected), "seed {seed}");
            }
        }
    }
}

#[test]
fn a_state_to_start_from_is_the_only_one() {
    let relations = relations();
    let start = relations.test_state(&[false, true]).unwrap();
    let mut expected = EXPLICIT.zero();
    expected[0].insert(vec![2, 2]);
    assert_eq!(start, series(&relations, &expected));
}

#[test]
fn a_full_table_and_a_spent_budget_are_errors() {
    let capacity = Capacity {
        nodes: 400,
        results: 100,
    };
    let shape = Shape {
        bits: 20,
        theta: 2,
        copies: 1,
    };
    let relations = Relations::new(capacity, shape, Budget::unlimited()).unwrap();
    // The bits in reverse order: exponential with the halves apart.
    let reverse = relations.function(|bits| Ok(bits.iter().rev().cloned().collect()));
    assert_eq!(reverse.err(), Some(TableFull));
    let start = relations.test_state(&[true; 20]).unwrap();
    assert_eq!(relations.extend(&start, &start).as_ref(), Ok(&start));

    let budget = Budget::unlimited();
    let relations = Relations::new(Capacity::small(), SHAPE, budget.clone()).unwrap();
    budget.cancel();
    let one = relations.one();
    let answer = relations.extend(&one, &one);
    assert!(matches!(answer, Err(RelationsError::Budget(_))));
}
