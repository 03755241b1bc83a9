use raddle_engine::Proof;

use super::*;
use crate::check;

const RACE: &str = "var x: u8\nthread t[2] { x = 1 }\n";

fn sources() -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add("program.rad", RACE);
    sources
}

/// Unsafe, by `explicit`.
fn violation() -> PropertyReport {
    let options = Options {
        properties: Some(vec![Property::Race]),
        ..Options::default()
    };
    let budget = Budget::unlimited();
    let report = check(sources(), &options, &budget, &mut raddle_engine::Silent);
    let Outcome::Checked(mut checked) = report.outcome else {
        panic!("it is a program");
    };
    checked.properties.remove(0)
}

/// Safe, by `bmc`.
fn proof() -> PropertyReport {
    let program = crate::load(&sources(), &Options::default())
        .expect("it is a program")
        .program;
    let verdict = Verdict::Safe(Proof::SearchExhausted(Reduction::Local));
    let semantics = Semantics::default();
    let audited = Audited::new(&program, &semantics, Property::Race, verdict);
    PropertyReport {
        audited: audited.expect("a search leaves no evidence"),
        engine: EngineId::Bmc,
        reduction: Reduction::Local,
        relies_on_search: false,
        conditions: Vec::new(),
        trace: None,
        note: None,
        more: Vec::new(),
    }
}

#[test]
fn safe_and_unsafe_is_an_internal_error_that_ends_all_runs() {
    for is_proof_first in [false, true] {
        let ledger = Ledger::default();
        let budget = Budget::unlimited();
        ledger.register_engine(EngineId::Explicit, vec![Property::Leak], budget.clone());
        let mut reports = [violation(), proof()];
        if is_proof_first {
            reports.reverse();
        }
        for report in reports {
            assert_eq!(ledger.rejected(), None);
            ledger.record_verdict(report);
        }
        let message = ledger.rejected().expect("they contradict each other");
        for part in [
            "safe by `bmc` with reduction `local`",
            "unsafe by `explicit` with reduction `optimistic`",
        ] {
            assert!(message.contains(part), "{message}");
        }
        assert!(budget.check_time().is_err(), "nothing would be believed");
    }
}

#[test]
fn a_run_ends_when_others_have_decided_all_that_it_could() {
    let ledger = Ledger::default();
    let (own, other, third) = (
        Budget::unlimited(),
        Budget::unlimited(),
        Budget::unlimited(),
    );
    ledger.register_engine(EngineId::Explicit, vec![Property::Race], own.clone());
    ledger.register_engine(EngineId::Bmc, vec![Property::Race], other.clone());
    let more = vec![Property::Race, Property::Leak];
    ledger.register_engine(EngineId::Reference, more, third.clone());
    ledger.record_verdict(violation());
    assert!(own.check_time().is_ok(), "it knows itself when to end");
    assert!(other.check_time().is_err());
    assert!(third.check_time().is_ok(), "something is open for it");
}

#[test]
fn a_run_ends_when_nothing_is_left_of_which_it_could_say_more() {
    let ledger = Ledger::default();
    let (one, other) = (Budget::unlimited(), Budget::unlimited());
    let both = vec![Property::Race, Property::Leak];
    ledger.register_engine(EngineId::Explicit, both, one.clone());
    ledger.register_engine(EngineId::Bmc, vec![Property::Leak], other.clone());
    ledger.give_up(&BTreeSet::from([Property::Leak]));
    let is_open = |it| ledger.is_open(EngineId::Explicit, it);
    assert!(!is_open(Property::Leak) && is_open(Property::Race));
    assert!(!ledger.is_decided(Property::Leak), "nobody knows");
    assert!(one.check_time().is_ok(), "something is open for it");
    assert!(other.check_time().is_err());
    ledger.record_verdict(PropertyReport {
        engine: EngineId::Bmc,
        ..violation()
    });
    assert!(one.check_time().is_err());
}

