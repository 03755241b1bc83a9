//! What the passes leave out, on executions in which all threads take turns.

use raddle_base::SourceMap;
use raddle_certify::replay;
use raddle_engine::Trace;
use raddle_ir::interpret::{Interpreter, Outcome, Property, Semantics, Stop, Violation};
use raddle_ir::{DataModel, Program};
use raddle_minimise::{Effort, Minimised, minimise};

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("program.rad", text);
    raddle_front_rad::read(&[(file, text)], DataModel::Lp64).expect("it is a program")
}

fn semantics(property: Property) -> Semantics {
    Semantics {
        properties: vec![property],
        ..Semantics::default()
    }
}

/// The execution in which one thread after the other takes a step, with the greatest choice there is, up to a violation.
fn taking_turns(program: &Program, semantics: &Semantics) -> Trace {
    let interpreter = Interpreter::new(program, semantics.clone());
    let mut state = interpreter.initial_states().expect("it starts").remove(0);
    let mut steps = Vec::new();
    let trace = |steps: Vec<_>, violation: Violation| Trace {
        initial: 0,
        transactions: vec![0, steps.len() / 2],
        steps,
        violation,
    };
    let mut last = None;
    loop {
        if let Some(violation) = interpreter.judge(&state).into_iter().next() {
            return trace(steps, violation);
        }
        let successors = interpreter.successors(&state);
        let next = successors.iter().map(|it| it.step.thread);
        let thread = next.clone().find(|it| Some(*it) > last);
        let thread = thread.or_else(|| next.min()).expect("somebody can go on");
        last = Some(thread);
        let mut mine = successors.into_iter().filter(|it| it.step.thread == thread);
        let successor = mine.next_back().or_else(|| mine.next()).expect("it can");
        steps.push(successor.step);
        match successor.outcome {
            Outcome::Next(next) => state = next,
            Outcome::Stopped(Stop::Violation(violation)) => return trace(steps, violation),
            Outcome::Stopped(other) => panic!("{other:?}"),
        }
    }
}

/// The execution and its core, with a given effort.
fn cut_with(text: &str, property: Property, effort: Effort) -> (Trace, Minimised) {
    let (program, semantics) = (program(text), semantics(property));
    let trace = taking_turns(&program, &semantics);
    assert_eq!(replay(&program, &semantics, &trace), Ok(()));
    let cut = minimise(&program, &semantics, &trace, effort, &|| true);
    assert_eq!(replay(&program, &semantics, &cut.trace), Ok(()));
    (trace, cut)
}

/// Steps and switches before and after.
fn cut(text: &str, property: Property) -> [(usize, usize); 2] {
    let (trace, cut) = cut_with(text, property, Effort::of_replays(1_000));
    assert!(cut.is_settled);
    [&trace, &cut.trace].map(|it| (it.steps.len(), it.switches()))
}

#[test]
fn threads_and_ends_that_do_nothing_for_it_are_left_out() {
    let text = "
        var x: u8
        var y: u8
        thread idle[2] { y = 1; y = 2; y = 3; y = 4 }
        thread writer { x = 1; y = 5; y = 6 }
        thread reader { y = 7; y = 8; y = 9; let a = x; assert a == 0 }
    ";
    let [(steps, switches), core] = cut(text, Property::Assert);
    assert!(steps > 10 && switches > 10, "{steps}, {switches}");
    // The write of one, and all that the other does.
    assert_eq!(core, (6, 1));
}

#[test]
fn rounds_of_loops_are_left_out() {
    let text = "
        var x: u8
        var stop: bool
        thread spinner {
            while !stop { x = 1 - x }
        }
        thread other {
            stop = false; stop = false; stop = false; stop = false; stop = false; stop = false
            stop = true
        }
        thread judge {
            let rounds = 0u8
            while rounds < 8 { rounds = rounds + 1 }
            let a = stop
            assert !a
        }
    ";
    let [(steps, _), (fewer, less)] = cut(text, Property::Assert);
    // The spinner need not turn.
    assert!(fewer < steps && less == 1, "{steps} became {fewer}, {less}");
}

