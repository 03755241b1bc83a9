//! What one thread does in one step: an edge, or an atomic section as a whole.
//!
//! # Invariants
//!
//! - **(T1)** Ways of one step exclude one another: where several edges can be taken, an input chooses.
//! - **(T2)** What a place makes again while the last is still alive, or while something may still name it, is a hazard: the names
//!   of the interpreter would be different.

use std::collections::BTreeMap;

use raddle_base::{Budget, Id};
use raddle_encode::Choice;
use raddle_encode::hazard::Met;
use raddle_encode::inputs::Inputs;
use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared};
use raddle_encode::taking::{Request, Taken, Way};
use raddle_encode::touch::Standing;
use raddle_engine::Reason;
use raddle_ir::{Action, AllocateKind, EdgeId, FunctionId};
use raddle_logic::{TermId, VariableId};

use crate::build::Builder;
use crate::pass::{Pass, Stop};

/// A thread that stands at a place and goes on from there.
pub(crate) struct Standpoint {
    pub(crate) thread: ThreadIndex,
    /// The number of the place.
    pub(crate) number: usize,
    pub(crate) stop: Stop,
    pub(crate) local: Local,
    /// Under which condition it stands there and runs.
    pub(crate) enters: TermId,
}

/// What comes of a way; conditions are relative to those under which it is gone.
pub(crate) struct Branch {
    pub(crate) edge: EdgeId,
    pub(crate) shared: Shared,
    pub(crate) exits: Vec<(UnrolledPoint, Local)>,
    /// Where the thread or the process ends.
    pub(crate) over: Vec<TermId>,
    pub(crate) begun: Vec<(ThreadIndex, Local)>,
    pub(crate) met: Vec<Met>,
    /// Limits, where the conditions hold: nothing else counts there.
    pub(crate) limits: Vec<(TermId, &'static str)>,
    /// The first of its records.
    pub(crate) records: usize,
}

impl Builder<'_> {
    /// Looks at every edge of every place of every thread once.
    pub(crate) fn pass(&mut self, is_final: bool, budget: &Budget) -> Result<Pass, Reason> {
        let mut pass = self.blank(is_final);
        let mut thread = 0;
        while thread < self.threads.len() {
            let index = ThreadIndex::from_index(thread);
            let bits = self.encoder.terms.width(pass.scheduled);
            debug_assert!(thread < 1 << bits, "every thread has a number");
            let runs = (self.encoder.terms).equals_constant(pass.scheduled, thread as u128);
            pass.runs.push(runs);
            let mut number = 1;
            while number <= self.threads[thread].stops.len() {
                budget.check()?;
                self.leave(&mut pass, index, number);
                number += 1;
            }
            thread += 1;
        }
        let places: usize = self.threads.iter().map(|it| it.stops.len()).sum();
        if places > self.limits.places {
            let what = "a program of so many places once calls are inlined".to_owned();
            return Err(Reason::Unsupported { what, span: None });
        }
        Ok(pass)
    }

    /// Goes all ways that leave a place.
    fn leave(&mut self, pass: &mut Pass, thread: ThreadIndex, number: usize) {
        let stop = self.threads[thread.index()].stops[number - 1].clone();
        let local = self.local_at(pass, thread, &stop);
        let at = self.whereabouts(pass, thread);
        let terms = &mut self.encoder.terms;
        let is_here = terms.equals_constant(at, number as u128);
        let goes_on = terms.not(pass.before.has_ended);
        let runs = pass.runs[thread.index()];
        let enters = terms.all(&[runs, is_here, goes_on]);
        let from = Standpoint {
            thread,
            number,
            stop,
            local,
            enters,
        };
        let (records, occasions) = (self.encoder.records.len(), pass.occasions.len());
        self.encoder.inputs = Inputs::Shared(0);
        let place = from.stop.place.clone();
        let ways = self
            .encoder
            .ways(thread, &place, &from.local, Standing::First);
        let chosen = self.encoder.inputs;
        for way in ways.ways {
            if self.encoder.terms.is_false(way.guard) {
                continue;
            }
            self.encoder.inputs = chosen;
            self.go(pass, &from, way);
        }
        if pass.is_final {
            let offered = self.offered(pass, records, occasions);
            pass.offers.insert((thread, number), offered);
        }
    }

