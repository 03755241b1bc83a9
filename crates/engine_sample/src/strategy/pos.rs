//! Partial order sampling: priorities of steps, drawn again where they would race.
//!
//! # Source
//!
//! \[Yuan18\]: Yuan, Yang, Gu, “Partial order aware concurrency sampling”, CAV 2018: the algorithm POS of section 4 (figure 3).
//!
//! # Definitions
//!
//! - Each thread stands before a step, which has a *score*, drawn when the thread comes to stand there. The ready thread whose
//!   step has the highest score goes on.
//! - When a step was taken, the scores of those that *race* with it, because they touch the same object, are drawn
//!   again.
//!
//! # Invariants
//!
//! - The chance of a schedule depends on which dependent steps are ordered how, not on how many independent ones are in between.
//!
//! # Deviations
//!
//! 1. Steps race if they touch a common object, whatever its parts and whether they write.
//! 2. A thread that goes round in circles gets the lowest score for its next step.
//!
//! # Tested by
//!
//! `crates/engine_sample/tests/strategies.rs`.

use raddle_base::Random;
use raddle_ir::interpret::ObjectNumber;

use super::{Kind, Point, Strategy};

#[derive(Debug, Default)]
pub(crate) struct Pos {
    random: Option<Random>,
    /// Of the step that each thread stands before, and what that touches.
    scores: Vec<u64>,
    objects: Vec<Option<ObjectNumber>>,
}

impl Pos {
    fn draw(&mut self) -> u64 {
        let random = self.random.as_mut().expect("the execution has begun");
        random.next_number().max(1)
    }
}

impl Strategy for Pos {
    fn begin(&mut self, random: Random, _: u64) -> bool {
        *self = Self {
            random: Some(random),
            ..Self::default()
        };
        true
    }

    fn thread_came(&mut self, _: usize, _: Kind) {
        let score = self.draw();
        self.scores.push(score);
        self.objects.push(None);
    }

    fn choose(&mut self, point: Point<'_>) -> usize {
        if let Some(current) = point.current.filter(|_| point.spins) {
            self.scores[current] = 0;
        }
        let ready = point.ready.iter().copied();
        ready
            .max_by_key(|it| (self.scores[*it], *it))
            .expect("somebody is ready")
    }

    fn stepped(&mut self, thread: usize, objects: &mut dyn Iterator<Item = ObjectNumber>) {
        self.scores[thread] = self.draw();
        self.objects[thread] = None;
        for object in objects {
            for other in 0..self.objects.len() {
                if self.objects[other] == Some(object) {
                    self.scores[other] = self.draw();
                }
            }
        }
    }

    fn stands(&mut self, thread: usize, object: Option<ObjectNumber>) {
        self.objects[thread] = object;
    }

    fn looks_at_steps(&self) -> bool {
        true
    }
}
