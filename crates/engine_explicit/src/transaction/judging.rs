//! How the steps of a transaction move, and what others may not do in the middle of it.

use raddle_ir::interpret::{Outcome, Step, Successor, ThreadNumber};
use raddle_ir::{Action, EdgeId, FunctionId};
use raddle_reduce::history::Configuration;
use raddle_reduce::judge::{Grounds, Judge, Moves};

use super::Transaction;

/// A step, how it moves and where it leads, unless it stops.
pub(super) struct Judged {
    pub(super) successor: Successor,
    pub(super) moves: Moves,
    pub(super) after: Option<Configuration>,
}

impl Transaction<'_> {
    pub(super) fn judged(
        &mut self,
        before: &Configuration,
        thread: ThreadNumber,
        successors: Vec<Successor>,
    ) -> Vec<Judged> {
        successors
            .into_iter()
            .map(|successor| {
                let (moves, after) = self.judge(before, thread, &successor);
                Judged {
                    successor,
                    moves,
                    after,
                }
            })
            .collect()
    }

    fn judge(
        &mut self,
        before: &Configuration,
        thread: ThreadNumber,
        successor: &Successor,
    ) -> (Moves, Option<Configuration>) {
        if self.setting.style.grounds.is_some() {
            self.predicates.look_at(self.place_of(&successor.step));
            return self.judge_for(before, thread).judge(successor);
        }
        let Outcome::Next(state) = &successor.outcome else {
            return (Moves::NEITHER, None);
        };
        if self.keeps_history {
            let program = self.setting.interpreter.program();
            let after = before.after(program, thread, successor, state.clone());
            return (Moves::NEITHER, Some(after));
        }
        // Nothing looks at the history.
        let after = Configuration {
            state: state.clone(),
            private: before.private.clone(),
            made: before.made.clone(),
        };
        (Moves::NEITHER, Some(after))
    }

    /// Where a step is taken; of an atomic section, where its inside begins.
    fn place_of(&self, step: &Step) -> Option<(FunctionId, EdgeId)> {
        let program = self.setting.interpreter.program();
        step.parts
            .iter()
            .map(|part| (part.function, part.edge))
            .find(|(function, edge)| {
                !matches!(
                    program.edge(*function, *edge).action,
                    Action::AtomicBegin { .. }
                )
            })
    }

    /// The judge of a thread's steps.
    pub(super) fn judge_for<'b>(
        &'b mut self,
        before: &'b Configuration,
        thread: ThreadNumber,
    ) -> Judge<'b> {
        Judge {
            interpreter: &self.setting.interpreter,
            table: &self.setting.engine.flaw.table,
            omission: self.setting.engine.flaw.omission,
            statics: self.setting.statics.as_ref(),
            dynamics: self.setting.dynamics.as_ref(),
            grounds: self.setting.style.grounds.unwrap_or(Grounds::Local),
            predicates: self.predicates,
            watched: &self.setting.watched,
            before,
            thread,
            guesses: self.guesses,
            relied: &mut self.results.relied,
        }
    }

    /// In the middle of a transaction no other thread may change a predicate of the user's that it may rest on.
    pub(super) fn check_others(&mut self, configuration: &Configuration, runner: ThreadNumber) {
        if !self.predicates.are_used(self.guesses) {
            return;
        }
        for &other in configuration.state.threads.keys() {
            if other == runner {
                continue;
            }
            for successor in self
                .setting
                .interpreter
                .thread_successors(&configuration.state, other)
            {
                if let Outcome::Next(after) = &successor.outcome {
                    self.predicates.look_at(self.place_of(&successor.step));
                    self.predicates.check_step(
                        &self.setting.interpreter,
                        &configuration.state,
                        after,
                        other,
                        self.guesses,
                    );
                }
            }
        }
    }
}
