//! Whether synchronisation objects and threads may be used as their interface forbids.

use raddle_ir::interpret::Property;
use raddle_ir::{
    Action, Deed, Direction, Expression, MutexKind, Occasion, RegisterId, SyncEffect, SyncInit,
    SyncOperation, SyncType,
};

use crate::call_graph::InstanceId;
use crate::doubts::Doubts;
use crate::locksets::the_lock;
use crate::sync_places::{is_declared, is_never_recursive};
use crate::undefined::{Checker, ProgramPoint};
use crate::value::Value;

const INSIDE: &str = "a thread may do something else inside a wait";
const MISUSE: &str = "a synchronisation object may be misused";

impl Checker<'_, '_> {
    /// Only one thread has the name, and nobody else joins or detaches it, nor this one twice.
    pub(crate) fn joins_once(&self, place: &ProgramPoint<'_>, name: &Expression) -> bool {
        let graph = &self.points_to.graph;
        let automata = &self.points_to.automata;
        let values = self.points_to.values(place.instance, name);
        let mut threads = values.iter();
        let (Some(Value::Thread(thread)), None) = (threads.next(), threads.next()) else {
            return false;
        };
        let names = |instance: InstanceId, it: &Expression| {
            let values = self.points_to.values(instance, it);
            values
                .iter()
                .any(|value| value == Value::Thread(thread) || value == Value::Number)
        };
        graph.is_single(automata, thread)
            && graph.runs_once(automata, place.instance, place.edge)
            && !self.points_to.actions().any(|(instance, edge, action)| {
                let is_other = (instance, edge) != (place.instance, place.edge);
                let (Action::Join { thread, .. } | Action::Detach { thread }) = action else {
                    return false;
                };
                is_other && names(instance, thread)
            })
    }

    /// Every thread of the name gives a result of the register's type.
    pub(crate) fn gives(
        &self,
        place: &ProgramPoint<'_>,
        name: &Expression,
        target: RegisterId,
    ) -> bool {
        let program = self.points_to.program;
        let graph = &self.points_to.graph;
        let wanted = self
            .registers
            .scalar(place.instance, &Expression::Register(target));
        self.points_to
            .values(place.instance, name)
            .iter()
            .all(|value| {
                let Value::Thread(thread) = value else {
                    return false;
                };
                let entry = graph.instances[graph.threads[thread].entry].function;
                let exits = self.points_to.actions().any(|(instance, _, action)| {
                    matches!(action, Action::ExitThread { value: Some(_) })
                        && graph.instances[instance].thread == thread
                });
                !exits
                    && program.functions[entry]
                        .result
                        .is_none_or(|it| it == wanted)
            })
    }

    /// Made before anybody could use it.
    pub(crate) fn init(
        &self,
        place: &ProgramPoint<'_>,
        object: &Expression,
        sync: &SyncInit,
        doubts: &mut Doubts,
    ) {
        let model = self.points_to.program.model;
        self.writable(place, object, sync.sync_type().size(model), doubts);
        match sync {
            SyncInit::Semaphore(value) | SyncInit::Barrier(value) => {
                self.defined(place, value, doubts);
                let least = i128::from(matches!(sync, SyncInit::Barrier(_)));
                let known = self.known(place, value);
                let is_count = known.is_within(least, i128::from(u32::MAX));
                doubts.ensure(is_count, Property::LockMisuse, MISUSE);
            }
            SyncInit::Mutex(_)
            | SyncInit::ReadWriteLock
            | SyncInit::Condition
            | SyncInit::Monitor => {}
        }
        if let SyncInit::Semaphore(_) = sync {
            doubts.ensure(
                self.is_made_first(place, object, sync.sync_type().size(model)),
                Property::LockMisuse,
                "a semaphore may be made anew that was not destroyed",
            );
        }
        self.is_unused(place, doubts);
    }

    /// Nobody makes a synchronisation object there but this action, once.
    fn is_made_first(&self, place: &ProgramPoint<'_>, object: &Expression, size: u64) -> bool {
        let graph = &self.points_to.graph;
        let values = self.points_to.values(place.instance, object);
        graph.runs_once(&self.points_to.automata, place.instance, place.edge)
            && values
                .addresses()
                .all(|(object, offset)| self.registers.syncs_at(object, offset, size) <= 1)
    }

