//! A run that ends early keeps what it has found.

use std::time::Duration;

use raddle_base::{Budget, SourceMap};
use raddle_driver::{
    Counters, EngineChoice, EngineId, Events, Ledger, Options, Outcome, Property, Reason, Report,
    Summary, Trace, ValidOptions, check_watched,
};

const PROGRAM: &str = "\
model ilp32
var x: u8
var y: u8
atomicset S { x, y }
invariant y == 0
thread t[2] {
    let a = x
    x = a +% 1
}
";

/// Gives up at the first violation, as somebody would whose time is over.
struct Impatient {
    ledger: Ledger,
    options: ValidOptions,
    report: Option<Report>,
}

impl Events for Impatient {
    fn progress(&mut self, _counters: &Counters) {}

    fn violated(&mut self, trace: &Trace) {
        assert_eq!(trace.violation.property, Property::Race);
        self.report = Some(self.ledger.unfinished(
            &self.options,
            &Reason::OutOfTime,
            Duration::ZERO,
        ));
    }
}

fn sources() -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add("early.rad", PROGRAM);
    sources
}

#[test]
fn a_violation_is_known_with_its_trace_from_the_moment_it_is_found() {
    let ledger = Ledger::default();
    // Nobody runs beside it, who might have decided something.
    let options = ValidOptions::new(Options {
        engine: EngineChoice::One(EngineId::Explicit),
        ..Options::default()
    })
    .expect("the engine can do it");
    let mut events = Impatient {
        ledger: ledger.clone(),
        options: options.clone(),
        report: None,
    };
    let _ = check_watched(
        sources().into(),
        &options,
        &Budget::unlimited(),
        &mut events,
        &ledger,
    );
    let report = events.report.expect("there is a race");
    assert_eq!(report.summary(), Summary::Unsafe);
    let Outcome::Checked(checked) = &report.outcome else {
        panic!("{report:?}")
    };
    let verdicts: Vec<String> = checked
        .properties
        .iter()
        .map(|it| format!("{} {}", it.audited.property(), it.audited.verdict().word()))
        .collect();
    assert_eq!(
        verdicts,
        [
            "assert unknown",
            "race unsafe",
            "deadlock unknown",
            "memory unknown",
            "lock-misuse unknown",
            "uninitialized unknown",
            "undefined unknown",
            "invariant unknown",
            "atomic-sets unknown",
        ]
    );
    assert_eq!(checked.model.name(), "ilp32");
    assert_eq!(report.sources.files().count(), 1);
    assert_eq!(report.trace_file().unwrap().traces.len(), 1);
}

/// More states than anybody has time for, and a race in the first of them.
const LONG: &str = "\
var x: u64
var y: u8
thread t[2] {
    y = 1
    loop {
        let a = atomic_load(x)
        atomic_store(x, a +% 1)
    }
}
";

/// Stops the run when it hears of a verdict.
struct Satisfied {
    budget: Budget,
    decided: Vec<(Property, &'static str)>,
}

impl Events for Satisfied {
    fn progress(&mut self, _counters: &Counters) {}

    fn violated(&mut self, _trace: &Trace) {}

    fn decided(&mut self, property: Property, word: &'static str) {
        self.decided.push((property, word));
        if property == Property::Race {
            self.budget.cancel();
        }
    }
}

#[test]
fn a_verdict_is_told_once_while_the_run_goes_on() {
    for engine in [EngineChoice::Auto, EngineChoice::One(EngineId::Explicit)] {
        let mut sources = SourceMap::new();
        sources.add("long.rad", LONG);
        let options = Options {
            engine,
            properties: Some(vec![
                Property::Deadlock,
                Property::Race,
                Property::Invariant,
            ]),
            ..Options::default()
        };
        let budget = Budget::unlimited();
        let mut events = Satisfied {
            budget: budget.clone(),
            decided: Vec::new(),
        };
        // Would never come to an end.
        let report = raddle_driver::check(sources, &options, &budget, &mut events);
        assert_eq!(report.summary(), Summary::Unsafe);
        assert_eq!(events.decided, [(Property::Race, "unsafe")]);
    }
}

#[test]
fn a_run_that_ends_before_the_program_is_read_knows_nothing() {
    let report =
        Ledger::default().unfinished(&Options::default(), &Reason::Cancelled, Duration::ZERO);
    assert_eq!(report.summary(), Summary::Unknown);
    assert_eq!(
        report
            .verdict(Property::Race)
            .map(raddle_driver::Verdict::word),
        Some("unknown")
    );
}
