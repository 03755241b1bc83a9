//! What the pairs of a program are, without asking a solver: for `raddle movers --pairs`.

use raddle_base::Span;
use raddle_engine::{Budget, Property, Reason, Task};
use raddle_ir::interpret::Interpreter;

use crate::MatEngine;
use crate::order::Order;
use crate::pairs::report::{Report, report};
use crate::pairs::{Access, kept_pairs};
use crate::search::Search;
use crate::system::{access, system};

/// An access of a thread, for names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAccess {
    pub access: Access,
    /// The function that the thread runs.
    pub function: String,
    /// How many threads before it run the same function.
    pub twin: usize,
    pub span: Option<Span>,
}

/// The accesses of the unrolled threads, and between which the token goes.
#[derive(Clone, Debug)]
pub struct Survey {
    pub report: Report,
    /// How many rounds of loops were unrolled whose end is open.
    pub depth: u32,
    /// No loop was cut.
    pub is_complete: bool,
}

/// Unrolls the threads of a program to a depth.
///
/// # Errors
///
/// If the program cannot be unrolled, or the budget is spent.
pub fn survey(
    task: &Task<'_>,
    depth: u32,
    budget: &Budget,
    name: impl Fn(&NamedAccess) -> String,
) -> Result<Survey, Reason> {
    let interpreter = Interpreter::new(task.program, task.semantics.clone());
    let initial = interpreter
        .initial_states()
        .map_err(|stop| Reason::from_stop(&stop, None))?;
    let engine = MatEngine::default();
    let asked = (Property::Assert, initial.as_slice());
    let mut search = Search::new(&engine, &interpreter, asked, budget)?;
    let unrolled = search.unroll(depth)?;
    let system = system(&unrolled, &Order::new(&unrolled));
    let program = search.encoder.program;
    let functions: Vec<&str> = search
        .encoder
        .instances
        .iter()
        .map(|it| program.functions[it.function].name.as_str())
        .collect();
    let names: Vec<(Access, String)> = unrolled
        .nodes
        .iter()
        .map(|node| {
            let function = functions[node.thread];
            let before = functions[..node.thread].iter();
            let named = NamedAccess {
                access: access(node),
                function: function.to_owned(),
                twin: before.filter(|it| **it == function).count(),
                span: program.edge(node.place.0, node.place.1).span,
            };
            (named.access, name(&named))
        })
        .collect();
    let name_of = |access: Access| {
        let found = names.iter().find(|it| it.0 == access);
        found.map(|it| it.1.clone()).unwrap_or_default()
    };
    Ok(Survey {
        report: report(&system, &kept_pairs(&system), name_of),
        depth,
        is_complete: unrolled.cuts.is_empty(),
    })
}
