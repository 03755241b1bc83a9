//! What to try next, as data: how a setting is changed only those know who offer it.

use raddle_diag::Diagnostic;
use raddle_ir::DataModel;
use raddle_ir::interpret::Property;

use crate::{EngineId, Reduction};

/// What to try next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Something to change in the program, in words.
    ChangeProgram(&'static str),
    /// Something to change in the program, in words, or another set of properties.
    ChangeProgramOrProperties(&'static str),
    RaiseContextBound,
    RaisePreemptionBound,
    RaiseTimeLimit,
    RaiseMemoryLimit,
    /// At least so many threads at a time.
    RaiseThreadLimit(usize),
    LetRunFinish,
    /// The program breaks this property, which has to be mended first.
    MendFirst(Property),
    /// Or a program with fewer rounds of its loops.
    OtherEngine,
    /// Or other properties.
    OtherEngineOrProperties,
    /// The one engine that decides the property.
    OnlyEngine(EngineId),
    /// An engine that searches.
    SearchWith(EngineId),
    AssumeDefined,
    /// Reductions that keep the property.
    UseReduction {
        property: Property,
        sound: Vec<Reduction>,
    },
    /// A reduction that can do what another cannot.
    UseAbleReduction {
        reduction: Reduction,
        /// As in: which does.
        why: &'static str,
    },
    /// No reduction at all; and the program is worth a report, because something is wrong with the tool.
    WithoutReduction,
    WithoutHashes,
    /// More steps of the one execution.
    RaiseStepLimit,
    /// Another one of the executions.
    OtherSeed,
    /// As in: a trace.
    RecordTrace(&'static str),
    WithoutSymmetry,
    /// To look for more of them, and for longer.
    MoreRaces,
    /// The language of a file, which its name does not tell.
    NameLanguage,
    /// The data model that the program says is enough.
    WithoutDataModel,
    UseDataModel(DataModel),
    /// What preprocessed text with pointers of 32 bits takes, or another data model.
    InstallHeadersOf32Bits,
    /// Options of the compiler, for what it refuses.
    PassToCompiler,
    WithoutAtomicSets,
    /// Other sets, by their names.
    OtherAtomicSets(Vec<&'static str>),
    /// Accesses to what is `volatile` may be taken as atomic.
    TakeVolatileAsAtomic,
    /// Functions that nobody defines may return anything.
    LetReturnAnything,
    /// One of these files of a build, where its program begins.
    ChooseMain(Vec<String>),
    /// A part of the program that is not to be read.
    LeaveOut(String),
}

/// An error or a warning, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub diagnostic: Diagnostic,
    /// Besides what the diagnostic says itself.
    pub remedies: Vec<Remedy>,
}

impl Note {
    pub fn new(diagnostic: Diagnostic, remedy: Remedy) -> Self {
        Self {
            diagnostic,
            remedies: vec![remedy],
        }
    }
}

impl From<Diagnostic> for Note {
    fn from(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostic,
            remedies: Vec::new(),
        }
    }
}
