//! The JSON form of traces. A change that a reader of an older version would misunderstand raises [`VERSION`]
//! and changes `docs/trace.schema.json`.

use raddle_base::SourceMap;
use raddle_diag::{LabelData, PlaceData};
use raddle_ir::DataModel;
use raddle_ir::interpret::Semantics;
use serde::{Deserialize, Serialize};

use crate::fingerprint;

pub const VERSION: u32 = 1;

/// What `--trace FILE` writes: one trace for each property found violated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceFile {
    pub version: u32,
    pub sources: Vec<SourceData>,
    pub options: OptionsData,
    pub traces: Vec<TraceData>,
}

/// A source file of the program, and how to know it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceData {
    pub name: String,
    pub fingerprint: String,
}

/// What a replay needs to know besides the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionsData {
    pub data_model: String,
    pub properties: Vec<String>,
    pub max_threads: usize,
    pub max_choices: u64,
    pub has_spurious_wakeups: bool,
    /// Whether addresses of freed memory come back; they did not before there was this field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_recycling: bool,
    /// The atomic sets that the program was given besides its own, as `--atomic-sets` names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atomic_sets: Option<String>,
    /// How a program in C was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<COptionsData>,
}

/// How a program in C was preprocessed and what its reader assumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent options of the command line"
)]
pub struct COptionsData {
    pub include_folders: Vec<String>,
    pub defines: Vec<String>,
    pub undefines: Vec<String>,
    pub includes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// Other arguments of the compiler.
    pub rest: Vec<String>,
    pub malloc_may_fail: bool,
    pub extern_havoc: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volatile_is_atomic: bool,
    /// The size of the stack of a thread, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<u64>,
    /// What `main` was given behind the name of the program; anything before there was this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<String>>,
    /// The variables of the environment, as `NAME=VALUE`, if the arguments are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// How many there were; any number before there was this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<u32>,
    /// How often clocks could leap; they showed anything before there was this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaps: Option<u32>,
    /// Whether `pthread_create` stored the id before the thread ran; it did not before there was this field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stores_ids_first: bool,
    /// The test that the program begins at, if it is not `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// Parts of the build that were not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The build that the program is one of, if units and their options were read from its list of commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectData>,
}

/// A program of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectData {
    /// The list of commands, or its folder.
    pub path: String,
    /// The unit where the program begins, if it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceData {
    pub property: String,
    /// Which of the initial states.
    pub initial: usize,
    pub steps: Vec<StepData>,
    /// The numbers of the steps, from 0, that begin a transaction of the engine that found the trace. It ends before the
    /// next one begins, or with the trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transactions: Vec<usize>,
    /// If this is the core of a longer execution: how long that was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundData>,
    pub violation: ViolationData,
}

/// An execution that an engine has found, before it was cut to its core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundData {
    pub steps: usize,
    pub switches: usize,
}

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepData {
    /// As in the state; names may repeat, numbers do not.
    pub thread: u64,
    pub thread_name: String,
    /// One edge, or all edges of an atomic section.
    pub parts: Vec<PartData>,
    pub reads: Vec<CellData>,
    pub writes: Vec<CellData>,
    /// Registers with a name in the source that received a value.
    pub sets: Vec<CellData>,
    /// What else happened, as in: starts thread `worker`.
    pub events: Vec<String>,
    /// What the program printed.
    pub output: Vec<String>,
}

/// One edge of a function and the choice made on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartData {
    pub function: String,
    /// The number of the edge in its function, from 0, as the validator numbers them.
    pub edge: usize,
    /// In decimal digits; as text because it may have 128 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// In the text form of the intermediate representation.
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceData>,
    /// The source text of the statement; its first line, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A cell or register and its value, both as people write them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellData {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViolationData {
    pub property: String,
    pub message: String,
    /// Who takes part.
    pub labels: Vec<ViolationLabelData>,
    /// A place that no thread stands at, such as an invariant or an allocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<LabelData>,
}

/// A thread that takes part, and the edge it stands before or took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViolationLabelData {
    pub thread: u64,
    pub function: String,
    pub edge: usize,
    /// The number of the step, from 0, that did it; none if the end of the trace shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceData>,
}

impl TraceFile {
    pub fn new(
        sources: &SourceMap,
        model: DataModel,
        semantics: &Semantics,
        traces: Vec<TraceData>,
    ) -> Self {
        Self {
            version: VERSION,
            sources: SourceData::all(sources),
            options: OptionsData {
                data_model: model.name().to_owned(),
                properties: semantics
                    .properties
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
                max_threads: semantics.max_threads,
                max_choices: semantics.max_choices,
                has_spurious_wakeups: semantics.has_spurious_wakeups,
                has_recycling: semantics.has_recycling,
                atomic_sets: None,
                c: None,
            },
            traces,
        }
    }

    /// Pretty-printed, with a line end after it.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("keys are text and all values are JSON");
        text.push('\n');
        text
    }
}

impl SourceData {
    pub fn all(sources: &SourceMap) -> Vec<SourceData> {
        sources
            .files()
            .map(|(_, file)| SourceData {
                name: file.name.clone(),
                fingerprint: fingerprint(&file.content()),
            })
            .collect()
    }
}

impl TraceData {
    /// How often another thread goes on.
    pub fn switches(&self) -> usize {
        self.steps
            .windows(2)
            .filter(|pair| pair[0].thread != pair[1].thread)
            .count()
    }

    /// Whether the step is one of those that make up the violation. If its end shows it, none is.
    pub fn is_marked(&self, step: usize) -> bool {
        let mut labels = self.violation.labels.iter();
        labels.any(|it| it.step == Some(step))
    }
}
