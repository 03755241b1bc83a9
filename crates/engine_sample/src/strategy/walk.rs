//! A uniform random walk.

use raddle_base::Random;

use super::{Kind, Point, Strategy};

/// Any thread that is ready goes on, each as likely.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    random: Option<Random>,
}

impl Strategy for Walk {
    fn begin(&mut self, random: Random, _: u64) -> bool {
        self.random = Some(random);
        true
    }

    fn thread_came(&mut self, _: usize, _: Kind) {}

    fn choose(&mut self, point: Point<'_>) -> usize {
        let random = self.random.as_mut().expect("the execution has begun");
        *random.pick(point.ready)
    }
}
