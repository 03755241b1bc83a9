//! Which reductions keep which properties.
//!
//! A reduction leaves executions out because others show the same. What "the same" means depends on the property:
//!
//! | property | sound reductions | why |
//! |---|---|---|
//! | assert, overflow, lock-misuse, uninitialized, undefined | all | the violation is a step, and a transaction goes wrong if any order of its steps does |
//! | memory | all; with a heap none, local, optimistic | as above; but memory may be lost only while two threads are both in the middle of transactions that they never finish |
//! | invariant | all; only none if what invariants read depends on the state | as for assert, of the states that an engine looks at: right after each step that changes what an invariant reads |
//! | race, deadlock | none, local, optimistic | the violation is a state between steps; right movers are put off, and with them the state in which a thread stands before an access or has taken its first lock |
//! | leak | none, local | the violation is the state in which the process ends, and main may end it inside another thread's transaction |
//! | atomic-sets | none | it asks in which order units ran |
//!
//! The door obeys the table. An engine may trust a reduction less, in a program where its own conditions do not hold, and
//! then gives the same reason.

use crate::{Facts, Property, Reduction};

impl Reduction {
    /// Whether no violation of the property is missed in a program of which these are the facts.
    pub fn keeps(self, property: Property, facts: &Facts) -> bool {
        match property {
            Property::Assert
            | Property::Overflow
            | Property::LockMisuse
            | Property::Uninitialized
            | Property::Undefined => true,
            Property::Memory => !self.has_right_movers() || !facts.uses_heap,
            Property::Invariant => self == Reduction::None || !facts.has_moving_invariants,
            Property::Race | Property::Deadlock => !self.has_right_movers(),
            Property::Leak => match self {
                Reduction::None | Reduction::Local => true,
                Reduction::Static
                | Reduction::Phase
                | Reduction::Optimistic
                | Reduction::Dynamic => false,
            },
            Property::AtomicSets => self == Reduction::None,
        }
    }

    /// Whether no violation of the property is missed in programs that have nothing against it.
    pub fn is_sound_for(self, property: Property) -> bool {
        self.keeps(property, &Facts::default())
    }

    /// Whether an execution with few preemptions has one with no more among those that are left. Left movers may let others go on
    /// too early, who then are preempted where they had to wait; and what is guessed of threads may be refuted only by executions
    /// with more preemptions, after which nobody asks.
    pub fn keeps_preemptions(self) -> bool {
        match self {
            Reduction::None => true,
            Reduction::Local
            | Reduction::Static
            | Reduction::Phase
            | Reduction::Optimistic
            | Reduction::Dynamic => false,
        }
    }

    /// Whether right movers are put off until the commit (FQ). Else a transaction is any step and left movers (SC).
    pub fn has_right_movers(self) -> bool {
        match self {
            Reduction::None | Reduction::Local | Reduction::Optimistic => false,
            Reduction::Static | Reduction::Phase | Reduction::Dynamic => true,
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
            Property::Uninitialized,
            Property::Undefined,
            Property::Invariant,
        ] {
            assert_eq!(row(property), all, "{property}");
        }
        assert_eq!(row(Property::Race), ["none", "local", "optimistic"]);
        assert_eq!(row(Property::Deadlock), ["none", "local", "optimistic"]);
        assert_eq!(row(Property::Leak), ["none", "local"]);
        assert_eq!(row(Property::AtomicSets), ["none"]);
    }

    #[test]
    fn facts_of_a_program_only_take_away() {
        let row = |property, facts: &Facts| -> Vec<&str> {
            let kept = Reduction::ALL
                .into_iter()
                .filter(|it| it.keeps(property, facts));
            kept.map(Reduction::name).collect()
        };
        let heap = Facts {
            uses_heap: true,
            ..Facts::default()
        };
        let moving = Facts {
            has_moving_invariants: true,
            ..Facts::default()
        };
        assert_eq!(
            row(Property::Memory, &heap),
            ["none", "local", "optimistic"]
        );
        assert_eq!(row(Property::Invariant, &moving), ["none"]);
        for property in Property::ALL {
            let usual = row(property, &Facts::default());
            if property != Property::Memory {
                assert_eq!(row(property, &heap), usual, "{property}");
            }
            if property != Property::Invariant {
                assert_eq!(row(property, &moving), usual, "{property}");
            }
        }
    }
}
