//! What a program is about, and the classes of meaning that a program may depend on.

use raddle_generate::Random;

use super::draft::Draft;
use super::themes::{atomics, blocks, ends, locks, memory, misuse, names, threads, waits};

/// A part of what C means that every engine takes from the same place, so that none can contradict another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A thread that never ends beside one that is stuck for ever.
    Endless,
    /// Addresses that come back.
    Recycling,
    /// Objects that end with their block.
    Blocks,
    /// What threads are called.
    Names,
    /// What runs before and after `main`.
    Ends,
    /// Objects that must not be written.
    ReadOnly,
    /// Spin locks and semaphores have an owner and a life.
    Ownership,
}

impl Class {
    pub const ALL: [Class; 7] = [
        Class::Endless,
        Class::Recycling,
        Class::Blocks,
        Class::Names,
        Class::Ends,
        Class::ReadOnly,
        Class::Ownership,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Class::Endless => "endless",
            Class::Recycling => "recycling",
            Class::Blocks => "blocks",
            Class::Names => "names",
            Class::Ends => "ends",
            Class::ReadOnly => "read-only",
            Class::Ownership => "ownership",
        }
    }
}

type Weave = fn(&mut Draft, &mut Random);

/// The themes: how often, of which class, how.
const THEMES: &[(usize, Option<Class>, Weave)] = &[
    (10, None, locks::counter),
    (14, None, locks::order),
    (6, None, locks::try_lock),
    (9, None, locks::reentry),
    (5, Some(Class::Ownership), locks::failed_attempt),
    (6, None, locks::readers_writers),
    (7, None, locks::once),
    (12, None, waits::condition),
    (8, None, waits::semaphore),
    (8, None, waits::barrier),
    (5, None, waits::timed),
    (10, None, atomics::operations),
    (5, None, atomics::buffers),
    (5, None, atomics::compare_exchange),
    (4, None, threads::keys),
    (3, None, threads::own_variables),
    (6, None, threads::children),
    (10, None, memory::hand_over),
    (3, None, memory::race),
    (5, None, misuse::mutex),
    (12, Some(Class::Recycling), memory::recycled),
    (20, Some(Class::Blocks), blocks::blocks),
    (6, Some(Class::Blocks), blocks::lost),
    (15, Some(Class::Names), names::names),
    (18, Some(Class::Ends), ends::ends),
    (7, Some(Class::ReadOnly), memory::read_only),
    (12, Some(Class::Ownership), misuse::spin_lock),
    (9, Some(Class::Ownership), misuse::semaphore),
];

/// The program of a seed.
pub fn generate(seed: u64) -> Draft {
    // Neighbouring seeds must not make neighbouring choices.
    let mut random = Random::new(seed.rotate_left(24) ^ 0x5eed);
    random.next_number();
    let total = THEMES.iter().map(|it| it.0).sum();
    let mut draft = Draft::new(if random.chance(80) { 2 } else { 3 });
    let mut picked: Vec<usize> = Vec::new();
    for _ in 0..*random.pick(&[1, 1, 2, 2, 2, 3]) {
        let mut at = random.below(total);
        let mut index = 0;
        while at >= THEMES[index].0 {
            at -= THEMES[index].0;
            index += 1;
        }
        // Twice the same says little more than once.
        if picked.contains(&index) {
            continue;
        }
        picked.push(index);
        draft.next_theme();
        THEMES[index].2(&mut draft, &mut random);
        draft.classes.extend(THEMES[index].1);
    }
    let may_be_endless = draft.may_hang && !draft.finish.leaves_others();
    // A thread that always can go on makes many states of few.
    let chance = if picked.len() == 1 { 60 } else { 15 };
    if may_be_endless && random.chance(chance) {
        draft.is_endless = true;
        draft.classes.push(Class::Endless);
    }
    draft
}
