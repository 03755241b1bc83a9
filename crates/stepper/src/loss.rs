//! Whether a step may have lost memory, told from what it changed.
//!
//! Memory is lost if no pointer leads to it from a thread or from an object that is not on the heap, a *root*. If nothing
//! was lost before a step, then nothing is lost after it, provided that each name that some part of the state has no more, and each
//! new object, is named by a root that the step changed, or by something that such a root leads to. For whatever led
//! somewhere before either still does so, or its last name is one of these.

use std::collections::BTreeSet;

use raddle_ir::arithmetic::split_pointer;
use raddle_ir::program::Program;

use raddle_ir::interpret::numbering::holders::{objects_that_name, thread_names_object};
use raddle_ir::interpret::numbering::{awaited_words, names_in_bytes, thread_words, woken_words};
use raddle_ir::interpret::state::{Object, ObjectNumber, State, Storage, Thread};
use raddle_ir::interpret::{Interpreter, Violation};

/// How many objects are gone through to find a name again.
const MOST_OBJECTS: usize = 64;

/// What a step did to names of made objects.
#[derive(Debug, Default)]
struct Loss {
    /// Names that some part has no more, and new objects on the heap.
    missing: BTreeSet<ObjectNumber>,
    /// Names in the roots that were changed.
    rooted: Vec<ObjectNumber>,
    /// Whether the place of an object has changed, which other names may lead to.
    has_moved: bool,
}

/// Violations of a state that can be seen without looking at steps, as [`Interpreter::judge_memory`] tells them, if a step has
/// led to it from another in which no memory was lost; and whether memory may be lost there as far as the step itself shows.
/// For the latter only what it changed is looked at, and objects that were not there in the state `start` from which steps have led
/// to it: so it is the same wherever these do the same.
pub fn judge_memory_after(
    interpreter: &Interpreter<'_>,
    start: &State,
    before: &State,
    state: &State,
) -> (Vec<Violation>, bool) {
    if !interpreter.may_lose_memory(state) {
        return (interpreter.broken_invariants(state), false);
    }
    let program = interpreter.program();
    let loss = Loss::between(program, before, state);
    if !loss.is_possible(program, start, before, state) {
        return (interpreter.broken_invariants(state), false);
    }
    let violations = if loss.is_plausible(program, state) {
        interpreter.judge_memory(state)
    } else {
        interpreter.broken_invariants(state)
    };
    (violations, true)
}

type Names = BTreeSet<ObjectNumber>;

fn named(program: &Program, words: impl Iterator<Item = u128>) -> Names {
    let objects = words.map(|word| split_pointer(word, program.model).0);
    let objects = objects.filter(|object| program.model.is_made(*object));
    objects.map(ObjectNumber).collect()
}

fn in_thread(program: &Program, thread: &Thread) -> Names {
    let words = thread_words(program, thread);
    named(program, words.chain(woken_words(thread)))
}

fn in_object(program: &Program, object: &Object) -> Names {
    let words = names_in_bytes(&object.bytes, program.model);
    named(program, words.chain(awaited_words(object)))
}

fn is_heap(object: &Object) -> bool {
    object.is_live && object.storage == Storage::Heap
}

impl Loss {
    fn between(program: &Program, before: &State, after: &State) -> Self {
        let mut loss = Self {
            has_moved: before.places != after.places,
            ..Self::default()
        };
        let (is, was) = (after.threads.unobserved(), before.threads.unobserved());
        is.differences(was, |_, is, was| {
            let names = |it: Option<&std::sync::Arc<Thread>>| {
                it.map_or_else(Names::new, |it| in_thread(program, it))
            };
            let (is, was) = (names(is), names(was));
            loss.missing.extend(was.difference(&is));
            loss.rooted.extend(is);
        });
        let (is, was) = (after.objects.unobserved(), before.objects.unobserved());
        is.differences(was, |number, is, was| {
            let names = |it: Option<&std::sync::Arc<Object>>| {
                it.map_or_else(Names::new, |it| in_object(program, it))
            };
            let (names_now, names_before) = (names(is), names(was));
            loss.missing.extend(names_before.difference(&names_now));
            let is_now = is.is_some_and(|it| is_heap(it));
            if is_now && !was.is_some_and(|it| is_heap(it)) {
                loss.missing.insert(*number);
            }
            if !is_now {
                loss.rooted.extend(names_now);
            }
        });
        loss
    }

    /// Whether memory may be lost after the step, if none was before. Only objects that the step changed are looked at, and those
    /// that were made on the way to it.
    fn is_possible(&self, program: &Program, start: &State, before: &State, after: &State) -> bool {
        let (is, was) = (after.objects.unobserved(), before.objects.unobserved());
        let first = start.objects.unobserved();
        self.misses(&self.missing, program, after, |number| {
            !first.contains_key(&number) || is.get(&number) != was.get(&number)
        })
    }

    /// The same, of what is there to be lost. Any object is looked at, but not many.
    fn is_plausible(&self, program: &Program, after: &State) -> bool {
        let objects = after.objects.unobserved();
        let lives = |number: &ObjectNumber| objects.get(number).is_some_and(|it| is_heap(it));
        let living: Names = self.missing.iter().copied().filter(lives).collect();
        self.misses(&living, program, after, |_| true)
            && !living.iter().all(|it| is_reached(program, after, *it))
    }

    /// Whether some name is not found again in objects that may be looked at.
    fn misses(
        &self,
        missing: &Names,
        program: &Program,
        after: &State,
        may_look: impl Fn(ObjectNumber) -> bool,
    ) -> bool {
        if missing.is_empty() {
            return false;
        }
        if self.has_moved || !after.places.is_empty() {
            return true;
        }
        let mut missing = missing.clone();
        let mut seen = Names::new();
        let mut unread = self.rooted.clone();
        while let Some(number) = unread.pop() {
            if !seen.insert(number) {
                continue;
            }
            missing.remove(&number);
            if missing.is_empty() {
                return false;
            }
            if seen.len() > MOST_OBJECTS || !may_look(number) {
                continue;
            }
            if let Some(object) = after.objects.unobserved().get(&number) {
                unread.extend(in_object(program, object));
            }
        }
        true
    }
}

/// Whether a root is found from which a made object is reached, going back from the object to those that name it. Not many
/// are looked at.
fn is_reached(program: &Program, state: &State, object: ObjectNumber) -> bool {
    let mut seen = Names::new();
    let mut unread = vec![object];
    while let Some(number) = unread.pop() {
        if !seen.insert(number) {
            continue;
        }
        if seen.len() > MOST_OBJECTS {
            return false;
        }
        if thread_names_object(program, state, number) {
            return true;
        }
        for (holder, object) in objects_that_name(program, state, number).take(MOST_OBJECTS) {
            if !is_heap(object) {
                return true;
            }
            unread.push(holder);
        }
    }
    false
}
