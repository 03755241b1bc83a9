//! Which locals of a function come and go with their blocks.
//!
//! C lets an automatic object live from the entry into its block until execution leaves the block in any way (C11 6.2.4),
//! a compound literal as long as the block around it, a record that is no variable until the end of the full expression.
//! Where nobody can tell, one object for the whole call is enough, and it costs no steps: while no address of it outlives
//! the block, no lock is in it, and no pointer to memory that would be lost, and it is small enough to be made undefined.
//!
//! `flow` tells where addresses may get to.

mod flow;

use std::collections::{BTreeMap, BTreeSet};

use crate::parts::{self, Subtree};
use crate::typed::{Body, Expression, LabelId, LocalId, Module, Statement, StatementKind};
use crate::types::Type;

use super::Lowering;
use super::initials::LARGEST_TO_FORGET;
use super::scalars;

use flow::{Flow, is_in_register};

pub(super) use flow::Fates;

/// What begins and ends inside of a function.
#[derive(Debug, Default)]
pub(super) struct Lifetimes {
    /// Objects that are made when their block begins, and end with it.
    made: BTreeSet<LocalId>,
    /// Registers that might keep memory from being lost after the end of their block.
    forgotten: BTreeSet<LocalId>,
    /// Registers whose declarations may be jumped over: they hold nothing when their block begins.
    skipped: BTreeSet<LocalId>,
    /// What is alive at a label.
    labels: BTreeMap<LabelId, Vec<LocalId>>,
}

/// A stretch of the function, by the order in which its parts are met.
type Stretch = (u32, u32);

impl Lifetimes {
    /// `ends_first`: what the function declares ends before it does.
    pub(super) fn new(lowering: &Lowering<'_>, body: &Body, ends_first: bool) -> Self {
        let mut blocks = Blocks::default();
        blocks.block(&body.statements, None, !ends_first);
        let mut lifetimes = Self::default();
        let module = lowering.module;
        let flow = if blocks.stretches.is_empty() {
            Flow::default()
        } else {
            Flow::new(&lowering.fates, module, body)
        };
        for (&local, &stretch) in &blocks.stretches {
            let has_jumps = blocks.jumped_over.contains(&local);
            let is_within = |other: LocalId| {
                let known = blocks.stretches.get(&other);
                known.is_some_and(|other| stretch.0 <= other.0 && other.1 <= stretch.1)
            };
            if is_in_register(module, body, local) {
                if lowering.features.uses_heap
                    && flow.may_be_address(local)
                    && may_name_memory(module, body, local)
                {
                    lifetimes.forgotten.insert(local);
                }
                if has_jumps {
                    lifetimes.skipped.insert(local);
                }
            } else if has_jumps
                || is_too_large_to_forget(lowering, &body.locals[local].ty.ty)
                || may_hold_more(lowering, &body.locals[local].ty.ty)
                || flow.escapes(&lowering.fates, module, local, is_within)
            {
                lifetimes.made.insert(local);
            }
        }
        let mut labels = BTreeMap::new();
        lifetimes.marks(
            &body.statements,
            &mut Vec::new(),
            !ends_first,
            &mut |statement, alive| {
                if let StatementKind::Label(label) = statement.kind {
                    labels.insert(label, alive.to_vec());
                }
            },
        );
        lifetimes.labels = labels;
        lifetimes
    }

    /// The object is made when its block begins.
    pub(super) fn is_made(&self, local: LocalId) -> bool {
        self.made.contains(&local)
    }

    /// The register holds nothing after the end of its block.
    pub(super) fn is_forgotten(&self, local: LocalId) -> bool {
        self.forgotten.contains(&local)
    }

    /// The register holds nothing when its block begins.
    pub(super) fn is_skipped(&self, local: LocalId) -> bool {
        self.skipped.contains(&local)
    }

    /// What is alive at a label, the outermost first.
    pub(super) fn at_label(&self, label: LabelId) -> &[LocalId] {
        self.labels.get(&label).map_or(&[], |alive| alive)
    }

    /// What begins and ends with a block; `last` is what a statement expression gives.
    pub(super) fn of_block(
        &self,
        statements: &[Statement],
        last: Option<&Expression>,
    ) -> Vec<LocalId> {
        self.kept(owned_by_block(statements, last))
    }

