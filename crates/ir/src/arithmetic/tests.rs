use super::*;

const MODEL: DataModel = DataModel::Lp64;

fn int(bits: u8, is_signed: bool) -> IntType {
    IntType { bits, is_signed }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the test names the operations it covers"
)]
/// The operation on unbounded integers, where there is a result.
fn exact(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    Some(match op {
        BinaryOp::Add | BinaryOp::AddWrapping => a + b,
        BinaryOp::Subtract | BinaryOp::SubtractWrapping => a - b,
        BinaryOp::Multiply | BinaryOp::MultiplyWrapping => a * b,
        BinaryOp::Divide => a.checked_div(b)?,
        BinaryOp::Remainder => a.checked_rem(b)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        other => panic!("{other:?} is not in this test"),
    })
}

#[test]
fn small_integers_agree_with_unbounded_arithmetic_wrapped() {
    let operations = [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::AddWrapping,
        BinaryOp::SubtractWrapping,
        BinaryOp::MultiplyWrapping,
        BinaryOp::Divide,
        BinaryOp::Remainder,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
    ];
    for ty in [
        int(1, false),
        int(1, true),
        int(4, false),
        int(4, true),
        int(5, true),
    ] {
        for op in operations {
            for left in 0..=ty.mask() {
                for right in 0..=ty.mask() {
                    let (a, b) = (signed_value(left, ty), signed_value(right, ty));
                    let scalar = Scalar::Int(ty);
                    let found = binary(op, left, right, scalar, scalar, MODEL);
                    let is_least_by_minus_one = ty.is_signed
                        && matches!(op, BinaryOp::Divide | BinaryOp::Remainder)
                        && a == ty.min()
                        && b == -1;
                    match exact(op, a, b) {
                        None => assert_eq!(found, Err(ArithmeticFault::DivisionByZero)),
                        Some(_) if is_least_by_minus_one => {
                            assert_eq!(found, Err(ArithmeticFault::QuotientOutOfRange));
                        }
                        Some(value) => {
                            let found = found.expect("defined");
                            let wrapped = value.cast_unsigned() & ty.mask();
                            assert_eq!(found.bits, wrapped, "{a} {op:?} {b} in {ty:?}");
                            let is_silent = !ty.is_signed
                                || matches!(
                                    op,
                                    BinaryOp::AddWrapping
                                        | BinaryOp::SubtractWrapping
                                        | BinaryOp::MultiplyWrapping
                                );
                            let fits = signed_value(wrapped, ty) == value;
                            assert_eq!(found.overflowed, !is_silent && !fits, "{a} {op:?} {b}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn wide_signed_arithmetic_reports_overflow() {
    let ty = Scalar::Int(int(128, true));
    let max = i128::MAX.cast_unsigned();
    let sum = binary(BinaryOp::Add, max, 1, ty, ty, MODEL).unwrap();
    assert_eq!(
        (sum.bits, sum.overflowed),
        (i128::MIN.cast_unsigned(), true)
    );
    let product = binary(BinaryOp::Multiply, max, 2, ty, ty, MODEL).unwrap();
    assert!(product.overflowed);
    let quotient = binary(
        BinaryOp::Divide,
        i128::MIN.cast_unsigned(),
        u128::MAX,
        ty,
        ty,
        MODEL,
    );
    assert_eq!(quotient, Err(ArithmeticFault::QuotientOutOfRange));
    let seventy = int(70, true);
    let big = seventy.max();
    let product = binary(
        BinaryOp::Multiply,
        big,
        big,
        Scalar::Int(seventy),
        Scalar::Int(seventy),
        MODEL,
    )
    .unwrap();
    assert!(product.overflowed);
}

#[test]
fn shifts_are_defined_below_the_width() {
    let (u8_type, i8_type) = (Scalar::Int(int(8, false)), Scalar::Int(int(8, true)));
    let shift = |op, value, amount, ty| binary(op, value, amount, ty, i8_type, MODEL);
    assert_eq!(
        shift(BinaryOp::ShiftLeft, 0x81, 1, u8_type).unwrap().bits,
        2
    );
    assert_eq!(
        shift(BinaryOp::ShiftRight, 0x81, 1, i8_type).unwrap().bits,
        0xc0
    );
    assert_eq!(
        shift(BinaryOp::ShiftRight, 0x81, 1, u8_type).unwrap().bits,
        0x40
    );
    assert!(
        shift(BinaryOp::ShiftLeft, 0x41, 1, i8_type)
            .unwrap()
            .overflowed
    );
    assert_eq!(
        shift(BinaryOp::ShiftLeft, 1, 8, u8_type),
        Err(ArithmeticFault::ShiftOutOfRange)
    );
    assert_eq!(
        shift(BinaryOp::ShiftRight, 1, 0xff, u8_type),
        Err(ArithmeticFault::ShiftOutOfRange)
    );
    assert_eq!(
        shift(BinaryOp::ShiftLeftWrapping, 1, 9, u8_type)
            .unwrap()
            .bits,
        2
    );
}

#[test]
fn single_precision_rounds_once() {
    let ty = Scalar::Float(FloatType::F32);
    let mut random = 0x9e37_79b9_u32;
    for _ in 0..10_000 {
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(random)
        };
        let (a, b) = (next(), next());
        for (op, expected) in [
            (BinaryOp::Add, a + b),
            (BinaryOp::Subtract, a - b),
            (BinaryOp::Multiply, a * b),
            (BinaryOp::Divide, a / b),
        ] {
            let bits = |value: f32| u128::from(value.to_bits());
            let found = binary(op, bits(a), bits(b), ty, ty, MODEL).unwrap();
            assert_eq!(
                found.bits,
                u128::from(canonical_f32(expected)),
                "{a:e} {op:?} {b:e}"
            );
        }
    }
}

#[test]
fn floats_become_integers_only_where_they_fit() {
    let from = Scalar::Float(FloatType::F64);
    let to = |value: f64, ty: IntType| {
        cast(u128::from(value.to_bits()), from, Scalar::Int(ty), MODEL).map(|it| it.bits)
    };
    assert_eq!(to(-3.9, int(8, true)), Ok(0xfd));
    assert_eq!(to(255.9, int(8, false)), Ok(255));
    assert_eq!(
        to(256.0, int(8, false)),
        Err(ArithmeticFault::FloatOutOfRange)
    );
    assert_eq!(to(-0.5, int(8, false)), Ok(0));
    assert_eq!(
        to(f64::NAN, int(128, true)),
        Err(ArithmeticFault::FloatOutOfRange)
    );
    assert_eq!(to(-(2_f64.powi(127)), int(128, true)), Ok(1 << 127));
}

#[test]
fn pointers_stay_in_their_object_or_a_little_below() {
    let p = join_pointer(5, 3, MODEL);
    let word = Scalar::Int(MODEL.signed_word());
    let minus = |amount: i64| i128::from(-amount).cast_unsigned() & u128::from(u64::MAX);
    let offset = |amount| binary(BinaryOp::Offset, p, amount, Scalar::Pointer, word, MODEL);
    assert_eq!(offset(4).unwrap().bits, join_pointer(5, 7, MODEL));
    assert_eq!(offset(minus(3)).unwrap().bits, join_pointer(5, 0, MODEL));
    let below = offset(minus(4)).unwrap().bits;
    let back = binary(BinaryOp::Offset, below, 4, Scalar::Pointer, word, MODEL);
    assert_eq!(back.unwrap().bits, p);
    let distance = binary(
        BinaryOp::Distance,
        below,
        p,
        Scalar::Pointer,
        Scalar::Pointer,
        MODEL,
    );
    assert_eq!(distance.unwrap().bits, minus(4));
    let less = binary(
        BinaryOp::Less,
        below,
        p,
        Scalar::Pointer,
        Scalar::Pointer,
        MODEL,
    );
    assert_eq!(less.unwrap().bits, 1);
    // Numbers made of pointers count on.
    assert_eq!(below + 4, p);
    let null = binary(BinaryOp::Offset, 0, minus(8), Scalar::Pointer, word, MODEL).unwrap();
    let back = binary(BinaryOp::Offset, null.bits, 8, Scalar::Pointer, word, MODEL);
    assert_eq!(back.unwrap().bits, 0);
    assert_eq!(
        offset(minus(3 + 4097)),
        Err(ArithmeticFault::PointerLeavesObject)
    );
    assert_eq!(offset(1 << 40), Err(ArithmeticFault::PointerLeavesObject));
}

#[test]
fn casts_extend_by_the_sign_of_their_source() {
    let cast_to = |bits, from, to| {
        cast(bits, Scalar::Int(from), Scalar::Int(to), MODEL)
            .unwrap()
            .bits
    };
    assert_eq!(cast_to(0xff, int(8, true), int(16, false)), 0xffff);
    assert_eq!(cast_to(0xff, int(8, false), int(16, true)), 0x00ff);
    assert_eq!(cast_to(0x1ff, int(16, false), int(8, true)), 0xff);
}

#[test]
fn as_a_word_the_first_thread_has_a_name_and_zero_is_nobody() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let word = Scalar::Int(model.unsigned_word());
        let bits = |bits, from, to| cast(bits, from, to, model).expect("defined").bits;
        let main = bits(0, Scalar::Thread, word);
        assert_ne!(main, 0);
        assert_eq!(bits(main, word, Scalar::Thread), 0);
        assert_eq!(bits(0, word, Scalar::Thread), model.null_thread());
        // A spawned thread is called the same either way, and numbers of other widths are numbers.
        assert_eq!(bits(0x6000_0007, Scalar::Thread, word), 0x6000_0007);
        assert_eq!(bits(0x6000_0007, word, Scalar::Thread), 0x6000_0007);
        assert_eq!(
            bits(0, Scalar::Thread, Scalar::Int(IntType::unsigned(8))),
            0
        );
    }
}
