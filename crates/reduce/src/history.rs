//! States with what a reduction has to remember of the way that led to them.

use std::collections::BTreeSet;

use raddle_ir::Program;
use raddle_ir::entries::Entries;
use raddle_ir::interpret::{
    Effect, Object, ObjectNumber, State, Storage, Successor, ThreadNumber, pointers,
};

use raddle_ir::watch::{Look, Watch};

use crate::keys::{ObjectKey, Site};

/// A state with its history, as far as predicates of exclusive access look at it.
///
/// Both parts of the history change by the steps of one thread in a way that no other thread can tell, so they commute
/// like the state itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    pub state: State,
    /// Objects to which no pointer has ever left their thread. What is published once stays so: to become private again
    /// would be given by other threads (FQ §4.1, condition ii).
    pub private: Private,
    /// Places that have made an object on the heap.
    pub made: BTreeSet<Site>,
}

/// Which objects belong to which threads. To ask for an owner counts as to look at the object itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Private {
    owners: Entries<ObjectNumber, ThreadNumber>,
    watch: Watch,
}

impl Private {
    pub fn get(&self, object: &ObjectNumber) -> Option<&ThreadNumber> {
        self.watch.look(Look::Head(*object));
        self.owners.get(object)
    }

    /// All of it, for a caller that looks at nothing that is not noted anyway.
    pub fn unobserved(&self) -> &Entries<ObjectNumber, ThreadNumber> {
        &self.owners
    }

    fn insert(&mut self, object: ObjectNumber, owner: ThreadNumber) {
        self.watch.look(Look::Head(object));
        self.owners.insert(object, owner);
    }

    fn remove(&mut self, object: ObjectNumber) -> Option<ThreadNumber> {
        self.watch.look(Look::Head(object));
        self.owners.remove(&object)
    }

    /// Forgets what lives no more after a step. Only a step that ends an object, and so is noted with it, changes that.
    fn forget_ended(&mut self, before: &State, after: &State, made: &[ObjectNumber]) {
        let (is, was) = (after.objects.unobserved(), before.objects.unobserved());
        // What was made and ended in the step may be in neither.
        let mut changed = made.to_vec();
        is.differences(was, |number, _, _| changed.push(*number));
        for number in changed {
            if !is.get(&number).is_some_and(|it| it.is_live) {
                self.owners.remove(&number);
            }
        }
    }
}

impl FromIterator<(ObjectNumber, ThreadNumber)> for Private {
    fn from_iter<I: IntoIterator<Item = (ObjectNumber, ThreadNumber)>>(owners: I) -> Self {
        Self {
            owners: owners.into_iter().collect(),
            watch: Watch::default(),
        }
    }
}

impl Configuration {
    pub fn initial(program: &Program, state: State) -> Self {
        let mut configuration = Self {
            private: Private::default(),
            made: BTreeSet::new(),
            state,
        };
        let roots: Vec<ThreadNumber> = configuration.state.threads.keys().copied().collect();
        for root in roots {
            configuration.own_locals(root);
            configuration.publish(program, pointers_of(program, &configuration.state, root));
        }
        configuration
    }

    /// The same configuration, at which somebody looks, or nobody.
    #[must_use]
    pub fn watched(mut self, watch: &Watch) -> Self {
        self.state = self.state.watched(watch);
        self.private.watch = watch.clone();
        self
    }

    /// The configuration after a step of a thread.
    pub fn after(
        &self,
        program: &Program,
        thread: ThreadNumber,
        successor: &Successor,
        state: State,
    ) -> Self {
        let mut next = Self {
            state,
            private: self.private.clone(),
            made: self.made.clone(),
        };
        let (mut shown, mut made) = (Vec::new(), Vec::new());
        for effect in &successor.effects {
            match effect {
                Effect::Allocate { object, .. } => {
                    next.private.insert(*object, thread);
                    made.push(*object);
                    if let Some(content) = next.state.objects.get(object)
                        && let Some(site) = heap_site(content)
                    {
                        next.made.insert(site);
                    }
                }
                Effect::Spawn { thread: child } => {
                    next.own_locals(*child);
                    shown.extend(pointers_of(program, &next.state, *child));
                }
                Effect::Write {
                    object, offset, ty, ..
                } => {
                    // What else is in it was shown when it was written, or when the object was.
                    if next.private.get(object).is_none() {
                        let size = ty.size(program.model);
                        let named =
                            pointers::from_cells(program, &next.state, *object, *offset, size);
                        shown.extend(named);
                    }
                }
                Effect::Read { .. }
                | Effect::Synchronize { .. }
                | Effect::Measure { .. }
                | Effect::Free { .. }
                | Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Emit { .. }
                | Effect::Set { .. }
                | Effect::ObserveLayout
                | Effect::End { .. } => {}
            }
        }
        let has_ended = |it: &std::sync::Arc<raddle_ir::interpret::Thread>| it.frames.is_empty();
        if next.state.threads.get(&thread).is_some_and(has_ended) {
            shown.extend(pointers_of(program, &next.state, thread));
        }
        next.publish(program, shown);
        next.private.forget_ended(&self.state, &next.state, &made);
        next
    }

    /// The copies of thread-locals that a new thread has.
    fn own_locals(&mut self, thread: ThreadNumber) {
        if let Some(content) = self.state.threads.get(&thread) {
            for &object in &content.locals {
                self.private.insert(object, thread);
            }
        }
    }

    /// Whatever these objects lead to is private no more.
    fn publish(&mut self, program: &Program, mut shown: Vec<ObjectNumber>) {
        while let Some(number) = shown.pop() {
            if self.private.remove(number).is_some()
                && let Some(object) = self.state.objects.get(&number)
            {
                shown.extend(pointers::from_object(program, object));
            }
        }
    }
}

fn pointers_of(program: &Program, state: &State, thread: ThreadNumber) -> Vec<ObjectNumber> {
    state
        .threads
        .get(&thread)
        .map_or_else(Vec::new, |it| pointers::from_thread(program, it))
}

/// Where an object on the heap was made.
pub fn heap_site(object: &Object) -> Option<Site> {
    match ObjectKey::of(object) {
        ObjectKey::Made(site) if object.storage == Storage::Heap => Some(site),
        ObjectKey::Made(_) | ObjectKey::Global(_) => None,
    }
}

/// Whether an object can cease to be while the process runs.
pub(crate) fn is_mortal(object: &Object) -> bool {
    object.storage != Storage::Global
}
