//! What programs are woven of. Each theme adds its variables and a few statements to some threads.
//!
//! Whatever threads share is protected by locks, handed over, or sequentially consistent, so that a machine does nothing
//! that an interleaving does not do, unless a theme says that it may race.

pub(super) mod atomics;
pub(super) mod blocks;
pub(super) mod ends;
pub(super) mod locks;
pub(super) mod memory;
pub(super) mod misuse;
pub(super) mod names;
pub(super) mod threads;
pub(super) mod waits;

use raddle_generate::Random;

use super::draft::Draft;

/// Two or three threads that take part; 0 is `main`.
fn actors(draft: &Draft, random: &mut Random) -> Vec<usize> {
    let mut actors: Vec<usize> = (1..=draft.workers).collect();
    if draft.workers == 2 && random.chance(25) {
        actors.push(0);
    }
    actors
}

/// Two of them, in some order.
fn two_actors(draft: &Draft, random: &mut Random) -> (usize, usize) {
    let actors = actors(draft, random);
    let first = random.below(actors.len());
    let second = (first + 1 + random.below(actors.len() - 1)) % actors.len();
    (actors[first], actors[second])
}

/// One of them.
fn one_actor(draft: &Draft, random: &mut Random) -> usize {
    let actors = actors(draft, random);
    *random.pick(&actors)
}

/// Puts texts where `$0`, `$1` and so on stand.
fn filled(text: &str, with: &[&str]) -> String {
    let mut text = text.to_owned();
    for (at, with) in with.iter().enumerate() {
        text = text.replace(&format!("${at}"), with);
    }
    text
}