    /// Nobody works on synchronisation objects yet.
    fn is_unused(&self, place: &ProgramPoint<'_>, doubts: &mut Doubts) {
        let is_alone = self
            .given
            .parallel
            .at(place.instance, place.location)
            .is_some_and(|others| others.iter().next().is_none());
        doubts.ensure(
            is_alone && self.prologue.is_at(place.instance, place.location),
            Property::LockMisuse,
            "a synchronisation object may be initialised while it is used",
        );
    }

    /// There is a synchronisation object of the family behind the address, whatever happened before.
    fn is_there(
        &self,
        place: &ProgramPoint<'_>,
        object: &Expression,
        family: SyncType,
        doubts: &mut Doubts,
    ) {
        let size = family.size(self.points_to.program.model);
        self.writable(place, object, size, doubts);
        let values = self.points_to.values(place.instance, object);
        for (object, offset) in values.addresses() {
            let is_touched = self.given.accesses.iter().any(|it| {
                it.object == object
                    && it.is_write
                    && it.offset.may_overlap(it.size, offset, size)
                    && match it.deed {
                        Deed::Data | Deed::Whole => true,
                        // Semaphores and barriers are equally large.
                        Deed::Init => {
                            it.size != size
                                || !it.offset.same_or_apart(offset, size)
                                || matches!(family, SyncType::Semaphore | SyncType::Barrier)
                        }
                        Deed::Synchronize => false,
                    }
            });
            doubts.ensure(
                !is_touched && is_declared(self.points_to, object, offset, family),
                Property::LockMisuse,
                "a synchronisation object may be used that was not made",
            );
        }
    }

    fn holds(&self, place: &ProgramPoint<'_>, lock: &Expression) -> Option<u32> {
        let lock = the_lock(self.points_to, place.instance, lock)?;
        let held = self.given.locksets.at(place.instance, place.location)?;
        held.locks.get(&lock).map(|(_, count)| *count)
    }

    pub(crate) fn synchronize(
        &self,
        place: &ProgramPoint<'_>,
        operation: SyncOperation,
        object: &Expression,
        mutex: Option<&Expression>,
        doubts: &mut Doubts,
    ) {
        let family = operation.family();
        self.is_there(place, object, family, doubts);
        if let Some(mutex) = mutex {
            self.is_there(place, mutex, SyncType::Mutex(MutexKind::Plain), doubts);
        }
        match operation.effect() {
            SyncEffect::Lock(effect) => match (effect.direction, effect.occasion) {
                (Direction::Acquire, Occasion::Asked) => {}
                (Direction::Release, Occasion::Asked) => self.is_held(place, object, doubts),
                (Direction::Release, Occasion::Wait | Occasion::TimedWait) => {
                    self.wait(place, object, mutex, doubts);
                }
                (Direction::Acquire, Occasion::Wait | Occasion::TimedWait) => {
                    self.has_begun(place, object, mutex, doubts);
                }
            },
            SyncEffect::Wake if family == SyncType::Monitor => {
                self.is_held(place, object, doubts);
            }
            SyncEffect::Wake | SyncEffect::Post | SyncEffect::Down(_) | SyncEffect::Look => {}
            SyncEffect::Arrive => doubts.ensure(
                self.will_end(place, object, mutex),
                Property::LockMisuse,
                INSIDE,
            ),
            SyncEffect::Leave => self.has_begun(place, object, mutex, doubts),
        }
    }

    fn is_held(&self, place: &ProgramPoint<'_>, lock: &Expression, doubts: &mut Doubts) {
        doubts.ensure(
            self.holds(place, lock).is_some(),
            Property::LockMisuse,
            "a lock may be released or used that is not held",
        );
    }

