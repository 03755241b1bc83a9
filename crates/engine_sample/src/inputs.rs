//! Values for what the program leaves open: by classes where they are known, else small ones, edges, those that the program mentions, and
//! any; in early executions small ones.

use raddle_base::{FastMap, Random};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, State, ThreadNumber};
use raddle_ir::program::{EdgeId, FunctionId};
use raddle_stepper::execute::Scheduler;
use raddle_stepper::samples::Samples;

/// How values and other choices are made in one execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// The first possibility, and zeros: for executions that differ in schedules only.
    First,
    Small,
    Any,
}

/// Values that were offered for a havoc once are kept.
#[derive(Debug)]
pub(crate) struct Inputs<'a> {
    program: &'a Program,
    samples: Samples,
    offered: FastMap<(FunctionId, EdgeId), Vec<u128>>,
}

impl<'a> Inputs<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        Self {
            program,
            samples: Samples::new(program),
            offered: FastMap::default(),
        }
    }

    /// The classes of a wide choice, before the thread makes it.
    pub(crate) fn prepare(
        &mut self,
        interpreter: &Interpreter<'_>,
        state: &State,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
    ) {
        let Self {
            program,
            samples,
            offered,
        } = self;
        offered.entry(place).or_insert_with(|| {
            let (function, edge) = place;
            let raddle_ir::Action::Havoc { target } = program.edge(function, edge).action else {
                return Vec::new();
            };
            let ty = program.functions[function].registers[target].ty;
            let is_wide = ty.mask(program.model) >= u128::from(interpreter.semantics().max_choices);
            let classes = is_wide
                .then(|| interpreter.choices(state, thread, function, edge).ok())
                .flatten();
            match classes {
                Some(classes) => classes.into_iter().flatten().collect(),
                None => samples.values(function, ty, program.model),
            }
        });
    }
}

/// The choices of one execution.
#[derive(Debug)]
pub(crate) struct Chooser<'a, 'p> {
    pub(crate) inputs: &'a mut Inputs<'p>,
    pub(crate) random: Random,
    pub(crate) style: Style,
}

impl Scheduler for Chooser<'_, '_> {
    fn choose(&mut self, count: usize) -> usize {
        match self.style {
            Style::First => 0,
            Style::Small | Style::Any => self.random.below(count),
        }
    }

    fn value(&mut self, greatest: u128) -> u128 {
        let wide = u128::from(self.random.next_number()) << 64;
        let value = wide | u128::from(self.random.next_number());
        match greatest.checked_add(1) {
            Some(count) => value % count,
            None => value,
        }
    }

    fn value_at(&mut self, place: (FunctionId, EdgeId), greatest: u128) -> u128 {
        let small = greatest.min(3);
        match self.style {
            Style::First => 0,
            Style::Small if self.random.chance(70) => {
                let value = self.random.next_number();
                u128::from(value) % (small + 1)
            }
            Style::Small | Style::Any => {
                let offered = self.inputs.offered.get(&place);
                match offered.filter(|it| !it.is_empty()) {
                    Some(offered) if self.random.chance(80) => *self.random.pick(offered),
                    Some(_) | None => self.value(greatest),
                }
            }
        }
    }
}
