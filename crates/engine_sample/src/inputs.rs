//! Values for what the program leaves open: by classes where they are known, else small ones, edges, those that the program mentions, and
//! any; in early executions small ones.

use std::collections::BTreeSet;

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

type Place = (FunctionId, EdgeId);

/// What is offered for a havoc.
#[derive(Debug, Default)]
struct Offer {
    /// One value of each class, or samples.
    classes: Vec<u128>,
    /// Values that the program mentions somewhere, with their neighbours: among many classes these are more likely to
    /// matter.
    mentioned: Vec<u128>,
}

/// So many values that the program mentions are kept.
const MOST_MENTIONED: usize = 256;

/// Values that were offered for a havoc once are kept.
#[derive(Debug)]
pub(crate) struct Inputs<'a> {
    program: &'a Program,
    samples: Samples,
    offers: FastMap<Place, Offer>,
}

impl<'a> Inputs<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        Self {
            program,
            samples: Samples::new(program),
            offers: FastMap::default(),
        }
    }

    /// The classes of a wide choice, before the thread makes it.
    pub(crate) fn prepare(
        &mut self,
        interpreter: &Interpreter<'_>,
        state: &State,
        thread: ThreadNumber,
        place: Place,
    ) {
        let Self {
            program,
            samples,
            offers,
        } = self;
        offers.entry(place).or_insert_with(|| {
            let (function, edge) = place;
            let raddle_ir::Action::Havoc { target } = program.edge(function, edge).action else {
                return Offer::default();
            };
            let ty = program.functions[function].registers[target].ty;
            let is_wide = ty.mask(program.model) >= u128::from(interpreter.semantics().max_choices);
            let classes = is_wide
                .then(|| interpreter.choices(state, thread, function, edge).ok())
                .flatten();
            let functions = program.functions.ids();
            let mentioned = functions.flat_map(|it| samples.values(it, ty, program.model));
            let mentioned: BTreeSet<u128> = mentioned.take(MOST_MENTIONED).collect();
            Offer {
                classes: match classes {
                    Some(classes) => classes.into_iter().flatten().collect(),
                    None => samples.values(function, ty, program.model),
                },
                mentioned: mentioned.into_iter().collect(),
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
    /// What was chosen at each place the last time: threads often have to agree.
    pub(crate) last: FastMap<Place, u128>,
}

impl Chooser<'_, '_> {
    fn any_at(&mut self, place: Place, greatest: u128) -> u128 {
        let offer = self.inputs.offers.get(&place);
        let (classes, mentioned) = offer.map_or((&[][..], &[][..]), |it| {
            (it.classes.as_slice(), it.mentioned.as_slice())
        });
        let last = self.last.get(&place);
        let kind = self.random.below(10);
        match (kind, last) {
            (0..=2, Some(last)) => *last,
            (3..=5, _) if !mentioned.is_empty() => *self.random.pick(mentioned),
            (0..=8, _) if !classes.is_empty() => *self.random.pick(classes),
            _ => self.value(greatest),
        }
    }
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

    fn value_at(&mut self, place: Place, greatest: u128) -> u128 {
        let small = greatest.min(3);
        let value = match self.style {
            Style::First => 0,
            Style::Small if self.random.chance(70) => {
                let value = self.random.next_number();
                u128::from(value) % (small + 1)
            }
            Style::Small | Style::Any => self.any_at(place, greatest),
        };
        self.last.insert(place, value);
        value
    }
}
