//! Refinement: an abstract counterexample is an execution, or there are labels that tell why not.
//!
//! The states of the chain are put one after the other with nothing between them but *links*: what a step leads to and
//! what the next one comes from look the same. With all bits linked there is an execution or there is none. If there is
//! none, candidates for labels are linked instead, and those whose links are needed to exclude the chain become labels:
//! first weakest preconditions of what the chain needs, along the steps that it takes, and where those are not enough,
//! single bits.

use raddle_base::{FastMap, FastSet};
use raddle_logic::{Answer, Evaluation, Operation, Solver, Term, TermId, TransitionSystem};

use crate::Flaw;
use crate::execute::execute;
use crate::labels::bits;
use crate::obligations::Obligation;
use crate::outcome::{GaveUp, Reached};
use crate::search::Search;
use crate::unroll::Unrolling;

/// The most weakest preconditions that are tried at once.
const MOST_CANDIDATES: usize = 400;

/// The most terms that a label found by refinement is built of.
const LARGEST_CANDIDATE: usize = 60;

/// What became of an abstract counterexample.
pub(crate) enum Refined {
    Execution(Reached),
    /// There are new labels now.
    Labels,
}

impl Search<'_> {
    /// Decides whether there is an execution through these cubes, and finds labels that exclude it if not.
    pub(crate) fn refine(&mut self, chain: &[Obligation]) -> Result<Refined, GaveUp> {
        let inputs = || chain.iter().map(|it| &it.step.inputs[..]);
        if let Some(found) = execute(self.system, &chain[0].step.state, inputs()) {
            return Ok(Refined::Execution(found));
        }
        if self.flaw == Some(Flaw::BelievesAbstraction) {
            let steps = chain.iter().map(|it| it.step.clone()).collect();
            let target = raddle_base::Id::from_index(0);
            return Ok(Refined::Execution(Reached { target, steps }));
        }
        self.counters.refinements += 1;
        let mut path = Path::new(self, chain);
        if let Some(found) = path.execution(self)? {
            return Ok(Refined::Execution(found));
        }
        let candidates = preconditions(self, chain);
        let mut found = path.needed(self, &candidates)?;
        if found.is_none() {
            let bits = self.unknown_bits();
            found = path.needed(self, &bits)?;
        }
        let found = found.ok_or(GaveUp::Contradiction(
            "an execution that does not exist looks right in every bit",
        ))?;
        let mut is_new = false;
        for condition in found {
            is_new |= self.labels.add(self.system, condition);
        }
        if is_new {
            Ok(Refined::Labels)
        } else {
            Err(GaveUp::Contradiction("refinement found nothing new"))
        }
    }

    fn unknown_bits(&mut self) -> Vec<TermId> {
        let mut found = bits(self.system);
        found.retain(|&it| !self.labels.knows(self.system, it));
        found
    }
}

/// The copies of a chain: point 0 is where the execution begins, point `i + 1` the state of obligation `i`.
struct Path {
    unrolling: Unrolling,
    /// What every state of the chain and its step have to be.
    demands: Vec<TermId>,
    length: usize,
}

impl Path {
    fn new(search: &mut Search<'_>, chain: &[Obligation]) -> Self {
        let mut unrolling = Unrolling::new();
        let system = &mut *search.system;
        let begins = system.initial;
        let mut demands = vec![unrolling.at(system, 0, begins)];
        for (index, obligation) in chain.iter().enumerate() {
            let mut here = search.labels.terms_of(system, &obligation.cube);
            here.push(system.constraint);
            if obligation.successor.is_none() {
                here.push(violation(system));
            }
            for condition in here {
                demands.push(unrolling.at(system, index + 1, condition));
            }
        }
        Self {
            unrolling,
            demands,
            length: chain.len(),
        }
    }

    fn solver(&self, system: &TransitionSystem) -> Solver {
        let mut solver = Solver::new();
        for &condition in &self.demands {
            solver.assert(&system.terms, condition);
        }
        solver
    }

