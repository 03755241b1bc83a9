//! Sets of states that lead to one another and to nothing else, among those that may belong to a livelock.

use super::stuck::{Onward, Pause};

/// One of each closed set of states in which there may be a livelock. `None` comes next: a state in which there is none.
///
/// The sets are strongly connected components (Tarjan 1972) that no way leaves.
pub fn closed_sets<W>(pauses: &[Pause<W, Option<Onward>>]) -> Vec<usize> {
    let mut walk = Walk {
        marks: vec![Mark::Unseen; pauses.len()],
        ..Walk::default()
    };
    for root in 0..pauses.len() {
        walk.visit(root, pauses);
        while let Some(bend) = walk.path.last_mut() {
            let next = pauses[bend.at].next.get(bend.taken);
            bend.taken += 1;
            match next {
                Some(Some(next)) => walk.visit(next.place, pauses),
                Some(None) => bend.is_left = true,
                None => walk.leave(),
            }
        }
    }
    walk.closed
}

#[derive(Default)]
struct Walk {
    marks: Vec<Mark>,
    undecided: Vec<usize>,
    path: Vec<Bend>,
    closed: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Mark {
    Unseen,
    /// Its place among those that are undecided.
    Undecided(usize),
    Decided,
}

struct Bend {
    at: usize,
    /// How many ways on were taken.
    taken: usize,
    place: usize,
    /// The first undecided one that it leads to.
    low: usize,
    /// A way leads out of its component.
    is_left: bool,
}

impl Walk {
    fn visit<W>(&mut self, at: usize, pauses: &[Pause<W, Option<Onward>>]) {
        match self.marks[at] {
            Mark::Unseen => {
                let place = self.undecided.len();
                self.marks[at] = Mark::Undecided(place);
                self.undecided.push(at);
                self.path.push(Bend {
                    at,
                    taken: 0,
                    place,
                    low: place,
                    is_left: !pauses[at].may_be_livelock,
                });
            }
            Mark::Undecided(place) => {
                if let Some(bend) = self.path.last_mut() {
                    bend.low = bend.low.min(place);
                }
            }
            Mark::Decided => {
                if let Some(bend) = self.path.last_mut() {
                    bend.is_left = true;
                }
            }
        }
    }

    /// Everything after the end of the path was seen.
    fn leave(&mut self) {
        let Some(bend) = self.path.pop() else { return };
        let is_whole = bend.low == bend.place;
        if is_whole {
            for member in self.undecided.split_off(bend.place) {
                self.marks[member] = Mark::Decided;
            }
            if !bend.is_left {
                self.closed.push(bend.at);
            }
        }
        if let Some(before) = self.path.last_mut() {
            if !is_whole {
                before.low = before.low.min(bend.low);
            }
            // Of another component, or left as a part of the same.
            before.is_left |= is_whole || bend.is_left;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::Wait;

    /// Each state with those that come next; in those below `0` nobody spins.
    fn closed(next: &[&[i64]]) -> Vec<usize> {
        let place = |it: &i64| usize::try_from(*it).ok().map(Onward::to);
        let pause = |next: &&[i64]| Pause::<Vec<Wait>, _> {
            running: Vec::new(),
            may_be_livelock: true,
            next: next.iter().map(place).collect(),
        };
        let pauses: Vec<_> = next.iter().map(pause).collect();
        closed_sets(&pauses)
    }

    #[test]
    fn what_no_way_leaves_is_found_once() {
        assert_eq!(closed(&[&[1], &[2], &[1]]), [1]);
        assert_eq!(closed(&[&[1, 3], &[2], &[1], &[3]]), [1, 3]);
        assert_eq!(closed(&[&[0]]), [0]);
    }

    #[test]
    fn a_way_out_of_any_member_counts() {
        assert_eq!(closed(&[&[1], &[2, -1], &[0]]), []);
        assert_eq!(closed(&[&[1], &[0, 2], &[-1]]), []);
        assert_eq!(closed(&[&[1], &[2], &[1, 3], &[3]]), [3]);
    }
}
