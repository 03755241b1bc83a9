//! Which engines there are, for those who speak about them.

use std::fmt;

use crate::Reduction;

/// An engine, as options choose it and reports name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineId {
    Reference,
    Explicit,
    Bmc,
    Static,
    Pushdown,
    Token,
    Sample,
    Ic3,
}

impl EngineId {
    pub const ALL: [EngineId; 8] = [
        EngineId::Reference,
        EngineId::Explicit,
        EngineId::Bmc,
        EngineId::Static,
        EngineId::Pushdown,
        EngineId::Token,
        EngineId::Sample,
        EngineId::Ic3,
    ];

    /// Short and stable.
    pub fn name(self) -> &'static str {
        match self {
            EngineId::Reference => "reference",
            EngineId::Explicit => "explicit",
            EngineId::Bmc => "bmc",
            EngineId::Static => "static",
            EngineId::Pushdown => "pushdown",
            EngineId::Token => "token",
            EngineId::Sample => "sample",
            EngineId::Ic3 => "ic3",
        }
    }

    /// The reductions that it can apply.
    pub fn reductions(self) -> &'static [Reduction] {
        match self {
            EngineId::Explicit | EngineId::Bmc => &Reduction::ALL,
            EngineId::Reference
            | EngineId::Static
            | EngineId::Pushdown
            | EngineId::Token
            | EngineId::Sample
            | EngineId::Ic3 => &[Reduction::None],
        }
    }

    /// Whether it can leave out races that the user does not want to hear of. What it proves without leaving any out holds all
    /// the more.
    pub fn can_ignore_races(self) -> bool {
        match self {
            EngineId::Reference | EngineId::Explicit | EngineId::Static | EngineId::Sample => true,
            EngineId::Bmc | EngineId::Pushdown | EngineId::Token | EngineId::Ic3 => false,
        }
    }

    /// Whether it can look for the violation with the fewest switches.
    pub fn counts_switches(self) -> bool {
        match self {
            EngineId::Explicit => true,
            EngineId::Reference
            | EngineId::Bmc
            | EngineId::Static
            | EngineId::Pushdown
            | EngineId::Token
            | EngineId::Sample
            | EngineId::Ic3 => false,
        }
    }

    /// Whether it goes on for ever, or for very long, with some programs: whoever asks it needs a limit.
    pub fn goes_on_for_long(self) -> bool {
        match self {
            EngineId::Bmc
            | EngineId::Pushdown
            | EngineId::Token
            | EngineId::Sample
            | EngineId::Ic3 => true,
            EngineId::Reference | EngineId::Explicit | EngineId::Static => false,
        }
    }
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
