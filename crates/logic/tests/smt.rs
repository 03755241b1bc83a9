//! The text form in SMT-LIB 2, read by another solver.
//!
//! Skipped where z3 is missing, unless `RADDLE_REQUIRE_TOOLS` is set.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};

use raddle_base::Budget;
use raddle_logic::{Answer, Operation, Solver, TermId, Terms, smt};
use support::Random;
use support::sample::Sample;

#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn has_z3() -> bool {
    let has = Command::new("z3").arg("--version").output().is_ok();
    assert!(
        has || std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
        "z3 is missing, and RADDLE_REQUIRE_TOOLS is set"
    );
    if !has {
        eprintln!("skipped: z3 is missing");
    }
    has
}

/// What z3 says of each of these scripts.
fn z3(scripts: &[String]) -> Vec<String> {
    let mut process = Command::new("z3")
        .args(["-smt2", "-in", "-t:20000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 starts");
    let text = scripts.join("(reset)\n");
    let mut input = process.stdin.take().expect("it was asked for");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = process.wait_with_output().expect("z3 ends");
    writer
        .join()
        .expect("no panic")
        .expect("z3 reads all of its input");
    let text = String::from_utf8(output.stdout).expect("z3 writes text");
    text.lines().map(str::to_owned).collect()
}

fn ours(terms: &Terms, conditions: &[TermId]) -> &'static str {
    let mut solver = Solver::new();
    for &condition in conditions {
        solver.assert(terms, condition);
    }
    match solver.check(terms, &[], &Budget::unlimited()) {
        Ok(Answer::Satisfiable(_)) => "sat",
        Ok(Answer::Unsatisfiable(_)) => "unsat",
        other => panic!("{other:?}"),
    }
}

/// Conditions on random terms; the plain ones are printed, the simplified ones are solved here.
#[test]
fn another_solver_gives_the_same_answers_on_random_formulas() {
    if !has_z3() {
        return;
    }
    let mut scripts = Vec::new();
    let mut expected = Vec::new();
    for seed in 0..250 {
        let mut random = Random::new(seed);
        let widest = random.pick(&[3, 5, 8]);
        let mut sample = Sample::new(&mut random, widest);
        let mut conditions = Vec::new();
        for _ in 0..40 {
            let pair = sample.grow(&mut random);
            if sample.plain.width(pair.plain) == 1 && random.chance(4) && conditions.len() < 3 {
                conditions.push(pair);
            }
        }
        let plain: Vec<TermId> = conditions.iter().map(|it| it.plain).collect();
        let simplified: Vec<TermId> = conditions.iter().map(|it| it.simplified).collect();
        scripts.push(smt::script(&sample.plain, &plain));
        expected.push(ours(&sample.simplified, &simplified));
        scripts.push(smt::script(&sample.simplified, &simplified));
        expected.push(ours(&sample.plain, &plain));
    }
    assert_eq!(z3(&scripts), expected);
    for answer in ["sat", "unsat"] {
        let count = expected.iter().filter(|&&it| it == answer).count();
        assert!(count > 100, "{count} times {answer}");
    }
}

/// Inputs and the output of each operation are fixed: right outputs are possible, others not.
#[test]
fn another_solver_computes_the_same_at_all_widths() {
    if !has_z3() {
        return;
    }
    let operations = [
        Operation::Add,
        Operation::Subtract,
        Operation::Multiply,
        Operation::DivideUnsigned,
        Operation::RemainderUnsigned,
        Operation::DivideSigned,
        Operation::RemainderSigned,
        Operation::ShiftLeft,
        Operation::ShiftRightLogical,
        Operation::ShiftRightArithmetic,
        Operation::LessUnsigned,
        Operation::LessEqualUnsigned,
        Operation::LessSigned,
        Operation::LessEqualSigned,
        Operation::MultiplyOverflowsUnsigned,
        Operation::MultiplyOverflowsSigned,
    ];
    let mut random = Random::new(0);
    let mut scripts = Vec::new();
    let mut expected = Vec::new();
    for width in [1, 7, 32, 64, 128] {
        for _ in 0..12 {
            let mut terms = Terms::unsimplified();
            let mut conditions = Vec::new();
            let (a, b) = (terms.variable("a b|", width), terms.variable("term", width));
            let values = [(a, random.bits(width)), (b, random.bits(width))];
            let mut assignment = raddle_logic::Assignment::new();
            for (variable, bits) in terms.variables().zip(values.map(|it| it.1)) {
                assignment.set(variable, bits);
            }
            for (term, bits) in values {
                conditions.push(terms.equals_constant(term, bits));
            }
            let mut evaluation = raddle_logic::Evaluation::new(assignment);
            let mut right = Vec::new();
            for operation in operations {
                let result = if operation.is_predicate() { 1 } else { width };
                let term = terms.apply(operation, result, &[a, b]);
                let bits = evaluation.value(&terms, term);
                right.push(terms.equals_constant(term, bits));
            }
            let all = terms.all(&right);
            let other = terms.not(all);
            scripts.push(smt::script(&terms, &[&conditions[..], &[all]].concat()));
            expected.push("sat");
            scripts.push(smt::script(&terms, &[&conditions[..], &[other]].concat()));
            expected.push("unsat");
        }
    }
    assert_eq!(z3(&scripts), expected);
}

#[test]
fn a_script_declares_defines_asserts_and_asks() {
    let mut terms = Terms::new();
    let x = terms.variable("x@1", 8);
    let y = terms.variable("y", 8);
    let sum = terms.add(x, y);
    let low = terms.extract(sum, 0, 3);
    let condition = terms.equals_constant(low, 5);
    assert_eq!(
        smt::script(&terms, &[condition]),
        "(set-logic QF_BV)\n\
         (declare-const |x@1| (_ BitVec 8))\n\
         (declare-const |y| (_ BitVec 8))\n\
         (define-fun term2 () (_ BitVec 8) (bvadd |x@1| |y|))\n\
         (define-fun term3 () (_ BitVec 3) ((_ extract 2 0) term2))\n\
         (define-fun term5 () (_ BitVec 1) (ite (= term3 #b101) #b1 #b0))\n\
         (assert (= term5 #b1))\n\
         (check-sat)\n"
    );
}
