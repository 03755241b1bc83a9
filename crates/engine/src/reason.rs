//! Why there is no answer, and what to try next.

use std::fmt;

use raddle_base::{Exhausted, Span};
use raddle_ir::interpret::{Property, Stop};

use crate::{EngineId, Reduction, Remedy};

/// What was left out of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Executions in which a thread goes on more often than the user allows.
    Contexts { most: u64 },
    /// Executions of threads that were unrolled to so many accesses, and all longer ones.
    Accesses { accesses: usize },
    /// Executions with more preemptions; all others were examined.
    Preemptions {
        most: usize,
        /// What kept the search from going on, if it was not the user's bound.
        spent: Option<Exhausted>,
    },
}

/// What executions at random have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// How many there were.
    pub schedules: u64,
    /// How many of them were different, and how many were seen only once.
    pub distinct: u64,
    pub once: u64,
    /// What each of them promises, if they were chosen by priorities.
    pub depth: Option<Depth>,
}

/// For bugs of so great a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    pub depth: u32,
    pub threads: u64,
    /// Where others may be scheduled, in the longest execution so far.
    pub points: u64,
}

impl fmt::Display for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sampled {
            schedules,
            distinct,
            once,
            depth,
        } = *self;
        let s = if schedules == 1 { "" } else { "s" };
        write!(
            f,
            "no violation in {schedules} schedule{s}, {distinct} of them different"
        )?;
        if schedules > 0 {
            #[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
            let share = once as f64 / schedules as f64;
            write!(f, "; the next one is new with a chance of about {share:.2}")?;
        }
        if let Some(Depth {
            depth,
            threads,
            points,
        }) = depth
        {
            #[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
            let chance = 1.0 / (threads as f64 * (points as f64).powf(f64::from(depth) - 1.0));
            write!(
                f,
                "; one schedule finds a bug of depth {depth} with a chance of at least \
                 1/(n*k^(d-1)) = 1/({threads}*{points}^{}) = {chance:.1e} for fixed inputs, an estimate since k was measured",
                depth - 1
            )?;
        }
        Ok(())
    }
}

/// Why there is no answer. Each tells the user what to try next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Some executions were left out.
    BoundReached(Bound),
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
        /// The property that it violates.
        property: Property,
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
        /// It was too much work to find out which of them the program tells apart.
        is_unanalysed: bool,
        /// What can be done about it depends on the language.
        is_in_c: bool,
    },
    /// The engine that was asked does not decide the property.
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
    /// No two accesses meet, but what happens before what is not told by what the program does.
    UnclearOrder {
        /// As in: a memory order that is computed.
        what: String,
        span: Option<Span>,
    },
    /// The reduction asked for does not keep the property.
    UnsoundReduction {
        reduction: Reduction,
        property: Property,
    },
    /// An abstraction of the program admits a violation of `atomic-sets`, which could not be confirmed on the program
    /// itself.
    PossibleAtomicityViolation {
        /// As in: pattern 12 on `count` and `data` of set `S`.
        what: String,
        span: Option<Span>,
        /// An execution of the abstraction that shows it.
        steps: Vec<AbstractStep>,
    },
    /// A table of limited size has no room left.
    TableFull {
        /// As in: decision diagrams.
        of: &'static str,
        /// How many it has room for.
        most: usize,
    },
    /// A thread may wait for ever while others run, or all may spin, which could not be decided.
    PossibleEndlessWait(EndlessWait),
    /// Some executions were looked at, which proves nothing.
    Sampled(Sampled),
}

/// Why it could not be decided whether a thread waits for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndlessWait {
    /// It seems to, but more states can come after that than are looked at one by one.
    TooManyStates { most: usize },
    /// Where hashes stand for states, nobody can tell what comes after them.
    OnlyHashes,
    /// The engine takes it to wait, and the interpreter does not.
    NotConfirmed,
    /// Where only executions with so many preemptions were examined, nobody can tell what others can still do.
    NotLookedFor { preemptions: usize },
}

