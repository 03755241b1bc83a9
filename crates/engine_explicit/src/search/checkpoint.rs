//! How a search goes on after the process has ended: what it knows is left in a file every now and then.
//!
//! The file has everything that verdicts, traces and counters depend on. What transactions came to is worked out again.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use raddle_base::saved::{Saved, Sink, Source, read_file, write_file};
use raddle_base::{FastHasher, fast_hasher, saved};
use raddle_diag::Diagnostic;
use raddle_engine::{Events, Reason, Task, Trace, Verdict};
use raddle_ir::interpret::Property;
use raddle_reduce::guesses::Guesses;

use crate::frontier::{FirstFound, Frontier};
use crate::lock_order::LockOrders;
use crate::measure::Activity;
use crate::parts::Parts;
use crate::reliances::Reliances;
use crate::store::Store;
use crate::{ExplicitEngine, Order};

use super::Search;
use super::exchanges::Exchanges;
use super::findings::LinkPolicy;
use super::more_races::MoreRaces;
use super::progress::Counts;

/// So much time at most is spent on the last save of a run whose time is over.
const MOST_AT_THE_END: Duration = Duration::from_millis(150);
/// More states than this take longer.
const MANY: usize = 1 << 20;
/// Of all time, at most one part in so many is spent on saving, as long as that keeps within [`LONGEST`].
const SHARE: u32 = 20;
/// No more than this passes between two saves, unless more was asked for.
const LONGEST: Duration = Duration::from_secs(50);

/// How the name of a file ends that was not finished.
const UNFINISHED: &str = ".unfinished";
/// How the names of the files begin and end.
const NAME: (&str, &str) = ("explicit-", ".checkpoint");

