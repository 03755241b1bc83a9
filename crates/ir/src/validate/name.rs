//! Rules on names.

use std::collections::BTreeSet;

use raddle_base::Span;

use super::Report;
use crate::program::ProgramDraft;

pub(super) fn check(draft: &ProgramDraft, report: &mut Report) {
    let globals = draft.globals.values().map(|it| (&it.name, it.span));
    let functions = draft.functions.values().map(|it| (&it.name, it.span));
    let structs = draft.structs.values().map(|it| (&it.name, None));
    let sets = draft.atomic_sets.values().map(|it| (&it.name, it.span));
    let names = globals.chain(functions).chain(structs).chain(sets);
    let taken = check_distinct(names, "V1", "the program", report);
    for function in draft.functions.values() {
        let owner = format!("function `{}`", function.name);
        let registers = function.registers.values().map(|it| (&it.name, it.span));
        check_distinct(registers, "V2", &owner, report);
        let labels = function
            .locations
            .values()
            .filter_map(|it| it.label.as_ref().map(|label| (label, it.span)));
        check_distinct(labels, "V3", &owner, report);
    }
    for ty in draft.structs.values() {
        let fields = ty.fields.iter().map(|field| (&field.name, None));
        check_distinct(fields, "V4", &format!("type `{}`", ty.name), report);
    }
    let mut roots = BTreeSet::new();
    for root in &draft.roots {
        check_text(&root.name, root.span, report);
        let name = root.display_name();
        if roots.contains(&name) {
            let message = format!("two threads of the start are called `{name}`; rename one");
            report.add("V6", root.span, message);
        }
        roots.insert(name);
    }
    for exclusive in &draft.exclusives {
        if let Some(elements) = &exclusive.elements {
            let name = &elements.variable;
            check_text(name, exclusive.span, report);
            if taken.contains(name) {
                let message =
                    format!("the index variable `{name}` has a name of the program; rename it");
                report.add("V1", exclusive.span, message);
            }
        }
    }
}

fn check_distinct<'a>(
    names: impl Iterator<Item = (&'a String, Option<Span>)>,
    rule: &'static str,
    owner: &str,
    report: &mut Report,
) -> BTreeSet<&'a String> {
    let mut seen = BTreeSet::new();
    for (name, span) in names {
        check_text(name, span, report);
        if !seen.insert(name) {
            let message = format!("the name `{name}` is used twice in {owner}; rename one");
            report.add(rule, span, message);
        }
    }
    seen
}

fn check_text(name: &str, span: Option<Span>, report: &mut Report) {
    if name.is_empty() {
        report.add("V5", span, "a name is empty");
    } else if name.contains(|c: char| c == '`' || c.is_control()) {
        let message = format!("the name {name:?} holds a backtick or a control character");
        report.add("V5", span, message);
    }
}
