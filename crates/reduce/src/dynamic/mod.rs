//! Dynamic movers: conditions on a state under which an access commutes with all that other threads may ever do from
//! there on (DR §4.1, Table 2).
//!
//! # Source
//!
//! DR Def. 1 (dynamic both-moving condition), Def. 12 and Table 2; *locked out* is from DR §6.
//!
//! # Definitions
//!
//! An access to *a* by thread *i* moves both ways if every conflicting access that another thread
//! may still make — its [prospects](raddle_analysis::futures), those of threads it starts included — is one of these:
//!
//! - **out of reach**: the other thread has passed it for good (DR: reachability). It is no prospect then.
//! - **elsewhere**: at an address that is computed from what the other thread holds now, and is not *a* (DR: static
//!   pointer dereference). If cells are read on the way, nobody may write them any more.
//! - **refused**: a compare-and-exchange, of just these bytes if of any of them, that expects a constant they do not hold,
//!   while the access itself writes nothing (DR: monotonic atomic). If all who may write are of this kind, the bytes never change again.
//! - **locked out**: behind a lock that *i* holds now, and that nobody can make anew or destroy (DR §6: dynamic locking).
//!
//! # Invariants
//!
//! - **(D1)** No step of another thread makes the condition false: prospects only become fewer (futures, F), addresses on
//!   paths stay, refused bytes stay, and *i* alone releases its locks.
//! - **(D2)** While the condition holds, no conflicting access can be the next step of another thread but a refused one,
//!   which commutes with a read.
//!
//! # Deviations
//!
//! 1. DR assumes that different pointers mean different memory; here bytes are compared.
//! 2. DR's conditions look at program counters; here at prospects, so that calls, and threads that are not yet there,
//!    count (the paper leaves both open).
//! 3. A compare-and-exchange may write any value: once the cell is not what it expects, it writes nothing.
//!
//! # Tested by
//!
//! `crates/reduce/tests/dynamic.rs`: D1 and D2 in all states of small programs; every [`Clause`] left out hides a failing
//! assertion of some program of `tests/rad/dynamic`.

mod clause;
mod conflicts;
mod present;
mod surroundings;

pub use clause::Clause;
pub use present::{FrameView, Present};
pub use surroundings::{At, Other, Surroundings};

use std::rc::Rc;

use raddle_analysis::futures::{Futures, Path, Prospect, Site};
use raddle_ir::{Action, Deed, EdgeId, Expression, FunctionId, Operand, Program};

use crate::static_movers::{StaticMovers, Survey};
use conflicts::Conflicts;

/// How much conditions look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Which locks with fixed names the thread holds, and which other threads there are (FQ).
    Phase,
    /// All of the above.
    Dynamic,
}

/// The conditions of all accesses of a program.
pub struct DynamicMovers<'p> {
    program: &'p Program,
    strength: Strength,
    /// `None`: no condition is ever true.
    known: Option<(Conflicts<'p>, Futures)>,
    left_out: Option<Clause>,
}

/// An access that asks whether it moves.
struct Mover<'a, W: Surroundings> {
    site: Site,
    touch: Operand<'a>,
    address: W::Word,
    /// It writes nothing.
    is_reading: W::Truth,
}

impl<'p> DynamicMovers<'p> {
    pub fn new(program: &'p Program, strength: Strength) -> Self {
        Self::leaving_out(program, strength, None)
    }

    /// For tests of tests: without one of the clauses.
    pub fn leaving_out(program: &'p Program, strength: Strength, left_out: Option<Clause>) -> Self {
        let known = Survey::new(program).and_then(|survey| {
            let conflicts = Conflicts::new(survey)?;
            let futures = Futures::new(conflicts.points_to(), |site| conflicts.counts(site))?;
            Some((conflicts, futures))
        });
        Self {
            program,
            strength,
            known,
            left_out,
        }
    }

    pub fn strength(&self) -> Strength {
        self.strength
    }

    /// What holds in every state, by the same analyses.
    pub fn statics(&self) -> StaticMovers {
        self.known
            .as_ref()
            .map_or_else(StaticMovers::default, |(conflicts, _)| conflicts.statics())
    }

    /// Whether an access moves both ways now; of the start of a thread: whether the store of its name would alone. Of other
    /// actions: never.
    pub fn condition<W: Surroundings>(
        &self,
        world: &mut W,
        frame: &W::Frame,
        (function, edge): (FunctionId, EdgeId),
    ) -> W::Truth {
        let action = &self.program.edge(function, edge).action;
        let touched = action.operands(self.program.model);
        let (Some((conflicts, futures)), [touch]) = (&self.known, touched.as_slice()) else {
            return world.truth(false);
        };
        if touch.deed != Deed::Data {
            return world.truth(false);
        }
        let Some((address, is_sound)) = world.evaluate(frame, touch.address, &[]) else {
            return world.truth(false);
        };
        let is_reading = self.is_reading(world, frame, action, address);
        let mover = Mover {
            site: Site {
                function,
                edge,
                operand: 0,
            },
            touch: *touch,
            address,
            is_reading,
        };
        let question = MoveQuestion {
            movers: self,
            conflicts,
            futures,
            others: world.others(),
            mover,
        };
        let moves = question.moves(world);
        let moves = world.and(is_sound, moves);
        let always = world.truth(true);
        world.given(moves, always)
    }

