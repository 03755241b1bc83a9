//! A changed execution is tried out: a guide is followed as far as it can be, until the violation shows.

use std::sync::Arc;

use raddle_base::FastMap;
use raddle_ir::Action;
use raddle_ir::interpret::{
    Interpreter, Outcome, State, Step, StepPart, Successor, ThreadNumber, Violation,
};

use crate::execution::{ControlPlace, Execution, Guide, Item};
use crate::goal::Goal;
use crate::purse::Purse;

/// So many choices of one edge are tried, where the one that was made is not possible.
const MOST_CHOICES: usize = 16;
/// So many states are looked at on the way, before the last one.
const MOST_LOOKS: usize = 8;

/// What became of a step that was wanted.
enum Taken {
    Yes,
    /// It is not possible, or the execution would end.
    No,
    /// It led to the violation.
    There(Violation),
    /// There is no reason to go on.
    GivenUp,
}

/// What does not change while attempts are made.
pub(crate) struct AttemptTask<'w, 'p> {
    pub(crate) interpreter: &'w Interpreter<'p>,
    pub(crate) starts: Vec<State>,
    pub(crate) goal: Goal,
}

/// No attempt goes beyond these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) steps: usize,
    pub(crate) switches: usize,
}

pub(crate) struct Attempt<'a, 'w, 'p> {
    task: &'a AttemptTask<'w, 'p>,
    purse: &'a mut Purse<'w>,
    bounds: Bounds,
    initial: usize,
    state: State,
    items: Vec<Item>,
    switches: usize,
    looks: usize,
    /// What threads of the guide are called here.
    names: FastMap<ThreadNumber, ThreadNumber>,
    /// How often the rest of the guide comes by with a thread of the guide.
    to_come: FastMap<(ThreadNumber, ControlPlace), usize>,
}

impl<'a, 'w, 'p> Attempt<'a, 'w, 'p> {
    pub(crate) fn new(
        task: &'a AttemptTask<'w, 'p>,
        purse: &'a mut Purse<'w>,
        bounds: Bounds,
        guide: &Guide,
    ) -> Option<Self> {
        let state = task.starts.get(guide.initial)?.clone();
        let names = state.threads.keys().map(|it| (*it, *it)).collect();
        let mut to_come = FastMap::default();
        for item in &guide.items {
            *to_come.entry((item.thread(), item.place)).or_insert(0) += 1;
        }
        Some(Self {
            task,
            purse,
            bounds,
            initial: guide.initial,
            state,
            items: Vec::new(),
            switches: 0,
            looks: 0,
            names,
            to_come,
        })
    }

    /// The execution that a guide leads to, if it shows the violation.
    pub(crate) fn follow(mut self, guide: &Guide) -> Option<Execution> {
        for item in &guide.items {
            if let Some(open) = self.to_come.get_mut(&(item.thread(), item.place)) {
                *open -= 1;
            }
            match self.follow_one(item) {
                Taken::Yes | Taken::No => {}
                Taken::There(violation) => return Some(self.execution(violation)),
                Taken::GivenUp => return None,
            }
        }
        let (task, start) = (self.task, &self.task.starts[self.initial]);
        let (items, state) = (&self.items, &self.state);
        let violation = task
            .goal
            .in_end(task.interpreter, start, items, state, self.purse)?;
        Some(self.execution(violation))
    }

    fn execution(self, violation: Violation) -> Execution {
        Execution {
            initial: self.initial,
            items: self.items,
            violation,
        }
    }

    /// Brings a thread to where a step begins, if it is not on its way to another step of the guide, and takes the step.
    fn follow_one(&mut self, item: &Item) -> Taken {
        let Some(&thread) = self.names.get(&item.thread()) else {
            return Taken::No;
        };
        loop {
            let Some(here) = ControlPlace::of(&self.state, thread) else {
                return Taken::No;
            };
            if here == item.place {
                let step = Step {
                    thread,
                    parts: item.step.parts.clone(),
                };
                return match self.take(&step, Some(item)) {
                    Taken::No => self.take_other(thread, Some(item)),
                    taken @ (Taken::Yes | Taken::There(_) | Taken::GivenUp) => taken,
                };
            }
            let is_awaited = |open: &usize| *open > 0;
            if self
                .to_come
                .get(&(item.thread(), here))
                .is_some_and(is_awaited)
            {
                return Taken::No;
            }
            match self.take_other(thread, None) {
                Taken::Yes => {}
                taken @ (Taken::No | Taken::There(_) | Taken::GivenUp) => return taken,
            }
        }
    }

    /// Takes a step.
    fn take(&mut self, step: &Step, item: Option<&Item>) -> Taken {
        if self.items.len() >= self.bounds.steps || self.purse.pay(1).is_none() {
            return Taken::GivenUp;
        }
        match self.task.interpreter.take(&self.state, step) {
            Some(successor) => self.go(&successor, item),
            None => Taken::No,
        }
    }