/// A step of an abstraction of the program, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbstractStep {
    /// As in: `worker`, or `worker` #2 if the abstraction has several.
    pub process: String,
    /// As in: acquire `m`.
    pub text: String,
    pub span: Option<Span>,
    pub role: AbstractRole,
}

/// What a step of an abstraction is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbstractRole {
    /// An access that makes up the violation.
    Marked,
    /// A lock is taken or released.
    Lock,
    /// A unit of work begins or ends.
    Unit,
    /// On the way.
    Other,
}

impl AbstractRole {
    /// As in reports.
    pub fn word(self) -> &'static str {
        match self {
            AbstractRole::Marked => "marked",
            AbstractRole::Lock => "lock",
            AbstractRole::Unit => "unit",
            AbstractRole::Other => "other",
        }
    }
}

impl Reason {
    /// One word for each reason, as `raddle explain` and reports in JSON name it.
    pub const CODES: [&'static str; 19] = [
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
        "unclear-order",
        "unsound-reduction",
        "possible-atomicity-violation",
        "table-full",
        "possible-endless-wait",
        "sampled",
    ];

    pub fn code(&self) -> &'static str {
        match self {
            Reason::BoundReached(_) => "bound",
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
            Reason::UnclearOrder { .. } => "unclear-order",
            Reason::UnsoundReduction { .. } => "unsound-reduction",
            Reason::PossibleAtomicityViolation { .. } => "possible-atomicity-violation",
            Reason::TableFull { .. } => "table-full",
            Reason::PossibleEndlessWait(_) => "possible-endless-wait",
            Reason::Sampled(_) => "sampled",
        }
    }

    /// The same of a program in C.
    #[must_use]
    pub fn in_c(mut self) -> Self {
        if let Reason::TooManyChoices { is_in_c, .. } = &mut self {
            *is_in_c = true;
        }
        self
    }

    /// Whether it is something that the program does, in an execution that whoever searches comes to: if one search has
    /// looked at all others, no other search would say more.
    pub fn is_of_the_program(&self) -> bool {
        match self {
            Reason::Unsupported { .. }
            | Reason::Undefined { .. }
            | Reason::ThreadLimit { .. }
            | Reason::WeakerMemoryOrder { .. }
            | Reason::TryLock { .. }
            | Reason::UnclearOrder { .. } => true,
            // Another engine has another limit, or proves in another way.
            Reason::BoundReached(_)
            | Reason::OutOfTime
            | Reason::OutOfMemory
            | Reason::Cancelled
            | Reason::TooManyChoices { .. }
            | Reason::NotDecidedByEngine
            | Reason::NotProved { .. }
            | Reason::UndefinedNotExcluded { .. }
            | Reason::UnsoundReduction { .. }
            | Reason::PossibleAtomicityViolation { .. }
            | Reason::TableFull { .. }
            | Reason::PossibleEndlessWait(_)
            | Reason::Sampled(_) => false,
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
            | Reason::TryLock { span }
            | Reason::UnclearOrder { span, .. }
            | Reason::PossibleAtomicityViolation { span, .. } => *span,
            Reason::BoundReached(_)
            | Reason::OutOfTime
            | Reason::OutOfMemory
            | Reason::Cancelled
            | Reason::NotDecidedByEngine
            | Reason::UnsoundReduction { .. }
            | Reason::TableFull { .. }
            | Reason::PossibleEndlessWait(_)
            | Reason::Sampled(_) => None,
        }
    }

    /// The execution of an abstraction that stands behind the reason.
    pub fn abstract_steps(&self) -> &[AbstractStep] {
        match self {
            Reason::PossibleAtomicityViolation { steps, .. } => steps,
            Reason::BoundReached(_)
            | Reason::OutOfTime
            | Reason::OutOfMemory
            | Reason::Cancelled
            | Reason::Unsupported { .. }
            | Reason::Undefined { .. }
            | Reason::ThreadLimit { .. }
            | Reason::TooManyChoices { .. }
            | Reason::NotDecidedByEngine
            | Reason::WeakerMemoryOrder { .. }
            | Reason::NotProved { .. }
            | Reason::UndefinedNotExcluded { .. }
            | Reason::TryLock { .. }
            | Reason::UnclearOrder { .. }
            | Reason::UnsoundReduction { .. }
            | Reason::TableFull { .. }
            | Reason::PossibleEndlessWait(_)
            | Reason::Sampled(_) => &[],
        }
    }

    /// What to try next to decide this property: not every engine decides each.
    pub fn remedy_for(&self, property: Property) -> Remedy {
        let is_searched_for = property != Property::AtomicSets;
        match self {
            Reason::NotDecidedByEngine if !is_searched_for => {
                Remedy::OnlyEngine(EngineId::Pushdown)
            }
            Reason::NotProved { .. } if !is_searched_for => {
                Remedy::ChangeProgramOrProperties("change what is named here")
            }
            Reason::UndefinedNotExcluded { .. } if !is_searched_for => Remedy::AssumeDefined,
            Reason::BoundReached(_)
            | Reason::OutOfTime
            | Reason::OutOfMemory
            | Reason::Cancelled
            | Reason::Unsupported { .. }
            | Reason::Undefined { .. }
            | Reason::ThreadLimit { .. }
            | Reason::TooManyChoices { .. }
            | Reason::NotDecidedByEngine
            | Reason::WeakerMemoryOrder { .. }
            | Reason::NotProved { .. }
            | Reason::UndefinedNotExcluded { .. }
            | Reason::TryLock { .. }
            | Reason::UnclearOrder { .. }
            | Reason::UnsoundReduction { .. }
            | Reason::PossibleAtomicityViolation { .. }
            | Reason::TableFull { .. }
            | Reason::PossibleEndlessWait(_)
            | Reason::Sampled(_) => self.remedy(),
        }
    }

    /// What to try next.
    pub fn remedy(&self) -> Remedy {
        match self {
            Reason::BoundReached(Bound::Contexts { .. }) => Remedy::RaiseContextBound,
            Reason::BoundReached(Bound::Accesses { .. }) => Remedy::OtherEngine,
            Reason::BoundReached(Bound::Preemptions { spent, .. }) => match spent {
                None => Remedy::RaisePreemptionBound,
                Some(spent) => Reason::from(*spent).remedy(),
            },
            Reason::OutOfTime => Remedy::RaiseTimeLimit,
            Reason::OutOfMemory => Remedy::RaiseMemoryLimit,
            Reason::Cancelled => Remedy::LetRunFinish,
            Reason::Unsupported { what, .. } if names_a_definition(what) => Remedy::ChangeProgram(
                "define it in a file of yours, which takes precedence; `raddle stubs` writes one to \
                 begin with",
            ),
            Reason::Unsupported { .. } => Remedy::ChangeProgram(
                "replace the construct, or guard it so that it cannot be reached",
            ),
            Reason::Undefined { property, .. } => Remedy::MendFirst(*property),
            Reason::ThreadLimit { limit, .. } => Remedy::RaiseThreadLimit(limit.saturating_mul(2)),
            Reason::TooManyChoices { is_in_c: true, .. } => Remedy::ChangeProgram(
                "bring the value into a small range where it is made, as in `rand() % 4`, or define the \
                 function that gives it yourself, with the values that matter: your definition takes precedence",
            ),
            Reason::TooManyChoices { is_in_c: false, .. } => Remedy::ChangeProgram(
                "give the value a smaller type, as in `let a = any u8`, or choose between the \
                 values that matter",
            ),
            Reason::NotDecidedByEngine => Remedy::OtherEngineOrProperties,
            Reason::NotProved { .. } | Reason::UndefinedNotExcluded { .. } => {
                Remedy::SearchWith(EngineId::Reference)
            }
            Reason::WeakerMemoryOrder { .. } => Remedy::ChangeProgram(
                "write `seq_cst`, or leave the order out, if the algorithm allows it",
            ),
            Reason::TryLock { .. } => {
                Remedy::ChangeProgram("use a blocking acquire if the algorithm allows it")
            }
            Reason::UnclearOrder { .. } => Remedy::ChangeProgram(
                "write the order as a constant, use one size for each atomic object, or order the accesses by a \
                 lock",
            ),
            Reason::UnsoundReduction {
                reduction,
                property,
            } => Remedy::UseReduction {
                property: *property,
                // An engine may trust a reduction less than the table does.
                sound: Reduction::sound_for(*property)
                    .filter(|it| it != reduction)
                    .collect(),
            },
            Reason::PossibleAtomicityViolation { .. } => Remedy::ChangeProgram(
                "see whether the steps that are shown fit together; if values keep them apart, one lock held \
                 around the whole unit says so too",
            ),
            Reason::TableFull { .. } => Remedy::ChangeProgram(
                "make the program smaller: fewer locks, fewer threads, smaller atomic sets",
            ),
            Reason::PossibleEndlessWait(EndlessWait::OnlyHashes) => Remedy::WithoutHashes,
            Reason::PossibleEndlessWait(EndlessWait::TooManyStates { .. }) => {
                Remedy::ChangeProgram(
                    "make smaller what the other threads do while it waits: fewer threads, narrower variables",
                )
            }
            Reason::PossibleEndlessWait(EndlessWait::NotConfirmed) => Remedy::WithoutReduction,
            Reason::PossibleEndlessWait(EndlessWait::NotLookedFor { .. }) => {
                Remedy::RaisePreemptionBound
            }
            Reason::Sampled(_) => Remedy::SearchWith(EngineId::Explicit),
        }
    }
}