    fn is_reading<W: Surroundings>(
        &self,
        world: &mut W,
        frame: &W::Frame,
        action: &Action,
        address: W::Word,
    ) -> W::Truth {
        if matches!(action, Action::Load { .. }) {
            return world.truth(true);
        }
        let Action::CompareExchange { expected, ty, .. } = action else {
            return world.truth(false);
        };
        if self.left_out == Some(Clause::WritesNothing) {
            return world.truth(true);
        }
        let Some((expected, is_sound)) = world.evaluate(frame, expected, &[]) else {
            return world.truth(false);
        };
        let differs = world.differs(address, *ty, expected);
        world.and(is_sound, differs)
    }
}

/// Whether one access commutes with all that others may do.
struct MoveQuestion<'a, 'p, W: Surroundings> {
    movers: &'a DynamicMovers<'p>,
    conflicts: &'a Conflicts<'p>,
    futures: &'a Futures,
    others: Rc<[Other<W::Truth, W::Frame>]>,
    mover: Mover<'a, W>,
}

impl<W: Surroundings> MoveQuestion<'_, '_, W> {
    fn keeps(&self, clause: Clause) -> bool {
        self.movers.left_out != Some(clause)
    }

    fn moves(&self, world: &mut W) -> W::Truth {
        let mut all = world.truth(true);
        for other in self.others.iter() {
            let mut harmless = world.truth(true);
            for (frame, prospect) in self.prospects(other) {
                if !self.conflicts.conflict(self.mover.site, prospect.site) {
                    continue;
                }
                let is_apart = self.is_apart(world, frame, prospect);
                harmless = world.and(harmless, is_apart);
                if world.is_false(harmless) {
                    break;
                }
            }
            let harmless = world.given(harmless, other.is_there);
            let is_absent = world.not(other.is_there);
            let is_fine = world.or(is_absent, harmless);
            all = world.and(all, is_fine);
            if world.is_false(all) {
                break;
            }
        }
        all
    }

