//! What a caller may ask of a run.

use std::num::NonZeroUsize;
use std::time::Duration;

use raddle_engine::Reduction;
use raddle_ir::DataModel;
use raddle_ir::interpret::{Property, Semantics};

use crate::Language;

/// How to check a program. The default decides most programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `None`: all that apply, except `leak` and `overflow`.
    pub properties: Option<Vec<Property>>,
    /// `None`: as long as it takes.
    pub timeout: Option<Duration>,
    /// Resident memory of the whole process, in bytes. `None`: no limit.
    pub memory_limit: Option<u64>,
    /// Workers; `None`: one for each core.
    pub jobs: Option<NonZeroUsize>,
    /// Threads of the program at a time; reaching more makes the verdict unknown.
    pub max_threads: usize,
    /// `None`: what the program says, or else LP64. A program that says another one is refused.
    pub data_model: Option<DataModel>,
    pub engine: EngineChoice,
    /// `None`: what the engine does by itself.
    pub reduction: Option<Reduction>,
    pub seed: u64,
    /// `None`: by the ending of the file's name.
    pub language: Option<Language>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            properties: None,
            timeout: Some(Duration::from_mins(1)),
            memory_limit: None,
            jobs: None,
            max_threads: Semantics::default().max_threads,
            data_model: None,
            engine: EngineChoice::Auto,
            reduction: None,
            seed: 0,
            language: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The driver picks.
    #[default]
    Auto,
    Reference,
}

impl EngineChoice {
    pub const ALL: [EngineChoice; 2] = [EngineChoice::Auto, EngineChoice::Reference];

    /// As in `--engine reference`.
    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Reference => "reference",
        }
    }

    /// The reductions that it can apply.
    pub fn reductions(self) -> &'static [Reduction] {
        match self {
            EngineChoice::Auto => &[],
            EngineChoice::Reference => &[Reduction::None],
        }
    }

    /// Every engine with every reduction it can apply.
    pub fn combinations() -> Vec<(EngineChoice, Reduction)> {
        Self::ALL
            .into_iter()
            .flat_map(|engine| engine.reductions().iter().map(move |it| (engine, *it)))
            .collect()
    }
}
