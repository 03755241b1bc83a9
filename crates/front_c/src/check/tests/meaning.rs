//! What C says statically: gcc accepts each of these texts for both data models.

use raddle_ir::DataModel;

use super::{accepted, function};
use crate::typed::{ExpressionKind, StatementKind, Update};
use crate::types::{IntegerKind, Type};

#[test]
fn sizes_and_offsets_are_those_of_gcc() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        accepted(include_str!("layout.c"), model);
    }
}

#[test]
fn constants_are_those_of_gcc() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        accepted(include_str!("constants.c"), model);
    }
}

#[test]
fn types_of_expressions_are_those_of_gcc() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        accepted(include_str!("expressions.c"), model);
    }
}

#[test]
fn a_local_whose_array_decays_or_whose_member_has_an_address_is_marked() {
    let module = accepted(
        "struct s { int a; int b[2]; };
         void f(int *p) {
             int plain = 1; int marked; struct s part; int array[2]; struct s whole;
             p = &marked; p = &part.a; p = array; plain = whole.a; whole.a = plain;
         }",
        DataModel::Lp64,
    );
    let body = function(&module, "f").body.as_ref().unwrap();
    let marked: Vec<&str> = body
        .locals
        .values()
        .filter(|local| local.is_address_taken)
        .map(|local| local.name.as_str())
        .collect();
    assert_eq!(marked, ["marked", "part", "array"]);
}

#[test]
fn narrow_integers_are_updated_as_int() {
    let module = accepted("void f(unsigned char c) { c += 300; }", DataModel::Lp64);
    let body = function(&module, "f").body.as_ref().unwrap();
    let [statement] = &body.statements[..] else {
        panic!("one statement");
    };
    let StatementKind::Expression(expression) = &statement.kind else {
        panic!("an expression");
    };
    let ExpressionKind::Update {
        update: Update::Arithmetic { computed_as, .. },
        ..
    } = &expression.kind
    else {
        panic!("an update");
    };
    assert_eq!(*computed_as, Type::Integer(IntegerKind::Int));
}

#[test]
fn overflowing_constants_are_left_to_the_run() {
    let module = accepted(
        "int f(void) { return 2147483647 + 1; } int g(void) { return 1 / 0; } int h(void) { return 6 * 7; }",
        DataModel::Lp64,
    );
    let returned = |name: &str| {
        let body = function(&module, name).body.as_ref().unwrap();
        match &body.statements[0].kind {
            StatementKind::Return(Some(value)) => value.kind.clone(),
            _ => panic!("a return"),
        }
    };
    assert!(matches!(returned("f"), ExpressionKind::Arithmetic(..)));
    assert!(matches!(returned("g"), ExpressionKind::Arithmetic(..)));
    assert!(matches!(returned("h"), ExpressionKind::Integer(42)));
}

#[test]
fn an_array_of_variable_length_is_allocated_after_its_length_is_known() {
    let module = accepted(
        "unsigned long f(int n) { int a[n][3]; return sizeof a; }",
        DataModel::Lp64,
    );
    let body = function(&module, "f").body.as_ref().unwrap();
    let kinds: Vec<_> = body.statements.iter().map(|it| &it.kind).collect();
    assert!(
        matches!(
            kinds[..],
            [
                StatementKind::Expression(_),
                StatementKind::AllocateVariable(..),
                StatementKind::Return(Some(_)),
            ]
        ),
        "{kinds:?}"
    );
}

#[test]
fn cases_have_the_bits_of_the_promoted_type() {
    let module = accepted(
        "void f(char c) { switch (c) { case -1: case 'a' ... 'c': default: ; } }",
        DataModel::Lp64,
    );
    let body = function(&module, "f").body.as_ref().unwrap();
    let StatementKind::Switch {
        cases, has_default, ..
    } = &body.statements[0].kind
    else {
        panic!("a switch");
    };
    assert!(*has_default);
    let cases: Vec<_> = cases.iter().map(|case| (case.first, case.last)).collect();
    assert_eq!(cases, [(0xffff_ffff, 0xffff_ffff), (97, 99)]);
}

#[test]
fn what_is_not_modelled_is_unsupported_where_it_stands() {
    let module = accepted(
        "void f(void) { __asm__ volatile (\"\" ::: \"memory\"); }
         void g(void) { __asm__ (\"cpuid\"); }
         double h(void) { _Complex double z = 1.0; return __real__ z; }",
        DataModel::Lp64,
    );
    let text = |name: &str| format!("{:?}", function(&module, name).body);
    assert!(!text("f").contains("Unsupported"));
    assert!(text("g").contains("Unsupported"));
    assert!(text("h").contains("Unsupported"));
}

#[test]
fn a_value_with_side_effects_for_several_elements_is_unsupported() {
    let module = accepted(
        "int g(void);
         void once(int n) { int a[4] = { [0 ... 2] = n + 1 }; }
         void twice(void) { int a[4] = { [0 ... 2] = g() }; }",
        DataModel::Lp64,
    );
    let text = |name: &str| format!("{:?}", function(&module, name).body);
    assert!(!text("once").contains("Unsupported"));
    assert!(text("twice").contains("Unsupported"));
}

#[test]
fn parameters_of_old_definitions_are_passed_promoted() {
    let module = accepted(
        "int f(c, x) char c; float x; { return c; } int g(void) { return f('a', 1.0f); }",
        DataModel::Lp64,
    );
    let ty = &function(&module, "f").ty;
    assert!(!ty.has_prototype);
    let parameters: Vec<&Type> = ty.parameters.iter().map(|it| &it.ty).collect();
    assert_eq!(
        parameters,
        [
            &Type::Integer(IntegerKind::Int),
            &Type::Float(crate::types::FloatKind::Double)
        ]
    );
}

#[test]
fn an_empty_template_is_a_barrier_and_ties_outputs_to_inputs() {
    let module = accepted(
        "int f(int x) { int y; __asm__ (\"\" : \"=r\" (y) : \"0\" (x)); return y; }
         int g(int x) { int y; __asm__ (\"\" : \"=r\" (y) : \"r\" (x)); return y; }",
        DataModel::Lp64,
    );
    let text = |name: &str| format!("{:?}", function(&module, name).body);
    assert!(text("f").contains("Assign"));
    assert!(text("g").contains("Unsupported"));
}
