//! The search on programs made by hand, its traces replayed by the certifier.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use raddle_base::{Id, resident_bytes};
use raddle_certify::Audited;
use raddle_engine::{
    Answer, Budget, Condition, Proof, Reason, Reduction, Semantics, Silent, Task, Verdict,
};
use raddle_engine_reference::ReferenceEngine;
use raddle_ir::interpret::Property;
use raddle_ir::{
    Access, Action, BinaryOp, DataModel, Expression, Function, FunctionId, Global, GlobalId,
    IntType, Location, Order, Program, ProgramDraft, Register, RegisterId, Root, Scalar,
    SyncOperation, Type, validate,
};

const BYTE: IntType = IntType::unsigned(8);

/// One global byte, one mutex, and threads that each run the given actions in a row.
struct Maker {
    draft: ProgramDraft,
    cell: GlobalId,
    mutex: GlobalId,
}

impl Maker {
    fn new() -> Self {
        let mut draft = ProgramDraft::new(DataModel::Lp64);
        let mut global = |name: &str, ty| {
            draft.globals.push(Global {
                name: name.to_owned(),
                ty,
                initial: Vec::new(),
                is_thread_local: false,
                read_only: raddle_ir::ReadOnly::NOTHING,
                is_opaque: false,
                span: None,
            })
        };
        let cell = global("x", Type::int(BYTE));
        let mutex = global(
            "m",
            Type::Sync(raddle_ir::SyncType::Mutex(raddle_ir::MutexKind::Plain)),
        );
        Self { draft, cell, mutex }
    }

    fn thread(&mut self, name: &str, actions: impl Fn(RegisterId) -> Vec<Action>) -> FunctionId {
        let mut function = Function::new(name);
        let register = function.registers.push(Register {
            name: "a".to_owned(),
            ty: Scalar::Int(BYTE),
            is_temporary: false,
            span: None,
        });
        let actions = actions(register);
        let mut from = function.entry;
        for (index, action) in actions.iter().enumerate() {
            let to = if index + 1 == actions.len() {
                function.exit
            } else {
                function.locations.push(Location::default())
            };
            function.connect(from, action.clone(), to, None);
            from = to;
        }
        let function = self.draft.functions.push(function);
        self.draft.roots.push(Root {
            name: name.to_owned(),
            index: None,
            function,
            arguments: Vec::new(),
            span: None,
        });
        function
    }

    fn load(&self, target: RegisterId) -> Action {
        Action::Load {
            target,
            address: Expression::Global(self.cell),
            ty: Scalar::Int(BYTE),
            access: Access::Plain,
        }
    }

    fn store(&self, value: Expression) -> Action {
        Action::Store {
            address: Expression::Global(self.cell),
            value,
            ty: Scalar::Int(BYTE),
            access: Access::Plain,
        }
    }

    fn sync(&self, operation: SyncOperation) -> Action {
        Action::Sync {
            operation,
            object: Expression::Global(self.mutex),
            mutex: None,
            result: None,
        }
    }

    fn program(self) -> Program {
        validate(self.draft).unwrap_or_else(|problems| panic!("{problems:?}"))
    }
}

fn byte(value: i128) -> Expression {
    Expression::int(value, BYTE)
}

fn assert_equal(register: RegisterId, value: i128) -> Action {
    Action::Assert {
        condition: Expression::binary(BinaryOp::Equal, Expression::Register(register), byte(value)),
        message: None,
    }
}

fn decide(program: &Program, properties: &[Property]) -> Answer {
    decide_within(program, properties, &Budget::unlimited())
}

fn decide_within(program: &Program, properties: &[Property], budget: &Budget) -> Answer {
    let semantics = Semantics {
        properties: properties.to_vec(),
        ..Semantics::default()
    };
    let task = Task::new(program, semantics.clone());
    let answer = raddle_engine::decide(&mut ReferenceEngine, &task, budget, &mut Silent);
    for (&property, verdict) in &answer.verdicts {
        if let Err(rejected) = Audited::new(program, &semantics, property, verdict.clone()) {
            panic!("{rejected}");
        }
    }
    assert_eq!(
        answer.verdicts.keys().copied().collect::<Vec<_>>(),
        properties
    );
    answer
}

