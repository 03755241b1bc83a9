//! What each strategy finds in small programs, and what growing saves in large ones.

use raddle_base::SourceMap;
use raddle_engine::{
    Answer, Budget, Property, Reason, Semantics, Silent, Task, Trace, Verdict, decide,
};
use raddle_engine_sample::{SampleEngine, StrategyName};
use raddle_ir::{DataModel, Program};

/// A lock is let go between two updates.
const GAP: &str = "
mutex m
var a: u8
var b: u8
thread t[2] {
  lock m { a = a + 1 }
  lock m { b = b + 1; let x = a; let y = b; assert x == y }
}
";

/// Two locks in two orders.
const CROSSED: &str = "
mutex m, n
thread t { lock m { lock n { skip } } }
thread u { lock n { lock m { skip } } }
";

/// Nobody orders two writes.
const RACE: &str = "
var x: u8
thread t[2] { x = 1 }
";

/// A loop that waits for another thread.
const SPIN: &str = "
var ready: u8
thread t {
  var seen: u8 = 0
  while seen == 0 { seen = atomic_load(ready) }
  assert seen == 0
}
thread u { atomic_store(ready, 1) }
";

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("program.rad", text);
    raddle_front_rad::read(&[(file, text)], DataModel::Lp64)
        .unwrap_or_else(|found| panic!("{text}: {found:?}"))
}

fn answer(program: &Program, property: Property, engine: &mut SampleEngine) -> Answer {
    let semantics = Semantics {
        properties: vec![property],
        ..Semantics::default()
    };
    let task = Task {
        seed: 1,
        ..Task::new(program, semantics)
    };
    decide(engine, &task, &Budget::unlimited(), &mut Silent)
}

fn found(text: &str, property: Property, strategy: StrategyName) -> Option<Trace> {
    let mut engine = SampleEngine {
        strategy,
        schedules: Some(500),
        ..SampleEngine::default()
    };
    let mut answer = answer(&program(text), property, &mut engine);
    match answer.verdicts.remove(&property)? {
        Verdict::Unsafe(trace) => Some(trace),
        Verdict::Safe(_) | Verdict::Unknown(_) => None,
    }
}

#[test]
fn every_strategy_finds_what_is_shallow() {
    for strategy in StrategyName::EXAMPLES {
        assert!(
            found(GAP, Property::Assert, strategy).is_some(),
            "{strategy}"
        );
        assert!(
            found(CROSSED, Property::Deadlock, strategy).is_some(),
            "{strategy}"
        );
        assert!(
            found(RACE, Property::Race, strategy).is_some(),
            "{strategy}"
        );
        assert!(
            found(SPIN, Property::Assert, strategy).is_some(),
            "{strategy}"
        );
    }
}

#[test]
fn no_preemption_meets_no_lock_order_and_what_is_not_found_is_unknown() {
    let strategy = StrategyName::Systematic(0);
    assert!(found(CROSSED, Property::Deadlock, strategy).is_none());
    let mut engine = SampleEngine {
        strategy,
        ..SampleEngine::default()
    };
    let answer = answer(&program(CROSSED), Property::Deadlock, &mut engine);
    let verdict = &answer.verdicts[&Property::Deadlock];
    let Verdict::Unknown(Reason::Sampled(sampled)) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(sampled.schedules, 2, "one thread comes first, or the other");
    assert!(verdict_text(verdict).contains("2 schedules, 2 of them different"));
}

fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unknown(reason) => reason.to_string(),
        Verdict::Safe(_) | Verdict::Unsafe(_) => verdict.word().to_owned(),
    }
}

#[test]
fn the_guarantee_is_told_with_its_numbers() {
    let mut engine = SampleEngine {
        strategy: StrategyName::Pct(2),
        schedules: Some(10),
        ..SampleEngine::default()
    };
    let answer = answer(&program(CROSSED), Property::Assert, &mut engine);
    let text = verdict_text(&answer.verdicts[&Property::Assert]);
    assert!(text.contains("depth 2"), "{text}");
    assert!(text.contains("1/(n*k^(d-1)) = 1/(2*"), "{text}");
    assert!(text.contains("estimate"), "{text}");
}

#[test]
fn what_two_threads_need_costs_two_threads_however_many_are_started() {
    let many = |count: u32| {
        format!(
            "
mutex m
var a: u32
var b: u32
fn work() {{
  lock m {{ a = a + 1 }}
  lock m {{ b = b + 1; let x = a; let y = b; assert x == y }}
}}
fn main() {{
  var i: u32 = 0
  while i < {count} {{
    let t = spawn work()
    detach t
    i = i + 1
  }}
}}
"
        )
    };
    let steps = |count: u32| {
        let trace = found(&many(count), Property::Assert, StrategyName::Auto);
        trace.expect("it is found").steps.len()
    };
    assert_eq!(steps(10), steps(100_000));
}

/// Of so many elements one is unprotected, and both threads have to pick it.
fn picked(count: u32) -> String {
    format!(
        "
mutex m
var cells: [u8; {count}]
thread t[2] {{
  let at: u32 = any u32
  if at < {count} {{
    if at == {special} {{ cells[at] = 1 }} else {{ lock m {{ cells[at] = 1 }} }}
  }}
}}
",
        special = count / 4 * 3
    )
}

#[test]
fn threads_that_have_to_pick_the_same_of_many_do() {
    for count in [10, 1_000, 100_000] {
        let trace = found(&picked(count), Property::Race, StrategyName::Auto);
        let steps = trace.unwrap_or_else(|| panic!("{count}")).steps.len();
        assert!(steps < 60, "{count}: {steps}");
    }
}

/// Two of many threads race, long after the first hundreds were joined.
const LATE_PAIR: &str = "
mutex m
var x: u32
fn work(number: u32) {
  if number == 300 { x = number } else { lock m { x = number } }
}
fn main() {
  var i: u32 = 0
  while i < 600 {
    let a = spawn work(i)
    let b = spawn work(i)
    join a
    join b
    i = i + 1
  }
}
";

#[test]
fn accesses_of_late_threads_are_compared_too() {
    assert!(found(LATE_PAIR, Property::Race, StrategyName::Auto).is_some());
}

/// The one that is different has to run after the first update of some other and before the second of all.
#[test]
fn the_one_thread_that_is_different_comes_between_two_statements_of_many() {
    let text = "
var a: u8
var b: u8
fn set() { atomic_store(a, 1); atomic_store(b, 1) }
fn check() { let x = atomic_load(a); let y = atomic_load(b); assert x == y }
thread t[30] { set() }
thread u { check() }
";
    assert!(found(text, Property::Assert, StrategyName::Stalls(1)).is_some());
}
