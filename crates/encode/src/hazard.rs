//! What ends executions: under which condition, and why.

use raddle_base::Span;
use raddle_engine::{Property, Reason};
use raddle_ir::interpret::NOT_KNOWN;
use raddle_ir::{EdgeId, FunctionId, Program};
use raddle_logic::TermId;

/// Why an execution ends, or is not followed any further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// A property is violated.
    Violation(Property),
    /// Something that is not modelled, here or anywhere.
    Unsupported(String),
    ThreadLimit,
}

impl Hazard {
    /// Somebody looks at a value that was never set.
    pub fn unset(program: &Program) -> Self {
        if program.has_unknown_values {
            Hazard::Unsupported(NOT_KNOWN.to_owned())
        } else {
            Hazard::Violation(Property::Uninitialized)
        }
    }

    /// Why nothing is known of what comes after it; a failed assertion ends the process, and nothing comes after it.
    pub fn reason(&self, span: Option<Span>, limit: usize) -> Option<Reason> {
        match self {
            Hazard::Violation(Property::Assert | Property::Overflow) => None,
            Hazard::Violation(property) => Some(Reason::Undefined {
                what: "an execution does something undefined".into(),
                span,
                property: *property,
            }),
            Hazard::Unsupported(what) => Some(Reason::Unsupported {
                what: what.clone(),
                span,
            }),
            Hazard::ThreadLimit => Some(Reason::ThreadLimit { limit, span }),
        }
    }
}

/// A hazard that some executions come to.
#[derive(Clone, Debug)]
pub struct Met {
    pub condition: TermId,
    pub hazard: Hazard,
    /// The edge that goes wrong; `None` if the state itself shows it, and executions go on.
    pub place: Option<(FunctionId, EdgeId)>,
    /// How many edges were recorded before it.
    pub after: usize,
}
