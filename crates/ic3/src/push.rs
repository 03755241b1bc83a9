//! Pushing: what is blocked at a level and stays blocked after one more step is blocked at the next. A level at which
//! nothing is left is the same as the next, and an invariant.

use raddle_logic::Certificate;

use crate::Flaw;
use crate::outcome::GaveUp;
use crate::search::{Consecution, Search};

impl Search<'_> {
    /// Pushes all cubes, lowest level first. The invariant, if two frames have become the same.
    pub(crate) fn push(&mut self) -> Result<Option<Certificate>, GaveUp> {
        for level in 1..self.frames.top() {
            for cube in self.frames.at(level).to_vec() {
                self.budget.check_time()?;
                self.refresh()?;
                // Another one that was pushed may say more.
                if !self.frames.at(level).contains(&cube) {
                    continue;
                }
                if self.flaw == Some(Flaw::PushesUnasked) {
                    self.block(cube, level + 1)?;
                } else if let Consecution::Blocked(core) = self.consecution(level, &cube)? {
                    let core = self.outside_initial(&cube, core)?;
                    self.block(core, level + 1)?;
                }
            }
            if self.frames.at(level).is_empty() {
                return Ok(Some(self.certificate(level + 1)));
            }
        }
        Ok(None)
    }

    fn certificate(&mut self, level: usize) -> Certificate {
        let cubes: Vec<_> = self.frames.from(level).cloned().collect();
        let clause = |cube| self.labels.clause(self.system, cube);
        let mut invariant: Vec<_> = cubes.iter().map(clause).collect();
        invariant.extend(&self.lemmas);
        Certificate {
            invariant,
            depth: 1,
        }
    }
}
