//! When two races are the same one to people.

use raddle_base::Span;
use raddle_ir::Program;
use raddle_ir::interpret::Violation;

/// What makes a race another one than those that were told: the two places in the sources, in no order, and the object.
///
/// Elements of an array count as one object, and so do memories that were allocated at one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RaceKey {
    places: Vec<Span>,
    object: String,
}

impl RaceKey {
    pub fn of(program: &Program, race: &Violation) -> Self {
        let labels = race.labels.iter();
        let places = labels.filter_map(|it| program.edge(it.function, it.edge).span);
        Self::new(&race.message, places)
    }

    /// Of a race that is told with this message, which begins with the name of the object, at these places.
    pub fn new(message: &str, places: impl IntoIterator<Item = Span>) -> Self {
        let name = message.split('`').nth(1).unwrap_or_default();
        let object = name.split(['[', '+']).next().unwrap_or_default();
        let mut places: Vec<Span> = places.into_iter().collect();
        places.sort_unstable();
        Self {
            places,
            object: object.to_owned(),
        }
    }
}

raddle_base::saved!(struct RaceKey { places, object });

#[cfg(test)]
mod tests {
    use raddle_base::{FileId, Id};

    use super::*;

    fn span(start: u32) -> Span {
        Span {
            file: FileId::from_index(0),
            start,
            end: start + 1,
        }
    }

    #[test]
    fn the_order_of_places_and_the_element_make_no_difference() {
        let key = |message: &str, places: [u32; 2]| RaceKey::new(message, places.map(span));
        let written = "`a[1]` is written by two threads at the same time";
        let read = "`a[2]` is written and read at the same time";
        assert_eq!(key(written, [1, 2]), key(read, [2, 1]));
        assert_ne!(key(written, [1, 2]), key(written, [1, 3]));
        assert_ne!(
            key(written, [1, 2]),
            key(&written.replace("a[", "b["), [1, 2])
        );
    }
}