/// A writer of 1 and a reader that asserts 0.
fn writer_and_reader() -> Program {
    let mut maker = Maker::new();
    let write = maker.store(byte(1));
    maker.thread("writer", |_| vec![write.clone()]);
    let read = maker.load(RegisterId::from_index(0));
    maker.thread("reader", |a| vec![read.clone(), assert_equal(a, 0)]);
    maker.program()
}

#[test]
fn all_properties_are_decided_in_one_search_with_shortest_traces() {
    let answer = decide(
        &writer_and_reader(),
        &[Property::Assert, Property::Race, Property::Deadlock],
    );
    let Verdict::Unsafe(trace) = &answer.verdicts[&Property::Assert] else {
        panic!("{answer:?}")
    };
    assert_eq!((trace.steps.len(), trace.switches()), (3, 1));
    let Verdict::Unsafe(trace) = &answer.verdicts[&Property::Race] else {
        panic!("{answer:?}")
    };
    assert_eq!(trace.steps.len(), 0, "both stand before the cell at once");
    assert!(matches!(
        answer.verdicts[&Property::Deadlock],
        Verdict::Safe(Proof::SearchExhausted(_))
    ));
}

#[test]
fn a_failed_assertion_that_nobody_asked_for_only_ends_its_execution() {
    let answer = decide(&writer_and_reader(), &[Property::Memory]);
    assert!(matches!(
        answer.verdicts[&Property::Memory],
        Verdict::Safe(_)
    ));
}

#[test]
fn undefined_behaviour_makes_other_properties_unknown_and_names_its_property() {
    let mut maker = Maker::new();
    let release = maker.sync(SyncOperation::MutexRelease);
    maker.thread("t", |_| vec![release.clone()]);
    let program = maker.program();
    let answer = decide(&program, &[Property::Assert, Property::LockMisuse]);
    assert!(matches!(
        answer.verdicts[&Property::LockMisuse],
        Verdict::Unsafe(_)
    ));
    let answer_without = decide(&program, &[Property::Assert]);
    for answer in [answer, answer_without] {
        assert!(
            matches!(&answer.verdicts[&Property::Assert], Verdict::Safe(_)),
            "{answer:?}"
        );
        let conditions = answer.conditions.iter().map(Condition::property);
        assert!(conditions.eq([Some(Property::LockMisuse)]), "{answer:?}");
    }
}

#[test]
fn accesses_under_one_lock_do_not_race() {
    let mut maker = Maker::new();
    let (acquire, release) = (
        maker.sync(SyncOperation::MutexAcquire),
        maker.sync(SyncOperation::MutexRelease),
    );
    let store = maker.store(byte(1));
    for name in ["t", "u"] {
        maker.thread(name, |_| {
            vec![acquire.clone(), store.clone(), release.clone()]
        });
    }
    let answer = decide(&maker.program(), &[Property::Race, Property::Deadlock]);
    assert!(matches!(answer.verdicts[&Property::Race], Verdict::Safe(_)));
    assert!(matches!(
        answer.verdicts[&Property::Deadlock],
        Verdict::Safe(_)
    ));
    // (0..=3) × (0..=3) places without the four in which both hold the lock; `x` is 1 after the first store.
    assert_eq!(answer.counters["states"], 12);
}

#[test]
fn two_acquires_in_a_row_are_a_deadlock() {
    let mut maker = Maker::new();
    let acquire = maker.sync(SyncOperation::MutexAcquire);
    maker.thread("t", |_| vec![acquire.clone(), acquire.clone()]);
    let answer = decide(&maker.program(), &[Property::Deadlock]);
    let Verdict::Unsafe(trace) = &answer.verdicts[&Property::Deadlock] else {
        panic!("{answer:?}")
    };
    assert_eq!(trace.steps.len(), 1);
}

