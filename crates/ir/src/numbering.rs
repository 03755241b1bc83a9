//! Names of threads and objects.
//!
//! Both are named after who made them and that maker's own count, so that what two threads make gets the same
//! names in either order (ARCHITECTURE, “Movers”, note 3). A name is used again only when nothing holds it.
//!
//! A spawned thread's number is a high prefix plus a code: a leading one followed by the path from its root, each
//! element in Elias' gamma code. The path can be read back.
//!
//! The numbers of made objects have a prefix too. Below it, the maker's *lane* in gamma code leaves the remaining bits
//! to the maker's count: many objects for early threads, fewer for late ones. A thread whose lane is full, or too deep
//! to have one, takes the highest free number of all; then creations commute up to renaming only.
//! With short pointers there are lanes for small objects besides, which are used when the others are full.
//!
//! The prefixes keep small integers, small negative ones and common floats from being mistaken for names.

use std::ops::Range;
use std::sync::LazyLock;

use raddle_base::FastSet;

use crate::arithmetic::{BYTES_BELOW, join_pointer, largest_object, split_pointer};
use crate::program::{FunctionId, GlobalId, Program};
use crate::types::{DataModel, Scalar};

use crate::bytes::{Bytes, Occurring};
use crate::holders;
use crate::interpret::memory::forget_dead;
use crate::interpret::state::{
    Object, ObjectNumber, State, Sync, Thread, ThreadNumber, Value, Woken,
};
use crate::interpret::watch::Look;

/// The thread that nobody is: what `owner` of a free lock reads as.
pub fn null_thread(model: DataModel) -> u128 {
    model.null_thread()
}

/// Whether a word is the name of a thread that there is.
pub(crate) fn is_name_of_thread(program: &Program, state: &State, word: u128) -> bool {
    let named = |number: u64| state.threads.contains_key(&ThreadNumber(number));
    if word == program.model.main_thread() {
        return named(0);
    }
    u64::try_from(word)
        .is_ok_and(|number| spawned_threads(program.model).contains(&number) && named(number))
}

/// Appends a positive number in Elias' gamma code: as many zeros as it has bits after the first, then its bits.
fn append_gamma(code: u64, number: u64) -> Option<u64> {
    let length = 2 * number.ilog2() + 1;
    if code.leading_zeros() < length {
        return None;
    }
    Some(code << length | number)
}

/// The numbers of a gamma coded word, without its leading one; `None` if it is no such word.
fn gamma_path(code: u64) -> Option<Vec<u64>> {
    let mut path = Vec::new();
    let mut unread = code.checked_ilog2()?;
    while unread > 0 {
        let rest = code & ((1 << unread) - 1);
        let zeros = unread - 1 - rest.checked_ilog2()?;
        unread = unread.checked_sub(2 * zeros + 1)?;
        path.push(rest >> unread);
    }
    Some(path)
}

/// The least number of a spawned thread.
fn first_spawned(model: DataModel) -> u64 {
    match model {
        DataModel::Ilp32 => 0x6000_0000,
        DataModel::Lp64 => 0x6000_0000_0000_0000,
    }
}

/// The numbers that spawned threads can have.
pub fn spawned_threads(model: DataModel) -> std::ops::Range<u64> {
    let first = first_spawned(model);
    first..first + first / 3
}

/// The number of a thread's child, if it fits.
pub(crate) fn child_number(
    program: &Program,
    parent: ThreadNumber,
    child: u32,
) -> Option<ThreadNumber> {
    let prefix = first_spawned(program.model);
    let parent_code = match parent.0.checked_sub(prefix) {
        Some(code) => code,
        None => append_gamma(1, parent.0 + 1)?,
    };
    let code = append_gamma(parent_code, u64::from(child) + 1)?;
    let number = prefix.checked_add(code)?;
    spawned_threads(program.model)
        .contains(&number)
        .then_some(ThreadNumber(number))
}

/// The root of a thread, then which child of which, from 0; `None` if no thread is called so.
pub(crate) fn thread_path(program: &Program, thread: ThreadNumber) -> Option<Vec<u64>> {
    match thread.0.checked_sub(first_spawned(program.model)) {
        None => Some(vec![thread.0]),
        Some(code) => Some(gamma_path(code)?.iter().map(|it| it - 1).collect()),
    }
}

/// A small number for a root or a child of a root.
fn lane(program: &Program, thread: ThreadNumber) -> Option<u64> {
    let roots = program.roots.len() as u64;
    match thread_path(program, thread)?[..] {
        [root] => Some(root),
        [root, child] => child.checked_add(1)?.checked_mul(roots)?.checked_add(root),
        _ => None,
    }
}

