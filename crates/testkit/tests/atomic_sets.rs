//! Atomic sets (AS §2): what headers say of them is what the judge of traces says of many executions, and what the
//! pushdown engine says is what it says of all.

use std::fmt::Write as _;

use raddle_engine::{Answer, Budget, Engine, Proof, Silent, Task, Verdict};
use raddle_engine_wpds::{PushdownEngine, Undefined};
use raddle_ir::Program;
use raddle_ir::interpret::serializability::judge_trace;
use raddle_ir::interpret::{Effect, Interpreter, Outcome, Property, Semantics, ThreadNumber};
use raddle_tasks::header::{Header, Truth};
use raddle_testkit::{run, walk};

const EXECUTIONS: u64 = 400;
const STEPS: usize = 2_000;

/// An execution that is chosen by the seed: mostly the same thread goes on.
fn execution(program: &Program, seed: u64) -> Vec<(ThreadNumber, Vec<Effect>)> {
    let interpreter = Interpreter::new(program, Semantics::default());
    let mut state = interpreter.initial_states().unwrap_or_default().remove(0);
    let mut steps: Vec<(ThreadNumber, Vec<Effect>)> = Vec::new();
    let mut random = seed;
    let mut draw = |below: usize| {
        // Knuth's constants; the upper bits are the better ones.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap_or(0) % below
    };
    while steps.len() < STEPS {
        let successors = interpreter.successors(&state);
        let same = steps.last().and_then(|(thread, _)| {
            successors
                .iter()
                .position(|successor| successor.step.thread == *thread)
        });
        let index = match same {
            _ if successors.is_empty() => break,
            Some(same) if draw(3) != 0 => same,
            Some(_) | None => draw(successors.len()),
        };
        let successor = successors
            .into_iter()
            .nth(index)
            .expect("an index below the length");
        steps.push((successor.step.thread, successor.effects));
        match successor.outcome {
            Outcome::Next(next) => state = next,
            Outcome::Stopped(_) => break,
        }
    }
    steps
}

#[test]
fn headers_say_of_atomic_sets_what_executions_show() {
    let mut seen = [0, 0];
    for program in walk::programs(&walk::repository_root()).expect("there are programs") {
        if !program.source.contains("atomic-sets=") {
            continue;
        }
        let header = program.header().expect("headers are checked elsewhere");
        let Some(truth) = header.truth.get(&Property::AtomicSets) else {
            continue;
        };
        let loaded = run::load(&program.source, &header).expect("programs can be loaded");
        let is_broken =
            (0..EXECUTIONS).any(|seed| judge_trace(&loaded, &execution(&loaded, seed)).is_some());
        assert_eq!(*truth == Truth::Unsafe, is_broken, "{}", program.name);
        seen[usize::from(is_broken)] += 1;
    }
    assert!(seen.iter().all(|count| *count >= 4), "{seen:?}");
}

