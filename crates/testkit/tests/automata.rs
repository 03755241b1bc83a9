//! Automata given by a user (AS §3.2): what the pushdown engine says of random ones on random programs is what all
//! executions of the interpreter show.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use raddle_base::{Budget, Id, SourceMap};
use raddle_engine::{AbstractRole, Reason, Silent, Task, Undefined, Verdict};
use raddle_engine_wpds::PushdownEngine;
use raddle_engine_wpds::abstraction::focus::Event;
use raddle_engine_wpds::given::resolve::{Given, What};
use raddle_engine_wpds::given::text;
use raddle_engine_wpds::system::AccessKind;
use raddle_ir::interpret::{
    Effect, ObjectNumber, Outcome, Property, Semantics, State, Successor, ThreadNumber,
};
use raddle_ir::{Action, GlobalId, Program, SyncOperation};
use raddle_tasks::header::Header;
use raddle_testkit::processes::Random;
use raddle_testkit::{run, units};

fn one_of(random: &mut Random, words: &[&'static str]) -> &'static str {
    words[random.below(words.len())]
}

/// Wide programs have an array, which is also accessed where the index is not known.
fn event(random: &mut Random, is_wide: bool) -> String {
    let places = ["a", "b", "c", "a or b", "d", "d[0]", "d[1]"];
    let place = one_of(random, &places[..if is_wide { 7 } else { 4 }]);
    let lock = one_of(random, &["m", "n"]);
    let function = one_of(random, &["f", "g"]);
    match random.below(10) {
        0 | 1 => format!("read {place}"),
        2 | 3 => format!("write {place}"),
        4 => format!("access {place}"),
        5 => format!("lock {lock}"),
        6 => format!("unlock {lock}"),
        7 => format!("enter {function}"),
        8 => format!("leave {function}"),
        _ => one_of(random, &["begin", "end"]).to_owned(),
    }
}

fn automaton(random: &mut Random, is_wide: bool) -> String {
    let parties = ["p", "q", "r"];
    let count = 1 + random.below(3);
    let mut text = "automaton x {\n".to_owned();
    for party in &parties[..count] {
        let _ = writeln!(text, "party {party}");
    }
    for step in 0..count.max(1 + random.below(4)) {
        let party = parties[if step < count {
            step
        } else {
            random.below(count)
        }];
        let _ = write!(text, "step {party} {}", event(random, is_wide));
        let mut word = " refusing";
        while random.below(3) == 0 {
            let party = if random.below(4) == 0 {
                "any"
            } else {
                parties[random.below(count)]
            };
            let _ = write!(text, "{word} {party} {}", event(random, is_wide));
            word = ",";
        }
        text.push('\n');
    }
    text + "}\n"
}

/// What a thread does, as far as automata can ask for it.
enum Done {
    Access(GlobalId, u64, u64, AccessKind),
    Event(Event),
    Begin,
    End,
}

fn global(program: &Program, object: ObjectNumber) -> Option<GlobalId> {
    program
        .globals
        .ids()
        .find(|it| it.index() + 1 == object.0 as usize)
}

fn takes(operation: SyncOperation) -> Option<bool> {
    match operation {
        SyncOperation::MutexAcquire
        | SyncOperation::MonitorEnter
        | SyncOperation::WaitEnd
        | SyncOperation::WaitEndTimed => Some(true),
        SyncOperation::MutexRelease | SyncOperation::MonitorExit | SyncOperation::WaitBegin => {
            Some(false)
        }
        _ => None,
    }
}

/// In the order in which it is done.
fn done(program: &Program, state: &State, successor: &Successor) -> Vec<Done> {
    let thread = successor.step.thread;
    let part = &successor.step.parts[0];
    let action = &program.edge(part.function, part.edge).action;
    let mut depth = state.threads[&thread].units.len();
    let mut done = Vec::new();
    for effect in &successor.effects {
        match effect {
            Effect::Read {
                object, offset, ty, ..
            } => {
                let size = ty.size(program.model);
                let at = global(program, *object);
                done.extend(at.map(|it| Done::Access(it, *offset, size, AccessKind::Read)));
            }
            Effect::Write {
                object, offset, ty, ..
            } => {
                let size = ty.size(program.model);
                let at = global(program, *object);
                done.extend(at.map(|it| Done::Access(it, *offset, size, AccessKind::Write)));
            }
            Effect::UnitBegin { .. } => {
                depth += 1;
                done.extend((depth == 1).then_some(Done::Begin));
            }
            Effect::UnitEnd { .. } => {
                depth -= 1;
                done.extend((depth == 0).then_some(Done::End));
            }
            Effect::Synchronize { object, offset, .. } => {
                if let Action::Sync { operation, .. } = action
                    && let Some(is_taken) = takes(*operation)
                    && let Some(lock) = global(program, *object)
                {
                    done.push(Done::Event(if is_taken {
                        Event::Take(lock, *offset)
                    } else {
                        Event::Give(lock, *offset)
                    }));
                }
            }
            _ => {}
        }
    }
    let before = &state.threads[&thread].frames;
    if let Outcome::Next(next) = &successor.outcome {
        let after = next.threads.get(&thread).map(|it| it.frames.as_slice());
        let after = after.unwrap_or(&[]);
        if after.len() > before.len() {
            let called = after.last().expect("there is one more").function;
            done.push(Done::Event(Event::Enter(called)));
        }
        if after.len() < before.len() {
            let left = before.last().expect("there was one more").function;
            done.push(Done::Event(Event::Leave(left)));
        }
    }
    done
}

fn is_it(given: &Given, what: &What, done: &Done) -> bool {
    match (what, done) {
        (What::Begin, Done::Begin) | (What::End, Done::End) => true,
        (What::Event(event), Done::Event(done)) => given.focus.events[*event] == *done,
        (What::Access { members, kind }, Done::Access(global, offset, size, how)) => {
            let touches = members.iter().any(|index| {
                let member = &given.focus.members[*index];
                member.global == *global
                    && *offset < member.offset + member.size
                    && member.offset < offset + size
            });
            touches && kind.is_none_or(|kind| kind == *how)
        }
        _ => false,
    }
}

/// How far an automaton has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Monitor {
    phase: usize,
    parties: Vec<Option<ThreadNumber>>,
    /// Who cannot be a party any more, because of what it did.
    excluded: BTreeSet<(usize, ThreadNumber)>,
}

impl Monitor {
    /// What it may be after something was done: it was the step, or it was not.
    fn after(&self, given: &Given, thread: ThreadNumber, done: &Done) -> Vec<Monitor> {
        let Some(step) = given.steps.get(self.phase) else {
            return vec![self.clone()];
        };
        let mut found = Vec::new();
        let is_free = self.parties[step.party].is_none()
            && !self.parties.contains(&Some(thread))
            && !self.excluded.contains(&(step.party, thread));
        let is_party = is_free || self.parties[step.party] == Some(thread);
        if is_party && is_it(given, &step.what, done) {
            let mut next = self.clone();
            next.parties[step.party] = Some(thread);
            next.phase += 1;
            found.push(next);
        }
        let mut stays = self.clone();
        for (party, what) in &step.refused {
            if !is_it(given, what, done) {
                continue;
            }
            match party {
                None => return found,
                Some(party) if self.parties[*party] == Some(thread) => return found,
                Some(party) => {
                    stays.excluded.insert((*party, thread));
                }
            }
        }
        found.push(stays);
        found
    }
}

/// Whether some execution is accepted; `None` if there are too many.
fn some_execution_is_accepted(program: &Program, given: &Given, most: usize) -> Option<bool> {
    let interpreter = raddle_stepper::definition(program, Semantics::default());
    let start = interpreter.initial_states().ok()?.into_iter().next()?;
    let monitor = Monitor {
        parties: vec![None; given.parties.len()],
        ..Monitor::default()
    };
    let mut seen = HashSet::from([(start.clone(), monitor.clone())]);
    let mut work = vec![(start, monitor)];
    while let Some((state, monitor)) = work.pop() {
        for successor in interpreter.successors(&state) {
            let mut monitors = vec![monitor.clone()];
            for done in done(program, &state, &successor) {
                monitors = monitors
                    .iter()
                    .flat_map(|it| it.after(given, successor.step.thread, &done))
                    .collect();
            }
            if monitors.iter().any(|it| it.phase == given.steps.len()) {
                return Some(true);
            }
            let Outcome::Next(next) = successor.outcome else {
                continue;
            };
            for monitor in monitors {
                if seen.insert((next.clone(), monitor.clone())) {
                    work.push((next.clone(), monitor));
                }
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

/// Without sets, so that there is nothing but the automaton to decide.
fn program(seed: u64, is_wide: bool) -> (String, Program) {
    let text = units::program(seed, is_wide);
    let lines = text.lines().filter(|it| !it.starts_with("atomicset"));
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    let text = ["unit(S)", "unit(T)", "unit S", "unit T"]
        .iter()
        .fold(text, |text, set| text.replace(set, "unit"));
    let program = run::load(&text, &Header::default())
        .unwrap_or_else(|problem| panic!("seed {seed}: {problem}\n{text}"));
    (text, program)
}

/// Proved, possible and so, possible and not so.
fn agreeing(cases: usize, is_wide: bool) -> [u32; 3] {
    let mut seen = [0; 3];
    let (mut looked_at, mut seed) = (0, 0);
    while looked_at < cases {
        seed += 1;
        let (source, program) = program(seed, is_wide);
        let written = automaton(&mut Random(seed), is_wide);
        let file = SourceMap::new().add("x.phases", written.as_str());
        let automata = text::read(file, &written)
            .unwrap_or_else(|it| panic!("seed {seed}: {}\n{written}", it.message));
        assert_eq!(
            strip(&text::print(&automata)),
            strip(&written),
            "seed {seed}"
        );
        let given = Given::new(&program, &automata[0])
            .unwrap_or_else(|it| panic!("seed {seed}: {}\n{written}", it.message));
        let Some(truth) = some_execution_is_accepted(&program, &given, 4_000) else {
            continue;
        };
        looked_at += 1;
        let task = Task::new(
            &program,
            Semantics {
                properties: vec![Property::AtomicSets],
                ..Semantics::default()
            },
        );
        let mut engine = PushdownEngine {
            undefined: Undefined::Assumed,
            automata: vec![given],
            ..PushdownEngine::default()
        };
        let answer = raddle_engine::decide(&mut engine, &task, &Budget::unlimited(), &mut Silent);
        match &answer.verdicts[&Property::AtomicSets] {
            Verdict::Safe(_) => {
                assert!(!truth, "seed {seed} is accepted:\n{written}\n{source}");
                seen[0] += 1;
            }
            Verdict::Unknown(Reason::PossibleAtomicityViolation { steps, .. }) => {
                let marked = steps.iter().filter(|it| it.role == AbstractRole::Marked);
                let is_shown = marked.count() == automata[0].steps.len();
                assert!(is_shown, "seed {seed} has no witness:\n{written}\n{source}");
                seen[if truth { 1 } else { 2 }] += 1;
            }
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    seen
}

fn strip(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn no_execution_is_accepted_by_an_automaton_that_is_called_safe() {
    let seen = agreeing(250, false);
    assert!(seen[0] > 60 && seen[1] > 30, "{seen:?}");
    // Values keep few steps apart in these programs.
    assert!(seen[2] < seen[1], "{seen:?}");
}

#[test]
fn none_is_either_where_the_abstraction_gives_up_on_locks() {
    let seen = agreeing(350, true);
    assert!(seen[0] > 30 && seen[1] > 30, "{seen:?}");
}

/// Whether the automaton accepts an interleaving of the abstraction, and an execution of the program.
fn is_possible(source: &str, automaton: &str) -> (bool, bool) {
    let program = run::load(source, &Header::default()).expect("it is a program");
    let file = SourceMap::new().add("x.phases", automaton);
    let automata = text::read(file, automaton).expect("it is an automaton");
    let given = Given::new(&program, &automata[0]).expect("its names are known");
    let truth = some_execution_is_accepted(&program, &given, 100_000).expect("it is small");
    let task = Task::new(
        &program,
        Semantics {
            properties: vec![Property::AtomicSets],
            ..Semantics::default()
        },
    );
    let mut engine = PushdownEngine {
        undefined: Undefined::Assumed,
        automata: vec![given],
        ..PushdownEngine::default()
    };
    let answer = raddle_engine::decide(&mut engine, &task, &Budget::unlimited(), &mut Silent);
    let verdict = &answer.verdicts[&Property::AtomicSets];
    (!matches!(verdict, Verdict::Safe(_)), truth)
}

#[test]
fn what_is_not_surely_meant_is_not_refused() {
    let source = "\
var d: [u8; 2]
var at: u8
var x: u8
var c: u8
mutex k
thread unknown { let i = at; d[i % 2] = 1 }
thread holder { lock k { at = 0 } }
thread other { let y = d[1]; x = 1 }
thread tries { let z = try_acquire k; x = 2 }
thread swaps { let z = compare_exchange(c, 1, 2); x = 3 }
";
    // One cell of two elements, an attempt that fails, an exchange that finds something else.
    for (party, refused) in [
        ("other", "access d[0], p write d[1]"),
        ("tries", "lock k"),
        ("swaps", "write c"),
    ] {
        let text =
            format!("automaton x {{ party p is {party} step p write x refusing p {refused} }}\n");
        assert_eq!(is_possible(source, &text), (true, true), "{text}");
    }
    // What is surely meant is.
    for (party, refused) in [
        ("other", "read d"),
        ("swaps", "read c"),
        ("holder", "lock k"),
    ] {
        let written = if party == "holder" { "at" } else { "x" };
        let text = format!(
            "automaton x {{ party p is {party} step p write {written} refusing p {refused} }}\n"
        );
        assert!(!is_possible(source, &text).0, "{text}");
    }
}
