//! What each reduction asks for: the settings of one mechanism.

use raddle_engine::Reduction;
use raddle_reduce::judge::Grounds;
use raddle_reduce::predicates::Demand;

/// How transactions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// What steps may rest on; `None` if every step is a transaction of its own.
    pub(crate) grounds: Option<Grounds>,
    /// Whether right movers gather before the commit (FQ). Else a transaction is any step and left movers (SC).
    pub(crate) has_right_movers: bool,
    /// Every cycle is cut, not only those without a way out (SC, WF-finiteInvis).
    pub(crate) cuts_all_cycles: bool,
    /// What the user's predicates have to be.
    pub(crate) demand: Option<Demand>,
}

impl Style {
    pub(crate) fn of(reduction: Reduction) -> Self {
        let none = Self {
            grounds: None,
            has_right_movers: false,
            cuts_all_cycles: true,
            demand: None,
        };
        match reduction {
            Reduction::None => none,
            Reduction::Local => Self {
                grounds: Some(Grounds::Local),
                ..none
            },
            // What the user says is checked while exploring, so it is no more than a guess.
            Reduction::Static => Self {
                grounds: Some(Grounds::Synchronisation),
                has_right_movers: true,
                cuts_all_cycles: false,
                demand: None,
            },
            Reduction::Phase => Self {
                grounds: Some(Grounds::Synchronisation),
                has_right_movers: true,
                cuts_all_cycles: false,
                demand: Some(Demand::Owned),
            },
            Reduction::Optimistic => Self {
                grounds: Some(Grounds::Synchronisation),
                demand: Some(Demand::NotTaken),
                ..none
            },
        }
    }
}
