//! By what interchangeable threads are sorted.

use std::hash::{Hash, Hasher};

use raddle_base::{FastHasher, fast_hasher};
use raddle_ir::arithmetic::split_pointer;
use raddle_ir::interpret::{Object, ObjectNumber, State, Sync, Thread, ThreadNumber, Value, Woken};
use raddle_ir::{Program, Scalar};
use raddle_stepper::renaming::names_of;

/// How many objects are looked at for one thread.
const MOST_OBJECTS: usize = 32;

/// A number that is the same for threads that differ in names only, and most often another for others.
pub(super) fn key(program: &Program, state: &State, thread: ThreadNumber) -> u64 {
    let mut walk = Walk {
        program,
        state,
        hasher: fast_hasher(),
        met: Vec::new(),
    };
    walk.thread(&state.threads.unobserved()[&thread]);
    let mut at = 0;
    while at < walk.met.len().min(MOST_OBJECTS) {
        if let Some(object) = state.objects.unobserved().get(&walk.met[at]) {
            walk.object(object);
        }
        at += 1;
    }
    walk.syncs(thread);
    walk.hasher.finish()
}

/// Objects are told by when they are met.
struct Walk<'a> {
    program: &'a Program,
    state: &'a State,
    hasher: FastHasher,
    met: Vec<ObjectNumber>,
}

impl Walk<'_> {
    fn name(&mut self, object: ObjectNumber) {
        if !self.program.model.is_made(object.0) {
            object.hash(&mut self.hasher);
            return;
        }
        let known = self.met.iter().position(|it| *it == object);
        let at = known.unwrap_or_else(|| {
            self.met.push(object);
            self.met.len() - 1
        });
        (u64::MAX, at).hash(&mut self.hasher);
    }

    fn pointer(&mut self, pointer: u128) {
        let (object, offset) = split_pointer(pointer, self.program.model);
        self.name(ObjectNumber(object));
        offset.hash(&mut self.hasher);
    }

    fn value(&mut self, value: Value, ty: Scalar) {
        match (value, ty) {
            (Value::Bits(bits), Scalar::Pointer) => self.pointer(bits),
            (Value::Bits(_) | Value::Undefined, _) => value.hash(&mut self.hasher),
        }
    }

    fn thread(&mut self, thread: &Thread) {
        let Thread {
            function,
            // They belong to the name.
            creator: _,
            child: _,
            frames,
            result,
            result_type,
            woken,
            is_detached,
            locals,
            units,
            atomic_depth,
        } = thread;
        (function, is_detached, units, atomic_depth).hash(&mut self.hasher);
        for frame in frames {
            (frame.function, frame.location, frame.target).hash(&mut self.hasher);
            let types = self.program.functions[frame.function].registers.values();
            for (value, register) in frame.registers.iter().zip(types) {
                self.value(*value, register.ty);
            }
            for object in &frame.stack_objects {
                self.name(*object);
            }
        }
        if let Some(ty) = result_type {
            self.value(*result, *ty);
        }
        match woken {
            Some(Woken::Signalled {
                condition,
                mutex,
                may_time_out,
            }) => {
                self.pointer(*condition);
                self.pointer(*mutex);
                may_time_out.hash(&mut self.hasher);
            }
            Some(Woken::Released { barrier, is_serial }) => {
                self.pointer(*barrier);
                is_serial.hash(&mut self.hasher);
            }
            None => {}
        }
        for object in locals {
            self.name(*object);
        }
    }

    fn object(&mut self, object: &Object) {
        (object.storage, object.is_live, &object.origin).hash(&mut self.hasher);
        let mut bytes = object.bytes.clone();
        let names: Vec<(usize, ObjectNumber)> = names_of(self.program, &object.bytes).collect();
        let size = usize::try_from(self.program.model.pointer_bytes()).expect("4 or 8");
        for (offset, number) in names {
            bytes.fill(offset..offset + size, None);
            self.name(number);
        }
        bytes.hash(&mut self.hasher);
    }

    /// What the thread holds and waits for.
    fn syncs(&mut self, thread: ThreadNumber) {
        let objects = self.state.objects.unobserved();
        for (number, object) in objects {
            for (offset, sync) in &object.syncs {
                if !sync.threads().any(|it| it == thread) {
                    continue;
                }
                self.name(*number);
                offset.hash(&mut self.hasher);
                self.role(sync, thread);
            }
        }
    }

    fn role(&mut self, sync: &Sync, thread: ThreadNumber) {
        let is_me = |it: &Option<ThreadNumber>| *it == Some(thread);
        let hasher = &mut self.hasher;
        match sync {
            Sync::Mutex { owner, count, .. } => (is_me(owner), count).hash(hasher),
            Sync::ReadWriteLock { writer, readers } => {
                (is_me(writer), readers.get(&thread)).hash(hasher);
            }
            Sync::Condition { waiting } => waiting.contains_key(&thread).hash(hasher),
            Sync::Semaphore { .. } => {}
            Sync::Barrier { arrived, .. } => arrived.contains(&thread).hash(hasher),
            Sync::Monitor {
                owner,
                count,
                waiting,
                notified,
            } => {
                let count = is_me(owner).then_some(count);
                (count, waiting.get(&thread), notified.get(&thread)).hash(hasher);
            }
        }
    }
}
