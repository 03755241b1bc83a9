//! Why a step moves as it does, in a few words.

use raddle_engine::Reduction;
use raddle_engine_explicit::survey::{Class, Conduct, Holding, Mark, Survey, Touch, TouchKind};
use raddle_ir::{Action, SyncOperation};
use raddle_reduce::discipline::Discipline;
use raddle_reduce::guesses::Guess;
use raddle_reduce::keys::ObjectKey;
use raddle_reduce::movers::{Row, row_of};

use super::names::{Names, quoted};

/// How many reasons one step is given.
const MOST_REASONS: usize = 3;

/// The reason, or nothing where there is nothing to say.
pub(super) fn why(
    action: &Action,
    conduct: &Conduct,
    survey: &Survey,
    names: &Names<'_>,
) -> String {
    if conduct.moves.is_empty() {
        let row = row_of(action);
        let said = if matches!(row, Row::Register | Row::Assume) {
            ""
        } else if matches!(row, Row::Spawn | Row::SpawnInto) {
            "starts a thread"
        } else if row == Row::EndProcess {
            "ends the process"
        } else {
            "no other thread then"
        };
        return said.to_owned();
    }
    let teller = Teller {
        action,
        conduct,
        survey,
        names,
    };
    let mut reasons = teller.reasons();
    if conduct.has(Mark::EndsThread) {
        reasons.push("ends its thread".to_owned());
    }
    reasons.dedup();
    reasons.join(", ")
}

struct Teller<'a> {
    action: &'a Action,
    conduct: &'a Conduct,
    survey: &'a Survey,
    names: &'a Names<'a>,
}

