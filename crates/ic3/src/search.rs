//! What a search knows, and the questions that it asks about single steps.

use raddle_base::Budget;
use raddle_logic::blast::Blaster;
use raddle_logic::{Literal, TermId, TransitionSystem};

use crate::context::Context;
use crate::cube::{Cube, LabelLiteral};
use crate::frames::Frames;
use crate::labels::Labels;
use crate::outcome::{GaveUp, Step};
use crate::{Counters, Flaw};

/// A search under way.
pub(crate) struct Search<'a> {
    pub(crate) system: &'a mut TransitionSystem,
    pub(crate) budget: &'a Budget,
    pub(crate) labels: Labels,
    pub(crate) frames: Frames,
    pub(crate) counters: Counters,
    pub(crate) flaw: Option<Flaw>,
    blaster: Blaster,
    /// Knows that the step is possible, and the frames.
    steps: Context,
    /// One for each frame: assumed, the cubes stored at this level are excluded. That of level 0 says that the state is
    /// one in which executions begin.
    switches: Vec<Literal>,
    /// Knows that executions begin in the state.
    initial: Context,
    /// Knows nothing.
    lifting: Context,
    /// The step reaches some target.
    violation: TermId,
    /// What holds in all reachable states, inductive by itself.
    pub(crate) lemmas: Vec<TermId>,
}

/// Whether a step leads from a frame into a cube.
pub(crate) enum Consecution {
    /// None does, not even into this larger cube.
    Blocked(Cube),
    Step(Step),
}

