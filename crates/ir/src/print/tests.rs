use raddle_base::Id;

use super::{print, print_action, print_formula};
use crate::action::{
    Access, Action, AllocateKind, Callee, EndKind, Order, SyncInit, SyncOperation,
};
use crate::expression::{BinaryOp, Expression, UnaryOp};
use crate::formula::{Atom, Elements, Exclusive, Formula};
use crate::program::{
    AtomicSet, Function, FunctionId, Global, GlobalId, Initial, Location, Member, Program,
    ProgramDraft, Register, RegisterId, Root,
};
use crate::types::{DataModel, FloatType, IntType, MutexKind, Scalar, StructType, SyncType, Type};
use crate::validate::validate;

const U8: Scalar = Scalar::Int(IntType::unsigned(8));
const F32: Scalar = Scalar::Float(FloatType::F32);

fn declared(name: &str, ty: Scalar, is_temporary: bool) -> Register {
    Register {
        name: name.into(),
        ty,
        is_temporary,
        span: None,
    }
}

fn global(index: usize) -> Expression {
    Expression::Global(GlobalId::from_index(index))
}

fn at(offset: u64) -> Expression {
    Expression::at_offset(global(0), offset, DataModel::Lp64)
}

fn register(index: usize) -> RegisterId {
    RegisterId::from_index(index)
}

fn program() -> Program {
    let mut draft = ProgramDraft::new(DataModel::Lp64);
    let fields = vec![
        (
            "lock".into(),
            Type::Sync(SyncType::Mutex(MutexKind::Recursive)),
        ),
        ("next".into(), Type::Scalar(Scalar::Pointer)),
        ("data".into(), Type::Array(Box::new(Type::Scalar(U8)), 4)),
    ];
    let node = StructType::laid_out("Node", fields, false, &draft.structs, draft.model);
    let node = draft.structs.push(node.expect("a small struct"));
    draft.globals.push(Global {
        name: "f::x".into(),
        ty: Type::Struct(node),
        initial: vec![
            (0, Initial::Sync(SyncInit::Mutex(MutexKind::Plain))),
            (40, Initial::Address(at(48))),
            (48, Initial::Scalar(U8, 3)),
            (49, Initial::Any(U8)),
        ],
        is_thread_local: false,
        read_only: crate::ReadOnly::NOTHING,
        is_opaque: false,
        span: None,
    });
    draft.atomic_sets.push(AtomicSet {
        name: "set".into(),
        members: vec![Member {
            global: GlobalId::from_index(0),
            offset: 49,
            size: 1,
        }],
        span: None,
    });
    let mut work = Function::new("work");
    work.parameters = 1;
    work.result = Some(U8);
    for (name, ty, is_temporary) in [
        ("n", U8, false),
        ("lock", Scalar::Pointer, false),
        ("t", U8, true),
        ("c", Scalar::BOOL, true),
        ("d", F32, false),
    ] {
        work.registers.push(declared(name, ty, is_temporary));
    }
    let mut here = work.entry;
    for action in actions() {
        let next = work.locations.push(Location::default());
        work.connect(here, action, next, None);
        here = next;
    }
    work.locations[here].label = Some("loop".into());
    let condition = Expression::Register(register(3));
    let assume = |condition| Action::Assume { condition };
    let (entry, exit) = (work.entry, work.exit);
    work.connect(here, assume(condition.clone()), entry, None);
    work.connect(here, assume(condition.not()), exit, None);
    let kind = EndKind::Abort;
    work.connect(here, Action::EndProcess { kind }, exit, None);
    let value = Some(Expression::Register(register(0)));
    work.connect(here, Action::Return { value }, exit, None);
    let work = draft.functions.push(work);
    draft.roots.push(Root {
        name: "work".into(),
        index: Some(1),
        function: work,
        arguments: vec![Expression::int(7, IntType::unsigned(8))],
        span: None,
    });
    let index = IntType::unsigned(64);
    draft.exclusives.push(Exclusive {
        address: at(48),
        ty: U8,
        elements: Some(Elements {
            variable: "j".into(),
            count: 4,
            stride: 1,
        }),
        condition: Formula {
            registers: [Scalar::Thread, Scalar::Int(index), Scalar::BOOL]
                .map(|ty| declared("", ty, false))
                .into_iter()
                .collect(),
            atoms: vec![
                Atom::Owner { lock: global(0) },
                Atom::Index(index),
                Atom::At {
                    function: work,
                    location: here,
                },
            ],
            body: Expression::Select(
                Box::new(Expression::binary(
                    BinaryOp::Equal,
                    Expression::Register(register(0)),
                    Expression::CurrentThread,
                )),
                Box::new(Expression::binary(
                    BinaryOp::Less,
                    Expression::Register(register(1)),
                    Expression::int(2, index),
                )),
                Box::new(Expression::Register(register(2))),
            ),
        },
        span: None,
    });
    validate(draft).expect("valid")
}

