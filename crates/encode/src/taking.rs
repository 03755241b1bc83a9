//! Edges are taken on request: what an engine asks for, what there is on the way, and what it gets back.
//!
//! # Invariants
//!
//! - **(K1)** All that comes of a request is in its [`Taken`]. Nothing is left in the encoder that has to be fetched before the
//!   next request, but for the records, which are a log of all of them.
//! - **(K2)** What is found out about an edge that is only looked at ([`Taking::aside`]) is gone with it.

use raddle_base::Id;
use raddle_engine::Property;
use raddle_ir::{EdgeId, RegisterId};
use raddle_logic::TermId;

use crate::encoder::{Choice, Encoder, Record};
use crate::hazard::{Hazard, Met};
use crate::names::ThreadIndex;
use crate::place::{UnrolledPoint, is_too_far};
use crate::state::{Local, Shared};
use crate::touch::{Access, Chosen, Standing, Touch};
use crate::values::Evaluation;
use crate::word::Word;

/// One way to leave a place.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub edge: EdgeId,
    /// Under which condition it is tried.
    pub guard: TermId,
    /// The address of the function that is called, where it is one of several.
    pub callee: Option<u128>,
}

impl Way {
    /// A thread at the place, as far as it goes this way.
    pub fn of(&self, local: &Local) -> Local {
        Local {
            guard: self.guard,
            ..local.clone()
        }
    }
}

/// All ways to leave a place, and what was chosen between them.
#[must_use]
pub struct Ways {
    pub ways: Vec<Way>,
    pub chosen: Option<Chosen>,
}

/// A thread is to go a way.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The step of the engine that this belongs to.
    pub step: usize,
    pub thread: ThreadIndex,
    pub place: &'a UnrolledPoint,
    pub way: Way,
    /// The thread at the place; the guard is that of the way.
    pub local: &'a Local,
    pub standing: Standing,
}

/// What comes of a request. An engine takes it apart without leaving anything out: what it does not look at is an
/// execution that it misses.
#[must_use]
pub struct Taken {
    /// `None` if no execution gets through.
    pub advanced: Option<Advanced>,
    /// Where an assertion fails, if it was one.
    pub failing: Option<TermId>,
    /// The thread that is started, as it begins; also where no execution gets through.
    pub begun: Option<(ThreadIndex, Local)>,
    /// What goes wrong.
    pub met: Vec<Met>,
    /// What the thread stands before, where that is wanted.
    pub accesses: Vec<Access>,
    /// What was chosen on the way, where that is wanted.
    pub choices: Vec<Chosen>,
}

/// What an edge leads to.
pub struct Advanced {
    pub guard: TermId,
    /// `None` if the thread or the process has ended.
    pub next: Option<(UnrolledPoint, Local)>,
    /// The thread that was started.
    pub started: Option<ThreadIndex>,
}

/// An edge while it is taken.
pub struct Taking<'a> {
    pub thread: ThreadIndex,
    pub shared: &'a mut Shared,
    pub place: &'a UnrolledPoint,
    pub edge: EdgeId,
    pub local: Local,
    pub choice: Choice,
    pub(crate) callee: Option<u128>,
    standing: Standing,
    pub(crate) noted: Noted,
}

/// What was found out on the way.
#[derive(Default)]
pub(crate) struct Noted {
    pub(crate) failing: Option<TermId>,
    pub(crate) begun: Option<(ThreadIndex, Local)>,
    met: Vec<Met>,
    accesses: Vec<Access>,
    choices: Vec<Chosen>,
    observes_layout: bool,
}

/// Where an edge leads the executions that get through.
pub(crate) enum Onward {
    To(UnrolledPoint),
    /// The thread or the process has ended.
    End,
}

