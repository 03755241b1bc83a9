//! Generalisation: literals are dropped from a cube as long as no step from the frame below leads into it.
//!
//! A step that does comes from a *counterexample to generalisation*, which can often be blocked itself; else the cube is
//! made so large that it has this state too, as in \[Hassan13\].

use crate::Flaw;
use crate::cube::{Cube, LabelLiteral};
use crate::outcome::GaveUp;
use crate::search::{Consecution, Search};

/// How many counterexamples are blocked in a row before the cube is joined with one.
const MOST_COUNTEREXAMPLES: usize = 3;

/// How deep generalisation goes on inside generalisation.
const DEEPEST: usize = 1;

impl Search<'_> {
    /// Some of a cube's literals that are enough to be blocked at `level`: those of `core`, and what keeps executions from
    /// beginning there.
    pub(crate) fn outside_initial(&mut self, cube: &Cube, core: Cube) -> Result<Cube, GaveUp> {
        if self.flaw == Some(Flaw::BeginsAnywhere) {
            return Ok(core);
        }
        if self.begins_in(&core)?.is_some() {
            return Ok(core);
        }
        let needed = self.begins_in(cube)?.ok_or(GaveUp::Contradiction(
            "executions begin in a cube that was blocked",
        ))?;
        Ok(cube.only(|it| core.contains(it) || needed.contains(it)))
    }

    /// Drops literals from a cube that is blocked at `level`.
    pub(crate) fn generalise(
        &mut self,
        cube: Cube,
        level: usize,
        depth: usize,
    ) -> Result<Cube, GaveUp> {
        let mut cube = cube;
        let mut needed: Vec<LabelLiteral> = Vec::new();
        for &literal in cube.clone().literals() {
            if cube.len() == 1 || !cube.contains(literal) {
                continue;
            }
            match self.down(cube.without(literal), level, depth, &needed)? {
                Some(smaller) => cube = smaller,
                None => needed.push(literal),
            }
        }
        Ok(cube)
    }

    /// A part of a cube that is blocked at `level` and keeps what is needed, if one is found.
    fn down(
        &mut self,
        cube: Cube,
        level: usize,
        depth: usize,
        needed: &[LabelLiteral],
    ) -> Result<Option<Cube>, GaveUp> {
        let mut cube = cube;
        let mut blocked = 0;
        loop {
            self.budget.check_time()?;
            self.refresh()?;
            if self.flaw != Some(Flaw::BeginsAnywhere) && self.begins_in(&cube)?.is_none() {
                return Ok(None);
            }
            let step = match self.consecution(level - 1, &cube)? {
                Consecution::Blocked(core) => {
                    return self.outside_initial(&cube, core).map(Some);
                }
                Consecution::Step(step) => step,
            };
            if depth >= DEEPEST {
                return Ok(None);
            }
            let counterexample = self.look(&step.state);
            if blocked < MOST_COUNTEREXAMPLES
                && level > 1
                && self.block_counterexample(&counterexample, level - 1, depth)?
            {
                blocked += 1;
                continue;
            }
            blocked = 0;
            let joined = cube.join(&counterexample);
            if joined.len() == cube.len()
                || joined.len() == 0
                || needed.iter().any(|&it| !joined.contains(it))
            {
                return Ok(None);
            }
            cube = joined;
        }
    }

    /// Blocks a counterexample to generalisation at `level`, if that takes one question.
    fn block_counterexample(
        &mut self,
        cube: &Cube,
        level: usize,
        depth: usize,
    ) -> Result<bool, GaveUp> {
        if self.begins_in(cube)?.is_none() {
            return Ok(false);
        }
        let Consecution::Blocked(core) = self.consecution(level - 1, cube)? else {
            return Ok(false);
        };
        let core = self.outside_initial(cube, core)?;
        let reached = self.pushed(&core, level)?;
        let general = self.generalise(core, reached, depth + 1)?;
        self.block(general, reached)?;
        Ok(true)
    }
}
