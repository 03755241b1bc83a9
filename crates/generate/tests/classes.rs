//! Of undetermined values the stepper tries one of each class, as the definition does where there are too many. That nothing is
//! left out is seen by comparing with all values, on types that are small enough to try all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use raddle_base::SourceMap;
use raddle_generate::{Profile, Random, generate};
use raddle_ir::interpret::{Interpreter, Outcome, Property, Semantics, State, Stop};
use raddle_ir::{DataModel, FunctionId, LocationId, Program};

/// What all executions show, up to the values of registers and cells.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shown {
    violated: BTreeSet<(Property, String)>,
    stops: BTreeSet<String>,
    controls: BTreeSet<Control>,
}

/// Where the threads stand, which objects live, and what synchronisation objects look like.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Control {
    stands: Vec<Vec<(FunctionId, LocationId)>>,
    objects: Vec<(u32, bool, String)>,
    has_ended: bool,
}

impl Control {
    fn of(state: &State) -> Self {
        let frames = |it: &raddle_ir::interpret::Thread| {
            let frames = it.frames.iter();
            frames.map(|it| (it.function, it.location)).collect()
        };
        let objects = state.objects.iter();
        Self {
            stands: state.threads.values().map(|it| frames(it)).collect(),
            objects: objects
                .map(|(number, it)| (number.0, it.is_live, format!("{:?}", it.syncs)))
                .collect(),
            has_ended: state.has_ended,
        }
    }
}

struct Explored {
    shown: Shown,
    states: usize,
    /// The values that were tried.
    values: BTreeSet<u128>,
    /// Somewhere only telling values were tried.
    is_partial: bool,
}

/// Everything that can happen by the definition, which tries so many values of a choice, or `None` if it is more than `limit` states.
fn explore(program: &Program, max_choices: u64, limit: usize) -> Option<Explored> {
    let semantics = Semantics {
        max_choices,
        ..Semantics::default()
    };
    explore_with(&raddle_stepper::definition(program, semantics), limit)
}

fn explore_with(interpreter: &Interpreter<'_>, limit: usize) -> Option<Explored> {
    let mut explored = Explored {
        shown: Shown::default(),
        states: 0,
        values: BTreeSet::new(),
        is_partial: false,
    };
    let Ok(mut open) = interpreter.initial_states() else {
        explored.is_partial = true;
        return Some(explored);
    };
    let mut seen: BTreeSet<State> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        explored.states += 1;
        if seen.len() > limit {
            return None;
        }
        let successors = interpreter.successors(&state);
        let mut violations = interpreter.judge_with(&state, &successors);
        explored.shown.controls.insert(Control::of(&state));
        for successor in successors {
            explored
                .values
                .extend(successor.step.parts.iter().filter_map(|it| it.choice));
            violations.extend(successor.violations);
            match successor.outcome {
                Outcome::Next(next) => {
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
                Outcome::Stopped(Stop::Violation(violation)) => violations.push(violation),
                Outcome::Stopped(Stop::TooManyChoices { .. }) => explored.is_partial = true,
                Outcome::Stopped(stop) => {
                    explored.shown.stops.insert(format!("{stop:?}"));
                }
            }
        }
        for violation in violations {
            let seen = (violation.property, violation.message);
            explored.shown.violated.insert(seen);
        }
    }
    Some(explored)
}

fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.rad", text);
    raddle_front_rad::read(&[(file, text)], DataModel::Lp64)
        .unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{text}"))
}

/// Compares all values with one of each class. Says whether there was something to compare.
#[track_caller]
fn compare(program: &Program, limit: usize, text: impl Fn() -> String) -> bool {
    let Some(all) = explore(program, 1 << 16, limit) else {
        return false;
    };
    assert!(!all.is_partial, "types are small\n{}", text());
    let stepper = raddle_stepper::stepper(program, Semantics::default());
    let stepped = explore_with(&stepper, limit).expect("classes give no more states than values");
    assert!(!stepped.is_partial, "types are small\n{}", text());
    assert!(stepped.states <= all.states, "{}", text());
    assert_eq!(stepped.shown, all.shown, "{}", text());
    let some = explore(program, 1, limit).expect("classes give no more states than values");
    if some.is_partial {
        return false;
    }
    assert!(some.states <= all.states, "{}", text());
    assert_eq!(some.shown, all.shown, "{}", text());
    some.states < all.states
}

