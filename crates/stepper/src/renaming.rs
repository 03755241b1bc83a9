//! States with other names for their threads and objects.
//!
//! What a program does depends on names only through what the names stand for, unless it looks at the numbers themselves.
//! So a state and the same state with other names lead to the same, up to names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_ir::action::Action;
use raddle_ir::arithmetic::{join_pointer, split_pointer};
use raddle_ir::expression::{BinaryOp, Expression};
use raddle_ir::formula::{Atom, Formula};
use raddle_ir::program::{GlobalId, Initial, Program};
use raddle_ir::types::Scalar;

use raddle_ir::bytes::{Bytes, Cell};
use raddle_ir::interpret::numbering::{self, front_bytes, null_thread};
use raddle_ir::interpret::state::{
    Object, ObjectNumber, State, Sync, Thread, ThreadNumber, Value, Woken,
};

/// Other names for some threads and objects; all others keep theirs. No two get the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    /// A permutation of threads that there are. Only what belongs to them gets the other name: who holds the name of a
    /// thread in a register or in memory holds it still, and it is the name of another thread.
    pub threads: BTreeMap<ThreadNumber, ThreadNumber>,
    /// Whoever points to an object points to it under its other name.
    pub objects: BTreeMap<ObjectNumber, ObjectNumber>,
}

impl Renaming {
    pub fn is_identity(&self) -> bool {
        self.threads.iter().all(|(from, to)| from == to)
            && self.objects.iter().all(|(from, to)| from == to)
    }

    pub fn thread(&self, thread: ThreadNumber) -> ThreadNumber {
        self.threads.get(&thread).copied().unwrap_or(thread)
    }

    pub fn object(&self, object: ObjectNumber) -> ObjectNumber {
        self.objects.get(&object).copied().unwrap_or(object)
    }

    fn pointer(&self, program: &Program, pointer: u128) -> u128 {
        let (object, offset) = split_pointer(pointer, program.model);
        let renamed = self.object(ObjectNumber(object));
        join_pointer(renamed.0, offset, program.model)
    }

    fn value(&self, program: &Program, value: Value, ty: Scalar) -> Value {
        match (value, ty) {
            (Value::Bits(bits), Scalar::Pointer) => Value::Bits(self.pointer(program, bits)),
            (Value::Bits(_) | Value::Undefined, _) => value,
        }
    }

    /// The state with these names.
    pub fn state(&self, program: &Program, state: &State) -> State {
        let threads = state.threads.unobserved();
        let renamed = threads.iter().map(|(number, thread)| {
            let number = self.thread(*number);
            // Which child of whom it is belongs to the name.
            let (creator, child) = (threads[&number].creator, threads[&number].child);
            let thread = Thread {
                creator,
                child,
                ..self.content(program, thread)
            };
            (number, Arc::new(thread))
        });
        let objects = state.objects.unobserved().iter();
        State {
            threads: renamed.collect(),
            objects: objects
                .map(|(number, object)| (self.object(*number), self.object_with(program, object)))
                .collect(),
            places: state.places.renamed(|it| self.object(it)),
            has_ended: state.has_ended,
        }
        .watched(state.watch())
    }

    fn content(&self, program: &Program, thread: &Thread) -> Thread {
        let mut thread = thread.clone();
        for frame in &mut thread.frames {
            let types = program.functions[frame.function].registers.values();
            for (value, register) in frame.registers.iter_mut().zip(types) {
                *value = self.value(program, *value, register.ty);
            }
            for object in &mut frame.stack_objects {
                *object = self.object(*object);
            }
        }
        if let Some(ty) = thread.result_type {
            thread.result = self.value(program, thread.result, ty);
        }
        for object in &mut thread.locals {
            *object = self.object(*object);
        }
        match &mut thread.woken {
            Some(Woken::Signalled {
                condition, mutex, ..
            }) => {
                *condition = self.pointer(program, *condition);
                *mutex = self.pointer(program, *mutex);
            }
            Some(Woken::Released { barrier, .. }) => *barrier = self.pointer(program, *barrier),
            None => {}
        }
        thread
    }

