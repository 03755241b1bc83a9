//! Where the time of a search goes, if the user asks for a profile.
//!
//! A stopwatch runs in one phase at a time, and looks at the clock only where a phase ends: so no time is counted twice, and
//! none is left out. A search without a profile pays for one comparison at such places.

use std::time::{Duration, Instant};

use raddle_base::{FastMap, FastSet};
use raddle_engine as engine;
use raddle_ir::interpret::Step;
use raddle_ir::{EdgeId, FunctionId, Program};

use crate::ids::JobId;

/// What a search does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// Working out what the search has to know of the program.
    Preparing,
    /// The states in which the program may start.
    Starting,
    Loading,
    LookingUp,
    Judging,
    /// Of their parts, for the interpreter.
    PuttingTogether,
    /// By the interpreter.
    WorkingOut,
    /// And keeping what transactions came to.
    Encoding,
    Repeating,
    Storing,
    /// Choosing and storing what stands for others with other names.
    StoringUpToNames,
    RepeatingSideBySide,
    /// Leaving what it takes to go on later.
    Saving,
    /// Whose turn it is, the budget, progress.
    Rest,
}

impl Activity {
    const ALL: [Activity; 14] = [
        Activity::Preparing,
        Activity::Starting,
        Activity::Loading,
        Activity::LookingUp,
        Activity::Judging,
        Activity::PuttingTogether,
        Activity::WorkingOut,
        Activity::Encoding,
        Activity::Repeating,
        Activity::Storing,
        Activity::StoringUpToNames,
        Activity::RepeatingSideBySide,
        Activity::Saving,
        Activity::Rest,
    ];

    fn name(self) -> &'static str {
        match self {
            Activity::Preparing => "analysing the program",
            Activity::Starting => "making the first states",
            Activity::Loading => "loading states",
            Activity::LookingUp => "looking transactions up",
            Activity::Judging => "judging states",
            Activity::PuttingTogether => "putting states together",
            Activity::WorkingOut => "working transactions out",
            Activity::Encoding => "encoding parts",
            Activity::Repeating => "repeating known transactions",
            Activity::Storing => "storing states",
            Activity::StoringUpToNames => "storing states up to names",
            Activity::Saving => "saving for later",
            Activity::RepeatingSideBySide => "repeating and storing, several workers",
            Activity::Rest => "the rest",
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    time: Duration,
    times: u64,
}

impl Spent {
    fn phase(self, name: &'static str) -> engine::Phase {
        engine::Phase {
            name,
            time: self.time,
            times: self.times,
        }
    }
}

/// How many steps over each edge were worked out.
#[derive(Debug, Default)]
pub(crate) struct Places {
    steps: FastMap<(FunctionId, EdgeId), u64>,
}

impl Places {
    pub(crate) fn step(&mut self, step: &Step) {
        for part in &step.parts {
            *self.steps.entry((part.function, part.edge)).or_default() += 1;
        }
    }

    fn of(&self, program: &Program) -> Vec<engine::ProfilePlace> {
        let mut steps: Vec<_> = self.steps.iter().collect();
        steps.sort_unstable();
        let places = steps.into_iter().map(|(&(function, edge), &steps)| {
            let span = program.edge(function, edge).span;
            let function = program.functions[function].name.clone();
            engine::ProfilePlace {
                function,
                span,
                steps,
            }
        });
        places.collect()
    }
}

#[derive(Debug)]
struct Running {
    spent: [Spent; Activity::ALL.len()],
    now: Activity,
    since: Instant,
    places: Places,
    /// What rested on wrong guesses and waits to be explored again.
    put_back: FastSet<JobId>,
    again: Spent,
}

/// Measures, or does not.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    running: Option<Box<Running>>,
}