    /// An execution through the chain, if there is one.
    fn execution(&mut self, search: &mut Search<'_>) -> Result<Option<Reached>, GaveUp> {
        let system = &mut *search.system;
        let mut solver = self.solver(system);
        let same = self.unrolling.same(system, 0, 1);
        solver.assert(&system.terms, same);
        for point in 1..self.length {
            let leads_on = self.unrolling.leads_on(system, point);
            solver.assert(&system.terms, leads_on);
        }
        match solver.check(&system.terms, &[], search.budget)? {
            Answer::Interrupted(exhausted) => Err(exhausted.into()),
            Answer::Unsatisfiable(_) => Ok(None),
            Answer::Satisfiable(mut model) => {
                let points = 1..=self.length;
                let steps: Vec<_> = points
                    .map(|point| self.unrolling.step(system, point, &mut model))
                    .collect();
                let inputs = steps.iter().map(|it| &it.inputs[..]);
                execute(system, &steps[0].state, inputs)
                    .map(Some)
                    .ok_or(GaveUp::Contradiction("a model is no execution"))
            }
        }
    }

    /// Those of the candidates that exclude the chain together with the labels, if they do.
    fn needed(
        &mut self,
        search: &mut Search<'_>,
        candidates: &[TermId],
    ) -> Result<Option<Vec<TermId>>, GaveUp> {
        if candidates.is_empty() {
            return Ok(None);
        }
        let mut solver = self.solver(search.system);
        let labels: Vec<TermId> = search
            .labels
            .ids()
            .map(|it| search.labels.label(it).current)
            .collect();
        for label in labels {
            for link in self.links(search, label) {
                solver.assert(&search.system.terms, link);
            }
        }
        let mut assumed = Vec::new();
        let mut owners: FastMap<TermId, TermId> = FastMap::default();
        for &candidate in candidates {
            let links = self.links(search, candidate);
            let all = search.system.terms.all(&links);
            owners.entry(all).or_insert(candidate);
            assumed.push(all);
        }
        loop {
            match solver.check(&search.system.terms, &assumed, search.budget)? {
                Answer::Interrupted(exhausted) => return Err(exhausted.into()),
                Answer::Satisfiable(_) => return Ok(None),
                // Asking again about the core alone often makes it smaller.
                Answer::Unsatisfiable(core) if core.len() < assumed.len() => assumed = core,
                Answer::Unsatisfiable(core) => {
                    return Ok(Some(core.iter().map(|it| owners[it]).collect()));
                }
            }
        }
    }

    /// What a step leads to and what the next one comes from agree on a condition, at every point.
    fn links(&mut self, search: &mut Search<'_>, condition: TermId) -> Vec<TermId> {
        let system = &mut *search.system;
        let mut before = self.unrolling.at(system, 0, condition);
        let next = search.labels.after(system, condition);
        let mut found = Vec::with_capacity(self.length);
        for point in 1..=self.length {
            let here = self.unrolling.at(system, point, condition);
            found.push(system.terms.equal(before, here));
            before = self.unrolling.at(system, point, next);
        }
        found
    }
}

fn violation(system: &mut TransitionSystem) -> TermId {
    let conditions: Vec<TermId> = system.targets.iter().map(|it| it.condition).collect();
    system.terms.any(&conditions)
}

/// What has to hold at the states of a chain for it to end as it does, as far as the steps that it takes tell.
fn preconditions(search: &mut Search<'_>, chain: &[Obligation]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut is_known = FastSet::default();
    let mut wanted: Vec<TermId> = Vec::new();
    for obligation in chain.iter().rev() {
        let system = &mut *search.system;
        let mut roots = vec![system.constraint];
        if obligation.successor.is_none() {
            roots.push(violation(system));
        }
        for &condition in &wanted {
            roots.push(search.labels.after(system, condition));
        }
        let mut taken = Taken::new(system, obligation);
        let mut here = Vec::new();
        for root in roots {
            here.push(taken.specialise(system, root));
        }
        here.append(&mut taken.chosen_by);
        here.extend(search.labels.terms_of(system, &obligation.cube));
        wanted = here.iter().flat_map(|&it| atoms(system, it)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|&it| is_small(system, it));
        wanted.truncate(MOST_CANDIDATES);
        for &condition in &wanted {
            if found.len() < MOST_CANDIDATES
                && !search.labels.knows(system, condition)
                && is_known.insert(condition)
            {
                found.push(condition);
            }
        }
    }
    found
}

