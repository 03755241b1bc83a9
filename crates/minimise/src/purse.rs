//! What may still be spent on attempts.

use crate::Effort;

/// What may still be spent.
pub(crate) struct Purse<'w> {
    pub(crate) replays: usize,
    steps: usize,
    /// So many steps are left to others.
    reserve: usize,
    pub(crate) may_go_on: &'w dyn Fn() -> bool,
}

impl<'w> Purse<'w> {
    pub(crate) fn new(effort: Effort, may_go_on: &'w dyn Fn() -> bool) -> Self {
        Self {
            replays: effort.replays,
            steps: effort.steps,
            reserve: 0,
            may_go_on,
        }
    }

    /// Spends so many steps, if they are there.
    pub(crate) fn pay(&mut self, steps: usize) -> Option<()> {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// Whoever comes next gets half of what is there.
    pub(crate) fn share(&mut self) {
        self.reserve = self.steps / 2;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.replays == 0 || self.steps <= self.reserve
    }
}
