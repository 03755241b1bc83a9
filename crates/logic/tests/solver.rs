//! Assertions, assumptions, cores and models; and what happens if the SAT solver is wrong.

mod support;

use raddle_base::{Budget, Exhausted};
use raddle_logic::sat::{Literal, Outcome, Sat};
use raddle_logic::{Answer, CaDiCal, Solver, SolverError, TermId, Terms};
use support::Random;
use support::reference::Reference;
use support::sample::Sample;

fn check<S: Sat>(solver: &mut Solver<S>, terms: &Terms, assumed: &[TermId]) -> Answer {
    solver
        .check(terms, assumed, &Budget::unlimited())
        .expect("models hold")
}

fn core<S: Sat>(solver: &mut Solver<S>, terms: &Terms, assumed: &[TermId]) -> Vec<TermId> {
    match check(solver, terms, assumed) {
        Answer::Unsatisfiable(core) => core,
        other => panic!("not unsatisfiable: {other:?}"),
    }
}

#[test]
fn assumptions_hold_for_one_question_and_cores_name_them() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let x = terms.variable("x", 32);
    let y = terms.variable("y", 32);
    let is_less = terms.less_unsigned(x, y);
    solver.assert(&terms, is_less);
    let x_is_five = terms.equals_constant(x, 5);
    let y_is_five = terms.equals_constant(y, 5);
    let x_is_odd = terms.extract(x, 0, 1);
    let z_is_odd = {
        let z = terms.variable("z", 32);
        terms.extract(z, 0, 1)
    };
    assert_eq!(
        core(&mut solver, &terms, &[z_is_odd, x_is_five, y_is_five]),
        [x_is_five, y_is_five]
    );
    let Answer::Satisfiable(mut model) = check(&mut solver, &terms, &[x_is_odd, x_is_five]) else {
        panic!("y can be six");
    };
    assert_eq!(model.value(&terms, x), 5);
    assert!(model.value(&terms, y) > 5);
    let no = terms.truth(false);
    assert_eq!(core(&mut solver, &terms, &[x_is_odd, no]), [no]);
    let is_more = terms.less_unsigned(y, x);
    solver.assert(&terms, is_more);
    assert_eq!(core(&mut solver, &terms, &[z_is_odd]), []);
    assert_eq!(solver.counters().calls, 4);
}

#[test]
fn a_condition_can_be_asserted_for_a_while() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let x = terms.variable("x", 8);
    let guards: Vec<TermId> = (0..4)
        .map(|index| {
            let guard = terms.fresh_variable("guard", 1);
            let is_index = terms.equals_constant(x, index);
            let guarded = terms.implies(guard, is_index);
            solver.assert(&terms, guarded);
            guard
        })
        .collect();
    for (index, &guard) in guards.iter().enumerate() {
        let Answer::Satisfiable(mut model) = check(&mut solver, &terms, &[guard]) else {
            panic!("one at a time is possible");
        };
        assert_eq!(model.value(&terms, x), index as u128);
    }
    let core = core(&mut solver, &terms, &guards);
    assert!(core.len() >= 2 && core.iter().all(|it| guards.contains(it)));
}

#[test]
fn arithmetic_is_solved_for_its_inputs() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let (x, y) = (terms.variable("x", 32), terms.variable("y", 32));
    let product = terms.multiply(x, y);
    let wraps = terms.multiply_overflows_unsigned(x, y);
    let exact = terms.not(wraps);
    let wanted = terms.equals_constant(product, 46337 * 46327);
    let one = terms.constant(1, 32);
    let x_proper = terms.less_unsigned(one, x);
    let y_proper = terms.less_unsigned(one, y);
    for condition in [exact, wanted, x_proper, y_proper] {
        solver.assert(&terms, condition);
    }
    let Answer::Satisfiable(mut model) = check(&mut solver, &terms, &[]) else {
        panic!("there are two factors");
    };
    let mut factors = [model.value(&terms, x), model.value(&terms, y)];
    factors.sort_unstable();
    assert_eq!(factors, [46327, 46337]);
}