/// A program of a few threads without loops: variables of two sets, locks that may be taken again, units inside of
/// one another, calls, branches on what was read.
struct Writer {
    random: u64,
    text: String,
    names: usize,
    /// Whether there is also what the abstraction may have to give up on: locks that are tried, shared, passed on by
    /// pointers or not nested, arrays, waits, threads of a kind, starts and joins.
    is_wide: bool,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.random >> 33).unwrap_or(0) % bound
    }

    fn write(&mut self, words: std::fmt::Arguments<'_>) {
        self.text.write_fmt(words).expect("a string has room");
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        let at = self.below(words.len());
        words[at]
    }

    fn program(seed: u64, is_wide: bool) -> String {
        let mut writer = Writer {
            random: seed,
            text: "var a: u8 = 0\nvar b: u8 = 0\nvar c: u8 = 0\nmutex m\nmonitor n\n\
                   atomicset S { a, b }\natomicset T { c }\n"
                .to_owned(),
            names: 0,
            is_wide,
        };
        if is_wide {
            writer.text = writer.text.replace("S { a, b }", "S { a, b, d }");
            writer.text += "var d: [u8; 2]\nmutex k\nchecked_mutex e\nrwlock r\ncondition w\n\
                            fn h(l: *mutex, v: *u8) { lock *l { *v = 1; let y = a } }\n";
        }
        for name in ["f", "g"] {
            let unit = writer.one_of(&["", "unit ", "unit(S) ", "unit(T) "]);
            writer.write(format_args!("{unit}fn {name}() {{\n"));
            writer.block(1, 2, name == "g");
            writer.text += "}\n";
        }
        let threads = 2 + usize::from(writer.below(4) == 0);
        match writer.below(if is_wide { 4 } else { 1 }) {
            // Of one kind.
            1 => {
                writer.text += "thread t[2] {\n";
                writer.block(2, 3, true);
                writer.text += "}\n";
            }
            // Started and joined by a function that does something before, between and after.
            2 => {
                for thread in 0..threads {
                    writer.write(format_args!("fn t{thread}() {{\n"));
                    writer.block(1, 3, true);
                    writer.text += "}\n";
                }
                writer.text += "fn main() {\n";
                for thread in 0..threads {
                    writer.block(1, 1, true);
                    writer.write(format_args!("let thread{thread} = spawn t{thread}()\n"));
                }
                writer.block(1, 1, true);
                writer.text += "join thread0\n";
                writer.block(1, 1, true);
                writer.text += "}\n";
            }
            _ => {
                for thread in 0..threads {
                    writer.write(format_args!("thread t{thread} {{\n"));
                    writer.block(2, 3, true);
                    writer.text += "}\n";
                }
            }
        }
        writer.text
    }

    /// What only wide programs have.
    fn wide_statement(&mut self, depth: usize, calls: bool) {
        self.names += 1;
        let name = self.names;
        match self.below(9) {
            0 => self.write(format_args!("let x{name} = a\nd[x{name} % 2] = 1\n")),
            1 => self.text += "let y = d[1]\n".replace('y', &format!("y{name}")).as_str(),
            2 => {
                let lock = self.one_of(&["m", "k"]);
                let place = self.one_of(&["a", "b", "c", "d[0]"]);
                self.write(format_args!("h(&{lock}, &{place})\n"));
            }
            3 => {
                self.write(format_args!(
                    "let z{name} = try_acquire k\nif z{name} == 0 {{\n"
                ));
                self.block(depth.saturating_sub(1), 1, false);
                self.text += "release k\n}\n";
            }
            // Not nested.
            4 => {
                self.text += "acquire m\na = 1\nacquire k\nrelease m\n";
                self.block(0, 1, false);
                self.text += "release k\n";
            }
            5 => {
                let how = self.one_of(&["acquire_read r", "acquire_write r"]);
                self.write(format_args!("{how}\n"));
                self.block(0, 2, false);
                self.text += "release_rw r\n";
            }
            6 => {
                self.text += "acquire e\n";
                self.block(0, 2, false);
                self.text += "release e\n";
            }
            7 => {
                self.text += "lock k {\nb = 1\ntimed_wait w, k\n";
                self.block(0, 1, false);
                self.text += "}\n";
            }
            _ if calls => self.text += "g()\n",
            _ => self.text += "signal w\n",
        }
    }

    fn block(&mut self, depth: usize, most: usize, calls: bool) {
        for _ in 0..=self.below(most) {
            self.statement(depth, calls);
        }
    }

    fn statement(&mut self, depth: usize, calls: bool) {
        if self.is_wide && self.below(4) == 0 {
            return self.wide_statement(depth, calls);
        }
        let variable = self.one_of(&["a", "a", "b", "b", "c"]);
        match self.below(if depth > 0 { 12 } else { 6 }) {
            0 | 1 => {
                let value = self.names % 3;
                self.write(format_args!("{variable} = {value}\n"));
            }
            2 | 3 => {
                self.names += 1;
                let name = self.names;
                self.write(format_args!("let x{name} = {variable}\n"));
            }
            4 => self.write(format_args!("atomic {{ {variable} = {variable} + 1 }}\n")),
            5 if calls => self.text += "f()\n",
            5 => self.write(format_args!("{variable} = {variable} + 1\n")),
            6 => {
                self.names += 1;
                let name = self.names;
                self.write(format_args!(
                    "let x{name} = {variable}\nif x{name} > 0 {{\n"
                ));
                self.block(depth - 1, 2, calls);
                self.text += "}\n";
            }
            7 | 8 => {
                let lock = self.one_of(&["m", "n", "n"]);
                // A mutex that is taken again is a misuse, after which nothing is known.
                self.write(format_args!("lock {lock} {{\n"));
                self.block(depth - 1, 2, calls && lock == "n");
                self.text += "}\n";
            }
            _ => {
                let unit = self.one_of(&["unit", "unit S", "unit S", "unit T"]);
                self.write(format_args!("{unit} {{\n"));
                self.block(depth - 1, 3, calls);
                self.text += "}\n";
            }
        }
    }
}