#[test]
fn a_try_lock_or_a_weaker_order_asks_for_happens_before_unless_a_thread_is_alone() {
    let mut maker = Maker::new();
    let attempt = maker.sync(SyncOperation::MutexTry);
    maker.thread("t", |_| vec![attempt.clone()]);
    let alone = validate(maker.draft.clone()).unwrap();
    let answer = decide(&alone, &[Property::Race]);
    assert!(matches!(
        answer.verdicts[&Property::Race],
        Verdict::Safe(Proof::SearchExhausted(Reduction::None))
    ));
    maker.thread("u", |_| vec![attempt.clone()]);
    let answer = decide(&maker.program(), &[Property::Race, Property::Deadlock]);
    assert!(matches!(
        answer.verdicts[&Property::Race],
        Verdict::Safe(Proof::HappensBefore(Reduction::None))
    ));
    assert!(matches!(
        answer.verdicts[&Property::Deadlock],
        Verdict::Safe(Proof::SearchExhausted(_))
    ));

    let mut maker = Maker::new();
    let store = Action::Store {
        address: Expression::Global(maker.cell),
        value: byte(1),
        ty: Scalar::Int(BYTE),
        access: Access::Atomic(Order::Relaxed),
    };
    maker.thread("t", |_| vec![store.clone()]);
    let alone = validate(maker.draft.clone()).unwrap();
    let answer = decide(&alone, &[Property::Race]);
    assert!(matches!(
        answer.verdicts[&Property::Race],
        Verdict::Safe(Proof::SearchExhausted(_))
    ));
    let write = maker.store(byte(2));
    maker.thread("u", |_| vec![write.clone()]);
    let answer = decide(&maker.program(), &[Property::Race]);
    assert!(
        matches!(answer.verdicts[&Property::Race], Verdict::Unsafe(_)),
        "a race that is found is a race"
    );
}

#[test]
fn atomic_sets_are_not_decided_but_a_program_without_them_has_nothing_to_check() {
    let answer = decide(&writer_and_reader(), &[Property::AtomicSets]);
    assert!(matches!(
        answer.verdicts[&Property::AtomicSets],
        Verdict::Safe(Proof::NothingToCheck)
    ));
    assert!(answer.counters.is_empty(), "the engine is not even asked");
}

#[test]
fn a_spent_budget_is_the_reason() {
    let program = writer_and_reader();
    let late = Budget::unlimited().with_timeout(Duration::ZERO);
    let stopped = Budget::unlimited().with_cancel_flag(Arc::new(AtomicBool::new(true)));
    let small = Budget::unlimited().with_memory_limit(1);
    for (budget, reason) in [
        (late, Reason::OutOfTime),
        (stopped, Reason::Cancelled),
        (small, Reason::OutOfMemory),
    ] {
        let answer = decide_within(&program, &[Property::Deadlock], &budget);
        let Verdict::Unknown(found) = &answer.verdicts[&Property::Deadlock] else {
            panic!("{answer:?}")
        };
        assert_eq!(*found, reason);
    }
}

#[test]
fn memory_is_looked_at_between_the_successors_of_one_state() {
    let Some(used) = resident_bytes() else {
        return;
    };
    let mut maker = Maker::new();
    for name in ["t", "u", "v", "w"] {
        maker.thread(name, |a| vec![Action::Havoc { target: a }; 3]);
    }
    let budget = Budget::unlimited().with_memory_limit(used + (20 << 20));
    let answer = decide_within(&maker.program(), &[Property::Deadlock], &budget);
    assert!(
        matches!(
            answer.verdicts[&Property::Deadlock],
            Verdict::Unknown(Reason::OutOfMemory)
        ),
        "{answer:?}"
    );
    // Without the look, the next one comes after some 500,000 states.
    assert!(answer.counters["states"] < 200_000, "{answer:?}");
}

#[test]
fn a_trace_that_claims_too_much_is_rejected() {
    let program = writer_and_reader();
    let semantics = Semantics::default();
    let answer = decide(&program, &[Property::Assert]);
    let Verdict::Unsafe(trace) = answer.verdicts[&Property::Assert].clone() else {
        panic!("{answer:?}")
    };
    let audit = |property, trace| {
        Audited::new(&program, &semantics, property, Verdict::Unsafe(trace)).is_ok()
    };
    assert!(audit(Property::Assert, trace.clone()));
    assert!(!audit(Property::Race, trace.clone()), "another property");
    let mut shorter = trace.clone();
    shorter.steps.pop();
    assert!(!audit(Property::Assert, shorter), "no violation yet");
    let mut swapped = trace.clone();
    swapped.steps.swap(0, 2);
    assert!(!audit(Property::Assert, swapped), "not an execution");
    let mut elsewhere = trace.clone();
    elsewhere.initial = 1;
    assert!(!audit(Property::Assert, elsewhere), "no such initial state");
    let mut renamed = trace;
    renamed.violation.message.push('!');
    assert!(!audit(Property::Assert, renamed), "another violation");
}
