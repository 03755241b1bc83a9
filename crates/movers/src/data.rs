//! The report of `raddle movers`; `docs/movers.schema.json` is its JSON form. A change that a reader of an older version
//! would misunderstand raises [`MOVERS_VERSION`].

use std::collections::BTreeMap;

use raddle_diag::PlaceData;
use serde::Serialize;

pub const MOVERS_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoversData {
    pub version: u32,
    pub reduction: String,
    /// 0, or 3 if not all executions were seen.
    pub exit_code: u8,
    /// Why not all executions were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<IncompleteData>,
    /// In the order of the sources; those without one, such as the C library's, are left out.
    pub functions: Vec<FunctionData>,
    /// What threads share.
    pub variables: Vec<VariableData>,
    pub counters: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IncompleteData {
    pub code: String,
    pub message: String,
    pub help: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceData>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionData {
    pub name: String,
    pub place: PlaceData,
    pub is_reached: bool,
    /// The most transactions that commit in one call, those of callees included; `None` is without bound.
    pub transactions: Option<u64>,
    /// In the order of the control flow.
    pub steps: Vec<StepData>,
    /// For people: the source.
    #[serde(skip)]
    pub lines: Vec<Line>,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub number: u32,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepData {
    pub place: PlaceData,
    pub class: StepClass,
    /// Empty where nothing but registers is touched.
    pub why: String,
    /// A transaction begins with it.
    pub begins: bool,
    /// A transaction commits with it.
    pub commits: bool,
    /// A transaction ends behind it.
    pub ends: bool,
}

/// How a step moves in all executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepClass {
    Both,
    Right,
    Left,
    Neither,
    /// It differs from visit to visit.
    Mixed,
    Unreached,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VariableData {
    pub name: String,
    pub status: VariableStatus,
    /// Those held at every access; or, if it is tried, none.
    pub locks: Vec<String>,
    /// The only one that uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// As in: protected by `m`.
    pub message: String,
    /// Of an unprotected variable: up to two that show it.
    pub accesses: Vec<AccessData>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariableStatus {
    /// By locks.
    Protected,
    /// One thread uses it.
    OneThread,
    /// Nobody writes it while threads share it.
    ReadOnly,
    /// The user's predicate of exclusive access covers it.
    Declared,
    Unprotected,
    /// A lock that somebody tries, so that taking and releasing it is noticed.
    Tried,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccessData {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceData>,
    pub function: String,
    pub is_write: bool,
    /// Held there in all executions.
    pub locks: Vec<String>,
}

impl MoversData {
    /// Pretty-printed, with a line end after it.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("keys are text and all values are JSON");
        text.push('\n');
        text
    }
}
