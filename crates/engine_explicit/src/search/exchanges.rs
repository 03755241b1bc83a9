//! States up to names: of all that differ in the names of threads and objects only, one is stored.
//!
//! Which one is [`Symmetry`]'s to say. Executions go through the states themselves, so a trace is made by doing in each of
//! them what was done in the one that stands for it, under the names that everything has there.

use std::collections::BTreeMap;

use raddle_base::FastMap;
use raddle_base::saved::{Sink, Source};
use raddle_diag::Diagnostic;
use raddle_engine::{Note, Remedy, Trace};

use raddle_ir::interpret::{
    Interpreter, Outcome, State, Step, StepPart, Stop, Successor, ThreadNumber, Violation,
};
use raddle_reduce::history::Configuration;
use raddle_reduce::symmetry::Symmetry;

use crate::frontier::{Arrival, Job};
use crate::ids::{Changes, PartId, WayId};
use crate::links::Link;
use crate::measure::Activity;
use crate::store::Stored;
use crate::way::Way;

use super::Search;
use super::sightings::Sighting;

/// How many choices are remembered.
const MOST_CHOSEN: usize = 1 << 16;

/// What stands for what.
#[derive(Debug)]
pub(super) struct Exchanges {
    pub(super) symmetry: Symmetry,
    chosen: FastMap<Box<[PartId]>, Box<[PartId]>>,
    /// Some state was stored already under other names, or that is not known any more.
    has_saved: bool,
    end: Option<End>,
}

/// Why a search up to names does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Threads are exchanged of which guesses took for granted that they are not.
    NewMates,
    /// Names make a difference.
    NamesMatter,
}

impl Exchanges {
    pub(super) fn new(interpreter: &Interpreter<'_>) -> Self {
        Self {
            symmetry: Symmetry::new(interpreter),
            chosen: FastMap::default(),
            has_saved: false,
            end: None,
        }
    }

    pub(super) fn save(&self, sink: &mut Sink) {
        self.symmetry.save(sink);
    }

    /// Of a search that was not over.
    pub(super) fn load(
        interpreter: &Interpreter<'_>,
        source: &mut Source,
    ) -> std::io::Result<Self> {
        Ok(Self {
            symmetry: Symmetry::load(interpreter, source)?,
            chosen: FastMap::default(),
            has_saved: true,
            end: None,
        })
    }

    /// Whether no threads were exchanged, or only such for which there is little to gain: what they began with tells them apart.
    fn saves_little(&self) -> bool {
        let symmetry = &self.symmetry;
        symmetry.mates().is_empty() || symmetry.begin_apart()
    }

    /// Whether the search has to begin anew.
    pub(super) fn are_over(&self) -> bool {
        self.end.is_some()
    }

    /// For a search that begins anew; `None` if it has to do without.
    pub(super) fn anew(mut self) -> Option<Self> {
        self.chosen.clear();
        self.has_saved = false;
        (self.end.take() != Some(End::NamesMatter)).then_some(self)
    }
}

