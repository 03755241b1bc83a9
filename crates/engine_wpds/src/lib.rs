//! The pushdown engine: atomic-set serializability, decided for an abstraction of the program (AS).
//!
//! Data is forgotten; calls, locks and units of work are kept. What remains are processes that are pushdown systems
//! and share locks, for which it is decidable whether units of work can be interleaved in one of the problematic ways.
//!
//! - [`abstraction`]: from a program to processes;
//! - [`system`]: processes; [`reentrant`]: their reentrant locks and units, reduced to the outermost;
//! - [`phases`]: automata over interleavings; [`patterns`]: those of the paper, and what every circle of units contains;
//! - [`history`]: what of a stretch of a process decides whether it can be interleaved; [`interleave`]: how;
//! - [`execution`]: what processes that share locks do, step by step.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod abstraction;
pub mod execution;
pub mod history;
pub mod interleave;
pub mod patterns;
pub mod phases;
pub mod product;
pub mod reach;
pub mod reentrant;
pub mod system;

use std::collections::BTreeMap;

use raddle_engine::{Answer, Budget, Counters, Engine, Events, Reason, Reduction, Task, Verdict};

use patterns::PatternSet;
use phases::PhaseAutomaton;

/// Decides `atomic-sets` and no other property.
#[derive(Clone, Debug, Default)]
pub struct PushdownEngine {
    pub patterns: PatternSet,
    /// Automata to look for besides the patterns.
    pub automata: Vec<PhaseAutomaton>,
}

impl Engine for PushdownEngine {
    fn name(&self) -> &'static str {
        "pushdown"
    }

    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    fn decide(&mut self, task: &Task<'_>, _: &Budget, _: &mut dyn Events) -> Answer {
        let verdicts: BTreeMap<_, _> = task
            .semantics
            .properties
            .iter()
            .map(|property| (*property, Verdict::Unknown(Reason::NotDecidedByEngine)))
            .collect();
        Answer {
            verdicts,
            counters: Counters::new(),
            observes_layout: false,
            notes: Vec::new(),
        }
    }
}
