//! The frames: what is known of the states that few steps lead to.
//!
//! Frame 0 is where executions begin. Frame `i` has the states that no cube excludes which is blocked at `i` or above, so
//! frames grow, and the cubes of a frame are stored once, at the highest level where they are known to be blocked.

use crate::cube::Cube;

/// Cubes by the level up to which they are blocked. Nothing is blocked at level 0.
#[derive(Default)]
pub(crate) struct Frames {
    levels: Vec<Vec<Cube>>,
}

impl Frames {
    /// With frame 0 only.
    pub(crate) fn new() -> Self {
        Self {
            levels: vec![Vec::new()],
        }
    }

    /// The highest level.
    pub(crate) fn top(&self) -> usize {
        self.levels.len() - 1
    }

    pub(crate) fn extend(&mut self) {
        self.levels.push(Vec::new());
    }

    /// What is blocked up to this level and no higher.
    pub(crate) fn at(&self, level: usize) -> &[Cube] {
        &self.levels[level]
    }

    /// What is blocked at this level or above.
    pub(crate) fn from(&self, level: usize) -> impl Iterator<Item = &Cube> {
        self.levels[level..].iter().flatten()
    }

    /// Whether all states of a cube are known to be blocked at this level.
    pub(crate) fn block(&self, cube: &Cube, level: usize) -> bool {
        self.from(level).any(|blocked| blocked.subsumes(cube))
    }

    /// Blocks a cube up to a level, and forgets what says less.
    pub(crate) fn add(&mut self, cube: Cube, level: usize) {
        for cubes in &mut self.levels[1..=level] {
            cubes.retain(|it| !cube.subsumes(it));
        }
        self.levels[level].push(cube);
    }
}
