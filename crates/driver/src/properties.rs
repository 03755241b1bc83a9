//! Which properties are decided.

use raddle_ir::Program;
use raddle_ir::interpret::Property;

use crate::Options;

/// The properties to decide, sorted.
pub(crate) fn asked_properties(options: &Options, program: Option<&Program>) -> Vec<Property> {
    let mut properties = options
        .properties
        .clone()
        .unwrap_or_else(|| applicable_properties(program));
    // Who asks for sets or automata asks for what is said of them.
    if options.atomic_sets.is_some() || !options.automata.is_empty() {
        properties.push(Property::AtomicSets);
    }
    properties.sort_unstable();
    properties.dedup();
    properties
}

/// The properties checked by default: all but `leak` and `overflow`, which many correct programs violate, and
/// those that the program says nothing about.
pub fn applicable_properties(program: Option<&Program>) -> Vec<Property> {
    Property::ALL
        .into_iter()
        .filter(|property| match property {
            Property::Assert
            | Property::Race
            | Property::Deadlock
            | Property::Memory
            | Property::LockMisuse
            | Property::Uninitialized
            | Property::Undefined => true,
            Property::Leak | Property::Overflow => false,
            Property::Invariant => program.is_some_and(|it| !it.invariants.is_empty()),
            Property::AtomicSets => program.is_some_and(|it| !it.atomic_sets.is_empty()),
        })
        .collect()
}
