//! How steps move: to the right past what other threads do next, to the left past what they did before.

/// How a step moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    pub right: bool,
    pub left: bool,
}

impl Moves {
    pub const NEITHER: Moves = Moves {
        right: false,
        left: false,
    };
    pub const BOTH: Moves = Moves {
        right: true,
        left: true,
    };

    pub(crate) fn only_if(self, condition: bool) -> Moves {
        if condition { self } else { Moves::NEITHER }
    }

    pub(crate) fn and(self, other: Moves) -> Moves {
        Moves {
            right: self.right && other.right,
            left: self.left && other.left,
        }
    }
}
