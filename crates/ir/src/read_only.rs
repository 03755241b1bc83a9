//! The bytes of an object that keep their first value.

/// Parts of an object that nobody may write to but who gives them their first value ([`crate::Access::Initial`]).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadOnly {
    /// Where each begins, and the byte behind it; in order, none empty, and never two that touch.
    parts: Vec<(u64, u64)>,
}

impl ReadOnly {
    pub const NOTHING: ReadOnly = ReadOnly { parts: Vec::new() };

    /// All bytes of an object.
    pub fn all(size: u64) -> Self {
        Self::of([(0, size)])
    }

    /// Parts in any order, each with its offset and its size.
    pub fn of(parts: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut given: Vec<(u64, u64)> = parts
            .into_iter()
            .filter(|(_, size)| *size > 0)
            .map(|(offset, size)| (offset, offset.saturating_add(size)))
            .collect();
        given.sort_unstable();
        let mut parts: Vec<(u64, u64)> = Vec::new();
        for (begin, end) in given {
            match parts.last_mut() {
                Some(last) if begin <= last.1 => last.1 = last.1.max(end),
                Some(_) | None => parts.push((begin, end)),
            }
        }
        Self { parts }
    }

    pub fn is_nothing(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether an object of this size has no byte that may be written.
    pub fn is_all(&self, size: u64) -> bool {
        matches!(&*self.parts, [(0, end)] if *end >= size)
    }

    /// Each with its offset and its size.
    pub fn parts(&self) -> impl Iterator<Item = (u64, u64)> {
        self.parts.iter().map(|(begin, end)| (*begin, end - begin))
    }

    /// How many bytes an object has at least that has these parts.
    pub fn end(&self) -> u64 {
        self.parts.last().map_or(0, |it| it.1)
    }

    /// Whether one of these bytes is read-only.
    pub fn touches(&self, offset: u64, size: u64) -> bool {
        let next = self.parts.partition_point(|it| it.1 <= offset);
        self.parts
            .get(next)
            .is_some_and(|it| it.0 < offset.saturating_add(size))
    }
}

#[cfg(test)]
mod tests {
    use super::ReadOnly;

    #[test]
    fn parts_that_touch_are_one() {
        let parts = ReadOnly::of([(8, 4), (0, 4), (4, 2), (20, 0), (9, 1)]);
        assert_eq!(parts.parts().collect::<Vec<_>>(), [(0, 6), (8, 4)]);
        assert_eq!(parts.end(), 12);
    }

    #[test]
    fn only_bytes_inside_are_touched() {
        let parts = ReadOnly::of([(4, 4), (12, 4)]);
        let touched: Vec<u64> = (0..20).filter(|at| parts.touches(*at, 1)).collect();
        assert_eq!(touched, [4, 5, 6, 7, 12, 13, 14, 15]);
        assert!(parts.touches(0, 5) && parts.touches(8, 5) && !parts.touches(8, 4));
        assert!(ReadOnly::all(4).is_all(4) && !parts.is_all(16));
    }
}