    /// What begins and ends with a statement: literals in what controls it.
    pub(super) fn of_controls(&self, statement: &Statement) -> Vec<LocalId> {
        self.kept(owned_by_controls(statement))
    }

    /// What begins and ends with the full expressions of a statement.
    pub(super) fn of_expressions(&self, statement: &Statement) -> Vec<LocalId> {
        self.kept(owned_by_expressions(statement))
    }

    /// What begins and ends with a full expression.
    pub(super) fn of_expression(&self, expression: &Expression) -> Vec<LocalId> {
        let mut found = Vec::new();
        parts::temporaries(Subtree::Value(expression), &mut found);
        self.kept(found)
    }

    fn kept(&self, mut locals: Vec<LocalId>) -> Vec<LocalId> {
        locals.retain(|local| {
            self.is_made(*local) || self.is_forgotten(*local) || self.is_skipped(*local)
        });
        locals
    }

    /// What begins on the way from a `switch` to its cases and its default.
    pub(super) fn at_cases(&self, body: &[Statement]) -> Cases {
        let mut found = Cases::default();
        self.marks(
            body,
            &mut Vec::new(),
            false,
            &mut |statement, alive| match statement.kind {
                StatementKind::Case(index) => {
                    found.cases.entry(index).or_insert_with(|| alive.to_vec());
                }
                StatementKind::Default => found.default = alive.to_vec(),
                _ => {}
            },
        );
        found
    }

    /// Shows every statement with what is alive when it is jumped to.
    fn marks(
        &self,
        statements: &[Statement],
        alive: &mut Vec<LocalId>,
        is_root: bool,
        visit: &mut dyn FnMut(&Statement, &[LocalId]),
    ) {
        let before = alive.len();
        if !is_root {
            alive.extend(self.of_block(statements, None));
        }
        for statement in statements {
            visit(statement, alive);
            alive.extend(begun_by(statement));
            let outside = alive.len();
            alive.extend(self.of_controls(statement));
            let is_switch = matches!(statement.kind, StatementKind::Switch { .. });
            for block in parts::blocks(statement) {
                // Its cases are its own.
                self.marks(block, alive, false, &mut |inner, alive| {
                    let is_case =
                        matches!(inner.kind, StatementKind::Case(_) | StatementKind::Default);
                    if !(is_switch && is_case) {
                        visit(inner, alive);
                    }
                });
            }
            alive.truncate(outside);
            let mut nested = Vec::new();
            parts::statement_expressions(statement, &mut nested);
            for (statements, last) in nested {
                let outside = alive.len();
                alive.extend(self.of_controls(statement));
                alive.extend(self.of_expressions(statement));
                // Literals in the value belong to it too.
                alive.extend(self.of_block(statements, last));
                self.marks(statements, alive, true, visit);
                alive.truncate(outside);
            }
        }
        alive.truncate(before);
    }
}

