//! Functions, expressions, actions and roots.

use super::*;

#[test]
fn v15_parameters_are_registers() {
    breaks("V15", |draft| {
        work(draft).registers[RegisterId::from_index(0)].is_temporary = true;
    });
    breaks("V15", |draft| {
        let go = &mut draft.functions[FunctionId::from_index(1)];
        go.parameters = 1;
        draft.roots.clear();
        draft.roots.push(Root {
            name: "w".into(),
            index: None,
            function: FunctionId::from_index(0),
            arguments: vec![u8(1)],
            span: None,
        });
    });
}

#[test]
fn v16_edges_end_at_locations() {
    breaks("V16", |draft| {
        let work = work(draft);
        work.connect(work.entry, Action::skip(), LocationId::from_index(17), None);
    });
    breaks("V16", |draft| work(draft).exit = work(draft).entry);
}

#[test]
fn v17_returns_lead_to_the_exit_and_nothing_leaves_it() {
    breaks("V17", |draft| {
        let work = work(draft);
        work.connect(work.exit, Action::skip(), work.entry, None);
    });
    breaks("V17", |draft| {
        let work = work(draft);
        let value = Some(u8(1));
        work.connect(work.entry, Action::Return { value }, work.entry, None);
    });
}

#[test]
fn v18_reached_locations_lead_on() {
    breaks("V18", |draft| {
        let work = work(draft);
        let end = work.locations.push(Location::default());
        work.connect(work.entry, Action::skip(), end, None);
    });
}

#[test]
fn v19_expressions_nest_to_a_limit() {
    let deep = (0..MAX_DEPTH).fold(u8(1), |inner, _| inner.not());
    value_breaks("V19", deep);
    breaks("V19", |draft| {
        // Each atom is shallow, but their text nests.
        let cast = |at: usize| register(at - 1).cast(Scalar::Pointer);
        let atoms = (0..MAX_DEPTH).map(|at| Atom::Cell {
            address: if at == 0 { global(0) } else { cast(at) },
            ty: U8,
        });
        let atoms = atoms.map(|atom| (atom, U8)).collect();
        let body = Expression::binary(BinaryOp::Equal, register(MAX_DEPTH - 1), u8(0));
        draft.invariants[0].formula = formula(atoms, body);
    });
}

#[test]
fn v20_names_in_expressions_exist() {
    value_breaks("V20", register(5));
    value_breaks("V20", global(5));
    value_breaks("V20", Expression::Function(FunctionId::from_index(2)));
    let set = Some(AtomicSetId::from_index(1));
    action_breaks("V20", Action::UnitBegin { set });
    let target = RegisterId::from_index(5);
    action_breaks("V20", Action::Havoc { target });
    breaks("V20", |draft| {
        draft.roots[0].function = FunctionId::from_index(2);
    });
}

#[test]
fn v21_constants_have_no_bits_beyond_their_type() {
    value_breaks("V21", Expression::Constant(256, U8));
    value_breaks("V21", Expression::Constant(1 << 64, Scalar::Pointer));
}

#[test]
fn v22_expressions_are_well_typed() {
    let binary = Expression::binary;
    let wide = || Expression::int(1, IntType::unsigned(16));
    value_breaks("V22", binary(BinaryOp::Add, u8(1), wide()));
    value_breaks("V22", binary(BinaryOp::Add, register(2), register(2)));
    value_breaks("V22", binary(BinaryOp::Remainder, register(4), register(4)));
    value_breaks("V22", binary(BinaryOp::Less, register(3), register(3)));
    value_breaks("V22", binary(BinaryOp::Offset, u8(1), u8(1)));
    value_breaks("V22", binary(BinaryOp::Distance, register(2), u8(1)));
    value_breaks("V22", register(2).not());
    let negated = Expression::Unary(UnaryOp::Negate, Box::new(register(2)));
    value_breaks("V22", negated);
    value_breaks("V22", register(2).cast(Scalar::Thread));
    value_breaks("V22", register(4).cast(Scalar::Pointer));
    let select = |a, b, c| Expression::Select(Box::new(a), Box::new(b), Box::new(c));
    value_breaks("V22", select(u8(1), u8(1), u8(1)));
    value_breaks("V22", select(register(1), u8(1), register(1)));
}

#[test]
fn v23_conditions_are_u1() {
    action_breaks("V23", Action::Assume { condition: u8(1) });
}

