//! Several units, one program.

use raddle_diag::Severity;
use raddle_ir::DataModel;

use super::{check_units, function, object};
use crate::typed::{Callee, ExpressionKind, FunctionId, Module, StatementKind};

fn linked(library: &[&str], units: &[&str]) -> Module {
    let (module, diagnostics) = check_units(library, units, DataModel::Lp64);
    assert!(
        diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity == Severity::Warning),
        "{diagnostics:#?}"
    );
    module
}

/// The function that the first statement of another one calls.
fn called(module: &Module, name: &str) -> FunctionId {
    let body = function(module, name).body.as_ref().unwrap();
    let (StatementKind::Expression(value) | StatementKind::Return(Some(value))) =
        &body.statements[0].kind
    else {
        panic!("an expression");
    };
    let mut value = value;
    while let ExpressionKind::Cast(inner) = &value.kind {
        value = inner;
    }
    match &value.kind {
        ExpressionKind::Call(Callee::Direct(id), _) => *id,
        other => panic!("a call, not {other:?}"),
    }
}

#[test]
fn a_name_is_defined_in_one_unit_and_used_in_another() {
    let module = linked(
        &[],
        &[
            "extern int g; int f(void); int main(void) { return f() + g; }",
            "int g = 3; int f(void) { return 1; }",
        ],
    );
    assert!(function(&module, "f").body.is_some());
    assert!(object(&module, "g").is_defined);
    assert_eq!(module.functions.len(), 2);
    assert_eq!(module.objects.len(), 1);
}

#[test]
fn static_names_of_units_are_different_things() {
    let module = linked(
        &[],
        &[
            "static int n = 1; static int f(void) { return n; } int a(void) { return f(); }",
            "static int n = 2; static int f(void) { return n; } int b(void) { return f(); }",
        ],
    );
    assert_eq!(module.functions[called(&module, "a")].name, "f");
    assert_eq!(module.functions[called(&module, "b")].name, "f.2");
    assert!(object(&module, "n.2").is_defined);
}

#[test]
fn two_definitions_of_a_name_are_an_error_in_two_units_also() {
    let (_, diagnostics) = check_units(
        &[],
        &["int f(void) { return 1; }", "int f(void) { return 2; }"],
        DataModel::Lp64,
    );
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].message, "`f` is defined twice");
}

#[test]
fn what_the_library_defines_is_used_if_the_user_does_not_define_it() {
    let module = linked(
        &["int helper(int n) { return n; } int twice(int n) { return helper(2 * n); }"],
        &["int twice(int); int main(void) { return twice(2); }"],
    );
    let twice = called(&module, "main");
    assert!(module.functions[twice].is_library);
    assert!(module.functions[twice].body.is_some());
}

#[test]
fn a_definition_of_the_user_wins_but_the_library_keeps_its_own() {
    let module = linked(
        &["int helper(int n) { return n; } int twice(int n) { return helper(2 * n); }"],
        &[
            "void helper(void); int twice(int); int main(void) { helper(); return twice(2); }",
            "void helper(void) {}",
        ],
    );
    let users = called(&module, "main");
    assert_eq!(module.functions[users].name, "helper");
    assert!(!module.functions[users].is_library);
    assert!(module.functions[users].body.is_some());
    let own = called(&module, "twice");
    assert!(module.functions[own].is_library);
    assert_ne!(own, users);
}

#[test]
fn a_call_by_another_declaration_is_converted_to_the_definition() {
    let module = linked(
        &["void *allocate(unsigned long n) { return 0; }"],
        &["char *allocate(int); char *f(int n) { return allocate(n); }"],
    );
    assert!(module.functions[called(&module, "f")].is_library);
}

#[test]
fn inline_definitions_give_way_to_ordinary_ones() {
    let module = linked(
        &[],
        &[
            "inline int f(void) { return 1; }",
            "int f(void) { return 2; }",
        ],
    );
    let body = function(&module, "f").body.as_ref().unwrap();
    assert!(matches!(
        &body.statements[0].kind,
        StatementKind::Return(Some(value)) if matches!(value.kind, ExpressionKind::Integer(2))
    ));
}

#[test]
fn declarations_in_blocks_mean_the_object_outside() {
    let module = linked(
        &[],
        &[
            "int f(void) { extern int g; int h(int); return g + h(1); } int g = 4; int h(int n) { return n; }",
        ],
    );
    assert_eq!(module.objects.len(), 1);
    assert_eq!(module.functions.len(), 2);
}

#[test]
fn weak_objects_give_way_to_others_wherever_they_stand() {
    let initial = |units: &[&str]| {
        let module = linked(&[], units);
        let (_, object) = module.objects.iter().next().unwrap();
        object.initial.first().map(|piece| match piece.value {
            crate::typed::ConstantValue::Bits(bits, _) => bits,
            _ => unreachable!("a number"),
        })
    };
    let weak = "__attribute__((weak)) int x = 5;";
    assert_eq!(initial(&[weak]), Some(5));
    assert_eq!(initial(&[weak, "int x = 7;"]), Some(7));
    assert_eq!(initial(&["int x = 7;", weak]), Some(7));
    assert_eq!(initial(&[weak, "int x;"]), None);
    assert_eq!(initial(&["int x;", weak]), None);
    assert_eq!(initial(&[weak, "extern int x;"]), Some(5));
}

#[test]
fn a_weak_alias_gives_way_to_a_definition() {
    let module = linked(
        &[],
        &[
            "int g(void) { return 1; } int f(void) __attribute__((weak, alias(\"g\")));",
            "int f(void) { return 2; }",
        ],
    );
    assert!(function(&module, "f").body.is_some());
    assert!(function(&module, "f").alias.is_some());
}

#[test]
fn only_weak_names_that_nobody_defines_are_null() {
    let module = linked(
        &[],
        &[
            "extern int a(void) __attribute__((weak)); extern int b(void); extern int fork(void) __attribute__((weak));
             extern int c(void) __attribute__((weak)); int d(void) { return a() + b() + c() + fork(); }",
            "int c(void) { return 1; }",
        ],
    );
    let is_null = |name| function(&module, name).is_null;
    assert!(is_null("a"));
    assert!(!is_null("b") && !is_null("c") && !is_null("fork"));
}