#[test]
fn inputs_become_smaller_and_with_them_rounds_fewer() {
    let text = "
        var x: u8
        thread t {
            let n = any u8
            assume n > 2
            let i = 0u8
            while i < n { i = i + 1; x = i }
            assert x < 3
        }
    ";
    let (trace, cut) = cut_with(text, Property::Assert, Effort::of_replays(1_000));
    let choice = |it: &Trace| it.steps[0].parts[0].choice;
    assert_eq!((choice(&trace), choice(&cut.trace)), (Some(255), Some(3)));
    assert!(cut.trace.steps.len() * 20 < trace.steps.len());
}

#[test]
fn the_element_of_an_array_may_become_another_one() {
    let text = "
        var a: [u8; 4]
        thread left {
            let i = 0u8
            while i < 4 { a[i] = 1; i = i + 1 }
        }
        thread right {
            let i = any u8
            assume i > 1 && i < 4
            a[i] = 2
        }
    ";
    let (program, semantics) = (program(text), semantics(Property::Race));
    let interpreter = Interpreter::new(&program, semantics.clone());
    let mut state = interpreter.initial_states().expect("it starts").remove(0);
    let mut steps = Vec::new();
    // The left one comes to its last element, the right one to the same.
    let violation = loop {
        let shown = interpreter.judge(&state).into_iter();
        if let Some(race) = shown.into_iter().find(|it| it.message.contains("a[3]")) {
            break race;
        }
        let mut successors = interpreter.successors(&state).into_iter();
        let successor = successors
            .find(|it| match steps.len() {
                0 => it.step.thread.0 == 1 && it.step.parts[0].choice == Some(3),
                1 => it.step.thread.0 == 1,
                _ => it.step.thread.0 == 0,
            })
            .or_else(|| interpreter.successors(&state).into_iter().next())
            .expect("somebody can go on");
        steps.push(successor.step);
        let Outcome::Next(next) = successor.outcome else {
            panic!("it goes on")
        };
        state = next;
    };
    let trace = Trace {
        initial: 0,
        transactions: Vec::new(),
        steps,
        violation,
    };
    let effort = Effort::of_replays(1_000);
    let core = minimise(&program, &semantics, &trace, effort, &|| true).trace;
    assert_eq!(replay(&program, &semantics, &core), Ok(()));
    assert!(core.violation.message.contains("a[2]"), "{core:?}");
    assert!(core.steps.len() < trace.steps.len());
}

#[test]
fn transactions_begin_where_another_thread_goes_on() {
    let text = "
        var x: u8
        thread writer { x = 1; x = 2; x = 3 }
        thread reader { let a = x; let b = x; assert b == a }
    ";
    let (trace, cut) = cut_with(text, Property::Assert, Effort::of_replays(1_000));
    assert_ne!(cut.trace, trace);
    let steps = &cut.trace.steps;
    let begins = |at: &usize| *at == 0 || steps[*at].thread != steps[*at - 1].thread;
    for at in (0..steps.len()).filter(begins) {
        assert!(cut.trace.transactions.contains(&at), "{:?}", cut.trace);
    }
    assert!(cut.trace.transactions.iter().all(|it| *it < steps.len()));
}

#[test]
fn nothing_is_tried_without_replays_and_no_more_than_allowed_with_some() {
    let text = "
        var x: u8
        thread idle[2] { x = 1; x = 2; x = 3; x = 4 }
        thread reader { let a = x; let b = x; let c = x; assert a == b || b == c }
    ";
    let (trace, none) = cut_with(text, Property::Assert, Effort::of_replays(0));
    assert_eq!((none.trace, none.replays), (trace, 0));
    for replays in [1, 2, 5, 10] {
        let (_, some) = cut_with(text, Property::Assert, Effort::of_replays(replays));
        assert!(some.replays <= replays && !some.is_settled, "{some:?}");
    }
    let steps = 3;
    let replays = 1_000;
    let (trace, few) = cut_with(text, Property::Assert, Effort { replays, steps });
    assert_eq!((few.trace, few.is_settled), (trace, false));
}

#[test]
fn who_may_not_go_on_keeps_what_was_found() {
    let text = "
        var x: u8
        thread idle { x = 1; x = 2; x = 3; x = 4 }
        thread reader { let a = x; assert a == 7 }
    ";
    let (program, semantics) = (program(text), semantics(Property::Assert));
    let trace = taking_turns(&program, &semantics);
    let cut = minimise(&program, &semantics, &trace, Effort::of_replays(9), &|| {
        false
    });
    assert_eq!((cut.trace, cut.is_settled), (trace, false));
}