    /// A wait begins: on a condition variable with its mutex, or on a monitor.
    fn wait(
        &self,
        place: &ProgramPoint<'_>,
        object: &Expression,
        mutex: Option<&Expression>,
        doubts: &mut Doubts,
    ) {
        if let Some(mutex) = mutex {
            doubts.ensure(
                self.holds(place, mutex) == Some(1) && self.is_plain(place, mutex),
                Property::LockMisuse,
                "a wait may begin without its mutex",
            );
            doubts.ensure(
                self.has_one_mutex(place, object),
                Property::LockMisuse,
                "waits may name different mutexes",
            );
        } else {
            doubts.ensure(
                self.holds(place, object).is_some(),
                Property::LockMisuse,
                "a wait may begin without its lock",
            );
        }
        doubts.ensure(
            self.will_end(place, object, mutex),
            Property::LockMisuse,
            INSIDE,
        );
    }

    fn has_begun(
        &self,
        place: &ProgramPoint<'_>,
        object: &Expression,
        mutex: Option<&Expression>,
        doubts: &mut Doubts,
    ) {
        doubts.ensure(
            self.was_begun(place, object, mutex),
            Property::LockMisuse,
            "a wait may end that never began",
        );
    }

    /// The mutex is not one that its owner may take twice.
    fn is_plain(&self, place: &ProgramPoint<'_>, mutex: &Expression) -> bool {
        let values = self.points_to.values(place.instance, mutex);
        values.addresses().all(|(object, offset)| {
            is_declared(
                self.points_to,
                object,
                offset,
                SyncType::Mutex(MutexKind::Plain),
            ) && is_never_recursive(self.points_to, object, offset)
        })
    }

    /// All who wait on the condition variable name the same mutex.
    fn has_one_mutex(&self, place: &ProgramPoint<'_>, condition: &Expression) -> bool {
        let mine = self.points_to.values(place.instance, condition);
        let mut mutexes = Vec::new();
        for (instance, _, action) in self.points_to.actions() {
            if let Action::Sync {
                operation: SyncOperation::WaitBegin,
                object,
                mutex: Some(mutex),
                ..
            } = action
            {
                let theirs = self.points_to.values(instance, object);
                let meets = theirs
                    .addresses()
                    .any(|(it, _)| mine.addresses().any(|(other, _)| it == other));
                if meets {
                    mutexes.push(the_lock(self.points_to, instance, mutex));
                }
            }
        }
        mutexes.iter().all(|it| it.is_some() && *it == mutexes[0])
    }

    /// The only way on is the matching end.
    fn will_end(
        &self,
        place: &ProgramPoint<'_>,
        object: &Expression,
        mutex: Option<&Expression>,
    ) -> bool {
        let id = self.points_to.graph.instances[place.instance].function;
        let to = self.points_to.program.edge(id, place.edge).to;
        let function = &self.points_to.program.functions[id];
        to != function.exit
            && self.points_to.program.outgoing(id, to).iter().all(|edge| {
                let Action::Sync {
                    operation:
                        SyncOperation::WaitEnd
                        | SyncOperation::WaitEndTimed
                        | SyncOperation::MonitorWaitEnd
                        | SyncOperation::BarrierLeave,
                    object: ends,
                    mutex: its_mutex,
                    ..
                } = &function.edges[*edge].action
                else {
                    return false;
                };
                ends == object && its_mutex.as_ref() == mutex
            })
    }

    /// The only way here is the matching beginning.
    fn was_begun(
        &self,
        place: &ProgramPoint<'_>,
        object: &Expression,
        mutex: Option<&Expression>,
    ) -> bool {
        let function = self.points_to.graph.instances[place.instance].function;
        let function = &self.points_to.program.functions[function];
        place.location != function.entry
            && function
                .edges
                .values()
                .filter(|edge| edge.to == place.location)
                .all(|edge| {
                    let Action::Sync {
                        operation:
                            SyncOperation::WaitBegin
                            | SyncOperation::MonitorWaitBegin
                            | SyncOperation::BarrierArrive,
                        object: began,
                        mutex: its_mutex,
                        result: None,
                    } = &edge.action
                    else {
                        return false;
                    };
                    began == object && its_mutex.as_ref() == mutex
                })
    }
}
