//! The predicates to begin with, where nobody knows better.

use raddle_base::FastSet;
use raddle_logic::{TermId, TransitionSystem};

use crate::labels::bits_of;
use crate::refine::atoms;

/// A state variable this wide or narrower is seen bit by bit.
const WIDEST_EXACT: u32 = 8;

/// The most comparisons to begin with; refinement finds others.
const MOST_COMPARISONS: usize = 60;

/// The bits of narrow state variables, such as places of threads and owners of locks, and the comparisons between state
/// variables that targets and steps depend on.
pub fn first_predicates(system: &mut TransitionSystem) -> Vec<TermId> {
    let words: Vec<TermId> = system.state.iter().map(|it| it.current).collect();
    let mut found = Vec::new();
    for word in words {
        if system.terms.width(word) <= WIDEST_EXACT {
            found.extend(bits_of(system, word));
        }
    }
    found.extend(comparisons(system));
    found
}

fn comparisons(system: &TransitionSystem) -> Vec<TermId> {
    let of_state: FastSet<TermId> = system.state.iter().map(|it| it.current).collect();
    let mut roots: Vec<TermId> = system.targets.iter().map(|it| it.condition).collect();
    roots.push(system.constraint);
    let mut found: Vec<TermId> = Vec::new();
    let mut seen = FastSet::default();
    for root in roots {
        for atom in atoms(system, root) {
            let below = system.terms.below(&[atom]);
            let mut leaves = below
                .iter()
                .filter(|&&it| system.terms.as_variable(it).is_some());
            if leaves.all(|it| of_state.contains(it)) && seen.insert(atom) {
                found.push(atom);
            }
        }
    }
    found.truncate(MOST_COMPARISONS);
    found
}