fn actions() -> Vec<Action> {
    let pointer = || Expression::Register(register(1));
    let sync = |operation, object, mutex, result| Action::Sync {
        operation,
        object,
        mutex,
        result,
    };
    vec![
        Action::Load {
            target: register(2),
            address: at(50),
            ty: U8,
            access: Access::Plain,
        },
        Action::Store {
            address: at(50),
            value: Expression::int(3, IntType::signed(16)),
            ty: Scalar::Int(IntType::signed(16)),
            access: Access::Atomic(Order::Release),
        },
        Action::CompareExchange {
            previous: None,
            success: Some(register(3)),
            address: pointer(),
            expected: Expression::int(0, IntType::unsigned(8)),
            desired: Expression::Register(register(2)),
            ty: U8,
            order: Order::SequentiallyConsistent,
            failure: Order::SequentiallyConsistent,
        },
        Action::Assign {
            target: register(4),
            value: Expression::Unary(
                UnaryOp::Negate,
                Box::new(Expression::Constant(f32::NAN.to_bits().into(), F32)),
            ),
        },
        Action::Assert {
            condition: Expression::binary(
                BinaryOp::Less,
                Expression::int(-3, IntType::signed(8)),
                Expression::Register(register(0)).cast(Scalar::Int(IntType::signed(8))),
            ),
            message: Some("a \"b\"\n".into()),
        },
        Action::Allocate {
            target: register(1),
            size: Expression::int(56, IntType::unsigned(64)),
            ty: Some(Type::Struct(raddle_base::Id::from_index(0))),
            is_zeroed: true,
            kind: AllocateKind::Stack,
            read_only: crate::ReadOnly::NOTHING,
        },
        sync(SyncOperation::MutexTry, global(0), None, Some(register(2))),
        sync(SyncOperation::WaitBegin, pointer(), Some(global(0)), None),
        Action::Call {
            target: None,
            callee: Callee::Indirect(Expression::Function(FunctionId::from_index(0))),
            arguments: vec![Expression::Register(register(0))],
        },
        Action::skip(),
    ]
}

#[test]
fn a_program_is_printed_in_raw_form() {
    assert_eq!(
        print(&program()),
        "\
model lp64
struct Node size 56 align 8 { `lock`: recursive_mutex at 0; next: ptr at 40; data: [u8; 4] at 48 }
var `f::x`: Node init { at 0: mutex; at 40: ptr = offset(&`f::x`, 48i64); at 48: u8 = 3u8; at 49: u8 = * }
atomicset set { `f::x`.data[1] }
exclusive `f::x`.data[j] when (owner(`f::x`.`lock`) == self) ? ((j as u64) < 2u64) : at work.`loop`
start work[1] = work(7u8)

fn work(n: u8) -> u8 {
    let `lock`: ptr
    temp t: u8
    temp c: u1
    let d: f32
    0: t = `f::x`.data[2]; goto 1
    1: atomic_store(*(offset(&`f::x`, 50i64) as *i16), 3i16, release); goto 2
    2: _, c = compare_exchange(*(`lock` as *u8), 0u8, t); goto 3
    3: d = -(0x7fc00000f32); goto 4
    4: assert -3i8 < (n as i8), \"a \\\"b\\\"\\n\"; goto 5
    5: `lock` = zeroed stack alloc Node; goto 6
    6: t = try_acquire `f::x`.`lock`; goto 7
    7: wait_begin *(`lock` as *condition), `f::x`.`lock`; goto 8
    8: call (&work)(n); goto 9
    9: skip; goto `loop`
    `loop`: choose { assume c; goto 0 } or { assume !c; goto exit } or { abort } or { return n }
}
"
    );
}

#[test]
fn people_see_no_types_of_constants() {
    let program = program();
    let function = FunctionId::from_index(0);
    let shown: Vec<String> = actions()
        .iter()
        .take(5)
        .map(|action| print_action(&program, function, action))
        .collect();
    assert_eq!(
        shown,
        [
            "t = `f::x`.data[2]",
            "atomic_store(*offset(&`f::x`, 50), 3, release)",
            "_, c = compare_exchange(*`lock`, 0, t)",
            "d = -(NaN)",
            "assert -3 < (n as i8), \"a \\\"b\\\"\\n\"",
        ]
    );
    let exclusive = &program.exclusives[0];
    let text = print_formula(&program, &exclusive.condition, Some("j"));
    assert_eq!(
        text,
        "(owner(`f::x`.`lock`) == self) ? (j < 2) : at work.`loop`"
    );
}
