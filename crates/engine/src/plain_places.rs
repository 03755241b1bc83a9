//! Which places some execution touches plainly, as far as a search has seen: bytes of objects, by where the objects come from.

use raddle_base::FastMap;
use raddle_ir::interpret::happens_before::Event;
use raddle_ir::interpret::{MemoryAccess, Origin, State};

#[derive(Debug, Default)]
pub(crate) struct PlainPlaces {
    /// First byte and the byte behind the last; in order, with room in between.
    of_origin: FastMap<Origin, Vec<(u64, u64)>>,
    /// Something was added since [`PlainPlaces::settled`].
    has_grown: bool,
}

impl PlainPlaces {
    /// The same, to begin anew with.
    pub(crate) fn settled(self) -> Self {
        Self {
            has_grown: false,
            ..self
        }
    }

    pub(crate) fn has_grown(&self) -> bool {
        self.has_grown
    }

    /// Takes note of what events of a step from a state touch plainly.
    pub(crate) fn note(&mut self, state: &State, events: &[Event]) {
        for event in events {
            let Event::Access(access) = event else {
                continue;
            };
            // What the step itself makes was touched by nobody else before.
            if let Some(object) = state.objects.head(access.object)
                && !access.is_atomic
            {
                let bytes = (access.offset, access.offset + access.size);
                let known = self.of_origin.entry(object.origin().clone()).or_default();
                self.has_grown |= add(known, bytes);
            }
        }
    }

    /// Whether some byte of an access from a state is touched plainly, or the object is not there yet.
    pub(crate) fn has_any_of(&self, state: &State, access: &MemoryAccess) -> bool {
        let (start, end) = (access.offset, access.offset + access.size);
        let Some(object) = state.objects.head(access.object) else {
            return true;
        };
        let known = self.of_origin.get(object.origin());
        known.is_some_and(|known| known.iter().any(|it| it.0 < end && start < it.1))
    }
}

/// Adds bytes to those that are known; whether any of them are new.
fn add(known: &mut Vec<(u64, u64)>, (start, end): (u64, u64)) -> bool {
    if start == end || known.iter().any(|it| it.0 <= start && end <= it.1) {
        return false;
    }
    let mut joined = (start, end);
    known.retain(|&(first, last)| {
        let is_apart = last < start || end < first;
        if !is_apart {
            joined = (joined.0.min(first), joined.1.max(last));
        }
        is_apart
    });
    let at = known.partition_point(|it| it.0 < joined.0);
    known.insert(at, joined);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_touch_become_one_stretch() {
        let mut known = Vec::new();
        assert!(add(&mut known, (4, 8)));
        assert!(!add(&mut known, (5, 7)));
        assert!(add(&mut known, (12, 16)));
        assert!(add(&mut known, (0, 2)));
        assert_eq!(known, [(0, 2), (4, 8), (12, 16)]);
        assert!(add(&mut known, (2, 12)));
        assert_eq!(known, [(0, 16)]);
        assert!(!add(&mut known, (3, 3)));
    }
}
