//! `raddle movers --pairs`: between which accesses of unrolled threads a token has to be able to go.

use std::fmt::Write as _;

use raddle_base::{Budget, SourceMap};
use raddle_diag::{Diagnostic, PlaceData};
use raddle_driver::{Options, Sources, load};
use raddle_engine::{Note, Task};
use raddle_engine_mat::survey::{NamedAccess, survey};
use raddle_ir::interpret::Property;
use serde::Serialize;

use super::{Help, WrongInput};

/// The version of the report; a change that a reader of an older one would misunderstand raises it.
pub const PAIRS_VERSION: u32 = 1;

/// How many rounds of loops are unrolled whose end is open.
const DEPTH: u32 = 1;

/// Conflicts, mutually atomic transactions, and passes kept and dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PairsData {
    pub version: u32,
    /// 0, or 3 if loops were cut.
    pub exit_code: u8,
    /// How many passes there would be if none was left out.
    pub all_pairs: usize,
    pub conflicts: Vec<ConflictData>,
    pub mats: Vec<MatData>,
    pub pairs: Vec<PassData>,
    pub dropped: Vec<(String, String)>,
    /// How many passes the engine `token` keeps, with starts, joins and ends of threads.
    pub with_threads: usize,
    /// For people.
    #[serde(skip)]
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConflictData {
    pub first: String,
    pub second: String,
    pub kind: &'static str,
}

/// The first and the last access of both transactions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatData {
    pub left: (String, String),
    pub right: (String, String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassData {
    pub from: String,
    pub to: String,
    pub reason: String,
    /// The number of the transactions that are the reason, from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mat: Option<usize>,
}

impl PairsData {
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("keys are text and all values are JSON");
        text.push('\n');
        text
    }
}

/// The report, with the sources that it speaks of.
#[derive(Clone, Debug)]
pub struct TokenPairs {
    pub data: PairsData,
    pub sources: SourceMap,
    pub warnings: Vec<Note>,
}

/// Unrolls the threads of a program and says between which of their accesses a token has to go.
///
/// # Errors
///
/// If the program cannot be read or unrolled.
pub fn token_pairs(
    sources: impl Into<Sources>,
    options: &Options,
    budget: &Budget,
    help: Help<'_>,
) -> Result<TokenPairs, WrongInput> {
    let Sources {
        map: sources,
        warnings,
    } = sources.into();
    let mut warnings: Vec<Note> = warnings.into_iter().map(Note::from).collect();
    let loaded = match load(&sources, options) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Err((diagnostics, sources)),
    };
    warnings.extend(loaded.warnings.iter().cloned());
    let task = Task {
        program: &loaded.program,
        semantics: loaded.semantics(options, vec![Property::Assert]),
        seed: options.seed,
        jobs: 1,
    };
    let name = |access: &NamedAccess| name(access, &sources);
    let found = match survey(&task, DEPTH, budget, name) {
        Ok(found) => found,
        Err(reason) => {
            let wrong = Diagnostic::error("pairs", reason.to_string()).help(help(&reason.remedy()));
            return Err((vec![wrong.into()], sources));
        }
    };
    let report = &found.report;
    let mut text = report.to_string();
    let with_threads = found.kept_with_threads;
    let _ = writeln!(
        text,
        "{with_threads} token passes with starts, joins and ends of threads, as the engine has them"
    );
    if !found.is_complete {
        text.push_str("loops were cut, so there may be more\n");
    }
    let data = PairsData {
        version: PAIRS_VERSION,
        exit_code: if found.is_complete { 0 } else { 3 },
        all_pairs: report.all_pairs,
        conflicts: report
            .conflicts
            .iter()
            .map(|it| ConflictData {
                first: it.first.clone(),
                second: it.second.clone(),
                kind: it.kind.name(),
            })
            .collect(),
        mats: report
            .mats
            .iter()
            .map(|it| MatData {
                left: it.left.clone(),
                right: it.right.clone(),
            })
            .collect(),
        pairs: report
            .pairs
            .iter()
            .map(|it| PassData {
                from: it.from.clone(),
                to: it.to.clone(),
                reason: it.reason.clone(),
                mat: it.mat,
            })
            .collect(),
        dropped: report.dropped.clone(),
        with_threads,
        text,
    };
    Ok(TokenPairs {
        data,
        sources,
        warnings,
    })
}

/// As in: `worker.3` at line 12, the third access of the thread that runs `worker`.
fn name(access: &NamedAccess, sources: &SourceMap) -> String {
    let twin = match access.twin {
        0 => String::new(),
        twin => format!("#{}", twin + 1),
    };
    let number = access.access.index + 1;
    let place = access.span.map(|it| PlaceData::new(it, sources));
    let line = place.map_or_else(String::new, |it| format!(" (line {})", it.line));
    format!("`{}{twin}.{number}`{line}", access.function)
}