/// Removes what searches have left in a folder.
pub(crate) fn remove_checkpoints(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours =
            |it: &str| it.starts_with(NAME.0) && (it.ends_with(NAME.1) || it.ends_with(UNFINISHED));
        if name.to_str().is_some_and(is_ours) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Leaves what is known in a file.
#[derive(Debug)]
pub(super) struct Saver {
    file: PathBuf,
    every: Duration,
    /// When it was done last, or the search began.
    last: Instant,
    /// How long that took.
    took: Duration,
    /// Of a job: what was reached is not all stored.
    is_in_the_middle: bool,
    /// With how many states the search went on.
    pub(super) went_on_with: Option<usize>,
    /// Why it did not go on from a file that is there.
    unread: Option<String>,
    /// What went wrong the last time.
    error: Option<String>,
}

impl Saver {
    /// For this task and no other.
    pub(super) fn new(engine: &ExplicitEngine, task: &Task<'_>, workers: usize) -> Option<Self> {
        let checkpoint = engine.checkpoint.as_ref()?;
        if engine.order != Order::FirstFound {
            return None;
        }
        let name = format!(
            "explicit-{:016x}.checkpoint",
            fingerprint(engine, task, workers)
        );
        Some(Self {
            file: checkpoint.folder.join(name),
            every: checkpoint.every,
            last: Instant::now(),
            took: Duration::ZERO,
            is_in_the_middle: false,
            went_on_with: None,
            unread: None,
            error: None,
        })
    }

    fn is_due(&self) -> bool {
        let most = LONGEST.max(self.every);
        let every = self.every.max(self.took * SHARE).min(most);
        self.last.elapsed() + self.took >= every
    }

    /// What people should know.
    pub(super) fn notes(&self) -> Vec<Diagnostic> {
        let went_on = self.went_on_with.map(|states| {
            Diagnostic::warning(
                "checkpoint",
                format!("the search went on from a checkpoint with {states} states"),
            )
        });
        let unread = self.unread.as_ref().map(|error| {
            Diagnostic::warning(
                "checkpoint",
                format!("`{}` could not be read: {error}", self.file.display()),
            )
            .note("the search began anew")
        });
        let failed = self.error.as_ref().map(|error| {
            Diagnostic::warning(
                "checkpoint",
                format!("`{}` could not be written: {error}", self.file.display()),
            )
            .help("see that the folder is there and has room, or use another one")
        });
        went_on.into_iter().chain(unread).chain(failed).collect()
    }
}

/// Another number whenever something is saved in another way: a build may not be known by its file.
const FORMAT: u32 = 6;

/// A number that is another one for another program, another question or another build of this tool.
fn fingerprint(engine: &ExplicitEngine, task: &Task<'_>, workers: usize) -> u64 {
    struct Text(FastHasher);

    impl fmt::Write for Text {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }

    let build = std::env::current_exe()
        .and_then(std::fs::metadata)
        .map(|it| (it.len(), it.modified().ok()));
    let settings = (
        (engine.reduction, engine.inference, engine.cut, engine.order),
        (engine.symmetry, engine.hash_compact, engine.races),
        (engine.most_links, engine.flaw, workers),
    );
    let mut text = Text(fast_hasher());
    write!(
        text,
        "{FORMAT} {:?} {:?} ",
        env!("CARGO_PKG_VERSION"),
        build.ok()
    )
    .and_then(|()| write!(text, "{settings:?} {:?} ", task.semantics))
    .and_then(|()| write!(text, "{:?}", task.program))
    .expect("to hash never fails");
    text.0.finish()
}

saved!(
    enum LinkPolicy {
        Kept,
        OfFew,
        Missed,
    }
);
saved!(struct Counts { steps, transactions, expanded, again, worked_out });

impl Search<'_> {
    pub(super) fn has_begun(&self) -> bool {
        self.knowledge.store.len() > 0
    }

    /// Goes on where a search of the same task has been, if it left something.
    pub(super) fn go_on_from_checkpoint(&mut self, events: &mut dyn Events) {
        let Some(saver) = self.progress.saver.as_ref().filter(|it| it.file.exists()) else {
            return;
        };
        let file = saver.file.clone();
        let loaded = read_file(&file, |source| self.load(source));
        if loaded.is_ok() {
            for verdict in self.findings.verdicts.values() {
                if let Verdict::Unsafe(trace) = verdict {
                    events.violated(trace);
                }
            }
            self.findings.more.tell(events);
        }
        if let Some(saver) = &mut self.progress.saver {
            saver.last = Instant::now();
            match loaded {
                Ok(()) => saver.went_on_with = Some(self.knowledge.store.len()),
                Err(error) => saver.unread = Some(error.to_string()),
            }
        }
    }

    /// Whether it began with what another run had found.
    pub(super) fn has_gone_on(&self) -> bool {
        let saver = self.progress.saver.as_ref();
        saver.is_some_and(|it| it.went_on_with.is_some())
    }

    /// Nothing can be saved in the middle of a job.
    pub(super) fn set_in_the_middle(&mut self, is_in_the_middle: bool) {
        if let Some(saver) = &mut self.progress.saver {
            saver.is_in_the_middle = is_in_the_middle;
        }
    }

    /// Saves if it was long ago.
    pub(super) fn save_now_and_then(&mut self) {
        if self.progress.saver.as_ref().is_some_and(Saver::is_due) {
            self.save_to_file();
        }
    }

    /// Saves when the search is over, or was interrupted.
    pub(super) fn save_at_the_end(&mut self, interrupted: Option<&Reason>) {
        let Some(saver) = &self.progress.saver else {
            return;
        };
        let is_worth_it = if interrupted.is_some() {
            let is_quick = saver.took < MOST_AT_THE_END && self.knowledge.store.len() < MANY;
            is_quick && !saver.is_in_the_middle
        } else {
            // Another engine may still run, and a user who interrupts that run does not want to search again.
            saver.last.elapsed() > saver.every / 2
        };
        if is_worth_it {
            self.save_to_file();
        }
    }

    fn save_to_file(&mut self) {
        // What a search that has to begin anew has stored is of no use, and a search that goes on from the file would not know.
        if self.has_to_begin_anew() {
            return;
        }
        let Some(file) = self.progress.saver.as_ref().map(|it| it.file.clone()) else {
            return;
        };
        let before = self.progress.meter.begin(Activity::Saving);
        let begin = Instant::now();
        let written = match file.parent() {
            Some(folder) => std::fs::create_dir_all(folder),
            None => Ok(()),
        };
        let written = written.and_then(|()| write_file(&file, |sink| self.save(sink)));
        if let Some(saver) = &mut self.progress.saver {
            saver.error = written.err().map(|it| it.to_string());
            saver.took = begin.elapsed();
            saver.last = Instant::now();
        }
        self.progress.meter.resume(before);
    }

    fn save(&self, sink: &mut Sink) {
        let traces =
            self.findings
                .verdicts
                .iter()
                .filter_map(|(property, verdict)| match verdict {
                    Verdict::Unsafe(trace) => Some((*property, trace.clone())),
                    Verdict::Safe(_) | Verdict::Unknown(_) => None,
                });
        let traces: BTreeMap<Property, Trace> = traces.collect();
        traces.save(sink);
        self.findings.open.save(sink);
        self.beliefs.guesses.save(sink);
        self.beliefs.predicates.faults().save(sink);
        self.knowledge.parts.save(sink);
        self.knowledge.store.save(sink);
        self.knowledge.reliances.save(sink);
        match &self.progress.frontier {
            Frontier::FirstFound(it) => it.save(sink),
            Frontier::FewestSwitches(_) => unreachable!("there is no saver then"),
        }
        self.progress.counts.save(sink);
        self.findings.cut.save(sink);
        self.findings.ended.save(sink);
        self.findings.skips_values.save(sink);
        self.findings.more.save(sink);
        self.findings.observes_layout.save(sink);
        self.findings.weakness.save(sink);
        self.beliefs.orders.save(sink);
        self.findings.links.save(sink);
        self.beliefs.exchanges.is_some().save(sink);
        if let Some(exchanges) = &self.beliefs.exchanges {
            exchanges.save(sink);
        }
    }

    /// Takes over everything, or nothing.
    fn load(&mut self, source: &mut Source) -> io::Result<()> {
        let traces: BTreeMap<Property, Trace> = Saved::load(source)?;
        let open: Vec<Property> = Saved::load(source)?;
        let guesses = Guesses::load(source)?;
        let faults = Saved::load(source)?;
        let parts = Parts::load(
            self.setting.program,
            self.setting.interpreter.recycling(),
            source,
        )?;
        let store: Store = Saved::load(source)?;
        let reliances = Reliances::load(source)?;
        let frontier = FirstFound::load(source)?;
        let counts = Counts::load(source)?;
        let cut = Saved::load(source)?;
        self.findings.ended = Saved::load(source)?;
        let skips_values = bool::load(source)?;
        let more = MoreRaces::load(self.setting.engine.races, source)?;
        let observes_layout = bool::load(source)?;
        let weakness = Saved::load(source)?;
        let orders = LockOrders::load(source)?;
        let links = LinkPolicy::load(source)?;
        let has_exchanges = bool::load(source)?;
        let exchanges = has_exchanges
            .then(|| Exchanges::load(&self.setting.interpreter, source))
            .transpose()?;
        let traces = traces.into_iter();
        self.findings
            .verdicts
            .extend(traces.map(|(property, trace)| (property, Verdict::Unsafe(trace))));
        self.beliefs.predicates.remember(faults);
        self.progress.frontier = Frontier::FirstFound(frontier);
        (
            self.findings.open,
            self.beliefs.guesses,
            self.knowledge.parts,
        ) = (open, guesses, parts);
        (
            self.knowledge.store,
            self.knowledge.reliances,
            self.progress.counts,
        ) = (store, reliances, counts);
        (
            self.findings.cut,
            self.findings.observes_layout,
            self.beliefs.orders,
        ) = (cut, observes_layout, orders);
        (self.findings.links, self.beliefs.exchanges) = (links, exchanges);
        (self.findings.skips_values, self.findings.more) = (skips_values, more);
        self.findings.weakness = weakness;
        // That is not saved: nobody is told that there are none.
        self.findings.starts_threads = true;
        Ok(())
    }
}