#[test]
fn random_questions_agree_with_the_reference_solver() {
    let mut answers = [0; 2];
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let mut sample = Sample::new(&mut random, 3);
        let mut solver = Solver::new();
        let mut reference = Solver::with(Reference::new());
        for _ in 0..6 {
            for _ in 0..4 {
                sample.grow(&mut random);
            }
            let conditions: Vec<TermId> = sample
                .pairs
                .iter()
                .map(|it| it.simplified)
                .filter(|&it| sample.simplified.width(it) == 1)
                .collect();
            let terms = &mut sample.simplified;
            let assumed: Vec<TermId> = (0..3)
                .map(|_| {
                    let condition = random.pick(&conditions);
                    if random.chance(2) {
                        condition
                    } else {
                        terms.not(condition)
                    }
                })
                .collect();
            let found = check(&mut solver, terms, &assumed);
            let expected = check(&mut reference, terms, &assumed);
            match (found, expected) {
                (Answer::Satisfiable(_), Answer::Satisfiable(_)) => answers[1] += 1,
                (Answer::Unsatisfiable(core), Answer::Unsatisfiable(_)) => {
                    assert!(matches!(
                        check(&mut reference, terms, &core),
                        Answer::Unsatisfiable(_)
                    ));
                    answers[0] += 1;
                }
                (found, expected) => panic!("seed {seed}: {found:?} but {expected:?}"),
            }
            if random.chance(2) && !terms.is_false(assumed[0]) {
                solver.assert(terms, assumed[0]);
                reference.assert(terms, assumed[0]);
            }
        }
    }
    assert!(answers[0] > 100 && answers[1] > 100, "{answers:?}");
}

/// Says that everything is satisfiable, by all zeros.
struct Liar(i32);

impl Sat for Liar {
    fn new_variable(&mut self) -> Literal {
        self.0 += 1;
        Literal::positive(self.0)
    }
    fn add_clause(&mut self, _clause: &[Literal]) {}
    fn solve(&mut self, _assumptions: &[Literal], _budget: &Budget) -> Outcome {
        Outcome::Satisfiable
    }
    fn value(&mut self, literal: Literal) -> Option<bool> {
        Some(literal.number() < 0)
    }
    fn failed_assumptions(&mut self) -> Vec<Literal> {
        Vec::new()
    }
    fn conflicts(&self) -> u64 {
        0
    }
}

#[test]
fn a_model_that_is_wrong_is_refuted() {
    let mut terms = Terms::new();
    let x = terms.variable("x", 8);
    let is_zero = terms.equals_constant(x, 0);
    let is_one = terms.equals_constant(x, 1);
    let budget = Budget::unlimited();

    let mut solver = Solver::with(Liar(0));
    solver.assert(&terms, is_zero);
    assert!(matches!(
        solver.check(&terms, &[], &budget),
        Ok(Answer::Satisfiable(_))
    ));
    let refuted = solver.check(&terms, &[is_one], &budget);
    assert_eq!(
        refuted.err(),
        Some(SolverError::ModelRefuted { term: is_one })
    );

    let mut solver = Solver::with(Liar(0));
    solver.assert(&terms, is_one);
    let refuted = solver.check(&terms, &[], &budget);
    assert_eq!(
        refuted.err(),
        Some(SolverError::ModelRefuted { term: is_one })
    );
}

#[test]
fn a_spent_budget_interrupts_and_the_same_solver_goes_on_later() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let (x, y) = (terms.variable("x", 64), terms.variable("y", 64));
    let quotient = terms.divide_unsigned(x, y);
    let condition = terms.equals_constant(quotient, 3);
    solver.assert(&terms, condition);
    let spent = Budget::unlimited();
    spent.cancel();
    assert!(matches!(
        solver.check(&terms, &[], &spent),
        Ok(Answer::Interrupted(Exhausted::Cancelled))
    ));
    assert!(matches!(
        check(&mut solver, &terms, &[]),
        Answer::Satisfiable(_)
    ));
}

#[test]
fn questions_that_take_too_many_looks_are_given_up() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let (x, y) = (terms.variable("x", 24), terms.variable("y", 24));
    // (x + y)^2 and its expansion, which a SAT solver cannot prove equal in reasonable time.
    let sum = terms.add(x, y);
    let left = terms.multiply(sum, sum);
    let squares = [(x, x), (y, y), (x, y), (y, x)].map(|(a, b)| terms.multiply(a, b));
    let right = squares[1..]
        .iter()
        .fold(squares[0], |sum, &square| terms.add(sum, square));
    let differ = terms.differ(left, right);
    solver.assert(&terms, differ);
    let budget = Budget::unlimited().with_looks(1_000);
    let ask = |solver: &mut Solver| solver.check(&terms, &[], &budget);
    assert!(matches!(
        ask(&mut solver),
        Ok(Answer::Interrupted(Exhausted::Time))
    ));
    let conflicts = solver.counters().conflicts;
    assert!(conflicts > 0);
    // They are for all questions together.
    assert!(matches!(
        ask(&mut solver),
        Ok(Answer::Interrupted(Exhausted::Time))
    ));
    assert_eq!(solver.counters().conflicts, conflicts);
}

#[test]
#[should_panic(expected = "the terms of one `Terms` only")]
fn terms_of_two_sets_do_not_mix() {
    let (mut one, mut other) = (Terms::new(), Terms::new());
    let (x, y) = (one.variable("x", 1), other.variable("y", 1));
    let mut solver = Solver::with(CaDiCal::new());
    solver.assert(&one, x);
    solver.assert(&other, y);
}
