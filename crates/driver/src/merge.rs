//! What several engines say about one property, as one verdict.
//!
//! - Safe and unsafe at once is a bug of ours, and no verdict follows.
//! - Of two reasons for knowing nothing, one that tells something about the program says more than one that tells that
//!   the budget is spent, and both say more than that an engine does not decide such properties. What one engine does
//!   not support another may, so that says no more than a spent budget. Of two reasons that say equally much the one of
//!   `explicit` is shown, whose limits are easier to change: states can be made fewer.

use raddle_engine::{EngineId, Reason, Verdict};

use crate::report::PropertyReport;

/// What is wrong if these two verdicts on a property were both right.
pub(crate) fn contradiction(one: &PropertyReport, other: &PropertyReport) -> Option<String> {
    let is_contradiction = matches!(
        (one.audited.verdict(), other.audited.verdict()),
        (Verdict::Safe(_), Verdict::Unsafe(_)) | (Verdict::Unsafe(_), Verdict::Safe(_))
    );
    is_contradiction.then(|| {
        let said = |it: &PropertyReport| {
            let word = it.audited.verdict().word();
            format!("{word} by {}", it.decider())
        };
        let property = one.audited.property();
        format!("`{property}` is {}, but {}", said(one), said(other))
    })
}

/// Whether the first reason is the better one to show.
pub(crate) fn says_more(one: &PropertyReport, other: &PropertyReport) -> bool {
    let worth = |report: &PropertyReport| match report.audited.verdict() {
        Verdict::Unknown(reason) => worth(reason),
        Verdict::Safe(_) | Verdict::Unsafe(_) => Worth::Program,
    };
    let is_preferred = |report: &PropertyReport| report.engine == EngineId::Explicit;
    (worth(one), is_preferred(one)) > (worth(other), is_preferred(other))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// Nobody tried.
    Untried,
    /// Somebody tried until he had to stop.
    Stopped,
    /// The program does something that no search gets past.
    Program,
}

fn worth(reason: &Reason) -> Worth {
    match reason {
        Reason::NotDecidedByEngine | Reason::UnsoundReduction { .. } => Worth::Untried,
        Reason::Cancelled
        | Reason::BoundReached(_)
        | Reason::OutOfTime
        | Reason::OutOfMemory
        | Reason::TableFull { .. }
        | Reason::PossibleEndlessWait(_)
        | Reason::Sampled(_)
        | Reason::TooManyChoices { .. }
        | Reason::Unsupported { .. } => Worth::Stopped,
        Reason::Undefined { .. }
        | Reason::ThreadLimit { .. }
        | Reason::WeakerMemoryOrder { .. }
        | Reason::NotProved { .. }
        | Reason::UndefinedNotExcluded { .. }
        | Reason::TryLock { .. }
        | Reason::UnclearOrder { .. }
        | Reason::PossibleAtomicityViolation { .. } => Worth::Program,
    }
}

#[cfg(test)]
mod tests {
    use raddle_certify::Audited;
    use raddle_engine::{Proof, Reduction};
    use raddle_ir::interpret::Property;

    use super::*;

    fn report(engine: EngineId, reason: Reason) -> PropertyReport {
        PropertyReport {
            audited: Audited::unknown(Property::Assert, reason),
            engine,
            reduction: Reduction::None,
            relies_on_search: false,
            conditions: Vec::new(),
            trace: None,
            note: None,
            more: Vec::new(),
        }
    }

    fn unsupported() -> Reason {
        Reason::Unsupported {
            what: "something".to_owned(),
            span: None,
        }
    }

    /// Whose reason is shown, whoever comes first.
    fn shown(explicit: Reason, bmc: Reason) -> EngineId {
        let (one, other) = (
            report(EngineId::Explicit, explicit),
            report(EngineId::Bmc, bmc),
        );
        let is_first = says_more(&one, &other);
        assert_ne!(is_first, says_more(&other, &one), "the order decides");
        if is_first {
            EngineId::Explicit
        } else {
            EngineId::Bmc
        }
    }

    #[test]
    fn what_is_known_about_the_program_says_more_than_a_spent_budget() {
        let undefined = || Reason::Undefined {
            what: "a division by zero".to_owned(),
            span: None,
            property: Property::Undefined,
        };
        assert_eq!(shown(Reason::OutOfTime, undefined()), EngineId::Bmc);
        assert_eq!(shown(undefined(), Reason::OutOfTime), EngineId::Explicit);
        assert_eq!(shown(undefined(), undefined()), EngineId::Explicit);
        assert_eq!(
            shown(Reason::NotDecidedByEngine, Reason::OutOfTime),
            EngineId::Bmc
        );
        let choices = Reason::TooManyChoices {
            values: 1 << 32,
            span: None,
            is_unanalysed: false,
            is_in_c: false,
        };
        assert_eq!(shown(choices, unsupported()), EngineId::Explicit);
    }

    #[test]
    fn what_one_engine_does_not_support_more_time_may_decide_in_another() {
        assert_eq!(shown(Reason::OutOfTime, unsupported()), EngineId::Explicit);
        assert_eq!(shown(unsupported(), Reason::OutOfTime), EngineId::Explicit);
    }

    #[test]
    fn verdicts_contradict_each_other_only_if_both_are_decided() {
        let program = {
            let mut sources = raddle_base::SourceMap::new();
            sources.add("program.rad", "thread t { skip }\n");
            crate::load(&sources, &crate::Options::default())
                .expect("it is a program")
                .program
        };
        let safe = PropertyReport {
            audited: Audited::new(
                &program,
                &raddle_engine::Semantics::default(),
                Property::Assert,
                Verdict::Safe(Proof::SearchExhausted(Reduction::None)),
            )
            .expect("a search leaves no evidence"),
            ..report(EngineId::Bmc, Reason::OutOfTime)
        };
        assert_eq!(contradiction(&safe, &safe), None);
        assert_eq!(
            contradiction(&safe, &report(EngineId::Explicit, unsupported())),
            None
        );
    }
}