pub fn global_number(global: GlobalId) -> ObjectNumber {
    let index = u32::try_from(raddle_base::Id::index(global)).expect("validated: numbers fit");
    ObjectNumber(index + 1)
}

pub(crate) fn function_number(program: &Program, function: FunctionId) -> ObjectNumber {
    let before = program.globals.len() + raddle_base::Id::index(function);
    ObjectNumber(u32::try_from(before + 1).expect("validated: numbers fit"))
}

/// The function whose address this is.
pub(crate) fn function_at(program: &Program, pointer: u128) -> Option<FunctionId> {
    let (object, offset) = split_pointer(pointer, program.model);
    let index = (object as usize).checked_sub(program.globals.len() + 1)?;
    let function = program.functions.ids().nth(index)?;
    (offset == 0).then_some(function)
}

pub(crate) fn pointer_to(object: ObjectNumber, offset: u64, model: DataModel) -> u128 {
    join_pointer(object.0, offset, model)
}

/// The numbers of a lane, if it has some of these.
fn numbers_of_lane(made: &Range<u32>, lane: u64) -> Option<Range<u32>> {
    let bits = (made.end - made.start).checked_ilog2()?;
    let code = append_gamma(1, lane.checked_add(1)?).filter(|code| code.ilog2() <= bits)?;
    let free_bits = bits - code.ilog2();
    let below_one = u32::try_from(code << free_bits).ok()? - (1 << bits);
    let first = made.start + below_one;
    Some(first..first + (1 << free_bits))
}

/// The numbers that a thread can give to what it makes, unless it has none of its own; those for small objects aside.
pub fn lane_of_thread(program: &Program, thread: ThreadNumber) -> Option<Range<u32>> {
    numbers_of_lane(&program.model.made_objects(), lane(program, thread)?)
}

/// The numbers of the lane in which the number of an object lies; those for small objects aside.
pub fn lane_of(model: DataModel, object: ObjectNumber) -> Option<Range<u32>> {
    let made = model.made_objects();
    let number = object
        .0
        .checked_sub(made.start)
        .filter(|_| made.contains(&object.0))?;
    let bits = (made.end - made.start).ilog2();
    // The code of the lane is as many zeros as bits follow its first one.
    let zeros = bits - number.checked_ilog2()? - 1;
    let rest = bits.checked_sub(2 * zeros + 1)?;
    let lane = u64::from(number >> rest) - 1;
    numbers_of_lane(&made, lane)
}

/// The numbers that small objects can have besides, if an object of some size is one.
fn numbers_for_small(model: DataModel, size: u64) -> Option<Range<u32>> {
    let is_small = size <= largest_object(DataModel::SMALL_OFFSET_BITS);
    is_small
        .then(|| model.small_objects())
        .filter(|it| !it.is_empty())
}

/// A number for a new object of this thread.
pub(crate) fn fresh_object_number(
    program: &Program,
    state: &State,
    maker: ThreadNumber,
    size: u64,
) -> Option<ObjectNumber> {
    let among = |numbers: Range<u32>| first_free(program, state, numbers);
    let lane = lane(program, maker);
    let lane_in = |made: &Range<u32>| numbers_of_lane(made, lane?);
    let made = program.model.made_objects();
    lane_in(&made)
        .and_then(among)
        .or_else(|| {
            let small = numbers_for_small(program.model, size)?;
            let in_lane = lane_in(&small).and_then(among);
            in_lane.or_else(|| last_free(program, state, small))
        })
        .or_else(|| last_free(program, state, made))
}

/// The lowest of some numbers that no object has and nothing holds.
fn first_free(program: &Program, state: &State, among: Range<u32>) -> Option<ObjectNumber> {
    let mut from = among.start;
    let found = loop {
        let gap = state.objects.unobserved().first_gap(from.into());
        let gap = u32::try_from(gap).ok().filter(|it| *it < among.end);
        match gap.map(ObjectNumber) {
            Some(number) if !is_free(program, state, number) => from = number.0 + 1,
            found => break found,
        }
    };
    let end = found.map_or(among.end, |it| it.0 + 1);
    note_presence(state, among.start..end);
    found
}

/// The highest of some numbers that no object has and nothing holds.
fn last_free(program: &Program, state: &State, among: Range<u32>) -> Option<ObjectNumber> {
    let mut to = among.end;
    let found = loop {
        let gap = state.objects.unobserved().last_gap(to.into());
        let gap = gap.and_then(|it| u32::try_from(it).ok());
        match gap.filter(|it| *it >= among.start).map(ObjectNumber) {
            Some(number) if !is_free(program, state, number) => to = number.0,
            found => break found,
        }
    };
    note_presence(state, found.map_or(among.start, |it| it.0)..among.end);
    found
}