impl Search<'_> {
    /// What was not exchanged though the user asked for it.
    pub(super) fn without_exchanges(&self) -> Option<Note> {
        let what = match &self.beliefs.exchanges {
            None if self.setting.engine.symmetry => {
                "names of threads or objects make a difference here"
            }
            Some(it) if !it.symmetry.exchanges_threads() => "threads look at their names here",
            Some(it) if it.saves_little() && self.knowledge.parts.has_alike_threads() => {
                return Some(self.why_little_is_saved(it));
            }
            None | Some(_) => return None,
        };
        let message = format!("{what}, so the search did without such exchanges");
        let diagnostic = Diagnostic::warning("symmetry", message);
        Some(Note::new(diagnostic, Remedy::WithoutSymmetry))
    }

    /// That little or nothing was gained by threads that run the same code, and why, as far as it was seen.
    fn why_little_is_saved(&self, exchanges: &Exchanges) -> Note {
        let mut reasons = exchanges.symmetry.reasons(self.setting.program);
        if reasons.is_empty() {
            reasons.push("the threads hold different values for good".to_owned());
        }
        let what = if exchanges.symmetry.mates().is_empty() {
            "no two threads that run the same code were exchanged"
        } else if exchanges.has_saved {
            "threads were exchanged, but few states can be the same up to names"
        } else {
            "threads were exchanged, but no two states were the same up to names"
        };
        let message = format!("{what}: {}", reasons.join("; "));
        let diagnostic = Diagnostic::warning("symmetry", message);
        Note::new(diagnostic, Remedy::WithoutSymmetry)
    }

    /// Names make a difference.
    pub(super) fn give_up_exchanges(&mut self) {
        if let Some(exchanges) = &mut self.beliefs.exchanges {
            exchanges.end = Some(End::NamesMatter);
        }
    }

    /// Stores what transactions led to.
    pub(super) fn reach_up_to_names(
        &mut self,
        external: &[(Changes, WayId)],
        job: &Job,
        from: &[PartId],
    ) {
        self.progress.meter.begin(Activity::StoringUpToNames);
        for (changes, way) in external {
            let mut vector = from.to_vec();
            for &(slot, part) in changes {
                let slot = slot.index();
                if vector.len() <= slot {
                    vector.resize(slot + 1, PartId::NONE);
                }
                vector[slot] = part;
            }
            let (chosen, is_first) = if self.following.as_ref().is_some_and(|it| it.asks_names) {
                (self.chosen_with_names(&vector), false)
            } else {
                self.chosen_for(vector)
            };
            self.knowledge.store.make_room(&self.knowledge.parts);
            let link = Link::transaction(job.node, *way);
            let stored = self.knowledge.store.insert(&chosen, link);
            if is_first
                && let (Stored::Known(_), Some(exchanges)) = (stored, &mut self.beliefs.exchanges)
            {
                exchanges.has_saved = true;
            }
            self.reach(stored, link, Arrival::after(job));
        }
    }

    /// The vector that stands for this one, and whether it is asked for the first time.
    fn chosen_for(&mut self, vector: Vec<PartId>) -> (Box<[PartId]>, bool) {
        let exchanges = self
            .beliefs
            .exchanges
            .as_ref()
            .expect("only asked if there are some");
        if let Some(known) = exchanges.chosen.get(&*vector) {
            return (known.clone(), false);
        }
        let configuration = self.knowledge.parts.decode(&vector);
        let chosen = self.chosen(&configuration).0;
        let chosen = self
            .knowledge
            .parts
            .encode(&chosen, Some((&configuration, &vector)));
        let chosen: Box<[PartId]> = chosen.into();
        let exchanges = self.beliefs.exchanges.as_mut().expect("asked before");
        if exchanges.chosen.len() >= MOST_CHOSEN {
            exchanges.chosen.clear();
            exchanges.has_saved = true;
        }
        exchanges.chosen.insert(vector.into(), chosen.clone());
        (chosen, true)
    }

    /// The same for a walk that follows threads from state to state.
    fn chosen_with_names(&mut self, vector: &[PartId]) -> Box<[PartId]> {
        let configuration = self.knowledge.parts.decode(vector);
        let (chosen, names) = self.chosen(&configuration);
        if let Some(followed) = &mut self.following {
            followed.names.push(names);
        }
        let vector = Some((&configuration, vector));
        self.knowledge.parts.encode(&chosen, vector).into()
    }

    /// What stands for a configuration, and how threads are called there.
    fn chosen(
        &mut self,
        configuration: &Configuration,
    ) -> (Configuration, BTreeMap<ThreadNumber, ThreadNumber>) {
        let exchanges = self.beliefs.exchanges.as_mut().expect("the caller knows");
        let mates = exchanges.symmetry.mates_changed();
        let symmetry = &mut exchanges.symmetry;
        let (chosen, renaming) = symmetry.canonical(&self.setting.interpreter, configuration);
        // The only user of a cell may now stand for several threads, and steps before this one were not watched for threads that come
        // to hold the new names.
        if symmetry.mates_changed() != mates {
            exchanges.end.get_or_insert(End::NewMates);
        }
        (chosen, renaming.threads)
    }

    /// The execution that leads to a place, and what it shows there; `None` if it does not exist under these names.
    pub(super) fn trace_up_to_names(
        &mut self,
        initial: usize,
        ways: &[Way],
        place: &Sighting,
        violation: &Violation,
    ) -> Option<Trace> {
        let state = self.setting.interpreter.initial_state(initial)?;
        let mut run = Run {
            chosen: Configuration::initial(self.setting.program, state.clone()),
            state,
            real: BTreeMap::new(),
            steps: Vec::new(),
            last: Vec::new(),
        };
        let mut transactions = Vec::new();
        for way in ways {
            transactions.push(run.steps.len());
            self.follow(&mut run, way)?;
            let (chosen, names) = self.chosen(&run.chosen);
            let threads = run.chosen.state.threads.unobserved().keys();
            run.real = threads
                .map(|it| (names.get(it).copied().unwrap_or(*it), run.real_name(*it)))
                .collect();
            run.chosen = chosen;
        }
        if let Some(way) = &place.way {
            transactions.push(run.steps.len());
            self.follow(&mut run, way)?;
        }
        let shown = if let Some(step) = &place.step {
            let taken = self.mirrored(&run, step)?;
            run.steps.push(taken.step.clone());
            self.shown_by(&taken)
        } else {
            let of_state = self.setting.interpreter.judge(&run.state);
            of_state.into_iter().chain(run.last).collect()
        };
        transactions.retain(|it| *it < run.steps.len() && self.setting.style.grounds.is_some());
        Some(Trace {
            initial,
            steps: run.steps,
            transactions,
            violation: shown
                .into_iter()
                .find(|it| it.property == violation.property)?,
        })
    }

    /// Goes a way in the state that stands for others, and in the one that the execution is in.
    fn follow(&self, run: &mut Run, way: &Way) -> Option<()> {
        for (thread, choice) in way.steps() {
            let options = self
                .setting
                .interpreter
                .thread_successors(&run.chosen.state, thread);
            let successor = options.into_iter().nth(choice)?;
            let Outcome::Next(next) = &successor.outcome else {
                return None;
            };
            let taken = self.mirrored(run, &successor.step)?;
            let Outcome::Next(state) = &taken.outcome else {
                return None;
            };
            run.chosen = run
                .chosen
                .after(self.setting.program, thread, &successor, next.clone());
            run.state = state.clone();
            run.last.clone_from(&taken.violations);
            run.steps.push(taken.step);
        }
        Some(())
    }

    /// The step of the execution that does the same.
    fn mirrored(&self, run: &Run, step: &Step) -> Option<Successor> {
        let thread = run.real_name(step.thread);
        let edges = |it: &Step| -> Vec<_> {
            let parts = it.parts.iter();
            parts.map(|part| (part.function, part.edge)).collect()
        };
        let mut options = self
            .setting
            .interpreter
            .thread_successors(&run.state, thread);
        options.retain(|it| edges(&it.step) == edges(step));
        let is_same = |mine: &StepPart, other: &StepPart| {
            let real = |choice: u128| {
                let name = u64::try_from(choice).ok().map(ThreadNumber)?;
                let known = run.real.get(&name)?;
                Some(u128::from(known.0))
            };
            mine.choice == other.choice || mine.choice == other.choice.and_then(real)
        };
        let at = options.iter().position(|it| {
            let mut parts = it.step.parts.iter().zip(&step.parts);
            parts.all(|(mine, other)| is_same(mine, other))
        });
        // Where one choice stands for all, it may be another one here.
        match at {
            Some(at) => Some(options.swap_remove(at)),
            None if options.len() == 1 => options.pop(),
            None => None,
        }
    }

    fn shown_by(&self, taken: &Successor) -> Vec<Violation> {
        let mut shown = taken.violations.clone();
        match &taken.outcome {
            Outcome::Stopped(Stop::Violation(violation)) => shown.push(violation.clone()),
            Outcome::Stopped(_) => {}
            Outcome::Next(state) => shown.extend(self.setting.interpreter.judge(state)),
        }
        shown
    }
}

/// An execution, beside the states that stand for those that it goes through.
struct Run {
    chosen: Configuration,
    state: State,
    /// What threads of the one are called in the other; the same, unless they are here.
    real: BTreeMap<ThreadNumber, ThreadNumber>,
    steps: Vec<Step>,
    /// What the last step showed.
    last: Vec<Violation>,
}

impl Run {
    fn real_name(&self, thread: ThreadNumber) -> ThreadNumber {
        self.real.get(&thread).copied().unwrap_or(thread)
    }
}
