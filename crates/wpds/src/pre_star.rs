//! What reaches: `pre*` by saturation.
//!
//! # Source
//!
//! \[Bouajjani97\]; with weights \[Reps05\].
//!
//! # Definitions
//!
//! In the automaton of `pre*`, weights are multiplied from the top of a stack down: what is on top happens first.
//!
//! # Invariants
//!
//! - **(P1)** In the end the weight of a configuration is the sum over all runs from it.
//!
//! # Deviations
//!
//! None.
//!
//! # Tested by
//!
//! `crates/wpds/tests/against_all_runs.rs`.

use raddle_base::FastMap;

use crate::automaton::{Automaton, Configurations, Reading, StateId, TransitionId, state_of};
use crate::pushdown::{Pushdown, Replaced, RuleId, SymbolId};
use crate::saturation::Saturation;
use crate::semiring::Semiring;

/// The configurations from which one of `targets` is reached, each with the sum of the weights of all runs to them.
pub fn pre_star<S: Semiring>(
    semiring: &S,
    system: &Pushdown<S::Weight>,
    targets: &Configurations<S::Weight>,
) -> Result<Automaton<S::Weight>, S::Error> {
    let controls = system.control_count();
    let automaton = Automaton::new(controls, targets.is_final.clone(), Reading::FromTheTop);
    let mut run = PreRun {
        saturation: Saturation::new(semiring, automaton),
        system,
        age: 0,
    };
    let mut steps: FastMap<(StateId, SymbolId), Vec<RuleId>> = FastMap::default();
    let mut pushes: FastMap<(StateId, SymbolId), Vec<RuleId>> = FastMap::default();
    let mut pushes_below: FastMap<SymbolId, Vec<RuleId>> = FastMap::default();
    for (from, symbol, to, weight) in &targets.transitions {
        run.add((*from, *symbol, *to), weight.clone())?;
    }
    for (id, rule) in system.rules().iter() {
        let to = state_of(rule.to);
        match rule.stack {
            Replaced::Pop => run.add((state_of(rule.from), rule.top, to), rule.weight.clone())?,
            Replaced::Step(symbol) => steps.entry((to, symbol)).or_default().push(id),
            Replaced::Push { top, below } => {
                pushes.entry((to, top)).or_default().push(id);
                pushes_below.entry(below).or_default().push(id);
            }
        }
    }
    while let Some((id, news)) = run.saturation.next() {
        let transition = &run.saturation.automaton.transitions()[id];
        let (from, to) = (transition.from, transition.to);
        let Some(label) = transition.label else {
            continue;
        };
        for rule in steps.get(&(from, label)).into_iter().flatten() {
            run.prepend(*rule, &news, to)?;
        }
        for rule in pushes.get(&(from, label)).into_iter().flatten() {
            run.prepend_with_below(*rule, &news, to)?;
        }
        for rule in pushes_below.get(&label).into_iter().flatten() {
            run.prepend_with_top(*rule, from, &news, to)?;
        }
    }
    Ok(run.saturation.automaton)
}

struct PreRun<'a, S: Semiring> {
    saturation: Saturation<'a, S>,
    system: &'a Pushdown<S::Weight>,
    /// First come, first served.
    age: u64,
}

impl<S: Semiring> PreRun<'_, S> {
    fn add(
        &mut self,
        (from, symbol, to): (StateId, SymbolId, StateId),
        weight: S::Weight,
    ) -> Result<(), S::Error> {
        self.age += 1;
        self.saturation
            .add((from, Some(symbol), to), weight, (0, self.age))?;
        Ok(())
    }

    /// The rule, and then what `rest` weighs.
    fn prepend(&mut self, rule: RuleId, rest: &S::Weight, to: StateId) -> Result<(), S::Error> {
        let rule = &self.system.rules()[rule];
        let weight = self.saturation.semiring.extend(&rule.weight, rest)?;
        self.add((state_of(rule.from), rule.top, to), weight)
    }

    /// The upper symbol of a push is read by a transition to `middle`.
    fn prepend_with_below(
        &mut self,
        rule: RuleId,
        top: &S::Weight,
        middle: StateId,
    ) -> Result<(), S::Error> {
        let Replaced::Push { below, .. } = self.system.rules()[rule].stack else {
            return Ok(());
        };
        // What is added here is for the next time around: it comes with its own news.
        let next: Vec<TransitionId> = self.saturation.automaton.leaving(middle).to_vec();
        for id in next {
            let transition = &self.saturation.automaton.transitions()[id];
            if transition.label != Some(below) {
                continue;
            }
            let to = transition.to;
            let both = self.saturation.semiring.extend(top, &transition.weight)?;
            self.prepend(rule, &both, to)?;
        }
        Ok(())
    }

    /// The lower symbol of a push is read by a transition from `middle`.
    fn prepend_with_top(
        &mut self,
        rule: RuleId,
        middle: StateId,
        below: &S::Weight,
        to: StateId,
    ) -> Result<(), S::Error> {
        let Replaced::Push { top, .. } = self.system.rules()[rule].stack else {
            return Ok(());
        };
        let control = state_of(self.system.rules()[rule].to);
        let automaton = &self.saturation.automaton;
        let Some(id) = automaton.transition(control, Some(top), middle) else {
            return Ok(());
        };
        let weight = &automaton.transitions()[id].weight;
        let both = self.saturation.semiring.extend(weight, below)?;
        self.prepend(rule, &both, to)
    }
}