/// Takes note that it was asked which objects there are.
fn note_presence(state: &State, numbers: Range<u32>) {
    let (first, end) = (ObjectNumber(numbers.start), ObjectNumber(numbers.end));
    state.watch().look(Look::Presence(first, end));
}

/// Whether a number that no object has is held by nothing, and the name of no address.
fn is_free(program: &Program, state: &State, number: ObjectNumber) -> bool {
    !state.places.has(number) && !is_named(program, state, number)
}

/// Whether some register or some word of live memory, at any byte offset, may point to an object. Of all that is gone
/// through, only the answer is noted.
pub(crate) fn is_named(program: &Program, state: &State, object: ObjectNumber) -> bool {
    state.watch().look(Look::ObjectName(object));
    holders::thread_names_object(program, state, object)
        || holders::objects_that_name(program, state, object)
            .next()
            .is_some()
}

/// Names for the objects of one execution that looks at no other: given out in a row, so that neither a step nor a
/// new object has to look through memory for who holds which name. Only when all were given out are the dead objects
/// forgotten that nothing points to any more, and the row begins again.
#[derive(Debug, Default)]
pub struct Row {
    given: u32,
    given_to_small: u32,
}

impl Row {
    pub(crate) fn next(
        &mut self,
        program: &Program,
        state: &mut State,
        size: u64,
    ) -> Option<ObjectNumber> {
        if let Some(number) = self.next_unused(program.model, state, size) {
            return Some(number);
        }
        forget_dead(program, state, |_, _| false);
        *self = Self::default();
        self.next_unused(program.model, state, size)
    }

    fn next_unused(&mut self, model: DataModel, state: &State, size: u64) -> Option<ObjectNumber> {
        let small = numbers_for_small(model, size);
        let in_row = |given: &mut u32, numbers: Range<u32>| {
            let number = (numbers.start + *given..numbers.end)
                .map(ObjectNumber)
                .find(|number| !state.objects.contains_key(number) && !state.places.has(*number));
            *given = number.map_or(numbers.end, |number| number.0 + 1) - numbers.start;
            number
        };
        // Where there are numbers for small objects, the others are few.
        small
            .and_then(|small| in_row(&mut self.given_to_small, small))
            .or_else(|| in_row(&mut self.given, model.made_objects()))
    }
}

/// So many names of threads are looked for one by one.
const ASKED_ONE_BY_ONE: u32 = 2;

/// A name for the next child of a thread: the lowest count whose name nothing holds.
pub(crate) fn fresh_child(
    program: &Program,
    state: &State,
    parent: ThreadNumber,
) -> Option<(u32, ThreadNumber)> {
    // Of many that are held, all are found out at once.
    let mut held: Option<FastSet<u64>> = None;
    let mut asked = 0;
    (0..=u32::MAX)
        .map(|child| Some((child, child_number(program, parent, child)?)))
        .find(|candidate| {
            candidate.is_none_or(|(_, number)| {
                // Which threads there are counts as known.
                if state.threads.contains_key(&number) {
                    return false;
                }
                state.watch().look(Look::ThreadName(number));
                asked += 1;
                if asked <= ASKED_ONE_BY_ONE {
                    return !holders::is_thread_named(program, state, number);
                }
                let held = held.get_or_insert_with(|| holders::named_threads(program, state));
                !held.contains(&number.0)
            })
        })
        .flatten()
}

/// The mutexes that those who wait on condition variables in an object will take again, as pointers.
pub fn awaited_words(object: &Object) -> impl Iterator<Item = u128> + '_ {
    object.syncs.values().flat_map(|sync| {
        let waiting = match sync {
            Sync::Condition { waiting } => waiting.values().copied().collect(),
            Sync::Mutex { .. }
            | Sync::ReadWriteLock { .. }
            | Sync::Semaphore { .. }
            | Sync::Barrier { .. }
            | Sync::Monitor { .. } => Vec::new(),
        };
        waiting.into_iter()
    })
}

/// What a thread waited for and has not gone on from yet, as pointers.
pub fn woken_words(thread: &Thread) -> impl Iterator<Item = u128> + use<> {
    let words = match thread.woken {
        Some(Woken::Signalled {
            condition, mutex, ..
        }) => vec![condition, mutex],
        Some(Woken::Released { barrier, .. }) => vec![barrier],
        None => Vec::new(),
    };
    words.into_iter()
}

/// The words, as large as a pointer, in all registers and thread results.
pub(crate) fn register_words<'a>(
    program: &'a Program,
    state: &'a State,
) -> impl Iterator<Item = u128> + 'a {
    let threads = state.threads.unobserved().values();
    threads.flat_map(|thread| thread_words(program, thread))
}

