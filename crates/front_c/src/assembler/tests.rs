//! Templates as real programs write them.

use super::{
    Argument, Constraint, Family, Instruction, Line, LocalTarget, Operand, OperandName,
    OperandPlace, Register, read,
};

fn operand(number: usize, bytes: Option<u64>) -> Argument {
    Argument::Operand(Operand {
        name: OperandName::Number(number),
        bytes,
    })
}

fn instruction(is_locked: bool, name: &str, arguments: Vec<Argument>) -> Line {
    Line::Instruction(Instruction {
        is_locked,
        name: name.into(),
        arguments,
    })
}

fn register(name: &str) -> Argument {
    Argument::Register(Register::named(name).expect("a register"))
}

#[test]
fn prefixes_belong_to_the_next_instruction() {
    for text in [
        "lock xaddl %0, %1",
        "lock; xaddl %0, %1",
        "lock\n\txaddl %0,%1",
    ] {
        let read = read(text, false).expect("known");
        assert_eq!(
            read,
            [instruction(
                true,
                "xaddl",
                vec![operand(0, None), operand(1, None)]
            )]
        );
    }
    assert_eq!(
        read("rep; nop", true).expect("known"),
        [instruction(false, "nop", vec![])]
    );
    assert_eq!(read("", true).expect("known"), []);
    assert_eq!(
        read("lock; incl %0; nop", false).expect("known"),
        [
            instruction(true, "incl", vec![operand(0, None)]),
            instruction(false, "nop", vec![])
        ]
    );
}

#[test]
fn what_is_repeated_is_not_taken_for_once() {
    let error = read("rep stosb", true).expect_err("not known");
    assert!(error.contains("rep stosb"), "{error}");
}

#[test]
fn operands_have_numbers_names_and_sizes() {
    let text = "cmpxchgq %[new], %0; sete %b1; movw %w2, %k[low]";
    let word = |word: &str, bytes| {
        Argument::Operand(Operand {
            name: OperandName::Word(word.into()),
            bytes,
        })
    };
    assert_eq!(
        read(text, false).expect("known"),
        [
            instruction(false, "cmpxchgq", vec![word("new", None), operand(0, None)]),
            instruction(false, "sete", vec![operand(1, Some(1))]),
            instruction(
                false,
                "movw",
                vec![operand(2, Some(2)), word("low", Some(4))]
            ),
        ]
    );
}

#[test]
fn registers_and_memory() {
    let memory = |offset, base| Argument::Memory(offset, Box::new(base));
    assert_eq!(
        read("lock; addl $0,0(%%rsp)", false).expect("known"),
        [instruction(
            true,
            "addl",
            vec![Argument::Immediate(0), memory(0, register("rsp"))]
        )]
    );
    assert_eq!(
        read("lock orq $-0x10, -8(%rsp)", true).expect("known"),
        [instruction(
            true,
            "orq",
            vec![Argument::Immediate(-16), memory(-8, register("rsp"))]
        )]
    );
    assert_eq!(
        read("xchgl %0,(%1)", false).expect("known"),
        [instruction(
            false,
            "xchgl",
            vec![operand(0, None), memory(0, operand(1, None))]
        )]
    );
}

#[test]
fn labels_and_jumps() {
    let target = |label: &str, is_ahead| {
        Argument::Local(LocalTarget {
            label: label.into(),
            is_ahead,
        })
    };
    assert_eq!(
        read("1: lock; decb %0\n\tjns 3f\n2: pause\n jmp 1b\n3:\n", false).expect("known"),
        [
            Line::Label("1".into()),
            instruction(true, "decb", vec![operand(0, None)]),
            instruction(false, "jns", vec![target("3", true)]),
            Line::Label("2".into()),
            instruction(false, "pause", vec![]),
            instruction(false, "jmp", vec![target("1", false)]),
            Line::Label("3".into()),
        ]
    );
    assert_eq!(
        read("js %l[out]", false).expect("known"),
        [instruction(
            false,
            "js",
            vec![Argument::Label(OperandName::Word("out".into()))]
        )]
    );
}

#[test]
fn the_first_dialect_is_read() {
    assert_eq!(
        read("mov{l %1, %0| %0, %1}", false).expect("known"),
        [instruction(
            false,
            "movl",
            vec![operand(1, None), operand(0, None)]
        )]
    );
}

#[test]
fn what_is_not_understood_is_named() {
    for text in ["movl %%ah, %0", "movl (%0,%1,4), %2", "movl symbol, %0"] {
        let error = read(text, false).expect_err("not known");
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn constraints_say_where_operands_lie() {
    let place = |text: &str| Constraint::read(text).expect("known").place;
    assert_eq!(place("+m"), OperandPlace::Memory);
    assert_eq!(place("=r"), OperandPlace::Register);
    assert_eq!(place("=&q"), OperandPlace::Register);
    assert_eq!(place("ri"), OperandPlace::Register);
    assert_eq!(place("=rm"), OperandPlace::Register);
    assert_eq!(place("+rm"), OperandPlace::Memory);
    assert_eq!(place("=a"), OperandPlace::Fixed(Family::A));
    assert_eq!(place("0"), OperandPlace::Tied(OperandName::Number(0)));
    assert_eq!(
        place("[old]"),
        OperandPlace::Tied(OperandName::Word("old".into()))
    );
    assert_eq!(place("=@ccz"), OperandPlace::Condition("z".into()));
    assert!(Constraint::read("+r").expect("known").is_read);
    assert!(Constraint::read("=x").is_err());
    assert!(Constraint::read("=A").is_err());
}
