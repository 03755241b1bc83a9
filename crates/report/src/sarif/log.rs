//! The part of SARIF 2.1.0 that reports use, as data. `docs/sarif.schema.json` describes the same part.

use std::collections::BTreeMap;

use serde::Serialize;

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: Vec<Run>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub tool: Tool,
    pub invocations: Vec<Invocation>,
    pub artifacts: Vec<Artifact>,
    pub column_kind: &'static str,
    pub results: Vec<SarifResult>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tool {
    pub driver: ToolComponent,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolComponent {
    pub name: &'static str,
    pub version: &'static str,
    pub semantic_version: &'static str,
    /// One a property, in their order.
    pub rules: Vec<Descriptor>,
    /// One for each kind of trouble that this run had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notifications: Vec<Descriptor>,
}

/// A `reportingDescriptor`: what a rule or a kind of notification means.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    pub id: &'static str,
    pub short_description: Text,
    pub full_description: Text,
    pub help: Text,
    pub default_configuration: Configuration,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<RuleBag>,
}

/// A `multiformatMessageString`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Configuration {
    pub level: &'static str,
}

/// What code scanning services sort rules by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleBag {
    pub precision: &'static str,
    pub tags: Vec<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    pub command_line: String,
    pub exit_code: u8,
    pub exit_code_description: &'static str,
    /// Whether there are verdicts.
    pub execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_notifications: Vec<Notification>,
    pub properties: InvocationBag,
}

/// All verdicts, also those that are no results.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvocationBag {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduction: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub verdicts: BTreeMap<&'static str, &'static str>,
    /// What the program is taken to run in: verdicts are for that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notification {
    pub descriptor: DescriptorReference,
    pub level: &'static str,
    pub message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DescriptorReference {
    pub id: &'static str,
    pub index: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Artifact {
    pub location: ArtifactLocation,
    pub roles: Vec<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArtifactLocation {
    pub uri: String,
}

/// A property that is unsafe (`fail`) or unknown (`open`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult {
    pub rule_id: &'static str,
    pub rule_index: usize,
    pub kind: &'static str,
    pub level: &'static str,
    pub message: Message,
    pub locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_flows: Vec<CodeFlow>,
    /// By which a violation is known again.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    /// `new` or `unchanged`, if there is an earlier report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_state: Option<&'static str>,
    pub properties: ResultBag,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultBag {
    pub engine: &'static str,
    pub reduction: &'static str,
    /// `checked` or `trusted`.
    pub standing: &'static str,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// Repeats the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_field_names,
    reason = "fields are called as in the standard"
)]
pub struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    pub physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    pub region: Region,
}

/// Lines and columns count from one; the end is the first column after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// An interleaving.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeFlow {
    pub message: Message,
    pub thread_flows: Vec<ThreadFlow>,
}

/// What one thread does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreadFlow {
    pub id: String,
    pub message: Message,
    pub locations: Vec<ThreadFlowLocation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadFlowLocation {
    /// The number of the step, over all threads.
    pub execution_order: usize,
    pub importance: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<&'static str>,
    pub location: Location,
    /// What the step has written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub state: BTreeMap<String, Text>,
}