    fn object_with(&self, program: &Program, object: &Arc<Object>) -> Arc<Object> {
        let mut renamed = (**object).clone();
        let size = pointer_size(program);
        for (offset, number) in names_of(program, &object.bytes) {
            if self.objects.contains_key(&number) {
                let mut bytes = renamed.bytes.get(offset..offset + size).into_owned();
                write_name(program, &mut bytes, self.object(number));
                renamed.bytes.write(offset, &bytes);
            }
        }
        for sync in renamed.syncs.values_mut() {
            self.rename_sync(program, sync);
        }
        if renamed == **object {
            Arc::clone(object)
        } else {
            Arc::new(renamed)
        }
    }

    fn rename_sync(&self, program: &Program, sync: &mut Sync) {
        let rename = |thread: &mut ThreadNumber| *thread = self.thread(*thread);
        match sync {
            Sync::Mutex { owner, .. } => owner.iter_mut().for_each(rename),
            Sync::ReadWriteLock { writer, readers } => {
                writer.iter_mut().for_each(rename);
                *readers = self.keys(readers);
            }
            Sync::Condition { waiting } => {
                *waiting = self.keys(waiting);
                for mutex in waiting.values_mut() {
                    *mutex = self.pointer(program, *mutex);
                }
            }
            Sync::Semaphore { .. } => {}
            Sync::Barrier { arrived, .. } => {
                *arrived = arrived.iter().map(|it| self.thread(*it)).collect();
            }
            Sync::Monitor {
                owner,
                waiting,
                notified,
                ..
            } => {
                owner.iter_mut().for_each(rename);
                *waiting = self.keys(waiting);
                *notified = self.keys(notified);
            }
        }
    }

    fn keys<T: Copy>(&self, threads: &BTreeMap<ThreadNumber, T>) -> BTreeMap<ThreadNumber, T> {
        let threads = threads.iter();
        threads
            .map(|(it, what)| (self.thread(*it), *what))
            .collect()
    }
}

fn pointer_size(program: &Program) -> usize {
    usize::try_from(program.model.pointer_bytes()).expect("4 or 8")
}

/// Where bytes look like pointers to made objects, whether or not these are there.
pub fn names_in<'a>(
    program: &'a Program,
    bytes: &'a [Option<u8>],
) -> impl Iterator<Item = (usize, ObjectNumber)> + 'a {
    let windows = bytes.windows(pointer_size(program)).enumerate();
    windows.filter_map(move |(offset, window)| {
        let word = window
            .iter()
            .rev()
            .try_fold(0_u128, |word, byte| Some(word << 8 | u128::from((*byte)?)))?;
        let (object, _) = split_pointer(word, program.model);
        let is_made = program.model.is_made(object);
        is_made.then_some((offset, ObjectNumber(object)))
    })
}

/// Where the bytes of an object look like pointers to made objects, whether or not these are there.
pub fn names_of<'a>(
    program: &'a Program,
    bytes: &'a Bytes,
) -> impl Iterator<Item = (usize, ObjectNumber)> + 'a {
    let words = bytes.words_ending_in(pointer_size(program), front_bytes(program.model));
    words.filter_map(move |(offset, word)| {
        let (object, _) = split_pointer(word, program.model);
        let is_made = program.model.is_made(object);
        is_made.then_some((offset, ObjectNumber(object)))
    })
}

/// Makes bytes that are a pointer point to another object.
fn write_name(program: &Program, bytes: &mut [Option<u8>], object: ObjectNumber) {
    let word = bytes.iter().rev().fold(0_u128, |word, byte| {
        word << 8 | u128::from(byte.unwrap_or(0))
    });
    let (_, offset) = split_pointer(word, program.model);
    let renamed = join_pointer(object.0, offset, program.model);
    for (byte, new) in bytes.iter_mut().zip(renamed.to_le_bytes()) {
        *byte = Some(new);
    }
}

/// What the registers and the result of a thread may name.
#[derive(Clone, Debug, Default)]
pub struct ThreadNames {
    /// Objects that its pointers point to, in order, and not each once.
    pub pointers: Vec<ObjectNumber>,
    /// Made objects that numbers in it look like, which are none of its pointers.
    pub numbers: BTreeSet<ObjectNumber>,
    /// Threads that anything in it looks like.
    pub threads: BTreeSet<ThreadNumber>,
}

