//! Initialisers as pieces.

use raddle_ir::DataModel;

use super::{accepted, function, object};
use crate::typed::{AddressBase, ConstantValue, Module, PieceValue, StatementKind};
use crate::types::{Length, Type};

/// The pieces of a static object in short: offset, bits of a bit-field, value.
fn pieces(module: &Module, name: &str) -> Vec<String> {
    object(module, name)
        .initial
        .iter()
        .map(|piece| {
            let bits = match piece.bits {
                Some(bits) => format!(":{}+{}", bits.first, bits.width),
                None => String::new(),
            };
            let value = match &piece.value {
                ConstantValue::Bits(bits, _) => format!("{bits:#x}"),
                ConstantValue::Bytes(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
                ConstantValue::Address(base, offset, _) => match base {
                    AddressBase::Object(id) => {
                        format!("&{}{offset:+}", module.objects[*id].name)
                    }
                    AddressBase::Function(id) => format!("&{}", module.functions[*id].name),
                    AddressBase::Label(..) => "&&".into(),
                },
            };
            format!("{}{bits}={value}", piece.offset)
        })
        .collect()
}

fn initial(text: &str) -> Vec<String> {
    pieces(&accepted(text, DataModel::Lp64), "x")
}

#[test]
fn braces_may_be_left_out() {
    assert_eq!(
        initial("struct { int a; struct { char b, c; } in[2]; int d; } x = { 1, 2, 3, 4, 5, 6 };"),
        ["0=0x1", "4=0x2", "5=0x3", "6=0x4", "7=0x5", "8=0x6"]
    );
}

#[test]
fn designators_go_anywhere_and_on_from_there() {
    assert_eq!(
        initial(
            "struct { int a, b[3]; struct { int c, d; } e; } x = { .e.c = 1, 2, .b[1] = 3, 4, 5 };"
        ),
        ["8=0x3", "12=0x4", "16=0x5", "20=0x2"]
    );
    assert_eq!(
        initial("short x[] = { [2 ... 4] = 7, 8, [3] = 9 };"),
        ["4=0x7", "6=0x9", "8=0x7", "10=0x8"]
    );
}

#[test]
fn the_last_value_for_a_place_counts() {
    assert_eq!(
        initial("struct { int a; char t[4]; } x = { 1, \"abc\", .a = 2, .t[1] = 'x' };"),
        ["0=0x2", "4=\"a\"", "5=0x78", "6=\"c\\0\""]
    );
    assert_eq!(
        initial("struct { union { int a; char b; } u; } x = { .u.a = 0x1234, .u.b = 1 };"),
        ["0=0x1"]
    );
}

#[test]
fn strings_fill_arrays_and_make_them_long_enough() {
    let module = accepted(
        "char x[] = \"ab\"; char y[2] = \"ab\"; char z[2][3] = { \"a\", { \"b\" } };",
        DataModel::Lp64,
    );
    assert_eq!(pieces(&module, "x"), ["0=\"ab\\0\""]);
    assert_eq!(pieces(&module, "y"), ["0=\"ab\""]);
    assert_eq!(pieces(&module, "z"), ["0=\"a\\0\"", "3=\"b\\0\""]);
    assert!(matches!(
        object(&module, "x").ty.ty,
        Type::Array(_, Length::Constant(3))
    ));
}

#[test]
fn addresses_are_objects_and_offsets() {
    assert_eq!(
        initial(
            "struct s { int a, b[4]; } y; int f(void);
             void *x[] = { &y.b[2], y.b + 1, (char *)&y + 3, f, &f, (void *)(unsigned long)&y, &((struct s *)0)->b[1] };"
        ),
        ["0=&y+12", "8=&y+8", "16=&y+3", "24=&f", "32=&f", "40=&y+0", "48=0x8"]
    );
}

#[test]
fn bit_fields_share_bytes() {
    assert_eq!(
        initial("struct { unsigned a : 3, : 2, b : 4; signed c : 5; } x = { 9, 5, -1 };"),
        ["0:0+3=0x1", "0:5+4=0x5", "0:9+5=0x1f"]
    );
}

#[test]
fn a_flexible_array_makes_its_object_larger() {
    let module = accepted(
        "struct { int n; short t[]; } x = { 2, { 1, 2 } };",
        DataModel::Lp64,
    );
    assert_eq!(object(&module, "x").size, 8);
    assert_eq!(pieces(&module, "x"), ["0=0x2", "4=0x1", "6=0x2"]);
}

#[test]
fn compound_literals_at_file_scope_are_objects() {
    let module = accepted(
        "int *x = (int[]){ 1, 2 }; struct s { int a; } y = (struct s){ 3 };",
        DataModel::Lp64,
    );
    assert_eq!(pieces(&module, "x"), ["0=&literal.0+0"]);
    assert_eq!(pieces(&module, "y"), ["0=0x3"]);
}

#[test]
fn a_local_is_initialised_by_pieces_and_zeroed_beside_them() {
    let module = accepted(
        "struct s { int a; struct { int b, c; } in; } g;
         void f(int n) { struct s x = { n, .in = { .c = n + 1 } }; struct s y = x; char t[4] = \"a\"; }",
        DataModel::Lp64,
    );
    let body = function(&module, "f").body.as_ref().unwrap();
    let shapes: Vec<(bool, Vec<String>)> = body
        .statements
        .iter()
        .map(|statement| match &statement.kind {
            StatementKind::Declare(_, Some(initial)) => (
                initial.is_zeroed,
                initial
                    .pieces
                    .iter()
                    .map(|piece| match &piece.value {
                        PieceValue::Expression(_) => format!("{}", piece.offset),
                        PieceValue::Bytes(bytes) => format!("{}:{}", piece.offset, bytes.len()),
                    })
                    .collect(),
            ),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        shapes,
        [
            (true, vec!["0".to_owned(), "8".to_owned()]),
            (false, vec!["0".to_owned()]),
            (true, vec!["0:2".to_owned()]),
        ]
    );
}
