//! Actions on synchronisation objects: they are made, used and destroyed.

use std::sync::Arc;

use crate::action::{SyncInit, SyncOperation};
use crate::arithmetic;
use crate::expression::Expression;
use crate::interpret::Effect;
use crate::interpret::fault::Fault;
use crate::interpret::memory;
use crate::interpret::run::Run;
use crate::interpret::state::{ObjectNumber, Sync};
use crate::interpret::sync::{self, Performed, Request};
use crate::program::RegisterId;
use crate::types::SyncType;

use super::Progress;

impl Run<'_> {
    pub(super) fn init(&mut self, object: &Expression, sync: &SyncInit) -> Result<(), Fault> {
        let program = self.interpreter.program;
        let pointer = self.bits(object)?;
        let size = sync.sync_type().size(program.model);
        let (object, offset) = memory::locate_to_write(program, self.state, pointer, size)?;
        let first = match sync {
            SyncInit::Semaphore(value) | SyncInit::Barrier(value) => {
                let first = self.number(value)?;
                u32::try_from(first).map_err(|_| {
                    Fault::LockMisuse(format!(
                        "a {} is initialised with {first}",
                        sync::family_name(sync.sync_type())
                    ))
                })?
            }
            SyncInit::Mutex(_)
            | SyncInit::ReadWriteLock
            | SyncInit::Condition
            | SyncInit::Monitor => 0,
        };
        if matches!(sync, SyncInit::Barrier(_)) && first == 0 {
            return Err(Fault::LockMisuse(
                "a barrier is initialised for nobody".into(),
            ));
        }
        let target = Arc::make_mut(self.state.objects.get_mut(&object).expect("located"));
        if let Some(before) = target.syncs.get(&offset)
            && let Some(problem) = sync::in_use(before)
        {
            return Err(Fault::LockMisuse(
                problem.replace("destroyed", "initialised"),
            ));
        }
        if let Some(Sync::Semaphore { .. }) = target.syncs.get(&offset) {
            // Nobody knows who waits at it.
            return Err(Fault::LockMisuse(
                "a semaphore is initialised that was not destroyed before".into(),
            ));
        }
        memory::put_sync(program, target, offset, memory::made_sync(sync, first));
        self.effects.push(Effect::Synchronize {
            object,
            offset,
            size,
            is_atomic: false,
        });
        Ok(())
    }

    pub(super) fn destroy(&mut self, object: &Expression, sync: SyncType) -> Result<(), Fault> {
        let program = self.interpreter.program;
        let pointer = self.bits(object)?;
        let (object, offset) = sync::find(program, self.state, pointer, sync)?;
        let target = Arc::make_mut(self.state.objects.get_mut(&object).expect("found"));
        let before = target.syncs.remove(&offset).expect("found");
        if let Some(problem) = sync::in_use(&before) {
            return Err(Fault::LockMisuse(problem.into()));
        }
        self.effects.push(Effect::Synchronize {
            object,
            offset,
            size: sync.size(program.model),
            is_atomic: false,
        });
        Ok(())
    }

    /// Performs an operation and says which objects it touched.
    pub(super) fn synchronize(
        &mut self,
        operation: SyncOperation,
        object: &Expression,
        mutex: Option<&Expression>,
        result: Option<RegisterId>,
    ) -> Result<Progress, Fault> {
        let program = self.interpreter.program;
        let model = program.model;
        let pointer = self.bits(object)?;
        let mutex = match mutex {
            Some(mutex) => Some(self.bits(mutex)?),
            None => None,
        };
        let request = Request {
            operation,
            pointer,
            mutex,
            choice: self.choice,
            has_spurious_wakeups: self.interpreter.semantics.has_spurious_wakeups,
        };
        let was_woken = self.state.threads[&self.thread].woken.is_some();
        match sync::perform(program, self.state, self.thread, request)? {
            Performed::Done(code) => {
                // What a woken thread waited on it touches no more, and it may be gone.
                let touched = (!was_woken).then_some(pointer).into_iter().chain(mutex);
                for place in touched {
                    let (object, offset) = arithmetic::split_pointer(place, model);
                    let object = ObjectNumber(object);
                    let sync = self
                        .state
                        .objects
                        .get(&object)
                        .and_then(|it| it.syncs.get(&offset));
                    if let Some(sync) = sync {
                        let size = sync.sync_type().size(model);
                        self.effects.push(Effect::Synchronize {
                            object,
                            offset,
                            size,
                            is_atomic: true,
                        });
                    }
                }
                self.set_number(result, code);
                Ok(Progress::Done)
            }
            Performed::Blocked(wait) => Ok(Progress::Blocked(wait)),
            Performed::NotAChoice => Ok(Progress::NotAChoice),
        }
    }
}
