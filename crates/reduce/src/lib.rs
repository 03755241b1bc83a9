//! What a reduction may take for granted about the actions of a program.
//!
//! - [`movers`]: the table that says which actions commute with what other threads can do, and under which conditions; [`table`]:
//!   the same as it is used; [`omission`]: the other conditions, by name;
//! - [`keys`]: names for cells and locks; [`discipline`]: how accesses to one cell are kept apart;
//! - [`guesses`]: what is taken for granted until a step shows otherwise; [`predicates`]: what the user says, `own` by its form;
//!   [`watched`]: what invariants look at;
//! - [`static_movers`]: what holds in every state; [`dynamic`]: what holds from some state on (DR Table 2);
//! - [`symmetry`]: states that differ in names only;
//! - [`history`]: states with what has to be remembered; [`judge`]: which way a step moves.
//!
//! # Source
//!
//! FQ for exclusive access, phases and inferred locks; SC for left movers alone and for guesses that are checked in the reduced
//! system; DR for conditions on states; \[Lipton75\] for movers. The proofs that fit what is done here are in
//! `docs/design/reduction.md`.
//!
//! # Definitions
//!
//! **Exclusive access.** FQ §4.1 takes an *exclusive access predicate* `E(t,x)` for every thread `t` and variable `x` as given,
//! SC §5 calls it `e_i^x`. Here it is worked out for every access of every step, by `Judge::judge`. Thread `t` has exclusive
//! access to the cell `x` in a configuration `s` if
//!
//! ```text
//! E(t,x) :=   alone(t)           t is the only thread, every other one was joined
//!           ∨ private(t,x)       no pointer to x has ever left t, or the step itself makes x
//!           ∨ declared(t,x)      the user's predicate for x holds of t
//!           ∨ only_user(t,x)     no other thread ever accesses x (FQ §5.1)
//!           ∨ unwritten(x)       t reads, and nobody ever writes x
//!           ∨ locks(t,x)         t writes, and holds exclusively a lock that all who access x hold, writers exclusively;
//!                                or t reads, and holds a lock that all who write x hold exclusively (FQ §5, §6)
//!           ∨ apart(t,x)         by analysis, nobody else can be about to access x (only with `static`)
//!           ∨ from_now_on(t,x)   nobody else will ever do what conflicts (only with `dynamic`: DR Def. 12)
//! ```
//!
//! | disjunct | file | rests on |
//! |---|---|---|
//! | `alone` | `judge/mod.rs`, `Judge::rely_on_being_alone` | `Guess::Alone` |
//! | `private` | `history.rs`, `Private`; asked in `judge/footprint.rs`, `Judge::note_ownership` | `Guess::Hidden` |
//! | `declared` | `predicates.rs`, `Predicates::covers` | `Guess::Predicate` |
//! | `only_user`, `unwritten`, `locks` | `discipline.rs`, `Discipline::moves`; asked in `judge/notes.rs`, `Judge::access` | `Guess::Byte`, `Guess::Life`, `Guess::Lasting`, `Guess::OnlyOne` |
//! | `apart` | `static_movers.rs`, `StaticMovers::satisfies` | nothing |
//! | `from_now_on` | `dynamic/mod.rs`, `DynamicMovers::condition` | nothing |
//!
//! Where the user has declared a predicate for a cell and nothing has refuted it, it alone decides, in place of the three disjuncts
//! of the discipline. With `static` there are no guesses, and `apart` is the only disjunct beside what the step itself makes. With
//! `local` there are no `declared` and no `locks`. The engine `bmc` makes no guesses either: there it is `apart ∨ from_now_on`, which with
//! `phase` and `optimistic` looks at locks with fixed names and at which other threads there are (`Strength::Phase`). A cell that an invariant reads is nobody's ([`watched`]), whatever holds, unless its thread is alone.
//!
//! **FQ's words.**
//!
//! | FQ | here |
//! |---|---|
//! | `α(t,l)`, the variables that an action accesses (§4.1) | `Footprint` in `judge/footprint.rs`: bytes, and the life of objects |
//! | `E(t,l)`, exclusive access to all of them | `Seen::is_exclusive`, by `Judge::access` |
//! | safe for `x`; `δ(t,l)` (delta), the assertion that an unsafe action has exclusive access (§4.2) | no assertion. An access that `δ(t,l)` would forbid weakens what was taken for granted ([`guesses`]), or refutes the user's predicate (`Fault::Access`) |
//! | `P#`, `Act#(t,⟨l,p⟩)`, the instrumented program | is not made: `Act#`'s update of the phase is `phase_after` in `engine_explicit/src/transaction/mod.rs`, and the two phases of a place in `engine_bmc/src/block.rs` |
//! | phase `p`; pre-commit, post-commit | `Phase::BeforeCommit`, `Phase::AfterCommit` in `engine_explicit/src/phase.rs` and `engine_bmc/src/pending.rs` |
//! | `R(t)`, `L(t)`, `N(t)` | an inner state before the commit, one that is passed after it, one that is external and stored: `Inner::phase` and `Inner::is_external` in `engine_explicit/src/transaction/inner.rs` |
//! | conditions A, B, C | (T1), (T2), (T3) of `engine_explicit/src/transaction/mod.rs`; C by `engine_explicit/src/cycles.rs` |
//! | `E(t,m) := m = t` of a lock (§5) | the rows `Acquire` and `Release` of [`movers`] |
//! | `M_z`, the protecting locks of a variable (§5) | `Discipline::protecting_locks` |
//! | `M_z ∈ Tid`, thread-local variables (§5.1) | `Discipline::only_user` |
//! | `c_m`, re-entrant locks (§5.2) | `refined` in `judge/rows.rs` |
//! | `w_m`, wait sets (§5.3) | `Guess::Waiters`, `Condition::OneMutex` |
//! | ACCESS, the rule that removes a lock from `M_z` (§6) | `Guesses::record`; what relied on it is explored again (`weaken` in `engine_explicit/src/search/mod.rs`) |
//!
//! **SC's words.**
//!
//! | SC | here |
//! |---|---|
//! | invisible transition `u_i` (§4, §5) | a step with `Moves::left`, taken where the thread may be passed: (T2) of the transactions |
//! | visible transition `v_i` | any other step |
//! | `p_i`, no invisible transition is enabled; visible state `p` | the thread is *at rest*; a state in which all are is stored |
//! | `M_i = v_i u_i*` | a transaction under way: one step, then left movers |
//! | `N_i`, an `M_i` that cannot be longer and breaks no discipline | a whole transaction, `Transaction::explore` with the reduction `optimistic` |
//! | `q`, the discipline was violated | a guess that is broken (`Guesses::broken`, `Predicates::faults`); never an answer, the search goes on with less |
//! | `V_unsh`, `V_prot`, `V_unprot` | registers and `private`; cells with a predicate or with locks in common; all others |
//! | `e_i^x` | `E(t,x)`; those that the user writes are in [`predicates`] |
//! | `disjoint(e^x)` | `Fault::Shared`, looked for by `Predicates::check_step` |
//! | `acc(s,t,s')` (§6) | `Footprint` |
//! | guess, check, revise (§8), the lockset algorithm (§9) | [`guesses`], [`discipline`] |
//!
//! | well-formed if (SC §5) | here |
//! |---|---|
//! | WF-disjoint: the three sorts of variables are disjoint | `Judge::access` asks of each cell in one order: private, predicate, discipline |
//! | WF-initVis: threads begin with a visible transition | not asked for: a new thread's left movers belong to the transaction that spawned it, (T5) |
//! | WF-sep: no state has visible and invisible transitions of one thread | not asked for: a state is passed only if all steps of the thread there are left movers, (T2) |
//! | WF-acc: what a transition accesses does not depend on inner choices | a choice is part of the step, so each step has its own footprint |
//! | WF-finiteInvis: no thread is invisible for ever | not asked for: every cycle after the commit is cut (`engine_explicit/src/cycles.rs`) |
//! | WF-initExcl: predicates are disjoint at the beginning | `Predicates::check_step` looks at the state before a step as well as after it |
//! | WF-endExcl: nobody takes exclusive access from another | `Fault::Taken` |
//!
//! **DR's words.**
//!
//! | DR | here |
//! |---|---|
//! | `c_α` of Def. 1, `c_α^R` and `c_α^L` of Def. 12 | `DynamicMovers::condition`, one for both sides |
//! | Table 2, the heuristics | [`dynamic`] |
//! | `L(j)`, `C_j`, `F_i` of Table 2 | `analysis::futures` |
//! | Tables 1 and 3: five copies of every location (R0 in Table 3) | are not made. N is an external place, R and L are the phases; R' and L' are there in DR so that the choice and the action are two steps, which here are one |
//! | R1, R2: an action leads to R if it moves right, else to L | `phase_after`; `gathers` and `commits` in `engine_bmc/src/block.rs` |
//! | R3: from R to R' | nothing to do |
//! | R4, R5: at L all that leave must move left, else the place is external | (T2) of the transactions; (B3) of the blocks |
//! | R6: a location of the feedback set is external after the commit | `engine_explicit/src/cycles.rs`, by states; (B2) of the blocks, by heads of loops |
//! | location feedback set, LFS (Def. 2) | `analysis::feedback` |
//! | LFS', exposed states of the pre-phase (§5) | `Local::is_open` in `encode`, set by `engine_bmc/src/block.rs` |
//!
//! # Invariants
//!
//! - **(E1)** Two threads never have exclusive access to one cell at the same time if one of them is to write it: condition (i) of
//!   FQ §4.1.
//! - **(E2)** No thread gives exclusive access to another or takes it away: condition (ii) of FQ §4.1. Locks are given back by their
//!   holder (`Guess::Lasting`), what was published once stays so ([`history`]), a thread is alone by its own joins (`Guess::Alone`),
//!   and the other disjuncts are about the whole exploration. For the user's predicates SC's weaker demand is enough with
//!   `optimistic` ([`predicates::Demand`]).
//!
//! # Deviations
//!
//! 1. Reading and writing are told apart, so several threads may have exclusive access to read.
//! 2. Cells are bytes, and that an object lives is a cell too.
//! 3. Nothing is taken for granted for good. What an execution refutes is dropped, whatever rested on it is explored again, and
//!    no verdict is given before that has come to an end (G1, G2 of [`guesses`]).
//! 4. No program is instrumented, neither as in FQ §4.2 nor as in DR Table 3; the search remembers the phase instead.
//! 5. Three of SC's conditions on programs are not asked for; the table above says what takes their place.
//!
//! # Tested by
//!
//! `crates/reduce/tests`: `commute.rs` (the table), `exclusive.rs` (predicates), `dynamic.rs` (conditions on states).
//! `crates/testkit/tests`: `inference.rs` (guesses), `figures.rs` (the papers' counts), `random_programs.rs` (all of it against the
//! enumeration of all executions). `cargo xtask mutants` leaves out every side condition.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod discipline;
pub mod dynamic;
pub mod guesses;
pub mod history;
pub mod judge;
pub mod keys;
pub mod movers;
pub mod moves;
pub mod omission;
mod own;
pub mod predicates;
pub mod static_movers;
pub mod symmetry;
pub mod table;
pub mod watched;
