//! Blocking: obligations are discharged one by one, until the violating step is excluded or a chain of them leads from
//! where executions begin to a target.

use crate::cube::Cube;
use crate::obligations::{Obligation, ObligationId, Obligations};
use crate::outcome::{GaveUp, Step};
use crate::search::{Consecution, Goal, Search};

/// How a violating step of the highest frame ends.
pub(crate) enum Blocked {
    Yes,
    /// The obligations from where executions begin to a target.
    No(Vec<Obligation>),
}

impl Search<'_> {
    /// Excludes the states from which this step reaches a target from the highest frame.
    pub(crate) fn discharge(&mut self, violating: Step) -> Result<Blocked, GaveUp> {
        let top = self.frames.top();
        let mut obligations = Obligations::new();
        let cube = self.lifted(&violating, Goal::Target)?;
        let obligation = Obligation {
            cube,
            step: violating,
            successor: None,
        };
        obligations.add(obligation, top);
        while let Some((id, level)) = obligations.take() {
            self.budget.check_time()?;
            self.refresh()?;
            self.counters.obligations += 1;
            let cube = obligations.get(id).cube.clone();
            if level == 0 || self.begins_in(&cube)?.is_none() {
                return Ok(Blocked::No(obligations.chain(id)));
            }
            if self.frames.block(&cube, level) {
                self.ask_again_above(&mut obligations, id, level);
                continue;
            }
            match self.consecution(level - 1, &cube)? {
                Consecution::Blocked(core) => {
                    let reached = self.block_generalised(&cube, core, level)?;
                    self.ask_again_above(&mut obligations, id, reached);
                }
                Consecution::Step(step) => {
                    let predecessor = self.lifted(&step, Goal::Cube(&cube))?;
                    obligations.enqueue(id, level);
                    let obligation = Obligation {
                        cube: predecessor,
                        step,
                        successor: Some(id),
                    };
                    obligations.add(obligation, level - 1);
                }
            }
        }
        Ok(Blocked::Yes)
    }

    /// A cube that was blocked at one level leads to a target all the same: it is better blocked above at once.
    fn ask_again_above(&self, obligations: &mut Obligations, id: ObligationId, level: usize) {
        if level < self.frames.top() {
            obligations.enqueue(id, level + 1);
        }
    }

    /// Blocks as much as can be blocked with a cube, and as high as it can. At which level that is.
    fn block_generalised(
        &mut self,
        cube: &Cube,
        core: Cube,
        level: usize,
    ) -> Result<usize, GaveUp> {
        let core = self.outside_initial(cube, core)?;
        let general = self.generalise(core, level, 0)?;
        let reached = self.pushed(&general, level)?;
        self.block(general, reached)?;
        Ok(reached)
    }

    /// The highest level at which a cube is blocked that is blocked at `level`.
    pub(crate) fn pushed(&mut self, cube: &Cube, level: usize) -> Result<usize, GaveUp> {
        let mut level = level;
        while level < self.frames.top() {
            match self.consecution(level, cube)? {
                Consecution::Blocked(_) => level += 1,
                Consecution::Step(_) => break,
            }
        }
        Ok(level)
    }

    /// A cube of states that all reach the goal as this step does, if the labels can tell; else all that looks like the
    /// state that the step leads from.
    fn lifted(&mut self, step: &Step, goal: Goal<'_>) -> Result<Cube, GaveUp> {
        let cube = self.look(&step.state);
        let larger = self.all_reach(&cube, &step.inputs, goal)?;
        Ok(larger.unwrap_or(cube))
    }
}
