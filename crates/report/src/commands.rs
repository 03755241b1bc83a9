//! How a run is repeated.

use std::collections::BTreeMap;

use raddle_ir::interpret::Property;

/// What a user types to see it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    /// Repeats the run.
    pub whole: String,
    /// Repeats a verdict, with the engine and the reduction that it comes from.
    pub of_property: BTreeMap<Property, String>,
}
