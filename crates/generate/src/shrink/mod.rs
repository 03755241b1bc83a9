//! The smallest part of a program that still shows something: greedy delta debugging.
//!
//! Every change goes through the validator and must make the program smaller by [`measure`], so that
//! shrinking ends.

mod passes;
mod visit;

use raddle_base::Id;
use raddle_ir::{Action, Expression, Program, ProgramDraft, validate};

use passes::PASSES;

/// Cuts a program down as long as `still_fails` says yes. It is never asked about an invalid program.
pub fn shrink(program: &Program, mut still_fails: impl FnMut(&Program) -> bool) -> Program {
    let mut current = program.clone();
    loop {
        let mut is_smaller = false;
        for pass in PASSES {
            let mut at = 0;
            while let Some(candidate) = pass(&current, at) {
                match validate(candidate) {
                    Ok(candidate)
                        if measure(&candidate) < measure(&current) && still_fails(&candidate) =>
                    {
                        // What was at this place is gone: the next candidate has its number.
                        current = candidate;
                        is_smaller = true;
                    }
                    Ok(_) | Err(_) => at += 1,
                }
            }
        }
        if !is_smaller {
            return current;
        }
    }
}

/// How large a program is, the most important first.
fn measure(draft: &ProgramDraft) -> [usize; 8] {
    let mut nodes = 0;
    let mut weight = 0;
    let mut copy = draft.clone();
    visit::expressions(&mut copy, &mut |expression| {
        visit::nodes(expression, &mut |node| {
            nodes += 1;
            if let Expression::Constant(bits, _) = node {
                weight += usize::try_from(128 - bits.leading_zeros()).unwrap_or(0);
            }
        });
    });
    let edges = || draft.functions.values().flat_map(|it| it.edges.values());
    let initial = draft
        .globals
        .values()
        .map(|it| it.initial.len())
        .sum::<usize>();
    let registers = draft
        .functions
        .values()
        .map(|it| it.registers.len())
        .sum::<usize>();
    let members: usize = draft.atomic_sets.values().map(|it| it.members.len()).sum();
    [
        draft.roots.len() + draft.functions.len(),
        draft.invariants.len() + draft.exclusives.len(),
        edges().count(),
        edges().filter(|it| it.action != Action::skip()).count(),
        draft.globals.len() + draft.structs.len() + draft.atomic_sets.len() + members + initial,
        nodes,
        weight,
        registers,
    ]
}

/// The id after those that are left when `removed` goes.
fn closed_up<I: Id>(id: I, removed: usize) -> I {
    I::from_index(id.index() - usize::from(id.index() > removed))
}
