//! `CaDiCaL` behind its trait against a solver that is obviously right.

mod support;

use std::time::Duration;

use raddle_base::{Budget, Exhausted};
use raddle_logic::CaDiCal;
use raddle_logic::sat::{Literal, Outcome, Sat};
use support::Random;
use support::reference::Reference;

fn random_literal(random: &mut Random, variables: &[Literal]) -> Literal {
    let literal = random.pick(variables);
    if random.chance(2) { literal } else { !literal }
}

#[test]
fn answers_models_and_cores_agree_with_the_reference() {
    let budget = Budget::unlimited();
    let mut answers = [0; 2];
    let mut cores = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut solver = CaDiCal::new();
        let mut reference = Reference::new();
        let variables: Vec<Literal> = (0..4 + random.below(9))
            .map(|_| {
                let literal = solver.new_variable();
                assert_eq!(literal, reference.new_variable());
                literal
            })
            .collect();
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        for round in 0..12 {
            for _ in 0..4 {
                let clause: Vec<Literal> = (0..1 + random.below(3) + usize::from(round < 8))
                    .map(|_| random_literal(&mut random, &variables))
                    .collect();
                solver.add_clause(&clause);
                reference.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions: Vec<Literal> = (0..random.below(5))
                .map(|_| random_literal(&mut random, &variables))
                .collect();
            let is_satisfiable = reference.is_satisfiable(&assumptions);
            answers[usize::from(is_satisfiable)] += 1;
            match solver.solve(&assumptions, &budget) {
                Outcome::Satisfiable => {
                    assert!(is_satisfiable, "seed {seed}");
                    let holds = |solver: &mut CaDiCal, it| solver.value(it) == Some(true);
                    for clause in &clauses {
                        assert!(clause.iter().any(|&it| holds(&mut solver, it)));
                    }
                    for &literal in &assumptions {
                        assert!(holds(&mut solver, literal));
                        assert!(!holds(&mut solver, !literal));
                    }
                }
                Outcome::Unsatisfiable => {
                    assert!(!is_satisfiable, "seed {seed}");
                    let core = solver.failed_assumptions();
                    assert!(core.iter().all(|it| assumptions.contains(it)));
                    assert!(!reference.is_satisfiable(&core), "seed {seed}: {core:?}");
                    cores += usize::from(!core.is_empty());
                }
                Outcome::Interrupted(why) => panic!("nobody interrupts: {why:?}"),
            }
        }
    }
    assert!(answers[0] > 500 && answers[1] > 500, "{answers:?}");
    assert!(cores > 200, "{cores}");
}

#[test]
fn nothing_is_told_about_a_model_that_is_not_there() {
    let budget = Budget::unlimited();
    let mut solver = CaDiCal::new();
    let a = solver.new_variable();
    assert_eq!(solver.value(a), None);
    solver.add_clause(&[a]);
    assert_eq!(solver.solve(&[], &budget), Outcome::Satisfiable);
    assert_eq!(solver.value(!a), Some(false));
    let b = solver.new_variable();
    assert_eq!(solver.value(a), None, "a new variable ends the model");
    solver.add_clause(&[!b]);
    assert_eq!(solver.solve(&[b], &budget), Outcome::Unsatisfiable);
    assert_eq!(solver.value(a), None);
    assert_eq!(solver.failed_assumptions(), [b]);
    solver.add_clause(&[]);
    assert_eq!(solver.solve(&[b], &budget), Outcome::Unsatisfiable);
    assert_eq!(solver.failed_assumptions(), []);
}

/// As many pigeons as holes plus one: hard for every solver of this kind.
fn pigeons(solver: &mut CaDiCal, holes: usize) {
    let sits: Vec<Vec<Literal>> = (0..=holes)
        .map(|_| (0..holes).map(|_| solver.new_variable()).collect())
        .collect();
    for pigeon in &sits {
        solver.add_clause(pigeon);
    }
    for (index, one) in sits.iter().enumerate() {
        for other in &sits[index + 1..] {
            for (&a, &b) in one.iter().zip(other) {
                solver.add_clause(&[!a, !b]);
            }
        }
    }
}

#[test]
fn a_search_ends_when_its_budget_does() {
    let mut solver = CaDiCal::new();
    pigeons(&mut solver, 13);
    let short = Budget::unlimited().with_timeout(Duration::from_millis(100));
    assert_eq!(
        solver.solve(&[], &short),
        Outcome::Interrupted(Exhausted::Time)
    );
    let small = Budget::unlimited().with_memory_limit(1);
    assert_eq!(
        solver.solve(&[], &small),
        Outcome::Interrupted(Exhausted::Memory)
    );
    let few = Budget::unlimited().with_looks(20);
    assert_eq!(
        solver.solve(&[], &few),
        Outcome::Interrupted(Exhausted::Time)
    );
    assert!(solver.conflicts() > 0);
}

#[test]
fn a_search_ends_when_another_thread_says_so() {
    let budget = Budget::unlimited();
    let other = budget.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        other.cancel();
    });
    let mut solver = CaDiCal::new();
    pigeons(&mut solver, 13);
    assert_eq!(
        solver.solve(&[], &budget),
        Outcome::Interrupted(Exhausted::Cancelled)
    );
    canceller.join().unwrap();
}

#[test]
fn an_interrupted_solver_can_be_asked_again() {
    let mut solver = CaDiCal::new();
    pigeons(&mut solver, 6);
    let spent = Budget::unlimited();
    spent.cancel();
    assert_eq!(
        solver.solve(&[], &spent),
        Outcome::Interrupted(Exhausted::Cancelled)
    );
    assert_eq!(
        solver.solve(&[], &Budget::unlimited()),
        Outcome::Unsatisfiable
    );
}