/// Whether all that is missing is the definition of a function or variable: what is said is its name, or that nobody
/// defines it.
fn names_a_definition(what: &str) -> bool {
    let is_name = what.len() > 2
        && what
            .strip_prefix('`')
            .and_then(|rest| rest.strip_suffix('`'))
            .is_some_and(|name| {
                name.chars()
                    .all(|it| it == '_' || it.is_ascii_alphanumeric())
            });
    is_name
        || ["a call of `", "a use of `"]
            .iter()
            .any(|it| what.starts_with(it))
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::BoundReached(Bound::Contexts { most }) => write!(
                f,
                "no violation where threads go on at most {most} times; other executions were not examined"
            ),
            Reason::BoundReached(Bound::Accesses { accesses }) => write!(
                f,
                "the unrolled threads have {accesses} accesses, too many to let a token go between them"
            ),
            Reason::BoundReached(Bound::Preemptions { most, spent }) => {
                let s = if *most == 1 { "" } else { "s" };
                write!(f, "no violation with at most {most} preemption{s}; ")?;
                match spent {
                    None => f.write_str("executions with more were not examined"),
                    Some(spent) => write!(f, "then {}", Reason::from(*spent)),
                }
            }
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
            Reason::TooManyChoices {
                values,
                is_unanalysed,
                ..
            } => {
                write!(
                    f,
                    "only a few of the {values} values of a choice were tried"
                )?;
                if *is_unanalysed {
                    f.write_str(", and which of them differ was too much work to find out")?;
                }
                Ok(())
            }
            Reason::NotDecidedByEngine => f.write_str("the engine does not decide this property"),
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
            Reason::UnclearOrder { what, .. } => write!(
                f,
                "no two accesses meet, but {what} does not tell what happens before what"
            ),
            Reason::UnsoundReduction {
                reduction,
                property,
            } => write!(
                f,
                "the reduction `{reduction}` may miss {}",
                violations(*property)
            ),
            Reason::PossibleAtomicityViolation { what, .. } => write!(
                f,
                "possible atomicity violation, not confirmed on the program: {what}"
            ),
            Reason::TableFull { of, most } => {
                write!(f, "the table of {of} is full: it has room for {most}")
            }
            Reason::PossibleEndlessWait(EndlessWait::TooManyStates { most }) => write!(
                f,
                "a thread seems to wait for ever while others run, but more than {most} states can come after that"
            ),
            Reason::PossibleEndlessWait(EndlessWait::OnlyHashes) => f.write_str(
                "threads wait while others run, or spin, and hashes of states do not tell whether they do so for ever",
            ),
            Reason::PossibleEndlessWait(EndlessWait::NotConfirmed) => f.write_str(
                "a thread seems to wait for ever while others run, which the interpreter does not confirm",
            ),
            Reason::PossibleEndlessWait(EndlessWait::NotLookedFor { preemptions }) => {
                let s = if *preemptions == 1 { "" } else { "s" };
                write!(
                    f,
                    "no threads wait for one another with at most {preemptions} preemption{s}, but whether one waits for \
                     ever while others run was not looked for"
                )
            }
            Reason::Sampled(sampled) => sampled.fmt(f),
        }
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
        Property::Uninitialized => "looks at values that were never set",
        Property::Undefined => "operations without a meaning",
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
                property: violation.property,
            },
            Stop::Unsupported { what, span } => Reason::Unsupported {
                what: what.clone(),
                span: *span,
            },
            Stop::ThreadLimit { limit, span } => Reason::ThreadLimit {
                limit: *limit,
                span: *span,
            },
            Stop::TooManyChoices {
                values,
                span,
                is_unanalysed,
            } => Reason::TooManyChoices {
                values: *values,
                span: *span,
                is_unanalysed: *is_unanalysed,
                is_in_c: false,
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
            reason.remedy(),
            Remedy::UseReduction {
                property: Property::Deadlock,
                sound: vec![Reduction::None, Reduction::Local, Reduction::Optimistic],
            }
        );
        assert!(Reason::CODES.contains(&reason.code()));
    }

    #[test]
    fn what_only_an_abstraction_admits_is_called_possible() {
        let reason = Reason::PossibleAtomicityViolation {
            what: "pattern 12 on `count` and `data` of set `S`".to_owned(),
            span: None,
            steps: vec![AbstractStep {
                process: "worker".to_owned(),
                text: "acquire `m`".to_owned(),
                span: None,
                role: AbstractRole::Lock,
            }],
        };
        assert_eq!(
            reason.to_string(),
            "possible atomicity violation, not confirmed on the program: pattern 12 on `count` and `data` of set `S`"
        );
        assert_eq!(reason.abstract_steps().len(), 1);
        assert!(Reason::CODES.contains(&reason.code()));
    }

    #[test]
    fn nobody_is_sent_to_an_engine_that_does_not_decide_the_property() {
        let reason = Reason::NotProved {
            what: "locks are not well nested".to_owned(),
            span: None,
        };
        assert_eq!(
            reason.remedy_for(Property::Race),
            Remedy::SearchWith(EngineId::Reference)
        );
        assert_eq!(
            reason.remedy_for(Property::AtomicSets),
            Remedy::ChangeProgramOrProperties("change what is named here")
        );
        let reason = Reason::NotDecidedByEngine;
        assert_eq!(
            reason.remedy_for(Property::AtomicSets),
            Remedy::OnlyEngine(EngineId::Pushdown)
        );
    }

    #[test]
    fn a_full_table_says_which_and_how_to_make_room() {
        let reason = Reason::TableFull {
            of: "decision diagrams",
            most: 100,
        };
        assert_eq!(
            reason.to_string(),
            "the table of decision diagrams is full: it has room for 100"
        );
        assert!(
            matches!(reason.remedy(), Remedy::ChangeProgram(text) if text.contains("fewer locks"))
        );
        assert!(Reason::CODES.contains(&reason.code()));
    }
}