    /// The inputs that matter for what was noted since.
    fn offered(&self, pass: &Pass, records: usize, occasions: usize) -> Vec<VariableId> {
        let mut roots = Vec::new();
        for record in &self.encoder.records[records..] {
            roots.push(record.condition);
            match record.choice {
                Choice::Value(term) | Choice::Thread(term) => roots.push(term),
                Choice::Nothing | Choice::Round(_) => {}
            }
        }
        roots.extend(pass.occasions[occasions..].iter().map(|it| it.condition));
        let terms = &self.encoder.terms;
        let below = terms.below(&roots).into_iter();
        let inputs = below.filter_map(|it| terms.as_variable(it));
        let is_input = |it: &VariableId| terms.variable_name(*it).starts_with("choice ");
        let mut inputs: Vec<VariableId> = inputs.filter(is_input).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// Goes one way, once for each thing that it may make.
    fn go(&mut self, pass: &mut Pass, from: &Standpoint, way: Way) {
        let function = from.stop.place.top().function;
        let action = &self.encoder.program.edge(function, way.edge).action;
        if matches!(action, Action::AtomicBegin { .. }) {
            let branch = self.section(pass, from, way);
            self.commit(pass, from, way.guard, branch);
            return;
        }
        if *action == Action::AtomicEnd {
            let mut branch = self.begin_branch(pass, way.edge);
            let what = "the end of an atomic section that never began";
            let always = self.encoder.terms.truth(true);
            branch.limits.push((always, what));
            self.commit(pass, from, way.guard, branch);
            return;
        }
        let copies = self.copies(&from.stop.place, action);
        let mut rest = way.guard;
        for copy in 0..copies {
            self.encoder.copy = copy;
            let chosen = self.encoder.inputs;
            let (mut branch, busy) = self.edge(pass, from, way);
            self.encoder.copy = 0;
            if copy + 1 < copies && !self.encoder.terms.is_false(busy) {
                let free = self.encoder.terms.not(busy);
                let guard = self.encoder.terms.and(rest, free);
                rest = self.encoder.terms.and(rest, busy);
                self.commit(pass, from, guard, branch);
                self.encoder.inputs = chosen;
                continue;
            }
            branch.limits.push((busy, reuse(action)));
            self.commit(pass, from, rest, branch);
            break;
        }
    }

    /// How many of what an action makes are told apart.
    fn copies(&self, place: &UnrolledPoint, action: &Action) -> usize {
        let is_on_heap = |kind: AllocateKind| kind == AllocateKind::Heap;
        let most = if matches!(action, Action::Spawn { .. }) {
            self.limits.threads
        } else if matches!(action, Action::Allocate { kind, .. } if is_on_heap(*kind)) {
            self.limits.objects
        } else {
            return 1;
        };
        if self.encoder.places.is_in_loop(place) {
            most.max(1)
        } else {
            1
        }
    }

    fn begin_branch(&self, pass: &Pass, edge: EdgeId) -> Branch {
        Branch {
            edge,
            shared: pass.before.clone(),
            exits: Vec::new(),
            over: Vec::new(),
            begun: Vec::new(),
            met: Vec::new(),
            limits: Vec::new(),
            records: self.encoder.records.len(),
        }
    }

    /// Takes an edge; under which condition what it makes is in use.
    fn edge(&mut self, pass: &mut Pass, from: &Standpoint, way: Way) -> (Branch, TermId) {
        let mut branch = self.begin_branch(pass, way.edge);
        let always = self.encoder.terms.truth(true);
        let way = Way {
            guard: always,
            ..way
        };
        let request = Request {
            step: 0,
            thread: from.thread,
            place: &from.stop.place,
            way,
            local: &from.local,
            standing: Standing::First,
        };
        let taken = self.encoder.take(request, &mut branch.shared);
        let busy = self.busy(pass, from.thread, (&from.stop.place, way.edge), &taken);
        branch.met.extend(taken.met);
        branch.begun.extend(taken.begun);
        if let Some(advanced) = taken.advanced {
            match advanced.next {
                Some(next) if is_recursive(&next.0) => {
                    branch.limits.push((next.1.guard, RECURSION));
                }
                Some(next) => branch.exits.push(next),
                None => branch.over.push(advanced.guard),
            }
        }
        self.prolong(from, &mut branch);
        (branch, busy)
    }

    /// Goes all ways through an atomic section, loops unrolled.
    fn section(&mut self, pass: &mut Pass, from: &Standpoint, begin: Way) -> Branch {
        let mut branch = self.begin_branch(pass, begin.edge);
        let always = self.encoder.terms.truth(true);
        let mut pending: BTreeMap<(UnrolledPoint, u32), Local> = BTreeMap::new();
        let begin = Way {
            guard: always,
            ..begin
        };
        let place = from.stop.place.clone();
        self.inside(
            pass,
            from,
            (&place, &from.local),
            (begin, 1),
            (&mut branch, &mut pending),
        );
        while let Some(((place, depth), local)) = pending.pop_first() {
            if depth == 0 {
                branch.exits.push((place, local));
                continue;
            }
            let ways = self
                .encoder
                .ways(from.thread, &place, &local, Standing::Section);
            for way in ways.ways {
                if self.encoder.terms.is_false(way.guard) {
                    continue;
                }
                if place.round() > self.limits.rounds {
                    let what =
                        "a loop in an atomic section of more rounds than this engine follows";
                    branch.limits.push((way.guard, what));
                    continue;
                }
                let depth = self.encoder.depth_after(&place, way.edge, depth);
                self.inside(
                    pass,
                    from,
                    (&place, &local),
                    (way, depth),
                    (&mut branch, &mut pending),
                );
            }
        }
        self.prolong(from, &mut branch);
        branch
    }

    /// Takes an edge of a section.
    fn inside(
        &mut self,
        pass: &mut Pass,
        from: &Standpoint,
        (place, local): (&UnrolledPoint, &Local),
        (way, depth): (Way, u32),
        (branch, pending): (&mut Branch, &mut BTreeMap<(UnrolledPoint, u32), Local>),
    ) {
        let request = Request {
            step: 0,
            thread: from.thread,
            place,
            way,
            local,
            standing: Standing::Section,
        };
        let taken = self.encoder.take(request, &mut branch.shared);
        let busy = self.busy(pass, from.thread, (place, way.edge), &taken);
        let busy = self.encoder.terms.and(way.guard, busy);
        if !self.encoder.terms.is_false(busy) {
            let action = &self
                .encoder
                .program
                .edge(place.top().function, way.edge)
                .action;
            branch.limits.push((busy, reuse(action)));
        }
        branch.met.extend(taken.met);
        branch.begun.extend(taken.begun);
        let Some(advanced) = taken.advanced else {
            return;
        };
        let Some((next, local)) = advanced.next else {
            branch.over.push(advanced.guard);
            return;
        };
        if is_recursive(&next) {
            branch.limits.push((local.guard, RECURSION));
            return;
        }
        let key = (next, depth);
        if let Some(known) = pending.get_mut(&key) {
            known.join(&mut self.encoder.terms, &local);
        } else {
            pending.insert(key, local);
        }
    }

    /// Under which condition what an edge makes is in use before the step.
    fn busy(
        &mut self,
        pass: &Pass,
        thread: ThreadIndex,
        (place, edge): (&UnrolledPoint, EdgeId),
        taken: &Taken,
    ) -> TermId {
        let never = self.encoder.terms.truth(false);
        // A thread begins once, so it comes once to what lies in no loop.
        let is_once = !self.encoder.places.is_in_loop(place);
        if let Some((started, _)) = &taken.begun
            && !is_once
        {
            let Some(link) = pass.before.links.get(*started) else {
                return never;
            };
            return self.encoder.terms.or(link.exists, link.has_ended);
        }
        let function = place.top().function;
        let action = &self.encoder.program.edge(function, edge).action;
        let Action::Allocate { target, .. } = action else {
            return never;
        };
        if taken.advanced.is_none() {
            return never;
        }
        let Some(object) = self.encoder.object_at(thread, place, edge) else {
            return never;
        };
        self.name(object, function, *target);
        if is_once {
            return never;
        }
        let is_live = pass.before.memory.objects.get(&object).map(|it| it.is_live);
        let is_live = is_live.unwrap_or(never);
        let is_stale = self.stale(pass, object);
        self.encoder.terms.or(is_live, is_stale)
    }

    /// What people call an object.
    fn name(&mut self, object: ObjectName, function: FunctionId, target: raddle_ir::RegisterId) {
        if self.made.iter().any(|it| it.0 == object) {
            return;
        }
        let function = &self.encoder.program.functions[function];
        let name = format!(
            "what {}.{} points to",
            function.name, function.registers[target].name
        );
        let count = self
            .made
            .iter()
            .filter(|it| it.1.starts_with(&name))
            .count();
        let name = if count == 0 {
            name
        } else {
            format!("{name} #{}", count + 1)
        };
        self.made.push((object, name));
    }
}

const RECURSION: &str = "a function that calls itself";

/// Why what an action makes again is not followed.
fn reuse(action: &Action) -> &'static str {
    if matches!(action, Action::Spawn { .. }) {
        "more threads started in a loop than this engine tells apart"
    } else {
        "an object made again while an older one of the same place is in use"
    }
}

/// Whether a function runs that was called while it was running.
pub(crate) fn is_recursive(place: &UnrolledPoint) -> bool {
    let running = place.top().function;
    let others = place.frames().take(place.depth() - 1);
    others.into_iter().any(|(function, _)| function == running)
}
