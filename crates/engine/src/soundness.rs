//! Which reductions keep which properties.
//!
//! A reduction leaves executions out because others show the same. What "the same" means depends on the property:
//!
//! | property | sound reductions | why |
//! |---|---|---|
//! | assert, memory, overflow, lock-misuse | all | the violation is a step, and a transaction goes wrong if any order of its steps does |
//! | invariant | all | as above, of the states that an engine looks at; it looks at more of them where it must |
//! | race, deadlock | none, local, optimistic | the violation is a state between steps; right movers are put off, and with them the state in which a thread stands before an access or has taken its first lock |
//! | leak | none, local | the violation is the state in which the process ends, and main may end it inside another thread's transaction |
//! | atomic-sets | none | it asks in which order units ran |
//!
//! The table is what drivers obey: a property is given to no reduction that is not in its row. An engine may trust a
//! reduction less, in a program where its own conditions do not hold, and then gives the same reason.

use crate::{Property, Reduction};

impl Reduction {
    /// Whether no violation of the property is missed.
    pub fn is_sound_for(self, property: Property) -> bool {
        match property {
            Property::Assert
            | Property::Memory
            | Property::Overflow
            | Property::LockMisuse
            | Property::Invariant => true,
            Property::Race | Property::Deadlock => match self {
                Reduction::None | Reduction::Local | Reduction::Optimistic => true,
                Reduction::Static | Reduction::Phase | Reduction::Dynamic => false,
            },
            Property::Leak => match self {
                Reduction::None | Reduction::Local => true,
                Reduction::Static
                | Reduction::Phase
                | Reduction::Optimistic
                | Reduction::Dynamic => false,
            },
            Property::AtomicSets => match self {
                Reduction::None => true,
                Reduction::Local
                | Reduction::Static
                | Reduction::Phase
                | Reduction::Optimistic
                | Reduction::Dynamic => false,
            },
        }
    }

    /// The row of the table, in the order of [`Reduction::ALL`].
    pub fn sound_for(property: Property) -> impl Iterator<Item = Reduction> {
        Self::ALL
            .into_iter()
            .filter(move |it| it.is_sound_for(property))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_coarser_reduction_keeps_a_finer_one_keeps() {
        for property in Property::ALL {
            assert!(Reduction::None.is_sound_for(property), "{property}");
            for reduction in Reduction::ALL {
                assert!(
                    property == Property::AtomicSets
                        || !reduction.is_sound_for(property)
                        || Reduction::Local.is_sound_for(property),
                    "{reduction} and {property}"
                );
            }
            assert_eq!(
                Reduction::Static.is_sound_for(property),
                Reduction::Phase.is_sound_for(property),
                "they differ in where conditions are checked, not in what is put off: {property}"
            );
            assert_eq!(
                Reduction::Dynamic.is_sound_for(property),
                Reduction::Phase.is_sound_for(property),
                "more moves, in the same way: {property}"
            );
        }
    }

    #[test]
    fn the_rows_are_those_of_the_module_comment() {
        let row = |property| -> Vec<&str> {
            Reduction::sound_for(property)
                .map(Reduction::name)
                .collect()
        };
        let all = ["none", "local", "static", "phase", "optimistic", "dynamic"];
        for property in [
            Property::Assert,
            Property::Memory,
            Property::Overflow,
            Property::LockMisuse,
            Property::Invariant,
        ] {
            assert_eq!(row(property), all, "{property}");
        }
        assert_eq!(row(Property::Race), ["none", "local", "optimistic"]);
        assert_eq!(row(Property::Deadlock), ["none", "local", "optimistic"]);
        assert_eq!(row(Property::Leak), ["none", "local"]);
        assert_eq!(row(Property::AtomicSets), ["none"]);
    }
}
