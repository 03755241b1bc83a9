//! Where transactions that could go on for ever are cut.
//!
//! # Source
//!
//! Condition C of FQ §4.2: every state after the commit has a way to one in which others are scheduled. SC §5, WF-finiteInvis, asks for
//! more: every way leads there.
//!
//! # Definitions
//!
//! Both ways look at the graph of the committed states of one transaction. A state that is *cut* is stored, and everybody is
//! scheduled there.
//!
//! # Invariants
//!
//! - **(C1)** With [`Cut::Closed`] some path from every vertex comes to a cut or to an end; with [`Cut::Every`] every path does.
//!
//! # Deviations
//!
//! 1. SC takes WF-finiteInvis for granted and gives up when a thread runs too long; here cycles are found and cut.
//! 2. FQ modifies Tarjan's search to choose the states while it goes on; here the transaction is explored first.
//!
//! # Tested by
//!
//! The tests below; `crates/testkit/tests/inference.rs` compares both ways on random programs; the omission `CyclesAreCut` of
//! `cargo xtask mutants`.

use std::collections::BTreeSet;

use raddle_base::components;

/// How cycles are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cut {
    /// One state of every cycle: the cheaper way of FQ §4.2, and what SC asks for.
    Every,
    /// One state of every strongly connected component that nothing leads out of: the optimal way of FQ §4.2.
    #[default]
    Closed,
}

/// Which vertices of a graph to cut so that every path from a vertex in it, or at least one, comes to a cut or an end.
pub(crate) fn cuts(graph: &[Vec<usize>], cut: Cut) -> BTreeSet<usize> {
    let components = components(graph);
    let mut found = BTreeSet::new();
    match cut {
        Cut::Every => found.extend(targets_of_back_edges(graph)),
        Cut::Closed => {
            for members in &components {
                let is_cycle =
                    members.len() > 1 || graph[members[0]].iter().any(|next| *next == members[0]);
                let leads_out = members
                    .iter()
                    .any(|at| graph[*at].iter().any(|next| !members.contains(next)));
                if is_cycle && !leads_out {
                    found.extend(members.iter().min());
                }
            }
        }
    }
    found
}

/// The vertices that a depth-first search comes back to from below.
fn targets_of_back_edges(graph: &[Vec<usize>]) -> BTreeSet<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnPath,
        Done,
    }
    let mut marks = vec![Mark::New; graph.len()];
    let mut targets = BTreeSet::new();
    for start in 0..graph.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::OnPath;
        let mut path = vec![(start, 0)];
        while let Some((at, edge)) = path.last_mut() {
            let Some(&next) = graph[*at].get(*edge) else {
                marks[*at] = Mark::Done;
                path.pop();
                continue;
            };
            *edge += 1;
            match marks[next] {
                Mark::New => {
                    marks[next] = Mark::OnPath;
                    path.push((next, 0));
                }
                Mark::OnPath => {
                    targets.insert(next);
                }
                Mark::Done => {}
            }
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_with_a_way_out_is_cut_only_if_every_cycle_is() {
        // 0 → 1 → 2 → 1, 2 → 3
        let graph = vec![vec![1], vec![2], vec![1, 3], vec![]];
        assert_eq!(cuts(&graph, Cut::Every), BTreeSet::from([1]));
        assert_eq!(cuts(&graph, Cut::Closed), BTreeSet::new());
    }

    #[test]
    fn a_closed_cycle_is_cut_either_way() {
        let graph = vec![vec![1], vec![2], vec![1]];
        assert_eq!(cuts(&graph, Cut::Every), BTreeSet::from([1]));
        assert_eq!(cuts(&graph, Cut::Closed), BTreeSet::from([1]));
    }

    #[test]
    fn a_loop_at_one_vertex_is_a_cycle() {
        let graph = vec![vec![0]];
        assert_eq!(cuts(&graph, Cut::Closed), BTreeSet::from([0]));
        assert_eq!(cuts(&[vec![]], Cut::Closed), BTreeSet::new());
    }
}