/// A function body about an undetermined `x: i8`, and how many of its 256 values are tried.
const CASES: [(&str, usize); 48] = [
    // Nobody looks.
    ("skip", 1),
    ("x = 3; if x > 2 { flag = 1 }", 1),
    ("let y = x; y = 1; assert y == 1", 1),
    ("emit \"{}\", x", 1),
    ("g = x", 1),
    ("let y = x *% 3; y = y & 7", 1),
    // Comparisons.
    ("if x > 5 { flag = 1 }", 3),
    ("if x != 0 { flag = 1 }", 2),
    ("if x == 0 { flag = 1 }", 2),
    ("if x == 7 or 9 <= x { flag = 1 }", 5),
    ("if x < -128 { flag = 1 }", 2),
    ("if x <= 127 { flag = 1 }", 2),
    ("if (x as u8) > 200 { flag = 1 }", 2),
    ("if (x as u8) > 200 and x > -20 { flag = 1 }", 4),
    ("let b = x > 3; if !b { flag = 1 }", 3),
    ("let c = x == 4 ? 1u8 : 2u8; a[c] = 1", 3),
    // Other widths.
    ("if (x as i16) > 127 { flag = 1 }", 2),
    ("if (x as u16) > 1000 { flag = 1 }", 2),
    ("if (x as u8 as u16) == 255 { flag = 1 }", 2),
    ("if (x as u2) == 3 { flag = 1 }", 4),
    ("if (x as bool) { flag = 1 }", 2),
    // Arithmetic, where it overflows too.
    ("let y = x + 1", 4),
    ("let y = x +% 1; if y == 0 { flag = 1 }", 2),
    ("if x - 1 == 4 { flag = 1 }", 6),
    ("let y = -x", 4),
    ("if 3 - x > 0 { flag = 1 }", 5),
    ("if ~x == 4 { flag = 1 }", 3),
    ("if x % 3 == 1 { flag = 1 }", 6),
    ("if x % 2 == 0 and x > 10 { flag = 1 }", 6),
    ("if (x & 1) == 1 { flag = 1 }", 2),
    ("let y = 5 % x", 256),
    ("let y = 1i8 << x", 256),
    ("let y = x / x", 256),
    ("if x * x > 3 { flag = 1 }", 256),
    ("if x < h { flag = 1 }", 256),
    ("while x > 0 { x = x - 1 }", 129),
    // Addresses, with and without a guard.
    ("a[x] = 1", 256),
    ("if 0 <= x and x < 4 { a[x] = 1 }", 6),
    ("only_if(0 <= x and x < 4); a[x] = 1", 6),
    ("only_if_small(x); a[x] = 1", 6),
    // Calls and memory.
    ("let y = twice_checked(x); if y == 3 { flag = 1 }", 5),
    ("changed(x); if x == 3 { flag = 1 }", 3),
    (
        "let t = spawn same(x); let y: i8 = join t; if y > 5 { flag = 1 }",
        3,
    ),
    (
        "let t = spawn leaves_with(x); let y: i8 = join t; if y > 5 { flag = 1 }",
        3,
    ),
    (
        "let f = &same; let y: i8 = call f(x); if y > 5 { flag = 1 }",
        5,
    ),
    ("g = x; let y = g; if y > 5 { flag = 1 }", 3),
    ("s.low = x; let y = s.both; if y > 5 { flag = 1 }", 256),
    ("let p = &t; *p = x; let y = t; if y > 5 { flag = 1 }", 256),
];

