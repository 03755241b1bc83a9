//! Control flow.

use std::rc::Rc;

use raddle_base::Span;
use raddle_ir::{Action, BinaryOp, Expression, LocationId, Scalar};

use crate::typed::{self, Case, LabelId, LocalId, Statement, StatementKind};

use super::body::{FunctionLowering, ReturnBy, SwitchTargets, Value};
use super::lifetimes::begun_by;
use super::objects::label_value;
use super::scalars;

impl FunctionLowering<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        // Of conditions, full expressions are parts.
        let owned = if is_controlled(&statement.kind) {
            self.lifetimes.of_controls(statement)
        } else {
            self.lifetimes.of_expressions(statement)
        };
        self.in_scope(owned, Some(span), |this| this.statement_itself(statement));
        self.alive.extend(begun_by(statement));
    }

    fn statement_itself(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Expression(expression) => self.effect(expression),
            StatementKind::Declare(local, initial) => {
                self.initialize(*local, initial.as_ref(), span);
            }
            StatementKind::AllocateVariable(local, bytes) => self.allocate(*local, bytes, span),
            StatementKind::Cleanup(due, call) => {
                self.cleanups.insert(*due, Rc::new(call.clone()));
            }
            StatementKind::Block(statements) => self.block(statements, span),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let (yes, no, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                let no_or_end = if otherwise.is_empty() { end } else { no };
                self.branch_on_full(condition, yes, no_or_end);
                self.here = yes;
                self.block(then, span);
                self.connect(Action::skip(), end, Some(span));
                if !otherwise.is_empty() {
                    self.here = no;
                    self.block(otherwise, span);
                    self.connect(Action::skip(), end, Some(span));
                }
                self.here = end;
            }
            StatementKind::Loop {
                condition,
                next,
                body,
            } => {
                let (head, round, step, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                self.connect(Action::skip(), head, Some(span));
                self.here = head;
                match condition {
                    Some(condition) => self.branch_on_full(condition, round, end),
                    None => self.connect(Action::skip(), round, Some(span)),
                }
                self.here = round;
                self.in_loop(step, end, |this| this.block(body, span));
                self.connect(Action::skip(), step, Some(span));
                self.here = step;
                if let Some(next) = next {
                    let owned = self.lifetimes.of_expression(next);
                    self.in_scope(owned, Some(next.span), |this| this.effect(next));
                }
                self.connect(Action::skip(), head, Some(span));
                self.here = end;
            }
            StatementKind::DoWhile { body, condition } => {
                let (head, test, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                self.connect(Action::skip(), head, Some(span));
                self.here = head;
                self.in_loop(test, end, |this| this.block(body, span));
                self.connect(Action::skip(), test, Some(span));
                self.here = test;
                self.branch_on_full(condition, head, end);
                self.here = end;
            }
            StatementKind::Switch {
                value,
                cases,
                has_default,
                body,
            } => self.switch(value, cases, *has_default, body, span),
            StatementKind::Case(index) => {
                if let Some(&target) = self
                    .switches
                    .last()
                    .and_then(|targets| targets.cases.get(*index))
                {
                    self.go_on_at(target, span);
                }
            }
            StatementKind::Default => {
                if let Some(targets) = self.switches.last() {
                    let target = targets.default;
                    self.go_on_at(target, span);
                }
            }
            StatementKind::Label(label) => {
                let target = self.label(*label);
                self.go_on_at(target, span);
            }
            StatementKind::Goto(label) => {
                let target = self.label(*label);
                self.go_to_label(*label, target, span);
                self.here = self.new_location();
            }
            StatementKind::GotoComputed(address) => self.goto_computed(address, span),
            StatementKind::Break => {
                if let Some(&exit) = self.breaks.last() {
                    self.leave_by(exit, span);
                }
            }
            StatementKind::Continue => {
                if let Some(&exit) = self.continues.last() {
                    self.leave_by(exit, span);
                }
            }
            StatementKind::Return(value) => self.return_value(value.as_ref(), span),
            StatementKind::Unsupported(what) => self.unsupported(what, span),
        }
    }

    /// Code before flows into a place that is jumped to.
    fn go_on_at(&mut self, target: LocationId, span: Span) {
        self.connect(Action::skip(), target, Some(span));
        self.here = target;
    }

    fn in_loop(
        &mut self,
        on_continue: LocationId,
        on_break: LocationId,
        body: impl FnOnce(&mut Self),
    ) {
        let may_repeat = std::mem::replace(&mut self.may_repeat, true);
        self.continues.push(self.exit_to(on_continue));
        self.breaks.push(self.exit_to(on_break));
        body(self);
        self.continues.pop();
        self.breaks.pop();
        self.may_repeat = may_repeat;
    }

    fn label(&mut self, label: LabelId) -> LocationId {
        if let Some(location) = self.labels[label] {
            return location;
        }
        let location = self.new_location();
        self.labels[label] = Some(location);
        if self.lowering.keeps_labels {
            let name = &self.source.labels[label].name;
            let namesakes = self.source.labels.values().filter(|it| it.name == *name);
            // Of labels that are local to blocks several may be called the same; then none is meant.
            if namesakes.count() == 1 {
                self.function.locations[location].label = Some(name.clone());
            }
        }
        location
    }

    /// One edge for each case; the default takes what no case does.
    fn switch(
        &mut self,
        value: &typed::Expression,
        cases: &[Case],
        has_default: bool,
        body: &[Statement],
        span: Span,
    ) {
        let value = self.full_value(value);
        let value = self.in_temporary(value, span);
        let scalar = self.scalar_of(&value);
        let begun = self.lifetimes.at_cases(body);
        let targets: Vec<LocationId> = cases.iter().map(|_| self.new_location()).collect();
        let (default, end) = (self.new_location(), self.new_location());
        let mut tests = Vec::new();
        for (index, (case, &target)) in cases.iter().zip(&targets).enumerate() {
            let condition = self.is_case(&value, *case, scalar, span);
            tests.push(condition.expression.clone());
            self.enter_if(condition.expression, begun.at(index), target, span);
        }
        let condition = match any_of(&tests) {
            Some(any) => any.not(),
            None => Expression::bool(true),
        };
        let (otherwise, begun) = if has_default {
            (default, begun.at_default())
        } else {
            (end, [].as_slice())
        };
        self.enter_if(condition, begun, otherwise, span);
        // What stands before the first case is never reached.
        self.here = self.new_location();
        self.switches.push(SwitchTargets {
            cases: targets,
            default,
        });
        self.breaks.push(self.exit_to(end));
        self.block(body, span);
        self.breaks.pop();
        self.switches.pop();
        self.go_on_at(end, span);
    }

    /// Goes on at a target, where more is alive than here.
    fn enter_if(
        &mut self,
        condition: Expression,
        begun: &[LocalId],
        target: LocationId,
        span: Span,
    ) {
        if begun.is_empty() {
            self.connect(Action::Assume { condition }, target, Some(span));
            return;
        }
        let (here, between) = (self.here, self.new_location());
        self.connect(Action::Assume { condition }, between, Some(span));
        self.here = between;
        self.enter(begun, target, Some(span));
        self.here = here;
    }

    fn is_case(&mut self, value: &Value, case: Case, scalar: Scalar, span: Span) -> Value {
        let constant = |bits: u128| -> Value { Expression::Constant(bits, scalar).into() };
        if case.first == case.last {
            return self.binary(BinaryOp::Equal, value.clone(), constant(case.first), span);
        }
        let from = self.binary(
            BinaryOp::LessEqual,
            constant(case.first),
            value.clone(),
            span,
        );
        let to = self.binary(
            BinaryOp::LessEqual,
            value.clone(),
            constant(case.last),
            span,
        );
        self.binary(BinaryOp::And, from, to, span)
    }

    /// One edge for each label whose address somebody took.
    fn goto_computed(&mut self, address: &typed::Expression, span: Span) {
        let address = self.value(address);
        let address = self.in_temporary(address, span);
        let source = self.source;
        let taken: Vec<LabelId> = source
            .labels
            .iter()
            .filter(|(_, label)| label.is_address_taken)
            .map(|(id, _)| id)
            .collect();
        let mut tests = Vec::new();
        for label in taken {
            let target = self.label(label);
            let known: Value = Expression::Constant(label_value(label), Scalar::Pointer).into();
            let condition = self.binary(BinaryOp::Equal, address.clone(), known, span);
            tests.push(condition.expression.clone());
            let (here, between) = (self.here, self.new_location());
            self.connect(
                Action::Assume {
                    condition: condition.expression,
                },
                between,
                Some(span),
            );
            self.here = between;
            self.go_to_label(label, target, span);
            self.here = here;
        }
        let condition = any_of(&tests).map_or(Expression::bool(true), Expression::not);
        self.then(Action::Assume { condition }, span);
        self.unsupported("a jump to something that is no label of the function", span);
        self.return_nothing();
    }

    fn return_value(&mut self, value: Option<&typed::Expression>, span: Span) {
        match self.return_by.clone() {
            ReturnBy::Nothing => {
                if let Some(value) = value {
                    self.effect(value);
                }
                self.clean_up(span);
                self.return_with(None, Some(span));
            }
            ReturnBy::Register(scalar) => {
                let value = match value {
                    Some(value) if self.lowering.scalar(&value.ty).is_some() => self.value(value),
                    Some(value) => {
                        self.effect(value);
                        self.undefined(scalar).into()
                    }
                    None => self.undefined(scalar).into(),
                };
                // What is cleaned up is so after the value was computed.
                let value = if self.has_cleanups() {
                    self.in_temporary(value, span)
                } else {
                    value
                };
                self.clean_up(span);
                self.return_with(Some(value), Some(span));
            }
            ReturnBy::Memory(result) => {
                if let Some(value) = value {
                    self.record_to(Expression::Register(result).into(), false, value);
                }
                self.clean_up(span);
                self.return_with(None, Some(span));
            }
            ReturnBy::ProcessStatus => {
                let status = match value {
                    Some(value) if self.lowering.scalar(&value.ty).is_some() => self.value(value),
                    Some(_) | None => Expression::Constant(0, scalars::INT).into(),
                };
                let status = self.convert(status, scalars::INT, false);
                let status = if self.alive.is_empty() {
                    status
                } else {
                    self.in_temporary(status, span)
                };
                if self.lowering.features.uses_handlers || self.has_cleanups() {
                    self.end_locals(0, Some(span));
                }
                self.end_process(status, Some(span));
            }
        }
    }

    /// Whether a `return` here has calls to make first.
    fn has_cleanups(&self) -> bool {
        self.alive.iter().any(|it| self.cleanups.contains_key(it))
    }

    /// Ends all blocks around a `return`, if something is due at their ends.
    fn clean_up(&mut self, span: Span) {
        if self.has_cleanups() {
            self.end_locals(0, Some(span));
        }
    }

    /// What the end of a function does: of one with a result, nobody may look at it.
    pub(super) fn return_nothing(&mut self) {
        match self.return_by.clone() {
            ReturnBy::Nothing | ReturnBy::Memory(_) => self.return_with(None, None),
            ReturnBy::Register(scalar) => {
                let value = self.undefined(scalar);
                self.return_with(Some(value.into()), None);
            }
            ReturnBy::ProcessStatus => {
                self.end_process(Expression::Constant(0, scalars::INT).into(), None);
            }
        }
    }

    fn return_with(&mut self, value: Option<Value>, span: Option<Span>) {
        for set in self.units_of_work.clone().into_iter().rev() {
            self.then(Action::UnitEnd { set }, span);
        }
        if self.is_section {
            self.then(Action::AtomicEnd, span);
        }
        let value = match value {
            Some(value) if self.lowering.features.counts_stack => {
                // Computed before the function is over.
                let target = self.temporary(self.scalar_of(&value));
                self.assign(target, value, span);
                Some(Expression::Register(target).into())
            }
            value => value,
        };
        self.leave_stack(span);
        let exit = self.function.exit;
        self.connect(
            Action::Return {
                value: value.map(|value| value.expression),
            },
            exit,
            span,
        );
        self.here = self.new_location();
    }
}

/// Whether a statement is a block by itself, around what controls it (C11 6.8.4, 6.8.5).
fn is_controlled(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::If { .. }
            | StatementKind::Loop { .. }
            | StatementKind::DoWhile { .. }
            | StatementKind::Switch { .. }
    )
}

/// Whether one of the conditions holds; as a balanced tree, since expressions nest only so deep.
fn any_of(conditions: &[Expression]) -> Option<Expression> {
    match conditions {
        [] => None,
        [one] => Some(one.clone()),
        _ => {
            let (left, right) = conditions.split_at(conditions.len() / 2);
            Some(Expression::binary(
                BinaryOp::Or,
                any_of(left)?,
                any_of(right)?,
            ))
        }
    }
}
