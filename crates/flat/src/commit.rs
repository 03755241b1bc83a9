//! What comes of a step becomes a part of the relation.

use raddle_encode::hazard::Met;
use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::Local;
use raddle_ir::{EdgeId, FunctionId};
use raddle_logic::TermId;

use crate::build::Builder;
use crate::pass::{Move, Occasion, Pass, What};
use crate::slot::Slot;
use crate::step::{Branch, Standpoint};

const LOST_NAME: &str = "the name of a thread or an object that is kept among numbers";

/// Where a step stands, for what goes wrong on it.
struct Site {
    thread: ThreadIndex,
    guard: TermId,
    edge: (FunctionId, EdgeId),
}

impl Builder<'_> {
    /// All that comes of a way becomes a part of the steps.
    pub(crate) fn commit(
        &mut self,
        pass: &mut Pass,
        from: &Standpoint,
        guard: TermId,
        mut branch: Branch,
    ) {
        let site = Site {
            thread: from.thread,
            guard: self.encoder.terms.and(from.enters, guard),
            edge: (from.stop.place.top().function, branch.edge),
        };
        for record in &mut self.encoder.records[branch.records..] {
            record.condition = self.encoder.terms.and(site.guard, record.condition);
        }
        // Shapes have to grow before anybody can say what they lose.
        if pass.is_final {
            self.keep_names(pass, from, &mut branch);
        }
        let broken = self.note_limits(pass, &site, &branch.limits);
        self.note_met(pass, &site, std::mem::take(&mut branch.met));
        let is_whole = self.encoder.terms.not(broken);
        let guard = self.encoder.terms.and(site.guard, is_whole);
        self.go_on(pass, from, guard, branch);
    }

    /// Ways end where the name of something that was made is put where nobody can tell it from a number.
    fn keep_names(&mut self, pass: &Pass, from: &Standpoint, branch: &mut Branch) {
        if self.lost_names(pass, &branch.shared) {
            let always = self.encoder.terms.truth(true);
            branch.limits.push((always, LOST_NAME));
        }
        for (place, local) in &branch.exits {
            if self.loses_names(from.thread, place, local) {
                branch.limits.push((local.guard, LOST_NAME));
            }
        }
    }

    /// Where limits are met.
    fn note_limits(
        &mut self,
        pass: &mut Pass,
        site: &Site,
        limits: &[(TermId, &'static str)],
    ) -> TermId {
        let after = self.encoder.records.len();
        let mut broken = Vec::new();
        for (condition, what) in limits {
            broken.push(*condition);
            pass.occasions.push(Occasion {
                condition: self.encoder.terms.and(site.guard, *condition),
                what: What::Limit(what),
                thread: site.thread,
                place: site.edge,
                after,
            });
        }
        self.encoder.terms.any(&broken)
    }

    fn note_met(&mut self, pass: &mut Pass, site: &Site, met: Vec<Met>) {
        for met in met {
            pass.occasions.push(Occasion {
                condition: self.encoder.terms.and(site.guard, met.condition),
                what: What::Met(met.hazard),
                thread: site.thread,
                place: met.place.unwrap_or(site.edge),
                after: met.after,
            });
        }
    }

    /// Executions that get through are where the way leads.
    fn go_on(&mut self, pass: &mut Pass, from: &Standpoint, guard: TermId, branch: Branch) {
        let edge = (from.stop.place.top().function, branch.edge);
        let is_never = |builder: &Self, it: TermId| builder.encoder.terms.is_false(it);
        let mut arrived = Vec::new();
        let mut ways = Vec::new();
        for (place, local) in branch.exits {
            let guard = self.encoder.terms.and(guard, local.guard);
            if !is_never(self, guard) {
                arrived.push(guard);
                ways.push(self.arrive(pass, from, guard, (&place, &local)));
            }
        }
        for over in branch.over {
            let guard = self.encoder.terms.and(guard, over);
            if !is_never(self, guard) {
                arrived.push(guard);
                self.end(pass, from, guard);
                ways.push(0);
            }
        }
        pass.moves.extend(ways.into_iter().map(|to| Move {
            thread: from.thread,
            from: from.number,
            edge,
            to,
        }));
        for (thread, local) in branch.begun {
            let guard = self.encoder.terms.and(guard, local.guard);
            if !is_never(self, guard) {
                self.start(pass, thread, guard, &local);
            }
        }
        let comes_through = self.encoder.terms.any(&arrived);
        if !is_never(self, comes_through) {
            let terms = &mut self.encoder.terms;
            pass.after.merge(terms, comes_through, &branch.shared);
            pass.arrived.push(comes_through);
        }
    }

    /// A thread comes to a place where the condition holds; its number.
    fn arrive(
        &mut self,
        pass: &mut Pass,
        from: &Standpoint,
        guard: TermId,
        (place, local): (&UnrolledPoint, &Local),
    ) -> usize {
        let place = self.encoder.places.folded(place);
        let number = self.stop_at(from.thread, &place, local);
        self.put_at(pass, from.thread, guard, number);
        let mut left = self.live_slots(from.thread, &from.stop.place);
        for (slot, term) in self.registers(from.thread, &place, local) {
            left.remove(&slot);
            self.grow_slot(&slot, term, &mut pass.looked);
            if pass.current(&slot) != Some(term) {
                pass.updates.entry(slot).or_default().push((guard, term));
            }
        }
        clear(pass, guard, left);
        number
    }

    /// A thread ends where the condition holds.
    fn end(&mut self, pass: &mut Pass, from: &Standpoint, guard: TermId) {
        self.put_at(pass, from.thread, guard, 0);
        let left = self.live_slots(from.thread, &from.stop.place);
        clear(pass, guard, left);
    }

    /// A thread begins where the condition holds.
    fn start(&mut self, pass: &mut Pass, thread: ThreadIndex, guard: TermId, local: &Local) {
        let function = self.encoder.instances[thread].function;
        let place = self.encoder.places.start(function);
        let place = self.encoder.places.folded(&place);
        let number = self.stop_at(thread, &place, local);
        self.put_at(pass, thread, guard, number);
        for (slot, term) in self.registers(thread, &place, local) {
            self.grow_slot(&slot, term, &mut pass.looked);
            pass.updates.entry(slot).or_default().push((guard, term));
        }
    }

    fn put_at(&mut self, pass: &mut Pass, thread: ThreadIndex, guard: TermId, number: usize) {
        let at = self.whereabouts(pass, thread);
        let width = self.encoder.terms.width(at);
        let number = self.encoder.terms.constant(number as u128, width);
        pass.updates
            .entry(Slot::At(thread))
            .or_default()
            .push((guard, number));
    }
}

/// Nobody reads these any more where the condition holds.
fn clear(pass: &mut Pass, guard: TermId, slots: impl IntoIterator<Item = Slot>) {
    for slot in slots {
        if let Some(coded) = pass.coded.get(&slot)
            && !coded.variables.is_empty()
        {
            pass.cleared.entry(slot).or_default().push(guard);
        }
    }
}
