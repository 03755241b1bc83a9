//! The text form of a program: `.rad` with labels and `goto`.
//!
//! Functions are printed in raw form: registers, then one line a location, the entry first. Every constant
//! has its type and every memory access its place, so that the reader need not guess anything.

mod action;
mod expression;
mod word;

#[cfg(test)]
mod tests;

use std::fmt::Write;

use expression::{PrintedNames, Printer, location_name};
pub use word::scalar_name;
pub(crate) use word::{binary_symbol, unary_symbol};
use word::{quoted, type_name};

use crate::action::Action;
use crate::formula::{Exclusive, Formula};
use crate::part::Family;
use crate::program::{AtomicSet, ProgramDraft};
use crate::program::{Edge, Function, FunctionId, Global, Initial, LocationId, Program, Root};
use crate::types::StructType;

/// The program as text that `front_rad` reads back to the same program.
pub fn print(program: &Program) -> String {
    let mut text = format!("model {}\n", program.model.name());
    if program.has_unknown_values {
        text.push_str("unset unknown\n");
    }
    for ty in program.structs.values() {
        text.push_str(&struct_item(program, ty));
    }
    for global in program.globals.values() {
        text.push_str(&global_item(program, global));
    }
    for set in program.atomic_sets.values() {
        text.push_str(&set_item(program, set));
    }
    for invariant in &program.invariants {
        let formula = exact_formula(program, &invariant.formula, None);
        let _ = writeln!(text, "invariant {formula}");
    }
    for exclusive in &program.exclusives {
        text.push_str(&exclusive_item(program, exclusive));
    }
    for root in &program.roots {
        text.push_str(&root_item(program, root));
    }
    for (id, function) in program.functions.iter() {
        text.push('\n');
        text.push_str(&function_item(program, id, function));
    }
    text
}

/// An action for people: without the types of constants.
pub fn print_action(program: &Program, function: FunctionId, action: &Action) -> String {
    let names = PrintedNames::Function(&program.functions[function]);
    Printer::pretty(program, names).action(action)
}

/// A formula for people; with the name of the index variable, if it has one.
pub fn print_formula(program: &Program, formula: &Formula, variable: Option<&str>) -> String {
    Printer::pretty(program, PrintedNames::Formula(formula, variable)).whole(&formula.body)
}

fn exact_formula(draft: &ProgramDraft, formula: &Formula, variable: Option<&str>) -> String {
    Printer::exact(draft, PrintedNames::Formula(formula, variable)).whole(&formula.body)
}

fn struct_item(draft: &ProgramDraft, ty: &StructType) -> String {
    let word = if ty.is_union { "union" } else { "struct" };
    let (name, size, align) = (quoted(&ty.name), ty.size, ty.align);
    let mut text = format!("{word} {name} size {size} align {align} {{");
    for (at, field) in ty.fields.iter().enumerate() {
        let separator = if at == 0 { " " } else { "; " };
        let (name, ty) = (quoted(&field.name), type_name(draft, &field.ty));
        let _ = write!(text, "{separator}{name}: {ty} at {}", field.offset);
    }
    text.push_str(" }\n");
    text
}

fn global_item(draft: &ProgramDraft, global: &Global) -> String {
    let printer = Printer::exact(draft, PrintedNames::Nothing);
    let mut text = String::new();
    let size = draft.size_of(&global.ty);
    if global.is_opaque {
        text.push_str("opaque ");
    }
    text.push_str(&action::read_only_word(&global.read_only, size));
    if global.is_thread_local {
        text.push_str("thread_local ");
    }
    let (name, ty) = (quoted(&global.name), type_name(draft, &global.ty));
    let _ = write!(text, "var {name}: {ty}");
    for (at, (offset, initial)) in global.initial.iter().enumerate() {
        let separator = if at == 0 { " init { " } else { "; " };
        let value = match initial {
            Initial::Scalar(ty, bits) => {
                let value = printer.constant(*bits, *ty);
                format!("{} = {value}", scalar_name(*ty))
            }
            Initial::Address(address) => format!("ptr = {}", printer.whole(address)),
            Initial::Any(ty) => format!("{} = *", scalar_name(*ty)),
            Initial::Sync(sync) => printer.sync_init(sync),
        };
        let _ = write!(text, "{separator}at {offset}: {value}");
    }
    text.push_str(if global.initial.is_empty() {
        "\n"
    } else {
        " }\n"
    });
    text
}

