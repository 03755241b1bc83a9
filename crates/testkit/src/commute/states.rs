//! All small states of the objects that the universe works on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_base::Id;
use raddle_ir::MutexKind;
use raddle_ir::interpret::{
    Bytes, Object, ObjectNumber, Outcome, State, Storage, Sync, Thread, ThreadNumber, Value, Woken,
};

use super::universe::{T, U, Universe, W};

impl Universe {
    /// A state with both actors before their choice, `p` of both pointing to one heap object, `h` naming `w`; all
    /// other registers are 0, which makes `k` name `t`.
    fn first_state(&self) -> State {
        let interpreter = self.interpreter();
        let mut state = interpreter
            .initial_states()
            .expect("initial values are constants")
            .remove(0);
        let step = interpreter.thread_successors(&state, T).remove(0);
        let Outcome::Next(next) = step.outcome else {
            panic!("allocation succeeds")
        };
        state = next;
        let ready = state.threads[&T].frames[0].clone();
        let handle = self.program.functions[self.actor]
            .registers
            .iter()
            .find(|(_, register)| register.name == "h")
            .expect("the actor has it")
            .0;
        for thread in [T, U] {
            let thread = thread_of(&mut state, thread);
            thread.frames[0] = ready.clone();
            thread.frames[0].registers[handle.index()] = Value::Bits(u128::from(W.0));
            for register in &mut thread.frames[0].registers {
                if *register == Value::Undefined {
                    *register = Value::Bits(0);
                }
            }
        }
        state
    }

    fn pointer(&self, name: &str) -> u128 {
        u128::from(self.object(name).0) << self.program.model.offset_bits()
    }

    fn with_sync(&self, state: &State, name: &str, sync: Sync) -> State {
        let mut state = state.clone();
        let object = object_of(&mut state, self.object(name));
        object.syncs.insert(0, sync);
        state
    }

    /// All small states: each object in all its states, the others as they begin.
    pub(super) fn states(&self) -> Vec<State> {
        let first = self.first_state();
        let mut states = vec![first.clone()];
        let somebody = [None, Some(T), Some(U), Some(W)];
        for (name, kind) in [
            ("m", MutexKind::Plain),
            ("rm", MutexKind::Recursive),
            ("cm", MutexKind::ErrorChecking),
            ("sp", MutexKind::Spin),
        ] {
            for owner in [T, U, W] {
                for count in 1..=(if kind == MutexKind::Recursive { 2 } else { 1 }) {
                    let sync = Sync::Mutex {
                        kind,
                        owner: Some(owner),
                        count,
                    };
                    states.push(self.with_sync(&first, name, sync));
                }
            }
        }
        for writer in [T, U, W] {
            let sync = Sync::ReadWriteLock {
                writer: Some(writer),
                readers: BTreeMap::new(),
            };
            states.push(self.with_sync(&first, "l", sync));
        }
        for readers in subsets(&[T, U, W]) {
            let sync = Sync::ReadWriteLock {
                writer: None,
                readers: readers.into_iter().map(|it| (it, 1)).collect(),
            };
            states.push(self.with_sync(&first, "l", sync));
        }
        let mutex = self.pointer("m");
        for owner in somebody {
            for waiting in subsets(&[T, U]) {
                for signalled in subsets(&[T, U]) {
                    let is_possible = signalled.is_disjoint(&waiting)
                        && owner
                            .is_none_or(|it| !waiting.contains(&it) && !signalled.contains(&it));
                    if !is_possible {
                        continue;
                    }
                    let with_mutex = |threads: &BTreeSet<ThreadNumber>| {
                        threads.iter().map(|it| (*it, mutex)).collect()
                    };
                    let condition = Sync::Condition {
                        waiting: with_mutex(&waiting),
                    };
                    let lock = Sync::Mutex {
                        kind: MutexKind::Plain,
                        owner,
                        count: u32::from(owner.is_some()),
                    };
                    let state = self.with_sync(&first, "m", lock);
                    let mut state = self.with_sync(&state, "c", condition);
                    for &thread in &signalled {
                        let woken = Woken::Signalled {
                            condition: self.pointer("c"),
                            mutex,
                            may_time_out: true,
                        };
                        thread_of(&mut state, thread).woken = Some(woken);
                    }
                    states.push(state);
                    let count = |threads: &BTreeSet<ThreadNumber>| {
                        threads.iter().map(|it| (*it, 1)).collect()
                    };
                    let monitor = Sync::Monitor {
                        owner,
                        count: u32::from(owner.is_some()),
                        waiting: count(&waiting),
                        notified: count(&signalled),
                    };
                    states.push(self.with_sync(&first, "o", monitor));
                }
            }
        }
        for value in [0, 2] {
            states.push(self.with_sync(&first, "s", Sync::Semaphore { value }));
        }
        for needed in [2, 3] {
            for arrived in subsets(&[T, U, W]) {
                for released in subsets(&[T, U, W]) {
                    let is_possible =
                        arrived.is_disjoint(&released) && arrived.len() < needed as usize;
                    if !is_possible {
                        continue;
                    }
                    let barrier = Sync::Barrier {
                        needed,
                        arrived: arrived.clone(),
                    };
                    let state = self.with_sync(&first, "b", barrier);
                    for serial in released.iter().map(Some).chain([None]) {
                        let mut state = state.clone();
                        for thread in &released {
                            let woken = Woken::Released {
                                barrier: self.pointer("b"),
                                is_serial: Some(thread) == serial,
                            };
                            thread_of(&mut state, *thread).woken = Some(woken);
                        }
                        states.push(state);
                    }
                }
            }
        }
        states.extend(["m", "l", "c", "s", "b"].map(|name| {
            let mut state = first.clone();
            let object = object_of(&mut state, self.object(name));
            object.syncs.clear();
            state
        }));
        states.extend(self.states_of_threads(&first));
        let mut written = first.clone();
        object_of(&mut written, self.object("x"))
            .bytes
            .write(0, &[Some(1)]);
        states.push(written);
        states
    }

