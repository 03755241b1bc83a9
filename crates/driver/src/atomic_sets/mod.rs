//! Atomic sets and units of work for programs that name none: `--atomic-sets`.
//!
//! A pass from programs to programs: what is checked, printed and replayed is its result. What the program itself
//! declares stays as it is.

mod objects;
mod units;

use raddle_diag::Diagnostic;
use raddle_engine::{Note, Remedy};
use raddle_ir::{Action, Program, ProgramDraft};

/// Which data belongs together, where the program does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultSets {
    /// The members of each object of struct type.
    Structs,
    /// Each variable by itself; an array is one.
    Cells,
    /// All data.
    All,
}

impl DefaultSets {
    pub const ALL: [DefaultSets; 3] = [DefaultSets::Structs, DefaultSets::Cells, DefaultSets::All];

    /// As in `--atomic-sets structs`.
    pub fn name(self) -> &'static str {
        match self {
            DefaultSets::Structs => "structs",
            DefaultSets::Cells => "cells",
            DefaultSets::All => "all",
        }
    }

    pub fn from_name(name: &str) -> Option<DefaultSets> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The program with the sets that were asked for. If it marks no unit of work, every function that takes a lock is one;
/// if there is none either, that is worth a warning.
///
/// # Errors
///
/// If there would be too many sets.
pub(crate) fn with_default_sets(
    program: Program,
    choice: DefaultSets,
) -> Result<(Program, Option<Diagnostic>), Vec<Note>> {
    let mut draft = program.into_draft();
    for set in objects::sets(&draft, choice).map_err(|it| vec![*it])? {
        draft.atomic_sets.push(set);
    }
    if !marks_units(&draft) {
        units::mark(&mut draft);
    }
    let warning = (!marks_units(&draft)).then(without_units);
    let validated = raddle_ir::validate(draft).map_err(|broken| {
        broken
            .into_iter()
            .map(|rule| {
                let diagnostic =
                    Diagnostic::error("invalid", rule.message).note(format!("rule {}", rule.rule));
                let diagnostic = match rule.span {
                    Some(span) => diagnostic.at(span, "here"),
                    None => diagnostic,
                };
                Note::new(diagnostic, Remedy::WithoutAtomicSets)
            })
            .collect()
    });
    validated.map(|program| (program, warning))
}

fn without_units() -> Diagnostic {
    let message =
        "there are no units of work: the program marks none, and no function takes a lock";
    Diagnostic::warning("atomic-sets", message)
        .note("every access is a unit by itself, so that nothing can interrupt one")
        .help("mark what belongs together with `unit`, in C with `//@ unit`")
}

fn marks_units(draft: &ProgramDraft) -> bool {
    draft
        .functions
        .values()
        .flat_map(|function| function.edges.values())
        .any(|edge| matches!(edge.action, Action::UnitBegin { .. }))
}

#[cfg(test)]
mod tests {
    use raddle_base::SourceMap;

    use super::*;
    use crate::{Options, load, program_text};

    fn with_sets(source: &str, choice: DefaultSets) -> Program {
        let mut sources = SourceMap::new();
        sources.add("program.rad", source);
        let options = Options {
            atomic_sets: Some(choice),
            ..Options::default()
        };
        load(&sources, &options).expect("it is a program").program
    }

    /// Each set with the places of its members.
    fn described(source: &str, choice: DefaultSets) -> Vec<String> {
        let program = with_sets(source, choice);
        let place = |member: &raddle_ir::program::Member| {
            let global = &program.globals[member.global];
            let path = global
                .ty
                .path_to(member.offset, &program.structs, program.model);
            format!("{}{path}:{}", global.name, member.size)
        };
        let sets = program.atomic_sets.values();
        sets.map(|set| {
            let members: Vec<String> = set.members.iter().map(place).collect();
            format!("{}: {}", set.name, members.join(" "))
        })
        .collect()
    }

    const DATA: &str = "
struct Inner { a: u8; b: [u16; 3] }
struct Outer { m: mutex; x: u8; inner: Inner }
var one: Outer
var many: [Inner; 2]
var plain: u32
var row: [u8; 4]
mutex n
thread_local var mine: Outer
thread t { lock n { plain = 1 } }
";

    #[test]
    fn each_object_of_struct_type_is_a_set_of_its_data() {
        assert_eq!(
            described(DATA, DefaultSets::Structs),
            [
                "object one: one.x:1 one.inner.a:1 one.inner.b[0]:6",
                "object many[0]: many[0].a:1 many[0].b[0]:6",
                "object many[1]: many[1].a:1 many[1].b[0]:6",
            ]
        );
    }