fn case(body: &str, ty: &str) -> String {
    format!(
        "union S {{ low: i8; both: i16 }}
         var g: i8; var h: i8 = 3; var t: i8; var s: S; var a: [u8; 4]; var flag: u8
         fn only_if(c: bool) {{ if !c {{ abort }} }}
         fn only_if_small(c: {ty}) {{ if c < 0 {{ abort }} assume c <= 3; return }}
         fn twice_checked(p: {ty}) -> {ty} {{ if p == 7 {{ flag = 2 }} return p }}
         fn changed(c: {ty}) {{ c = 5; if c != 5 {{ abort }} }}
         fn same(p: {ty}) -> {ty} {{ return p }}
         fn leaves_with(p: {ty}) -> {ty} {{ exit_thread p }}
         fn main() {{ let x: {ty}; havoc x; {body} }}
         fn other() {{ let seen = flag }}
         start other = other()\n"
    )
}

#[test]
fn as_many_values_are_tried_as_are_told_apart() {
    let found: Vec<_> = CASES
        .iter()
        .map(|(body, _)| {
            let program = read(&case(body, "i8"));
            let explored = explore(&program, 255, 10_000).expect("small");
            assert!(!explored.is_partial, "{body}");
            (*body, explored.values.len())
        })
        .collect();
    assert_eq!(found, CASES);
}

#[test]
fn one_value_of_each_class_shows_what_all_values_show() {
    for (body, values) in CASES {
        let text = case(body, "i8");
        let compared = compare(&read(&text), 100_000, || text.clone());
        assert_eq!(compared, values < 256, "{body}");
    }
}

#[test]
fn one_value_of_each_class_shows_what_all_values_show_of_random_programs() {
    let mut compared = 0;
    for seed in 0..600 {
        let text = Weaver::new(seed).program();
        let program = read(&text);
        compared += usize::from(compare(&program, 1500, || format!("seed {seed}:\n{text}")));
    }
    assert!(compared > 100, "only {compared} had classes");
}

#[test]
fn one_value_of_each_class_shows_what_all_values_show_of_woven_programs() {
    let mut compared = 0;
    for seed in 0..300 {
        let program = generate(seed, &Profile::default());
        let text = || format!("seed {seed}:\n{}", raddle_ir::print::print(&program));
        compared += usize::from(compare(&program, 1000, text));
    }
    assert!(compared > 3, "only {compared} had classes");
}

#[test]
fn values_of_every_width_cost_the_same() {
    let bodies = [
        ("let x: T; havoc x; if x > 5 { flag = 1 }", 2),
        (
            "let x: T; let y: T; havoc x; havoc y; if x > 5 and y == 3 { flag = 1 }",
            4,
        ),
        ("if g > 5 { flag = 1 }", 2),
        ("if g > 5 and h < 2 { flag = 1 }", 4),
    ];
    for (body, values) in bodies {
        let states: Vec<usize> = ["u4", "u8", "u12", "u16", "u24", "u32", "u64"]
            .into_iter()
            .map(|ty| {
                let text =
                    format!("var flag: u8\nvar g: T = *\nvar h: T = *\nfn main() {{ {body} }}");
                let program = read(&text.replace('T', ty));
                let stepper = raddle_stepper::stepper(&program, Semantics::default());
                let explored = explore_with(&stepper, 1_000).expect("few classes");
                assert!(!explored.is_partial, "{body}");
                explored.states
            })
            .collect();
        assert!(
            states.iter().all(|it| *it == states[0]),
            "{body}: {states:?}"
        );
        assert!(states[0] >= values, "{body}: {states:?}");
    }
}

#[test]
fn an_initial_state_is_called_as_the_definition_calls_it() {
    for (types, states) in [
        (["u4", "u5"], 4),
        (["u8", "u16"], 4),
        (["u16", "u3"], 4),
        (["u32", "u64"], 4),
    ] {
        let [g, h] = types;
        let text = format!(
            "var g: {g} = *\nvar h: {h} = *\nvar flag: u8\nfn main() {{ if g > 5 and h < 2 {{ flag = 1 }} }}"
        );
        let program = read(&text);
        let stepper = raddle_stepper::stepper(&program, Semantics::default());
        let definition = raddle_stepper::definition(&program, Semantics::default());
        let begun = stepper.numbered_initial_states().expect("few classes");
        assert_eq!(begun.len(), states, "{types:?}");
        for (number, state) in begun {
            assert_eq!(
                definition.initial_state(number),
                Some(state),
                "{types:?} {number}"
            );
        }
    }
}