/// Where a step is to lead.
#[derive(Clone, Copy)]
pub(crate) enum Goal<'a> {
    Cube(&'a Cube),
    Target,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        system: &'a mut TransitionSystem,
        budget: &'a Budget,
        lemmas: &[TermId],
        flaw: Option<Flaw>,
    ) -> Result<Self, GaveUp> {
        let conditions: Vec<TermId> = system.targets.iter().map(|it| it.condition).collect();
        let violation = system.terms.any(&conditions);
        let labels = Labels::new(system);
        let mut this = Self {
            system,
            budget,
            labels,
            frames: Frames::new(),
            counters: Counters::default(),
            flaw,
            blaster: Blaster::new(),
            steps: Context::new(),
            switches: Vec::new(),
            initial: Context::new(),
            lifting: Context::new(),
            violation,
            lemmas: lemmas.to_vec(),
        };
        this.renew_initial()?;
        this.renew_steps()?;
        Ok(this)
    }

    fn renew_initial(&mut self) -> Result<(), GaveUp> {
        self.counters.questions += self.initial.questions();
        self.initial = Context::new();
        let terms = &self.system.terms;
        let begins =
            self.initial
                .literal(&mut self.blaster, terms, self.system.initial, self.budget)?;
        self.initial.add_clause(&[begins]);
        Ok(())
    }

    /// Tells a fresh solver of steps all that the old one knows and that still holds.
    fn renew_steps(&mut self) -> Result<(), GaveUp> {
        self.counters.questions += self.steps.questions();
        self.steps = Context::new();
        let (system, blaster, budget) = (&*self.system, &mut self.blaster, self.budget);
        let terms = &system.terms;
        let possible = self
            .steps
            .literal(blaster, terms, system.constraint, budget)?;
        self.steps.add_clause(&[possible]);
        for &lemma in &self.lemmas {
            let holds = self.steps.literal(blaster, terms, lemma, budget)?;
            self.steps.add_clause(&[holds]);
        }
        // What a model is read from.
        for it in &system.state {
            self.steps.literals(blaster, terms, it.current, budget)?;
        }
        let begins = self.steps.literal(blaster, terms, system.initial, budget)?;
        self.switches = vec![begins];
        for level in 1..=self.frames.top() {
            let switch = self.steps.new_literal();
            self.switches.push(switch);
            for cube in self.frames.at(level).to_vec() {
                self.exclude(&cube, switch)?;
            }
        }
        Ok(())
    }

    fn exclude(&mut self, cube: &Cube, switch: Literal) -> Result<(), GaveUp> {
        let mut clause = vec![!switch];
        for &literal in cube.literals() {
            clause.push(!self.current_in_steps(literal)?);
        }
        self.steps.add_clause(&clause);
        Ok(())
    }

    /// Blocks a cube up to a level.
    pub(crate) fn block(&mut self, cube: Cube, level: usize) -> Result<(), GaveUp> {
        self.counters.lemmas += 1;
        self.exclude(&cube, self.switches[level])?;
        self.frames.add(cube, level);
        Ok(())
    }

    pub(crate) fn add_frame(&mut self) {
        self.frames.extend();
        let switch = self.steps.new_literal();
        self.switches.push(switch);
    }

    /// Makes solvers anew that carry too much along.
    pub(crate) fn refresh(&mut self) -> Result<(), GaveUp> {
        if self.steps.is_worn() {
            self.renew_steps()?;
        }
        if self.lifting.is_worn() {
            self.counters.questions += self.lifting.questions();
            self.lifting = Context::new();
        }
        Ok(())
    }

    fn current_in_steps(&mut self, literal: LabelLiteral) -> Result<Literal, GaveUp> {
        let term = self.labels.label(literal.label).current;
        let terms = &self.system.terms;
        let found = self
            .steps
            .literal(&mut self.blaster, terms, term, self.budget)?;
        Ok(signed(found, literal.is_true))
    }

    fn next_in_steps(&mut self, literal: LabelLiteral) -> Result<Literal, GaveUp> {
        let term = self.labels.label(literal.label).next;
        let terms = &self.system.terms;
        let found = self
            .steps
            .literal(&mut self.blaster, terms, term, self.budget)?;
        Ok(signed(found, literal.is_true))
    }

    /// What has to be assumed for a question about steps from a frame.
    fn frame(&self, level: usize) -> Vec<Literal> {
        match level {
            0 => vec![self.switches[0]],
            _ => self.switches[level..].to_vec(),
        }
    }

    /// Whether executions may begin in a state of the cube; if not, a cube with some of its literals in which none does.
    pub(crate) fn begins_in(&mut self, cube: &Cube) -> Result<Option<Cube>, GaveUp> {
        let mut assumed = Vec::with_capacity(cube.len());
        for &literal in cube.literals() {
            let term = self.labels.label(literal.label).current;
            let terms = &self.system.terms;
            let found = self
                .initial
                .literal(&mut self.blaster, terms, term, self.budget)?;
            assumed.push(signed(found, literal.is_true));
        }
        if self.initial.is_satisfiable(&assumed, self.budget)? {
            return Ok(None);
        }
        let failed = self.initial.failed();
        Ok(Some(kept(cube, &assumed, |it| failed.contains(&it))))
    }

    /// A step from the frame that reaches a target.
    pub(crate) fn violating_step(&mut self, level: usize) -> Result<Option<Step>, GaveUp> {
        let terms = &self.system.terms;
        let violation =
            self.steps
                .literal(&mut self.blaster, terms, self.violation, self.budget)?;
        let mut assumed = self.frame(level);
        assumed.push(violation);
        let is_possible = self.steps.is_satisfiable(&assumed, self.budget)?;
        Ok(is_possible.then(|| self.step_of_model()))
    }

    /// Whether a step leads from a state of the frame that is not in the cube into the cube.
    pub(crate) fn consecution(&mut self, level: usize, cube: &Cube) -> Result<Consecution, GaveUp> {
        let mut outside = Vec::with_capacity(cube.len());
        let mut arriving = Vec::with_capacity(cube.len());
        for &literal in cube.literals() {
            outside.push(!self.current_in_steps(literal)?);
            arriving.push(self.next_in_steps(literal)?);
        }
        let switch = self.steps.add_temporary(&outside);
        let mut assumed = self.frame(level);
        assumed.push(switch);
        assumed.extend(&arriving);
        let answer = if self.steps.is_satisfiable(&assumed, self.budget)? {
            Consecution::Step(self.step_of_model())
        } else {
            let failed = self.steps.failed();
            Consecution::Blocked(kept(cube, &arriving, |it| failed.contains(&it)))
        };
        self.steps.retire(switch);
        Ok(answer)
    }

    fn step_of_model(&mut self) -> Step {
        let terms = &self.system.terms;
        let blaster = &self.blaster;
        let steps = &mut self.steps;
        let mut value = |variable| steps.value(blaster, terms, variable);
        let state = self.system.state.iter().map(|it| value(it.variable));
        let state = state.collect();
        let inputs = self.system.inputs.iter().map(|&it| value(it)).collect();
        Step { state, inputs }
    }

    /// What a state looks like: all labels as they are in it.
    pub(crate) fn look(&self, state: &[u128]) -> Cube {
        let assignment = self.system.assignment(state);
        let mut evaluation = raddle_logic::Evaluation::new(assignment);
        let literal = |label| {
            let current = self.labels.label(label).current;
            LabelLiteral {
                label,
                is_true: evaluation.holds(&self.system.terms, current),
            }
        };
        Cube::new(self.labels.ids().map(literal).collect())
    }

    /// Whether all states of the cube reach the goal with these inputs; if so, a cube with some of its literals of which
    /// the same is true.
    pub(crate) fn all_reach(
        &mut self,
        cube: &Cube,
        inputs: &[u128],
        goal: Goal<'_>,
    ) -> Result<Option<Cube>, GaveUp> {
        let mut misses = vec![!self.in_lifting(self.system.constraint)?];
        match goal {
            Goal::Target => misses.push(!self.in_lifting(self.violation)?),
            Goal::Cube(successor) => {
                for literal in successor.literals() {
                    let next = self.labels.label(literal.label).next;
                    misses.push(!signed(self.in_lifting(next)?, literal.is_true));
                }
            }
        }
        let mut assumed = Vec::new();
        for literal in cube.literals() {
            let current = self.labels.label(literal.label).current;
            assumed.push(signed(self.in_lifting(current)?, literal.is_true));
        }
        let of_cube = assumed.clone();
        for (index, &value) in inputs.iter().enumerate() {
            let input = self.system.terms.variable_term(self.system.inputs[index]);
            let (terms, blaster) = (&self.system.terms, &mut self.blaster);
            let bits = self.lifting.literals(blaster, terms, input, self.budget)?;
            let is_set = |bit: usize| value >> bit & 1 == 1;
            let bits = bits.into_iter().enumerate();
            assumed.extend(bits.map(|(bit, literal)| signed(literal, is_set(bit))));
        }
        let switch = self.lifting.add_temporary(&misses);
        assumed.push(switch);
        let can_miss = self.lifting.is_satisfiable(&assumed, self.budget)?;
        let larger = (!can_miss).then(|| {
            let failed = self.lifting.failed();
            kept(cube, &of_cube, |it| failed.contains(&it))
        });
        self.lifting.retire(switch);
        Ok(larger)
    }

    fn in_lifting(&mut self, condition: TermId) -> Result<Literal, GaveUp> {
        let (terms, blaster) = (&self.system.terms, &mut self.blaster);
        Ok(self
            .lifting
            .literal(blaster, terms, condition, self.budget)?)
    }

    pub(crate) fn questions(&self) -> u64 {
        self.counters.questions
            + self.steps.questions()
            + self.initial.questions()
            + self.lifting.questions()
    }
}

fn signed(literal: Literal, is_true: bool) -> Literal {
    if is_true { literal } else { !literal }
}

/// The literals of a cube of which the solver's literals are wanted.
fn kept(cube: &Cube, literals: &[Literal], is_wanted: impl Fn(Literal) -> bool) -> Cube {
    let pairs = cube.literals().iter().zip(literals);
    let wanted = pairs.filter(|&(_, &it)| is_wanted(it)).map(|(&it, _)| it);
    Cube::new(wanted.collect())
}