impl ThreadNames {
    pub fn of(program: &Program, thread: &Thread) -> Self {
        let mut names = Self::default();
        for frame in &thread.frames {
            let types = program.functions[frame.function].registers.values();
            for (value, register) in frame.registers.iter().zip(types) {
                names.add(program, *value, register.ty);
            }
            names.pointers.extend(&frame.stack_objects);
        }
        if let Some(ty) = thread.result_type {
            names.add(program, thread.result, ty);
        }
        names.pointers.extend(&thread.locals);
        let mut pointer = |it: u128| {
            let (object, _) = split_pointer(it, program.model);
            names.pointers.push(ObjectNumber(object));
        };
        match thread.woken {
            Some(Woken::Signalled {
                condition, mutex, ..
            }) => {
                pointer(condition);
                pointer(mutex);
            }
            Some(Woken::Released { barrier, .. }) => pointer(barrier),
            None => {}
        }
        let words = numbering::thread_words(program, thread);
        let spawned = numbering::spawned_threads(program.model);
        let threads = words.filter_map(|it| u64::try_from(it).ok());
        let threads = threads.filter(|it| spawned.contains(it));
        names.threads = threads.map(ThreadNumber).collect();
        names
    }

    fn add(&mut self, program: &Program, value: Value, ty: Scalar) {
        let Value::Bits(bits) = value else { return };
        match ty {
            Scalar::Pointer => {
                let (object, _) = split_pointer(bits, program.model);
                self.pointers.push(ObjectNumber(object));
            }
            Scalar::Int(_) | Scalar::Thread => {
                let bytes = bits.to_le_bytes().map(Some);
                let found = names_in(program, &bytes);
                self.numbers.extend(found.map(|(_, object)| object));
            }
            Scalar::Float(_) => {}
        }
    }
}

/// Threads that the bytes of an object look like.
pub fn threads_in(program: &Program, object: &Object) -> BTreeSet<ThreadNumber> {
    threads_among(
        program,
        numbering::names_in_bytes(&object.bytes, program.model),
    )
}

fn threads_among(program: &Program, words: impl Iterator<Item = u128>) -> BTreeSet<ThreadNumber> {
    let spawned = numbering::spawned_threads(program.model);
    let threads = words.filter_map(|it| u64::try_from(it).ok());
    let threads = threads.filter(|it| spawned.contains(it));
    threads.map(ThreadNumber).collect()
}

/// Threads that words of an object look like of which some byte is among these.
pub fn threads_near(
    program: &Program,
    state: &State,
    object: ObjectNumber,
    offset: u64,
    size: u64,
) -> BTreeSet<ThreadNumber> {
    let Some(object) = state.objects.unobserved().get(&object) else {
        return BTreeSet::new();
    };
    let word = program.model.pointer_bytes();
    let index =
        |at: u64| usize::try_from(at).map_or(object.bytes.len(), |it| it.min(object.bytes.len()));
    let from = index(offset.saturating_sub(word - 1));
    let to = index(offset.saturating_add(size + word - 1));
    let bytes: Vec<Cell> = object.bytes.iter(from.min(to)..to).collect();
    threads_among(program, numbering::words_of(&bytes, program.model))
}

/// The object that a global is, unless each thread has one.
pub fn number_of_global(global: GlobalId) -> ObjectNumber {
    numbering::global_number(global)
}

/// The numbers that belong to the maker of an object, if it is one of those that have some of their own.
pub fn lane_of(program: &Program, object: ObjectNumber) -> Option<std::ops::Range<u32>> {
    numbering::lane_of(program.model, object)
}

/// The numbers that a thread can give to what it makes, if it has some of its own.
pub fn lane_of_thread(program: &Program, thread: ThreadNumber) -> Option<std::ops::Range<u32>> {
    numbering::lane_of_thread(program, thread)
}

/// Whether an expression of the code of the program, or a part of one, is meant.
fn any_in_code(program: &Program, is_meant: impl Fn(&Expression) -> bool) -> bool {
    let functions = program.functions.values();
    let mut edges = functions.flat_map(|it| it.edges.values());
    edges.any(|edge| {
        let mut expressions = edge.action.expressions().into_iter();
        expressions.any(|it| it.any(&is_meant))
    })
}