fn is_small(system: &TransitionSystem, term: TermId) -> bool {
    let mut seen = FastSet::default();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        if seen.insert(term) {
            pending.extend(system.terms.arguments(term));
        }
        if seen.len() > LARGEST_CANDIDATE {
            return false;
        }
    }
    true
}

/// The truth values that a condition is combined of and that are no combinations themselves.
pub(crate) fn atoms(system: &TransitionSystem, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FastSet::default();
    let mut pending = vec![condition];
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        match system.terms.term(term) {
            Term::Apply(
                Operation::Not
                | Operation::And
                | Operation::Or
                | Operation::Xor
                | Operation::IfThenElse,
                arguments,
            ) => pending.extend(arguments),
            Term::Apply(Operation::Equal, arguments) if system.terms.width(arguments[0]) == 1 => {
                pending.extend(arguments);
            }
            Term::Constant(_) => {}
            Term::Variable(_) | Term::Apply(..) => found.push(term),
        }
    }
    found.sort_unstable();
    found
}

/// One step that was taken: its inputs are known, and of choices the alternative that was chosen.
struct Taken {
    evaluation: Evaluation,
    inputs: FastSet<TermId>,
    done: FastMap<TermId, TermId>,
    /// The conditions of the choices.
    chosen_by: Vec<TermId>,
}

impl Taken {
    fn new(system: &TransitionSystem, obligation: &Obligation) -> Self {
        let mut assignment = system.assignment(&obligation.step.state);
        let mut inputs = FastSet::default();
        for (&variable, &value) in system.inputs.iter().zip(&obligation.step.inputs) {
            assignment.set(variable, value);
            inputs.insert(system.terms.variable_term(variable));
        }
        Self {
            evaluation: Evaluation::new(assignment),
            inputs,
            done: FastMap::default(),
            chosen_by: Vec::new(),
        }
    }

    /// The term without inputs and without choices between words. Choices between truth values stay what they are, so
    /// that their conditions are found among the atoms.
    fn specialise(&mut self, system: &mut TransitionSystem, root: TermId) -> TermId {
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if self.done.contains_key(&term) {
                pending.pop();
                continue;
            }
            let width = system.terms.width(term);
            let (operation, arguments) = match system.terms.term(term) {
                Term::Constant(_) => {
                    self.done.insert(term, term);
                    continue;
                }
                Term::Variable(_) => {
                    let is_input = self.inputs.contains(&term);
                    let value = is_input.then(|| self.evaluation.value(&system.terms, term));
                    let here = value.map_or(term, |it| system.terms.constant(it, width));
                    self.done.insert(term, here);
                    continue;
                }
                Term::Apply(operation, arguments) => (operation, arguments.to_vec()),
            };
            let is_choice = operation == Operation::IfThenElse && width > 1;
            let used = if is_choice {
                let is_first = self.evaluation.holds(&system.terms, arguments[0]);
                vec![arguments[if is_first { 1 } else { 2 }], arguments[0]]
            } else {
                arguments
            };
            let before = pending.len();
            pending.extend(used.iter().filter(|it| !self.done.contains_key(it)));
            if pending.len() > before {
                continue;
            }
            let rewritten: Vec<TermId> = used.iter().map(|it| self.done[it]).collect();
            let here = if is_choice {
                self.chosen_by.push(rewritten[1]);
                rewritten[0]
            } else {
                system.terms.apply(operation, width, &rewritten)
            };
            self.done.insert(term, here);
        }
        self.done[&root]
    }
}
