//! Functions from values to something that is constant on few intervals.
//!
//! Values are taken as their bits, in the order of unsigned numbers. A function covers all numbers; those beyond the
//! greatest value of a type do not count.

/// Where each interval begins, in order, and what holds from there on. The first begins at 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segments<T> {
    starts: Vec<(u128, T)>,
}

/// A stretch of values on which `y = x + c` or `y = c - x` holds without wrapping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) first: u128,
    pub(super) last: u128,
    /// What `first` becomes.
    pub(super) image: u128,
    /// Whether the image falls while the value grows.
    pub(super) is_reversed: bool,
}

impl<T: Copy> Segments<T> {
    pub(super) fn constant(value: T) -> Self {
        Self {
            starts: vec![(0, value)],
        }
    }

    /// One thing below `start`, another from there on.
    pub(super) fn split(start: u128, below: T, from_there: T) -> Self {
        if start == 0 {
            return Self::constant(from_there);
        }
        Self {
            starts: vec![(0, below), (start, from_there)],
        }
    }

    /// From intervals in any order, the first of which begins at 0.
    fn from_starts(mut starts: Vec<(u128, T)>) -> Self {
        starts.sort_by_key(|(start, _)| *start);
        Self { starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// First value, last value, and what holds between.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u128, u128, T)> + '_ {
        self.starts
            .iter()
            .enumerate()
            .map(|(index, &(start, value))| {
                let last = self
                    .starts
                    .get(index + 1)
                    .map_or(u128::MAX, |(next, _)| next - 1);
                (start, last, value)
            })
    }

    /// Combines two functions. An interval begins where one of either begins.
    pub(super) fn zip<U: Copy, V: Copy>(
        &self,
        other: &Segments<U>,
        with: impl Fn(T, U) -> V,
    ) -> Segments<V> {
        let mut starts = Vec::with_capacity(self.len() + other.len() - 1);
        let (mut mine, mut theirs) = (0, 0);
        loop {
            let start = self.starts[mine].0.max(other.starts[theirs].0);
            starts.push((start, with(self.starts[mine].1, other.starts[theirs].1)));
            let next_mine = self.starts.get(mine + 1).map(|(start, _)| *start);
            let next_theirs = other.starts.get(theirs + 1).map(|(start, _)| *start);
            match (next_mine, next_theirs) {
                (None, None) => return Segments { starts },
                (Some(a), Some(b)) if a == b => {
                    mine += 1;
                    theirs += 1;
                }
                (Some(a), Some(b)) if a < b => mine += 1,
                (Some(_), None) => mine += 1,
                (_, Some(_)) => theirs += 1,
            }
        }
    }

    /// The function of `x` that this is of `y`, where pieces that begin at 0 and leave no gap say what `y` is.
    pub(super) fn before(&self, pieces: &[Piece]) -> Self {
        let mut starts = Vec::new();
        for piece in pieces {
            let length = piece.last - piece.first;
            let (low, high) = if piece.is_reversed {
                (piece.image - length, piece.image)
            } else {
                (piece.image, piece.image + length)
            };
            for (first, last, value) in self.iter() {
                let (first, last) = (first.max(low), last.min(high));
                if first <= last {
                    let distance = if piece.is_reversed {
                        high - last
                    } else {
                        first - low
                    };
                    starts.push((piece.first + distance, value));
                }
            }
        }
        Self::from_starts(starts)
    }

    /// Without the beginnings of intervals that may be joined to the one before.
    pub(super) fn joined(mut self, may_join: impl Fn(T, T) -> bool) -> Self {
        self.starts
            .dedup_by(|later, earlier| may_join(earlier.1, later.1));
        self
    }
}