impl Teller<'_> {
    fn reasons(&self) -> Vec<String> {
        let row = row_of(self.action);
        let is_local = matches!(
            row,
            Row::Register
                | Row::Assume
                | Row::ExclusiveAccess
                | Row::SharedAccess
                | Row::AtomicAccess
                | Row::Section
        );
        if self.names.reduction == Reduction::Local && !is_local {
            return vec!["other threads may notice it".to_owned()];
        }
        match row {
            Row::Acquire => self.locking("acquires", "holds", "already"),
            Row::Release => self.locking("releases", "still holds", ""),
            Row::Attempt => vec![format!("tries {}", self.syncs())],
            Row::WaitBegin => self.waiting("begins to wait on"),
            Row::WaitEnd => self.waiting("waits on"),
            Row::WaitEndTimed => vec![format!("waits on {} with a time limit", self.syncs())],
            Row::Signal => self.waiting("wakes"),
            Row::SemaphorePost => self.locking("raises", "raises", ""),
            Row::SemaphoreWait => self.locking("lowers", "lowers", ""),
            Row::BarrierArrive => {
                let doubt = "is used by more threads than a round needs";
                self.arriving("arrives at", doubt)
            }
            Row::BarrierLeave => vec![format!("leaves {}", self.syncs())],
            Row::Spawn => vec!["starts a thread".to_owned()],
            Row::SpawnInto => {
                let mut reasons = vec!["starts a thread".to_owned()];
                if self.is_neither() {
                    reasons.extend(self.cells(Said::Unprotected));
                }
                reasons
            }
            Row::Join | Row::Detach => {
                let what = "waits for the end of a thread";
                vec![if self.is_neither() {
                    format!("{what} that others join or detach too")
                } else {
                    what.to_owned()
                }]
            }
            Row::ExitThread => Vec::new(),
            Row::EndProcess => vec!["ends the process".to_owned()],
            Row::Allocate => vec!["new memory is nobody else's".to_owned()],
            Row::Recycle => vec!["new memory may lie where freed memory lay".to_owned()],
            Row::Section => {
                let mut reasons = self.cells(Said::All);
                if reasons.is_empty() && self.is_neither() {
                    reasons.push("an atomic section".to_owned());
                }
                reasons
            }
            Row::Unsupported => vec!["not understood".to_owned()],
            Row::Register | Row::Assume => {
                let mut reasons = self.cells(Said::Unprotected);
                if reasons.is_empty() && self.is_neither() && !self.conduct.has(Mark::EndsThread) {
                    reasons.push("in an atomic section".to_owned());
                }
                reasons
            }
            Row::ExclusiveAccess
            | Row::SharedAccess
            | Row::AtomicAccess
            | Row::LifeChange
            | Row::FreeNamed => {
                let mut reasons = self.cells(Said::All);
                if self.conduct.has(Mark::Private) {
                    reasons.push("private to its thread".to_owned());
                }
                reasons
            }
        }
    }

    fn is_neither(&self) -> bool {
        self.conduct.moves.contains(&Class::Neither)
    }

    /// The synchronisation objects that it works on.
    fn sync_objects(&self) -> Vec<(ObjectKey, u64)> {
        self.conduct
            .touched
            .keys()
            .filter(|it| it.kind == TouchKind::Sync)
            .map(|it| (it.object, it.offset))
            .collect()
    }

    fn syncs(&self) -> String {
        let mut names: Vec<String> = self
            .sync_objects()
            .into_iter()
            .map(|(object, offset)| self.names.place(object, offset))
            .collect();
        names.dedup();
        if names.is_empty() {
            "an object of its own".to_owned()
        } else {
            quoted(&names)
        }
    }

    fn locking(&self, moves: &str, again: &str, tail: &str) -> Vec<String> {
        if self.is_neither() {
            return vec![self.doubt(moves)];
        }
        let repeats = self.conduct.moves.len() == 1 && self.conduct.moves.contains(&Class::Both);
        let said = if repeats && !self.conduct.touched.is_empty() {
            format!("{again} {} {tail}", self.syncs())
        } else {
            format!("{moves} {}", self.syncs())
        };
        vec![said.trim().to_owned()]
    }

    /// Why an operation on a lock or semaphore does not move.
    fn doubt(&self, does: &str) -> String {
        let tried: Vec<String> = self
            .sync_objects()
            .into_iter()
            .filter(|(object, offset)| !self.survey.guesses.holds(Guess::Untried(*object, *offset)))
            .map(|(object, offset)| self.names.place(object, offset))
            .collect();
        if !tried.is_empty() {
            return format!("{does} {}, which someone tries", quoted(&tried));
        }
        format!("{does} {}, which may be gone", self.syncs())
    }

    fn waiting(&self, does: &str) -> Vec<String> {
        let is_monitor = matches!(
            self.action,
            Action::Sync {
                operation: SyncOperation::MonitorWaitBegin
                    | SyncOperation::MonitorWaitEnd
                    | SyncOperation::MonitorNotify
                    | SyncOperation::MonitorNotifyAll,
                ..
            }
        );
        let unguarded: Vec<String> = self
            .sync_objects()
            .into_iter()
            .filter(|(object, offset)| {
                let discipline = self
                    .survey
                    .guesses
                    .discipline(Guess::Waiters(*object, *offset));
                discipline
                    .and_then(Discipline::protecting_locks)
                    .is_some_and(|it| it.is_empty())
            })
            .map(|(object, offset)| self.names.place(object, offset))
            .collect();
        vec![
            if self.is_neither() && !unguarded.is_empty() && !is_monitor {
                format!(
                    "{does} {}, which not all use under one mutex",
                    quoted(&unguarded)
                )
            } else if self.is_neither() {
                self.doubt(does)
            } else {
                format!("{does} {}", self.syncs())
            },
        ]
    }

    fn arriving(&self, does: &str, doubt: &str) -> Vec<String> {
        vec![if self.is_neither() {
            format!("{does} {}, which {doubt}", self.syncs())
        } else {
            format!("{does} {}", self.syncs())
        }]
    }

    /// What keeps the accesses of the step apart from those of others.
    fn cells(&self, said: Said) -> Vec<String> {
        let mut reasons = Vec::new();
        for (touch, holding) in &self.conduct.touched {
            let (reason, is_protected) = self.cell(touch, holding);
            if (said == Said::All || !is_protected) && !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        if reasons.len() > MOST_REASONS {
            let more = reasons.len() - MOST_REASONS;
            reasons.truncate(MOST_REASONS);
            reasons.push(format!("{more} more"));
        }
        reasons
    }

    fn cell(&self, touch: &Touch, holding: &Holding) -> (String, bool) {
        let name = self.names.place(touch.object, touch.offset);
        let is_write = touch.kind != TouchKind::Read && touch.kind != TouchKind::Sync;
        if self
            .names
            .is_watched(touch.object, touch.offset, touch.size)
        {
            return (format!("an invariant looks at `{name}`"), false);
        }
        let moves = |discipline: &Discipline, is_write| {
            // If there are several users, it does not matter which one asks.
            holding.threads.iter().all(|thread| {
                if self.names.reduction == Reduction::Local {
                    discipline.moves_without_locks(*thread, is_write)
                } else {
                    discipline.moves(*thread, is_write, &holding.locks)
                }
            })
        };
        let held = || {
            let held = self
                .names
                .locks(holding.locks.iter().copied(), touch.object);
            format!("held {{{}}} here", held.join(", "))
        };
        let life = self.survey.guesses.discipline(Guess::Life(touch.object));
        if life.is_some_and(|it| !moves(it, touch.kind == TouchKind::End)) {
            return (
                format!("`{name}` may be freed by others: {}", held()),
                false,
            );
        }
        let mut words = None;
        for offset in touch.offset..touch.offset + touch.size {
            let guess = Guess::Byte(touch.object, offset);
            let Some(discipline) = self.survey.guesses.discipline(guess) else {
                continue;
            };
            if let Some(user) = discipline.only_user() {
                words.get_or_insert_with(|| {
                    format!("only thread `{}` uses `{name}`", self.names.thread(user))
                });
                continue;
            }
            if !discipline.is_written() {
                words.get_or_insert_with(|| format!("nobody writes `{name}`"));
                continue;
            }
            if !moves(discipline, is_write) && self.names.reduction == Reduction::Local {
                return (format!("`{name}` is shared with other threads"), false);
            }
            if !moves(discipline, is_write) {
                return (format!("`{name}` is not protected: {}", held()), false);
            }
            let protecting = discipline.protecting_locks().unwrap_or_default();
            let common: Vec<_> = holding
                .locks
                .iter()
                .copied()
                .filter(|it| protecting.is_empty() || protecting.contains(it))
                .collect();
            let locks = self.names.locks(common, touch.object);
            words.get_or_insert_with(|| format!("`{name}` under {}", quoted(&locks)));
        }
        match words {
            Some(words) => (words, true),
            None => (format!("`{name}` by its predicate"), true),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    All,
    Unprotected,
}
