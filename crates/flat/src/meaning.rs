//! What it means to reach a target.

use std::fmt;

use raddle_base::Span;
use raddle_engine::{Property, Reason};
use raddle_ir::{EdgeId, FunctionId};

/// What a target stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An edge violates a property.
    Violation {
        property: Property,
        place: (FunctionId, EdgeId),
        span: Option<Span>,
    },
    /// Nothing is known of what comes after it.
    Hazard { reason: Reason, span: Option<Span> },
}

impl Meaning {
    /// Why nothing is known of what comes after it. A failed assertion ends the process, and after an overflow executions go on.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Meaning::Hazard { reason, .. } => Some(reason.clone()),
            Meaning::Violation { property, span, .. } => {
                property.ends_executions().then(|| Reason::Undefined {
                    what: "an execution does something undefined".into(),
                    span: *span,
                    property: *property,
                })
            }
        }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Meaning::Violation { property, .. } => write!(f, "violation of {property}"),
            Meaning::Hazard { reason, .. } => write!(f, "hazard: {reason}"),
        }
    }
}
