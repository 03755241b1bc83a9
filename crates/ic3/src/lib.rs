//! Proofs without a bound over finite transition systems, and executions where there are none. Knows no programs.
//!
//! `check` is IC3 over labels of states: all bits of the state ([`Abstraction::Bits`]), or predicates that are refined
//! as far as needed ([`Abstraction::Predicates`]). What it proves comes with a [`raddle_logic::Certificate`] that somebody else checks;
//! what it finds was executed. It ends on every system, if the budget lasts.
//!
//! # Source
//!
//! \[Bradley11\], with the frames, obligations and pushing of \[Een11\] and the generalisation of \[Hassan13\]; DR §6 for
//! its place beside a bounded engine. Predicates as in \[Cimatti14\]; that a lifting that fails is tolerated is one of the
//! choices of \[Birgmeier14\].
//!
//! # Definitions
//!
//! - *Frame* `frames`, *cube* `cube`, *obligation* `obligations`, *label* `labels`;
//! - *consecution*: a frame and one step lead into no state of a cube: `search`;
//! - `guess` and `induction` are beside it: invariants from samples, and induction over several steps;
//! - the phases: blocking with lifting `block`, `generalise`, `push`, `refine`.
//!
//! # Invariants
//!
//! Every cube of a frame excludes no state in which executions begin, and none that a step from the frame below leads to.
//! Cubes are over labels, which only become more, so frames outlive refinement. The chain of an abstract counterexample
//! is always consistent with the links of all labels, so that refinement finds a new one or an execution.
//!
//! # Deviations
//!
//! Steps are functions of state and inputs, so there is no copy of the state after a step: a label after a step is a
//! term. No interpolants: new predicates are weakest preconditions along the steps of the chain, chosen by
//! an unsatisfiable core, and single bits where they are not enough.
//!
//! # Tested by
//!
//! `tests/random_systems.rs`: random systems against the enumeration of their states, with every certificate checked.

mod block;
mod context;
mod cube;
mod execute;
mod frames;
mod generalise;
mod guess;
mod induction;
mod labels;
mod linear;
mod obligations;
mod outcome;
mod predicates;
mod push;
mod refine;
mod samples;
mod search;
mod unroll;

use raddle_base::Budget;
use raddle_logic::{TermId, TransitionSystem};

pub use guess::guess;
pub use induction::induction;
pub use outcome::{GaveUp, Outcome, Reached, Step};
pub use predicates::first_predicates;

use block::Blocked;
use refine::Refined;
use search::Search;

/// What states are seen by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// By every bit. Nothing has to be refined.
    Bits,
    /// By these truth values over state variables, and by what refinement finds.
    Predicates(Vec<TermId>),
}

/// What is wrong with a search, for tests that have to notice it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Cubes are pushed without asking whether they stay blocked.
    PushesUnasked,
    /// Cubes are generalised over states in which executions begin.
    BeginsAnywhere,
    /// An abstract counterexample is told as if it were an execution.
    BelievesAbstraction,
}

/// What a search spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Frames above the first.
    pub frames: usize,
    pub labels: usize,
    /// Cubes that were blocked, again for each level that they were pushed to.
    pub lemmas: usize,
    pub obligations: usize,
    pub refinements: usize,
    /// Calls of the SAT solver about single steps.
    pub questions: u64,
}

/// Whether an execution reaches a target.
pub fn check(
    system: &mut TransitionSystem,
    abstraction: &Abstraction,
    budget: &Budget,
) -> (Outcome, Counters) {
    check_with(system, abstraction, &Given::default(), budget)
}

/// What a search is given besides the system.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Conditions on states that are inductive together.
    pub lemmas: Vec<TermId>,
    /// For tests.
    pub flaw: Option<Flaw>,
}

/// The same with more to begin with.
pub fn check_with(
    system: &mut TransitionSystem,
    abstraction: &Abstraction,
    given: &Given,
    budget: &Budget,
) -> (Outcome, Counters) {
    let mut search = match Search::new(system, budget, &given.lemmas, given.flaw) {
        Ok(search) => search,
        Err(why) => return (Outcome::GaveUp(why), Counters::default()),
    };
    let first = match abstraction {
        Abstraction::Bits => labels::bits(search.system),
        Abstraction::Predicates(conditions) => conditions.clone(),
    };
    for condition in first {
        search.labels.add(search.system, condition);
    }
    let outcome = search.run().unwrap_or_else(Outcome::GaveUp);
    let counters = Counters {
        frames: search.frames.top(),
        labels: search.labels.len(),
        questions: search.questions(),
        ..search.counters
    };
    (outcome, counters)
}

impl Search<'_> {
    /// Frame by frame: exclude every violating step from the highest, then put another on top and push.
    fn run(&mut self) -> Result<Outcome, GaveUp> {
        loop {
            while let Some(violating) = self.violating_step(self.frames.top())? {
                match self.discharge(violating)? {
                    Blocked::Yes => {}
                    Blocked::No(chain) => match self.refine(&chain)? {
                        Refined::Execution(found) => return Ok(Outcome::Reached(found)),
                        Refined::Labels => {}
                    },
                }
                self.refresh()?;
            }
            self.add_frame();
            if let Some(certificate) = self.push()? {
                return Ok(Outcome::Proved(certificate));
            }
        }
    }
}
