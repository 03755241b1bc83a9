//! `cargo xtask coverage`: which kind of action or item is covered by which part.
//!
//! A cell holds the number of programs that are evidence for it, found by running them; nothing is filled in by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use raddle_generate::{Kind, Profile, generate, kinds};
use raddle_ir::{Program, ProgramDraft};
use raddle_testkit::header::{Header, Truth};
use raddle_testkit::walk::TestProgram;
use raddle_testkit::{explore, run, walk};

/// How many generated programs are looked at.
const SEEDS: u64 = 400;

/// How many states of each program are looked at for steps that were executed.
const STATES: usize = 2_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    /// A program with the kind was read.
    Reader,
    /// It was printed, and read back as the same program.
    Printer,
    /// The validator accepted it.
    Validator,
    /// The interpreter took a step of the kind.
    Interpreter,
    /// A generated program has the kind.
    Generator,
    /// A test program has the kind, and all that is said of it is safe.
    SafeTest,
    /// A test program has the kind, and something about it is unsafe.
    UnsafeTest,
}

impl Column {
    const ALL: [(Column, &'static str); 7] = [
        (Column::Reader, "reader"),
        (Column::Printer, "printer"),
        (Column::Validator, "validator"),
        (Column::Interpreter, "interpreter"),
        (Column::Generator, "generator"),
        (Column::SafeTest, "safe test"),
        (Column::UnsafeTest, "unsafe test"),
    ];
}

/// How many programs are evidence for a cell.
#[derive(Default)]
struct Table {
    cells: BTreeMap<(Kind, Column), usize>,
}

impl Table {
    fn count(&mut self, kinds: &BTreeSet<Kind>, column: Column) {
        for kind in kinds {
            *self.cells.entry((*kind, column)).or_default() += 1;
        }
    }

    fn cell(&self, kind: Kind, column: Column) -> usize {
        self.cells.get(&(kind, column)).copied().unwrap_or(0)
    }
}

/// Prints the table.
///
/// # Errors
///
/// The empty cells, and programs that cannot be read or printed.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let mut table = Table::default();
    let mut problems = Vec::new();
    let programs =
        walk::programs(&walk::repository_root()).map_err(|error| vec![error.to_string()])?;
    for program in programs {
        if let Err(problem) = add_test(&mut table, &program) {
            problems.push(format!("{}: {problem}", program.name));
        }
    }
    for seed in 0..SEEDS {
        let program = generate(seed, &Profile::default());
        if let Err(problem) = add_generated(&mut table, &program) {
            problems.push(format!("generated program {seed}: {problem}"));
        }
    }
    problems.extend(print(&table));
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

fn add_test(table: &mut Table, test: &TestProgram) -> Result<(), String> {
    let header = test.header()?;
    let program = run::load(&test.source, &header)?;
    let kinds = kinds(&program);
    table.count(&kinds, Column::Reader);
    add_program(table, &program, &kinds, &header)?;
    let is_safe = header.truth.values().all(|it| *it == Truth::Safe);
    let column = if is_safe {
        Column::SafeTest
    } else {
        Column::UnsafeTest
    };
    table.count(&kinds, column);
    Ok(())
}

fn add_generated(table: &mut Table, program: &Program) -> Result<(), String> {
    let kinds = kinds(program);
    table.count(&kinds, Column::Generator);
    add_program(table, program, &kinds, &Header::default())
}

/// What any valid program is evidence for.
fn add_program(
    table: &mut Table,
    program: &Program,
    kinds: &BTreeSet<Kind>,
    header: &Header,
) -> Result<(), String> {
    table.count(kinds, Column::Validator);
    run::prints_and_reads_back(program, header)?;
    table.count(kinds, Column::Printer);
    table.count(
        &raddle_generate::kinds(&executed(program)),
        Column::Interpreter,
    );
    Ok(())
}

/// The part of a program that the interpreter went through: edges that were taken, predicates that had a value.
fn executed(program: &Program) -> ProgramDraft {
    let edges = explore::executed_edges(program, STATES);
    let evaluated = explore::evaluated_exclusives(program, STATES);
    let mut draft: ProgramDraft = (**program).clone();
    let ids: Vec<_> = draft.functions.ids().collect();
    for (id, function) in ids.into_iter().zip(draft.functions.values_mut()) {
        function.edges = program.functions[id]
            .edges
            .iter()
            .filter(|(edge, _)| edges.contains(&(id, *edge)))
            .map(|(_, edge)| edge.clone())
            .collect();
        if function.edges.is_empty() {
            function.registers = raddle_ir::Function::new("").registers;
        }
    }
    let mut index = 0;
    draft.exclusives.retain(|_| {
        index += 1;
        evaluated.contains(&(index - 1))
    });
    draft
}

/// Prints the table and gives its empty cells.
fn print(table: &Table) -> Vec<String> {
    let width = Kind::all().iter().map(|it| it.name().len()).max();
    let width = width.unwrap_or(0);
    let heads: Vec<&str> = Column::ALL.iter().map(|(_, name)| *name).collect();
    println!("{:width$}  {}", "kind", heads.join("  "));
    let mut empty = Vec::new();
    for kind in Kind::all() {
        let mut line = format!("{:width$}", kind.name());
        for (column, name) in Column::ALL {
            let count = table.cell(kind, column);
            let shown = if count == 0 {
                empty.push(format!("`{}` has no {name}", kind.name()));
                "-".to_owned()
            } else {
                count.to_string()
            };
            let _ = write!(line, "  {shown:>0$}", name.len());
        }
        println!("{line}");
    }
    println!(
        "{} kinds, {} empty cells; programs that are evidence, {SEEDS} of them generated",
        Kind::all().len(),
        empty.len()
    );
    empty
}