    /// What another thread may still do, each with the frame that it is told in.
    fn prospects<'b>(
        &'b self,
        other: &'b Other<W::Truth, W::Frame>,
    ) -> Box<dyn Iterator<Item = (&'b W::Frame, &'b Prospect)> + 'b> {
        let is_counted = |it: &&Prospect| it.is_own || self.keeps(Clause::ThreadsToCome);
        if self.movers.strength == Strength::Phase {
            // All that the thread ever does: a lock that the mover holds keeps it from what is behind the lock, wherever it stands.
            let entry = self.movers.program.functions[other.function].entry;
            let prospects = self.futures.from(other.function, entry).iter();
            let frame = other.frames.first().map(|(frame, _, _)| frame);
            return Box::new(
                frame
                    .into_iter()
                    .flat_map(move |frame| prospects.clone().map(move |it| (frame, it))),
            );
        }
        let frames = if self.keeps(Clause::Callers) {
            other.frames.as_slice()
        } else {
            other.frames.last().map_or(&[][..], std::slice::from_ref)
        };
        Box::new(frames.iter().flat_map(move |(frame, function, at)| {
            let prospects = match at {
                At::Location(location) => self.futures.from(*function, *location),
                At::Call(edge) => self.futures.after_call(*function, *edge),
            };
            prospects
                .iter()
                .filter(is_counted)
                .map(move |it| (frame, it))
        }))
    }

    /// Whether a prospect does not disturb the access.
    fn is_apart(&self, world: &mut W, frame: &W::Frame, prospect: &Prospect) -> W::Truth {
        let action = self.conflicts.action(prospect.site);
        let touched = action.operands(self.movers.program.model);
        let mut is_apart = world.truth(false);
        let Some(touch) = touched.get(prospect.site.operand) else {
            // The end of an object with its frame.
            return is_apart;
        };
        if !touch.is_write {
            is_apart = self.mover.is_reading;
        }
        if let Some(refused) = self.is_refused(world, action, prospect.site) {
            is_apart = world.or(is_apart, refused);
        }
        if world.is_true(is_apart) {
            return is_apart;
        }
        if let Some((address, is_sound)) = self.resolved(world, frame, prospect.path.as_ref()) {
            let elsewhere = world.are_apart(
                (self.mover.address, self.mover.touch.extent),
                (address, touch.extent),
            );
            let harmless = world.and(is_sound, elsewhere);
            is_apart = world.or(is_apart, harmless);
        }
        for (site, lock) in &prospect.locks {
            if world.is_true(is_apart) {
                break;
            }
            let locked_out = self.is_locked_out(world, frame, *site, lock);
            is_apart = world.or(is_apart, locked_out);
        }
        is_apart
    }

    /// A compare-and-exchange that fails wherever it touches the access, which writes nothing.
    fn is_refused(&self, world: &mut W, action: &Action, site: Site) -> Option<W::Truth> {
        let Action::CompareExchange { expected, ty, .. } = action else {
            return None;
        };
        let Expression::Constant(expected, _) = expected else {
            return None;
        };
        let are_same_bytes = self.conflicts.are_same_or_apart(self.mover.site, site);
        if self.movers.strength == Strength::Phase
            || self.keeps(Clause::SameBytes) && !are_same_bytes
        {
            return None;
        }
        let expected = world.constant(*expected, *ty);
        let differs = if self.keeps(Clause::NotExpected) {
            world.differs(self.mover.address, *ty, expected)
        } else {
            world.truth(true)
        };
        Some(world.and(differs, self.mover.is_reading))
    }

    fn is_locked_out(&self, world: &mut W, frame: &W::Frame, site: Site, lock: &Path) -> W::Truth {
        let Some((address, is_sound)) = self.resolved(world, frame, Some(lock)) else {
            return world.truth(false);
        };
        let holds = if self.keeps(Clause::LockHeld) {
            world.holds(address)
        } else {
            world.truth(true)
        };
        let held = world.and(is_sound, holds);
        if world.is_false(held) {
            return held;
        }
        let lives = if !self.keeps(Clause::LockLives) {
            world.truth(true)
        } else if self.movers.strength == Strength::Phase {
            // A thread may still be where a lock let it in that was lost since, by whichever thread's action.
            world.truth(!self.conflicts.may_be_lost(site))
        } else {
            self.is_unwritten(world, address, site)
        };
        world.and(held, lives)
    }

    /// The address at the end of a path, and whether it will be the same when it is used.
    fn resolved(
        &self,
        world: &mut W,
        frame: &W::Frame,
        path: Option<&Path>,
    ) -> Option<(W::Word, W::Truth)> {
        let path = path?;
        if self.movers.strength == Strength::Phase && !path.is_constant(self.movers.program) {
            return None;
        }
        let mut is_sound = world.truth(true);
        let mut filled = Vec::new();
        for load in &path.loads {
            let (address, is_defined) = world.evaluate(frame, &load.address, &filled)?;
            let (value, is_set) = world.load(address, load.ty)?;
            filled.push((load.register, value));
            is_sound = world.and(is_sound, is_defined);
            is_sound = world.and(is_sound, is_set);
            if self.keeps(Clause::RootsStay) {
                let stays = self.is_unwritten(world, address, load.site);
                is_sound = world.and(is_sound, stays);
            }
            if world.is_false(is_sound) {
                return None;
            }
        }
        let (address, is_defined) = world.evaluate(frame, &path.expression, &filled)?;
        Some((address, world.and(is_sound, is_defined)))
    }

    /// Whether the access does not write the bytes that a site touches, and no other thread ever will.
    fn is_unwritten(&self, world: &mut W, address: W::Word, site: Site) -> W::Truth {
        let extent = self.conflicts.extent(site);
        let mut all = world.truth(true);
        if self.conflicts.may_write(site, self.mover.site) {
            let elsewhere = world.are_apart(
                (self.mover.address, self.mover.touch.extent),
                (address, extent),
            );
            all = world.or(elsewhere, self.mover.is_reading);
        }
        for other in self.others.iter() {
            let mut harmless = world.truth(true);
            for (frame, prospect) in self.prospects(other) {
                if !self.conflicts.may_write(site, prospect.site) {
                    continue;
                }
                // A path with roots of its own would need the same question again.
                let its_address = prospect
                    .path
                    .as_ref()
                    .filter(|it| {
                        it.loads.is_empty()
                            && (self.movers.strength == Strength::Dynamic
                                || it.is_constant(self.movers.program))
                    })
                    .and_then(|it| world.evaluate(frame, &it.expression, &[]));
                let is_apart = match its_address {
                    Some((its_address, is_sound)) => {
                        let its_extent = self.conflicts.extent(prospect.site);
                        let elsewhere =
                            world.are_apart((address, extent), (its_address, its_extent));
                        world.and(is_sound, elsewhere)
                    }
                    None => world.truth(false),
                };
                harmless = world.and(harmless, is_apart);
                if world.is_false(harmless) {
                    break;
                }
            }
            let harmless = world.given(harmless, other.is_there);
            let is_absent = world.not(other.is_there);
            let is_fine = world.or(is_absent, harmless);
            all = world.and(all, is_fine);
            if world.is_false(all) {
                break;
            }
        }
        all
    }
}
