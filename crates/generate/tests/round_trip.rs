//! What the printer writes, the reader reads back to the same program.

mod wild;

use raddle_base::SourceMap;
use raddle_generate::{Profile, generate};
use raddle_ir::print::print;
use raddle_ir::validate::MAX_DEPTH;
use raddle_ir::{
    Action, BinaryOp, DataModel, Expression, Function, Global, IntType, Program, ProgramDraft,
    Root, Scalar, Type, UnaryOp, validate,
};

#[track_caller]
fn check(seed: u64, program: &Program) {
    let text = print(program);
    let mut sources = SourceMap::new();
    let file = sources.add("generated.rad", text.as_str());
    // The text names its data model, so the default must not matter.
    let read = match raddle_front_rad::read(&[(file, &text)], DataModel::Ilp32) {
        Ok(read) => read,
        Err(diagnostics) => panic!("seed {seed}: {diagnostics:#?}\n{text}"),
    };
    let again = print(&read);
    assert!(
        program.is_same_as(&read),
        "seed {seed}:\n{text}\nis read as\n{again}"
    );
    assert_eq!(text, again, "seed {seed}");
}

#[test]
fn reading_what_was_printed_gives_the_same_program() {
    for seed in 0..1500 {
        check(seed, &generate(seed, &Profile::default()));
    }
}

#[test]
fn programs_that_make_no_sense_are_read_back_too() {
    for seed in 0..3000 {
        let program = validate(wild::wild(seed)).unwrap_or_else(|broken| {
            panic!("seed {seed}: {broken:#?}");
        });
        check(seed, &program);
    }
}

/// A program that assumes `condition`, with one global of a type.
fn program_with(condition: Expression, ty: Type) -> Program {
    let mut draft = ProgramDraft::new(DataModel::Lp64);
    draft.globals.push(Global {
        name: "g".into(),
        ty,
        initial: Vec::new(),
        is_thread_local: false,
        read_only: raddle_ir::ReadOnly::NOTHING,
        is_opaque: false,
        span: None,
    });
    let mut function = Function::new("f");
    let (entry, exit) = (function.entry, function.exit);
    let assume = Action::Assume { condition };
    // Two edges, so that the expression stands inside a `choose`.
    function.connect(entry, assume.clone(), exit, None);
    function.connect(entry, assume, exit, None);
    let function = draft.functions.push(function);
    draft.roots.push(Root {
        name: "t".into(),
        index: None,
        function,
        arguments: Vec::new(),
        span: None,
    });
    validate(draft).expect("as deep as the rules allow")
}

#[test]
fn the_deepest_expressions_and_types_are_read_back() {
    let byte = IntType::unsigned(8);
    let one = || Expression::int(1, byte);
    let wrap: [&dyn Fn(Expression) -> Expression; 5] = [
        &|inner| Expression::Unary(UnaryOp::Negate, Box::new(inner)),
        &|inner| Expression::binary(BinaryOp::Add, inner, one()),
        &|inner| Expression::binary(BinaryOp::Add, one(), inner),
        &|inner| inner.cast(Scalar::Int(byte)),
        &|inner| {
            let condition = Box::new(Expression::bool(true));
            Expression::Select(condition, Box::new(one()), Box::new(inner))
        },
    ];
    for wrap in wrap {
        let value = (0..MAX_DEPTH - 2).fold(one(), |inner, _| wrap(inner));
        let condition = Expression::binary(BinaryOp::Equal, value, one());
        check(0, &program_with(condition, Type::int(byte)));
    }
    let nest = |inner, _| Type::Array(Box::new(inner), 1);
    let ty = (0..MAX_DEPTH).fold(Type::int(byte), nest);
    check(0, &program_with(Expression::bool(true), ty));
}
