//! The check of a [`Certificate`]: a few questions to a solver that knows nothing else, and their refutations followed by
//! [`lrat`].
//!
//! The questions are put with formulas made for them alone, and nothing is assumed. What is believed afterwards is the
//! transition system, the translation of terms to clauses, and this crate; neither the engine nor the SAT solver.

use std::fmt;

use raddle_base::{Budget, Exhausted};
use raddle_logic::{
    Answer, Certificate, Proving, Solver, SolverError, Substitution, TermId, TransitionSystem,
};

use crate::lrat;

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The system or the invariant is none.
    Malformed(String),
    /// Executions may begin where the invariant does not hold.
    NotInitial,
    /// A possible step leads from where the invariant holds to where it does not.
    NotInductive,
    /// A step from where the invariant holds may reach a target.
    TargetNotExcluded,
    /// A target is reached so soon that the invariant has nothing to say.
    TargetAtOnce,
    /// What the solver said about this question could not be followed.
    Refutation(lrat::Flaw),
    Solver(SolverError),
    Exhausted(Exhausted),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Malformed(why) => write!(f, "the certificate is malformed: {why}"),
            Doubt::NotInitial => f.write_str("the invariant does not hold in the beginning"),
            Doubt::NotInductive => f.write_str("the invariant is not kept by every step"),
            Doubt::TargetNotExcluded => f.write_str("the invariant excludes no violation"),
            Doubt::TargetAtOnce => f.write_str("a violation is reached within the first steps"),
            Doubt::Refutation(flaw) => write!(f, "an answer of the solver is not proved: {flaw}"),
            Doubt::Solver(error) => write!(f, "{error}"),
            Doubt::Exhausted(_) => f.write_str("the certificate could not be checked in time"),
        }
    }
}

impl std::error::Error for Doubt {}

/// What the check took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    pub clauses: usize,
    /// Bytes of the refutations.
    pub refutations: usize,
}

/// Checks that no execution of the system reaches a target, by what the certificate says.
///
/// # Errors
///
/// If the certificate does not show it, or if the budget does not last.
pub fn check(
    system: &mut TransitionSystem,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Effort, Doubt> {
    demand_form(system, certificate)?;
    let mut questions = Questions {
        points: Vec::new(),
        system,
        budget,
        effort: Effort::default(),
    };
    questions.reach(certificate.depth);
    let holds = questions.system.terms.all(&certificate.invariant);
    let begins = questions.system.initial;
    let [begins, holds_at_first, holds_next] = [(0, begins), (0, holds), (1, holds)]
        .map(|(point, condition)| questions.at(point, condition));
    let fails_at_first = questions.system.terms.not(holds_at_first);
    let fails_next = questions.system.terms.not(holds_next);
    let possible = questions.possible(0);
    questions.refute(&[begins, fails_at_first], Doubt::NotInitial)?;
    questions.refute(&[holds_at_first, possible, fails_next], Doubt::NotInductive)?;
    let last = certificate.depth - 1;
    let mut path = vec![holds_at_first];
    for point in 0..last {
        path.push(questions.possible(point));
        path.push(questions.harmless(point));
        // Implied by the others; it is known by now, and helps the solver.
        path.push(questions.at(point + 1, holds));
    }
    path.push(questions.possible(last));
    path.push(questions.violating(last));
    questions.refute(&path, Doubt::TargetNotExcluded)?;
    let mut path = vec![begins];
    for point in 0..last {
        path.push(questions.possible(point));
        let violating = questions.violating(point);
        let here = [&path[..], &[violating]].concat();
        questions.refute(&here, Doubt::TargetAtOnce)?;
    }
    Ok(questions.effort)
}

fn demand_form(system: &TransitionSystem, certificate: &Certificate) -> Result<(), Doubt> {
    if let Some(rule) = system.broken_rule() {
        return Err(Doubt::Malformed(rule));
    }
    if certificate.depth == 0 {
        return Err(Doubt::Malformed("its depth is 0".to_owned()));
    }
    let of_state: Vec<_> = system.state.iter().map(|it| it.variable).collect();
    for &conjunct in &certificate.invariant {
        if system.terms.width(conjunct) != 1 {
            return Err(Doubt::Malformed("a conjunct is no truth value".to_owned()));
        }
        let below = system.terms.below(&[conjunct]);
        let mut variables = below.iter().filter_map(|&it| system.terms.as_variable(it));
        if let Some(foreign) = variables.find(|it| !of_state.contains(it)) {
            let name = system.terms.variable_name(foreign);
            let why = format!("a conjunct depends on `{name}`, which is not of the state");
            return Err(Doubt::Malformed(why));
        }
    }
    Ok(())
}

/// Executions as formulas: at each point the state is a term over the first state and the inputs on the way.
struct Questions<'a> {
    system: &'a mut TransitionSystem,
    budget: &'a Budget,
    points: Vec<Substitution>,
    effort: Effort,
}

