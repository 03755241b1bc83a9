//! What the pairs of a program are, without asking a solver: for `raddle movers --pairs`.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Id, Span};
use raddle_engine::{Budget, Property, Reason, Task};

use crate::MatEngine;
use crate::deeds::Locking;
use crate::order::Order;
use crate::pairs::report::{Report, report};
use crate::pairs::{Access, Ends, Pairs, Pass, Reason as Why, System, kept_pairs, mats};
use crate::search::Search;
use crate::system::{Chosen, system, system_of};
use crate::unrolled::Unrolled;

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
    /// Of the accesses alone: starts, joins and ends of threads are left out, as in MAT.
    pub report: Report,
    /// How many passes the engine keeps with those.
    pub kept_with_threads: usize,
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
    let interpreter = raddle_stepper::definition(task.program, task.semantics.clone());
    let initial = interpreter
        .initial_states()
        .map_err(|stop| Reason::from_stop(&stop, None))?;
    let engine = MatEngine::default();
    let asked = (Property::Assert, initial.as_slice());
    let mut search = Search::new(&engine, &interpreter, asked, budget)?;
    search.shape.has_quiet_nodes = true;
    let unrolled = search.unroll(depth)?;
    let order = Order::new(&unrolled);
    let chosen = Chosen::plain(&unrolled);
    let plain = system_of(&unrolled, &order, &chosen);
    let pairs = told_pairs(&unrolled, &chosen, &plain);
    let program = search.encoder.program;
    let functions: Vec<&str> = search
        .encoder
        .instances
        .values()
        .map(|it| program.functions[it.function].name.as_str())
        .collect();
    let names: Vec<(Access, String)> = unrolled
        .nodes
        .values()
        .zip(chosen.accesses.values())
        .filter_map(|(node, access)| {
            let access = (*access)?;
            let function = functions[node.thread.index()];
            let before = functions[..node.thread.index()].iter();
            let named = NamedAccess {
                access,
                function: function.to_owned(),
                twin: before.filter(|it| **it == function).count(),
                span: program.edge(node.place.0, node.place.1).span,
            };
            Some((access, name(&named)))
        })
        .collect();
    let name_of = |access: Access| {
        let found = names.iter().find(|it| it.0 == access);
        found.map(|it| it.1.clone()).unwrap_or_default()
    };
    let whole = system(&unrolled, &order);
    Ok(Survey {
        report: report(&plain, &pairs, name_of),
        kept_with_threads: kept_pairs(&whole).passes.len(),
        depth,
        is_complete: unrolled.cuts.is_empty(),
    })
}

/// What is kept for whole runs, which end when every thread was joined: by the transactions of MAT §5 where only two
/// threads have to do with each other and these are enough, and else by what [`kept_pairs`] keeps.
fn told_pairs(unrolled: &Unrolled, chosen: &Chosen, plain: &System) -> Pairs {
    let kept = kept_pairs(plain);
    let sections = with_order_of_sections(unrolled, chosen, plain);
    let mut pairs = Pairs::default();
    let mut told: BTreeMap<Pass, Why> = kept.passes.clone();
    for (left, right) in couples(plain) {
        let between = |pass: &Pass| [left, right].contains(&pass.from.thread);
        let found = mats(&sections, left, right, right, Ends::Dependent);
        let passes: BTreeSet<Pass> = found.iter().flat_map(crate::pairs::Mat::passes).collect();
        let needed = kept.passes.keys().filter(|it| between(it));
        if !needed.clone().all(|it| passes.contains(it)) {
            continue;
        }
        told.retain(|pass, _| !between(pass));
        for mat in found {
            let number = pairs.mats.len();
            for pass in mat.passes() {
                told.entry(pass).or_insert(Why::Mat(number));
            }
            pairs.mats.push(mat);
        }
    }
    pairs.passes = told;
    pairs
}

/// Sections under one lock never overlap, so their order is that of their ends.
fn with_order_of_sections(unrolled: &Unrolled, chosen: &Chosen, plain: &System) -> System {
    let mut system = plain.clone();
    let releases: Vec<_> = unrolled
        .nodes
        .values()
        .zip(chosen.accesses.values())
        .filter_map(|(node, access)| match node.effect.locking {
            Some((Locking::Releases, lock)) => Some(((*access)?, lock)),
            Some((Locking::Acquires, _)) | None => None,
        })
        .collect();
    for (first, lock) in &releases {
        for (second, other) in &releases {
            if lock == other && first.thread != second.thread {
                system.add_conflict(*first, *second);
            }
        }
    }
    system
}

/// Pairs of threads that depend on each other and on no third one.
fn couples(system: &System) -> Vec<(usize, usize)> {
    let mut neighbours: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for access in system.accesses() {
        for follower in system.followers(access) {
            neighbours
                .entry(access.thread)
                .or_default()
                .insert(follower.thread);
            neighbours
                .entry(follower.thread)
                .or_default()
                .insert(access.thread);
        }
    }
    let only = |thread: &usize| {
        let mut others = neighbours.get(thread)?.iter();
        others.next().copied().filter(|_| others.next().is_none())
    };
    neighbours
        .keys()
        .filter_map(|left| Some((*left, only(left)?)))
        .filter(|(left, right)| left < right && only(right) == Some(*left))
        .collect()
}
