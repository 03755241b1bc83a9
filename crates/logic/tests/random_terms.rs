//! Random terms: the simplified against those that are not, and the blasted against the evaluated.

mod support;

use raddle_base::{Budget, Id};
use raddle_logic::{Answer, Evaluation, Solver};
use support::Random;
use support::sample::Sample;

#[test]
fn a_simplified_term_is_worth_what_it_was_before() {
    for (widest, seeds, steps) in [(3, 4000, 40), (8, 3000, 60), (33, 800, 60), (128, 800, 60)] {
        let mut simpler = 0_usize;
        for seed in 0..seeds {
            let mut random = Random::new(seed);
            let mut sample = Sample::new(&mut random, widest);
            let mut evaluations: Vec<(Evaluation, Evaluation)> = (0..8)
                .map(|_| {
                    let assignment = sample.random_assignment(&mut random);
                    (
                        Evaluation::new(assignment.clone()),
                        Evaluation::new(assignment),
                    )
                })
                .collect();
            for step in 0..steps {
                let pair = sample.grow(&mut random);
                for (simplified, plain) in &mut evaluations {
                    assert_eq!(
                        simplified.value(&sample.simplified, pair.simplified),
                        plain.value(&sample.plain, pair.plain),
                        "widest {widest}, seed {seed}, step {step}: {:?} became {:?}",
                        sample.plain.term(pair.plain),
                        sample.simplified.term(pair.simplified),
                    );
                }
            }
            let plain: Vec<_> = sample.pairs.iter().map(|it| it.plain).collect();
            let simplified: Vec<_> = sample.pairs.iter().map(|it| it.simplified).collect();
            let (before, after) = (
                sample.plain.below(&plain).len(),
                sample.simplified.below(&simplified).len(),
            );
            simpler += usize::from(after < before);
        }
        assert!(
            simpler * 10 > usize::try_from(seeds).unwrap() * 9,
            "hardly anything is simplified: {simpler} of {seeds}"
        );
    }
}

/// Fixes the inputs: the output is what evaluation says, and nothing else.
#[test]
fn the_gates_of_a_term_compute_what_evaluation_does() {
    for (widest, seeds) in [(4, 150), (9, 80), (64, 12), (128, 6)] {
        for seed in 0..seeds {
            let mut random = Random::new(1000 + seed);
            let mut sample = Sample::new(&mut random, widest);
            for _ in 0..25 {
                sample.grow(&mut random);
            }
            let assignments: Vec<_> = (0..4)
                .map(|_| sample.random_assignment(&mut random))
                .collect();
            let variables = sample.variables();
            for is_simplified in [false, true] {
                let (terms, roots): (_, Vec<_>) = if is_simplified {
                    (
                        &mut sample.simplified,
                        sample.pairs.iter().map(|it| it.simplified).collect(),
                    )
                } else {
                    (
                        &mut sample.plain,
                        sample.pairs.iter().map(|it| it.plain).collect(),
                    )
                };
                let mut solver = Solver::new();
                let mut outputs = Vec::new();
                for &root in &roots {
                    let output = terms.fresh_variable("output", terms.width(root));
                    let defined = terms.equal(output, root);
                    solver.assert(terms, defined);
                    outputs.push(output);
                }
                for assignment in &assignments {
                    let mut evaluation = Evaluation::new(assignment.clone());
                    let mut assumed = Vec::new();
                    for &variable in &variables {
                        let bits = assignment.get(variable).unwrap();
                        let term = terms.variable_term(variable);
                        assumed.push(terms.equals_constant(term, bits));
                    }
                    let answer = solver.check(terms, &assumed, &Budget::unlimited());
                    let Ok(Answer::Satisfiable(mut model)) = answer else {
                        panic!("seed {seed}: {answer:?}");
                    };
                    let mut different = Vec::new();
                    for (&output, &root) in outputs.iter().zip(&roots) {
                        let value = evaluation.value(terms, root);
                        assert_eq!(model.value(terms, output), value, "seed {seed}");
                        let equal = terms.equals_constant(output, value);
                        different.push(terms.not(equal));
                    }
                    assumed.push(terms.any(&different));
                    let answer = solver.check(terms, &assumed, &Budget::unlimited());
                    let Ok(Answer::Unsatisfiable(core)) = answer else {
                        panic!("seed {seed}: another output is possible: {answer:?}");
                    };
                    assert!(core.iter().all(|it| assumed.contains(it)));
                }
            }
        }
    }
}

#[test]
fn terms_are_built_in_the_order_of_their_ids() {
    let mut random = Random::new(7);
    let mut sample = Sample::new(&mut random, 16);
    for _ in 0..300 {
        sample.grow(&mut random);
    }
    let roots: Vec<_> = sample.pairs.iter().map(|it| it.simplified).collect();
    for term in sample.simplified.below(&roots) {
        for argument in sample.simplified.arguments(term) {
            assert!(argument.index() < term.index());
        }
    }
}