impl Questions<'_> {
    /// Makes points up to this one.
    fn reach(&mut self, last: usize) {
        let mut state: Vec<TermId> = self.system.state.iter().map(|it| it.current).collect();
        for point in 0..=last {
            let terms = &mut self.system.terms;
            let mut here = Substitution::new();
            for (it, &value) in self.system.state.iter().zip(&state) {
                here.replace(terms, it.variable, value);
            }
            for &input in &self.system.inputs {
                let width = terms.width(terms.variable_term(input));
                let name = format!("{} at {point}", terms.variable_name(input));
                let fresh = terms.fresh_variable(&name, width);
                here.replace(terms, input, fresh);
            }
            let next = self.system.state.iter();
            state = next
                .map(|it| terms.substitute(&mut here, it.next))
                .collect();
            self.points.push(here);
        }
    }

    fn at(&mut self, point: usize, condition: TermId) -> TermId {
        let here = &mut self.points[point];
        self.system.terms.substitute(here, condition)
    }

    fn possible(&mut self, point: usize) -> TermId {
        self.at(point, self.system.constraint)
    }

    fn violating(&mut self, point: usize) -> TermId {
        let targets = self.system.targets.iter();
        let conditions: Vec<TermId> = targets.map(|it| it.condition).collect();
        let any = self.system.terms.any(&conditions);
        self.at(point, any)
    }

    fn harmless(&mut self, point: usize) -> TermId {
        let violating = self.violating(point);
        self.system.terms.not(violating)
    }

    /// Sees it refuted that all of these hold.
    fn refute(&mut self, conditions: &[TermId], otherwise: Doubt) -> Result<(), Doubt> {
        let terms = &self.system.terms;
        let mut solver = Solver::with(Proving::new());
        for &condition in conditions {
            solver.assert(terms, condition);
        }
        match solver.check(terms, &[], self.budget) {
            Err(error) => return Err(Doubt::Solver(error)),
            Ok(Answer::Interrupted(exhausted)) => return Err(Doubt::Exhausted(exhausted)),
            Ok(Answer::Satisfiable(_)) => return Err(otherwise),
            Ok(Answer::Unsatisfiable(_)) => {}
        }
        let clauses = solver.sat().clauses();
        let refutation = solver.sat().refutation();
        self.effort.clauses += clauses.len();
        self.effort.refutations += refutation.len();
        lrat::check(clauses, refutation.as_bytes(), self.budget).map_err(|flaw| match flaw.kind {
            lrat::FlawKind::Exhausted(why) => Doubt::Exhausted(why),
            lrat::FlawKind::Malformed
            | lrat::FlawKind::WrongNumber
            | lrat::FlawKind::NotUnit
            | lrat::FlawKind::NothingContradicted
            | lrat::FlawKind::NotByUnits
            | lrat::FlawKind::NoEmptyClause => Doubt::Refutation(flaw),
        })
    }
}
