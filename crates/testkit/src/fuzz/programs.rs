//! Checks of generated programs.

use raddle_ir::Program;
use raddle_ir::interpret::Semantics;
use raddle_tasks::header::Header;

use super::Looked;
use crate::oracle::{MAX_STATES, all_compared, compared_with, enumerate};
use crate::{rare, relations, run};

/// Changed programs have more states than the program itself.
const MAX_STATES_TO_CHANGE: usize = 5_000;

/// So have those that deny what was seen, and there are several of each.
const MAX_STATES_TO_DENY: usize = 1_000;
const DENIED: usize = 2;

pub(super) fn engines(program: &Program) -> Looked {
    let semantics = Semantics::default();
    let Some(seen) = enumerate(program, &semantics, MAX_STATES) else {
        return Looked::fine(false);
    };
    let mut compared = all_compared(program, &semantics, &seen);
    compared.disagreements.extend(rare::missed(
        program,
        &semantics,
        MAX_STATES_TO_DENY,
        DENIED,
    ));
    let bounded = compared_with(raddle_driver::bounded_engines(), program, &semantics, &seen);
    compared.disagreements.extend(bounded.disagreements);
    compared.disagreements.extend(rare::missed_by(
        raddle_driver::bounded_engines,
        program,
        &semantics,
        (MAX_STATES_TO_DENY, DENIED),
    ));
    let looked = if compared.disagreements.is_empty() {
        Looked::fine(!seen.violated.is_empty())
    } else {
        Looked::wrong(compared.disagreements.join("; "))
    };
    Looked {
        is_unexplained: !compared.unexplained.is_empty(),
        ..looked
    }
}

pub(super) fn relations(program: &Program, seed: u64) -> Looked {
    let semantics = Semantics::default();
    if enumerate(program, &semantics, MAX_STATES_TO_CHANGE).is_none() {
        return Looked::fine(false);
    }
    raddle_driver::engines()
        .iter_mut()
        .find_map(|it| relations::broken(it.as_mut(), program, &semantics, seed))
        .map_or_else(|| Looked::fine(true), Looked::wrong)
}

pub(super) fn round_trip(program: &Program) -> Looked {
    match run::prints_and_reads_back(program, &Header::default()) {
        Ok(()) => Looked::fine(true),
        Err(problem) => Looked::wrong(problem),
    }
}
