//! What a search takes for granted as long as nothing shows otherwise, and what it notes on the way.

use raddle_ir::Program;
use raddle_reduce::guesses::Guesses;
use raddle_reduce::predicates::Predicates;

use crate::lock_order::LockOrders;
use crate::setting::Setting;
use crate::survey::Recorder;

use super::exchanges::Exchanges;

pub(super) struct Beliefs {
    pub(super) guesses: Guesses,
    /// The user's predicates.
    pub(super) predicates: Predicates,
    /// If states stand for others with other names.
    pub(super) exchanges: Option<Exchanges>,
    /// In which order threads took locks.
    pub(super) orders: LockOrders,
    /// Takes notes of every step, for a survey.
    pub(super) recorder: Option<Recorder>,
}

impl Beliefs {
    pub(super) fn new(setting: &Setting<'_>) -> Self {
        let program: &Program = setting.program;
        let symmetry = setting.engine.symmetry;
        Self {
            guesses: Guesses::default(),
            predicates: Predicates::new(program, setting.style.demand),
            exchanges: symmetry.then(|| Exchanges::new(&setting.interpreter)),
            orders: LockOrders::default(),
            recorder: None,
        }
    }
}
