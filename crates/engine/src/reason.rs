//! Why there is no answer, and what to try next.

use std::fmt;

use raddle_base::{Exhausted, Span};
use raddle_ir::interpret::{Property, Stop};

use crate::Reduction;

/// Why there is no answer. Each tells the user what to try next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No violation in any execution of at most this many steps.
    BoundReached {
        steps: u64,
    },
    OutOfTime,
    OutOfMemory,
    /// The user stopped the run.
    Cancelled,
    /// A construct that is not modelled is reachable.
    Unsupported {
        what: String,
        span: Option<Span>,
    },
    /// Executions end at something undefined; what would come after it was not examined.
    Undefined {
        what: String,
        span: Option<Span>,
        /// The property that covers it, if there is one.
        property: Option<Property>,
    },
    /// The program may run more threads than were allowed.
    ThreadLimit {
        limit: usize,
        span: Option<Span>,
    },
    /// One choice has more values than are tried one by one.
    TooManyChoices {
        values: u128,
        span: Option<Span>,
    },
    /// No engine decides the property yet, or not the one that was asked for.
    NotDecidedByEngine,
    /// No race under sequential consistency, but the program writes a weaker memory order.
    WeakerMemoryOrder {
        span: Option<Span>,
    },
    /// The analysis finds no reason why the property should hold, which does not mean that it does not.
    NotProved {
        /// As in: no lock, start or join keeps two accesses to `x` apart.
        what: String,
        span: Option<Span>,
    },
    /// The property holds until an execution does something undefined, which could not be excluded.
    UndefinedNotExcluded {
        what: String,
        span: Option<Span>,
    },
    /// No two accesses meet, but a failed attempt at a lock may leave accesses unordered all the same.
    TryLock {
        span: Option<Span>,
    },
    /// The reduction asked for does not keep the property.
    UnsoundReduction {
        reduction: Reduction,
        property: Property,
    },
}

impl Reason {
    /// One word for each reason, as `raddle explain` and reports in JSON name it.
    pub const CODES: [&'static str; 14] = [
        "bound",
        "time",
        "memory-limit",
        "cancelled",
        "unsupported",
        "undefined",
        "thread-limit",
        "too-many-choices",
        "no-engine",
        "not-proved",
        "undefined-not-excluded",
        "weaker-memory-order",
        "try-lock",
        "unsound-reduction",
    ];

