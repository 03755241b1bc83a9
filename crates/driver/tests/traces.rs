//! Traces survive their file form: written, read back, replayed.

use raddle_base::{Budget, SourceMap};
use raddle_certify::replay;
use raddle_driver::{
    EngineChoice, EngineId, Options, Property, Reduction, Report, Silent, check, load,
};
use raddle_witness::TraceFile;

const PROGRAM: &str = "\
var x: u2 = *
var p: *u8
mutex m
invariant x != 3
thread t[2] {
    let b = any u1
    atomic { let a = x; x = a +% 1 }
    if b == 1 { release m }
    acquire m
}
thread u {
    let q: *u8 = alloc u8
    *q = 1
    assert x != 2
}
";

fn sources(text: &str) -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add("traced.rad", text);
    sources
}

fn checked(text: &str) -> (SourceMap, Options, Report) {
    let options = Options {
        properties: Some(Property::ALL.to_vec()),
        ..Options::default()
    };
    let sources = sources(text);
    let report = check(sources.clone(), &options, &Budget::unlimited(), &mut Silent);
    (sources, options, report)
}

#[test]
fn a_trace_that_is_written_and_read_back_replays() {
    let (sources, options, report) = checked(PROGRAM);
    let file = report
        .trace_file()
        .expect("several properties are violated");
    let text = file.to_json();
    let read = TraceFile::from_json(&text).unwrap();
    assert_eq!(read, file);
    read.check_sources(&sources).unwrap();
    let program = load(&sources, &options).unwrap().program;
    let semantics = read.options.to_semantics().unwrap();
    let mut violated = Vec::new();
    for data in &read.traces {
        let trace = data.to_trace(&program).unwrap();
        assert_eq!(trace.steps.len(), data.steps.len());
        replay(&program, &semantics, &trace).unwrap();
        violated.push(data.property.as_str());
    }
    for property in ["assert", "race", "deadlock", "lock-misuse", "invariant"] {
        assert!(violated.contains(&property), "{violated:?}");
    }
}

#[test]
fn a_trace_of_another_program_or_version_is_refused_by_name() {
    let (_, _, report) = checked(PROGRAM);
    let file = report.trace_file().unwrap();
    let changed = sources(&PROGRAM.replace("!= 3", "!= 1"));
    assert_eq!(
        file.check_sources(&changed).unwrap_err().to_string(),
        "`traced.rad` has changed since the trace was recorded"
    );
    let newer = file
        .to_json()
        .replacen("\"version\": 1", "\"version\": 2", 1);
    assert_eq!(
        TraceFile::from_json(&newer).unwrap_err().to_string(),
        "the trace file has version 2; this version of raddle reads 1"
    );
    assert!(TraceFile::from_json("{}").is_err());
    let mut file = file;
    file.traces[0].steps[0].parts[0].function = "nobody".to_owned();
    let program = load(&sources(PROGRAM), &Options::default())
        .unwrap()
        .program;
    assert_eq!(
        file.traces[0].to_trace(&program).unwrap_err().to_string(),
        "the program has no function `nobody`"
    );
}

#[test]
fn a_trace_says_where_transactions_begin_unless_every_step_is_one() {
    let (_, _, report) = checked(PROGRAM);
    let file = report.trace_file().unwrap();
    for data in &file.traces {
        let begins = &data.transactions;
        let first = (!data.steps.is_empty()).then_some(&0);
        assert_eq!(begins.first(), first, "{}", data.property);
        assert!(begins.is_sorted_by(|a, b| a < b), "{begins:?}");
        assert!(begins.iter().all(|it| *it < data.steps.len()));
    }
    let has_several = |data: &raddle_witness::TraceData| data.transactions.len() < data.steps.len();
    assert!(file.traces.iter().any(has_several));
    let options = Options {
        // Nobody runs beside it, who might be the first on a busy machine.
        engine: EngineChoice::One(EngineId::Explicit),
        reduction: Some(Reduction::None),
        ..Options::default()
    };
    let report = check(
        sources(PROGRAM),
        &options,
        &Budget::unlimited(),
        &mut Silent,
    );
    for data in &report.trace_file().unwrap().traces {
        assert_eq!(data.transactions, [0; 0], "{}", data.property);
    }
}

#[test]
fn equal_runs_give_equal_traces_and_counters() {
    let (_, _, first) = checked(PROGRAM);
    let (_, _, second) = checked(PROGRAM);
    assert_eq!(first.trace_file(), second.trace_file());
}

#[test]
fn waiting_is_told_in_words() {
    let (_, _, report) = checked(
        "mutex m\ncondition c\nvar done: u8\n\
         thread t { lock m { wait c, m; assert false } }\n\
         thread u { lock m { signal c } }\n",
    );
    let file = report.trace_file().unwrap();
    let trace = file.traces.iter().find(|it| it.property == "assert");
    let events: Vec<&str> = trace
        .unwrap()
        .steps
        .iter()
        .flat_map(|step| &step.events)
        .map(String::as_str)
        .collect();
    for event in ["waits on `c`", "releases `m`", "goes on and takes `m`"] {
        assert!(events.contains(&event), "{events:?}");
    }
}