/// The words, as large as a pointer, in the registers and the result of a thread.
pub fn thread_words<'a>(
    program: &'a Program,
    thread: &'a Thread,
) -> impl Iterator<Item = u128> + 'a {
    let result = thread.result_type.map(|ty| (thread.result, ty));
    let registers = thread.frames.iter().flat_map(|frame| {
        let types = program.functions[frame.function].registers.values();
        frame.registers.iter().copied().zip(types.map(|it| it.ty))
    });
    result
        .into_iter()
        .chain(registers)
        .flat_map(|(value, ty)| value_words(program, value, ty))
}

/// The words, as large as a pointer, in a value of some type. Floats hold no names.
pub fn value_words(program: &Program, value: Value, ty: Scalar) -> Vec<u128> {
    let Value::Bits(bits) = value else {
        return Vec::new();
    };
    if matches!(ty, Scalar::Float(_)) {
        return Vec::new();
    }
    let size = ty.size(program.model).max(program.model.pointer_bytes());
    let bytes = bits.to_le_bytes().map(Some);
    let end = bytes.len().min(usize::try_from(size).expect("at most 16"));
    words_of(&bytes[..end], program.model).collect()
}

/// The values of the words, as large as a pointer, at every byte offset.
pub fn words_of(bytes: &[Option<u8>], model: DataModel) -> impl Iterator<Item = u128> + '_ {
    let size = usize::try_from(model.pointer_bytes()).expect("4 or 8");
    bytes.windows(size).filter_map(|window| {
        window
            .iter()
            .rev()
            .try_fold(0_u128, |word, byte| Some(word << 8 | u128::from((*byte)?)))
    })
}

/// The bytes of highest value that the name of a made object or of a spawned thread may have.
pub fn front_bytes(model: DataModel) -> &'static Occurring {
    static ILP32: LazyLock<Occurring> = LazyLock::new(|| worked_out(DataModel::Ilp32));
    static LP64: LazyLock<Occurring> = LazyLock::new(|| worked_out(DataModel::Lp64));
    fn worked_out(model: DataModel) -> Occurring {
        let shift = 8 * (model.pointer_bytes() - 1);
        let front = |word: u128| (word >> shift).to_le_bytes()[0];
        let made = model.made_objects();
        let small = Some(model.small_objects()).filter(|it| !it.is_empty());
        let least = small.map_or(made.start, |it| it.start);
        // A pointer to just below an object is less than one to its first byte.
        let first = join_pointer(least, 0, model) - u128::from(BYTES_BELOW);
        let last = join_pointer(made.end - 1, 0, model);
        let spawned = spawned_threads(model);
        let (first_thread, last_thread) = (spawned.start, spawned.end - 1);
        (front(first)..=front(last))
            .chain(front(first_thread.into())..=front(last_thread.into()))
            .collect()
    }
    match model {
        DataModel::Ilp32 => &ILP32,
        DataModel::Lp64 => &LP64,
    }
}

/// Of the words of an object, as large as a pointer and at every byte offset, all that may name something that was made or
/// spawned.
pub fn names_in_bytes(bytes: &Bytes, model: DataModel) -> impl Iterator<Item = u128> + use<'_> {
    let size = usize::try_from(model.pointer_bytes()).expect("4 or 8");
    let words = bytes.words_ending_in(size, front_bytes(model));
    words.map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_codes_can_be_read_back() {
        for path in [
            vec![1],
            vec![1, 1, 1],
            vec![3, 1, 17, 2],
            vec![10_000, 1],
            vec![1; 60],
        ] {
            let code = path
                .iter()
                .try_fold(1, |code, &number| append_gamma(code, number))
                .expect("fits 64 bits");
            assert_eq!(gamma_path(code), Some(path));
        }
    }

    #[test]
    fn the_lane_of_an_object_is_that_of_its_maker() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            for lane in 0..20 {
                let made = model.made_objects();
                let numbers = numbers_of_lane(&made, lane).expect("early lanes have room");
                for number in [numbers.start, numbers.start + 1, numbers.end - 1] {
                    let found = lane_of(model, ObjectNumber(number));
                    assert_eq!(found, Some(numbers.clone()), "lane {lane}");
                }
            }
            let globals = model.given_objects().end - 1;
            assert_eq!(lane_of(model, ObjectNumber(globals)), None);
            let small = model.small_objects().start;
            assert_eq!(lane_of(model, ObjectNumber(small)), None);
        }
    }

    #[test]
    fn a_word_that_does_not_fit_is_refused() {
        assert_eq!(append_gamma(1 << 63, 1), None);
        assert_eq!(append_gamma(1 << 62, 1), Some(1 << 63 | 1));
    }
}
