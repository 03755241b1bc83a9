//! Why threads that run the same code were not exchanged, for people who asked for it.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::interpret::{Origin, State, ThreadNumber};
use raddle_ir::{Action, FunctionId, Program};

use super::keys;

/// What keeps a thread from being exchanged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Obstacle {
    /// It has started threads.
    Starts,
    Detached,
    /// Its name lies in an object that other threads may reach besides the one that joins it.
    Shared(Origin),
    /// Several threads hold its name, or it does so itself.
    HeldBySeveral,
    /// The thread that holds its name does not join all of them in a row from here on; it began with this function.
    NoRow(FunctionId),
}

/// What was seen of threads, by the functions with which they began.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    obstacles: BTreeMap<FunctionId, BTreeSet<Obstacle>>,
    /// By what threads are sorted when they begin.
    beginnings: BTreeMap<FunctionId, Vec<u64>>,
    begun: BTreeSet<ThreadNumber>,
}

impl Reasons {
    pub(super) fn note(&mut self, function: FunctionId, obstacle: Obstacle) {
        self.obstacles.entry(function).or_default().insert(obstacle);
    }

    /// Takes note of what a thread has that begins in this state.
    pub(super) fn note_beginning(
        &mut self,
        program: &Program,
        state: &State,
        number: ThreadNumber,
    ) {
        if let Some(thread) = state.threads.unobserved().get(&number)
            && self.begun.insert(number)
        {
            let key = keys::key(program, state, number);
            self.beginnings
                .entry(thread.function)
                .or_default()
                .push(key);
        }
    }

    /// Whether threads run the same code, and all that do begin with different values.
    pub(super) fn begin_apart(&self) -> bool {
        let mut several = self
            .beginnings
            .values()
            .filter(|it| it.len() > 1)
            .peekable();
        several.peek().is_some() && several.all(|it| are_different(it))
    }

    /// What can be said, a clause for each reason.
    pub(super) fn clauses(&self, program: &Program) -> Vec<String> {
        let name = |function: &FunctionId| &program.functions[*function].name;
        let mut clauses = Vec::new();
        for (function, keys) in &self.beginnings {
            if keys.len() > 1 && are_different(keys) {
                let name = name(function);
                clauses.push(format!(
                    "each of the threads that run `{name}` begins with other values, such as another argument"
                ));
            }
        }
        for (function, obstacles) in &self.obstacles {
            // Of one thread nobody expects that it is exchanged.
            if self.beginnings.get(function).is_none_or(|it| it.len() < 2) {
                continue;
            }
            let them = format!("threads that run `{}`", name(function));
            clauses.extend(obstacles.iter().map(|it| match it {
                Obstacle::Starts => format!("{them} start others, which are named after them"),
                Obstacle::Detached => {
                    format!("{them} are detached, and their names are free when they end")
                }
                Obstacle::Shared(origin) => {
                    let place = place(program, origin);
                    format!("names of {them} lie in {place}, which several threads may reach")
                }
                Obstacle::HeldBySeveral => format!("names of {them} are held by several threads"),
                Obstacle::NoRow(holder) => {
                    let holder = name(holder);
                    format!(
                        "`{holder}` holds the names of {them} and does more than join them in a row"
                    )
                }
            }));
        }
        clauses
    }
}

fn are_different(keys: &[u64]) -> bool {
    let different: BTreeSet<&u64> = keys.iter().collect();
    different.len() == keys.len()
}

/// What people call an object.
fn place(program: &Program, origin: &Origin) -> String {
    match origin {
        Origin::Global(global) => format!("`{}`", program.globals[*global].name),
        Origin::Edge(function, edge) => {
            let code = &program.functions[*function];
            let Action::Allocate { target, .. } = &program.edge(*function, *edge).action else {
                return format!("memory that `{}` makes", code.name);
            };
            format!("`{}` of `{}`", code.registers[*target].name, code.name)
        }
    }
}
