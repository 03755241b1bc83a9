//! Executions that show a violation, cut to their core: another execution of the same program that shows the same violation,
//! with no more steps, no more switches of thread and no greater inputs.
//!
//! - `goal`: what the same violation is, and where it is looked for;
//! - `execution`: executions, with what is needed to change them;
//! - `attempt`: a changed execution is tried out; `purse`: what may still be spent on that;
//! - `search`: the best execution so far; `weight`: when one of two is simpler;
//! - `passes`: what is changed.
//!
//! # Source
//!
//! \[Jalbert10\]: blocks of one thread are moved together and the end of threads is dropped, greedily, and every attempt is executed.
//! \[Zeller02\]: halves before quarters before single things.
//!
//! # Definitions
//!
//! - A *guide* is a list of steps that need not be an execution: steps of the best execution so far, some left out, some elsewhere,
//!   some with another choice.
//! - To *follow* a guide: each of its steps is taken if its thread stands where the step begins. If the step itself is not
//!   possible there, another way from that place is taken. A thread that stands where the rest of the guide comes by
//!   again waits for that; one that stands elsewhere goes on by itself until it comes to such a place. What is not
//!   possible then is skipped.
//! - Two violations are *the same* if property, place and participants' places are, and the words but for numbers: the
//!   element `a[17]` may become `a[0]`, and the forty-second worker the first one.
//! - An execution is *better* if it has no more steps and no more switches, and fewer of one of them or smaller inputs: in this
//!   order the sums of steps, of switches and of weights of choices decrease with each change.
//!
//! # Invariants
//!
//! - **(M1)** The result is an execution of the definition that shows the same violation as what was given, and is better than that or
//!   equal to it.
//! - **(M2)** It depends on nothing but program, semantics, execution and effort, unless it is interrupted.
//! - **(M3)** If nothing more was tried for lack of effort, the result is minimised to itself.
//! - **(M4)** Nothing is searched: no attempt executes more steps than the best execution has.
//!
//! # Deviations
//!
//! 1. Attempts are lenient where \[Jalbert10\] replays a schedule strictly, so that a loop with fewer rounds and threads with other
//!    names are found.
//! 2. What is done there with the ends of threads is done here with rounds of loops and inputs as well.
//!
//! # Tested by
//!
//! `crates/testkit/tests/minimise.rs` (M1 to M3 on random programs, flaws that it has to notice), `crates/minimise/tests/`.
#![warn(clippy::wildcard_enum_match_arm)]

mod attempt;
mod execution;
mod goal;
mod passes;
mod purse;
mod search;
mod weight;

use raddle_engine::Trace;
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;

use search::Search;

/// How much may be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// So many executions.
    pub replays: usize,
    /// So many steps in all of them.
    pub steps: usize,
}

impl Effort {
    /// As many steps as that many replays of a usual trace take: long ones get fewer replays.
    pub fn of_replays(replays: usize) -> Self {
        /// Steps of a usual trace.
        const USUAL: usize = 100;
        Self {
            replays,
            steps: replays.saturating_mul(USUAL),
        }
    }
}

/// What is wrong on purpose, for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flaw {
    #[default]
    None,
    /// Any violation of the property counts.
    AnyViolation,
    /// What is tried is taken for an execution.
    UntriedGuides,
    /// Whatever shows the violation is better than what was known.
    AnythingIsBetter,
}

/// What became of an execution.
#[derive(Clone, Debug)]
pub struct Minimised {
    pub trace: Trace,
    /// How many executions were tried.
    pub replays: usize,
    /// Everything was tried: minimising the result changes nothing.
    pub is_settled: bool,
}

/// Cuts an execution that the certifier accepts to its core. Whoever `may_go_on` no more gets what was found by then.
pub fn minimise(
    program: &Program,
    semantics: &Semantics,
    trace: &Trace,
    effort: Effort,
    may_go_on: &dyn Fn() -> bool,
) -> Minimised {
    minimise_with(program, semantics, trace, effort, may_go_on, Flaw::None)
}

/// The same, with something wrong.
pub fn minimise_with(
    program: &Program,
    semantics: &Semantics,
    trace: &Trace,
    effort: Effort,
    may_go_on: &dyn Fn() -> bool,
    flaw: Flaw,
) -> Minimised {
    let unchanged = Minimised {
        trace: trace.clone(),
        replays: 0,
        is_settled: false,
    };
    if effort.replays == 0 {
        return unchanged;
    }
    let interpreter = raddle_stepper::definition(program, semantics.clone());
    let Some(mut search) = Search::new(&interpreter, trace, effort, may_go_on, flaw) else {
        return unchanged;
    };
    let is_settled = passes::all(&mut search);
    Minimised {
        replays: search.replays(),
        trace: search.into_trace(trace),
        is_settled,
    }
}
