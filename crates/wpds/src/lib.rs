//! Weighted pushdown systems: what is reached, with which weight, and by which run.
//!
//! A [`Pushdown`] has a control state and a stack; rules with weights say what happens at the top of it. The weight of a
//! run is the product of the weights of its rules, in order; that of a configuration is the sum over all runs to it
//! ([`post_star`]) or from it ([`pre_star`]), though there may be infinitely many. Weights are those of any
//! [`Semiring`].
//!
//! - [`semiring`]: what weights are, and a check of their laws;
//! - [`pushdown`]: systems and configurations;
//! - [`post_star`], [`pre_star`]: saturation, which gives an [`automaton`] that accepts configurations with weights;
//! - [`witness`]: runs, rule by rule;
//! - [`relations`]: weights that follow a state of many bits through phases, as decision diagrams.
//!
//! A procedure that calls itself any number of times, and the least cost of coming back from it:
//!
//! ```
//! use raddle_wpds::semiring::LeastCost;
//! use raddle_wpds::{Configurations, Pushdown, Replaced, Rule, post_star};
//!
//! let mut system = Pushdown::new();
//! let [go, back] = [(); 2].map(|()| system.add_control());
//! let [main, work, rest] = [(); 3].map(|()| system.add_symbol());
//! let mut rule = |from, top, to, stack, cost| {
//!     let weight = Some(cost);
//!     system.add_rule(Rule { from, top, to, stack, weight })
//! };
//! let call = rule(go, main, go, Replaced::Push { top: work, below: rest }, 1);
//! let again = rule(go, work, go, Replaced::Push { top: work, below: rest }, 1);
//! let end = rule(go, work, back, Replaced::Pop, 10);
//! let unwind = rule(back, rest, back, Replaced::Pop, 2);
//!
//! let start = Configurations::one(&LeastCost, &system, go, &[main], &Some(0));
//! let Ok(reached) = post_star(&LeastCost, &system, &start);
//! assert_eq!(reached.automaton.weight(&LeastCost, back, &[]), Ok(Some(13)));
//! assert_eq!(reached.automaton.weight(&LeastCost, go, &[work, rest, rest]), Ok(Some(2)));
//!
//! // Over all stacks: the cheapest way to `back` at all.
//! let Ok(sums) = reached.automaton.sums(&LeastCost);
//! assert_eq!(sums.of_control(&LeastCost, back), Ok(Some(11)));
//! let run = reached.run_to_control(back, 100).unwrap().unwrap();
//! assert_eq!(run.rules, [call, end]);
//! assert_eq!(system.replay(&run.start, &run.rules), Some(run.end));
//! ```

pub mod automaton;
mod post_star;
mod pre_star;
pub mod pushdown;
pub mod relations;
mod saturation;
pub mod semiring;
pub mod witness;

pub use automaton::{Automaton, Configurations, StateId, Sums, Transition, TransitionId};
pub use post_star::{Order, PostStar, post_star, post_star_in_order};
pub use pre_star::pre_star;
pub use pushdown::{Configuration, ControlId, Pushdown, Replaced, Rule, RuleId, SymbolId};
pub use relations::{Relations, RelationsError, Series, Shape};
pub use semiring::{Semiring, broken_law};
pub use witness::{Run, RunTooLong};