#[test]
fn v24_accesses_have_one_type() {
    let target = RegisterId::from_index(0);
    let value = register(1);
    action_breaks("V24", Action::Assign { target, value });
    let access = Access::Plain;
    action_breaks(
        "V24",
        Action::Load {
            target,
            address: global(0),
            ty: Scalar::BOOL,
            access,
        },
    );
    action_breaks(
        "V24",
        Action::Store {
            address: u8(0),
            value: u8(0),
            ty: U8,
            access,
        },
    );
    action_breaks(
        "V24",
        Action::ReadModifyWrite {
            target: None,
            operation: RmwOperation::Add,
            address: global(0),
            operand: register(2),
            ty: Scalar::Pointer,
            order: Order::Relaxed,
        },
    );
    action_breaks(
        "V24",
        Action::Allocate {
            target: RegisterId::from_index(2),
            size: register(4),
            ty: None,
            is_zeroed: false,
            kind: AllocateKind::Heap,
            read_only: crate::ReadOnly::NOTHING,
        },
    );
    action_breaks(
        "V24",
        Action::Free {
            address: u8(0),
            kind: AllocateKind::Heap,
        },
    );
    let size = |target, address| Action::Size {
        target: RegisterId::from_index(target),
        address,
    };
    action_breaks("V24", size(0, Expression::null()));
    action_breaks("V24", size(0, u8(0)));
    action_breaks("V24", acquire(u8(0)));
}

#[test]
fn v25_compare_exchange_tells_success_in_a_register_of_its_own() {
    let exchange = |success, previous, ty: Scalar| Action::CompareExchange {
        previous,
        success: Some(RegisterId::from_index(success)),
        address: global(0),
        expected: Expression::Constant(0, ty),
        desired: Expression::Constant(1, ty),
        ty,
        order: Order::SequentiallyConsistent,
        failure: Order::SequentiallyConsistent,
    };
    action_breaks("V25", exchange(0, None, U8));
    let flag = Some(RegisterId::from_index(1));
    action_breaks("V25", exchange(1, flag, Scalar::BOOL));
}

#[test]
fn v26_synchronisation_names_a_mutex_iff_it_takes_one() {
    let sync = |operation, mutex, result| Action::Sync {
        operation,
        object: global(2),
        mutex,
        result,
    };
    action_breaks("V26", sync(SyncOperation::WaitBegin, None, None));
    action_breaks("V26", sync(SyncOperation::Signal, Some(global(2)), None));
    let pointer = Some(RegisterId::from_index(2));
    action_breaks("V26", sync(SyncOperation::MutexTry, None, pointer));
    action_breaks(
        "V26",
        Action::Init {
            object: global(2),
            sync: SyncInit::Barrier(register(4)),
        },
    );
}

#[test]
fn v27_calls_fit_their_functions() {
    let work = || Callee::Direct(FunctionId::from_index(0));
    let call = |target, callee, arguments| Action::Call {
        target,
        callee,
        arguments,
    };
    action_breaks("V27", call(None, work(), vec![]));
    action_breaks("V27", call(None, work(), vec![register(1)]));
    let pointer = Some(RegisterId::from_index(2));
    action_breaks("V27", call(pointer, work(), vec![u8(1)]));
    let go = Callee::Direct(FunctionId::from_index(1));
    action_breaks("V27", call(pointer, go, vec![]));
    action_breaks("V27", call(None, Callee::Indirect(u8(1)), vec![]));
    action_breaks(
        "V27",
        Action::Spawn {
            target: pointer,
            place: None,
            callee: work(),
            arguments: vec![u8(1)],
        },
    );
    for (rule, address, bits) in [("V27", register(2), 8), ("V24", u8(1), 64)] {
        let ty = Scalar::Int(IntType::unsigned(bits));
        let spawn = Action::Spawn {
            target: None,
            place: Some(NamePlace { address, ty }),
            callee: work(),
            arguments: vec![u8(1)],
        };
        action_breaks(rule, spawn);
    }
}

#[test]
fn v28_joins_are_on_threads() {
    let thread = u8(1);
    action_breaks("V28", Action::Detach { thread });
}

#[test]
fn v29_returns_fit_the_result() {
    action_breaks("V29", Action::Return { value: None });
    let value = Some(register(1));
    action_breaks("V29", Action::Return { value });
}

#[test]
fn v30_the_status_of_a_process_is_an_integer() {
    let kind = EndKind::Exit(register(2));
    action_breaks("V30", Action::EndProcess { kind });
}

#[test]
fn v31_texts_have_a_hole_for_each_argument() {
    action_breaks(
        "V31",
        Action::Emit {
            text: "{} {}".into(),
            arguments: vec![u8(1)],
        },
    );
    for text in ["{%d} {%d}", "{%f}", "{%p}", "{%ld}", "{%"] {
        action_breaks(
            "V31",
            Action::Emit {
                text: text.into(),
                arguments: vec![u8(1)],
            },
        );
    }
}

#[test]
fn v32_there_is_a_root_with_constant_arguments() {
    breaks("V32", |draft| draft.roots.clear());
    breaks("V32", |draft| {
        draft.roots[0].function = FunctionId::from_index(0);
    });
    breaks("V32", |draft| {
        draft.roots[0].function = FunctionId::from_index(0);
        draft.roots[0].arguments = vec![u8(1).not()];
    });
}

#[test]
fn v33_main_is_started() {
    breaks("V33", |draft| {
        let mut main = Function::new("main");
        let (entry, exit) = (main.entry, main.exit);
        main.connect(entry, Action::skip(), exit, None);
        draft.functions.push(main);
    });
}