/// What begins with a statement, not with its block: an array of variable length, a call that is due at the end.
pub(super) fn begun_by(statement: &Statement) -> Option<LocalId> {
    match statement.kind {
        StatementKind::AllocateVariable(local, _) | StatementKind::Cleanup(local, _) => Some(local),
        StatementKind::Expression(_)
        | StatementKind::Declare(..)
        | StatementKind::Block(_)
        | StatementKind::If { .. }
        | StatementKind::Loop { .. }
        | StatementKind::DoWhile { .. }
        | StatementKind::Switch { .. }
        | StatementKind::Case(_)
        | StatementKind::Default
        | StatementKind::Label(_)
        | StatementKind::Goto(_)
        | StatementKind::GotoComputed(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(_)
        | StatementKind::Unsupported(_) => None,
    }
}

/// What is alive at the cases of a `switch`, and at its default.
#[derive(Debug, Default)]
pub(super) struct Cases {
    cases: BTreeMap<usize, Vec<LocalId>>,
    default: Vec<LocalId>,
}

impl Cases {
    pub(super) fn at(&self, case: usize) -> &[LocalId] {
        self.cases.get(&case).map_or(&[], |alive| alive)
    }

    pub(super) fn at_default(&self) -> &[LocalId] {
        &self.default
    }
}

fn owned_by_block(statements: &[Statement], last: Option<&Expression>) -> Vec<LocalId> {
    let mut found = Vec::new();
    for statement in statements.iter().filter(|it| !parts::has_controls(it)) {
        if let StatementKind::Declare(local, _) = statement.kind {
            found.push(local);
        }
        parts::of_statement(statement, &mut |part| parts::literals(part, &mut found));
    }
    if let Some(last) = last {
        parts::literals(Subtree::Value(last), &mut found);
    }
    found
}

fn owned_by_controls(statement: &Statement) -> Vec<LocalId> {
    let mut found = Vec::new();
    if parts::has_controls(statement) {
        parts::of_statement(statement, &mut |part| parts::literals(part, &mut found));
    }
    found
}

fn owned_by_expressions(statement: &Statement) -> Vec<LocalId> {
    let mut found = Vec::new();
    parts::of_statement(statement, &mut |part| parts::temporaries(part, &mut found));
    found
}

/// Where the locals of a function live.
#[derive(Default)]
struct Blocks {
    stretches: BTreeMap<LocalId, Stretch>,
    /// Locals of blocks that have places to jump to.
    jumped_over: BTreeSet<LocalId>,
    clock: u32,
}

impl Blocks {
    fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }

    fn end(&mut self, owned: Vec<LocalId>, begin: u32) {
        let end = self.tick();
        for local in owned {
            self.stretches.insert(local, (begin, end));
        }
    }

    /// What a root declares lives as long as the call.
    fn block(&mut self, statements: &[Statement], last: Option<&Expression>, is_root: bool) {
        let begin = self.tick();
        for statement in statements {
            let begin = self.tick();
            for block in parts::blocks(statement) {
                self.block(block, None, false);
            }
            let mut nested = Vec::new();
            parts::statement_expressions(statement, &mut nested);
            for (statements, last) in nested {
                self.block(statements, last, false);
            }
            let expressions = owned_by_expressions(statement);
            self.end(expressions, begin);
            self.end(owned_by_controls(statement), begin);
        }
        if is_root {
            return;
        }
        let owned = owned_by_block(statements, last);
        if has_targets(statements, true) {
            self.jumped_over.extend(&owned);
        }
        self.end(owned, begin);
    }
}

/// Whether a jump may lead into the middle of a block.
fn has_targets(statements: &[Statement], counts_cases: bool) -> bool {
    statements.iter().any(|statement| {
        let counts_cases = counts_cases && !matches!(statement.kind, StatementKind::Switch { .. });
        match statement.kind {
            StatementKind::Label(_) => true,
            StatementKind::Case(_) | StatementKind::Default => counts_cases,
            _ => parts::blocks(statement)
                .into_iter()
                .any(|block| has_targets(block, counts_cases)),
        }
    })
}

/// Whether a register is wide enough for the address of memory, and stays set when nobody will read it again.
fn may_name_memory(module: &Module, body: &Body, local: LocalId) -> bool {
    let source = &body.locals[local];
    let scalar = scalars::scalar(module, &source.ty.ty);
    !source.is_hidden
        && !matches!(source.ty.ty, Type::Float(_))
        && scalar.is_some_and(|it| it.size(module.model) >= module.model.pointer_bytes())
}

/// Whether an object is too large to be overwritten with nothing where it is declared: a new one holds nothing.
fn is_too_large_to_forget(lowering: &Lowering<'_>, ty: &Type) -> bool {
    lowering.size(ty) > LARGEST_TO_FORGET
}

/// Whether an object has more to it than values: locks, or pointers to memory that is lost with it.
fn may_hold_more(lowering: &Lowering<'_>, ty: &Type) -> bool {
    let holds_pointers =
        lowering.features.uses_heap && lowering.size(ty) >= lowering.model().pointer_bytes();
    holds_pointers || has_locks(lowering.module, ty)
}

fn has_locks(module: &Module, ty: &Type) -> bool {
    match ty {
        Type::Array(element, _) => has_locks(module, &element.ty),
        Type::Record(record) => {
            let record = &module.records[*record];
            let mut fields = record.fields.iter();
            record.sync.is_some() || fields.any(|field| has_locks(module, &field.ty.ty))
        }
        Type::Void
        | Type::Bool
        | Type::Integer(_)
        | Type::Enumeration(_)
        | Type::Float(_)
        | Type::Pointer(_)
        | Type::Function(_)
        | Type::Unmodelled(_) => false,
    }
}
