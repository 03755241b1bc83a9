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
//! The prefixes keep small integers, small negative ones and common floats from being mistaken for names. Where a number is
//! mistaken for one all the same, the name is not given as long as it is there, and then, too, creations commute up to
//! renaming only.

mod held_words;
pub mod holders;
#[cfg(test)]
mod tests;

use std::ops::Range;

use raddle_base::FastSet;

use crate::arithmetic::{join_pointer, largest_object, split_pointer};
use crate::interpret::memory::forget_dead;
use crate::interpret::state::{ObjectNumber, State, ThreadNumber};
use crate::program::{FunctionId, GlobalId, Program};
use crate::types::DataModel;
use crate::watch::Look;

pub(crate) use held_words::register_words;
pub use held_words::{
    awaited_words, front_bytes, names_in_bytes, thread_words, value_words, woken_words, words_of,
};

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

/// The numbers of a lane, if it has some; those for small objects aside.
fn numbers_for_all_sizes(model: DataModel, lane: u64) -> Option<Range<u32>> {
    let numbers = numbers_of_lane(&model.made_objects(), lane)?;
    let [low, _] = model.large_objects();
    // The first lane ends where small objects take its place.
    Some(numbers.start..numbers.end.min(low.end))
}

/// The numbers that a thread can give to what it makes, unless it has none of its own; those for small objects aside.
pub fn lane_of_thread(program: &Program, thread: ThreadNumber) -> Option<Range<u32>> {
    numbers_for_all_sizes(program.model, lane(program, thread)?)
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
    numbers_for_all_sizes(model, lane).filter(|it| it.contains(&object.0))
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
    let first = |numbers: Range<u32>| first_free(program, state, numbers);
    let last = |numbers: Range<u32>| last_free(program, state, numbers);
    let [low, high] = program.model.large_objects();
    let own = match lane_of_thread(program, maker) {
        Some(lane) => first(lane),
        None => last(high.clone()),
    };
    own.or_else(|| {
        let small = numbers_for_small(program.model, size)?;
        let lane = lane(program, maker).and_then(|lane| numbers_of_lane(&small, lane));
        lane.and_then(first).or_else(|| last(small))
    })
    .or_else(|| last(high))
    .or_else(|| last(low))
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
    if among.is_empty() {
        return None;
    }
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
    /// How many were given out of those that are for small objects first, for small ones alone, and for large ones first.
    given: [u32; 3],
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
        let [low, high] = model.large_objects();
        let small = numbers_for_small(model, size);
        let order = if small.is_some() {
            [0, 1, 2]
        } else {
            [2, 0, 1]
        };
        let numbers = [high, small.unwrap_or_default(), low];
        order.into_iter().find_map(|at| {
            let (given, numbers) = (&mut self.given[at], &numbers[at]);
            let number = (numbers.start + *given..numbers.end)
                .map(ObjectNumber)
                .find(|number| !state.objects.contains_key(number) && !state.places.has(*number));
            if let Some(number) = number {
                *given = number.0 + 1 - numbers.start;
            }
            number
        })
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
