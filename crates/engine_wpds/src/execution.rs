//! The meaning of processes that share locks: configurations and steps, one rule at a time.
//!
//! Everything else here is about not having to do this; witnesses are checked by it.
//!
//! # Source
//!
//! AS §3.1.2, the non-reentrant semantics.
//!
//! # Definitions
//!
//! A configuration has a control state and a stack for each process, and says which of them holds which lock.
//!
//! # Invariants
//!
//! - **(O1)** No lock is held by two processes.
//!
//! # Deviations
//!
//! 1. While a process is in an atomic section, no other takes a step.
//!
//! # Tested by
//!
//! `crates/testkit/tests/pushdown.rs`, which runs every witness by it.

use raddle_base::Id;

use crate::system::{ControlId, Label, Process, Push, RuleId, SymbolId};

/// Where all processes are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    pub controls: Vec<ControlId>,
    /// The top is the last.
    pub stacks: Vec<Vec<SymbolId>>,
    /// Who holds each lock.
    pub owners: Vec<Option<usize>>,
}

/// Why a rule cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The process is in another control state, or another symbol is on top.
    OtherHead,
    LockIsTaken,
    LockIsNotHeld,
    /// Another process is inside an atomic section.
    NotItsTurn,
}

impl Configuration {
    pub fn initial(processes: &[&Process], locks: usize) -> Self {
        Self {
            controls: processes.iter().map(|it| it.start.0).collect(),
            stacks: processes.iter().map(|it| vec![it.start.1]).collect(),
            owners: vec![None; locks],
        }
    }

    /// The rules of a process that fit its head.
    pub fn fitting(&self, process: &Process, party: usize) -> Vec<RuleId> {
        let Some(top) = self.stacks[party].last() else {
            return Vec::new();
        };
        let fits = |rule: RuleId| {
            let rule = &process.rules[rule];
            rule.from == self.controls[party] && rule.top == *top
        };
        process.rules.ids().filter(|rule| fits(*rule)).collect()
    }

    /// Applies a rule of a process.
    pub fn apply(
        &mut self,
        processes: &[&Process],
        party: usize,
        rule: RuleId,
    ) -> Result<Label, Refused> {
        let rule = processes[party].rules[rule];
        if self.controls[party] != rule.from || self.stacks[party].last() != Some(&rule.top) {
            return Err(Refused::OtherHead);
        }
        let is_elsewhere = |other: usize| {
            other != party && processes[other].controls[self.controls[other]].is_atomic
        };
        if (0..processes.len()).any(is_elsewhere) {
            return Err(Refused::NotItsTurn);
        }
        match rule.label {
            Label::Acquire(lock) => {
                let owner = &mut self.owners[lock.index()];
                if owner.is_some() {
                    return Err(Refused::LockIsTaken);
                }
                *owner = Some(party);
            }
            Label::Release(lock) => {
                let owner = &mut self.owners[lock.index()];
                if *owner != Some(party) {
                    return Err(Refused::LockIsNotHeld);
                }
                *owner = None;
            }
            Label::Silent | Label::Begin | Label::End | Label::Access(_) | Label::Event(_) => {}
        }
        let stack = &mut self.stacks[party];
        stack.pop();
        match rule.push {
            Push::Pop => {}
            Push::Step(symbol) => stack.push(symbol),
            Push::Two(top, below) => stack.extend([below, top]),
        }
        self.controls[party] = rule.to;
        Ok(rule.label)
    }
}