    #[test]
    fn each_cell_is_a_set_by_itself_and_an_array_is_one() {
        assert_eq!(
            described(DATA, DefaultSets::Cells),
            [
                "cell one.x: one.x:1",
                "cell one.inner.a: one.inner.a:1",
                "cell one.inner.b: one.inner.b[0]:6",
                "cell many: many[0].a:16",
                "cell plain: plain:4",
                "cell row: row[0]:4",
            ]
        );
    }

    #[test]
    fn all_data_is_one_set_without_locks_and_what_each_thread_has_for_itself() {
        assert_eq!(
            described(DATA, DefaultSets::All),
            ["all data: one.x:1 one.inner.a:1 one.inner.b[0]:6 many[0].a:16 plain:4 row[0]:4"]
        );
    }

    #[test]
    fn what_the_program_declares_stays_and_is_not_doubled() {
        let source = "
struct Pair { a: u8; b: u8 }
var first: Pair
var second: Pair
var alone: u8
atomicset S { first.a, alone }
thread t { alone = 1 }
";
        assert_eq!(
            described(source, DefaultSets::Structs),
            [
                "S: first.a:1 alone:1",
                "object second: second.a:1 second.b:1"
            ]
        );
        assert_eq!(
            described(source, DefaultSets::Cells),
            [
                "S: first.a:1 alone:1",
                "cell first.b: first.b:1",
                "cell second.a: second.a:1",
                "cell second.b: second.b:1",
            ]
        );
        assert_eq!(
            described(source, DefaultSets::All),
            [
                "S: first.a:1 alone:1",
                "all data: first.b:1 second.a:1 second.b:1"
            ]
        );
    }

    #[test]
    fn too_many_objects_are_refused_with_another_choice() {
        let mut sources = SourceMap::new();
        let source = "struct P { a: u8 }\nvar many: [P; 5000]\nthread t { skip }\n";
        sources.add("program.rad", source);
        let options = Options {
            atomic_sets: Some(DefaultSets::Structs),
            ..Options::default()
        };
        let problems = load(&sources, &options).expect_err("there are too many");
        assert_eq!(problems[0].diagnostic.code, "limit");
        assert_eq!(
            problems[0].remedies,
            [Remedy::OtherAtomicSets(vec!["cells", "all"])]
        );
    }

    #[test]
    fn functions_that_take_a_lock_are_units_from_their_entry_to_every_end() {
        let program = with_sets(
            "
mutex m
var x: u8
fn get() -> u8 {
    acquire m
    let a = x
    release m
    if a > 1 { return 1 }
    return a
}
fn outside() { x = 2 }
thread t { let b = get(); outside() }
",
            DefaultSets::Cells,
        );
        let text = program_text(&program);
        let get = text
            .split("fn get")
            .nth(1)
            .and_then(|it| it.split("\n}").next())
            .expect("it is printed");
        let first = get.lines().find(|it| it.trim().starts_with("0:"));
        assert!(first.is_some_and(|it| it.contains("unit_begin")), "{get}");
        assert_eq!(get.matches("unit_begin").count(), 1, "{get}");
        assert_eq!(get.matches("return").count(), 2, "{get}");
        assert_eq!(get.matches("unit_end").count(), 2, "{get}");
        assert_eq!(text.matches("unit_begin").count(), 1, "{text}");
    }

    #[test]
    fn where_the_program_marks_a_unit_no_other_is_made() {
        let program = with_sets(
            "
mutex m
var x: u8
unit fn set() { x = 2 }
thread t { set(); lock m { x = 1 } }
",
            DefaultSets::Cells,
        );
        let text = program_text(&program);
        assert_eq!(text.matches("unit_begin").count(), 1, "{text}");
    }

    #[test]
    fn the_result_reads_back_as_the_same_program_and_is_complete() {
        for choice in DefaultSets::ALL {
            let program = with_sets(DATA, choice);
            let text = program_text(&program);
            let mut sources = SourceMap::new();
            sources.add("program.rad", text.as_str());
            for atomic_sets in [None, Some(choice)] {
                let options = Options {
                    atomic_sets,
                    ..Options::default()
                };
                let again = load(&sources, &options).expect("it is a program").program;
                assert!(program.is_same_as(&again), "{atomic_sets:?}\n{text}");
            }
        }
    }
}
