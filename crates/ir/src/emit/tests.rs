//! Texts and conversions. The values that C prints were taken from glibc; `crates/testkit` compares many more.

use super::*;

fn printed(spec: &str, bits: u128, ty: Scalar) -> String {
    let pieces = pieces(spec).expect("a conversion");
    let [Piece::Converted(conversion)] = &pieces[..] else {
        panic!("{pieces:?}")
    };
    let mut output = Vec::new();
    conversion.convert(bits, ty, &mut output);
    String::from_utf8(output).expect("only characters")
}

fn int(spec: &str, value: i32) -> String {
    let ty = Scalar::Int(IntType::signed(32));
    printed(spec, u128::from(value.cast_unsigned()), ty)
}

fn float(spec: &str, value: f64) -> String {
    printed(
        spec,
        u128::from(value.to_bits()),
        Scalar::Float(FloatType::F64),
    )
}

#[test]
fn texts_are_cut_at_their_holes() {
    assert_eq!(pieces(""), Ok(vec![]));
    assert_eq!(
        pieces("{a}{}{{}"),
        Ok(vec![
            Piece::Text("{a}"),
            Piece::Plain,
            Piece::Text("{"),
            Piece::Plain
        ])
    );
    let pieces = pieces("n = {%-5.3d}\n").expect("a conversion");
    let expected = Conversion {
        flags: Flags {
            is_left: true,
            ..Flags::default()
        },
        width: 5,
        precision: Some(3),
        kind: ConversionKind::Signed,
    };
    assert_eq!(
        pieces,
        [
            Piece::Text("n = "),
            Piece::Converted(expected),
            Piece::Text("\n")
        ]
    );
}

#[test]
fn what_is_no_conversion_is_refused() {
    for text in [
        "{%}",
        "{%d",
        "{%ld}",
        "{%s}",
        "{%d }",
        "{%*d}",
        "{%99999d}",
        "{%.99999d}",
        "{%n}",
        "{%é}",
    ] {
        assert!(pieces(text).is_err(), "{text}");
    }
}

#[test]
fn integers_are_printed_as_c_prints_them() {
    assert_eq!(int("{%d}", -5), "-5");
    assert_eq!(int("{%u}", -5), "4294967291");
    assert_eq!(int("{%05d}", -5), "-0005");
    assert_eq!(int("{%-5d}", 5), "5    ");
    assert_eq!(int("{%+5.3d}", 5), " +005");
    assert_eq!(int("{%#x}", 255), "0xff");
    assert_eq!(int("{%#X}", 255), "0XFF");
    assert_eq!(int("{%#o}", 8), "010");
    assert_eq!(int("{%#.0o}", 0), "0");
    assert_eq!(int("{%.0d}", 0), "");
    assert_eq!(int("{%3c}", 0x141), "  A");
    let byte = Scalar::Int(IntType::unsigned(8));
    assert_eq!(printed("{%d}", 200, byte), "-56");
    assert_eq!(printed("{%p}", 0, Scalar::Pointer), "(nil)");
    assert_eq!(printed("{%12p}", 0xbeef, Scalar::Pointer), "      0xbeef");
}

#[test]
fn floats_are_rounded_correctly() {
    assert_eq!(float("{%f}", 1.0), "1.000000");
    assert_eq!(float("{%.0f}", 0.5), "0");
    assert_eq!(float("{%.0f}", 1.5), "2");
    assert_eq!(float("{%.0f}", 2.5), "2");
    assert_eq!(float("{%.1f}", 0.25), "0.2");
    assert_eq!(float("{%.2f}", 9.999), "10.00");
    assert_eq!(float("{%e}", 0.0), "0.000000e+00");
    assert_eq!(float("{%.0e}", 9.6e99), "1e+100");
    assert_eq!(float("{%g}", 100_000.0), "100000");
    assert_eq!(float("{%g}", 1_000_000.0), "1e+06");
    assert_eq!(float("{%g}", 0.0001), "0.0001");
    assert_eq!(float("{%g}", 0.00001), "1e-05");
    assert_eq!(float("{%#g}", 1.0), "1.00000");
    assert_eq!(float("{%a}", 1.5), "0x1.8p+0");
    assert_eq!(float("{%.0a}", 1.5), "0x2p+0");
    assert_eq!(float("{%a}", f64::from_bits(1)), "0x0.0000000000001p-1022");
    assert_eq!(float("{%A}", -0.0), "-0X0P+0");
    assert_eq!(float("{%08f}", f64::NEG_INFINITY), "    -inf");
    assert_eq!(float("{%G}", f64::NAN), "NAN");
    assert_eq!(float("{%.20f}", 0.1), "0.10000000000000000555");
    assert_eq!(float("{%.0f}", 1e23), "99999999999999991611392");
}

#[test]
fn any_bytes_can_be_emitted_as_they_are() {
    let (text, arguments) = literal(b"{}{%d}{ {{ a\xff\xc3\xa9{");
    let mut output = Vec::new();
    let mut arguments = arguments.into_iter();
    for piece in pieces(&text).expect("no bad conversion") {
        match piece {
            Piece::Text(text) => output.extend_from_slice(text.as_bytes()),
            Piece::Plain => panic!("nothing of the literal is a hole"),
            Piece::Converted(conversion) => {
                let Some(Expression::Constant(bits, ty)) = arguments.next() else {
                    panic!("an argument for each hole")
                };
                conversion.convert(bits, ty, &mut output);
            }
        }
    }
    assert_eq!(output, b"{}{%d}{ {{ a\xff\xc3\xa9{");
}