/// A number may look like the only pointer to an object. That of a class none is picked that does is seen by the loss.
#[test]
fn no_value_hides_that_memory_is_lost() {
    let bodies = [
        ("if x < 0 { p = null }", true),
        ("if x >= 192 { p = null }", true),
        ("if x < -3 { p = null }", true),
        // Here no value can be picked, so that something must be left open.
        ("let y = x -% 1073741824; if x >= 0 { p = null }", false),
    ];
    for (body, is_whole) in bodies {
        let text = format!(
            "model ilp32\nvar g: i32; fn main() {{ let p = alloc u32; let x = any i32; g = x; {body} }}"
        );
        let explored = explore(&read(&text), 1 << 16, 1000).expect("small");
        assert_eq!(!explored.is_partial, is_whole, "{body}");
        let is_lost = |(property, message): &(Property, String)| {
            *property == Property::Memory && message.starts_with("no pointer")
        };
        let violated = &explored.shown.violated;
        assert!(!is_whole || violated.iter().any(is_lost), "{body}");
    }
}

const TYPES: [&str; 4] = ["i3", "u3", "i4", "u5"];

/// Random programs about undetermined values.
struct Weaver {
    random: Random,
    text: String,
    havocs: usize,
}

impl Weaver {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            text: String::new(),
            havocs: 0,
        }
    }

    /// One variable of each type, a function of each type, two threads.
    fn program(mut self) -> String {
        for ty in TYPES {
            let initial = if self.random.chance(10) { "*" } else { "1" };
            let _ = writeln!(self.text, "var g_{ty}: {ty} = {initial}");
        }
        self.text.push_str("mutex m\nvar a: [u8; 3]\n");
        if self.random.chance(15) {
            let condition = self.comparison(&BTreeMap::from([("i4", "g_i4")]), 1);
            let _ = writeln!(self.text, "invariant {condition}");
        }
        for ty in TYPES {
            let _ = writeln!(self.text, "fn f_{ty}(p_{ty}: {ty}) -> {ty} {{");
            let registers = BTreeMap::from([(ty, format!("p_{ty}"))]);
            let registers: BTreeMap<&str, &str> = registers
                .iter()
                .map(|(ty, it)| (*ty, it.as_str()))
                .collect();
            if self.random.chance(60) {
                let condition = self.comparison(&registers, 1);
                let way = *self
                    .random
                    .pick(&["abort", "exit_thread", "skip", "g_i3 = 2"]);
                let _ = writeln!(self.text, "if {condition} {{ {way} }}");
            }
            let value = self.value(ty, &registers, 1);
            let _ = writeln!(self.text, "return {value}\n}}");
        }
        for thread in ["first", "second"] {
            let _ = writeln!(self.text, "thread {thread} {{");
            let mut registers = BTreeMap::new();
            for (ty, name) in TYPES.iter().zip(["v", "w", "x", "y"]) {
                let _ = writeln!(self.text, "let {name}: {ty} = 1");
                registers.insert(*ty, name);
            }
            let count = if thread == "first" { 6 } else { 2 };
            self.block(count, 2, &registers);
            self.text.push_str("}\n");
        }
        self.text
    }

    fn block(&mut self, count: usize, depth: usize, registers: &BTreeMap<&str, &str>) {
        for _ in 0..count {
            self.statement(depth, registers);
        }
    }

    fn statement(&mut self, depth: usize, registers: &BTreeMap<&str, &str>) {
        let ty = *self.random.pick(&TYPES);
        let register = registers[ty];
        let kind = self.random.below(if depth == 0 { 10 } else { 14 });
        let line = match kind {
            0..=2 if self.havocs < 3 => {
                self.havocs += 1;
                format!("havoc {register}")
            }
            0..=2 => format!("{register} = {}", self.value(ty, registers, 2)),
            3 => format!("g_{ty} = {}", self.value(ty, registers, 1)),
            4 => format!("{register} = g_{ty}"),
            5 => format!("{register} = f_{ty}({})", self.value(ty, registers, 1)),
            6 => format!("assert {}", self.condition(registers, 1)),
            7 => format!("assume {}", self.condition(registers, 1)),
            8 if self.random.chance(40) => format!("a[{register}] = 1"),
            8 => format!("{} m", self.random.pick(&["acquire", "release"])),
            9 => format!("emit \"{{}}\", {}", self.value(ty, registers, 1)),
            10..=12 => {
                let condition = self.condition(registers, 2);
                let _ = writeln!(self.text, "if {condition} {{");
                self.block(2, depth - 1, registers);
                self.text.push_str("} else {\n");
                self.block(1, depth - 1, registers);
                "}".to_owned()
            }
            _ => {
                let condition = self.condition(registers, 1);
                let _ = writeln!(self.text, "while {condition} {{");
                self.block(1, depth - 1, registers);
                "}".to_owned()
            }
        };
        let _ = writeln!(self.text, "{line}");
    }

    fn constant(&mut self, ty: &str) -> String {
        let is_signed = ty.starts_with('i');
        let bits: u32 = ty[1..].parse().expect("a width");
        let number = self.random.below(1 << bits);
        let number = i64::try_from(number).expect("small");
        let least = if is_signed { -(1 << (bits - 1)) } else { 0 };
        format!("({}{ty})", number + least)
    }

    fn value(&mut self, ty: &str, registers: &BTreeMap<&str, &str>, depth: usize) -> String {
        let kind = self.random.below(if depth == 0 { 4 } else { 12 });
        if kind == 0 {
            return self.constant(ty);
        }
        if kind < 4 {
            // The one of this type, or another one converted.
            if let Some(name) = registers.get(ty)
                && self.random.chance(70)
            {
                return (*name).to_owned();
            }
            let names: Vec<&str> = registers.values().copied().collect();
            return format!("({} as {ty})", self.random.pick(&names));
        }
        let operand = self.value(ty, registers, depth - 1);
        match kind {
            4 => format!("({}{operand})", self.random.pick(&["-", "-%", "~"])),
            5 => {
                let condition = self.comparison(registers, depth - 1);
                let other = self.value(ty, registers, depth - 1);
                format!("({condition} ? {operand} : {other})")
            }
            6 => {
                let other = self.value(ty, registers, depth - 1);
                let op = *self.random.pick(&["+", "*%", "&", "/", "<<"]);
                format!("({operand} {op} {other})")
            }
            _ => {
                let ops = [
                    "+", "-", "+%", "-%", "+", "-", "%", "&", "*", "|", "^", ">>",
                ];
                let op = *self.random.pick(&ops);
                let other = self.constant(ty);
                if self.random.chance(70) {
                    format!("({operand} {op} {other})")
                } else {
                    format!("({other} {op} {operand})")
                }
            }
        }
    }

    fn comparison(&mut self, registers: &BTreeMap<&str, &str>, depth: usize) -> String {
        let types: Vec<&str> = registers.keys().copied().collect();
        let ty = *self.random.pick(&types);
        let left = self.value(ty, registers, depth);
        let op = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let right = if self.random.chance(85) {
            self.constant(ty)
        } else {
            self.value(ty, registers, depth)
        };
        if self.random.chance(80) {
            format!("({left} {op} {right})")
        } else {
            format!("({right} {op} {left})")
        }
    }

    fn condition(&mut self, registers: &BTreeMap<&str, &str>, depth: usize) -> String {
        let one = self.comparison(registers, depth);
        match self.random.below(6) {
            0 => format!("({one} and {})", self.comparison(registers, depth)),
            1 => format!("({one} or {})", self.comparison(registers, depth)),
            2 => format!("!{one}"),
            _ => one,
        }
    }
}