    /// `w` ended, detached or gone; a register set; the heap object freed.
    fn states_of_threads(&self, first: &State) -> Vec<State> {
        let mut states = Vec::new();
        let mut ended = first.clone();
        thread_of(&mut ended, W).frames.clear();
        states.push(ended);
        let mut detached = first.clone();
        thread_of(&mut detached, W).is_detached = true;
        states.push(detached);
        let mut gone = first.clone();
        gone.threads.remove(&W);
        states.push(gone);
        let guard = self.program.functions[self.actor]
            .registers
            .iter()
            .find(|(_, register)| register.name == "g")
            .expect("the actor has it")
            .0;
        for thread in [T, U] {
            let mut state = first.clone();
            let thread = thread_of(&mut state, thread);
            thread.frames[0].registers[guard.index()] = Value::Bits(1);
            states.push(state);
        }
        let mut freed = first.clone();
        let heap = freed
            .objects
            .values_mut()
            .find(|object| object.storage == Storage::Heap)
            .expect("the first step allocates");
        let heap = Arc::make_mut(heap);
        heap.is_live = false;
        heap.bytes = Bytes::default();
        states.push(freed);
        states.extend(self.states_of_addresses(first));
        states
    }
}

impl Universe {
    /// The heap object freed so that its address may come back, and after it came back.
    fn states_of_addresses(&self, first: &State) -> Vec<State> {
        let interpreter = self.interpreter();
        let mut states = Vec::new();
        let entry = |text: &str| {
            let at = super::universe::UNIVERSE
                .iter()
                .position(|it| it.text == text);
            self.edges[at.expect("it is in the universe")]
        };
        let here = first.threads[&T].frames[0].location;
        let take = |state: &State, text: &str| -> Vec<State> {
            let steps = interpreter.thread_successors(state, T).into_iter();
            let taken = steps.filter(|it| it.step.parts[0].edge == entry(text));
            let mut found: Vec<State> = taken
                .filter_map(|it| match it.outcome {
                    Outcome::Next(next) => Some(next),
                    Outcome::Stopped(_) => None,
                })
                .collect();
            for next in &mut found {
                thread_of(next, T).frames[0].location = here;
            }
            found
        };
        for freed in take(first, "free p") {
            states.extend(take(&freed, "n = alloc u8"));
            states.push(freed);
        }
        states
    }
}

fn subsets(threads: &[ThreadNumber]) -> Vec<BTreeSet<ThreadNumber>> {
    (0..1_usize << threads.len())
        .map(|mask| {
            threads
                .iter()
                .enumerate()
                .filter(|(at, _)| mask >> at & 1 == 1)
                .map(|(_, thread)| *thread)
                .collect()
        })
        .collect()
}

fn thread_of(state: &mut State, thread: ThreadNumber) -> &mut Thread {
    let thread = state.threads.get_mut(&thread);
    Arc::make_mut(thread.expect("threads of the universe exist at first"))
}

fn object_of(state: &mut State, object: ObjectNumber) -> &mut Object {
    let object = state.objects.get_mut(&object);
    Arc::make_mut(object.expect("objects of the universe are global"))
}
