//! One random execution of a program, with every place that it reached.

use std::collections::BTreeMap;

use raddle_generate::Random;
use raddle_ir::interpret::{
    Interpreter, MemoryAccess, Origin, Outcome, State, Step, Successor, ThreadNumber,
};
use raddle_ir::{FunctionId, GlobalId, LocationId, Program};

/// Executions are not followed further; by then most programs have seen all their code.
const MAX_STEPS: usize = 1_500;

/// A location of a function.
pub(super) type Place = (FunctionId, LocationId);

/// An execution that does nothing undefined.
#[derive(Debug)]
pub(super) struct Schedule {
    /// Which of the initial states.
    pub(super) initial: usize,
    pub(super) taken: Vec<Taken>,
    /// Where the threads stand in the end.
    pub(super) last: BTreeMap<ThreadNumber, Place>,
    /// When each place was reached first, in the order of places.
    pub(super) reached: BTreeMap<Place, Reached>,
}

/// A step, and the state before it.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) step: Step,
    pub(super) standing: BTreeMap<ThreadNumber, Place>,
    /// What the step accesses plainly in globals that all threads share: which, and where.
    pub(super) plain: Vec<(GlobalId, u64)>,
}

/// The moment in which a thread stands at a place for the first time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) thread: ThreadNumber,
    /// Which step leaves it; all of them: it is left by none.
    pub(super) step: usize,
    /// Which part of that step; the first stands between steps, all others inside an atomic section.
    pub(super) part: usize,
}

impl Schedule {
    /// `None` if the program cannot begin.
    pub(super) fn run(interpreter: &Interpreter<'_>, random: &mut Random) -> Option<Self> {
        let program = interpreter.program();
        let mut states = interpreter.initial_states().ok()?;
        let initial = random.below(states.len().max(1));
        let mut state = (initial < states.len()).then(|| states.swap_remove(initial))?;
        drop(states);
        let mut taken = Vec::new();
        while taken.len() < MAX_STEPS
            && let Some((successor, next)) = some_step(interpreter, &state, random)
        {
            taken.push(Taken {
                standing: standing(&state),
                plain: plain_accesses(program, &state, &successor.accesses),
                step: successor.step,
            });
            state = next;
        }
        let mut schedule = Self {
            initial,
            taken,
            last: if state.has_ended {
                BTreeMap::new()
            } else {
                standing(&state)
            },
            reached: BTreeMap::new(),
        };
        schedule.note_places(program);
        Some(schedule)
    }

    fn note_places(&mut self, program: &Program) {
        for (step, taken) in self.taken.iter().enumerate() {
            for (part, passed) in taken.step.parts.iter().enumerate() {
                let from = program.edge(passed.function, passed.edge).from;
                let thread = taken.step.thread;
                self.reached
                    .entry((passed.function, from))
                    .or_insert(Reached { thread, step, part });
            }
        }
        for (&thread, &place) in &self.last {
            let (step, part) = (self.taken.len(), 0);
            self.reached
                .entry(place)
                .or_insert(Reached { thread, step, part });
        }
    }

    /// The state after so many steps.
    pub(super) fn state_before(&self, interpreter: &Interpreter<'_>, step: usize) -> Option<State> {
        let mut states = interpreter.initial_states().ok()?;
        let mut state = states.swap_remove(self.initial);
        for step in self.steps().take(step) {
            state = match interpreter.take(&state, step)?.outcome {
                Outcome::Next(next) => next,
                Outcome::Stopped(_) => return None,
            };
        }
        Some(state)
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.taken.iter().map(|it| &it.step)
    }
}

/// A step of a thread that can go on and does nothing undefined, with the state after it.
fn some_step(
    interpreter: &Interpreter<'_>,
    state: &State,
    random: &mut Random,
) -> Option<(Successor, State)> {
    let threads: Vec<ThreadNumber> = standing(state).into_keys().collect();
    if state.has_ended || threads.is_empty() {
        return None;
    }
    let first = random.below(threads.len());
    for &thread in threads[first..].iter().chain(&threads[..first]) {
        let mut ways = interpreter.thread_successors(state, thread);
        ways.retain(|it| matches!(it.outcome, Outcome::Next(_)));
        if !ways.is_empty() {
            let way = ways.swap_remove(random.below(ways.len()));
            if let Outcome::Next(next) = &way.outcome {
                let next = next.clone();
                return Some((way, next));
            }
        }
    }
    None
}

/// Where the threads stand that have not ended.
fn standing(state: &State) -> BTreeMap<ThreadNumber, Place> {
    state
        .threads
        .iter()
        .filter_map(|(number, thread)| {
            let frame = thread.frames.last()?;
            Some((*number, (frame.function, frame.location)))
        })
        .collect()
}

fn plain_accesses(
    program: &Program,
    state: &State,
    accesses: &[MemoryAccess],
) -> Vec<(GlobalId, u64)> {
    accesses
        .iter()
        .filter(|access| !access.is_atomic)
        .filter_map(|access| match state.objects.get(&access.object)?.origin {
            Origin::Global(global) if !program.globals[global].is_thread_local => {
                Some((global, access.offset))
            }
            Origin::Global(_) | Origin::Edge(..) => None,
        })
        .collect()
}