fn formulas(program: &Program) -> impl Iterator<Item = &Formula> {
    let exclusives = program.exclusives.iter().map(|it| &it.condition);
    exclusives.chain(program.invariants.iter().map(|it| &it.formula))
}

/// Whether an expression of a formula, or a part of one, is meant.
fn any_in_formula(formula: &Formula, is_meant: impl Fn(&Expression) -> bool) -> bool {
    let addresses = formula.atoms.iter().filter_map(|it| match it {
        Atom::Cell { address, .. } | Atom::Owner { lock: address } => Some(address),
        Atom::At { .. } | Atom::Index(_) => None,
    });
    let mut expressions = addresses.chain([&formula.body]);
    expressions.any(|it| it.any(&is_meant))
}

fn reads_cell(formula: &Formula, is_meant: impl Fn(Scalar) -> bool) -> bool {
    let mut atoms = formula.atoms.iter();
    atoms.any(|it| matches!(it, Atom::Cell { ty, .. } if is_meant(*ty)))
}

/// Whether something looks at the names of threads, which may be anything, so that others would show, or makes one up.
pub fn looks_at_threads(program: &Program) -> bool {
    let is_own_name = |it: &Expression| matches!(it, Expression::CurrentThread);
    let is_made_up = |it: &Expression| match it {
        Expression::Constant(bits, Scalar::Thread) => *bits != null_thread(program.model),
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Cast(..)
        | Expression::Select(..) => false,
    };
    let is_cast = |it: &Expression| matches!(it, Expression::Cast(..));
    any_in_code(program, |it| is_own_name(it) || is_made_up(it))
        || computes_whom_to_join(program)
        // Formulas may compare names with each other and with nobody's, but not with those in memory, nor make numbers of them.
        || formulas(program).any(|formula| {
            let mut atoms = formula.atoms.iter();
            let has_owner = atoms.any(|it| matches!(it, Atom::Owner { .. }));
            let reads_name = reads_cell(formula, |ty| ty == Scalar::Thread);
            let has_names = has_owner || reads_name || any_in_formula(formula, is_own_name);
            has_names
                && (reads_name || any_in_formula(formula, |it| is_cast(it) || is_made_up(it)))
        })
}

/// Whether the thread that somebody joins or detaches is worked out there, so that nobody sees the name before.
fn computes_whom_to_join(program: &Program) -> bool {
    let functions = program.functions.values();
    let mut edges = functions.flat_map(|it| it.edges.values());
    edges.any(|edge| {
        let (Action::Join { thread, .. } | Action::Detach { thread }) = &edge.action else {
            return false;
        };
        let mut operand = thread;
        while let Expression::Cast(_, inner) = operand {
            operand = inner;
        }
        !matches!(operand, Expression::Register(_))
    })
}

/// Whether numbers are made names of threads: those of threads that run from the start are small ones.
pub fn makes_threads(program: &Program) -> bool {
    any_in_code(program, |it| {
        matches!(it, Expression::Cast(Scalar::Thread, _))
    })
}

/// Whether formulas look at the numbers of objects: they compare pointers by order, or make numbers of them.
pub fn formulas_look_at_objects(program: &Program) -> bool {
    let looks = |it: &Expression| match it {
        Expression::Cast(..) => true,
        Expression::Binary(op, ..) => {
            op.is_comparison() && !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
        }
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Select(..) => false,
    };
    formulas(program).any(|formula| {
        reads_cell(formula, |ty| ty == Scalar::Pointer) && any_in_formula(formula, looks)
    })
}

/// Whether a made object is named by a constant.
pub fn names_objects(program: &Program) -> bool {
    let is_name = |bits: u128| {
        let (object, _) = split_pointer(bits, program.model);
        program.model.is_made(object)
    };
    let is_meant = |it: &Expression| matches!(it, Expression::Constant(bits, Scalar::Pointer) if is_name(*bits));
    let globals = program.globals.values();
    let mut initials = globals.flat_map(|it| it.initial.iter());
    let mut arguments = program.roots.iter().flat_map(|it| &it.arguments);
    any_in_code(program, is_meant)
        || formulas(program).any(|it| any_in_formula(it, is_meant))
        || arguments.any(|it| it.any(is_meant))
        || initials
            .any(|(_, it)| matches!(it, Initial::Scalar(Scalar::Pointer, bits) if is_name(*bits)))
}
