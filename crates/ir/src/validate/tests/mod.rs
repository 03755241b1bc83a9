//! A draft that keeps every rule, to be broken one rule at a time.

mod code;
mod declarations;
mod formulas;
mod numbering;

use raddle_base::{Arena, Id};

use super::{Invalid, MAX_DEPTH, validate};
use crate::action::{Access, Action, AllocateKind, Callee, EndKind, Order, RmwOperation};
use crate::action::{NamePlace, SyncInit, SyncOperation};
use crate::expression::{BinaryOp, Expression, UnaryOp};
use crate::formula::{Atom, Elements, Exclusive, Formula, Invariant};
use crate::program::{
    AtomicSet, AtomicSetId, Edge, Function, FunctionId, Global, GlobalId, Initial, Location,
    LocationId, Member, ProgramDraft, Register, RegisterId, Root,
};
use crate::types::{
    DataModel, FloatType, IntType, MutexKind, Scalar, StructId, StructType, SyncType, Type,
};

const U8: Scalar = Scalar::Int(IntType::unsigned(8));

fn u8(value: i128) -> Expression {
    Expression::int(value, IntType::unsigned(8))
}

fn global(index: usize) -> Expression {
    Expression::Global(GlobalId::from_index(index))
}

fn register(index: usize) -> Expression {
    Expression::Register(RegisterId::from_index(index))
}

fn cell(index: usize) -> Atom {
    Atom::Cell {
        address: global(index),
        ty: U8,
    }
}

fn formula(atoms: Vec<(Atom, Scalar)>, body: Expression) -> Formula {
    let registers = atoms.iter().map(|(_, ty)| declared("", *ty)).collect();
    Formula {
        registers,
        atoms: atoms.into_iter().map(|(atom, _)| atom).collect(),
        body,
    }
}

fn declared(name: &str, ty: Scalar) -> Register {
    Register {
        name: name.into(),
        ty,
        is_temporary: false,
        span: None,
    }
}

fn variable(name: &str, ty: Type) -> Global {
    Global {
        name: name.into(),
        ty,
        initial: Vec::new(),
        is_thread_local: false,
        read_only: crate::ReadOnly::NOTHING,
        span: None,
    }
}

/// Globals `x`, `a`, `m`, `t` (thread-local), `s`; struct `Pair`; functions `work(n: u8) -> u8` and `go()`;
/// registers of `work`: `n`, `c: u1`, `p: ptr`, `h: thread`, `d: f64`.
fn draft() -> ProgramDraft {
    let mut draft = ProgramDraft::new(DataModel::Lp64);
    let fields = vec![
        ("first".into(), Type::Scalar(U8)),
        ("second".into(), Type::Scalar(Scalar::Pointer)),
    ];
    let pair = StructType::laid_out("Pair", fields, false, &draft.structs, draft.model);
    let pair = draft.structs.push(pair.expect("a small struct"));
    let mut x = variable("x", Type::Scalar(U8));
    x.initial.push((0, Initial::Scalar(U8, 3)));
    draft.globals.push(x);
    let row = Type::Array(Box::new(Type::Scalar(U8)), 4);
    draft.globals.push(variable("a", row));
    let plain = SyncType::Mutex(MutexKind::Plain);
    draft.globals.push(variable("m", Type::Sync(plain)));
    let mut t = variable("t", Type::Scalar(U8));
    t.is_thread_local = true;
    draft.globals.push(t);
    let mut s = variable("s", Type::Struct(pair));
    s.initial.push((8, Initial::Address(global(0))));
    draft.globals.push(s);

    let mut work = Function::new("work");
    work.parameters = 1;
    work.result = Some(U8);
    for (name, ty) in [
        ("n", U8),
        ("c", Scalar::BOOL),
        ("p", Scalar::Pointer),
        ("h", Scalar::Thread),
        ("d", Scalar::Float(FloatType::F64)),
    ] {
        work.registers.push(declared(name, ty));
    }
    let (entry, exit) = (work.entry, work.exit);
    let middle = work.locations.push(Location {
        label: Some("middle".into()),
        span: None,
    });
    let load = Action::Load {
        target: RegisterId::from_index(0),
        address: global(0),
        ty: U8,
        access: Access::Plain,
    };
    work.connect(entry, load, middle, None);
    let value = Some(register(0));
    work.connect(middle, Action::Return { value }, exit, None);
    let work = draft.functions.push(work);
    let mut go = Function::new("go");
    let call = Action::Call {
        target: None,
        callee: Callee::Direct(work),
        arguments: vec![u8(1)],
    };
    let (entry, exit) = (go.entry, go.exit);
    go.connect(entry, call, exit, None);
    let go = draft.functions.push(go);
    draft.roots.push(Root {
        name: "go".into(),
        index: Some(0),
        function: go,
        arguments: Vec::new(),
        span: None,
    });
    draft.invariants.push(Invariant {
        formula: formula(
            vec![(cell(0), U8)],
            Expression::binary(BinaryOp::Less, register(0), u8(9)),
        ),
        span: None,
    });
    draft.exclusives.push(Exclusive {
        address: global(1),
        ty: U8,
        elements: Some(Elements {
            variable: "j".into(),
            count: 4,
            stride: 1,
        }),
        condition: formula(
            vec![
                (Atom::Index(IntType::unsigned(8)), U8),
                (Atom::Owner { lock: global(2) }, Scalar::Thread),
                (
                    Atom::At {
                        function: work,
                        location: middle,
                    },
                    Scalar::BOOL,
                ),
            ],
            Expression::Select(
                Box::new(Expression::binary(BinaryOp::Equal, register(0), u8(2))),
                Box::new(Expression::binary(
                    BinaryOp::Equal,
                    register(1),
                    Expression::CurrentThread,
                )),
                Box::new(register(2)),
            ),
        ),
        span: None,
    });
    draft.atomic_sets.push(AtomicSet {
        name: "both".into(),
        members: vec![Member {
            global: GlobalId::from_index(4),
            offset: 8,
            size: 8,
        }],
        span: None,
    });
    draft
}

fn rules(draft: ProgramDraft) -> Vec<&'static str> {
    match validate(draft) {
        Ok(_) => Vec::new(),
        Err(invalid) => invalid.into_iter().map(|it: Invalid| it.rule).collect(),
    }
}

#[track_caller]
fn breaks(rule: &str, change: impl FnOnce(&mut ProgramDraft)) {
    let mut broken = draft();
    change(&mut broken);
    assert_eq!(rules(broken), [rule]);
}

/// An action more in `work`, which must break the rule.
#[track_caller]
fn action_breaks(rule: &str, action: Action) {
    breaks(rule, |draft| {
        let work = work(draft);
        let to = if action.leaves_function() {
            work.exit
        } else {
            work.entry
        };
        work.connect(work.entry, action, to, None);
    });
}

#[track_caller]
fn value_breaks(rule: &str, value: Expression) {
    action_breaks(rule, Action::ExitThread { value: Some(value) });
}

fn work(draft: &mut ProgramDraft) -> &mut Function {
    &mut draft.functions[FunctionId::from_index(0)]
}

fn acquire(object: Expression) -> Action {
    Action::Sync {
        operation: SyncOperation::MutexAcquire,
        object,
        mutex: None,
        result: None,
    }
}
