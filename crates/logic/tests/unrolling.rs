//! Small random transition systems: what the solver finds step by step, against an enumeration of all states.

mod support;

use std::collections::BTreeSet;

use raddle_base::Budget;
use raddle_logic::{
    Answer, Assignment, CaDiCal, Evaluation, Solver, Substitution, TermId, Terms, VariableId,
};
use support::Random;

const WIDTHS: [u32; 3] = [2, 3, 2];
const INITIAL: [u128; 3] = [1, 5, 2];
const STEPS: usize = 7;

/// Next values of the state as terms over the state and an input.
struct System {
    terms: Terms,
    state: Vec<TermId>,
    input: TermId,
    next: Vec<TermId>,
    bad: TermId,
}

impl System {
    fn random(random: &mut Random) -> Self {
        let mut terms = Terms::new();
        let state: Vec<TermId> = WIDTHS
            .iter()
            .enumerate()
            .map(|(index, &width)| terms.variable(&format!("s{index}"), width))
            .collect();
        let input = terms.variable("input", 1);
        let mut system = Self {
            terms,
            state,
            input,
            next: Vec::new(),
            bad: input,
        };
        for width in WIDTHS {
            let cases: Vec<(TermId, TermId)> = (0..3)
                .map(|_| (system.condition(random), system.value(random, width)))
                .collect();
            let otherwise = system.value(random, width);
            let next = support::first_case(&mut system.terms, &cases, otherwise);
            system.next.push(next);
        }
        let parts: Vec<TermId> = (0..2)
            .map(|index| {
                let bits = random.bits(WIDTHS[index]);
                system.terms.equals_constant(system.state[index], bits)
            })
            .collect();
        system.bad = system.terms.all(&parts);
        system
    }

    fn part(&mut self, random: &mut Random, width: u32) -> TermId {
        let part = random.pick(&self.state.clone());
        self.terms.resize(part, width, random.chance(2))
    }

    fn condition(&mut self, random: &mut Random) -> TermId {
        let (a, b) = (self.part(random, 3), self.value(random, 3));
        match random.below(4) {
            0 => self.input,
            1 => self.terms.equal(a, b),
            2 => self.terms.less_signed(a, b),
            _ => self.terms.less_unsigned(b, a),
        }
    }

    fn value(&mut self, random: &mut Random, width: u32) -> TermId {
        let (a, b) = (self.part(random, width), self.part(random, width));
        match random.below(6) {
            0 => self.terms.constant(random.bits(width), width),
            1 => {
                let input = self.terms.zero_extend(self.input, width);
                self.terms.add(a, input)
            }
            2 => self.terms.subtract(a, b),
            3 => self.terms.multiply(a, b),
            4 => self.terms.xor(a, b),
            _ => a,
        }
    }

    fn variable(&self, term: TermId) -> VariableId {
        self.terms
            .as_variable(term)
            .expect("the term is a variable")
    }

    fn evaluation(&self, state: &[u128], input: u128) -> Evaluation {
        let mut assignment = Assignment::new();
        for (&term, &bits) in self.state.iter().zip(state) {
            assignment.set(self.variable(term), bits);
        }
        assignment.set(self.variable(self.input), input);
        Evaluation::new(assignment)
    }

    /// For each number of steps, whether a bad state is reached after as many.
    fn enumerate(&self) -> Vec<bool> {
        let mut states = BTreeSet::from([INITIAL.to_vec()]);
        let mut answers = Vec::new();
        for _ in 0..=STEPS {
            let mut following = BTreeSet::new();
            let mut is_bad = false;
            for state in &states {
                is_bad |= self.evaluation(state, 0).holds(&self.terms, self.bad);
                for input in [0, 1] {
                    let mut evaluation = self.evaluation(state, input);
                    let next = self.next.iter();
                    following.insert(next.map(|&it| evaluation.value(&self.terms, it)).collect());
                }
            }
            answers.push(is_bad);
            states = following;
        }
        answers
    }

    /// The same by the solver. With variables for every state, or with terms over the inputs alone.
    fn unroll(&mut self, mut solver: Solver, has_variables: bool) -> Vec<bool> {
        let mut now: Vec<TermId> = WIDTHS
            .into_iter()
            .zip(INITIAL)
            .map(|(width, bits)| self.terms.constant(bits, width))
            .collect();
        let mut answers = Vec::new();
        for _ in 0..=STEPS {
            let input = self.terms.fresh_variable("input", 1);
            let mut step = Substitution::new();
            for (&term, &value) in self.state.iter().zip(&now) {
                step.replace(&self.terms, self.variable(term), value);
            }
            step.replace(&self.terms, self.variable(self.input), input);
            let is_bad = self.terms.substitute(&mut step, self.bad);
            let answer = solver.check(&self.terms, &[is_bad], &Budget::unlimited());
            match answer.expect("models hold") {
                Answer::Satisfiable(_) => answers.push(true),
                Answer::Unsatisfiable(_) => answers.push(false),
                Answer::Interrupted(why) => panic!("nobody interrupts: {why:?}"),
            }
            now = self
                .next
                .clone()
                .into_iter()
                .map(|next| self.terms.substitute(&mut step, next))
                .collect();
            if has_variables {
                for value in &mut now {
                    let width = self.terms.width(*value);
                    let variable = self.terms.fresh_variable("state", width);
                    let defined = self.terms.equal(variable, *value);
                    solver.assert(&self.terms, defined);
                    *value = variable;
                }
            }
        }
        answers
    }
}

#[test]
fn unrollings_reach_what_the_enumeration_reaches() {
    let mut counts = [0; 2];
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let mut system = System::random(&mut random);
        let expected = system.enumerate();
        for &is_reached in &expected {
            counts[usize::from(is_reached)] += 1;
        }
        let plain = || Solver::with(CaDiCal::without_inprocessing());
        assert_eq!(system.unroll(plain(), false), expected, "seed {seed}");
        assert_eq!(system.unroll(plain(), true), expected, "seed {seed}");
        assert_eq!(system.unroll(Solver::new(), true), expected, "seed {seed}");
    }
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}