impl Meter {
    pub(crate) fn new(is_wanted: bool) -> Self {
        let running = || Running {
            spent: [Spent::default(); Activity::ALL.len()],
            now: Activity::Rest,
            since: Instant::now(),
            places: Places::default(),
            put_back: FastSet::default(),
            again: Spent::default(),
        };
        Self {
            running: is_wanted.then(|| Box::new(running())),
        }
    }

    /// Begins a phase; the one that it interrupts.
    #[inline]
    pub(crate) fn begin(&mut self, phase: Activity) -> Activity {
        match &mut self.running {
            Some(running) => running.begin(phase),
            None => Activity::Rest,
        }
    }

    /// Goes on with a phase that was interrupted.
    #[inline]
    pub(crate) fn resume(&mut self, phase: Activity) {
        if let Some(running) = &mut self.running {
            running.go_on_with(phase);
        }
    }

    #[inline]
    pub(crate) fn places(&mut self) -> Option<&mut Places> {
        Some(&mut self.running.as_mut()?.places)
    }

    /// Something has to be explored again.
    pub(crate) fn puts_back(&mut self, job: JobId) {
        if let Some(running) = &mut self.running {
            running.put_back.insert(job);
        }
    }

    /// Since when something is explored again, if it is.
    #[inline]
    pub(crate) fn explores_again(&mut self, job: JobId) -> Option<Instant> {
        let running = self.running.as_mut()?;
        running.put_back.remove(&job).then(Instant::now)
    }

    #[inline]
    /// Counts what was explored again, and for how long.
    pub(crate) fn record_again(&mut self, since: Option<Instant>) {
        if let (Some(running), Some(since)) = (&mut self.running, since) {
            running.again.time += since.elapsed();
            running.again.times += 1;
        }
    }

    /// What was measured so far, without a count of what the search holds.
    pub(crate) fn profile(&mut self, program: &Program) -> Option<engine::Profile> {
        let running = self.running.as_mut()?;
        running.go_on_with(Activity::Rest);
        let phases = Activity::ALL.into_iter();
        let phases = phases.map(|it| running.spent[it as usize].phase(it.name()));
        Some(engine::Profile {
            phases: phases.filter(|it| !it.time.is_zero()).collect(),
            across: vec![running.again.phase("exploring again after wrong guesses")],
            places: running.places.of(program),
            ..engine::Profile::default()
        })
    }
}

impl Running {
    /// Kept out of line: a search without a profile only compares at these places.
    #[cold]
    #[inline(never)]
    fn begin(&mut self, phase: Activity) -> Activity {
        self.spent[phase as usize].times += 1;
        self.go_on_with(phase)
    }

    #[cold]
    #[inline(never)]
    fn go_on_with(&mut self, phase: Activity) -> Activity {
        let before = self.now;
        if before != phase {
            let now = Instant::now();
            self.spent[before as usize].time += now - self.since;
            (self.now, self.since) = (phase, now);
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_that_is_interrupted_goes_on_and_is_not_counted_twice() {
        let mut meter = Meter::new(true);
        meter.begin(Activity::WorkingOut);
        let before = meter.begin(Activity::Encoding);
        assert_eq!(before, Activity::WorkingOut);
        meter.resume(before);
        meter.begin(Activity::Rest);
        let running = meter.running.expect("it measures");
        let times = |phase: Activity| running.spent[phase as usize].times;
        assert_eq!(
            (times(Activity::WorkingOut), times(Activity::Encoding)),
            (1, 1)
        );
        assert_eq!(running.now, Activity::Rest);
    }

    #[test]
    fn phases_lie_where_their_numbers_say() {
        for (at, phase) in Activity::ALL.into_iter().enumerate() {
            assert_eq!(phase as usize, at);
        }
    }

    #[test]
    fn who_does_not_ask_gets_nothing() {
        let mut meter = Meter::new(false);
        meter.begin(Activity::Storing);
        meter.puts_back(JobId(1));
        assert!(meter.places().is_none());
        assert!(meter.explores_again(JobId(1)).is_none());
    }
}
