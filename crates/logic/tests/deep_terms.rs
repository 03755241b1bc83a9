//! Terms that are far deeper than any stack.

mod support;

use raddle_base::Budget;
use raddle_logic::{Answer, Assignment, Evaluation, Solver, Substitution, TermId, Terms, smt};

const DEPTH: u128 = 20_000;

/// Runs with a stack that a recursion over these terms overflows.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(run)
        .expect("a thread starts")
        .join()
        .expect("no panic");
}

/// One more level that no rule removes.
fn deepen(terms: &mut Terms, x: TermId, level: u128, term: TermId) -> TermId {
    match level % 7 {
        0 => {
            let one = terms.constant(level | 1, 8);
            terms.add(term, one)
        }
        1 => terms.not(term),
        2 => {
            let bits = terms.constant(level, 8);
            terms.xor(term, bits)
        }
        3 => terms.negate(term),
        4 => {
            let is_less = terms.less_unsigned(term, x);
            terms.if_then_else(is_less, x, term)
        }
        5 => terms.subtract(x, term),
        _ => terms.and(term, x),
    }
}

#[test]
fn deep_terms_are_built_evaluated_blasted_substituted_and_printed() {
    on_a_small_stack(|| {
        let mut terms = Terms::new();
        let x = terms.variable("x", 8);
        let mut term = terms.variable("y", 8);
        for level in 0..DEPTH {
            term = deepen(&mut terms, x, level, term);
        }
        let condition = terms.equals_constant(term, 77);
        Evaluation::new(Assignment::new()).value(&terms, condition);

        let mut substitution = Substitution::new();
        let z = terms.variable("z", 8);
        let variable = terms.variable_named("y").expect("it was made");
        substitution.replace(&terms, variable, z);
        let other = terms.substitute(&mut substitution, condition);
        assert_ne!(other, condition);

        let mut solver = Solver::new();
        let x_is_three = terms.equals_constant(x, 3);
        let either = terms.or(condition, x_is_three);
        solver.assert(&terms, either);
        let answer = solver.check(&terms, &[x_is_three], &Budget::unlimited());
        assert!(matches!(answer, Ok(Answer::Satisfiable(_))));
        let text = smt::script(&terms, &[condition]);
        assert!(text.len() < terms.len() * 200);
    });
}

#[test]
fn what_is_peeled_off_an_equation_can_be_deep() {
    on_a_small_stack(|| {
        let mut terms = Terms::unsimplified();
        let x = terms.variable("x", 64);
        let mut term = x;
        for level in 0..DEPTH {
            let constant = terms.constant(level + 1, 64);
            term = match level % 3 {
                0 => terms.not(term),
                1 => terms.add(term, constant),
                _ => terms.xor(term, constant),
            };
        }
        let condition = terms.equals_constant(term, 1);
        let mut evaluation = Evaluation::new(Assignment::new());
        evaluation.value(&terms, condition);

        let mut simplified = Terms::new();
        let x = simplified.variable("x", 64);
        let mut term = x;
        for level in 0..DEPTH {
            let constant = simplified.constant(level + 1, 64);
            term = match level % 3 {
                0 => simplified.not(term),
                1 => simplified.add(term, constant),
                _ => simplified.xor(term, constant),
            };
        }
        let before = simplified.len();
        simplified.equals_constant(term, 1);
        assert!(simplified.len() <= before + 3, "all was peeled off");
    });
}

#[test]
fn bits_that_are_joined_one_by_one_are_taken_apart_again() {
    on_a_small_stack(|| {
        let mut terms = Terms::new();
        let bits: Vec<TermId> = (0..128)
            .map(|index| terms.variable(&format!("b{index}"), 1))
            .collect();
        for is_lowest_first in [true, false] {
            let whole = bits[1..].iter().fold(bits[0], |part, &bit| {
                if is_lowest_first {
                    terms.concatenate(bit, part)
                } else {
                    terms.concatenate(part, bit)
                }
            });
            for (low, index) in [(0, 0), (64, 64), (127, 127)] {
                let expected = bits[if is_lowest_first { index } else { 127 - index }];
                assert_eq!(terms.extract(whole, low, 1), expected);
            }
            let middle = terms.extract(whole, 1, 126);
            let shifted = terms.extract(middle, 1, 125);
            assert_eq!(shifted, terms.extract(whole, 2, 125));
            let mut assignment = Assignment::new();
            let pattern = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978_u128;
            for (index, variable) in terms.variables().enumerate() {
                let place = if is_lowest_first { index } else { 127 - index };
                assignment.set(variable, pattern >> place & 1);
            }
            let is_pattern = terms.equals_constant(whole, pattern);
            let is_other = terms.equals_constant(whole, pattern ^ 1 << 77);
            let mut evaluation = Evaluation::new(assignment);
            assert!(evaluation.holds(&terms, is_pattern));
            assert!(!evaluation.holds(&terms, is_other));
        }
    });
}