    pub fn code(&self) -> &'static str {
        match self {
            Reason::BoundReached { .. } => "bound",
            Reason::OutOfTime => "time",
            Reason::OutOfMemory => "memory-limit",
            Reason::Cancelled => "cancelled",
            Reason::Unsupported { .. } => "unsupported",
            Reason::Undefined { .. } => "undefined",
            Reason::ThreadLimit { .. } => "thread-limit",
            Reason::TooManyChoices { .. } => "too-many-choices",
            Reason::NotDecidedByEngine => "no-engine",
            Reason::NotProved { .. } => "not-proved",
            Reason::UndefinedNotExcluded { .. } => "undefined-not-excluded",
            Reason::WeakerMemoryOrder { .. } => "weaker-memory-order",
            Reason::TryLock { .. } => "try-lock",
            Reason::UnsoundReduction { .. } => "unsound-reduction",
        }
    }

    /// Where in the sources the reason lies.
    pub fn span(&self) -> Option<Span> {
        match self {
            Reason::Unsupported { span, .. }
            | Reason::Undefined { span, .. }
            | Reason::ThreadLimit { span, .. }
            | Reason::TooManyChoices { span, .. }
            | Reason::NotProved { span, .. }
            | Reason::UndefinedNotExcluded { span, .. }
            | Reason::WeakerMemoryOrder { span }
            | Reason::TryLock { span } => *span,
            Reason::BoundReached { .. }
            | Reason::OutOfTime
            | Reason::OutOfMemory
            | Reason::Cancelled
            | Reason::NotDecidedByEngine
            | Reason::UnsoundReduction { .. } => None,
        }
    }

    /// What to try next.
    pub fn help(&self) -> String {
        match self {
            Reason::BoundReached { .. } => {
                "raise the limit with `--timeout`, or try another `--engine`".to_owned()
            }
            Reason::OutOfTime => {
                "raise the limit with `--timeout SECONDS` (0 is none), or make the model smaller: \
                 fewer threads, fewer bits in its variables"
                    .to_owned()
            }
            Reason::OutOfMemory => {
                "raise the limit with `--memory MB`, or make the model smaller: fewer threads, \
                 fewer bits in its variables"
                    .to_owned()
            }
            Reason::Cancelled => "let the run finish, or bound it with `--timeout`".to_owned(),
            Reason::Unsupported { .. } => {
                "replace the construct, or guard it so that it cannot be reached".to_owned()
            }
            Reason::Undefined {
                property: Some(property),
                ..
            } => format!(
                "repair it, then check again; `--property {property}` shows how it is reached"
            ),
            Reason::Undefined { property: None, .. } => {
                "guard the place so that this cannot happen, then check again".to_owned()
            }
            Reason::ThreadLimit { limit, .. } => format!(
                "raise the limit with `--max-threads {}`, or bound the loop that spawns",
                limit.saturating_mul(2)
            ),
            Reason::TooManyChoices { .. } => {
                "give the value a smaller type, as in `let a = any u8`, or choose between the \
                 values that matter"
                    .to_owned()
            }
            Reason::NotDecidedByEngine => {
                "leave the property out with `--property`, or look for a newer version".to_owned()
            }
            Reason::NotProved { .. } | Reason::UndefinedNotExcluded { .. } => {
                "search with `--engine reference`, which looks at the executions one by one"
                    .to_owned()
            }
            Reason::WeakerMemoryOrder { .. } => {
                "write `seq_cst`, or leave the order out, if the algorithm allows it".to_owned()
            }
            Reason::TryLock { .. } => {
                "use a blocking acquire if the algorithm allows it".to_owned()
            }
            Reason::UnsoundReduction {
                reduction,
                property,
            } => {
                // An engine may trust a reduction less than the table does.
                let sound: Vec<String> = Reduction::sound_for(*property)
                    .filter(|it| it != reduction)
                    .map(|it| format!("`--reduction {it}`"))
                    .collect();
                format!("for {property} use {}", one_of(&sound))
            }
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::BoundReached { steps } => write!(
                f,
                "no violation within {steps} steps; longer executions were not examined"
            ),
            Reason::OutOfTime => f.write_str("the time limit was reached"),
            Reason::OutOfMemory => f.write_str("the memory limit was reached"),
            Reason::Cancelled => f.write_str("the run was stopped"),
            Reason::Unsupported { what, .. } => write!(f, "{what} is not supported"),
            Reason::Undefined { what, .. } => write!(
                f,
                "{what}; what an execution does after that is undefined and was not examined"
            ),
            Reason::ThreadLimit { limit, .. } => {
                write!(f, "the program may run more than {limit} threads at a time")
            }
            Reason::TooManyChoices { values, .. } => {
                write!(
                    f,
                    "only a few of the {values} values of a choice were tried"
                )
            }
            Reason::NotDecidedByEngine => f.write_str("no engine decides this property yet"),
            Reason::NotProved { what, .. } => write!(f, "not proved: {what}"),
            Reason::UndefinedNotExcluded { what, .. } => write!(
                f,
                "no violation before something undefined happens, but {what}"
            ),
            Reason::WeakerMemoryOrder { .. } => f.write_str(
                "no race under sequential consistency, but the program uses a weaker memory order",
            ),
            Reason::TryLock { .. } => f.write_str(
                "no two accesses meet, but an attempt at a lock may fail and order nothing",
            ),
            Reason::UnsoundReduction {
                reduction,
                property,
            } => write!(
                f,
                "the reduction `{reduction}` may miss {}",
                violations(*property)
            ),
        }
    }
}

/// As in: a, b or c.
fn one_of(words: &[String]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

/// What violates a property, in the plural.
fn violations(property: Property) -> &'static str {
    match property {
        Property::Assert => "failed assertions",
        Property::Race => "races",
        Property::Deadlock => "deadlocks",
        Property::Memory => "wrong uses of memory",
        Property::Leak => "leaks",
        Property::Overflow => "overflows",
        Property::LockMisuse => "misuses of locks",
        Property::Invariant => "broken invariants",
        Property::AtomicSets => "units of work that are interrupted",
    }
}

impl From<Exhausted> for Reason {
    fn from(exhausted: Exhausted) -> Self {
        match exhausted {
            Exhausted::Time => Reason::OutOfTime,
            Exhausted::Memory => Reason::OutOfMemory,
            Exhausted::Cancelled => Reason::Cancelled,
        }
    }
}

impl Reason {
    /// The reason that an execution cut short gives for properties that would otherwise be safe.
    /// `span_of_violation` is where the violation happened.
    pub fn from_stop(stop: &Stop, span_of_violation: Option<Span>) -> Self {
        match stop {
            Stop::Violation(violation) => Reason::Undefined {
                what: violation.message.clone(),
                span: span_of_violation,
                property: Some(violation.property),
            },
            Stop::Undefined { what, span } => Reason::Undefined {
                what: what.clone(),
                span: *span,
                property: None,
            },
            Stop::Unsupported { what, span } => Reason::Unsupported {
                what: what.clone(),
                span: *span,
            },
            Stop::ThreadLimit { limit, span } => Reason::ThreadLimit {
                limit: *limit,
                span: *span,
            },
            Stop::TooManyChoices { values, span } => Reason::TooManyChoices {
                values: *values,
                span: *span,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduction_that_may_miss_something_says_what_and_which_would_not() {
        let reason = Reason::UnsoundReduction {
            reduction: Reduction::Phase,
            property: Property::Deadlock,
        };
        assert_eq!(
            reason.to_string(),
            "the reduction `phase` may miss deadlocks"
        );
        assert_eq!(
            reason.help(),
            "for deadlock use `--reduction none`, `--reduction local` or `--reduction optimistic`"
        );
        assert!(Reason::CODES.contains(&reason.code()));
    }
}