    /// Takes any way from where a thread stands, first those that are like a step of the guide.
    fn take_other(&mut self, thread: ThreadNumber, item: Option<&Item>) -> Taken {
        let interpreter = self.task.interpreter;
        let program = interpreter.program();
        let frames = self.state.threads.get(&thread).map(|it| &it.frames);
        let Some(frame) = frames.and_then(|it| it.last()) else {
            return Taken::No;
        };
        let function = frame.function;
        let like = item.map(|it| &it.step.parts[0]);
        let mut edges = program.outgoing(function, frame.location).to_vec();
        edges.sort_by_key(|edge| like.is_none_or(|it| it.edge != *edge));
        for edge in edges {
            let action = &program.edge(function, edge).action;
            if matches!(action, Action::AtomicBegin { .. }) {
                match self.take_section(thread, item) {
                    Taken::No => continue,
                    taken @ (Taken::Yes | Taken::There(_) | Taken::GivenUp) => return taken,
                }
            }
            let liked = like.filter(|it| it.edge == edge).and_then(|it| it.choice);
            let is_exact = !program.functions[function].is_approximate;
            let choices = if matches!(action, Action::Havoc { .. }) && is_exact {
                vec![Some(liked.unwrap_or(0))]
            } else {
                let choices = interpreter.choices(&self.state, thread, function, edge);
                choices.unwrap_or_default()
            };
            for choice in choices.into_iter().take(MOST_CHOICES) {
                let part = StepPart {
                    function,
                    edge,
                    choice,
                };
                if like == Some(&part) {
                    continue;
                }
                let step = Step {
                    thread,
                    parts: vec![part],
                };
                match self.take(&step, item) {
                    Taken::No => {}
                    taken @ (Taken::Yes | Taken::There(_) | Taken::GivenUp) => return taken,
                }
            }
        }
        Taken::No
    }

    /// Takes a way through an atomic section.
    fn take_section(&mut self, thread: ThreadNumber, item: Option<&Item>) -> Taken {
        if self.items.len() >= self.bounds.steps {
            return Taken::GivenUp;
        }
        let interpreter = self.task.interpreter;
        let successors = interpreter.thread_successors(&self.state, thread);
        let work = successors.iter().map(|it| it.step.parts.len()).sum();
        if self.purse.pay(work).is_none() {
            return Taken::GivenUp;
        }
        for successor in &successors {
            match self.go(successor, item) {
                Taken::No => {}
                taken @ (Taken::Yes | Taken::There(_) | Taken::GivenUp) => return taken,
            }
        }
        Taken::No
    }

    /// Goes where a step leads, unless that is an end without the violation.
    fn go(&mut self, successor: &Successor, item: Option<&Item>) -> Taken {
        let thread = successor.step.thread;
        let Some(place) = ControlPlace::of(&self.state, thread) else {
            return Taken::No;
        };
        let (next, end) = match &successor.outcome {
            Outcome::Next(next) => (Some(next.clone()), None),
            Outcome::Stopped(stop) => (None, Some(stop)),
        };
        let goal = &self.task.goal;
        let violation = goal.in_step(&successor.violations, end);
        if violation.is_none() && next.is_none() {
            return Taken::No;
        }
        let switched = self.items.last().is_some_and(|it| it.thread() != thread);
        self.switches += usize::from(switched);
        if self.switches > self.bounds.switches {
            return Taken::GivenUp;
        }
        let taken = Item::new(successor, place, item.is_some_and(|it| it.begins));
        self.call_threads(&taken, item);
        self.items.push(taken);
        if let Some(violation) = violation {
            return Taken::There(violation);
        }
        if let Some(next) = next {
            self.state = next;
        }
        self.look(thread)
    }

    /// Threads of the guide are called what they were started as.
    fn call_threads(&mut self, taken: &Item, item: Option<&Item>) {
        let meant = item.map_or(&[][..], |it| &it.spawned);
        for (at, &new) in taken.spawned.iter().enumerate() {
            match meant.get(at) {
                Some(&old) => {
                    self.names.insert(old, new);
                }
                None => {
                    self.names.entry(new).or_insert(new);
                }
            }
        }
    }

    /// Whether the violation shows where a thread has come to.
    fn look(&mut self, thread: ThreadNumber) -> Taken {
        let (goal, here) = (&self.task.goal, ControlPlace::of(&self.state, thread));
        if self.looks >= MOST_LOOKS || !goal.may_be_in(&self.state, here) {
            return Taken::Yes;
        }
        self.looks += 1;
        let found = goal.in_state(self.task.interpreter, &self.state, self.purse);
        found.map_or(Taken::Yes, Taken::There)
    }
}

/// The same step with another choice.
pub(crate) fn with_choice(item: &Item, part: usize, choice: u128) -> Item {
    let mut step = (*item.step).clone();
    step.parts[part].choice = Some(choice);
    Item {
        step: Arc::new(step),
        ..item.clone()
    }
}