/// Whether some execution is not serializable, all of them looked at: states with the same accesses so far to the same
/// units go on alike. `None` if there are too many.
fn some_execution_is_broken(program: &Program, most: usize) -> Option<bool> {
    let interpreter = Interpreter::new(program, Semantics::default());
    let start = interpreter.initial_states().ok()?.into_iter().next()?;
    let mut seen = std::collections::HashSet::new();
    let mut work = vec![(start, Vec::<(ThreadNumber, Vec<Effect>)>::new())];
    while let Some((state, steps)) = work.pop() {
        if judge_trace(program, &steps).is_some() {
            return Some(true);
        }
        for successor in interpreter.successors(&state) {
            let mut steps = steps.clone();
            let mut effects = successor.effects;
            effects.retain(|effect| {
                matches!(
                    effect,
                    Effect::Read { .. }
                        | Effect::Write { .. }
                        | Effect::UnitBegin { .. }
                        | Effect::UnitEnd { .. }
                )
            });
            if !effects.is_empty() {
                steps.push((successor.step.thread, effects));
            }
            let Outcome::Next(next) = successor.outcome else {
                continue;
            };
            if seen.insert((next.clone(), format!("{steps:?}"))) {
                work.push((next, steps));
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

/// Proved by the abstraction, proved by search, refuted, unknown: how many of so many random programs.
fn agreeing(programs: usize, is_wide: bool) -> [u32; 4] {
    let mut seen = [0; 4];
    let (mut looked_at, mut seed) = (0, 0);
    while looked_at < programs {
        seed += 1;
        let text = Writer::program(seed, is_wide);
        let program = run::load(&text, &Header::default())
            .unwrap_or_else(|problem| panic!("seed {seed}: {problem}\n{text}"));
        let Some(truth) = some_execution_is_broken(&program, 3_000) else {
            continue;
        };
        looked_at += 1;
        let answer = asked(&program, Undefined::Excluded);
        let kind = match &answer.verdicts[&Property::AtomicSets] {
            Verdict::Safe(Proof::OverApproximation { .. } | Proof::NothingToCheck) => 0,
            Verdict::Safe(Proof::SearchExhausted(_)) => 1,
            Verdict::Unsafe(_) => 2,
            Verdict::Unknown(_) => 3,
        };
        match kind {
            0 | 1 => assert!(!truth, "seed {seed} is not safe:\n{text}"),
            2 => assert!(truth, "seed {seed} is not unsafe:\n{text}"),
            _ => {}
        }
        seen[kind] += 1;
        // What the abstraction alone says up to the first undefined thing, whether or not there is one.
        let assumed = asked(&program, Undefined::Assumed);
        if let Verdict::Safe(_) = assumed.verdicts[&Property::AtomicSets] {
            assert!(
                !truth,
                "seed {seed} is not safe, whatever is defined:\n{text}"
            );
        }
    }
    seen
}

fn asked(program: &Program, undefined: Undefined) -> Answer {
    let task = Task {
        program,
        semantics: Semantics {
            properties: vec![Property::AtomicSets],
            ..Semantics::default()
        },
        seed: 0,
        jobs: 1,
    };
    let mut engine = PushdownEngine {
        undefined,
        ..PushdownEngine::default()
    };
    engine.decide(&task, &Budget::unlimited(), &mut Silent)
}

#[test]
fn the_pushdown_engine_says_of_random_programs_what_all_executions_show() {
    let seen = agreeing(300, false);
    assert!(seen[0] > 50 && seen[2] > 50 && seen[3] < 20, "{seen:?}");
}

#[test]
fn what_the_abstraction_gives_up_on_is_not_called_safe_for_it() {
    let seen = agreeing(300, true);
    assert!(seen[0] > 20 && seen[2] > 50, "{seen:?}");
}

/// What the engine says of AS Listing 1.
fn listing(name: &str) -> (Program, Answer) {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("there are programs");
    let test = programs
        .into_iter()
        .find(|it| it.name.ends_with(name))
        .expect("it is among the examples");
    let header = test.header().expect("it has a header");
    let program = run::load(&test.source, &header).expect("it is a program");
    let answer = asked(&program, Undefined::Excluded);
    (program, answer)
}

#[test]
fn listing_1_breaks_pattern_12_and_then_pops_an_empty_stack() {
    for name in ["as-listing1-stack.rad", "as-listing1-stack.c"] {
        let (program, answer) = listing(name);
        let said: Vec<&String> = answer.notes.iter().flat_map(|it| &it.notes).collect();
        let pattern = "pattern 12 on `S`: R1(count) W2(data) W2(count) R1(data)";
        assert!(said.iter().any(|it| *it == pattern), "{name}: {said:?}");
        let Verdict::Unsafe(trace) = &answer.verdicts[&Property::AtomicSets] else {
            panic!("{name} is not unsafe");
        };
        // The unit that was interrupted goes on alone.
        let interpreter = Interpreter::new(&program, Semantics::default());
        let mut state = interpreter.initial_states().unwrap_or_default().remove(0);
        for step in &trace.steps {
            let successor = interpreter.take(&state, step).expect("the trace replays");
            let Outcome::Next(next) = successor.outcome else {
                panic!("{name}: the trace ends early");
            };
            state = next;
        }
        let thread = trace.steps.last().expect("there are steps").thread;
        let stop = loop {
            let mut successors = interpreter.thread_successors(&state, thread);
            match successors.remove(0).outcome {
                Outcome::Next(next) => state = next,
                Outcome::Stopped(stop) => break stop,
            }
        };
        let raddle_ir::interpret::Stop::Violation(violation) = stop else {
            panic!("{name}: {stop:?}");
        };
        assert_eq!(
            violation.property,
            Property::Memory,
            "{name}: {violation:?}"
        );
        let place = &program.functions[violation.labels[0].function];
        assert_eq!(place.name, "pop", "{name}: {violation:?}");
    }
}

#[test]
fn listing_1_is_serializable_if_the_wrapper_locks_the_stack() {
    for name in [
        "as-listing1-stack-repaired.rad",
        "as-listing1-stack-repaired.c",
    ] {
        let (_, answer) = listing(name);
        let verdict = &answer.verdicts[&Property::AtomicSets];
        assert!(matches!(verdict, Verdict::Safe(_)), "{name}: {verdict:?}");
    }
}
