//! What each reduction asks for: the settings of one mechanism.

use raddle_engine::Reduction;
use raddle_reduce::judge::Grounds;
use raddle_reduce::predicates::Demand;

use crate::Order;

/// How transactions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// What steps may rest on; `None` if every step is a transaction of its own.
    pub(crate) grounds: Option<Grounds>,
    /// See [`Reduction::has_right_movers`].
    pub(crate) has_right_movers: bool,
    /// Whether threads that a transaction spawned go on in it. This saves states and costs switches.
    pub(crate) has_spawned: bool,
    /// Every cycle is cut, not only those without a way out (SC, WF-finiteInvis).
    pub(crate) cuts_all_cycles: bool,
    /// What the user's predicates have to be.
    pub(crate) demand: Option<Demand>,
}

impl Style {
    /// For a search in some order.
    pub(crate) fn new(reduction: Reduction, order: Order) -> Self {
        let style = Self::of(reduction);
        Self {
            has_spawned: style.has_spawned && order == Order::FirstFound,
            ..style
        }
    }

    pub(crate) fn of(reduction: Reduction) -> Self {
        let none = Self {
            grounds: None,
            has_right_movers: reduction.has_right_movers(),
            has_spawned: false,
            cuts_all_cycles: true,
            demand: None,
        };
        match reduction {
            Reduction::None => none,
            Reduction::Local => Self {
                grounds: Some(Grounds::Local),
                has_spawned: true,
                ..none
            },
            // What the user says is checked while exploring, so it is no more than a guess.
            Reduction::Static => Self {
                grounds: Some(Grounds::Synchronisation),
                cuts_all_cycles: false,
                ..none
            },
            Reduction::Phase | Reduction::Dynamic => Self {
                grounds: Some(Grounds::Synchronisation),
                cuts_all_cycles: false,
                demand: Some(Demand::Owned),
                ..none
            },
            Reduction::Optimistic => Self {
                grounds: Some(Grounds::Synchronisation),
                has_spawned: true,
                demand: Some(Demand::NotTaken),
                ..none
            },
        }
    }
}