impl<'a> Taking<'a> {
    /// An edge that is not taken, only looked at.
    pub fn aside(
        thread: ThreadIndex,
        shared: &'a mut Shared,
        (place, edge): (&'a UnrolledPoint, EdgeId),
        local: Local,
    ) -> Self {
        Self {
            thread,
            shared,
            place,
            edge,
            local,
            choice: Choice::Nothing,
            callee: None,
            standing: Standing::Later,
            noted: Noted::default(),
        }
    }

    pub fn set(&mut self, register: RegisterId, word: Word) {
        let frame = self.local.frames.last_mut().expect("runs");
        frame.registers[register.index()] = word;
    }
}

impl Encoder<'_> {
    /// Takes an edge, and records it if some execution gets through.
    pub fn take(&mut self, request: Request<'_>, shared: &mut Shared) -> Taken {
        let Request {
            step,
            thread,
            place,
            way,
            local,
            standing,
        } = request;
        let mut taking = Taking {
            callee: way.callee,
            standing,
            ..Taking::aside(thread, shared, (place, way.edge), way.of(local))
        };
        let onward = if is_too_far(place) {
            let what = "loops and calls deeper than this engine follows them".to_owned();
            self.meet(&mut taking, way.guard, Hazard::Unsupported(what));
            None
        } else {
            self.act(&mut taking)
        };
        let Taking {
            local,
            choice,
            noted,
            ..
        } = taking;
        self.observes_layout |= noted.observes_layout;
        let started = noted.begun.as_ref().map(|it| it.0);
        let advanced = onward.map(|onward| Advanced {
            guard: local.guard,
            next: match onward {
                Onward::To(next) => Some((next, local)),
                Onward::End => None,
            },
            started,
        });
        if let Some(advanced) = &advanced {
            self.records.push(Record {
                step,
                thread,
                place: (place.top().function, way.edge),
                condition: advanced.guard,
                choice,
                started,
            });
        }
        Taken {
            advanced,
            failing: noted.failing,
            begun: noted.begun,
            met: noted.met,
            accesses: noted.accesses,
            choices: noted.choices,
        }
    }

    /// Executions in which the condition holds come to a hazard at the edge.
    pub(crate) fn meet(&self, taking: &mut Taking<'_>, condition: TermId, hazard: Hazard) {
        let place = (taking.place.top().function, taking.edge);
        let met = self.hazard_at(condition, hazard, place);
        taking.noted.met.push(met);
    }

    /// Notes what the thread stands before.
    fn note_accesses(&self, taking: &mut Taking<'_>, touched: Vec<(Touch, TermId)>) {
        if !self.wanted.accesses || !taking.standing.is_first() {
            return;
        }
        let thread = taking.thread;
        let standing = taking.standing;
        let seen = touched.into_iter().map(|(touch, condition)| Access {
            thread,
            touch: standing.seen(touch),
            condition,
        });
        taking.noted.accesses.extend(seen);
    }

    /// Notes that one of so many values was chosen.
    pub(crate) fn note_choice(&self, taking: &mut Taking<'_>, variable: TermId, values: usize) {
        let chosen = self.wanted.choice(taking.standing, variable, values);
        taking.noted.choices.extend(chosen);
    }

    /// Evaluates something of an action; executions in which that goes wrong end here.
    pub fn evaluate<T>(
        &mut self,
        taking: &mut Taking<'_>,
        with: impl FnOnce(&mut Evaluation<'_>) -> T,
    ) -> T {
        let function = taking.place.top().function;
        let instance = &self.instances[taking.thread];
        let mut evaluation = Evaluation {
            terms: &mut self.terms,
            program: self.program,
            types: &self.program.functions[function].registers,
            registers: &taking.local.frames.last().expect("runs").registers,
            thread: instance.number,
            locals: &instance.locals,
            names: &mut self.names,
            guard: taking.local.guard,
            hazards: Vec::new(),
            overflows: Vec::new(),
            touched: Vec::new(),
            observes_layout: false,
            doubts_numbers: self.doubts_numbers,
        };
        let value = with(&mut evaluation);
        let Evaluation {
            guard,
            hazards,
            overflows,
            touched,
            observes_layout,
            ..
        } = evaluation;
        taking.noted.observes_layout |= observes_layout;
        self.note_accesses(taking, touched);
        for overflow in overflows {
            self.meet(taking, overflow, Hazard::Violation(Property::Overflow));
        }
        for (condition, hazard) in hazards {
            self.meet(taking, condition, hazard);
        }
        taking.local.guard = guard;
        value
    }

    /// Only executions in which something holds get on; the others are blocked.
    pub fn narrow(&mut self, taking: &mut Taking<'_>, condition: TermId) {
        taking.local.guard = self.terms.and(taking.local.guard, condition);
    }

    pub fn require(&mut self, taking: &mut Taking<'_>, is_fine: TermId, hazard: Hazard) {
        self.evaluate(taking, |it| it.require(is_fine, || hazard));
    }

    pub fn set_number(
        &mut self,
        taking: &mut Taking<'_>,
        target: Option<RegisterId>,
        bits: TermId,
    ) {
        if let Some(target) = target {
            let function = taking.place.top().function;
            let width = self.width(self.program.functions[function].registers[target].ty);
            let bits = self.terms.resize(bits, width, false);
            let word = Word::defined(&mut self.terms, bits);
            taking.set(target, word);
        }
    }
}