fn set_item(draft: &ProgramDraft, set: &AtomicSet) -> String {
    let printer = Printer::exact(draft, PrintedNames::Nothing);
    let members: Vec<String> = set
        .members
        .iter()
        .map(|member| printer.part(member.global, member.offset, member.size))
        .collect();
    format!(
        "atomicset {} {{ {} }}\n",
        quoted(&set.name),
        members.join(", ")
    )
}

fn exclusive_item(draft: &ProgramDraft, exclusive: &Exclusive) -> String {
    let printer = Printer::exact(draft, PrintedNames::Nothing);
    let (address, ty) = (&exclusive.address, exclusive.ty);
    let variable = exclusive.elements.as_ref().map(|it| it.variable.as_str());
    let place = match &exclusive.elements {
        None => printer.place(address, ty),
        Some(elements) => {
            let family = Family {
                count: elements.count,
                stride: elements.stride,
            };
            printer.family_place(address, ty, family, &elements.variable)
        }
    };
    let condition = exact_formula(draft, &exclusive.condition, variable);
    format!("exclusive {place} when {condition}\n")
}

fn root_item(draft: &ProgramDraft, root: &Root) -> String {
    let printer = Printer::exact(draft, PrintedNames::Nothing);
    let name = quoted(&root.name);
    let index = root
        .index
        .map_or(String::new(), |index| format!("[{index}]"));
    let function = quoted(&draft.functions[root.function].name);
    let arguments = printer.list(&root.arguments);
    format!("start {name}{index} = {function}({arguments})\n")
}

fn function_item(program: &Program, id: FunctionId, function: &Function) -> String {
    let parameters: Vec<String> = function
        .registers
        .values()
        .take(function.parameters)
        .map(|it| format!("{}: {}", quoted(&it.name), scalar_name(it.ty)))
        .collect();
    let result = function
        .result
        .map_or(String::new(), |ty| format!(" -> {}", scalar_name(ty)));
    let name = quoted(&function.name);
    let word = if function.is_approximate {
        "approximate "
    } else {
        ""
    };
    let mut text = format!("{word}fn {name}({}){result} {{\n", parameters.join(", "));
    for register in function.registers.values().skip(function.parameters) {
        let word = if register.is_temporary { "temp" } else { "let" };
        let (name, ty) = (quoted(&register.name), scalar_name(register.ty));
        let _ = writeln!(text, "    {word} {name}: {ty}");
    }
    for location in function.locations.ids() {
        if location != function.exit {
            location_line(program, id, location, &mut text);
        }
    }
    text.push_str("}\n");
    text
}

fn location_line(program: &Program, id: FunctionId, location: LocationId, text: &mut String) {
    let function = &program.functions[id];
    let printer = Printer::exact(program, PrintedNames::Function(function));
    let _ = write!(text, "    {}: ", location_name(function, location));
    let branch = |edge: &Edge| {
        let action = printer.action(&edge.action);
        if edge.action.leaves_function() {
            action
        } else {
            format!("{action}; goto {}", location_name(function, edge.to))
        }
    };
    match program.outgoing(id, location) {
        [edge] => text.push_str(&branch(&function.edges[*edge])),
        edges => {
            let branches: Vec<String> = edges
                .iter()
                .map(|edge| format!("{{ {} }}", branch(&function.edges[*edge])))
                .collect();
            let _ = write!(text, "choose {}", branches.join(" or "));
        }
    }
    text.push('\n');
}
