//! What a run found, as data. Only audited verdicts get in.

use std::time::Duration;

use raddle_base::SourceMap;
use raddle_certify::Audited;
use raddle_diag::Diagnostic;
use raddle_engine::{Condition, Counters, EngineId, Note, Reduction, Verdict};
use raddle_ir::DataModel;
use raddle_ir::interpret::{Property, Semantics};
use raddle_witness::{TraceData, TraceFile};

use crate::{COptions, DefaultSets, Misuse, ProfileReport};

/// What a run found.
#[derive(Clone, Debug)]
#[must_use]
pub struct Report {
    pub sources: SourceMap,
    /// What readers, compilers and engines warn of; no verdict depends on it.
    pub warnings: Vec<Note>,
    pub outcome: Outcome,
    pub elapsed: Duration,
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Checked(Checked),
    /// The input is wrong: what, where, and what to do.
    InputError(Vec<Note>),
    /// The options ask for what cannot be done.
    Misuse(Misuse),
    /// The tool is wrong, and no verdict follows.
    InternalError(String),
}

/// One verdict for each property asked for.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Of the run that is planned first, as the command line or the default says.
    pub engine: EngineId,
    pub reduction: Reduction,
    pub model: DataModel,
    /// What was added to the sets that the program declares.
    pub atomic_sets: Option<DefaultSets>,
    /// Of a program in C.
    pub c: Option<Box<COptions>>,
    /// What the program is taken to run in; as in: no arguments, two processors.
    pub assumptions: Vec<String>,
    pub semantics: Semantics,
    pub seed: u64,
    pub counters: Counters,
    /// Runs beside that one: for properties that it does not decide, or of an engine that searches for the same.
    pub other_runs: Vec<RunReport>,
    /// Some result depends on how objects are numbered, which no real machine promises.
    pub observes_layout: bool,
    /// Of how many lines the program says that their races are ignored.
    pub ignored_lines: usize,
    /// In the order of [`Property::ALL`].
    pub properties: Vec<PropertyReport>,
    /// Where the time went, if the options ask.
    pub profile: Option<ProfileReport>,
}

/// What one run of an engine counted.
#[derive(Clone, Debug)]
pub struct RunReport {
    pub engine: EngineId,
    pub reduction: Reduction,
    pub counters: Counters,
}

#[derive(Clone, Debug)]
pub struct PropertyReport {
    pub audited: Audited,
    /// Who decided it, or could not.
    pub engine: EngineId,
    pub reduction: Reduction,
    /// The proof takes it from another engine's search that nothing undefined happens.
    pub relies_on_search: bool,
    /// What a safe verdict rests on besides its proof.
    pub conditions: Vec<Condition>,
    /// Of an unsafe verdict.
    pub trace: Option<TraceData>,
    /// What is wrong (unsafe), or what stands in the way (unknown) and where; what to do about the latter, the reason
    /// knows.
    pub note: Option<Note>,
    /// Of an unsafe verdict: violations that are others to people, each with a trace that was replayed.
    pub more: Vec<Finding>,
}

/// A violation of a property, beside the first.
#[derive(Clone, Debug)]
pub struct Finding {
    pub trace: TraceData,
    pub note: Note,
}

/// All verdicts of a run in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary {
    Safe,
    Unsafe,
    Unknown,
    InputError,
    InternalError,
}

impl Summary {
    pub fn word(self) -> &'static str {
        match self {
            Summary::Safe => "safe",
            Summary::Unsafe => "unsafe",
            Summary::Unknown => "unknown",
            Summary::InputError => "input-error",
            Summary::InternalError => "internal-error",
        }
    }

    pub fn exit_code(self) -> u8 {
        match self {
            Summary::Safe => 0,
            Summary::Unsafe => 1,
            Summary::InputError => 2,
            Summary::Unknown => 3,
            Summary::InternalError => 101,
        }
    }
}

impl Report {
    /// Of sources that make no program, or options that nobody can follow.
    pub(crate) fn refused(
        sources: SourceMap,
        warnings: Vec<Diagnostic>,
        outcome: Outcome,
        elapsed: Duration,
    ) -> Self {
        Self {
            sources,
            warnings: warnings.into_iter().map(Note::from).collect(),
            outcome,
            elapsed,
        }
    }

    /// Unsafe if any property is, else unknown if any is, else safe.
    pub fn summary(&self) -> Summary {
        match &self.outcome {
            Outcome::InputError(_) | Outcome::Misuse(_) => Summary::InputError,
            Outcome::InternalError(_) => Summary::InternalError,
            Outcome::Checked(checked) => {
                if checked.count(is_unsafe) > 0 {
                    Summary::Unsafe
                } else if checked.count(is_unknown) > 0 {
                    Summary::Unknown
                } else {
                    Summary::Safe
                }
            }
        }
    }

    /// The verdict on a property, if it was asked for.
    pub fn verdict(&self, property: Property) -> Option<&Verdict> {
        match &self.outcome {
            Outcome::Checked(checked) => checked
                .properties
                .iter()
                .find(|it| it.audited.property() == property)
                .map(|it| it.audited.verdict()),
            Outcome::InputError(_) | Outcome::Misuse(_) | Outcome::InternalError(_) => None,
        }
    }

    /// The traces of all unsafe verdicts as a file, if there are any.
    pub fn trace_file(&self) -> Option<TraceFile> {
        let Outcome::Checked(checked) = &self.outcome else {
            return None;
        };
        let traces: Vec<TraceData> = checked
            .properties
            .iter()
            .filter_map(|it| it.trace.clone())
            .collect();
        if traces.is_empty() {
            return None;
        }
        let mut file = TraceFile::new(&self.sources, checked.model, &checked.semantics, traces);
        file.options.atomic_sets = checked.atomic_sets.map(|it| it.name().to_owned());
        file.options.c = checked.c.as_ref().map(|it| it.to_data());
        Some(file)
    }
}

impl PropertyReport {
    /// As in: `explicit` with reduction `optimistic`; an engine that has but one reduction needs no more than its name.
    pub fn decider(&self) -> String {
        decider(self.engine, self.reduction)
    }
}

pub(crate) fn decider(engine: EngineId, reduction: Reduction) -> String {
    if engine.reductions().len() == 1 {
        format!("`{engine}`")
    } else {
        format!("`{engine}` with reduction `{reduction}`")
    }
}

impl Checked {
    pub fn count(&self, is: impl Fn(&Verdict) -> bool) -> usize {
        self.properties
            .iter()
            .filter(|it| is(it.audited.verdict()))
            .count()
    }
}

fn is_unsafe(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unsafe(_))
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}
