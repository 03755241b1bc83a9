//! Looks at states, for what they show by themselves: which properties are looked for, and when.

use raddle_base::Arena;
use raddle_encode::hazard::{Hazard, Met};
use raddle_encode::names::ThreadIndex;
use raddle_encode::state::{Local, Shared, Whereabouts};
use raddle_encode::touch::Chosen;
use raddle_engine::{Property, Reduction};
use raddle_logic::{Substitution, TermId};

use crate::unroll::Unrolling;

impl Unrolling<'_> {
    /// What the states before the next step show.
    pub(crate) fn look_at_state(&mut self) -> Vec<Met> {
        self.looks.accesses.clear();
        self.looks.moves = Arena::new();
        let after = self.encoder.records.len();
        let mut found = Vec::new();
        if self.looks.has(Property::Memory) {
            self.looks.standing.clone_from(&self.whereabouts);
            let (shared, standing) = (self.shared.clone(), self.whereabouts.clone());
            let locals: Vec<&Local> = standing.values().flat_map(|it| it.values()).collect();
            found.push((self.lost_memory(&shared, &locals), Property::Memory));
        }
        if self.looks.has(Property::Leak) {
            found.push((self.leak(), Property::Leak));
        }
        if self.looks.has(Property::Invariant) {
            let shared = self.shared.clone();
            let broken = self.broken_invariant(&shared);
            self.looks.broken = Some(broken);
            found.push((broken, Property::Invariant));
        }
        self.shown(found, after)
    }

    fn shown(&self, found: Vec<(TermId, Property)>, after: usize) -> Vec<Met> {
        let is_possible = |it: &(TermId, Property)| !self.encoder.terms.is_false(it.0);
        let met = |(condition, property)| Met {
            condition,
            hazard: Hazard::Violation(property),
            place: None,
            after,
        };
        found.into_iter().filter(is_possible).map(met).collect()
    }

    /// A thread has taken a step and is in the middle or at the end of its block; `None` if it has ended.
    pub(crate) fn look_inside(
        &mut self,
        thread: ThreadIndex,
        shared: &Shared,
        local: Option<&Local>,
        guard: TermId,
    ) -> Vec<Met> {
        let reduction = self.looks.reduction;
        if reduction == Reduction::None {
            return Vec::new();
        }
        let mut found = Vec::new();
        // Who puts right movers off does not see all that is lost, however closely it looks.
        if self.looks.has(Property::Memory) && !reduction.has_right_movers() {
            let standing = std::mem::take(&mut self.looks.standing);
            let others = standing.iter().filter(|(it, _)| *it != thread);
            let locals: Vec<&Local> = others
                .flat_map(|(_, it)| it.values())
                .chain(local)
                .collect();
            found.push((self.lost_memory(shared, &locals), Property::Memory));
            self.looks.standing = standing;
        }
        if self.looks.has(Property::Invariant) {
            let broken = self.broken_invariant(shared);
            if self.looks.broken != Some(broken) {
                found.push((broken, Property::Invariant));
            }
        }
        for (condition, _) in &mut found {
            *condition = self.encoder.terms.and(guard, *condition);
        }
        self.shown(found, self.encoder.records.len())
    }

    /// After all that a thread can do in one step: whether it can do anything.
    pub(crate) fn note_moves(&mut self, met: &[Met]) {
        let mut ways = std::mem::take(&mut self.looks.firsts);
        let choices = std::mem::take(&mut self.looks.choices);
        if !self.looks.has(Property::Deadlock) {
            return;
        }
        // Who goes wrong does not wait.
        ways.extend(met.iter().map(|it| it.condition));
        let mut moves = self.encoder.terms.any(&ways);
        // It moves if it can, whatever was chosen.
        for Chosen { variable, values } in choices {
            let Some(id) = self.encoder.terms.as_variable(variable) else {
                continue;
            };
            let width = self.encoder.terms.width(variable);
            let mut cases = Vec::new();
            for value in 0..values {
                let value = self.encoder.terms.constant(value as u128, width);
                let mut substitution = Substitution::new();
                substitution.replace(&self.encoder.terms, id, value);
                cases.push(self.encoder.terms.substitute(&mut substitution, moves));
            }
            moves = self.encoder.terms.any(&cases);
        }
        self.looks.moves.push(moves);
    }

    /// What the threads show together by what they stand before.
    pub(crate) fn look_at_meetings(
        &mut self,
        before: &Shared,
        standing: &Arena<ThreadIndex, Whereabouts>,
        after: usize,
    ) -> Vec<Met> {
        let mut found = Vec::new();
        if self.looks.has(Property::Race) {
            found.push((self.race(), Property::Race));
        }
        if self.looks.has(Property::Deadlock) {
            let moves = std::mem::take(&mut self.looks.moves);
            found.push((self.deadlock(before, standing, &moves), Property::Deadlock));
        }
        self.shown(found, after)
    }
}