#[test]
fn a_run_ends_when_all_that_it_could_decide_is_left_to_another() {
    let ledger = Ledger::default();
    let (one, other) = (Budget::unlimited(), Budget::unlimited());
    ledger.register_engine(EngineId::Explicit, vec![Property::Race], one.clone());
    ledger.register_engine(EngineId::Bmc, vec![Property::Race], other.clone());
    ledger.leave_to(EngineId::Explicit, Property::Race);
    assert!(ledger.is_open(EngineId::Explicit, Property::Race));
    assert!(!ledger.is_open(EngineId::Bmc, Property::Race));
    assert!(one.check_time().is_ok());
    assert!(other.check_time().is_err());
}

#[test]
fn the_first_who_decides_is_named_and_no_unknown_takes_it_back() {
    let ledger = Ledger::default();
    ledger.record_verdict(violation());
    let unknown = |engine| PropertyReport {
        audited: Audited::unknown(Property::Race, Reason::OutOfTime),
        engine,
        ..proof()
    };
    ledger.record_verdict(PropertyReport {
        engine: EngineId::Bmc,
        ..violation()
    });
    ledger.record_verdict(unknown(EngineId::Explicit));
    ledger.record_verdict(unknown(EngineId::Bmc));
    assert_eq!(
        (
            ledger.decided_by(Property::Race),
            ledger.verdict_word(Property::Race)
        ),
        (Some(EngineId::Explicit), Some("unsafe"))
    );
}

fn counters(value: u64) -> Counters {
    Counters::from([("states", value)])
}

#[test]
fn runs_are_listed_as_they_were_planned_whoever_counts_first() {
    let options = Options {
        properties: Some(vec![Property::Race, Property::Leak]),
        ..Options::default()
    };
    let leaks = Decider::of(&options, Property::Leak);
    for is_finished in [false, true] {
        let ledger = Ledger::default();
        ledger.announce(Decider::of(&options, Property::Race));
        ledger.announce(leaks);
        ledger.announce(Decider::without_search());
        ledger.record_counters(Decider::of_units(), &counters(1));
        ledger.record_counters(leaks, &counters(2));
        ledger.record_counters(Decider::of(&options, Property::Race), &counters(3));
        let report = if is_finished {
            ledger.finished(&options, Duration::ZERO)
        } else {
            ledger.unfinished(&options, &Reason::OutOfTime, Duration::ZERO)
        };
        let Outcome::Checked(checked) = report.outcome else {
            panic!("nothing was refused");
        };
        assert_eq!(checked.counters, counters(3));
        let others: Vec<(EngineId, u64)> = checked
            .other_runs
            .iter()
            .map(|it| (it.engine, it.counters["states"]))
            .collect();
        assert_eq!(others, [(EngineId::Explicit, 2), (EngineId::Pushdown, 1)]);
    }
}

#[test]
fn an_engine_that_gave_up_is_heard_if_it_says_more_than_the_clock() {
    let options = Options {
        properties: Some(vec![Property::Race]),
        ..Options::default()
    };
    let given_up = |reason: Reason| PropertyReport {
        audited: Audited::unknown(Property::Race, reason),
        ..proof()
    };
    let report = |reason: Reason, is_finished: bool| {
        let ledger = Ledger::default();
        ledger.record_verdict(given_up(reason));
        let report = if is_finished {
            ledger.finished(&options, Duration::ZERO)
        } else {
            ledger.unfinished(&options, &Reason::OutOfTime, Duration::ZERO)
        };
        match report.verdict(Property::Race) {
            Some(Verdict::Unknown(reason)) => reason.code(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(report(Reason::OutOfMemory, true), "memory-limit");
    assert_eq!(report(Reason::OutOfMemory, false), "time");
    let order = || Reason::WeakerMemoryOrder { span: None };
    assert_eq!(report(order(), true), "weaker-memory-order");
    assert_eq!(report(order(), false), "weaker-memory-order");
}

#[test]
fn what_is_in_a_report_is_not_cut_short_once_more() {
    let (ledger, options) = (Ledger::default(), Options::default());
    let is_cut = || {
        let reason = Reason::OutOfTime;
        ledger
            .unfinished_yet(&options, &reason, Duration::ZERO)
            .is_some()
    };
    let _ = ledger.finished(&options, Duration::ZERO);
    assert!(!is_cut(), "the report of the run is on the way");
    let ledger = Ledger::default();
    let cut = ledger.unfinished_yet(&options, &Reason::OutOfTime, Duration::ZERO);
    assert!(cut.is_some());
}
